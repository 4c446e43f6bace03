/**
 * Operator: running instance of a step. It receives rows, transforms them, and pushes rows downstream.
 *
 * - `push`, `finish`, `save` and `abandon` are called under the commit lock, and never wait for other operators.
 *   Operators that wait for a service work on fibers of their own, and take the lock to push.
 * - Rows are pushed to each reader in order; those of the last step leave the run.
 * - A batch of a source is delivered as a whole, in one move: a checkpoint contains all of its rows or none.
 * - If the rejects of a transform reach `stopAfter` in the middle of a chunk, it saves the remaining rows with the
 *   checkpoint, and the run ends. A resumed run processes them first.
 * - After a crash an operator continues from what `save` returned for the last committed checkpoint.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Common } from "../Pipeline/Definition.ts"
import { JsonValue, SavedRow } from "../Row/SavedValue.ts"
import { type Json, keyOf, type Row, toJson } from "../Row.ts"
import type { Sealed } from "../Step/Output.ts"
import { decodeState } from "../Step/SavedState.ts"
import { BudgetReached } from "../Step/StepError.ts"
import type { Batch, Changes, Context, Failure, OpenSink, StepError, Transform } from "../Step.ts"
import { type Checkpointed, Commit } from "./Checkpoint.ts"
import * as Metrics from "./Metrics.ts"
import type { ErrorPolicy } from "./Rejects.ts"
import { withRetryStream } from "./Retry.ts"
import type { RunContext, RunServices } from "./RunContext.ts"
import { failureJson, failureOf, SavedFailure } from "./RunErrors.ts"

/** Backpressure of an operator. Wait for it outside the commit lock. */
export interface Capacity {
  readonly isFree: () => boolean
  readonly wait: Effect.Effect<void>
}

export interface Operator extends Checkpointed {
  /** Receives rows. Computes and writes files only. */
  readonly push: (rows: ReadonlyArray<Row>) => Effect.Effect<void, StepError, RunServices>
  /** Called when no more rows will come. Idempotent. */
  readonly finish: Effect.Effect<void, StepError, RunServices>
  /** Starts, or continues after a crash. Outside the commit lock. */
  readonly start: Effect.Effect<void, StepError, RunServices | Scope.Scope>
  readonly capacity: Capacity
  /** False when no more rows are wanted. */
  readonly wants: () => boolean
  /**
   * Ends without the work that is not done yet, when no more rows come from upstream. An operator without it ends
   * as soon as those upstream have ended.
   */
  readonly abandon?: Effect.Effect<void, StepError, RunServices> | undefined
  /** Keys of the rows that it left out, once it has ended. */
  readonly leftOut?: (() => ReadonlyArray<string>) | undefined
  readonly seal?: Effect.Effect<Sealed, StepError> | undefined
  readonly discard?: Effect.Effect<void> | undefined
}

/** Readers of an operator, or the exit of the run. */
export interface Downstream {
  readonly push: (rows: ReadonlyArray<Row>) => Effect.Effect<void, StepError, RunServices>
  readonly finish: Effect.Effect<void, StepError, RunServices>
  readonly capacity: Capacity
  /** Waits until there is capacity, or a shutdown is requested. */
  readonly waitForCapacity: Effect.Effect<void>
  readonly wants: () => boolean
}

/**
 * Operator where branches merge, as each of its upstream steps sees it. Rows pass as they come; the operator finishes
 * when all upstream steps have finished. Nothing of this is saved: after a resume every finished step finishes it
 * again.
 */
export const mergeInputs = (operator: Operator, upstream: ReadonlyArray<string>): ((from: string) => Operator) => {
  const open = new Set(upstream)
  return (from) => ({
    ...operator,
    finish: Effect.suspend(() => {
      open.delete(from)
      return open.size === 0 ? operator.finish : Effect.void
    })
  })
}

/** End of a branch: rows that are pushed into it have left the run. */
export const makeExit = ({
  counters,
  tap
}: Pick<RunContext, "counters" | "tap">): Pick<Operator, "capacity" | "finish" | "push" | "wants"> => ({
  push: (rows) =>
    Effect.suspend(() => {
      counters.rows += rows.length
      return tap?.take(rows) ?? Effect.void
    }),
  finish: Effect.void,
  capacity: tap?.capacity ?? { isFree: () => true, wait: Effect.void },
  wants: () => true
})

/** `ended` completes when the last row has passed. */
export const makeDownstream = (
  id: string,
  readers: ReadonlyArray<Operator>,
  ended: Deferred.Deferred<void>,
  { counters, shutdown, observe, tap }: Pick<RunContext, "counters" | "shutdown" | "observe" | "tap">
): Downstream => {
  const isEnd = readers.length === 0
  const capacity: Capacity =
    isEnd && tap !== undefined
      ? tap.capacity
      : {
          isFree: () => readers.every((reader) => reader.capacity.isFree()),
          wait: Effect.forEach(readers, (reader) => reader.capacity.wait, { discard: true })
        }
  return {
    push: (rows) =>
      Effect.gen(function* () {
        if (rows.length === 0) return
        counters.give(id, rows.length)
        if (isEnd) counters.rows += rows.length
        if (observe !== undefined) yield* observe(id, rows)
        if (isEnd && tap !== undefined) yield* tap.take(rows)
        for (const reader of readers) {
          if (reader.wants()) yield* reader.push(rows)
          else counters.markIncomplete(reader.id, "wanted")
        }
      }),
    finish: Effect.zipRight(
      Effect.forEach(readers, (reader) => reader.finish, { discard: true }),
      Deferred.succeed(ended, undefined)
    ),
    capacity,
    // During a shutdown no capacity comes back.
    waitForCapacity: Effect.suspend(() =>
      capacity.isFree()
        ? Effect.void
        : Metrics.measureBackpressure(Effect.raceFirst(capacity.wait, shutdown.requested), id)
    ),
    wants: () => isEnd || readers.some((reader) => reader.wants())
  }
}

/** The part of the run context that a delivery needs. */
type DeliveryContext = Pick<RunContext, "budget" | "buffer" | "counters" | "fork" | "lock" | "shutdown">

export interface Delivery {
  readonly context: Context
  readonly downstream: Downstream
  /** Number of rows that are still wanted of it; read before each batch. */
  readonly remaining: () => number
  /** True for paid work, which runs to its end when the budget is reached. */
  readonly drains: boolean
  readonly errorPolicy: ErrorPolicy
  /** Failed rows that were saved before the resume. */
  readonly pendingFailures: ReadonlyArray<Failure>
  /** Saves failed rows for a resume. Under the commit lock. */
  readonly keepFailures: (failures: ReadonlyArray<Failure>) => void
  /** Saves the cursor of the source together with the rows of its batch. Under the commit lock. */
  readonly saveCursor: (cursor: Json) => void
}

/**
 * Resolves failed rows up to the reject that ends the run, and saves those after it. Returns the error that ends the
 * run, if any.
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

/** Books a batch and pushes its rows, then the replacements of its failed rows. */
const deliverBatch = (batch: Batch, delivery: Delivery, { buffer, counters }: DeliveryContext) =>
  Effect.gen(function* () {
    const { context, remaining, saveCursor, downstream } = delivery
    const wanted = remaining()
    const rows = batch.rows.length > wanted ? batch.rows.slice(0, wanted) : batch.rows
    buffer.book(context.id, batch)
    saveCursor(batch.cursor)
    batch.taken?.()
    counters.uncommitted++
    yield* downstream.push(rows)
    const { failures = [] } = batch
    return failures.length === 0 ? undefined : yield* resolveFailures(failures, delivery)
  })

/** Delivers batches until they end, no more rows are wanted, or the run shuts down. True when no batch is left. */
export const deliver = (
  batches: Stream.Stream<Batch, StepError, RunServices>,
  delivery: Delivery,
  run: DeliveryContext
): Effect.Effect<boolean, StepError, RunServices> =>
  Effect.suspend(() => {
    const { drains, remaining, downstream } = delivery
    const { budget, counters, fork, lock, shutdown } = run
    let ended = false
    /** True once the run ends because of its rejects. */
    let isCut = false
    const cut = (stop: StepError) =>
      Effect.suspend(() => {
        isCut = true
        return fork(delivery.context.id, Effect.fail(stop))
      })
    const enough = () => remaining() <= 0 || !downstream.wants()
    const all = batches.pipe(
      Stream.concat(
        Stream.drain(
          Stream.fromEffect(
            Effect.sync(() => {
              ended = true
            })
          )
        )
      ),
      Stream.interruptWhen(drains ? shutdown.stopRequested : shutdown.requested),
      Stream.mapEffect((batch) =>
        lock.move(deliverBatch(batch, delivery, run)).pipe(
          Effect.flatMap((stop) =>
            stop === undefined ? Effect.zipRight(downstream.waitForCapacity, budget.watch) : cut(stop)
          ),
          Effect.map(() => {
            if (isCut) return true
            if (!ended && enough()) {
              ended = true
              counters.markIncomplete(delivery.context.id, remaining() <= 0 ? "trial" : "wanted")
            }
            return ended
          })
        )
      ),
      Stream.takeUntil((done) => done),
      Stream.runDrain,
      Effect.map(() => ended && !isCut)
    )
    if (delivery.pendingFailures.length === 0) return all
    return Effect.flatMap(lock.move(resolveFailures(delivery.pendingFailures, delivery)), (stop) =>
      stop === undefined ? all : Effect.as(cut(stop), false)
    )
  })

export interface TransformOperatorOptions {
  readonly context: Context
  readonly common: Common
  readonly errorPolicy: ErrorPolicy
  readonly transform: Transform
  /** Set for a sink; `transform` then holds its `push` and `save`. */
  readonly sink?: OpenSink | undefined
  /** State from {@link Operator.save} in the last checkpoint; undefined at the first start. */
  readonly saved: typeof SavedOperator.Type | undefined
  readonly downstream: Downstream
  readonly run: DeliveryContext
}

/** State of the operator in a checkpoint, with that of its step. */
const SavedOperator = Schema.Struct({
  finished: Schema.optional(Schema.Boolean),
  over: Schema.optional(Schema.Boolean),
  cursor: Schema.optional(JsonValue),
  own: Schema.optional(JsonValue),
  /** Rows that it received and has not passed to the step. */
  held: Schema.optional(Schema.Array(SavedRow)),
  /** Failed rows of its last batch after the reject that ended the run. */
  later: Schema.optional(Schema.Array(SavedFailure))
})

/** Decodes {@link Operator.save}; undefined at the first start. */
export const decodeOperator = decodeState(SavedOperator)

/**
 * Operator of a transform or a sink. It transforms each chunk while it is pushed. A transform with an `end` then emits
 * the rest on a fiber of its own: open → draining → ended.
 *
 * `finished` and `over` are saved: input ended, and all rows emitted. An operator that crashed between the two drains
 * again, from its cursor.
 */
export const makeTransformOperator = ({
  common,
  context,
  downstream,
  errorPolicy,
  run,
  saved,
  sink,
  transform
}: TransformOperatorOptions): Operator => {
  const { counters, fork, lock, shutdown } = run
  const { held = [], later = [], ...state } = saved ?? {}
  let { cursor, finished = false, over = false, own } = state
  let pendingFailures: ReadonlyArray<Failure> = later.map(failureOf)
  let waiting = [...held]
  let hasFinished = false
  /** True once its rejects end the run: rows that still come wait for a resume. */
  let isStopped = false
  let isDraining = false
  let dirty = false

  const countBytes = () => {
    if (sink !== undefined) counters.written.set(context.id, sink.bytes())
  }
  countBytes()

  const transformRows = (rows: ReadonlyArray<Row>): Effect.Effect<void, StepError, RunServices> =>
    Effect.gen(function* () {
      if (errorPolicy.chunkLimit() === Number.POSITIVE_INFINITY) {
        return yield* downstream.push(yield* transform.push(rows))
      }
      const made: Array<Row> = []
      for (let at = 0; at < rows.length; ) {
        const to = at + Math.min(errorPolicy.chunkLimit(), rows.length - at)
        const part = yield* errorPolicy.upToLimit(
          transform.push(at === 0 && to === rows.length ? rows : rows.slice(at, to))
        )
        for (const row of part.made) made.push(row)
        at = to
        if (part.stop === undefined) continue
        isStopped = true
        waiting = rows.slice(to)
        dirty = true
        yield* fork(context.id, Effect.fail(part.stop))
        break
      }
      yield* downstream.push(made)
    })

  const push = (rows: ReadonlyArray<Row>): Effect.Effect<void, StepError, RunServices> =>
    Effect.suspend(() => {
      if (finished || transform.full?.() === true) return Effect.void
      if (!isStopped) return transformRows(rows)
      waiting.push(...rows)
      dirty = true
      return Effect.void
    })

  /** Passes the rows that were saved before the resume. */
  const pushWaiting = Effect.suspend(() => {
    const rows = waiting
    waiting = []
    dirty = true
    return push(rows)
  })

  const end = Effect.suspend(() => {
    over = true
    dirty = true
    return downstream.finish
  })

  /** Emits the rest of a transform with an `end`. */
  const drain = (rest: NonNullable<Transform["end"]>) =>
    Effect.gen(function* () {
      // Nothing is paid for rows that no step downstream wants.
      if (!downstream.wants()) {
        counters.markIncomplete(context.id, "wanted")
        return yield* lock.move(end)
      }
      // After a crash the same rows could come in another order: commit them before work that depends on them starts.
      yield* Effect.flatten(Commit)
      const delivery: Delivery = {
        context,
        downstream,
        remaining: () => Number.POSITIVE_INFINITY,
        drains: true,
        errorPolicy,
        pendingFailures,
        keepFailures: (failures) => {
          dirty ||= failures.length > 0 || pendingFailures.length > 0
          pendingFailures = failures
        },
        saveCursor: (next) => {
          cursor = next
          dirty = true
        }
      }
      const all = yield* deliver(withRetryStream(rest(cursor), common.retry), delivery, run)
      if (all) yield* lock.move(end)
    }).pipe(
      // A run that publishes what was paid for ends when it can pay no more.
      Effect.catchIf(
        (error) => error instanceof BudgetReached && shutdown.isPublishing(),
        () => lock.move(end)
      ),
      shutdown.ignoreStopped,
      Effect.ensuring(
        Effect.sync(() => {
          isDraining = false
        })
      )
    )

  const finish = Effect.suspend(() => {
    if (hasFinished || isStopped) return Effect.void
    hasFinished = true
    finished = true
    dirty = true
    if (transform.end === undefined || over) return end
    isDraining = true
    return fork(context.id, shutdown.track(drain(transform.end)))
  })

  return {
    id: context.id,
    push,
    finish,
    start: finished
      ? lock.move(finish)
      : Effect.suspend(() => (waiting.length > 0 ? lock.move(pushWaiting) : Effect.void)),
    capacity: downstream.capacity,
    wants: () => !finished && transform.full?.() !== true && downstream.wants(),
    save: Effect.map(transform.save ?? Effect.succeed<Changes>({}), ({ entries, value }): Changes => {
      if (value !== undefined) own = value
      countBytes()
      const changed = dirty || value !== undefined
      dirty = false
      const rest = {
        ...(waiting.length === 0 ? {} : { held: waiting.map(toJson) }),
        ...(pendingFailures.length === 0 ? {} : { later: pendingFailures.map(failureJson) })
      }
      return { entries, value: changed ? { finished, over, cursor, own, ...rest } : undefined }
    }),
    abandon: Effect.suspend(() => (hasFinished && !over && !isDraining ? end : Effect.void)),
    leftOut: () => (transform.left?.() ?? []).map(keyOf),
    seal: sink?.seal,
    discard: sink?.discard
  }
}
