/** Splits Markdown into the blocks that a reader sees: headings, paragraphs, list items, table rows and code. */
import { sha256 } from "../Row/Hash.ts"
import { type Token, tokensOf } from "./Tokens.ts"

export type BlockKind = "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "paragraph" | "item" | "row" | "code" | "value"

/** A block as it is kept from visit to visit. */
export interface Block {
  readonly kind: BlockKind
  /** Without Markdown's marks. */
  readonly text: string
  readonly links: ReadonlyArray<string>
  /** All of its text is in links. */
  readonly isLink: boolean
  /** The visit before has found it, too. */
  readonly isSettled?: boolean | undefined
}

/** A block with what it is compared by. */
export interface ReadBlock extends Block {
  readonly tokens: ReadonlyArray<Token>
  /** Equal for blocks that say the same, apart from their links. */
  readonly words: string
  /** Texts of the headings that it stands under, outermost first, as {@link words}. */
  readonly sections: ReadonlyArray<string>
  /** Text of the nearest heading. */
  readonly heading: string | undefined
}

/** Characters of a page that are compared. */
export const maxLength = 200_000
const maxBlocks = 5000
const maxLinksPerBlock = 50
const maxLinkLength = 300

/** Longer blocks are split into pieces of these lengths. */
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

/** The end of the first piece: chosen by the text before it, so that an insertion does not move the pieces behind it. */
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

/** Splits a long text at line breaks, or at spaces. */
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

/** Replaces `[label](target)`, or pictures. Linear: the end of a target is looked for once, however many begin before it. */
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

/** The blocks of a text with Markdown's marks: none, one, or the pieces of a long one. */
const inline = (kind: BlockKind, markdown: string): ReadonlyArray<Block> => {
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
  if (text === "") return []
  const isLink = links.length > 0 && linked >= sizeOf(text) * 0.9
  return pieces(text).map((piece, at) => ({ kind, text: piece, links: at === 0 ? links : [], isLink }))
}

const literal = (kind: "code" | "value", text: string): ReadonlyArray<Block> =>
  text.trim() === "" ? [] : pieces(text).map((piece) => ({ kind, text: piece, links: [], isLink: false }))

const closes = (line: string, mark: string): boolean => {
  const bare = line.trim()
  return bare.length >= mark.length && /^\s{0,3}\S/.test(line) && bare === mark.charAt(0).repeat(bare.length)
}

/** The blocks of a page of Markdown, or of plain text. */
export const blocksOf = (markdown: string): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let open: { readonly kind: BlockKind; text: string } | undefined
  let code: { readonly mark: string; readonly lines: Array<string> } | undefined
  const close = () => {
    if (open !== undefined) blocks.push(...inline(open.kind, open.text))
    open = undefined
  }
  for (const line of markdown.slice(0, maxLength).split(/\r?\n/)) {
    if (blocks.length >= maxBlocks) break
    if (code !== undefined) {
      if (!closes(line, code.mark)) code.lines.push(line)
      else {
        blocks.push(...literal("code", code.lines.join("\n")))
        code = undefined
      }
      continue
    }
    const [, ticks, tildes] = fence.exec(line) ?? []
    const mark = ticks ?? tildes
    if (mark !== undefined) {
      close()
      code = { mark, lines: [] }
      continue
    }
    const bare = line.replace(/^(?:\s{0,3}>\s?)+/, "")
    if (bare.trim() === "" || rule.test(bare)) {
      close()
      continue
    }
    const heading = headingStart.exec(bare.trimStart())
    if (heading !== null) {
      close()
      open = { kind: `h${heading[0].trim().length}` as BlockKind, text: bare.trim().replace(headingStart, "") }
      close()
    } else if (/^\s{0,3}\|/.test(bare)) {
      close()
      if (delimiterRow.test(bare)) continue
      open = {
        kind: "row",
        text: bare
          .trim()
          .replace(/^\||\|$/g, "")
          .replace(/(?<!\\)\|/g, " | ")
      }
      close()
    } else if (itemStart.test(bare)) {
      close()
      open = {
        kind: "item",
        text: bare.replace(itemStart, "").replace(/^\[[ xX]\](?=\s)/, (box) => (box === "[ ]" ? "☐" : "☑"))
      }
    } else if (open === undefined) open = { kind: "paragraph", text: bare }
    else open.text += ` ${bare.trim()}`
  }
  close()
  if (code !== undefined) blocks.push(...literal("code", code.lines.join("\n")))
  return blocks.slice(0, maxBlocks)
}

const level = (kind: BlockKind): number => (/^h\d$/.test(kind) ? Number(kind[1]) : 0)

export const isHeading = ({ kind }: Pick<Block, "kind">): boolean => level(kind) > 0

/** Markup does not count: a paragraph may become a list item, and a heading one of another level. */
export const groupOf = (block: Pick<Block, "kind">): string =>
  isHeading(block) ? "heading" : block.kind === "paragraph" || block.kind === "item" ? "text" : block.kind

/** Adds what blocks are compared by; `isExact` tells the texts in which all marks and cases count. */
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

/** Lines `path: value` of a value that is not a string, as blocks: the same length in total as of a page, and so many levels. */
export const valueBlocks = (value: unknown): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let left = maxLength
  const gather = (each: unknown, path: string, depth: number): void => {
    if (each === null || each === undefined) return
    if (typeof each !== "object") {
      const text = `${path === "" ? "" : `${path}: `}${String(each)}`.slice(0, left)
      left -= text.length
      blocks.push(...literal("value", text))
      return
    }
    if (depth > maxDepth) return
    for (const [key, inner] of Object.entries(each)) {
      if (left <= 0 || blocks.length >= maxBlocks) return
      const next = Array.isArray(each) ? path : path === "" ? key : `${path}.${key}`
      gather(inner, next.slice(0, maxPathLength), depth + 1)
    }
  }
  gather(value, "", 1)
  return blocks.slice(0, maxBlocks)
}

/** Short name of a text in the state. */
export const nameOf = (text: string): string => sha256(text).slice(0, 12)
