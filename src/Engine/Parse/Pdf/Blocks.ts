/**
 * Groups lines of a PDF into headings, paragraphs and lists, by distance, font size, weight, indent, and the bullets and numbers of lists.
 */
import { type Block, blockText, type Inline, type Item, type Place } from "../Tree.ts"
import type { Line } from "./Lines.ts"
import type { Placed } from "./Places.ts"
import { keyOf, type Outline } from "./Structure.ts"

/** Matches the start of a bibliography entry. */
const reference = /^\[\d{1,3}\]\s/
const sentenceEnd = /[.!?:\u3002]["\u201d)]*$/

/** Matches text that ends in a script without spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u

/**
 * Decides whether the hyphen at the end of a line is removed ("goes"): yes inside a divided word, no in a word that is always hyphenated.
 */
const hyphenAt = (from: string, to: string, compounds: ReadonlySet<string>): "goes" | "stays" | "none" => {
  const [, start = "", hyphen = ""] = /([\p{L}\p{N}][\p{L}\p{N}\u2010-]*)([-\u2010\u00ad])$/u.exec(from) ?? []
  const [, end = ""] = /^\s*([\p{L}\p{N}][\p{L}\p{N}\u2010-]*)/u.exec(to) ?? []
  if (hyphen === "" || end === "") return "none"
  if (hyphen === "\u00ad") return "goes"
  // A suspended hyphen, as in "pre- and postwar".
  if (/^(?:and|or|und|oder|et|ou|y|o|e|en|of)$/.test(end)) return "none"
  const isCompound =
    start.length === 1 || /[-\u2010]/.test(start + end) || compounds.has(`${start}-${end}`.toLowerCase())
  return isCompound || !/\p{L}$/u.test(start) || !/^\p{Ll}/u.test(end) ? "stays" : "goes"
}

const append = (content: Array<Inline>, more: ReadonlyArray<Inline>, compounds: ReadonlySet<string>): void => {
  const last = content[content.length - 1]
  const [first] = more
  const from = last?.kind === "text" ? last.text.trimEnd() : ""
  const hyphen = first?.kind === "text" ? hyphenAt(from, first.text, compounds) : "none"
  if (last?.kind === "text")
    content[content.length - 1] = { ...last, text: hyphen === "goes" ? from.slice(0, -1) : from }
  if (hyphen === "none" && !unspaced.test(from)) content.push({ kind: "text", text: " ", style: {} })
  content.push(...more)
}

/** Minimum characters before and after the break of a paragraph that continues in the next region. Shorter texts are labels. */
const minParagraph = 40
const minContinuation = 20

type Paragraph = Extract<Block, { readonly kind: "paragraph" }>

/** True if the paragraph continues in the next column or on the next page. */
const continues = (last: Paragraph, first: Paragraph): boolean => {
  const words = blockText([{ ...last, content: last.content.slice(-minParagraph) }]).trimEnd()
  const rest = blockText([first]).trim()
  return (
    words.length >= minParagraph &&
    rest.length >= minContinuation &&
    /[\p{L}\p{N},\u2010-]$/u.test(words) &&
    /^\p{Ll}/u.test(rest)
  )
}

/** Joins the blocks of all regions. Paragraphs that continue in the next region become one. */
export const joinRegions = (
  regions: ReadonlyArray<ReadonlyArray<Placed>>,
  { compounds }: Pick<Typography, "compounds">
): ReadonlyArray<Placed> => {
  const joined: Array<Placed> = []
  /** Content and places of the last paragraph, once it has been extended. */
  let growing: Array<Inline> = []
  let places: Array<Place> = []
  for (const [first, ...others] of regions) {
    const last = joined[joined.length - 1]
    if (first === undefined) continue
    if (last?.block.kind === "paragraph" && first.block.kind === "paragraph" && continues(last.block, first.block)) {
      if (last.block.content !== growing) {
        growing = [...last.block.content]
        places = [...last.places]
        joined[joined.length - 1] = { block: { ...last.block, content: growing }, places }
      }
      append(growing, first.block.content, compounds)
      places.push(...first.places)
    } else joined.push(first)
    joined.push(...others)
  }
  return joined
}

/** A block built from lines of a region. */
interface LineBlock {
  readonly block: Block
  /** Range of the block's lines in the region; `to` is exclusive. */
  readonly from: number
  readonly to: number
}

const noteNumber = (text: string): number => Number(/^(\d{1,3})(?= ?\p{L})/u.exec(text)?.[1] ?? Number.NaN)

/**
 * True if the line starts the footnote after the current one. A short last line cannot be required: the last line of a footnote may be
 * full.
 */
const isNextNote = (next: Line, before: Line, start: Line): boolean =>
  noteNumber(next.text) === noteNumber(start.text) + 1 && sentenceEnd.test(before.text)

/** Groups the lines of a region into blocks. */
export const blocksOf = (lines: ReadonlyArray<Line>, typography: Typography): ReadonlyArray<LineBlock> => {
  const blocks: Array<LineBlock> = []
  const left = Math.min(...lines.map(({ x0 }) => x0))
  const right = Math.max(...lines.map(({ x1 }) => x1))
  const width = right - left
  let at = 0
  /** True if the line is a list item. Prose may start a line with a number or a dash by chance. */
  const isItem = (next: Line, before: Line, start: Line): boolean =>
    markOf(next.text) !== undefined &&
    (isBullet(next.text) ||
      sentenceEnd.test(before.text) ||
      markOf(start.text) !== undefined ||
      before.x1 < right - 0.15 * width ||
      Math.abs(next.x0 - before.x0) > 0.5 * next.size ||
      next.y - before.y > 1.5 * next.size)
  /** Consumes the lines that continue the paragraph or item. */
  const gather = (start: Line, hanging: boolean): Array<Inline> => {
    const content: Array<Inline> = [...start.content]
    let before = start
    for (let next = lines[at]; next !== undefined; next = lines[at]) {
      const distance = next.y - before.y
      const sameSize = Math.abs(next.size - before.size) < 0.12 * before.size
      const ended = before.x1 < right - 0.2 * width && /[.!?:;\u3002]["\u201d)]*$/.test(before.text)
      // An indented first line begins a paragraph. Lines of a hanging indent continue one.
      const complete = sentenceEnd.test(before.text) || before.x1 < right - 0.15 * width
      const indented = !hanging && complete && next.x0 > left + 0.8 * next.size && before.x0 < left + 0.5 * next.size
      const starts =
        isItem(next, before, start) ||
        reference.test(next.text) ||
        isNextNote(next, before, start) ||
        headingLevel(next, lines[at + 1], before, typography) !== undefined
      if (!sameSize || distance > 1.75 * next.size || distance < -2 || ended || indented || starts) break
      if (hanging && next.x0 < start.x0 + 1 && ended) break
      append(content, next.content, typography.compounds)
      before = next
      at += 1
    }
    return content
  }
  while (at < lines.length) {
    const line = lines[at]
    if (line === undefined) break
    const from = at
    const push = (block: Block) => blocks.push({ block, from, to: at })
    const before = lines[at - 1]
    const level = headingLevel(line, lines[at + 1], before, typography)
    at += 1
    if (level !== undefined) {
      const content: Array<Inline> = [...line.content]
      let last = line
      for (let next = lines[at]; next !== undefined; next = lines[at]) {
        // In a large heading, a word may have a different weight.
        const sameLook = next.bold === last.bold || next.size >= typography.bodySize * 1.12
        const goesOn = Math.abs(next.size - last.size) < 0.5 && sameLook && next.y > last.y
        if (
          !goesOn ||
          next.y - last.y > 1.5 * next.size ||
          headingLevel(next, lines[at + 1], undefined, typography) !== level
        )
          break
        append(content, next.content, typography.compounds)
        last = next
        at += 1
      }
      push({
        kind: "heading",
        level,
        content: content.map((inline) => (inline.kind === "text" ? { ...inline, style: {} } : inline))
      })
      continue
    }
    const mark = markOf(line.text)
    if (mark === undefined) {
      if (line.text !== "") {
        const content = gather(line, false)
        push({ kind: "paragraph", content })
      }
      continue
    }
    const items: Array<ListLine> = [{ x: line.x0, mark, content: dropStart(gather(line, true), mark.length) }]
    for (let next = lines[at]; next !== undefined; next = lines[at]) {
      const more = markOf(next.text)
      if (more === undefined || headingLevel(next, lines[at + 1], lines[at - 1], typography) !== undefined) break
      at += 1
      items.push({ x: next.x0, mark: more, content: dropStart(gather(next, true), more.length) })
    }
    for (const list of nest(items)) push(list)
  }
  return blocks
}

/** Typography of the whole file. */
export interface Typography {
  readonly bodySize: number
  /** True if most of the text is bold, so that weight does not mark headings. */
  readonly boldBody: boolean
  /** Heading sizes, largest first. */
  readonly headingSizes: ReadonlyArray<number>
  readonly outline: Outline
  /** Words with a hyphen inside a line, in lower case. */
  readonly compounds: ReadonlySet<string>
}

const roundedSize = (size: number): number => Math.round(size * 2) / 2

const maxCompounds = 10_000

/** Finds the body and heading sizes by the amount of text in each size. */
export const typographyOf = (lines: ReadonlyArray<Line>, outline: Outline): Typography => {
  const letters = new Map<number, number>()
  let all = 0
  let bold = 0
  const compounds = new Set<string>()
  for (const line of lines) {
    if (line.text.includes("-") && compounds.size < maxCompounds)
      for (const [word] of line.text.matchAll(/\p{L}+-\p{L}+/gu)) compounds.add(word.toLowerCase())
    if (line.turned) continue
    letters.set(roundedSize(line.size), (letters.get(roundedSize(line.size)) ?? 0) + line.text.length)
    all += line.text.length
    if (line.bold) bold += line.text.length
  }
  const [bodySize] = [...letters].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [10, 0])
  const headingSizes = [...letters.keys()].filter((size) => size >= bodySize * 1.12).sort((a, b) => b - a)
  return { bodySize, boldBody: bold * 2 > all, headingSizes: headingSizes.slice(0, 5), outline, compounds }
}

/** Removes the number of a heading, because outlines often omit it. */
const withoutNumber = (text: string): string => text.replace(/^(?:[\dA-Z]{1,3}|[IVX]+)(?:\.\d{1,3})*\.?\s+/, "")

const outlineLevel = (
  line: Line,
  next: Line | undefined,
  before: Line | undefined,
  { bodySize, outline }: Typography
): number | undefined => {
  // The same words in a smaller size belong to a table of contents or a running header.
  if (outline.size === 0 || line.size < bodySize * 0.95) return undefined
  const level = (text: string) => outline.get(keyOf(text)) ?? outline.get(keyOf(withoutNumber(text)))
  const near = (one: Line, other: Line) =>
    Math.abs(one.y - other.y) < 2 * line.size && Math.abs(one.size - other.size) < 0.5
  return (
    level(line.text) ??
    (next !== undefined && near(line, next) ? level(`${line.text} ${next.text}`) : undefined) ??
    (before !== undefined && near(line, before) ? level(`${before.text} ${line.text}`) : undefined)
  )
}

const endsSentence = /[.,;:\-\u2010\u3001\u3002]$/

/** True if there is more space above the line than in prose. */
const isApart = (line: Line, before: Line | undefined): boolean =>
  before === undefined || line.y - before.y > 1.3 * line.size || line.y < before.y

const isCapitals = (text: string): boolean => /\p{Lu}{2}/u.test(text) && !/\p{Ll}/u.test(text)
const letterCount = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0

/**
 * True for a line in capitals or italics that stands alone between paragraphs of ordinary text: the text above has ended, there is more
 * space above than below, and the text below fills more of the line.
 */
const isSetApart = (
  line: Line,
  next: Line | undefined,
  before: Line | undefined,
  { bodySize }: Typography
): boolean => {
  if (next === undefined || letterCount(line.text) < 4 || line.size < bodySize * 0.95) return false
  const looksOf = ({ italic, text }: Line) => [italic, isCapitals(text)] as const
  const [italic, capitals] = looksOf(line)
  const [nextItalic, nextCapitals] = looksOf(next)
  if (!((italic && !nextItalic) || (capitals && !nextCapitals))) return false
  const below = next.y - line.y
  const isNewPage = before === undefined || line.y < before.y
  const above = isNewPage ? below * 1.2 : line.y - before.y
  return (
    // The next line is ordinary text that extends beyond the end of this line.
    Math.abs(next.size - bodySize) < 0.1 * bodySize &&
    !next.bold &&
    next.x1 > line.x1 + 2 * line.size &&
    Math.abs(next.x0 - line.x0) < 3 * line.size &&
    /^[\p{Lu}\p{N}"\u201c(]/u.test(next.text) &&
    below > 0 &&
    below < 3 * line.size &&
    above > 1.5 * line.size &&
    above > 1.05 * below &&
    (isNewPage || sentenceEnd.test(before.text) || above > 2 * line.size)
  )
}

export const headingLevel = (
  line: Line,
  next: Line | undefined,
  before: Line | undefined,
  looks: Typography
): number | undefined => {
  if (line.text.length > 200 || !/\p{L}/u.test(line.text)) return undefined
  if (line.level !== undefined) return line.level
  if (line.mono || line.turned) return undefined
  const stated = outlineLevel(line, next, before, looks)
  if (stated !== undefined) return stated
  if (isListed(line, next, before)) return undefined
  const rank = looks.headingSizes.findIndex((size) => roundedSize(line.size) >= size)
  if (rank >= 0) return line.text.length < 2 ? undefined : rank + 1
  const isShort = line.text.length < 90 && !endsSentence.test(line.text)
  if (!isShort || !isApart(line, before)) return undefined
  const below = Math.min(looks.headingSizes.length + 1, 6)
  if (line.bold && !looks.boldBody && (next === undefined || !next.bold) && line.size >= looks.bodySize * 0.95)
    return below
  if (isSetApart(line, next, before, looks)) return below
  // Slightly larger than the body, with more space above than below.
  const larger = line.size >= looks.bodySize * 1.05 && next !== undefined && next.size < line.size * 0.97
  const above = before === undefined || line.y < before.y ? line.size * 2 : line.y - before.y
  return larger && next.y > line.y && next.y - line.y < above && above > 1.6 * line.size ? below : undefined
}

const bullet =
  /^[\u2022\u25cf\u25aa\u25e6\u25cb\u25a0\u25a1\u2023\u27a2\u2713\u2219\u00b7\uf0b7\u2043]\s*(?=\S)|^[-\u2013\u2014*o]\s+(?=\S)/
/** Matches bullets that do not occur in prose, unlike a dash or an asterisk. */
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

/** True for consecutive numbers at the same left edge. */
const isConsecutive = (line: Line, other: Line): boolean => {
  const [mine, theirs] = [markOf(line.text), markOf(other.text)]
  return (
    mine?.ordered === true &&
    theirs?.ordered === true &&
    Math.abs(mine.start - theirs.start) === 1 &&
    Math.abs(line.x0 - other.x0) < 3
  )
}

/** True if the line is a list item. A numbered line without numbered neighbours may be a heading. */
export const isListed = (line: Line, next: Line | undefined, before: Line | undefined): boolean => {
  if (bullet.test(line.text)) return true
  if (!number.test(line.text)) return false
  return [next, before].some((other) => {
    if (other === undefined || markOf(other.text) === undefined || !sameSize(line, other)) return false
    const distance = Math.abs(other.y - line.y)
    return distance < 1.8 * line.size || (distance < 3 * line.size && isConsecutive(line, other))
  })
}

/** Drops the first `letters` characters. */
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

export interface ListLine {
  readonly x: number
  readonly mark: Mark
  readonly content: ReadonlyArray<Inline>
}

/** Maximum nesting; deeper items join the innermost list. */
const maxDepth = 12

/** Nests items by their indentation. */
export const nest = (items: ReadonlyArray<ListLine>, depth = 1): ReadonlyArray<Block> => {
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
