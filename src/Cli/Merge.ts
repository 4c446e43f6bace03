/** `sluice merge`: merges shards started by an orchestrator into one run. */
import * as Effect from "effect/Effect"
import * as Parameter from "./Parameter.ts"
import * as SharedFlags from "./SharedFlags.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  shared: Parameter.one("SHARED", "The folder that the shards were given as --out. The outputs go there, too."),
  ...SharedFlags.forKnownRun,
  data: Parameter.text("DIR", "Folder of the ledger, with the state across runs; default: .sluice in SHARED.")
}

export const command = Verb.make({
  details:
    "Executes the steps that need the rows of all shards, and publishes. If shards are missing, it names them and merges nothing. If it is stopped or killed, start it again: it continues. A second merge changes nothing. Run only one merge of a folder at a time.",
  parameters,
  examples: [
    {
      line: "sluice merge /shared/docs",
      what: "after sluice run docs.yaml --shard 1/3 --out /shared/docs, and 2/3, 3/3"
    },
    { line: "sluice merge /shared/docs --json", what: "the run and its outputs, for a script" }
  ],
  run: (options, terminal) =>
    Effect.flatMap(
      Effect.promise(() => import("./Run/Shard.ts")),
      (Shard) => Shard.merge(options, terminal)
    )
})
