/** Schedules: what runs when, what has become of it, and pauses. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { nextInstants } from "../Pipeline/Schedule.ts"
import { untilOf } from "../Run/Ledger/Pause.ts"
import type { InstantRecord, ScheduleRecord } from "../Run/Ledger/Schedules.ts"
import { Ledger } from "../Run/Ledger.ts"
import type { Calendar, Instant, Pause, ScheduleLine, ScheduleList } from "../Web/Dashboard/Protocol/Schedules.ts"
import type { Done } from "../Web/Dashboard/Protocol.ts"
import { type Query, Refusal } from "./Refusal.ts"

const aDay = 86_400_000
/** The end of the year 9999. */
const lastInstant = 253_402_300_799_999
const most = { next: 5, instants: 2_000, days: 62, perSchedule: 1_000, why: 500 }

/** Of a schedule as it is kept only what says when. */
const Times = Schema.parseJson(Schema.Struct({ cron: Schema.String, timezone: Schema.String }))
const timesOf = ({ schedule }: ScheduleRecord) => Option.getOrUndefined(Schema.decodeOption(Times)(schedule))

const instantOf = (record: InstantRecord): Instant => ({
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
  pausedAt !== undefined && (untilOf(pausedWhy) ?? Number.POSITIVE_INFINITY) > now

const goingStatuses = ["waiting", "running", "retrying"] as const

export const list = Effect.gen(function* () {
  const { schedules } = yield* Ledger
  const now = yield* Clock.currentTimeMillis
  const records = yield* schedules.list
  const last = yield* schedules.last
  const going = yield* schedules.instants({ status: goingStatuses, limit: most.instants })
  return {
    isServed: (yield* schedules.carriers).size > 0,
    schedules: records.map((record): ScheduleLine => {
      const { file, pipeline, removedAt } = record
      const times = timesOf(record)
      const paused = isPaused(record, now)
      const lastOne = last.get(pipeline)
      const goingOne = going.find((each) => each.pipeline === pipeline)
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
    const { schedules } = yield* Ledger
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
    const past = yield* schedules.instants({ pipeline, since: from, until: to, limit: most.instants + 1 })
    const known = new Set(past.map((each) => `${each.instant} ${each.pipeline}`))
    const records = (yield* schedules.list).filter(
      (each) =>
        each.removedAt === undefined && !isPaused(each, now) && (pipeline === undefined || each.pipeline === pipeline)
    )
    let isMore = false
    const due = records.flatMap((record): ReadonlyArray<Instant> => {
      const times = timesOf(record)
      if (times === undefined || to <= now) return []
      const found = nextInstants(times, Math.max(now, from - 1), most.perSchedule)
      isMore ||= found.length === most.perSchedule && (found.at(-1) ?? to) < to
      return found
        .filter((instant) => instant <= to && !known.has(`${instant} ${record.pipeline}`))
        .map((instant) => ({ pipeline: record.pipeline, instant, status: "due" }))
    })
    // Of a schedule of every minute, neither what was nor what is due may crowd out the other.
    const room = Math.max(most.instants - past.length, most.perSchedule)
    const next = due.sort(inOrder).slice(0, room)
    const before = past.slice(0, most.instants - next.length).map(instantOf)
    return {
      instants: [...before, ...next].sort(inOrder),
      isCut: isMore || before.length + next.length < past.length + due.length
    } satisfies Calendar
  })

const changed = (pipeline: string, isThere: boolean) =>
  isThere
    ? Effect.succeed<Done>({ done: true })
    : new Refusal({ status: 404, reason: `no pipeline with a schedule is called ${pipeline}` })

export const pause = (pipeline: string, { why }: Pause) =>
  Effect.gen(function* () {
    const { schedules } = yield* Ledger
    // What would end by itself is said on the command line.
    const said = typeof why === "string" && why.trim() !== "" && untilOf(why) === undefined ? why.trim() : undefined
    return yield* changed(pipeline, yield* schedules.pause(pipeline, said?.slice(0, most.why)))
  })

export const resume = (pipeline: string) =>
  Effect.gen(function* () {
    const { schedules } = yield* Ledger
    return yield* changed(pipeline, yield* schedules.resume(pipeline))
  })
