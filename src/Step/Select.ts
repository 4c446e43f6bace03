/** `select`: makes a new row from named expressions. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { fieldsFrom, fieldsOf, keysAsWritten } from "../Row/FieldOrder.ts"
import { withData } from "../Row.ts"
import * as Step from "../Step.ts"
import { flatMapValues } from "./Chunked.ts"
import { asManyRows } from "./Estimate.ts"
import { ExpressionText } from "./Field.ts"
import { watchingFields } from "./MisspeltFields.ts"

export const select = Step.make({
  key: "select",
  summary: "Makes a new row: each name with the value of its expression; a value that is missing is left out.",
  example: `select:
  url: metadata.sourceURL
  title: metadata.title
  words: $count($split(markdown, /\\s+/))`,
  config: Schema.Record({ key: Schema.String, value: ExpressionText }),
  estimate: asManyRows,
  behaviour: {
    kind: "transform",
    independent: true,
    make: (columns, context) => {
      const names = keysAsWritten(columns, context.written)
      const fields = fieldsOf(names)
      const expressions = names.flatMap((name) => columns[name] ?? [])
      return Effect.succeed(
        watchingFields(expressions, context, {
          push: flatMapValues(expressions, context, (row, value, made) => {
            const data: Record<string, unknown> = {}
            for (let index = 0; index < names.length; index++) {
              const name = names[index]
              const found = value(index)
              if (name !== undefined && found !== undefined) data[name] = found
            }
            const selected = withData(row, data)
            const own = row.fields === undefined ? fields : fieldsFrom(row, names)
            made.push(own === selected.fields ? selected : { ...selected, fields: own })
          })
        })
      )
    }
  }
})
