/** Simulated breakages in real runs: of files, and of a site that the engine scrapes. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Connection from "../../src/Client/Connection.ts"
import * as Client from "../../src/Client.ts"
import * as Local from "../Local.ts"
import { jsonLines, project, type Rows } from "../Project.ts"
import { breakages } from "./Breakages.ts"
import { cleanRun, pipelines } from "./Pipelines.ts"

const steps = "  - read: in.jsonl\n  - write: { jsonl: rows.jsonl }\n"
const seed = "wren"
/** Days of one week: all runs of this test are on the same day of the week. */
const workdays = [1, 2, 3, 4, 7, 8, 9]

const brokenOf = (warnings: ReadonlyArray<string>) => warnings.filter((warning) => warning.startsWith("broken: "))

/** What happened, and the start of a warning of it. */
const cases = [
  ["the selector of the price finds nothing", "broken: rows.jsonl: price filled: expected 100 %, got 0 %"],
  ["each page is the first one", "broken: rows.jsonl: url repeated: expected 0 % of the values, got 100 %"]
] as const

describe("a real run", () => {
  for (const [what, sentence] of cases) {
    it.live(`is held when ${what}`, () =>
      Effect.gen(function* () {
        const breakage = breakages.find((each) => each.what === what)
        const pipeline = pipelines.find(({ name }) => name === breakage?.pipeline)
        if (breakage === undefined || pipeline === undefined) throw new Error(`No breakage: ${what}`)
        const { run, write } = yield* project()
        let published: Rows = []
        for (const day of workdays) {
          write("in.jsonl", jsonLines(cleanRun(pipeline, seed, day).rows))
          const { rows, summary } = yield* run(steps)
          expect(summary.status).toBe("completed")
          published = rows
        }
        const context = { seed, previous: cleanRun(pipeline, seed, workdays.at(-1) ?? 0) }
        write("in.jsonl", jsonLines(breakage.broken(cleanRun(pipeline, seed, 14), context).rows))
        const ended = yield* run(steps)
        expect(ended.summary.status).toBe("held")
        expect(ended.rows).toEqual(published)
        const found = brokenOf(ended.warnings)
        expect(found.filter((warning) => warning.startsWith(sentence)).length, found.join("\n")).toBe(1)
      }).pipe(Effect.scoped)
    )
  }

  it.live("of a site that begins to show bot checks is held", () =>
    Effect.gen(function* () {
      let walls = false
      const challenge = "<title>Just a moment...</title><script>window._cf_chl_opt={cType:'managed'}</script>"
      const site = yield* Local.site((path) =>
        !path.startsWith("/page/")
          ? undefined
          : walls && Number(path.slice(6)) % 3 > 0
            ? challenge
            : Local.page(
                `Heron ${path.slice(6)}`,
                [],
                `Heron ${path} stands in the shallow water of the pond and waits.`
              )
      )
      const { baseUrl, key } = yield* Local.engine({ browserSessions: 0 })
      const client = yield* Layer.build(
        Layer.provide(Client.layer, Layer.orDie(Connection.layer({ baseUrl, apiKey: key })))
      )
      const pages = Array.from({ length: 30 }, (_, at) => ({ url: `${site.url}/page/${at}` }))
      const { run } = yield* project({ client, files: { "in.jsonl": jsonLines(pages) } })
      const scrape = "  - read: in.jsonl\n  - scrape: {}\n  - write: { jsonl: rows.jsonl }\n"
      for (let each = 0; each < 5; each++) expect(brokenOf((yield* run(scrape)).warnings)).toEqual([])
      walls = true
      const ended = yield* run(scrape)
      expect(ended.summary.status).toBe("held")
      expect(ended.rows.length).toBe(30)
      expect(ended.rejects.length).toBe(20)
      const found = brokenOf(ended.warnings)
      expect(found).toContain("broken: blocked pages: expected 0 %, got 67 %")
      expect(found).toContainEqual(expect.stringContaining("broken: rows.jsonl: rows: expected 30, got 10"))
    }).pipe(Effect.scoped)
  )
})
