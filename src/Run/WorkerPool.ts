/**
 * Worker pool: operator of a step that waits for a service or reads a source. It has one task for each row, or a single
 * task for a source that reads no rows.
 *
 * - A task is queued when its row is pushed. `concurrency` workers take tasks from the queue, run them outside the
 *   commit lock, and take the lock to push the result and remove the task, in one move.
 * - Rows are pushed as tasks finish; if a step downstream needs the order of the input, a finished task waits for those
 *   before it.
 * - The pool is full when it has twice as many tasks as workers (16 at least): then the steps upstream wait.
 * - It ends when its input has ended and no task is left.
 * - A checkpoint saves every unfinished task: its row, the cursor of its source, and failed rows. A resume runs these
 *   tasks again, with the same marks, so they find the answers of calls that were paid for.
 * - During a shutdown no task is started; those in flight finish or stay for a resume. `abandon` pushes what is
 *   finished and leaves out the rest.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as RateLimiter from "effect/RateLimiter"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { AttemptLog } from "../Client/RetryLoop.ts"
import { limited as limitTime } from "../Client/TimeLimit.ts"
import type { Ledger } from "../Ledger.ts"
import type { DecodedNode } from "../Pipeline/Node.ts"
import { keyOf, type Row } from "../Row.ts"
import { counted } from "../Step/Batch.ts"
import { decodeState } from "../Step/SavedState.ts"
import type { Changes, Saved, StepError } from "../Step.ts"
import * as Step from "../Step.ts"
import * as Trace from "../Telemetry/Trace.ts"
import { type Downstream, deliver, type Operator } from "./Operator.ts"
import { pageRetry, withRetry, withRetryStream } from "./Retry.ts"
import type { RunContext, RunServices, StepContext } from "./RunContext.ts"
import { ledgerFailed } from "./RunErrors.ts"
import { decodeTasks, type Task, TaskTable } from "./TaskTable.ts"

/** Runs the tasks of a pool. It pushes rows with the actions, under the commit lock. */
export interface Work {
  readonly concurrency: number
  /** True when a task pushes rows while it runs: if order matters, tasks then run one after the other. */
  readonly inTurn?: boolean | undefined
  readonly run: (task: Task, actions: TaskActions) => Effect.Effect<void, StepError, RunServices>
}

export interface TaskActions {
  readonly complete: CompleteTask
  /**
   * Completes a task whose row failed, with the rows that replace it. The replacement is saved while it waits for its
   * turn.
   */
  readonly completeFailed: CompleteTask
  /** Saves the task with the next checkpoint. Under the commit lock. */
  readonly saveProgress: (task: Task) => void
}

/** Ends a task and pushes its output. Under the commit lock. */
export type CompleteTask = (task: Task, output: ReadonlyArray<Row>) => Effect.Effect<void, StepError, RunServices>

export interface PoolOptions {
  readonly id: string
  /** True for a source that reads no rows: it has one task from the start. */
  readonly isRoot: boolean
  /** Pushes rows in the order of the input. */
  readonly ordered: boolean
  readonly saved: Saved
  /** Awaited before the first task starts; it may wait for a value of another step. */
  readonly work: Effect.Effect<Work, StepError, RunServices | Scope.Scope>
  readonly downstream: Downstream
  readonly run: Pick<RunContext, "callCache" | "counters" | "fork" | "lock" | "shutdown">
}

/** Minimum capacity of a pool, in tasks. */
const minCapacity = 16

const decodePool = decodeState(
  Schema.Struct({ next: Schema.optional(Schema.Number), finished: Schema.optional(Schema.Boolean) })
)

export const makePool = (options: PoolOptions): Effect.Effect<Operator, StepError> =>
  Effect.gen(function* () {
    const { downstream, id, isRoot, ordered, saved } = options
    const { callCache, counters, fork, lock, shutdown } = options.run
    const queue = yield* Queue.unbounded<Task>()
    const hasCapacity = yield* Effect.makeLatch(true)
    const hasTasks = yield* Effect.makeLatch(false)
    const state = yield* decodePool({ id }, saved.value)
    const tasks = new TaskTable(state?.next ?? 0, yield* decodeTasks({ id }, saved))
    const leftOut: Array<string> = []
    let capacity = minCapacity
    let busy = 0
    let finished = state?.finished ?? isRoot
    let ended = false
    let isAbandoned = false
    let dirty = state === undefined

    if (isRoot && state === undefined) tasks.add(undefined)
    // Rows that are pushed before the start are queued by `push`.
    const restored = [...tasks.all()].filter(({ output }) => output === undefined)

    const updateCapacity = Effect.suspend(() => (tasks.size > capacity ? hasCapacity.close : hasCapacity.open))

    const end = Effect.suspend(() => {
      if (!finished || tasks.size > 0 || ended) return Effect.void
      ended = true
      return downstream.finish
    })

    const remove = (task: Task) => {
      tasks.remove(task)
      callCache.release(id, task.callMarks)
    }

    /** Pushes the output of finished tasks; in order, up to the first task that is not finished. */
    const pushFinished = Effect.gen(function* () {
      for (const task of tasks.all()) {
        if (task.output === undefined) {
          if (ordered) break
          continue
        }
        remove(task)
        yield* downstream.push(task.output)
      }
    })

    const complete: CompleteTask = (task, output) =>
      Effect.gen(function* () {
        // The answer of a call comes too late.
        if (isAbandoned) return
        task.output = output
        if (ordered) yield* pushFinished
        else {
          remove(task)
          yield* downstream.push(output)
        }
        yield* updateCapacity
        yield* end
      })

    const completeFailed: CompleteTask = (task, replacement) =>
      Effect.suspend(() => {
        task.failed = true
        tasks.save(task)
        // The failure is final, so a resume needs none of its answers.
        callCache.release(id, task.callMarks)
        task.callMarks.length = 0
        return complete(task, replacement)
      })

    const actions: TaskActions = { complete, completeFailed, saveProgress: (task) => tasks.save(task) }

    const abandon = Effect.gen(function* () {
      isAbandoned = true
      for (const task of [...tasks.all()]) {
        remove(task)
        if (task.output !== undefined) yield* downstream.push(task.output)
        else if (task.row !== undefined) leftOut.push(keyOf(task.row))
        if (task.output === undefined) counters.markIncomplete(id, "budget")
      }
      finished = true
      dirty = true
      yield* end
    })

    const traced = Trace.within("Run.task", { attributes: { "sluice.step": id } })

    const perform = (work: Work, task: Task) =>
      Effect.suspend(() => {
        if (downstream.wants()) return work.run(task, actions)
        counters.markIncomplete(id, "wanted")
        return lock.move(complete(task, []))
      }).pipe(shutdown.ignoreStopped, Effect.zipRight(downstream.waitForCapacity))

    /** Next task, or none once a shutdown is requested, however many are queued. */
    const take = Effect.suspend(() =>
      shutdown.reason() !== undefined
        ? Effect.succeed(Option.none<Task>())
        : Effect.raceFirst(Effect.asSome(Queue.take(queue)), Effect.as(shutdown.requested, Option.none<Task>()))
    )

    const worker = (work: Work) => {
      const loop: Effect.Effect<void, StepError, RunServices> = Effect.flatMap(
        take,
        Option.match({
          onNone: () => Effect.void,
          onSome: (task) => {
            // A task that was taken as the shutdown came stays for a resume.
            if (shutdown.reason() !== undefined) return Effect.void
            busy++
            return shutdown
              .track(traced(perform(work, task)))
              .pipe(Effect.ensuring(Effect.sync(() => void busy--)), Effect.zipRight(Effect.suspend(() => loop)))
          }
        })
      )
      return loop
    }

    const startWorkers = Effect.gen(function* () {
      yield* Effect.raceFirst(hasTasks.await, shutdown.requested)
      if (shutdown.reason() !== undefined) return
      const work = yield* options.work
      const workers = ordered && work.inTurn === true ? 1 : work.concurrency
      capacity = Math.max(capacity, workers * 2)
      const inStep = yield* Trace.shared("Run.step", workers, { "sluice.step": id, "sluice.concurrency": workers })
      yield* Effect.forEach(Array.from({ length: workers }), () => fork(id, inStep(worker(work))), { discard: true })
    }).pipe(shutdown.ignoreStopped)

    return {
      id,
      push: (rows) =>
        Effect.gen(function* () {
          if (!downstream.wants()) return void counters.markIncomplete(id, "wanted")
          yield* Queue.offerAll(
            queue,
            rows.map((row) => tasks.add(row))
          )
          yield* Effect.zipRight(hasTasks.open, updateCapacity)
        }),
      finish: Effect.suspend(() => {
        if (!finished) dirty = true
        finished = true
        return end
      }),
      start: Effect.gen(function* () {
        yield* lock.move(Effect.zipRight(pushFinished, end))
        yield* Queue.offerAll(queue, restored)
        if (tasks.size > 0) yield* hasTasks.open
        yield* updateCapacity
        yield* fork(id, startWorkers)
      }),
      capacity: { isFree: () => tasks.size <= capacity, wait: hasCapacity.await },
      abandon,
      leftOut: () => leftOut,
      wants: downstream.wants,
      load: () => ({ buffered: tasks.size, capacity, busy, blocked: !downstream.capacity.isFree() }),
      save: Effect.sync((): Changes => {
        const entries = tasks.changes()
        const value = dirty || entries.length > 0 ? { next: tasks.next, finished } : undefined
        dirty = false
        return { value, entries }
      })
    }
  })

type StepParts = DecodedNode & StepContext
type Behaviour = Step.Any["behaviour"]
type Apply = Extract<Behaviour, { readonly kind: "item" }>["apply"]
type Read = Extract<Behaviour, { readonly kind: "source" }>["read"]

const tookTooLong = (limit: Duration.Duration): Step.StepError =>
  new Step.StepError({ reason: "Timeout", message: `took longer than the step's timeout of ${Duration.format(limit)}` })

/**
 * Ends a task whose row has failed, in the same move as its reject. The reject that reaches `stopAfter` ends the run
 * after that move; with `onError: fail` the failure itself does.
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

/** Adds the number of attempts; for a row that only reads an existing job, that of failed polls. */
const withAttempts = (error: Step.StepError, { failures, made }: AttemptLog): Step.StepError =>
  error.attempts === undefined ? error.with({ attempts: made === 0 ? failures.length : made }) : error

type Limited = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Step.StepError, R>

/** Limits the calls to the `rate` of the step, together with all runs that share it. */
const rateLimitOf = (
  { common: { rate }, context }: StepParts,
  { awaitTurn }: RunContext
): Effect.Effect<Limited | undefined, never, Scope.Scope> => {
  if (rate === undefined) return Effect.succeed(undefined)
  return awaitTurn === undefined
    ? RateLimiter.make(rate)
    : Effect.succeed((effect) => Effect.zipRight(awaitTurn(context.id, rate), effect))
}

/** Makes the wait for a turn at a step's rate that the shards of a group share; undefined when the run is alone. */
export const makeAwaitTurn = (
  { sharedLimits }: Pick<typeof Ledger.Service, "sharedLimits">,
  group: string | undefined
): RunContext["awaitTurn"] =>
  group === undefined
    ? undefined
    : (step, { interval, limit }) =>
        sharedLimits.takeTurn(`${group}/${step}`, { limit, interval: Duration.toMillis(interval) }).pipe(
          Effect.mapError(ledgerFailed),
          Effect.flatMap((wait) => (wait === 0 ? Effect.void : Effect.sleep(wait)))
        )

/** Work of a per-row step: each row has its own timeout, retries and failure. */
const itemWork = (apply: Apply, part: StepParts, run: RunContext) =>
  Effect.map(rateLimitOf(part, run), (limited) => {
    const { common, config, forTask } = part
    const { lock, shutdown } = run
    const { timeout } = common
    const work: Work["run"] = (task, actions) => {
      const { complete } = actions
      const { row } = task
      if (row === undefined) return lock.move(complete(task, []))
      const attempts: AttemptLog = { made: 0, failures: [] }
      const made = Effect.flatMap(pageRetry(common.retry, attempts), (retryPage) => {
        const context = forTask({
          mark: task.mark,
          answered: (mark) => void task.callMarks.push(mark),
          attempts,
          retryPage
        })
        return withRetry(apply(config, row, context), common.retry, attempts)
      })
      const bounded =
        timeout === undefined ? made : limitTime(made, { duration: timeout, onTimeout: () => tookTooLong(timeout) })
      const resolved = bounded.pipe(
        Effect.matchEffect({
          onSuccess: (next) => lock.move(complete(task, [next])),
          onFailure: (error) =>
            error.scope === "run"
              ? Effect.fail(error)
              : resolveTask(task, row, withAttempts(error, attempts), part, actions, run)
        })
      )
      // A task that got its turn during a shutdown stays for a resume.
      return limited === undefined
        ? resolved
        : limited(Effect.suspend(() => (shutdown.reason() === undefined ? resolved : Effect.void)))
    }
    return work
  })

/** Work of a source: each task reads it from its cursor. */
const sourceWork = (
  { drains = false, read }: { readonly drains?: boolean | undefined; readonly read: Read },
  part: StepParts,
  downstream: Downstream,
  run: RunContext
): Work["run"] => {
  const { common, config, forTask } = part
  const { counters, lock, wanted } = run
  return (task, actions) => {
    const { complete, saveProgress } = actions
    const { row } = task
    const attempts: AttemptLog = { made: 0, failures: [] }
    const unfinishedJobs = new Map<string, Effect.Effect<void>>()
    const context = forTask({
      mark: task.mark,
      answered: (mark) => void task.callMarks.push(mark),
      attempts,
      unfinishedJobs
    })
    // A resolved row leaves no job to a resumed run.
    const endJobs = Effect.suspend(() =>
      Effect.forEach(
        unfinishedJobs,
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
      downstream,
      drains,
      remaining: () =>
        wanted === undefined ? Number.POSITIVE_INFINITY : wanted - (counters.given.get(context.id) ?? 0),
      errorPolicy: part.errorPolicy,
      pendingFailures: task.pendingFailures,
      keepFailures: (failures: ReadonlyArray<Step.Failure>) => {
        if (failures.length === 0 && task.pendingFailures.length === 0) return
        task.pendingFailures = failures
        saveProgress(task)
      },
      saveCursor: (cursor: Step.Batch["cursor"]) => {
        task.cursor = cursor
        saveProgress(task)
      }
    }
    if (delivery.remaining() <= 0) return lock.move(complete(task, []))
    return deliver(batches, delivery, run).pipe(
      Effect.flatMap((all) => (all ? lock.move(complete(task, [])) : Effect.void)),
      Effect.catchIf(
        // A failure that left rows half moved is one of the steps downstream.
        (error) => row !== undefined && error.scope !== "run" && lock.isConsistent(),
        (error) =>
          row === undefined
            ? Effect.fail(error)
            : resolveTask(task, row, withAttempts(error, attempts), part, actions, run, endJobs)
      )
    )
  }
}

/** Work of a step, of rows that replace its output, or of a step that is switched off. */
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
    const read: Read = (_, __, begin) => counted(begin)(Stream.fromIterable(what))
    return Effect.succeed({ concurrency: 1, run: sourceWork({ read }, part, downstream, run), inTurn: true })
  }
  switch (what.kind) {
    case "item":
      return Effect.map(itemWork(what.apply, part, run), (run) => ({ concurrency, run }))
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
