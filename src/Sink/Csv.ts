/** Rows as CSV: columns declared or found, one dialect, and no cell that a spreadsheet would run (pipelines 6, 14). */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Json } from "../Row.ts"
import * as Sink from "../Sink.ts"
import { ColumnType } from "./Cell.ts"
import { fileError, HeaderMismatch, type SinkError } from "./Errors.ts"
import type { GrowingFile } from "./File.ts"
import { Mode, openFile } from "./Mode.ts"
import { Template } from "./Path.ts"
import { Scratch } from "./Scratch.ts"
import { type Column, column, encode, fieldsOf, header, type Rows } from "./Table.ts"
import { makeWidener } from "./Widen.ts"

/** So many rows are looked at before the header of a file without declared columns is written. */
const looked = 1000

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
      .annotations({ description: "Field to type, in the order of the file. Without it the first 1,000 rows decide." })
  ),
  onNewField: option(
    Schema.Literal("drop", "error", "widen"),
    "drop",
    "A field that has no column: leave it out, refuse the row, or add a column at the end."
  ),
  mode: Mode,
  delimiter: option(Mark, ",", "Between cells."),
  quote: option(Mark, '"', "Around cells that need it."),
  lineEnd: option(Schema.Literal("lf", "crlf"), "lf", "Behind every record."),
  bom: option(Schema.Boolean, false, "Begin the file with a byte order mark, for old spreadsheets."),
  nullText: option(Schema.String.pipe(Schema.pattern(/^[^\r\n]*$/)), "", "What an empty cell says."),
  escapeFormulas: option(Schema.Boolean, true, "Put ' before texts that a spreadsheet would run: = + - @ tab.")
}).pipe(
  Schema.filter((config) => {
    if (config.delimiter === config.quote) return "delimiter and quote must differ"
    if (config.nullText.includes(config.delimiter) || config.nullText.includes(config.quote)) {
      return "nullText cannot contain the delimiter or the quote"
    }
    if (config.mode === "append" && config.columns === undefined) return "mode append needs columns"
    if (config.mode === "append" && config.onNewField === "widen")
      return "mode append cannot widen: drop, or use replace"
    return true
  })
)
type Config = typeof Config.Type

/** Fails unless the file to append to begins with exactly this header. */
const checkHeader = (path: string, expected: Buffer, file: GrowingFile) =>
  Effect.gen(function* () {
    if (file.size() === 0) return
    const fs = yield* FileSystem.FileSystem
    const handle = yield* fs.open(path, { flag: "r" })
    const found = Buffer.alloc(expected.length)
    yield* handle.read(found)
    if (!found.equals(expected)) {
      return yield* new HeaderMismatch({
        path,
        expected: expected.toString().trim(),
        found: JSON.stringify(found.toString().trim())
      })
    }
  }).pipe(
    Effect.scoped,
    Effect.catchTags({
      SystemError: (error) => fileError(path, { bytes: 0, rows: 0 })(error),
      BadArgument: (error) => fileError(path, { bytes: 0, rows: 0 })(error)
    })
  )

const bom = "\ufeff"

/** What the sink keeps: the frozen columns, or the rows that wait for them. */
interface State {
  readonly columns?: ReadonlyArray<string> | undefined
  readonly held: Rows
}

const makeWriter = (config: Config, file: GrowingFile, kept: State | undefined): Sink.Writer => {
  const known = kept?.columns
  const declared = Object.entries(config.columns ?? {}).map(([name, type]) => column(name, type, config))
  let columns: Array<Column> | undefined =
    known?.map((name) => column(name, config.columns?.[name], config)) ??
    (config.columns === undefined ? undefined : declared)
  // Whether records of an interrupted run are narrower is not known: they are looked at.
  let widened = config.onNewField === "widen" && known !== undefined && file.size() > 0
  let held: Rows = kept?.held ?? []
  const dropped = new Set<string>()
  const scratch = new Scratch()

  const strange = (found: Array<string>) => (field: string) => {
    if (config.onNewField === "error") return "refuse" as const
    found.push(field)
    return "ignore" as const
  }

  const start = (names: ReadonlyArray<Column>): string => (config.bom ? bom : "") + header(names, config)

  const append = (rows: Rows, into: Array<Column>): Effect.Effect<void, SinkError> => {
    const found: Array<string> = []
    return encode(rows, into, config, strange(found)).pipe(
      Effect.flatMap((text) => {
        if (found.length === 0 || config.onNewField === "drop") return Effect.succeed(text)
        // The chunk is spelt once more, with the columns that it brought.
        for (const name of new Set(found)) into.push(column(name, undefined, config))
        widened = file.size() > 0
        return encode(rows, into, config, () => "ignore")
      }),
      Effect.flatMap((text) => {
        if (file.size() === 0) scratch.put(start(into))
        scratch.put(text)
        return file.write(scratch.take(), rows.length)
      }),
      Effect.tap(() =>
        Effect.sync(() => {
          if (config.onNewField === "drop") for (const name of found) dropped.add(name)
        })
      )
    )
  }

  /** Decides the header from the rows that were looked at, and writes them. */
  const settle: Effect.Effect<Array<Column>, SinkError> = Effect.suspend(() => {
    const found = columns ?? fieldsOf(held).map((name) => column(name, undefined, config))
    const rows = held
    return Effect.map(rows.length === 0 ? Effect.void : append(rows, found), () => {
      columns = found
      held = []
      return found
    })
  })

  return {
    write: (all) =>
      Effect.suspend(() => {
        if (all.length === 0) return Effect.void
        const rows = all.map((row) => row.data)
        if (columns !== undefined) return append(rows, columns)
        const fields = fieldsOf(rows).map((name) => column(name, undefined, config))
        return Effect.flatMap(
          encode(rows, fields, config, () => "ignore"),
          () => {
            held = [...held, ...rows]
            return held.length < looked ? Effect.void : Effect.asVoid(settle)
          }
        )
      }),
    commit: Effect.map(file.commit, (durable) => ({
      files: [durable],
      state: { columns: columns?.map(({ name }) => name), held: held as ReadonlyArray<Record<string, Json>> }
    })),
    seal: Effect.gen(function* () {
      const final = yield* settle
      if (file.size() === 0 && final.length > 0) yield* file.write(Buffer.from(start(final)), 0)
      const wide = {
        ...config,
        header: start(final).slice(0, config.lineEnd === "lf" ? -1 : -2),
        columns: final.length
      }
      const { scraps, ...whole } = yield* file.seal(widened ? makeWidener(wide) : undefined)
      const warnings = dropped.size === 0 ? [] : [`${whole.path} has no column for ${[...dropped].join(", ")}`]
      return { files: [{ ...whole, format: "csv" }], stale: [], scraps, warnings }
    }),
    discard: file.discard
  }
}

/** Sink `csv`. */
export const csv = Sink.make({
  key: "csv",
  summary: "Writes rows as records of a CSV file, with declared columns or those of the first 1,000 rows.",
  example: `write:
  csv: out/files.csv
  columns: { file: string, words: integer, seen: date }`,
  config: Config,
  open: (config, place) =>
    Effect.gen(function* () {
      const { file, path, resume } = yield* openFile(config.csv, config.mode, place)
      if (config.mode === "append" && resume === undefined) {
        const columns = Object.entries(config.columns ?? {}).map(([name, type]) => column(name, type, config))
        const expected = Buffer.from((config.bom ? bom : "") + header(columns, config))
        yield* Effect.tapError(checkHeader(path, expected, file), () => file.discard)
      }
      return makeWriter(config, file, place.resume?.state as State | undefined)
    })
})
