/** `explode`: gives one row for every item of an array. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { keyOf } from "../Row.ts"
import * as Step from "../Step.ts"
import { flatMapValues } from "./Chunked.ts"
import { ExpressionText } from "./Field.ts"
import { watchingFields } from "./MisspeltFields.ts"

const Fields = Schema.Struct({
  list: Schema.propertySignature(ExpressionText).annotations({ description: "The array whose items become rows." }),
  as: Schema.optional(Schema.String).annotations({
    description: "Field that holds the item; without it, the field that `list` names, or `item`."
  })
})

export const explode = Step.make({
  key: "explode",
  summary: "Makes one row for every item of an array: the row's fields, with the item as the field `as`.",
  example: "explode: { list: links, as: link }",
  config: Schema.Union(Fields, ExpressionText),
  behaviour: {
    kind: "transform",
    independent: true,
    make: (config, context) => {
      const list = "list" in config ? config.list : config
      const as =
        ("list" in config ? config.as : undefined) ?? (/^\w+$/.test(list.source.trim()) ? list.source.trim() : "item")
      return Effect.succeed(
        watchingFields([list], context, {
          push: flatMapValues([list], context, (row, value, made) => {
            const found = value(0)
            if (found === undefined || found === null) return
            const key = keyOf(row)
            const items: ReadonlyArray<unknown> = Array.isArray(found) ? found : [found]
            for (const [index, item] of items.entries()) {
              made.push({ ...row, origin: undefined, key: `${key}#${index}`, data: { ...row.data, [as]: item } })
            }
          })
        })
      )
    }
  }
})
