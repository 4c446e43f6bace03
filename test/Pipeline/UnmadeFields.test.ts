/** Fields of `dedupe` that no row can have, and keys that are none. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { project } from "../Project.ts"

const rows = (dedupe: string, between = "") => `  - urls: [https://a.example]
  - scrape: {}
  - extract: { fields: { title: h1, price: .price }, keep: [metadata] }
${between}  - dedupe: ${dedupe}
  - write: { jsonl: a.jsonl, mode: append }
`

const warningsOf = (steps: string) =>
  Effect.gen(function* () {
    const source = yield* parseText("p.yaml", "/tmp", `version: 1\nname: t\nsteps:\n${steps}`)
    const { warnings } = yield* check(source, { env: {}, secrets: () => undefined, inputs: {}, complete: true })
    return warnings.map(({ message, path }) => `${path.slice(2).join(".")}: ${message}`)
  }).pipe(Effect.provide(NodeContext.layer))

describe("dedupe behind an extract", () => {
  scoped("warns of fields that no row has, with the nearest name", function* () {
    const says = (field: string, near: string) =>
      `the rows that this step reads have no field "${field}", did you mean "${near}"?`
    expect(yield* warningsOf(rows("{ key: ulr }"))).toEqual([`dedupe.key: ${says("ulr", "url")}`])
    const across = "{ across: runs, key: url, changedWhen: pricee, previous: [pricee] }"
    expect(yield* warningsOf(rows(across, "  - where: price != null\n"))).toEqual([
      `dedupe.changedWhen: ${says("pricee", "price")}`,
      `dedupe.previous.0: ${says("pricee", "price")}`
    ])
    expect(yield* warningsOf(rows("{ key: price }", "  - select: { cost: price }\n"))).toEqual([
      'dedupe.key: the rows that this step reads have no field "price": there are cost'
    ])
  })

  it.effect.each([
    ["fields that are made", rows("{ across: runs, key: metadata.sourceURL, changedWhen: price, previous: [title] }")],
    ["expressions", rows("{ key: $lowercase(titel) }")],
    ["rows that only the run knows", rows("{ key: ulr }", "  - flatten: {}\n")]
  ])("is not warned of: %s", ([, steps]) => Effect.map(warningsOf(steps ?? ""), (found) => expect(found).toEqual([])))
})

describe("a run with dedupe", () => {
  const run = (lines: string, dedupe: string) =>
    Effect.gen(function* () {
      const { run } = yield* project({ files: { "in.jsonl": lines } })
      const { warnings } = yield* run(
        `  - read: { file: in.jsonl }\n  - dedupe: ${dedupe}\n  - write: { jsonl: rows.jsonl }\n`
      )
      return warnings.filter((warning) => warning.includes("key")).join("\n")
    })
  const all = (make: (at: number) => object) =>
    Array.from({ length: 12 }, (_, at) => `${JSON.stringify(make(at))}\n`).join("")

  scoped.each(["{ key: ulr }", "{ key: ulr, across: runs }"])(
    "says once that no row has the key of %s",
    function* (dedupe) {
      expect(
        yield* run(
          all((at) => ({ url: `https://a.example/${at}` })),
          dedupe
        )
      ).toContain("none of 12 rows has a value of key: ulr; $key was used instead")
    }
  )

  scoped("says that nearly all rows share a key, and nothing of others", function* () {
    const shared = all((at) => ({ shop: at === 3 ? "b" : "a", n: at }))
    expect(yield* run(shared, "{ key: shop }")).toContain("11 of 12 rows have the same key (key: shop)")
    expect(
      yield* run(
        all((at) => ({ n: at % 3 })),
        "{ key: n }"
      )
    ).toBe("")
  })
})

describe("check", () => {
  scoped("warns of a dedupe by the address that all rows of a page share", function* () {
    const steps = (extract: string, key = "url") =>
      `  - urls: ["https://x.example/"]\n  - scrape: {}\n  - extract: ${extract}\n  - where: a != null\n  - dedupe: { key: ${key}, across: runs }\n`
    expect(yield* warningsOf(steps("{ rows: article, fields: { a: h2 } }"))).toEqual([
      expect.stringContaining("one row of each page is kept")
    ])
    for (const fine of [
      "{ fields: { a: h1 } }",
      "{ rows: article, fields: { a: h2, url: { css: a, as: url } } }",
      "{ rows: { list: true }, fields: { a: { column: title } } }"
    ])
      expect(yield* warningsOf(steps(fine)), fine).toEqual([])
    expect(yield* warningsOf(steps("{ rows: article, fields: { a: h2 } }", "a"))).toEqual([])
  })
})
