/**
 * Schema and calendar of `schedule` and `notify`: when a pipeline runs automatically, and who is notified (docs/schedule.md).
 *
 * Daylight saving time: a fixed time (`30 2 * * *`, `0,30 1-3 * * *`) that does not exist on a day runs once, at the first moment
 * after the gap. A fixed time that occurs twice runs the first time. Intervals (a star or a step in seconds, minutes or hours) skip
 * the gap, and run in both of the repeated hours.
 */
import type { Cron } from "croner"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isHttp } from "../Api/Url.ts"
import { croner } from "../Packages.ts"
import { DurationText } from "../Row/Amount.ts"
import { sha256 } from "../Row/Hash.ts"
import { remember } from "../Values/Remember.ts"
import { windowsOf } from "./Windows.ts"

const isZone = (zone: string): boolean => Option.isSome(DateTime.zoneMakeNamed(zone))

const Zone = Schema.String.pipe(Schema.filter(isZone)).annotations({
  description: "a time zone like UTC or Europe/Berlin"
})

/** Croner is faster with a UTC offset: for a time zone it creates a formatter at each step. */
const placeOf = (timezone: string) => (timezone === "UTC" ? { utcOffset: 0 } : { timezone })

const read = (cron: string, timezone: string) =>
  Either.try({
    try: () =>
      new (croner().Cron)(cron.trim(), {
        ...placeOf(timezone),
        paused: true,
        mode: "5-or-6-parts",
        // Like Vixie cron: only fields with a star or a step count as intervals.
        fixedTimeRule: "no-wildcard",
        sloppyRanges: true
      }),
    catch: (error) => (error instanceof Error ? error.message : String(error))
  })

/** A cron pattern in its time zone, and the same pattern in UTC. */
interface Pattern {
  readonly zone: DateTime.TimeZone
  readonly zoned: Cron
  readonly utc: Cron
}

/** Patterns by time zone, which has no space, and cron: parsing costs more than evaluating. */
const patterns = remember(4_096, (key): Pattern | undefined => {
  const [, timezone = "", cron = ""] = /^(\S*) (.*)$/s.exec(key) ?? []
  const zone = Option.getOrUndefined(DateTime.zoneMakeNamed(timezone))
  const [zoned, utc] = [Either.getOrUndefined(read(cron, timezone)), Either.getOrUndefined(read(cron, "UTC"))]
  return zone === undefined || zoned === undefined || utc === undefined ? undefined : { zone, zoned, utc }
})

const patternOf = ({ cron, timezone }: Pick<Schedule, "cron" | "timezone">) => patterns(`${timezone} ${cron}`)

/** Offset of local time from UTC, in milliseconds. */
const offsetAt = (zone: DateTime.TimeZone, time: number): number =>
  DateTime.zonedOffset(DateTime.unsafeMakeZoned(time, { timeZone: zone }))

const aDay = 86_400_000
/** Maximum milliseconds ahead for which a time may be computed in UTC; clock changes are always several weeks apart. */
const longestSteady = 10 * aDay

/** The first scheduled time after a moment. Computed in UTC, unless clocks change between the day before it and the day after. */
const nextRun = ({ utc, zone, zoned }: Pattern, after: number): number | undefined => {
  const offset = offsetAt(zone, after)
  const found = utc.nextRun(new Date(after + offset))?.getTime()
  const next = found === undefined ? Number.POSITIVE_INFINITY : found - offset
  const [first, last] = [after - aDay, next + aDay]
  const isSteady = last - first <= longestSteady && offsetAt(zone, first) === offset && offsetAt(zone, last) === offset
  return isSteady ? next : zoned.nextRun(new Date(after))?.getTime()
}

const ranges: Readonly<Record<string, string>> = {
  second: "0 and 59",
  minute: "0 and 59",
  hour: "0 and 23",
  day: "1 and 31",
  month: "1 and 12",
  dayOfWeek: "0 and 7"
}

/** Describes an error of croner, which has no error codes, without the message's prefix. */
const inWords = (message: string): string => {
  const [, field = "", value] = /Invalid value for (\w+): (.+)$/.exec(message) ?? []
  const range = ranges[field]
  if (range !== undefined) {
    return `expected a value between ${range} for ${field === "dayOfWeek" ? "the weekday" : `the ${field}`}, got ${value}`
  }
  const text = message.replace(/^CronPattern:\s*/, "").replace(/^Syntax error, /, "")
  return text.charAt(0).toLowerCase() + text.slice(1)
}

const invalid = (text: string, why: string) => `"${text}" is not a cron expression: ${why}`

/** Reason why a string is not a valid cron expression; undefined if it is valid and will occur. */
const objection = (text: string): string | undefined => {
  const fields = text.trim().split(/\s+/)
  if (fields.length !== 5 && fields.length !== 6) {
    return invalid(text, "write 5 fields (minute hour day month weekday), or 6 with seconds first")
  }
  const odd = fields.find((field) => /\?|(^|,)\//.test(field))
  if (odd !== undefined) return invalid(text, `"${odd}" is not allowed here: write * or */N`)
  const cron = read(text, "UTC")
  if (Either.isLeft(cron)) return invalid(text, inWords(cron.left))
  return cron.right.nextRun(new Date(0)) === null ? `"${text}" never happens` : undefined
}

const CronText = Schema.String.pipe(Schema.filter((text) => objection(text) ?? true)).annotations({
  description: 'a cron expression like "15 */6 * * *"'
})

export const Schedule = Schema.Struct({
  cron: Schema.propertySignature(CronText).annotations({
    description:
      "Times at which the pipeline runs: minute, hour, day, month and weekday; with six fields, seconds come first."
  }),
  timezone: Schema.optionalWith(Zone, { default: () => "UTC" }).annotations({ description: "Time zone of `cron`." }),
  jitter: Schema.optional(DurationText).annotations({
    description: "Longest random delay after the scheduled time, so that pipelines do not all start at once."
  }),
  overlap: Schema.optionalWith(Schema.Literal("skip", "queue", "replace", "allow"), {
    default: () => "skip" as const
  }).annotations({
    description:
      "What happens at a scheduled time while the previous run is active. skip: no run. queue: the run starts afterwards. replace: the previous run is stopped. allow: both run."
  }),
  catchUp: Schema.optionalWith(Schema.Literal("none", "latest", "all"), { default: () => "none" as const }).annotations(
    {
      description:
        "Scheduled times to run when the scheduler starts again, of those that passed while no scheduler was running: none (the default), latest or all."
    }
  ),
  catchUpWindow: Schema.optional(DurationText).annotations({
    description: "With catchUp: skips scheduled times that are older than this."
  }),
  inputs: Schema.optional(
    Schema.Record({ key: Schema.String, value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean) })
  ).annotations({
    description: "Values of inputs in scheduled runs, in place of their defaults. They cannot contain `${{ }}`."
  }),
  backfill: Schema.optional(
    Schema.Struct({
      from: Schema.propertySignature(Schema.String).annotations({
        description: "Start of the first window: a day, a month or a time with its zone."
      }),
      to: Schema.propertySignature(Schema.String).annotations({ description: "End of the last window." }),
      by: Schema.optionalWith(Schema.String, { default: () => "month" }).annotations({
        description: "Length of a window: day, week, month (the default), year, or a duration like 6h."
      })
    }).pipe(
      Schema.filter((range) =>
        Either.match(windowsOf(range, 0), {
          onLeft: (message) => ({ path: [], message: message.replaceAll("--", "") }),
          onRight: () => true
        })
      )
    )
  ).annotations({
    description:
      "Windows of the past: each scheduled time runs the next window that is not completed, with the bounds of the window as the inputs `from` and `to`, as `sluice run --backfill` does."
  }),
  retry: Schema.optional(
    Schema.Struct({
      times: Schema.propertySignature(Schema.Int.pipe(Schema.between(1, 20))).annotations({
        description: "Maximum number of resumes."
      }),
      after: Schema.optionalWith(DurationText, { default: () => Duration.minutes(5) }).annotations({
        description: "Delay before each resume; 5m by default."
      })
    })
  ).annotations({ description: "Resumes a failed run. No call is paid for twice." })
}).pipe(
  Schema.filter(({ backfill, catchUp, catchUpWindow, overlap }) =>
    backfill !== undefined && overlap === "allow"
      ? { path: ["overlap"], message: "two runs at once would take the same window of backfill: leave overlap out" }
      : catchUp === "none" && catchUpWindow !== undefined
        ? {
            path: ["catchUpWindow"],
            message: "has no effect while catchUp is none: set catchUp to latest or all, or leave catchUpWindow out"
          }
        : true
  )
)
export type Schedule = typeof Schedule.Type

type Times = Pick<Schedule, "cron" | "timezone">

/** The next scheduled times, ascending, in milliseconds since 1970; fewer if `until` is reached. */
export const nextScheduledTimes = (
  schedule: Times,
  after: number,
  count: number,
  until = Number.POSITIVE_INFINITY
): ReadonlyArray<number> => {
  const pattern = patternOf(schedule)
  if (pattern === undefined) return []
  const times: Array<number> = []
  let last = after
  while (times.length < count) {
    const next = nextRun(pattern, last)
    if (next === undefined || next <= last || next > until) break
    times.push(next)
    last = next
  }
  return times
}

/** The latest scheduled times up to and including a moment, newest first. */
const newestScheduledTimes = (schedule: Times, until: number, count: number): ReadonlyArray<number> =>
  (patternOf(schedule)?.zoned.previousRuns(count, new Date(until + 1000 - (until % 1000))) ?? [])
    .map((date) => date.getTime())
    .filter((scheduledTime) => scheduledTime <= until)

/** The latest scheduled time up to and including a moment, in milliseconds since 1970. */
export const lastScheduledTime = (schedule: Times, until: number): number | undefined =>
  newestScheduledTimes(schedule, until, 1)[0]

/** Scheduled times within an interval. */
export interface ScheduledTimes {
  /** Ascending; if there are more than the limit, the newest ones. */
  readonly times: ReadonlyArray<number>
  /** Number of older times left out, counted up to a maximum. */
  readonly left: number
  /** False if the count reached its maximum. */
  readonly exact: boolean
}

/** Maximum up to which omitted scheduled times are counted. */
const countedAtMost = 10_000

/** The scheduled times after one moment, up to and including another; only the newest `limit`. */
export const scheduledTimesBetween = (schedule: Times, after: number, until: number, limit: number): ScheduledTimes => {
  const found: Array<number> = []
  let last = after
  while (found.length <= limit) {
    const [next] = nextScheduledTimes(schedule, last, 1)
    if (next === undefined || next > until) return { times: found, left: 0, exact: true }
    found.push(next)
    last = next
  }
  // More than the limit: find the newest ones by searching backwards.
  const newest = newestScheduledTimes(schedule, until, limit)
    .filter((scheduledTime) => scheduledTime > after)
    .reverse()
  const first = newest[0] ?? until
  let left = found.filter((scheduledTime) => scheduledTime < first).length
  while (left < countedAtMost && last < first) {
    const [next] = nextScheduledTimes(schedule, last, 1)
    if (next === undefined || next >= first) return { times: newest, left, exact: true }
    left++
    last = next
  }
  return { times: newest, left, exact: last >= first }
}

/** When a scheduled run is due: the scheduled time plus a jitter that is the same on every machine. */
export const dueAt = (pipeline: string, { jitter }: Pick<Schedule, "jitter">, scheduledTime: number): number => {
  const most = jitter === undefined ? 0 : Duration.toMillis(jitter)
  if (most <= 0) return scheduledTime
  const share = Number.parseInt(sha256(`${pipeline}\n${scheduledTime}`).slice(0, 12), 16) / 16 ** 12
  return scheduledTime + Math.floor(share * most)
}

/** A scheduled time in JSON. `instant` is its name in version 0.1, for programs that read it. */
export const scheduledTimeJson = (scheduledTime: number) => {
  const text = new Date(scheduledTime).toISOString()
  return { scheduledTime: text, instant: text }
}

/**
 * `${{ run.scheduledTime }}` in UTC, and its date and time in the time zone of the schedule as `${{ run.scheduledFor }}`, whose `instant`
 * is the name of `run.scheduledTime` in version 0.1.
 */
export const scheduledValues = (scheduledTime: number, timezone: string) => {
  const zoned = Option.getOrElse(DateTime.makeZoned(scheduledTime, { timeZone: timezone }), () =>
    DateTime.unsafeMakeZoned(scheduledTime, { timeZone: "UTC" })
  )
  const [date = "", time = ""] = DateTime.formatIsoOffset(zoned).split(/[T.]/)
  const { instant, scheduledTime: text } = scheduledTimeJson(scheduledTime)
  return { scheduledTime: text, scheduledFor: { date, time, instant } }
}

/** Events of `notify`; the description of its `on` says what each means. */
export const events = ["failed", "budget", "quality", "health", "missed", "recovered", "changed"] as const
export type Event = (typeof events)[number]

/** Redacted, because webhook URLs usually contain a secret. */
const Webhook = Schema.Redacted(
  Schema.String.pipe(Schema.filter(isHttp)).annotations({
    description: "an http(s) address, usually ${{ secrets.NAME }}"
  })
)

/** True for a single address without a name or line breaks, which could add headers to a message. */
export const isEmailAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+$/.test(text)

const EmailAddress = Schema.String.pipe(Schema.filter(isEmailAddress)).annotations({
  description: "an e-mail address"
})

const TimeOfDay = Schema.String.pipe(Schema.pattern(/^(?:[01]\d|2[0-3]):[0-5]\d$/)).annotations({
  description: 'a time of day like "22:00"'
})

const Quiet = Schema.Struct({
  from: Schema.propertySignature(TimeOfDay).annotations({ description: "Start of the quiet hours." }),
  to: Schema.propertySignature(TimeOfDay).annotations({
    description: "End of the quiet hours, on the next day if it is before `from`."
  }),
  timezone: Schema.optionalWith(Zone, { default: () => "UTC" }).annotations({
    description: "Time zone of `from` and `to`; UTC by default."
  })
}).pipe(Schema.filter(({ from, to }) => from !== to || { path: ["to"], message: "must differ from `from`" }))

const cronOf = (time: string): string => `${Number(time.slice(3))} ${Number(time.slice(0, 2))} * * *`

/** End of the current quiet hours, in milliseconds since 1970; undefined outside of them. */
export const quietUntil = ({ from, timezone, to }: typeof Quiet.Type, now: number): number | undefined => {
  const begun = lastScheduledTime({ cron: cronOf(from), timezone }, now)
  const over = lastScheduledTime({ cron: cronOf(to), timezone }, now)
  if (begun === undefined || over === undefined || over >= begun) return undefined
  return nextScheduledTimes({ cron: cronOf(to), timezone }, now, 1)[0]
}

/** Ways to deliver a notification; each target has one. */
export const channels = ["webhook", "slack", "email", "command"] as const

export const Target = Schema.Struct({
  on: Schema.propertySignature(
    Schema.NonEmptyArray(Schema.Literal(...events)).annotations({
      description: "an array of failed, budget, quality, health, missed, recovered, changed"
    })
  ).annotations({
    description:
      "Events that are sent. failed: a run failed and is not retried; also quality and held outputs for a target that does not ask for those. budget: a run reached its budget. quality: too many rows were rejected, or a check failed. health: the outputs were held because they look broken. missed: a scheduled time passed while no daemon was running. recovered: the first run that completed after runs that failed, were held or reached their budget. changed: a run has found changes that a `dedupe` step with `history` keeps."
  }),
  webhook: Schema.optional(Webhook).annotations({ description: "Address that receives the events as JSON (POST)." }),
  secret: Schema.optional(Schema.Redacted(Schema.NonEmptyString)).annotations({
    description: "Key that signs the events of a webhook (HMAC-SHA256), usually ${{ secrets.NAME }}."
  }),
  slack: Schema.optional(Webhook).annotations({
    description: "Address of an incoming webhook of Slack, usually ${{ secrets.NAME }}."
  }),
  email: Schema.optional(
    Schema.Union(EmailAddress, Schema.NonEmptyArray(EmailAddress).pipe(Schema.maxItems(20))).annotations({
      description: "an e-mail address, or an array of at most 20"
    })
  ).annotations({ description: "Receivers of an e-mail, sent by the server in SLUICE_SMTP_URL." }),
  command: Schema.optional(
    Schema.NonEmptyArray(Schema.NonEmptyString).annotations({ description: "an array: a program and its arguments" })
  ).annotations({
    description:
      "Program that is started without a shell, gets the event as JSON on its standard input, and has 30 seconds. Needs --allow-code."
  }),
  quiet: Schema.optional(Quiet).annotations({
    description: "Hours in which nothing is sent; events from these hours are sent at their end."
  }),
  digest: Schema.optional(DurationText).annotations({
    description: "Collects events for this long after the first one, and sends them as one message."
  })
}).pipe(
  Schema.filter((target) => {
    const given = channels.filter((channel) => target[channel] !== undefined)
    if (given.length !== 1) {
      return {
        path: given.slice(1, 2),
        message: `a target has one of ${channels.join(", ")}, got ${given.length === 0 ? "none" : given.join(" and ")}`
      }
    }
    if (target.secret !== undefined && target.webhook === undefined) {
      return { path: ["secret"], message: "only events for a webhook are signed: leave secret out" }
    }
    return true
  })
)
export type Target = typeof Target.Type

export const Notify = Schema.Array(Target).pipe(Schema.maxItems(10)).annotations({
  description: "an array of at most 10 like { on: [failed], webhook: ${{ secrets.NAME }} }"
})
export type Notify = typeof Notify.Type
