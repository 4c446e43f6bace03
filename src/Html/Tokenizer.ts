/** HTML tokenizer (HTML standard, 13.2.5). Searches for the next `<` instead of stepping through every character. */
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2"
import { type Tag, tagOf } from "./Tags.ts"

export type Attributes = Readonly<Record<string, string>>

/** Results of tests of a class, in bits; see `nameTest`. */
export interface ClassTests {
  known: number
  passed: number
}

/** Start tag. Equal tags of a page are one object. */
export interface StartTag {
  readonly name: string
  readonly attributes: Attributes
  readonly selfClosing: boolean
  /** Rules of the element. */
  readonly rules: Tag
  /** Results of tests; see `tagTest`. */
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
  /** Called several times for one run of text if it contains comments or stray `<`. */
  readonly text: (text: string) => void
  readonly open: (tag: StartTag) => void
  readonly close: (name: string) => void
  /** `<![CDATA[…]]>`: text only in SVG and MathML. */
  readonly section: (text: string) => void
}

/** Shared by all elements without attributes; compare by identity. */
export const noAttributes: Attributes = {}

/** Attributes of one element; further ones are ignored. */
const maxAttributes = 1_000

const tab = 0x09
const newLine = 0x0a
const formFeed = 0x0c
const carriageReturn = 0x0d
const space = 0x20
const exclamation = 0x21
const slash = 0x2f
const equals = 0x3d
const greater = 0x3e
const question = 0x3f

const isSpace = (code: number): boolean =>
  code === space || code === newLine || code === tab || code === carriageReturn || code === formFeed

/** End of a comment, as browsers accept it. */
const commentEnd = /--!?>/g

const isLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)

/** Cache of names by a hash of their letters, which saves a new string for each tag. */
const lastName = 1023
const longestName = 12
const names: Array<{ readonly source: string; readonly name: string } | undefined> = new Array(lastName + 1).fill(
  undefined
)

/** Longest start tag that is remembered: longer ones seldom repeat. */
const longestTag = 100

class Scanner {
  /** Start tags of the page by their source: many repeat, and share their attributes. */
  readonly #tags = new Map<string, StartTag>()
  readonly #html: string
  readonly #length: number
  readonly #tokens: Tokens
  #hasSections = true
  #at = 0

  constructor(html: string, tokens: Tokens) {
    this.#html = html
    this.#length = html.length
    this.#tokens = tokens
  }

  run(): void {
    const html = this.#html
    let from = 0
    while (from < this.#length) {
      let mark = html.indexOf("<", this.#at)
      if (mark === -1) mark = this.#length
      const next = html.charCodeAt(mark + 1)
      // A `<` that starts no tag is text.
      if (mark + 1 < this.#length && !isLetter(next) && next !== slash && next !== exclamation && next !== question) {
        this.#at = mark + 1
        continue
      }
      if (mark + 1 >= this.#length || (next === slash && mark + 2 >= this.#length)) mark = this.#length
      if (mark > from) this.#tokens.text(resolveText(html.slice(from, mark)))
      if (mark === this.#length) return
      if (next === slash) this.#close(mark + 2)
      else if (next === exclamation) this.#declaration(mark + 2)
      else if (next === question) this.#skipTo(mark + 2)
      else this.#open(mark + 1)
      from = this.#at
    }
  }

  /** Moves past the next `>`. */
  #skipTo(start: number): void {
    const end = this.#html.indexOf(">", start)
    this.#at = end === -1 ? this.#length : end + 1
  }

  #declaration(start: number): void {
    const html = this.#html
    if (html.startsWith("--", start)) {
      // `<!-->` is a comment too, and `<!--->`.
      const short = html.startsWith(">", start + 2) ? 3 : html.startsWith("->", start + 2) ? 4 : 0
      commentEnd.lastIndex = start + 2
      if (short > 0) this.#at = start + short
      else this.#at = commentEnd.test(html) ? commentEnd.lastIndex : this.#length
    } else if (html.startsWith("[CDATA[", start)) {
      const end = this.#hasSections ? html.indexOf("]]>", start + 7) : -1
      // Without an end, neither this nor a later CDATA section is one.
      this.#hasSections = end !== -1
      if (end === -1) this.#skipTo(start)
      else {
        this.#at = end + 3
        this.#tokens.section(html.slice(start + 7, end))
      }
    } else this.#skipTo(start)
  }

  #close(start: number): void {
    const html = this.#html
    let at = start
    while (isSpace(html.charCodeAt(at))) at++
    if (!isLetter(html.charCodeAt(at))) {
      this.#skipTo(at)
      return
    }
    const from = at
    for (; at < this.#length; at++) {
      const code = html.charCodeAt(at)
      if (code === greater || code === slash || isSpace(code)) break
    }
    this.#skipTo(at)
    if (at < this.#length) this.#tokens.close(this.#name(from, at))
  }

  #name(from: number, to: number): string {
    let place = to - from
    for (let at = from; at < to; at++) place = (Math.imul(place, 31) + this.#html.charCodeAt(at)) & lastName
    const known = names[place]
    if (known !== undefined && known.source.length === to - from && this.#html.startsWith(known.source, from)) {
      return known.name
    }
    const source = this.#html.slice(from, to)
    const name = source.toLowerCase()
    // A longer substring would keep the whole page in memory.
    if (source.length <= longestName) names[place] = { source, name }
    return name
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
    this.#tokens.open(tag)
    if (tag.rules.isRaw && !tag.selfClosing) this.#raw(tag.name)
  }

  /** An incomplete tag at the end of the page is ignored. `source`: the tag, if there is no `>` in its attributes. */
  #readTag(start: number, source: string): void {
    const html = this.#html
    let at = start
    for (; at < this.#length; at++) {
      const code = html.charCodeAt(at)
      if (code === greater || code === slash || isSpace(code)) break
    }
    const name = this.#name(start, at)
    let attributes: Record<string, string> | undefined
    let count = 0
    let selfClosing = false
    for (;;) {
      const code = html.charCodeAt(at)
      if (code === greater) break
      if (at >= this.#length) {
        this.#at = this.#length
        return
      }
      if (code === slash) selfClosing = true
      if (code === slash || isSpace(code)) {
        at++
        continue
      }
      selfClosing = false
      const from = at++
      at = this.#nameEnd(at)
      const to = at
      while (isSpace(html.charCodeAt(at))) at++
      let value = ""
      if (html.charCodeAt(at) === equals) {
        value = this.#value(at + 1)
        at = this.#at
      }
      if (count++ >= maxAttributes || at >= this.#length) continue
      attributes ??= {}
      const key = this.#name(from, to)
      if (!Object.hasOwn(attributes, key)) attributes[key] = value
    }
    this.#at = at + 1
    const tag = makeTag(name, attributes ?? noAttributes, selfClosing)
    if (source.length === at - start) this.#tags.set(source, tag)
    this.#emit(tag)
  }

  #nameEnd(start: number): number {
    const html = this.#html
    let at = start
    for (; at < this.#length; at++) {
      const code = html.charCodeAt(at)
      if (code === equals || code === greater || code === slash || isSpace(code)) break
    }
    return at
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
      return end === -1 ? "" : resolveAttribute(html.slice(at + 1, end))
    }
    const from = at
    while (at < this.#length && html.charCodeAt(at) !== greater && !isSpace(html.charCodeAt(at))) at++
    this.#at = at
    return resolveAttribute(html.slice(from, at))
  }

  /** Text up to `</name` that is followed by `>`, `/` or white space. */
  #raw(name: string): void {
    const html = this.#html
    const from = this.#at
    let end = html.indexOf("</", from)
    while (end !== -1 && !this.#ends(end + 2, name)) end = html.indexOf("</", end + 2)
    const to = end === -1 ? this.#length : end
    this.#at = to
    if (to === from) return
    const text = html.slice(from, to)
    this.#tokens.text(name === "title" ? resolveText(text) : text)
  }

  #ends(at: number, name: string): boolean {
    const code = this.#html.charCodeAt(at + name.length)
    return (
      (code === greater || code === slash || isSpace(code)) &&
      this.#html.slice(at, at + name.length).toLowerCase() === name
    )
  }
}

/** Never fails: any text is HTML. Takes linear time. */
export const tokenize = (html: string, tokens: Tokens): void => new Scanner(html, tokens).run()

const ignore = (): void => undefined

/** Resolves a reference with the letters that follow; attributes have stricter rules. */
const readReference = (run: string, attribute: boolean): string => {
  let decoded = ""
  const take = (start: number, end: number): void => {
    decoded += source.slice(start, end)
  }
  const takeCode = (code: number): void => {
    decoded += String.fromCodePoint(code)
  }
  const source = attribute ? `<a b="${run}">` : run
  const callbacks: TokenizerCallbacks = {
    ontext: take,
    ontextentity: takeCode,
    onattribdata: take,
    onattribentity: takeCode,
    onattribname: ignore,
    onattribend: ignore,
    onopentagname: ignore,
    onopentagend: ignore,
    onselfclosingtag: ignore,
    onclosetag: ignore,
    oncdata: ignore,
    oncomment: ignore,
    ondeclaration: ignore,
    onprocessinginstruction: ignore,
    onend: ignore
  }
  const tokenizer = new Tokenizer({ decodeEntities: true }, callbacks)
  tokenizer.write(source)
  tokenizer.end()
  return decoded
}

/** Maximum cached references. */
const maxKnown = 2_000
/** A longer substring would keep the whole page in memory. */
const longestKnown = 12

const remember = (attribute: boolean) => {
  const known = new Map<string, string>()
  return (run: string): string => {
    const found = known.get(run)
    if (found !== undefined) return found
    const decoded = readReference(run, attribute)
    if (run.length <= longestKnown) {
      if (known.size >= maxKnown) known.clear()
      known.set(run, decoded)
    }
    return decoded
  }
}

const inText = remember(false)
const inAttribute = remember(true)

const references = /&#?[a-zA-Z0-9]+;?/g

export const resolveText = (text: string): string => (text.includes("&") ? text.replace(references, inText) : text)

/** In attributes, `&copy=1` stays unchanged: it is a URL parameter, not a copyright sign. */
export const resolveAttribute = (value: string): string =>
  value.includes("&")
    ? value.replace(references, (run, at: number) =>
        value[at + run.length] === "=" && !run.endsWith(";") ? run : inAttribute(run)
      )
    : value
