/**
 * Pipelined requests on many connections, in two waves. Without a key: clients send thousands of `GET /health` at once and read nothing at
 * first. With a key: cheap calls and scrapes of one team. Meanwhile another client makes one small call every 100 ms.
 */
import { connect, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Caller, caller, keys, page, site } from "../Local.ts"
import { type Delay, type EngineProcess, peakMemory, queuedOf, startEngine } from "./EngineProcess.ts"

/** Milliseconds. */
interface Latency {
  readonly p50: number
  readonly p99: number
  /** Without the time that the engine's thread waited for a processor. */
  readonly ownP99: number
  readonly worst: number
}

export interface PipelinedReport {
  readonly attempts: number
  /** Answers that were read before the connections were closed. */
  readonly answered: number
  /** Answers with an error. */
  readonly refused: number
  /** Milliseconds of the longest call of another client. */
  readonly wait: number
  /** Of `GET /health` of another client, beside requests without a key. */
  readonly health: Latency
  /** Of small calls of another team, beside requests with a key. */
  readonly calls: Latency
  /** Megabytes that the engine held before, at most while nothing was read, and at most in all. */
  readonly memory: readonly [before: number, unread: number, most: number]
  readonly delay: Delay | undefined
  readonly hasEnded: boolean
  readonly faults: ReadonlyArray<string>
}

interface Wave {
  readonly connections: number
  /** Requests of a connection. */
  readonly each: number
  /** Milliseconds without reading. */
  readonly hold: number
  /** Milliseconds of reading at most; then the connections are closed. */
  readonly read: number
}

export interface PipelinedOptions {
  /** The executable. */
  readonly bin: string
  readonly withoutKey: Wave
  readonly withKey: Wave
}

/** Megabytes above the beginning that requests without a key may take. */
const maxGrowth = 150

/** Milliseconds within which 99 % of the other client's calls are answered, on a machine with a free processor. */
const maxP99 = 2_000

const quantile = (sorted: ReadonlyArray<number>, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.POSITIVE_INFINITY

/** A connection that has sent its requests, and reads nothing until `read`. */
interface Pipeline {
  readonly socket: Socket
  readonly read: () => void
  /** Of the answers that were read. */
  readonly statuses: Array<number>
  /** Completes with the last answer, or when the connection is closed. */
  readonly answered: Promise<void>
}

const statusLine = /HTTP\/1\.1 (\d{3}) /g

const pipeline = (baseUrl: string, requests: ReadonlyArray<string>): Effect.Effect<Pipeline, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const { hostname, port } = new URL(baseUrl)
      const socket = connect(Number(port), hostname)
      const statuses: Array<number> = []
      let rest = ""
      const answered = new Promise<void>((resolve) => {
        socket.on("error", () => undefined)
        socket.on("close", () => resolve())
        socket.on("data", (bytes) => {
          const text = rest + bytes.toString("latin1")
          let end = 0
          for (const found of text.matchAll(statusLine)) {
            statuses.push(Number(found[1]))
            end = found.index + found[0].length
          }
          // A status line may arrive in two parts.
          rest = text.slice(Math.max(end, text.length - 12))
          if (statuses.length >= requests.length) resolve()
        })
      })
      socket.pause()
      socket.write(requests.join(""))
      return { socket, read: () => void socket.resume(), statuses, answered }
    }),
    ({ socket }) => Effect.sync(() => socket.destroy())
  )

/** Sends the requests of all connections, reads answers, and closes the connections. */
const send = (
  engine: EngineProcess,
  { connections, each, hold, read }: Wave,
  requestOf: (connection: number, n: number) => string
) =>
  Effect.gen(function* () {
    const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
    const pipelines = yield* Effect.forEach(numbers(connections), (connection) =>
      pipeline(
        engine.baseUrl,
        numbers(each).map((n) => requestOf(connection, n))
      )
    )
    yield* Effect.sleep(hold)
    const unread = peakMemory(engine)
    for (const { read } of pipelines) read()
    yield* Effect.promise(() => Promise.all(pipelines.map(({ answered }) => answered))).pipe(Effect.timeoutOption(read))
    const silent = pipelines.filter(({ statuses }) => statuses.length === 0).length
    const closed = pipelines.filter(({ socket }) => socket.destroyed).length
    const faults = [
      ...(silent === 0 ? [] : [`${silent} of ${connections} connections got no answer within ${read} ms`]),
      ...(closed === 0 ? [] : [`the engine closed ${closed} of ${connections} connections`])
    ]
    return { faults, unread, statuses: pipelines.flatMap(({ statuses }) => statuses) }
  }).pipe(Effect.scoped)

/** Makes a call every 100 ms, also while earlier ones wait, until `attack` ends. */
const beside = <A>(engine: EngineProcess, attack: Effect.Effect<A>, call: Effect.Effect<boolean>) =>
  Effect.gen(function* () {
    const all: Array<number> = []
    const own: Array<number> = []
    const measured = Effect.gen(function* () {
      const begun = performance.now()
      const queued = queuedOf(engine)
      const isAnswered = yield* Effect.catchAllCause(call, () => Effect.succeed(false))
      const millis = isAnswered ? performance.now() - begun : Number.POSITIVE_INFINITY
      all.push(millis)
      own.push(millis - (queuedOf(engine) - queued))
    })
    const calls: Array<Promise<void>> = []
    const timer = setInterval(() => calls.push(Effect.runPromise(measured)), 100)
    const result = yield* Effect.ensuring(
      attack,
      Effect.sync(() => clearInterval(timer))
    )
    yield* Effect.promise(() => Promise.all(calls))
    for (const millis of [all, own]) millis.sort((one, other) => one - other)
    const [p50 = 0, p99 = 0, worst = 0] = [0.5, 0.99, 1].map((part) => quantile(all, part))
    const latency: Latency = { p50, p99, worst, ownP99: quantile(own, 0.99) }
    return { ...result, latency }
  })

const get = (path: string, ...headers: ReadonlyArray<string>): string =>
  `GET ${path} HTTP/1.1\r\n${["host: localhost", ...headers].join("\r\n")}\r\n\r\n`

const post = (path: string, body: object, ...headers: ReadonlyArray<string>): string => {
  const text = JSON.stringify(body)
  const all = ["host: localhost", "content-type: application/json", `content-length: ${text.length}`, ...headers]
  return `POST ${path} HTTP/1.1\r\n${all.join("\r\n")}\r\n\r\n${text}`
}

const cheap = ["/v2/crawl/active", "/v2/team/credit-usage", "/health"] as const

/** One of twenty is a scrape of a page that is not stored. */
const requestOf = (siteUrl: string) => (connection: number, n: number) => {
  const bearer = `authorization: Bearer ${keys.first}`
  return n % 20 === 10
    ? post("/v2/scrape", { url: `${siteUrl}/${connection}/${n}`, maxAge: 0 }, bearer)
    : get(cheap[n % cheap.length] ?? cheap[0], bearer)
}

const isOk = (call: Caller, path: string) => Effect.map(call.get(path), ({ status }) => status === 200)

export const attackPipelined = ({ bin, withKey, withoutKey }: PipelinedOptions) =>
  Effect.gen(function* () {
    const engine = yield* startEngine(bin, {
      SLUICE_BROWSER_SESSIONS: "0",
      SLUICE_ENGINE_KEYS: `a/first:${keys.first},b/stranger:${keys.stranger}`
    })
    const pages = yield* site((path) => page(path))
    const innocent = caller(engine.baseUrl, keys.stranger)
    const health = isOk(innocent, "/health")
    const smallCall = isOk(innocent, "/v2/team/credit-usage")
    // What the first calls load once is no growth of the attack.
    yield* innocent.post("/v2/scrape", { url: `${pages.url}/first`, maxAge: 0 })
    yield* Effect.zipRight(health, smallCall)
    yield* engine.measureFromHere
    const before = peakMemory(engine)
    const first = yield* beside(
      engine,
      send(engine, withoutKey, () => get("/health")),
      health
    )
    const most = peakMemory(engine)
    const second = yield* beside(engine, send(engine, withKey, requestOf(pages.url)), smallCall)
    const waves = [
      { ...first, name: "without a key", what: "/health of another client" },
      { ...second, name: "with a key", what: "calls of another team" }
    ]
    const statuses = waves.flatMap(({ statuses }) => statuses)
    return {
      attempts: withoutKey.connections * withoutKey.each + withKey.connections * withKey.each,
      answered: statuses.length,
      refused: statuses.filter((status) => status >= 400).length,
      wait: Math.max(...waves.map(({ latency }) => latency.worst)),
      health: first.latency,
      calls: second.latency,
      memory: [before, first.unread, most],
      delay: yield* engine.delay,
      hasEnded: engine.hasEnded(),
      faults: [
        ...waves.flatMap(({ faults, latency, name, what }) => [
          ...faults.map((fault) => `${name}: ${fault}`),
          ...(latency.ownP99 <= maxP99
            ? []
            : [`${name}: 99 % of ${what} took up to ${latency.ownP99} ms, the limit is ${maxP99} ms`])
        ]),
        ...(most - before <= maxGrowth
          ? []
          : [`requests without a key took ${most - before} MB, the limit is ${maxGrowth}`]),
        ...engine.faults()
      ]
    } satisfies PipelinedReport
  }).pipe(Effect.scoped)
