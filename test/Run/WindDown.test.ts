import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as Connection from "../../src/Client/Connection.ts"
import * as Client from "../../src/Client.ts"
import * as Sqlite from "../../src/Ledger.ts"
import { Ledger } from "../../src/Ledger.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import * as Run from "../../src/Run.ts"
import { tempDir } from "../Local.ts"
import { page } from "../Step/Odd.ts"

/** Answers the first page once both were asked for, and the second one never. */
const service = Effect.acquireRelease(
  Effect.async<{ readonly url: string; readonly close: () => void }>((resume) => {
    const waiting: Array<ServerResponse> = []
    const server = createServer((_, response) => {
      waiting.push(response)
      if (waiting.length < 2) return
      waiting[0]?.writeHead(200, { "content-type": "application/json" })
      waiting[0]?.end(JSON.stringify({ success: true, data: page("http://x.example/a") }))
    })
    const close = () => {
      server.closeAllConnections()
      server.close()
    }
    server.listen(0, "127.0.0.1", () =>
      resume(Effect.succeed({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }))
    )
  }),
  ({ close }) => Effect.sync(close)
)

/** Lets the sockets have their turn; the run's own clock stands still. */
const breath = Effect.promise(() => new Promise((resume) => setTimeout(resume, 20)))

it.scoped("a run that is stopped while it fails has failed, and does not wait a second time for calls in flight", () =>
  Effect.gen(function* () {
    const folder = yield* tempDir
    const { url } = yield* service
    const text = `version: 1
name: t
steps:
  - urls: ["http://x.example/a", "http://x.example/b"]
  - scrape: {}
    concurrency: 2
  - check: [{ rule: 1 = 2, message: never, onFail: fail }]
  - write: { jsonl: a.jsonl }
`
    const scope = { env: {}, secrets: () => undefined }
    const checked = yield* check(yield* parseText("p.yaml", folder, text), { ...scope, inputs: {}, complete: true })
    const made = yield* Run.make(checked, { ...scope, out: folder, dataDir: folder })
    const client = Layer.provide(Client.layer, Layer.orDie(Connection.layer({ baseUrl: url })))
    const status = Effect.flatMap(Ledger, (ledger) => ledger.find(made.id)).pipe(Effect.map((run) => run?.status))

    yield* Effect.gen(function* () {
      const running = yield* Effect.fork(Effect.provide(made.execute, client))
      // The call that is under way is waited for: the run winds down.
      const pass = TestClock.adjust("1 second").pipe(Effect.zipRight(breath))
      yield* Effect.repeat(Effect.zipRight(breath, made.progress), { until: ({ steps }) => (steps.scrape ?? 0) > 0 })
      yield* breath
      yield* Fiber.interruptFork(running)
      const seconds = yield* Effect.iterate(0, {
        while: (seconds) => seconds < 30 && running.unsafePoll() === null,
        body: (seconds) => Effect.as(pass, seconds + 1)
      })
      expect(yield* status).toBe("failed")
      expect((yield* made.progress).expected).toBe(2)
      expect(seconds).toBeLessThan(9)
    }).pipe(Effect.provide(Sqlite.layer(folder)))
  }).pipe(Effect.provide(NodeContext.layer))
)
