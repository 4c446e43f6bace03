/** `sluice stop`: stops a run on the cluster, so that it can be resumed. */
import * as Effect from "effect/Effect"
import * as Cluster from "../Cluster.ts"
import { Ledger } from "../Ledger.ts"
import { wrongUsage } from "./CommandErrors.ts"
import { readSettings } from "./CommandSettings.ts"
import { count } from "./Format.ts"
import * as Parameter from "./Parameter.ts"
import { databaseOf } from "./Run/OnCluster.ts"
import { findRun } from "./RunRecords.ts"
import * as SharedFlags from "./SharedFlags.ts"
import type { Terminal } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  run: Parameter.one("RUN", "The id of a run that was submitted with --on cluster."),
  profile: SharedFlags.profile,
  json: Parameter.toggle("Prints one JSON object: the run's id and its status."),
  quiet: SharedFlags.quiet
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "No further part of the run starts. Workers stop their parts at the next commit and return them; sluice resume continues from there. The command waits up to 30 seconds for the workers. To stop a run on one machine, use Ctrl-C or SIGTERM on that machine.",
  parameters,
  examples: [
    { line: "sluice stop 20260314T093001-7c2ep2", what: "from any machine with the same SLUICE_DATABASE_URL" },
    { line: "sluice stop 20260314T093001-7c2ep2 --json", what: "prints its status, for a script" }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** Maximum polls until all workers have stopped: half a minute. Workers see the request within a second, and then commit. */
const maxPolls = 120
/** In milliseconds. */
const pollInterval = 250

/** Reason why a run that was not submitted to the cluster cannot be stopped from here. */
const whyNot = (runId: string) =>
  Effect.gen(function* () {
    const { run } = yield* findRun(runId)
    const { history } = yield* Ledger
    const isAlive = (yield* history.alive).has(run.id)
    return isAlive
      ? "it runs on one machine only: stop it there, with Ctrl-C or SIGTERM"
      : `it is not running: it is ${run.status}`
  })

/** Number of parts that workers still hold after the wait. */
const rest = (runId: string) =>
  Effect.flatMap(Cluster.Submissions, ({ heldParts }) =>
    Effect.iterate(
      { left: -1, look: 0 },
      {
        while: ({ left, look }) => left !== 0 && look < maxPolls,
        body: ({ look }) =>
          Effect.map(Effect.delay(heldParts(runId), look === 0 ? 0 : pollInterval), (left) => ({
            left,
            look: look + 1
          }))
      }
    )
  )

const run = ({ json, profile, quiet, run }: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const settings = yield* readSettings(terminal.env, profile)
    const url = yield* databaseOf(settings)
    yield* Effect.gen(function* () {
      const stopped = yield* (yield* Cluster.Submissions).stop(run)
      if (stopped === "unknown") return yield* wrongUsage(`run ${run} cannot be stopped: ${yield* whyNot(run)}`)
      const { left } = yield* rest(run)
      const standing = yield* Cluster.RunStatus.standing(run)
      const status = standing?.status ?? "stopped"
      if (stopped === "over" && status !== "stopped") {
        return yield* wrongUsage(`run ${run} cannot be stopped: it is ${status}`)
      }
      if (json) {
        const { done = 0, shards = 0 } = standing ?? {}
        terminal.out.write(`${JSON.stringify({ runId: run, status, done, shards, held: left })}\n`)
      }
      if (quiet) return
      const held = left === 0 ? "" : `; workers stop executing ${count(left, "part")} of the run after the next commit`
      // The last part may have completed in the meantime.
      terminal.err.write(
        status === "completed"
          ? `run ${run} completed before it was stopped\n`
          : `run ${run} is stopped${held}. Progress is saved: sluice resume ${run}\n`
      )
    }).pipe(Effect.provide(Cluster.layer(url, 2)))
  }).pipe(Effect.scoped)
