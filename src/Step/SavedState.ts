/** State that a step saved, decoded when its run is resumed. */
import * as Either from "effect/Either"
import type * as Schema from "effect/Schema"
import { decodeSaved } from "../Row/SavedValue.ts"
import type { Json } from "../Row.ts"
import type { Context, Saved } from "../Step.ts"
import { StepError } from "./StepError.ts"

type Id = Pick<Context, "id">

/** Decodes the cursor of a source or the value of a step; undefined at the first start. */
export const decodeState = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = decodeSaved(schema)
  return ({ id }: Id, value: Json | undefined): Either.Either<A | undefined, StepError> =>
    value === undefined
      ? Either.right(undefined)
      : Either.mapLeft(decode(`The state of step ${id}`, value), StepError.of)
}

/** Decodes the entries of a step, in the order of their keys. */
export const decodeEntries = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = decodeSaved(schema)
  return (
    { id }: Id,
    { entries }: Saved
  ): Either.Either<ReadonlyArray<readonly [key: string, value: A]>, StepError> => {
    const decoded: Array<readonly [string, A]> = []
    for (const [key, json] of entries) {
      const value = decode(`Entry ${key} in the state of step ${id}`, json)
      if (Either.isLeft(value)) return Either.left(StepError.of(value.left))
      decoded.push([key, value.right])
    }
    return Either.right(decoded)
  }
}
