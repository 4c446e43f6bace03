/** One piece of work of a pool: the row that asked for it, and how far it has come. */
import { sha256 } from "../Row/Hash.ts"
import { fromJson, type Json, type Row, toJson } from "../Row.ts"

export interface Task {
  /** Its place among the tasks of its pool. */
  readonly key: string
  readonly row: Row | undefined
  /** The same for the same row in every run of this run: answers are found again by it. */
  readonly base: string
  readonly mark: string
  /** Where its source stands. */
  cursor: Json | undefined
  /** Rows that it has brought. */
  given: number
  /** Marks of the answers it was given. */
  readonly answers: Array<string>
  /** What it made, while it waits for its turn. */
  made: ReadonlyArray<Row> | undefined
  /** True once the ledger knows it. */
  kept: boolean
}

/** Sorts as numbers do. */
export const ordinal = (index: number): string => String(index).padStart(12, "0")

interface Kept {
  readonly row?: Json
  readonly mark: string
  readonly base: string
  readonly cursor?: Json
  readonly given: number
}

/** A task for a row; `marks` counts those that look the same. `kept` is one of before a crash. */
export const taskOf = (key: string, row: Row | undefined, marks: Map<string, number>, kept?: Json): Task => {
  const known = kept as Kept | undefined
  const base = known?.base ?? (row === undefined ? "" : sha256(JSON.stringify(toJson(row))).slice(0, 32))
  const alike = marks.get(base) ?? 0
  marks.set(base, alike + 1)
  return {
    key,
    row: known?.row === undefined ? row : fromJson(known.row),
    base,
    mark: known?.mark ?? (alike === 0 ? base : `${base}#${alike}`),
    cursor: known?.cursor,
    given: known?.given ?? 0,
    answers: [],
    made: undefined,
    kept: known !== undefined
  }
}

/** The task as the ledger keeps it. */
export const taskJson = ({ base, cursor, given, mark, row }: Task): Json => ({
  row: row === undefined ? undefined : toJson(row),
  base,
  mark,
  cursor,
  given
})
