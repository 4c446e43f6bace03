/** Scheduled times: when clocks change, and in every way to ask for them. */
import { describe, expect, it } from "@effect/vitest"
import { Cron } from "croner"
import * as Arbitrary from "effect/Arbitrary"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { dueAt, nextScheduledTimes, Schedule, scheduledTimesBetween } from "../../src/Pipeline/Schedule.ts"
import { repetitions } from "../Repetitions.ts"

const next = (cron: string, timezone: string, after: string, count: number) =>
  nextScheduledTimes({ cron, timezone }, Date.parse(after), count).map((each) =>
    new Date(each).toISOString().slice(0, 19)
  )

describe("a named time", () => {
  it("that does not exist on a day runs once, at the first moment after the gap", () => {
    expect(next("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00Z", 3)).toEqual([
      "2026-03-28T01:30:00",
      "2026-03-29T01:00:00",
      "2026-03-30T00:30:00"
    ])
    expect(next("0,15,30 2 * * *", "America/New_York", "2026-03-08T00:00Z", 2)).toEqual([
      "2026-03-08T07:00:00",
      "2026-03-09T06:00:00"
    ])
    // Half an hour is left out there, at two o'clock.
    expect(next("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00Z", 2)).toEqual([
      "2026-10-03T15:30:00",
      "2026-10-04T15:15:00"
    ])
  })

  it("that occurs twice runs the first time", () => {
    expect(next("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00Z", 2)).toEqual([
      "2026-10-25T00:30:00",
      "2026-10-26T01:30:00"
    ])
    expect(next("30 1 * * *", "America/New_York", "2026-10-31T12:00Z", 2)).toEqual([
      "2026-11-01T05:30:00",
      "2026-11-02T06:30:00"
    ])
    expect(next("45 1 * * *", "Australia/Lord_Howe", "2026-04-04T00:00Z", 2)).toEqual([
      "2026-04-04T14:45:00",
      "2026-04-05T15:15:00"
    ])
  })

  it("is the same on every day where clocks are never changed", () => {
    expect(next("30 2 * * *", "Asia/Kolkata", "2026-03-28T00:00Z", 2)).toEqual([
      "2026-03-28T21:00:00",
      "2026-03-29T21:00:00"
    ])
  })
})

describe("an interval", () => {
  it("runs in both of two equal hours, and not in one that does not exist", () => {
    expect(next("*/30 2 * * *", "Europe/Berlin", "2026-10-24T12:00Z", 5)).toEqual([
      "2026-10-25T00:00:00",
      "2026-10-25T00:30:00",
      "2026-10-25T01:00:00",
      "2026-10-25T01:30:00",
      "2026-10-26T01:00:00"
    ])
    expect(next("*/30 * * * *", "Europe/Berlin", "2026-03-29T00:15Z", 3)).toEqual([
      "2026-03-29T00:30:00",
      "2026-03-29T01:00:00",
      "2026-03-29T01:30:00"
    ])
    expect(next("*/15 2 * * *", "Europe/Berlin", "2026-03-28T12:00Z", 1)).toEqual(["2026-03-30T00:00:00"])
  })

  it("supports seconds, and names of months and weekdays", () => {
    expect(next("*/20 * * * * *", "UTC", "2026-01-01T00:00Z", 3)).toEqual([
      "2026-01-01T00:00:20",
      "2026-01-01T00:00:40",
      "2026-01-01T00:01:00"
    ])
    expect(next("0 6 * JAN MON-WED", "UTC", "2026-01-07T06:00Z", 2)).toEqual([
      "2026-01-12T06:00:00",
      "2026-01-13T06:00:00"
    ])
  })
})

describe("scheduled times", () => {
  const field = (most: number, least = 0) =>
    FastCheck.oneof(
      FastCheck.constantFrom("*", "*/7", "*/15"),
      FastCheck.integer({ min: least, max: most }).map(String),
      FastCheck.tuple(FastCheck.integer({ min: least, max: most }), FastCheck.integer({ min: least, max: most })).map(
        ([one, other]) => `${one},${other}`
      )
    )
  const schedules = FastCheck.record({
    cron: FastCheck.tuple(
      field(59),
      field(3),
      FastCheck.constantFrom("*", "*/2", "29", "1,25"),
      FastCheck.constant("*"),
      FastCheck.constantFrom("*", "0", "MON-FRI")
    ).map((fields) => fields.join(" ")),
    timezone: FastCheck.constantFrom("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC")
  })
  const starts = FastCheck.constantFrom(
    ...[
      "2026-03-07T12:00Z",
      "2026-03-28T12:00Z",
      "2026-04-04T00:00Z",
      "2026-10-03T00:00Z",
      "2026-10-24T12:00Z",
      "2026-10-31T12:00Z"
    ].map((text) => Date.parse(text))
  )

  it("ascend, and are the same from any start", () => {
    FastCheck.assert(
      FastCheck.property(schedules, starts, (schedule, start) => {
        const scheduledTimes = nextScheduledTimes(schedule, start, 40)
        for (const [index, scheduledTime] of scheduledTimes.entries()) {
          expect(scheduledTime).toBeGreaterThan(scheduledTimes[index - 1] ?? start)
          expect(nextScheduledTimes(schedule, scheduledTime - 1, 1)).toEqual([scheduledTime])
        }
      }),
      { numRuns: repetitions(60, 20) }
    )
  })

  it("between two moments are those after the first, limited to the newest", () => {
    FastCheck.assert(
      FastCheck.property(schedules, starts, FastCheck.integer({ min: 1, max: 12 }), (schedule, start, limit) => {
        const scheduledTimes = nextScheduledTimes(schedule, start, 30)
        const until = scheduledTimes.at(-1) ?? start
        expect(scheduledTimesBetween(schedule, start, until, 1000)).toEqual({
          times: scheduledTimes,
          left: 0,
          exact: true
        })
        const newest = scheduledTimesBetween(schedule, start, until, limit)
        expect(newest.times).toEqual(scheduledTimes.slice(-limit))
        expect(newest).toMatchObject({
          left: scheduledTimes.length - Math.min(limit, scheduledTimes.length),
          exact: true
        })
        expect(scheduledTimesBetween(schedule, start, until - 1, 1000).times).toEqual(scheduledTimes.slice(0, -1))
      }),
      { numRuns: repetitions(60, 20) }
    )
  })

  it("of a very long interval are not counted one by one", () => {
    const year = scheduledTimesBetween({ cron: "* * * * * *", timezone: "UTC" }, 0, 365 * 86_400_000, 10)
    expect(year.times).toHaveLength(10)
    expect(year.times.at(-1)).toBe(365 * 86_400_000)
    expect(year).toMatchObject({ exact: false })
    expect(year.left).toBeGreaterThanOrEqual(10_000)
  })
})

describe("jitter", () => {
  it("is the same for a scheduled time on every machine, and spreads pipelines", () => {
    const schedule = { jitter: Duration.minutes(10) }
    const due = Array.from({ length: 200 }, (_, index) => dueAt(`pipeline-${index}`, schedule, 1_000))
    expect(due.map((_, index) => dueAt(`pipeline-${index}`, schedule, 1_000))).toEqual(due)
    for (const each of due) expect(each).toSatisfy((at: number) => at >= 1_000 && at < 601_000)
    expect(new Set(due.map((at) => Math.floor((at - 1_000) / 60_000))).size).toBe(10)
    expect(dueAt("pipeline-1", { jitter: undefined }, 1_000)).toBe(1_000)
  })
})

describe("the text of a schedule", () => {
  const decode = Schema.decodeUnknownEither(Schedule)
  const said = (value: unknown) => Either.match(decode(value), { onLeft: ({ message }) => message, onRight: () => "" })

  it("is refused with its error", () => {
    expect(said({ cron: "0 0 31 2 *" })).toContain('"0 0 31 2 *" never happens')
    expect(said({ cron: "* * *" })).toContain("write 5 fields")
    expect(said({ cron: "@daily" })).toContain("write 5 fields")
    expect(said({ cron: "0 24 * * *" })).toContain("expected a value between 0 and 23 for the hour, got 24")
    expect(said({ cron: "0 0 * * 9" })).toContain("for the weekday")
    expect(said({ cron: "? 0 * * *" })).toContain('"?" is not allowed here')
    expect(said({ cron: "a b * * *" })).toContain("is not a cron expression")
    expect(said({ cron: "0 0 * * *", retry: { times: 0 } })).toContain("retry")
    expect(said({ cron: "0 0 * * *", timezone: "Europe/Atlantis" })).toContain("timezone")
  })

  it("round-trips", () => {
    FastCheck.assert(
      FastCheck.property(
        Arbitrary.make(Schema.Struct({ times: Schema.Int.pipe(Schema.between(1, 20)) })),
        FastCheck.constantFrom("skip", "queue", "replace", "allow"),
        ({ times }, overlap) => {
          const schedule = Either.getOrThrow(decode({ cron: "0 0 * * *", overlap, retry: { times }, jitter: "5m" }))
          expect(Schema.decodeSync(Schedule)(Schema.encodeSync(Schedule)(schedule))).toEqual(schedule)
          expect(schedule.retry).toEqual({ times, after: Duration.minutes(5) })
        }
      ),
      { numRuns: 20 }
    )
  })
})

describe("times that are counted in UTC while clocks do not change", () => {
  const numbers = (most: number) => FastCheck.oneof(FastCheck.constant("*"), FastCheck.integer({ min: 0, max: most }))
  const cron = FastCheck.tuple(
    FastCheck.oneof(numbers(59), FastCheck.constantFrom("*/7", "0,15,30,45", "59")),
    FastCheck.oneof(numbers(23), FastCheck.constantFrom("*/2", "1-3", "2,3")),
    FastCheck.oneof(FastCheck.constant("*"), FastCheck.constantFrom("*/3", "1", "25-31")),
    FastCheck.oneof(FastCheck.constant("*"), FastCheck.constantFrom("3", "10,11")),
    FastCheck.oneof(FastCheck.constant("*"), FastCheck.constantFrom("0", "1-5", "1#2"))
  )
  const zone = FastCheck.constantFrom(
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "America/St_Johns",
    "Africa/Casablanca",
    "Pacific/Chatham"
  )
  // In one half of the cases within two days of a change of the clocks in some zone.
  const changes = [
    "2026-03-29T01:00Z",
    "2026-10-25T01:00Z",
    "2026-03-08T07:00Z",
    "2026-11-01T06:00Z",
    "2026-04-04T15:00Z"
  ]
  const hour = 3_600_000
  const time = FastCheck.oneof(
    FastCheck.integer({ min: Date.parse("2024-01-01T00:00Z"), max: Date.parse("2030-01-01T00:00Z") }),
    FastCheck.tuple(FastCheck.constantFrom(...changes), FastCheck.integer({ min: -48 * hour, max: 48 * hour })).map(
      ([change, shift]) => Date.parse(change) + shift
    )
  )

  it("are those of the time zone", () => {
    FastCheck.assert(
      FastCheck.property(cron, zone, time, (fields, timezone, after) => {
        const text = fields.join(" ")
        const options = { timezone, paused: true, fixedTimeRule: "no-wildcard", sloppyRanges: true } as const
        const zoned = new Cron(text, options)
        const expected: Array<number> = []
        for (let last = after; expected.length < 3; ) {
          last = zoned.nextRun(new Date(last))?.getTime() ?? Number.NaN
          expected.push(last)
        }
        expect(nextScheduledTimes({ cron: text, timezone }, after, 3)).toEqual(expected)
      }),
      { numRuns: repetitions(400, 130) }
    )
  })
})
