/** JSON Lines: one object per line, with all fields of the row. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Sink from "../Sink.ts"
import { jsonText } from "./Codec.ts"

export const lineCodec: Sink.RowCodec<void> = {
  begin: undefined,
  encode: (row, _, out) => {
    out.put(`${Either.getOrThrowWith(jsonText(row), (cause) => cause)}\n`)
  }
}

/** Sink `jsonl`. */
export const jsonl = {
  ...Sink.make({
    key: "jsonl",
    summary: "Writes every row as one line of JSON, with all its fields.",
    example: 'write: { jsonl: "out/pages-{runId}.jsonl" }',
    state: Schema.Void,
    codec: () => lineCodec
  }),
  reader: (): Sink.Reader => ({
    extension: "jsonl",
    format: "jsonl",
    duckdb: ["read_json", "format = 'newline_delimited'"],
    pandas: "pd.read_json(file, lines=True, dtype=dtype, convert_dates=False, convert_axes=False, precise_float=True)",
    polars: "pl.scan_ndjson(path, schema=schema)"
  })
}
