/** Tells workers to leave a run, and waits until they have. */
import * as Effect from "effect/Effect"
import * as Cluster from "../../Cluster.ts"
import { Ledger } from "../../Ledger.ts"
import { NotStoppable } from "../Errors.ts"
import * as Profile from "../Profile.ts"
import { databaseOf } from "../Run/Cluster.ts"
import { findRun } from "../Show/Program.ts"
import type { StopParameters } from "../Stop.ts"
import type { Terminal } from "../Terminal.ts"
import { count } from "../Words.ts"

/** Looks, and milliseconds between them: workers hear of it within a second, and commit. */
const looks = 120
const glance = 250

/** Why a run that was not handed in cannot be stopped from here. */
const whyNot = (runId: string) =>
  Effect.gen(function* () {
    const { run } = yield* findRun(runId)
    const { history } = yield* Ledger
    const isAlive = (yield* history.alive).has(run.id)
    return isAlive
      ? "one machine alone works on it: stop it there, with Ctrl-C or SIGTERM"
      : `nobody works on it, it is ${run.status}`
  })

/** Parts that are still held when it has waited long enough. */
const rest = (runId: string) =>
  Effect.flatMap(Cluster.ShardQueue, (queue) =>
    Effect.iterate(
      { left: -1, look: 0 },
      {
        while: ({ left, look }) => left !== 0 && look < looks,
        body: ({ look }) =>
          Effect.map(Effect.delay(queue.claimedParts(runId), look === 0 ? 0 : glance), (left) => ({
            left,
            look: look + 1
          }))
      }
    )
  )

export const program = ({ json, profile, quiet, run }: StopParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const settings = yield* Profile.read(terminal.env, profile)
    const url = yield* databaseOf(settings)
    yield* Effect.gen(function* () {
      const stopped = yield* (yield* Cluster.ShardQueue).stop(run)
      if (stopped === "unknown") return yield* new NotStoppable({ run, reason: yield* whyNot(run) })
      const { left } = yield* rest(run)
      const standing = yield* Cluster.RunStatus.standing(run)
      const status = standing?.status ?? "stopped"
      if (stopped === "over" && status !== "stopped") {
        return yield* new NotStoppable({ run, reason: `it is ${status}` })
      }
      if (json) {
        const { done = 0, shards = 0 } = standing ?? {}
        terminal.out.write(`${JSON.stringify({ runId: run, status, done, shards, held: left })}\n`)
      }
      if (quiet) return
      const held = left === 0 ? "" : `; ${count(left, "part")} of it will be given back when a commit is done`
      // Its last part may have come to its end meanwhile.
      terminal.err.write(
        status === "completed"
          ? `run ${run} is completed: it came to its end before it was stopped\n`
          : `run ${run} is stopped${held}. What is done is kept: sluice resume ${run}\n`
      )
    }).pipe(Effect.provide(Cluster.layer(url, 2)))
  }).pipe(Effect.scoped)
