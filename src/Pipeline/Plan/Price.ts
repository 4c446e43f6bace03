/** The price of a run: what it buys, and what one of each costs as far as that is known. */
import { documented, type Good, type PriceOf, type Rate } from "../../Step/Cost.ts"
import type { Count } from "./Count.ts"
import * as Counts from "./Count.ts"

export type { Good, Rate }
export { documented }
export type Tariff = PriceOf

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

/** Something that is bought, so and so often. */
export interface Purchase {
  readonly good: Good
  readonly amount: Count
  /** Undefined when the price of one is unknown. */
  readonly rate: Rate | undefined
}

/** Credits; an undefined `most` means unknown, never free. */
export type Price = Count

/** What a purchase costs together. */
export const priceOf = ({ amount, rate }: Purchase): Price =>
  amount.most === 0
    ? Counts.none
    : rate === undefined
      ? Counts.upTo(undefined)
      : Counts.times(amount, Counts.exactly(rate.credits))

export const total = (purchases: ReadonlyArray<Purchase>): Price => Counts.sum(purchases.map(priceOf))
