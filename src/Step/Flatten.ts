/** `flatten`: turns nested values into fields of one level. */

import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { fieldsOf, inOrder } from "../Row/FieldOrder.ts"
import { type Data, withData } from "../Row.ts"
import * as Step from "../Step.ts"
import { flatMapValues } from "./Chunked.ts"
import { asManyRows } from "./Estimate.ts"

interface Options {
  readonly separator: string
  readonly depth: number
  readonly lists: "keep" | "json"
}

/** Fields of one level, or the first name that two values would share. */
const flattened = (data: Data, { depth, lists, separator }: Options): Map<string, unknown> | string => {
  const made = new Map<string, unknown>()
  let twice: string | undefined
  const walk = (value: Data, prefix: string, level: number): void => {
    for (const [key, each] of Object.entries(value)) {
      const name = prefix + key
      // An empty object stays as it is; otherwise it would be lost.
      if (Predicate.isReadonlyRecord(each) && level < depth && Object.keys(each).length > 0)
        walk(each, name + separator, level + 1)
      else {
        if (made.has(name)) twice ??= name
        made.set(name, Array.isArray(each) && lists === "json" ? JSON.stringify(each) : each)
      }
    }
  }
  walk(data, "", 0)
  return twice ?? made
}

export const flatten = Step.make({
  key: "flatten",
  summary:
    "Makes nested values fields of the row, named by their path; a row in which two values would have the same name is a failed row.",
  example: 'flatten: { separator: "_", lists: json }',
  config: Schema.Struct({
    separator: Schema.optionalWith(Schema.NonEmptyString, { default: () => "." }).annotations({
      description: "String between the names of a path."
    }),
    depth: Schema.optional(Schema.Int.pipe(Schema.positive())).annotations({
      description: "Number of levels that are flattened; without it, all."
    }),
    lists: Schema.optionalWith(
      Schema.Literal("keep", "json").annotations({
        description: "keep: arrays stay arrays. json: they become JSON strings."
      }),
      { default: () => "keep" as const }
    )
  }),
  estimate: asManyRows,
  behaviour: {
    kind: "transform",
    independent: true,
    make: ({ depth = 1000, lists, separator }, context) =>
      Effect.succeed({
        push: flatMapValues([], context, (row, _, made) => {
          const fields = flattened(row.data, { depth, lists, separator })
          if (typeof fields === "string") {
            return new Step.StepError({
              reason: "FieldTwice",
              message: `flatten would give two fields the name ${JSON.stringify(fields)}: choose another separator`
            })
          }
          // A page may have a field named __proto__, which must be a field like any other.
          const flat = withData(row, Object.fromEntries(fields))
          if (row.fields === undefined) made.push(flat)
          else {
            const names = flattened(inOrder(row).data, { depth, lists, separator })
            made.push({ ...flat, fields: fieldsOf(typeof names === "string" ? [] : [...names.keys()]) })
          }
          return undefined
        })
      })
  }
})
