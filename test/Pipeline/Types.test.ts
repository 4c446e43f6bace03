import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import { Pipeline, Run, Scrape, Step } from "sluice"
import { createPipeline, type Document, type RunEvent, type RunnablePipeline } from "sluice/promise"

/**
 * Types of definitions in TypeScript. Every `@ts-expect-error` fails the type check of this project when
 * the line below it has no mistake; what runs here only shows that the values arrive as they are.
 */
const frame = { version: 1, name: "typed" } as const
const rows = { urls: ["https://example.com/"] } as const

describe("a definition in TypeScript", () => {
  it("is the same plain value, with ${{ }} in place of anything", () => {
    const definition = Pipeline.make({
      ...frame,
      description: "Everything at once.",
      inputs: { n: { type: "integer", default: 5 }, site: { type: "url" } },
      steps: [
        {
          id: "plan",
          crawlPreview: { url: "${{ inputs.site }}", prompt: "all" },
          retry: { times: 2, on: [429, "5xx"] }
        },
        { id: "found", search: { query: "x", limit: "${{ inputs.n }}", sources: "${{ inputs.sources }}" } },
        { each: true, concurrency: 4, search: { query: { expr: "title" } } },
        { from: "found", scrape: { formats: ["markdown", { type: "json" }] }, rate: "10/s", timeout: "30s" },
        { where: "metadata.statusCode = 200", onError: { reject: true, stopAfter: "5%" } },
        { select: { url: "url", größe: "$length(markdown)" }, when: "${{ inputs.n > 3 }}" },
        { explode: { list: "links", as: "link" } },
        { batchScrape: { url: { expr: "link" } }, retry: { times: 1 } },
        { after: ["found"], urls: { sitemap: "https://example.com/" } },
        { use: { module: "./code.ts" }, timeout: "30s", concurrency: 2 },
        { limit: 5 },
        { write: { csv: "out.csv", columns: { url: "string", words: "integer" }, onNewField: "drop" } },
        { write: { jsonl: "out-{runId}.jsonl" } }
      ]
    })
    expect(JSON.parse(JSON.stringify(definition))).toEqual(definition)
    expect(definition.steps).toHaveLength(13)
  })

  it("is refused by the compiler when a field is misspelt", () => {
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [{ search: { query: "x", limt: 5 } }] })
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [rows, { scrape: { scrapeOption: {} } }] })
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [{ crawl: { url: "https://example.com/", scrapeOptions: { format: [] } } }] })
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [rows, { write: { csv: "a.csv", colums: { a: "string" } } }] })
    // @ts-expect-error
    Pipeline.make({ ...frame, descripton: "x", steps: [rows] })
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [rows, { where: "a", retry: { time: 3 } }] })
  })

  it("is refused by the compiler when a value has the wrong type", () => {
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [{ search: { query: "x", limit: "many" } }] })
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [rows, { where: 5 }] })
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [rows, { scrape: { formats: "markdown" } }] })
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [rows, { write: { csv: "a.csv", columns: { a: "text" } } }] })
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [rows, { limit: 5, onError: "rejekt" }] })
    // @ts-expect-error
    Pipeline.make({ ...frame, inputs: { a: { type: "strng" } }, steps: [rows] })
    // @ts-expect-error
    Pipeline.make({ ...frame, version: 2, steps: [rows] })
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [{ crawlPreview: { url: "https://example.com/" } }] })
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [{ id: 5, urls: [] }] })
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: "none" })
  })

  it("is refused by the compiler when a step is unknown, or two are one", () => {
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [{ serch: { query: "x" } }] })
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [rows, { where: "a", limit: 5 }] })
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [{ id: "nothing" }] })
  })

  it("is refused by the compiler when a key beside a step does nothing there, or is misspelt", () => {
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [rows, { where: "a", concurrency: 3 }] })
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [rows, { dedupe: {}, retry: { times: 3 } }] })
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [{ search: { query: "x" }, timeout: "5s" }] })
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [rows, { scrape: {}, each: true }] })
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [{ crawlPreview: { url: "https://a.b/", prompt: "x" }, onError: "drop" }] })
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [rows, { limit: 5, pin: "a.lock.json" }] })
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [rows, { limit: 5, concurency: 2 }] })
  })

  it("may use steps of its own with their types, and only clients of a service that they declare", () => {
    const text = { summary: "x", example: "x: {}" }
    const own = Step.make({
      ...text,
      key: "own",
      config: Schema.Struct({ word: Schema.String }),
      behaviour: { kind: "item", apply: (_, row) => Effect.succeed(row) }
    })
    const { steps } = Pipeline.make({ ...frame, steps: [rows, { own: { word: "a" } }, { limit: 5 }] }, { steps: [own] })
    expect(steps).toHaveLength(3)
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [rows, { own: { word: 1 } }] }, { steps: [own] })
    const each = { own: { word: "a" }, each: true } as const
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [rows, each] }, { steps: [own] })
    // @ts-expect-error
    Pipeline.make({ ...frame, steps: [rows, { own: { word: "a" } }] })
    const apply = (_: unknown, row: Run.Row) => Effect.as(Scrape, row)
    const item = { ...text, key: "asks", config: Schema.Struct({}) }
    const service = { request: "POST /v2/scrape", documented: false }
    expect(Step.make({ ...item, service, behaviour: { kind: "item", apply } }).key).toBe("asks")
    // @ts-expect-error
    Step.make({ ...item, behaviour: { kind: "item", apply } })
  })
})

/** As `sluice contract emit --format typescript` prints it. */
interface Shop {
  readonly name: string
  readonly price: number | null
}

describe("rows in TypeScript", () => {
  const shop = createPipeline<Shop>("shop.yaml")
  const plain = createPipeline("shop.yaml")

  it("have the type of a contract, also in events and in the stream of a run", () => {
    expectTypeOf(shop.rows).returns.toEqualTypeOf<AsyncIterable<Shop>>()
    expectTypeOf(shop.events).returns.toEqualTypeOf<AsyncIterable<RunEvent<Shop>>>()
    type Streamed = Stream.Stream.Success<ReturnType<typeof Run.rows<Shop>>>
    expectTypeOf<Streamed["data"]["price"]>().toEqualTypeOf<number | null>()
    expectTypeOf<Streamed>().toExtend<Run.Row>()
    // @ts-expect-error
    const misspelt = (row: Streamed) => row.data.pirce
    expect(misspelt).toBeTypeOf("function")
  })

  it("hold what the steps of an inline definition say, in the stream of a run and in Promises", () => {
    const pages = Pipeline.make({
      ...frame,
      steps: [
        { crawl: { url: "https://example.com/" } },
        { where: "metadata.statusCode = 200" },
        { select: { url: "metadata.sourceURL", title: "metadata.title", words: "$count(markdown)", links: "links" } },
        { write: { jsonl: "pages.jsonl" } }
      ]
    })
    const promised = createPipeline(pages)
    type Page = typeof promised.rows extends (...args: never) => AsyncIterable<infer Row> ? Row : never
    expectTypeOf<keyof Page>().toEqualTypeOf<"url" | "title" | "words" | "links">()
    expectTypeOf<Page["url"]>().toEqualTypeOf<string | null | undefined>()
    expectTypeOf<Page["title"]>().toEqualTypeOf<string | ReadonlyArray<string> | null | undefined>()
    expectTypeOf<Page["words"]>().toEqualTypeOf<unknown>()
    expectTypeOf<Page["links"]>().toEqualTypeOf<string | ReadonlyArray<string> | null | undefined>()
    const streamed = Effect.map(Pipeline.from(pages), (checked) => Run.rows(checked, { dataDir: ".sluice" }))
    type Streamed = Stream.Stream.Success<Effect.Effect.Success<typeof streamed>>
    expectTypeOf<Streamed["data"]["url"]>().toEqualTypeOf<string | null | undefined>()
    // @ts-expect-error
    const misspelt = (row: Page) => row.titel
    expect(misspelt).toBeTypeOf("function")
  })

  it("hold what the steps say where the definition is written in the call", () => {
    const promised = createPipeline({
      ...frame,
      steps: [
        { read: { file: "a.csv", columns: { name: "string", price: "number" } } },
        { where: "price > 1" },
        { select: { name: "name", price: "price", both: "name & price" } }
      ]
    })
    type Priced = { readonly name?: string; readonly price?: number | null; readonly both?: unknown }
    expectTypeOf(promised).toEqualTypeOf<RunnablePipeline<Priced>>()
    expectTypeOf(promised.events).returns.toEqualTypeOf<AsyncIterable<RunEvent<Priced>>>()
    const extracted = createPipeline({
      ...frame,
      steps: [
        rows,
        { scrape: {} },
        {
          extract: {
            fields: {
              title: "h1",
              price: [
                { data: "Product.offers.price", as: "price" },
                { css: ".price", as: "price" }
              ],
              tags: { css: ".tag", all: true },
              sold: { css: ".sold", as: "exists", default: "?" },
              parts: { css: "li", all: true, fields: { name: "b", count: { css: "i", as: "integer" } } }
            },
            required: ["title", "price"]
          }
        }
      ]
    })
    type Extracted = typeof extracted extends RunnablePipeline<infer Row> ? Row : never
    expectTypeOf<Extracted["title"]>().toEqualTypeOf<string>()
    expectTypeOf<Extracted["price"]>().toEqualTypeOf<number>()
    expectTypeOf<Extracted["tags"]>().toEqualTypeOf<ReadonlyArray<string> | null>()
    expectTypeOf<Extracted["sold"]>().toEqualTypeOf<boolean | "?" | null>()
    type Part = { readonly name: string | null; readonly count: number | null }
    expectTypeOf<Extracted["parts"]>().toEqualTypeOf<ReadonlyArray<Part> | null>()
    expectTypeOf<Extracted["url"]>().toEqualTypeOf<string | undefined>()
    const checked = Pipeline.from({ ...frame, steps: [rows, { scrape: { formats: ["markdown"] } }] })
    expectTypeOf<Effect.Effect.Success<typeof checked>>().toExtend<Pipeline.TypedChecked<Document>>()
    const branched = createPipeline({
      ...frame,
      steps: [
        { id: "a", ...rows },
        { from: "a", limit: 5 }
      ]
    })
    expectTypeOf(branched).toEqualTypeOf(plain)
    const value: Pipeline.Definition = { ...frame, steps: [rows] }
    expectTypeOf(createPipeline(value)).toEqualTypeOf(plain)
    expectTypeOf(createPipeline<Shop>(value)).toEqualTypeOf(shop)
    const either = Math.random() < 2 ? "shop.yaml" : value
    expectTypeOf(createPipeline(either)).toEqualTypeOf(plain)
    // @ts-expect-error
    createPipeline({ ...frame, steps: [rows, { scrape: { formats: ["markdwn"] } }] })
    // @ts-expect-error
    createPipeline({ ...frame, steps: [rows, { serch: { query: "x" } }] })
    // @ts-expect-error
    createPipeline({ ...frame, stepps: [rows] })
    // @ts-expect-error
    createPipeline(5)
    // @ts-expect-error
    Pipeline.from({ ...frame, steps: [rows, { where: 5 }] })
    expect(promised).toHaveProperty("rows")
  })

  it("hold addresses, the columns of a file, and pages", () => {
    type Of<Made> = Made extends Pipeline.TypedDefinition<infer Row> ? Row : never
    const urls = Pipeline.make({ ...frame, steps: [rows, { limit: 5 }] })
    expectTypeOf<Of<typeof urls>>().toEqualTypeOf<Pipeline.UrlRow>()
    const scraped = Pipeline.make({ ...frame, steps: [rows, { scrape: {}, concurrency: 2 }] })
    expectTypeOf<Of<typeof scraped>["markdown"]>().toEqualTypeOf<string | null | undefined>()
    const read = Pipeline.make({
      ...frame,
      steps: [
        { read: { file: "a.csv", columns: { name: "string", price: "number", stock: "integer", on: "boolean" } } },
        { select: { name: "name", price: "price", stock: "stock", on: "on", other: "other" } }
      ]
    })
    expectTypeOf<Of<typeof read>>().toEqualTypeOf<{
      readonly name?: string
      readonly price?: number | null
      readonly stock?: number | string | null
      readonly on?: boolean | null
      readonly other?: unknown
    }>()
    const strict = Pipeline.make({
      ...frame,
      steps: [{ read: { file: "a.csv", columns: { n: "integer", s: "string" }, integers: "strict", nullText: "-" } }]
    })
    expectTypeOf<Of<typeof strict>["n"]>().toEqualTypeOf<number | null>()
    expectTypeOf<Of<typeof strict>["s"]>().toEqualTypeOf<string | null>()
  })

  it("hold anything where the steps do not say it: branches, options, changes, steps of the project", () => {
    type Of<Made> = Made extends Pipeline.TypedDefinition<infer Row> ? Row : never
    type Anything = Readonly<Record<string, unknown>>
    const select = { select: { a: "url" } } as const
    const branched = Pipeline.make({ ...frame, steps: [{ id: "a", ...rows }, select, { from: "a", limit: 5 }] })
    expectTypeOf<Of<typeof branched>>().toEqualTypeOf<Anything>()
    const sources = Pipeline.make({ ...frame, steps: [rows, select, { search: { query: "x" } }, select] })
    expectTypeOf<Of<typeof sources>>().toEqualTypeOf<Anything>()
    const optional = Pipeline.make({ ...frame, steps: [rows, { ...select, when: "${{ env.A }}" }] })
    expectTypeOf<Of<typeof optional>>().toEqualTypeOf<Anything>()
    const own = Pipeline.make({ ...frame, steps: [rows, { use: { module: "./code.ts" } }] })
    expectTypeOf<Of<typeof own>>().toEqualTypeOf<Anything>()
    const changes = Pipeline.make({ ...frame, steps: [rows, { dedupe: { across: "runs" } }] })
    expectTypeOf<Of<typeof changes>>().toEqualTypeOf<Anything>()
    const settled = Pipeline.make({ ...frame, steps: [rows, { select: { a: "${{ inputs.a }}", b: "url" } }] })
    expectTypeOf<Of<typeof settled>>().toEqualTypeOf<{ readonly a?: unknown; readonly b?: string }>()
    const list: ReadonlyArray<Pipeline.StepDefinition> = [rows]
    const unknown = Pipeline.make({ ...frame, steps: list })
    expectTypeOf<Of<typeof unknown>>().toEqualTypeOf<Anything>()
  })

  it("hold anything without one", () => {
    expectTypeOf(plain.rows).returns.toEqualTypeOf<AsyncIterable<Readonly<Record<string, unknown>>>>()
  })
})
