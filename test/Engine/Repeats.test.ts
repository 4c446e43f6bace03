/** A paid call under an idempotency key is answered as often as it is sent, and paid once. */

import * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Sqlite from "../../src/Database/Sqlite.ts"
import { describe, expect, it, layer } from "../It.ts"
import { type Caller, caller, engine, keys, Local, layer as local, page, site, tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { kill, spawnEngine } from "./Jobs/Spawn.ts"

const credits = (call: Caller) =>
  Effect.map(call.get("/v2/team/credit-usage/historical"), ({ json }) => json.periods.at(-1).creditsUsed as number)

/** Credits that the team has used. */
const cost = <A>(call: Caller, effect: Effect.Effect<A>) =>
  Effect.gen(function* () {
    const before = yield* credits(call)
    const result = yield* effect
    return [result, (yield* credits(call)) - before] as const
  })

const keyed = (key: string) => ({ "x-idempotency-key": key })

const upload = (call: Caller, key: string, text: string, name = "a.html", options: object = {}) => {
  const body = new FormData()
  body.append("options", JSON.stringify(options))
  body.append("file", new Blob([text]), name)
  return call.send("/v2/parse", { method: "POST", body, headers: keyed(key) })
}

/** A site whose pages say how often they were asked for, and take so many milliseconds. */
const counting = (delay = 0) =>
  Effect.suspend(() => {
    let visits = 0
    return site((path) => {
      if (path === "/robots.txt" || path === "/sitemap.xml") return undefined
      visits += 1
      return { body: page(`Visit ${visits}`), delay }
    })
  })

const until = (condition: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (condition() ? Effect.void : Effect.zipRight(Effect.sleep("5 millis"), until(condition))))

layer(local, { excludeTestServices: true })("a paid call that is repeated under its key", (it) => {
  it.scoped.skipIf(skipsLong)("has the first answer, byte for byte, and costs nothing more", function* () {
    const { call } = yield* Local
    const there = yield* counting()
    const html = page("Unheard-of quagga")
    const calls: ReadonlyArray<readonly [string, Effect.Effect<{ readonly status: number; readonly text: string }>]> = [
      ["scrape", call.post("/v2/scrape", { url: `${there.url}/a`, formats: ["markdown"] }, keyed("once 1"))],
      ["scrape of v1", call.post("/v1/scrape", { url: `${there.url}/a` }, keyed("once 2"))],
      ["parse", upload(call, "once 3", html)],
      ["search", call.post("/v2/search", { query: "quagga" }, keyed("once 4"))],
      ["map", call.post("/v2/map", { url: there.url }, keyed("once 5"))],
      ["map of v1", call.post("/v1/map", { url: there.url }, keyed("once 6"))]
    ]
    for (const [name, send] of calls) {
      const [first, paid] = yield* cost(call, send)
      expect([first.status, paid > 0], name).toEqual([200, true])
      const asked = there.requests.length
      const [second, more] = yield* cost(call, send)
      expect([second.status, second.text, more], name).toEqual([200, first.text, 0])
      expect(there.requests.length, name).toBe(asked)
    }
    const plain = Effect.map(call.post("/v2/scrape", { url: `${there.url}/a` }), ({ text }) => text)
    expect(yield* plain).not.toBe(yield* plain)
  })

  it.scoped("with another payload is refused", function* () {
    const { call, stranger } = yield* Local
    const { url } = yield* counting()
    const refused = { status: 409, json: { success: false, code: "IDEMPOTENCY_KEY_REUSED" } }
    const first = yield* call.post("/v2/scrape", { url, formats: ["links", "markdown"] }, keyed("k"))
    const same = yield* call.post("/v2/scrape", { formats: ["links", "markdown"], url }, keyed("k"))
    expect(same.text).toBe(first.text)
    expect(yield* call.post("/v2/scrape", { url, formats: ["links"] }, keyed("k"))).toMatchObject(refused)
    expect(yield* call.post("/v1/scrape", { url, formats: ["links", "markdown"] }, keyed("k"))).toMatchObject(refused)
    expect(yield* call.post("/v2/search", { query: "x" }, keyed("k"))).toMatchObject(refused)
    expect(yield* upload(call, "k", page("A"))).toMatchObject(refused)

    const parsed = yield* upload(call, "p", page("A"))
    expect((yield* upload(call, "p", page("A"), "a.html", { onlyMainContent: true })).text).toBe(parsed.text)
    expect(yield* upload(call, "p", page("B"))).toMatchObject(refused)
    expect(yield* upload(call, "p", page("A"), "b.html")).toMatchObject(refused)
    expect(yield* upload(call, "p", page("A"), "a.html", { formats: ["html"] })).toMatchObject(refused)

    // Another team's keys are its own.
    expect(yield* stranger.post("/v2/scrape", { url, formats: ["links"] }, keyed("k"))).toMatchObject({ status: 200 })
    const long = yield* call.post("/v2/scrape", { url }, keyed("k".repeat(256)))
    expect(long).toMatchObject({ status: 400, json: { error: expect.stringContaining("at most 255 characters") } })
  })

  it.scoped("waits for the first call while it runs, also many at once", function* () {
    const { call } = yield* Local
    const there = yield* counting(300)
    const send = call.post("/v2/scrape", { url: `${there.url}/slow` }, keyed("flight"))
    const first = yield* Effect.fork(cost(call, Effect.replicateEffect(send, 8, { concurrency: 8 })))
    yield* until(() => there.requests.length > 0)
    const other = yield* call.post("/v2/scrape", { url: `${there.url}/other` }, keyed("flight"))
    expect(other.status).toBe(409)
    const [answers, paid] = yield* Fiber.join(first)
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect([answers[0]?.status, paid, there.requests]).toEqual([200, 1, ["/slow"]])
  })

  it.scoped("is stored, paid and found by search with others that end at the same time", function* () {
    const { call } = yield* Local
    const there = yield* counting(100)
    const paths = ["a", "b", "c", "d", "e", "f"]
    const send = (path: string) =>
      call.post("/v2/scrape", { url: `${there.url}/${path}` }, path === "f" ? {} : keyed(`together ${path}`))
    const [first, paid] = yield* cost(call, Effect.forEach(paths, send, { concurrency: 6 }))
    expect([first.map(({ status }) => status), paid]).toEqual([paths.map(() => 200), 6])
    const keptOnes = paths.slice(0, 5)
    const [again, more] = yield* cost(call, Effect.forEach(keptOnes, send, { concurrency: 5 }))
    expect([again.map(({ text }) => text), more]).toEqual([first.slice(0, 5).map(({ text }) => text), 0])
    const { json } = yield* call.post("/v2/search", { query: `site:${new URL(there.url).host} visit`, limit: 10 })
    expect(json.data.web.map(({ url }: { readonly url: string }) => url).sort()).toEqual(
      paths.map((path) => `${there.url}/${path}`)
    )
  })

  it.scoped("is made by the next one when the first has left, and only then paid", function* () {
    const { baseUrl, call } = yield* Local
    const there = yield* counting(250)
    const leaving = new AbortController()
    const body = JSON.stringify({ url: `${there.url}/left` })
    const headers = { authorization: `Bearer ${keys.first}`, "content-type": "application/json", ...keyed("left") }
    const [second, paid] = yield* cost(
      call,
      Effect.gen(function* () {
        const first = fetch(new URL("/v2/scrape", baseUrl), {
          method: "POST",
          body,
          headers,
          signal: leaving.signal
        }).catch(() => undefined)
        yield* until(() => there.requests.length > 0)
        const waiting = yield* Effect.fork(call.post("/v2/scrape", { url: `${there.url}/left` }, keyed("left")))
        yield* Effect.sleep("50 millis")
        leaving.abort()
        yield* Effect.promise(() => first)
        return yield* Fiber.join(waiting)
      })
    )
    expect([second.status, paid]).toEqual([200, 1])
    expect(second.json.data.markdown).toContain("Visit 2")
  })

  it.scoped("is made again when it failed: failures are neither kept nor paid", function* () {
    const { call } = yield* Local
    const there = yield* counting()
    const closed = yield* Effect.scoped(Effect.map(counting(), ({ url }) => url))
    const fails = call.post("/v2/scrape", { url: closed }, keyed("fails"))
    const [first, paid] = yield* cost(call, fails)
    expect([first.status >= 400, paid]).toEqual([true, 0])
    // The key has not been used up by a call that came to nothing.
    const [later, more] = yield* cost(call, call.post("/v2/scrape", { url: there.url }, keyed("fails")))
    expect([later.status, more]).toEqual([200, 1])
    expect((yield* upload(call, "broken", "")).status).toBe(422)
    expect((yield* upload(call, "broken", page("A"))).status).toBe(200)
  })

  it.scoped("is a new call that is charged again, with zero data retention", function* () {
    const { call } = yield* Local
    const there = yield* counting()
    const zeroDataRetention = true
    const scrape = call.post("/v2/scrape", { url: there.url, zeroDataRetention }, keyed("zdr"))
    const [texts, paid] = yield* cost(call, Effect.all([scrape, scrape]))
    expect([new Set(texts.map(({ text }) => text)).size, paid]).toEqual([2, 2])
    const parse = upload(call, "zdr", page("A"), "a.html", { zeroDataRetention })
    expect((yield* cost(call, Effect.all([parse, parse])))[1]).toBe(2)
    yield* upload(call, "found", page("Thylacine"))
    const search = (body: object) => call.post("/v2/search", { query: "thylacine", ...body }, keyed("zdr"))
    const anew = search({ enterprise: ["zdr"] })
    expect((yield* cost(call, Effect.all([anew, anew])))[1]).toBe(20)
    const content = search({ scrapeOptions: { formats: ["markdown"], zeroDataRetention } })
    expect((yield* cost(call, Effect.all([content, content])))[1]).toBe(4)
  })
})

describe("a large answer", () => {
  const sizes = [
    ["of several parts is kept whole", 3 * 1024 * 1024 + 17, true],
    [
      "beyond what is kept is refused to a repeat: it is neither made again for nothing nor paid again",
      21 * 1024 * 1024,
      false
    ]
  ] as const
  it.scopedLive.each(sizes)("%s", function* ([, size, kept]) {
    let visits = 0
    const there = yield* site(() => `<p>${++visits}</p><p>${"é ".repeat(size / 3)}</p>`)
    const dataDir = yield* tempDir
    const call = caller((yield* engine({ dataDir })).baseUrl, keys.first)
    const send = call.post("/v2/scrape", { url: there.url, formats: ["rawHtml"] }, keyed("large"))
    const first = yield* send
    expect(Buffer.byteLength(first.text)).toBeGreaterThan(size)
    const again = yield* send
    expect([again.status, again.text === first.text, visits]).toEqual([kept ? 200 : 409, kept, 1])
    expect(again.json.code).toBe(kept ? undefined : "ANSWER_NOT_KEPT")
    expect(yield* credits(call)).toBe(1)
    const sql = yield* sqlOf(dataDir)
    const rows = yield* sql`SELECT max(length(body)) AS longest FROM paid_call_parts`
    expect(rows).toEqual([{ longest: kept ? 1024 * 1024 : null }])
  })
})

/** The engine's store, from outside. */
const sqlOf = (dataDir: string) =>
  Effect.map(Effect.orDie(Layer.build(Sqlite.layer(`${dataDir}/engine.db`))), (context) =>
    Context.get(context, SqlClient.SqlClient)
  )

describe("the books", () => {
  it.scopedLive("and the answer are written together, or not at all", () =>
    Effect.gen(function* () {
      const there = yield* counting()
      const dataDir = yield* tempDir
      const call = caller((yield* engine({ dataDir })).baseUrl, keys.first)
      const sql = yield* sqlOf(dataDir)
      yield* sql`CREATE TRIGGER closed BEFORE INSERT ON usage_ledger BEGIN SELECT RAISE(ABORT, 'closed'); END`
      const scrape = call.post("/v2/scrape", { url: there.url }, keyed("k"))
      expect((yield* scrape).status).toBe(500)
      expect(yield* sql`SELECT * FROM paid_calls`).toEqual([])
      expect(yield* sql`SELECT * FROM paid_call_parts`).toEqual([])
      const batch = yield* call.post("/v2/batch/scrape", { urls: [`${there.url}/page`] })
      yield* until(() => there.requests.includes("/page"))
      yield* Effect.sleep("400 millis")
      // A page that could not be booked is not given away.
      expect((yield* call.get(`/v2/batch/scrape/${batch.json.id}`)).json).toMatchObject({ completed: 0, data: [] })
      yield* sql`DROP TRIGGER closed`
      expect((yield* scrape).status).toBe(200)
      yield* awaitJob(call, `/v2/batch/scrape/${batch.json.id}`)
      expect(yield* credits(call)).toBe(2)
    }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
  )

  it.scopedLive("are right for two engines on one folder that are asked at once", function* () {
    const there = yield* counting(200)
    const dataDir = yield* tempDir
    const one = caller((yield* engine({ dataDir })).baseUrl, keys.first)
    const two = caller((yield* engine({ dataDir })).baseUrl, keys.first)
    const send = (call: Caller) => call.post("/v2/scrape", { url: there.url }, keyed("k"))
    const [a, b] = yield* Effect.all([send(one), send(two)], { concurrency: 2 })
    expect([a.status, b.status, b.text]).toEqual([200, 200, a.text])
    expect(there.requests.length).toBe(2)
    expect(yield* credits(one)).toBe(1)
  })
})

const awaitJob = (call: Caller, path: string): Effect.Effect<void> =>
  Effect.flatMap(call.get(`${path}?skip=1`), ({ json }) =>
    json.status === "completed" ? Effect.void : awaitJob(call, path)
  )

describe("an engine that is killed", () => {
  it.scopedLive.skipIf(skipsLong)(
    "has paid what it answered once, and what it had not answered not at all",
    function* () {
      const quick = yield* counting()
      const slow = yield* counting(1_000)
      const dataDir = yield* tempDir
      const first = yield* spawnEngine(dataDir)
      const before = caller(first.baseUrl, keys.first)
      const answered = yield* before.post("/v2/scrape", { url: quick.url }, keyed("answered"))
      yield* Effect.fork(
        Effect.ignore(Effect.sandbox(before.post("/v2/scrape", { url: slow.url }, keyed("in flight"))))
      )
      yield* until(() => slow.requests.length > 0)
      yield* kill(first.child)

      const next = caller((yield* engine({ dataDir })).baseUrl, keys.first)
      expect(yield* credits(next)).toBe(1)
      expect((yield* next.post("/v2/scrape", { url: quick.url }, keyed("answered"))).text).toBe(answered.text)
      expect(quick.requests).toHaveLength(1)
      expect((yield* next.post("/v2/scrape", { url: slow.url }, keyed("in flight"))).status).toBe(200)
      expect(yield* credits(next)).toBe(2)
    },
    180_000
  )
})
