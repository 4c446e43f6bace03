/**
 * Finds sources for a field from examples: pages with the value of the field on each.
 *
 * Describes every place with an example's value in several ways, tries each way on all pages, and keeps those that return the examples'
 * values, with the one first that is most likely to survive a redesign of the pages.
 */

import * as Either from "effect/Either"
import type { FieldType } from "../../Api/PageData.ts"
import { type Element, isElement, isWithin, squeeze } from "../../Html/Element.ts"
import { sourceOf, type Written } from "../../Html/FieldRows.ts"
import { type Page, readField } from "../../Html/Fields.ts"
import { fold, isAddressAttribute, readAddress, readOwnText, readText } from "../../Html/FieldText.ts"
import { convert } from "../../Html/FieldValue.ts"
import { type Reliance, selectorsOf } from "../../Html/LearnSelectors.ts"
import { addSome, isObject } from "../../Html/Metadata.ts"
import { beginQueries } from "../../Html/Select.ts"
import { struck } from "../../Html/Tags.ts"
import { readDate } from "../../Values/Date.ts"
import { readNumber } from "../../Values/Number.ts"
import { readPrice } from "../../Values/Price.ts"
import { escapePattern } from "../../Values/Text.ts"

/** A page, or a row of it, with the value of the field: as text, or a number or day as written. */
export interface Example {
  readonly page: Page
  readonly element: Element
  /** Undefined for pages that only show what a source returns there. */
  readonly value: string | undefined
  /** Type of the field; if undefined, the value decides. */
  readonly type?: FieldType | undefined
}

/** Source that was tried on all examples. */
export interface Learned {
  /** Source as in a definition; a CSS selector alone gives text. */
  readonly source: string | Written
  readonly relies: Reliance | "data" | "meta" | "label"
  /** Lower is better. */
  readonly cost: number
  /** Result of the source on each example. */
  readonly given: ReadonlyArray<unknown>
  /** Number of examples whose value the source returns, out of `of` examples with a value. */
  readonly right: number
  readonly of: number
  /** Number of examples, with or without a value, on which the source returns something. */
  readonly filled: number
  /** True for text that is struck out, such as a former price. */
  readonly isStruck: boolean
}

interface Candidate {
  readonly source: Written
  readonly relies: Learned["relies"]
  readonly cost: number
  readonly isStruck?: boolean
}

/** Limits on the work for one field. */
const [maxExamples, maxPlaces, maxCandidates, maxKept] = [5, 12, 400, 8]

/** True if a value that was read equals the wanted one: same text, number or day. */
export const isSame = (given: unknown, wanted: string): boolean => {
  if (Array.isArray(given)) return given.length === 1 && isSame(given[0], wanted)
  if (typeof given === "boolean") return String(given) === wanted
  if (typeof given === "number") return given === Number(wanted) || given === readNumber(wanted, undefined)
  return typeof given === "string" && (fold(given) === fold(wanted) || given === wanted)
}

/** Number in the wanted text, which may be written as on pages (`1.299,00`); undefined if the text is not a number. */
const numberOf = (wanted: string): number | undefined => {
  const number = Number(wanted)
  if (wanted.trim() === "") return undefined
  return Number.isFinite(number) ? number : /^[\d.,'’\s]+$/.test(wanted) ? readNumber(wanted, undefined) : undefined
}

/** Types that turn `text` into the wanted value, simplest first; only the field's own type, if it has one. */
const typesFor = (
  text: string,
  wanted: string,
  { reading }: Page,
  type: FieldType | undefined
): ReadonlyArray<FieldType> => {
  if (type !== undefined) return isSame(convert(text, type, reading), wanted) ? [type] : []
  if (fold(text) === fold(wanted)) {
    const price = readPrice(text, undefined, reading.locale)
    return /\d/.test(text) && price?.currency != null ? ["text", "price"] : ["text"]
  }
  const number = numberOf(wanted)
  if (number !== undefined) {
    if (readPrice(text, undefined, reading.locale)?.amount === number) return ["price"]
    return readNumber(text, reading.locale) === number ? ["number"] : []
  }
  return /^\d{4}-\d\d-\d\d$/.test(wanted) && readDate(text, reading)?.day === wanted ? ["date"] : []
}

/** Cost of a text that says more than the value. Higher than the costs of selectors: such a text gives another number on the next page. */
const wordyCost = 20

/** True if text is a number with at most a currency and a unit: `7.00 €`, `7 km/h`, but not `Kettle 7`. */
const isOnlyNumber = (text: string, { reading }: Page): boolean => {
  const [, head = "", middle = "", tail = ""] = /^(\P{Nd}*)(.*\p{Nd})(.*)$/su.exec(text.trim()) ?? []
  if (/\p{L}/u.test(middle) || /\S\s+\S/.test(tail.trim())) return false
  if (!/\p{L}/u.test(head)) return true
  return !/\s/.test(head.trim()) && readPrice(text, undefined, reading.locale)?.currency != null
}

/** Extra cost of a source that reads a number out of this text. */
const costOfText = (text: string, { as }: Written, page: Page): number =>
  (as === "number" || as === "price") && !isOnlyNumber(text, page) ? wordyCost : 0

/** Maximum characters around a value that a pattern may contain. */
const maxAround = 30

/** Pattern that extracts the wanted value from text such as `by Jane Doe`; undefined if nothing constant is around it. */
const patternFor = (text: string, wanted: string): string | undefined => {
  const at = text.indexOf(wanted)
  if (at < 0 || wanted.length < 2) return undefined
  const [before, after] = [text.slice(0, at), text.slice(at + wanted.length)]
  if (before.length > maxAround || after.length > maxAround || !/[\p{L}:]/u.test(before + after)) return undefined
  if (/\d/.test(before + after)) return undefined
  return `^${escapePattern(before)}(.+)${escapePattern(after)}$`
}

/** The `as` key for a type; text needs none. */
const typed = (type: FieldType | undefined): Written => (type === undefined || type === "text" ? {} : { as: type })

/** Maximum length of text to search as a whole; longer texts are searched only through smaller elements. */
const maxText = 2_000

/** Place of a value: an element, the keys of a source, and their extra cost. */
type ValuePlace = readonly [element: Element, keys: Written, cost: number]

/** Elements below `root` whose text, own text or attribute gives the wanted value, cheapest first, and of these smallest first. */
const placesOf = ({ element: root, page, type: wantedType, value }: Example): ReadonlyArray<ValuePlace> => {
  const found: Array<ValuePlace> = []
  if (value === undefined) return found
  const add = (element: Element, keys: Written, text: string) =>
    found.push([element, keys, costOfText(text, keys, page)])
  beginQueries()
  const visit = (element: Element): boolean => {
    // If a descendant's text matches, skip this element's text: it is mostly the same. Its attributes are still tried.
    let isInside = false
    for (const child of element.children) if (isElement(child) && visit(child)) isInside = true
    if (found.length >= maxPlaces * 4) return true
    // The source `meta` covers values in the head of a page.
    const attributes = element.name === "meta" || element.name === "link" ? {} : element.attributes
    for (const [name, each] of Object.entries(attributes)) {
      if (name === "class" || name === "id" || name === "style" || each === undefined || each.length > maxText) continue
      const whole = isAddressAttribute(name) ? (page.urls.resolve(each) ?? each) : each
      const types = typesFor(whole, value, page, wantedType)
      const isOwnAddress = wantedType === "url" && readAddress(element, page.urls) === whole
      if (types.length > 0 && isOwnAddress) add(element, { as: "url" }, whole)
      else if (types.length > 0 || (each === value && wantedType === undefined))
        add(element, { attr: name, ...typed(types[0]) }, whole)
    }
    if (element.layout === "unseen" || isInside) return isInside
    const text = readText(element)
    if (text === "" || text.length > maxText) return false
    const types = typesFor(text, value, page, wantedType)
    for (const type of types) add(element, typed(type), text)
    // The elements around this one contain more text, so they are worse places.
    if (types.length > 0) return true
    const own = readOwnText(element)
    if (own !== text && own !== "")
      for (const type of typesFor(own, value, page, wantedType)) add(element, { own: true, ...typed(type) }, own)
    const isText = wantedType === undefined || wantedType === "text"
    const match = isText && text.length <= value.length + 2 * maxAround ? patternFor(text, value) : undefined
    if (match !== undefined) add(element, { match }, text)
    return false
  }
  visit(root)
  return found.sort(([, , one], [, , other]) => one - other).slice(0, maxPlaces)
}

/** Maximum length of a label. */
const maxLabel = 40

/** Elements that label the content next to them. */
const naming = new Set(["th", "dt", "label", "b", "strong", "legend", "caption"])

const isNaming = (node: Element | string): boolean =>
  /[:：]\s*$/.test(isElement(node) ? readText(node) : node) || (isElement(node) && naming.has(node.name))

/** Texts next to an element that may be its label. */
const labelsOf = (element: Element, scope: Element): ReadonlyArray<string> => {
  const texts: Array<string> = []
  for (let at: Element | undefined = element; at !== undefined && at !== scope && texts.length < 4; at = at.parent) {
    const siblings: ReadonlyArray<Element | string> = at.parent?.children ?? []
    const last = siblings
      .slice(0, siblings.indexOf(at))
      .filter((node) => isElement(node) || /\S/.test(node))
      .at(-1)
    if (last !== undefined && isNaming(last)) texts.push(isElement(last) ? readText(last) : squeeze(last))
  }
  const inside = /^([^:：]{2,40})[:：]/.exec(readText(element))?.[1]
  if (inside !== undefined) texts.push(inside)
  return texts
    .map((text) => text.replace(/\s*[:：]$/, ""))
    .filter((text) => text.length > 1 && text.length <= maxLabel && /\p{L}/u.test(text) && !/\d{2}/.test(text))
}

/** Paths of embedded data, such as `Product.offers.price`, with their values. */
const dataOf = ({ items }: Page): ReadonlyArray<readonly [path: string, value: string]> => {
  const found: Array<readonly [string, string]> = []
  const visit = (value: unknown, path: string, depth: number): void => {
    if (found.length >= maxCandidates * 5 || depth > 6) return
    if (typeof value === "string" || typeof value === "number") found.push([path, String(value)])
    else if (Array.isArray(value)) visit(value[0], path, depth + 1)
    else if (isObject(value))
      for (const [name, each] of Object.entries(value))
        if (!name.startsWith("@")) visit(each, `${path}.${name}`, depth + 1)
  }
  const open: Array<unknown> = items().flat()
  for (let at = 0; at < open.length && at < 1_000; at++) {
    const item = open[at]
    if (Array.isArray(item)) addSome(open, item, 1_000)
    if (!isObject(item)) continue
    const [type] = [item["@type"]].flat()
    if (typeof type === "string") visit(item, type.replace(/^.*[/#:]/, ""), 0)
    else
      addSome(
        open,
        Object.values(item).filter((each) => typeof each === "object"),
        1_000
      )
  }
  return found
}

const candidatesOf = (example: Example): ReadonlyArray<Candidate> => {
  const { element: scope, page, value } = example
  if (value === undefined) return []
  const found: Array<Candidate> = []
  const keysFor = (text: string): ReadonlyArray<Written> => typesFor(text, value, page, example.type).map(typed)
  if (scope === page.tree.root) {
    for (const [data, text] of dataOf(page))
      for (const keys of keysFor(text))
        found.push({
          source: { data, ...keys },
          relies: "data",
          cost: 1 + data.split(".").length / 10 + costOfText(text, keys, page)
        })
    for (const [meta, text] of Object.entries(page.metadata()))
      if (typeof text === "string")
        for (const keys of keysFor(text))
          found.push({ source: { meta, ...keys }, relies: "meta", cost: 2.6 + costOfText(text, keys, page) })
  }
  for (const [element, keys, wordy] of placesOf(example)) {
    const { attr, match, own } = keys
    const isStruck = isWithin(element, struck)
    const extra = wordy + (attr === undefined ? 0 : 0.3) + (match === undefined ? 0 : 1) + (own === undefined ? 0 : 0.5)
    for (const { cost, css, relies } of selectorsOf(element, scope))
      found.push({ source: { css, ...keys }, relies, cost: cost + extra, isStruck })
    if (attr !== undefined || own !== undefined) continue
    for (const label of labelsOf(element, scope)) {
      found.push({ source: { label, ...typed(keys.as) }, relies: "label", cost: 2.2, isStruck })
    }
  }
  return found
}

const plain = (source: Written): string | Written =>
  source.css !== undefined && Object.keys(source).length === 1 ? source.css : source

/** Sources that return the values of most examples, best first; none if no place on a page has such a value. */
export const learnField = (examples: ReadonlyArray<Example>): ReadonlyArray<Learned> => {
  const wanted = examples.filter(({ value }) => value !== undefined)
  const candidates = new Map<string, Candidate>()
  for (const example of wanted.slice(0, maxExamples))
    for (const each of candidatesOf(example)) {
      const key = JSON.stringify(each.source)
      const known = candidates.get(key)
      if (known === undefined || known.cost > each.cost) candidates.set(key, each)
    }
  const learned: Array<Learned> = []
  const inOrder = [...candidates.values()].sort((one, other) => one.cost - other.cost).slice(0, maxCandidates)
  for (const { cost, isStruck = false, relies, source } of inOrder) {
    if (learned.filter((each) => each.right === each.of && !each.isStruck).length >= maxKept) break
    const compiled = sourceOf("field", source)
    if (Either.isLeft(compiled)) continue
    const given = examples.map(({ element, page }) => readField(page, element, [compiled.right]))
    const right = examples.filter(({ value }, at) => value !== undefined && isSame(given[at], value)).length
    if (right === 0) continue
    const filled = given.filter((value) => value !== undefined).length
    // A value that is the same on all pages usually belongs to the site, not to the content of the page.
    const isConstant =
      filled > 1 &&
      new Set(given.filter((value) => value !== undefined).map((value) => JSON.stringify(value))).size === 1
    learned.push({
      source: plain(source),
      relies,
      cost: cost + (isConstant ? 5 : 0),
      given,
      right,
      of: wanted.length,
      filled,
      isStruck
    })
  }
  return learned.sort((one, other) => other.right - one.right || other.filled - one.filled || one.cost - other.cost)
}

/** True for sources that rely on classes or positions, which change first: they get a second source. */
export const isFragile = ({ relies }: Learned): boolean =>
  relies === "class" || relies === "build" || relies === "position"

/** A second source must cost less than this (`cost`): a worse one would hardly survive a redesign either. */
const maxSecond = 5

/** A second source that relies on something else and returns the same values. */
export const secondOf = ([first, ...others]: ReadonlyArray<Learned>): Learned | undefined =>
  first === undefined
    ? undefined
    : others.find(
        ({ cost, given, relies, right }) =>
          relies !== first.relies &&
          cost < maxSecond &&
          right === first.right &&
          given.every((value, at) => JSON.stringify(value) === JSON.stringify(first.given[at]))
      )
