/** Schedules: what runs when, what has become of it, and pauses. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { nextInstants } from "../Pipeline/Schedule.ts"
import { type Occurrence, pauseEnd, type ScheduleRecord } from "../Schedule/Model.ts"
import * as Store from "../Schedule/Store.ts"
import type { Calendar, Done, Instant, Pause, ScheduleLine, ScheduleList } from "../Web/Dashboard/Protocol.ts"
import { type Query, Refusal } from "./Request.ts"

const aDay = 86_400_000
/** The end of the year 9999. */
const lastInstant = 253_402_300_799_999
const most = { next: 5, instants: 2_000, days: 62, perSchedule: 1_000, atOnce: 250, estimated: 50, why: 500 }

/** Of a schedule as it is kept only what says when. */
const Times = Schema.parseJson(Schema.Struct({ cron: Schema.String, timezone: Schema.String }))
const timesOf = (schedule: string) => Option.getOrUndefined(Schema.decodeOption(Times)(schedule))

/** Number of values that a cron field like `*`, `5-20/3` or `1,2` has from 0 to `most`. */
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

/** Occurrences on a day that the schedule includes, whatever the clock does on it. */
const occurrencesPerDay = (cron: string): number => {
  const fields = cron.trim().split(/\s+/)
  const [second = "0", minute = "0", hour = "0"] = fields.length === 6 ? fields : ["0", ...fields]
  return valuesIn(second, 59) * valuesIn(minute, 59) * valuesIn(hour, 23)
}

/**
 * Estimated number of occurrences between two times, for each day. To compute every occurrence of a schedule of every
 * minute takes seconds, so each day costs one.
 */
const estimates = (
  times: Parameters<typeof nextInstants>[0],
  from: number,
  until: number,
  days: ReadonlyArray<number>
) => {
  const perDay = occurrencesPerDay(times.cron)
  return days.flatMap((day, index) => {
    const [start, end] = [Math.max(from, day - 1), Math.min(days[index + 1] ?? until, until)]
    if (end <= start || nextInstants(times, start, 1, end - 1).length === 0) return []
    return [{ day, count: Math.max(1, Math.floor((perDay * Math.min(aDay, end - start - 1)) / aDay)) }]
  })
}

/** First milliseconds of the days that the query names; default: days in UTC. */
const daysOf = (query: Query, from: number, to: number): ReadonlyArray<number> => {
  const named = (query.text("days") ?? "").split(",").filter((text) => /^\d{1,15}$/.test(text))
  if (named.length > 0) return named.slice(0, most.days).map(Number)
  const first = Math.floor(from / aDay) * aDay
  return Array.from({ length: Math.ceil((to - first) / aDay) }, (_, index) => first + index * aDay)
}

/** Instants of a schedule behind one, up to another one; others have their turn while they are found. */
const instantsOf = (schedule: string, after: number, until: number) =>
  Effect.gen(function* () {
    const times = timesOf(schedule)
    const instants: Array<number> = []
    if (times === undefined) return { instants, isMore: false }
    while (instants.length < most.perSchedule) {
      const found = nextInstants(times, instants.at(-1) ?? after, most.atOnce, until)
      instants.push(...found)
      if (found.length < most.atOnce) return { instants, isMore: false }
      yield* Effect.sleep(0)
    }
    return { instants, isMore: true }
  })

const instantOf = (record: Occurrence): Instant => ({
  pipeline: record.pipeline,
  instant: record.instant,
  status: record.status,
  cause: record.cause,
  run: record.runId,
  attempt: record.attempt,
  reason: record.reason,
  begunAt: record.begunAt,
  nextAt: record.nextAt,
  endedAt: record.endedAt
})

const isPaused = ({ pausedAt, pausedWhy }: ScheduleRecord, now: number): boolean =>
  pausedAt !== undefined && (pauseEnd(pausedWhy) ?? Number.POSITIVE_INFINITY) > now

const goingStatuses = ["waiting", "running", "retrying"] as const

export const list = Effect.gen(function* () {
  const schedules = yield* Store.schedules
  const now = yield* Clock.currentTimeMillis
  const records = yield* schedules.list
  const last = yield* schedules.lastEnded
  const going = yield* schedules.occurrences({ status: goingStatuses, limit: most.instants })
  // The first of a pipeline counts.
  const goingOf = new Map(going.toReversed().map((each) => [each.pipeline, each]))
  return {
    isServed: (yield* schedules.leaseHolders).size > 0,
    schedules: records.map((record): ScheduleLine => {
      const { file, pipeline, removedAt } = record
      const times = timesOf(record.schedule)
      const paused = isPaused(record, now)
      const lastOne = last.get(pipeline)
      const goingOne = goingOf.get(pipeline)
      return {
        pipeline,
        file,
        cron: times?.cron ?? "",
        timezone: times?.timezone ?? "UTC",
        next: times === undefined || paused || removedAt !== undefined ? [] : nextInstants(times, now, most.next),
        pausedAt: paused ? record.pausedAt : undefined,
        pausedWhy: paused ? record.pausedWhy : undefined,
        removedAt,
        last: lastOne && instantOf(lastOne),
        going: goingOne && instantOf(goingOne)
      }
    })
  } satisfies ScheduleList
})

const inOrder = (a: Instant, b: Instant): number => a.instant - b.instant || (a.pipeline < b.pipeline ? -1 : 1)

export const calendar = (query: Query) =>
  Effect.gen(function* () {
    const schedules = yield* Store.schedules
    const now = yield* Clock.currentTimeMillis
    const latest = { most: lastInstant }
    const from = yield* query.number("from", { ...latest, otherwise: now - 7 * aDay })
    const to = yield* query.number("to", { ...latest, otherwise: now + 7 * aDay })
    if (to < from || to - from > most.days * aDay) {
      return yield* new Refusal({
        status: 400,
        reason: `from and to: expected at most ${most.days} days, in this order`
      })
    }
    const pipeline = query.text("pipeline")
    const past = yield* schedules.occurrences({ pipeline, since: from, until: to, limit: most.instants + 1 })
    const known = new Set(past.map((each) => `${each.instant} ${each.pipeline}`))
    const records = (yield* schedules.list).filter(
      (each) =>
        each.removedAt === undefined && !isPaused(each, now) && (pipeline === undefined || each.pipeline === pipeline)
    )
    // Of a schedule of every minute, neither what was nor what is due may crowd out the other.
    const room = Math.max(most.instants - past.length, most.perSchedule)
    const due: Array<Instant> = []
    let [horizon, isMore] = [to, false]
    /** Where the listed occurrences of a schedule end. */
    const ends: Array<{ readonly pipeline: string; readonly schedule: string; readonly end: number }> = []
    for (const [index, { pipeline, schedule }] of records.entries()) {
      if (index % 10 === 9) yield* Effect.sleep(0)
      const found = yield* instantsOf(schedule, Math.max(now, from - 1), horizon)
      isMore ||= found.isMore
      ends.push({ pipeline, schedule, end: found.isMore ? (found.instants.at(-1) ?? horizon) : horizon })
      const unknown = found.instants.filter((instant) => !known.has(`${instant} ${pipeline}`))
      due.push(...unknown.map((instant): Instant => ({ pipeline, instant, status: "due" })))
      if (due.length <= room) continue
      // Nothing that is farther ahead than what there is room for has to be found at all.
      due.sort(inOrder)
      due.length = room
      horizon = due.at(-1)?.instant ?? horizon
      isMore = true
    }
    const later: Array<NonNullable<Calendar["later"]>[number]> = []
    const days = daysOf(query, from, to)
    for (const { end, pipeline, schedule } of ends.slice(0, most.estimated)) {
      const times = timesOf(schedule)
      const first = Math.min(end, horizon)
      if (times === undefined || first >= to) continue
      later.push(...estimates(times, first, to, days).map((each) => ({ pipeline, ...each })))
      yield* Effect.sleep(0)
    }
    const before = past.slice(0, most.instants - due.length).map(instantOf)
    return {
      ...(later.length === 0 ? {} : { later }),
      instants: [...before, ...due].sort(inOrder),
      isCut: isMore || before.length < past.length
    } satisfies Calendar
  })

const changed = (pipeline: string, isThere: boolean) =>
  isThere
    ? Effect.succeed<Done>({ done: true })
    : new Refusal({ status: 404, reason: `no pipeline with a schedule is called ${pipeline}` })

/** One line that every database and terminal takes. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\s]+/gu, " ").trim()

export const pause = (pipeline: string, { why = "" }: Pause) =>
  Effect.gen(function* () {
    const schedules = yield* Store.schedules
    const said = plain(why.slice(0, most.why))
    // What would end by itself is said on the command line.
    const kept = said === "" || pauseEnd(said) !== undefined ? undefined : said
    return yield* changed(pipeline, yield* schedules.pause(pipeline, kept))
  })

export const resume = (pipeline: string) =>
  Effect.gen(function* () {
    const schedules = yield* Store.schedules
    return yield* changed(pipeline, yield* schedules.resume(pipeline))
  })
