import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Engine from "../../../src/Engine.ts"
import { describe, expect, it } from "../../It.ts"
import * as Local from "../../Local.ts"
import { fakeModel } from "../Model/FakeModel.ts"

const heron = Local.page(
  "Herons",
  [],
  "Herons have two legs, and stand on one of them for hours, near water, and wait."
)

const schema = { type: "object", properties: { legs: { type: "integer" } }, required: ["legs"] }

/** An engine with a model that says how many legs there are. */
const withModel = Effect.gen(function* () {
  const model = yield* fakeModel(() => `{"legs":2}`)
  const engine = yield* Local.engine({ model: { url: model.url, name: "small", key: Redacted.make("sk-secret") } })
  const call = Local.caller(engine.baseUrl, Local.keys.first)
  const used = Effect.map(call.get("/v2/team/token-usage/historical"), ({ json }) =>
    json.periods.reduce((sum: number, { totalTokens }: { totalTokens: number }) => sum + totalTokens, 0)
  )
  return { call, model, used, site: yield* Local.site(() => heron) }
})

describe("json over HTTP", () => {
  it.scoped("is answered and booked by scrape, in v2 and in v1", function* () {
    const { call, site, used } = yield* withModel
    const v2 = yield* call.post("/v2/scrape", { url: site.url, formats: [{ type: "json", schema }] })
    expect(v2.json).toMatchObject({ success: true, data: { json: { legs: 2 }, metadata: { creditsUsed: 5 } } })
    expect(yield* used).toBe(75)
    const v1 = yield* call.post("/v1/scrape", {
      url: site.url,
      formats: ["extract", "markdown"],
      jsonOptions: { schema, systemPrompt: "Be brief." }
    })
    expect(v1.json.data).toMatchObject({ extract: { legs: 2 }, markdown: expect.stringContaining("two legs") })
    expect(v1.json.data).not.toHaveProperty("json")
    expect(yield* used).toBe(150)
  })

  it.scoped("is answered and booked by a batch and by a search", function* () {
    const { call, site, used } = yield* withModel
    const batch = yield* call.post("/v2/batch/scrape", {
      urls: [`${site.url}/a`, `${site.url}/b`],
      formats: [{ type: "json", schema }]
    })
    const job = yield* Local.ended(call, `/v2/batch/scrape/${batch.json.id}`)
    expect(job).toMatchObject({ status: "completed", completed: 2, creditsUsed: 10 })
    expect(job.data[0].json).toEqual({ legs: 2 })
    expect(yield* used).toBe(150)
    const found = yield* call.post("/v2/search", {
      query: "legs",
      limit: 1,
      scrapeOptions: { formats: [{ type: "json", schema }] }
    })
    expect(found.json.data.web[0].json).toEqual({ legs: 2 })
    expect(found.json.creditsUsed).toBe(7)
  })

  it.scoped("is refused everywhere before anything is fetched when there is no model", function* () {
    const engine = yield* Local.engine()
    const call = Local.caller(engine.baseUrl, Local.keys.first)
    const site = yield* Local.site(() => heron)
    const formats = [{ type: "json", schema }]
    for (const [path, body] of [
      ["/v2/scrape", { url: site.url, formats }],
      ["/v2/batch/scrape", { urls: [site.url], formats }],
      ["/v2/crawl", { url: site.url, scrapeOptions: { formats } }],
      ["/v2/search", { query: "legs", scrapeOptions: { formats } }]
    ] as const) {
      const reply = yield* call.post(path, body)
      expect([reply.status, reply.json.code], path).toEqual([501, "NOT_IMPLEMENTED"])
      expect(reply.json.error).toContain("SLUICE_LLM_URL")
    }
    expect(site.requests).toEqual([])
  })

  it.scoped("tells a caller of a schema that cannot be used", function* () {
    const { call, model, site } = yield* withModel
    const reply = yield* call.post("/v2/scrape", {
      url: site.url,
      formats: [{ type: "json", schema: { type: "object", properties: { a: { $ref: "#/none" } } } }]
    })
    expect([reply.status, reply.json.code]).toEqual([400, "BAD_REQUEST"])
    expect([model.asked.length, site.requests.length]).toEqual([0, 0])
  })
})

describe("the engine's options", () => {
  it.scoped("are refused by name when a proxy or a model cannot be used, without what may be a password", function* () {
    const dataDir = yield* Local.tempDir
    const start = (options: Partial<Engine.Options>) => Effect.flip(Engine.start({ ...options, dataDir }))
    const proxies = yield* start({ proxies: Redacted.make("stealth=ftp://me:hush@host") })
    expect(proxies).toMatchObject({ _tag: "OptionError", option: "proxies" })
    const model = yield* start({ model: { url: "me:hush@host", name: "small" } })
    expect(model).toMatchObject({ _tag: "OptionError", option: "model" })
    expect(`${proxies.message}${model.message}`).not.toContain("hush")
  })
})
