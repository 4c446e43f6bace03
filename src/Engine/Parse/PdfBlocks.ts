/** Lines of a PDF become headings, paragraphs and lists, by their size, weight, distance and indent (spec 4.2). */
import type { Line } from "./PdfLines.ts"
import type { Block, Inline, Item } from "./Tree.ts"

/** What is common to the whole file. */
export interface Looks {
  readonly bodySize: number
  /** Most of the text is bold, so that weight says nothing. */
  readonly boldBody: boolean
  /** Sizes of headings, largest first. */
  readonly headingSizes: ReadonlyArray<number>
}

const rounded = (size: number): number => Math.round(size * 2) / 2

/** Sizes by how many letters are set in them. */
export const looksOf = (lines: ReadonlyArray<Line>): Looks => {
  const letters = new Map<number, number>()
  let all = 0
  let bold = 0
  for (const line of lines) {
    letters.set(rounded(line.size), (letters.get(rounded(line.size)) ?? 0) + line.text.length)
    all += line.text.length
    if (line.bold) bold += line.text.length
  }
  const [bodySize] = [...letters].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [10, 0])
  const headingSizes = [...letters.keys()].filter((size) => size >= bodySize * 1.12).sort((a, b) => b - a)
  return { bodySize, boldBody: bold * 2 > all, headingSizes: headingSizes.slice(0, 5) }
}

const bullet =
  /^[\u2022\u25cf\u25aa\u25e6\u25cb\u25a0\u25a1\u2023\u27a2\u2713\u2219\u00b7\uf0b7\u2043]\s*(?=\S)|^[-\u2013\u2014*o]\s+(?=\S)/
const number =
  /^(?:\(?(\d{1,3})[.)]|(\d{1,2}(?:\.\d{1,2}){1,4}\.?)|\(?([a-zA-Z])\)|\(([ivx]{1,5})\)|([ivx]{1,5})\.)\s+(?=\S)/
/** How entries of a bibliography begin. */
const reference = /^\[\d{1,3}\]\s/

interface Marked {
  readonly ordered: boolean
  readonly start: number
  readonly label: string | undefined
  readonly length: number
}

const markOf = (text: string): Marked | undefined => {
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

/** Without the first letters of the line. */
const dropStart = (content: ReadonlyArray<Inline>, letters: number): ReadonlyArray<Inline> => {
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

const appendLine = (content: Array<Inline>, line: Line): void => {
  const last = content[content.length - 1]
  const [first] = line.content
  const from = last?.kind === "text" ? last.text.replace(/\s+$/, "") : ""
  const joins = first?.kind === "text" && /\p{L}[-\u2010\u00ad]$/u.test(from) && /^\s*\p{Ll}/u.test(first.text)
  if (last?.kind === "text" && joins) content[content.length - 1] = { ...last, text: from.slice(0, -1) }
  else if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(from)) {
    content.push({ kind: "text", text: " ", style: {} })
  }
  content.push(...line.content)
}

/** A mark makes an item, unless it is the number of a heading, which stands alone. */
const isListed = (line: Line, next: Line | undefined, before: Line | undefined): boolean => {
  if (bullet.test(line.text)) return true
  if (!number.test(line.text)) return false
  return [next, before].some(
    (other) =>
      other !== undefined &&
      markOf(other.text) !== undefined &&
      Math.abs(other.size - line.size) < 0.5 &&
      Math.abs(other.y - line.y) < 1.8 * line.size
  )
}

const headingLevel = (
  line: Line,
  next: Line | undefined,
  before: Line | undefined,
  looks: Looks
): number | undefined => {
  if (line.text.length > 200 || !/\p{L}/u.test(line.text) || line.mono) return undefined
  if (isListed(line, next, before)) return undefined
  const rank = looks.headingSizes.findIndex((size) => rounded(line.size) >= size)
  if (rank >= 0) return line.text.length < 2 ? undefined : rank + 1
  const apart =
    (before === undefined || line.y - before.y > 1.3 * line.size || line.y < before.y) &&
    (next === undefined || !next.bold)
  const isShort = line.text.length < 90 && !/[.,;:]$/.test(line.text)
  return line.bold && !looks.boldBody && apart && isShort && line.size >= looks.bodySize * 0.95
    ? Math.min(looks.headingSizes.length + 1, 6)
    : undefined
}

/** Flat items with their indents become lists within lists. */
const nest = (
  items: ReadonlyArray<{ readonly x: number; readonly mark: Marked; readonly content: ReadonlyArray<Inline> }>
): ReadonlyArray<Block> => {
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
      while (end < items.length && (items[end]?.x ?? 0) > item.x + 4) end += 1
      group.push({
        blocks: [{ kind: "paragraph", content: item.content }, ...nest(items.slice(at + 1, end))],
        label: item.mark.label
      })
      at = end
    }
    lists.push({ kind: "list", ordered: first.mark.ordered, start: first.mark.start, items: group })
  }
  return lists
}

/** The lines of one region, in reading order. */
export const blocksOf = (lines: ReadonlyArray<Line>, looks: Looks): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  const left = Math.min(...lines.map(({ x0 }) => x0))
  const right = Math.max(...lines.map(({ x1 }) => x1))
  let at = 0
  /** Lines from `at` that go on with the paragraph or item that `start` begins. */
  const gather = (start: Line, hanging: boolean): Array<Inline> => {
    const content: Array<Inline> = [...start.content]
    let before = start
    for (let next = lines[at]; next !== undefined; next = lines[at]) {
      const distance = next.y - before.y
      const sameSize = Math.abs(next.size - before.size) < 0.12 * before.size
      const ended = before.x1 < right - 0.2 * (right - left) && /[.!?:;\u3002]["\u201d)]*$/.test(before.text)
      // A first line that is moved in begins a paragraph; lines that hang below the first one go on with it.
      const complete = /[.!?:\u3002]["\u201d)]*$/.test(before.text) || before.x1 < right - 0.15 * (right - left)
      const indented = !hanging && complete && next.x0 > left + 0.8 * next.size && before.x0 < left + 0.5 * next.size
      const starts =
        markOf(next.text) !== undefined ||
        reference.test(next.text) ||
        headingLevel(next, lines[at + 1], before, looks) !== undefined
      if (!sameSize || distance > 1.75 * next.size || distance < -2 || ended || indented || starts) break
      if (hanging && next.x0 < start.x0 + 1 && ended) break
      appendLine(content, next)
      before = next
      at += 1
    }
    return content
  }
  while (at < lines.length) {
    const line = lines[at]
    if (line === undefined) break
    const before = lines[at - 1]
    const level = headingLevel(line, lines[at + 1], before, looks)
    at += 1
    if (level !== undefined) {
      const content: Array<Inline> = [...line.content]
      let last = line
      for (let next = lines[at]; next !== undefined; next = lines[at]) {
        const goesOn = Math.abs(next.size - last.size) < 0.5 && next.bold === last.bold && next.y > last.y
        if (
          !goesOn ||
          next.y - last.y > 1.5 * next.size ||
          headingLevel(next, lines[at + 1], undefined, looks) !== level
        )
          break
        appendLine(content, next)
        last = next
        at += 1
      }
      blocks.push({
        kind: "heading",
        level,
        content: content.map((inline) => (inline.kind === "text" ? { ...inline, style: {} } : inline))
      })
      continue
    }
    const mark = markOf(line.text)
    if (mark === undefined) {
      if (line.text !== "") blocks.push({ kind: "paragraph", content: gather(line, false) })
      continue
    }
    const items = [{ x: line.x0, mark, content: dropStart(gather(line, true), mark.length) }]
    for (let next = lines[at]; next !== undefined; next = lines[at]) {
      const more = markOf(next.text)
      if (more === undefined || headingLevel(next, lines[at + 1], lines[at - 1], looks) !== undefined) break
      at += 1
      items.push({ x: next.x0, mark: more, content: dropStart(gather(next, true), more.length) })
    }
    blocks.push(...nest(items))
  }
  return blocks
}
