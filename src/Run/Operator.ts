/**
 * Running instance of a step: receives rows, transforms them, and emits rows to the steps downstream.
 *
 * - Rows are emitted to each reader in order; those of the last step leave the run.
 * - A batch of a source is recorded as a whole, under the commit lock: a checkpoint contains all of its rows or none.
 * - Where the rejects of a transform reach `stopAfter` in the middle of a chunk, it keeps the remaining rows with the checkpoint, and
 *   the run ends. A resumed run processes them first.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Common } from "../Pipeline/Definition.ts"
import { fromJson, type Json, keyOf, type Row, toJson } from "../Row.ts"
import type { Sealed } from "../Step/Output.ts"
import type { Batch, Changes, Context, Failure, OpenSink, Saved, Services, StepError, Transform } from "../Step.ts"
import * as Metrics from "./Metrics.ts"
import type { Settle } from "./Rejects.ts"
import { withRetryStream } from "./Retry.ts"
import type { Execution } from "./RunContext.ts"
import { type FailureJson, failureJson, failureOf } from "./RunErrors.ts"

/** Whether more rows are welcome, and when they will be; it is waited for outside the gate. */
export interface Room {
  readonly isFree: () => boolean
  readonly wait: Effect.Effect<void>
}

/** How full a station is, for those who look on. */
export interface Load {
  /** Rows that wait in it or are worked on, and so many that it takes before those above it have to wait. */
  readonly held: number
  readonly room: number
  readonly busy: number
  /** What comes below it is full. */
  readonly blocked: boolean
}

export interface Station {
  readonly id: string
  /** Takes rows. Called under the commit lock: computes and writes files, and never waits for others. */
  readonly push: (rows: ReadonlyArray<Row>) => Effect.Effect<void, StepError, Services>
  /** No more rows will come. Under the gate; once more is as good as once. */
  readonly finish: Effect.Effect<void, StepError, Services>
  /** Begins to work, or goes on after a crash. */
  readonly start: Effect.Effect<void, StepError, Services | Scope.Scope>
  readonly room: Room
  /** False when no more rows are wanted. */
  readonly wants: () => boolean
  /** What has changed since the last time. Under the gate. */
  readonly save: Effect.Effect<Changes, StepError>
  /** Of a station that holds rows back. */
  readonly load?: (() => Load) | undefined
  /**
   * Ends without what is not done yet. Under the commit lock, when no more rows come from above; a station without it ends
   * as soon as those above it have.
   */
  readonly abandon?: Effect.Effect<void, StepError, Services> | undefined
  /** Keys of the rows that it has left out, once it has ended. */
  readonly left?: (() => ReadonlyArray<string>) | undefined
  readonly seal?: Effect.Effect<Sealed, StepError> | undefined
  readonly discard?: Effect.Effect<void> | undefined
}

/** Where a station's rows go: to all of its readers, or out of the run. */
export interface Outlet {
  readonly push: (rows: ReadonlyArray<Row>) => Effect.Effect<void, StepError, Services>
  readonly finish: Effect.Effect<void, StepError, Services>
  readonly room: Room
  /** Waits until there is room, or the run comes to a stop. */
  readonly welcome: Effect.Effect<void>
  readonly wants: () => boolean
}

/**
 * A station where branches merge, as each of its upstream steps sees it. Rows pass as they come; the station finishes
 * when all upstream steps have finished. Nothing of it is saved: on a resume every finished step says so once more.
 */
export const merge = (station: Station, upstream: ReadonlyArray<string>): ((from: string) => Station) => {
  const open = new Set(upstream)
  return (from) => ({
    ...station,
    finish: Effect.suspend(() => {
      open.delete(from)
      return open.size === 0 ? station.finish : Effect.void
    })
  })
}

/** The end of a branch: rows that come to it have left the run. */
export const exit = ({
  counters,
  tap
}: Pick<Execution, "counters" | "tap">): Pick<Station, "finish" | "push" | "room" | "wants"> => ({
  push: (rows) =>
    Effect.suspend(() => {
      counters.rows += rows.length
      return tap?.take(rows) ?? Effect.void
    }),
  finish: Effect.void,
  room: tap?.room ?? { isFree: () => true, wait: Effect.void },
  wants: () => true
})

/** `ended` completes when the last row has passed. */
export const makeOutlet = (
  id: string,
  readers: ReadonlyArray<Station>,
  ended: Deferred.Deferred<void>,
  { counters, halt, observe, tap }: Pick<Execution, "counters" | "halt" | "observe" | "tap">
): Outlet => {
  const isEnd = readers.length === 0
  const room: Room =
    isEnd && tap !== undefined
      ? tap.room
      : {
          isFree: () => readers.every((reader) => reader.room.isFree()),
          wait: Effect.forEach(readers, (reader) => reader.room.wait, { discard: true })
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
          else counters.leaveOut(reader.id, "wanted")
        }
      }),
    finish: Effect.zipRight(
      Effect.forEach(readers, (reader) => reader.finish, { discard: true }),
      Deferred.succeed(ended, undefined)
    ),
    room,
    // A run that comes to a stop makes no more room.
    welcome: Effect.suspend(() =>
      room.isFree() ? Effect.void : Metrics.waiting(Effect.raceFirst(room.wait, halt.asked), id)
    ),
    wants: () => isEnd || readers.some((reader) => reader.wants())
  }
}

export interface Delivery {
  readonly context: Context
  readonly outlet: Outlet
  /** At most so many rows are still wanted of it; it is asked before each batch. */
  readonly left: () => number
  /** True for what goes on to its end when the budget is reached: it is paid for. */
  readonly drains: boolean
  readonly settle: Settle
  /** Failed rows that an earlier life of the run has kept. */
  readonly unsettled: ReadonlyArray<Failure>
  /** Keeps failed rows for the next life of the run, under the gate. */
  readonly keep: (failures: ReadonlyArray<Failure>) => void
  /** Remembers where the source stands, under the gate, with the rows that were taken. */
  readonly moved: (cursor: Json) => void
}

/** Settles failed rows up to the reject that ends the run, and keeps those after it. Gives why the run ends, if it does. */
const settleAll = (failures: ReadonlyArray<Failure>, { context, keep, outlet, settle }: Delivery) =>
  Effect.gen(function* () {
    for (const [at, [row, error]] of failures.entries()) {
      const reached = settle.stop()
      if (reached !== undefined) {
        keep(failures.slice(at))
        return reached
      }
      const { made } = yield* settle.upToLimit(context.failed(row, error))
      yield* outlet.push(made)
    }
    keep([])
    return settle.stop()
  })

/** Books a batch and pushes its rows; what its failures are replaced by goes behind them. */
const take = (batch: Batch, delivery: Delivery, execution: Execution) =>
  Effect.gen(function* () {
    const { context, left, moved, outlet } = delivery
    const { counters } = execution
    const room = left()
    const rows = batch.rows.length > room ? batch.rows.slice(0, room) : batch.rows
    execution.book(context.id, batch)
    moved(batch.cursor)
    batch.taken?.()
    counters.fresh++
    yield* outlet.push(rows)
    const { failures = [] } = batch
    return failures.length === 0 ? undefined : yield* settleAll(failures, delivery)
  })

/** Delivers batches until they end, no more rows are wanted, or the run halts; true when none is left. */
export const deliver = (
  batches: Stream.Stream<Batch, StepError, Services>,
  delivery: Delivery,
  execution: Execution
): Effect.Effect<boolean, StepError, Services> =>
  Effect.suspend(() => {
    const { drains, left, outlet } = delivery
    const { budget, gate, halt } = execution
    let ended = false
    /** The run ends as soon as nothing is half moved. */
    let isCut = false
    const cut = (stop: StepError) =>
      Effect.suspend(() => {
        isCut = true
        return execution.fork(delivery.context.id, Effect.fail(stop))
      })
    const enough = () => left() <= 0 || !outlet.wants()
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
      Stream.interruptWhen(drains ? halt.stopped : halt.asked),
      Stream.mapEffect((batch) =>
        gate.move(take(batch, delivery, execution)).pipe(
          Effect.flatMap((stop) => (stop === undefined ? Effect.zipRight(outlet.welcome, budget.watch) : cut(stop))),
          Effect.map(() => {
            if (isCut) return true
            if (!ended && enough()) {
              ended = true
              execution.counters.leaveOut(delivery.context.id, left() <= 0 ? "trial" : "wanted")
            }
            return ended
          })
        )
      ),
      Stream.takeUntil((done) => done),
      Stream.runDrain,
      Effect.map(() => ended && !isCut)
    )
    if (delivery.unsettled.length === 0) return all
    return Effect.flatMap(gate.move(settleAll(delivery.unsettled, delivery)), (stop) =>
      stop === undefined ? all : Effect.as(cut(stop), false)
    )
  })

export interface OperatorOptions {
  readonly context: Context
  readonly common: Common
  readonly settle: Settle
  readonly transform: Transform
  /** Set for a sink; `transform` then holds its `push` and `save`. */
  readonly sink?: OpenSink | undefined
  /** As it was saved by {@link Station.save}. */
  readonly saved: Saved
  readonly outlet: Outlet
  readonly execution: Execution
}

/** What the station itself keeps, beside what its step does. */
interface Kept {
  readonly finished: boolean
  readonly over: boolean
  readonly cursor?: Json | undefined
  readonly own?: Json | undefined
  /** Rows that were given to it and that the step has not had. */
  readonly held?: ReadonlyArray<Json> | undefined
  /** Failed rows of its last batch that came after the reject that ended the run. */
  readonly later?: ReadonlyArray<FailureJson> | undefined
}

/** What a step kept, out of what its station did. */
export const ownSaved = ({ entries, value }: Saved): Saved => ({
  entries,
  value: (value as unknown as Kept | undefined)?.own
})

export const makeOperator = ({
  common,
  context,
  execution,
  outlet,
  saved,
  settle,
  sink,
  transform
}: OperatorOptions): Station => {
  const { gate, halt } = execution
  const kept = saved.value as unknown as Kept | undefined
  let { cursor, finished = false, over = false, own } = (kept ?? {}) as Partial<Kept>
  let unsettled: ReadonlyArray<Failure> = (kept?.later ?? []).map(failureOf)
  let waiting = (kept?.held ?? []).map(fromJson)
  let begun = false
  let isStopped = false
  let isDraining = false
  let dirty = false

  const count = () => {
    if (sink !== undefined) execution.counters.written.set(context.id, sink.bytes())
  }
  count()

  const end = Effect.suspend(() => {
    over = true
    dirty = true
    return outlet.finish
  })

  const { end: rest } = transform
  const drain =
    rest === undefined
      ? Effect.void
      : Effect.gen(function* () {
          // Rows that no step wants are not made, and nothing is paid for them.
          if (!outlet.wants()) {
            execution.counters.leaveOut(context.id, "wanted")
            return yield* gate.move(end)
          }
          const delivery = {
            context,
            outlet,
            left: () => Number.POSITIVE_INFINITY,
            drains: true,
            settle,
            unsettled,
            keep: (failures: ReadonlyArray<Failure>) => {
              dirty ||= failures.length > 0 || unsettled.length > 0
              unsettled = failures
            },
            moved: (at: Json) => {
              cursor = at
              dirty = true
            }
          }
          // Rows that are made again after a crash may come in another order, or be others: now they are settled.
          yield* execution.commit.now
          const all = yield* deliver(withRetryStream(rest(cursor), common.retry), delivery, execution)
          if (all) yield* gate.move(end)
        }).pipe(
          // A run that publishes what was paid for ends where it can pay no more.
          Effect.catchIf(
            ({ reason }) => reason === "BudgetReached" && execution.publishing.isOn,
            () => gate.move(end)
          ),
          halt.respect,
          Effect.ensuring(
            Effect.sync(() => {
              isDraining = false
            })
          )
        )

  const work = (rows: ReadonlyArray<Row>): Effect.Effect<void, StepError, Services> =>
    Effect.gen(function* () {
      if (settle.room() === Number.POSITIVE_INFINITY) return yield* outlet.push(yield* transform.push(rows))
      const made: Array<Row> = []
      for (let at = 0; at < rows.length; ) {
        const to = at + Math.min(settle.room(), rows.length - at)
        const part = yield* settle.upToLimit(transform.push(at === 0 && to === rows.length ? rows : rows.slice(at, to)))
        for (const row of part.made) made.push(row)
        at = to
        if (part.stop === undefined) continue
        isStopped = true
        waiting = rows.slice(to)
        dirty = true
        yield* execution.fork(context.id, Effect.fail(part.stop))
        break
      }
      yield* outlet.push(made)
    })

  const push = (rows: ReadonlyArray<Row>): Effect.Effect<void, StepError, Services> =>
    Effect.suspend(() => {
      if (finished || transform.full?.() === true) return Effect.void
      if (!isStopped) return work(rows)
      waiting.push(...rows)
      dirty = true
      return Effect.void
    })

  /** Gives the step what an earlier life of the run has kept. */
  const release = Effect.suspend(() => {
    const rows = waiting
    waiting = []
    dirty = true
    return push(rows)
  })

  const finish = Effect.suspend(() => {
    if (begun || isStopped) return Effect.void
    begun = true
    finished = true
    dirty = true
    if (rest === undefined || over) return end
    isDraining = true
    return execution.fork(context.id, halt.busy(drain))
  })

  return {
    id: context.id,
    push,
    finish,
    start: finished ? gate.move(finish) : Effect.suspend(() => (waiting.length > 0 ? gate.move(release) : Effect.void)),
    room: outlet.room,
    wants: () => !finished && transform.full?.() !== true && outlet.wants(),
    save: Effect.map(transform.save ?? Effect.succeed<Changes>({}), ({ entries, value }): Changes => {
      if (value !== undefined) own = value
      count()
      const changed = dirty || value !== undefined
      dirty = false
      const rest = {
        ...(waiting.length === 0 ? {} : { held: waiting.map(toJson) }),
        ...(unsettled.length === 0 ? {} : { later: unsettled.map(failureJson) as unknown as Json })
      }
      return { entries, value: changed ? { finished, over, cursor, own, ...rest } : undefined }
    }),
    abandon: Effect.suspend(() => (begun && !over && !isDraining ? end : Effect.void)),
    left: () => (transform.left?.() ?? []).map(keyOf),
    seal: sink?.seal,
    discard: sink?.discard
  }
}
