/**
 * Rewrites the text of an RTF file before the library `anydoc` reads it: powers, symbol fonts, formulas and check boxes become Unicode, and
 * hidden and deleted text is removed. Takes one pass; groups that are not text stay unchanged.
 */
import { raisedText } from "../../Html/Math.ts"
import { texOfOmml } from "./Formula.ts"
import { markedFormula } from "./Marks.ts"
import { isSymbolFont, symbolOf } from "./Symbols.ts"
import { escapeXml } from "./Xml.ts"

/** Character formatting. A group inherits it, and its changes end with the group. */
interface Look {
  raised: boolean
  hidden: boolean
  deleted: boolean
  font: string
  /** Number of characters after a Unicode character that replace it in old programs. */
  skip: number
}

const triggers = /\\(?:super|v|deleted|mmath|fcharset2|up\d+)(?![a-z])|FORMCHECKBOX/

/** Groups that contain no document text. */
const notText =
  /^\{\s*\\(?:\*|fonttbl|colortbl|stylesheet|info|pict|header[lrf]?|footer[lrf]?|listtext|pntext)(?![a-z])/

const token = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z'])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\/gi

/** Position after the end of the group that begins at `from`. */
const groupEnd = (text: string, from: number): number => {
  const marks = /\\bin(\d{1,9}) ?|\\[\s\S]|[{}]/g
  marks.lastIndex = from
  let depth = 0
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    if (found[1] !== undefined) marks.lastIndex += Number(found[1])
    else if (found[0] === "{") depth += 1
    else if (found[0] === "}") depth -= 1
    if (depth === 0) return marks.lastIndex
  }
  return text.length
}

/** Names of the symbol fonts, by number. */
const symbolFonts = (text: string): ReadonlyMap<number, string> => {
  const start = text.indexOf("{\\fonttbl")
  const table = start === -1 ? "" : text.slice(start, Math.min(groupEnd(text, start), start + 100_000))
  const fonts = new Map<number, string>()
  for (const [, number, entry = ""] of table.matchAll(/\\f(\d{1,6})(?![\d])([^;]{0,400});/g)) {
    const name = entry
      .replace(/\{\\\*[^{}]*\}/g, "")
      .replace(/\\[a-z]+-?\d* ?/gi, "")
      .trim()
    if (isSymbolFont(name)) fonts.set(Number(number), name)
  }
  return fonts
}

/** Text with its RTF escapes written as Unicode, for any code page and font. */
const unicode = (text: string): string =>
  text === ""
    ? ""
    : `{\\uc1 ${Array.from({ length: text.length }, (_, at) => {
        const code = text.charCodeAt(at)
        const sign = code < 0x80 ? text.charAt(at) : ""
        if (/[\\{}]/.test(sign)) return `\\${sign}`
        return sign === "" ? `\\u${code > 0x7fff ? code - 0x10000 : code}?` : sign
      }).join("")}}`

/** Converts a formula group to OMML: its control words are the element names with an `m` in front. */
const ommlOf = (text: string): string => {
  let xml = ""
  const open: Array<string> = []
  for (const [whole, word, , hex, symbol, brace, plain] of text.matchAll(new RegExp(token))) {
    if (brace === "{") open.push("")
    else if (brace === "}") {
      const name = open.pop() ?? ""
      if (name !== "") xml += `</m:${name}>`
    } else if (word !== undefined && /^m[a-zA-Z]+$/.test(word) && open.at(-1) === "") {
      const name = word.slice(1)
      open[open.length - 1] = name
      xml += `<m:${name}>`
    } else if (word === "u") xml += String.fromCharCode(Number(/-?\d+/.exec(whole)?.[0] ?? 0) & 0xffff)
    else {
      const letters = hex === undefined ? (plain ?? (/^[\\{}]$/.test(symbol ?? "") ? symbol : "")) : ""
      if (letters && open.some((name) => name === "r")) xml += `<m:t>${escapeXml(letters)}</m:t>`
      else if (letters?.trim())
        xml = xml.replace(/<m:(\w+)>$/, (_, name: string) => `<m:${name} m:val="${escapeXml(letters.trim())}">`)
    }
  }
  return xml
}

const box = (group: string): string => {
  const result = Number(/\\ffres(\d+)/.exec(group)?.[1] ?? 25)
  // 25 means that the default applies.
  return (result === 25 ? /\\ffdefres1/.test(group) : result === 1) ? "☑" : "☐"
}

const plainLook: Look = { raised: false, hidden: false, deleted: false, font: "", skip: 1 }

class RtfRewriter {
  readonly #text: string
  readonly #fonts: ReadonlyMap<number, string>
  readonly #out: Array<string> = []
  readonly #looks: Array<Look> = []
  #look: Look = { ...plainLook }
  /** Number of replacement characters still to come after a Unicode character. */
  #left = 0
  /** Text in the current formatting, collected to be converted as a whole. */
  #waiting = ""

  constructor(text: string) {
    this.#text = text
    this.#fonts = symbolFonts(text)
  }

  run(): string {
    const text = this.#text
    token.lastIndex = 0
    for (let found = token.exec(text); found !== null; found = token.exec(text)) {
      const [whole, word, number, hex, symbol, brace, plain] = found
      if (brace === "{") {
        const next = this.#group(found.index)
        if (next !== undefined) token.lastIndex = next
      } else if (brace === "}") {
        this.#flush()
        this.#look = this.#looks.pop() ?? { ...plainLook }
        this.#left = 0
        this.#out.push(whole)
      } else if (word === "bin") {
        const end = token.lastIndex + Number(number ?? 0)
        this.#out.push(text.slice(found.index, end))
        token.lastIndex = end
      } else if (word !== undefined) this.#word(whole, word, number)
      else if (hex !== undefined) this.#characters(whole, String.fromCharCode(Number.parseInt(hex, 16)))
      else if (symbol !== undefined) this.#symbol(whole, symbol)
      else if (plain !== undefined) this.#characters(whole, plain)
      else this.#out.push(whole)
    }
    this.#flush()
    return this.#out.join("")
  }

  /** Opens a group, or skips one that must not be changed. Returns the position to continue at. */
  #group(from: number): number | undefined {
    this.#flush()
    const head = this.#text.slice(from, from + 40)
    const isField = /^\{\s*\\field(?![a-z])/.test(head)
    if (notText.test(head) || isField || /^\{\s*\\mmath(?![a-z])/.test(head)) {
      const end = groupEnd(this.#text, from)
      const group = isField ? this.#text.slice(from, Math.min(end, from + 5000)) : this.#text.slice(from, end)
      if (!isField || group.includes("FORMCHECKBOX")) {
        if (this.#isShown()) this.#out.push(isField ? unicode(box(group)) : this.#raw(group))
        return end
      }
    }
    this.#looks.push({ ...this.#look })
    this.#out.push("{")
    return undefined
  }

  #raw(group: string): string {
    return /^\{\s*\\mmath(?![a-z])/.test(group) ? unicode(markedFormula(texOfOmml(ommlOf(group)))) : group
  }

  #isShown(): boolean {
    return !this.#look.hidden && !this.#look.deleted
  }

  #word(whole: string, word: string, number: string | undefined): void {
    if (word === "u") {
      const code = Number(number ?? 0) & 0xffff
      this.#left = 0
      this.#characters(whole, String.fromCharCode(code))
      this.#left = this.#look.skip
      return
    }
    this.#flush()
    this.#left = 0
    const isOn = number !== "0"
    const look = this.#look
    if (word === "super") look.raised = isOn
    else if (word === "nosupersub" || word === "sub") look.raised = false
    else if (word === "up") look.raised = isOn && number !== undefined
    else if (word === "v") look.hidden = isOn
    else if (word === "deleted") look.deleted = isOn
    else if (word === "uc") look.skip = Number(number ?? 1)
    else if (word === "f") look.font = this.#fonts.get(Number(number ?? 0)) ?? ""
    else if (word === "plain") this.#look = { ...plainLook, skip: look.skip }
    const isSign = /^(?:tab|line|[lr]d?blquote|[lr]quote|bullet|e[mn]dash|e[mn]space)$/.test(word)
    if (this.#isShown() || !isSign) this.#out.push(whole)
  }

  #symbol(whole: string, symbol: string): void {
    if (symbol === "\\" || symbol === "{" || symbol === "}") this.#characters(whole, symbol)
    else if (this.#isShown()) {
      this.#flush()
      this.#out.push(whole)
    }
  }

  #characters(raw: string, text: string): void {
    if (this.#left > 0) {
      // Replacement characters for old programs are written or left out together with the Unicode character before them.
      const taken = Math.min(this.#left, text.length)
      this.#left -= taken
      if (this.#isShown() && !this.#isChanged()) this.#out.push(raw)
      else if (taken < text.length) this.#characters(raw.slice(taken), text.slice(taken))
      return
    }
    if (!this.#isShown()) return
    if (!this.#isChanged()) this.#out.push(raw)
    else this.#waiting += text
  }

  #isChanged(): boolean {
    return this.#look.raised || this.#look.font !== ""
  }

  #flush(): void {
    const { font, raised } = this.#look
    const text = this.#waiting
    if (text === "") return
    this.#waiting = ""
    const shown = font === "" ? text : Array.from(text, (each) => symbolOf(font, each.charCodeAt(0)) ?? each).join("")
    const power = raised ? raisedText(shown) : undefined
    // Text without changes is written as it was read, because its bytes are in the code page of its font.
    this.#out.push(power === undefined && font === "" ? escaped(text) : unicode(power ?? shown))
  }
}

/** Writes text as the bytes that were read. */
const escaped = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => {
    const code = text.charCodeAt(at)
    if (code > 0xff) return `{\\uc1 \\u${code > 0x7fff ? code - 0x10000 : code}?}`
    const sign = text.charAt(at)
    return code >= 0x80 ? `\\'${code.toString(16)}` : /[\\{}]/.test(sign) ? `\\${sign}` : sign
  }).join("")

/** Rewrites the file for anydoc. */
export const prepareRtf = (bytes: Buffer): Buffer => {
  const text = bytes.toString("latin1")
  return triggers.test(text) ? Buffer.from(new RtfRewriter(text).run(), "latin1") : bytes
}
