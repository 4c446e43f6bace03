/** From where a page is asked for: through which proxy, from which country, in which languages (spec 2.9). */
import * as Either from "effect/Either"
import type { Options } from "./Options.ts"
import { missing, type Refusal } from "./Refusals.ts"

/** Every request goes out directly, which is what these ask for or allow. */
const direct = new Set(["basic", "auto", "none"])

export const read = (options: Options): Either.Either<undefined, Refusal> => {
  if (options.location !== undefined) return Either.left(missing("location", "Leave it out."))
  if (options.proxy !== undefined && !direct.has(options.proxy)) {
    return Either.left(missing(`proxy: ${options.proxy}`, `Every request goes out directly; use "basic" or "auto".`))
  }
  return Either.right(undefined)
}
