/** Which instants of a pipeline are to be claimed now, and as what: on time, caught up with, or missed. */
import * as Duration from "effect/Duration"
import type { Checked } from "../Pipeline/Check.ts"
import { dueAt, type Event, type Instants, instantsBetween, nextInstants, type Schedule } from "../Pipeline/Schedule.ts"
import type { Claim, NewNotice } from "./Model.ts"
import { noticesFor } from "./Notice.ts"

/** A pipeline as the schedule knows it. */
export interface Entry {
  readonly pipeline: string
  readonly file: string
  readonly schedule: Schedule
  /** As it was when it was last in order. */
  readonly checked: Checked | undefined
  /** Why it cannot be run now. */
  readonly broken: string | undefined
  /** Instants up to here have been looked at. */
  readonly reached: number
}

/** Missed instants that get rows of their own, at once and of one pipeline. */
const listedAtMost = 1000

export interface Due {
  readonly claims: ReadonlyArray<Claim>
  /** Instants up to here are among the claims. */
  readonly reached: number
}

const iso = (instant: number): string => new Date(instant).toISOString()

const described = (millis: number): string => Duration.format(Duration.millis(Math.round(millis / 1000) * 1000))

/** When a pipeline is looked at next; undefined when it has no more instants. */
export const nextDue = ({ pipeline, reached, schedule }: Entry): { instant: number; due: number } | undefined => {
  const [instant] = nextInstants(schedule, reached, 1)
  return instant === undefined ? undefined : { instant, due: dueAt(pipeline, schedule, instant) }
}

type Verdict = Pick<Claim, "status" | "reason" | "overlap">

/** What becomes of the instants that are due, oldest first, of which the first `late` are late. */
const judge = (
  { broken, schedule }: Entry,
  due: ReadonlyArray<{ readonly instant: number; readonly due: number }>,
  late: number,
  now: number
): ReadonlyArray<Verdict> => {
  const { catchUp, catchUpWindow, overlap } = schedule
  const oldest = catchUpWindow === undefined ? Number.NEGATIVE_INFINITY : now - Duration.toMillis(catchUpWindow)
  const caughtUp = catchUp === "all" && due.slice(0, late).some(({ instant }) => instant >= oldest)
  // Those that are caught up with run one after the other, and what is on time runs behind them.
  const inOrder = caughtUp && overlap !== "allow" ? "queue" : overlap
  return due.map(({ due: at, instant }, index): Verdict => {
    const missed = (why: string): Verdict => ({ status: "missed", reason: why, overlap })
    if (broken !== undefined) return missed(`its definition is broken: ${broken}`)
    if (index >= late) return { status: "waiting", overlap: inOrder }
    const found = `it was found ${described(now - at)} after it was due`
    if (catchUp === "none") return missed(`${found}, and catchUp is none`)
    if (instant < oldest) return missed(`${found}: longer than the catchUpWindow`)
    if (catchUp === "all") return { status: "waiting", overlap: inOrder }
    return index === due.length - 1
      ? { status: "waiting", overlap }
      : missed(`${found}, and only the latest instant is caught up with`)
  })
}

/** Instants up to now: the newest of them, but where it is only jitter that holds so many back those that come first. */
const found = ({ reached, schedule }: Entry, isLate: boolean, now: number): Instants => {
  const newest = instantsBetween(schedule, reached, now, listedAtMost)
  if (isLate || newest.left === 0) return newest
  return { instants: nextInstants(schedule, reached, listedAtMost), left: 0, exact: true }
}

/** Everything of a pipeline that is due by now. What is later than `tolerance` was missed. */
export const dueNow = (entry: Entry, now: number, tolerance: number): Due => {
  const { pipeline, reached, schedule } = entry
  const first = nextDue(entry)
  if (first === undefined || first.due > now) return { claims: [], reached }
  const { exact, instants, left } = found(entry, first.due < now - tolerance, now)
  const timed = instants.map((instant) => ({ instant, due: dueAt(pipeline, schedule, instant) }))
  // With jitter, one may be due before the one that comes before it: it waits for that.
  const wait = timed.findIndex(({ due }) => due > now)
  const due = wait < 0 ? timed : timed.slice(0, wait)
  const late = due.findLastIndex((each) => each.due < now - tolerance) + 1
  const verdicts = judge(entry, due, late, now)
  const claims = due.map((each, index): Claim => {
    const verdict = verdicts[index]
    return {
      pipeline,
      ...each,
      cause: "schedule",
      status: verdict?.status ?? "missed",
      reason: verdict?.reason,
      overlap: verdict?.overlap ?? schedule.overlap,
      notices: []
    }
  })
  const missed = claims.filter(({ status }) => status === "missed")
  const all: Array<Claim> = [...claims]
  if (left > 0) {
    const more = `${exact ? "" : "more than "}${left.toLocaleString("en-US")}`
    const until = iso(instants[0] ?? now)
    all.unshift({
      pipeline,
      instant: first.instant,
      due: first.due,
      cause: "schedule",
      status: "missed",
      reason: `this and all other instants before ${until} were missed (${more}): too many for a row each`,
      overlap: schedule.overlap,
      notices: []
    })
  }
  const told = tell(entry, "missed", all, missed.length + left)
  const [newest] = missed.slice(-1)
  return {
    claims: all.map((each) => (each === newest ? { ...each, notices: told } : each)),
    // What was left out is behind us, also where jitter keeps all of the others back.
    reached: due.at(-1)?.instant ?? (left > 0 ? Math.max(reached, (instants[0] ?? now) - 1) : reached)
  }
}

/** One notice for all that were missed at once. */
const tell = (
  { checked, file, pipeline }: Entry,
  event: Event,
  claims: ReadonlyArray<Claim>,
  count: number
): ReadonlyArray<NewNotice> => {
  const newest = claims.findLast(({ status }) => status === "missed")
  return newest === undefined
    ? []
    : noticesFor(checked, event, {
        pipeline,
        file,
        instant: newest.instant,
        status: "missed",
        reason: newest.reason,
        missed: count
      })
}
