/** What of a scrape only a browser can do (spec 2.9). */
import * as Either from "effect/Either"
import type { Options } from "./Options.ts"
import { missing, type Refusal } from "./Refusals.ts"

/** How a page is to be shown before it is read. */
export interface Rendering {
  /** Milliseconds. */
  readonly waitFor: number
}

/** Undefined when the page can be read as it is sent. */
export const read = (options: Options): Either.Either<Rendering | undefined, Refusal> => {
  const leaveOut = "Leave it out."
  if (options.waitFor > 0) return Either.left(missing("waitFor", "Pages are read as they are sent; set it to 0."))
  if (options.mobile) return Either.left(missing("mobile", leaveOut))
  if ((options.actions ?? []).length > 0) return Either.left(missing("actions", leaveOut))
  if (options.profile !== undefined) return Either.left(missing("profile", leaveOut))
  return Either.right(undefined)
}
