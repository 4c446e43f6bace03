/** A step of one's own: its schema and its effects are of the project's Effect. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Step } from "sluice"

export const mask = Step.make({
  key: "mask",
  summary: "Replaces the digits of a field by #.",
  example: "mask: { field: text }",
  config: Schema.Struct({ field: Schema.String.annotations({ description: "the name of a field" }) }),
  behaviour: {
    kind: "item",
    apply: ({ field }, row) =>
      Effect.succeed({ ...row, data: { ...row.data, [field]: String(row.data[field]).replace(/\d/g, "#") } }).pipe(
        Effect.delay("5 millis"),
        Effect.tap(() => Effect.logDebug("masked"))
      )
  }
})
