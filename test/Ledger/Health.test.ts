/** Health of runs in the ledger: written with the sealed files, and compared with once the run is published. */
import * as Effect from "effect/Effect"
import { Profile } from "../../src/Health/Profile.ts"
import type { SealedHealth } from "../../src/Ledger/Health.ts"
import { expect, scoped } from "../It.ts"
import { describeLedgers } from "./Both.ts"
import { behind, checkpoint, ledgerIn, type Opened, run, withLedger } from "./Ledgers.ts"

const profileOf = (rows: number) => {
  const profile = new Profile()
  for (let n = 0; n < rows; n++) profile.add({ url: `https://a.example/${n}`, "a\u0000b": "\ud800" })
  return profile
}

const healthOf = (runId: string, at: number, rows = 3): SealedHealth => {
  const profile = profileOf(rows)
  const common = { runId, pipeline: "watch", steps: "steps", series: "series", at }
  const verdict = { sink: "wri\u0000te", metric: "rows", level: "broken", expected: "5 rows", got: "3" } as const
  return {
    profiles: new Map([["wri\u0000te", profile.encode()]]),
    records: [
      { ...common, sink: "wri\u0000te", metrics: profile.metrics(), verdicts: [verdict] },
      { ...common, sink: "", metrics: { steps: { read: rows }, rejected: 0, pages: 0, statuses: {} }, verdicts: [] }
    ]
  }
}

/** A run whose files are sealed; `note` completes it, with the reason why the budget cut it. */
const sealed = (ledger: Opened, id: string, at: number, note?: string | null) =>
  Effect.gen(function* () {
    const journal = yield* ledger.open(run(id))
    yield* journal.checkpoint(checkpoint())
    yield* journal.recordSealed([], healthOf(id, at))
    if (note !== undefined) yield* journal.complete([], undefined, note ?? undefined)
  })

const of = { pipeline: "watch", steps: "steps", at: 10 }

describeLedgers("the health of runs", (place) => {
  scoped("is read as it was written, with text that no database stores as it is", function* () {
    const ledger = yield* ledgerIn(yield* place)

    yield* sealed(ledger, "r1", 1, null)
    const [sink] = yield* ledger.health.sinksOf("r1")
    const [written, whole] = healthOf("r1", 1).records
    expect(sink).toEqual({ ...written, published: true, released: false })
    expect(yield* ledger.health.of("r1")).toEqual({ ...whole, published: true, released: false })
    expect(yield* ledger.health.profiles("r1")).toEqual(healthOf("r1", 1).profiles)
    expect(yield* ledger.health.of("r2")).toBeUndefined()
    // Earlier versions wrote `came` for `got`.
    yield* ledger.connection.sql`UPDATE health SET verdicts = replace(verdicts, '"got"', '"came"')`
    expect((yield* ledger.health.sinksOf("r1"))[0]).toEqual(sink)
  })

  scoped("counts for comparisons when the run is published, unless the budget has cut it", function* () {
    const ledger = yield* ledgerIn(yield* place)

    yield* sealed(ledger, "r1", 1, null)
    yield* sealed(ledger, "r2", 2)
    yield* sealed(ledger, "r3", 3, null)
    yield* sealed(ledger, "r4", 4, "the budget is used up")
    yield* sealed(ledger, "r5", 5)
    const recent = yield* ledger.health.recentSinks({ ...of, sink: "wri\u0000te" })
    expect(recent.map(({ published, runId }) => [runId, published])).toEqual([
      ["r5", false],
      ["r4", false],
      ["r3", true],
      ["r1", true]
    ])
    expect((yield* ledger.health.recentRuns(of)).map(({ runId }) => runId)).toEqual(["r5", "r4", "r3", "r1"])
    for (const other of [{ steps: "x" }, { pipeline: "x" }]) {
      expect(yield* ledger.health.recentRuns({ ...of, ...other })).toEqual([])
    }
  })

  scoped("that this version cannot read is as if the run had not been measured", function* () {
    const folder = yield* place
    yield* withLedger(folder, (ledger) => sealed(ledger, "r1", 1, null))
    yield* behind(folder, (sql) => sql`UPDATE health SET metrics = '{"rows":"many"}'`)
    yield* behind(folder, (sql) => sql`UPDATE profiles SET profile = '[]'`)
    const ledger = yield* ledgerIn(folder)

    expect(yield* ledger.health.recentSinks({ ...of, sink: "wri\u0000te" })).toEqual([])
    expect(yield* ledger.health.of("r1")).toBeUndefined()
    expect(yield* ledger.health.profiles("r1")).toEqual(new Map())
  })

  scoped("counts the attempts at pages by their status", function* () {
    const ledger = yield* ledgerIn(yield* place)

    const journal = yield* ledger.open(run("r1"))
    const pages = [
      { key: "a", status: 200 },
      { key: "b", status: 204 },
      { key: "c", status: 404, error: "not found" },
      { key: "d", error: "no answer" },
      { key: "e", status: 200, blocked: "captcha", error: "a captcha" },
      { key: "f", blocked: "login" },
      { key: "g", status: 200, warning: "The pages contain only images, no text." }
    ].map((page) => ({ step: "scrape", page: { ...page, price: "unknown" as const } }))
    yield* journal.checkpoint(checkpoint({ pages }))
    expect(yield* ledger.health.pageStatuses("r1")).toEqual({
      "2xx": 2,
      "4xx": 1,
      error: 1,
      blocked: 2,
      unread: 1
    })
    const listed = yield* ledger.history.pagesOf("r1", { limit: 10 })
    expect(listed.map(({ blocked, warning }) => blocked ?? warning)).toEqual([
      ...[undefined, undefined, undefined, undefined],
      ...["captcha", "login", "The pages contain only images, no text."]
    ])
  })
})
