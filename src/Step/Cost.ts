/**
 * Costs of the calls of a step. Each step declares the goods that one call buys at most (of a job, one page), in one place:
 * `plan` prices a run with it, and a run reserves it before the call.
 */
import * as Context from "effect/Context"
import type { Good } from "../Api/Charges.ts"
import { type Fields, list, mapping, nameOf } from "./Requirements.ts"

export type { Good } from "../Api/Charges.ts"

/** Unit of each good in a price. */
export const unitOf: Readonly<Record<Good, string>> = {
  scrape: "page",
  crawlPage: "page",
  batchPage: "page",
  jsonFormat: "page read as JSON",
  parse: "file",
  map: "map",
  search: "ten results",
  searchZdr: "ten results",
  searchAnon: "ten results",
  crawlPreview: "preview",
  browser: "minute"
}

/** False for goods that have many pages or none. */
export const isPerPage = (good: Good): boolean => !/^(search|map)/.test(good)

/** Source of a price: the service's documentation, the local engine, or what earlier runs have paid. */
export type Basis = "documented" | "local" | "earlier"

export interface Rate {
  readonly credits: number
  readonly basis: Basis
}

/** The price of each good; undefined where it is unknown. */
export type PriceOf = (good: Good) => Rate | undefined

/** All that the documentation says about prices. */
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

/** The price list of the local engine. */
export const local =
  (prices: Readonly<Record<Good, number>>): PriceOf =>
  (good) => ({ credits: prices[good], basis: "local" })

/** True for the prices of Sluice's own engine, which makes formats that other services do not have. */
export const isOwnEngine = (rate: PriceOf): boolean => rate("scrape")?.basis === "local"

/** Prices of the service that answers: the documented ones, unless a client comes with its own list, as that of the local engine does. */
export class Tariff extends Context.Reference<Tariff>()("sluice/Step/Tariff", {
  defaultValue: (): { readonly rate: PriceOf } => ({ rate: documented })
}) {}

/** Goods of one call; a call may turn out to need fewer than `most`. */
export interface Item {
  readonly good: Good
  readonly least: number
  readonly most: number
}

export type Cost = ReadonlyArray<Item>

const exactly = (good: Good, amount: number): Item => ({ good, least: amount, most: amount })

/** JSON read by a model: by the format `json` (v1: `extract`), and once more by change tracking that compares JSON. */
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

/** One page or file, with what the formats of `options` cost beside it. */
export const page = (good: "scrape" | "crawlPage" | "batchPage" | "parse", options: Fields): Cost => [
  exactly(good, 1),
  ...readings(options)
]

export const one = (good: Good): Cost => [exactly(good, 1)]

/** The dearest kind that is asked for decides. */
const searchGood = (enterprise: unknown): Good => {
  const kinds = list(enterprise)
  return kinds.includes("zdr") ? "searchZdr" : kinds.includes("anon") ? "searchAnon" : "search"
}

/** Results of a search whose `limit` is not known before the run. */
const mostResults = 100

const limitOf = (limit: unknown, otherwise: number): number =>
  typeof limit === "number" ? limit : limit === undefined || limit === null ? otherwise : mostResults

/** The largest `limit` of any source that a search asks for; `wanted` is `--limit`. Undefined fields are not known yet. */
export const searchLimit = (fields: Fields, wanted = mostResults): number => {
  const { limit, sources } = mapping(fields)
  const own = fields === undefined ? mostResults : limitOf(limit, 10)
  return Math.min(Math.max(own, ...list(sources).map((source) => limitOf(mapping(source).limit, own))), wanted)
}

/** Results of a search at most, and those that have pages (web and news), where no source gives more than `cap`. */
export const searchResults = (fields: Fields, cap: number): { readonly results: number; readonly pages: number } => {
  const { limit, scrapeOptions, sources } = mapping(fields)
  if (fields === undefined) return { results: 3 * cap, pages: 2 * cap }
  const own = limitOf(limit, 10)
  // Sources that are not known before the run may be all three.
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

/** One search that asks each source for at most `cap` results. */
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

/** Credits of a call at most; undefined where a price is not known. */
export const mostCredits = (cost: Cost, rate: PriceOf): number | undefined => {
  let sum = 0
  for (const { good, most } of cost) {
    const price = most === 0 ? 0 : rate(good)?.credits
    if (price === undefined) return undefined
    sum += most * price
  }
  return sum
}

/** Credits of a call for sure, where it tells no price of its own; undefined where that is not known. */
export const sureCredits = (cost: Cost, rate: PriceOf): number | undefined => {
  const most = mostCredits(cost, rate)
  return cost.every(({ least, most }) => least === most) ? most : undefined
}
