/** `where`: keeps the rows for which an expression is true. */
import * as Effect from "effect/Effect"
import * as Step from "../Step.ts"
import { flatMapValues } from "./Chunked.ts"
import { fewerRows } from "./Estimate.ts"
import { ExpressionText } from "./Field.ts"
import { watchingFields } from "./MisspeltFields.ts"

export const where = Step.make({
  key: "where",
  summary: "Keeps the rows for which the expression is true.",
  example: "where: metadata.statusCode = 200 and $length(markdown) > 200",
  config: ExpressionText,
  estimate: fewerRows,
  behaviour: {
    kind: "transform",
    independent: true,
    make: (condition, context) =>
      Effect.succeed(
        watchingFields([condition], context, {
          push: flatMapValues([condition], context, (row, value, made) => {
            if (truthy(value(0))) made.push(row)
          })
        })
      )
  }
})

/**
 * True if a value counts as true, as in JSONata's `$boolean`: empty strings, arrays and objects, zero and missing values count as false.
 */
export const truthy = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(truthy)
    : typeof value === "object" && value !== null
      ? Object.keys(value).length > 0
      : Boolean(value)
