/** Runs that are shards of one keep to one rate and to one budget, wherever they work. */

import * as Effect from "effect/Effect"
import { migrations } from "../../src/Ledger/Schema.ts"
import { expect, it, scoped } from "../It.ts"
import { describeLedgers } from "./Both.ts"
import { behind, checkpoint, ledgerIn, run, withLedger } from "./Ledgers.ts"

describeLedgers("a group of runs", (place, isFile) => {
  scoped("shares a rate: a burst at first, then one turn after another", function* () {
    const at = yield* place
    const [one, two] = [yield* ledgerIn(at), yield* ledgerIn(at)]
    const rate = { limit: 3, interval: 60_000 }
    const waits: Array<number> = []
    for (let n = 0; n < 6; n++) waits.push(yield* (n % 2 === 0 ? one : two).sharedLimits.takeTurn("g/scrape", rate))
    expect(waits.slice(0, 3)).toEqual([0, 0, 0])
    // The server's clock goes on meanwhile.
    for (const [n, wait] of waits.slice(3).entries()) {
      expect(wait).toBeLessThanOrEqual((n + 1) * 20_000)
      expect(wait).toBeGreaterThan((n + 1) * 20_000 - (isFile ? 1 : 10_000))
    }
    // Another step, and a rate that was idle, start from zero.
    expect(yield* two.sharedLimits.takeTurn("g/parse", { limit: 1, interval: 1_000 / 3 })).toBe(0)
    yield* behind(at, (sql) => sql`UPDATE rates SET paid_at = 0 WHERE name = 'g/scrape'`)
    expect(yield* one.sharedLimits.takeTurn("g/scrape", rate)).toBe(0)
  })

  it.scopedLive("gives no turn to two concurrent calls", function* () {
    const at = yield* place
    const ledgers = [yield* ledgerIn(at), yield* ledgerIn(at)]
    const waits = yield* Effect.all(
      Array.from({ length: 40 }, (_, n) =>
        (ledgers[n % 2] as (typeof ledgers)[number]).sharedLimits.takeTurn("g/a", { limit: 10, interval: 600_000 })
      ),
      { concurrency: "unbounded" }
    )
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10)
    expect(new Set(waits.map((wait) => Math.ceil(wait / 60_000))).size).toBe(31)
  })

  scoped("adds up what its runs have recorded, and not what others have", function* () {
    const at = yield* place
    const [one, two] = [yield* ledgerIn(at), yield* ledgerIn(at)]
    const first = yield* one.open(run("r1", { group: "g" }))
    const second = yield* two.open(run("r2", { group: "g", startedAt: 2_000 }))
    const alone = yield* one.open(run("r3"))
    const page = { key: "https://a.example/", price: "known" as const, credits: 2 }
    for (const journal of [first, second, alone]) {
      yield* journal.recordCall({ step: "a", mark: "1", answer: 1, credits: 2, page })
      // A page that brought no document, or that another run's job has fetched, is in the ledger and costs nothing.
      const pages = [{ step: "a", page }]
      yield* journal.checkpoint(checkpoint({ rows: 2, outputRows: 3, jobCredits: 5, jobPages: 4, pages }))
    }
    expect(yield* one.sharedLimits.used("g")).toEqual({ credits: 14, pages: 10, calls: 2, rows: 6, bytes: 0 })
    expect(yield* one.sharedLimits.used("g", "r2")).toEqual({
      credits: 7,
      pages: 5,
      calls: 1,
      rows: 3,
      bytes: 0
    })
    expect(yield* two.sharedLimits.used("nobody")).toEqual({ credits: 0, pages: 0, calls: 0, rows: 0, bytes: 0 })
    const shards = yield* one.history.runs({ group: "g", limit: 9 })
    expect(shards.map(({ group, id }) => [id, group])).toEqual([
      ["r2", "g"],
      ["r1", "g"]
    ])
  })

  scoped("counts pages of jobs that an earlier version recorded only in the progress", function* () {
    const at = yield* place
    yield* withLedger(at, (ledger) =>
      Effect.gen(function* () {
        const journal = yield* ledger.open(run("r1", { group: "g" }))
        yield* journal.checkpoint(checkpoint({ progress: { jobPages: 12 } }))
        yield* ledger.open(run("r2", { group: "g", startedAt: 2_000 }))
      })
    )
    yield* behind(at, (sql) =>
      Effect.zipRight(
        sql`ALTER TABLE runs DROP COLUMN job_pages`,
        Effect.forEach(migrations, ({ name, up }) => (name === "pages of jobs" ? up(sql) : Effect.void))
      )
    )
    expect(yield* withLedger(at, (ledger) => ledger.sharedLimits.used("g"))).toMatchObject({ pages: 12 })
  })
})
