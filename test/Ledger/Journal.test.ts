/** A resumed run finds everything it has committed, and nothing else. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Json } from "../../src/Row.ts"
import { expect, scoped } from "../It.ts"
import { describeLedgers } from "./Both.ts"
import { behind, checkpoint, ledgerIn, run, stateOf, withLedger } from "./Ledgers.ts"

describeLedgers("the journal of a run", (place) => {
  scoped("gives each step its saved state of the last checkpoint", function* () {
    const folder = yield* place
    yield* withLedger(folder, (ledger) =>
      Effect.gen(function* () {
        const journal = yield* ledger.open(run("r1"))
        expect(yield* journal.savedState("a")).toEqual({ value: undefined, entries: [] })
        yield* journal.checkpoint(
          checkpoint({
            progress: { seen: 2 },
            rows: 2,
            steps: [
              {
                step: "a",
                changes: {
                  value: { at: 1 },
                  entries: [
                    ["k2", 2],
                    ["k1", { one: 1 }],
                    ["k3", null]
                  ]
                }
              },
              { step: "b", changes: { value: null } }
            ]
          })
        )
        yield* journal.checkpoint(
          checkpoint({
            rows: 3,
            steps: [
              {
                step: "a",
                changes: {
                  entries: [
                    ["k2", undefined],
                    ["k4", 4]
                  ]
                }
              }
            ]
          })
        )
      })
    )
    const ledger = yield* ledgerIn(folder)

    expect(yield* ledger.find("r1")).toMatchObject({
      status: "running",
      rows: 3,
      inputs: { site: "https://a.example" }
    })
    const journal = yield* ledger.open(run("r1"))
    expect(yield* journal.savedState("a")).toEqual({
      value: { at: 1 },
      entries: [
        ["k1", { one: 1 }],
        ["k3", null],
        ["k4", 4]
      ]
    })
    expect(yield* journal.savedState("b")).toEqual({ value: null, entries: [] })
    expect(yield* ledger.find("nobody")).toBeUndefined()
  })

  scoped("keeps an answer that is stored at the same time as one that is no JSON", function* () {
    const ledger = yield* ledgerIn(yield* place)

    const journal = yield* ledger.open(run("r1"))
    const endless: Array<Json> = []
    endless.push(endless)
    const answers: ReadonlyArray<Json> = [endless, "kept"]
    const [bad, good] = yield* Effect.forEach(
      answers,
      (answer, at) => Effect.exit(journal.recordCall({ step: "a", mark: `${at}`, answer, credits: 1 })),
      { concurrency: "unbounded" }
    )
    expect([bad?._tag, good?._tag]).toEqual(["Failure", "Success"])
    expect(yield* journal.answers).toEqual(new Map([["a", new Map([["1", "kept"]])]]))
  })

  scoped("keeps answers until a checkpoint has settled them, and their cost for good", function* () {
    const folder = yield* place
    const page = { key: "https://a.example/", status: 200, price: "known" as const, credits: 2 }
    yield* withLedger(folder, (ledger) =>
      Effect.gen(function* () {
        const journal = yield* ledger.open(run("r1"))
        yield* Effect.all(
          [
            journal.recordCall({ step: "a", mark: "1", answer: { text: "one" }, credits: 2, page }),
            journal.recordCall({ step: "a", mark: "2", answer: null, credits: null }),
            journal.recordCall({ step: "b", mark: "1", answer: [1], credits: undefined })
          ],
          { concurrency: "unbounded" }
        )
        yield* journal.checkpoint(
          checkpoint({ jobCredits: 5, jobUnpriced: 1, resolvedCalls: [{ step: "a", mark: "1" }] })
        )
      })
    )
    const ledger = yield* ledgerIn(folder)

    const journal = yield* ledger.open(run("r1"))
    expect(yield* journal.answers).toEqual(
      new Map<string, Map<string, Json>>([
        ["a", new Map<string, Json>([["2", null]])],
        ["b", new Map<string, Json>([["1", [1]]])]
      ])
    )
    expect(yield* journal.booked).toEqual({ credits: 2, unpriced: 1, pages: 1, calls: 2 })
    expect(yield* ledger.find("r1")).toMatchObject({ credits: 7, unpriced: 2 })
    expect(yield* ledger.creditsSince("watch", 0)).toBe(7)
    expect(yield* journal.presentPages).toEqual(new Set(["https://a.example/"]))
  })

  scoped("publishes again after a crash, and then drops what only a resume would need", function* () {
    const folder = yield* place
    const sealed = [{ files: [], stale: ["/x"], scraps: [], warnings: [] }]
    const open = run("r1", { stateKey: "watch/a" })
    yield* withLedger(folder, (ledger) =>
      Effect.gen(function* () {
        const journal = yield* ledger.open(open)
        yield* journal.checkpoint(
          checkpoint({
            steps: [{ step: "a", changes: { value: 1, entries: [["k", 1]] } }],
            rejects: [
              {
                key: "bad",
                step: "c",
                definedAt: "f:1:1",
                error: "E",
                message: "no\0",
                at: "2026-01-01",
                row: { x: 1 }
              }
            ],
            state: [
              { step: "a", change: { key: "k1", value: 1, rowKey: "good" } },
              { step: "a", change: { key: "k1", value: 2, rowKey: "bad" } },
              { step: "a", change: { key: "k2", value: 2, rowKey: "bad" } }
            ]
          })
        )
        yield* journal.recordSealed(sealed)
        yield* journal.end("failed", "the disk went away")
      })
    )
    yield* withLedger(folder, (ledger) =>
      Effect.gen(function* () {
        const journal = yield* ledger.open(open)
        expect(yield* ledger.find("r1")).toMatchObject({ status: "publishing", error: undefined })
        expect(yield* journal.sealed).toEqual(sealed)
        expect(yield* stateOf(journal, "a")).toEqual([])
        expect(yield* Stream.runCount(ledger.history.rejects("r1", { which: "all" }))).toBe(1)
        yield* journal.complete([{ path: "/out" }])
        expect(yield* stateOf(journal, "a")).toMatchObject([{ key: "k1", value: 1 }])
        expect(yield* journal.savedState("a")).toEqual({ value: undefined, entries: [] })
        expect(yield* ledger.find("r1")).toMatchObject({ status: "completed", outputs: [{ path: "/out" }] })
      })
    )
    const ledger = yield* ledgerIn(folder)

    const error = yield* Effect.flip(ledger.open(open))
    expect(error.message).toContain("it is complete")
  })

  scoped("is not given to another run with the same id", function* () {
    const ledger = yield* ledgerIn(yield* place)

    const begin = (more: Parameters<typeof run>[1]) => Effect.scoped(ledger.open(run("r1", more)))
    yield* begin({ startedAt: 1 })
    for (const other of [{ startedAt: 2 }, { startedAt: 1, pipeline: "other" }]) {
      expect((yield* Effect.flip(begin(other))).message).toContain("a run with this id was started")
    }
    yield* begin({ startedAt: 1 })
  })

  scoped("drops the leftovers of a run that was killed right after it had completed", function* () {
    const folder = yield* place
    const entries = Array.from({ length: 3 }, (_, n) => [`k${n}`, n] as const)
    yield* withLedger(folder, (ledger) =>
      Effect.gen(function* () {
        const journal = yield* ledger.open(run("r1"))
        yield* journal.checkpoint(checkpoint({ steps: [{ step: "a", changes: { entries } }] }))
        const other = yield* ledger.open(run("r2"))
        yield* other.checkpoint(checkpoint({ steps: [{ step: "a", changes: { entries } }] }))
      })
    )
    yield* behind(folder, (sql) => sql`UPDATE runs SET status = 'completed' WHERE id = 'r1'`)
    yield* withLedger(folder, (ledger) => Effect.flatMap(ledger.open(run("r3")), (journal) => journal.complete(null)))
    const left = yield* behind(
      folder,
      (sql) => sql`SELECT run_id, CAST(count(*) AS INTEGER) AS n FROM stations
        JOIN entries ON entries.station = stations.id GROUP BY run_id`
    )
    expect(left).toEqual([{ run_id: "r2", n: 3 }])
  })
})
