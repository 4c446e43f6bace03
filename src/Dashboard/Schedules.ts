/** Schedules: their state, the calendar of past and future scheduled times, pausing and resuming. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { nextScheduledTimes } from "../Pipeline/Schedule.ts"
import { isPausedAt, type Occurrence } from "../Schedule/Model.ts"
import * as Store from "../Schedule/Store.ts"
import type { Calendar, Done, OccurrenceLine, Pause, ScheduleLine, ScheduleList } from "../Web/Dashboard/Protocol.ts"
import { type Query, Refusal } from "./Request.ts"

const aDay = 86_400_000
/** End of the year 9999. */
const latestTime = 253_402_300_799_999
const limits = { next: 5, occurrences: 2_000, days: 62, perSchedule: 1_000, chunk: 250, estimated: 50, why: 500 }

/** The part of a stored schedule that defines its times. */
const Times = Schema.parseJson(Schema.Struct({ cron: Schema.String, timezone: Schema.String }))
type Times = (typeof Times)["Type"]
const timesOf = (schedule: string) => Option.getOrUndefined(Schema.decodeOption(Times)(schedule))

/** Number of values from 0 to `most` in a cron field like `*`, `5-20/3` or `1,2`. */
const valuesIn = (field: string, most: number): number => {
  const values = new Set<number>()
  for (const part of field.split(",")) {
    const [range = "*", step] = part.split("/")
    const [first = 0, last = step === undefined ? first : most] =
      range === "*" ? [0, most] : range.split("-").map(Number)
    for (let value = first; value <= last; value += Number(step ?? 1) || 1) values.add(value)
  }
  return values.size
}

/** Number of scheduled times on a day included in the schedule, ignoring clock changes. */
const timesPerDay = (cron: string): number => {
  const fields = cron.trim().split(/\s+/)
  const [second = "0", minute = "0", hour = "0"] = fields.length === 6 ? fields : ["0", ...fields]
  return valuesIn(second, 59) * valuesIn(minute, 59) * valuesIn(hour, 23)
}

/** Cache by schedule, start and end; a month of many schedules has thousands. */
const knownDays = new Map<string, boolean>()
const maxKnownDays = 10_000

const occursBetween = (times: Times, after: number, until: number): boolean => {
  const key = `${times.cron} ${times.timezone} ${after} ${until}`
  const known = knownDays.get(key)
  if (known !== undefined) return known
  const occurs = nextScheduledTimes(times, after, 1, until).length > 0
  if (knownDays.size >= maxKnownDays) knownDays.clear()
  knownDays.set(key, occurs)
  return occurs
}

/**
 * Estimated number of scheduled times between two moments, for each day. Computes one of them per day: all of a minutely
 * schedule would take seconds.
 */
const estimates = (times: Times, from: number, until: number, days: ReadonlyArray<number>) => {
  const perDay = timesPerDay(times.cron)
  return days.flatMap((day, index) => {
    const [start, end] = [Math.max(from, day - 1), Math.min(days[index + 1] ?? until, until)]
    if (end <= start || !occursBetween(times, start, end - 1)) return []
    return [{ day, count: Math.max(1, Math.floor((perDay * Math.min(aDay, end - start - 1)) / aDay)) }]
  })
}

/** First milliseconds of the days in the query; default: days in UTC. */
const daysOf = (query: Query, from: number, to: number): ReadonlyArray<number> => {
  const named = (query.text("days") ?? "").split(",").filter((text) => /^\d{1,15}$/.test(text))
  if (named.length > 0) return named.slice(0, limits.days).map(Number)
  const first = Math.floor(from / aDay) * aDay
  return Array.from({ length: Math.ceil((to - first) / aDay) }, (_, index) => first + index * aDay)
}

/** The scheduled times after a moment, ascending, as far as they were requested so far. */
interface KnownTimes {
  after: number
  times: Array<number>
}

/** Cache by stored schedule: computing one time takes about a tenth of a millisecond, and a calendar of many schedules has thousands. */
const knownTimes = new Map<string, KnownTimes>()
const maxKnown = { schedules: 4_096, times: 2_000 }

/** The first `count` times after a moment, and before `until`. */
const timesAfter = (schedule: string, after: number, count: number, until = Number.POSITIVE_INFINITY) => {
  const pattern = timesOf(schedule)
  if (pattern === undefined) return []
  const before = knownTimes.get(schedule)
  const isKnown = before !== undefined && before.after <= after && after <= (before.times.at(-1) ?? before.after)
  const known: KnownTimes = isKnown ? before : { after, times: [] }
  // Times that have passed will not be requested again.
  const passed = known.times.filter((time) => time <= after)
  known.after = passed.at(-1) ?? known.after
  known.times = known.times.slice(passed.length)
  while (known.times.length < count && (known.times.at(-1) ?? known.after) <= until) {
    // Also computes the first time after `until`, which proves that there is none before.
    const next = nextScheduledTimes(pattern, known.times.at(-1) ?? known.after, 1)
    if (next.length === 0) break
    known.times.push(...next)
  }
  if (knownTimes.size >= maxKnown.schedules) knownTimes.clear()
  if (known.times.length <= maxKnown.times) knownTimes.set(schedule, known)
  return known.times.filter((time) => time <= until).slice(0, count)
}

/** Milliseconds of work before other requests get their turn. */
const slice = 10

/**
 * Makes an effect that lets other requests run when this one has worked for {@link slice} since the last pause. On a busy machine
 * each pause takes tens of milliseconds.
 */
const makePause: Effect.Effect<Effect.Effect<void>> = Effect.map(Clock.currentTimeMillis, (start) => {
  let begun = start
  const restart = Effect.map(Clock.currentTimeMillis, (now) => {
    begun = now
  })
  return Effect.flatMap(Clock.currentTimeMillis, (now) =>
    now - begun < slice ? Effect.void : Effect.zipRight(Effect.sleep(0), restart)
  )
})

/** Times of a schedule between two moments. Pauses between chunks, because cron computation is slow. */
const timesBetween = (schedule: string, after: number, until: number, pause: Effect.Effect<void>) =>
  Effect.gen(function* () {
    for (let count = limits.chunk; ; count += limits.chunk) {
      const upcoming = timesAfter(schedule, after, Math.min(count, limits.perSchedule), until)
      if (upcoming.length < count || count >= limits.perSchedule)
        return { upcoming, isMore: upcoming.length >= limits.perSchedule }
      yield* pause
    }
  })

const lineOf = (record: Occurrence): OccurrenceLine => ({
  ...Struct.pick(record, "pipeline", "scheduledTime", "status", "cause", "attempt", "reason"),
  ...Struct.pick(record, "begunAt", "nextAt", "endedAt"),
  run: record.runId
})

const activeStatuses = ["waiting", "running", "retrying"] as const

/** All schedules, or the schedule of one pipeline. */
const lines = (only?: string) =>
  Effect.gen(function* () {
    const schedules = yield* Store.schedules
    const now = yield* Clock.currentTimeMillis
    const records = (yield* schedules.list).filter(({ pipeline }) => only === undefined || pipeline === only)
    if (records.length === 0) return []
    const last = yield* schedules.lastEnded
    const active = yield* schedules.occurrences({ pipeline: only, status: activeStatuses, limit: limits.occurrences })
    // The first active occurrence of each pipeline.
    const activeOf = new Map(active.toReversed().map((each) => [each.pipeline, each]))
    return records.map((record): ScheduleLine => {
      const { file, pipeline, removedAt } = record
      const times = timesOf(record.schedule)
      const paused = isPausedAt(record, now)
      const lastOne = last.get(pipeline)
      const activeOne = activeOf.get(pipeline)
      return {
        pipeline,
        file,
        cron: times?.cron ?? "",
        timezone: times?.timezone ?? "UTC",
        next:
          times === undefined || paused || removedAt !== undefined ? [] : timesAfter(record.schedule, now, limits.next),
        pausedAt: paused ? record.pausedAt : undefined,
        pausedWhy: paused ? record.pausedWhy : undefined,
        pausedUntil: paused ? record.pausedUntil : undefined,
        removedAt,
        last: lastOne && lineOf(lastOne),
        active: activeOne && lineOf(activeOne)
      }
    })
  })

export const list = Effect.gen(function* () {
  const schedules = yield* Store.schedules
  return { isServed: (yield* schedules.leaseHolders).size > 0, schedules: yield* lines() } satisfies ScheduleList
})

export const ofPipeline = (pipeline: string) => Effect.map(lines(pipeline), ([line]) => line)

const inOrder = (a: OccurrenceLine, b: OccurrenceLine): number =>
  a.scheduledTime - b.scheduledTime || (a.pipeline < b.pipeline ? -1 : 1)

export const calendar = (query: Query) =>
  Effect.gen(function* () {
    const schedules = yield* Store.schedules
    const now = yield* Clock.currentTimeMillis
    const latest = { most: latestTime }
    const from = yield* query.number("from", { ...latest, otherwise: now - 7 * aDay })
    const to = yield* query.number("to", { ...latest, otherwise: now + 7 * aDay })
    if (to < from || to - from > limits.days * aDay) {
      return yield* new Refusal({
        status: 400,
        reason: `from and to: expected at most ${limits.days} days, in this order`
      })
    }
    const pipeline = query.text("pipeline")
    const pause = yield* makePause
    const past = yield* schedules.occurrences({ pipeline, since: from, until: to, limit: limits.occurrences + 1 })
    const known = new Set(past.map((each) => `${each.scheduledTime} ${each.pipeline}`))
    const records = (yield* schedules.list).filter(
      (each) =>
        each.removedAt === undefined && !isPausedAt(each, now) && (pipeline === undefined || each.pipeline === pipeline)
    )
    // A minutely schedule would fill the list with past times, so at least `perSchedule` future ones are listed.
    const room = Math.max(limits.occurrences - past.length, limits.perSchedule)
    const upcoming: Array<OccurrenceLine> = []
    let [horizon, isMore] = [to, false]
    /** For each schedule, the time up to which its times are listed. */
    const ends: Array<{ readonly pipeline: string; readonly schedule: string; readonly end: number }> = []
    for (const { pipeline, schedule } of records) {
      yield* pause
      const found = yield* timesBetween(schedule, Math.max(now, from - 1), horizon, pause)
      isMore ||= found.isMore
      ends.push({ pipeline, schedule, end: found.isMore ? (found.upcoming.at(-1) ?? horizon) : horizon })
      const unknown = found.upcoming.filter((scheduledTime) => !known.has(`${scheduledTime} ${pipeline}`))
      upcoming.push(...unknown.map((scheduledTime): OccurrenceLine => ({ pipeline, scheduledTime, status: "due" })))
      if (upcoming.length <= room) continue
      // Later schedules need no times beyond the last listed one.
      upcoming.sort(inOrder)
      upcoming.length = room
      horizon = upcoming.at(-1)?.scheduledTime ?? horizon
      isMore = true
    }
    const later: Array<NonNullable<Calendar["later"]>[number]> = []
    const days = daysOf(query, from, to)
    for (const { end, pipeline, schedule } of ends.slice(0, limits.estimated)) {
      const times = timesOf(schedule)
      const first = Math.min(end, horizon)
      if (times === undefined || first >= to) continue
      later.push(...estimates(times, first, to, days).map((each) => ({ pipeline, ...each })))
      yield* pause
    }
    const before = past.slice(0, limits.occurrences - upcoming.length).map(lineOf)
    return {
      ...(later.length === 0 ? {} : { later }),
      occurrences: [...before, ...upcoming].sort(inOrder),
      isCut: isMore || before.length < past.length
    } satisfies Calendar
  })

const changed = (pipeline: string, isThere: boolean) =>
  isThere
    ? Effect.succeed<Done>({ done: true })
    : new Refusal({ status: 404, reason: `no pipeline with a schedule has the name ${pipeline}` })

/** One line without control characters. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\s]+/gu, " ").trim()

export const pause = (pipeline: string, { why = "" }: Pause) =>
  Effect.gen(function* () {
    const schedules = yield* Store.schedules
    const text = oneLine(why.slice(0, limits.why))
    return yield* changed(pipeline, yield* schedules.pause(pipeline, text === "" ? undefined : text))
  })

export const resume = (pipeline: string) =>
  Effect.gen(function* () {
    const schedules = yield* Store.schedules
    return yield* changed(pipeline, yield* schedules.resume(pipeline))
  })
