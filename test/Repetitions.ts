/**
 * Number of repetitions of a property test: a share of it in `npm test`, all of it in `npm run faults`, which sets
 * `SLUICE_ALL_REPETITIONS`.
 */
export const repetitions = (all: number, quick: number): number =>
  process.env.SLUICE_ALL_REPETITIONS === undefined ? quick : all

/** Every so many-th line of a table in `npm test`, from `start` on; all of it in `npm run faults`. */
export const share = <A>(table: ReadonlyArray<A>, every: number, start = 0): ReadonlyArray<A> =>
  table.filter((_, index) => (index + start) % repetitions(1, every) === 0)

const usual = 20_261

/** Seed of everything random in a test: one and the same in `npm test`, another in each round of `npm run faults`, which sets `SEED`. */
export let seed = Number(process.env.SEED ?? usual)

/** Gives the files outside of a part (`Long.ts`) the usual seed, so that CI tries both. */
export const useSeed = (isOfPart: boolean): void => {
  seed = isOfPart ? Number(process.env.SEED ?? usual) : usual
}
