/**
 * Limits of one expression over one row, and the deadline, which is counted in steps.
 *
 * An evaluation is synchronous: nothing outside can end it. What takes time therefore takes steps from the same account: each call, each
 * turn of a loop, and each value by its length. The clock is read each time some thousand steps are used up, so short rows seldom pay
 * for it, and a deadline counts from the first look. Whatever an expression does, it ends soon after its deadline.
 */
import { Refusal } from "./Errors.ts"

export const limits = {
  /** Milliseconds of computing for one row. */
  timeout: 1000,
  /** Milliseconds for one row by the wall clock, on a machine that has little time for the process. */
  patience: 5000,
  /** Calls within calls. */
  stack: 10_000,
  /** Values of one array. */
  sequence: 1_000_000,
  /** Values of a result, at any depth. */
  values: 5_000_000,
  /** UTF-16 units of a string that an expression makes: one function of V8 takes some 50 ms for it. */
  made: 16 * 1024 * 1024,
  /** UTF-16 units of all strings of a result. */
  text: 64 * 1024 * 1024,
  /** Characters of a picture like `[Y0001]-[M01]`, and the greatest number in it. */
  picture: 1000
}

/** Steps between two looks at the clock: a few microseconds each at most. */
const stride = 4096

/** Whether a row is being evaluated: steps between evaluations, those of the parser, have no deadline. */
let isEvaluating = false
/** The first look at the clock in the last evaluation, undefined when it needed none. */
let started: number | undefined
/** Microseconds of computing at the first look. */
let used = 0
let left = stride

/** Has `threadCpuUsage` from Node 23.9 on. */
const usage: { readonly cpuUsage: () => NodeJS.CpuUsage; readonly threadCpuUsage?: () => NodeJS.CpuUsage } = process

/**
 * Microseconds of this thread. Older versions of Node know those of the whole process only: computing of its other threads and the garbage
 * collector then counts, so an expression can end after one second by the wall clock, but never earlier.
 */
const computing = (): number => {
  const { user, system } = usage.threadCpuUsage?.() ?? usage.cpuUsage()
  return user + system
}

const look = (): void => {
  left = stride
  if (!isEvaluating) return
  const now = performance.now()
  if (started === undefined) {
    started = now
    used = computing()
    return
  }
  const elapsed = now - started
  if (elapsed <= limits.timeout) return
  if (elapsed > limits.patience || computing() - used > limits.timeout * 1000) throw new Refusal("D1012", undefined)
}

/** Takes steps off the account; fails with D1012 past the deadline. */
export const step = (cost = 1): void => {
  left -= cost
  if (left < 0) look()
}

/** Takes steps for a value by its length: any function reads a string or copies an array faster than these steps pass. */
export const weigh = (value: unknown): void => {
  if (typeof value === "string") {
    if (value.length > 256) step(value.length >> 6)
  } else if (Array.isArray(value) && value.length > 64) step(value.length >> 3)
}

/** Whether the last row took so many steps that the clock was read; asked once for each row. */
export const wasLong = (): boolean => {
  if (started === undefined) return false
  started = undefined
  return true
}

/** Gives the row that is evaluated from now on a deadline; {@link endRow} is called whether it fails or not. */
export const beginRow = (): void => {
  isEvaluating = true
  started = undefined
}

export const endRow = (): void => {
  isEvaluating = false
}

/** Adds to an array that an expression makes. */
export const push = (values: Array<unknown>, value: unknown): number => {
  step()
  if (values.length >= limits.sequence) throw new Refusal("D2015", values.length)
  return values.push(value)
}

export const checkText = (length: number, most = limits.made): void => {
  if (!(length <= most)) throw new Refusal(most === limits.made ? "D2016" : "D2020", length)
}

/** A width in a picture is written as a number: `[Y,1000000000]` would be a billion digits. */
export const checkPicture = (picture: unknown): void => {
  if (typeof picture !== "string") return
  if (picture.length > limits.picture) throw new Refusal("D2018", picture.length)
  for (const [digits] of picture.matchAll(/\d+/g))
    if (Number(digits) > limits.picture) throw new Refusal("D2018", digits)
}

/**
 * Counts the values of something that is copied or written, each with the name of its field. The same value may stand in it many times: what
 * is small in memory need not be small when it is written.
 */
export const counter = (characters = limits.made) => {
  let values = 0
  let read = 0
  return (value: unknown, name = ""): void => {
    step()
    if (++values > limits.values) throw new Refusal("D2017", value)
    const length = name.length + (typeof value === "string" ? value.length : 0)
    if (length > 0) {
      read += length
      step(length >> 6)
      checkText(read, characters)
    }
  }
}
