/** An engine that is sent whatever can be sent, behind a wall, and what it made of it. */
import type { ChildProcess } from "node:child_process"
import { readdirSync } from "node:fs"
import * as Effect from "effect/Effect"
import fc from "fast-check"
import { type Caller, caller, keys, page, site } from "../Local.ts"
import { type Document, operationsOf } from "./Document.ts"
import { type Delay, startEngine } from "./EngineProcess.ts"
import { beside } from "./Innocent.ts"
import { judge } from "./Judge.ts"
import { requests, type World } from "./Requests.ts"
import { exchange, type Sent } from "./Wire.ts"

export interface Options {
  /** The executable. */
  readonly bin: string
  readonly seed: number
  /** Requests for each operation in a round. */
  readonly each: number
  /** True if another round follows after so many. */
  readonly goesOn: (rounds: number) => boolean
  readonly told?: ((line: string) => void) | undefined
}

export interface Report {
  readonly requests: number
  readonly statuses: Readonly<Record<number, number>>
  /** One of each kind, with the request that was made as small as it could be. */
  readonly faults: ReadonlyArray<string>
  /** Open handles of the engine, before and after. */
  readonly handles: readonly [before: number, after: number]
  /** Milliseconds of the longest one-page batch of another team. */
  readonly wait: number
  readonly hasEnded: boolean
  /** Undefined when the engine has ended. */
  readonly delay: Delay | undefined
}

const grounds = site((path) => {
  switch (path.split("?")[0]) {
    case "/":
      return page("Start", ["/a", "/b?x=1", "/gone", "/to-a", "mailto:a@b.example", "http://192.0.2.1/"])
    case "/a":
    case "/docs/b":
    case "/hook":
      return page("A page", ["/"])
    case "/to-a":
      return { status: 302, headers: { location: "/a" } }
    case "/round":
      return { status: 301, headers: { location: "/round" } }
    case "/error":
      return { status: 500, body: page("Broken") }
    case "/json":
      return { headers: { "content-type": "application/json" }, body: '{"a":1}' }
    case "/picture":
      return { headers: { "content-type": "image/png" }, body: "\u0089PNG" }
    case "/paper.pdf":
      return { headers: { "content-type": "application/pdf" }, body: "%PDF-1.4 and nothing else" }
    case "/odd":
      return { headers: { "content-type": "text/html; charset=nonsense" }, body: "<title>\u0000</title><p>\ud800" }
    case "/empty":
      return ""
    case "/slow":
      return { body: page("Slow"), delay: 300 }
    case "/sitemap.xml":
      return { headers: { "content-type": "application/xml" }, body: "<urlset><url><loc>/a</loc></url>" }
    default:
      return undefined
  }
})

const paths = ["/", "/a", "/docs/b", "/gone", "/to-a", "/round", "/error", "/json", "/picture", "/paper.pdf", "/odd"]
const refused = ["http://192.0.2.1/", "http://[2001:db8::1]/a", "https://a.invalid/", "http://localhost:1/", "ftp://a/"]

/** Jobs in every state, so that there are ids to ask for. */
const settle = (call: Caller, stranger: Caller, url: string) =>
  Effect.gen(function* () {
    const idOf = ({ json }: { readonly json: { readonly id: string } }) => json.id
    const started = yield* Effect.all([
      call.post("/v2/batch/scrape", { urls: [`${url}/a`, `${url}/gone`] }),
      call.post("/v2/crawl", { url }),
      call.post("/v2/crawl", { url: `${url}/`, delay: 3600 }),
      stranger.post("/v2/crawl", { url }),
      stranger.post("/v2/batch/scrape", { urls: [`${url}/a`] })
    ])
    return [...started.map(idOf), "00000000-0000-4000-8000-000000000000"]
  })

/** NaN after the process has ended. */
const handlesOf = ({ exitCode, pid, signalCode }: ChildProcess): number =>
  exitCode === null && signalCode === null ? readdirSync(`/proc/${pid}/fd`).length : Number.NaN

/** Connections end some seconds after they were used; gives the first count that is low enough, or stays. */
const settled = (child: ChildProcess, wanted = 0) =>
  Effect.gen(function* () {
    let last = handlesOf(child)
    for (let still = 0, looks = 0; last > wanted && still < 3 && looks < 50; looks++) {
      yield* Effect.sleep(150)
      const now = handlesOf(child)
      still = now === last ? still + 1 : 0
      last = now
    }
    return last
  })

const shown = ({ body, framing, headers, method, target }: Sent): string => {
  const head = headers.map(([name, value]) => `${name}: ${value}`.slice(0, 120)).join(" | ")
  const bytes = body === undefined ? "no body" : Buffer.from(body).toString("utf8").slice(0, 300)
  return `${method} ${target.slice(0, 200)} (${framing}) ${head} ${bytes}`
}

/** Faults are alike when only numbers and names in them differ. */
const kindOf = (fault: string): string => fault.replace(/\d{4,}|"[^"]*"|[0-9a-f-]{36}/g, "…")

export const fuzz = ({ bin, each, goesOn, seed, told = () => undefined }: Options) =>
  Effect.gen(function* () {
    const engine = yield* startEngine(bin, {
      SLUICE_BROWSER_SESSIONS: "0",
      SLUICE_ENGINE_KEYS: `fuzz:${keys.first},others/stranger:${keys.stranger}`
    })
    const { child, baseUrl } = engine
    const { url } = yield* grounds
    const port = Number(new URL(baseUrl).port)
    const call = caller(baseUrl, keys.first)
    const ids = yield* settle(call, caller(baseUrl, keys.stranger), url)
    const document = (yield* call.get("/openapi.json")).json as Document
    const faultsOf = judge(document)
    const world: World = { key: keys.first, ids, urls: [...paths.map((path) => `${url}${path}`), ...refused] }
    const statuses: Record<number, number> = {}
    const faults = new Map<string, string>()
    let count = 0

    const attempt = async (sent: Sent): Promise<ReadonlyArray<string>> => {
      count++
      const answer = await exchange(port, sent)
      if (answer !== undefined) statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      return faultsOf(sent, answer)
    }

    const round = (number: number) =>
      Effect.forEach(
        operationsOf(document),
        (operation) =>
          Effect.gen(function* () {
            const property = fc.asyncProperty(requests(document, operation, world), async (sent) => {
              const found = (await attempt(sent)).filter((fault) => !faults.has(kindOf(`${operation.id}: ${fault}`)))
              if (found.length > 0) throw new Error(found.join("; "))
            })
            const options = { numRuns: each, seed: seed + number, interruptAfterTimeLimit: 60_000 }
            const result = yield* Effect.promise(() => fc.check(property, options))
            if (result.failed && result.counterexample !== null) {
              const reason = result.errorInstance instanceof Error ? result.errorInstance.message : "?"
              const [sent] = result.counterexample
              for (const fault of reason.split("; ")) {
                faults.set(kindOf(`${operation.id}: ${fault}`), `${operation.id}: ${fault}\n    ${shown(sent)}`)
              }
              told(`${operation.id}: ${reason}\n    ${shown(sent)}`)
            }
          }),
        { concurrency: 4, discard: true }
      )

    // Lazily started services stay from here on.
    yield* round(-1)
    const before = yield* settled(child)
    let rounds = 0
    const campaign = Effect.gen(function* () {
      while (goesOn(rounds) && !engine.hasEnded()) {
        yield* round(rounds++)
        told(`${count} requests, ${faults.size} faults, ${handlesOf(child)} handles`)
      }
    })
    const innocent = caller(baseUrl, keys.stranger)
    const { faults: attackFaults, wait } = yield* beside(campaign, innocent, (n) => `${url}/docs/b?n=${n}`)
    for (const line of attackFaults) faults.set(kindOf(line), line)
    const alive = yield* Effect.promise(() =>
      exchange(port, { method: "GET", target: "/health", headers: [], body: undefined, framing: "length" }).catch(
        () => undefined
      )
    )
    if (alive?.status !== 200) faults.set("health", "the engine does not answer a plain request any more")
    for (const line of engine.faults()) faults.set(kindOf(line), line)
    const after = alive === undefined ? before : yield* settled(child, before)
    const delay = yield* engine.delay
    return {
      requests: count,
      statuses,
      faults: [...faults.values()],
      handles: [before, after],
      delay,
      wait,
      hasEnded: engine.hasEnded()
    } satisfies Report
  }).pipe(Effect.scoped)
