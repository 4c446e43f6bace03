/**
 * Tasks of a step that waits for others: the source itself, or one task for each row of a step that calls a service.
 *
 * A task is recorded with the row that it works on and how far it has come, so that a resumed run continues it.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as RateLimiter from "effect/RateLimiter"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { AttemptLog } from "../Client/Retry.ts"
import { limited as limitTime } from "../Client/TimeLimit.ts"
import type { DecodedNode } from "../Pipeline/Node.ts"
import { sha256 } from "../Row/Hash.ts"
import { fromJson, type Json, keyOf, type Row, toJson } from "../Row.ts"
import { counted } from "../Step/Batch.ts"
import type { Changes, Failure, Saved, StepError } from "../Step.ts"
import * as Step from "../Step.ts"
import * as Trace from "../Telemetry/Trace.ts"
import { type Downstream, deliver, type Operator } from "./Operator.ts"
import { pageRetry, withRetry, withRetryStream } from "./Retry.ts"
import type { RunContext, RunServices, StepContext } from "./RunContext.ts"
import { failureJson, failureOf, type SavedFailure } from "./RunErrors.ts"

export interface Task {
  /** Its place among the tasks of its pool. */
  readonly key: string
  readonly row: Row | undefined
  /** The same for the same row in every run of this run: answers are found again by it. */
  readonly base: string
  readonly mark: string
  /** Where its source stands. */
  cursor: Json | undefined
  /** Failed rows of its last batch that came after the reject that ended the run. */
  pendingFailures: ReadonlyArray<Failure>
  /** Marks of the answers it was given. */
  readonly callMarks: Array<string>
  /** What it made, while it waits for its turn. */
  output: ReadonlyArray<Row> | undefined
  /**
   * True when `made` stands in for a row that failed. It is committed together with the reject: a resumed run neither
   * tries the row again nor rejects it twice.
   */
  failed: boolean
  /** True once the ledger knows it. */
  isPersisted: boolean
}

/** Sorts as numbers do. */
export const ordinal = (index: number): string => String(index).padStart(12, "0")

interface SavedTask {
  readonly row?: Json
  readonly mark: string
  readonly base: string
  readonly cursor?: Json
  readonly later?: ReadonlyArray<SavedFailure>
  /** What stands in for the row when it has failed. */
  readonly instead?: ReadonlyArray<Json>
}

const numberOf = (base: string, mark: string): number => Number(mark.slice(base.length + 1))

/** The numbers that tell tasks for the same row apart. */
interface MarkNumbers {
  readonly taken: Set<number>
  /** None below it is free. */
  free: number
}

/**
 * The marks in use: no two tasks share one, and none is used again before a checkpoint has let go of its answers. A task
 * takes the first that is free, so that rows that come once more after a crash find the marks that they had.
 */
export class TaskMarks {
  readonly #alike = new Map<string, MarkNumbers>()
  #left: Array<Pick<Task, "base" | "mark">> = []

  /** A mark for one more task for this row; `known` is that of before a crash. */
  take(base: string, known?: string): string {
    const alike = this.#alike.get(base) ?? { taken: new Set(), free: 0 }
    this.#alike.set(base, alike)
    while (known === undefined && alike.taken.has(alike.free)) alike.free++
    const number = known === undefined ? alike.free : numberOf(base, known)
    alike.taken.add(number)
    return known ?? (number === 0 ? base : `${base}#${number}`)
  }

  /** The task is done, but its answers are held. */
  leave({ base, mark }: Pick<Task, "base" | "mark">): void {
    this.#left.push({ base, mark })
  }

  /** A checkpoint lets go of the answers of tasks that are done. */
  saved(): void {
    for (const { base, mark } of this.#left) {
      const alike = this.#alike.get(base)
      const number = numberOf(base, mark)
      alike?.taken.delete(number)
      if (alike?.taken.size === 0) this.#alike.delete(base)
      else if (alike !== undefined) alike.free = Math.min(alike.free, number)
    }
    this.#left = []
  }
}

/** As version 0.1 wrote it, so that a run that it began finds its answers. */
const baseOf = (row: Row): string => {
  const { data, jobId, position, source } = row
  return sha256(JSON.stringify({ data, key: keyOf(row), source, position, jobId })).slice(0, 32)
}

/** A task for a row; `kept` is one of before a crash. */
export const taskOf = (key: string, row: Row | undefined, marks: TaskMarks, kept?: Json): Task => {
  const known = kept as SavedTask | undefined
  const base = known?.base ?? (row === undefined ? "" : baseOf(row))
  return {
    key,
    row: known?.row === undefined ? row : fromJson(known.row),
    base,
    mark: marks.take(base, known?.mark),
    cursor: known?.cursor,
    pendingFailures: known?.later?.map(failureOf) ?? [],
    callMarks: [],
    output: known?.instead?.map(fromJson),
    failed: known?.instead !== undefined,
    isPersisted: known !== undefined
  }
}

/** The task as the ledger keeps it. */
export const taskJson = ({ base, cursor, failed, output, mark, row, pendingFailures }: Task): Json => ({
  row: row === undefined ? undefined : toJson(row),
  base,
  mark,
  cursor,
  later: pendingFailures.length === 0 ? undefined : (pendingFailures.map(failureJson) as unknown as Json),
  instead: failed ? output?.map(toJson) : undefined
})

/** What the pool does with a task; it pushes through `emit`, under the commit lock. */
export interface Work {
  readonly concurrency: number
  /** True when a task gives rows while it lasts: in order, one after the other. */
  readonly inTurn?: boolean | undefined
  readonly run: (task: Task, hands: TaskActions) => Effect.Effect<void, StepError, RunServices>
}

export interface TaskActions {
  readonly complete: CompleteTask
  /** The same for a row that failed, with what stands in for it. It is final, also while it waits for its turn. */
  readonly completeFailed: CompleteTask
  /** Remembers, under the commit lock, that the task has come further. */
  readonly saveProgress: (task: Task) => void
}

/** Hands on what a task made, and ends it; under the commit lock. */
export type CompleteTask = (task: Task, made: ReadonlyArray<Row>) => Effect.Effect<void, StepError, RunServices>

export interface PoolOptions {
  readonly id: string
  /** True for a source that reads no rows: it has one task from the beginning. */
  readonly isRoot: boolean
  /** Hands rows on in the order in which they came in. */
  readonly ordered: boolean
  readonly saved: Saved
  /** Known before the first task is begun; it may wait for a value of another step. */
  readonly work: Effect.Effect<Work, StepError, RunServices | Scope.Scope>
  readonly downstream: Downstream
  readonly run: RunContext
}

export const makePool = (options: PoolOptions): Effect.Effect<Operator> =>
  Effect.gen(function* () {
    const { run, id, isRoot, ordered, downstream, saved } = options
    const { lock, shutdown } = run
    const queue = yield* Queue.unbounded<Task>()
    const room = yield* Effect.makeLatch(true)
    const arrived = yield* Effect.makeLatch(false)
    const tasks = new Map<string, Task>()
    const changed = new Map<string, Task | undefined>()
    const marks = new TaskMarks()
    let enough = 16
    let busy = 0
    const kept = saved.value as { readonly next?: number; readonly finished?: boolean } | undefined
    let next = kept?.next ?? 0
    let finished = kept?.finished ?? isRoot
    let over = false
    let dirty = kept === undefined

    const welcome = Effect.suspend(() => (tasks.size > enough ? room.close : room.open))

    const add = (row: Row | undefined): Task => {
      const task = taskOf(ordinal(next++), row, marks)
      tasks.set(task.key, task)
      changed.set(task.key, task)
      return task
    }

    const remove = (task: Task) => {
      tasks.delete(task.key)
      // What came and went between two checkpoints is never written.
      if (task.isPersisted) changed.set(task.key, undefined)
      else changed.delete(task.key)
      marks.leave(task)
      run.callCache.release(id, task.callMarks)
    }

    for (const [key, json] of saved.entries) tasks.set(key, taskOf(key, undefined, marks, json))
    if (isRoot && kept === undefined) add(undefined)
    // What is pushed before the start is in the queue already.
    const waiting = [...tasks.values()].filter(({ output }) => output === undefined)

    const end = Effect.suspend(() => {
      if (!finished || tasks.size > 0 || over) return Effect.void
      over = true
      return downstream.finish
    })

    /** Hands on what is done; in the order of the input, up to the first task that is not. */
    const advance = Effect.gen(function* () {
      for (const task of tasks.values()) {
        if (task.output === undefined) {
          if (ordered) break
          continue
        }
        remove(task)
        yield* downstream.push(task.output)
      }
    })

    let isAbandoned = false
    /** What is done is handed on, the rest left out; what a call still brings comes too late. */
    const leftOut: Array<string> = []
    const abandon = Effect.gen(function* () {
      isAbandoned = true
      for (const task of [...tasks.values()]) {
        remove(task)
        if (task.output !== undefined) yield* downstream.push(task.output)
        else if (task.row !== undefined) leftOut.push(keyOf(task.row))
        if (task.output === undefined) run.counters.markIncomplete(id, "budget")
      }
      finished = true
      dirty = true
      yield* end
    })

    const complete: CompleteTask = (task, made) =>
      Effect.gen(function* () {
        if (isAbandoned) return
        task.output = made
        if (ordered) yield* advance
        else {
          remove(task)
          yield* downstream.push(made)
        }
        yield* welcome
        yield* end
      })

    const completeFailed: CompleteTask = (task, instead) =>
      Effect.suspend(() => {
        task.failed = true
        changed.set(task.key, task)
        // Its answers led to the failure, which is final.
        run.callCache.release(id, task.callMarks)
        task.callMarks.length = 0
        return complete(task, instead)
      })

    const saveProgress = (task: Task) => void changed.set(task.key, task)

    const traced = Trace.within("Run.task", { attributes: { "sluice.step": id } })

    const attend = (work: Work) => {
      const perform = (task: Task) =>
        Effect.suspend(() => {
          if (downstream.wants()) return work.run(task, { complete, completeFailed, saveProgress })
          run.counters.markIncomplete(id, "wanted")
          return lock.move(complete(task, []))
        }).pipe(shutdown.ignoreStopped, Effect.zipRight(downstream.waitForCapacity))
      // What waits in the queue is not begun any more, however much of it there is.
      const take = Effect.suspend(() =>
        shutdown.reason() !== undefined
          ? Effect.succeed(Option.none<Task>())
          : Effect.raceFirst(Effect.asSome(Queue.take(queue)), Effect.as(shutdown.requested, Option.none<Task>()))
      )
      const loop: Effect.Effect<void, StepError, RunServices> = Effect.flatMap(
        take,
        Option.match({
          onNone: () => Effect.void,
          // A task that was still to be had when the run came to a stop is there for its next life.
          onSome: (task) => {
            if (shutdown.reason() !== undefined) return Effect.void
            busy++
            return shutdown
              .track(traced(perform(task)))
              .pipe(Effect.ensuring(Effect.sync(() => void busy--)), Effect.zipRight(Effect.suspend(() => loop)))
          }
        })
      )
      return loop
    }

    const startWorkers = Effect.gen(function* () {
      yield* Effect.raceFirst(arrived.await, shutdown.requested)
      if (shutdown.reason() !== undefined) return
      const work = yield* options.work
      const workers = ordered && work.inTurn === true ? 1 : work.concurrency
      enough = Math.max(enough, workers * 2)
      const inStep = yield* Trace.shared("Run.step", workers, { "sluice.step": id, "sluice.concurrency": workers })
      yield* Effect.forEach(Array.from({ length: workers }), () => run.fork(id, inStep(attend(work))), {
        discard: true
      })
    }).pipe(shutdown.ignoreStopped)

    return {
      id,
      push: (rows) =>
        Effect.gen(function* () {
          if (!downstream.wants()) return void run.counters.markIncomplete(id, "wanted")
          yield* Queue.offerAll(queue, rows.map(add))
          yield* Effect.zipRight(arrived.open, welcome)
        }),
      finish: Effect.suspend(() => {
        if (!finished) dirty = true
        finished = true
        return end
      }),
      start: Effect.gen(function* () {
        yield* lock.move(Effect.zipRight(advance, end))
        yield* Queue.offerAll(queue, waiting)
        if (tasks.size > 0) yield* arrived.open
        yield* welcome
        yield* run.fork(id, startWorkers)
      }),
      capacity: { isFree: () => tasks.size <= enough, wait: room.await },
      abandon,
      leftOut: () => leftOut,
      wants: downstream.wants,
      load: () => ({ buffered: tasks.size, capacity: enough, busy, blocked: !downstream.capacity.isFree() }),
      save: Effect.sync((): Changes => {
        const entries = Array.from(changed, ([key, task]): readonly [string, Json | undefined] => {
          if (task !== undefined) task.isPersisted = true
          return [key, task === undefined ? undefined : taskJson(task)]
        })
        changed.clear()
        marks.saved()
        const value = dirty || entries.length > 0 ? { next, finished } : undefined
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
 * Ends a task whose row has failed, in the same move as its reject. The reject that reaches `stopAfter` is committed, and
 * then ends the run; with `onError: fail` the failure itself does.
 */
const resolveTask = (
  task: Task,
  row: Row,
  error: Step.StepError,
  { errorPolicy }: StepParts,
  hands: TaskActions,
  { lock }: RunContext,
  /** Done once the row is settled. */
  then: Effect.Effect<void> = Effect.void
) =>
  lock
    .move(
      Effect.flatMap(errorPolicy.resolve(row, error), ({ replacement, stop }) => {
        if (stop === error) return Effect.fail(error)
        return Effect.as(replacement === undefined ? Effect.void : hands.completeFailed(task, replacement), stop)
      })
    )
    .pipe(
      Effect.tap(then),
      Effect.flatMap((stop) => (stop === undefined ? Effect.void : Effect.fail(stop)))
    )

/** Adds the number of attempts; for a row that only reads an existing job, the number of failed polls. */
const withAttempts = (error: Step.StepError, { failures, made }: AttemptLog): Step.StepError =>
  error.attempts === undefined ? error.with({ attempts: made === 0 ? failures.length : made }) : error

type Limited = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Step.StepError, R>

/** Begins no more calls in a time than the step says, with all who share its rate. */
const rateLimitOf = (
  { common: { rate }, context }: StepParts,
  { awaitTurn }: RunContext
): Effect.Effect<Limited | undefined, never, Scope.Scope> => {
  if (rate === undefined) return Effect.succeed(undefined)
  return awaitTurn === undefined
    ? RateLimiter.make(rate)
    : Effect.succeed((effect) => Effect.zipRight(awaitTurn(context.id, rate), effect))
}

/** Each row by itself, with its own time limit, rate, retries and failure. */
const itemWork = (apply: Apply, part: StepParts, run: RunContext) =>
  Effect.map(rateLimitOf(part, run), (limited) => {
    const { common, config, forTask } = part
    const { lock, shutdown } = run
    const { timeout } = common
    const work: Work["run"] = (task, hands) => {
      const { complete } = hands
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
      const settled = bounded.pipe(
        Effect.matchEffect({
          onSuccess: (next) => lock.move(complete(task, [next])),
          onFailure: (error) =>
            error.scope === "run"
              ? Effect.fail(error)
              : resolveTask(task, row, withAttempts(error, attempts), part, hands, run)
        })
      )
      // Who waited for a turn while the run came to a stop begins nothing: the task is there for the next life.
      return limited === undefined
        ? settled
        : limited(Effect.suspend(() => (shutdown.reason() === undefined ? settled : Effect.void)))
    }
    return work
  })

/** A source for each task, from where it stands. */
const sourceWork = (
  { drains = false, read }: { readonly drains?: boolean | undefined; readonly read: Read },
  part: StepParts,
  downstream: Downstream,
  run: RunContext
): Work["run"] => {
  const { common, config, forTask } = part
  const { counters, lock, wanted } = run
  return (task, hands) => {
    const { complete, saveProgress } = hands
    const { row } = task
    const attempts: AttemptLog = { made: 0, failures: [] }
    const unfinishedJobs = new Map<string, Effect.Effect<void>>()
    const context = forTask({
      mark: task.mark,
      answered: (mark) => void task.callMarks.push(mark),
      attempts,
      unfinishedJobs
    })
    // A row that is settled does not go on with its job in a later life of the run.
    const giveUp = Effect.suspend(() =>
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
        // What fails while rows are moved is a failure of those who take them.
        (error) => row !== undefined && error.scope !== "run" && lock.isConsistent(),
        (error) =>
          row === undefined
            ? Effect.fail(error)
            : resolveTask(task, row, withAttempts(error, attempts), part, hands, run, giveUp)
      )
    )
  }
}

/** The work of a pool: of a step, of rows that stand in for it, or nothing at all. */
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
