/** Lines of a PDF become headings, paragraphs and lists, by their distance, indent and marks. */
import { headingLevel, type Looks } from "./PdfHeadings.ts"
import type { Line } from "./PdfLines.ts"
import { dropStart, isBullet, type Marked, markOf, nest } from "./PdfMarks.ts"
import { type Block, blockText, type Inline } from "./Tree.ts"

/** How entries of a bibliography begin. */
const reference = /^\[\d{1,3}\]\s/
const sentenceEnd = /[.!?:\u3002]["\u201d)]*$/

/** Scripts that set no space between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u

const append = (content: Array<Inline>, more: ReadonlyArray<Inline>): void => {
  const last = content[content.length - 1]
  const [first] = more
  const from = last?.kind === "text" ? last.text.trimEnd() : ""
  const joins = first?.kind === "text" && /\p{L}[-\u2010\u00ad]$/u.test(from) && /^\s*\p{Ll}/u.test(first.text)
  if (last?.kind === "text") content[content.length - 1] = { ...last, text: joins ? from.slice(0, -1) : from }
  if (!joins && !unspaced.test(from)) content.push({ kind: "text", text: " ", style: {} })
  content.push(...more)
}

/** Shorter ones are labels, which nothing goes on from or to. */
const minBroken = 40
const minRest = 20

type Paragraph = Extract<Block, { readonly kind: "paragraph" }>

/** Whether a paragraph breaks off where its column or page ends and goes on where the next begins. */
const goesOn = (last: Paragraph, first: Paragraph): boolean => {
  const words = blockText([{ ...last, content: last.content.slice(-minBroken) }]).trimEnd()
  const rest = blockText([first]).trim()
  return (
    words.length >= minBroken && rest.length >= minRest && /[\p{L}\p{N},\u2010-]$/u.test(words) && /^\p{Ll}/u.test(rest)
  )
}

/** The blocks of all regions, one after the other. */
export const joinRegions = (regions: ReadonlyArray<ReadonlyArray<Block>>): ReadonlyArray<Block> => {
  const joined: Array<Block> = []
  /** The content of the paragraph that is last, where it has become longer. */
  let growing: Array<Inline> = []
  for (const [first, ...others] of regions) {
    const last = joined[joined.length - 1]
    if (first === undefined) continue
    if (last?.kind === "paragraph" && first.kind === "paragraph" && goesOn(last, first)) {
      if (last.content !== growing) {
        growing = [...last.content]
        joined[joined.length - 1] = { ...last, content: growing }
      }
      append(growing, first.content)
    } else joined.push(first)
    joined.push(...others)
  }
  return joined
}

/** The lines of one region, in reading order. */
export const blocksOf = (lines: ReadonlyArray<Line>, looks: Looks): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  const left = Math.min(...lines.map(({ x0 }) => x0))
  const right = Math.max(...lines.map(({ x1 }) => x1))
  const width = right - left
  let at = 0
  /** Whether a line that looks like an item is one: in running text a number or dash may happen to begin a line. */
  const isItem = (next: Line, before: Line, start: Line): boolean =>
    markOf(next.text) !== undefined &&
    (isBullet(next.text) ||
      sentenceEnd.test(before.text) ||
      markOf(start.text) !== undefined ||
      before.x1 < right - 0.15 * width ||
      Math.abs(next.x0 - before.x0) > 0.5 * next.size ||
      next.y - before.y > 1.5 * next.size)
  /** Lines from `at` that go on with the paragraph or item that `start` begins. */
  const gather = (start: Line, hanging: boolean): Array<Inline> => {
    const content: Array<Inline> = [...start.content]
    let before = start
    for (let next = lines[at]; next !== undefined; next = lines[at]) {
      const distance = next.y - before.y
      const sameSize = Math.abs(next.size - before.size) < 0.12 * before.size
      const ended = before.x1 < right - 0.2 * width && /[.!?:;\u3002]["\u201d)]*$/.test(before.text)
      // A first line that is moved in begins a paragraph; lines that hang below the first one go on with it.
      const complete = sentenceEnd.test(before.text) || before.x1 < right - 0.15 * width
      const indented = !hanging && complete && next.x0 > left + 0.8 * next.size && before.x0 < left + 0.5 * next.size
      const starts =
        isItem(next, before, start) ||
        reference.test(next.text) ||
        headingLevel(next, lines[at + 1], before, looks) !== undefined
      if (!sameSize || distance > 1.75 * next.size || distance < -2 || ended || indented || starts) break
      if (hanging && next.x0 < start.x0 + 1 && ended) break
      append(content, next.content)
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
        // In large letters one word may be set otherwise.
        const sameLook = next.bold === last.bold || next.size >= looks.bodySize * 1.12
        const goesOn = Math.abs(next.size - last.size) < 0.5 && sameLook && next.y > last.y
        if (
          !goesOn ||
          next.y - last.y > 1.5 * next.size ||
          headingLevel(next, lines[at + 1], undefined, looks) !== level
        )
          break
        append(content, next.content)
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
    const items: Array<Marked> = [{ x: line.x0, mark, content: dropStart(gather(line, true), mark.length) }]
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
