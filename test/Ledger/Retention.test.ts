/** Old runs are removed when the retention says so, with everything that belongs to them, and the file shrinks. */

import { statSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { expect, it } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { describeLedgers } from "./Both.ts"
import { behind, checkpoint, ledgerIn, type Opened, reject, run } from "./Ledgers.ts"

const minute = 60_000

const page = { step: "crawl", page: { key: "a", price: "known" as const } }

const work = (ledger: Opened, id: string, pipeline: string, end: "completed" | "failed" | "crashed") =>
  Effect.gen(function* () {
    const journal = yield* ledger.open(run(id, { pipeline, stateKey: `${pipeline}/s`, startedAt: Number(id.slice(1)) }))
    const decide = () => ({ _tag: "Granted", units: 1, reserved: { credits: 1, pages: 0 } }) as const
    yield* journal.reserve({ id: "crawl/job", scope: { _tag: "Day", pipeline, since: 0 }, mine: new Set(), decide })
    yield* journal.recordCall({ step: "scrape", mark: "1", answer: "x".repeat(50_000), credits: 1, page: page.page })
    yield* journal.checkpoint(
      checkpoint({
        steps: [
          { step: "write", changes: { value: { files: [{ path: `/out/${id}.jsonl`, offset: 1, rows: 1 }] } } },
          { step: "sort", changes: { value: { files: "none" }, entries: [["k", "x".repeat(200_000)]] } },
          { step: "dedupe", changes: { value: [1], entries: [["k", 1]] } }
        ],
        pages: [page],
        rejects: [reject("a")],
        state: [{ step: "dedupe", change: { key: id, value: 1, rowKey: "b" } }]
      })
    )
    if (end === "completed") yield* journal.complete(null)
    if (end === "failed") yield* journal.end("failed", "no")
  }).pipe(Effect.scoped)

const tables = ["runs", "run_texts", "stations", "entries", "staged", "calls", "pages", "rejects", "reservations"]

const counts = (folder: string) =>
  behind(folder, (sql) =>
    Effect.forEach(tables, (table) =>
      Effect.map(sql<{ n: number }>`SELECT count(*) AS n FROM ${sql(table)}`, ([row]) => `${table} ${row?.n}`)
    )
  )

describeLedgers("forgetting", (place, isFile) => {
  it.scoped("removes the shards of a run with it, and counts none of them as a run", function* () {
    const ledger = yield* ledgerIn(yield* place)
    const begin = (id: string, group?: string) => Effect.scoped(ledger.open(run(id, { group, startedAt: 1 })))
    for (const id of ["a", "b", "c"]) {
      yield* begin(id, id)
      yield* begin(`${id}.s0000`, id)
    }
    yield* begin("d")
    yield* TestClock.adjust("2 minutes")
    // Its shard goes on.
    yield* begin("c.s0001", "c")
    const ids = (keepLast: number) =>
      Effect.map(ledger.retention.runs({ before: minute, keepLast }), (gone) => gone.map(({ id }) => id).toSorted())
    // Of four runs two stay: the newest, and the one that is at work.
    expect(yield* ids(1)).toEqual(["a", "a.s0000", "b", "b.s0000"])
    expect(yield* ids(0)).toEqual(["d"])
  })

  it.scoped("leaves a run while one works on a shard of it, however old its last update is", function* () {
    const ledger = yield* ledgerIn(yield* place)
    yield* Effect.scoped(ledger.open(run("a", { group: "a" })))
    const prune = Effect.map(ledger.retention.runs({ before: minute, keepLast: 0 }), (gone) => gone.map(({ id }) => id))
    yield* Effect.scoped(
      Effect.zipRight(
        ledger.open(run("a.s0000", { group: "a" })),
        Effect.map(prune, (gone) => expect(gone).toEqual([]))
      )
    )
    expect(yield* prune).toEqual(["a.s0000", "a"])
  })

  it.scoped("keeps the last completed run of each window while the pipeline has a backfill", function* () {
    const ledger = yield* ledgerIn(yield* place)
    const begin = (startedAt: number, from: string, more = {}, definition = "schedule: { backfill: {} }") => {
      const options = { backfill: true, ...more }
      const spec = run(`w${startedAt}`, { startedAt, definition, inputs: { from }, options })
      return Effect.scoped(Effect.flatMap(ledger.open(spec), (journal) => journal.complete(null)))
    }
    yield* begin(1, "2024-01")
    yield* begin(2, "2024-01")
    yield* begin(3, "2024-02")
    yield* begin(4, "2024-03", { limit: 1 })
    yield* TestClock.adjust("2 minutes")
    const pruned = Effect.map(ledger.retention.runs({ before: 2 * minute, keepLast: 0 }), (gone) =>
      gone.map(({ id }) => id).toSorted()
    )
    expect(yield* pruned).toEqual(["w1", "w4"])
    // Its newest definition has none.
    yield* begin(5, "2024-04", {}, "steps: []")
    expect(yield* pruned).toEqual(["w2", "w3"])
  })

  it.scoped.skipIf(skipsLong)(
    "removes old runs with all their data, except active ones and the newest of each pipeline",
    function* () {
      const folder = yield* place
      const ledger = yield* ledgerIn(folder)
      yield* work(ledger, "r1", "watch", "completed")
      yield* work(ledger, "r2", "watch", "failed")
      yield* work(ledger, "r3", "watch", "crashed")
      yield* work(ledger, "r4", "watch", "completed")
      yield* work(ledger, "r5", "other", "failed")
      const publishing = yield* ledger.open(run("r0", { startedAt: 0 }))
      const sealed = { path: "/out/sealed.csv", partial: "/out/.p", format: "csv", rows: 1, bytes: 1 }
      yield* publishing.recordSealed([{ files: [sealed], stale: [], scraps: [], warnings: [] }])
      yield* TestClock.adjust("2 minutes")
      yield* work(ledger, "r6", "watch", "completed")

      // A server gives space back by itself, and not at once.
      const size = () => (isFile ? statSync(join(folder, "ledger.db")).size : 0)
      yield* ledger.retention.runs({ before: 0, keepLast: 0 })
      const large = size()
      const gone = yield* ledger.retention.runs({ before: minute, keepLast: 1 })
      expect(gone).toEqual([
        { id: "r4", pipeline: "watch", status: "completed", folder: "/home/me/.sluice/runs/r4", files: [] },
        {
          id: "r3",
          pipeline: "watch",
          status: "running",
          folder: "/home/me/.sluice/runs/r3",
          files: ["/out/r3.jsonl"]
        },
        {
          id: "r2",
          pipeline: "watch",
          status: "failed",
          folder: "/home/me/.sluice/runs/r2",
          files: ["/out/r2.jsonl"]
        },
        { id: "r1", pipeline: "watch", status: "completed", folder: "/home/me/.sluice/runs/r1", files: [] }
      ])
      if (isFile) expect(large - size()).toBeGreaterThan(400_000)
      const left = yield* ledger.history.runs({ limit: 100 })
      expect(left.map(({ id }) => id)).toEqual(["r6", "r5", "r0"])
      expect(yield* counts(folder)).toEqual([
        "runs 3",
        "run_texts 3",
        "stations 3",
        "entries 2",
        "staged 1",
        "calls 2",
        "pages 4",
        "rejects 2",
        "reservations 1"
      ])
      // State that they wrote, and credits that they spent, stay.
      expect(yield* ledger.states.get("watch/s", "dedupe", "r1")).toMatchObject({ value: 1 })
      expect(yield* ledger.creditsSince("watch", 0)).toBe(5)
      expect(yield* ledger.retention.runs({ before: minute, keepLast: 1 })).toEqual([])
    }
  )

  it.scoped("also names files that were about to be published", function* () {
    const ledger = yield* ledgerIn(yield* place)
    const sealed = { path: "/out/sealed.csv", partial: "/out/.p", format: "csv", rows: 1, bytes: 1 }
    yield* Effect.scoped(
      Effect.flatMap(ledger.open(run("r1")), (journal) =>
        journal.recordSealed([{ files: [sealed], stale: [], scraps: [], warnings: [] }])
      )
    )
    const [gone] = yield* ledger.retention.runs({ before: 1, keepLast: 0 })
    expect(gone).toMatchObject({ id: "r1", status: "publishing", files: ["/out/sealed.csv"] })
  })

  it.scoped("removes runs that it cannot read, and frees the rejects that they replayed", function* () {
    const folder = yield* place
    const ledger = yield* ledgerIn(folder)
    yield* work(ledger, "r1", "watch", "completed")
    yield* work(ledger, "r2", "watch", "failed")
    yield* ledger.history.markReplayed("r1", "r2", [0, 1])
    yield* behind(folder, (sql) => sql`UPDATE run_texts SET options = '{"limit":"x"}' WHERE run_id = 'r2'`)
    yield* behind(folder, (sql) => sql`UPDATE run_texts SET sealed = 'no JSON' WHERE run_id = 'r2'`)
    yield* behind(folder, (sql) => sql`UPDATE runs SET updated_at = ${2 * minute} WHERE id = 'r1'`)
    const replayed = behind(folder, (sql) => sql`SELECT replayed_by FROM rejects WHERE replayed_by IS NOT NULL`)
    expect(yield* replayed).toHaveLength(1)
    const gone = yield* ledger.retention.runs({ before: minute, keepLast: 0 })
    expect(gone).toMatchObject([{ id: "r2", files: ["/out/r2.jsonl"] }])
    expect(yield* replayed).toEqual([])
  })

  it.scoped("removes old pages of completed runs, and none that a resume would need", function* () {
    const ledger = yield* ledgerIn(yield* place)
    yield* work(ledger, "r1", "watch", "completed")
    yield* work(ledger, "r2", "watch", "failed")
    yield* TestClock.adjust("2 minutes")
    yield* work(ledger, "r3", "watch", "completed")
    expect(yield* ledger.retention.pages(minute)).toBe(2)
    const left = (run: string) => Effect.map(ledger.history.pagesOf(run, { limit: 9 }), (pages) => pages.length)
    expect(yield* Effect.forEach(["r1", "r2", "r3"], left)).toEqual([0, 2, 2])
    expect(yield* ledger.retention.pages(minute)).toBe(0)
  })
})
