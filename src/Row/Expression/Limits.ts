/**
 * Limits for evaluating an expression on one row, and slices for many rows.
 *
 * An evaluation is synchronous: nothing outside can stop it. Everything that takes time therefore counts steps: each call, each iteration
 * of a loop, and each value by its length. The clock is read once every few thousand steps, so short rows rarely pay for it, and the
 * deadline starts at the first read. Whatever an expression does, it fails soon after its deadline.
 *
 * Rows are evaluated in slices of a few milliseconds; the event loop runs between slices.
 */
import * as Effect from "effect/Effect"
import { nextTurn } from "../../Callback/EventLoop.ts"
import { EvaluationFault } from "./ExpressionErrors.ts"

export const limits = {
  /** CPU time per row, in milliseconds. */
  timeout: 1000,
  /** Wall-clock time per row, in milliseconds: the limit on an overloaded machine, where CPU time advances slowly. */
  wallTime: 5000,
  /** Maximum call depth. */
  stack: 10_000,
  /** Maximum length of an array. */
  sequence: 1_000_000,
  /** Maximum number of values in a result, at any depth. */
  values: 5_000_000,
  /** Maximum length of a string built by an expression, in UTF-16 units. A built-in function of V8 takes about 50 ms for it. */
  built: 16 * 1024 * 1024,
  /** Maximum total length of the strings in a result, in UTF-16 units. */
  text: 64 * 1024 * 1024,
  /** Maximum length of a picture like `[Y0001]-[M01]`, and maximum number in it. */
  picture: 1000
}

/** Steps between two clock reads. A step takes a few microseconds at most. */
const stride = 4096

/** True while a row is evaluated. Steps at other times, such as those of the parser, have no deadline. */
let isEvaluating = false
/** Time of the first clock read in the last evaluation; undefined if the evaluation took too few steps for one. */
let started: number | undefined
/** CPU time at the second clock read, in microseconds; undefined before that. */
let used: number | undefined
let left = stride

/** `threadCpuUsage` exists only since Node 23.9. */
const clocks: { readonly cpuUsage: () => NodeJS.CpuUsage; readonly threadCpuUsage?: () => NodeJS.CpuUsage } = process

/**
 * CPU time of this thread in microseconds. Before Node 23.9, that of the whole process, including other threads and garbage collection:
 * an expression may then end after one second of wall-clock time, but never earlier.
 */
const cpuTime = (): number => {
  const { user, system } = clocks.threadCpuUsage?.() ?? clocks.cpuUsage()
  return user + system
}

const readClock = (): void => {
  left = stride
  if (!isEvaluating) return
  const now = performance.now()
  if (started === undefined) {
    started = now
    used = undefined
    return
  }
  // Not read at the first clock read: most rows have at most one, and each would pay for a system call.
  used ??= cpuTime()
  const elapsed = now - started
  if (elapsed <= limits.timeout) return
  if (elapsed > limits.wallTime || cpuTime() - used > limits.timeout * 1000)
    throw new EvaluationFault("D1012", undefined)
}

/** Counts steps. Fails with D1012 after the deadline. */
export const step = (cost = 1): void => {
  left -= cost
  if (left < 0) readClock()
}

/** Counts steps for the length of a value. Overestimates the time to read a string or to copy an array. */
export const weigh = (value: unknown): void => {
  if (typeof value === "string") {
    if (value.length > 256) step(value.length >> 6)
  } else if (Array.isArray(value) && value.length > 64) step(value.length >> 3)
}

/** True if the last row took enough steps for a clock read. Resets the result, so call it once per row. */
export const wasLong = (): boolean => {
  if (started === undefined) return false
  started = undefined
  return true
}

/** Starts the deadline of a row. Call {@link endRow} afterwards, even if the evaluation fails. */
export const beginRow = (): void => {
  isEvaluating = true
  started = undefined
}

export const endRow = (): void => {
  isEvaluating = false
}

/** Appends to an array that an expression builds. Counts one step; fails with D2015 at the maximum length. */
export const push = (values: Array<unknown>, value: unknown): number => {
  step()
  if (values.length >= limits.sequence) throw new EvaluationFault("D2015", values.length)
  return values.push(value)
}

export const checkText = (length: number, max = limits.built): void => {
  if (!(length <= max)) throw new EvaluationFault(max === limits.built ? "D2016" : "D2020", length)
}

/** Checks the size of a picture and of the numbers in it, which are widths: `[Y,1000000000]` would return a billion digits. */
export const checkPicture = (picture: unknown): void => {
  if (typeof picture !== "string") return
  if (picture.length > limits.picture) throw new EvaluationFault("D2018", picture.length)
  for (const [digits] of picture.matchAll(/\d+/g))
    if (Number(digits) > limits.picture) throw new EvaluationFault("D2018", digits)
}

/**
 * Counts values and field names while a value is copied or serialized. Because a part may occur many times, something small in memory can
 * be large when written.
 */
export const counter = (characters = limits.built) => {
  let values = 0
  let read = 0
  return (value: unknown, name = ""): void => {
    step()
    if (++values > limits.values) throw new EvaluationFault("D2017", value)
    const length = name.length + (typeof value === "string" ? value.length : 0)
    if (length > 0) {
      read += length
      step(length >> 6)
      checkText(read, characters)
    }
  }
}

/** Length of a slice in milliseconds. The event loop runs after each one. */
const sliceDuration = 25

/** Rows evaluated between two clock reads while each row takes few steps. */
const rowsAtOnce = 128

/** Evaluates rows until the slice ends, and appends their results. */
const runSlice = <Row, A>(
  rows: ReadonlyArray<Row>,
  evaluate: (row: Row, index: number) => A,
  recover: (cause: unknown, index: number) => A,
  results: Array<A>
): void => {
  const end = performance.now() + sliceDuration
  do {
    const last = Math.min(rows.length, results.length + rowsAtOnce)
    for (let index = results.length; index < last; index++) {
      try {
        results.push(evaluate(rows[index] as Row, index))
      } catch (cause) {
        results.push(recover(cause, index))
      }
      if (wasLong()) break
    }
  } while (results.length < rows.length && performance.now() < end)
}

/** The results of `evaluate` for all rows, in order. If it throws, uses the result of `recover` instead. */
export const inSlices = <Row, A>(
  rows: ReadonlyArray<Row>,
  evaluate: (row: Row, index: number) => A,
  recover: (cause: unknown, index: number) => A
): Effect.Effect<ReadonlyArray<A>> => {
  const results: Array<A> = []
  const next: Effect.Effect<ReadonlyArray<A>> = Effect.suspend(() => {
    runSlice(rows, evaluate, recover, results)
    return results.length < rows.length ? Effect.zipRight(nextTurn, next) : Effect.succeed(results)
  })
  return next
}
