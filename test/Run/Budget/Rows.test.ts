/** Budgets of rows, bytes and time: nothing is written beyond them, and nothing is lost. */

import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { Ledger } from "../../../src/Ledger.ts"
import { optionsOf } from "../../../src/Run/RunSpec.ts"
import type { RunOptions } from "../../../src/Run.ts"
import * as Run from "../../../src/Run.ts"
import { expect, it, scoped } from "../../It.ts"
import { withLedger } from "../../Ledger/Ledgers.ts"
import { tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { jsonLines, project } from "../../Project.ts"
import { run } from "../../Step/Odd.ts"
import * as Shop from "./Shop.ts"

const urls = (count: number): string =>
  `  - urls: [${Array.from({ length: count }, (_, index) => `"http://x.example/${index}"`).join(", ")}]`

scoped("no more rows are written than the budget allows, and a resumed run writes the rest", function* () {
  const shop = Shop.make()
  const { outcome, summary } = yield* run(shop.reply, urls(1500), {}, "budget: { rows: 5 }\n")
  expect(summary).toMatchObject({ status: "budget", rows: 5, resumable: true })
  expect(outcome).toMatchObject({ left: { message: expect.stringContaining("5 rows of 5 a run") } })
  const whole = yield* run(shop.reply, urls(5), {}, "budget: { rows: 5 }\n")
  expect([whole.summary.status, whole.rows.length]).toEqual(["completed", 5])
})

scoped.skipIf(skipsLong)(
  "all files together, with their headers, end at the last row within the limit of bytes",
  function* () {
    const long = `n: '$substringAfter(url, "example/")', of_a_column_with_a_name_longer_than_its_value: "1", at: "0"`
    const columns = "columns: { n: string, of_a_column_with_a_name_longer_than_its_value: integer, at: date }"
    for (const [write, least] of [
      ["", 15],
      ["  - write: { csv: rows.csv }\n", 10],
      ['  - write: { csv: "rows-{n}.csv", partitionBy: { n: url } }\n', 5],
      ['  - write: { csv: "rows-{seq}.csv", roll: { rows: 2 } }\n', 8],
      [
        `  - select: { ${long} }\n  - write: { csv: "rows-{seq}.csv", ${columns}, roll: { size: 100B }, bom: true }\n`,
        2
      ]
    ] as const) {
      const out = yield* tempDir
      const shop = Shop.make()
      const { summary } = yield* run(shop.reply, `${urls(400)}\n${write}`, { out }, "budget: { bytes: 1KB }\n")
      expect(summary, write).toMatchObject({ status: "budget", resumable: true })
      const bytes = readdirSync(out)
        .filter((name) => name.endsWith(".partial"))
        .reduce((sum, name) => sum + statSync(`${out}/${name}`).size, 0)
      expect(bytes, write).toBeLessThanOrEqual(1000)
      expect(bytes, write).toBeGreaterThan(400)
      expect(summary.rows, write).toBeGreaterThanOrEqual(least)
    }
  }
)

scoped("a limit of bytes holds with long headers in many files and with late columns", function* () {
  const long = Array.from(
    { length: 10 },
    (_, index) => `column_${index}_${"with_a_long_name_".repeat(4)}: "${index}"`
  ).join(", ")
  const from = yield* tempDir
  mkdirSync(from, { recursive: true })
  const rows = Array.from({ length: 400 }, (_, index) => JSON.stringify({ p: index % 7, [`c${index}`]: "x" }))
  writeFileSync(`${from}/late.jsonl`, rows.join("\n"))
  const late = (write: string) => `  - read: ${from}/late.jsonl\n  - write: { ${write} }\n`
  for (const [limit, steps] of [
    [
      10_000,
      `${urls(400)}\n  - select: { p: url, ${long} }\n  - write: { csv: "rows-{p}.csv", partitionBy: { p: p } }\n`
    ],
    [30_000, late("csv: rows.csv, columns: { p: integer }, onNewField: widen")],
    [30_000, late('csv: "rows-{p}.csv", partitionBy: { p: p }')],
    [30_000, late('csv: "rows-{seq}.csv", roll: { size: 2KB }')]
  ] as const) {
    const out = yield* tempDir
    const options = { out }
    const { summary } = yield* run(Shop.make().reply, steps, options, `budget: { bytes: ${limit}B }\n`)
    expect(summary, steps).toMatchObject({ status: "budget" })
    const bytes = readdirSync(out, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".partial"))
      .reduce((sum, name) => sum + statSync(`${out}/${name}`).size, 0)
    expect(bytes, steps).toBeLessThanOrEqual(limit)
    expect(summary.rows, steps).toBeGreaterThan(3)
  }
})

scoped.skipIf(skipsLong)("columns that appear after a resume count with the cells that older rows get", function* () {
  const from = yield* tempDir
  mkdirSync(from, { recursive: true })
  // So many rows wait for the columns of all files that all of them get cells for the columns of the last one.
  const rows = Array.from({ length: 900 }, () => JSON.stringify({ p: 1 }))
  rows.push(JSON.stringify(Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`c${index}`, 1]))))
  writeFileSync(`${from}/late.jsonl`, rows.join("\n"))
  for (const write of [
    "csv: rows.csv",
    "csv: rows.csv, columns: { p: integer }, onNewField: widen",
    'csv: "rows-{seq}.csv", roll: { size: 1KB }'
  ]) {
    const [out, dataDir] = [yield* tempDir, yield* tempDir]
    const limit = 7000
    const life = (more: Partial<RunOptions> = {}) =>
      run(
        Shop.make().reply,
        `  - read: ${from}/late.jsonl\n  - write: { ${write} }\n  - where: "false"\n`,
        { out, dataDir, ...more },
        `budget: { bytes: ${limit}B }\n`
      )
    let { outcome, runId, summary } = yield* life()
    let lives = 1
    for (; summary.status === "budget" && lives < 3; lives++) {
      const record = yield* withLedger(dataDir, (ledger) => ledger.find(runId))
      if (record === undefined) return yield* Effect.dieMessage("the run is not in the ledger")
      ;({ outcome, runId, summary } = yield* life({ ...optionsOf(record), out }))
    }
    // The last row adds more than one budget to the rows before it, so no resume can write it.
    expect([summary.status, lives], `${write}: ${String(outcome)}`).toEqual(["budget", 3])
    const bytes = readdirSync(out)
      .filter((name) => /[.]csv($|[.])/.test(name))
      .reduce((sum, name) => sum + statSync(`${out}/${name}`).size, 0)
    expect(bytes, `${write}: ${lives} times ${limit}`).toBeLessThanOrEqual(lives * limit)
  }
})

scoped.skipIf(skipsLong)("a run stops when its time is over, also while a call is in flight", function* () {
  const shop = Shop.make()
  const { summary } = yield* run(
    (asked) => (asked.path.endsWith("/scrape") ? { hangs: true } : shop.reply(asked)),
    `${urls(2)}\n  - scrape: {}`,
    {},
    "budget: { duration: 1s }\n"
  )
  expect(summary).toMatchObject({ status: "budget" })
  expect(summary.durationMs).toBeLessThan(30_000)
})

it.live("rows that did not fit are written by a run that is resumed without the limit", () =>
  Effect.gen(function* () {
    const rows = [{ n: 1 }, { n: 2 }, { n: 3 }]
    for (const write of ["  - write: { jsonl: rows.jsonl }\n", ""]) {
      const { checked, execute, ledger, run: begin } = yield* project({ files: { "in.jsonl": jsonLines(rows) } })
      const steps = `  - read: in.jsonl\n${write}`
      const cut = yield* begin(steps, { frame: "budget: { rows: 2 }\n" })
      expect(cut.summary).toMatchObject({ status: "budget", rows: 2 })
      const unlimited = yield* checked(steps)
      const resumed = Run.resuming(cut.runId, unlimited, { withCurrent: true })
      const { rows: written, summary } = yield* execute(
        unlimited,
        yield* Effect.provideService(resumed, Ledger, ledger)
      )
      expect(summary).toMatchObject({ status: "completed", rows: 3 })
      expect(written).toEqual(write === "" ? [] : rows)
    }
  }).pipe(Effect.scoped)
)
