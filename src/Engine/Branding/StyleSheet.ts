/** Parses a style sheet in one pass over its tokens. Keeps the rules, fonts and imports that branding needs, within limits. */
import { tokenize, tokenTypes } from "css-tree/tokenizer"

export interface Declaration {
  readonly property: string
  readonly value: string
  readonly important: boolean
}

export interface Rule {
  readonly selectors: ReadonlyArray<string>
  readonly declarations: ReadonlyArray<Declaration>
}

export interface FontFace {
  readonly family: string
  readonly weight: string | undefined
}

export interface Sheet {
  readonly rules: ReadonlyArray<Rule>
  readonly fontFaces: ReadonlyArray<FontFace>
  /** Addresses as written. */
  readonly imports: ReadonlyArray<string>
}

const maxRules = 50_000
/** Maximum custom properties. The largest design systems have 2,000. */
const maxVariables = 10_000
const maxPrelude = 4_000
const maxSelectors = 100
const maxValue = 1_000
const maxFontFaces = 200
const maxImports = 20

const usedProperties =
  /^(?:--[\w-]+|color|color-scheme|background|background-color|border|border-color|border-radius|font|font-family|font-size|font-weight|line-height|padding|padding-(?:top|right|bottom|left)|margin|margin-(?:top|bottom)|gap)$/

/** Content of a block: nested rules, declarations, declarations of a font, or something that is skipped. */
type Block = "rules" | "style" | "font" | "other"

const unusualMedia =
  /\b(?:print|speech|prefers-color-scheme\s*:\s*dark|prefers-reduced-motion|prefers-contrast|forced-colors|max-width)\b|width\s*<|not\s+all/i

/** False for media queries such as print, dark mode and narrow windows. Of a list, one usual query is enough. */
export const isUsual = (queries: string): boolean => queries.split(",").some((query) => !unusualMedia.test(query))

const groupOf = (prelude: string): Block => {
  const name = /^@([\w-]+)/.exec(prelude)?.[1]?.toLowerCase()
  switch (name) {
    case "media":
      return isUsual(prelude) ? "rules" : "other"
    case "layer":
    case "supports":
    case "scope":
      return "rules"
    case "font-face":
      return "font"
    default:
      return "other"
  }
}

const withoutComments = (text: string): string =>
  text.includes("/*") ? text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, " ").trim() : text.trim()

const readDeclaration = (text: string): Declaration | undefined => {
  const colon = text.indexOf(":")
  if (colon < 1) return undefined
  const name = text.slice(0, colon).trim()
  const property = name.startsWith("--") ? name : name.toLowerCase()
  const value = text.slice(colon + 1).trim()
  if (value === "" || value.length > maxValue || !usedProperties.test(property)) return undefined
  const important = /!\s*important$/i.exec(value)
  return important === null
    ? { property, value, important: false }
    : { property, value: value.slice(0, important.index).trim(), important: true }
}

/** Splits at the commas that are not in brackets. */
const splitSelectors = (prelude: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let depth = 0
  let from = 0
  for (let at = 0; at <= prelude.length && found.length < maxSelectors; at++) {
    const char = prelude[at]
    if (char === "(" || char === "[") depth++
    else if (char === ")" || char === "]") depth--
    else if (char === undefined || (char === "," && depth === 0)) {
      const selector = prelude.slice(from, at).trim()
      if (selector !== "") found.push(selector)
      from = at + 1
    }
  }
  return found
}

const importOf = (text: string): string | undefined =>
  /^@import\s+(?:url\(\s*)?["']?([^"')\s]+)/i.exec(text)?.[1]?.slice(0, 2_000)

class Reader {
  readonly rules: Array<Rule> = []
  readonly fontFaces: Array<FontFace> = []
  readonly imports: Array<string> = []
  readonly #source: string
  readonly #blocks: Array<Block> = []
  /** Number of open blocks beyond the maximum nesting; their content is skipped. */
  #deeper = 0
  #parentheses = 0
  #from = 0
  #selectors: ReadonlyArray<string> = []
  #declarations: Array<Declaration> = []
  #variables = 0
  #font: { family?: string; weight?: string } = {}

  constructor(source: string) {
    this.#source = source
  }

  get #block(): Block {
    return this.#blocks.at(-1) ?? "rules"
  }

  /** Text between the last position and a bracket or semicolon. */
  #take(end: number, next: number): string {
    const text = end - this.#from > maxPrelude ? "" : withoutComments(this.#source.slice(this.#from, end))
    this.#from = next
    return text
  }

  readonly token = (type: number, start: number, end: number): void => {
    switch (type) {
      case tokenTypes.Comment:
        // A comment before a rule may be longer than `maxPrelude`.
        if (start - this.#from <= maxPrelude && this.#source.slice(this.#from, start).trim() === "") this.#from = end
        return
      case tokenTypes.Function:
      case tokenTypes.LeftParenthesis:
        this.#parentheses += 1
        return
      case tokenTypes.RightParenthesis:
        this.#parentheses = Math.max(0, this.#parentheses - 1)
        return
      case tokenTypes.Semicolon:
        if (this.#parentheses === 0) this.#end(this.#take(start, end))
        return
      case tokenTypes.LeftCurlyBracket:
        this.#open(this.#take(start, end))
        return
      case tokenTypes.RightCurlyBracket:
        this.#close(this.#take(start, end))
    }
  }

  #open(prelude: string): void {
    this.#parentheses = 0
    if (this.#blocks.length >= 32) {
      this.#deeper += 1
      return
    }
    const around = this.#block
    if (around !== "rules") this.#blocks.push("other")
    else if (prelude.startsWith("@")) this.#blocks.push(groupOf(prelude))
    else {
      this.#selectors = splitSelectors(prelude)
      this.#declarations = []
      this.#blocks.push("style")
    }
  }

  #end(text: string): void {
    if (this.#deeper > 0 || text === "") return
    if (this.#block === "rules") {
      const address = importOf(text)
      if (address !== undefined && this.imports.length < maxImports) this.imports.push(address)
    } else if (this.#block === "style") {
      const declaration = readDeclaration(text)
      if (declaration === undefined) return
      if (declaration.property.startsWith("--")) this.#variables += 1
      if (this.#variables <= maxVariables || !declaration.property.startsWith("--"))
        this.#declarations.push(declaration)
    } else if (this.#block === "font") {
      const [, name, value] = /^\s*font-(family|weight)\s*:\s*(.{1,200})$/i.exec(text) ?? []
      if (name !== undefined && value !== undefined)
        this.#font[name.toLowerCase() === "family" ? "family" : "weight"] = value
    }
  }

  #close(text: string): void {
    this.#parentheses = 0
    if (this.#deeper > 0) {
      this.#deeper -= 1
      return
    }
    this.#end(text)
    const block = this.#blocks.pop()
    if (block === "style" && this.#declarations.length > 0 && this.rules.length < maxRules) {
      this.rules.push({ selectors: this.#selectors, declarations: this.#declarations })
      this.#declarations = []
    }
    const { family, weight } = this.#font
    if (block === "font") {
      if (family !== undefined && this.fontFaces.length < maxFontFaces) this.fontFaces.push({ family, weight })
      this.#font = {}
    }
  }

  /** Closes the last rule of a style sheet that was cut. */
  finish(): Sheet {
    if (this.#block === "style" && this.#deeper === 0) this.#close(this.#take(this.#source.length, this.#source.length))
    return this
  }
}

/** Never fails: text that is not CSS has no rules. */
export const readSheet = (source: string): Sheet => {
  const reader = new Reader(source)
  tokenize(source, reader.token)
  return reader.finish()
}

/** Declarations of a `style` attribute. */
export const readInline = (style: string): ReadonlyArray<Declaration> =>
  readSheet(`x{${style.slice(0, maxPrelude)}}`).rules[0]?.declarations ?? []
