/** A consumer's use of the published types; compiled against the installed package with every declaration checked. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { Client, Connection, Crawl, Engine, Ledger, Pipeline } from "sluice"
import * as Cluster from "sluice/cluster"
import { createClient, createPipeline } from "sluice/promise"

const definition = Pipeline.make({
  version: 1,
  name: "typed",
  steps: [
    { files: { glob: "page.html" } },
    { select: { title: "metadata.title" } },
    { write: { jsonl: "typed.jsonl" } }
  ]
})

// @ts-expect-error a step that is not there: the types are no `any`
Pipeline.make({ version: 1, name: "wrong", steps: [{ nonsense: {} }] })

/** The type of the rows follows from the steps. */
export const first = async () => {
  for await (const { title } of createPipeline(definition).rows()) return title
}
export const misspelt = async () => {
  // @ts-expect-error a field that the rows do not have
  for await (const { titel } of createPipeline(definition).rows()) return titel
}

export const rows: Promise<number> = createPipeline(definition)
  .run()
  .then((summary) => summary.rows)

const client = createClient({ baseUrl: "https://api.example.com", apiKey: "fc-1" })
export const id: Promise<string> = client.crawl.start({ url: "https://docs.example.com" }).then((job) => job.id)
// @ts-expect-error a limit is a number
export const wrong = client.crawl.start({ url: "https://docs.example.com", limit: "many" })

Pipeline.make({
  version: 1,
  name: "format",
  // @ts-expect-error a typing error in a format
  steps: [{ urls: ["https://example.com"] }, { scrape: { formats: ["markdwn"] } }]
})

export const embedded = createClient({ engine: { dataDir: "data" } }).scrape({ url: "https://example.com" })
export const engine = Engine.layer({ dataDir: "data" })
export const failed = Stream.runCount(Ledger.runs({ status: ["failed"] }))

const service = Connection.layer({ baseUrl: "https://api.example.com", apiKey: Redacted.make("fc-1") })
export const titles = Effect.gen(function* () {
  const crawl = yield* Crawl
  const job = yield* crawl.start({ url: "https://docs.example.com", limit: 50 })
  return yield* Stream.runCollect(Stream.map(crawl.stream(job.id), ({ metadata }) => metadata?.title))
}).pipe(Effect.provide(Layer.provide(Client.layer, service)))

const shared = Cluster.layer(Redacted.make("postgres://sluice:secret@db.internal/sluice"))
export const worker = Layer.provide(Cluster.layerWorker({ concurrency: 8 }), shared)
// @ts-expect-error it takes so many parts at once
Cluster.layerWorker({ concurrency: "many" })
