import type { ServerResponse } from "node:http"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import * as Tracer from "effect/Tracer"
import { measured } from "../../src/Cluster/Attempt.ts"
import type { Part } from "../../src/Cluster/Parts.ts"
import type { Task } from "../../src/Cluster/Task.ts"
import * as Export from "../../src/Telemetry/Export.ts"
import * as Log from "../../src/Telemetry/Log.ts"
import { addSecret, scrub } from "../../src/Telemetry/Redaction.ts"
import * as Trace from "../../src/Telemetry/Trace.ts"
import { assert, describe, expect, it, live, scoped } from "../It.ts"
import { caller, drain, engine, keys, page, site } from "../Local.ts"
import { collector } from "./Collector.ts"

const exporter = (url: string, told: Array<string> = [], share = 1) =>
  Export.layer({
    endpoint: new URL(url),
    headers: { "x-key": Redacted.make("k") },
    serviceName: "test",
    attributes: {},
    share,
    onLost: (message) => told.push(message)
  })

const span = (name: string) => Effect.withSpan(name, { captureStackTrace: false })

describe("an exporter", () => {
  scoped("keeps few pending requests for a collector that never answers, warns once, and ends in time", function* () {
    const told: Array<string> = []
    const otlp = yield* collector(() => undefined)
    const work = Effect.forEach(
      Array.from({ length: 3_000 }),
      (_, at) => span("work")(at % 256 === 0 ? Effect.yieldNow() : Effect.void),
      { discard: true }
    )
    const fiber = yield* Effect.fork(Effect.provide(work, exporter(otlp.url, told)))
    while (Option.isNone(yield* Fiber.poll(fiber))) yield* TestClock.adjust("1 second")
    expect(otlp.spans().length).toBeLessThanOrEqual(4 * 512)
    expect(told).toEqual([expect.stringMatching(/do not reach 127\.0\.0\.1:\d+: it does not answer/)])
  })

  live("warns once about an unreachable collector, and no work fails", function* () {
    const answers: ReadonlyArray<readonly [(response: ServerResponse) => void, RegExp]> = [
      [(response) => void response.writeHead(401).end(), /status 401/],
      // A key among the headers is for this address, and for no other.
      [(response) => void response.writeHead(307, { location: "http://127.0.0.1:1/" }).end(), /redirect/]
    ]
    for (const [answer, why] of answers) {
      const told: Array<string> = []
      const otlp = yield* collector(answer)
      expect(yield* Effect.provide(span("work")(Effect.succeed("done")), exporter(otlp.url, told))).toBe("done")
      expect(told).toEqual([expect.stringMatching(why)])
    }
  })

  live("limits the size of spans and log lines, and removes secrets from them", function* () {
    addSecret("postgres://me:hush-password@db/base")
    const otlp = yield* collector()
    const failure = {
      _tag: "UnexpectedResponse",
      message: 'Unexpected answer with the body "private page" of http://me:pw@site.example/a?token=t',
      excerpt: "private page"
    }
    const work = Effect.gen(function* () {
      yield* Effect.annotateCurrentSpan({
        "url.full": "http://site.example/?token=t",
        "http.request.header.x-api-key": "k",
        long: "x".repeat(5_000),
        said: "login with hush-password at wss://a.example/devtools?secret=s"
      })
      for (let at = 0; at < 100; at++) yield* Effect.annotateCurrentSpan(`many.${at}`, at)
      yield* Effect.logWarning("the password is hush-password", Cause.fail(failure)).pipe(
        Effect.annotateLogs("key", `Bearer fc-${"d".repeat(32)}`)
      )
      return yield* Effect.fail(Object.assign(new Error(failure.message), failure))
    })
    const silent = Logger.remove(Logger.defaultLogger)
    yield* work.pipe(span("work"), Effect.ignore, Effect.provide(exporter(otlp.url)), Effect.provide(silent))
    const [sent] = otlp.spans()
    expect(sent?.status).toEqual({
      code: 2,
      message: "Unexpected answer with the body … of http://site.example/a"
    })
    expect(Object.keys(sent?.attributes ?? {}).length).toBe(32)
    expect(sent?.attributes).toMatchObject({
      long: expect.stringMatching(/^x{255}…$/),
      said: "login with [secret] at wss://a.example/devtools"
    })
    expect(otlp.logs()).toEqual([{ body: expect.stringContaining("[secret]"), traceId: sent?.traceId }])
    expect(otlp.raw()).not.toMatch(/hush-password|token=t|private page|me:pw|dddd|interrupted/i)
  })

  live("accepts values of every type", function* () {
    const otlp = yield* collector()
    const ring: { self?: unknown } = {}
    ring.self = ring
    const odd = { big: { n: 12n }, ring, none: undefined, trap: { toJSON: () => assert.fail("not to be asked") } }
    const work = Effect.annotateCurrentSpan(odd).pipe(
      Effect.zipRight(Effect.logInfo("odd", odd, 7n).pipe(Effect.annotateLogs(odd))),
      span("work")
    )
    const silent = Logger.remove(Logger.defaultLogger)
    yield* work.pipe(Effect.provide(exporter(otlp.url)), Effect.provide(silent))
    expect(otlp.spans().map(({ name }) => name)).toEqual(["work"])
    expect(otlp.logs().length).toBe(1)
  })

  live(
    "begins a trace of its own where a caller names one that is none: no collector would take the batch",
    function* () {
      const otlp = yield* collector()
      for (const traceId of ["none", "F".repeat(32), "0".repeat(32)]) {
        const parent = Tracer.externalSpan({ traceId, spanId: "1".repeat(16) })
        yield* Effect.provide(Effect.withSpan(Effect.void, "work", { parent }), exporter(otlp.url))
      }
      expect(otlp.spans().map(({ parentSpanId, traceId }) => [/^[0-9a-f]{32}$/.test(traceId), parentSpanId])).toEqual(
        Array.from({ length: 3 }, () => [true, undefined])
      )
      expect(otlp.spans().filter(({ traceId }) => /^0+$/.test(traceId))).toEqual([])
    }
  )

  live("exports the configured share of traces; the others have ids, too", function* () {
    const otlp = yield* collector()
    const ids = yield* Effect.provide(span("work")(Trace.here), exporter(otlp.url, [], 0))
    expect(ids?.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(otlp.spans()).toEqual([])
  })
})

describe("redaction", () => {
  it("removes every secret inside a setting, and keeps the words around it", () => {
    addSecret("stealth=http://agent:proxy%2Fword@10.0.0.1:8080,de=http://u:another@10.0.0.2")
    addSecret(`one:fc-${"1".repeat(32)},team/two:fc-${"2".repeat(32)}`)
    addSecret(
      "socks5://agent:rot%40ating@10.0.0.3:1080?weight=3,acme/de=http://lonelykey:@10.0.0.4,socks5://10.0.0.5:1080"
    )
    addSecret("brave=BRAVEKEY,google=GOOGLEKEY:CXPART")
    const ofProxies = ["proxy%2Fword", "proxy/word", "another", "rot%40ating", "rot@ating", "lonelykey"]
    for (const secret of [...ofProxies, `fc-${"2".repeat(32)}`, "BRAVEKEY", "GOOGLEKEY"]) {
      expect(scrub(`it was ${secret}.`)).toMatch(/^it was \[\w+\]\.$/)
    }
    expect(scrub("it speaks socks5 there")).toBe("it speaks socks5 there")
    expect(scrub("see https://a.example/b?c=d#e, and (http://x.example)")).toBe(
      "see https://a.example/b and (http://x.example)"
    )
  })

  it("takes linear time for any input", () => {
    const begun = process.cpuUsage()
    for (const part of ["a.", "http://a.", "://", "fc-", "bearer ", "x://a:b"]) {
      expect(scrub(`fc-${part.repeat(200_000 / part.length)}`).length).toBeGreaterThan(0)
    }
    // A quadratic algorithm would take a minute.
    expect(process.cpuUsage(begun).user / 1e6).toBeLessThan(3)
  })

  it("writes one JSON object per line for any message", () => {
    const line = Log.line({
      time: new Date(0),
      level: "info",
      message: "two\nlines",
      fields: { at: new Date(0), n: 1 }
    })
    expect(line).toBe(
      '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"two\\nlines","annotations":{"at":"1970-01-01T00:00:00.000Z","n":1}}\n'
    )
  })
})

/** Those that a tracer of the embedder's own has made. */
const watched = Effect.map(Effect.tracer, (tracer) => {
  const made: Array<Tracer.Span> = []
  const own = Tracer.make({
    span: (...options) => {
      const span = tracer.span(...options)
      made.push(span)
      return span
    },
    context: (f) => f()
  })
  return { made, own }
})

const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
const traceparent = `00-${trace}-00f067aa0ba902b7-01`

describe("an embedding program", () => {
  live(
    "gets the engine's spans, those of a job's pages too, in the trace of the caller; each request has an id",
    function* () {
      const { made, own } = yield* watched
      const pages = yield* site((path) =>
        path === "/" ? page("start", ["/a"]) : path === "/a" ? page("a") : undefined
      )
      const { baseUrl } = yield* Effect.withTracer(engine({ browserSessions: 0 }), own)
      const call = caller(baseUrl, keys.first)
      const { headers, json } = yield* call.post("/v2/crawl", { url: pages.url, limit: 5 }, { traceparent })
      const request = made.find(({ name }) => name === "POST /v2/crawl")
      expect(request?.traceId).toBe(trace)
      expect(headers.get("x-request-id")).toBe(request?.spanId)
      expect(headers.get("traceresponse")).toBe(`00-${trace}-${request?.spanId}-01`)
      yield* drain(call, `/v2/crawl/${json.id}`)
      const visits = made.filter(({ name }) => name === "Job.page")
      expect(visits.map(({ traceId }) => traceId)).toEqual([trace, trace])
      expect(visits[0]?.attributes.get("sluice.job.id")).toBe(json.id)
      // The address of a live view is its secret.
      const secret = "s".repeat(32)
      expect((yield* call.get(`/live/${secret}`)).status).toBe(404)
      expect(made.filter(({ attributes }) => JSON.stringify([...attributes]).includes(secret))).toEqual([])
    }
  )

  scoped("gets all parts of a cluster run in the trace of its submission", function* () {
    const { made, own } = yield* watched
    const part = { runId: "r", part: 3, kind: "shard" as const }
    const task = { pipeline: "p", trace: traceparent } as Task
    yield* Effect.withTracer(measured(Effect.void, part as Part, task), own)
    expect(made.map(({ name, traceId }) => [name, traceId])).toEqual([["Cluster.part", trace]])
  })
})
