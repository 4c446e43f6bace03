/**
 * How often property tests repeat: a share of it in `npm test`, all of it in `npm run faults`, which sets
 * `SLUICE_ALL_REPETITIONS`.
 */
export const repetitions = (all: number, quick: number): number =>
  process.env.SLUICE_ALL_REPETITIONS === undefined ? quick : all
