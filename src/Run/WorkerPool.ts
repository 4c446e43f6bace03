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
import type { Rate } from "../Row/Amount.ts"
import { originKeys, type Row, withIdentity } from "../Row.ts"
import { countedBatches, decodeState } from "../Step/SavedState.ts"
import type { Changes, Saved, StepError } from "../Step.ts"
import * as Step from "../Step.ts"
import * as Trace from "../Telemetry/Trace.ts"
import type { CallCache } from "./CallCache.ts"
import type { CommitLock } from "./Checkpoint.ts"
import {
  type Delivery,
  type DeliveryContext,
  type Downstream,
  deliver,
  type Fork,
  type Operator,
  type RunServices
} from "./Operator.ts"
import type { Counters } from "./Progress.ts"
import { pageRetry, withRetry, withRetryStream } from "./Retry.ts"
import type { AwaitTurn, StepContext } from "./RunContext.ts"
import { ledgerFailed } from "./RunErrors.ts"
import type { ShutdownSignal } from "./Shutdown.ts"
import { decodeTasks, type Task, TaskTable } from "./TaskTable.ts"

/** Runs the tasks of a pool. It pushes rows with the actions, under the commit lock. */
interface Work {
  readonly concurrency: number
  /** True when a task pushes rows while it runs: if order matters, tasks then run one after the other. */
  readonly inTurn?: boolean | undefined
  readonly run: (task: Task, actions: TaskActions) => Effect.Effect<void, StepError, RunServices>
}

interface TaskActions {
  readonly complete: CompleteTask
  /**
   * Completes a task whose row failed, with the rows that replace it. The replacement is saved while it waits for its
   * turn.
   */
  readonly completeFailed: CompleteTask
  /** Saves the task with the next checkpoint. Under the commit lock. */
  readonly saveProgress: (task: Task) => void
  /** Drops the answers of the task's calls: a resume does not need them. Under the commit lock. */
  readonly dropAnswers: (task: Task) => void
}

/** Ends a task and pushes its output. Under the commit lock. */
type CompleteTask = (task: Task, output: ReadonlyArray<Row>) => Effect.Effect<void, StepError, RunServices>

/** A pool, and the parts of the run that it uses. */
interface PoolParts {
  readonly id: string
  /** True for a source that reads no rows: it has one task from the start. */
  readonly isRoot: boolean
  /** Pushes rows in the order of the input. */
  readonly ordered: boolean
  /** Awaited before the first task starts; it may wait for a value of another step. */
  readonly work: Effect.Effect<Work, StepError, RunServices | Scope.Scope>
  readonly downstream: Downstream
  readonly run: {
    readonly callCache: Pick<CallCache, "release">
    readonly counters: Counters
    readonly fork: Fork
    readonly lock: CommitLock
    readonly shutdown: ShutdownSignal
  }
}

export interface PoolOptions extends PoolParts {
  readonly saved: Saved
}

/** State of a pool. Changed under the commit lock, except for `busy` and `capacity`, which belong to the workers. */
interface PoolState extends PoolParts {
  /** Unfinished tasks. */
  readonly tasks: TaskTable
  /** Tasks that no worker has taken. */
  readonly queue: Queue.Queue<Task>
  readonly hasTasks: Effect.Latch
  readonly hasCapacity: Effect.Latch
  readonly leftOut: Array<ReadonlyArray<string>>
  /** The steps upstream wait while it has more tasks. */
  capacity: number
  /** Tasks that workers run now. */
  busy: number
  /** True once the input has ended. */
  finished: boolean
  /** True once the downstream has been finished. */
  ended: boolean
  isAbandoned: boolean
  /** True when the last checkpoint does not have `finished`. */
  dirty: boolean
}

/** Minimum capacity of a pool, in tasks. */
const minCapacity = 16

const decodePool = decodeState(
  Schema.Struct({ next: Schema.optional(Schema.Number), finished: Schema.optional(Schema.Boolean) })
)

const updateCapacity = (pool: PoolState) =>
  Effect.suspend(() => (pool.tasks.size > pool.capacity ? pool.hasCapacity.close : pool.hasCapacity.open))

/** Finishes the downstream once the input has ended and no task is left. */
const endIfDone = (pool: PoolState) =>
  Effect.suspend(() => {
    if (!pool.finished || pool.tasks.size > 0 || pool.ended) return Effect.void
    pool.ended = true
    return pool.downstream.finish
  })

/** Tasks in work with a call that has failed. */
const retryingIn = ({ tasks }: PoolState): number => {
  let count = 0
  for (const { attempts, output } of tasks.all()) {
    if (output === undefined && attempts !== undefined && attempts.failures.length > 0) count++
  }
  return count
}

const removeTask = ({ id, run, tasks }: PoolState, task: Task): void => {
  tasks.remove(task)
  run.callCache.release(id, task.callMarks)
}

/** Pushes the output of finished tasks; in order, up to the first task that is not finished. */
const pushFinished = (pool: PoolState) =>
  Effect.gen(function* () {
    for (const task of pool.tasks.all()) {
      if (task.output === undefined) {
        if (pool.ordered) break
        continue
      }
      removeTask(pool, task)
      yield* pool.downstream.push(task.output)
    }
  })

const completeTask =
  (pool: PoolState): CompleteTask =>
  (task, output) =>
    Effect.gen(function* () {
      // The answer of a call comes too late.
      if (pool.isAbandoned) return
      task.output = output
      if (pool.ordered) yield* pushFinished(pool)
      else {
        removeTask(pool, task)
        yield* pool.downstream.push(output)
      }
      yield* updateCapacity(pool)
      yield* endIfDone(pool)
    })

const actionsOf = (pool: PoolState): TaskActions => {
  const complete = completeTask(pool)
  const dropAnswers = (task: Task) => {
    pool.run.callCache.release(pool.id, task.callMarks.splice(0))
  }
  return {
    complete,
    completeFailed: (task, replacement) =>
      Effect.suspend(() => {
        task.failed = true
        pool.tasks.save(task)
        // The failure is final.
        dropAnswers(task)
        return complete(task, replacement)
      }),
    dropAnswers,
    saveProgress: (task) => pool.tasks.save(task)
  }
}

/** Pushes what is finished, and leaves out all other tasks. */
const abandonTasks = (pool: PoolState) =>
  Effect.gen(function* () {
    const { downstream, id, leftOut, run, tasks } = pool
    pool.isAbandoned = true
    for (const task of [...tasks.all()]) {
      removeTask(pool, task)
      if (task.output !== undefined) {
        yield* downstream.push(task.output)
        continue
      }
      if (task.row !== undefined) leftOut.push(originKeys(task.row))
      run.counters.markIncomplete(id, "budget")
    }
    pool.finished = true
    pool.dirty = true
    yield* endIfDone(pool)
  })

/** Next task, or none once a shutdown is requested, however many are queued. */
const takeTask = ({ queue, run: { shutdown } }: PoolState) =>
  Effect.suspend(() =>
    shutdown.reason() !== undefined
      ? Effect.succeed(Option.none<Task>())
      : Effect.raceFirst(Effect.asSome(Queue.take(queue)), Effect.as(shutdown.requested, Option.none<Task>()))
  )

/** Takes tasks and runs them, one after the other, until a shutdown is requested. */
const runWorker = (pool: PoolState, work: Work): Effect.Effect<void, StepError, RunServices> => {
  const { downstream, id, run } = pool
  const { counters, lock, shutdown } = run
  const actions = actionsOf(pool)
  const traced = Trace.within("Run.task", { attributes: { "sluice.step": id } })
  const perform = (task: Task) =>
    Effect.suspend(() => {
      if (downstream.wants()) return work.run(task, actions)
      counters.markIncomplete(id, "wanted")
      return lock.move(actions.complete(task, []))
    }).pipe(shutdown.ignoreStopped, Effect.zipRight(downstream.waitForCapacity))
  const loop: Effect.Effect<void, StepError, RunServices> = Effect.flatMap(
    takeTask(pool),
    Option.match({
      onNone: () => Effect.void,
      onSome: (task) => {
        // A task that was taken as the shutdown came stays for a resume.
        if (shutdown.reason() !== undefined) return Effect.void
        pool.busy++
        return shutdown
          .track(traced(perform(task)))
          .pipe(Effect.ensuring(Effect.sync(() => void pool.busy--)), Effect.zipRight(Effect.suspend(() => loop)))
      }
    })
  )
  return loop
}

/** Starts the workers once there is a task. */
const startWorkers = (pool: PoolState) =>
  Effect.gen(function* () {
    const { hasTasks, id, ordered, run } = pool
    const { fork, shutdown } = run
    yield* Effect.raceFirst(hasTasks.await, shutdown.requested)
    if (shutdown.reason() !== undefined) return
    const work = yield* pool.work
    const workers = ordered && work.inTurn === true ? 1 : work.concurrency
    pool.capacity = Math.max(pool.capacity, workers * 2)
    const inStep = yield* Trace.shared("Run.step", workers, { "sluice.step": id, "sluice.concurrency": workers })
    yield* Effect.forEach(Array.from({ length: workers }), () => fork(id, inStep(runWorker(pool, work))), {
      discard: true
    })
  }).pipe(pool.run.shutdown.ignoreStopped)

/** Makes the pool of a step, with the tasks of the last checkpoint. */
export const makePool = ({ saved, ...parts }: PoolOptions): Effect.Effect<Operator, StepError> =>
  Effect.gen(function* () {
    const { downstream, id, isRoot, run } = parts
    const state = yield* decodePool({ id }, saved.value)
    const tasks = new TaskTable(state?.next ?? 0, yield* decodeTasks({ id }, saved))
    if (isRoot && state === undefined) tasks.add(undefined)
    // Rows that are pushed before the start are queued by `push`.
    const restored = [...tasks.all()].filter(({ output }) => output === undefined)
    const pool: PoolState = {
      ...parts,
      tasks,
      queue: yield* Queue.unbounded<Task>(),
      hasTasks: yield* Effect.makeLatch(false),
      hasCapacity: yield* Effect.makeLatch(true),
      leftOut: [],
      capacity: minCapacity,
      busy: 0,
      finished: state?.finished ?? isRoot,
      ended: false,
      isAbandoned: false,
      dirty: state === undefined
    }
    const operator: Operator = {
      id,
      push: (rows) =>
        Effect.gen(function* () {
          if (!downstream.wants()) return void run.counters.markIncomplete(id, "wanted")
          yield* Queue.offerAll(
            pool.queue,
            rows.map((row) => tasks.add(row))
          )
          yield* Effect.zipRight(pool.hasTasks.open, updateCapacity(pool))
        }),
      finish: Effect.suspend(() => {
        if (!pool.finished) pool.dirty = true
        pool.finished = true
        return endIfDone(pool)
      }),
      start: Effect.gen(function* () {
        yield* run.lock.move(Effect.zipRight(pushFinished(pool), endIfDone(pool)))
        yield* Queue.offerAll(pool.queue, restored)
        if (tasks.size > 0) yield* pool.hasTasks.open
        yield* updateCapacity(pool)
        yield* run.fork(id, startWorkers(pool))
      }),
      capacity: { isFree: () => tasks.size <= pool.capacity, wait: pool.hasCapacity.await },
      abandon: abandonTasks(pool),
      leftOut: () => pool.leftOut,
      wants: downstream.wants,
      load: () => ({
        buffered: tasks.size,
        capacity: pool.capacity,
        busy: pool.busy,
        retrying: retryingIn(pool),
        blocked: !downstream.capacity.isFree()
      }),
      save: Effect.sync((): Changes => {
        const entries = tasks.changes()
        const value = pool.dirty || entries.length > 0 ? { next: tasks.next, finished: pool.finished } : undefined
        pool.dirty = false
        return { value, entries }
      })
    }
    return operator
  })

/** Parts of a run that the tasks of a step use. */
interface WorkContext extends DeliveryContext {
  readonly awaitTurn: AwaitTurn | undefined
  readonly rateShare?: number | undefined
  /** Number of rows that are wanted of each source. */
  readonly wanted?: number | undefined
}

type StepParts = DecodedNode & StepContext
type Behaviour = Step.Any["behaviour"]
type ItemBehaviour = Extract<Behaviour, { readonly kind: "item" }>
type Read = (
  ...given: Parameters<Extract<Behaviour, { readonly kind: "source" }>["read"]>
) => Stream.Stream<Step.Batch, StepError, RunServices>

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
  { lock }: WorkContext,
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

/** One of so many equal parts of a rate: fewer calls in the same time, or one call in a longer one. */
const partOf = ({ interval, limit }: typeof Rate.Type, parts: number): typeof Rate.Type => {
  const own = Math.max(1, Math.floor(limit / parts))
  return { limit: own, interval: Duration.times(interval, (parts * own) / limit) }
}

/** Limits the calls to the `rate` of the step, together with all runs that share it. */
const rateLimitOf = (
  { common: { rate }, context }: StepParts,
  { awaitTurn, rateShare = 1 }: WorkContext
): Effect.Effect<Limited | undefined, never, Scope.Scope> => {
  if (rate === undefined) return Effect.succeed(undefined)
  return awaitTurn === undefined
    ? RateLimiter.make(partOf(rate, rateShare))
    : Effect.succeed((effect) => Effect.zipRight(awaitTurn(context.id, rate), effect))
}

/** Makes the wait for a turn at a step's rate that the shards of a group share; undefined when the run is alone. */
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

/** One row of a per-row step, or one page of it: with its own timeout and retries. */
const attemptOf = <A>(
  { common: { retry, timeout } }: StepParts,
  attempts: AttemptLog,
  apply: (retryPage: Step.Context["retryPage"]) => Effect.Effect<A, StepError, RunServices>
) => {
  const made = Effect.flatMap(pageRetry(retry, attempts), (retryPage) => withRetry(apply(retryPage), retry, attempts))
  return timeout === undefined ? made : limitTime(made, { duration: timeout, onTimeout: () => tookTooLong(timeout) })
}

/** Work of a per-row step: each row has its own failure. A page has an identity of its own. */
const itemWork = ({ apply, pages = false }: ItemBehaviour, part: StepParts, run: WorkContext) =>
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
      // A task that got its turn during a shutdown stays for a resume.
      return limited === undefined
        ? resolved
        : limited(Effect.suspend(() => (shutdown.reason() === undefined ? resolved : Effect.void)))
    }
    return work
  })

type Follow = NonNullable<ReturnType<NonNullable<ItemBehaviour["follow"]>>>

/** Pages of a row as a source. */
const followed = (follow: Follow, part: StepParts, run: WorkContext) =>
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

/** Ends jobs that a failure of their task has left running: a resolved row leaves no job to a resumed run. */
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

/** Delivery of a task of a source: cursor and failed rows are saved with the task. */
const deliveryOf = (
  task: Task,
  { context, drains, errorPolicy }: Pick<Delivery, "context" | "drains" | "errorPolicy">,
  downstream: Downstream,
  { dropAnswers, saveProgress }: TaskActions,
  { counters, wanted }: WorkContext
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

/** Work of a source: each task reads it from its cursor. */
const sourceWork =
  (
    { drains = false, read }: { readonly drains?: boolean | undefined; readonly read: Read },
    part: StepParts,
    downstream: Downstream,
    run: WorkContext
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
      // A failure that left rows half moved is one of the steps downstream.
      (error) => error.scope !== "run" && lock.isConsistent(),
      (error) =>
        resolveTask(task, row, withAttempts(error, attempts), part, actions, run, endJobs(unfinishedJobs, counters))
    )
  }

/** Work of a step, of rows that replace its output, or of a step that is switched off. */
export const makeWork = (
  what: Behaviour | ReadonlyArray<Row> | "nothing",
  part: StepParts,
  downstream: Downstream,
  run: WorkContext
): Effect.Effect<Work, never, Scope.Scope> => {
  const { concurrency } = part.context
  if (what === "nothing") {
    const pass: Work["run"] = (task, { complete }) =>
      run.lock.move(complete(task, task.row === undefined ? [] : [task.row]))
    return Effect.succeed({ concurrency: 1, run: pass })
  }
  if (!("kind" in what)) {
    const read: Read = (_, __, begin) => countedBatches(begin)(Stream.fromIterable(what))
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
