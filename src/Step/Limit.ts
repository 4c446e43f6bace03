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
    make: (wanted, _, saved) =>
      Effect.sync(() => {
        let passed = typeof saved.value === "number" ? saved.value : 0
        return {
          push: (rows) =>
            Effect.sync(() => {
              const first = rows.length <= wanted - passed ? rows : rows.slice(0, wanted - passed)
              passed += first.length
              return first
            }),
          full: () => passed >= wanted,
          save: Effect.sync(() => ({ value: passed }))
        }
      })
  }
})
