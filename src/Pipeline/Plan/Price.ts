/** What things cost: told by the documentation, by the local engine or by earlier runs, and else unknown (pipelines 12, 20). */
import type { Count } from "./Count.ts"
import * as Counts from "./Count.ts"

/** What is paid for: pages, files, maps and previews one by one, searches for each ten results begun, sessions for each minute begun. */
export type Good =
  | "scrape"
  | "crawlPage"
  | "batchPage"
  | "parse"
  | "map"
  | "search"
  | "searchZdr"
  | "searchAnon"
  | "crawlPreview"
  | "browser"

/** Who says so: the service's documentation, the local engine, or what earlier runs have paid. */
export type Basis = "documented" | "local" | "earlier"

export interface Rate {
  readonly credits: number
  readonly basis: Basis
}

export type Tariff = (good: Good) => Rate | undefined

/** All that the documentation says about prices (spec 4.4). */
export const documented: Tariff = (good) => {
  switch (good) {
    case "searchZdr":
      return { credits: 10, basis: "documented" }
    case "searchAnon":
      return { credits: 2, basis: "documented" }
    default:
      return undefined
  }
}

export const unitOf: Readonly<Record<Good, string>> = {
  scrape: "page",
  crawlPage: "page",
  batchPage: "page",
  parse: "file",
  map: "map",
  search: "ten results",
  searchZdr: "ten results",
  searchAnon: "ten results",
  crawlPreview: "preview",
  browser: "minute"
}

/** Something that is bought, so and so often. */
export interface Purchase {
  readonly good: Good
  readonly amount: Count
  /** Undefined when nobody says what one costs. */
  readonly rate: Rate | undefined
}

/** Credits; `most` undefined means that nobody can say, and never that it costs nothing. */
export type Price = Count

/** What a purchase costs together. */
export const priceOf = ({ amount, rate }: Purchase): Price =>
  amount.most === 0
    ? Counts.none
    : rate === undefined
      ? Counts.upTo(undefined)
      : Counts.times(amount, Counts.exactly(rate.credits))

export const total = (purchases: ReadonlyArray<Purchase>): Price => Counts.sum(purchases.map(priceOf))
