/** Warnings of fields that a step names and no row has. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { compile } from "../../src/Row/Expression.ts"
import type { Data, Row } from "../../src/Row.ts"
import { watchFields } from "../../src/Step/MisspeltFields.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { jsonLines, project } from "../Project.ts"
import { runStep, runStepOnce, stepsOver } from "./OneStep.ts"

const expression = (source: string) => Either.getOrThrow(compile(source))

describe("steps", () => {
  scoped("warn of fields that no row has, where the rows have one of nearly that name", function* () {
    const data = [
      { metadata: { title: "a", ogTitle: "a", image1: "i" }, tags: [{ name: "x" }], some: 1, old: null },
      { metadata: { title: "b" }, tags: [], old: null }
    ]
    const fields = {
      a: "metadata.titel",
      b: "tags.nam",
      // Said to be missing at times, in one row only, without a neighbour, and right.
      c: 'metadata.titel2 ?? "x"',
      d: "some",
      e: "metadata.author",
      g: "$not($exists(metadata.titles)) or metadata.titles",
      j: "$not(metadata.titles)",
      k: "$boolean(metadata.titles) ? 1 : 2",
      h: "sane > 1",
      // Rows may have only one of several similar fields.
      f: "metadata.image1",
      i: "metadata.image2"
    }
    const { warnings } = yield* runStepOnce("select", fields, data)
    expect(warnings).toEqual([
      'step: no row has "metadata.titel" (2 rows): did you mean "metadata.title"?',
      'step: no row has "tags.nam" (2 rows): did you mean "tags.name"?'
    ])
    expect((yield* runStepOnce("where", "metadata.Title = 'a'", data)).warnings).toEqual([
      'step: no row has "metadata.Title" (2 rows): did you mean "metadata.title"?'
    ])
    const says = (written: string, near: string) => `step: no row has "${written}" (2 rows): did you mean "${near}"?`
    const title = says("metadata.titel", "metadata.title")
    const across = { across: "runs", key: "some" }
    for (const [step, config, ...said] of [
      ["sort", { by: "metadata.titel" }, title],
      ["sort", { by: [{ expr: "metadata.titel", order: "desc" }, "some"] }, title],
      ["explode", "tags.nam", says("tags.nam", "tags.name")],
      ["aggregate", { by: { a: "metadata.titel" }, measures: { n: "count" } }, title],
      ["check", [{ rule: "metadata.titel" }], title],
      ["dedupe", { ...across, changedIn: "metadata.titel" }, title],
      [
        "dedupe",
        { ...across, changedWhen: "$sha256(price)" },
        "step: none of 2 rows has a value of changedWhen: $sha256(price); no row is found to have changed"
      ],
      ["dedupe", { ...across, changedWhen: "old" }],
      ["dedupe", { ...across, changedWhen: "some", previous: ["metadat"] }, says("metadat", "metadata")],
      ["dedupe", { key: "metadata.titel & some" }, title],
      ["write", { csv: "a.csv", columns: { metadat: "json", some: "integer" } }, says("metadat", "metadata")],
      [
        "dedupe",
        { key: "metadata.titel" },
        'step: none of 2 rows has a value of key: metadata.titel; $key was used instead: did you mean "metadata.title"?'
      ]
    ] as const) {
      expect((yield* runStepOnce(step, config, data)).warnings, JSON.stringify([step, config])).toEqual(said)
    }
    const { warnings: ofNone } = yield* runStepOnce("select", fields, [])
    expect(ofNone.join()).not.toContain("no row has")
  })

  scoped("warn of columns that no row has, with the fields that have no column", function* () {
    const rows = [
      { title: "a", price: 9 },
      { title: "b", price: 8, stock: 1 }
    ]
    const warningsFor = (columns: object, data: Parameters<typeof runStepOnce>[2] = rows) =>
      Effect.map(runStepOnce("write", { csv: "a.csv", columns }, data), ({ warnings }) => warnings)
    expect(yield* warningsFor({ title: "string", cost: "number" })).toEqual([
      'step: no row has "cost" (2 rows): empty in the file; the first row has fields without a column: "price"'
    ])
    expect(yield* warningsFor({ title: "string", brand: "string", ean: "string", price: "number" })).toEqual([
      'step: no row has "brand", "ean" (2 rows): empty in the file'
    ])
    // Fields are left out on purpose, some rows may lack one, and without rows nothing is known.
    expect(yield* warningsFor({ title: "string", stock: "integer" })).toEqual([])
    expect((yield* warningsFor({ cost: "number" }, [])).join()).not.toContain("no row has")
  })

  scoped("do not warn of fields of which the rows have only some", function* () {
    const data = [{ address1: "Quay 1", name_de: "Hafen", origin: { x: 1 } }]
    const fields = {
      a: "address1",
      b: "address2",
      c: "name_de",
      d: "name_en",
      e: "origin.x",
      f: "orgin.x",
      g: "orgin.y"
    }
    const { warnings: ofSelect } = yield* runStepOnce("select", fields, data)
    expect(ofSelect).toEqual(['step: no row has "orgin.y" (1 row): did you mean "origin"?'])
  })

  scoped("do not warn of a field whose neighbour is named in an expression that expects missing fields", function* () {
    const { warnings } = yield* runStepOnce("select", { a: "price", b: "prices ?? 0" }, [{ prices: 1 }, { prices: 2 }])
    expect(warnings).toEqual([])
  })

  scoped("warn of a field that is on another level", function* () {
    const data = [{ url: "u", metadata: { title: "a" }, offers: [{ sku: 1 }] }]
    const says = (written: string, near: string) => `step: no row has "${written}" (1 row): did you mean "${near}"?`
    for (const [step, config, ...said] of [
      ["where", "title = 'a'", says("title", "metadata.title")],
      ["where", "row.metadata.title = 'a'", says("row.metadata.title", "metadata.title")],
      ["where", "title.length > 0", says("title.length", "metadata.title")],
      ["where", "sku = 1"],
      ["where", "length > 1"],
      ["select", { a: "title", b: "metadata.title" }],
      [
        "write",
        { csv: "a.csv", columns: { title: "string" } },
        'step: no row has "title" (1 row): empty in the file; the first row has fields without a column: "url", "metadata", "offers"'
      ]
    ] as const) {
      expect((yield* runStepOnce(step, config, data)).warnings, JSON.stringify([step, config])).toEqual(said)
    }
  })

  scoped("warn of the length of a string or an array, which JSONata knows by functions", function* () {
    const data = [{ metadata: { title: "a" }, tags: ["x"], box: { length: 3 }, plain: {} }]
    const says = (written: string, right: string) => `step: no row has "${written}" (1 row): write ${right}`
    for (const [written, ...said] of [
      ["metadata.title.length > 0", says("metadata.title.length", "$length(metadata.title)")],
      ["tags.length > 0", says("tags.length", "$count(tags)")],
      ["box.length > 0"],
      ["plain.length > 0"]
    ] as const) {
      expect((yield* runStepOnce("where", written, data)).warnings, written).toEqual(said)
    }
  })

  scoped(
    "do not warn where other rows are elsewhere: in a part of a run, in a replay, and after a resume",
    function* () {
      const here = yield* project()
      const data = [{ title: "a", id: 1 }]
      const isOfFields = (warning: string) => warning.includes("did you mean")
      const steps = [
        ["where", "titel = 1"],
        ["sort", { by: "titel" }],
        ["dedupe", { key: "titel" }],
        ["dedupe", { key: "id", across: "runs", changedWhen: "titel" }],
        ["write", { csv: "a.csv", columns: { titel: "string" } }]
      ] as const
      for (const [step, fields] of steps) {
        const of = (options: object) =>
          Effect.map(runStep(here, step, fields, data, options), ({ warnings }) => warnings.filter(isOfFields))
        const told = JSON.stringify([step, fields])
        expect(yield* of({}), told).toHaveLength(1)
        expect(yield* of({ group: "20260314T093001-7c2ep2" }), told).toEqual([])
      }
      const rows = new Map([["step", [{ data: { title: "a" } }]]])
      const replayed = yield* here.run(stepsOver("where", "titel = 1"), { replay: { of: "r", rows, numbers: [] } })
      expect([replayed.summary.status, replayed.warnings.filter(isOfFields)]).toEqual(["completed", []])
      const again = yield* project()
      const definition = stepsOver("where", "titel = 1")
      const { runId, summary } = yield* again.run(definition)
      expect(summary.status).toBe("failed")
      again.write("in.jsonl", jsonLines(data))
      const resumed = yield* again.resume(runId, definition)
      expect([resumed.summary.status, resumed.warnings.filter(isOfFields)]).toEqual(["completed", []])
    }
  )

  it("look for no field in further rows unless the first one has a similar field", () => {
    let looked = 0
    const row = (data: Data): Row => ({
      data: new Proxy(data, {
        getOwnPropertyDescriptor: (target, name) => {
          looked++
          return Reflect.getOwnPropertyDescriptor(target, name)
        }
      })
    })
    const fields = watchFields([expression("author"), expression("name.first")])
    fields.see([row({ title: "a", name: { first: "b" } })])
    const first = looked
    fields.see([row({ title: "a" }), row({ title: "b" })])
    expect([first > 0, looked]).toEqual([true, first])
  })
})
