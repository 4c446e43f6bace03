/** One scheduled time by hand: run regardless of the schedule, and never beside another run. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Ledger } from "../../src/Ledger.ts"
import * as Store from "../../src/Schedule/Store.ts"
import * as Schedule from "../../src/Schedule.ts"
import { summary } from "../Project.ts"
import { failure, inTime, make, memory, until } from "./World.ts"

it.scoped("a scheduled time is run manually, again when it failed, and not when it has completed", () =>
  inTime(
    Effect.gen(function* () {
      yield* until("2026-01-05T09:59:00Z")
      const world = yield* make
      const ledger = yield* memory
      world.write("watch", 'cron: "0 * * * *", retry: { times: 5, after: 1m }')
      const checked = yield* world.runner.load(`${world.folder}/watch.yaml`)
      const scheduledTime = Date.parse("2026-01-05T08:00:00Z")
      const run = Schedule.runAt({ checked, scheduledTime, runner: world.runner }).pipe(
        Effect.provideService(Ledger, ledger),
        Effect.provide(NodeContext.layer)
      )
      yield* Store.of(ledger).pause("watch", undefined)
      world.work = ({ runId }) => Effect.fail(failure(runId, "HttpError", "no"))
      expect(yield* run).toMatchObject({ status: "failed", cause: "hand", attempt: 1, reason: "no" })
      world.work = ({ runId }) => Effect.succeed(summary(runId))
      expect(yield* run).toMatchObject({ status: "completed", attempt: 2 })
      expect(yield* run).toMatchObject({ status: "completed", attempt: 2 })
      expect(world.ran.map((each) => each.scheduledTime)).toEqual([scheduledTime, scheduledTime])
    })
  )
)
