/** Builds Markdown as one growing string. Handles white space, line prefixes, emphasis and escaping. */
import { collapse } from "./Serialize.ts"
import { isWhiteSpace, trimmedLength } from "./Tree.ts"

/** A quotation or list item: how its first line and how its further lines begin. */
interface Level {
  readonly first: string
  readonly rest: string
  started: boolean
}

/** Emphasis or link around text. Written only once text follows. */
interface Span {
  readonly open: string
  readonly close: string
  written: boolean
}

/** Pending break before the next text: none, a line end, a blank line. */
type Breaks = 0 | 1 | 2

/** A no-break space separates words, too. */
const isSpace = (character: string | undefined): boolean => character === " " || character === "\u00a0"

/** Text that needs processing: white space other than single spaces, and Markdown marks. */
const needsWork = /[\t\n\r\f\\`*_<\]|~&]| {2}/

export class MarkdownWriter {
  #out = ""
  #breaks: Breaks = 0
  /** The pending line end is a `<br>`. */
  #hard = false
  #space = false
  #lineIsEmpty = true
  #inline = 0
  #links = 0
  #heading = false
  readonly #levels: Array<Level> = []
  readonly #spans: Array<Span> = []
  /** A table cell is one line. */
  readonly #cell: boolean

  constructor(cell: boolean) {
    this.#cell = cell
  }

  get #escapeContext() {
    const struck = this.#spans.some(({ close }) => close === "~~")
    return { cell: this.#cell, link: this.#links > 0, struck }
  }

  /** True in a link, heading or table cell, where blocks are written as part of the line. */
  get isInline(): boolean {
    return this.#inline > 0 || this.#cell
  }

  text(text: string): void {
    if (isWhiteSpace(text.charCodeAt(0)) && trimmedLength(text) === 0) {
      this.#space = true
      return
    }
    const plain = !needsWork.test(text) && (this.#links === 0 || !text.includes("["))
    const collapsed = plain ? text : collapse(text)
    if (isSpace(collapsed[0])) this.#space = true
    const trimmed = collapsed.trim()
    if (trimmed === "") return
    this.#startLine()
    const inner = plain ? trimmed : escapeText(trimmed, this.#escapeContext)
    const escaped = this.#heading ? escapeHeadingEnd(inner) : inner
    this.#put(this.#lineIsEmpty ? escapeLineStart(escaped) : escaped)
    this.#space = isSpace(collapsed[collapsed.length - 1])
  }

  /** Appends inline Markdown without escaping. */
  raw(markdown: string): void {
    this.#startLine()
    this.#put(this.#cell ? markdown.replaceAll("|", "\\|") : markdown)
  }

  /** Starts a new line; after a blank line when `breaks` is 2. */
  block(breaks: 1 | 2): void {
    if (this.#inline > 0) this.#space = true
    else if (this.#levels.at(-1)?.started !== false) {
      if (breaks > this.#breaks) this.#breaks = breaks
      this.#hard = false
    }
  }

  lineBreak(): void {
    if (this.#inline > 0) this.#space = true
    else if (this.#breaks < 2 && this.#levels.at(-1)?.started !== false) {
      this.#hard = this.#breaks === 0
      this.#breaks = this.#breaks === 0 ? 1 : 2
    }
  }

  rule(): void {
    this.block(2)
    if (!this.isInline) this.raw("---")
    this.block(2)
  }

  /** `**`, `_` or `~~` around the content, unless it already is in one. */
  marked(mark: string, content: () => void): void {
    if (this.#spans.some(({ close, open }) => close === mark || open.startsWith("#"))) content()
    else this.#within({ open: mark, close: mark, written: false }, content)
  }

  link(address: string, content: () => void): void {
    this.#inline++
    this.#links++
    this.#within({ open: "[", close: `](${address})`, written: false }, content)
    this.#links--
    this.#inline--
  }

  /** A heading is one line; inside a line it is bold text. */
  heading(mark: string, content: () => void): void {
    if (this.isInline) {
      this.block(2)
      this.marked("**", content)
    } else {
      this.block(2)
      this.#inline++
      this.#heading = true
      this.#within({ open: `${mark} `, close: "", written: false }, content)
      this.#heading = false
      this.#inline--
    }
    this.block(2)
  }

  #within(span: Span, content: () => void): void {
    this.#spans.push(span)
    content()
    this.#spans.pop()
    if (span.written) this.#out += span.close
  }

  code(text: string): void {
    const code = collapse(text).trim()
    if (code === "" || isWhiteSpace(text.charCodeAt(0))) this.#space = true
    if (code === "") return
    const fence = fenceFor(code, 1)
    const padded = code.startsWith("`") || code.endsWith("`") ? ` ${code} ` : code
    this.raw(fence + padded + fence)
    this.#space = isWhiteSpace(text.charCodeAt(text.length - 1))
  }

  codeBlock(text: string, language: string): void {
    const code = text.replace(/\r\n?/g, "\n").replace(/^\n+/, "").trimEnd()
    if (code === "") return
    const fence = fenceFor(code, 3)
    if (this.isInline) this.code(code)
    else this.lines(`${fence}${language}\n${code}\n${fence}`)
  }

  /** A block of complete lines. */
  lines(text: string): void {
    this.block(2)
    this.raw(text.replaceAll("\n", `\n${this.#lineStart()}`))
    this.block(2)
  }

  /** A list item (`- `) or a quotation (`> `); `rest` is the prefix of its further lines. */
  indented(first: string, rest: string, content: () => void): void {
    if (this.#inline > 0) content()
    else {
      this.#levels.push({ first, rest, started: false })
      content()
      this.#levels.pop()
    }
  }

  table(rows: ReadonlyArray<ReadonlyArray<string>>): void {
    const [head = [], ...body] = rows
    const line = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`
    this.lines([line(head), line(head.map(() => "---")), ...body.map(line)].join("\n"))
  }

  finish(): string {
    return this.#out
  }

  #lineStart(): string {
    let start = ""
    for (const { rest } of this.#levels) start += rest
    return start
  }

  /** Writes the pending break and the prefix of the new line. */
  #startLine(): void {
    const isFirst = this.#out === ""
    if (this.#breaks === 0 && !isFirst) return
    if (!isFirst) {
      for (let at = this.#spans.length - 1; at >= 0; at--) {
        const span = this.#spans[at] as Span
        if (span.written) this.#out += span.close
        span.written = false
      }
      this.#out += this.#cell ? "<br>" : this.#lineEnd()
    }
    for (const level of this.#levels) {
      this.#out += level.started ? (this.#cell ? "" : level.rest) : level.first
      level.started = true
    }
    this.#breaks = 0
    this.#hard = false
    this.#space = false
    this.#lineIsEmpty = true
  }

  #lineEnd(): string {
    if (this.#breaks === 1) return this.#hard ? "  \n" : "\n"
    let start = ""
    for (const { rest, started } of this.#levels) if (started) start += rest
    return `\n${start.trimEnd()}\n`
  }

  #put(markdown: string): void {
    if (this.#space && !this.#lineIsEmpty) this.#out += " "
    this.#space = false
    for (const span of this.#spans) {
      if (!span.written) this.#out += span.open
      span.written = true
    }
    this.#out += markdown
    this.#lineIsEmpty = false
  }
}

const special = /[\\`*_<\]|~&]/

/** True if the brackets in a link text need no escape: they are paired, and none could start a link target. */
export const isBalanced = (text: string): boolean => {
  if (!text.includes("[") && !text.includes("]")) return true
  let depth = 0
  for (const character of text) {
    if (character === "[") depth += 1
    else if (character === "]") depth -= 1
    if (depth < 0) return false
  }
  return depth === 0 && !/\][([]/.test(text)
}

/** Context that decides which characters need an escape. */
interface EscapeContext {
  readonly cell: boolean
  readonly link: boolean
  readonly struck: boolean
}

/** A single tilde strikes nothing out, and often means "about". */
const strikes = (text: string): boolean => text.indexOf("~") !== text.lastIndexOf("~")

/** Underscores that are not between two letters or digits. */
const underscores = /(?<![\p{L}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{N}_])/gu

/** Escapes text in the middle of a line. */
export const escapeText = (text: string, { cell, link, struck }: EscapeContext): string => {
  const brackets = link && !isBalanced(text)
  if (!brackets && !special.test(text)) return text
  let escaped = text
  // A backslash at the end would escape the next character.
  if (text.includes("\\")) escaped = escaped.replace(/\\(?=[\\`*_{}[\]()#+\-.!|<>~&]|$)/g, "\\\\")
  if (text.includes("`") || text.includes("*")) escaped = escaped.replace(/[`*]/g, "\\$&")
  if (text.includes("_")) escaped = escaped.replace(underscores, (run) => "\\_".repeat(run.length))
  if (text.includes("<")) escaped = escaped.replace(/<(?=[a-zA-Z/!?])/g, "\\<")
  if (text.includes("]") || brackets) escaped = escaped.replace(brackets ? /[[\]]/g : /\](?=[([])/g, "\\$&")
  if (text.includes("&")) escaped = escaped.replace(/&(?=#?\w{1,32};)/g, "\\&")
  if (text.includes("~")) escaped = escaped.replaceAll(struck || strikes(text) ? "~" : "~~", "\\$&")
  return cell ? escaped.replaceAll("|", "\\|") : escaped
}

const blockStart = /^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+\s*$|-{2,}\s*$|\|)/
const orderedStart = /^(\d{1,9})([.)])(?=\s|$)/

/** First characters of `blockStart` and `orderedStart`; most lines begin with a letter. */
const lineMarks = "#-+>=|0123456789"

/** Escapes text at the start of a line, where it could begin a heading, a list or a quotation. */
export const escapeLineStart = (text: string): string =>
  lineMarks.includes(text.charAt(0)) ? text.replace(blockStart, "\\$&").replace(orderedStart, "$1\\$2") : text

/** Escapes a heading that ends with `#`, which would count as its closing sequence. */
export const escapeHeadingEnd = (text: string): string =>
  text.endsWith("#") ? text.replace(/(^|\s)(#+)$/, "$1\\$2") : text

/** A fence longer than any run of backticks in the code. */
export const fenceFor = (code: string, least: number): string => {
  let longest = 0
  if (!code.includes("`")) return "`".repeat(least)
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return "`".repeat(longest < least ? least : longest + 1)
}

/** Escapes a URL for the parentheses of a link. */
export const escapeAddress = (address: string): string =>
  /[\s()<>]/.test(address)
    ? address.replace(
        /[\s()<>]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`
      )
    : address
