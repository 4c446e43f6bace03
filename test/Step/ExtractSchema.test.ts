import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import { Pipeline } from "sluice"
import { createPipeline, type RunnablePipeline } from "sluice/promise"
import { z } from "zod"
import { check } from "../../src/Pipeline/Check.ts"
import { ofValue } from "../../src/Pipeline/Source.ts"
import type { StandardSchema } from "../../src/Step/StandardSchema.ts"
import { describe, expect, expectTypeOf, it, scoped } from "../It.ts"
import { jsonLines, project } from "../Project.ts"

const cards = [
  "<article><h2> Kettle </h2><b>19.99</b><i>red</i><i>blue</i></article>",
  "<article><h2>Mug</h2></article>",
  "<article><h2>Lid</h2><b>-1</b><i>x</i></article>"
].join("")

const page = { rawHtml: cards, metadata: { sourceURL: "https://shop.example/", statusCode: 200 } }

const fields = {
  title: "h2",
  price: { css: "b", as: "number" },
  colours: { css: "i", all: true }
} as const

const nothing = { inputs: {}, env: {}, secrets: () => undefined }

const steps = (schema: StandardSchema | string) => [
  { read: "in.jsonl" },
  { id: "step", extract: { rows: "article", fields, schema } }
]

/** Runs `extract` with a schema of the program over the page. */
const runWith = (schema: StandardSchema, onTestClock = false) =>
  Effect.gen(function* () {
    const here = yield* project({ sharesLedger: !onTestClock, onTestClock, files: { "in.jsonl": jsonLines([page]) } })
    const source = yield* ofValue("p", here.folder, { version: 1, name: "schema", steps: steps(schema) })
    const checked = yield* Effect.provide(check(source, { ...nothing, complete: true }), here.surroundings)
    const { emitted, rejects } = yield* here.execute(checked)
    return {
      data: emitted("step").map((row) => row.data),
      messages: rejects.map(({ message }) => message),
      reasons: rejects.map(({ error }) => error),
      text: source.text
    }
  })

const product = z.object({
  title: z.string().transform((title) => title.toUpperCase()),
  price: z.number().positive(),
  colours: z.array(z.string().min(2)).default([])
})

/** A schema whose answer the test chooses. */
const answering = (validate: (value: unknown) => unknown): StandardSchema => ({
  "~standard": { version: 1, vendor: "hand", validate }
})

describe("schema of extract", () => {
  it.scopedLive("makes the row its output, and rejects a row with the path and message of each issue", function* () {
    const { data, messages, reasons, text } = yield* runWith(product)
    expect(data).toEqual([{ title: "KETTLE", price: 19.99, colours: ["red", "blue"] }])
    expect(reasons).toEqual(["SchemaRefused", "SchemaRefused"])
    expect(messages).toEqual([
      'https://shop.example/, row 2: the schema (zod) refuses the row: price: Expected number, received null (css "b" matches nothing)',
      "https://shop.example/, row 3: the schema (zod) refuses the row: price: Number must be greater than 0; colours[0]: String must contain at least 2 character(s)"
    ])
    expect(text).toContain('"schema": "zod schema of step 2"')
  })

  it.scopedLive("takes Effect Schema, whose class is a function", function* () {
    const Price = Schema.Number.pipe(Schema.positive({ message: () => "not above 0" }))
    const given = Schema.standardSchemaV1(Schema.Struct({ title: Schema.Trim, price: Price }))
    const { data, messages } = yield* runWith(given)
    expect(data).toEqual([{ title: "Kettle", price: 19.99 }])
    expect(messages[1]).toBe("https://shop.example/, row 3: the schema (effect) refuses the row: price: not above 0")
  })

  it.scopedLive("awaits an asynchronous schema, and keeps the order of rows", function* () {
    const { data, messages } = yield* runWith(
      answering(async (value) => {
        const { title } = z.object({ title: z.string() }).parse(value)
        if (title === "Mug") throw new Error("the register\nis away")
        return { value: { title } }
      })
    )
    expect(data).toEqual([{ title: "Kettle" }, { title: "Lid" }])
    expect(messages).toEqual(["https://shop.example/, row 2: the schema (hand) failed: the register"])
  })

  scoped("gives a row 30 seconds, and goes on with the next one", function* () {
    const never = new Promise<unknown>(() => {})
    const schema = answering((value) => (JSON.stringify(value).includes("Mug") ? never : { value }))
    const run = yield* Effect.fork(runWith(schema, true))
    const isOver = Effect.map(Fiber.poll(run), Option.isSome)
    const later = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    yield* Effect.repeat(Effect.zipRight(TestClock.adjust("1 seconds"), later), { until: () => isOver })
    const { data, messages } = yield* Fiber.join(run)
    expect(data.map(({ title }) => title)).toEqual(["Kettle", "Lid"])
    expect(messages).toEqual(["https://shop.example/, row 2: the schema (hand) did not finish within 30s"])
  })

  const wrong: ReadonlyArray<readonly [name: string, answer: () => unknown, message: string]> = [
    [
      "throws",
      () => {
        throw new TypeError("no")
      },
      "failed: no"
    ],
    ["answers with nothing", () => undefined, "does not return an object: its output must be a row"],
    ["answers with a text", () => "fine", "does not return an object: its output must be a row"],
    ["gives an array", () => ({ value: [] }), "does not return an object: its output must be a row"],
    ["gives a Date", () => ({ value: { at: new Date(0) } }), "does not return plain JSON: the row.at is a Date"],
    ["gives NaN", () => ({ value: { n: [Number.NaN] } }), "does not return plain JSON: the row.n[0] is NaN"],
    ["rejects with nothing", () => Promise.reject(), "failed: it throws nothing"],
    ["refuses without issues", () => ({ issues: [] }), "refuses the row: it gives no reason"],
    ["refuses by garbage", () => ({ issues: "all of it" }), "refuses the row: it gives no reason"],
    [
      "has garbage as issues",
      () => ({ issues: [null, { path: 7 }] }),
      "refuses the row: refused without a message; refused without a message"
    ],
    [
      "has paths of objects, symbols and numbers",
      () => ({ issues: [{ path: [{ key: "offers" }, 0, { key: Symbol("x") }], message: "is\nodd" }] }),
      "refuses the row: offers[0].Symbol(x): is odd"
    ],
    [
      "has more issues than a message holds",
      () => ({ issues: Array.from({ length: 12 }, (_, index) => ({ path: [`f${index}`], message: "no" })) }),
      `refuses the row: ${Array.from({ length: 10 }, (_, index) => `f${index}: no`).join("; ")}; and 2 more`
    ]
  ]
  for (const [name, answer, message] of wrong)
    it.scopedLive(`rejects the row when the schema ${name}`, function* () {
      const { data, messages } = yield* runWith(answering(answer))
      expect(data).toEqual([])
      expect(messages[0]).toBe(`https://shop.example/, row 1: the schema (hand) ${message}`)
      expect(messages).toHaveLength(3)
    })

  it.scopedLive("is named in YAML where the file of `extensions` exports it", function* () {
    const here = yield* project({
      sharesLedger: true,
      files: {
        "in.jsonl": jsonLines([page]),
        "schemas.mjs": `export const Mug = { "~standard": { version: 1, vendor: "own", validate: (row) =>
            row.title === "Mug" ? { value: { title: row.title } } : { issues: [{ message: "no mug", path: ["title"] }] } } }\n`
      }
    })
    const checkedAs = (schema: string) =>
      ofValue("p", here.folder, {
        version: 1,
        name: "named",
        extensions: "./schemas.mjs",
        steps: steps(schema)
      }).pipe(
        Effect.flatMap((source) => check(source, { ...nothing, complete: true, allowCode: true })),
        Effect.provide(here.surroundings)
      )
    const { emitted, rejects } = yield* here.execute(yield* checkedAs("Mug"))
    expect(emitted("step").map((row) => row.data)).toEqual([{ title: "Mug" }])
    expect(rejects.map(({ message }) => message)).toContain(
      "https://shop.example/, row 1: the schema (own) refuses the row: title: no mug"
    )
    const { issues } = yield* Effect.flip(checkedAs("Mugs"))
    expect(issues.map(({ message }) => message)).toEqual(['there is no schema "Mugs", did you mean "Mug"?'])
  })

  it.scopedLive("of a program is missing where the definition is read without the program", function* () {
    const here = yield* project({ sharesLedger: true })
    const { text } = yield* ofValue("p", here.folder, { version: 1, name: "schema", steps: steps(product) })
    const again = ofValue("p", here.folder, JSON.parse(text))
    const { issues } = yield* Effect.flip(
      Effect.flatMap(again, (source) => check(source, { ...nothing, complete: true })).pipe(
        Effect.provide(here.surroundings)
      )
    )
    expect(issues.map(({ message }) => message).join("\n")).toContain(
      "schema: zod schema of step 2: only the program that made this definition has these extensions"
    )
  })

  it("gives the rows of a definition in TypeScript its output type", () => {
    const frame = { version: 1, name: "typed" } as const
    const pages = { urls: ["https://shop.example/"] } as const
    const own = createPipeline({ ...frame, steps: [pages, { scrape: {} }, { extract: { fields, schema: product } }] })
    type Row = typeof own extends RunnablePipeline<infer Content> ? Content : never
    expectTypeOf<Row>().toEqualTypeOf<{ title: string; price: number; colours: Array<string> }>()
    const made = Pipeline.make({
      ...frame,
      steps: [
        pages,
        { scrape: {} },
        { extract: { fields, schema: Schema.standardSchemaV1(Schema.Struct({ n: Schema.NumberFromString })) } }
      ]
    })
    const typed = createPipeline(made)
    type Made = typeof typed extends RunnablePipeline<infer Content> ? Content : never
    expectTypeOf<Made>().toEqualTypeOf<{ readonly n: number }>()
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [pages, { scrape: {} }, { extract: { fields, schema: { title: "string" } } }] })
  })
})
