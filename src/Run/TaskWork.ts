/**
 * Runs the tasks of a step: calls the step for a row, or reads a source from its cursor. Each row has its own failure, retries and time
 * limit, and calls wait for the rate of the step. Results are pushed through the actions of the pool (`WorkerPool.ts`).
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as RateLimiter from "effect/RateLimiter"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { AttemptLog } from "../Client/RetryLoop.ts"
import { limited as limitTime } from "../Client/TimeLimit.ts"
import type { Ledger } from "../Ledger.ts"
import type { DecodedNode } from "../Pipeline/Node.ts"
import type { Rate } from "../Row/Amount.ts"
import { type Row, withIdentity } from "../Row.ts"
import { countedBatches } from "../Step/SavedState.ts"
import type { StepError } from "../Step.ts"
import * as Step from "../Step.ts"
import { type Delivery, type Downstream, deliver, type RunServices } from "./Operator.ts"
import type { Counters } from "./Progress.ts"
import { pageRetry, withRetry, withRetryStream } from "./Retry.ts"
import type { AwaitTurn, RunContext, StepContext } from "./RunContext.ts"
import { ledgerFailed } from "./RunErrors.ts"
import type { Task } from "./TaskTable.ts"

/** Runs the tasks of a pool. Pushes rows through the actions, under the commit lock. */
export interface Work {
  readonly concurrency: number
  /** True if a task pushes rows while it runs: tasks then run one after the other if order matters. */
  readonly inTurn?: boolean | undefined
  readonly run: (task: Task, actions: TaskActions) => Effect.Effect<void, StepError, RunServices>
}

export interface TaskActions {
  readonly complete: CompleteTask
  /**
   * Completes a task whose row failed, with the rows that replace it. The checkpoint saves the replacement while the task waits for its
   * turn.
   */
  readonly completeFailed: CompleteTask
  /** Saves the task with the next checkpoint. Under the commit lock. */
  readonly saveProgress: (task: Task) => void
  /** Drops the answers of the task's calls, which a resume no longer needs. Under the commit lock. */
  readonly dropAnswers: (task: Task) => void
}

/** Ends a task and pushes its output. Under the commit lock. */
export type CompleteTask = (task: Task, output: ReadonlyArray<Row>) => Effect.Effect<void, StepError, RunServices>

type StepParts = DecodedNode & StepContext
type Behaviour = Step.Any["behaviour"]
type ItemBehaviour = Extract<Behaviour, { readonly kind: "item" }>
type Read = (
  ...given: Parameters<Extract<Behaviour, { readonly kind: "source" }>["read"]>
) => Stream.Stream<Step.Batch, StepError, RunServices>

const tookTooLong = (limit: Duration.Duration): Step.StepError =>
  new Step.StepError({ reason: "Timeout", message: `took longer than the step's timeout of ${Duration.format(limit)}` })

/**
 * Ends a task whose row has failed, in the same move as its reject. If the reject reaches `stopAfter`, it ends the run after that move;
 * with `onError: fail` the failure itself ends the run.
 */
const resolveTask = (
  task: Task,
  row: Row,
  error: Step.StepError,
  { errorPolicy }: StepParts,
  actions: TaskActions,
  { lock }: RunContext,
  /** Runs once the row is resolved. */
  then: Effect.Effect<void> = Effect.void
) =>
  lock
    .move(
      Effect.flatMap(errorPolicy.resolve(row, error), ({ replacement, stop }) => {
        if (stop === error) return Effect.fail(error)
        return Effect.as(replacement === undefined ? Effect.void : actions.completeFailed(task, replacement), stop)
      })
    )
    .pipe(
      Effect.tap(then),
      Effect.flatMap((stop) => (stop === undefined ? Effect.void : Effect.fail(stop)))
    )

/** Adds the number of attempts to an error; for a row that only reads an existing job, the number of failed polls. */
const withAttempts = (error: Step.StepError, { failures, made }: AttemptLog): Step.StepError =>
  error.attempts === undefined ? error.with({ attempts: made === 0 ? failures.length : made }) : error

type Limited = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Step.StepError, R>

/** Divides a rate into equal parts and returns one: fewer calls in the same interval, or one call in a longer interval. */
const partOf = ({ interval, limit }: typeof Rate.Type, parts: number): typeof Rate.Type => {
  const own = Math.max(1, Math.floor(limit / parts))
  return { limit: own, interval: Duration.times(interval, (parts * own) / limit) }
}

/** Limits the calls to the `rate` of the step, together with all runs that share it. */
const rateLimitOf = (
  { common: { rate }, context }: StepParts,
  { awaitTurn, rateShare = 1 }: RunContext
): Effect.Effect<Limited | undefined, never, Scope.Scope> => {
  if (rate === undefined) return Effect.succeed(undefined)
  return awaitTurn === undefined
    ? RateLimiter.make(partOf(rate, rateShare))
    : Effect.succeed((effect) => Effect.zipRight(awaitTurn(context.id, rate), effect))
}

/** Makes the effect that waits for a turn under a step's rate, which the shards of a group share; undefined when the run is alone. */
export const makeAwaitTurn = (
  { sharedLimits }: Pick<typeof Ledger.Service, "sharedLimits">,
  group: string | undefined
): AwaitTurn | undefined =>
  group === undefined
    ? undefined
    : (step, { interval, limit }) =>
        sharedLimits.takeTurn(`${group}/${step}`, { limit, interval: Duration.toMillis(interval) }).pipe(
          Effect.mapError(ledgerFailed),
          Effect.flatMap((wait) => (wait === 0 ? Effect.void : Effect.sleep(wait)))
        )

/** Runs one attempt at a row of a per-row step, or at one page of it, with its own timeout and retries. */
const attemptOf = <A>(
  { common: { retry, timeout } }: StepParts,
  attempts: AttemptLog,
  apply: (retryPage: Step.Context["retryPage"]) => Effect.Effect<A, StepError, RunServices>
) => {
  const made = Effect.flatMap(pageRetry(retry, attempts), (retryPage) => withRetry(apply(retryPage), retry, attempts))
  return timeout === undefined ? made : limitTime(made, { duration: timeout, onTimeout: () => tookTooLong(timeout) })
}

/** Work of a per-row step: each row fails on its own. Each page has its own identity. */
const itemWork = ({ apply, pages = false }: ItemBehaviour, part: StepParts, run: RunContext) =>
  Effect.map(rateLimitOf(part, run), (limited) => {
    const { config, forTask } = part
    const { lock, shutdown } = run
    const work: Work["run"] = (task, actions) => {
      const { complete } = actions
      const { row } = task
      if (row === undefined) return lock.move(complete(task, []))
      const attempts: AttemptLog = { made: 0, failures: [] }
      task.attempts = attempts
      const answered = (mark: string) => void task.callMarks.push(mark)
      const resolved = attemptOf(part, attempts, (retryPage) =>
        apply(config, row, forTask({ mark: task.mark, answered, attempts, retryPage }))
      ).pipe(
        Effect.matchEffect({
          onSuccess: (next) => lock.move(complete(task, [pages ? next : withIdentity(next, row)])),
          onFailure: (error) =>
            error.scope === "run"
              ? Effect.fail(error)
              : resolveTask(task, row, withAttempts(error, attempts), part, actions, run)
        })
      )
      // The task got its turn during a shutdown, so it stays for a resume.
      return limited === undefined
        ? resolved
        : limited(Effect.suspend(() => (shutdown.reason() === undefined ? resolved : Effect.void)))
    }
    return work
  })

type Follow = NonNullable<ReturnType<NonNullable<ItemBehaviour["follow"]>>>

/** Work that reads the pages of a row as a source. */
const followed = (follow: Follow, part: StepParts, run: RunContext) =>
  Effect.map(
    rateLimitOf(part, run),
    (limited): Read =>
      (_, context, { from, row }) =>
        Stream.unfoldEffect(from, (at) => {
          if (at === null || row === undefined) return Effect.succeedNone
          const page = Effect.suspend(() => {
            const attempts: AttemptLog = { made: 0, failures: [] }
            return Effect.mapBoth(
              attemptOf(part, attempts, (retryPage) => follow(row, { ...context, retryPage }, at)),
              {
                onFailure: (error) => (error.scope === "run" ? error : withAttempts(error, attempts)),
                onSuccess: ({ cursor, failures, ...batch }) => {
                  const counted = failures?.map(([row, error]) => [row, withAttempts(error, attempts)] as const)
                  return Option.some([{ ...batch, cursor, failures: counted }, cursor] as const)
                }
              }
            )
          })
          return limited === undefined ? page : limited(page)
        })
  )

/** Ends jobs that a failed task has left running: a resolved row leaves no job to a resumed run. */
const endJobs = (jobs: ReadonlyMap<string, Effect.Effect<void>>, { runningJobs }: Counters) =>
  Effect.suspend(() =>
    Effect.forEach(
      jobs,
      ([jobId, end]) =>
        Effect.suspend(() => {
          runningJobs.delete(jobId)
          return end
        }),
      { discard: true }
    )
  )

/** Delivery for a task of a source: saves the cursor and failed rows with the task. */
const deliveryOf = (
  task: Task,
  { context, drains, errorPolicy }: Pick<Delivery, "context" | "drains" | "errorPolicy">,
  downstream: Downstream,
  { dropAnswers, saveProgress }: TaskActions,
  { counters, wanted }: RunContext
): Delivery => ({
  context,
  downstream,
  drains,
  remaining: () => (wanted === undefined ? Number.POSITIVE_INFINITY : wanted - (counters.given.get(context.id) ?? 0)),
  errorPolicy,
  pendingFailures: task.pendingFailures,
  keepFailures: (failures) => {
    if (failures.length === 0 && task.pendingFailures.length === 0) return
    task.pendingFailures = failures
    saveProgress(task)
  },
  saveCursor: (cursor) => {
    task.cursor = cursor
    saveProgress(task)
  },
  dropAnswers: () => dropAnswers(task)
})

/** Work of a source: each task reads the source from the task's cursor. */
const sourceWork =
  (
    { drains = false, read }: { readonly drains?: boolean | undefined; readonly read: Read },
    part: StepParts,
    downstream: Downstream,
    run: RunContext
  ): Work["run"] =>
  (task, actions) => {
    const { common, config, errorPolicy, forTask } = part
    const { counters, lock } = run
    const { row } = task
    const attempts: AttemptLog = { made: 0, failures: [] }
    task.attempts = attempts
    const unfinishedJobs = new Map<string, Effect.Effect<void>>()
    const answered = (mark: string) => void task.callMarks.push(mark)
    const context = forTask({ mark: task.mark, answered, attempts, unfinishedJobs })
    const delivery = deliveryOf(task, { context, drains, errorPolicy }, downstream, actions, run)
    const complete = lock.move(actions.complete(task, []))
    if (delivery.remaining() <= 0) return complete
    const batches = read(config, context, { row, from: task.cursor })
    const delivered = deliver(
      withRetryStream(batches, common.retry, row === undefined ? undefined : attempts),
      delivery,
      run
    ).pipe(Effect.flatMap((all) => (all ? complete : Effect.void)))
    if (row === undefined) return delivered
    return Effect.catchIf(
      delivered,
      // A failure that left rows half moved comes from a step downstream.
      (error) => error.scope !== "run" && lock.isConsistent(),
      (error) =>
        resolveTask(task, row, withAttempts(error, attempts), part, actions, run, endJobs(unfinishedJobs, counters))
    )
  }

/** Makes the work of a step, of rows that replace its output, or of a step that is switched off. */
export const makeWork = (
  what: Behaviour | ReadonlyArray<Row> | "nothing",
  part: StepParts,
  downstream: Downstream,
  run: RunContext
): Effect.Effect<Work, never, Scope.Scope> => {
  const { concurrency } = part.context
  if (what === "nothing") {
    const pass: Work["run"] = (task, { complete }) =>
      run.lock.move(complete(task, task.row === undefined ? [] : [task.row]))
    return Effect.succeed({ concurrency: 1, run: pass })
  }
  if (!("kind" in what)) {
    const read: Read = (_, __, begin) => countedBatches(begin, what)
    return Effect.succeed({ concurrency: 1, run: sourceWork({ read }, part, downstream, run), inTurn: true })
  }
  switch (what.kind) {
    case "item": {
      const follow = what.follow?.(part.config)
      if (follow === undefined) return Effect.map(itemWork(what, part, run), (run) => ({ concurrency, run }))
      return Effect.map(followed(follow, part, run), (read) => ({
        concurrency,
        run: sourceWork({ read }, part, downstream, run),
        inTurn: true
      }))
    }
    case "source":
      return Effect.succeed({
        concurrency: part.common.concurrency ?? 1,
        run: sourceWork(what, part, downstream, run),
        inTurn: true
      })
    default:
      return Effect.dieMessage(`a step that is ${what.kind} has no tasks`)
  }
}
