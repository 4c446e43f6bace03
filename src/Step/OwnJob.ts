/** A job that a step starts: once for the run, however often that is resumed (spec 4.6, 4.7). */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type { JobStarted } from "../Api/JobStatus.ts"
import type { ClientError } from "../Client/Errors.ts"
import type { StartOptions } from "../Client/Job.ts"
import type { Context, StepError } from "../Step.ts"
import { call } from "./Call.ts"

/** A job while it is read. */
export interface Job {
  readonly id: string
  /** Says that the job is over, whether or not all of it has been read. */
  readonly ended: () => void
  /** True once it was cancelled because nothing more may be spent: what it has is all there will be. */
  readonly isCut: () => boolean
}

/** A job of somebody else, which goes on without us. */
export const foreign = (id: string): Job => ({ id, ended: () => {}, isCut: () => false })

/** How long a service has for cancelling a job. */
const patience = "5 seconds"

const overs: ReadonlySet<string> = new Set(["JobNotFound", "JobExpired", "Conflict", "Gone"])

/** True when there is nothing left to cancel. */
const isOver = (error: object): boolean => "_tag" in error && overs.has(String(error._tag))

type Begin = (options: StartOptions & { readonly version?: "v2" }) => Effect.Effect<JobStarted, ClientError>
type Cancel = (id: string) => Effect.Effect<unknown, ClientError>

/**
 * Starts a job, or finds the one that was started before a crash. It is cancelled when nobody reads it any more, and
 * when the budget is reached; a run that is interrupted leaves it alone, because the job is what it will go on with.
 */
export const start = (
  begin: Begin,
  cancel: Cancel,
  context: Context,
  name = "job"
): Effect.Effect<Job & { readonly started: JobStarted }, StepError, Scope.Scope> =>
  Effect.gen(function* () {
    // The start itself is free; what the job costs is booked with its pages.
    const started = yield* context.once({ name, book: () => ({ credits: 0 }) }, (idempotencyKey) =>
      call(begin({ idempotencyKey }))
    )
    let over = false
    let cut = false
    const end = cancel(started.id).pipe(
      Effect.interruptible,
      Effect.timeoutFail({ duration: patience, onTimeout: () => ({ message: `no answer in ${patience}` }) }),
      Effect.catchAll((error) =>
        isOver(error)
          ? Effect.void
          : Effect.logWarning(
              `${context.id}: job ${started.id} could not be cancelled and may go on, at its price: ${error.message}`
            )
      )
    )
    // A failure is not for it to judge: the run may go on with the job when it has been mended.
    yield* Effect.addFinalizer((exit) =>
      over || cut || Exit.isFailure(exit) || context.isStopped() ? Effect.void : end
    )
    yield* context.stopping.pipe(
      Effect.zipRight(
        Effect.suspend(() => {
          cut = true
          return over ? Effect.void : Effect.zipRight(context.cut, end)
        })
      ),
      Effect.forkScoped
    )
    return {
      started,
      id: started.id,
      ended: () => {
        over = true
      },
      isCut: () => cut
    }
  })
