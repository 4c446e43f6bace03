/** CSS cascade: the winning declarations of elements, by importance, specificity and order; and substitution of custom properties. */
import * as Either from "effect/Either"
import type { Element } from "../../Html/Element.ts"
import { parseSelector, type Test } from "../../Html/Select.ts"
import { type Declaration, type Rule, readInline } from "./StyleSheet.ts"

/** Declared values of an element by property, including custom properties. */
export type DeclaredStyle = ReadonlyMap<string, string>

/** Maximum distinct selectors parsed, selectors seen, and selectors matched against the elements. */
const maxParsedSelectors = 3_000
const maxSelectorsSeen = 200_000
const maxSelectorsTested = 3_000

const part = /([#.]?)((?:\\.|[\w-]|[^ -~\s])+)/g

/** Pseudo-classes and pseudo-elements that do not apply when the page is first shown. */
const stateful =
  /::|:(?:hover|focus|active|visited|target|checked|disabled|enabled|invalid|valid|placeholder|before|after|selection|first-line|first-letter|autofill|open|popover|fullscreen|backdrop|-webkit|-moz|-ms)/i

/** The last compound of a selector, without brackets: the part that the element itself must match. */
const subjectOf = (selector: string): string =>
  selector
    .replace(/\([^()]*\)|\[[^\]]*\]/g, "")
    .split(/[\s>]+/)
    .at(-1)
    ?.replace(/:[\w-]+/g, "") ?? ""

interface Names {
  readonly tags: ReadonlySet<string>
  readonly classes: ReadonlySet<string>
  readonly ids: ReadonlySet<string>
}

const namesOf = (elements: ReadonlyArray<Element>): Names => ({
  tags: new Set(elements.map(({ name }) => name)),
  classes: new Set(elements.flatMap(({ attributes }) => (attributes.class ?? "").split(/\s+/))),
  ids: new Set(elements.flatMap(({ attributes }) => attributes.id ?? []))
})

/** Fast check: false for most selectors that match none of the elements. */
const mayMatch = (selector: string, { classes, ids, tags }: Names): boolean => {
  if (selector.length > 300 || stateful.test(selector)) return false
  for (const [, sign, text] of subjectOf(selector).matchAll(part)) {
    const name = (text ?? "").replace(/\\(.)/g, "$1")
    if (sign === "." ? !classes.has(name) : sign === "#" ? !ids.has(name) : !tags.has(name.toLowerCase())) return false
  }
  return true
}

const specificityOf = (selector: string): number => {
  const plain = selector.replace(/:where\([^)]*\)/g, "")
  const ids = plain.match(/#[\w-]/g)?.length ?? 0
  const classes = plain.match(/\.[\w\\-]|\[|(?<!:):(?!not|is|where)[a-z]/gi)?.length ?? 0
  const tags = plain.match(/(?:^|[\s>(])[a-z]/gi)?.length ?? 0
  return Math.min(ids, 99) * 10_000 + Math.min(classes, 99) * 100 + Math.min(tags, 99)
}

interface Winner {
  readonly value: string
  readonly weight: number
}

const apply = (held: Map<string, Winner>, { important, property, value }: Declaration, specificity: number): void => {
  const weight = specificity + (important ? 10_000_000 : 0)
  const before = held.get(property)
  // If weights are equal, the later declaration wins.
  if (before === undefined || before.weight <= weight) held.set(property, { value, weight })
}

const inlineSpecificity = 1_000_000

/** Returns the declared style of each element. */
export const cascade = (
  rules: ReadonlyArray<Rule>,
  elements: ReadonlyArray<Element>
): ReadonlyMap<Element, DeclaredStyle> => {
  const names = namesOf(elements)
  const held = new Map(elements.map((element) => [element, new Map<string, Winner>()] as const))
  const tests = new Map<string, Test>()
  const testOf = (selector: string): Test | undefined => {
    const known = tests.get(selector)
    if (known !== undefined || tests.size >= maxParsedSelectors) return known
    const test = mayMatch(selector, names) ? Either.getOrUndefined(parseSelector(selector)) : undefined
    if (test !== undefined) tests.set(selector, test)
    return test
  }
  let seen = 0
  let tested = 0
  for (const { declarations, selectors } of rules) {
    for (const selector of selectors) {
      seen += 1
      if (seen > maxSelectorsSeen || tested > maxSelectorsTested) break
      const test = testOf(selector)
      if (test === undefined) continue
      tested += 1
      const specificity = specificityOf(selector)
      for (const [element, values] of held) {
        if (test(element)) for (const declaration of declarations) apply(values, declaration, specificity)
      }
    }
  }
  return new Map(
    [...held].map(([element, values]) => {
      const { style } = element.attributes
      if (style !== undefined)
        for (const declaration of readInline(style)) apply(values, declaration, inlineSpecificity)
      return [element, new Map([...values].map(([property, { value }]) => [property, value]))]
    })
  )
}

/** Maximum nesting of variables in variables; also ends circular references. */
const maxDepth = 12
const maxLength = 1_000
const maxSteps = 50

const closing = (text: string, from: number): number => {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === "(") depth++
    else if (text[at] === ")" && --depth === 0) return at
  }
  return -1
}

/** Replaces each `var(--name, fallback)` by its value; undefined if a variable has neither a value nor a fallback. */
export const substitute = (value: string, valueOf: (name: string) => string | undefined): string | undefined => {
  let steps = 0
  const put = (text: string, depth: number): string | undefined => {
    if (!text.includes("var(")) return text
    if (depth > maxDepth) return undefined
    let out = ""
    let rest = text
    for (let at = rest.indexOf("var("); at !== -1; at = rest.indexOf("var(")) {
      steps += 1
      const end = closing(rest, at)
      if (end === -1 || steps > maxSteps || out.length > maxLength) return undefined
      const inner = rest.slice(at + 4, end)
      const comma = inner.indexOf(",")
      const name = (comma === -1 ? inner : inner.slice(0, comma)).trim()
      const given = valueOf(name)
      const found = given === undefined ? undefined : put(given, depth + 1)
      const filled = found ?? (comma === -1 ? undefined : put(inner.slice(comma + 1).trim(), depth + 1))
      if (filled === undefined) return undefined
      out += rest.slice(0, at) + filled
      rest = rest.slice(end + 1)
    }
    return out.length + rest.length > maxLength ? undefined : out + rest
  }
  return put(value, 0)
}
