/** Writes to the store that are retried until it accepts them. */
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import type { CommitResult, Frontier, JobTurn } from "./Frontier.ts"
import { crashed } from "./PageOutcome.ts"

/** Result for a job that this process no longer runs. */
export const noResult: CommitResult = { job: undefined, tasks: [] }

/** Commits the pages that `owner` has leased, and retries until the store accepts them. */
export const commitTurns = (
  frontier: Pick<Frontier, "commit">,
  owner: string,
  turns: ReadonlyArray<JobTurn>
): Effect.Effect<ReadonlyArray<CommitResult>> => {
  const commitAll = (turns: ReadonlyArray<JobTurn>) => persist("a batch of results", frontier.commit(owner, turns))

  /** Commits page by page after the whole batch failed. A page that fails alone is recorded as crashed. */
  const commitEach = ({ jobId, finished, ...lease }: JobTurn) => {
    const commitOne = (turn: Omit<JobTurn, "jobId">) => commitAll([{ jobId, ...turn }])
    return Effect.forEach(
      finished,
      (page) =>
        Effect.catchAllDefect(commitOne({ finished: [page], room: 0 }), () =>
          commitOne({ finished: [crashed(page.task)], room: 0 })
        ),
      { discard: true }
    ).pipe(
      Effect.zipRight(commitOne({ finished: [], ...lease })),
      Effect.map((results) => results[0] ?? noResult),
      // The pool then leaves the job, and `watch` joins it again.
      Effect.catchAllDefect(() => Effect.succeed(noResult))
    )
  }

  return Effect.catchAllDefect(commitAll(turns), () => Effect.forEach(turns, commitEach))
}

/** True for defects of our own code, which a retry does not fix. Store errors are retried. */
const isFault = (cause: Cause.Cause<unknown>): boolean =>
  Chunk.some(Cause.defects(cause), (defect) => !Predicate.isTagged(defect, "StoreError"))

const retryPolicy = Schedule.exponential("200 millis").pipe(Schedule.union(Schedule.spaced("5 seconds")))

/** Retries until the store accepts the write. Dies on a defect of our own code. */
export const persist = <A, E>(what: string, effect: Effect.Effect<A, E>): Effect.Effect<A> =>
  effect.pipe(
    Effect.sandbox,
    Effect.tapError((cause) => Effect.logError(`The store did not accept ${what}`, cause)),
    Effect.retry({ schedule: retryPolicy, until: (cause) => Cause.isInterrupted(cause) || isFault(cause) }),
    Effect.catchAll((cause) => (Cause.isInterruptedOnly(cause) ? Effect.interrupt : Effect.die(Cause.squash(cause))))
  )
