/** `:nth-child()` and its kin: every place among siblings is counted once, however many elements ask for it. */
import { type Element, isElement } from "./Element.ts"

/** Where an element stands, from 1: among all elements of its parent, and among those of its name. */
interface Place {
  readonly all: number
  readonly allFromEnd: number
  readonly named: number
  readonly namedFromEnd: number
}

const places = new WeakMap<Element, ReadonlyMap<Element, Place>>()

const count = (parent: Element): ReadonlyMap<Element, Place> => {
  const siblings = parent.children.filter(isElement)
  const totals = new Map<string, number>()
  for (const { name } of siblings) totals.set(name, (totals.get(name) ?? 0) + 1)
  const seen = new Map<string, number>()
  const counted = new Map<Element, Place>()
  for (const [at, element] of siblings.entries()) {
    const named = (seen.get(element.name) ?? 0) + 1
    seen.set(element.name, named)
    const total = totals.get(element.name) ?? named
    counted.set(element, { all: at + 1, allFromEnd: siblings.length - at, named, namedFromEnd: total - named + 1 })
  }
  return counted
}

const alone: Place = { all: 1, allFromEnd: 1, named: 1, namedFromEnd: 1 }

const placeOf = (element: Element): Place => {
  const { parent } = element
  if (parent === undefined) return alone
  const known = places.get(parent)
  const counted = known ?? count(parent)
  if (known === undefined) places.set(parent, counted)
  return counted.get(element) ?? alone
}

const formula = /^\s*(?:([+-]?\d*)n\s*(?:([+-])\s*(\d+)\s*)?|([+-]?\d+)\s*)$/i

/** `2n+1`, `odd`, `-n + 3`, `4` as a test of a place; undefined for what is none of these. */
const readRule = (text: string): ((place: number) => boolean) | undefined => {
  const word = text.trim().toLowerCase()
  const found = formula.exec(word === "even" ? "2n" : word === "odd" ? "2n+1" : text)
  if (found === null) return undefined
  const [, factor, sign, offset, fixed] = found
  if (fixed !== undefined) return (place) => place === Number(fixed)
  const step = factor === "" || factor === "+" ? 1 : factor === "-" ? -1 : Number(factor)
  const first = offset === undefined ? 0 : Number(offset) * (sign === "-" ? -1 : 1)
  if (step === 0) return (place) => place === first
  return (place) => (place - first) % step === 0 && (place - first) / step >= 0
}

const rules = {
  "nth-child": ({ all }: Place) => all,
  "nth-last-child": ({ allFromEnd }: Place) => allFromEnd,
  "nth-of-type": ({ named }: Place) => named,
  "nth-last-of-type": ({ namedFromEnd }: Place) => namedFromEnd
} as const

const isCounting = (name: string): name is keyof typeof rules => Object.hasOwn(rules, name)

/** Formulas that were read; they come from callers, so only so many are remembered. */
const known = new Map<string, (place: number) => boolean>()
const maxKnown = 1_000

const ruleOf = (text: string): ((place: number) => boolean) | undefined => {
  const rule = known.get(text) ?? readRule(text)
  if (rule === undefined) return undefined
  if (known.size >= maxKnown) known.clear()
  known.set(text, rule)
  return rule
}

/** Whether a pseudo-class counts places by something that is no formula. */
export const isMalformed = (name: string, data: unknown): boolean =>
  isCounting(name) && (typeof data !== "string" || ruleOf(data) === undefined)

const counting = (name: keyof typeof rules) => (element: Element, data?: string | null) =>
  ruleOf(data ?? "")?.(rules[name](placeOf(element))) ?? false

/** For css-select: those of its own pseudo-classes that look at all siblings for every element. */
export const pseudos = {
  "nth-child": counting("nth-child"),
  "nth-last-child": counting("nth-last-child"),
  "nth-of-type": counting("nth-of-type"),
  "nth-last-of-type": counting("nth-last-of-type"),
  "first-of-type": (element: Element) => placeOf(element).named === 1,
  "last-of-type": (element: Element) => placeOf(element).namedFromEnd === 1,
  "only-of-type": (element: Element) => placeOf(element).named + placeOf(element).namedFromEnd === 2
}
