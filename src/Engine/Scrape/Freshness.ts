/** How old a stored copy of a page may be, and whether one is kept (spec 2.9). */
import * as Either from "effect/Either"
import type { Options } from "./Options.ts"
import { missing, type Refusal } from "./Refusals.ts"

export interface Freshness {
  /** Whether pages may be kept, in the search index or anywhere else. */
  readonly keeps: boolean
}

export const read = (options: Options): Either.Either<Freshness, Refusal> => {
  if (options.minAge !== undefined) return Either.left(missing("minAge", "Nothing is cached, so every page is fresh."))
  if (options.lockdown) return Either.left(missing("lockdown", "Nothing is cached, so every page is fetched."))
  return Either.right({ keeps: options.storeInCache && !options.zeroDataRetention })
}
