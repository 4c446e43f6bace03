/**
 * Output limit: operator in front of a sink, or at the end of a branch without one, that passes only as many rows as
 * the budget admits (`rows`, `bytes`).
 *
 * - Rows that do not fit are buffered and saved with the checkpoint, and a shutdown is requested. A resumed run passes
 *   them first.
 * - The sink is finished only when no row is buffered, so that a run that was cut never looks complete.
 * - `push`, `finish` and `save` are called under the commit lock, like those of every operator.
 */
import * as Effect from "effect/Effect"
import { SavedRow } from "../Row/SavedValue.ts"
import { type Json, keyOf, type Row, toJson } from "../Row.ts"
import { decodeEntries } from "../Step/SavedState.ts"
import type { Changes, OpenSink, StepError } from "../Step.ts"
import type { Capacity, Operator } from "./Operator.ts"
import type { RunContext, RunServices } from "./RunContext.ts"
import { ordinal } from "./TaskTable.ts"

/** Id of the output limit of a step. No step of a definition has such an id; checkpoints contain it. */
export const idOf = (step: string): string => `~intake/${step}`

/** Receiver of the admitted rows. */
export type Limited = Pick<Operator, "capacity" | "finish" | "push" | "wants">

/** Decodes the rows that an interrupted run buffered. */
export const decodeBuffered = decodeEntries(SavedRow)

interface OutputLimitOptions extends Pick<RunContext, "budget" | "counters" | "lock" | "shutdown"> {
  readonly id: string
  readonly inner: Limited
  readonly saved: ReadonlyArray<readonly [key: string, row: Row]>
  /** Upper bound of the bytes that a row adds to the files of the sink. */
  readonly sizeOf: OpenSink["sizeOf"] | undefined
  /** False downstream of another sink, which has counted the rows. */
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
  const buffered = new Map(saved)
  const changed = new Map<string, Json | undefined>()
  let next = 0
  for (const [key] of saved) next = Number(key) + 1
  let isFinishing = false

  const buffer = (rows: ReadonlyArray<Row>) => {
    for (const row of rows) {
      const key = ordinal(next++)
      buffered.set(key, row)
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
        ? buffer(rows)
        : Effect.zipRight(
            inner.push(fits === rows.length ? rows : rows.slice(0, fits)),
            Effect.suspend(() => pass(rows.slice(fits), sizes.slice(fits)))
          )
    )
  }

  const push = (rows: ReadonlyArray<Row>): Effect.Effect<void, StepError, RunServices> => {
    if (rows.length === 0) return Effect.void
    if (buffered.size > 0) return buffer(rows)
    return Effect.flatMap(budget.measure(rows, sizeOf), (sizes) => pass(rows, sizes))
  }

  const finish = Effect.suspend(() => {
    isFinishing = true
    return buffered.size > 0 ? Effect.void : inner.finish
  })

  /** Passes the rows that were buffered before the resume. */
  const release = Effect.suspend(() => {
    const rows = [...buffered]
    buffered.clear()
    for (const [key] of rows) changed.set(key, undefined)
    if (rows.length === 0) return Effect.void
    return Effect.zipRight(
      push(rows.map(([, row]) => row)),
      Effect.suspend(() => (isFinishing ? finish : Effect.void))
    )
  })

  const leftOut: Array<string> = []
  /** Leaves the rows that did not fit to the next run. */
  const abandon = Effect.suspend(() => {
    for (const [key, row] of buffered) {
      changed.set(key, undefined)
      leftOut.push(keyOf(row))
    }
    buffered.clear()
    return isFinishing ? inner.finish : Effect.void
  })

  const capacity: Capacity = inner.capacity
  return {
    id,
    push,
    finish,
    start: lock.move(release),
    abandon,
    leftOut: () => leftOut,
    capacity,
    wants: inner.wants,
    save: Effect.sync((): Changes => {
      const entries = [...changed]
      changed.clear()
      return { entries }
    })
  }
}
