/** Breakages in real runs: of files, and of a site that the engine scrapes. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Connection from "../../src/Client/Connection.ts"
import * as Client from "../../src/Client.ts"
import * as Local from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { brokenIn, jsonLines, project } from "../Project.ts"

const steps = "  - read: in.jsonl\n  - write: { jsonl: rows.jsonl }\n"
/** Forty products, whose prices change from day to day. */
const products = (day: number) =>
  Array.from({ length: 40 }, (_, id) => ({
    url: `https://shop.example/p/${id}`,
    title: `Product ${id}`,
    price: 5 + id + day / 10
  }))

type Product = ReturnType<typeof products>[number]

/** What happened, and the start of a warning of it. */
const cases: ReadonlyArray<readonly [string, (row: Product, first: Product) => object, string]> = [
  [
    "the selector of the price finds nothing",
    (row) => ({ ...row, price: null }),
    "rows.jsonl: price filled: expected 100 %, got 0 %"
  ],
  [
    "each page is the first one",
    (_, first) => first,
    "rows.jsonl: url repeated: expected 5 different values or more, got 1 in all rows"
  ]
]

describe("a real run", () => {
  it.live(`is held when ${cases.map(([what]) => what).join(", and when ")}`, () =>
    Effect.gen(function* () {
      const { run, write } = yield* project()
      for (let day = 0; day < 6; day++) {
        write("in.jsonl", jsonLines(products(day)))
        expect((yield* run(steps)).summary.status).toBe("completed")
      }
      for (const [what, broken, sentence] of cases) {
        const rows = products(7)
        write("in.jsonl", jsonLines(rows.map((row) => broken(row, rows[0] ?? row))))
        const ended = yield* run(steps)
        expect(ended.summary.status, what).toBe("held")
        expect(ended.rows).toEqual(products(5))
        const found = brokenIn(ended)
        expect(found.filter((warning) => warning.startsWith(sentence)).length, found.join("\n")).toBe(1)
      }
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(skipsLong)("of a site that begins to show bot checks is held", () =>
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
      for (let each = 0; each < 5; each++) expect(brokenIn(yield* run(scrape))).toEqual([])
      walls = true
      const ended = yield* run(scrape)
      expect(ended.summary.status).toBe("held")
      expect(ended.rows.length).toBe(30)
      expect(ended.rejects.length).toBe(20)
      const found = brokenIn(ended)
      expect(found).toContain("blocked pages: expected 0 %, got 67 %")
      expect(found).toContainEqual(expect.stringContaining("rows.jsonl: rows: expected 30, got 10"))
    }).pipe(Effect.scoped)
  )
})
