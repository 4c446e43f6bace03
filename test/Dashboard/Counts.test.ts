import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Connection from "../../src/Client/Connection.ts"
import * as Client from "../../src/Client.ts"
import { bandOf } from "../../src/Dashboard/Pipelines.ts"
import type { RunProgress } from "../../src/Dashboard/Queries.ts"
import * as Queries from "../../src/Dashboard/Queries.ts"
import { graphOf, progressOf, Rates } from "../../src/Dashboard/RunView.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { rowsIn } from "../../src/Row/Count.ts"
import * as Run from "../../src/Run.ts"
import * as Fresh from "../Ledger/Fresh.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { page } from "../Step/Odd.ts"

/** Service that answers five pages at once, and the others after `release`. */
const service = Effect.acquireRelease(
  Effect.async<{ readonly url: string; readonly release: () => void; readonly close: () => void }>((resume) => {
    let asked = 0
    let isFree = false
    const waiting: Array<() => void> = []
    const server = createServer((request, response) => {
      request.resume()
      const number = ++asked
      const answer = () => {
        response.writeHead(200, { "content-type": "application/json" })
        response.end(JSON.stringify({ success: true, data: page(`http://x.example/${number}`) }))
      }
      if (isFree || number <= 5) answer()
      else waiting.push(answer)
    })
    const release = () => {
      isFree = true
      for (const answer of waiting) answer()
    }
    const close = () => {
      server.closeAllConnections()
      server.close()
    }
    server.listen(0, "127.0.0.1", () =>
      resume(Effect.succeed({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, release, close }))
    )
  }),
  ({ close }) => Effect.sync(close)
)

describe("The band of normal values", () => {
  it("covers values that vary as before, and not those that differ by much", () => {
    const band = bandOf([100, 102, 98, 101, 99, 700])
    expect(band?.median).toBe(100.5)
    expect(band?.least).toBeGreaterThan(80)
    expect(band?.greatest).toBeLessThan(120)
    expect(bandOf([7, 7, 7, 7, 7])).toMatchObject({ least: expect.closeTo(6.3), greatest: expect.closeTo(7.7) })
    expect(bandOf([0, 0, 0, 0, 0])).toEqual({ least: 0, median: 0, greatest: 0 })
    expect(bandOf([1, 2, 3, 4])).toBeUndefined()
  })
})

describe("Rows of an output in the runs of a pipeline", () => {
  it("are the sum of an earlier version only where it can be nothing else, and never 0 for an unknown number", () => {
    const earlier = { rows: 3, written: [{ step: "", name: "", rows: 7 }] }
    const later = { rows: 3, written: [{ step: "write", name: "a.csv", rows: 5 }] }
    expect([rowsIn(earlier, "write", true), rowsIn(earlier, "write", false)]).toEqual([7, undefined])
    expect([rowsIn(later, "write", true), rowsIn(later, "other", false)]).toEqual([5, undefined])
    expect([rowsIn({ rows: 3 }, "", true), rowsIn({ rows: 3 }, "write", false)]).toEqual([3, undefined])
  })
})

describe("Progress of a run in the dashboard", () => {
  it.scopedLive.skipIf(skipsLong)("shows fill levels, and which step the others wait for", () =>
    Effect.gen(function* () {
      const folder = yield* tempDir
      const { release, url } = yield* service
      const text = `version: 1
name: t
steps:
  - urls: [${Array.from({ length: 60 }, (_, index) => `"http://x.example/${index}"`).join(", ")}]
  - scrape: {}
    concurrency: 2
  - write: { jsonl: a.jsonl }
`
      const scope = { env: {}, secrets: () => undefined }
      const checked = yield* check(yield* parseText("p.yaml", folder, text), { ...scope, inputs: {}, complete: true })
      const made = yield* Run.make(checked, { ...scope, out: folder, dataDir: folder })
      const client = Layer.provide(Client.layer, Layer.orDie(Connection.layer({ baseUrl: url })))
      const queries = yield* Queries.ofLedger
      const running = yield* Effect.fork(Effect.provide(made.execute, client))
      const found = yield* Effect.repeat(
        Effect.delay(
          Effect.map(queries.progress([made.id]), ([pace]) =>
            pace === undefined ? undefined : progressOf(pace, null, undefined)
          ),
          20
        ),
        { until: (progress) => progress?.steps.some(({ out, step }) => step === "scrape" && out === 5) === true }
      )
      const [pace] = yield* queries.progress([made.id])
      const graph = yield* graphOf({ definition: text, file: "p.yaml", options: {}, pipeline: "t" })
      expect(graph?.edges).toEqual([
        { from: "urls", to: "scrape", kind: "rows" },
        { from: "scrape", to: "write", kind: "rows" }
      ])
      expect(found).toBeDefined()
      const { calls, expected, pages, read, steps } = progressOf(pace as RunProgress, graph, undefined)
      expect({ calls, expected, pages, read }).toEqual({ calls: 5, expected: 60, pages: 5, read: 60 })
      expect(steps).toEqual([
        { step: "urls", in: 0, out: 60, rejects: 0, held: 1, room: 16, busy: 1, blocked: true },
        { step: "scrape", in: 60, out: 5, rejects: 0, held: 55, room: 16, busy: 2, blocked: false },
        { step: "write", in: 5, out: 5, rejects: 0 }
      ])
      release()
      expect(yield* Fiber.join(running)).toMatchObject({ status: "completed", rows: 60 })
    }).pipe(
      Effect.provide(Layer.unwrapEffect(Effect.map(tempDir, (folder) => Fresh.layer(folder)))),
      Effect.provide(NodeContext.layer)
    )
  )

  it("has rates over the last seconds: none at first, and 0 when rows no longer move", () => {
    const rates = new Rates()
    const note = (updatedAt: number, rows: number) =>
      rates.note({ id: "r", updatedAt, progress: { given: { scrape: rows } } } as unknown as RunProgress)
    note(1_000, 10)
    expect(rates.of("r", 1_500)).toBeUndefined()
    note(3_000, 50)
    expect(rates.of("r", 3_100)?.get("scrape")).toBe(20)
    for (let second = 4; second <= 40; second++) note(second * 1_000, 50 + (second - 3) * 5)
    expect(rates.of("r", 40_500)?.get("scrape")).toBeCloseTo(5)
    expect(rates.of("r", 55_000)?.get("scrape")).toBe(0)
    rates.forget("r")
    expect(rates.of("r", 40_500)).toBeUndefined()
  })

  it("accepts progress of any shape, as older or newer versions saved it", () => {
    for (const progress of [null, [], "x", { given: null, now: { loads: { a: "full" } } }, { given: { a: "many" } }]) {
      const { expected, steps } = progressOf({ progress, updatedAt: 1 } as unknown as RunProgress, null, undefined)
      expect(expected).toBe(0)
      for (const { held, out } of steps) expect([out, held]).toEqual([0, undefined])
    }
  })
})
