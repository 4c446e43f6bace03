/** The columns of CSV files: declared, or found in the first rows, which wait for that. */
/** Rows as CSV: columns declared or found, one dialect, and no cell that a spreadsheet would run. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { Data, Json, Row } from "../Row.ts"
import type { Commit, Place, Writer } from "../Sink.ts"
import * as Sink from "../Sink.ts"
import { Cells, type Columns, ColumnType, cellsOf, columnsOf, Dates, type Dialect, makeFormat } from "./CsvTable.ts"
import { fields, objections, placeholdersOf, Template } from "./Destination.ts"
import type { Route } from "./Partition.ts"
import * as Partition from "./Partition.ts"
import * as Parts from "./Parts.ts"
import type { FileError, SinkError } from "./SinkErrors.ts"
/** So many rows are looked at before the columns of files without declared ones are known, if they are not large. */
export const looked = 1000
/** Characters of rows that wait for that: they are in memory, and with the next commit in the ledger. */
const lookedSize = 1 << 25

/** So many names of fields without a column are told. */
const told = 20

/** What is kept beside the files. Plain JSON. */
interface State {
  /** The columns that are found, or those so far. */
  readonly fields: ReadonlyArray<string>
  readonly found: boolean
  readonly dropped: ReadonlyArray<string>
}

/** A row that waits. Plain JSON. */
interface Held {
  readonly of: string
  readonly cells: ReadonlyArray<string | null>
}

const sizeOf = (cells: Held["cells"]): number => cells.reduce((sum, text) => sum + (text?.length ?? 0), 0)

export const openTable = (
  dialect: Dialect & { readonly bom: boolean },
  types: Readonly<Record<string, ColumnType>> | undefined,
  route: Route,
  place: Place
): Effect.Effect<Writer, FileError, FileSystem.FileSystem | Scope.Scope> =>
  Effect.gen(function* () {
    const kept = place.resume?.state as unknown as State | undefined
    const dropped = new Set<string>(kept?.dropped)
    let fields = new Map(kept?.fields.map((name, at) => [name, at] as const))
    let held = (place.resume?.held ?? []) as unknown as ReadonlyArray<Held>
    const names = types === undefined ? (kept?.found ? kept.fields : undefined) : Object.keys(types)
    let columns: Columns | undefined = names && columnsOf(names, types, dialect)

    const none = columnsOf([], undefined, dialect)
    const drop = (field: string): void => {
      if (dropped.size <= told) dropped.add(field.length > 60 ? `${field.slice(0, 57)}…` : field)
    }
    const parts = yield* Parts.open(
      route,
      place,
      makeFormat(dialect, types, () => columns ?? none, drop)
    )

    /** The rows that wait, and those behind them, under the columns that were found. */
    const decide = (
      waiting: ReadonlyArray<Held>,
      found: ReadonlyMap<string, number>,
      behind: ReadonlyArray<Row>,
      of: ReadonlyArray<string>,
      shift: number
    ) =>
      Effect.suspend(() => {
        columns = columnsOf([...found.keys()], undefined, dialect)
        const items: Array<Data | Cells> = waiting.map(({ cells }) => new Cells(cells))
        for (const row of behind) items.push(row.data)
        return parts.write(items, [...waiting.map((each) => each.of), ...of], shift)
      }).pipe(
        Effect.matchEffect({
          onFailure: (error) =>
            Effect.suspend(() => {
              columns = undefined
              return Effect.fail(error)
            }),
          onSuccess: () =>
            Effect.sync(() => {
              held = []
              fields = new Map(found)
            })
        })
      )

    let size = held.reduce((sum, { cells }) => sum + sizeOf(cells), 0)

    const hold = (rows: ReadonlyArray<Row>, of: ReadonlyArray<string>): Effect.Effect<void, SinkError> =>
      Effect.suspend(() => {
        const found = new Map(fields)
        const waiting = [...held]
        let index = 0
        let long = size
        const isEnough = () => waiting.length === looked || long >= lookedSize
        for (; index < rows.length && !isEnough(); index++) {
          const cells = cellsOf((rows[index] as Row).data, found, dialect, index, drop)
          if (Either.isLeft(cells)) return cells
          waiting.push({ of: of[index] as string, cells: cells.right })
          long += sizeOf(cells.right)
        }
        if (isEnough()) {
          return decide(waiting, found, rows.slice(index), of.slice(index), index - waiting.length)
        }
        size = long
        fields = found
        held = waiting
        return Effect.void
      })

    const write = (rows: ReadonlyArray<Row>): Effect.Effect<void, SinkError> =>
      Effect.flatMap(route.of(rows), (of) =>
        columns === undefined
          ? hold(rows, typeof of === "string" ? rows.map(() => of) : of)
          : parts.write(
              rows.map((row) => row.data),
              of
            )
      )

    const state = (): State => ({
      fields: types === undefined ? [...fields.keys()] : [],
      found: columns !== undefined,
      dropped: [...dropped]
    })

    return {
      // What was decided and what was written go together.
      write: (rows) => (rows.length === 0 ? Effect.void : Effect.uninterruptible(write(rows))),
      commit: Effect.map(
        parts.commit,
        (files): Commit => ({ files, state: state() as unknown as Json, held: held as unknown as ReadonlyArray<Json> })
      ),
      seal: Effect.gen(function* () {
        if (columns === undefined) yield* decide(held, fields, [], [], 0)
        const sealed = yield* parts.seal
        const some = [...dropped].slice(0, told).join(", ")
        const file = sealed.files.length === 1 ? sealed.files[0]?.path : route.template
        const warning = `${file} has no column for ${some}${dropped.size > told ? " and more" : ""}`
        return dropped.size === 0 ? sealed : { ...sealed, warnings: [warning, ...sealed.warnings] }
      }).pipe(Effect.uninterruptible),
      discard: parts.discard
    }
  })

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
    Effect.suspend(() =>
      openTable(config, config.columns, Partition.make({ ...config, path: config.csv }, place), place)
    )
})
