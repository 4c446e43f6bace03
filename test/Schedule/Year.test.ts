/** A year of schedules, including clock changes: each scheduled time once, and none missing. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { scheduledTimesBetween } from "../../src/Pipeline/Schedule.ts"
import * as Store from "../../src/Schedule/Store.ts"
import { skipsLong } from "../Long.ts"
import { repetitions } from "../Repetitions.ts"
import { close, inTime, make, memory, settle, until } from "./World.ts"

/** Around the changes of clocks in Europe, America and on Lord Howe Island, and at both ends of the year. */
const pipelines = [
  { pipeline: "gap", cron: "30 2 * * *", timezone: "Europe/Berlin" },
  { pipeline: "night", cron: "*/30 1-2 * * SUN", timezone: "America/New_York" },
  { pipeline: "half", cron: "15 2 * * SAT,SUN", timezone: "Australia/Lord_Howe" },
  { pipeline: "still", cron: "0 9 * * MON", timezone: "Asia/Kolkata" },
  { pipeline: "month", cron: "0 0 1 * *", timezone: "Europe/Berlin" }
]

/** The whole year, or the weeks in which clocks are changed one way on Lord Howe Island and the other way elsewhere. */
const [from, to] = repetitions(1, 0) === 1 ? ["2026-01-01", "2027-01-01"] : ["2026-09-27", "2026-11-08"]
const begin = Date.parse(`${from}T00:00:00Z`)
const end = Date.parse(`${to}T00:00:00Z`)

it.scoped.skipIf(skipsLong)(
  "two schedulers over one ledger run every scheduled time of a year with daylight-saving changes exactly once",
  () =>
    inTime(
      Effect.gen(function* () {
        yield* until(begin)
        const world = yield* make
        const ledger = yield* memory
        for (const { cron, pipeline, timezone } of pipelines) {
          world.write(pipeline, `cron: "${cron}", timezone: ${timezone}`)
        }
        // The folder does not change in this year, and who has not moved for a day is not taken for dead in between.
        const rare = { scanInterval: "400 days", takeoverInterval: "400 days", retention: "400 days" } as const
        const expected = pipelines.flatMap(({ pipeline, ...schedule }) =>
          scheduledTimesBetween(schedule, begin, end, 10_000).times.map((scheduledTime) => ({
            scheduledTime,
            pipeline
          }))
        )
        yield* world.serve(ledger, rare)
        let other = yield* Scope.make()
        yield* Scope.extend(world.serve(ledger, rare), other)
        const times = [...new Set(expected.map(({ scheduledTime }) => scheduledTime))].sort((one, next) => one - next)
        for (const [index, time] of times.entries()) {
          yield* until(time, 6)
          // The second one is restarted now and then.
          if (index % 100 === 0) {
            yield* settle
            yield* close(other)
            other = yield* Scope.make()
            yield* Scope.extend(world.serve(ledger, rare), other)
          }
        }
        yield* settle
        yield* close(other)
        const fired = world.ran.map(({ scheduledTime, pipeline }) => `${pipeline} ${scheduledTime}`)
        expect(fired.length).toBe(expected.length)
        expect([...fired].sort()).toEqual(
          expected.map(({ scheduledTime, pipeline }) => `${pipeline} ${scheduledTime}`).sort()
        )
        const rows = yield* Store.of(ledger).occurrences({ limit: 100_000 })
        expect(rows.filter(({ status }) => status !== "completed")).toEqual([])
        expect(rows).toHaveLength(expected.length)
        expect(Math.max(...world.ran.map(({ at, scheduledTime }) => at - scheduledTime))).toBe(0)
        expect(expected.length).toBeGreaterThan(repetitions(700, 80))
      })
    )
)
