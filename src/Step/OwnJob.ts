/** A job that a step starts: it costs credits only for as long as somebody reads it (spec 4.6, 4.7). */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { JobStarted } from "../Api/JobStatus.ts"
import type { ClientError } from "../Client/Errors.ts"
import type { StartOptions } from "../Client/Job.ts"
import { sha256 } from "../Row/Hash.ts"
import { keyOf, type Row } from "../Row.ts"
import type { Context, StepError } from "../Step.ts"
import { call } from "./Call.ts"

/** A job while it is read. */
export interface Job {
  readonly id: string
  /** Says that the job is over, whether or not all of it has been read. */
  readonly ended: () => void
}

/** A job of somebody else, which goes on without us. */
export const foreign = (id: string): Job => ({ id, ended: () => {} })

/** The name of a start: under it a start may be repeated, and happens once. */
const startKey = ({ id, runId }: Context, row: Row | undefined): string =>
  row === undefined
    ? `${runId}/${id}`
    : `${runId}/${id}/${sha256(JSON.stringify([keyOf(row), row.position, row.data]))}`

/** Starts a job, for `row` when each row has its own; it is cancelled with the scope unless it has ended by then. */
export const start = (
  begin: (options: StartOptions & { readonly version?: "v2" }) => Effect.Effect<JobStarted, ClientError>,
  cancel: (id: string) => Effect.Effect<unknown, ClientError>,
  context: Context,
  row?: Row
): Effect.Effect<Job & { readonly started: JobStarted }, StepError, Scope.Scope> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const started = yield* restore(call(begin({ idempotencyKey: startKey(context, row) })))
      let over = false
      yield* Effect.addFinalizer(() =>
        over ? Effect.void : cancel(started.id).pipe(Effect.interruptible, Effect.timeout("5 seconds"), Effect.ignore)
      )
      return {
        started,
        id: started.id,
        ended: () => {
          over = true
        }
      }
    })
  )
