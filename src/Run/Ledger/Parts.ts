/** Runs that are parts of one which many machines share: what they are called, and where their rows go when it takes them over. */

/** A row of a run, or of a part of one, by its number there. */
export interface Position {
  readonly of: string
  readonly number: number
}

/** `0007`. */
export const spell = (shard: number): string => String(shard).padStart(4, "0")

/** The part that reads the source. */
export const splitOf = (run: string): string => `${run}.split`

/** The part that works on a shard; shards count from 0. */
export const shardOf = (run: string, shard: number): string => `${run}.s${spell(shard)}`

/** The numbers of a run's own rows are below this, and each part that it has taken over has as many for itself. */
export const apart = 1_000_000_000

/** What a run adds to the numbers of a part that it takes over: first comes what read the source, then the shards. */
export const shiftOf = (index: number): number => (index + 1) * apart

/** Where a row of a run was before the run took it over. */
export const originOf = (run: string, number: number): Position => {
  const index = Math.floor(number / apart) - 1
  const of = index < 0 ? run : index === 0 ? splitOf(run) : shardOf(run, index - 1)
  return { of, number: number % apart }
}

/** In the order in which rows of a run and its parts are read: by the id of the part, and by their numbers there. */
export const isBehind = (one: Position, other: Position): boolean =>
  one.of === other.of ? one.number > other.number : one.of > other.of
