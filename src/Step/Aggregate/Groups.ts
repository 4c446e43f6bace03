/**
 * Groups of `aggregate`: in memory as a hash table, on disk as sorted lines.
 *
 * A line is `MARKS\tSUB\tSTATES`. MARKS are the values of the columns in `by`. An empty SUB marks the states of a group's measures;
 * otherwise SUB is `MEASURE:VALUE`, one of the distinct values that `countDistinct` counts. When sorted, the lines of a group are adjacent,
 * states of earlier rows come first, and equal values are neighbours: merging needs memory for only one line per file.
 */
import { sha256 } from "../../Row/Hash.ts"
import type { Json, Row } from "../../Row.ts"
import type { LineOrder } from "../Merge.ts"
import { comparison, type Marks, sortedIndices } from "../SortOrder.ts"
import { memoryOf } from "../Spill.ts"
import { StepError } from "../StepError.ts"
import { addValue, type Measure, type MeasureState, mergeState, resultOf } from "./Measure.ts"

/** Result of a group: its row, or the row with the error because of which it is rejected. */
export type GroupRow = Row | readonly [row: Row, error: StepError]

/** Columns of the result. */
export interface Columns {
  readonly by: ReadonlyArray<string>
  readonly measures: ReadonlyArray<readonly [name: string, measure: Measure]>
  /** Order of all names, for cases where an object would not keep it. */
  readonly fields?: ReadonlyArray<string> | undefined
}

export interface Group {
  readonly marks: Marks
  readonly states: ReadonlyArray<MeasureState>
  /** Distinct values, for each measure that counts them. */
  readonly distinct: ReadonlyArray<Set<string> | undefined>
}

/** Group as saved in a checkpoint. */
export interface SavedGroup {
  readonly marks: Marks
  readonly states: ReadonlyArray<MeasureState>
  readonly distinct: ReadonlyArray<ReadonlyArray<string> | null>
}

/** Maximum length of a value; longer ones are compared by hash. */
const longestText = 64

const distinctText = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length <= longestText ? text : `#${sha256(text)}`
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

const bytesPerGroup = 250
const bytesPerValue = 60

export class Groups {
  readonly #columns: Columns
  readonly #groups = new Map<unknown, Group>()
  /** Groups in order of arrival. */
  #inOrder: Array<Group> = []
  /** Approximate memory in bytes. */
  memory = 0

  constructor(columns: Columns) {
    this.#columns = columns
  }

  get size(): number {
    return this.#groups.size
  }

  /** Adds a row by its group keys and measured values; returns its group. */
  add(marks: Marks, values: ReadonlyArray<unknown>): Group {
    const group = this.#find(marks)
    for (const [index, [, measure]] of this.#columns.measures.entries()) {
      const value = measure.source === undefined ? true : values[index]
      if (!isGiven(value)) continue
      const seen = group.distinct[index]
      if (seen === undefined) {
        const state = group.states[index] ?? []
        const before = state.length
        addValue(measure, state, value)
        if (state.length > before && typeof value === "object") this.memory += memoryOf(value)
        else if (state.length > before) this.memory += 8 + (typeof value === "string" ? value.length : 0)
        continue
      }
      const text = distinctText(value)
      if (seen.has(text)) continue
      seen.add(text)
      this.memory += text.length + bytesPerValue
    }
    return group
  }

  /** Restores a group from a checkpoint. */
  restore({ distinct, marks, states }: SavedGroup): Group {
    const group: Group = {
      marks,
      states: states.map((state) => [...state]),
      distinct: distinct.map((values) => (values === null ? undefined : new Set(values)))
    }
    this.#put(marks, group)
    this.memory += memoryOf(states) + memoryOf(distinct)
    return group
  }

  clear(): void {
    this.#groups.clear()
    this.#inOrder = []
    this.memory = 0
  }

  /** Groups in result order. */
  sorted(): ReadonlyArray<Group> {
    const groups = this.#inOrder
    const indices = sortedIndices(
      groups.map(({ marks }) => marks),
      this.#columns.by.map(() => "asc")
    )
    return Array.from(indices).flatMap((index) => groups[index] ?? [])
  }

  /** Groups as lines of a sorted file. */
  *lines(): Iterable<string> {
    for (const { distinct, marks, states } of this.sorted()) {
      const key = JSON.stringify(marks)
      yield `${key}\t\t${JSON.stringify(states)}`
      const subs = distinct.flatMap((seen, index) => Array.from(seen ?? [], (text) => `${index}:${text}`))
      for (const sub of subs.sort()) yield `${key}\t${sub}\t`
    }
  }

  #find(marks: Marks): Group {
    const known = this.#groups.get(keyOf(marks))
    if (known !== undefined) return known
    const group: Group = {
      marks,
      states: this.#columns.measures.map(() => []),
      distinct: this.#columns.measures.map(([, { kind }]) => (kind === "countDistinct" ? new Set<string>() : undefined))
    }
    this.#put(marks, group)
    return group
  }

  #put(marks: Marks, group: Group): void {
    this.#groups.set(keyOf(marks), group)
    this.#inOrder.push(group)
    this.memory += memoryOf(marks) + bytesPerGroup + group.states.length * 64
  }
}

/** Key of a group in the hash table; keeps 1 and "1" apart as different groups. */
const keyOf = (marks: Marks): unknown => (marks.length === 1 ? marks[0] : JSON.stringify(marks))

/** Makes the row of a group. */
export const rowOf = (
  columns: Columns,
  marks: Marks,
  states: ReadonlyArray<MeasureState>,
  counts: ReadonlyArray<number>
): GroupRow => {
  const data: Record<string, Json> = {}
  let failed: StepError | undefined
  for (const [index, name] of columns.by.entries()) data[name] = marks[index] ?? null
  for (const [index, [name, measure]] of columns.measures.entries()) {
    const result = resultOf(measure, states[index] ?? [], counts[index] ?? 0)
    if (result instanceof StepError) failed ??= result
    else data[name] = result
  }
  const [only] = marks
  const row: Row = {
    data,
    fields: columns.fields,
    key: marks.length === 1 && typeof only === "string" ? only : JSON.stringify(marks)
  }
  return failed === undefined ? row : [row, failed]
}

export const rowOfGroup = (columns: Columns, { distinct, marks, states }: Group): GroupRow =>
  rowOf(
    columns,
    marks,
    states,
    distinct.map((seen) => seen?.size ?? 0)
  )

/** Parts of a line that decide its order. */
export interface GroupLine {
  readonly marks: Marks
  readonly sub: string
}

/** Order of lines: by group, with states before values. */
export const lineOrder = ({ by }: Columns): LineOrder<GroupLine> => {
  const compare = comparison(by.map(() => "asc"))
  return {
    parse: (line) => {
      const tab = line.indexOf("\t")
      return { marks: JSON.parse(line.slice(0, tab)), sub: line.slice(tab + 1, line.indexOf("\t", tab + 1)) }
    },
    compare: (a, b) => compare(a.marks, b.marks) || (a.sub < b.sub ? -1 : a.sub > b.sub ? 1 : 0)
  }
}

/** Merges the sorted lines of each group on disk into the group's row, one group after the other. */
export class GroupReader {
  readonly #columns: Columns
  readonly #compare: (a: Marks, b: Marks) => number
  #marks: Marks | undefined
  #states: ReadonlyArray<MeasureState> = []
  #counts: Array<number> = []
  #lastSub = ""

  constructor(columns: Columns) {
    this.#columns = columns
    this.#compare = comparison(columns.by.map(() => "asc"))
  }

  /** Takes the next line; if it begins another group, returns the row of the group before. */
  take({ marks, sub }: GroupLine, line: string): GroupRow | undefined {
    const isSame = this.#marks !== undefined && this.#compare(this.#marks, marks) === 0
    const before = isSame ? undefined : this.end()
    if (!isSame) {
      this.#marks = marks
      this.#states = this.#columns.measures.map(() => [])
      this.#counts = this.#columns.measures.map(() => 0)
      this.#lastSub = ""
    }
    if (sub === "") {
      const later: ReadonlyArray<MeasureState> = JSON.parse(line.slice(line.lastIndexOf("\t") + 1))
      for (const [index, [, measure]] of this.#columns.measures.entries()) {
        mergeState(measure, this.#states[index] ?? [], later[index] ?? [])
      }
    } else if (sub !== this.#lastSub) {
      const index = Number(sub.slice(0, sub.indexOf(":")))
      this.#counts[index] = (this.#counts[index] ?? 0) + 1
      this.#lastSub = sub
    }
    return before
  }

  /** True if a line belongs to the same group as the last line. */
  continues({ marks }: GroupLine): boolean {
    return this.#marks !== undefined && this.#compare(this.#marks, marks) === 0
  }

  /** Row of the last group. */
  end(): GroupRow | undefined {
    const marks = this.#marks
    this.#marks = undefined
    return marks === undefined ? undefined : rowOf(this.#columns, marks, this.#states, this.#counts)
  }
}
