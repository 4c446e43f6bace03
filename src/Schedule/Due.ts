/** Decides which occurrences of a pipeline are due, and which of them are on time, caught up or missed. */
import * as Duration from "effect/Duration"
import type { Checked } from "../Pipeline/Check.ts"
import {
  dueAt,
  type Event,
  nextScheduledTimes,
  type Schedule,
  type ScheduledTimes,
  scheduledTimesBetween
} from "../Pipeline/Schedule.ts"
import type { Claim, NewNotification } from "./Model.ts"
import { notificationsFor } from "./NotificationOutbox.ts"

/** A pipeline with a schedule. */
export interface Entry {
  readonly pipeline: string
  readonly file: string
  readonly schedule: Schedule
  /** Last valid definition. */
  readonly checked: Checked | undefined
  /** Error of the current definition. */
  readonly broken: string | undefined
  /** Scheduled times up to this one have been processed. */
  readonly reached: number
}

/** Maximum missed occurrences of a pipeline that get a row each in the database; earlier ones share one row. */
const maxMissedRows = 1000

export interface Due {
  readonly claims: ReadonlyArray<Claim>
  /** Scheduled times up to this one are processed once these claims are made. */
  readonly reached: number
}

const iso = (scheduledTime: number): string => new Date(scheduledTime).toISOString()

const formatDuration = (millis: number): string => Duration.format(Duration.millis(Math.round(millis / 1000) * 1000))

/** Next scheduled time of a pipeline; undefined when its schedule has ended. */
export const nextDue = ({ pipeline, reached, schedule }: Entry): { scheduledTime: number; due: number } | undefined => {
  const [scheduledTime] = nextScheduledTimes(schedule, reached, 1)
  return scheduledTime === undefined ? undefined : { scheduledTime, due: dueAt(pipeline, schedule, scheduledTime) }
}

type Decision = Pick<Claim, "status" | "reason" | "overlap">

/** Applies `catchUp` and `overlap` to due occurrences, oldest first. The first `late` occurrences are late. */
const decide = (
  { broken, schedule }: Entry,
  due: ReadonlyArray<{ readonly scheduledTime: number; readonly due: number }>,
  late: number,
  now: number
): ReadonlyArray<Decision> => {
  const { catchUp, catchUpWindow, overlap } = schedule
  const oldest = catchUpWindow === undefined ? Number.NEGATIVE_INFINITY : now - Duration.toMillis(catchUpWindow)
  const caughtUp = catchUp === "all" && due.slice(0, late).some(({ scheduledTime }) => scheduledTime >= oldest)
  // Occurrences that are caught up run one by one, before the one that is on time.
  const inOrder = caughtUp && overlap !== "allow" ? "queue" : overlap
  return due.map(({ due: at, scheduledTime }, index): Decision => {
    const missed = (why: string): Decision => ({ status: "missed", reason: why, overlap })
    if (broken !== undefined) return missed(`its definition is broken: ${broken}`)
    if (index >= late) return { status: "waiting", overlap: inOrder }
    const found = `found ${formatDuration(now - at)} after it was due`
    if (catchUp === "none") return missed(`${found}, and catchUp is none`)
    if (scheduledTime < oldest) return missed(`${found}: longer than the catchUpWindow`)
    if (catchUp === "all") return { status: "waiting", overlap: inOrder }
    return index === due.length - 1
      ? { status: "waiting", overlap }
      : missed(`${found}, and catchUp: latest runs only the latest scheduled time`)
  })
}

/**
 * At most {@link maxMissedRows} scheduled times up to now: the newest ones. If there are more only because of jitter, and none is late, the
 * oldest ones.
 */
const timesUntil = ({ reached, schedule }: Entry, isLate: boolean, now: number): ScheduledTimes => {
  const newest = scheduledTimesBetween(schedule, reached, now, maxMissedRows)
  if (isLate || newest.left === 0) return newest
  return { times: nextScheduledTimes(schedule, reached, maxMissedRows), left: 0, exact: true }
}

/** Claims for all due occurrences of a pipeline. Those that are due for longer than `tolerance` are late, and `catchUp` applies. */
export const dueNow = (entry: Entry, now: number, tolerance: number): Due => {
  const { pipeline, reached, schedule } = entry
  const first = nextDue(entry)
  if (first === undefined || first.due > now) return { claims: [], reached }
  const { exact, times, left } = timesUntil(entry, first.due < now - tolerance, now)
  const timed = times.map((scheduledTime) => ({ scheduledTime, due: dueAt(pipeline, schedule, scheduledTime) }))
  // Jitter may make an occurrence due before an earlier one. It then waits until the earlier one is due.
  const wait = timed.findIndex(({ due }) => due > now)
  const due = wait < 0 ? timed : timed.slice(0, wait)
  const late = due.findLastIndex((each) => each.due < now - tolerance) + 1
  const decisions = decide(entry, due, late, now)
  const claims = due.map((each, index): Claim => {
    const decision = decisions[index]
    return {
      pipeline,
      ...each,
      cause: "schedule",
      status: decision?.status ?? "missed",
      reason: decision?.reason,
      overlap: decision?.overlap ?? schedule.overlap,
      notices: []
    }
  })
  const missed = claims.filter(({ status }) => status === "missed")
  const all: Array<Claim> = [...claims]
  if (left > 0) {
    const more = `${exact ? "" : "more than "}${left.toLocaleString("en-US")}`
    const until = iso(times[0] ?? now)
    all.unshift({
      pipeline,
      scheduledTime: first.scheduledTime,
      due: first.due,
      cause: "schedule",
      status: "missed",
      reason: `this and all other scheduled times before ${until} were missed (${more}): too many to list one by one`,
      overlap: schedule.overlap,
      notices: []
    })
  }
  const notifications = missedNotifications(entry, "missed", all, missed.length + left)
  const [newest] = missed.slice(-1)
  return {
    claims: all.map((each) => (each === newest ? { ...each, notices: notifications } : each)),
    // Times without a row of their own count as processed, even if none of the others is due yet because of jitter.
    reached: due.at(-1)?.scheduledTime ?? (left > 0 ? Math.max(reached, (times[0] ?? now) - 1) : reached)
  }
}

/** One notification for all occurrences that were missed together. */
const missedNotifications = (
  { checked, file, pipeline }: Entry,
  event: Event,
  claims: ReadonlyArray<Claim>,
  count: number
): ReadonlyArray<NewNotification> => {
  const newest = claims.findLast(({ status }) => status === "missed")
  return newest === undefined
    ? []
    : notificationsFor(checked, event, {
        pipeline,
        file,
        scheduledTime: newest.scheduledTime,
        status: "missed",
        reason: newest.reason,
        missed: count
      })
}
