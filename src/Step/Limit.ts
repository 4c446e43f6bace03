/** `limit`: the first rows, and no more. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Step from "../Step.ts"

export const limit = Step.make({
  key: "limit",
  summary: "Passes the first rows and stops asking for more.",
  example: "limit: 100",
  config: Schema.Int.pipe(Schema.positive()).annotations({ description: "a whole number of rows, 1 or more" }),
  behaviour: {
    kind: "transform",
    make: (wanted, context, saved) =>
      Effect.sync(() => {
        let passed = typeof saved.value === "number" ? saved.value : 0
        return {
          push: (rows) =>
            Effect.suspend(() => {
              const room = wanted - passed
              const first = rows.length <= room ? rows : rows.slice(0, room)
              passed += first.length
              return rows.length > room ? Effect.as(context.incomplete("limit"), first) : Effect.succeed(first)
            }),
          full: () => passed >= wanted,
          save: Effect.sync(() => ({ value: passed }))
        }
      })
  }
})
