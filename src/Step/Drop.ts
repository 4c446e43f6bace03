/** `drop`: removes fields from rows. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Data, withData } from "../Row.ts"
import * as Step from "../Step.ts"
import { asManyRows } from "./Estimate.ts"

const Field = Schema.String.pipe(
  Schema.filter(
    (text) =>
      !text.split(".").includes("") || `"${text}" is not a field: write a name, or a path like metadata.description`
  )
).annotations({ description: "a field, or a path like metadata.description" })

/** Field to remove: its name as written, and the segments of the path that the name may stand for. */
interface Target {
  readonly name: string
  readonly path: ReadonlyArray<string>
}

/** Removes what is at a path, in every item of an array; returns the same value if nothing is there. */
const without = (value: unknown, path: ReadonlyArray<string>): unknown => {
  if (Array.isArray(value)) {
    const items = value.map((item) => without(item, path))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const [name, ...rest] = path
  if (typeof value !== "object" || value === null || name === undefined || !Object.hasOwn(value, name)) return value
  if (rest.length === 0) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
  const before = (value as Data)[name]
  const after = without(before, rest)
  return after === before ? value : { ...value, [name]: after }
}

export const drop = Step.make({
  key: "drop",
  summary:
    "Leaves fields out: by name, or by a path into nested values and lists. Fields that a row does not have are ignored.",
  example: "drop: [html, metadata.description]",
  config: Schema.Union(
    Field,
    Schema.Array(Field).pipe(Schema.minItems(1)).annotations({ description: "an array of fields" })
  ),
  estimate: asManyRows,
  behaviour: {
    kind: "transform",
    independent: true,
    make: (config) => {
      const targets = [config].flat().map((name): Target => ({ name, path: name.split(".") }))
      // The name of a field may contain a dot.
      const one = (data: Data, { name, path }: Target): Data =>
        without(data, Object.hasOwn(data, name) ? [name] : path) as Data
      return Effect.succeed({
        push: (rows) =>
          Effect.sync(() =>
            rows.map((row) => {
              const data = targets.reduce(one, row.data)
              return data === row.data ? row : withData(row, data)
            })
          )
      })
    }
  }
})
