/**
 * Output limit: operator in front of a sink, or at the end of a branch without one, that passes only as many rows as
 * the budget admits (`rows`, `bytes`).
 *
 * - Rows that do not fit are buffered and saved with the checkpoint, and a shutdown is requested. A resumed run passes
 *   them first.
 * - The sink is finished only when no row is buffered, so that a run cut by its budget never looks complete.
 * - `push`, `finish` and `save` are called under the commit lock, like those of every operator.
 */
import * as Effect from "effect/Effect"
import { SavedRow } from "../Row/SavedValue.ts"
import { type Json, originKeys, type Row, toJson } from "../Row.ts"
import { decodeEntries, ordinal } from "../Step/SavedState.ts"
import type { Changes, OpenSink, StepError } from "../Step.ts"
import type { Operator, Receiver, RunServices } from "./Operator.ts"
import type { RunContext } from "./RunContext.ts"

/** Id of a step's output limit, as in checkpoints. No step of a definition can have such an id. */
export const idOf = (step: string): string => `~intake/${step}`

/** Decodes rows that were buffered by an interrupted run. */
export const decodeBuffered = decodeEntries(SavedRow)

export interface OutputLimitOptions {
  readonly id: string
  /** Receives the admitted rows. */
  readonly inner: Receiver
  readonly saved: ReadonlyArray<readonly [key: string, row: Row]>
  /** Upper bound of the bytes that a row adds to the files of the sink. */
  readonly sizeOf: OpenSink["sizeOf"] | undefined
  /** False downstream of another sink, which has already counted the rows. */
  readonly countsRows: boolean
  readonly run: RunContext
}

/** Rows that did not fit, and the additions and removals since the last checkpoint. */
class RowBuffer {
  readonly #rows: Map<string, Row>
  readonly #changed = new Map<string, Json | undefined>()
  #next = 0

  constructor(saved: OutputLimitOptions["saved"]) {
    this.#rows = new Map(saved)
    for (const [key] of saved) this.#next = Math.max(this.#next, Number(key) + 1)
  }

  get size(): number {
    return this.#rows.size
  }

  add(rows: ReadonlyArray<Row>): void {
    for (const row of rows) {
      const key = ordinal(this.#next++)
      this.#rows.set(key, row)
      this.#changed.set(key, toJson(row))
    }
  }

  /** Empties the buffer and returns its rows. */
  takeAll(): ReadonlyArray<Row> {
    const rows = [...this.#rows.values()]
    for (const key of this.#rows.keys()) this.#changed.set(key, undefined)
    this.#rows.clear()
    return rows
  }

  /** Changes since the last call, for a checkpoint. */
  changes(): Changes {
    const entries = [...this.#changed]
    this.#changed.clear()
    return { entries }
  }
}

export const make = ({ countsRows, id, inner, run, saved, sizeOf }: OutputLimitOptions): Operator => {
  const { budget, counters, lock, shutdown } = run
  const buffered = new RowBuffer(saved)
  const leftOut: Array<ReadonlyArray<string>> = []
  let isFinishing = false

  const buffer = (rows: ReadonlyArray<Row>) => {
    buffered.add(rows)
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

  return {
    id,
    push,
    finish,
    /** Passes the rows buffered before the resume. */
    start: lock.move(
      Effect.suspend(() =>
        buffered.size === 0
          ? Effect.void
          : Effect.zipRight(
              push(buffered.takeAll()),
              Effect.suspend(() => (isFinishing ? finish : Effect.void))
            )
      )
    ),
    /** Leaves the rows that did not fit to the next run. */
    abandon: Effect.suspend(() => {
      for (const row of buffered.takeAll()) leftOut.push(originKeys(row))
      return isFinishing ? inner.finish : Effect.void
    }),
    leftOut: () => leftOut,
    capacity: inner.capacity,
    wants: inner.wants,
    save: Effect.sync(() => buffered.changes())
  }
}
