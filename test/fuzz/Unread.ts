/** Answers of 45 MB that a client asks for and never reads: what they hold of the engine's memory, and how long another team waits. */
import { connect, type Socket } from "node:net"
import { gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import { caller, keys, page, site } from "../Local.ts"
import { type Delay, memoryOf, peakMemory, startEngine } from "./EngineProcess.ts"
import { beside } from "./Innocent.ts"

export interface UnreadReport {
  readonly attempts: number
  /** Calls that were answered with an error. */
  readonly refused: number
  /** Milliseconds of the longest one-page batch of another team. */
  readonly wait: number
  readonly delay: Delay | undefined
  /** Megabytes that the engine held before, at most, and 30 seconds after the connections were closed. */
  readonly memory: readonly [before: number, most: number, after: number]
  readonly hasEnded: boolean
  readonly faults: ReadonlyArray<string>
}

/** Megabytes above the beginning that unread answers may take. */
const maxGrowth = 1_500

/** A call whose answer is not read but for its status. */
export const unread = (
  baseUrl: string,
  key: string,
  body: object,
  onStatus: (status: number) => void = () => undefined
) =>
  Effect.acquireRelease(
    Effect.sync((): Socket => {
      const { host, hostname, port } = new URL(baseUrl)
      const text = JSON.stringify(body)
      const head = `POST /v2/scrape HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json`
      const socket = connect(Number(port), hostname)
      socket.on("error", () => undefined)
      socket.once("data", (bytes) => {
        socket.pause()
        onStatus(Number(/^HTTP\/1\.1 (\d+)/.exec(bytes.toString("latin1"))?.[1]))
      })
      socket.write(`${head}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
      return socket
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

export const leaveUnread = ({ attempts, bin, hold }: { attempts: number; bin: string; hold: number }) =>
  Effect.gen(function* () {
    const engine = yield* startEngine(bin, {
      SLUICE_BROWSER_SESSIONS: "0",
      SLUICE_ENGINE_KEYS: `fuzz:${keys.first},others/stranger:${keys.stranger}`
    })
    // Packs to a hundredth, as text of tables does: not so well that it is refused.
    const rows = Array.from({ length: 950_000 }, (_, n) => `<li>${n % 97} in stock, ${(n * 7) % 13} on order</li>\n`)
    const body = gzipSync(rows.join(""))
    const headers = { "content-type": "text/html", "content-encoding": "gzip" }
    const hostile = yield* site(() => ({ headers, body }))
    const honest = yield* site((path) => page(path))
    const innocent = caller(engine.baseUrl, keys.stranger)
    yield* innocent.get("/health")
    const before = memoryOf(engine)
    let refused = 0
    const hoard = Effect.gen(function* () {
      for (let n = 0; n < attempts; n++) {
        const asked = { url: `${hostile.url}/${n}`, formats: ["rawHtml"], maxAge: 0, timeout: 60_000 }
        yield* unread(engine.baseUrl, keys.first, asked, (status) => {
          if (status >= 400) refused += 1
        })
        yield* Effect.sleep("50 millis")
      }
      yield* Effect.sleep(hold)
    }).pipe(Effect.scoped)
    const { faults: attackFaults, wait } = yield* beside(hoard, innocent, (n) => `${honest.url}/${n}`)
    const most = peakMemory(engine)
    const delay = yield* engine.delay
    let after = memoryOf(engine)
    for (let n = 0; n < 30 && after > before + 100; n++) {
      yield* Effect.sleep("1 second")
      after = memoryOf(engine)
    }
    const faults = [
      ...attackFaults,
      ...engine.faults(),
      ...(most - before > maxGrowth ? [`unread answers took ${most - before} MB, more than ${maxGrowth}`] : [])
    ]
    return {
      attempts,
      refused,
      wait,
      delay,
      memory: [before, most, after],
      hasEnded: engine.hasEnded(),
      faults
    } satisfies UnreadReport
  }).pipe(Effect.scoped)
