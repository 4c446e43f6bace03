/** The dashboard as people see and steer it, in a browser of their own. */
import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Store from "../../src/Schedule/Store.ts"
import { paths } from "../../src/Web/Dashboard/Protocol.ts"
import { isMissing } from "../Engine/Render/Installed.ts"
import { serve } from "../Engine/Scrape/Site.ts"
import { describe, expect, layer as sharing } from "../It.ts"
import * as Ledgers from "../Ledger/Ledgers.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { program } from "../Programs.ts"
import { layer, look, run, Screen } from "./Screen.ts"
import * as Site from "./Site.ts"

const hostile = `<img src="https://elsewhere.example/x" onerror="alert(1)">`

/** A run with a living process, until the scope closes. */
const begin = (id: string, pipeline: string) =>
  Effect.flatMap(Screen, ({ ledger }) =>
    ledger.open(Ledgers.run(id, { pipeline, startedAt: Date.now() - 5_000, inputs: { site: hostile } }))
  )

describe.skipIf(isMissing)("The dashboard", () => {
  sharing(layer, { excludeTestServices: true })("in a browser", (it) => {
    it.scoped(
      "shows first steps for an empty ledger, then runs as they begin, progress and end, without a reload",
      function* () {
        const { dashboard } = yield* Screen
        const { page, problems } = yield* look()
        expect(page.url()).toBe(`${dashboard.baseUrl}/`)
        yield* run(() => page.getByText("No runs yet").waitFor())
        yield* run(() => page.evaluate("window.kept = true"))
        const journal = yield* begin("20260101T000000-aaaa", "watch")
        const row = page.getByRole("row", { name: /watch/ })
        yield* run(() => row.getByText("Running").waitFor())
        yield* journal.checkpoint(Ledgers.checkpoint({ rows: 1_234 }))
        yield* run(() => row.getByText("1,234").waitFor())
        yield* run(() => row.click())
        yield* run(() => page.getByRole("heading", { name: /watch/ }).waitFor())
        yield* journal.checkpoint(Ledgers.checkpoint({ rows: 5_678 }))
        yield* run(() => page.getByText("5,678").waitFor())
        yield* journal.end("failed", "the site is gone")
        yield* run(() => page.locator("h1 [data-state=failed]").waitFor())
        yield* run(() => page.getByText("the site is gone", { exact: true }).first().waitFor())
        expect(yield* run(() => page.evaluate("window.kept"))).toBe(true)
        expect(problems).toEqual([])
      }
    )

    // Concurrent, each with its own runs and browser context: an event about a run takes a second or two.
    describe("concurrently", { concurrent: true }, () => {
      it.scoped.skipIf(skipsLong)(
        "leads from the list to the reason of a reject by one click, and shows markup in texts of pages as text",
        function* () {
          const journal = yield* begin("20260102T000000-bbbb", hostile)
          const key = "javascript:alert(2)"
          const rejects = [
            Ledgers.reject(key, { message: `the site said ${hostile}`, row: { title: hostile } }),
            Ledgers.reject("https://shop.example/2", { step: "parse", error: "Unreadable" })
          ]
          yield* journal.checkpoint(Ledgers.checkpoint({ rejectCount: 2, rejects }))
          yield* journal.end("stopped")
          const { page, problems } = yield* look()
          const row = page.getByRole("row", { name: /<img/ })
          // Not by the mouse or a key: runs of other tests move the row away between finding and pressing the link.
          yield* run(() => row.getByTitle("Show the rejects").dispatchEvent("click"))
          yield* run(() => page.getByText(`the site said ${hostile}`).waitFor())
          yield* run(() => page.getByRole("button", { name: "show the row" }).first().click())
          yield* run(() => page.locator("pre").getByText("elsewhere.example").waitFor())
          yield* run(() => page.getByRole("button", { name: /Unreadable/ }).click())
          yield* run(() => page.getByText(`the site said ${hostile}`).waitFor({ state: "detached" }))
          expect(yield* run(() => page.locator(".reject").count())).toBe(1)
          const away = page.locator(".reject a.away")
          expect(yield* run(() => away.getAttribute("href"))).toBe("https://shop.example/2")
          expect(yield* run(() => away.getAttribute("rel"))).toContain("noreferrer")
          expect(yield* run(() => page.locator("img, [href^=javascript]").count())).toBe(0)
          expect(problems).toEqual([])
        }
      )

      it.scoped.skipIf(skipsLong)(
        "shows on a phone why a run is held, its rows beside the last good ones, and its decision at all times",
        function* () {
          const { folder } = yield* Screen
          writeFileSync(
            join(folder, "lamps.yaml"),
            `version: 1
name: lamps
steps:
  - read: lamps.csv
  - write: { jsonl: items.jsonl, health: { rows: { min: 3 } } }
  - where: price = "7"
  - write: { jsonl: sevens.jsonl }
`
          )
          const sell = (lines: ReadonlyArray<string>) =>
            Effect.promise(() => {
              writeFileSync(join(folder, "lamps.csv"), `sku,price\n${lines.join("\n")}\n`)
              const words = [program("bin"), "run", "lamps.yaml", "--data", "data", "--quiet"]
              return new Promise((done) => execFile(process.execPath, words, { cwd: folder }, done))
            })
          yield* sell(["A1,7", "A2,8", "A3,9"])
          yield* sell(["A1,7", "A2,"])
          const { page, problems } = yield* look({ viewport: { width: 390, height: 780 } })
          const row = page.getByRole("row", { name: /Held.*lamps/ })
          const note = row.getByText(/rows: expected at least 3/)
          yield* run(() => note.waitFor())
          expect(yield* run(() => page.evaluate("document.documentElement.scrollWidth"))).toBe(390)
          yield* run(() => row.getByText("2 · 1").waitFor())
          // Not by the mouse or a key: runs of other tests move the row away between finding and pressing the link.
          yield* run(() => row.getByRole("link", { name: "lamps" }).dispatchEvent("click"))
          const publish = page.getByRole("button", { name: "Publish" })
          yield* run(() => publish.waitFor())
          yield* run(() => page.getByText("rows in items.jsonl").waitFor())
          expect(yield* run(() => page.getByRole("heading", { name: "items.jsonl" }).count())).toBe(1)
          const tabs = page.getByRole("navigation", { name: "Parts of the run" })
          expect(yield* run(() => tabs.getByRole("link", { name: /Pages|Rejects/ }).count())).toBe(0)
          yield* run(() => tabs.getByRole("link", { name: /Outputs/ }).click())
          const rows = page.getByRole("region", { name: "Rows beside those of the last good run" })
          yield* run(() => rows.getByRole("row", { name: /not in this run A3 9/ }).waitFor())
          yield* run(() => rows.getByRole("row", { name: /changed A2 8/ }).waitFor())
          yield* run(() => page.getByText(/1 changed, 1 not in this run, 1 same/).waitFor())
          yield* run(() => page.evaluate("scrollTo(0, document.body.scrollHeight)"))
          expect(yield* run(() => page.evaluate("scrollY"))).toBeGreaterThan(200)
          const place = yield* run(() => publish.boundingBox())
          expect(place?.y).toBeGreaterThanOrEqual(0)
          expect(place?.y).toBeLessThan(700)
          expect(problems).toEqual([])
        }
      )

      it.scoped.skipIf(skipsLong)(
        "runs a pipeline with its inputs, shows errors at their fields, and replays rejects",
        function* () {
          const { page, problems } = yield* look()
          yield* run(() => page.getByRole("link", { name: "Run a pipeline" }).first().click())
          yield* run(() => page.getByRole("link", { name: /levels\.yaml/ }).click())
          const [most, about] = [
            page.getByRole("textbox", { name: "most" }),
            page.getByRole("textbox", { name: "about" })
          ]
          expect(yield* run(() => most.inputValue())).toBe("5")
          yield* run(() => most.fill("21"))
          yield* run(() => page.getByRole("button", { name: "Run", exact: true }).click())
          yield* run(() => page.getByText("At most 20.").waitFor())
          expect(yield* run(() => most.getAttribute("aria-invalid"))).toBe("true")
          yield* run(() => most.fill("3"))
          // Only the server knows that this URL is invalid.
          yield* run(() => about.fill("http://[oops"))
          yield* run(() => page.getByRole("button", { name: "Run", exact: true }).click())
          yield* run(() => page.locator(".field", { has: about }).getByText("expected an absolute http").waitFor())
          expect(problems.splice(0).join("\n")).toMatch(/^Failed to load resource.*422[^\n]*$/)
          yield* run(() => about.fill("https://rivers.example/"))
          yield* run(() => page.getByRole("button", { name: "Run", exact: true }).click())
          yield* run(() => page.locator("h1 [data-state=completed]").waitFor())
          expect(yield* run(() => page.locator(".fact", { hasText: "rows in levels.jsonl" }).textContent())).toContain(
            "2"
          )
          yield* run(() => page.getByRole("link", { name: "Outputs 1" }).click())
          yield* run(() => page.getByRole("cell", { name: "7", exact: true }).waitFor())
          yield* run(() => page.getByRole("button", { name: "Profile" }).click())
          const level = page.getByRole("row", { name: /^level/ })
          yield* run(() => level.getByText("2.5 to 7").waitFor())
          expect(yield* run(() => level.textContent())).toContain("100 %")
          expect(page.url()).toContain("view=profile")
          yield* run(() => page.getByRole("button", { name: "Replay 1 reject" }).click())
          yield* run(() => page.getByRole("button", { name: "Replay", exact: true }).click())
          yield* run(() => page.getByText("Replays the rejects of").waitFor())
          expect(problems).toEqual([])
        }
      )

      it.scoped.skipIf(skipsLong)(
        "shows partitions as a tree of their folders, and says how to connect a service",
        function* () {
          const journal = yield* begin("20260106T000000-eeee", "partitions")
          const output = (path: string) => ({ path, format: "jsonl", rows: 1, bytes: 7 })
          const { out } = Ledgers.run("any")
          yield* journal.complete([
            output(`${out}/levels/day=1/rows.jsonl`),
            output(`${out}/levels/day=2/rows.jsonl`),
            output("/else/x.jsonl"),
            ...Array.from({ length: 30 }, (_, index) => output(`${out}/many/part=${index}/rows.jsonl`))
          ])
          const { page, problems } = yield* look()
          let asked = 0
          page.on("request", (request) => {
            if (request.url().endsWith(paths.cluster)) asked++
          })
          yield* run(() => page.clock.install())
          yield* run(() => page.goto(`${page.url().split("#")[0]}#/runs/20260106T000000-eeee/outputs`))
          const tree = page.getByRole("navigation", { name: "Outputs" })
          yield* run(() => tree.getByText("levels/").waitFor())
          expect(yield* run(() => tree.locator("b:visible").allTextContents())).toEqual([
            "levels/",
            "day=1/rows.jsonl",
            "day=2/rows.jsonl",
            "many/",
            "/else/x.jsonl"
          ])
          yield* run(() => tree.getByText("30 files · 30 rows · 210 B").click())
          yield* run(() => tree.getByText("part=29/rows.jsonl").waitFor())
          yield* run(() => tree.getByRole("button", { name: /x\.jsonl/ }).click())
          expect(page.url()).toContain("output=2")
          yield* run(() => page.getByRole("heading", { name: "No preview" }).waitFor())
          const answered = page.waitForResponse((answer) => answer.url().endsWith(paths.cluster))
          yield* run(() => page.goto(`${page.url().split("#")[0]}#/active`))
          yield* run(() => page.getByRole("heading", { name: "No service connected" }).waitFor())
          yield* run(() => page.getByText("sluice serve --ui").waitFor())
          // Without a shared ledger there are no workers to ask for again.
          yield* run(() => answered)
          for (const millis of [1_000, 30_000]) {
            yield* run(() => page.evaluate("fetch('/').then(() => 0)"))
            yield* run(() => page.clock.runFor(millis))
          }
          yield* run(() => page.evaluate("fetch('/').then(() => 0)"))
          expect(asked).toBe(1)
          expect(problems).toEqual([])
        }
      )

      it.scoped.skipIf(skipsLong)(
        "shows a pipeline with its trends, runs by day, graph, and changes of its definition",
        function* () {
          const { ledger } = yield* Screen
          for (const level of [1, 2]) {
            const journal = yield* ledger.open(
              Ledgers.run(`20260107T00000${level}-ffff`, {
                pipeline: "gauge",
                startedAt: Date.now() - (3 - level) * 60_000,
                definition: `version: 1\nname: gauge\nsteps:\n  - read: in.csv\n  - where: level > ${level}\n  - write: { csv: out.csv }\n`,
                definitionHash: `hash ${level}`
              })
            )
            const rows = 70 + level
            // An earlier version stored only the sum.
            const now = level === 1 ? { rows } : { outputs: [{ step: "write", name: "out.csv", rows }] }
            const progress = { given: { read: 900, where: rows, write: rows }, now }
            yield* journal.checkpoint(Ledgers.checkpoint({ rows: 70 + level, progress }))
            yield* journal.complete([])
          }
          const { page, problems } = yield* look()
          yield* run(() => page.goto(`${page.url().split("#")[0]}#/runs/20260107T000002-ffff`))
          yield* run(() => page.getByText("Started directly, not by a schedule.").waitFor())
          yield* run(() => page.getByRole("link", { name: "gauge" }).click())
          const chart = page.getByRole("img", { name: /^Rows written of the last 2 runs/ })
          yield* run(() => chart.waitFor())
          expect(yield* run(() => chart.locator("circle").allTextContents())).toEqual([
            expect.stringContaining(": 71, "),
            expect.stringContaining(": 72, ")
          ])
          yield* run(() => page.getByRole("heading", { name: "Next scheduled times" }).waitFor())
          expect(yield* run(() => page.locator(".flows").allTextContents())).toEqual(["900", "72"])
          expect(yield* run(() => page.locator(".days td[data-tone=good]").textContent())).toMatch(/: 2$/)
          yield* run(() => page.getByRole("button", { name: "changed" }).click())
          yield* run(() =>
            page.getByRole("region", { name: "Difference, line by line" }).getByText("level > 1").waitFor()
          )
          // Another tab opens the same difference.
          yield* run(() => page.reload())
          yield* run(() => page.getByRole("heading", { name: "Changes of the definition" }).waitFor())
          yield* run(() => page.getByRole("button", { name: "Close" }).click())
          yield* run(() =>
            page.getByRole("heading", { name: "Changes of the definition" }).waitFor({ state: "detached" })
          )
          expect(page.url()).not.toContain("from=")
          expect(problems).toEqual([])
        }
      )

      it.scoped.skipIf(skipsLong)(
        "shows held outputs beside what was expected, and discards them after a confirmation",
        function* () {
          const { ledger } = yield* Screen
          const field = (fill: number, types: Readonly<Record<string, number>>, lengths: ReadonlyArray<number>) => ({
            ...{
              measured: 90,
              fill,
              types,
              languages: {},
              garbled: 0,
              distinct: 90,
              repeated: 0,
              lengths,
              numbers: []
            }
          })
          for (let day = 0; day < 8; day++) {
            yield* Effect.scoped(
              Effect.gen(function* () {
                const isHeld = day === 7
                const runId = `20260109T00000${day}-hhhh`
                const at = Date.now() - (9 - day) * 86_400_000
                const journal = yield* ledger.open(
                  Ledgers.run(runId, { pipeline: "shop", startedAt: at, stateKey: undefined })
                )
                yield* journal.checkpoint(
                  Ledgers.checkpoint({
                    rows: 90,
                    progress: {
                      given: { scrape: 90, write: 90 },
                      timeline: { every: 250, steps: { scrape: "wwrrb.", write: "..w..." } }
                    }
                  })
                )
                const metrics = {
                  rows: isHeld ? 12 : 90 + day,
                  measured: 90,
                  repeated: 0,
                  fields: {
                    title: field(1, isHeld ? { number: 1 } : { text: 1 }, [4, 10, 20, 40, 60]),
                    price: field(isHeld ? 0 : 0.98, { number: 1 }, []),
                    text: field(1, { text: 1 }, isHeld ? [1, 2, 3, 4, 5] : [100, 300, 900, 2_000, 9_000])
                  }
                }
                const verdict = { sink: "write", level: "broken" as const }
                const verdicts = !isHeld
                  ? []
                  : [
                      { ...verdict, metric: "rows", expected: "90 to 96", got: "12" },
                      { ...verdict, metric: "filled", field: "price", expected: "98 %", got: "0 %" },
                      {
                        ...verdict,
                        metric: "type",
                        field: "title",
                        expected: "text",
                        got: "number"
                      },
                      { ...verdict, metric: "length", field: "text", expected: "median 900", got: "3" },
                      { ...verdict, metric: "contract", field: "colour", expected: "no such column", got: "text" }
                    ]
                const record = {
                  runId,
                  sink: "write",
                  pipeline: "shop",
                  steps: "s",
                  series: "i",
                  at,
                  metrics,
                  verdicts
                }
                const held = isHeld ? "the outputs are held: write: rows: expected 90 to 96, got 12" : undefined
                yield* journal.recordSealed([], { profiles: new Map(), records: [record], held })
                if (!isHeld) yield* journal.complete([])
              })
            )
          }
          const { page, problems } = yield* look()
          yield* run(() => page.goto(`${page.url().split("#")[0]}#/runs/20260109T000007-hhhh`))
          yield* run(() => page.getByRole("heading", { name: "The outputs are held" }).waitFor())
          yield* run(() => page.locator(".verdict").getByText("rows: expected 90 to 96, got 12").waitFor())
          yield* run(() =>
            page.getByRole("img", { name: "The good runs before had 90 to 96, this run has 12" }).waitFor()
          )
          // A contract needs no runs before.
          yield* run(() => page.locator(".verdict").getByText("expected no such column").waitFor())
          expect(yield* run(() => page.getByText("no longer in the ledger").count())).toBe(0)
          const row = page.getByRole("row", { name: /^number/ })
          expect(yield* run(() => row.textContent())).toBe("number 0 % 100 %")
          yield* run(() => page.getByRole("img", { name: /^Distribution of the lengths/ }).waitFor())
          expect(
            yield* run(() =>
              page
                .getByRole("row", { name: /^scrape/ })
                .first()
                .textContent()
            )
          ).toContain("40 %")
          yield* run(() => page.getByRole("button", { name: "Discard" }).click())
          yield* run(() => page.getByRole("dialog").getByRole("button", { name: "Discard" }).click())
          yield* run(() => page.locator("h1 [data-state=discarded]").waitFor())
          yield* run(() => page.getByRole("link", { name: "shop" }).click())
          yield* run(() => page.getByRole("img", { name: /^Fill rate of price in the last 8 runs: 0 %/ }).waitFor())
          // It has no contract, no state and keeps no changes.
          const tabs = page.getByRole("navigation", { name: "Parts of the pipeline" }).getByRole("link")
          expect(yield* run(() => tabs.allTextContents())).toEqual(["Overview"])
          expect(problems).toEqual([])
        }
      )

      it.scoped.skipIf(skipsLong)(
        "shows the columns and the history of a contract, and finds entries of the state",
        function* () {
          const { ledger } = yield* Screen
          const folder = yield* tempDir
          const contract = (type: string) =>
            `version: 1\noutputs:\n  write:\n    key: [id]\n    columns:\n      id:\n        type: string\n      price:\n        type: ${type}\n        unit: EUR\n`
          writeFileSync(join(folder, "promised.contract.yaml"), contract("decimal"))
          yield* ledger.contracts.record("promised", { run: "20260110T000000-iiii", text: contract("number") })
          yield* Effect.sleep(5)
          yield* ledger.contracts.record("promised", { run: "20260110T000001-iiii", text: contract("decimal") })
          const own = { pipeline: "promised", file: join(folder, "promised.yaml"), stateKey: "promised" }
          const journal = yield* ledger.open(Ledgers.run("20260110T000000-iiii", { ...own, startedAt: Date.now() }))
          const change = (key: string) => ({ step: "dedupe", change: { key, rowKey: key, value: { seen: 1 } } })
          const state = Array.from({ length: 120 }, (_, index) => change(`https://shop.example/${index}`))
          yield* journal.checkpoint(Ledgers.checkpoint({ steps: [{ step: "dedupe", changes: { value: 1 } }], state }))
          yield* journal.complete([])
          const { page, problems } = yield* look()
          yield* run(() => page.goto(`${page.url().split("#")[0]}#/pipelines/promised/contract`))
          yield* run(() => page.getByRole("row", { name: /price/ }).getByText("decimal").waitFor())
          expect(yield* run(() => page.getByRole("row", { name: /^id key/ }).count())).toBe(1)
          yield* run(() => page.getByRole("button", { name: "1 line added, 1 removed" }).click())
          yield* run(() =>
            page
              .getByRole("region", { name: /^Difference/ })
              .getByText("type: number")
              .waitFor()
          )
          yield* run(() => page.getByRole("link", { name: "State", exact: true }).click())
          yield* run(() => page.getByRole("button", { name: "Show more" }).click())
          yield* run(() => page.locator("tbody tr").nth(99).waitFor())
          expect(yield* run(() => page.getByLabel("Step").textContent())).toContain("dedupe (120)")
          yield* run(() => page.getByRole("searchbox").fill("EXAMPLE/11"))
          yield* run(() => page.locator("tbody tr").nth(11).waitFor({ state: "detached" }))
          expect(page.url()).toContain("text=EXAMPLE")
          expect(problems).toEqual([])
        }
      )

      it.scoped.skipIf(skipsLong)("keeps the filters of runs and of rejects in the address", function* () {
        const id = "20260108T000000-gggg"
        const journal = yield* begin(id, "filtered")
        const rejects = [
          Ledgers.reject("https://shop.example/1", { message: "the first" }),
          Ledgers.reject("https://shop.example/2", { step: "parse", error: "Unreadable", message: "the second" })
        ]
        yield* journal.checkpoint(Ledgers.checkpoint({ rejectCount: 2, rejects }))
        yield* journal.end("failed", "too many rejects")
        const { page, problems } = yield* look()
        yield* run(() => page.getByLabel("Pipeline").selectOption("filtered"))
        yield* run(() => page.getByLabel("State").selectOption("failed"))
        yield* run(() => page.reload())
        yield* run(() => page.getByRole("row", { name: /filtered/ }).waitFor())
        expect(yield* run(() => page.locator("tbody tr").count())).toBe(1)
        expect(yield* run(() => page.getByLabel("State").inputValue())).toBe("failed")
        yield* run(() => page.goto(`${page.url().split("#")[0]}#/runs/${id}/rejects`))
        yield* run(() => page.getByRole("button", { name: /Unreadable/ }).click())
        yield* run(() => page.getByLabel("Status").selectOption("open"))
        yield* run(() => page.reload())
        yield* run(() => page.getByText("the second").waitFor())
        expect(yield* run(() => page.locator(".reject").count())).toBe(1)
        expect(yield* run(() => page.getByLabel("Status").inputValue())).toBe("open")
        expect(problems).toEqual([])
      })

      it.scoped.skipIf(skipsLong)("works with the keyboard alone", function* () {
        for (const name of ["one", "two", "three"]) {
          const journal = yield* begin(`20260103T000000-${name}`, `keys-${name}`)
          yield* journal.end("stopped")
        }
        const { page, problems } = yield* look()
        const focused = () => page.evaluate<string>("document.activeElement.tagName + document.activeElement.type")
        yield* run(() => page.keyboard.press("/"))
        expect(yield* run(focused)).toBe("INPUTsearch")
        yield* run(() => page.keyboard.type("keys-t"))
        yield* run(() => page.getByRole("row", { name: /keys-one/ }).waitFor({ state: "detached" }))
        for (let tab = 0; tab < 3; tab++) yield* run(() => page.keyboard.press("Tab"))
        expect(yield* run(() => page.evaluate("document.activeElement.role"))).toBe("grid")
        const second = yield* run(() => page.locator("tbody tr[data-active=false] a.name").first().textContent())
        yield* run(() => page.keyboard.press("ArrowDown"))
        yield* run(() => page.keyboard.press("Enter"))
        yield* run(() => page.getByRole("heading", { name: second ?? "none" }).waitFor())
        yield* run(() => page.keyboard.press("?"))
        yield* run(() => page.getByRole("dialog", { name: "Keys" }).waitFor())
        yield* run(() => page.keyboard.press("Escape"))
        yield* run(() => page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "hidden" }))
        expect(problems).toEqual([])
      })

      it.scoped.skipIf(skipsLong)("catches up after its connection was cut", function* () {
        const { dashboard } = yield* Screen
        const { page } = yield* look()
        yield* run(() => page.route("**/api/events*", (route) => route.abort()))
        yield* run(() => page.reload())
        yield* run(() => page.getByRole("status").getByText("Reconnecting").waitFor())
        const id = "20260105T000000-dddd"
        const isFailure = ({ data, event }: Site.ReceivedEvent) =>
          event === "runs" &&
          data.runs.some((line: { id: string; state: string }) => line.id === id && line.state === "failed")
        // Another listener gets the event; the page is disconnected.
        const listening = yield* Deferred.make<void>()
        const received = yield* Effect.fork(
          Site.until({ ...dashboard, token: Site.tokenOf(dashboard) }, "", (each) => {
            Deferred.unsafeDone(listening, Effect.void)
            return isFailure(each)
          })
        )
        yield* Deferred.await(listening)
        const journal = yield* begin(id, "unheard")
        yield* journal.end("failed", "while the page was disconnected")
        yield* Fiber.join(received)
        yield* run(() => page.unroute("**/api/events*"))
        // As when a person returns to the tab. A reconnect that is in progress at this moment still fails.
        const isLive = `document.dispatchEvent(new Event("visibilitychange"))
            && document.querySelector("[role=status]").textContent.includes("Live")`
        yield* Effect.repeat(
          Effect.delay(
            run(() => page.evaluate<boolean>(isLive)),
            200
          ),
          { until: (live) => live }
        )
        yield* run(() =>
          page
            .getByRole("row", { name: /unheard/ })
            .getByText("Failed")
            .waitFor()
        )
      })

      it.scoped.skipIf(skipsLong)(
        "opens in every tab of the browser that opened its link, and gives nothing away to another port",
        function* () {
          const { dashboard, ledger } = yield* Screen
          const times = { file: "/w.yaml", schedule: "{}", times: "* * * * * UTC" }
          yield* Store.of(ledger).register([{ pipeline: "watch", ...times }])
          const { page } = yield* look()
          yield* run(() => page.getByRole("button", { name: /^Theme/ }).click())
          const other = yield* run(() => page.context().newPage())
          yield* run(() => other.goto(`${dashboard.baseUrl}/#/schedules`))
          yield* run(() => other.getByRole("button", { name: "Pause" }).waitFor())
          // Another program of this machine, on its own port.
          const received: Array<Record<string, string>> = []
          const neighbour = yield* serve((request, response) => {
            received.push({ ...(request.headers as Record<string, string>), host: new URL(dashboard.baseUrl).host })
            response.end("another program")
          })
          yield* run(() => other.goto(neighbour))
          expect(received[0]).not.toHaveProperty("cookie")
          expect(JSON.stringify(received)).not.toContain(Site.tokenOf(dashboard))
          const headers = { ...received[0], origin: dashboard.baseUrl, "content-type": "application/json" }
          const own = { ...headers, "sec-fetch-site": "same-origin" }
          expect((yield* Site.ask(dashboard.baseUrl, "/api/about", { headers })).status).toBe(401)
          for (const [sent, status] of [
            [headers, 403],
            [own, 401]
          ] as const) {
            const change = { method: "POST", headers: sent, body: {} }
            expect((yield* Site.ask(dashboard.baseUrl, "/api/schedules/watch/pause", change)).status).toBe(status)
          }
          expect(yield* Store.of(ledger).paused).toEqual(new Map())
          yield* run(() => page.reload())
          yield* run(() => page.getByRole("status").getByText("Live").waitFor())
        }
      )

      it.scoped.skipIf(skipsLong)(
        "fits a phone on every screen in dark mode, and remembers the chosen theme",
        function* () {
          const journal = yield* begin(
            "20260104T000000-cccc",
            "a-name-of-a-pipeline-that-is-as-long-as-names-may-ever-be-here"
          )
          yield* journal.end("failed", `a word without an end: ${"x".repeat(300)}`)
          const { page, problems } = yield* look({ viewport: { width: 360, height: 700 }, colorScheme: "dark" })
          const shade = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor")
          const dark = yield* run(shade)
          const screens = ["runs", "runs/20260104T000000-cccc", "runs/20260104T000000-cccc/rejects"]
          for (const path of [
            ...screens,
            "pipelines/a-name-of-a-pipeline-that-is-as-long-as-names-may-ever-be-here",
            "schedules",
            "pages",
            "usage",
            "active",
            "start",
            "start?file=levels.yaml",
            "about"
          ]) {
            yield* run(() => page.goto(`${page.url().split("#")[0]}#/${path}`))
            yield* run(() => page.locator("main h1").waitFor())
            yield* run(() => page.locator(".loading").waitFor({ state: "detached" }))
            const wide = yield* run(() => page.evaluate<number>("document.documentElement.scrollWidth"))
            expect(wide, path).toBe(360)
          }
          yield* run(() => page.goto(`${page.url().split("#")[0]}#/runs/20260104T000000-cccc/definition`))
          const chosen = yield* run(() => page.locator(".tabs [aria-current]").boundingBox())
          expect((chosen?.x ?? 0) + (chosen?.width ?? 999)).toBeLessThanOrEqual(360)
          yield* run(() => page.getByRole("button", { name: /^Theme/ }).click())
          const light = yield* run(shade)
          expect(light).not.toBe(dark)
          yield* run(() => page.reload())
          yield* run(() => page.locator("main h1").waitFor())
          expect(yield* run(shade)).toBe(light)
          expect(problems).toEqual([])
        }
      )
    })
  })
})
