/** `limit`: the first rows, and no more. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Step from "../Step.ts"

export const limit = Step.make({
  key: "limit",
  summary: "Passes the first rows and stops asking for more.",
  example: "limit: 100",
  config: Schema.Int.pipe(Schema.positive()).annotations({ description: "a whole number of rows, 1 or more" }),
  behaviour: { kind: "stream", through: (count) => Effect.succeed(Stream.take(count)) }
})
