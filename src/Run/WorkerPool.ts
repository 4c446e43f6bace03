/**
 * Worker pool: operator of a step that calls a service or reads a source. It has one task for each row, or a single task for a source
 * without input.
 *
 * - A task is queued when its row is pushed. `concurrency` workers take tasks from the queue, run them outside the commit lock, and take
 *   the lock once to push the result and remove the task.
 * - Rows are pushed as tasks finish; if a step downstream needs the order of the input, a finished task waits for those before it.
 * - The pool is full when it has more than two tasks per worker (and more than 16): then the steps upstream wait.
 * - It ends when its input has ended and no task is left.
 * - A checkpoint saves every unfinished task: its row, the cursor of its source, and failed rows. A resume runs the tasks again,
 *   except those whose row has failed. Calls are found by the mark of the task, an id that survives the resume, so answers are paid once.
 * - During a shutdown no task starts; tasks in flight finish or stay for a resume. `abandon` pushes finished tasks and leaves out the rest.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { originKeys } from "../Row.ts"
import { decodeState } from "../Step/SavedState.ts"
import type { Changes, Saved, StepError } from "../Step.ts"
import * as Trace from "../Telemetry/Trace.ts"
import type { Downstream, Operator, RunServices } from "./Operator.ts"
import type { RunContext } from "./RunContext.ts"
import { decodeTasks, type Task, TaskTable } from "./TaskTable.ts"
import type { CompleteTask, TaskActions, Work } from "./TaskWork.ts"

/** A pool and the parts of the run that it uses. */
interface PoolParts {
  readonly id: string
  /** True for a source without input: it has one task from the start. */
  readonly isRoot: boolean
  /** True if rows are pushed in the order of the input. */
  readonly ordered: boolean
  /** Runs before the first task starts; may wait for a value of another step. */
  readonly work: Effect.Effect<Work, StepError, RunServices | Scope.Scope>
  readonly downstream: Downstream
  readonly run: RunContext
}

export interface PoolOptions extends PoolParts {
  readonly saved: Saved
}

/** State of a pool. Changed under the commit lock, except for `busy` and `capacity`, which belong to the workers. */
interface PoolState extends PoolParts {
  /** Tasks that are not finished. */
  readonly tasks: TaskTable
  /** Tasks not yet taken by a worker. */
  readonly queue: Queue.Queue<Task>
  readonly hasTasks: Effect.Latch
  readonly hasCapacity: Effect.Latch
  readonly leftOut: Array<ReadonlyArray<string>>
  /** Maximum tasks; with more of them, the steps upstream wait. */
  capacity: number
  /** Number of tasks that workers are running. */
  busy: number
  /** True once the input has ended. */
  finished: boolean
  /** True once the downstream has been finished. */
  ended: boolean
  isAbandoned: boolean
  /** True if the last checkpoint does not include `finished`. */
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

/** Number of running tasks that have a failed call. */
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

/** Pushes the output of finished tasks; if order matters, only up to the first unfinished task. */
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
      // The task has finished too late: its row was already left out.
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
        // The failure is final, so the task's answers are no longer needed.
        dropAnswers(task)
        return complete(task, replacement)
      }),
    dropAnswers,
    saveProgress: (task) => pool.tasks.save(task)
  }
}

/** Pushes finished tasks, and leaves out all others. */
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

/** Takes the next task; none once a shutdown is requested, even if tasks are queued. */
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
        // A task taken just as the shutdown was requested stays for a resume.
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

/** Makes the pool of a step with the tasks saved in the last checkpoint. */
export const makePool = ({ saved, ...parts }: PoolOptions): Effect.Effect<Operator, StepError> =>
  Effect.gen(function* () {
    const { downstream, id, isRoot, run } = parts
    const state = yield* decodePool({ id }, saved.value)
    const tasks = new TaskTable(state?.next ?? 0, yield* decodeTasks({ id }, saved))
    if (isRoot && state === undefined) tasks.add(undefined)
    // Rows pushed before the start are queued by `push`.
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
