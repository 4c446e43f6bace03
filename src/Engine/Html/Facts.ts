/** What a page tells machines besides its text: its images in words and pixels, and when it was written. */
import { type Element, isElement, startOf } from "./Element.ts"
import { linkedData } from "./LinkedData.ts"
import { imagePlaceholder, type PageUrls } from "./PageUrls.ts"
import type { Tree } from "./Tree.ts"

export interface Picture {
  /** Absolute. */
  readonly url: string
  readonly caption: string
  readonly width?: number | undefined
  readonly height?: number | undefined
}

/** As the page writes them; of several of a kind, the first. */
export interface Dates {
  /** Of structured data about the page itself. */
  readonly published?: string | undefined
  readonly modified?: string | undefined
  /** Of an element that says it is the date of publication. */
  readonly marked?: string | undefined
  /** Of the first other one outside of margins and comments. */
  readonly shown?: string | undefined
}

export interface Facts {
  readonly pictures: ReadonlyArray<Picture>
  readonly dates: Dates
}

const [mostPictures, mostNodes, longestText] = [200, 500, 500]

const pixels = (text: unknown): number | undefined => {
  const found = typeof text === "string" ? /^\s*(\d{1,5})(?:\.\d+)?(?:px)?\s*$/.exec(text) : null
  return found === null ? undefined : Number(found[1])
}

const ancestor = (element: Element, test: (name: string) => boolean, levels: number): Element | undefined => {
  let above = element.parent
  for (let at = 0; at < levels && above !== undefined; at++, above = above.parent) if (test(above.name)) return above
  return undefined
}

const below = (element: Element): string => {
  const figure = ancestor(element, (name) => name === "figure", 4)
  const caption = figure?.children.find((child): child is Element => isElement(child) && child.name === "figcaption")
  return caption === undefined ? "" : startOf(caption, 2 * longestText)
}

const pictureOf = (element: Element, urls: PageUrls): ReadonlyArray<Picture> => {
  const { attributes } = element
  const url = urls.image(element)
  if (url === undefined || url === imagePlaceholder) return []
  const parts = [attributes.alt, attributes.title, below(element)].map((part) =>
    (part ?? "").slice(0, 2 * longestText).trim()
  )
  const caption = [...new Set(parts)].filter((part) => part !== "").join(" — ")
  return [
    {
      url,
      caption: caption.slice(0, longestText),
      width: pixels(attributes.width),
      height: pixels(attributes.height)
    }
  ]
}

/** The one that a page is shared with comes first. */
const picturesOf = (tree: Tree, urls: PageUrls, metadata: Readonly<Record<string, unknown>>) => {
  const shared = metadata["og:image"]
  const url = typeof shared === "string" ? urls.resolve(shared) : undefined
  const alt = metadata["og:image:alt"]
  const first: ReadonlyArray<Picture> =
    url === undefined
      ? []
      : [
          {
            url,
            caption: typeof alt === "string" ? alt.slice(0, longestText) : "",
            width: pixels(metadata["og:image:width"]),
            height: pixels(metadata["og:image:height"])
          }
        ]
  const rest = tree.images.slice(0, mostPictures).flatMap((element) => pictureOf(element, urls))
  // Shared without a word, it may stand in the text with one.
  const said = new Map(rest.map((picture) => [picture.url, picture]))
  return [...first.map((picture) => (picture.caption === "" ? (said.get(picture.url) ?? picture) : picture)), ...rest]
}

/** Structured data about other things than the page has dates as well. */
const own = /article|posting|report|page|creativework|^blog$/i

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const nodesOf = (data: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const found: Array<Readonly<Record<string, unknown>>> = []
  const open: Array<unknown> = [data]
  for (let at = 0; at < open.length && at < mostNodes; at++) {
    const value = open[at]
    if (Array.isArray(value)) for (const each of value.slice(0, mostNodes)) open.push(each)
    else if (isObject(value)) {
      found.push(value)
      open.push(value["@graph"], value.mainEntity)
    }
  }
  return found.filter((node) => [node["@type"]].flat().some((type) => typeof type === "string" && own.test(type)))
}

const structured = (elements: ReadonlyArray<Element>): Pick<Dates, "published" | "modified"> => {
  const nodes = linkedData(elements, '"date').flatMap(nodesOf)
  const first = (name: string) => nodes.map((node) => node[name]).find((value) => typeof value === "string")
  return { published: first("datePublished"), modified: first("dateModified") }
}

const margins = /^(?:aside|footer|nav|form)$/
const isRemark = /comment|related|sidebar|footer/i

const isMarginal = (element: Element): boolean => {
  for (let above = element.parent; above !== undefined; above = above.parent) {
    const { class: classes, id } = above.attributes
    if (margins.test(above.name) || isRemark.test(`${classes ?? ""} ${id ?? ""}`)) return true
  }
  return false
}

const datesOf = (dated: ReadonlyArray<Element>): Dates => {
  const times = dated.filter(({ name, attributes }) => name === "time" && attributes.datetime !== undefined)
  const marked = times.find(
    ({ attributes }) => attributes.itemprop?.toLowerCase() === "datepublished" || attributes.pubdate !== undefined
  )
  const shown = times.slice(0, 20).find((element) => !isMarginal(element))
  return {
    ...structured(dated),
    marked: marked?.attributes.datetime,
    shown: shown?.attributes.datetime
  }
}

export const factsOf = (tree: Tree, urls: PageUrls, metadata: Readonly<Record<string, unknown>>): Facts => ({
  pictures: picturesOf(tree, urls, metadata),
  dates: datesOf(tree.dated)
})
