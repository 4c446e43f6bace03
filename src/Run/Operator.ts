/**
 * Operator: running instance of a step. It receives rows, transforms them, and pushes rows downstream.
 *
 * - `push`, `finish`, `save` and `abandon` are called under the commit lock, and never wait for other operators.
 *   Operators that wait for a service work on fibers of their own, and take the lock to push.
 * - Rows are pushed to each reader in order; those of the last step leave the run.
 * - A batch of a source is delivered as a whole, in one move: a checkpoint contains all of its rows or none.
 * - If the rejects of a transform reach `stopAfter` in the middle of a chunk, or a stop is requested while it works on one, it saves the
 *   remaining rows with the checkpoint, and the run ends. A resumed run processes them first.
 * - After a crash, an operator continues from the state that `save` returned for the last committed checkpoint.
 */
import type * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import { toPull } from "../Callback/Pull.ts"
import type { Common } from "../Pipeline/Definition.ts"
import { JsonValue, SavedRow } from "../Row/SavedValue.ts"
import { type Json, originKeys, type Row, toJson } from "../Row.ts"
import type { Sealed } from "../Step/Output.ts"
import { decodeState } from "../Step/SavedState.ts"
import { BudgetReached } from "../Step/StepError.ts"
import type { Batch, Changes, Context, Failure, OpenSink, Services, StepError, Transform } from "../Step.ts"
import type { Budget } from "./Budget.ts"
import { type CheckpointBuffer, type Checkpointed, Commit, type CommitLock } from "./Checkpoint.ts"
import * as Metrics from "./Metrics.ts"
import type { Counters } from "./Progress.ts"
import type { ErrorPolicy } from "./Rejects.ts"
import { withRetryStream } from "./Retry.ts"
import { failureJson, failureOf, SavedFailure } from "./RunErrors.ts"
import type { ShutdownSignal } from "./Shutdown.ts"

/** Services available to everything that runs during a run. */
export type RunServices = Services | Commit

/** Runs work of a step in the background until the run ends. If the work fails, the run ends. */
export type Fork = (
  step: string,
  work: Effect.Effect<void, StepError, RunServices | Scope.Scope>
) => Effect.Effect<void, never, RunServices>

/** Backpressure of an operator. Wait for it outside the commit lock. */
export interface Capacity {
  readonly isFree: () => boolean
  readonly wait: Effect.Effect<void>
}

/** Receiver of rows: an operator as seen from upstream, or the exit of the run. */
export interface Receiver {
  readonly id: string
  /** Receives rows. May only compute and write files. */
  readonly push: (rows: ReadonlyArray<Row>) => Effect.Effect<void, StepError, RunServices>
  /** Called when no more rows will come. Idempotent. */
  readonly finish: Effect.Effect<void, StepError, RunServices>
  readonly capacity: Capacity
  /** False if no more rows are wanted. */
  readonly wants: () => boolean
}

export interface Operator extends Receiver, Checkpointed {
  /** Starts the operator, or continues after a crash. Called outside the commit lock. */
  readonly start: Effect.Effect<void, StepError, RunServices | Scope.Scope>
  /**
   * Ends without doing the remaining work, when no more rows come from upstream. An operator without it ends
   * as soon as its upstream has ended.
   */
  readonly abandon?: Effect.Effect<void, StepError, RunServices> | undefined
  /** Rows left out, once the operator has ended: for each, its own key and the keys of the rows that it may have been made from. */
  readonly leftOut?: (() => ReadonlyArray<ReadonlyArray<string>>) | undefined
  readonly seal?: Effect.Effect<Sealed, StepError> | undefined
  readonly discard?: Effect.Effect<void> | undefined
}

/** All readers of an operator. */
export interface Downstream extends Omit<Receiver, "id"> {
  /** Waits until there is capacity, or a shutdown is requested. */
  readonly waitForCapacity: Effect.Effect<void>
}

/**
 * Operator where branches merge, as seen by each of its upstream steps. Rows pass in the order of arrival; the operator finishes
 * when all upstream steps have finished. Nothing of this is saved: after a resume, every finished step finishes it
 * again.
 */
export const mergeInputs = (operator: Operator, upstream: ReadonlyArray<string>): ((from: string) => Receiver) => {
  const open = new Set(upstream)
  return (from) => ({
    ...operator,
    finish: Effect.suspend(() => {
      open.delete(from)
      return open.size === 0 ? operator.finish : Effect.void
    })
  })
}

/** Reader of the rows that leave the run. Operators wait for its `capacity` outside the commit lock. */
export interface Tap {
  readonly take: (rows: ReadonlyArray<Row>) => Effect.Effect<void>
  readonly capacity: Capacity
  /**
   * Waits until the reader has processed all rows taken so far, that is, has asked for more. False if it has left before
   * that; then no checkpoint may contain these rows.
   */
  readonly read: Effect.Effect<boolean>
  /** False once the reader has left. */
  readonly isHere: () => boolean
}

/** Exit of the run: rows pushed into it have passed all steps. */
export const makeExit = (counters: Counters, tap: Tap | undefined): Receiver => ({
  id: "~exit",
  push: (rows) =>
    Effect.suspend(() => {
      counters.rows += rows.length
      return tap?.take(rows) ?? Effect.void
    }),
  finish: Effect.void,
  capacity: tap?.capacity ?? { isFree: () => true, wait: Effect.void },
  wants: () => true
})

/** Called with the rows that each step emits; the run waits for it. */
export type Observe = (step: string, rows: ReadonlyArray<Row>) => Effect.Effect<void>

/** The parts of a run used by an operator's downstream. */
export interface DownstreamContext {
  readonly counters: Counters
  readonly observe?: Observe | undefined
  readonly shutdown: Pick<ShutdownSignal, "requested">
}

/** Connects an operator to its readers. `ended` completes once the last row has passed. */
export const makeDownstream = (
  id: string,
  readers: ReadonlyArray<Receiver>,
  ended: Deferred.Deferred<void>,
  { counters, observe, shutdown }: DownstreamContext,
  changeField?: string
): Downstream => {
  const capacity: Capacity = {
    isFree: () => readers.every((reader) => reader.capacity.isFree()),
    wait: Effect.forEach(readers, (reader) => reader.capacity.wait, { discard: true })
  }
  const pushTo = (rows: ReadonlyArray<Row>) => (reader: Receiver) =>
    Effect.suspend(() => {
      if (reader.wants()) return reader.push(rows)
      counters.markIncomplete(reader.id, "wanted")
      return Effect.void
    })
  const only = readers.length === 1 ? readers[0] : undefined
  return {
    push: (rows) =>
      Effect.suspend(() => {
        if (rows.length === 0) return Effect.void
        counters.give(id, rows.length)
        if (changeField !== undefined) counters.countChanges(rows, changeField)
        const pushed =
          only === undefined ? Effect.forEach(readers, pushTo(rows), { discard: true }) : pushTo(rows)(only)
        return observe === undefined ? pushed : Effect.zipRight(observe(id, rows), pushed)
      }),
    finish: Effect.zipRight(
      Effect.forEach(readers, (reader) => reader.finish, { discard: true }),
      Deferred.succeed(ended, undefined)
    ),
    capacity,
    // During a shutdown, no more capacity becomes free, so the wait ends then, too.
    waitForCapacity: Effect.suspend(() =>
      capacity.isFree()
        ? Effect.void
        : Metrics.measureBackpressure(Effect.raceFirst(capacity.wait, shutdown.requested), id)
    ),
    wants: () => readers.some((reader) => reader.wants())
  }
}

/** The parts of a run used by a delivery. */
export interface DeliveryContext {
  readonly budget: Pick<Budget, "watch">
  readonly buffer: Pick<CheckpointBuffer, "book">
  readonly counters: Counters
  readonly fork: Fork
  readonly lock: CommitLock
  readonly shutdown: ShutdownSignal
}

export interface Delivery {
  readonly context: Context
  readonly downstream: Downstream
  /** Number of rows still wanted from the source; read before each batch. */
  readonly remaining: () => number
  /** True for paid work, which is completed even when the budget is reached. */
  readonly drains: boolean
  readonly errorPolicy: ErrorPolicy
  /** Failed rows saved before the resume. */
  readonly pendingFailures: ReadonlyArray<Failure>
  /** Saves failed rows for a resume. Call it under the commit lock. */
  readonly keepFailures: (failures: ReadonlyArray<Failure>) => void
  /** Saves the cursor of the source together with the rows of its batch. Call it under the commit lock. */
  readonly saveCursor: (cursor: Json) => void
  /** Drops the stored answers of the task's calls with the next checkpoint: a resume does not need them. Call it under the commit lock. */
  readonly dropAnswers?: (() => void) | undefined
}

/**
 * Handles failed rows by the step's error policy. At the reject limit, saves the remaining rows for a resume and returns
 * the error that ends the run.
 */
const resolveFailures = (
  failures: ReadonlyArray<Failure>,
  { context, keepFailures, downstream, errorPolicy }: Delivery
) =>
  Effect.gen(function* () {
    for (const [at, [row, error]] of failures.entries()) {
      const reached = errorPolicy.limitError()
      if (reached !== undefined) {
        keepFailures(failures.slice(at))
        return reached
      }
      const { made } = yield* errorPolicy.upToLimit(context.failed(row, error))
      yield* downstream.push(made)
    }
    keepFailures([])
    return errorPolicy.limitError()
  })

/**
 * Books a batch and pushes its rows, then the replacements for its failed rows.
 *
 * Not a generator, like everything that runs for each batch: V8 makes a hidden class for each call of `Effect.gen`, which keeps the rows
 * visible to the generator alive until the next full collection, so that all collections before it copy them.
 */
const deliverBatch = (batch: Batch, delivery: Delivery, { buffer, counters }: DeliveryContext) =>
  Effect.suspend(() => {
    const { context, remaining, saveCursor, downstream } = delivery
    const wanted = remaining()
    const { failures = [] } = batch
    buffer.book(context.id, batch)
    saveCursor(batch.cursor)
    if (batch.dropsAnswers === true) delivery.dropAnswers?.()
    batch.taken?.()
    counters.uncommitted++
    return Effect.flatMap(downstream.push(batch.rows.length > wanted ? batch.rows.slice(0, wanted) : batch.rows), () =>
      failures.length === 0 ? Effect.succeed(undefined) : resolveFailures(failures, delivery)
    )
  })

/** Delivers batches until there are no more, no more rows are wanted, or the run shuts down. True if no batch is left. */
export const deliver = (
  batches: Stream.Stream<Batch, StepError, RunServices>,
  delivery: Delivery,
  run: DeliveryContext
): Effect.Effect<boolean, StepError, RunServices> =>
  Effect.suspend(() => {
    const { drains, remaining, downstream } = delivery
    const { budget, counters, fork, lock, shutdown } = run
    let ended = false
    /** True once the run is ending because of its rejects. */
    let isCut = false
    const cut = (stop: StepError) =>
      Effect.suspend(() => {
        isCut = true
        return fork(delivery.context.id, Effect.fail(stop))
      })
    /** Works under the lock, without interruption: a run with too many rejects must fail even if it is shutting down at that moment. */
    const moved = (work: Effect.Effect<StepError | undefined, StepError, RunServices>) =>
      lock.move(Effect.flatMap(work, (stop) => (stop === undefined ? Effect.void : cut(stop))))
    const enough = () => remaining() <= 0 || !downstream.wants()
    /** True if no further batch is wanted. */
    const checkEnough = Effect.sync(() => {
      if (!ended && enough()) {
        ended = true
        counters.markIncomplete(delivery.context.id, remaining() <= 0 ? "trial" : "wanted")
      }
      return ended
    })
    const paced = Effect.zipRight(Effect.zipRight(downstream.waitForCapacity, budget.watch), checkEnough)
    const move = (batch: Batch) =>
      Effect.flatMap(moved(deliverBatch(batch, delivery, run)), () => (isCut ? Effect.succeed(true) : paced))
    /** True while waiting for the source, which a shutdown interrupts. A batch that is being moved is completed first. */
    let isPulling = false
    const isStopping = () => (drains ? shutdown.isStopping() : shutdown.reason() !== undefined)
    // A plain loop, because each stream operator costs as much per batch as a step does.
    const moveAll = (
      pull: Effect.Effect<Chunk.Chunk<Batch>, Option.Option<StepError>, RunServices>
    ): Effect.Effect<void, StepError, RunServices> => {
      const pulled: Array<Batch> = []
      const next: Effect.Effect<void, StepError, RunServices> = Effect.suspend(() => {
        const batch = pulled.shift()
        if (batch !== undefined) return Effect.flatMap(move(batch), (done) => (done ? Effect.void : next))
        if (isStopping()) return Effect.void
        isPulling = true
        return Effect.matchEffect(pull, {
          onFailure: (end) => {
            isPulling = false
            ended = Option.isNone(end)
            return Option.match(end, { onNone: () => Effect.void, onSome: Effect.fail })
          },
          onSuccess: (batches) => {
            isPulling = false
            for (const batch of batches) pulled.push(batch)
            return next
          }
        })
      })
      return next
    }
    const stopped = Effect.zipRight(
      drains ? shutdown.stopRequested : shutdown.requested,
      Effect.suspend(() => (isPulling ? Effect.void : Effect.never))
    )
    const all = Effect.scoped(Effect.flatMap(toPull(batches), moveAll)).pipe(
      Effect.raceFirst(stopped),
      Effect.map(() => ended && !isCut)
    )
    if (delivery.pendingFailures.length === 0) return all
    return Effect.flatMap(moved(resolveFailures(delivery.pendingFailures, delivery)), () =>
      isCut ? Effect.succeed(false) : all
    )
  })

/** State of an operator in a checkpoint, including that of its step. */
const SavedOperator = Schema.Struct({
  finished: Schema.optional(Schema.Boolean),
  over: Schema.optional(Schema.Boolean),
  cursor: Schema.optional(JsonValue),
  own: Schema.optional(JsonValue),
  /** Rows that the operator has received but not passed to the step. */
  held: Schema.optional(Schema.Array(SavedRow)),
  /** Failed rows of the last batch, after the reject that ended the run. */
  later: Schema.optional(Schema.Array(SavedFailure))
})

/** Decodes {@link Operator.save}; undefined at the first start. */
export const decodeOperator = decodeState(SavedOperator)

/** The parts of a transform operator: its transform or sink, and what it uses of the run. */
interface TransformParts {
  readonly context: Context
  readonly common: Common
  readonly errorPolicy: ErrorPolicy
  readonly transform: Transform
  /** Set for a sink; `transform` then contains its `push` and `save`. */
  readonly sink?: OpenSink | undefined
  readonly downstream: Downstream
  readonly run: DeliveryContext
}

export interface TransformOperatorOptions extends TransformParts {
  /** State from {@link Operator.save} in the last checkpoint; undefined at the first start. */
  readonly saved: typeof SavedOperator.Type | undefined
}

/**
 * State of a transform operator: open → draining → over. Changed under the commit lock, except for `isDraining`.
 *
 * `finished` and `over` are saved. An operator that crashed between the two drains again, from its cursor.
 */
interface TransformState extends TransformParts {
  /** True once all input rows have been received. */
  finished: boolean
  /** True once all rows have been emitted. */
  over: boolean
  /** Cursor of the transform's `end`. */
  cursor: Json | undefined
  /** State of the step. */
  own: Json | undefined
  pendingFailures: ReadonlyArray<Failure>
  /** Rows that wait for a resume, or were saved before this one. */
  waiting: Array<Row>
  /** True once this process has called `finish`. */
  hasFinished: boolean
  /** True once rejects end the run, or a stop has left rows unprocessed: any further rows wait for a resume. */
  isStopped: boolean
  isDraining: boolean
  /** True if the state has changed since the last checkpoint. */
  dirty: boolean
}

const countBytes = ({ context, run, sink }: TransformParts): void => {
  if (sink !== undefined) run.counters.written.set(context.id, sink.bytes())
}

/** Makes rows wait for a resume from now on, these first. */
const waitForResume = (state: TransformState, rows: ReadonlyArray<Row>): void => {
  state.isStopped = true
  state.waiting = [...rows]
  state.dirty = true
}

/** Transforms rows and pushes the result. A reject that ends the run also ends the transform: the remaining rows wait. */
const transformRows = (
  state: TransformState,
  rows: ReadonlyArray<Row>
): Effect.Effect<void, StepError, RunServices> => {
  const { context, downstream, errorPolicy, run, transform } = state
  const undone = () => transform.undone?.() ?? []
  if (errorPolicy.chunkLimit() === Number.POSITIVE_INFINITY) {
    return Effect.flatMap(transform.push(rows), (made) => {
      if (undone().length > 0) waitForResume(state, undone())
      return downstream.push(made)
    })
  }
  return Effect.gen(function* () {
    const made: Array<Row> = []
    for (let at = 0; at < rows.length && !state.isStopped; ) {
      const to = at + Math.min(errorPolicy.chunkLimit(), rows.length - at)
      const part = yield* errorPolicy.upToLimit(
        transform.push(at === 0 && to === rows.length ? rows : rows.slice(at, to))
      )
      for (const row of part.made) made.push(row)
      at = to
      if (part.stop === undefined && undone().length === 0) continue
      waitForResume(state, [...undone(), ...rows.slice(to)])
      if (part.stop !== undefined) yield* run.fork(context.id, Effect.fail(part.stop))
    }
    yield* downstream.push(made)
  })
}

const pushInto = (state: TransformState, rows: ReadonlyArray<Row>): Effect.Effect<void, StepError, RunServices> =>
  Effect.suspend(() => {
    if (state.finished || state.transform.full?.() === true) return Effect.void
    if (!state.isStopped) return transformRows(state, rows)
    state.waiting.push(...rows)
    state.dirty = true
    return Effect.void
  })

/** Processes the rows saved before the resume. */
const pushWaiting = (state: TransformState) =>
  Effect.suspend(() => {
    const rows = state.waiting
    state.waiting = []
    state.dirty = true
    return pushInto(state, rows)
  })

const endTransform = (state: TransformState) =>
  Effect.suspend(() => {
    state.over = true
    state.dirty = true
    return state.downstream.finish
  })

/** Emits the remaining rows of a transform with an `end`, on its own fiber. */
const drain = (state: TransformState, rest: NonNullable<Transform["end"]>) => {
  const { common, context, downstream, errorPolicy, run } = state
  const { counters, lock, shutdown } = run
  const end = lock.move(endTransform(state))
  return Effect.gen(function* () {
    // Do not pay for rows that no downstream step wants.
    if (!downstream.wants()) {
      counters.markIncomplete(context.id, "wanted")
      return yield* end
    }
    // After a crash, the same rows could come in a different order: commit them before starting work that depends on them.
    yield* Effect.flatten(Commit)
    const delivery: Delivery = {
      context,
      downstream,
      remaining: () => Number.POSITIVE_INFINITY,
      drains: true,
      errorPolicy,
      pendingFailures: state.pendingFailures,
      keepFailures: (failures) => {
        state.dirty ||= failures.length > 0 || state.pendingFailures.length > 0
        state.pendingFailures = failures
      },
      saveCursor: (cursor) => {
        state.cursor = cursor
        state.dirty = true
      }
    }
    const all = yield* deliver(withRetryStream(rest(state.cursor), common.retry), delivery, run)
    if (all) yield* end
  }).pipe(
    // When the run publishes what is paid for, a used-up budget ends the operator without a failure.
    Effect.catchIf(
      (error) => error instanceof BudgetReached && shutdown.isPublishing(),
      () => end
    ),
    shutdown.ignoreStopped,
    Effect.ensuring(
      Effect.sync(() => {
        state.isDraining = false
      })
    )
  )
}

const finishTransform = (state: TransformState) =>
  Effect.suspend(() => {
    const { context, run, transform } = state
    if (state.hasFinished || state.isStopped) return Effect.void
    state.hasFinished = true
    state.finished = true
    state.dirty = true
    if (state.over) return endTransform(state)
    const { end, ended = Effect.void } = transform
    if (end === undefined) return Effect.zipRight(ended, endTransform(state))
    state.isDraining = true
    return Effect.zipRight(ended, run.fork(context.id, run.shutdown.track(drain(state, end))))
  })

const saveTransform = (state: TransformState) =>
  Effect.map(state.transform.save ?? Effect.succeed<Changes>({}), ({ entries, value }): Changes => {
    if (value !== undefined) state.own = value
    countBytes(state)
    const isUnchanged = !state.dirty && value === undefined
    state.dirty = false
    if (isUnchanged) return { entries }
    const { cursor, finished, over, own, pendingFailures, waiting } = state
    const held = waiting.length === 0 ? {} : { held: waiting.map(toJson) }
    const later = pendingFailures.length === 0 ? {} : { later: pendingFailures.map(failureJson) }
    return { entries, value: { finished, over, cursor, own, ...held, ...later } }
  })

/**
 * Operator of a transform or a sink. Transforms each chunk while it is pushed. A transform with an `end` then emits
 * its remaining rows on its own fiber.
 */
export const makeTransformOperator = ({ saved, ...parts }: TransformOperatorOptions): Operator => {
  const { context, downstream, run, sink, transform } = parts
  const { cursor, finished = false, held = [], later = [], over = false, own } = saved ?? {}
  const state: TransformState = {
    ...parts,
    cursor,
    finished,
    over,
    own,
    pendingFailures: later.map(failureOf),
    waiting: [...held],
    hasFinished: false,
    isStopped: false,
    isDraining: false,
    dirty: false
  }
  countBytes(state)
  const finish = finishTransform(state)
  return {
    id: context.id,
    push: (rows) => pushInto(state, rows),
    finish,
    start: finished
      ? run.lock.move(finish)
      : Effect.suspend(() => (state.waiting.length > 0 ? run.lock.move(pushWaiting(state)) : Effect.void)),
    capacity: downstream.capacity,
    wants: () => !state.finished && transform.full?.() !== true && downstream.wants(),
    save: saveTransform(state),
    abandon: Effect.suspend(() =>
      state.hasFinished && !state.over && !state.isDraining ? endTransform(state) : Effect.void
    ),
    leftOut: () => (transform.left?.() ?? []).map(originKeys),
    seal: sink?.seal,
    discard: sink?.discard
  }
}
