/** What the tasks of a pool are: a source to be read, or a row to be made another of. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as RateLimiter from "effect/RateLimiter"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { NetworkError } from "../Client/Errors.ts"
import type { AttemptLog } from "../Client/Retry.ts"
import { limited as limitTime } from "../Client/TimeLimit.ts"
import type { DecodedNode } from "../Pipeline/Node.ts"
import type { Row } from "../Row.ts"
import { counted } from "../Step/Batch.ts"
import * as Step from "../Step.ts"
import { deliver } from "./Delivery.ts"
import type { Execution, Own } from "./Execution.ts"
import type * as Pool from "./Pool.ts"
import { pageRetry, withRetry, withRetryStream } from "./Retry.ts"
import type { Outlet } from "./Station.ts"
import type { Task } from "./Task.ts"

type Part = DecodedNode & Own
type Behaviour = Step.Any["behaviour"]
type Apply = Extract<Behaviour, { readonly kind: "item" }>["apply"]
type Read = Extract<Behaviour, { readonly kind: "source" }>["read"]

const tookTooLong = (limit: Duration.Duration): Step.StepError =>
  new Step.StepError({ reason: "Timeout", message: `took longer than the step's timeout of ${Duration.format(limit)}` })

/** Failures that are not one row's own: every other row would end the same way. */
const reasonsOfRun: ReadonlySet<string> = new Set([
  "BudgetReached",
  "Stopped",
  "TooManyRejects",
  "LedgerError",
  "Locked",
  "Unauthorized",
  "PaymentRequired",
  "InsufficientStorage",
  "CircuitOpen"
])

/**
 * Ends a task whose row has failed, in the same move as its reject. The reject that reaches `stopAfter` is committed, and
 * then ends the run; with `onError: fail` the failure itself does.
 */
const settleTask = (
  task: Task,
  row: Row,
  error: Step.StepError,
  { settle }: Part,
  hands: Pool.Hands,
  { gate }: Execution,
  /** Done once the row is settled. */
  then: Effect.Effect<void> = Effect.void
) =>
  gate
    .move(
      Effect.flatMap(settle.one(row, error), ({ instead, stop }) => {
        if (stop === error) return Effect.fail(error)
        return Effect.as(instead === undefined ? Effect.void : hands.settle(task, instead), stop)
      })
    )
    .pipe(
      Effect.tap(then),
      Effect.flatMap((stop) => (stop === undefined ? Effect.void : Effect.fail(stop)))
    )

/** Adds the number of attempts; for a row that only reads an existing job, the number of failed polls. */
const withAttempts = (error: Step.StepError, { failures, made }: AttemptLog): Step.StepError =>
  error.attempts === undefined ? Step.attempted(error, made === 0 ? failures.length : made) : error

/** The service itself is out of reach: no connection, no such host, no secure connection. No row is to blame. */
const isUnreachable = ({ cause }: Step.StepError): boolean => cause instanceof NetworkError && !cause.sent

const endsRun = (error: Step.StepError): boolean => reasonsOfRun.has(error.reason) || isUnreachable(error)

type Limited = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Step.StepError, R>

/** Begins no more calls in a time than the step says, with all who share its rate. */
const limitedBy = (
  { common: { rate }, context }: Part,
  { turn }: Execution
): Effect.Effect<Limited | undefined, never, Scope.Scope> => {
  if (rate === undefined) return Effect.succeed(undefined)
  return turn === undefined
    ? RateLimiter.make(rate)
    : Effect.succeed((effect) => Effect.zipRight(turn(context.id, rate), effect))
}

/** Each row by itself, with its own time limit, rate, retries and failure. */
const items = (apply: Apply, part: Part, execution: Execution) =>
  Effect.map(limitedBy(part, execution), (limited) => {
    const { common, config, forTask } = part
    const { gate, halt } = execution
    const { timeout } = common
    const work: Pool.Work["run"] = (task, hands) => {
      const { emit } = hands
      const { row } = task
      if (row === undefined) return gate.move(emit(task, []))
      const attempts: AttemptLog = { made: 0, failures: [] }
      const made = Effect.flatMap(pageRetry(common.retry, attempts), (retryPage) => {
        const context = forTask({
          mark: task.mark,
          answered: (mark) => void task.answers.push(mark),
          attempts,
          retryPage
        })
        return withRetry(apply(config, row, context), common.retry, attempts)
      })
      const bounded =
        timeout === undefined ? made : limitTime(made, { duration: timeout, onTimeout: () => tookTooLong(timeout) })
      const settled = bounded.pipe(
        Effect.matchEffect({
          onSuccess: (next) => gate.move(emit(task, [next])),
          onFailure: (error) =>
            endsRun(error)
              ? Effect.fail(error)
              : settleTask(task, row, withAttempts(error, attempts), part, hands, execution)
        })
      )
      // Who waited for a turn while the run came to a stop begins nothing: the task is there for the next life.
      return limited === undefined
        ? settled
        : limited(Effect.suspend(() => (halt.reason() === undefined ? settled : Effect.void)))
    }
    return work
  })

/** A source for each task, from where it stands. */
const sources = (
  { drains = false, read }: { readonly drains?: boolean | undefined; readonly read: Read },
  part: Part,
  outlet: Outlet,
  execution: Execution
): Pool.Work["run"] => {
  const { common, config, forTask } = part
  const { counters, gate, wanted } = execution
  return (task, hands) => {
    const { emit, moved } = hands
    const { row } = task
    const attempts: AttemptLog = { made: 0, failures: [] }
    const left = new Map<string, Effect.Effect<void>>()
    const context = forTask({
      mark: task.mark,
      answered: (mark) => void task.answers.push(mark),
      attempts,
      left
    })
    // A row that is settled does not go on with its job in a later life of the run.
    const giveUp = Effect.suspend(() =>
      Effect.forEach(
        left,
        ([jobId, end]) =>
          Effect.zipRight(
            Effect.sync(() => void counters.runningJobs.delete(jobId)),
            end
          ),
        { discard: true }
      )
    )
    const batches = withRetryStream(
      read(config, context, { row, from: task.cursor }),
      common.retry,
      row === undefined ? undefined : attempts
    )
    const delivery = {
      context,
      outlet,
      drains,
      left: () => (wanted === undefined ? Number.POSITIVE_INFINITY : wanted - (counters.given.get(context.id) ?? 0)),
      settle: part.settle,
      unsettled: task.unsettled,
      keep: (failures: ReadonlyArray<Step.Failure>) => {
        if (failures.length === 0 && task.unsettled.length === 0) return
        task.unsettled = failures
        moved(task)
      },
      moved: (cursor: Step.Batch["cursor"]) => {
        task.cursor = cursor
        moved(task)
      }
    }
    if (delivery.left() <= 0) return gate.move(emit(task, []))
    return deliver(batches, delivery, execution).pipe(
      Effect.flatMap((all) => (all ? gate.move(emit(task, [])) : Effect.void)),
      Effect.catchIf(
        // What fails while rows are moved is a failure of those who take them.
        (error) => row !== undefined && !endsRun(error) && gate.isWhole(),
        (error) =>
          row === undefined
            ? Effect.fail(error)
            : settleTask(task, row, withAttempts(error, attempts), part, hands, execution, giveUp)
      )
    )
  }
}

/** The work of a pool: of a step, of rows that stand in for it, or nothing at all. */
export const make = (
  what: Behaviour | ReadonlyArray<Row> | "nothing",
  part: Part,
  outlet: Outlet,
  execution: Execution
): Effect.Effect<Pool.Work, never, Scope.Scope> => {
  const { concurrency } = part.context
  if (what === "nothing") {
    const pass: Pool.Work["run"] = (task, { emit }) =>
      execution.gate.move(emit(task, task.row === undefined ? [] : [task.row]))
    return Effect.succeed({ concurrency: 1, run: pass })
  }
  if (!("kind" in what)) {
    const read: Read = (_, __, begin) => counted(begin)(Stream.fromIterable(what))
    return Effect.succeed({ concurrency: 1, run: sources({ read }, part, outlet, execution), inTurn: true })
  }
  switch (what.kind) {
    case "item":
      return Effect.map(items(what.apply, part, execution), (run) => ({ concurrency, run }))
    case "source":
      return Effect.succeed({
        concurrency: part.common.concurrency ?? 1,
        run: sources(what, part, outlet, execution),
        inTurn: true
      })
    default:
      return Effect.dieMessage(`a step that is ${what.kind} has no tasks`)
  }
}
