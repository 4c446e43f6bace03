/**
 * Limits of one expression over one row, and the deadline, which is counted in steps.
 *
 * An evaluation is synchronous: nothing outside can end it. What takes time therefore takes steps from the same account: each call, each
 * turn of a loop, and each value by its length. The clock is read when some thousand steps are used up, so whatever an expression does, it
 * ends soon after its deadline.
 */
import { Refusal } from "./Errors.ts"

export const limits = {
  /** Milliseconds of computing for one row. */
  timeout: 1000,
  /** Milliseconds for one row on a machine that has little time for the process. */
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

/** When the evaluation began, undefined between evaluations. */
let started: number | undefined
/** Microseconds of computing that the process had used at the first look. */
let used: number | undefined
let left = stride

const computing = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

const look = (): void => {
  left = stride
  if (started === undefined) return
  used ??= computing()
  const elapsed = performance.now() - started
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

/** Calls `f` with a deadline from `now` on, unless one is set already. */
export const withDeadline = <A>(f: () => A, now = performance.now()): A => {
  if (started !== undefined) return f()
  started = now
  used = undefined
  left = stride
  try {
    return f()
  } finally {
    started = undefined
  }
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
 * Counts the values of something that is copied or written. The same value may stand in it many times: what is small in memory need not be
 * small when it is written.
 */
export const counter = (characters = limits.made) => {
  let values = 0
  let read = 0
  return (value: unknown): void => {
    step()
    if (++values > limits.values) throw new Refusal("D2017", value)
    if (typeof value === "string") {
      read += value.length
      step(value.length >> 6)
      checkText(read, characters)
    }
  }
}
