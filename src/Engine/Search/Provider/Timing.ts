/** The time filter in the forms in which providers take it. */
import type { Wish } from "../Provider.ts"

export type Unit = "h" | "d" | "w" | "m" | "y"

/** `qdr:d3` as its unit and number; undefined without it. */
export const recent = ({ tbs }: Wish): { readonly unit: Unit; readonly count: number } | undefined => {
  const [, unit, count] = /(?:^|,)\s*qdr:([hdwmy])(\d*)/.exec(tbs ?? "") ?? []
  return unit === undefined ? undefined : { unit: unit as Unit, count: count ? Number(count) : 1 }
}

/** Whether a range of dates stands beside or instead of it. */
export const ranged = ({ tbs }: Wish): boolean => /(?:^|,)\s*cd_(?:min|max):/.test(tbs ?? "")

/** Whether any time is left out. */
export const isBounded = ({ period }: Wish): boolean => period.from !== undefined || period.to !== undefined

/** `2026-03-01`, of UTC. */
export const day = (time: number): string => new Date(clamp(time)).toISOString().slice(0, 10)

/** Times that a date can be made of; the far past is as good as the beginning. */
const clamp = (time: number): number => Math.min(Math.max(time, 0), 253_402_300_799_999)

/** First and last day that are wanted. */
export const days = ({ period }: Wish): { readonly first: string | undefined; readonly last: string | undefined } => ({
  first: period.from === undefined ? undefined : day(period.from),
  last: period.to === undefined ? undefined : day(period.to - 1)
})
