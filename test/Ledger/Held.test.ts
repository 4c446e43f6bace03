/** Held runs in the ledger: one transaction releases or discards them, and nothing of them takes effect before. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { SealedHealth } from "../../src/Ledger/Health.ts"
import { describeLedgers } from "./Both.ts"
import { behind, checkpoint, type Opened, run, withLedger } from "./Ledgers.ts"

const sealedFile = (path: string) => ({
  files: [{ path, format: "jsonl", rows: 1, bytes: 9, partial: `${path}.r.partial` }],
  stale: [],
  scraps: [],
  warnings: []
})

const untouched = () => Effect.succeed(true)

/** Health of a run that was compared with others. */
const records = (runId: string): SealedHealth["records"] => [
  {
    runId,
    sink: "",
    pipeline: "watch",
    steps: "s",
    series: "i",
    at: 0,
    metrics: { steps: {}, rejected: 0, pages: 0, statuses: {} },
    verdicts: []
  }
]

const change = (key: string) => ({ step: "dedupe", change: { key, rowKey: key, value: 1 } })

/** A run that stages one key and writes one file; held, or published. */
const ended = (ledger: Opened, id: string, startedAt: number, { held = true, path = `/out/${id}.jsonl` } = {}) =>
  Effect.gen(function* () {
    const journal = yield* ledger.open(run(id, { startedAt, stateKey: "watch" }))
    yield* journal.checkpoint(checkpoint({ steps: [{ step: "dedupe", changes: { value: 1 } }], state: [change(id)] }))
    const health = {
      profiles: new Map(),
      records: records(id),
      held: held ? "the outputs are held: too few" : undefined
    }
    yield* journal.recordSealed([sealedFile(path)], health)
    if (!held) yield* journal.complete([{ path, format: "jsonl", rows: 1, bytes: 9 }])
    // A process that ends badly does not change what was decided.
    yield* journal.end("failed", "late")
  }).pipe(Effect.scoped)

const keys = (ledger: Opened, startedAt: number) =>
  Effect.gen(function* () {
    const journal = yield* ledger.open(run("reader", { startedAt, stateKey: "watch" }))
    return (yield* journal.state("dedupe")).map(({ key }) => key)
  }).pipe(Effect.scoped)

describeLedgers("held runs", (place) => {
  it.scoped("stage their state, have no locks, and are not resumed", () =>
    Effect.gen(function* () {
      yield* withLedger(yield* place, (ledger) =>
        Effect.gen(function* () {
          yield* ended(ledger, "r1", 1_000)
          expect(yield* ledger.find("r1")).toMatchObject({ status: "held", error: "the outputs are held: too few" })
          expect((yield* ledger.history.alive).size).toBe(0)
          const refused = yield* Effect.flip(Effect.scoped(ledger.open(run("r1", { stateKey: "watch" }))))
          expect(refused.message).toContain("its outputs are held: sluice publish r1 releases them")
          expect(yield* keys(ledger, 2_000)).toEqual([])
        })
      )
    })
  )

  it.scoped("are released once, and then published with their state", () =>
    Effect.gen(function* () {
      yield* withLedger(yield* place, (ledger) =>
        Effect.gen(function* () {
          yield* ended(ledger, "r1", 1_000)
          yield* ledger.held.release("r1")
          yield* ledger.held.release("r1")
          expect(yield* ledger.find("r1")).toMatchObject({ status: "publishing", error: undefined })
          expect((yield* Effect.flip(ledger.held.discard("r1", () => Effect.succeed(false)))).message).toContain(
            "run r1 is publishing"
          )
          yield* Effect.scoped(
            Effect.flatMap(ledger.open(run("r1", { stateKey: "watch" })), (journal) =>
              Effect.gen(function* () {
                expect(yield* journal.sealed).toEqual([sealedFile("/out/r1.jsonl")])
                yield* journal.complete([])
              })
            )
          )
          expect(yield* keys(ledger, 2_000)).toEqual(["r1"])
        })
      )
    })
  )

  it.scoped("are discarded with their state, and list their files until these are removed", () =>
    Effect.gen(function* () {
      const folder = yield* place
      yield* withLedger(folder, (ledger) =>
        Effect.gen(function* () {
          yield* ended(ledger, "r1", 1_000)
          expect(yield* ledger.held.discard("r1", untouched)).toEqual([sealedFile("/out/r1.jsonl")])
          expect(yield* ledger.held.discard("r1", untouched)).toEqual([sealedFile("/out/r1.jsonl")])
          yield* ledger.held.forget("r1")
          expect(yield* Effect.flip(ledger.held.discard("r1", untouched))).toMatchObject({
            _tag: "RunNotHeld",
            status: "discarded"
          })
          expect(yield* Effect.flip(ledger.held.discard("r2", untouched))).toMatchObject({
            _tag: "RunNotHeld",
            status: undefined
          })
          expect(yield* keys(ledger, 2_000)).toEqual([])
          const refused = yield* Effect.flip(Effect.scoped(ledger.open(run("r1", { stateKey: "watch" }))))
          expect(refused.message).toContain("its outputs were discarded")
        })
      )
      expect(yield* behind(folder, (sql) => sql`SELECT * FROM staged`)).toEqual([])
    })
  )

  it.scoped("are not released once their state has moved on, or a later run has written their files", () =>
    Effect.gen(function* () {
      yield* withLedger(yield* place, (ledger) =>
        Effect.gen(function* () {
          yield* ended(ledger, "r1", -2_000)
          yield* ended(ledger, "r2", -1_000, { held: false })
          expect(yield* Effect.flip(ledger.held.release("r1"))).toMatchObject({ by: "r2", path: undefined })
          expect((yield* ledger.find("r1"))?.status).toBe("held")
          const { sql } = ledger.connection
          yield* sql`UPDATE runs SET state_key = NULL`
          yield* ledger.held.release("r1")
          yield* sql`UPDATE runs SET status = 'held' WHERE id = 'r1'`
          yield* sql`UPDATE run_texts SET outputs = '[{"path":"/out/r1.jsonl"}]' WHERE run_id = 'r2'`
          expect(yield* Effect.flip(ledger.held.release("r1"))).toMatchObject({ by: "r2", path: "/out/r1.jsonl" })
          // An earlier one that was published later has been replaced, but for a manifest.
          yield* sql`UPDATE runs SET started_at = -3000 WHERE id = 'r2'`
          yield* ledger.held.release("r1")
          yield* sql`UPDATE runs SET status = 'held' WHERE id = 'r1'`
          yield* sql`UPDATE run_texts SET sealed = replace(sealed, 'r1.jsonl', '_manifest.json') WHERE run_id = 'r1'`
          yield* sql`UPDATE run_texts SET outputs = '[{"path":"/out/x.jsonl","manifest":"/out/_manifest.json"}]'
            WHERE run_id = 'r2'`
          const superseded = yield* Effect.flip(ledger.held.release("r1"))
          expect(superseded).toMatchObject({ by: "r2", path: "/out/_manifest.json" })
        })
      )
    })
  )

  it.scoped(
    "that were released, but not published before another run was, are neither released nor resumed again",
    () =>
      Effect.gen(function* () {
        yield* withLedger(yield* place, (ledger) =>
          Effect.gen(function* () {
            const path = "/out/same.jsonl"
            const { sql } = ledger.connection
            yield* ended(ledger, "r1", -2_000, { path })
            yield* sql`UPDATE runs SET state_key = NULL`
            yield* ledger.held.release("r1")
            yield* ended(ledger, "r2", -1_000, { path, held: false })
            expect(yield* Effect.flip(ledger.held.release("r1"))).toMatchObject({ by: "r2", path })
            const again = Effect.scoped(ledger.open(run("r1", { startedAt: -2_000, stateKey: "watch" })))
            expect((yield* Effect.flip(again)).message).toContain(`run r2 has since written ${path}`)
            // By the state too, and after a publication that has failed.
            yield* sql`UPDATE runs SET state_key = (SELECT state_key FROM runs WHERE id = 'r2'), status = 'failed'
            WHERE id = 'r1'`
            expect((yield* Effect.flip(again)).message).toContain("run r2 has since changed the state")
            // Nothing of it is published: it can go.
            expect(yield* Effect.flip(ledger.held.discard("r1", () => Effect.succeed(false)))).toMatchObject({
              _tag: "RunNotHeld"
            })
            yield* ledger.held.discard("r1", untouched)
            expect((yield* ledger.find("r1"))?.status).toBe("discarded")
            expect((yield* Effect.flip(ledger.held.discard("r2", untouched)))._tag).toBe("RunNotHeld")
          })
        )
      })
  )
})
