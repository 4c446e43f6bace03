/** Splits Markdown into the blocks that a reader sees: headings, paragraphs, list items, table rows and code. */
import { sha256 } from "../Row/Hash.ts"
import { type Token, tokensOf } from "./Tokens.ts"

export type BlockKind = "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "paragraph" | "item" | "row" | "code" | "value"

/** A block as stored between visits. */
export interface Block {
  readonly kind: BlockKind
  /** Text of the block without Markdown markup. */
  readonly text: string
  readonly links: ReadonlyArray<string>
  /** True if all of its text is in links. */
  readonly isLink: boolean
  /** True if the visit before has found the block, too. */
  readonly isSettled?: boolean | undefined
}

/** A block with the tokens and words that comparisons use. */
export interface ReadBlock extends Block {
  readonly tokens: ReadonlyArray<Token>
  /** Comparison key: equal for blocks with the same text, whatever their links. */
  readonly words: string
  /** {@link words} of the headings above it, outermost first. */
  readonly sections: ReadonlyArray<string>
  /** Text of the nearest heading. */
  readonly heading: string | undefined
}

/** Maximum characters of a page that are compared. */
export const maxLength = 200_000
/** Maximum characters of a page that are searched for ignored blocks. */
const maxRead = 1_000_000
const maxBlocks = 5000
const maxLinksPerBlock = 50
const maxLinkLength = 300

/** Minimum characters of a piece of a long block, and characters above which a block is split into pieces. */
const [minPiece, maxBlockLength] = [1000, 4000]

const itemStart = /^\s{0,40}(?:[-*+]|\d{1,9}[.)])\s+/
const headingStart = /^#{1,6}\s+/
const fence = /^\s{0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/
const delimiterRow = /^\s{0,3}\|?(?:\s{0,9}:?-+:?\s{0,9}\|)+\s{0,9}(?::?-+:?)?\s*$/
const rule = /^\s{0,3}(?:[-*_]\s{0,3}){3,}$/

const sumOf = (text: string): number => {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) % 65_521
  return sum
}

/**
 * End of the first piece. A hash of the text before it decides, so that an insertion in the text does not move the ends of later pieces.
 */
const endOfPiece = (text: string): number => {
  for (const separator of ["\n", " "]) {
    let last = -1
    for (let at = text.indexOf(separator, minPiece); at !== -1; at = text.indexOf(separator, at + 1)) {
      if (sumOf(text.slice(at - 24, at)) % 16 === 0) return at
      last = at
    }
    if (last !== -1) return last
  }
  return text.length
}

/** Splits a long text at line breaks or spaces. */
const pieces = (text: string): ReadonlyArray<string> => {
  const made: Array<string> = []
  let start = 0
  while (text.length - start > maxBlockLength) {
    const end = start + endOfPiece(text.slice(start, start + maxBlockLength))
    made.push(text.slice(start, end))
    start = end
  }
  return [...made, text.slice(start)].map((piece) => (made.length === 0 ? piece : piece.trim()))
}

const targetEnd = /[)\s>]/g
const linkEnd = />?(?:\s+"[^"]{0,500}")?\)/y

/**
 * Replaces links, `[label](target)`, or pictures. Linear time: the end of a target is searched once, however many links begin before it.
 */
const replaceLinks = (
  text: string,
  of: "links" | "pictures",
  replace: (label: string, target: string) => string
): string => {
  let made = ""
  let copied = 0
  let open: number | undefined
  let [stop, end] = [-1, -1]
  for (const { 0: bracket, index } of text.matchAll(/[[\]]/g)) {
    if (index < copied) continue
    if (bracket === "[") {
      if (of === "links" || text[index - 1] === "!") open = index
      continue
    }
    const label = open
    open = undefined
    if (label === undefined || text[index + 1] !== "(") continue
    const target = index + (text[index + 2] === "<" ? 3 : 2)
    if (target > stop) {
      targetEnd.lastIndex = target
      stop = targetEnd.exec(text)?.index ?? text.length
      linkEnd.lastIndex = stop
      end = linkEnd.test(text) ? linkEnd.lastIndex : -1
    }
    if (end === -1 || (stop === target && of === "links")) continue
    made += text.slice(copied, of === "links" ? label : label - 1)
    made += replace(text.slice(label + 1, index), text.slice(target, stop))
    copied = end
  }
  return made + text.slice(copied)
}

const sizeOf = (text: string): number => text.replace(/[^\p{L}\p{N}]/gu, "").length

/** Text of a block without Markdown markup, and its links. */
const plainOf = (markdown: string): Pick<Block, "isLink" | "links" | "text"> => {
  const links: Array<string> = []
  let linked = 0
  const text = replaceLinks(
    replaceLinks(markdown, "pictures", () => ""),
    "links",
    (label, target) => {
      if (links.length < maxLinksPerBlock) links.push(target.slice(0, maxLinkLength))
      linked += sizeOf(label)
      return label
    }
  )
    .replace(/(?<!\\)(?:\*\*|__|~~|`)/g, "")
    .replace(/(^|[\s(])[*_](?=\S)|(?<=\S)[*_](?=[\s.,;:!?)]|$)/g, "$1")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(/<br\s?\/?>/g, " ")
    .replace(/\s+/g, " ")
    .trim()
  return { text, links, isLink: links.length > 0 && linked >= sizeOf(text) * 0.9 }
}

const literal = (kind: "code" | "value", text: string): ReadonlyArray<Block> =>
  text.trim() === "" ? [] : pieces(text).map((piece) => ({ kind, text: piece, links: [], isLink: false }))

const closes = (line: string, mark: string): boolean => {
  const bare = line.trim()
  return bare.length >= mark.length && /^\s{0,3}\S/.test(line) && bare === mark.charAt(0).repeat(bare.length)
}

/** Source text of a block, and its range of lines (`to` is exclusive). */
interface Source {
  readonly kind: BlockKind
  readonly text: string
  readonly from: number
  readonly to: number
}

/** Splits lines of Markdown or plain text into blocks. */
function* sourcesIn(lines: ReadonlyArray<string>): Generator<Source> {
  let open: { readonly kind: BlockKind; text: string; readonly from: number } | undefined
  let code: { readonly mark: string; readonly lines: Array<string>; readonly from: number } | undefined
  for (const [at, line] of lines.entries()) {
    if (code !== undefined) {
      if (!closes(line, code.mark)) code.lines.push(line)
      else {
        yield { kind: "code", text: code.lines.join("\n"), from: code.from, to: at + 1 }
        code = undefined
      }
      continue
    }
    const [, ticks, tildes] = fence.exec(line) ?? []
    const mark = ticks ?? tildes
    const bare = line.replace(/^(?:\s{0,3}>\s?)+/, "")
    const heading = headingStart.exec(bare.trimStart())
    const isRow = /^\s{0,3}\|/.test(bare)
    const isItem = itemStart.test(bare)
    const isGap = bare.trim() === "" || rule.test(bare)
    if (open !== undefined && (mark !== undefined || isGap || heading !== null || isRow || isItem)) {
      yield { ...open, to: at }
      open = undefined
    }
    if (mark !== undefined) code = { mark, lines: [], from: at }
    else if (isGap) continue
    else if (heading !== null) {
      const kind = `h${heading[0].trim().length}` as BlockKind
      yield { kind, text: bare.trim().replace(headingStart, ""), from: at, to: at + 1 }
    } else if (isRow) {
      if (delimiterRow.test(bare)) continue
      const text = bare
        .trim()
        .replace(/^\||\|$/g, "")
        .replace(/(?<!\\)\|/g, " | ")
      yield { kind: "row", text, from: at, to: at + 1 }
    } else if (isItem) {
      const text = bare.replace(itemStart, "").replace(/^\[[ xX]\](?=\s)/, (box) => (box === "[ ]" ? "☐" : "☑"))
      open = { kind: "item", text, from: at }
    } else if (open === undefined) open = { kind: "paragraph", text: bare, from: at }
    else open.text += ` ${bare.trim()}`
  }
  if (open !== undefined) yield { ...open, to: lines.length }
  if (code !== undefined) yield { kind: "code", text: code.lines.join("\n"), from: code.from, to: lines.length }
}

/** The block of a source; none if it has no text, several pieces if it is long. */
const blocksFrom = ({ kind, text: source }: Source): ReadonlyArray<Block> => {
  if (kind === "code") return literal(kind, source)
  const { isLink, links, text } = plainOf(source)
  return text === ""
    ? []
    : pieces(text).map((piece, at) => ({ kind, text: piece, links: at === 0 ? links : [], isLink }))
}

const linesOf = (text: string): ReadonlyArray<string> => text.split(/\r?\n/)

/** The Markdown with ignored blocks blanked. Blocks are not yet split into pieces, so a match anywhere ignores all of a long block. */
const withoutIgnored = (markdown: string, isIgnored: TextTest): string => {
  const lines = [...linesOf(markdown)]
  for (const { from, kind, text, to } of sourcesIn(linesOf(markdown))) {
    if (isIgnored(kind === "code" ? text : plainOf(text).text)) lines.fill("", from, to)
  }
  return lines.join("\n")
}

type TextTest = (text: string) => boolean

/** Blocks of a page that are compared. */
export interface Content {
  readonly blocks: ReadonlyArray<Block>
  /** True if the page is longer than the compared part. */
  readonly isCut: boolean
}

/** Blocks of a Markdown or plain text page. Ignored blocks do not count towards the maximum length. */
const markdownContent = (markdown: string, isIgnored: TextTest | undefined): Content => {
  const text = isIgnored === undefined ? markdown : withoutIgnored(markdown.slice(0, maxRead), isIgnored)
  const blocks: Array<Block> = []
  for (const source of sourcesIn(linesOf(text.slice(0, maxLength)))) {
    if (blocks.length > maxBlocks) break
    blocks.push(...blocksFrom(source))
  }
  const isCut = text.length > maxLength || blocks.length > maxBlocks || markdown.length > maxRead
  return { blocks: blocks.slice(0, maxBlocks), isCut }
}

/** Blocks of a Markdown or plain text page. */
export const blocksOf = (markdown: string): ReadonlyArray<Block> => markdownContent(markdown, undefined).blocks

const level = (kind: BlockKind): number => (/^h\d$/.test(kind) ? Number(kind[1]) : 0)

export const isHeading = ({ kind }: Pick<Block, "kind">): boolean => level(kind) > 0

/** Group of block kinds that can match each other: a paragraph may become a list item, and a heading may change its level. */
export const groupOf = (block: Pick<Block, "kind">): string =>
  isHeading(block) ? "heading" : block.kind === "paragraph" || block.kind === "item" ? "text" : block.kind

/** Adds the tokens and words that comparisons use. `isExact`: true for texts in which case and all punctuation count. */
export const readBlocks = (
  blocks: ReadonlyArray<Block>,
  isExact: (text: string) => boolean
): ReadonlyArray<ReadBlock> => {
  const above: Array<{ readonly level: number; readonly words: string; readonly text: string }> = []
  return blocks.map((block) => {
    const tokens = tokensOf(block.text, block.kind === "code" || isExact(block.text))
    const words = `${groupOf(block)} ${tokens.map(({ value }) => value).join(" ")}`
    const own = level(block.kind)
    while (own > 0 && (above.at(-1)?.level ?? 0) >= own) above.pop()
    const read = {
      ...block,
      tokens,
      words,
      sections: above.map((heading) => heading.words),
      heading: above.at(-1)?.text
    }
    if (own > 0) above.push({ level: own, words, text: block.text })
    return read
  })
}

const maxDepth = 100
const maxPathLength = 500

/** Turns a value that is not a string into blocks of lines `path: value`, with a page's maximum length in total and `maxDepth` levels. */
const valueContent = (value: unknown, isIgnored: TextTest | undefined): Content => {
  const blocks: Array<Block> = []
  let left = maxLength
  let isCut = false
  const gather = (each: unknown, path: string, depth: number): void => {
    if (each === null || each === undefined) return
    if (left <= 0 || blocks.length >= maxBlocks) {
      isCut = true
      return
    }
    if (typeof each !== "object") {
      const text = `${path === "" ? "" : `${path}: `}${String(each)}`
      if (isIgnored?.(text.slice(0, maxRead)) === true) return
      if (text.length > left) isCut = true
      blocks.push(...literal("value", text.slice(0, left)))
      left -= text.length
      return
    }
    if (depth > maxDepth) {
      isCut = true
      return
    }
    for (const [key, inner] of Object.entries(each)) {
      const next = Array.isArray(each) ? path : path === "" ? key : `${path}.${key}`
      gather(inner, next.slice(0, maxPathLength), depth + 1)
      if (isCut && (left <= 0 || blocks.length >= maxBlocks)) return
    }
  }
  gather(value, "", 1)
  return { blocks: blocks.slice(0, maxBlocks), isCut }
}

/** Blocks of a Markdown string or of another value, without those whose whole text `isIgnored` matches. */
export const contentOf = (value: unknown, isIgnored?: TextTest): Content =>
  typeof value === "string" ? markdownContent(value, isIgnored) : valueContent(value, isIgnored)

/** Name of a piece of text in the state: the beginning of its hash. */
export const nameOf = (text: string): string => sha256(text).slice(0, 12)
