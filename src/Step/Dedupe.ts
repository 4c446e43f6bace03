/** `dedupe`: the first row of every key. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { sha256 } from "../Row/Hash.ts"
import { keyOf } from "../Row.ts"
import * as Step from "../Step.ts"
import { flatMapValues } from "./Chunked.ts"
import { ExpressionText } from "./Field.ts"

export const dedupe = Step.make({
  key: "dedupe",
  summary: "Keeps the first row of every key within the run; without a key, rows are told apart by `$key`.",
  example: "dedupe: { key: $canonicalUrl(metadata.sourceURL) }",
  config: Schema.Struct({
    key: Schema.optional(ExpressionText),
    across: Schema.optional(Schema.Literal("run").annotations({ description: '"run" (across runs is not built yet)' }))
  }),
  behaviour: {
    kind: "stream",
    through: ({ key }, context) =>
      Effect.sync(() => {
        const seen = new Set<string>()
        return flatMapValues(key === undefined ? [] : [key], context, (row, [value]) => {
          const identity = value === undefined || value === null ? keyOf(row) : text(value)
          // Long keys are kept as hashes, so that memory follows the number of rows and not their size.
          const mark = identity.length > 64 ? sha256(identity) : identity
          if (seen.has(mark)) return []
          seen.add(mark)
          return [row]
        })
      })
  }
})

const text = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))
