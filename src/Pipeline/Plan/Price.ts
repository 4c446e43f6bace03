/** Price of a run, and how far its budget reaches, before it starts. */
import * as Duration from "effect/Duration"
import { type Good, isPerPage, type Rate } from "../../Step/Cost.ts"
import * as Counts from "../../Step/Estimate.ts"
import { type Budget, limits } from "../Definition.ts"

type Count = Counts.Count

/** A number of goods that a run buys. */
export interface Purchase {
  readonly good: Good
  readonly amount: Count
  /** Undefined when the price of one is unknown. */
  readonly rate: Rate | undefined
}

/** Credits; an undefined `most` means unknown, never free. */
export type Price = Count

const priceOf = ({ amount, rate }: Purchase): Price =>
  amount.most === 0
    ? Counts.none
    : rate === undefined
      ? Counts.upTo(undefined)
      : Counts.times(amount, Counts.exactly(rate.credits))

export const total = (purchases: ReadonlyArray<Purchase>): Price => Counts.sum(purchases.map(priceOf))

/** Credits of a page, when all that costs something are pages of one price. */
export const pagePriceOf = (purchases: ReadonlyArray<Purchase>): number | undefined => {
  const rates = new Set(purchases.map(({ good, rate }) => (isPerPage(good) ? rate?.credits : undefined)))
  return rates.size === 1 ? [...rates][0] : undefined
}

export interface Reach {
  readonly limit: (typeof limits)[number]
  /** In the unit of the limit; milliseconds for the duration. */
  readonly allowed: number
  /** Amount that other runs of the day have used. Known only for credits. */
  readonly used: number
  /** `never`: all of the run fits. `maybe`: it may fit, or that is unknown. `sure`: it stops. */
  readonly stops: "never" | "maybe" | "sure"
  /** About so many pages are read when it stops, of so many at most. */
  readonly pages?: { readonly about: number; readonly of: number | undefined } | undefined
}

export interface Spent {
  readonly price: Price
  /** Credits of a page, when all pages cost the same and that is known. */
  readonly pagePrice: number | undefined
  readonly pages: Count
  readonly requests: Count
  readonly rows: Count
}

const compare = ({ least, most }: Count, room: number): Reach["stops"] =>
  most !== undefined && most <= room ? "never" : least > room ? "sure" : "maybe"

/** About how many pages the credits pay for. */
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
