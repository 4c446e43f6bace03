/**
 * Costs of a step's calls. Each step declares, in one place, the goods that one call buys at most (for a job, one page): `plan` prices a
 * run with it, and a run reserves it before the call.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Good } from "../Api/Charges.ts"
import { type Fields, list, mapping, nameOf } from "./Requirements.ts"

export type { Good } from "../Api/Charges.ts"

interface Unit {
  /** Unit in which the good is priced. */
  readonly unit: string
  /** True if one page or file buys one of it; searches and maps have many pages or none. */
  readonly isPerPage: boolean
}

const units: Readonly<Record<Good, Unit>> = {
  scrape: { unit: "page", isPerPage: true },
  crawlPage: { unit: "page", isPerPage: true },
  batchPage: { unit: "page", isPerPage: true },
  jsonFormat: { unit: "page read as JSON", isPerPage: true },
  parse: { unit: "file", isPerPage: true },
  map: { unit: "map", isPerPage: false },
  search: { unit: "ten results", isPerPage: false },
  searchZdr: { unit: "ten results", isPerPage: false },
  searchAnon: { unit: "ten results", isPerPage: false },
  crawlPreview: { unit: "preview", isPerPage: false },
  browser: { unit: "minute", isPerPage: false }
}

export const unitOf = (good: Good): string => units[good].unit

export const isPerPage = (good: Good): boolean => units[good].isPerPage

/** Source of a price: the service's documentation, the local engine, or payments of earlier runs. */
export type Basis = "documented" | "local" | "earlier"

export interface Rate {
  readonly credits: number
  readonly basis: Basis
}

/** Returns the price of a good; undefined if unknown. */
export type PriceOf = (good: Good) => Rate | undefined

/** Prices as far as the documentation states them. */
export const documented: PriceOf = (good) => {
  switch (good) {
    case "searchZdr":
      return { credits: 10, basis: "documented" }
    case "searchAnon":
      return { credits: 2, basis: "documented" }
    default:
      return undefined
  }
}

/** Price list of the local engine. */
export const local =
  (prices: Readonly<Record<Good, number>>): PriceOf =>
  (good) => ({ credits: prices[good], basis: "local" })

/** True for the prices of Sluice's own engine, which supports formats that other services do not have. */
export const isOwnEngine = (rate: PriceOf): boolean => rate("scrape")?.basis === "local"

/** Prices of the current service: the documented ones, unless the client has its own list, as the local engine's has. */
export class Tariff extends Context.Reference<Tariff>()("sluice/Step/Tariff", {
  defaultValue: (): { readonly rate: PriceOf } => ({ rate: documented })
}) {}

/** Amount of a good that one call buys; the call may need fewer than `most`. */
export interface Item {
  readonly good: Good
  readonly least: number
  readonly most: number
}

export type Cost = ReadonlyArray<Item>

const exactly = (good: Good, amount: number): Item => ({ good, least: amount, most: amount })

/** Cost of a model that reads the page: once for the format `json` (v1: `extract`), and again for change tracking that compares JSON. */
const readings = (options: Fields): Cost => {
  const formats = list(mapping(options).formats)
  const names = formats.map(nameOf)
  const asked = names.includes("json") || names.includes("extract") ? 1 : 0
  const tracked = formats.some((format) => {
    const { modes } = mapping(format)
    return nameOf(format) === "changeTracking" && list(modes).includes("json")
  })
  const most = asked + (tracked ? 1 : 0)
  return most === 0 ? [] : [{ good: "jsonFormat", least: 0, most }]
}

/** Cost of one page or file, including the formats in `options`. */
export const page = (good: "scrape" | "crawlPage" | "batchPage" | "parse", options: Fields): Cost => [
  exactly(good, 1),
  ...readings(options)
]

export const one = (good: Good): Cost => [exactly(good, 1)]

/** Good that a search buys: the most expensive requested kind decides. */
const searchGood = (enterprise: unknown): Good => {
  const kinds = list(enterprise)
  return kinds.includes("zdr") ? "searchZdr" : kinds.includes("anon") ? "searchAnon" : "search"
}

/** Maximum results of a search whose `limit` is unknown before the run. */
const mostResults = 100

const limitOf = (limit: unknown, otherwise: number): number =>
  typeof limit === "number" ? limit : limit === undefined || limit === null ? otherwise : mostResults

/** Largest `limit` among the sources of a search; `wanted` is `--limit`. Undefined fields are not known yet. */
export const searchLimit = (fields: Fields, wanted = mostResults): number => {
  const { limit, sources } = mapping(fields)
  const own = fields === undefined ? mostResults : limitOf(limit, 10)
  return Math.min(Math.max(own, ...list(sources).map((source) => limitOf(mapping(source).limit, own))), wanted)
}

/** Maximum results of a search, and how many of them have pages (web and news), if no source returns more than `cap`. */
export const searchResults = (fields: Fields, cap: number): { readonly results: number; readonly pages: number } => {
  const { limit, scrapeOptions, sources } = mapping(fields)
  if (fields === undefined) return { results: 3 * cap, pages: 2 * cap }
  const own = limitOf(limit, 10)
  // Sources that are unknown before the run may be all three.
  const asked = Array.isArray(sources) ? sources : sources === undefined ? ["web"] : ["web", "news", "images"]
  let results = 0
  let pages = 0
  for (const source of asked) {
    const most = Math.min(limitOf(mapping(source).limit, own), cap)
    results += most
    if (nameOf(source) !== "images") pages += most
  }
  return { results, pages: list(mapping(scrapeOptions).formats).length === 0 ? 0 : pages }
}

/** Cost of one search that requests at most `cap` results from each source. */
export const search = (fields: Fields, cap: number): Cost => {
  const { enterprise, scrapeOptions } = mapping(fields)
  const { pages, results } = searchResults(fields, cap)
  return [
    { good: searchGood(enterprise), least: 0, most: Math.ceil(results / 10) },
    ...(pages === 0
      ? []
      : page("scrape", scrapeOptions).map(({ good, most }): Item => ({ good, least: 0, most: most * pages })))
  ]
}

/** Maximum credits of a call; undefined if a price is unknown. */
export const mostCredits = (cost: Cost, rate: PriceOf): number | undefined => {
  let sum = 0
  for (const { good, most } of cost) {
    const price = most === 0 ? 0 : rate(good)?.credits
    if (price === undefined) return undefined
    sum += most * price
  }
  return sum
}

/**
 * Warns once per step that neither the service nor the price list gives the price of a call or job. The run counts such calls as unpriced.
 */
export const warnOfPrice = (warnOnce: (matter: string, message: string) => Effect.Effect<void>): Effect.Effect<void> =>
  warnOnce(
    "price",
    "the service does not report the cost of its calls, and no price is known: the credits of the run do not include them, and `budget.credits` cannot count them; `budget.pages` can"
  )

/** Certain credits of a call that does not report its own price; undefined if they are not certain. */
export const sureCredits = (cost: Cost, rate: PriceOf): number | undefined => {
  const most = mostCredits(cost, rate)
  return cost.every(({ least, most }) => least === most) ? most : undefined
}
