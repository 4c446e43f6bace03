/** The places inside a page that links of a DOCX file lead to, which the library leaves out. */
import type { Block, Inline } from "./Tree.ts"
import { type Entry, readPart } from "./Zip.ts"

const maxPart = 64 * 1024 * 1024

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]?.replace(/&amp;/g, "&")

/** By address, the fragments of the links to it in the order of the text; undefined where a link has none. */
export const fragmentsOf = (
  bytes: Buffer,
  entries: ReadonlyArray<Entry>
): ReadonlyMap<string, ReadonlyArray<string | undefined>> => {
  const found = new Map<string, Array<string | undefined>>()
  const text = readPart(bytes, entries, "word/document.xml", maxPart) ?? ""
  const links = text.match(/<w:hyperlink\s[^>]{1,2000}>/g) ?? []
  if (!links.some((link) => link.includes(" r:id=") && link.includes(" w:anchor="))) return found
  const relations = readPart(bytes, entries, "word/_rels/document.xml.rels", maxPart) ?? ""
  const targets = new Map(
    (relations.match(/<Relationship\s[^>]{1,5000}>/g) ?? []).map((tag) => [
      attribute(tag, "Id"),
      attribute(tag, "Target")
    ])
  )
  for (const link of links) {
    const target = targets.get(attribute(link, "r:id"))
    if (target === undefined) continue
    const fragments = found.get(target) ?? []
    fragments.push(attribute(link, "w:anchor"))
    found.set(target, fragments)
  }
  return found
}

/** The same blocks, their links complete. */
export const withFragments = (
  blocks: ReadonlyArray<Block>,
  fragments: ReadonlyMap<string, ReadonlyArray<string | undefined>>
): ReadonlyArray<Block> => {
  if (fragments.size === 0) return blocks
  const seen = new Map<string, number>()
  const ofInlines = (content: ReadonlyArray<Inline>): ReadonlyArray<Inline> =>
    content.map((inline) => {
      if (inline.kind !== "link") return inline
      const count = seen.get(inline.href) ?? 0
      seen.set(inline.href, count + 1)
      const fragment = fragments.get(inline.href)?.[count]
      return fragment === undefined ? inline : { ...inline, href: `${inline.href}#${fragment}` }
    })
  const ofBlocks = (list: ReadonlyArray<Block>): ReadonlyArray<Block> =>
    list.map((block): Block => {
      switch (block.kind) {
        case "heading":
        case "paragraph":
          return { ...block, content: ofInlines(block.content) }
        case "quote":
          return { ...block, blocks: ofBlocks(block.blocks) }
        case "list":
          return { ...block, items: block.items.map((item) => ({ ...item, blocks: ofBlocks(item.blocks) })) }
        case "table":
          return {
            ...block,
            rows: block.rows.map((row) => row.map((cell) => cell && { ...cell, blocks: ofBlocks(cell.blocks) }))
          }
        default:
          return block
      }
    })
  return ofBlocks(blocks)
}
