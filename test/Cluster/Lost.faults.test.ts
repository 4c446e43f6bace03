/** Parts that cannot run: they crash their workers, or another run holds what they need. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Cluster from "../../src/Cluster.ts"
import type { RunRecord } from "../../src/Ledger/Model.ts"
import { Ledger } from "../../src/Ledger.ts"
import { describeBeside } from "../WithPostgres.ts"
import { checked, claimed, context, ended, ground, lines, submit, worker } from "./Ground.ts"

const steps = `version: 1
name: poison
steps:
  - read: rows.jsonl
  - select: { id: id }
  - write: { jsonl: pages.jsonl }
`

const watch = `version: 1
name: watch
state: { key: watch }
steps:
  - read: rows.jsonl
  - dedupe: { key: id, across: runs }
  - write: { jsonl: "{runId}.jsonl" }
`

/** Workers begin a part, and are killed: it is delivered again. */
const lose = (runId: string, times: number) =>
  Effect.gen(function* () {
    const { offer, withdraw } = yield* Cluster.Carrier
    const { begin } = yield* Cluster.Submissions
    for (let time = 0; time < times; time++) {
      const delivery = yield* claimed(`lost ${time}`, time < 2 ? "any" : "suspect")
      // The answer may be lost on the way; then the worker asks again.
      yield* begin(delivery, `lost ${time}`)
      yield* withdraw(runId, "all")
      yield* offer([delivery])
      // From the third on, the worker that takes it sees a suspect, and hands it on to one that is alone.
      if (time === 1) yield* claimed("wary")
    }
  })

describeBeside("a part that cannot be carried out", () => {
  it.live("is given up after it has crashed five workers without progress, and can be resumed", () =>
    Effect.gen(function* () {
      const { definition, layer, out } = yield* ground(steps, 2)
      yield* Effect.gen(function* () {
        const { reopen } = yield* Cluster.Submissions
        const { find } = yield* Ledger
        const { runId } = yield* submit(definition, out)
        yield* lose(runId, 5)
        const first = yield* worker(layer, "one", { drain: true, concurrency: 1 })
        yield* Fiber.join(first.fiber)
        expect(yield* ended(runId)).toMatchObject({ status: "failed", reason: "WorkersLost" })
        const error = expect.stringMatching(new RegExp(`^the split of ${runId} was started 5 times .* memory`))
        expect(yield* find(runId)).toMatchObject({ status: "failed", error })
        expect(first.said).toContain(`gives up the split of ${runId}`)
        expect(yield* reopen(runId)).toBe(true)
        // Four times are not too often.
        yield* lose(runId, 4)
        const second = yield* worker(layer, "two", { drain: true, concurrency: 1 })
        yield* Fiber.join(second.fiber)
        expect((yield* ended(runId)).status).toBe("completed")
        expect(lines(out, "pages")).toHaveLength(2)
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live("waits while another run holds its state, says so, and lets others run meanwhile", () =>
    Effect.gen(function* () {
      const { definition, layer, out } = yield* ground(watch, 1)
      const other = yield* checked(out, steps)
      yield* Effect.gen(function* () {
        const { find, open } = yield* Ledger
        const { runId } = yield* submit(definition, out)
        const owner = yield* Scope.make()
        const record = yield* find(runId)
        yield* Scope.extend(open({ ...record, id: "another" } as RunRecord), owner)
        const drained = yield* worker(layer, "one", { drain: true, concurrency: 1 })
        const waiting = yield* Effect.repeat(Effect.delay(Cluster.RunStatus.standing(runId), 50), {
          until: (now) => now?.waitsFor !== undefined
        })
        expect(waiting?.waitsFor).toMatch(/state watch is in use by process/)
        // There is one place alone, and it is free.
        expect((yield* ended((yield* submit(other, out)).runId)).status).toBe("completed")
        expect((yield* Cluster.RunStatus.standing(runId))?.status).toBe("running")
        yield* Scope.close(owner, Exit.void)
        yield* Fiber.join(drained.fiber)
        expect(yield* ended(runId)).toMatchObject({ status: "completed", waitsFor: undefined })
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live("is reported as waiting as long as it waits, and not while it runs", () =>
    Effect.gen(function* () {
      const { definition, layer, out } = yield* ground(steps)
      yield* Effect.gen(function* () {
        const { defer } = yield* Cluster.Submissions
        const { claim } = yield* Cluster.Carrier
        const { runId } = yield* submit(definition, out)
        yield* defer(yield* claimed("first"), "another run has its state")
        expect((yield* Cluster.RunStatus.standing(runId))?.waitsFor).toBe("another run has its state")
        expect(yield* claim("any", 1)).toEqual([])
        yield* Effect.sleep("5 seconds")
        yield* Cluster.Workers.beat({ id: "second", host: "second", pid: 1, concurrency: 1 })
        expect((yield* claimed("second")).hasWaited).toBe(true)
        expect(yield* Cluster.RunStatus.standing(runId)).toMatchObject({ working: 1, waitsFor: undefined })
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )
})
