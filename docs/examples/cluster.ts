/** A cluster worker inside an Effect program, which also runs a pipeline on all workers of its database. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Client, Connection, Pipeline } from "sluice"
import * as Cluster from "sluice/cluster"

const definition = Pipeline.make({
  version: 1,
  name: "titles",
  inputs: { site: { type: "url" } },
  steps: [
    { urls: ["${{ inputs.site }}/", "${{ inputs.site }}/a", "${{ inputs.site }}/b", "${{ inputs.site }}/c"] },
    { scrape: { formats: ["markdown"] } },
    { select: { url: "metadata.sourceURL", title: "metadata.title" } },
    { write: { jsonl: "titles.jsonl" } }
  ]
})

const program = Effect.gen(function* () {
  const { ended, submit } = yield* Cluster.Cluster
  const pipeline = yield* Pipeline.from(definition, { inputs: { site: yield* Config.string("SITE") } })
  // Workers with a free slot take its shards: this program, and `sluice worker` on other machines.
  const runId = yield* submit(pipeline, { out: "out", shardRows: 2 })
  const { outputs, rows } = yield* ended(runId)
  yield* Console.log(`${rows} titles in ${outputs.length} files`)
}).pipe(Effect.catchTag("RunFailed", ({ message }) => Console.error(message)))

const Service = Layer.unwrapEffect(
  Effect.map(
    Config.all({ baseUrl: Config.string("SLUICE_BASE_URL"), apiKey: Config.redacted("SLUICE_API_KEY") }),
    Connection.layer
  )
)

const Shared = Layer.unwrapEffect(Effect.map(Config.redacted("SLUICE_DATABASE_URL"), (url) => Cluster.layer(url)))

// When the program ends, the worker releases its parts.
const layer = Cluster.layerWorker({ concurrency: 2 }).pipe(
  Layer.provideMerge(Layer.merge(Layer.provide(Client.layer, Service), Shared)),
  Layer.provideMerge(NodeContext.layer)
)

NodeRuntime.runMain(Effect.provide(program, layer))
