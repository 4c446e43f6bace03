/**
 * Rewrites the XML of a DOCX part before the library `anydoc` reads it, because anydoc drops unknown elements together with their text.
 *
 * Hyphens, symbols, ruby, powers, check boxes and formulas become text. Hidden runs, deleted rows and deleted paragraph marks are removed,
 * as Word shows the document. Content controls and unknown elements are unwrapped, so that their content stays; what they hold
 * gets a paragraph or run around it where anydoc needs one. Takes one pass in linear time.
 */
import { raisedText } from "../../Html/Math.ts"
import { fieldText, rubyText } from "./DocxFields.ts"
import {
  containers,
  dropped,
  ends,
  inlineWrappers,
  isBlockPart,
  isDrawing,
  isProperties,
  isTablePart,
  isText,
  isUnknown,
  needsRewriting,
  placed,
  tableParts,
  withUsualPrefix,
  wrappers
} from "./DocxNames.ts"
import { isMarkDeleted, isOff, isRaised, propertyIn } from "./DocxStyles.ts"
import { texOfOmml } from "./Formula.ts"
import { markedContent, markedFormula } from "./Marks.ts"
import { isSymbolFont, symbolOf, symbolText } from "./Symbols.ts"
import { attribute, decodeXml, endOf, escapeXml, type TextStyles } from "./Xml.ts"

export interface Rewritten {
  readonly xml: string
  /** Relation ids of the files to insert. The index is the number in the file's mark; see `Marks.ts`. */
  readonly chunks: ReadonlyArray<string>
  readonly warnings: ReadonlySet<string>
}

/** Maximum characters of the properties of a run, paragraph or row. */
const maxProperties = 20_000

const textRun = (text: string): string => `<w:t xml:space="preserve">${escapeXml(text)}</w:t>`

const lineBreak = "<w:br/>"

/** Properties of a run, paragraph or row, at the start of its content. */
const firstTag = /^\s*<w:([pr]Pr|tblPrEx|trPr)(?:\s[^<>]*)?>/

/** The end of the markup that starts here. */
const lastOf = (xml: string, start: number): string => {
  if (xml.startsWith("<!--", start)) return "-->"
  return xml.startsWith("<![CDATA[", start) ? "]]>" : ">"
}

class Rewriter {
  readonly #xml: string
  readonly #styles: TextStyles
  readonly #out: Array<string> = []
  /** Open elements of the input. A name with `-` has no tag in the output. */
  readonly #open: Array<string> = []
  /** Open elements of the output, and those of them that are in `containers`. */
  readonly #written: Array<string> = []
  readonly #parents: Array<string> = []
  /** Elements that were opened around content in a place where anydoc drops it, and the depth of their tags. */
  readonly #implied: Array<{ readonly name: string; readonly depth: number }> = []
  /** The last tag of a form field: its index in the output, and the tag with the text before it. */
  #field: { readonly at: number; readonly tag: string; text: string } | undefined
  /** False as soon as an end tag does not match, in the input or in the output. */
  #isBalanced = true
  /** Open paragraphs: if the end mark is deleted, if the style hides the text, and the properties with their index in the output. */
  readonly #paragraphs: Array<{ joins: boolean; hidden: boolean; at: number; properties: string }> = []
  /** Formatting of the current run: superscript, and its symbol font. */
  #raised = false
  #font: string | undefined
  #at = 0
  readonly chunks: Array<string> = []
  readonly warnings = new Set<string>()

  constructor(xml: string, styles: TextStyles) {
    this.#xml = xml
    this.#styles = styles
  }

  /** Returns undefined if the tags do not match, because then the output cannot be trusted. */
  run(): string | undefined {
    const xml = this.#xml
    while (this.#isBalanced) {
      const start = xml.indexOf("<", this.#at)
      const last = start === -1 ? "" : lastOf(xml, start)
      const end = start === -1 ? -1 : xml.indexOf(last, start)
      if (end === -1) break
      if (start > this.#at) this.#text(xml.slice(this.#at, start))
      this.#at = end + last.length
      const tag = xml.slice(start, this.#at)
      if (/^<[!?]/.test(tag)) this.#out.push(tag)
      else this.#tag(tag)
    }
    this.#out.push(xml.slice(this.#at))
    // A file that is cut off is read to its end.
    const isWhole = this.#open.length > 0 || this.#written.length === 0
    return this.#isBalanced && isWhole ? this.#out.join("") : undefined
  }

  #text(raw: string): void {
    if ((!this.#raised && this.#font === undefined) || raw.trim() === "") {
      this.#out.push(raw)
      return
    }
    const text = decodeXml(raw)
    const shown = this.#font === undefined ? text : symbolText(this.#font, text)
    this.#out.push(escapeXml((this.#raised ? raisedText(shown) : undefined) ?? shown))
  }

  /** Skips the rest of the element whose start tag has been read, and returns the whole element. */
  #element(tag: string, name: string): string {
    if (tag.endsWith("/>")) return tag
    const end = endOf(this.#xml, name, this.#at)
    const whole = tag + this.#xml.slice(this.#at, end)
    this.#at = end
    return whole
  }

  #tag(tag: string): void {
    const [, slash = "", name = ""] = /^<(\/?)([^\s/>]*)/.exec(tag) ?? []
    if (slash === "/") this.#endTag(tag, name)
    else this.#startTag(tag, name)
  }

  /** The element that the current one is in, as anydoc sees it. */
  #parent(): string | undefined {
    return this.#parents.at(-1)
  }

  #writeStart(tag: string, name: string): void {
    this.#out.push(tag)
    if (tag.endsWith("/>")) return
    this.#written.push(name)
    if (containers.has(name)) this.#parents.push(name)
  }

  #writeEnd(tag: string, name: string): void {
    this.#out.push(tag)
    if (this.#written.pop() !== name) this.#isBalanced = false
    if (containers.has(name)) this.#parents.pop()
  }

  /** Opens an element around content that would be dropped without it. */
  #imply(name: string): void {
    this.#writeStart(`<${name}>`, name)
    this.#implied.push({ name, depth: this.#written.length })
  }

  /** Closes the implied elements that end here. `tag`: name of the next start tag; undefined for an end tag. */
  #closeImplied(tag: string | undefined): void {
    for (let last = this.#implied.at(-1); last?.depth === this.#written.length; last = this.#implied.at(-1)) {
      if (tag !== undefined && (last.name === "w:r" ? tag === "w:t" : ends[last.name]?.has(tag) !== true)) return
      this.#implied.pop()
      this.#writeEnd(`</${last.name}>`, last.name)
    }
  }

  /** Opens the elements that are missing around a table part, paragraph, run or text. */
  #place(name: string): void {
    const isBlock = name === "w:p" || name === "w:tbl"
    if ((name === "w:tr" || name === "w:tc") && isBlockPart(this.#parent())) this.#imply("w:tbl")
    if ((isBlock || name === "w:tc") && this.#parent() === "w:tbl") this.#imply("w:tr")
    if (isBlock && this.#parent() === "w:tr") this.#imply("w:tc")
    if (name !== "w:r" && name !== "w:t") return
    if (isTablePart(this.#parent())) this.#place("w:p")
    if (isBlockPart(this.#parent())) this.#imply("w:p")
    if (name === "w:t" && this.#parent() === "w:p") this.#imply("w:r")
  }

  #startTag(tag: string, name: string): void {
    const isClosed = tag.endsWith("/>")
    if (this.#implied.length > 0) this.#closeImplied(name)
    if (placed.has(name)) this.#place(name)
    const parent = this.#parent()
    switch (name) {
      case "w:noBreakHyphen":
        this.#element(tag, name)
        this.#out.push(textRun("-"))
        return
      case "w:sym":
        this.#element(tag, name)
        this.#out.push(textRun(this.#symbol(tag)))
        return
      case "w:ruby":
        this.#out.push(textRun(rubyText(this.#element(tag, name))))
        return
      case "m:oMath":
      case "m:oMathPara": {
        const text = textRun(markedFormula(texOfOmml(this.#element(tag, name))))
        const run = parent === "w:r" ? text : `<w:r>${text}</w:r>`
        this.#out.push(this.#paragraphs.length > 0 || isText(parent) ? run : `<w:p>${run}</w:p>`)
        return
      }
      case "w:altChunk":
        this.#element(tag, name)
        this.#out.push(`<w:p><w:r>${textRun(markedContent(this.chunks.length))}</w:r></w:p>`)
        this.chunks.push(attribute(tag, "(?:\\w+:)?id") ?? "")
        return
      case "w:subDoc":
        this.warnings.add("A part of the document is in another file, which is not included: this part is missing.")
        break
      case "w:ffData": {
        // The text is placed before the field, because the field code is not shown.
        const whole = this.#element(tag, name)
        if (this.#field === undefined) return
        this.#field.text += textRun(fieldText(whole))
        this.#out[this.#field.at] = this.#field.text + this.#field.tag
        return
      }
      case "w:r":
        if (!isClosed && this.#startRun(tag)) return
        if (parent !== "w:r" || isClosed) break
        // Text of a run inside of a run belongs to the outer one.
        this.#at += this.#peek("rPr").length
        this.#open.push("-w:r")
        return
      case "w:p":
        if (isClosed) break
        if (isText(parent)) {
          this.#at += this.#peek("pPr").length
          this.#breakLine()
          this.#open.push("-w:p")
          return
        }
        this.#startParagraph(tag)
        return
      case "w:tr":
        if (!isClosed && /<w:del[\s/>]/.test(this.#rowProperties())) {
          this.#element(tag, name)
          return
        }
        break
      case "w14:conflictDel":
        this.#element(tag, name)
        return
    }
    if (isTablePart(parent) && (wrappers.has(name) || dropped.has(name))) {
      if (dropped.has(name)) this.#element(tag, name)
      else if (!isClosed) this.#open.push(`-${name}`)
      return
    }
    if (isProperties(name)) {
      this.#out.push(this.#element(tag, name))
      return
    }
    const isMisplaced = isBlockPart(parent)
      ? inlineWrappers.has(name)
      : isText(parent) && (tableParts.has(name) || (parent === "w:r" && wrappers.has(name)))
    if (isMisplaced && !isClosed) {
      this.#open.push(`-${name}`)
      return
    }
    if (!isClosed && isUnknown(name) && !isDrawing(parent)) {
      this.#leaveOut(tag, name)
      return
    }
    if (name === "w:fldChar") this.#field = { at: this.#out.length, tag, text: "" }
    if (!isClosed) this.#open.push(name)
    this.#writeStart(tag, name)
  }

  /** Leaves the tags of an unknown element out, except for those of one without content. */
  #leaveOut(tag: string, name: string): void {
    const end = `</${name}>`
    if (this.#xml.startsWith(end, this.#at)) {
      this.#out.push(tag, end)
      this.#at += end.length
    } else this.#open.push(`-${name}`)
  }

  /** Separates the lines of a paragraph that is inside of a paragraph. */
  #breakLine(): void {
    const line = this.#parent() === "w:r" ? lineBreak : `<w:r>${lineBreak}</w:r>`
    if (this.#out.at(-1) !== line) this.#out.push(line)
  }

  #rowProperties(): string {
    return this.#peek("trPr", this.#at + this.#peek("tblPrEx").length)
  }

  /** Returns the properties of the current element, if they follow its start tag directly. */
  #peek(name: "pPr" | "rPr" | "tblPrEx" | "trPr", at = this.#at): string {
    const after = this.#xml.slice(at, at + maxProperties)
    const start = firstTag.exec(after)
    if (start?.[1] !== name) return ""
    if (start[0].endsWith("/>")) return start[0]
    const end = endOf(after, `w:${name}`, start[0].length)
    return end < after.length ? after.slice(0, end) : ""
  }

  /** Returns true if the run is hidden, and then skips it. */
  #startRun(tag: string): boolean {
    const properties = this.#peek("rPr")
    const style = /<w:rStyle\s[^<>]*w:val="([^"]*)"/.exec(properties)?.[1] ?? ""
    const vanish = propertyIn(properties, "vanish")
    const byStyle = this.#styles.hidden.has(style) || this.#paragraphs.at(-1)?.hidden === true
    if (vanish === undefined ? byStyle : !isOff(vanish)) {
      const whole = this.#element(tag, "w:r")
      // Field markers must stay balanced, even if their run is hidden.
      for (const [field] of whole.matchAll(/<w:fldChar\s[^<>]*\/>/g)) this.#out.push(`<w:r>${field}</w:r>`)
      return true
    }
    this.#raised =
      propertyIn(properties, "vertAlign") === undefined ? this.#styles.raised.has(style) : isRaised(properties)
    const font = /w:ascii="([^"]*)"/.exec(propertyIn(properties, "rFonts") ?? "")?.[1]
    this.#font = font !== undefined && isSymbolFont(font) ? font : undefined
    return false
  }

  /** Starts a paragraph. If its mark is deleted, `#join` replaces its properties with those of the next paragraph. */
  #startParagraph(tag: string): void {
    const properties = this.#peek("pPr")
    const [current = ""] = properties.split("<w:pPrChange", 1)
    const style = /<w:pStyle\s[^<>]*w:val="([^"]*)"/.exec(current)?.[1] ?? ""
    const joins = isMarkDeleted(current)
    const hidden = this.#styles.hidden.has(style)
    this.#open.push("w:p")
    this.#writeStart(tag, "w:p")
    this.#paragraphs.push({ joins, hidden, at: this.#out.length, properties })
    this.#out.push(properties)
    this.#at += properties.length
  }

  #endTag(tag: string, name: string): void {
    if (this.#implied.length > 0) this.#closeImplied(undefined)
    const top = this.#open.pop()
    if (top === `-${name}`) {
      if (name === "w:p") this.#breakLine()
      return
    }
    if (top !== name) {
      this.#isBalanced = false
      return
    }
    if (name === "w:r") {
      this.#raised = false
      this.#font = undefined
    }
    if (name === "w:p" && this.#join()) this.#open.push("w:p")
    else this.#writeEnd(tag, name)
  }

  /** Called at the end of a paragraph: joins it with the next one when the mark between them is deleted. */
  #join(): boolean {
    const paragraph = this.#paragraphs.at(-1)
    if (paragraph?.joins !== true) {
      this.#paragraphs.pop()
      return false
    }
    const next = /^(?:\s|<w:(?:bookmark|comment|proof|move|perm)\w*\s[^<>]*\/>){0,50}<w:p(?:\s[^<>]*)?>/.exec(
      this.#xml.slice(this.#at, this.#at + 5000)
    )
    this.#paragraphs.pop()
    if (next === null || next[0].endsWith("/>")) return false
    this.#at += next[0].length
    const properties = this.#peek("pPr")
    this.#out[paragraph.at] = properties
    this.#at += properties.length
    this.#paragraphs.push({ ...paragraph, joins: isMarkDeleted(properties.split("<w:pPrChange", 1)[0] ?? "") })
    return true
  }

  #symbol(tag: string): string {
    const font = attribute(tag, "w:font") ?? ""
    const symbol = symbolOf(font, Number.parseInt(attribute(tag, "w:char") ?? "", 16) || 0xfffd)
    if (symbol === undefined) this.warnings.add(`A symbol of the font ${font} is not known and shown as \ufffd.`)
    return symbol ?? "\ufffd"
  }
}

const notRewritten =
  "Start and end tags of the document do not match. It is read as it is: text may be missing, and hidden text may be shown."

/** Rewrites a part for anydoc; a part whose tags do not match stays as it is, so that it can be read as far as possible. */
export const rewritten = (part: string, styles: TextStyles): Rewritten => {
  const isStyled = styles.hidden.size + styles.raised.size > 0
  const xml = withUsualPrefix(part)
  if (xml === undefined || (xml === part && !isStyled && !needsRewriting(part)))
    return { xml: part, chunks: [], warnings: new Set() }
  const rewriter = new Rewriter(xml, styles)
  const text = rewriter.run()
  if (text === undefined) return { xml: part, chunks: [], warnings: new Set([notRewritten]) }
  return { xml: text, chunks: rewriter.chunks, warnings: rewriter.warnings }
}
