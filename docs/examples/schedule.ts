/** Runs the pipelines of a folder on schedule inside an Effect program, and stops gracefully after the first run. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Client, Connection, Ledger, Schedule } from "sluice"

const program = Effect.gen(function* () {
  const enough = yield* Deferred.make<string>()
  const runner = yield* Schedule.runner({ out: "out", dataDir: ".sluice" })
  const { await: forever } = yield* Schedule.serve({
    definitions: "pipelines",
    runner,
    onEvent: (event) => {
      if (event._tag === "Broken") console.error(event.message)
      if (event._tag !== "Over") return
      const { pipeline, status } = event.record
      Deferred.unsafeDone(enough, Effect.succeed(`${pipeline} is ${status}`))
    }
  })
  // A daemon would wait for `forever` alone, which only ends with a failure.
  yield* Console.log(yield* Effect.raceFirst(Deferred.await(enough), forever))
  // Running runs get 30 seconds. The ledger keeps the rest, and the next start resumes it.
}).pipe(Effect.scoped)

const Service = Layer.unwrapEffect(
  Effect.map(
    Config.all({ baseUrl: Config.string("SLUICE_BASE_URL"), apiKey: Config.redacted("SLUICE_API_KEY") }),
    Connection.layer
  )
)

/** Programs on several machines share a Postgres: each scheduled time is run by one of them. */
const Kept = Layer.unwrapEffect(
  Effect.map(
    Config.option(Config.redacted("SLUICE_DATABASE_URL")),
    Option.match({ onNone: () => Ledger.layer(".sluice"), onSome: Ledger.layerPostgres })
  )
)

const layer = Layer.merge(Layer.provide(Client.layer, Service), Kept).pipe(Layer.provideMerge(NodeContext.layer))

NodeRuntime.runMain(Effect.provide(program, layer))
