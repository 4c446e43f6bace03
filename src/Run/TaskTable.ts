/**
 * Unfinished tasks of a worker pool, in memory and in checkpoints.
 *
 * - Only the pool changes them, under the commit lock. A checkpoint saves the changes since the one before.
 * - Every task has a mark, which identifies its calls and survives every resume. A mark is reused only after a checkpoint has dropped its
 *   answers.
 */
import * as Schema from "effect/Schema"
import type { AttemptLog } from "../Client/RetryLoop.ts"
import { sha256 } from "../Row/Hash.ts"
import { JsonValue, SavedRow } from "../Row/SavedValue.ts"
import { type Json, keyOf, type Row, toJson } from "../Row.ts"
import { decodeEntries, ordinal } from "../Step/SavedState.ts"
import type { Failure } from "../Step.ts"
import { failureJson, failureOf, SavedFailure } from "./RunErrors.ts"

/** Work item of a pool: reads a source, or transforms one row. */
export interface Task {
  /** Position among the tasks of the pool. */
  readonly key: string
  readonly row: Row | undefined
  /** Hash of the row, which stays the same after a resume. */
  readonly base: string
  /** Identifies the calls of the task: `base`, with a number if other tasks have the same row. */
  readonly mark: string
  /** Cursor in the task's source. */
  cursor: Json | undefined
  /** Failed rows of the last batch that come after the reject that ended the run. */
  pendingFailures: ReadonlyArray<Failure>
  /** Marks of the calls whose answers have arrived. */
  readonly callMarks: Array<string>
  /** Calls of the task's last execution. */
  attempts?: AttemptLog | undefined
  /** Rows that the task made; set once it is finished. */
  output: ReadonlyArray<Row> | undefined
  /**
   * True when `output` replaces a row that failed. It is committed together with the reject: a resumed run neither
   * tries the row again nor rejects it twice.
   */
  failed: boolean
  /** True once a checkpoint has saved the task. */
  isPersisted: boolean
}

/** Unfinished tasks of a pool in the order of their rows, and which of them changed since the last checkpoint. */
export class TaskTable {
  readonly #tasks = new Map<string, Task>()
  readonly #changed = new Map<string, Task | undefined>()
  readonly #marks = new TaskMarks()
  /** Position of the next task. */
  next: number

  constructor(next: number, saved: ReadonlyArray<readonly [key: string, task: SavedTask]>) {
    this.next = next
    for (const [key, known] of saved) this.#tasks.set(key, taskOf(key, undefined, this.#marks, known))
  }

  get size(): number {
    return this.#tasks.size
  }

  all(): Iterable<Task> {
    return this.#tasks.values()
  }

  add(row: Row | undefined): Task {
    const task = taskOf(ordinal(this.next++), row, this.#marks)
    this.#tasks.set(task.key, task)
    this.#changed.set(task.key, task)
    return task
  }

  save(task: Task): void {
    this.#changed.set(task.key, task)
  }

  remove(task: Task): void {
    this.#tasks.delete(task.key)
    // A task that was added and removed between two checkpoints is never written.
    if (task.isPersisted) this.#changed.set(task.key, undefined)
    else this.#changed.delete(task.key)
    this.#marks.leave(task)
  }

  /** Changes since the last call, for a checkpoint. */
  changes(): Array<readonly [key: string, task: Json | undefined]> {
    const entries = Array.from(this.#changed, ([key, task]): readonly [string, Json | undefined] => {
      if (task !== undefined) task.isPersisted = true
      return [key, task === undefined ? undefined : taskJson(task)]
    })
    this.#changed.clear()
    this.#marks.saved()
    return entries
  }
}

/** Task in a checkpoint. */
export const SavedTask = Schema.Struct({
  row: Schema.optional(SavedRow),
  mark: Schema.String,
  base: Schema.String,
  cursor: Schema.optional(JsonValue),
  later: Schema.optional(Schema.Array(SavedFailure)),
  /** Rows that replace a failed row. */
  instead: Schema.optional(Schema.Array(SavedRow))
})
type SavedTask = typeof SavedTask.Type

export const decodeTasks = decodeEntries(SavedTask)

const numberOf = (base: string, mark: string): number => Number(mark.slice(base.length + 1))

/** Numbers that the marks of tasks with the same row use. */
interface MarkNumbers {
  readonly taken: Set<number>
  /** All lower numbers are in use. */
  free: number
}

/**
 * Marks in use. No two tasks share a mark, and none is reused before a checkpoint has dropped its answers. A task takes the first free
 * number, so rows that come again after a crash get the marks that they had.
 */
export class TaskMarks {
  readonly #alike = new Map<string, MarkNumbers>()
  #left: Array<Pick<Task, "base" | "mark">> = []

  /** Takes a mark for a task with this row; `known` is the mark that the task had before a resume. */
  take(base: string, known?: string): string {
    const alike = this.#alike.get(base) ?? { taken: new Set(), free: 0 }
    this.#alike.set(base, alike)
    while (known === undefined && alike.taken.has(alike.free)) alike.free++
    const number = known === undefined ? alike.free : numberOf(base, known)
    alike.taken.add(number)
    return known ?? (number === 0 ? base : `${base}#${number}`)
  }

  /** Returns the mark of a finished task. It can be reused after the next checkpoint. */
  leave({ base, mark }: Pick<Task, "base" | "mark">): void {
    this.#left.push({ base, mark })
  }

  /** Makes the marks of finished tasks available again. Called after a checkpoint, which has dropped the answers stored under them. */
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

/** Hash of a row, computed as in version 0.1, so that runs of that version find their answers when they are resumed. */
const baseOf = (row: Row): string => {
  const { data, jobId, position, source } = row
  return sha256(JSON.stringify({ data, key: keyOf(row), source, position, jobId })).slice(0, 32)
}

/** Makes a task for a row; `known` is a task from a checkpoint. */
export const taskOf = (key: string, row: Row | undefined, marks: TaskMarks, known?: SavedTask): Task => {
  const base = known?.base ?? (row === undefined ? "" : baseOf(row))
  return {
    key,
    row: known?.row ?? row,
    base,
    mark: marks.take(base, known?.mark),
    cursor: known?.cursor,
    pendingFailures: known?.later?.map(failureOf) ?? [],
    callMarks: [],
    output: known?.instead,
    failed: known?.instead !== undefined,
    isPersisted: known !== undefined
  }
}

/** A task as JSON for a checkpoint. */
export const taskJson = ({ base, cursor, failed, output, mark, row, pendingFailures }: Task): Json => ({
  row: row === undefined ? undefined : toJson(row),
  base,
  mark,
  cursor,
  later: pendingFailures.length === 0 ? undefined : pendingFailures.map(failureJson),
  instead: failed ? output?.map(toJson) : undefined
})
