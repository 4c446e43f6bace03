import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { BatchScrape } from "../../src/Client/BatchScrape.ts"
import { Browser } from "../../src/Client/Browser.ts"
import * as Connection from "../../src/Client/Connection.ts"
import { Crawl } from "../../src/Client/Crawl.ts"
import { Parse } from "../../src/Client/Parse.ts"
import * as Record from "../../src/Client/Recording/Record.ts"
import * as Replay from "../../src/Client/Recording/Replay.ts"
import * as Recording from "../../src/Client/Recording.ts"
import * as Retry from "../../src/Client/Retry.ts"
import { Scrape } from "../../src/Client/Scrape.ts"
import { Search } from "../../src/Client/Search.ts"
import * as Transport from "../../src/Client/Transport.ts"
import * as Client from "../../src/Client.ts"
import { describe, expect, it } from "../It.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { repetitions } from "../Repetitions.ts"
import { baseUrl, memory } from "./Fake.ts"
import { id, jobServer, type Plan } from "./JobServer.ts"
import { type Asked, type Reply, serve } from "./Server.ts"

const key = `fc-${"a1".repeat(16)}`
const now = new Date("2026-01-01T00:00:00Z")

const connectionOver = (http: HttpClient.HttpClient, baseUrl: string) =>
  Layer.provide(
    Connection.layerHttpClient({ baseUrl, apiKey: Redacted.make(key) }),
    Layer.succeed(HttpClient.HttpClient, http)
  )

/** The client over some HTTP client. */
const clientOver = (http: HttpClient.HttpClient, baseUrl: string) =>
  Layer.provide(Client.layer, connectionOver(http, baseUrl))

/** Does something with the real client against a server, and gives what came of it and the recording. */
const recordWith = <A, E>(
  reply: (asked: Asked) => Reply | undefined,
  use: Effect.Effect<A, E, Client.Client>,
  secrets: Parameters<Record.Recorder["recording"]>[0] = []
) =>
  Effect.gen(function* () {
    const server = yield* serve((asked, { url }) => {
      const answer = reply(asked)
      const body = JSON.stringify(answer?.body)?.replaceAll("{server}", url)
      return answer === undefined || body === undefined ? answer : { ...answer, body: JSON.parse(body) }
    })
    const recorder = Record.make({ service: server.url })
    const value = yield* Effect.either(
      Effect.provide(use, clientOver(recorder.over(yield* HttpClient.HttpClient), server.url))
    )
    const recording = recorder.recording([...secrets, { value: key, mark: "{key}" }])
    return { value, recording, text: JSON.stringify(recording, null, 2), asked: server.asked }
  }).pipe(Effect.provide(Transport.layer))

/** The same with nothing but the recording. */
const replayWith = <A, E>(recording: Recording.Recording, use: Effect.Effect<A, E, Client.Client>) =>
  Effect.suspend(() => {
    const replayer = Replay.make(recording, now)
    return Effect.map(Effect.either(Effect.provide(use, clientOver(replayer.client(), replayer.service))), (value) => ({
      value,
      missing: replayer.missing().map(({ message }) => message),
      unused: replayer.unused()
    }))
  })

const crawl = (id: string) => {
  let looks = 0
  return ({ method, path }: Asked): Reply => {
    if (method === "POST") return { body: { success: true, id, url: `{server}/v2/crawl/${id}` } }
    if (path.endsWith("/errors")) return { body: { errors: [], robotsBlocked: [] } }
    looks++
    if (looks < 4) return { body: { success: true, status: "scraping", total: 2, completed: 0, data: [] } }
    const expiresAt = new Date(Date.now() + 24 * 3_600_000).toISOString()
    return {
      body: {
        success: true,
        status: "completed",
        total: 2,
        completed: 2,
        creditsUsed: 2,
        expiresAt,
        data: [1, 2].map((page) => ({ markdown: `# ${page}`, metadata: { sourceURL: `https://x.example/${page}` } }))
      }
    }
  }
}

const readCrawl = Effect.gen(function* () {
  const client = yield* Crawl
  const { id } = yield* client.start({ url: "https://x.example/" }, { idempotencyKey: String(Math.random()) })
  const pages = yield* Stream.runCollect(client.stream(id, { poll: Schedule.spaced("1 millis") }))
  return { pages: Chunk.toReadonlyArray(pages), errors: yield* client.errors(id) }
})

describe("a recording", () => {
  it.scopedLive("gives the client the answers of the service", function* () {
    const folder = yield* tempDir
    writeFileSync(join(folder, "a.html"), "<h1>A</h1>")
    const use = Effect.gen(function* () {
      const found = yield* Effect.flatMap(Search, (search) => search.run({ query: "weir", limit: 2 }))
      const parsed = yield* Effect.flatMap(Parse, (parse) =>
        parse.parse({ file: join(folder, "a.html") }, { formats: ["markdown"] })
      )
      return { found, parsed }
    })
    const { recording, value } = yield* recordWith(
      ({ path }) =>
        path === "/v2/search"
          ? { body: { success: true, data: { web: [{ url: "https://x.example/", title: "X", position: 1 }] } } }
          : { body: { success: true, data: { markdown: "# A", metadata: {} } } },
      use
    )
    const replayed = yield* replayWith(recording, use)
    expect(replayed).toEqual({ value, missing: [], unused: [] })
    expect(value._tag).toBe("Right")
    const upload = recording.exchanges.find(({ request }) => request.path === "/v2/parse")
    expect(upload?.request.form).toEqual([
      {
        name: "file",
        file: { name: "a.html", bytes: 10, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }
      },
      { name: "options", json: { formats: ["markdown"] } }
    ])
    writeFileSync(join(folder, "a.html"), "<h1>B</h1>")
    const changed = yield* replayWith(recording, use)
    expect(changed.missing[0]).toMatch(
      /no answer is recorded for POST \/v2\/parse; the nearest recorded request has form\[0\]/
    )
  })

  it.scopedLive("is the same for any ids, ports and waits of the service", function* () {
    const first = yield* recordWith(crawl("7b6f3c1e-8f6b-4b1a-9d56-0123456789ab"), readCrawl)
    const second = yield* recordWith(crawl("aaaaaaaa-8f6b-4b1a-9d56-0123456789ab"), readCrawl)
    expect(first.value._tag).toBe("Right")
    expect(first.text).toBe(second.text)
    expect(first.text).not.toMatch(/127\.0\.0\.1|7b6f3c1e|idempotency|uthorization|scraping/)
    expect(first.text).toContain('"{now+24h}"')
    const replayed = yield* replayWith(first.recording, readCrawl)
    expect(replayed.missing).toEqual([])
    expect(replayed.value).toEqual(first.value)
  })

  const plan: fc.Arbitrary<Plan> = fc.record({
    kind: fc.constantFrom("skip", "skip", "all", "opaque"),
    documents: fc.nat({ max: 30 }),
    pageSize: fc.integer({ min: 1, max: 12 }),
    growth: fc.array(fc.constantFrom(0, 0, 0, 3, 9), { maxLength: 25 }),
    overlap: fc.constantFrom(0, 0, 1, 3),
    loops: fc.array(fc.boolean(), { maxLength: 5 }),
    faults: fc.array(fc.constantFrom<Plan["faults"][number]>("cut", "half", 503, undefined), { maxLength: 6 }),
    shrinks: fc.array(fc.boolean(), { maxLength: 5 }),
    endless: fc.boolean(),
    running: fc.constantFrom("scraping", "queued"),
    end: fc.constantFrom("completed", "failed")
  })

  it.live.skipIf(skipsLong)(
    "of a job has the same pages in fewer polls, however the service paged, stalled and failed",
    () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(plan, async (given) => {
            const server = jobServer(given, baseUrl)
            const recorder = Record.make({ service: baseUrl })
            const policy: Retry.Policy = { schedule: Schedule.recurs(20), when: Retry.isSafe }
            const read = (http: HttpClient.HttpClient, service: string) =>
              Effect.gen(function* () {
                const documents: Array<unknown> = []
                const end = yield* (yield* BatchScrape).stream(id, { poll: Schedule.forever }).pipe(
                  Stream.runForEachChunk((chunk) => Effect.sync(() => void documents.push(...chunk))),
                  Effect.either
                )
                return { documents, end: end._tag === "Left" ? end.left._tag : "completed" }
              }).pipe(
                Effect.provide(Layer.provide(BatchScrape.Default, connectionOver(http, service))),
                Effect.provideService(Retry.RetryPolicy, policy),
                Logger.withMinimumLogLevel(LogLevel.None),
                Effect.runPromise
              )
            const live = await read(recorder.over(memory(server.answer)), baseUrl)
            const recording = recorder.recording([])
            const replayer = Replay.make(recording, now)
            expect(await read(replayer.client(), replayer.service)).toEqual(live)
            expect(replayer.missing()).toEqual([])
            expect(recording.exchanges.length).toBeLessThanOrEqual(server.asked.length)
          }),
          { numRuns: repetitions(30, 10) }
        )
      )
  )

  it.scopedLive("fails as the service failed: refusals, prose, and connections that broke", function* () {
    const scrape = Effect.flatMap(Scrape, ({ run }) => run({ url: "https://x.example/" })).pipe(
      Effect.provideService(Retry.RetryPolicy, Retry.never),
      Effect.mapError(({ _tag, message }) => ({ _tag, message: message.replace(/http:\/\/[\w.:]+/g, "") }))
    )
    const answers: ReadonlyArray<Reply | undefined> = [
      { status: 429, headers: { "retry-after": "7" }, body: { success: false, error: "slow down" } },
      { status: 502, body: "<h1>Bad gateway</h1>" },
      { status: 402, body: { success: false, error: "no credits" } },
      undefined
    ]
    for (const answer of answers) {
      const { recording, value } = yield* recordWith(() => answer, scrape)
      const replayed = yield* replayWith(recording, scrape)
      expect(value._tag).toBe("Left")
      expect(replayed).toEqual({ value, missing: [], unused: [] })
    }
  })

  it.scopedLive("contains no link to a browser session", function* () {
    const links = {
      cdpUrl: "ws://127.0.0.1:1/cdp/first-secret",
      liveViewUrl: "http://127.0.0.1:1/live/second-secret",
      interactiveLiveViewUrl: "http://127.0.0.1:1/live/third-secret"
    }
    const session = Effect.flatMap(Browser, (browser) => browser.create({ ttl: 60 }))
    const { recording, text, value } = yield* recordWith(
      () => ({ body: { success: true, id: "7b6f3c1e-8f6b-4b1a-9d56-0123456789ab", ...links } }),
      session
    )
    expect(Either.getOrThrow(value)).toMatchObject(links)
    expect(text).not.toMatch(/first-secret|second-secret|third-secret/)
    expect(Either.getOrThrow((yield* replayWith(recording, session)).value)).toMatchObject({ cdpUrl: "{masked}" })
  })

  it.scopedLive(
    "contains no secret of a definition's literals and of an API's headers, and is found again",
    Transport.layer,
    function* () {
      const api = yield* serve(({ body, path }) => ({
        body: { echo: `${path} ${body}` },
        headers: {
          "x-auth-token": "sentinel-1",
          authorization: "sentinel-2",
          "set-cookie2": "sentinel-3",
          "x-next-token": "b"
        }
      }))
      const calls = Effect.gen(function* () {
        const http = yield* HttpClient.HttpClient
        const form = HttpClientRequest.post(`${api.url}/token`).pipe(
          HttpClientRequest.bodyUrlParams({ grant_type: "client_credentials", client_secret: "sentinel/4&x" })
        )
        const list = HttpClientRequest.get(`${api.url}/items?page=2&api_key=sentinel-5&next_token=b`)
        return yield* Effect.forEach([form, list], (each) => Effect.map(http.execute(each), ({ headers }) => headers))
      })
      const recorder = Record.make({ service: "https://service.example" })
      const http = recorder.over(yield* HttpClient.HttpClient)
      yield* Effect.provideService(calls, HttpClient.HttpClient, http)
      const recording = recorder.recording([])
      expect(JSON.stringify(recording)).not.toContain("sentinel")
      expect(recording.exchanges.map(({ request }) => request.path)).toEqual([
        expect.stringContaining("/items?api_key={masked}&next_token=b&page=2"),
        expect.stringContaining("/token")
      ])
      const replayer = Replay.make(recording, now)
      const [, answered] = yield* Effect.provideService(calls, HttpClient.HttpClient, replayer.client())
      expect([answered?.["x-next-token"], replayer.unused()]).toEqual(["b", []])
    }
  )

  it.scopedLive("reports a missing answer, how often it occurred, and the nearest one", function* () {
    const search = (query: string) => Effect.flatMap(Search, ({ run }) => run({ query, limit: 5 }))
    const { recording } = yield* recordWith(() => ({ body: { success: true, data: {} } }), search("weir"))
    const again = yield* replayWith(recording, Effect.zipRight(search("weir"), search("weir")))
    expect(again.missing).toEqual(["no answer is recorded for POST /v2/search again: it was recorded once only"])
    const other = yield* replayWith(recording, search("pier"))
    expect(other.missing).toEqual([
      'no answer is recorded for POST /v2/search; the nearest recorded request has query: "weir" instead of "pier"'
    ])
    const elsewhere = yield* replayWith(
      recording,
      Effect.flatMap(Scrape, ({ run }) => run({ url: "https://x.example/" }))
    )
    expect(elsewhere.missing).toEqual([
      "no answer is recorded for POST /v2/scrape; the nearest recorded request is POST /v2/search"
    ])
  })

  const sentinel = `s3nt/i+nel_"*<&>\\ ü${"x".repeat(9)}`

  it.scopedLive("contains no secret, however a page or the service echoes it", function* () {
    const literal = "literal-cookie-value"
    const markdownOf = (text: string) => text.replace(/[^A-Za-z0-9ü ]/g, "\\$&")
    const scrape = Effect.flatMap(Scrape, ({ run }) =>
      run({ url: "https://x.example/", headers: { "x-auth": `Bearer ${sentinel}`, cookie: literal } })
    )
    const { asked, text, value } = yield* recordWith(
      ({ headers }) => ({
        headers: { "set-cookie": `k=${encodeURIComponent(sentinel)}`, "x-echo": headers.authorization ?? "" },
        body: {
          success: true,
          data: {
            markdown: `${sentinel} ${markdownOf(sentinel)} ${headers.authorization}`,
            rawHtml: `<p>${sentinel.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")}</p> ${literal}`,
            links: [
              `https://x.example/?t=${encodeURIComponent(sentinel)}`,
              ...["", "u", "us"].map(
                (name) => `https://x.example/${Buffer.from(`${name}${sentinel}:p`).toString("base64url")}`
              )
            ],
            [sentinel]: JSON.stringify({ echoed: sentinel }),
            basic: Buffer.from(`user:${sentinel}`).toString("base64"),
            metadata: { sourceURL: "https://x.example/", statusCode: 200 }
          }
        }
      }),
      scrape,
      [{ value: sentinel, mark: "{secrets.TOKEN}" }]
    )
    expect(value._tag).toBe("Right")
    expect(asked[0]?.headers.authorization).toBe(`Bearer ${key}`)
    expect(text).toContain("Bearer {secrets.TOKEN}")
    for (const part of ["s3nt", "nel_", key, "xxxxxxx", literal, "cookie-value", "uthorization"]) {
      expect(text, part).not.toContain(part)
    }
    const encoded = Buffer.from(sentinel).toString("base64url")
    for (let from = 0; from + 12 < encoded.length; from += 4) {
      expect(text).not.toContain(encoded.slice(from, from + 12))
    }
    // And the request is recognised again by those who have no secret.
    const replayed = yield* replayWith(
      JSON.parse(text),
      Effect.flatMap(Scrape, ({ run }) =>
        run({ url: "https://x.example/", headers: { "x-auth": "Bearer {secrets.TOKEN}", cookie: literal } })
      )
    )
    expect(replayed.missing).toEqual([])
  })

  it.scoped(
    "is refused with a reason when it cannot be used, and kept when a part of it is recorded again",
    NodeContext.layer,
    function* () {
      const folder = yield* tempDir
      const file = join(folder, "r.json")
      const exchange = (path: string, status: number) => ({ request: { method: "GET", path }, answer: { status } })
      const recording = (...exchanges: ReadonlyArray<Recording.Exchanged>) => ({ recording: 1 as const, exchanges })
      expect(yield* Recording.read(file)).toBe(undefined)
      const wrong: ReadonlyArray<readonly [text: string, said: RegExp]> = [
        ["{", /it is not JSON/],
        ['{"recording":2,"exchanges":[]}', /recording: Expected 1/],
        ['{"recording":1,"exchanges":[{"request":{"method":"GET","path":"/"},"answer":{}}]}', /a status or a failure/]
      ]
      for (const [text, said] of wrong) {
        writeFileSync(file, text)
        expect((yield* Effect.flip(Recording.read(file))).message).toMatch(said)
      }
      const merged = Record.merge(
        recording(exchange("/v2/a", 200), exchange("/v2/b", 200)),
        recording(exchange("/v2/a", 404), exchange("/v2/c", 200))
      )
      expect(merged.exchanges.map(({ answer, request }) => [request.path, answer.status])).toEqual([
        ["/v2/a", 404],
        ["/v2/b", 200],
        ["/v2/c", 200]
      ])
      yield* Recording.write(join(folder, "new", "r.json"), merged)
      expect(yield* Recording.read(join(folder, "new", "r.json"))).toEqual(merged)
    }
  )
})
