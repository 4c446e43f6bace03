/** Rows as CSV: columns declared or found, one dialect, and no cell that a spreadsheet would run. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Sink from "../Sink.ts"
import { ColumnType, Dates } from "./Cell.ts"
import { fields, objections } from "./Destination.ts"
import { openTable } from "./Lookahead.ts"
import { placeholdersOf, Template } from "./Path.ts"
import * as Route from "./Route.ts"

const option = <A, I>(schema: Schema.Schema<A, I>, fallback: NoInfer<A>, description: string) =>
  Schema.optionalWith(schema.annotations({ description }), { default: () => fallback })

/** One ASCII character that can stand between or around cells. */
const Mark = Schema.String.pipe(
  Schema.filter((text) => /^[\t\x20-\x7e]$/.test(text) || "one ASCII character is needed, like , or ; or a tab")
)

const Config = Schema.Struct({
  csv: Template,
  columns: Schema.optional(
    Schema.Record({ key: Schema.String, value: ColumnType })
      .pipe(Schema.filter((columns) => Object.keys(columns).length > 0 || "name at least one column"))
      .annotations({
        description:
          "Field to type, in the order of the file. Without it the first 1,000 rows decide, or 32 MB of them."
      })
  ),
  onNewField: option(
    Schema.Literal("drop", "error", "widen"),
    "drop",
    "A field that has no column: leave it out, refuse the row, or add a column at the end of its file."
  ),
  ...fields,
  delimiter: option(Mark, ",", "Between cells."),
  quote: option(Mark, '"', "Around cells that need it."),
  lineEnd: option(Schema.Literal("lf", "crlf"), "lf", "Behind every record."),
  bom: option(Schema.Boolean, false, "Begin the file with a byte order mark, for old spreadsheets."),
  nullText: option(Schema.String.pipe(Schema.pattern(/^[^\r\n]*$/)), "", "What an empty cell says."),
  dates: Schema.optionalWith(Dates, { default: () => "iso" as const }),
  escapeFormulas: option(
    Schema.Boolean,
    true,
    "Put ' before texts that a spreadsheet would run: = + - @ tab. Cells with , ; | or a tab are always quoted."
  )
}).pipe(
  Schema.filter((config) => {
    const mistakes = objections("csv", { ...config, path: config.csv })
    const add = (key: string, message: string) => mistakes.push({ path: [key], message })
    // Lines are added to a file that is there, and not files beside it.
    const toOne = config.mode === "append" && !placeholdersOf(config.csv).includes("seq")
    if (config.delimiter === config.quote) add("quote", "delimiter and quote must differ")
    if (config.nullText.includes(config.delimiter) || config.nullText.includes(config.quote)) {
      add("nullText", "nullText cannot contain the delimiter or the quote")
    }
    if (config.csv === "-" && config.onNewField === "widen") {
      add("onNewField", 'standard output ("-") cannot be widened: drop, or error')
    }
    if (toOne && config.columns === undefined) add("mode", "mode append needs columns")
    if (toOne && config.onNewField === "widen") add("mode", "mode append cannot widen: drop, or use replace")
    return mistakes
  })
)

/** Sink `csv`. */
export const csv = Sink.make({
  key: "csv",
  summary: "Writes rows as records of a CSV file, with declared columns or those of the first 1,000 rows.",
  example: `write:
  csv: out/files.csv
  columns: { file: string, words: integer, seen: date }`,
  config: Config,
  open: (config, place) =>
    Effect.suspend(() => openTable(config, config.columns, Route.make({ ...config, path: config.csv }, place), place))
})
