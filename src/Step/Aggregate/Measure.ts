/** Measures of `aggregate`: what each one stores for a group, and its result. No measure counts null or missing values. */
import type { Json } from "../../Row.ts"
import { compareMarks, isMark, type Mark } from "../SortOrder.ts"
import { StepError } from "../StepError.ts"
import { addTo, valueOf } from "./ExactSum.ts"

export const measureNames = ["count", "sum", "avg", "min", "max", "first", "list", "countDistinct"] as const
export type MeasureName = (typeof measureNames)[number]

/** State of a measure in a group: plain JSON. `countDistinct` has none: its values are stored separately. */
export type MeasureState = Array<Json>

export interface Measure {
  readonly kind: MeasureName
  /** Expression as written; undefined for `count` of rows. */
  readonly source: string | undefined
  /** Maximum number of values that the measure `list` keeps. */
  readonly max: number
}

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`

/** Why a value cannot be measured; undefined if it can. */
export const objection = ({ kind, source = "" }: Measure, value: unknown): StepError | undefined => {
  if (value === null || value === undefined) return undefined
  if (kind === "sum" || kind === "avg") {
    if (typeof value === "number") return undefined
    return new StepError({
      reason: "NotNumber",
      message: `${source} gives ${kindOf(value)}: ${kind} needs numbers. Convert the value with $number(), or give its column a type where the file is read`
    })
  }
  if ((kind === "min" || kind === "max") && !isMark(value)) {
    return new StepError({
      reason: "NotSortable",
      message: `${source} gives ${kindOf(value)}, but ${kind} can only compare numbers, strings and booleans`
    })
  }
  return undefined
}

const numbers = (state: MeasureState): Array<number> => state as Array<number>

const isBetter = (kind: MeasureName, value: Exclude<Mark, null>, than: Exclude<Mark, null>): boolean =>
  kind === "min" ? compareMarks(value, than) < 0 : compareMarks(value, than) > 0

/** Adds a non-null value to the state. The state of `sum` and `avg` begins with the number of values. */
export const addValue = ({ kind, max }: Measure, state: MeasureState, value: unknown): void => {
  switch (kind) {
    case "count":
      state[0] = Number(state[0] ?? 0) + 1
      return
    case "sum":
    case "avg": {
      const number = Number(value)
      const sum = Number(state[1] ?? 0) + number
      // Integers up to 2^53 are exact, so they are simply added.
      if (state.length <= 2 && Number.isSafeInteger(number) && Number.isSafeInteger(sum)) {
        state[0] = Number(state[0] ?? 0) + 1
        state[1] = sum
        return
      }
      const [count = 0, ...parts] = numbers(state)
      addTo(parts, number)
      state.splice(0, state.length, count + 1, ...parts)
      return
    }
    case "min":
    case "max": {
      const mark = value as Exclude<Mark, null>
      const best = state[0] as Mark | undefined
      if (best === undefined || best === null || isBetter(kind, mark, best)) state[0] = mark
      return
    }
    case "first":
      if (state.length === 0) state.push(value as Json)
      return
    case "list":
      if (state.length < max) state.push(value as Json)
      return
    default:
  }
}

/** Adds the state of the same group from later rows. */
export const mergeState = (measure: Measure, state: MeasureState, later: MeasureState): void => {
  switch (measure.kind) {
    case "count":
      state[0] = Number(state[0] ?? 0) + Number(later[0] ?? 0)
      return
    case "sum":
    case "avg": {
      const [count = 0, ...parts] = numbers(state)
      const [more = 0, ...added] = numbers(later)
      for (const part of added) addTo(parts, part)
      state.splice(0, state.length, count + more, ...parts)
      return
    }
    default:
      for (const value of later) addValue(measure, state, value)
  }
}

/** Result of a measure; `distinct` is the number of distinct values. An error if no number can hold the sum. */
export const resultOf = ({ kind, source = "" }: Measure, state: MeasureState, distinct: number): Json | StepError => {
  switch (kind) {
    case "count":
      return state[0] ?? 0
    case "countDistinct":
      return distinct
    case "list":
      return state
    case "sum":
    case "avg": {
      const [count = 0, ...parts] = numbers(state)
      if (count === 0) return null
      const sum = valueOf(parts)
      if (Number.isFinite(sum)) return kind === "sum" ? sum : sum / count
      return new StepError({
        reason: "NumberTooLarge",
        message: `the ${kind} of ${source} exceeds the largest possible number: divide the values, or group by more fields`
      })
    }
    default:
      return state[0] ?? null
  }
}
