/** The random numbers of a step: the same again whenever the same run does the same. */
import { sha256 } from "../Row/Hash.ts"

/** A generator of 0 ≤ n < 1 (mulberry32), begun from a text. */
export const diceOf = (seed: string): (() => number) => {
  let state = Number.parseInt(sha256(seed).slice(0, 8), 16) | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
