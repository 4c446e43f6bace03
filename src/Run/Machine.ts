/**
 * A station that computes: rows in, rows out, and what it still has to give when its input has ended.
 *
 * Where its rejects reach `stopAfter` in the middle of a chunk, it keeps the rows after that one with the checkpoint, and the run ends.
 * A resumed run gives them first.
 */
import * as Effect from "effect/Effect"
import type { Common } from "../Pipeline/Definition.ts"
import { fromJson, type Json, keyOf, type Row, toJson } from "../Row.ts"
import type { Changes, Context, Failure, Saved, Services, StepError, Transform } from "../Step.ts"
import { deliver } from "./Delivery.ts"
import type { Execution } from "./Execution.ts"
import type { Settle } from "./OnError.ts"
import { withRetryStream } from "./Retry.ts"
import type { Outlet, Station } from "./Station.ts"
import { type FailureJson, failureJson, failureOf } from "./Task.ts"

export interface MachineOptions {
  readonly context: Context
  readonly common: Common
  readonly settle: Settle
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

export const make = ({ common, context, execution, outlet, saved, settle, transform }: MachineOptions): Station => {
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
    seal: transform.seal,
    discard: transform.discard
  }
}
