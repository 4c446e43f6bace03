/**
 * Time to first paint, and to the list of runs, of a dashboard over 10,000 runs: in Chromium, on
 * loopback, from the beginning of the navigation, as the page itself measures it; the median of several loads, each in a
 * window that has kept nothing.
 */
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Browser, chromium as playwright } from "playwright-core"
import * as Dashboard from "../src/Dashboard.ts"
import * as Sqlite from "../src/Ledger.ts"
import { chromium, flags } from "./Measure/Browsers.ts"
import { atMost, type Bench, median } from "./Measure/Figures.ts"
import { folderFor, remove } from "./Measure/Programs.ts"

const runs = 10_000
const loads = 9

const numbers = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${runs - 1})`
const id = "printf('20260101T%06d-%04x', i, i % 65536)"

const fill = (dataDir: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.unsafe(`${numbers} INSERT INTO runs (id, pipeline, file, definition_hash, out_folder, folder, started_at,
      status, progress, row_count, reject_count, call_credits, updated_at, ended_at)
      SELECT ${id}, 'pipeline-' || (i % 37), '/srv/p.yaml', 'x', '/srv', '/srv/.sluice/runs/' || i,
        1767225600000 + i * 60000, CASE WHEN i % 23 = 0 THEN 'failed' ELSE 'completed' END, '{}', i, i % 7, 100,
        1767225605000 + i * 60000, 1767225605000 + i * 60000 FROM n`)
    yield* sql.unsafe(`${numbers} INSERT INTO run_texts (run_id, definition, inputs, options)
      SELECT ${id}, 'version: 1', '{}', '{}' FROM n`)
  }).pipe(Effect.provide(Sqlite.database(join(dataDir, "ledger.db"))))

const firstRow = "tbody tr[aria-rowindex] .name"

/** Noted by the page when the first rows have been painted. */
const watch = `new MutationObserver((_, observer) => {
  if (document.querySelector("${firstRow}") === null) return
  observer.disconnect()
  requestAnimationFrame(() => setTimeout(() => { document.documentElement.dataset.listed = performance.now() }))
}).observe(document, { childList: true, subtree: true })`

const load = async (browser: Browser, url: string) => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  // The link is opened once; what counts is the page that one comes back to. It stores the token once the server has accepted it.
  await page.goto(url)
  await page.waitForSelector(firstRow)
  await page.addInitScript(watch)
  await page.goto(new URL("/", url).href)
  await page.waitForSelector("html[data-listed]")
  const painted = await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0].startTime")
  const listed = await page.evaluate<number>("Number(document.documentElement.dataset.listed)")
  await page.close()
  return { painted, listed }
}

const measure = (dataDir: string, executablePath: string) =>
  Effect.gen(function* () {
    yield* fill(dataDir)
    const dashboard = yield* Dashboard.start({
      dataDir,
      definitions: undefined,
      out: dataDir,
      scope: { env: {}, secrets: () => undefined },
      service: undefined,
      command: [process.execPath],
      arguments: [],
      env: {}
    })
    return yield* Effect.promise(async () => {
      const browser = await playwright.launch({ executablePath, args: [...flags] })
      try {
        // From the sources, the first load waits for the script to be put together.
        await load(browser, dashboard.url)
        const all: Array<{ readonly painted: number; readonly listed: number }> = []
        for (let count = 0; count < loads; count++) all.push(await load(browser, dashboard.url))
        return { painted: median(all.map((each) => each.painted)), listed: median(all.map((each) => each.listed)) }
      } finally {
        await browser.close()
      }
    })
  }).pipe(
    Effect.scoped,
    Effect.provide(Layer.provideMerge(Sqlite.layer(dataDir), NodeContext.layer)),
    Effect.runPromise
  )

export const bench: Bench = {
  name: "dashboard paint",
  run: async () => {
    const dataDir = folderFor()
    try {
      const { listed, painted } = await measure(dataDir, chromium())
      return [
        atMost(`first paint of the dashboard, ${runs.toLocaleString("en-US")} runs`, painted, "ms", 1_000),
        atMost("the list of runs, painted", listed, "ms", 1_000)
      ]
    } finally {
      remove(dataDir)
    }
  }
}
