/**
 * Number of repetitions of a property test: a share of it in `npm test`, all of it in `npm run faults`, which sets
 * `SLUICE_ALL_REPETITIONS`.
 */
export const repetitions = (all: number, quick: number): number =>
  process.env.SLUICE_ALL_REPETITIONS === undefined ? quick : all

/** Seed of everything random in a test: one and the same in `npm test`, another in each round of `npm run faults`, which sets `SEED`. */
export const seed = Number(process.env.SEED ?? 20_261)
