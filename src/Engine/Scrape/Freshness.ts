/**
 * How old a stored copy of a page may be, and whether one is kept.
 *
 * - `maxAge`: a copy that is at most so many milliseconds old answers at once; else the page is fetched. Without it, and
 *   with 0, every page is fetched: nobody gets an old page who has not asked for one.
 * - `minAge`: copies only, and of those one that is at least so many milliseconds old; 0 takes any. There is one copy of
 *   a page, the newest, so this asks whether the page was left alone for that long. Without one the answer is 404.
 * - `lockdown`: copies only, of any age unless `maxAge` or `minAge` say otherwise; nothing leaves this machine for the
 *   page, and nothing new is kept of it. Without a copy the answer is 404.
 * - `storeInCache: false`, `zeroDataRetention: true`: nothing is kept; a copy that is there may still answer.
 */
import * as Either from "effect/Either"
import { type Options, particularsOf } from "./Options.ts"
import { invalid, type Refusal } from "./Refusals.ts"

/** Milliseconds. */
export interface Acceptable {
  readonly minAge: number
  readonly maxAge: number
}

export interface Freshness {
  /** Whether pages may be kept, in the search index or anywhere else. */
  readonly keeps: boolean
  /** The copies that will do; undefined when only the page itself does. */
  readonly acceptable: Acceptable | undefined
  /** Whether the page is fetched when there is no such copy. */
  readonly fetches: boolean
}

export const read = (options: Options): Either.Either<Freshness, Refusal> => {
  const { lockdown, maxAge, minAge } = options
  // What is compared with the last version is the page as it is now.
  const isTracked = particularsOf(options, "changeTracking") !== undefined
  const fetches = minAge === undefined && !lockdown
  if (!fetches && maxAge !== undefined && maxAge < Math.max(1, minAge ?? 0)) {
    const other = minAge === undefined ? `"lockdown"` : `"minAge"`
    return Either.left(invalid("maxAge", `no copy can be at most ${maxAge} ms old and be what ${other} asks for`))
  }
  return Either.right({
    keeps: options.storeInCache && !options.zeroDataRetention && !lockdown,
    acceptable:
      fetches && ((maxAge ?? 0) === 0 || isTracked)
        ? undefined
        : { minAge: minAge ?? 0, maxAge: maxAge ?? Number.POSITIVE_INFINITY },
    fetches
  })
}
