/** Estimates how far a budget reaches before the run starts. */
import * as Duration from "effect/Duration"
import { type Budget, limits } from "../Budget.ts"
import type { Count } from "./Count.ts"
import type { Price } from "./Price.ts"

export interface Reach {
  readonly limit: (typeof limits)[number]
  /** In the unit of the limit; milliseconds for the duration. */
  readonly allowed: number
  /** What other runs of the day have used of it already; only credits are known by the day. */
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
