/** One piece of work of a pool: the row that asked for it, and how far it has come. */
import { sha256 } from "../Row/Hash.ts"
import { fromJson, type Json, keyOf, type Row, toJson } from "../Row.ts"
import { type Failure, StepError } from "../Step.ts"

export interface Task {
  /** Its place among the tasks of its pool. */
  readonly key: string
  readonly row: Row | undefined
  /** The same for the same row in every run of this run: answers are found again by it. */
  readonly base: string
  readonly mark: string
  /** Where its source stands. */
  cursor: Json | undefined
  /** Failed rows of its last batch that came after the reject that ended the run. */
  unsettled: ReadonlyArray<Failure>
  /** Marks of the answers it was given. */
  readonly answers: Array<string>
  /** What it made, while it waits for its turn. */
  made: ReadonlyArray<Row> | undefined
  /**
   * True when `made` stands in for a row that failed. It is committed together with the reject: a resumed run neither
   * tries the row again nor rejects it twice.
   */
  failed: boolean
  /** True once the ledger knows it. */
  kept: boolean
}

/** Sorts as numbers do. */
export const ordinal = (index: number): string => String(index).padStart(12, "0")

/** A failed row as the ledger keeps it. */
export interface FailureJson {
  readonly row: Json
  readonly error: Pick<StepError, "attempts" | "message" | "reason" | "status">
}

export const failureJson = ([row, { attempts, message, reason, status }]: Failure): FailureJson => ({
  row: toJson(row),
  error: { attempts, message, reason, status }
})

export const failureOf = ({ error, row }: FailureJson): Failure => [fromJson(row), new StepError(error)]

interface Kept {
  readonly row?: Json
  readonly mark: string
  readonly base: string
  readonly cursor?: Json
  readonly later?: ReadonlyArray<FailureJson>
  /** What stands in for the row when it has failed. */
  readonly instead?: ReadonlyArray<Json>
}

const numberOf = (base: string, mark: string): number => Number(mark.slice(base.length + 1))

/** The numbers that tell tasks for the same row apart. */
interface Alike {
  readonly taken: Set<number>
  /** None below it is free. */
  free: number
}

/**
 * The marks in use: no two tasks share one, and none is used again before a checkpoint has let go of its answers. A task
 * takes the first that is free, so that rows that come once more after a crash find the marks that they had.
 */
export class Marks {
  readonly #alike = new Map<string, Alike>()
  #left: Array<Pick<Task, "base" | "mark">> = []

  /** A mark for one more task for this row; `known` is that of before a crash. */
  take(base: string, known?: string): string {
    const alike = this.#alike.get(base) ?? { taken: new Set(), free: 0 }
    this.#alike.set(base, alike)
    while (known === undefined && alike.taken.has(alike.free)) alike.free++
    const number = known === undefined ? alike.free : numberOf(base, known)
    alike.taken.add(number)
    return known ?? (number === 0 ? base : `${base}#${number}`)
  }

  /** The task is done, but its answers are held. */
  leave({ base, mark }: Pick<Task, "base" | "mark">): void {
    this.#left.push({ base, mark })
  }

  /** A checkpoint lets go of the answers of tasks that are done. */
  saved(): void {
    for (const { base, mark } of this.#left) {
      const alike = this.#alike.get(base)
      const number = numberOf(base, mark)
      alike?.taken.delete(number)
      if (alike?.taken.size === 0) this.#alike.delete(base)
      else if (alike !== undefined) alike.free = Math.min(alike.free, number)
    }
    this.#left = []
  }
}

/** As version 0.1 wrote it, so that a run that it began finds its answers. */
const baseOf = (row: Row): string => {
  const { data, jobId, position, source } = row
  return sha256(JSON.stringify({ data, key: keyOf(row), source, position, jobId })).slice(0, 32)
}

/** A task for a row; `kept` is one of before a crash. */
export const taskOf = (key: string, row: Row | undefined, marks: Marks, kept?: Json): Task => {
  const known = kept as Kept | undefined
  const base = known?.base ?? (row === undefined ? "" : baseOf(row))
  return {
    key,
    row: known?.row === undefined ? row : fromJson(known.row),
    base,
    mark: marks.take(base, known?.mark),
    cursor: known?.cursor,
    unsettled: known?.later?.map(failureOf) ?? [],
    answers: [],
    made: known?.instead?.map(fromJson),
    failed: known?.instead !== undefined,
    kept: known !== undefined
  }
}

/** The task as the ledger keeps it. */
export const taskJson = ({ base, cursor, failed, made, mark, row, unsettled }: Task): Json => ({
  row: row === undefined ? undefined : toJson(row),
  base,
  mark,
  cursor,
  later: unsettled.length === 0 ? undefined : (unsettled.map(failureJson) as unknown as Json),
  instead: failed ? made?.map(toJson) : undefined
})
