import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { sluice } from "./Console.ts"
import { folderOf, platform } from "./Project.ts"

const page = `<title>Kettle</title><meta property="og:type" content="product"><table><tr><th>Size<tr><td>2 l</table>`

describe("sluice extract", () => {
  it.scopedLive("shows what a page has, or all of it as JSON", () =>
    Effect.gen(function* () {
      const path = yield* folderOf({ "a.html": page })
      const shown = yield* sluice(["extract", `${path}/a.html`])
      expect(shown).toMatchObject({ code: 0, err: "" })
      expect(shown.out).toContain("Open Graph   product")
      expect(shown.out).toContain("table        Size (1 row)")
      const json = JSON.parse((yield* sluice(["extract", `${path}/a.html`, "--json"])).out)
      expect(json).toMatchObject({
        file: `${path}/a.html`,
        structured: { opengraph: [{ "og:type": "product" }] },
        article: { title: "Kettle" },
        tables: [{ header: ["Size"], rows: [["2 l"]] }]
      })
    }).pipe(Effect.provide(platform))
  )

  it.scopedLive("reads the others when a file cannot be read, and ends with 1", () =>
    Effect.gen(function* () {
      const path = yield* folderOf({ "a.html": page })
      const both = yield* sluice(["extract", `${path}/gone.html`, `${path}/a.html`, "--json"])
      expect(both.code).toBe(1)
      const [gone, read] = both.out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
      expect(gone.error).toContain("there is no such file")
      expect(read.tables).toHaveLength(1)
      expect((yield* sluice(["extract", `${path}/a.html`, "--base", "x"])).err).toContain("--base x is no address")
    }).pipe(Effect.provide(platform))
  )
})
