/** Builds Markdown as one growing string. Handles white space, line prefixes, emphasis and escaping. */

import { withoutSoftHyphens } from "../Values/Text.ts"
import { isWhiteSpace, trimmedLength } from "./Element.ts"
import { codeSpan, lineOf, type Mark, type MarkKind, type Piece, type Raw } from "./Emphasis.ts"
import {
  type EscapeContext,
  escapeAddress,
  escapeAlt,
  escapeHeadingEnd,
  escapeJoint,
  escapeLineStart,
  escapeText,
  fenceFor
} from "./MarkdownEscape.ts"
import { collapse } from "./Serialize.ts"
import type { Alignment } from "./Table.ts"

/** A quotation or list item: the prefixes of its first line and of all further lines. */
interface Level {
  readonly first: string
  readonly rest: string
  started: boolean
}

/** Emphasis, link or heading around text. Its start is written only when text follows, so that empty ones leave nothing. */
interface Span {
  readonly kind: MarkKind | undefined
  readonly open: string
  readonly close: string
  written: Piece | undefined
}

/** Pending break before the next text: none, a line end, a blank line. */
type Breaks = 0 | 1 | 2

/** Cells of the line below a table's header. */
const rules = { none: "---", left: ":---", center: ":---:", right: "---:" } as const

/** True for a space or a no-break space, which also separates words. */
const isSpace = (character: string | undefined): boolean => character === " " || character === "\u00a0"

/** Text that needs processing: white space other than single spaces, Markdown marks, and soft hyphens. */
const needsWork = /[\t\n\r\f\\`*_<\]|~&\u00ad]| {2}/

export class MarkdownWriter {
  /** Markdown of the complete lines. The current line is in `#line`, because its emphasis marks are chosen when it ends. */
  #out = ""
  #line: Array<Piece> = []
  /** Number of pieces written so far. */
  #written = 0
  #breaks: Breaks = 0
  /** True if the pending line end is a `<br>`. */
  #hard = false
  #space = false
  #lineIsEmpty = true
  #inline = 0
  #links = 0
  #heading = false
  readonly #levels: Array<Level> = []
  readonly #spans: Array<Span> = []
  /** True in a table cell, which is a single line. */
  readonly #cell: boolean

  constructor(cell: boolean) {
    this.#cell = cell
  }

  get #escapeContext(): EscapeContext {
    const struck = this.#spans.some(({ kind }) => kind === "~~")
    return { cell: this.#cell, link: this.#links > 0, struck }
  }

  /** Number of pieces written so far. It tells whether anything was written between two calls. */
  get position(): number {
    return this.#written
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
    const collapsed = plain ? text : collapse(withoutSoftHyphens(text))
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
    this.#put({ markdown: this.#cell ? markdown.replaceAll("|", "\\|") : markdown })
  }

  image(alt: string, address: string): void {
    this.raw(`![${escapeAlt(alt)}](${address.startsWith("<") ? address : escapeAddress(address, this.#cell)})`)
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

  /** Puts `**`, `_` or `~~` around the content, unless it is already within such a mark. */
  marked(kind: MarkKind, content: () => void): void {
    if (this.#heading || this.#spans.some((span) => span.kind === kind)) content()
    else this.#within({ kind, open: "", close: "", written: undefined }, content)
  }

  link(address: string, content: () => void): void {
    this.#inline++
    this.#links++
    const close = `](${escapeAddress(address, this.#cell)})`
    this.#within({ kind: undefined, open: "[", close, written: undefined }, content)
    this.#links--
    this.#inline--
  }

  /** Writes a heading as one line; within a line, as bold text. */
  heading(mark: string, content: () => void): void {
    if (this.isInline) {
      this.block(2)
      this.marked("**", content)
    } else {
      this.block(2)
      this.#inline++
      this.#heading = true
      this.#within({ kind: undefined, open: `${mark} `, close: "", written: undefined }, content)
      this.#heading = false
      this.#inline--
    }
    this.block(2)
  }

  #within(span: Span, content: () => void): void {
    this.#spans.push(span)
    content()
    this.#spans.pop()
    this.#close(span)
  }

  #open(span: Span): void {
    const opened: Piece =
      span.kind === undefined ? { markdown: span.open } : { kind: span.kind, opens: true, pair: undefined }
    const last = this.#line.at(-1)
    if (typeof last === "string") this.#line[this.#line.length - 1] = escapeJoint(last, span.open)
    this.#line.push(opened)
    span.written = opened
  }

  #close(span: Span): void {
    const { written } = span
    span.written = undefined
    if (written === undefined) return
    if (typeof written === "object" && "kind" in written) {
      const closed: Mark = { kind: written.kind, opens: false, pair: written }
      written.pair = closed
      this.#line.push(closed)
    } else if (span.close !== "") this.#line.push({ markdown: span.close })
  }

  code(text: string): void {
    const code = collapse(text).trim()
    if (code === "" || isWhiteSpace(text.charCodeAt(0))) this.#space = true
    if (code === "") return
    this.#codeSpan(code)
    this.#space = isWhiteSpace(text.charCodeAt(text.length - 1))
  }

  #codeSpan(code: string): void {
    this.#startLine()
    this.#put(codeSpan(this.#cell ? code.replaceAll("|", "\\|") : code))
  }

  /** Writes lines of code: as a code block; in a table cell one span per line; in a link or heading as one span. */
  codeBlock(text: string, language: string): void {
    const code = text.replace(/\r\n?/g, "\n").trimEnd()
    if (code === "") return
    const fence = fenceFor(code, 3)
    if (this.#inline > 0) this.code(code)
    else if (this.#cell) this.#codeInCell(code)
    else this.lines(`${fence}${language}\n${code}\n${fence}`)
  }

  #codeInCell(code: string): void {
    this.block(1)
    for (const line of code.split("\n")) {
      if (line.trim() !== "") this.#codeSpan(line.trimEnd())
      this.block(1)
    }
  }

  /** Writes complete lines as a block. */
  lines(text: string): void {
    this.block(2)
    const start = this.#lineStart()
    this.raw(start === "" ? text : text.replaceAll("\n", `\n${start}`))
    this.block(2)
  }

  /** Writes a list item (`- `) or a quotation (`> `); `rest` is the prefix of its further lines. */
  indented(first: string, rest: string, content: () => void): void {
    if (this.#inline > 0) content()
    else {
      this.#levels.push({ first, rest, started: false })
      content()
      this.#levels.pop()
    }
  }

  table(rows: ReadonlyArray<ReadonlyArray<string>>, alignments: ReadonlyArray<Alignment | undefined>): void {
    const [head = [], ...body] = rows
    const line = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`
    const rule = head.map((_, column) => rules[alignments[column] ?? "none"])
    this.lines([line(head), line(rule), ...body.map(line)].join("\n"))
  }

  finish(): string {
    this.#endLine()
    return this.#out
  }

  #lineStart(): string {
    let start = ""
    for (const { rest } of this.#levels) start += rest
    return start
  }

  /** Writes the pending break and the prefix of the new line. */
  #startLine(): void {
    const isFirst = this.#out === "" && this.#line.length === 0
    if (this.#breaks === 0 && !isFirst) return
    if (!isFirst) {
      for (let at = this.#spans.length - 1; at >= 0; at--) this.#close(this.#spans[at] as Span)
      this.#endLine()
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

  #put(piece: string | Raw): void {
    const isSpaced = this.#space && !this.#lineIsEmpty
    const opens = this.#spans.length > 0 && this.#spans.some(({ written }) => written === undefined)
    this.#space = false
    this.#lineIsEmpty = false
    this.#written++
    if (isSpaced && (opens || typeof piece !== "string")) this.#line.push(" ")
    if (opens) for (const span of this.#spans) if (span.written === undefined) this.#open(span)
    if (typeof piece !== "string") this.#line.push(piece)
    else if (isSpaced && !opens) this.#line.push(` ${piece}`)
    else {
      const last = this.#line.at(-1)
      if (typeof last === "string") this.#line[this.#line.length - 1] = escapeJoint(last, piece)
      this.#line.push(piece)
    }
  }

  #endLine(): void {
    const [first] = this.#line
    const line = lineOf(this.#line)
    this.#out += typeof first === "string" && this.#line.length > 1 && !this.#cell ? escapeLineStart(line) : line
    this.#line = []
  }
}
