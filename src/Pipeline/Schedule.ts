/** When a pipeline runs by itself: said in the definition, carried out by a scheduler (pipelines 18). */
import * as Cron from "effect/Cron"
import * as DateTime from "effect/DateTime"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { DurationText } from "./Amount.ts"

const isZone = (zone: string): boolean => Option.isSome(DateTime.zoneMakeNamed(zone))

const Zone = Schema.String.pipe(Schema.filter(isZone)).annotations({
  description: "a time zone like UTC or Europe/Berlin"
})

/** Why a text is no cron expression; undefined when it is one that happens. */
const objection = (text: string): string | undefined => {
  const fields = text.trim().split(/\s+/).length
  if (fields !== 5 && fields !== 6) {
    return `"${text}" is not a cron expression: write 5 fields (minute hour day month weekday), or 6 with seconds first`
  }
  const cron = Cron.parse(text, "UTC")
  if (Either.isLeft(cron)) return `"${text}" is not a cron expression: ${lowered(cron.left.message)}`
  return Either.isLeft(Either.try(() => Cron.next(cron.right, 0))) ? `"${text}" never happens` : undefined
}

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const CronText = Schema.String.pipe(Schema.filter((text) => objection(text) ?? true)).annotations({
  description: 'a cron expression like "15 */6 * * *"'
})

export const Schedule = Schema.Struct({
  cron: CronText,
  timezone: Schema.optionalWith(Zone, { default: () => "UTC" }),
  /** At most so much later than the instant, so that not all pipelines begin at once. */
  jitter: Schema.optional(DurationText),
  /** What becomes of an instant while an earlier run goes on. */
  overlap: Schema.optionalWith(Schema.Literal("skip", "queue", "replace", "allow"), { default: () => "skip" as const }),
  /** What becomes of instants that passed while nothing was running. */
  catchUp: Schema.optionalWith(Schema.Literal("none", "latest", "all"), { default: () => "none" as const }),
  /** Instants older than that are let go. */
  catchUpWindow: Schema.optional(DurationText)
}).pipe(
  Schema.filter(({ catchUp, catchUpWindow }) =>
    catchUp === "none" && catchUpWindow !== undefined
      ? { path: ["catchUpWindow"], message: "has no effect without catchUp: latest or all" }
      : true
  )
)
export type Schedule = typeof Schedule.Type

/** The next instants after one, in milliseconds since 1970. */
export const nextInstants = (schedule: Schedule, after: number, count: number): ReadonlyArray<number> =>
  Either.match(Cron.parse(schedule.cron, schedule.timezone), {
    onLeft: () => [],
    onRight: (cron) => {
      const instants = Cron.sequence(cron, after)
      return Array.from({ length: count }, () => (instants.next().value as Date).getTime())
    }
  })

/** `${{ run.scheduledFor }}`: the instant a run is for, as it is called in the schedule's time zone. */
export const scheduledFor = (
  instant: number,
  timezone: string
): { readonly date: string; readonly time: string; readonly instant: string } => {
  const zoned = Option.getOrElse(DateTime.makeZoned(instant, { timeZone: timezone }), () =>
    DateTime.unsafeMakeZoned(instant, { timeZone: "UTC" })
  )
  const [date = "", time = ""] = DateTime.formatIsoOffset(zoned).split(/[T.]/)
  return { date, time, instant: new Date(instant).toISOString() }
}
