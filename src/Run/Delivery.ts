/** What a source makes, on its way into the run: each batch is taken down whole, under the gate. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Json } from "../Row.ts"
import type { Batch, Context, Services, StepError } from "../Step.ts"
import type { Execution } from "./Execution.ts"
import type { Outlet } from "./Station.ts"

export interface Delivery {
  readonly context: Context
  readonly outlet: Outlet
  /** At most so many rows are still wanted of it; it is asked before each batch. */
  readonly left: () => number
  /** True for what goes on to its end when the budget is reached: it is paid for. */
  readonly drains: boolean
  /** Remembers where the source stands, under the gate, with the rows that were taken. */
  readonly moved: (cursor: Json) => void
}

/** Books a batch and pushes its rows; what its failures are replaced by goes behind them. */
const take = (batch: Batch, { context, left, moved, outlet }: Delivery, execution: Execution) =>
  Effect.gen(function* () {
    const { counters } = execution
    const room = left()
    const rows = batch.rows.length > room ? batch.rows.slice(0, room) : batch.rows
    execution.book(context.id, batch)
    moved(batch.cursor)
    batch.taken?.()
    counters.fresh++
    yield* outlet.push(rows)
    for (const [row, error] of batch.failures ?? []) yield* outlet.push(yield* context.failed(row, error))
  })

/** Delivers batches until they end, nobody wants more, or the run halts; true when nothing is left to deliver. */
export const deliver = (
  batches: Stream.Stream<Batch, StepError, Services>,
  delivery: Delivery,
  execution: Execution
): Effect.Effect<boolean, StepError, Services> =>
  Effect.suspend(() => {
    const { drains, left, outlet } = delivery
    const { budget, gate, halt } = execution
    let ended = false
    const enough = () => left() <= 0 || !outlet.wants()
    return batches.pipe(
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
          Effect.zipRight(outlet.welcome),
          Effect.zipRight(budget.watch),
          Effect.map(() => {
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
      Effect.map(() => ended)
    )
  })
