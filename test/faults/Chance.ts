/** Chance that a seed repeats. */

export interface Chance {
  /** From 0 up to, not including, the limit. */
  readonly below: (limit: number) => number
  readonly one: <A>(choices: readonly [A, ...ReadonlyArray<A>]) => A
}

/** Mulberry32. */
export const make = (seed: number): Chance => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => next() * limit
  return { below, one: (choices) => choices[Math.floor(below(choices.length))] ?? choices[0] }
}
