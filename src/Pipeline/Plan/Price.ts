/** Price of a run, and how far its budget will last, before it starts. */
import * as Duration from "effect/Duration"
import { type Good, isPerPage, type Rate } from "../../Step/Cost.ts"
import * as Counts from "../../Step/Estimate.ts"
import { type Budget, limits } from "../Definition.ts"

type Count = Counts.Count

/** A number of goods bought by a run. */
export interface Purchase {
  readonly good: Good
  readonly amount: Count
  /** Undefined if the unit price is unknown. */
  readonly rate: Rate | undefined
}

/** Credits. An undefined `most` means unknown, never free. */
export type Price = Count

const priceOf = ({ amount, rate }: Purchase): Price =>
  amount.most === 0
    ? Counts.none
    : rate === undefined
      ? Counts.upTo(undefined)
      : Counts.times(amount, Counts.exactly(rate.credits))

export const total = (purchases: ReadonlyArray<Purchase>): Price => Counts.sum(purchases.map(priceOf))

/** Credits per page, if only pages cost anything and all have the same price. */
export const pagePriceOf = (purchases: ReadonlyArray<Purchase>): number | undefined => {
  const rates = new Set(purchases.map(({ good, rate }) => (isPerPage(good) ? rate?.credits : undefined)))
  return rates.size === 1 ? [...rates][0] : undefined
}

export interface Reach {
  readonly limit: (typeof limits)[number]
  /** The limit, in its own unit; milliseconds for `duration`. */
  readonly allowed: number
  /** Amount used by other runs of the day; known only for credits. */
  readonly used: number
  /** `never`: the whole run fits. `maybe`: it may fit, or this is unknown. `sure`: the run will stop at the limit. */
  readonly stops: "never" | "maybe" | "sure"
  /** `about`: pages read until this limit stops the run. `of`: the most pages it would read without the limit; undefined if unknown. */
  readonly pages?: { readonly about: number; readonly of: number | undefined } | undefined
}

export interface Spent {
  readonly price: Price
  /** Credits per page, if known and the same for all pages. */
  readonly pagePrice: number | undefined
  readonly pages: Count
  readonly requests: Count
  readonly rows: Count
}

const compare = ({ least, most }: Count, room: number): Reach["stops"] =>
  most !== undefined && most <= room ? "never" : least > room ? "sure" : "maybe"

/** Approximate number of pages that the credits pay for. */
const pagesFor = (credits: number, { pagePrice, pages, price }: Spent): number | undefined => {
  if (pagePrice !== undefined && pagePrice > 0) return Math.floor(credits / pagePrice)
  if (price.most === undefined || price.most === 0 || pages.most === undefined) return undefined
  return Math.floor((pages.most * credits) / price.most)
}

const reachOf = (limit: Reach["limit"], allowed: number, used: number, spent: Spent): Reach => {
  const room = Math.max(0, allowed - used)
  switch (limit) {
    case "credits": {
      const stops = compare(spent.price, room)
      const about = stops === "never" ? undefined : pagesFor(room, spent)
      const pages = about === undefined ? undefined : { about, of: spent.pages.most }
      return { limit, allowed, used, stops, pages }
    }
    case "pages": {
      const stops = compare(spent.pages, room)
      const pages = stops === "never" ? undefined : { about: room, of: spent.pages.most }
      return { limit, allowed, used, stops, pages }
    }
    case "calls":
      return { limit, allowed, used, stops: compare(spent.requests, room) }
    case "rows":
      return { limit, allowed, used, stops: compare(spent.rows, room) }
    default:
      return { limit, allowed, used, stops: "maybe" }
  }
}

export const reach = (budget: Budget, creditsToday: number, spent: Spent): ReadonlyArray<Reach> =>
  limits.flatMap((limit) => {
    const value = budget[limit]
    if (value === undefined) return []
    const allowed = Duration.isDuration(value) ? Duration.toMillis(value) : value
    return [reachOf(limit, allowed, limit === "credits" && budget.per === "day" ? creditsToday : 0, spent)]
  })
