/** Format of a file of rows: how it is detected, and the fields that set it. */
import * as Schema from "effect/Schema"
import type { Decoder, Position } from "./Decoder.ts"
import { jsonDecoder } from "./Json.ts"
import { CellType, tableDecoder } from "./Table.ts"

/** One ASCII character that can stand between or around cells. */
const Mark = Schema.String.pipe(
  Schema.filter((text) => /^[\t\x20-\x7e]$/.test(text) || "one ASCII character is needed, like , or ; or a tab")
)

/** The fields beside the file's name, for every step that reads rows from a file. */
export const formatFields = {
  format: Schema.optional(
    Schema.Literal("jsonl", "csv").annotations({
      description: "jsonl or csv; told by the file's name (.jsonl .ndjson .csv .tsv, with or without .gz) unless said"
    })
  ),
  columns: Schema.optional(
    Schema.Record({ key: Schema.String, value: CellType }).annotations({
      description:
        "CSV: column to type; string unless said. An empty cell of another type is null. Without a header, the columns in their order."
    })
  ),
  header: Schema.optional(
    Schema.Boolean.annotations({ description: "CSV: whether the first record names the columns; true unless said" })
  ),
  delimiter: Schema.optional(
    Mark.annotations({
      description: "one ASCII character between the cells of CSV (a comma, or a tab in .tsv, unless said)"
    })
  ),
  quote: Schema.optional(
    Mark.annotations({ description: 'one ASCII character around cells of CSV that need it (" unless said)' })
  ),
  integers: Schema.optional(
    Schema.Literal("string", "strict").annotations({
      description:
        "Integers beyond 2^53, which numbers cannot hold: string keeps their digits as a string, with a warning (so unless said); strict makes a failed row of the line."
    })
  ),
  nullText: Schema.optional(Schema.String.annotations({ description: "CSV: a cell that says this is null" }))
} as const

const Fields = Schema.Struct(formatFields)

/** How a file is read. */
export type Format = typeof Fields.Type & { readonly file: string }

const bare = (file: string): string => file.replace(/\.gz$/i, "").toLowerCase()

const formatOf = ({ file, format }: Format): "jsonl" | "csv" | undefined => {
  if (format !== undefined) return format
  if (file === "-" || /\.(jsonl|ndjson)$/.test(bare(file))) return "jsonl"
  return /\.(csv|tsv)$/.test(bare(file)) ? "csv" : undefined
}

/** What is wrong with how a file is to be read, and at which field. */
export const formatMistake = (
  config: Format
): { readonly path: ReadonlyArray<string>; readonly message: string } | undefined => {
  const { columns, delimiter, file, format: _, header, nullText, quote } = config
  const format = formatOf(config)
  if (file === "") return { path: ["file"], message: "name a file, or - for what is piped in" }
  if (format === undefined) {
    return { path: ["file"], message: `what is in ${file} is not told by its name: add format: jsonl or format: csv` }
  }
  const options = { columns, header, delimiter, quote, nullText }
  const lone = Object.entries(options).find(([, value]) => value !== undefined)?.[0]
  if (format === "jsonl" && lone !== undefined)
    return { path: [lone], message: `${lone} is for csv, and this is jsonl` }
  if ((delimiter ?? ",") === (quote ?? '"')) return { path: ["delimiter"], message: "delimiter and quote must differ" }
  return undefined
}

/** A decoder for the file, from a position on. Throws a `HeaderInvalid` while it decodes. */
export const decoderOf = (config: Format, from: Position): Decoder => {
  const { columns, file, header = true, integers = "string", nullText, quote = '"' } = config
  if (formatOf(config) === "jsonl") return jsonDecoder(from, integers)
  const delimiter = config.delimiter ?? (bare(file).endsWith(".tsv") ? "\t" : ",")
  return tableDecoder({ columns, delimiter, header, integers, nullText, quote }, from)
}
