/** Parses a style sheet, and keeps the rules, fonts and imports that branding needs, within limits. */
import type { CssNodePlain, DeclarationPlain, Raw } from "css-tree"
import parse from "css-tree/parser"
import * as Either from "effect/Either"

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
  /** URLs as written. */
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

/** At-rules whose rules apply when the page is first shown. */
const groups = new Set(["layer", "supports", "scope"])

const unusualMedia =
  /\b(?:print|speech|prefers-color-scheme\s*:\s*dark|prefers-reduced-motion|prefers-contrast|forced-colors|max-width)\b|width\s*<|not\s+all/i

/** False if every media query of the list is for a special case, such as print, dark mode or a narrow window. */
export const isUsual = (queries: string): boolean => queries.split(",").some((query) => !unusualMedia.test(query))

const withoutComments = (text: string): string =>
  text.includes("/*") ? text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, " ").trim() : text.trim()

const textOf = (node: CssNodePlain | Raw | null): string => (node?.type === "Raw" ? withoutComments(node.value) : "")

const readDeclaration = ({ important, property, value }: DeclarationPlain): ReadonlyArray<Declaration> => {
  const text = textOf(value)
  const name = property.startsWith("--") ? property : property.toLowerCase()
  return text === "" || text.length > maxValue || !usedProperties.test(name)
    ? []
    : [{ property: name, value: text, important: Boolean(important) }]
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

const importOf = (prelude: string): string | undefined =>
  /^(?:url\(\s*)?["']?([^"')\s]+)/i.exec(prelude)?.[1]?.slice(0, 2_000)

class Reader {
  readonly rules: Array<Rule> = []
  readonly fontFaces: Array<FontFace> = []
  readonly imports: Array<string> = []
  #variables = 0

  read(nodes: ReadonlyArray<CssNodePlain>): void {
    for (const node of nodes) {
      if (node.type === "Rule") this.#style(textOf(node.prelude), node.block.children)
      else if (node.type === "Atrule") this.#at(node.name.toLowerCase(), textOf(node.prelude), node.block?.children)
    }
  }

  #at(name: string, prelude: string, block: ReadonlyArray<CssNodePlain> | undefined): void {
    if (name === "import") {
      const address = importOf(prelude)
      if (address !== undefined && this.imports.length < maxImports) this.imports.push(address)
    } else if (block !== undefined && name === "font-face") this.#font(block)
    else if (block !== undefined && (groups.has(name) || (name === "media" && isUsual(prelude)))) this.read(block)
  }

  #style(prelude: string, block: ReadonlyArray<CssNodePlain>): void {
    if (prelude.length > maxPrelude || this.rules.length >= maxRules) return
    const declarations = block
      .flatMap((node) => (node.type === "Declaration" ? readDeclaration(node) : []))
      .filter(({ property }) => !property.startsWith("--") || ++this.#variables <= maxVariables)
    if (declarations.length > 0) this.rules.push({ selectors: splitSelectors(prelude), declarations })
  }

  #font(block: ReadonlyArray<CssNodePlain>): void {
    const valueOf = (name: string) => {
      const found = block.find((node) => node.type === "Declaration" && node.property.toLowerCase() === name)
      return found?.type === "Declaration" ? textOf(found.value).slice(0, 200) : undefined
    }
    const family = valueOf("font-family")
    if (family !== undefined && this.fontFaces.length < maxFontFaces) {
      this.fontFaces.push({ family, weight: valueOf("font-weight") })
    }
  }
}

const options = { parseAtrulePrelude: false, parseRulePrelude: false, parseValue: false, list: false } as const

/** Parses a style sheet; never fails. Text that is not CSS, or that is nested too deep for the parser, gives a sheet without rules. */
export const readSheet = (source: string): Sheet => {
  const reader = new Reader()
  const tree = Either.try(() => parse(source, options))
  if (Either.isRight(tree) && tree.right.type === "StyleSheet") reader.read(tree.right.children)
  return reader
}

/** Declarations of a `style` attribute. */
export const readInline = (style: string): ReadonlyArray<Declaration> =>
  readSheet(`x{${style.slice(0, maxPrelude)}}`).rules[0]?.declarations ?? []
