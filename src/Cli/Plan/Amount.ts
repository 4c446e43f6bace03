/** Counts and prices of a plan as people read them. */
import type { Price, Purchase } from "../../Pipeline/Plan/Price.ts"
import { unitOf } from "../../Step/Cost.ts"
import type { Count } from "../../Step/Estimate.ts"

export const number = (value: number): string => Number(value.toFixed(2)).toLocaleString("en-US")

/** `38`, `≤ 500`, `10–20`, `≥ 1`, `?`. */
export const amount = ({ least, most }: Count): string => {
  if (most === undefined) return least === 0 ? "?" : `≥ ${number(least)}`
  if (least === most) return number(most)
  return least === 0 ? `≤ ${number(most)}` : `${number(least)}–${number(most)}`
}

export const counted = (value: Count, noun: string): string =>
  `${amount(value)} ${noun}${(value.most ?? value.least) === 1 ? "" : "s"}`

/** Credits, as far as anybody can tell; never 0 for what is not known. */
export const credits = (price: Price, purchases: ReadonlyArray<Purchase>): string => {
  if (purchases.length === 0) return ""
  if (purchases.some(({ rate }) => rate === undefined)) return price.least > 0 ? `≥ ${number(price.least)}` : "unknown"
  const about = purchases.some(({ rate }) => rate?.basis === "earlier") ? "≈ " : ""
  const [only] = purchases
  if (price.most === undefined && purchases.length === 1 && only?.rate !== undefined) {
    return `${about}${number(only.rate.credits)} a ${unitOf[only.good]}`
  }
  return `${about}${amount(price)}`
}
