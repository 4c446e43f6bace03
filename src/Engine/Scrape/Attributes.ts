/** The format `attributes`: the values of attributes of the elements that selectors name, as they stand in the page. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { AttributeQuery } from "../Html/Extract.ts"
import { parseSelector } from "../Html/Select.ts"
import { type Options, particularsOf } from "./Options.ts"
import { invalid, type Refusal } from "./Refusals.ts"

const maxSelectors = 50

const Asked = Schema.Struct({
  selectors: Schema.Array(
    Schema.Struct({ selector: Schema.String, attribute: Schema.NonEmptyString.pipe(Schema.maxLength(200)) })
  ).pipe(Schema.minItems(1), Schema.maxItems(maxSelectors))
})

const decode = Schema.decodeUnknownEither(Asked)

/** What to look for; empty when the format isn't asked for. */
export const read = (options: Options): Effect.Effect<ReadonlyArray<AttributeQuery>, Refusal> => {
  const particulars = particularsOf(options, "attributes")
  if (particulars === undefined) return Effect.succeed([])
  return Effect.gen(function* () {
    const { selectors } = yield* Either.mapLeft(decode(particulars), () =>
      invalid(
        "formats",
        `attributes needs { type: "attributes", selectors: [{ selector, attribute }] } with 1 to ${maxSelectors} selectors`
      )
    )
    return yield* Either.all(
      selectors.map(({ attribute, selector }) =>
        Either.mapBoth(parseSelector(selector), {
          onLeft: (message) => invalid("formats", `attributes: ${message}`),
          onRight: (test) => ({ selector, attribute, test })
        })
      )
    )
  })
}
