/** `sluice extract --want`: learns fields from values shown on a page, and reports what the same sources give on the other pages. */
import * as Either from "effect/Either"
import { descendantsOf, type Element, isWithin } from "../../Html/Element.ts"
import type { Written } from "../../Html/FieldRows.ts"
import { type Page as OpenPage, openPage, parsePage } from "../../Html/Fields.ts"
import { readAmountText, readText } from "../../Html/FieldText.ts"
import { bounded, parseQuery } from "../../Html/Select.ts"
import { struck } from "../../Html/Tags.ts"
import { type Example, isFragile, type Learned, learnField, secondOf } from "../../Step/Extract/Learn.ts"
import { readPrice } from "../../Values/Price.ts"
import { count } from "../Format.ts"
import type { Definition } from "./Definition.ts"
import type { Page } from "./Pages.ts"

/** A field to learn from its value. */
export interface Wanted {
  readonly name: string
  /** Value on each page; undefined if it is not known. */
  readonly values: ReadonlyArray<string | undefined>
}

/** The number in a price like `$10.49`, provided that it has a currency; otherwise the text itself. */
const amountOf = (text: string): string => {
  const price = onlyPrice.test(text) ? readPrice(text) : undefined
  return price?.currency == null ? text : String(price.amount)
}

/** An amount with a currency sign or code, and nothing else. */
const onlyPrice = /^(?:(?:\p{L}{0,3}\p{Sc}|[A-Z]{3})\s?\d[\d.,'\s]*|\d[\d.,'\s]*(?:\p{Sc}|[A-Z]{3}))$/u

/** Parses the values of `--want`: the n-th value of a name belongs to the n-th page. */
export const readWanted = (
  given: ReadonlyArray<string>,
  pages: number
): Either.Either<ReadonlyArray<Wanted>, string> => {
  const wanted = new Map<string, Array<string>>()
  for (const word of given) {
    const at = word.indexOf("=")
    const name = word.slice(0, at).trim()
    const value = amountOf(word.slice(at + 1).trim())
    if (at < 1 || value === "") return Either.left(`--want takes NAME=VALUE, got "${word}"`)
    wanted.set(name, [...(wanted.get(name) ?? []), value])
  }
  const [surplus] = [...wanted].filter(([, values]) => values.length > pages)
  if (surplus !== undefined) {
    const [name, values] = surplus
    return Either.left(
      `--want has ${values.length} values of ${name} for ${count(pages, "page")}: give one for each page, in their order`
    )
  }
  return Either.right([...wanted].map(([name, values]) => ({ name, values })))
}

/** Sources found for a field: the best one, and another one that agrees with it; undefined if there is none. */
export interface Found {
  readonly name: string
  readonly best: Learned | undefined
  readonly second: Learned | undefined
  /** Number of pages, or of rows on them, on which the sources were tried. */
  readonly tried: number
}

/** The elements in which values are searched: the pages, or the rows of each page. */
const scopesOf = (
  pages: ReadonlyArray<OpenPage>,
  rows: string | undefined
): Either.Either<ReadonlyArray<ReadonlyArray<Omit<Example, "value">>>, string> => {
  if (rows === undefined) return Either.right(pages.map((page) => [{ page, element: page.tree.root }]))
  return Either.map(parseQuery(rows), (query) =>
    pages.map((page) => query.all(page.tree.root, maxRows).map((element) => ({ page, element })))
  )
}

/** Maximum rows per page on which sources are tried. */
const maxRows = 200

/** Learns each field; the left side is the reason if that is not possible. */
export const learn = (
  pages: ReadonlyArray<Page>,
  wanted: ReadonlyArray<Wanted>,
  rows: string | undefined,
  now: number
): Either.Either<ReadonlyArray<Found>, string> => {
  const open = pages.map(({ html, url }) => openPage(parsePage(html, url), {}, now))
  return Either.flatMap(scopesOf(open, rows), (scopes) => {
    const known = pages.map(({ name, status }) =>
      status === undefined || status < 400 ? name : `${name} (which answered ${status})`
    )
    if (scopes.flat().length === 0) return Either.left(`--rows ${rows} matches nothing on ${known.join(", ")}`)
    return bounded(() =>
      wanted.map(({ name, values }) => {
        const examples = scopes.flatMap((own, at) => examplesOf(own, values[at]))
        const learned = learnField(examples)
        return { name, best: learned[0], second: secondOf(learned), tried: examples.length }
      })
    )
  })
}

/** Pairs the rows of each page with the wanted value. If a page has several rows, only the first one that contains the value gets it. */
const examplesOf = (
  scopes: ReadonlyArray<Omit<Example, "value">>,
  value: string | undefined
): ReadonlyArray<Example> => {
  if (value === undefined || scopes.length < 2) return scopes.map((scope) => ({ ...scope, value }))
  const shows = scopes.findIndex((scope) => learnField([{ ...scope, value }]).length > 0)
  return scopes.map((scope, at) => ({ ...scope, value: at === shows ? value : undefined }))
}

const sourcesOf = ({ best, second }: Found): string | Written | ReadonlyArray<string | Written> | undefined =>
  best === undefined || second === undefined || !isFragile(best) ? best?.source : [best.source, second.source]

/** The step that extracts the found fields. */
export const definitionOf = (found: ReadonlyArray<Found>, rows: string | undefined): Definition => ({
  rows,
  fields: Object.fromEntries(
    found.flatMap((each) => {
      const sources = sourcesOf(each)
      return sources === undefined ? [] : [[each.name, sources] as const]
    })
  ),
  // A field that had a value everywhere is required: if it breaks later, rows are rejected instead of written with an empty column.
  required: found.flatMap(({ best, name, tried }) => (best !== undefined && best.filled === tried ? [name] : []))
})

const reasons: Readonly<Record<Learned["relies"], string>> = {
  attribute: "by an attribute that identifies it",
  id: "by its id",
  tag: "by its element",
  class: "by the name of a class",
  build: "by a class that the site's build generates: the next release of the site may break it",
  position: "by its position: it breaks as soon as the page changes",
  data: "from the structured data of the page",
  meta: "from a meta element",
  label: "by its label"
}

/** Describes how reliable a source is, and why: `right on 2 of 2, a value on 3 of 3 pages; by its label`. */
export const sureness = ({ best, second, tried }: Found, unit: string): string => {
  if (best === undefined) return "no element has this value: give it exactly as the page shows it"
  const right = `right on ${best.right} of ${best.of}`
  const filled = `a value on ${best.filled} of ${tried} ${unit}${tried === 1 ? "" : "s"}`
  const agrees = second === undefined ? "" : `; ${JSON.stringify(second.source)} gives the same value`
  return `${right}, ${filled}; ${reasons[best.relies]}${agrees}`
}

/** Elements whose prices are not the product's price: old prices, and navigation. */
const besides = new Set([...struck, "nav", "header", "footer", "aside"])

/** Maximum prices on a product's page; a page with more is a list. */
const maxPrices = 8

/** Names of the elements around an element: equal for prices in a list. */
const pathOf = (element: Element): string => {
  const names: Array<string> = []
  for (let each: Element | undefined = element; each !== undefined; each = each.parent) names.push(each.name)
  return names.join(" ")
}

/**
 * Finds the heading and the price on a page whose data states no product, and the step that extracts them; undefined unless both are found.
 */
export const productOnPage = (page: Page, now: number) => {
  const elements = descendantsOf(parsePage(page.html, page.url).tree.root)
  const at = elements.findIndex(({ name }) => name === "h1")
  const heading = elements[at]
  const shown = elements.slice(at + 1).filter((element) => onlyPrice.test(readAmountText(element).trim()))
  // Counts only the innermost elements: otherwise an element around a price would count as a second price.
  const around = new Set(shown.map(({ parent }) => parent))
  const prices = shown.filter((element) => !around.has(element) && !isWithin(element, besides))
  const [first, second] = prices
  if (first !== undefined && second !== undefined && pathOf(first) === pathOf(second)) return undefined
  const text = first && readAmountText(first).trim()
  const title = heading && readText(heading)
  if (text === undefined || title === undefined || title === "" || prices.length > maxPrices) return undefined
  const wanted = [
    { name: "title", values: [title] },
    { name: "price", values: [amountOf(text)] }
  ]
  const found = Either.getOrUndefined(learn([page], wanted, undefined, now))
  if (found === undefined || found.some(({ best }) => best === undefined)) return undefined
  return { text: `${title}, ${text}`, definition: definitionOf(found, undefined) }
}
