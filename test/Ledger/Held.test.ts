/** Held runs in the ledger: one transaction releases or discards them, and nothing of them takes effect before. */

import * as Effect from "effect/Effect"
import type { SealedHealth } from "../../src/Ledger/Health.ts"
import { expect, it } from "../It.ts"
import { describeLedgers } from "./Both.ts"
import { behind, checkpoint, type Opened, run, stateOf, withLedger } from "./Ledgers.ts"

const fileAt = (path: string) => ({ path, format: "jsonl", rows: 1, bytes: 9 })

const partialAt = (path: string) => ({ ...fileAt(path), partial: `${path}.r.partial` })

const sealedFile = (path: string) => ({ files: [partialAt(path)], stale: [], scraps: [], warnings: [] })

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

/** An entry that every run here sees again. */
const again = { step: "dedupe", change: { key: "again", rowKey: "again", value: 1, isSeenAgain: true } }

interface Files {
  readonly held?: boolean
  readonly path?: string
  readonly paths?: ReadonlyArray<string>
  readonly manifest?: string
  /** Null: the files are appended to ones that were not there yet. */
  readonly original?: null
}

/** A run that stages one key and writes one file; held, or published. */
const ended = (ledger: Opened, id: string, startedAt: number, files: Files = {}) =>
  Effect.gen(function* () {
    const { held = true, manifest, original, path = `/out/${id}.jsonl`, paths = [path] } = files
    const journal = yield* ledger.open(run(id, { startedAt, stateKey: "watch" }))
    yield* journal.checkpoint(
      checkpoint({ steps: [{ step: "dedupe", changes: { value: 1 } }], state: [change(id), again] })
    )
    const health = {
      profiles: new Map(),
      records: records(id),
      held: held ? "the outputs are held: too few" : undefined
    }
    const sealed = {
      ...sealedFile(path),
      files: [
        ...paths.map((each) => ({ ...partialAt(each), ...(original === undefined ? {} : { original }) })),
        ...(manifest === undefined ? [] : [{ ...partialAt(manifest), isManifest: true }])
      ]
    }
    yield* journal.recordSealed([sealed], health)
    if (!held) {
      const listed = manifest === undefined ? {} : { manifest }
      yield* journal.complete(paths.map((each) => ({ ...fileAt(each), ...listed })))
    }
    // A process that ends badly does not change what was decided.
    yield* journal.end("failed", "late")
  }).pipe(Effect.scoped)

const keys = (ledger: Opened, startedAt: number) =>
  Effect.gen(function* () {
    const journal = yield* ledger.open(run("reader", { startedAt, stateKey: "watch" }))
    return (yield* stateOf(journal, "dedupe")).map(({ key }) => key)
  }).pipe(Effect.scoped)

describeLedgers("held runs", (place) => {
  it.scoped("stage their state, have no locks, and are not resumed", function* () {
    yield* withLedger(yield* place, (ledger) =>
      Effect.gen(function* () {
        yield* ended(ledger, "r1", 1_000)
        expect(yield* ledger.find("r1")).toMatchObject({ status: "held", error: "the outputs are held: too few" })
        expect((yield* ledger.history.alive).size).toBe(0)
        const refused = yield* Effect.flip(Effect.scoped(ledger.open(run("r1", { stateKey: "watch" }))))
        expect(refused.message).toContain("its outputs are held: sluice publish r1 releases them")
        // A later run has seen its keys; they are not in the state.
        expect(yield* keys(ledger, 2_000)).toEqual(["r1"])
        expect(yield* ledger.states.list).toEqual([])
      })
    )
  })

  it.scoped("are released once, and then published with their state", function* () {
    yield* withLedger(yield* place, (ledger) =>
      Effect.gen(function* () {
        yield* ended(ledger, "r1", 1_000)
        yield* ledger.held.release("r1")
        yield* ledger.held.release("r1")
        expect(yield* ledger.find("r1")).toMatchObject({ status: "publishing", error: undefined })
        expect((yield* Effect.flip(ledger.held.discard("r1", () => Effect.succeed(false), "user"))).message).toContain(
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

  it.scoped("are discarded with their state, and list their files until these are removed", function* () {
    const folder = yield* place
    yield* withLedger(folder, (ledger) =>
      Effect.gen(function* () {
        yield* ended(ledger, "r1", 1_000)
        const whole = { sealed: [sealedFile("/out/r1.jsonl")], unpublished: [] }
        expect(yield* ledger.held.discard("r1", untouched, "user")).toEqual(whole)
        expect(yield* ledger.held.discard("r1", untouched, "user")).toEqual(whole)
        yield* ledger.held.forget("r1")
        expect(yield* Effect.flip(ledger.held.discard("r1", untouched, "user"))).toMatchObject({
          _tag: "RunNotHeld",
          status: "discarded"
        })
        expect(yield* Effect.flip(ledger.held.discard("r2", untouched, "user"))).toMatchObject({
          _tag: "RunNotHeld",
          status: undefined
        })
        expect(yield* keys(ledger, 2_000)).toEqual([])
        const refused = yield* Effect.flip(Effect.scoped(ledger.open(run("r1", { stateKey: "watch" }))))
        expect(refused.message).toContain("its outputs were discarded")
      })
    )
    expect(
      yield* behind(folder, (sql) => sql`SELECT station FROM staged UNION ALL SELECT station FROM seen_again`)
    ).toEqual([])
  })

  it.scoped(
    "list the files of a run that did not complete until they are removed, whatever completes meanwhile",
    function* () {
      yield* withLedger(yield* place, (ledger) =>
        Effect.gen(function* () {
          const value = { path: "/out/r1.jsonl" }
          yield* Effect.scoped(
            Effect.flatMap(ledger.open(run("r1")), (journal) =>
              journal.checkpoint(checkpoint({ steps: [{ step: "write", changes: { value } }] }))
            )
          )
          const listed = { sealed: [], unpublished: ["/out/r1.jsonl"] }
          expect(yield* ledger.held.discard("r1", untouched, "user")).toEqual(listed)
          yield* ended(ledger, "r2", 2_000, { held: false })
          expect(yield* ledger.held.discard("r1", untouched, "user")).toEqual(listed)
          yield* ledger.held.forget("r1")
          expect(yield* ledger.connection.sql`SELECT id FROM stations`).toEqual([])
          expect(yield* Effect.flip(ledger.held.discard("r1", untouched, "user"))).toMatchObject({
            status: "discarded"
          })
        })
      )
    }
  )

  it.scoped("of a run on many machines are not discarded while one works on a shard, or may begin one", function* () {
    yield* withLedger(yield* place, (ledger) =>
      Effect.gen(function* () {
        const discarded = ledger.held.discard("r1", untouched, "user")
        yield* Effect.scoped(ledger.open(run("r1", { group: "r1" })))
        yield* Effect.scoped(
          Effect.gen(function* () {
            const shard = yield* ledger.open(run("r1.s0001", { group: "r1" }))
            expect(yield* Effect.flip(discarded)).toMatchObject({ _tag: "Locked", name: "run r1.s0001" })
            yield* shard.end("stopped")
          })
        )
        expect((yield* Effect.flip(discarded)).message).toBe("run r1 is running: stop it first: sluice stop r1")
        yield* ledger.connection.sql`UPDATE runs SET status = 'stopped' WHERE id = 'r1'`
        yield* discarded
        expect((yield* ledger.find("r1"))?.status).toBe("discarded")
      })
    )
  })

  it.scoped(
    "are discarded after their publication failed before its first file, and else sluice resume is named",
    function* () {
      yield* withLedger(yield* place, (ledger) =>
        Effect.gen(function* () {
          yield* Effect.scoped(
            Effect.flatMap(ledger.open(run("r1")), (journal) =>
              Effect.zipRight(journal.recordSealed([sealedFile("/out/r1.jsonl")]), journal.end("failed", "a folder"))
            )
          )
          const begun = Effect.flip(ledger.held.discard("r1", () => Effect.succeed(false), "user"))
          expect((yield* begun).message).toBe(
            "run r1 is failed: some of its outputs may already be published; sluice resume r1 publishes the rest"
          )
          expect((yield* ledger.held.discard("r1", untouched, "user")).sealed).toEqual([sealedFile("/out/r1.jsonl")])
        })
      )
    }
  )

  it.scoped("are released although a later run has written other files beside the same manifest", function* () {
    yield* withLedger(yield* place, (ledger) =>
      Effect.gen(function* () {
        const manifest = "/out/_manifest.json"
        yield* ended(ledger, "r1", -2_000, { manifest })
        yield* ended(ledger, "r2", -1_000, { held: false, manifest })
        yield* ledger.connection.sql`UPDATE runs SET state_key = NULL`
        yield* ledger.held.release("r1")
        expect((yield* ledger.find("r1"))?.status).toBe("publishing")
      })
    )
  })

  it.scoped(
    "are counted beside a run that has ended, and listed with what later runs have written; a trial writes nothing",
    function* () {
      yield* withLedger(yield* place, (ledger) =>
        Effect.gen(function* () {
          const { sql } = ledger.connection
          const path = "/out/same.jsonl"
          yield* ended(ledger, "r1", -3_000, { path })
          yield* ended(ledger, "r2", -2_000)
          yield* ended(ledger, "r3", -1_000, { held: false, path })
          expect(yield* ledger.held.waiting("watch", "r3")).toEqual({ count: 2, since: -3_000 })
          expect(yield* ledger.held.waiting("another", "r3")).toBeUndefined()
          yield* ledger.held.release("r2")
          expect([yield* ledger.held.list("watch"), yield* ledger.held.list("another")]).toEqual([["r1", "r2"], []])
          expect(yield* ledger.held.writtenSince("r1")).toEqual(new Set([path]))
          expect(yield* ledger.history.hasWritten(["/out/r2.jsonl"])).toBe(false)
          expect(yield* ledger.history.hasWritten(["/out/r2.jsonl", path])).toBe(true)
          yield* sql`UPDATE run_texts SET options = '{"limit":5}' WHERE run_id = 'r3'`
          expect(yield* ledger.held.writtenSince("r1")).toEqual(new Set())
        })
      )
    }
  )

  it.scoped("expire until their files are removed, but not once they are released", function* () {
    yield* withLedger(yield* place, (ledger) =>
      Effect.gen(function* () {
        const { held } = ledger
        for (const [index, id] of ["r1", "r2", "r3"].entries()) yield* ended(ledger, id, index)
        const expired = Effect.map(held.expired(Number.MAX_SAFE_INTEGER), (runs) => runs.map(({ id }) => id))
        expect(yield* held.expired(-1)).toEqual([])
        expect(yield* expired).toEqual(["r3", "r2", "r1"])
        yield* held.release("r3")
        // Another process publishes it: what nobody has decided leaves it alone.
        expect(yield* Effect.flip(held.discard("r3", untouched, "prune"))).toMatchObject({ status: "publishing" })
        expect([yield* held.isReleased("r3"), yield* held.isReleased("r2")]).toEqual([true, false])
        yield* held.discard("r2", untouched, "prune")
        yield* held.discard("r1", untouched, "user")
        yield* held.forget("r1")
        expect(yield* expired).toEqual(["r2"])
        yield* held.discard("r2", untouched, "prune")
        expect((yield* ledger.find("r2"))?.error).toBe("discarded by sluice runs prune")
        yield* held.discard("r3", untouched, "user")
        expect(yield* held.isReleased("r3")).toBe(false)
      })
    )
  })
})
