/** Scheduler with real runs over a real ledger: interrupted runs are resumed, and nothing is done twice. */
import { mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Ledger } from "../../src/Ledger.ts"
import * as Run from "../../src/Run.ts"
import * as Store from "../../src/Schedule/Store.ts"
import type * as Schedule from "../../src/Schedule.ts"
import { ledgerIn } from "../Ledger/Ledgers.ts"
import { tempDir } from "../Local.ts"
import { offline } from "../Services.ts"
import { eventually, inTime, make, until } from "./World.ts"

/** These pipelines ask no service; port 9 of loopback would refuse them. */
it.scoped(
  "a scheduler runs real pipelines at their scheduled times, and resumes a failed run from its last checkpoint",
  () =>
    inTime(
      Effect.gen(function* () {
        yield* until("2026-01-05T09:59:00Z")
        const world = yield* make
        const home = yield* tempDir
        const ledger = yield* ledgerIn(home)
        const final = join(home, "out.jsonl")
        const steps =
          "steps:\n  - urls: [https://example.com/a, https://example.com/b]\n  - select: { url: url, at: $run.scheduledFor.time }\n  - write: { jsonl: out.jsonl }\n"
        const schedule = 'schedule: { cron: "0 * * * *", retry: { times: 1, after: 10m } }'
        world.writeText("rows.yaml", `version: 1\nname: rows\n${schedule}\n${steps}`)
        const resumed: Array<string | undefined> = []
        let observed = 0
        const runner: Schedule.Runner = {
          load: world.runner.load,
          run: ({ begun, checked, scheduledTime, resume }) =>
            Effect.gen(function* () {
              resumed.push(resume?.id)
              const run = yield* Run.make(checked, {
                out: home,
                dataDir: home,
                scheduledFor: new Date(scheduledTime),
                ...(resume === undefined ? {} : { resume }),
                observe: () =>
                  Effect.sync(() => {
                    // A folder takes the place of the output: the first run finishes, and cannot be published.
                    if (observed++ === 0) mkdirSync(join(final, "in the way"), { recursive: true })
                  })
              })
              yield* begun(run.id)
              return yield* run.execute
            }).pipe(Effect.provide(offline), Effect.provideService(Ledger, ledger))
        }
        const seen: Array<string> = []
        const tell = (news: Schedule.SchedulerEvent) => {
          if (news._tag === "Over") seen.push(news.record.status)
          if (news._tag === "Retrying") seen.push("retrying")
        }
        yield* world.serve(ledger, { runner, onEvent: tell })
        yield* until("2026-01-05T10:00:00Z")
        yield* eventually(() => seen.length === 1)
        const [first] = yield* Store.of(ledger).occurrences({ limit: 1 })
        expect(first).toMatchObject({ status: "retrying", attempt: 1 })
        rmSync(final, { recursive: true })
        const before = observed
        yield* until("2026-01-05T10:10:00Z")
        yield* eventually(() => seen.length === 2)
        expect(
          readFileSync(final, "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line))
        ).toEqual([
          { url: "https://example.com/a", at: "10:00:00" },
          { url: "https://example.com/b", at: "10:00:00" }
        ])
        // It was only published: no row was made a second time.
        expect(observed).toBe(before)
        yield* until("2026-01-05T11:00:00Z")
        yield* eventually(() => seen.length === 3)
        expect(seen).toEqual(["retrying", "completed", "completed"])
        expect(resumed).toEqual([undefined, first?.runId, undefined])
        const runs = yield* ledger.history.runs({ limit: 9 })
        expect(runs.map(({ scheduledFor, status }) => [scheduledFor, status])).toEqual([
          [Date.parse("2026-01-05T11:00:00Z"), "completed"],
          [Date.parse("2026-01-05T10:00:00Z"), "completed"]
        ])
      })
    )
)
