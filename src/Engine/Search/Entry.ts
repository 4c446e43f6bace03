/** Creates entries of the search index. Runs where a page is converted, which is a worker thread for most pages. */
import { hash } from "node:crypto"
import type { Heading } from "../../Html/Serialize.ts"
import * as Picture from "./Picture.ts"
import { clean, hasUnspaced } from "./Words.ts"

/** Searchable content of a page. */
export interface Content {
  readonly title: string
  readonly description: string
  readonly text: string
  /** Headings in the text, in order. Where there are headings, the text has no soft hyphens, which are not indexed: positions would differ. */
  readonly headings?: ReadonlyArray<Heading> | undefined
  readonly images?: ReadonlyArray<Picture.Image> | undefined
}

/** A page's content in the form that the index stores. */
export interface Entry {
  readonly title: string
  readonly description: string
  readonly text: string
  /** JSON of the headings' positions and levels; see {@link encodeHeadings}. */
  readonly headings: string
  readonly images: ReadonlyArray<Picture.IndexedImage>
  /** Hash of the whole entry, so that an unchanged page is not indexed again. */
  readonly digest: string
  /** True if parts of the text are in scripts without spaces between words. */
  readonly isUnspaced: boolean
}

/** Maximum characters indexed of a page's text, and of its title and description. */
const [maxTextLength, maxTitleLength] = [1_000_000, 10_000]

/** Maximum headings stored per page. */
const maxHeadings = 2000

/** Headings as the index stores them: pairs of position and level. */
export const encodeHeadings = (headings: ReadonlyArray<Heading>): string =>
  JSON.stringify(headings.slice(0, maxHeadings).map(({ at, level }) => [at, level]))

export const makeEntry = (content: Content): Entry => {
  const title = clean(content.title.slice(0, maxTitleLength))
  const description = clean(content.description.slice(0, maxTitleLength))
  const text = clean(content.text.slice(0, maxTextLength))
  const images = Picture.indexedImages(content.images ?? [])
  const shown = images.length === 0 ? "" : `\0${JSON.stringify(images)}`
  const headings = encodeHeadings((content.headings ?? []).filter(({ at }) => at < maxTextLength))
  const outline = headings === "[]" ? "" : `\0${headings}`
  return {
    title,
    description,
    text,
    headings,
    images,
    digest: hash("sha1", `${title}\0${description}\0${text}${shown}${outline}`, "base64"),
    isUnspaced: hasUnspaced(text) || hasUnspaced(title) || images.some(({ words }) => hasUnspaced(words))
  }
}
