/**
 * Detects lists that were typed as text: consecutive paragraphs that start with a bullet and a space, or with consecutive numbers. Some
 * programs write all lists in RTF this way, and people type them in every format.
 */
import type { Block, Inline } from "./Tree.ts"

type Paragraph = Extract<Block, { readonly kind: "paragraph" }>

const bulleted = /^\s*[•·▪▫◦○●■□◆❖➢➤✓✔]\s+(?=\S)/u
const numbered = /^\s*(\d{1,3})[.)]\s+(?=\S)/

/** A paragraph that may be a list item: its number if it has one, and its block without the bullet or number. */
interface Entry {
  readonly number: number | undefined
  readonly block: Paragraph
}

/** Maximum pieces of text over which the bullet or number and its space may be spread. */
const maxPieces = 3

const withoutStart = (content: ReadonlyArray<Inline>, length: number): ReadonlyArray<Inline> => {
  const [first, ...rest] = content
  if (first?.kind !== "text" || length === 0) return content
  return first.text.length <= length
    ? withoutStart(rest, length - first.text.length)
    : [{ ...first, text: first.text.slice(length) }, ...rest]
}

const entryOf = (block: Block | undefined): Entry | undefined => {
  if (block?.kind !== "paragraph") return undefined
  let begin = ""
  for (const piece of block.content.slice(0, maxPieces)) {
    if (piece.kind !== "text") break
    begin += piece.text
  }
  const [sign, number] = bulleted.exec(begin) ?? numbered.exec(begin) ?? []
  if (sign === undefined) return undefined
  return {
    number: number === undefined ? undefined : Number(number),
    block: { kind: "paragraph", content: withoutStart(block.content, sign.length) }
  }
}

const followsOn = (entry: Entry, last: Entry): boolean =>
  entry.number === (last.number === undefined ? undefined : last.number + 1)

/** Converts two or more consecutive paragraphs that look like list items to a list. */
export const withTypedLists = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const found: Array<Block> = []
  for (let at = 0; at < blocks.length; ) {
    const entries: Array<Entry> = []
    for (let next = entryOf(blocks[at]); next !== undefined; next = entryOf(blocks[at + entries.length])) {
      const last = entries.at(-1)
      if (last !== undefined && !followsOn(next, last)) break
      entries.push(next)
    }
    const [first] = entries
    if (first === undefined || entries.length < 2) {
      found.push(...blocks.slice(at, at + 1))
      at += 1
      continue
    }
    const items = entries.map(({ block }) => ({ blocks: [block] }))
    found.push({ kind: "list", ordered: first.number !== undefined, start: first.number ?? 1, items })
    at += entries.length
  }
  return found
}
