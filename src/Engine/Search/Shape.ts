/**
 * Search results in the form of the API's response, with a warning about options that the local index does not support.
 */

import type { Settled } from "../../Api/Field.ts"
import type { Category, requestFields, SearchResponse } from "../../Api/SearchRequest.ts"
import type { FoundImage } from "./Gallery.ts"
import type { Found } from "./Lookup.ts"
import type { Passage } from "./Passage.ts"
import { categoryBits } from "./Place.ts"
import type { Clause } from "./Query.ts"

type Data = SearchResponse["data"]

export interface Display {
  readonly categories: ReadonlyArray<Category>
  /** Returns the passage of a page to show as its description. */
  readonly passageOf: (page: Found) => Passage
}

/** Removes duplicates, so that a source requested twice returns each result once. */
const once = <A extends { readonly id: number }>(found: ReadonlyArray<A>): ReadonlyArray<A> => {
  const seen = new Set<number>()
  return found.filter(({ id }) => (seen.has(id) ? false : seen.add(id)))
}

const kindOf = ({ kinds }: Found, { categories }: Display) => {
  const category = categories.find((name) => (kinds & categoryBits[name]) !== 0)
  return category === undefined ? {} : { category }
}

const titleOf = ({ title, url }: { readonly title: string; readonly url: string }) => (title === "" ? url : title)

const headingsOf = (headings: ReadonlyArray<string>) => (headings.length === 0 ? {} : { headings })

export const web = (pages: ReadonlyArray<Found>, asked: Display): Data =>
  pages.length === 0
    ? {}
    : {
        web: once(pages).map((page, at) => {
          const { headings, text } = asked.passageOf(page)
          return {
            url: page.url,
            title: titleOf(page),
            description: text,
            ...headingsOf(headings),
            position: at + 1,
            ...kindOf(page, asked)
          }
        })
      }

/** Results of the source `news`. `pictures`: image URLs by page id. */
export const news = (pages: ReadonlyArray<Found>, pictures: ReadonlyMap<number, string>, asked: Display): Data =>
  pages.length === 0
    ? {}
    : {
        news: once(pages).map((page, at) => {
          const imageUrl = pictures.get(page.id)
          const { headings, text } = asked.passageOf(page)
          return {
            url: page.url,
            title: titleOf(page),
            snippet: text,
            ...headingsOf(headings),
            date: page.published === null ? "" : new Date(page.published).toISOString(),
            ...(imageUrl === undefined ? {} : { imageUrl }),
            position: at + 1,
            ...kindOf(page, asked)
          }
        })
      }

export const images = (found: ReadonlyArray<FoundImage>): Data =>
  found.length === 0
    ? {}
    : {
        images: once(found).map(({ caption, height, imageUrl, title, url, width }, at) => ({
          title: caption === "" ? titleOf({ title, url }) : caption,
          imageUrl,
          ...(width === null ? {} : { imageWidth: width }),
          ...(height === null ? {} : { imageHeight: height }),
          url,
          position: at + 1
        }))
      }

interface Outcome {
  readonly found: number
  readonly truncated: boolean
}

/** Warning for the response. Undefined when all options were applied and there are results. */
export const warningOf = (
  request: Settled<typeof requestFields>,
  clauses: ReadonlyArray<Clause>,
  outcome: Outcome
): string | undefined => {
  const objects = request.sources.filter((source) => typeof source !== "string")
  const types = request.sources.map((source) => (typeof source === "string" ? source : source.type))
  const hasImages = types.includes("images")
  const hasPages = types.some((type) => type !== "images")
  const onImages = clauses.some(({ _tag }) => _tag === "ImageSize" || _tag === "Larger")
  const onPages = clauses.some(({ _tag }) => _tag === "Related")
  const geo = [
    ...(request.location !== undefined || objects.some(({ location }) => location !== undefined) ? ["location"] : []),
    ...(request.country === undefined ? [] : ["country"])
  ]
  const lines = [
    ...(onImages && hasPages ? ["Ignored for pages, because only images have a size: imagesize:, larger:."] : []),
    ...(onPages && hasImages ? ["Ignored for images, because only pages are related: related:."] : []),
    ...(geo.length === 0 ? [] : [`Ignored, because the local index has no locations: ${geo.join(", ")}.`]),
    ...(outcome.truncated ? ["Too many pages nearly match the quoted phrase: only the best of them were read."] : []),
    ...(outcome.found > 0
      ? []
      : clauses.length === 0
        ? ["The query has no word and no operator with a value."]
        : [
            "Nothing found. The local index contains only what was scraped, crawled and parsed here with this team's keys."
          ])
  ]
  return lines.length === 0 ? undefined : lines.join(" ")
}
