/**
 * Placeholders in a document's text ("marks") for content that anydoc, the library that reads it, cannot return: a formula, or an inserted
 * file of another format.
 *
 * `DocxXml.ts`, `OdtXml.ts` and `RtfText.ts` insert the marks before anydoc reads the file, and `withMarks` replaces them with their
 * contents afterwards. Private-use characters, which do not occur in text, delimit them.
 */
import type { Block, Inline, Item } from "./Tree.ts"

const [formulaStart, formulaEnd, contentStart, contentEnd] = ["\ue800", "\ue801", "\ue802", "\ue803"]

export const markedFormula = (tex: string): string => (tex === "" ? "" : `${formulaStart}${tex}${formulaEnd}`)

/** Mark for an inserted file; it is the only text of its paragraph. `index`: position of its blocks in `contents` of `withMarks`. */
export const markedContent = (index: number): string => `${contentStart}${index}${contentEnd}`

const formulas = new RegExp(`${formulaStart}([^${formulaEnd}]*)${formulaEnd}`)

/** Joins the parts of a formula, because anydoc splits text wherever the file does. */
const joined = (content: ReadonlyArray<Inline>): ReadonlyArray<Inline> => {
  const parts: Array<Inline> = []
  for (const inline of content) {
    const last = parts.at(-1)
    const isOpen = last?.kind === "text" && last.text.lastIndexOf(formulaStart) > last.text.lastIndexOf(formulaEnd)
    if (isOpen && inline.kind === "text") parts[parts.length - 1] = { ...last, text: last.text + inline.text }
    else parts.push(inline)
  }
  return parts
}

const inlinesOf = (content: ReadonlyArray<Inline>): ReadonlyArray<Inline> =>
  joined(content).flatMap((inline): ReadonlyArray<Inline> => {
    if (inline.kind === "link") return [{ ...inline, content: inlinesOf(inline.content) }]
    if (inline.kind !== "text" || !inline.text.includes(formulaStart)) return [inline]
    return inline.text
      .split(formulas)
      .map((text, at): Inline => (at % 2 === 1 ? { kind: "formula", tex: text } : { ...inline, text }))
      .filter((part) => part.kind !== "text" || part.text !== "")
  })

const contentNumber = (content: ReadonlyArray<Inline>): number => {
  const [only] = content
  const text = content.length === 1 && only?.kind === "text" ? only.text.trim() : ""
  return text.startsWith(contentStart) && text.endsWith(contentEnd) ? Number(text.slice(1, -1)) : -1
}

/** Replaces the marks in blocks with their formulas and contents. */
export const withMarks = (
  blocks: ReadonlyArray<Block>,
  contents: ReadonlyArray<ReadonlyArray<Block>> = []
): ReadonlyArray<Block> => {
  const itemOf = (item: Item): Item => ({ ...item, blocks: withMarks(item.blocks, contents) })
  return blocks.flatMap((block): ReadonlyArray<Block> => {
    switch (block.kind) {
      case "heading":
      case "paragraph":
        return contents[contentNumber(block.content)] ?? [{ ...block, content: inlinesOf(block.content) }]
      case "quote":
      case "note":
        return [{ ...block, blocks: withMarks(block.blocks, contents) }]
      case "list":
        return [{ ...block, items: block.items.map(itemOf) }]
      case "table":
        return [
          {
            ...block,
            rows: block.rows.map((row) =>
              row.map((cell) => cell && { ...cell, blocks: withMarks(cell.blocks, contents) })
            )
          }
        ]
      default:
        return [block]
    }
  })
}
