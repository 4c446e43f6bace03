/**
 * HTML tokenizer (HTML standard, 13.2.5). Searches for the next `<` instead of stepping through every character.
 *
 * Emits tokens in page order. Where the standard consults the tree, it asks the receiver: for the content of each opened element, and for
 * CDATA sections. Takes linear time, never fails, and keeps no part of a page afterwards.
 */
import { resolveAttribute, resolveText } from "./References.ts"
import { type Content, type Tag, tagOf } from "./Tags.ts"

export type Attributes = Readonly<Record<string, string>>

/** Results of class tests as bits; see `nameTest`. */
export interface ClassTests {
  known: number
  passed: number
}

/** Start tag. Equal tags of a page share one object. */
export interface StartTag {
  readonly name: string
  readonly attributes: Attributes
  readonly selfClosing: boolean
  /** Parsing rules of the element. */
  readonly rules: Tag
  /** Results of tests as bits; see `tagTest`. */
  marks: number
  classTests: ClassTests | undefined
}

export const makeTag = (name: string, attributes: Attributes, selfClosing = false): StartTag => ({
  name,
  attributes,
  selfClosing,
  rules: tagOf(name),
  marks: 0,
  classTests: undefined
})

export interface Tokens {
  /** Called for text; several times for one text if comments interrupt it. `hasNull`: the page contains NUL characters. */
  readonly text: (text: string, hasNull: boolean) => void
  /** Called for a start tag; returns the kind of content of its element. */
  readonly open: (tag: StartTag) => Content
  readonly close: (name: string, rules: Tag) => void
  /** Called with the whole content of an element that cannot contain markup; the element ends with it. */
  readonly raw: (text: string, isClosed: boolean) => void
  /** Called with the start and end of a comment's text. */
  readonly comment: (from: number, to: number) => void
  /** Called with the text after `<!DOCTYPE`. */
  readonly doctype: (source: string, isOpen: boolean) => void
  /** True in SVG and MathML, where CDATA sections are allowed. */
  readonly isForeign: () => boolean
}

/** Attributes of all elements that have none; compare by identity. */
export const noAttributes: Attributes = {}

/** Maximum attributes of one element; further ones are ignored. */
const maxAttributes = 1_000

const tab = 0x09
const newLine = 0x0a
const formFeed = 0x0c
const space = 0x20
const exclamation = 0x21
const slash = 0x2f
const equals = 0x3d
const greater = 0x3e
const question = 0x3f

const isSpace = (code: number): boolean => code === space || code === newLine || code === tab || code === formFeed

/** Matches the end of a comment, as browsers accept it. */
const commentEnd = /--!?>/g

/** Length of an incomplete comment end at the end of the page. */
const openEnd = (text: string): number => /--!$|--$|-$/.exec(text)?.[0].length ?? 0

const isLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)

/** Lower case for ASCII letters only: names differ in all other characters. */
const lowerCase = (text: string): string =>
  /[\u0080-\uffff]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text.toLowerCase()

interface Name {
  readonly source: string
  readonly name: string
  readonly rules: Tag
}

/** Cache of names by a hash of their letters; avoids a new string for each tag. */
const lastName = 1023
const longestName = 12
const names: Array<Name | undefined> = new Array(lastName + 1).fill(undefined)

/** Maximum length of a start tag that is cached: longer ones rarely repeat. */
const longestTag = 100

/** Matches a line feed, which is ignored at the beginning of some elements. */
const lineFeed = /\n|&#(?:0*10|[xX]0*[aA])(?:;|(?![0-9a-fA-F]))/y

/** Matches the parts of a script that can hide its end tag, and the end tag. */
const scriptMark = /<!--|-->|<\/?script(?=[\t\n\f />])/gi

/** Replaces NUL characters. */
const replaceNull = (text: string): string => text.replaceAll("\0", "\ufffd")

class Scanner {
  /** Start tags of the page by source: many repeat, and share their attributes. */
  readonly #tags = new Map<string, StartTag>()
  readonly #html: string
  readonly #length: number
  readonly #tokens: Tokens
  readonly #hasNull: boolean
  #at = 0
  /** Position of the next `&`, as the last search found it; -1 before the first search. */
  #reference = -1

  constructor(html: string, tokens: Tokens) {
    this.#html = html.includes("\r") ? html.replace(/\r\n?/g, "\n") : html
    this.#length = this.#html.length
    this.#hasNull = html.includes("\0")
    this.#tokens = tokens
  }

  run(): void {
    const html = this.#html
    let from = 0
    while (from < this.#length) {
      let mark = html.indexOf("<", this.#at)
      if (mark === -1) mark = this.#length
      const next = html.charCodeAt(mark + 1)
      // A `<` that does not start a tag is text.
      if (mark + 1 < this.#length && !isLetter(next) && next !== slash && next !== exclamation && next !== question) {
        this.#at = mark + 1
        continue
      }
      if (mark + 1 >= this.#length || (next === slash && mark + 2 >= this.#length)) mark = this.#length
      if (mark > from) this.#tokens.text(this.#resolved(from, mark), this.#hasNull)
      if (mark === this.#length) return
      if (next === slash) this.#close(mark + 2)
      else if (next === exclamation) this.#declaration(mark + 2)
      else if (next === question) this.#bogus(mark + 1)
      else this.#open(mark + 1)
      from = this.#at
    }
  }

  /** Text with its character references resolved; most texts have none. */
  #resolved(from: number, to: number): string {
    if (this.#reference < from) {
      const next = this.#html.indexOf("&", from)
      this.#reference = next === -1 ? this.#length : next
    }
    const text = this.#html.slice(from, to)
    return this.#reference < to ? resolveText(text) : text
  }

  /** Reads a malformed comment, up to the next `>`. */
  #bogus(start: number): void {
    const end = this.#html.indexOf(">", start)
    this.#at = end === -1 ? this.#length : end + 1
    this.#tokens.comment(start, end === -1 ? this.#length : end)
  }

  #declaration(start: number): void {
    const html = this.#html
    if (html.startsWith("--", start)) this.#comment(start + 2)
    else if (html.slice(start, start + 7).toLowerCase() === "doctype") {
      const end = html.indexOf(">", start)
      this.#at = end === -1 ? this.#length : end + 1
      this.#tokens.doctype(this.#clean(html.slice(start + 7, end === -1 ? this.#length : end)), end === -1)
    } else if (html.startsWith("[CDATA[", start) && this.#tokens.isForeign()) {
      const end = html.indexOf("]]>", start + 7)
      const to = end === -1 ? this.#length : end
      this.#at = end === -1 ? this.#length : end + 3
      if (to > start + 7) this.#tokens.text(html.slice(start + 7, to), this.#hasNull)
    } else this.#bogus(start)
  }

  #comment(from: number): void {
    const html = this.#html
    // `<!-->` and `<!--->` are comments, too.
    const short = html.startsWith(">", from) ? 1 : html.startsWith("->", from) ? 2 : 0
    commentEnd.lastIndex = from
    const end = short > 0 ? null : commentEnd.exec(html)
    this.#at = short > 0 ? from + short : end === null ? this.#length : commentEnd.lastIndex
    const rest = short > 0 ? from : (end?.index ?? this.#length - openEnd(html.slice(Math.max(from, this.#length - 3))))
    this.#tokens.comment(from, rest)
  }

  #clean(text: string): string {
    return this.#hasNull ? replaceNull(text) : text
  }

  #close(start: number): void {
    const html = this.#html
    const code = html.charCodeAt(start)
    if (!isLetter(code)) {
      if (code === greater) this.#at = start + 1
      else this.#bogus(start)
      return
    }
    const at = this.#nameEnd(start)
    if (html.charCodeAt(at) === greater) this.#at = at + 1
    else this.#readAttributes(at)
    if (this.#at > this.#length) return
    const { name, rules } = this.#name(start, at)
    this.#tokens.close(name, rules)
  }

  /** End of a tag's name, or of an attribute's name, which also ends at `end`. */
  #nameEnd(start: number, end = greater): number {
    const html = this.#html
    let at = start
    for (; at < this.#length; at++) {
      const code = html.charCodeAt(at)
      if (code === end || code === greater || code === slash || isSpace(code)) break
    }
    return at
  }

  #name(from: number, to: number): Name {
    let place = to - from
    for (let at = from; at < to; at++) place = (Math.imul(place, 31) + this.#html.charCodeAt(at)) & lastName
    const known = names[place]
    if (known !== undefined && known.source.length === to - from && this.#html.startsWith(known.source, from)) {
      return known
    }
    const source = this.#html.slice(from, to)
    const name = lowerCase(this.#clean(source))
    const made = { source, name, rules: tagOf(name) }
    // A longer substring would keep the whole page in memory.
    if (source.length <= longestName) names[place] = made
    return made
  }

  #open(start: number): void {
    const html = this.#html
    const end = html.indexOf(">", start)
    const source = end > start && end - start <= longestTag ? html.slice(start, end) : ""
    const known = this.#tags.get(source)
    if (known === undefined) this.#readTag(start, source)
    else {
      this.#at = end + 1
      this.#emit(known)
    }
  }

  #emit(tag: StartTag): void {
    const content = this.#tokens.open(tag)
    if (content !== "markup") this.#content(content, tag.name)
  }

  /** Reads a start tag; an incomplete tag at the end of the page is ignored. `source`: the tag, if its attributes contain no `>`. */
  #readTag(start: number, source: string): void {
    const to = this.#nameEnd(start)
    const { name } = this.#name(start, to)
    const attributes = this.#readAttributes(to)
    if (this.#at > this.#length) return
    const tag = makeTag(name, attributes ?? noAttributes, this.#isSlash)
    if (source.length === this.#at - 1 - start) this.#tags.set(source, tag)
    this.#emit(tag)
  }

  /** True if the last tag ended with a slash that is not part of an attribute value. */
  #isSlash = false

  /** Reads attributes and moves past the end of the tag; past the end of the page if the tag is not closed. */
  #readAttributes(start: number): Record<string, string> | undefined {
    const html = this.#html
    let at = start
    let attributes: Record<string, string> | undefined
    let count = 0
    this.#isSlash = false
    for (;;) {
      const code = html.charCodeAt(at)
      if (code === greater) break
      if (at >= this.#length) {
        this.#at = this.#length + 1
        return undefined
      }
      if (code === slash || isSpace(code)) {
        this.#isSlash = code === slash
        at++
        continue
      }
      this.#isSlash = false
      const from = at++
      at = this.#nameEnd(at, equals)
      const to = at
      while (isSpace(html.charCodeAt(at))) at++
      let value = ""
      if (html.charCodeAt(at) === equals) {
        value = this.#value(at + 1)
        at = this.#at
      }
      if (count++ >= maxAttributes || at >= this.#length) continue
      attributes ??= {}
      const key = this.#name(from, to).name
      if (!Object.hasOwn(attributes, key)) attributes[key] = value
    }
    this.#at = at + 1
    return attributes
  }

  /** Reads an attribute value and moves past it. */
  #value(start: number): string {
    const html = this.#html
    let at = start
    while (isSpace(html.charCodeAt(at))) at++
    const quote = html[at]
    if (quote === '"' || quote === "'") {
      const end = html.indexOf(quote, at + 1)
      this.#at = end === -1 ? this.#length : end + 1
      return end === -1 ? "" : resolveAttribute(this.#clean(html.slice(at + 1, end)))
    }
    const from = at
    while (at < this.#length && html.charCodeAt(at) !== greater && !isSpace(html.charCodeAt(at))) at++
    this.#at = at
    return resolveAttribute(this.#clean(html.slice(from, at)))
  }

  /** Reads content without markup, up to a `</name` followed by `>`, `/` or white space. */
  #content(content: Content, name: string): void {
    const html = this.#html
    if (content === "afterLineFeed" || name === "textarea") {
      lineFeed.lastIndex = this.#at
      if (lineFeed.test(html)) this.#at = lineFeed.lastIndex
      if (content === "afterLineFeed") return
    }
    const from = this.#at
    const end = content === "rest" ? -1 : content === "script" ? this.#scriptEnd(from) : this.#endOf(name, from)
    const to = end === -1 ? this.#length : end
    const text = this.#clean(html.slice(from, to))
    this.#at = this.#length
    if (end !== -1) {
      const after = to + 2 + name.length
      if (html.charCodeAt(after) === greater) this.#at = after + 1
      else this.#readAttributes(after)
    }
    this.#tokens.raw(content === "references" ? resolveText(text) : text, end !== -1 && this.#at <= this.#length)
  }

  #endOf(name: string, from: number): number {
    const html = this.#html
    let end = html.indexOf("</", from)
    while (end !== -1 && !this.#ends(end + 2, name)) end = html.indexOf("</", end + 2)
    return end
  }

  #ends(at: number, name: string): boolean {
    const code = this.#html.charCodeAt(at + name.length)
    return (
      (code === greater || code === slash || isSpace(code)) &&
      this.#html.slice(at, at + name.length).toLowerCase() === name
    )
  }

  /** End of a script: within a comment, `<script` hides the next end tag. */
  #scriptEnd(from: number): number {
    const html = this.#html
    const end = this.#endOf("script", from)
    const comment = html.indexOf("<!--", from)
    if (end === -1 || comment === -1 || comment > end) return end
    let state: "plain" | "comment" | "hidden" = "plain"
    scriptMark.lastIndex = from
    for (let found = scriptMark.exec(html); found !== null; found = scriptMark.exec(html)) {
      const [mark] = found
      if (mark === "<!--") {
        if (state === "plain") state = "comment"
        // The dashes of `<!--` may also be part of `-->`.
        scriptMark.lastIndex = found.index + 2
      } else if (mark === "-->") state = "plain"
      else if (mark.length === 7) {
        if (state === "comment") state = "hidden"
      } else if (state !== "hidden") return found.index
      else state = "comment"
    }
    return -1
  }
}

/** Never fails: any text can be read as HTML. Takes linear time. */
export const tokenize = (html: string, tokens: Tokens): void => new Scanner(html, tokens).run()
