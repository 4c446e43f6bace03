/** The marks that begin the items of lists in a PDF, and the lists they make. */
import type { Line } from "./PdfLines.ts"
import type { Block, Inline, Item } from "./Tree.ts"

const bullet =
  /^[\u2022\u25cf\u25aa\u25e6\u25cb\u25a0\u25a1\u2023\u27a2\u2713\u2219\u00b7\uf0b7\u2043]\s*(?=\S)|^[-\u2013\u2014*o]\s+(?=\S)/
/** A dash or a star may also stand in running text. */
const onlyBullet = /^[\u2022\u25cf\u25aa\u25e6\u25cb\u25a0\u25a1\u2023\u27a2\u2713\u2219\uf0b7\u2043]/
const number =
  /^(?:\(?(\d{1,3})[.)]|(\d{1,2}(?:\.\d{1,2}){1,4}\.?)|\(?([a-zA-Z])\)|\(([ivx]{1,5})\)|([ivx]{1,5})\.)\s+(?=\S)/

interface Mark {
  readonly ordered: boolean
  readonly start: number
  readonly label: string | undefined
  readonly length: number
}

export const markOf = (text: string): Mark | undefined => {
  const [dot] = bullet.exec(text) ?? []
  if (dot !== undefined) return { ordered: false, start: 1, label: undefined, length: dot.length }
  const [mark, digits] = number.exec(text) ?? []
  if (mark === undefined) return undefined
  return {
    ordered: digits !== undefined,
    start: Number(digits ?? 1),
    label: digits === undefined ? mark.trim() : undefined,
    length: mark.length
  }
}

export const isBullet = (text: string): boolean => onlyBullet.test(text)

const sameSize = (line: Line, other: Line): boolean => Math.abs(other.size - line.size) < 0.5

/** The number before or after, at the same edge. */
const counts = (line: Line, other: Line): boolean => {
  const [mine, theirs] = [markOf(line.text), markOf(other.text)]
  return (
    mine?.ordered === true &&
    theirs?.ordered === true &&
    Math.abs(mine.start - theirs.start) === 1 &&
    Math.abs(line.x0 - other.x0) < 3
  )
}

/** A mark makes an item, unless it is the number of a heading, which stands alone. */
export const isListed = (line: Line, next: Line | undefined, before: Line | undefined): boolean => {
  if (bullet.test(line.text)) return true
  if (!number.test(line.text)) return false
  return [next, before].some((other) => {
    if (other === undefined || markOf(other.text) === undefined || !sameSize(line, other)) return false
    const distance = Math.abs(other.y - line.y)
    return distance < 1.8 * line.size || (distance < 3 * line.size && counts(line, other))
  })
}

/** Without the first letters of the line. */
export const dropStart = (content: ReadonlyArray<Inline>, letters: number): ReadonlyArray<Inline> => {
  const out: Array<Inline> = []
  let left = letters
  for (const inline of content) {
    if (left > 0 && inline.kind === "text") {
      const text = inline.text.replace(/^\s+/, "")
      if (text.length > left) out.push({ ...inline, text: text.slice(left) })
      left -= Math.min(left, text.length)
    } else out.push(inline)
  }
  return out
}

export interface Marked {
  readonly x: number
  readonly mark: Mark
  readonly content: ReadonlyArray<Inline>
}

/** Lists within lists; what is moved in further stays with the last. */
const maxDepth = 12

/** Flat items with their indents become lists within lists. */
export const nest = (items: ReadonlyArray<Marked>, depth = 1): ReadonlyArray<Block> => {
  const lists: Array<Block> = []
  let at = 0
  while (at < items.length) {
    const first = items[at]
    if (first === undefined) break
    const group: Array<Item> = []
    while (at < items.length) {
      const item = items[at]
      if (
        item === undefined ||
        item.x < first.x - 4 ||
        (item.x <= first.x + 4 && item.mark.ordered !== first.mark.ordered)
      )
        break
      let end = at + 1
      while (depth < maxDepth && end < items.length && (items[end]?.x ?? 0) > item.x + 4) end += 1
      group.push({
        blocks: [{ kind: "paragraph", content: item.content }, ...nest(items.slice(at + 1, end), depth + 1)],
        label: item.mark.label
      })
      at = end
    }
    lists.push({ kind: "list", ordered: first.mark.ordered, start: first.mark.start, items: group })
  }
  return lists
}
