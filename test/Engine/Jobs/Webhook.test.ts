/** Webhooks: events are delivered in order, signed and through the guard, and no job waits for them. */

import { createHmac } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Webhook from "../../../src/Engine/Jobs/Webhook.ts"
import * as Keys from "../../../src/Engine/Teams/Keys.ts"
import { describe, expect, it } from "../../It.ts"
import { caller, drain, engine, keys, page, site, tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { guard } from "../Scrape/Site.ts"
import { type Received, receiver, waitForEvents } from "./Receiver.ts"

const setup = (options: Parameters<typeof engine>[0] = {}) =>
  Effect.gen(function* () {
    const there = yield* site((path) => (path === "/gone" ? undefined : page(path)))
    const { baseUrl } = yield* engine(options)
    return { there, call: caller(baseUrl, keys.first) }
  })

const typesOf = (received: ReadonlyArray<Received>) => received.map(({ json }) => json.type)

describe("a webhook", () => {
  it.scopedLive("gets the start, every document as stored, and the end, in order and signed", function* () {
    const { url, received } = yield* receiver()
    const { there, call } = yield* setup({ webhookSecret: Redacted.make("of the settings") })
    const urls = ["/a", "/b", "/gone"].map((path) => there.url + path)
    const webhook = { url, headers: { authorization: "Bearer x" }, metadata: { run: 7 }, secret: "s3cret" }
    const { json } = yield* call.post("/v2/batch/scrape", { urls, webhook })
    yield* waitForEvents(received, 5)
    const { data } = yield* drain(call, `/v2/batch/scrape/${json.id}`)
    const batch = "batch_scrape"
    expect(typesOf(received)).toEqual([`${batch}.started`, ...data.map(() => `${batch}.page`), `${batch}.completed`])
    expect(received.slice(1, 4).map(({ json }) => json.data)).toEqual(data.map((document) => [document]))
    for (const { headers, json: body, text } of received) {
      expect(body).toMatchObject({ id: json.id, metadata: { run: 7 } })
      expect(headers).toMatchObject({ authorization: "Bearer x", "content-type": "application/json" })
      expect(headers["x-firecrawl-signature"]).toBe(
        `sha256=${createHmac("sha256", "s3cret").update(text).digest("hex")}`
      )
      expect(headers["x-sluice-event"]).toBe(body.event)
    }
    expect(new Set(received.map(({ json }) => json.event)).size).toBe(5)
    const failed = received.find(({ json }) => json.success === false)
    expect(failed?.json).toMatchObject({
      error: expect.stringMatching(/404|Not Found/),
      data: [{ metadata: { statusCode: 404 } }]
    })
  })

  it.scoped.each([
    [
      "of several teams warns at its start that the secret has to be a new one",
      `a/x:${keys.first},b/x:${keys.stranger}`,
      1
    ],
    ["of one team says nothing of its secret", `a/x:${keys.first}`, 0]
  ] as const)("an engine %s", function* ([, given, count]) {
    const log: Array<string> = []
    const logger = Logger.make(({ message }) => log.push(String(message)))
    const folder = yield* tempDir
    yield* Layer.build(Webhook.layer(folder, Redacted.make("of the settings"))).pipe(
      Effect.provide(
        Layer.mergeAll(guard("127.0.0.0/8"), Keys.layer(folder, Redacted.make(given))).pipe(
          Layer.provideMerge(NodeContext.layer),
          Layer.merge(Logger.replace(Logger.defaultLogger, logger))
        )
      )
    )
    expect(log.filter((line) => line.includes("Set a new SLUICE_WEBHOOK_SECRET"))).toHaveLength(count)
  })

  it.scopedLive.each([
    { what: "", status: 500, wanted: {} },
    { what: ", although its receiver had asked to wait", status: 429, wanted: { events: ["completed"] } }
  ] as const)("gets only the end of a job whose results were deleted before their delivery$what", function* (given) {
    let isReady = false
    const { url, received } = yield* receiver(() => (isReady ? 200 : given.status))
    const { there, call } = yield* setup()
    const path = "/v2/batch/scrape"
    const { json } = yield* call.post(path, {
      urls: [`${there.url}/a`, `${there.url}/b`],
      webhook: { url, ...given.wanted }
    })
    yield* drain(call, `${path}/${json.id}`)
    yield* waitForEvents(received, 1)
    expect((yield* call.del(`${path}/${json.id}?results=delete`)).status).toBe(200)
    isReady = true
    const refused = received.length
    yield* waitForEvents(received, refused + 1)
    // Then nothing of it is kept.
    const used = Effect.map(call.get("/v2/team/queue-status"), ({ json }) => json.storage.usedBytes as number)
    yield* Effect.repeat(Effect.delay(used, 20), { until: (bytes) => bytes === 0 })
    expect(typesOf(received.slice(refused))).toEqual(["batch_scrape.completed"])
  })

  it.scopedLive("gets only the events that it asked for, signed with the setting if it has no secret", function* () {
    const { url, received } = yield* receiver()
    const { there, call } = yield* setup({
      keys: Redacted.make(`local:${keys.first}`),
      webhookSecret: Redacted.make("of the settings")
    })
    yield* call.post("/v2/crawl", { url: there.url, limit: 1, webhook: { url, events: ["completed"] } })
    yield* waitForEvents(received, 1)
    expect(typesOf(received)).toEqual(["crawl.completed"])
    expect(received[0]?.headers["x-firecrawl-signature"]).toBe(
      `sha256=${createHmac("sha256", "of the settings")
        .update(received[0]?.text ?? "")
        .digest("hex")}`
    )
  })

  it.scopedLive("is signed with a secret of its team, which cannot forge those of another team", function* () {
    const there = yield* site((path) => page(path))
    const second = `fc-${"2".repeat(32)}`
    const third = `fc-${"3".repeat(32)}`
    const { baseUrl } = yield* engine({
      keys: Redacted.make(`a/one:${second},b/two:${third}`),
      webhookSecret: Redacted.make("of the settings")
    })
    const signatures = yield* Effect.forEach([second, third], (key) =>
      Effect.gen(function* () {
        const { url, received } = yield* receiver()
        yield* caller(baseUrl, key).post("/v2/crawl", {
          url: there.url,
          limit: 1,
          webhook: { url, events: ["completed"] }
        })
        yield* waitForEvents(received, 1)
        return { text: received[0]?.text ?? "", signature: received[0]?.headers["x-firecrawl-signature"] }
      })
    )
    const sign = (secret: string, text: string) => `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`
    const secretOf = (team: string) =>
      createHmac("sha256", "of the settings").update(`sluice webhook ${team}`).digest("hex")
    for (const [at, team, other] of [
      [0, "a", "b"],
      [1, "b", "a"]
    ] as const) {
      const { signature, text } = signatures[at] ?? { signature: undefined, text: "" }
      expect(signature).toBe(sign(secretOf(team), text))
      expect(signature).not.toBe(sign(secretOf(other), text))
      expect(signature).not.toBe(sign("of the settings", text))
    }
  })

  it.scopedLive.skipIf(skipsLong)(
    "is notified of a crawl that fails, of a batch that is cancelled, and again of one that is extended",
    function* () {
      const { url, received } = yield* receiver()
      const { there, call } = yield* setup()
      const webhook = { url, events: ["failed", "completed"] }
      yield* call.post("/v1/crawl", { url: `${there.url}/gone`, webhook, ignoreSitemap: true })
      yield* waitForEvents(received, 1)
      expect(received[0]?.json).toMatchObject({ type: "crawl.failed", success: false, error: expect.any(String) })
      const batch = yield* call.post("/v2/batch/scrape", { urls: [there.url], webhook })
      yield* waitForEvents(received, 2)
      yield* call.post("/v2/batch/scrape", { urls: [`${there.url}/more`], appendToId: batch.json.id })
      yield* waitForEvents(received, 3)
      expect(received[1]?.json.event).not.toBe(received[2]?.json.event)
      const slow = yield* site(() => ({ body: "x", delay: 3_000 }))
      const { json } = yield* call.post("/v2/batch/scrape", { urls: [slow.url], webhook })
      yield* call.del(`/v2/batch/scrape/${json.id}`)
      yield* waitForEvents(received, 4)
      expect(received[3]?.json).toMatchObject({ type: "batch_scrape.failed", error: "The job was cancelled." })
    }
  )

  it.scopedLive("that does not answer does not delay the job", function* () {
    const { url, received } = yield* receiver(() => undefined)
    const { there, call } = yield* setup()
    const { json } = yield* call.post("/v2/batch/scrape", { urls: [there.url], webhook: url })
    const { last } = yield* drain(call, `/v2/batch/scrape/${json.id}`)
    expect(last).toMatchObject({ status: "completed", completed: 1 })
    expect(received.length).toBeLessThanOrEqual(1)
  })

  it.scopedLive("is refused before the job starts if its address is private or invalid, with the reason", function* () {
    const { there, call } = yield* setup()
    const refused = (webhook: unknown) =>
      Effect.map(call.post("/v2/batch/scrape", { urls: [there.url], webhook }), ({ json, status }) => [
        status,
        json.details[0].path[0]
      ])
    for (const url of [
      "http://10.0.0.1/",
      "http://169.254.169.254/x",
      "http://[::1]/",
      "http://0x0a000001/",
      "ftp://x",
      "x"
    ]) {
      expect(yield* refused(url), url).toEqual([400, "webhook.url"])
    }
    const url = "https://hook.example/"
    expect(yield* refused("http://user:pw@hook.example/")).toEqual([400, "webhook.url"])
    expect(yield* refused({ url, events: ["nonsense"] })).toEqual([400, "webhook.events"])
    expect(yield* refused({ url, headers: { host: "x" } })).toEqual([400, "webhook.headers"])
    expect(yield* refused({ url, headers: { a: "b\r\nc: d" } })).toEqual([400, "webhook.headers"])
    expect(yield* refused({ url, metadata: { big: "x".repeat(70_000) } })).toEqual([400, "webhook.metadata"])
    expect(there.requests).toEqual([])
  })

  it.scopedLive.skipIf(skipsLong)(
    "does not follow redirects, which would send the event and its headers elsewhere",
    function* () {
      const elsewhere = yield* site(() => page("taken"))
      const redirecting = yield* site((path) =>
        path === "/hook" ? { status: 307, headers: { location: `${elsewhere.url}/hook` } } : page(path)
      )
      const { call, there } = yield* setup()
      const webhook = { url: `${redirecting.url}/hook`, headers: { authorization: "Bearer x" } }
      const { json } = yield* call.post("/v2/batch/scrape", { urls: [there.url], webhook })
      yield* drain(call, `/v2/batch/scrape/${json.id}`)
      // The second try shows that the first was over.
      yield* Effect.repeat(Effect.sleep("20 millis"), { until: () => redirecting.requests.length > 1 })
      expect(elsewhere.requests).toEqual([])
    }
  )

  it.scopedLive("is checked again at each delivery: a host name with a private address gets nothing", function* () {
    const { url, received } = yield* receiver()
    const logged: Array<string> = []
    const logger = Logger.make(({ message }) => logged.push(String(message)))
    const there = yield* site(() => page("x"))
    const { baseUrl } = yield* engine({ allowNetworks: [], allowOrigins: [there.origin] }).pipe(
      Effect.provide(Logger.replace(Logger.defaultLogger, logger))
    )
    const call = caller(baseUrl, keys.first)
    const webhook = url.replace("127.0.0.1", "localhost")
    const { json } = yield* call.post("/v2/batch/scrape", { urls: [there.url], webhook })
    expect((yield* drain(call, `/v2/batch/scrape/${json.id}`)).last.status).toBe("completed")
    yield* waitForEvents(logged as never, 2)
    expect(received).toEqual([])
    expect(logged.join()).toContain("SSRF_BLOCKED")
    expect(logged.join()).not.toContain(webhook)
  })

  it.scopedLive("continues after a restart: no event is lost, and at most one is repeated", function* () {
    const dataDir = yield* tempDir
    const secrets = ["https-token-in-path", "header-secret", "signing-secret"]
    const { url, received } = yield* receiver((_, index) => (index === 1 ? undefined : 200))
    const there = yield* site((path) => page(path))
    const urls = ["/a", "/b", "/c"].map((path) => there.url + path)
    yield* Effect.scoped(
      Effect.gen(function* () {
        const call = caller((yield* engine({ dataDir })).baseUrl, keys.first)
        const webhook = { url: `${url}/${secrets[0]}`, headers: { "x-key": secrets[1] }, secret: secrets[2] }
        const { json } = yield* call.post("/v2/batch/scrape", { urls, webhook })
        yield* drain(call, `/v2/batch/scrape/${json.id}`)
        yield* waitForEvents(received, 2)
      })
    )
    for (const name of readdirSync(dataDir, { withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [entry.name] : []
    )) {
      const bytes = readFileSync(join(dataDir, name)).toString("latin1")
      for (const secret of secrets) expect(bytes.includes(secret ?? "?"), name).toBe(false)
    }
    yield* engine({ dataDir })
    yield* waitForEvents(received, 6)
    const events = received.map(({ json }) => json.event.split("/").slice(1, 3).join("/"))
    expect(events.map((event) => event.replace(/\d{10,}/, "T"))).toEqual([
      "started",
      "page/0",
      "page/0",
      "page/1",
      "page/2",
      "ended/T"
    ])
    expect(received[5]?.headers["x-key"]).toBe(secrets[1])
  })
})
