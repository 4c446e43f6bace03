/** A station that computes: rows in, rows out, and what it still has to give when its input has ended. */
import * as Effect from "effect/Effect"
import type { Common } from "../Pipeline/Definition.ts"
import { type Json, keyOf } from "../Row.ts"
import type { Changes, Context, Saved, Transform } from "../Step.ts"
import { deliver } from "./Delivery.ts"
import type { Execution } from "./Execution.ts"
import { withRetryStream } from "./Retry.ts"
import type { Outlet, Station } from "./Station.ts"

export interface MachineOptions {
  readonly context: Context
  readonly common: Common
  readonly transform: Transform
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
}

/** What a step kept, out of what its station did. */
export const ownSaved = ({ entries, value }: Saved): Saved => ({
  entries,
  value: (value as unknown as Kept | undefined)?.own
})

export const make = ({ common, context, execution, outlet, saved, transform }: MachineOptions): Station => {
  const { gate, halt } = execution
  const kept = saved.value as unknown as Kept | undefined
  let { cursor, finished = false, over = false, own } = (kept ?? {}) as Partial<Kept>
  let begun = false
  let isDraining = false
  let dirty = false

  const count = () => {
    if (transform.bytes !== undefined) execution.counters.written.set(context.id, transform.bytes())
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

  const finish = Effect.suspend(() => {
    if (begun) return Effect.void
    begun = true
    finished = true
    dirty = true
    if (rest === undefined || over) return end
    isDraining = true
    return execution.fork(context.id, halt.busy(drain))
  })

  return {
    id: context.id,
    push: (rows) =>
      finished || transform.full?.() === true
        ? Effect.void
        : Effect.flatMap(transform.push(rows), (made) => outlet.push(made)),
    finish,
    start: finished ? gate.move(finish) : Effect.void,
    room: outlet.room,
    wants: () => !finished && transform.full?.() !== true && outlet.wants(),
    save: Effect.map(transform.save ?? Effect.succeed<Changes>({}), ({ entries, value }): Changes => {
      if (value !== undefined) own = value
      count()
      const changed = dirty || value !== undefined
      dirty = false
      return { entries, value: changed ? { finished, over, cursor, own } : undefined }
    }),
    abandon: Effect.suspend(() => (begun && !over && !isDraining ? end : Effect.void)),
    left: () => (transform.left?.() ?? []).map(keyOf),
    seal: transform.seal,
    discard: transform.discard
  }
}
