/** A sink of a project's own, with a header, a footer and a state: all rows as one JSON array. */
import * as Schema from "effect/Schema"
import * as Sink from "../../src/Sink.ts"

export const json = Sink.make({
  key: "json",
  summary: "Writes all rows as one JSON array.",
  example: "write: { json: out/pages.json }",
  fields: Schema.Struct({ indent: Schema.optionalWith(Schema.Int.pipe(Schema.between(0, 8)), { default: () => 0 }) }),
  state: Schema.Boolean,
  codec: ({ indent }) => ({
    header: "[\n",
    begin: false,
    encode: (row, hasRows, out) => {
      out.put(`${hasRows ? ",\n" : ""}${JSON.stringify(row, undefined, indent)}`)
      return true
    },
    finish: (hasRows) => (hasRows ? "\n]\n" : "]\n")
  }),
  reader: {
    extension: "json",
    decode: JSON.parse,
    duckdb: ["read_json", "format = 'array'"],
    pandas: "pd.read_json(file, dtype=dtype, convert_dates=False, convert_axes=False, precise_float=True)",
    polars: "pl.concat([pl.read_json(each, schema=schema) for each in sorted(glob.glob(path))]).lazy()"
  }
})
