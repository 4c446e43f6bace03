/** Watching a job: every document once and in order, for fast and slow watchers. */

import { createConnection } from "node:net"
import { Firecrawl } from "@mendable/firecrawl-js"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { WebSocket } from "ws"
import { inMemory } from "../../Html/Memory.ts"
import { expect, layer } from "../../It.ts"
import { type Caller, caller, drain, engine, keys, Local, layer as local, page, site } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"

// biome-ignore lint/suspicious/noExplicitAny: frames of every shape
type Frame = any

interface Ended {
  readonly frames: ReadonlyArray<Frame>
  readonly code: number
  readonly reason: string
  readonly protocol: string
}

const open = (call: Caller, path: string, key: string | undefined, headers: Record<string, string> = {}) =>
  new WebSocket(call.baseUrl.replace("http", "ws") + path, key === undefined ? [] : [key], { headers })

/** Watches to the end. */
const watch = (ws: WebSocket) =>
  Effect.async<Ended>((resume) => {
    const frames: Array<Frame> = []
    ws.on("message", (data, isBinary) => frames.push(isBinary ? "binary" : JSON.parse(String(data))))
    ws.on("close", (code, reason) =>
      resume(Effect.succeed({ frames, code, reason: String(reason), protocol: ws.protocol }))
    )
  })

/** The status that an upgrade is refused with, its body and when to come back. */
const refusal = (ws: WebSocket) =>
  Effect.async<{ readonly status: number | undefined; readonly retry: string | undefined; readonly error: string }>(
    (resume) => {
      ws.on("error", () => undefined)
      ws.on("unexpected-response", (_, response) => {
        let text = ""
        response.on("data", (part) => {
          text += part
        })
        response.on("end", () =>
          resume(
            Effect.succeed({
              status: response.statusCode,
              retry: response.headers["retry-after"],
              error: JSON.parse(text).error
            })
          )
        )
      })
    }
  )

const sources = ({ frames }: Ended): ReadonlyArray<string> =>
  frames.flatMap(({ type, data }: Frame) =>
    (type === "document" ? [data] : (data?.data ?? [])).map(({ metadata }: Frame) => metadata.sourceURL)
  )

const setup = Effect.gen(function* () {
  const there = yield* site((path) => ({ body: page(path), delay: path.startsWith("/slow") ? 40 : 0 }))
  const { call } = yield* Local
  const start = (paths: ReadonlyArray<string>, more: object = {}) =>
    Effect.map(
      call.post("/v2/batch/scrape", { urls: paths.map((path) => there.url + path), ...more }),
      ({ json }) => `/v2/batch/scrape/${json.id}`
    )
  return { there, call, start }
})

const paths = (name: string, count: number) => Array.from({ length: count }, (_, n) => `/${name}${n}`)

/** A job that has ended with more than a page of results: fifteen documents of a megabyte. */
const large = Effect.gen(function* () {
  const comment = `<!-- ${"x".repeat(1_000_000)} -->`
  const there = yield* site((path) => page(path) + comment)
  const { call } = yield* Local
  const urls = paths("", 15).map((path) => there.url + path)
  const { json } = yield* call.post("/v2/batch/scrape", { urls, formats: ["rawHtml"] })
  const path = `/v2/batch/scrape/${json.id}`
  let status = yield* call.get(`${path}?skip=15`)
  while (status.json.status === "scraping") status = yield* call.get(`${path}?skip=15`)
  return { call, path }
})

/** A watcher that connects and reads nothing. */
const silent = ({ baseUrl }: Caller, path: string) => {
  const { port } = new URL(baseUrl)
  const socket = createConnection({ port: Number(port), host: "127.0.0.1" })
  socket.on("error", () => undefined)
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Protocol: ${keys.first}\r\n\r\n`
  )
  return socket.pause()
}

layer(local, { excludeTestServices: true })("watching a job", (it) => {
  it.scoped("tells every document once, in the order of the status, and ends with done", function* () {
    const { call, start } = yield* setup
    const path = yield* start(paths("slow", 12), { maxConcurrency: 3 })
    const ended = yield* watch(open(call, path, keys.first))
    const { data } = yield* drain(call, path)
    expect(ended).toMatchObject({ code: 1000, reason: '{"type":"done"}', protocol: keys.first })
    expect(ended.frames[0]).toMatchObject({ type: "catchup", data: { success: true, status: "scraping", total: 12 } })
    expect(ended.frames.at(-1)).toMatchObject({
      type: "done",
      data: { status: "completed", completed: 12, creditsUsed: 12, data: [] }
    })
    expect(ended.frames.filter(({ type }) => type === "document").length).toBeGreaterThan(0)
    expect(sources(ended)).toEqual(data.map(({ metadata }) => metadata.sourceURL))
  })

  it.scoped("tells a job that has ended in one frame, to a key in the header too", function* () {
    const { call, start } = yield* setup
    const path = yield* start(paths("p", 3))
    const { data, last } = yield* drain(call, path)
    const ended = yield* watch(open(call, path, undefined, { authorization: `Bearer ${keys.first}` }))
    expect(ended).toMatchObject({ code: 1000, protocol: "", frames: [{ type: "catchup", data: { ...last, data } }] })
  })

  it.scoped.skipIf(skipsLong)(
    "tells a large job that has ended whole, also to watchers who do not read, which costs no memory",
    function* () {
      const { call, path } = yield* large
      const { data } = yield* drain(call, path)
      const ended = yield* watch(open(call, path, keys.first))
      expect(sources(ended)).toEqual(data.map(({ metadata }) => metadata.sourceURL))
      expect(ended.frames[0]).toMatchObject({ type: "document" })
      expect(ended.frames.at(-1)).toMatchObject({ type: "catchup", data: { status: "completed" } })
      expect(ended.frames.at(-1).data).not.toHaveProperty("next")
      // Watchers that do not read it cost no memory.
      const sockets = paths("w", 10).map(() => silent(call, path))
      yield* Effect.addFinalizer(() => Effect.forEach(sockets, (socket) => Effect.sync(() => socket.destroy())))
      const before = inMemory()
      yield* Effect.sleep("300 millis")
      // Ten times fifteen megabytes wait to be read; in memory are a few slices of one each, and what other work has not released yet.
      const bound = 60_000_000
      const grown = Effect.delay(
        Effect.sync(() => inMemory() - before),
        "100 millis"
      )
      expect(yield* Effect.repeat(grown, { until: (bytes) => bytes < bound, times: 100 })).toBeLessThan(bound)
    }
  )

  it.scoped("says that a job was cancelled", function* () {
    const { call, start } = yield* setup
    const path = yield* start(paths("slow", 200), { maxConcurrency: 1 })
    const ws = open(call, path, keys.first)
    const begun = new Promise((resolve) => ws.once("message", resolve))
    const watching = yield* Effect.fork(watch(ws))
    yield* Effect.promise(() => begun)
    yield* call.del(path)
    expect((yield* watching).frames.at(-1)).toMatchObject({ type: "cancelled", data: { status: "cancelled" } })
  })

  it.scoped("says why a job failed, with the code that its status has", function* () {
    const { call } = yield* Local
    for (const version of ["v1", "v2"]) {
      const { json } = yield* call.post(`/${version}/crawl`, { url: "http://127.0.0.1:1/" })
      const path = `/${version}/crawl/${json.id}`
      const { last } = yield* drain(call, path)
      expect(last).toMatchObject({ status: "failed", code: "JOB_FAILED" })
      const { frames } = yield* watch(open(call, path, keys.first))
      expect(frames[0]).toMatchObject({ type: "catchup", data: { code: last.code, error: last.error } })
      if (version === "v1")
        expect(frames.at(-1)).toMatchObject({
          type: "error",
          error: last.error,
          code: last.code,
          data: { code: last.code }
        })
    }
  })

  it.scoped("is refused to wrong keys, to others, for what is no job, and to other hosts", function* () {
    const { call, start } = yield* setup
    const path = yield* start(["/a"])
    const refused = (where: string, key: string | undefined, headers?: Record<string, string>) =>
      refusal(open(call, where, key, headers))
    expect(yield* refused(path, undefined)).toMatchObject({ status: 401, error: "Unauthorized: Token missing" })
    expect(yield* refused(path, "fc-no")).toMatchObject({ status: 401, error: "Unauthorized: Invalid token" })
    expect(yield* refused(path, keys.stranger)).toMatchObject({ status: 404, error: "Job not found" })
    expect((yield* refused(path.replace("batch/scrape", "crawl"), keys.first)).status).toBe(404)
    expect((yield* refused("/v2/crawl/nonsense", keys.first)).status).toBe(400)
    expect((yield* refused(path, keys.first, { host: "evil.example" })).status).toBe(403)
  })

  it.scoped.skipIf(skipsLong)("is open to so many watchers of a key, who make room when they leave", function* () {
    const { call, start } = yield* setup
    // More pages than can be fetched while the watchers come.
    const path = yield* start(paths("slow", 2000), { maxConcurrency: 1 })
    const opened = (ws: WebSocket) =>
      Effect.async<WebSocket, string>((resume) => {
        ws.on("error", () => undefined)
        ws.once("unexpected-response", () => resume(Effect.fail("refused")))
        ws.once("message", () => resume(Effect.succeed(ws)))
      })
    const all = yield* Effect.forEach(paths("w", 64), () => opened(open(call, path, keys.first)), {
      concurrency: 16
    })
    expect(yield* refusal(open(call, path, keys.first))).toMatchObject({
      status: 429,
      retry: "5",
      error: expect.stringContaining("5 seconds")
    })
    yield* opened(open(call, path, keys.second))
    for (const ws of all) ws.terminate()
    // The engine notices each of them a moment later.
    yield* Effect.retry(
      Effect.suspend(() => opened(open(call, path, keys.first))),
      Schedule.spaced("20 millis")
    )
    yield* call.del(path)
  })

  it.scoped.skipIf(skipsLong)("is open to a team, however many keys and watchers another one has", function* () {
    const there = yield* site(() => ({ body: page("slow"), delay: 20_000 }))
    const many = Array.from({ length: 8 }, (_, n) => `fc-${String(n).repeat(32)}`)
    const list = [...many.map((key, n) => `a/k${n}:${key}`), `b/one:${keys.stranger}`]
    const { baseUrl } = yield* engine({ keys: Redacted.make(list.join(",")) })
    const start = (key: string) =>
      Effect.map(
        caller(baseUrl, key).post("/v2/batch/scrape", { urls: [there.url] }),
        ({ json }) => `/v2/batch/scrape/${json.id}`
      )
    const sockets: Array<WebSocket> = []
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const ws of sockets) ws.terminate()
      })
    )
    const enter = (path: string, key: string) =>
      Effect.async<number>((resume) => {
        const ws = open(caller(baseUrl, key), path, key)
        sockets.push(ws)
        ws.on("error", () => undefined)
        ws.once("open", () => resume(Effect.succeed(101)))
        ws.once("unexpected-response", (_, { statusCode = 0 }) => resume(Effect.succeed(statusCode)))
      })
    const flooded = yield* start(many[0] ?? "")
    const statuses = yield* Effect.forEach(
      many.flatMap((key) => Array.from({ length: 64 }, () => key)),
      (key) => enter(flooded, key),
      { concurrency: 64 }
    )
    // A quarter of the 512 is guaranteed to the other one of two teams.
    expect(statuses.filter((status) => status === 101)).toHaveLength(384)
    expect(yield* enter(yield* start(keys.stranger), keys.stranger)).toBe(101)
  })

  it.scoped("ends when the engine stops, and says so", function* () {
    const there = yield* site(() => ({ body: page("slow"), delay: 5_000 }))
    const watching = yield* Effect.scoped(
      Effect.gen(function* () {
        const call = caller((yield* engine()).baseUrl, keys.first)
        const { json } = yield* call.post("/v2/batch/scrape", { urls: [there.url] })
        const ws = open(call, `/v2/batch/scrape/${json.id}`, keys.first)
        const watching = yield* Effect.forkDaemon(watch(ws))
        yield* Effect.async<void>((resume) => {
          ws.once("message", () => resume(Effect.void))
        })
        return watching
      })
    )
    expect(yield* watching).toMatchObject({ code: 1001, frames: [{ type: "catchup" }] })
  })

  it.scoped("stops promptly, though watchers come until the last moment and read nothing", function* () {
    const there = yield* site(() => ({ body: page("slow"), delay: 120_000 }))
    const began = yield* Effect.scoped(
      Effect.gen(function* () {
        const call = caller((yield* engine()).baseUrl, keys.first)
        const { json } = yield* call.post("/v2/batch/scrape", { urls: [there.url] })
        const sockets = paths("w", 40).map(() => silent(call, `/v2/batch/scrape/${json.id}`))
        yield* Effect.async<void>((resume) => {
          sockets[0]?.once("connect", () => resume(Effect.void))
        })
        return Date.now()
      })
    )
    expect(Date.now() - began).toBeLessThan(60_000)
  })

  it.scoped.skipIf(skipsLong)("works with the watchers of the public client, of both versions", function* () {
    const { call, there } = yield* setup
    const client = new Firecrawl({ apiKey: keys.first, apiUrl: call.baseUrl })
    const urls = paths("slow", 5).map((path) => there.url + path)
    const seen = yield* Effect.promise(async () => {
      const { id } = await client.startBatchScrape(urls, { options: { formats: ["markdown"] } })
      const watcher = client.watcher(id, { kind: "batch" })
      const documents: Array<string> = []
      watcher.on("document", ({ metadata }) => documents.push(metadata.sourceURL))
      const ended = new Promise<{ status: string }>((resolve) => watcher.once("done", resolve))
      await watcher.start()
      return { documents, status: (await ended).status }
    })
    expect(seen.status).toBe("completed")
    expect([...seen.documents].sort()).toEqual(urls)
    const { json } = yield* call.post("/v1/batch/scrape", { urls: urls.slice(0, 2) })
    // Its old client watches every job by the address of crawls, and hears of the end by the close frame alone.
    const ended = yield* watch(open(call, `/v1/crawl/${json.id}`, keys.first))
    expect(ended.reason).toBe('{"type":"done"}')
    expect(ended.frames.map(({ type }) => type)).not.toContain("done")
    expect(sources(ended)).toHaveLength(2)
  })
})
