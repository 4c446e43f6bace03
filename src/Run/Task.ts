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

/** How many tasks for the same row there are, and how many there have been since there was none. */
interface Alike {
  here: number
  next: number
}

/** The marks in use: no two tasks share one, and none is used again before a checkpoint has let go of its answers. */
export class Marks {
  readonly #alike = new Map<string, Alike>()
  #left: Array<string> = []

  /** A mark for one more task for this row; `known` is that of before a crash. */
  take(base: string, known?: string): string {
    const alike = this.#alike.get(base) ?? { here: 0, next: 0 }
    this.#alike.set(base, alike)
    alike.here++
    const index = known === undefined ? alike.next : Number(known.slice(base.length + 1))
    alike.next = Math.max(alike.next, index + 1)
    return known ?? (index === 0 ? base : `${base}#${index}`)
  }

  /** The task is done, but its answers are held. */
  leave(base: string): void {
    this.#left.push(base)
  }

  /** A checkpoint lets go of the answers of tasks that are done. */
  saved(): void {
    for (const base of this.#left) {
      const alike = this.#alike.get(base)
      if (alike !== undefined && --alike.here === 0) this.#alike.delete(base)
    }
    this.#left = []
  }
}

/** A task for a row; `kept` is one of before a crash. */
export const taskOf = (key: string, row: Row | undefined, marks: Marks, kept?: Json): Task => {
  const known = kept as Kept | undefined
  const base = known?.base ?? (row === undefined ? "" : sha256(JSON.stringify(toJson(row))).slice(0, 32))
  return {
    key,
    row: known?.row === undefined ? row : fromJson(known.row),
    base,
    mark: marks.take(base, known?.mark),
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
