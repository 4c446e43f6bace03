/** The JavaScript heap: how far it grows, and when it is collected. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/**
 * Percent of what is in use, in place of V8's own rule, by which a heap grows to four times what is in use while pages stream through it:
 * 256 MB in place of about 140 after 600 pages. A collection marks beside the program for the most part.
 */
const growth = 60

/** Limits how far the heap may grow between two collections. Holds for the whole process, so programs call it and libraries do not. */
export const limitGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${growth}`)

/** Returns a function that collects the heap of this thread, and gives the memory back that it no longer needs. */
export const makeCollect = (): (() => void) => {
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("globalThis.gc")
  setFlagsFromString("--no-expose-gc")
  // A runtime without it collects when it sees fit.
  return typeof collect === "function" ? () => collect() : () => undefined
}
