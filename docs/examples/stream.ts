/** Writes the rows of a pipeline into the program's own store, at the pace of that store, and stops early. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Client, Connection, Ledger, Pipeline, Run } from "sluice"

const definition = Pipeline.make({
  version: 1,
  name: "pages",
  inputs: { site: { type: "url" } },
  steps: [
    { crawl: { url: "${{ inputs.site }}", scrapeOptions: { formats: ["markdown"] } } },
    { where: "metadata.statusCode = 200" }
  ]
})

/** Stands in for a database: the run waits while it writes. */
const store = new Map<string, unknown>()
const save = (row: Run.Row) =>
  // After a crash a resumed run may repeat a row. Its key identifies it.
  Effect.delay(
    Effect.sync(() => store.set(Run.keyOf(row), row.data)),
    "10 millis"
  )

const program = Effect.gen(function* () {
  const pipeline = yield* Pipeline.from(definition, { inputs: { site: yield* Config.string("SITE") } })
  yield* Run.rows(pipeline, { out: "out", dataDir: ".sluice" }).pipe(
    // Each row is stored before the next is asked for.
    Stream.mapEffect(save),
    // Ending the stream stops the run gracefully.
    Stream.takeUntil(() => store.size >= 4),
    Stream.runDrain
  )
  yield* Console.log(`${store.size} pages are stored`)
})

const Service = Layer.unwrapEffect(
  Effect.map(
    Config.all({ baseUrl: Config.string("SLUICE_BASE_URL"), apiKey: Config.redacted("SLUICE_API_KEY") }),
    Connection.layer
  )
)

const layer = Layer.merge(Layer.provide(Client.layer, Service), Ledger.layer(".sluice")).pipe(
  Layer.provideMerge(NodeContext.layer)
)

NodeRuntime.runMain(Effect.provide(program, layer))
