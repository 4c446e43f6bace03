/** Values as JSON text, for sinks. */
import * as Either from "effect/Either"

/** JSON has no big integers: they are written as text, digit for digit. */
const spellBigInt = (_: string, value: unknown): unknown => (typeof value === "bigint" ? value.toString() : value)

/**
 * Dates become ISO 8601, NaN and infinities null, undefined fields are left out, as JSON.stringify does it; big
 * integers become text. Left: what JSON.stringify had against it, like a value that contains itself.
 */
export const spellJson = (value: unknown): Either.Either<string, unknown> =>
  Either.orElse(
    Either.try(() => JSON.stringify(value)),
    () => Either.try(() => JSON.stringify(value, spellBigInt))
  )
