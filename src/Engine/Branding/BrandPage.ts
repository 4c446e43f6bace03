/** The page of a site, and where its styles are. */

import { PageUrls } from "../Html/PageUrls.ts"
import { every } from "../Html/Select.ts"
import { type Element, parseTree, type Tree, textOf } from "../Html/Tree.ts"
import { isUsual, readSheet, type Sheet } from "./Rules.ts"

/** Characters of a page that are read for this. */
const maxPage = 1_000_000
/** Characters of all style sheets together. */
const maxStyles = 1_000_000

/** A style sheet where it stands in the page: written there, or linked. */
export type Source = { readonly text: string } | { readonly href: string }

export interface BrandPage {
  readonly tree: Tree
  readonly urls: PageUrls
  /** In order, absolute. */
  readonly sources: ReadonlyArray<Source>
}

const isStyles = ({ attributes }: Element): boolean => {
  const { media = "", rel = "" } = attributes
  const relations = rel.toLowerCase().split(/\s+/)
  return relations.includes("stylesheet") && !relations.includes("alternate") && isUsual(media)
}

/** The page, and where its styles are. */
export const readPage = (html: string, url: string): BrandPage => {
  const tree = parseTree(html.slice(0, maxPage))
  const urls = new PageUrls(tree, url, true)
  const found = every(
    tree.root,
    (element) => element.name === "style" || (element.name === "link" && isStyles(element)),
    100
  )
  return {
    tree,
    urls,
    sources: found.flatMap((element): ReadonlyArray<Source> => {
      if (element.name === "style") return [{ text: textOf(element) }]
      const href = element.attributes.href === undefined ? undefined : urls.resolve(element.attributes.href)
      return href === undefined ? [] : [{ href }]
    })
  }
}

/** Sheets in order, as much of them as fits together. */
export const readSheets = (texts: ReadonlyArray<string>): ReadonlyArray<Sheet> => {
  let left = maxStyles
  return texts.map((text) => {
    const read = text.slice(0, left)
    left -= read.length
    return readSheet(read)
  })
}
