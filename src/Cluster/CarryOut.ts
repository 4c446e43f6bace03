/** A run of a part, carried out to its end by whichever worker has it, however often it has to be begun again. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Client } from "../Client.ts"
import { Ledger } from "../Ledger.ts"
import type { Checked } from "../Pipeline/Check.ts"
import * as Rejects from "../Run/Rejects.ts"
import { optionsOf } from "../Run/RunSpec.ts"
import * as Run from "../Run.ts"
import type { Output } from "../Step/Output.ts"
import type * as Shares from "./Shares.ts"

/** What a worker brings to every run: its environment, and who answers the calls of a pipeline. */
export interface Place {
  readonly env: Required<Pick<Run.RunOptions, "env" | "secrets">>
  readonly serve: (
    checked: Checked
  ) => Effect.Effect<
    { readonly client: Layer.Layer<Client, unknown>; readonly site?: string | undefined },
    { readonly message: string },
    Scope.Scope
  >
}

/** The run, or a part of it, ended before its end; whoever looks into it may go on. `waiting`: somebody has what it needs. */
export class PartFailed extends Data.TaggedError("PartFailed")<{
  readonly status: "failed" | "budget" | "waiting"
  readonly reason: string
  readonly message: string
}> {}

export const failed = (reason: string) => (error: { readonly message: string }) =>
  new PartFailed({ status: "failed", reason, message: error.message })

/**
 * Reasons that pass: the database was away, or somebody who was declared gone still holds the run, or its files in this
 * very process.
 */
const passing: ReadonlySet<string> = new Set(["LedgerError", "Locked", "PathTaken"])

const wait = "500 millis"

/** Ten minutes. */
const attempts = 1200

/**
 * Eight seconds: what a worker that is gone had locked is free by then, and who has it still is alive and may have it for
 * hours, as another run with the same state.
 */
const lockedAttempts = 16

/** Does it again while what it fails of passes. */
export const patiently = <A, R>(effect: Effect.Effect<A, PartFailed, R>): Effect.Effect<A, PartFailed, R> =>
  Effect.retry(effect, {
    while: ({ reason }) => passing.has(reason),
    schedule: Schedule.intersect(Schedule.spaced(wait), Schedule.recurs(attempts))
  })

const nobody = "the service of this worker"

/** Carries a run out to its end, or goes on with it; gives what it has left. */
export const carryOut = (
  checked: Checked,
  options: Run.RunOptions & { readonly id: string; readonly hasWaited?: boolean | undefined },
  place: Place
): Effect.Effect<Shares.Left, PartFailed, Ledger | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const rejectFile = yield* Rejects.pathIn(`${options.dataDir}/runs/${options.id}`)
    const once = Effect.gen(function* () {
      const known = yield* Effect.mapError(ledger.find(options.id), failed("LedgerError"))
      if (known?.status === "completed") {
        const { error: budgetMessage, outputs, progress } = known
        // The run has published what was paid for, and ends like one that has reached its budget.
        if (budgetMessage !== undefined && options.parentRun === undefined) {
          return yield* new PartFailed({ status: "budget", reason: "BudgetReached", message: budgetMessage })
        }
        return {
          budgetMessage,
          outputs: (outputs ?? []) as unknown as ReadonlyArray<Output>,
          counted: progress,
          runId: known.id,
          rejectFile
        }
      }
      const resume =
        known === undefined
          ? undefined
          : { ...optionsOf(known), out: options.out, backfill: options.backfill, wanted: options.wanted }
      const { client, site } = yield* Effect.mapError(place.serve(checked), failed("ServiceUnusable"))
      const run = yield* Run.make(checked, { ...options, site, ...resume })
      yield* Effect.mapError(Effect.provide(run.execute, client), (error) =>
        error instanceof Run.RunFailed
          ? new PartFailed({
              status: error.summary.status === "budget" ? "budget" : "failed",
              reason: error.reason._tag === "StepError" ? error.reason.reason : error.reason._tag,
              message: error.message
            })
          : failed("ServiceUnusable")({
              message: `${nobody}: ${error instanceof Error ? error.message : String(error)}`
            })
      )
      return undefined
    }).pipe(Effect.scoped)
    for (let attempt = 0; ; attempt++) {
      const left = yield* once.pipe(
        Effect.catchIf(
          ({ reason }) =>
            passing.has(reason) &&
            attempt < (reason === "Locked" ? (options.hasWaited ? 0 : lockedAttempts) : attempts),
          () => Effect.as(Effect.sleep(wait), undefined)
        ),
        Effect.mapError((error) =>
          error.reason === "Locked" ? new PartFailed({ ...error, message: error.message, status: "waiting" }) : error
        )
      )
      if (left !== undefined) return left
    }
  })
