/** Crawls of one site, run by workers one after the other. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Connection from "../../src/Client/Connection.ts"
import * as Client from "../../src/Client.ts"
import * as Ledger from "../../src/Ledger.ts"
import { serve } from "../Cli/ChangingSite.ts"
import { engine } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { describeWithPostgres } from "../WithPostgres.ts"
import { checked, context, database, ended, folder, lines, submit, worker } from "./Ground.ts"

describeWithPostgres("a crawl on many machines", () => {
  it.live.skipIf(skipsLong)("leaves out what has not changed since the run before, and its ledger says so", () =>
    Effect.gen(function* () {
      const site = yield* serve(40)
      const { baseUrl, key } = yield* engine({ browserSessions: 0 })
      const out = yield* folder
      const definition = yield* checked(
        out,
        `version: 1
name: herons
steps:
  - crawl: { url: "${site.url}", scrapeOptions: { formats: [markdown], onlyMainContent: false } }
  - dedupe: { key: metadata.sourceURL, across: runs, changedWhen: $sha256(markdown), emit: [new, changed, gone] }
  - select: { page: metadata.title, change: change }
  - write: { jsonl: changes.jsonl }
`
      )
      const layer = yield* database
      const client = Layer.provide(Client.layer, Connection.layer({ baseUrl, apiKey: key }))
      yield* worker(layer, "one", { client })
      yield* Effect.gen(function* () {
        const { history } = yield* Ledger.Ledger
        yield* ended((yield* submit(definition, out)).runId)
        expect(lines(out, "changes")).toHaveLength(40)
        for (const path of ["/1", "/2", "/7"]) site.change(path)
        const { runId } = yield* submit(definition, out)
        expect(yield* ended(runId)).toMatchObject({ status: "completed", credits: 3 })
        expect(lines(out, "changes")).toHaveLength(3)
        const steps = (yield* history.run(runId))?.steps
        expect(steps).toMatchObject([{ step: "crawl", pages: 40, unchangedPages: 37 }])
        expect(steps?.[0]?.leftOutPages).toBeGreaterThan(0)
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )
})
