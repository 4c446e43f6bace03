/** Date range and order of a search: the `tbs` parameter. */

export interface Period {
  /** Inclusive, in milliseconds. */
  readonly from: number | undefined
  /** Exclusive, in milliseconds. */
  readonly to: number | undefined
  readonly newestFirst: boolean
}

const day = 86_400_000
const lengths: Readonly<Record<string, number>> = { h: 3_600_000, d: day, w: 7 * day, m: 30 * day, y: 365 * day }

const midnight = (date: string | undefined): number | undefined => {
  const [month, dayOfMonth, year] = (date ?? "").split("/").map(Number)
  return year === undefined ? undefined : Date.UTC(year, (month ?? 1) - 1, dayOfMonth)
}

/** Reads a `tbs` that the contract has let in; days are days of UTC. */
export const parse = (tbs: string | undefined, now: number): Period => {
  const parts = (tbs ?? "").split(",").map((part) => part.trim())
  const value = (name: string) => parts.find((part) => part.startsWith(`${name}:`))?.slice(name.length + 1)
  const recent = value("qdr")
  const since =
    recent === undefined
      ? undefined
      : now - (lengths[recent.charAt(0)] ?? 0) * (recent.length > 1 ? Number(recent.slice(1)) : 1)
  const min = midnight(value("cd_min"))
  const max = midnight(value("cd_max"))
  const starts = [since, min].filter((start) => start !== undefined)
  return {
    from: starts.length === 0 ? undefined : Math.max(...starts),
    to: max === undefined ? undefined : max + day,
    newestFirst: value("sbd") === "1"
  }
}
