/** Pipelines run by themselves, at their instants, each of them once. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { history, make, memory, settle, until } from "./World.ts"

describe("a schedule", () => {
  it.scoped("begins a run at every instant and keeps a row of each", () =>
    Effect.gen(function* () {
      yield* until("2026-01-05T09:59:00Z")
      const world = yield* make
      const ledger = yield* memory
      world.write("watch", 'cron: "*/15 * * * *"')
      const served = yield* world.serve(ledger)
      yield* settle
      expect(world.ran).toEqual([])
      yield* until("2026-01-05T10:00:00Z")
      yield* until("2026-01-05T10:15:00Z")
      expect(world.ran.map(({ at, instant }) => [at - instant, instant])).toEqual([
        [0, Date.parse("2026-01-05T10:00:00Z")],
        [0, Date.parse("2026-01-05T10:15:00Z")]
      ])
      expect(yield* history(ledger, "watch")).toEqual(["10:00 completed", "10:15 completed"])
      expect(yield* served.status).toMatchObject({ next: Date.parse("2026-01-05T10:30:00Z"), draining: false })
    })
  )
})
