/** Delivers the batches of a source; each is recorded as a whole, under the commit lock. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Json } from "../Row.ts"
import type { Batch, Context, Failure, Services, StepError } from "../Step.ts"
import type { Execution } from "./Execution.ts"
import type { Settle } from "./OnError.ts"
import type { Outlet } from "./Station.ts"

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
