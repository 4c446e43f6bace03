import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Connection from "../../src/Client/Connection.ts"
import * as Client from "../../src/Client.ts"
import * as Sqlite from "../../src/Ledger.ts"
import { Ledger } from "../../src/Ledger.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { optionsOf } from "../../src/Run/RunSpec.ts"
import * as Run from "../../src/Run.ts"
import { serve, withBody } from "../Engine/Scrape/Site.ts"

const addresses = Array.from({ length: 30 }, (_, index) => `https://docs.example.com/${index}`)

/** Scrapes five pages, and then refuses everybody with this status, until it is opened. */
const service = (status: number) => {
  const gate = { asked: 0, isOpen: false }
  const listen = serve((request, response) =>
    withBody(request, (text) => {
      gate.asked++
      const refused = !gate.isOpen && gate.asked > 5
      const metadata = { sourceURL: JSON.parse(text).url, statusCode: 200, creditsUsed: 1 }
      const answer = refused ? { success: false, error: "no" } : { success: true, data: { markdown: "x", metadata } }
      response.writeHead(refused ? status : 200, { "content-type": "application/json" }).end(JSON.stringify(answer))
    })
  )
  return Effect.map(listen, (url) => ({ url, gate }))
}

describe("a service that lets nobody in any more", () => {
  it.scoped.each([
    { status: 401, why: "Unauthorized" },
    { status: 402, why: "PaymentRequired" }
  ])("ends the run with $status, keeps what is paid for and rejects no row for it", ({ status, why }) =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const folder = yield* files.makeTempDirectoryScoped()
      const { gate, url } = yield* service(status)
      const text = `version: 1\nname: t\nsteps:\n  - urls: ${JSON.stringify(addresses)}\n  - scrape: {}\n    concurrency: 2\n  - write: { jsonl: rows.jsonl }\n`
      const scope = { env: {}, secrets: () => undefined }
      const checked = yield* check(yield* parseText("p.yaml", folder, text), { ...scope, inputs: {}, complete: true })
      const client = Layer.provide(Client.layer, Connection.layer({ baseUrl: url }))
      yield* Effect.gen(function* () {
        const run = yield* Run.make(checked, { ...scope, out: folder, dataDir: folder })
        const { reason, summary } = yield* Effect.flip(run.execute)
        expect(reason).toMatchObject({ reason: why })
        expect(summary).toMatchObject({ status: "failed", rejects: 0, credits: 5, resumable: true })
        expect(gate.asked).toBeLessThanOrEqual(5 + 2)
        gate.isOpen = true
        const record = yield* Effect.flatMap(Ledger, (ledger) => ledger.find(run.id))
        if (record === undefined) return yield* Effect.dieMessage("the run is not in the ledger")
        const again = yield* Run.make(checked, { ...scope, dataDir: folder, ...optionsOf(record) })
        expect(yield* again.execute).toMatchObject({ status: "completed", rows: 30, rejects: 0, credits: 30 })
      }).pipe(Effect.provide(client), Effect.provide(Sqlite.layer(folder)))
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
