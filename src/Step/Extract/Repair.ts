/**
 * Finds new sources for the fields of an `extract` whose pages have changed: looks for the earlier values of the fields on the current
 * pages, and tests each source that finds them on all pages. Applies nothing.
 */
import * as Either from "effect/Either"
import { type Element, isElement } from "../../Html/Element.ts"
import { sourceOf, type Written } from "../../Html/FieldRows.ts"
import { type Page, readField } from "../../Html/Fields.ts"
import { readText } from "../../Html/FieldText.ts"
import { selectorsOf } from "../../Html/LearnSelectors.ts"
import { beginQueries, parseQuery } from "../../Html/Select.ts"
import type { Data } from "../../Row.ts"
import { type Example, isFragile, isSame, type Learned, learnField, secondOf } from "./Learn.ts"

/** A current page, and the rows that earlier came from its address. */
export interface KnownPage {
  readonly page: Page
  readonly rows: ReadonlyArray<Data>
}

type Sources = string | Written | ReadonlyArray<string | Written>

/** Settings of an `extract` step in its definition. */
export interface Extraction {
  /** Selector of the rows; undefined if each page is one row. */
  readonly rows?: string | undefined
  readonly fields: Readonly<Record<string, Sources>>
}

/** Comparison of the values that a source returns today with the earlier values. */
export interface Comparison {
  /** Number of earlier values. */
  readonly of: number
  readonly equal: number
  /** Number of values that differ by less than 20 % from the earlier number. */
  readonly near: number
  /** Number of rows with an earlier value for which the source returns any value today. */
  readonly given: number
}

export interface Proposal {
  readonly sources: Sources
  readonly comparison: Comparison
  /**
   * True if the source finds 90 % of the earlier values again (half of them exactly, numbers within 20 %), on at least three rows, and the
   * values are not all the same.
   */
  readonly isProved: boolean
}

export interface FieldReport {
  readonly name: string
  readonly now: Comparison
  readonly isBroken: boolean
  readonly proposal?: Proposal | undefined
  /** Without a proof: the element of the pages that is most like the one that gave the field earlier. */
  readonly nearest?: string | undefined
}

interface NewRows {
  readonly selector: string
  readonly found: number
  readonly before: number
}

export interface Report {
  /** New selector of the rows, if the current one finds too few; `lost` if none was found. */
  readonly rows?: NewRows | "lost" | undefined
  /** Number of earlier rows that were found again. */
  readonly matched: number
  readonly fields: ReadonlyArray<FieldReport>
}

const textOf = (value: unknown): string | undefined =>
  (typeof value === "string" && value !== "") || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined

const isNear = (given: unknown, wanted: string): boolean => {
  const before = Number(wanted)
  return typeof given === "number" && before !== 0 && Math.abs(given - before) < Math.abs(before) * 0.2
}

const compare = (given: ReadonlyArray<unknown>, wanted: ReadonlyArray<string | undefined>): Comparison => {
  const pairs = wanted.flatMap((value, at) => (value === undefined ? [] : [{ value, now: given[at] }]))
  const equal = pairs.filter(({ now, value }) => isSame(now, value)).length
  return {
    of: pairs.length,
    equal,
    near: pairs.filter(({ now, value }) => !isSame(now, value) && isNear(now, value)).length,
    given: pairs.filter(({ now }) => now !== undefined && now !== null).length
  }
}

/** A field is broken if it returns nothing for most of the earlier values, or none of the earlier values themselves. */
const isBroken = ({ equal, given, near, of }: Comparison): boolean =>
  of > 0 && (given < of / 2 || (of >= 3 && equal + near === 0))

/**
 * A field is suspicious if, of at least 3 earlier values, none is found unchanged, over a quarter differ (numbers: by 20 % or more), or
 * over a tenth are missing. It counts as broken if another source finds more of them.
 */
const isSuspicious = ({ equal, given, near, of }: Comparison): boolean =>
  of >= 3 && (equal === 0 || equal + near < of * 0.75 || given < of * 0.9)

const isProof = ({ equal, given, near, of }: Comparison, wanted: ReadonlyArray<string | undefined>): boolean =>
  of >= 3 &&
  given >= of * 0.9 &&
  equal + near >= of * 0.9 &&
  // Values that are neither equal nor near come from somewhere else: at most 5 % may.
  given - equal - near <= of * 0.05 &&
  equal >= of / 2 &&
  new Set(wanted.filter((value) => value !== undefined)).size > 1

interface Place {
  readonly page: Page
  readonly element: Element
  readonly before: Data
}

/** Number of a row's values that an element shows. */
const shownIn = (text: string, row: Data): number =>
  Object.values(row).filter((value) => {
    const wanted = textOf(value)
    return wanted !== undefined && wanted.length > 1 && text.includes(wanted)
  }).length

/** Assigns to each earlier row the element that shows most of its values. */
const matched = (page: Page, elements: ReadonlyArray<Element>, rows: ReadonlyArray<Data>): ReadonlyArray<Place> => {
  beginQueries()
  const texts = elements.map(readText)
  const free = new Set(elements.keys())
  return rows.flatMap((before) => {
    let [best, most] = [-1, 0]
    for (const at of free) {
      const shown = shownIn(texts[at] ?? "", before)
      if (shown > most) [best, most] = [at, shown]
    }
    const element = elements[best]
    if (element === undefined) return []
    free.delete(best)
    return [{ page, element, before }]
  })
}

/** Smallest element that shows most of a row's values, and how many it shows. */
const elementOf = (root: Element, row: Data): { readonly element: Element; readonly shown: number } | undefined => {
  beginQueries()
  let found: { readonly element: Element; readonly shown: number } | undefined
  const visit = (element: Element): void => {
    if (element.layout === "unseen") return
    const shown = shownIn(readText(element), row)
    if (shown < Math.max(1, found?.shown ?? 0)) return
    found = { element, shown }
    for (const child of element.children) if (isElement(child)) visit(child)
  }
  visit(root)
  return found
}

/** Maximum rows to learn a selector from, and selectors to try. */
const [maxLearned, maxTried] = [4, 300]

interface Candidate {
  readonly css: string
  readonly found: number
  readonly cost: number
}

/**
 * Checks how well a selector finds the earlier rows: undefined unless it finds from 80 to 125 % as many elements as there were rows, among
 * them at least 70 % of the rows, with 85 % of their values.
 */
const rowsBy = (
  { cost, css }: { readonly css: string; readonly cost: number },
  pages: ReadonlyArray<KnownPage>,
  before: number,
  wanted: number
): Candidate | undefined => {
  const query = parseQuery(css)
  if (Either.isLeft(query)) return undefined
  let [found, shown, right] = [0, 0, 0]
  for (const { page, rows } of pages) {
    beginQueries()
    const elements = query.right.all(page.tree.root, before * 2 + 10)
    if (found + elements.length > before * 1.25 + 1) return undefined
    if (elements.some(({ layout }) => layout === "unseen")) return undefined
    found += elements.length
    for (const place of matched(page, elements, rows)) {
      right += 1
      shown += shownIn(readText(place.element), place.before)
    }
  }
  return found >= before * 0.8 && found <= before * 1.25 + 1 && right >= before * 0.7 && shown >= right * wanted * 0.85
    ? { css, found, cost }
    : undefined
}

/** Minimum rows needed to confirm a selector. */
const minRows = 3

/** Selector that finds the earlier rows, as {@link rowsBy} decides; undefined without one. */
const learnRows = (pages: ReadonlyArray<KnownPage>): NewRows | undefined => {
  const before = pages.reduce((sum, { rows }) => sum + rows.length, 0)
  const known = pages.find(({ rows }) => rows.length > 1) ?? pages[0]
  if (known === undefined || before < minRows) return undefined
  const { root } = known.page.tree
  const tried = new Set<string>()
  const candidates: Array<Candidate> = []
  const places = known.rows.slice(0, maxLearned * 2).flatMap((row) => elementOf(root, row) ?? [])
  // A row that is gone matches only values that other rows have, too, so only the elements that show the most values count.
  const wanted = Math.max(0, ...places.map(({ shown }) => shown))
  for (const { element: inner, shown } of places.filter((place) => place.shown === wanted).slice(0, maxLearned))
    for (let element: Element | undefined = inner; element !== undefined && element !== root; element = element.parent)
      for (const each of selectorsOf(element, root)) {
        if (each.relies === "position" || tried.has(each.css) || tried.size >= maxTried) continue
        tried.add(each.css)
        const candidate = rowsBy(each, pages, before, shown)
        if (candidate !== undefined) candidates.push(candidate)
      }
  const surplus = ({ found }: Candidate) => Math.abs(found - before)
  const [best] = candidates.sort((one, other) => surplus(one) - surplus(other) || one.cost - other.cost)
  return best === undefined ? undefined : { selector: best.css, found: best.found, before }
}

const listOf = (sources: Sources): ReadonlyArray<string | Written> =>
  typeof sources === "string" || !Array.isArray(sources) ? [sources as string | Written] : sources

/** Settings of a field's source that stay when its location changes. */
const settingsOf = ([first]: ReadonlyArray<string | Written>): Partial<Written> => {
  if (typeof first !== "object") return {}
  const { default: fallback, locale, order, timezone } = first
  return JSON.parse(JSON.stringify({ default: fallback, locale, order, timezone }))
}

const withSettings = (source: string | Written, settings: Partial<Written>): string | Written =>
  Object.keys(settings).length === 0
    ? source
    : { ...(typeof source === "string" ? { css: source } : source), ...settings }

const repairField = (name: string, sources: Sources, places: ReadonlyArray<Place>): FieldReport | undefined => {
  const written = listOf(sources)
  // An expression reads other fields instead of the page, so it needs no new source.
  if (written.some((each) => typeof each === "object" && "expr" in each)) return undefined
  const compiled = Either.all(written.map((each) => sourceOf(name, each)))
  if (Either.isLeft(compiled)) return undefined
  const [first] = compiled.right
  if (first === undefined || first.fields !== undefined || first.all) return undefined
  const wanted = places.map(({ before }) => textOf(before[name]))
  const now = compare(
    places.map(({ element, page }) => readField(page, element, compiled.right)),
    wanted
  )
  if (!isBroken(now) && !isSuspicious(now)) return { name, now, isBroken: false }
  if (first.type === "exists") return { name, now, isBroken: isBroken(now) }
  const examples = places.map(
    ({ element, page }, at): Example => ({ element, page, value: wanted[at], type: first.type })
  )
  const learned = learnField(examples)
  const proposed = learned
    .map((each) => ({ each, comparison: compare(each.given, wanted) }))
    .sort((one, other) => rank(other.comparison) - rank(one.comparison) || one.each.cost - other.each.cost)
  // A struck-out former price equals the last good one where the price has changed: it proves nothing.
  const isValid = ({ comparison, each }: (typeof proposed)[number]) =>
    !each.isStruck && comparison.equal >= comparison.of / 2
  const best = proposed.find(isValid) ?? proposed[0]
  if (best === undefined || rank(best.comparison) <= rank(now)) return { name, now, isBroken: isBroken(now) }
  const proposal = proposalOf(best.each, learned, best.comparison, written, wanted)
  return { name, now, isBroken: true, proposal }
}

const rank = ({ equal, near }: Comparison): number => equal + near / 2

const proposalOf = (
  best: Learned,
  learned: ReadonlyArray<Learned>,
  comparison: Comparison,
  written: ReadonlyArray<string | Written>,
  wanted: ReadonlyArray<string | undefined>
): Proposal => {
  const settings = settingsOf(written)
  const second = secondOf([best, ...learned.filter((each) => each !== best)])
  const isAlone = second === undefined || !isFragile(best)
  return {
    sources: isAlone
      ? withSettings(best.source, settings)
      : [withSettings(best.source, settings), withSettings(second.source, settings)],
    comparison,
    isProved: isProof(comparison, wanted) && !best.isStruck
  }
}

/** Compares what the step returns today with the earlier rows, and proposes sources for broken fields. */
export const repair = (pages: ReadonlyArray<KnownPage>, { fields, rows }: Extraction): Report => {
  const query = rows === undefined ? undefined : Either.getOrUndefined(parseQuery(rows))
  const before = pages.reduce((sum, each) => sum + each.rows.length, 0)
  const foundBy = (selector: typeof query) =>
    pages.map(({ page }) => {
      beginQueries()
      return selector === undefined ? [page.tree.root] : selector.all(page.tree.root, 10_000)
    })
  let elements = foundBy(query)
  const isLost = query !== undefined && elements.flat().length < before / 2
  const learned = isLost ? learnRows(pages) : undefined
  if (learned !== undefined) elements = foundBy(Either.getOrUndefined(parseQuery(learned.selector)))
  const places = pages.flatMap(({ page, rows: known }, at) =>
    query === undefined
      ? known.slice(0, 1).map((each) => ({ page, element: page.tree.root, before: each }))
      : matched(page, elements[at] ?? [], known)
  )
  const reports = Object.entries(fields).flatMap(([name, sources]) => repairField(name, sources, places) ?? [])
  return { rows: isLost ? (learned ?? "lost") : undefined, matched: places.length, fields: reports }
}
