/**
 * Finds sources of a field by examples: pages and the value that the field has on each of them.
 *
 * Every place where an example's value stands is described in several ways. Each way is tried on all pages, and those that give the
 * examples' values are kept: the one first that is likely to outlive a change of the pages' design.
 */

import * as Either from "effect/Either"
import type { FieldType } from "../../Api/PageData.ts"
import { type Element, isElement, squeeze } from "../../Html/Element.ts"
import { sourceOf, type Written } from "../../Html/FieldRows.ts"
import { type Page, readField } from "../../Html/Fields.ts"
import { isAddressAttribute, readAddress, readOwnText, readText } from "../../Html/FieldText.ts"
import { convert } from "../../Html/FieldValue.ts"
import { type Reliance, selectorsOf } from "../../Html/LearnSelectors.ts"
import { addSome, isObject } from "../../Html/Metadata.ts"
import { beginQueries } from "../../Html/Select.ts"
import { readDate } from "../../Values/Date.ts"
import { readNumber } from "../../Values/Number.ts"
import { readPrice } from "../../Values/Price.ts"
import { escapePattern } from "../../Values/Text.ts"

/** A page, or a row of it, and the value that the field has there: as text, or a number or day as it was written. */
export interface Example {
  readonly page: Page
  readonly element: Element
  /** Undefined on pages that only show what a source gives there. */
  readonly value: string | undefined
  /** Type of the field; without one, the value decides. */
  readonly type?: FieldType | undefined
}

/** A source that was tried on all examples. */
export interface Learned {
  /** As a definition has it; a CSS selector alone is a text. */
  readonly source: string | Written
  readonly relies: Reliance | "data" | "meta" | "label"
  /** Lower is better. */
  readonly cost: number
  /** What it gives on each example. */
  readonly given: ReadonlyArray<unknown>
  /** Examples with a value, and how many of them it gives as they are. */
  readonly right: number
  readonly of: number
  /** Examples of any kind on which it gives something. */
  readonly filled: number
}

interface Candidate {
  readonly source: Written
  readonly relies: Learned["relies"]
  readonly cost: number
}

/** Bounds on the work for one field. */
const [maxExamples, maxPlaces, maxCandidates, maxKept] = [5, 12, 400, 8]

const fold = (text: string): string => squeeze(text).toLowerCase()

/** True if a value that was read is the wanted one: the same text, number or day. */
export const isSame = (given: unknown, wanted: string): boolean => {
  if (Array.isArray(given)) return given.length === 1 && isSame(given[0], wanted)
  if (typeof given === "boolean") return String(given) === wanted
  if (typeof given === "number") return given === Number(wanted) || given === readNumber(wanted, undefined)
  return typeof given === "string" && (fold(given) === fold(wanted) || given === wanted)
}

/** The number that is wanted, also as a page writes it: `1.299,00`. */
const numberOf = (wanted: string): number | undefined => {
  const number = Number(wanted)
  if (wanted.trim() === "") return undefined
  return Number.isFinite(number) ? number : /^[\d.,'’\s]+$/.test(wanted) ? readNumber(wanted, undefined) : undefined
}

/** The types by which `text` becomes the wanted value, the plainest first; or only the type that the field has. */
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

/** Longest text around a value that a pattern may name. */
const maxAround = 30

/** The pattern that takes the wanted value out of `by Jane Doe`; undefined if nothing constant is around it. */
const patternFor = (text: string, wanted: string): string | undefined => {
  const at = text.indexOf(wanted)
  if (at < 0 || wanted.length < 2) return undefined
  const [before, after] = [text.slice(0, at), text.slice(at + wanted.length)]
  if (before.length > maxAround || after.length > maxAround || !/[\p{L}:]/u.test(before + after)) return undefined
  if (/\d/.test(before + after)) return undefined
  return `^${escapePattern(before)}(.+)${escapePattern(after)}$`
}

/** The key for a type; text needs none. */
const typed = (type: FieldType | undefined): Written => (type === undefined || type === "text" ? {} : { as: type })

/** Texts longer than this are searched as a part of their elements only. */
const maxText = 2_000

/** Elements below `root` whose text, own text or attribute gives the wanted value, the smallest first, with the keys of a source. */
const placesOf = ({
  element: root,
  page,
  type: wantedType,
  value
}: Example): ReadonlyArray<readonly [element: Element, keys: Written]> => {
  const found: Array<readonly [Element, Written]> = []
  if (value === undefined) return found
  beginQueries()
  const visit = (element: Element): boolean => {
    // The text of an element around a place is mostly the same one.
    let isInside = false
    for (const child of element.children) if (isElement(child) && visit(child)) isInside = true
    if (found.length >= maxPlaces * 4) return true
    // `meta` names the values in the head of a page.
    const attributes = element.name === "meta" || element.name === "link" ? {} : element.attributes
    for (const [name, each] of Object.entries(attributes)) {
      if (name === "class" || name === "id" || name === "style" || each === undefined || each.length > maxText) continue
      const whole = isAddressAttribute(name) ? (page.urls.resolve(each) ?? each) : each
      const types = typesFor(whole, value, page, wantedType)
      const isOwnAddress = wantedType === "url" && readAddress(element, page.urls) === whole
      if (types.length > 0 && isOwnAddress) found.push([element, { as: "url" }])
      else if (types.length > 0 || (each === value && wantedType === undefined))
        found.push([element, { attr: name, ...typed(types[0]) }])
    }
    if (element.layout === "unseen" || isInside) return isInside
    const text = readText(element)
    if (text === "" || text.length > maxText) return false
    const types = typesFor(text, value, page, wantedType)
    for (const type of types) found.push([element, typed(type)])
    // Elements around this one have other text as well, so they are no better place.
    if (types.length > 0) return true
    const own = readOwnText(element)
    if (own !== text && own !== "")
      for (const type of typesFor(own, value, page, wantedType)) found.push([element, { own: true, ...typed(type) }])
    const isText = wantedType === undefined || wantedType === "text"
    const match = isText && text.length <= value.length + 2 * maxAround ? patternFor(text, value) : undefined
    if (match !== undefined) found.push([element, { match }])
    return false
  }
  visit(root)
  return found.slice(0, maxPlaces)
}

/** Longest name of a label. */
const maxLabel = 40

/** Elements that name what stands beside them. */
const naming = new Set(["th", "dt", "label", "b", "strong", "legend", "caption"])

const isNaming = (node: Element | string): boolean =>
  /[:：]\s*$/.test(isElement(node) ? readText(node) : node) || (isElement(node) && naming.has(node.name))

/** Texts beside an element that may be its label. */
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

/** Paths of embedded data like `Product.offers.price`, with their values. */
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
        found.push({ source: { data, ...keys }, relies: "data", cost: 1 + data.split(".").length / 10 })
    for (const [meta, text] of Object.entries(page.metadata()))
      if (typeof text === "string")
        for (const keys of keysFor(text)) found.push({ source: { meta, ...keys }, relies: "meta", cost: 2.6 })
  }
  for (const [element, keys] of placesOf(example)) {
    const { attr, match, own } = keys
    const extra = (attr === undefined ? 0 : 0.3) + (match === undefined ? 0 : 1) + (own === undefined ? 0 : 0.5)
    for (const { cost, css, relies } of selectorsOf(element, scope))
      found.push({ source: { css, ...keys }, relies, cost: cost + extra })
    if (attr !== undefined || own !== undefined) continue
    for (const label of labelsOf(element, scope)) {
      found.push({ source: { label, ...typed(keys.as) }, relies: "label", cost: 2.2 })
    }
  }
  return found
}

const plain = (source: Written): string | Written =>
  source.css !== undefined && Object.keys(source).length === 1 ? source.css : source

/** The sources that give the values of most examples, the best first; none if no place of a page has such a value. */
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
  for (const { cost, relies, source } of inOrder) {
    if (learned.filter(({ of, right }) => right === of).length >= maxKept) break
    const compiled = sourceOf("field", source)
    if (Either.isLeft(compiled)) continue
    const given = examples.map(({ element, page }) => readField(page, element, [compiled.right]))
    const right = examples.filter(({ value }, at) => value !== undefined && isSame(given[at], value)).length
    if (right === 0) continue
    const filled = given.filter((value) => value !== undefined).length
    // The same on all pages is mostly a part of the site, not of what the page shows.
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
      filled
    })
  }
  return learned.sort((one, other) => other.right - one.right || other.filled - one.filled || one.cost - other.cost)
}

/** Classes and positions change first: such a source gets another one beside it. */
export const isFragile = ({ relies }: Learned): boolean =>
  relies === "class" || relies === "build" || relies === "position"

/** A second source has to be nearly as good as the first. */
const maxSecond = 5

/** A second source that relies on something else and gives the same values. */
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
