/** `limit`: passes on the first rows, and no more. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Step from "../Step.ts"
import { atMost, idle, numberOf } from "./Estimate.ts"

export const limit = Step.make({
  key: "limit",
  summary: "Passes the first rows and stops asking for more.",
  example: "limit: 100",
  config: Schema.Int.pipe(Schema.positive()).annotations({ description: "a whole number of rows, 1 or more" }),
  estimate: ({ config, keys, rows }) => {
    const count = numberOf(config)
    return { ...idle, rows: atMost(rows, count), keys: keys?.slice(0, count) }
  },
  behaviour: {
    kind: "transform",
    takesFirst: true,
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
