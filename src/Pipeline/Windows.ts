/**
 * Windows of a backfill: one run each, in order. A window includes its start and excludes its end, in UTC, and is passed to the definition
 * as its inputs `from` and `to`.
 */
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { DurationText } from "../Row/Amount.ts"

const units = ["day", "week", "month", "year"] as const
type Unit = (typeof units)[number]

/** Maximum number of windows: more are usually a mistake. */
export const maxWindows = 10_000

const day = 86_400_000

/** Parses a day, a month, or a time with a zone to milliseconds since 1970. */
const timeOf = (text: string): number | undefined => {
  if (!/^\d{4}-\d\d(-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?)?$/.test(text)) return undefined
  const time = Date.parse(text)
  // Otherwise 2024-02-30 would be read as a day in March.
  const isDay = Number.isNaN(time) || text.length > 10 || new Date(time).toISOString().startsWith(text)
  return Number.isNaN(time) || !isDay ? undefined : time
}

/** The time this many months later; the last day of the month if it has no such day. */
const monthsAfter = (from: number, months: number): number => {
  const begin = new Date(from)
  const first = new Date(begin)
  first.setUTCDate(1)
  first.setUTCMonth(begin.getUTCMonth() + months)
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return first.setUTCDate(Math.min(begin.getUTCDate(), last))
}

const stepOf = (by: string): ((from: number, steps: number) => number) | undefined => {
  const unit = units.find((each): each is Unit => each === by)
  if (unit === "month" || unit === "year") {
    const months = unit === "month" ? 1 : 12
    return (from, steps) => monthsAfter(from, steps * months)
  }
  const written = unit === undefined ? by : unit === "week" ? "7d" : "1d"
  const millis = Either.map(Schema.decodeEither(DurationText)(written), Duration.toMillis)
  return Either.isLeft(millis) || millis.right < 1000 ? undefined : (from, steps) => from + steps * millis.right
}

export interface Window {
  readonly from: string
  readonly to: string
}

export interface Range {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly by?: string | undefined
}

/** The windows of a period. Bounds are written as days if all of them are days. */
export const windowsOf = (
  { by = "month", from, to }: Range,
  now: number
): Either.Either<ReadonlyArray<Window>, string> => {
  const expected = "a day like 2024-01-31, a month like 2024-01, or a time like 2024-01-31T06:00Z"
  if (from === undefined) return Either.left("--from is missing: give the start of the first window")
  const begin = timeOf(from)
  if (begin === undefined) return Either.left(`--from takes ${expected}, got "${from}"`)
  // The current day is not over, so it would be read only in part.
  const end = to === undefined ? Math.floor(now / day) * day : timeOf(to)
  if (end === undefined) return Either.left(`--to takes ${expected}, got "${to}"`)
  if (end <= begin)
    return Either.left(`--to ${to ?? new Date(end).toISOString().slice(0, 10)} is not after --from ${from}`)
  const after = stepOf(by)
  if (after === undefined) return Either.left(`--by takes ${units.join(", ")} or a duration like 6h, got "${by}"`)
  const bounds = [begin]
  for (let steps = 1; (bounds.at(-1) ?? end) < end; steps++) {
    if (steps > maxWindows)
      return Either.left(
        `--from ${from} with --by ${by} gives more than ${maxWindows.toLocaleString("en-US")} windows: choose a longer --by`
      )
    bounds.push(Math.min(end, after(begin, steps)))
  }
  const length = bounds.every((bound) => bound % day === 0) ? 10 : 19
  const texts = bounds.map((bound) => `${new Date(bound).toISOString().slice(0, length)}${length === 10 ? "" : "Z"}`)
  return Either.right(texts.slice(1).map((end, index) => ({ from: texts[index] ?? "", to: end })))
}

/** Reason why all windows would write to the same path, each overwriting the one before; undefined if they do not. */
export const sharedPath = (
  nodes: ReadonlyArray<{ readonly config: unknown; readonly step: { readonly key: string } }>
): string | undefined => {
  for (const { config, step } of nodes) {
    if (step.key !== "write" || typeof config !== "object" || config === null) continue
    const path = Object.values(config).find((each) => typeof each === "string")
    if (path === undefined || path === "-" || /\{runId\}|inputs\.(from|to)\b|run\.scheduled(For|Time)\b/.test(path))
      continue
    const written = /\.\w+$/.test(path)
      ? path.replace(/(\.\w+)$/, "-${{ inputs.from }}$1")
      : `${path}-\${{ inputs.from }}`
    return `each window would overwrite ${path} of the previous one: name the window in the path, like ${written}`
  }
  return undefined
}
