/**
 * Intake: stands before a sink (and at the end of a branch without one) and lets no more rows through than the budget has
 * rows and bytes for.
 *
 * - Rows that do not fit are kept with the checkpoint, and the run comes to a stop. A resumed run gives them first.
 * - `push`, `finish` and `save` are called under the commit lock, as those of every operator.
 * - The sink is finished only when no row is kept, so that a run that was cut never looks complete.
 */
import * as Effect from "effect/Effect"
import { fromJson, type Json, keyOf, type Row, toJson } from "../Row.ts"
import type { Changes, OpenSink, Saved, StepError } from "../Step.ts"
import type { Capacity, Operator } from "./Operator.ts"
import type { RunContext, RunServices } from "./RunContext.ts"
import { ordinal } from "./WorkerPool.ts"

/** Id of the intake of a step; no step of a definition has one like it. */
export const idOf = (step: string): string => `~intake/${step}`

/** What an output limit passes its rows to. */
export type Limited = Pick<Operator, "capacity" | "finish" | "push" | "wants">

interface OutputLimitOptions extends Pick<RunContext, "budget" | "counters" | "lock" | "shutdown"> {
  readonly id: string
  readonly inner: Limited
  readonly saved: Saved
  /** Bytes that a row takes up in the sink's files at most. */
  readonly sizeOf: OpenSink["sizeOf"] | undefined
  /** False behind another sink, which has counted the rows. */
  readonly countsRows: boolean
}

export const make = ({
  budget,
  counters,
  countsRows,
  id,
  inner,
  lock,
  saved,
  shutdown,
  sizeOf
}: OutputLimitOptions): Operator => {
  const held = new Map<string, Row>()
  const changed = new Map<string, Json | undefined>()
  let next = 0
  let isFinishing = false
  for (const [key, json] of saved.entries) {
    held.set(key, fromJson(json))
    next = Number(key) + 1
  }

  const hold = (rows: ReadonlyArray<Row>) => {
    for (const row of rows) {
      const key = ordinal(next++)
      held.set(key, row)
      changed.set(key, toJson(row))
    }
    counters.isCut = true
    counters.uncommitted += rows.length
    return shutdown.request("budget")
  }

  const pass = (
    rows: ReadonlyArray<Row>,
    sizes: ReadonlyArray<number>
  ): Effect.Effect<void, StepError, RunServices> => {
    if (rows.length === 0) return Effect.void
    return Effect.flatMap(budget.admit(rows, { countsRows, sizes }), (fits) =>
      fits === 0
        ? hold(rows)
        : Effect.zipRight(
            inner.push(fits === rows.length ? rows : rows.slice(0, fits)),
            Effect.suspend(() => pass(rows.slice(fits), sizes.slice(fits)))
          )
    )
  }

  const push = (rows: ReadonlyArray<Row>): Effect.Effect<void, StepError, RunServices> => {
    if (rows.length === 0) return Effect.void
    if (held.size > 0) return hold(rows)
    return Effect.flatMap(budget.measure(rows, sizeOf), (sizes) => pass(rows, sizes))
  }

  const finish = Effect.suspend(() => {
    isFinishing = true
    return held.size > 0 ? Effect.void : inner.finish
  })

  /** Gives the rows that an earlier life of the run has kept. */
  const release = Effect.suspend(() => {
    const rows = [...held]
    held.clear()
    for (const [key] of rows) changed.set(key, undefined)
    if (rows.length === 0) return Effect.void
    return Effect.zipRight(
      push(rows.map(([, row]) => row)),
      Effect.suspend(() => (isFinishing ? finish : Effect.void))
    )
  })

  const left: Array<string> = []
  /** Rows that did not fit are left to the next run. */
  const abandon = Effect.suspend(() => {
    for (const [key, row] of held) {
      changed.set(key, undefined)
      left.push(keyOf(row))
    }
    held.clear()
    return isFinishing ? inner.finish : Effect.void
  })

  const capacity: Capacity = inner.capacity
  return {
    id,
    push,
    finish,
    start: lock.move(release),
    abandon,
    leftOut: () => left,
    capacity,
    wants: inner.wants,
    save: Effect.sync((): Changes => {
      const entries = [...changed]
      changed.clear()
      return { entries }
    })
  }
}
