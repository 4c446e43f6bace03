/** Runs a pipeline inside an Effect program, with its own layers and its own handling of failures. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Client, Connection, Errors, Ledger, Pipeline, Run } from "sluice"

/** A service of the program that sends messages to the team. */
class Team extends Context.Tag("Team")<Team, { readonly tell: (text: string) => Effect.Effect<void> }>() {}

const definition = Pipeline.make({
  version: 1,
  name: "titles",
  inputs: { site: { type: "url" } },
  budget: { credits: 100 },
  steps: [
    { crawl: { url: "${{ inputs.site }}", limit: 20, scrapeOptions: { formats: ["markdown"] } } },
    { select: { url: "metadata.sourceURL", title: "metadata.title" } },
    { write: { jsonl: "titles.jsonl" } }
  ]
})

const program = Effect.gen(function* () {
  const { tell } = yield* Team
  const pipeline = yield* Pipeline.from(definition, { inputs: { site: yield* Config.string("SITE") } })
  const run = yield* Run.make(pipeline, { out: "out", dataDir: ".sluice" })
  const { credits, rejects, rows } = yield* run.execute
  yield* tell(`${rows} titles for ${credits} credits, ${rejects} rejects`)
}).pipe(
  Effect.catchTags({
    DefinitionInvalid: ({ issues }) => Console.error(issues.map(({ message }) => message).join("\n")),
    RunFailed: (error) =>
      Effect.flatMap(Team, ({ tell }) => {
        const cause = error.reason._tag === "StepError" ? error.reason.cause : undefined
        if (cause instanceof Errors.Unauthorized) return tell("the key was refused")
        if (cause instanceof Ledger.Locked) return tell("another run holds the lock")
        const { resumable, runId } = error.summary
        return tell(`${error.message}${resumable ? `; resume it as ${runId}` : ""}`)
      })
  })
)

const Service = Layer.unwrapEffect(
  Effect.map(
    Config.all({ baseUrl: Config.string("SLUICE_BASE_URL"), apiKey: Config.redacted("SLUICE_API_KEY") }),
    Connection.layer
  )
)

const layer = Layer.mergeAll(
  Layer.provide(Client.layer, Service),
  Ledger.layer(".sluice"),
  Layer.succeed(Team, { tell: Console.log })
).pipe(Layer.provideMerge(NodeContext.layer))

NodeRuntime.runMain(Effect.provide(program, layer))
