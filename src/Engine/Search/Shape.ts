/** What was found, in the form of an answer. */
import type { Category, SearchResponse } from "../../Api/Search.ts"
import type { FoundImage } from "./Gallery.ts"
import type { Found } from "./Lookup.ts"
import { bits } from "./Place.ts"
import * as Snippet from "./Snippet.ts"

type Data = SearchResponse["data"]

export interface Asked {
  readonly categories: ReadonlyArray<Category>
  /** What the snippets are to show. */
  readonly words: ReadonlyArray<string>
}

/** A source that was asked for twice brings each result once. */
const once = <A extends { readonly id: number }>(found: ReadonlyArray<A>): ReadonlyArray<A> => {
  const seen = new Set<number>()
  return found.filter(({ id }) => (seen.has(id) ? false : seen.add(id)))
}

const kindOf = ({ kinds }: Found, { categories }: Asked) => {
  const category = categories.find((name) => (kinds & bits[name]) !== 0)
  return category === undefined ? {} : { category }
}

const titleOf = ({ title, url }: { readonly title: string; readonly url: string }) => (title === "" ? url : title)

export const web = (pages: ReadonlyArray<Found>, asked: Asked): Data =>
  pages.length === 0
    ? {}
    : {
        web: once(pages).map((page, at) => ({
          url: page.url,
          title: titleOf(page),
          description: Snippet.make(page.text, page.description, asked.words),
          position: at + 1,
          ...kindOf(page, asked)
        }))
      }

/** `pictures` are addresses by the page's number. */
export const news = (pages: ReadonlyArray<Found>, pictures: ReadonlyMap<number, string>, asked: Asked): Data =>
  pages.length === 0
    ? {}
    : {
        news: once(pages).map((page, at) => {
          const imageUrl = pictures.get(page.id)
          return {
            url: page.url,
            title: titleOf(page),
            snippet: Snippet.make(page.text, page.description, asked.words),
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
