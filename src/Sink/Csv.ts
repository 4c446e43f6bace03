/**
 * CSV: rows as records of a table.
 *
 * - Columns are declared, or collected from the first 1,000 rows (or 32 MB) of all partitions together. Until then rows are buffered in
 *   memory; every commit saves the buffered rows, and a resumed run gets them back.
 * - Once columns are known, they are the same in every file. With `onNewField: widen`, a single file may get more columns.
 * - A batch that completes the columns is written as a whole or not at all: if it fails, columns are unknown again.
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { uninterruptible } from "../Callback/Uninterruptible.ts"
import type { Reader } from "../Contract/Reader.ts"
import { keysAsWritten } from "../Row/FieldOrder.ts"
import type { Data, Row } from "../Row.ts"
import type * as Sink from "../Sink.ts"
import { Character } from "../Step/Read/Csv.ts"
import { mapping } from "../Step/Requirements.ts"
import { jsonText } from "./Codec.ts"
import {
  BufferedCells,
  bufferCells,
  type Columns,
  ColumnType,
  columnsOf,
  Dates,
  type Dialect,
  makeCodec,
  maxColumns,
  SavedState
} from "./CsvTable.ts"
import { fields, type OutputSettings, placeholdersOf, settingsErrors, Template } from "./Destination.ts"
import * as Partition from "./Partition.ts"
import * as Parts from "./Parts.ts"
import { CommitUnreadable, type FileError, type SinkError } from "./SinkErrors.ts"
import type { Commit, CommittedFile, RowSizes, SinkContext, Writer } from "./Writer.ts"

/** Maximum rows from which columns are collected, unless columns are declared. */
const maxBufferedRows = 1000
/** Maximum characters of these rows, which are held in memory and, after a commit, in the ledger. */
const maxBufferedChars = 1 << 25

/** Maximum names in a warning about fields without a column. */
const maxNamedFields = 20

/** State of the sink as saved with a commit. */
const SavedColumns = Schema.Struct({
  /** Columns collected so far. */
  fields: Schema.Array(Schema.String),
  /** True once all columns are collected. */
  found: Schema.Boolean,
  /** Names of fields without a column. */
  dropped: Schema.Array(Schema.String)
})

/** A row that waits for the columns, as saved with a commit. */
const BufferedRow = Schema.Struct({
  /** Partition of the row. */
  of: Schema.String,
  cells: Schema.Array(Schema.NullOr(Schema.String))
})
type BufferedRow = typeof BufferedRow.Type

const charsIn = (cells: BufferedRow["cells"]): number => cells.reduce((sum, text) => sum + (text?.length ?? 0), 0)

/** Restores columns and buffered rows from the last commit. */
const restore = (resume: Commit | undefined) =>
  Effect.all({
    saved: resume?.state === undefined ? Effect.succeed(undefined) : Schema.decodeUnknown(SavedColumns)(resume.state),
    buffered: Schema.decodeUnknown(Schema.Array(BufferedRow))(resume?.buffered ?? [])
  })

const openTable = (
  dialect: Dialect & { readonly bom: boolean },
  types: Readonly<Record<string, ColumnType>> | undefined,
  partitioner: Partition.Partitioner,
  context: SinkContext
): Effect.Effect<Writer, FileError, FileSystem.FileSystem | Scope.Scope> =>
  Effect.gen(function* () {
    const restored = yield* Effect.mapError(
      restore(context.resume),
      (cause) => new CommitUnreadable({ path: partitioner.template, cause })
    )
    const { saved } = restored
    let { buffered } = restored
    const dropped = new Set<string>(saved?.dropped)
    let fields = new Map(saved?.fields.map((name, at) => [name, at] as const))
    const names =
      types === undefined
        ? saved?.found
          ? saved.fields
          : undefined
        : keysAsWritten(types, mapping(context.written).columns)
    let columns: Columns | undefined = names && columnsOf(names, types, dialect)

    const none = columnsOf([], undefined, dialect)
    const drop = (field: string): void => {
      if (dropped.size <= maxNamedFields) dropped.add(field.length > 60 ? `${field.slice(0, 57)}…` : field)
    }
    const parts = yield* Parts.open(
      partitioner,
      context,
      makeCodec(dialect, types, () => columns ?? none, drop)
    )

    /** Writes the buffered rows, and the rows after them, with the collected columns. */
    const writeBuffered = (
      rows: ReadonlyArray<BufferedRow>,
      collected: ReadonlyMap<string, number>,
      behind: ReadonlyArray<Row>,
      partitions: ReadonlyArray<string>,
      offset: number
    ) =>
      Effect.suspend(() => {
        columns = columnsOf([...collected.keys()], undefined, dialect)
        const items: Array<Data | BufferedCells> = rows.map(({ cells }) => new BufferedCells(cells))
        for (const row of behind) items.push(row.data)
        return parts.write(items, [...rows.map((each) => each.of), ...partitions], offset)
      }).pipe(
        Effect.matchEffect({
          onFailure: (error) =>
            Effect.suspend(() => {
              columns = undefined
              return Effect.fail(error)
            }),
          onSuccess: () =>
            Effect.sync(() => {
              buffered = []
              fields = new Map(collected)
            })
        })
      )

    let chars = buffered.reduce((sum, { cells }) => sum + charsIn(cells), 0)

    const buffer = (rows: ReadonlyArray<Row>, partitions: ReadonlyArray<string>): Effect.Effect<void, SinkError> =>
      Effect.suspend(() => {
        const collected = new Map(fields)
        const waiting = [...buffered]
        let size = chars
        let index = 0
        const isFull = () => waiting.length === maxBufferedRows || size >= maxBufferedChars
        for (; index < rows.length && !isFull(); index++) {
          const cells = bufferCells((rows[index] as Row).data, collected, dialect, index, drop)
          if (Either.isLeft(cells)) return cells
          waiting.push({ of: partitions[index] ?? "", cells: cells.right })
          size += charsIn(cells.right)
        }
        if (isFull()) {
          return writeBuffered(waiting, collected, rows.slice(index), partitions.slice(index), index - waiting.length)
        }
        chars = size
        fields = collected
        buffered = waiting
        return Effect.void
      })

    const write = (rows: ReadonlyArray<Row>): Effect.Effect<void, SinkError> =>
      Effect.flatMap(partitioner.partitionsOf(rows), (partitions) =>
        columns === undefined
          ? buffer(rows, typeof partitions === "string" ? rows.map(() => partitions) : partitions)
          : parts.write(
              rows.map((row) => row.data),
              partitions
            )
      )

    const state = (): typeof SavedColumns.Type => ({
      fields: types === undefined ? [...fields.keys()] : [],
      found: columns !== undefined,
      dropped: [...dropped]
    })

    return {
      // Uninterruptible: the decision about columns must be kept together with the rows written with it.
      write: (rows) => (rows.length === 0 ? Effect.void : uninterruptible(write(rows))),
      commit: Effect.map(parts.commit, (files): Commit => ({ files, state: state(), buffered })),
      seal: Effect.gen(function* () {
        if (columns === undefined) yield* writeBuffered(buffered, fields, [], [], 0)
        const sealed = yield* parts.seal
        // Declared columns leave other fields out on purpose: no warning.
        if (dropped.size === 0 || types !== undefined) return sealed
        const named = [...dropped].slice(0, maxNamedFields).join(", ")
        const file = sealed.files.length === 1 ? sealed.files[0]?.path : partitioner.template
        const warning = `${file} has no column for ${named}${dropped.size > maxNamedFields ? " and more" : ""}`
        return { ...sealed, warnings: [warning, ...sealed.warnings] }
      }).pipe(Effect.uninterruptible),
      discard: parts.discard
    }
  })

/** Bytes that two quotes, a formula escape and a delimiter add to a cell. */
const cellOverhead = 4

/** Maximum bytes of a date. */
const maxDateBytes = 24

/** Maximum bytes that a record adds to its cells: a line end, and quotes around an empty record. */
const recordOverhead = 3

/** Bytes of a byte order mark and the header's line end. */
const headerOverhead = 5

/** Estimated size of one partition. */
interface PartitionSize {
  /** Columns that only this file has, and the bytes that their names add to a header. */
  readonly more: Set<string>
  moreHeader: number
  /** Parts so far, each with its own header. */
  parts: number
  /** Rows of the current part and of all parts. */
  rows: number
  allRows: number
  /** Bytes of the current part. */
  bytes: number
}

export interface SizedConfig extends Omit<OutputSettings, "path"> {
  readonly csv: string
  readonly columns?: Readonly<Record<string, ColumnType>> | undefined
  readonly quote: string
  readonly nullText: string
  readonly onNewField: Dialect["onNewField"]
}

/** Columns that only this committed file has. */
const extraColumns = ({ state }: CommittedFile): ReadonlyArray<string> =>
  Schema.decodeUnknownOption(Schema.Struct({ format: SavedState }))(state).pipe(
    Option.match({ onNone: () => [], onSome: ({ format }) => format.more ?? [] })
  )

/**
 * Upper bounds for the bytes that records add: their own, those of new headers, and those of cells that older records get.
 *
 * - Without declared columns, every file and every record has the columns of the first rows.
 * - With `widen`, a later column adds a cell to the header and to each record that its file has.
 */
const recordSizes = (
  { csv, columns, nullText, onNewField, quote, ...settings }: SizedConfig,
  context: SinkContext
): RowSizes => {
  const partitioner = Partition.make({ ...settings, path: csv }, context)
  const { limits } = partitioner
  const textOf = (value: unknown) => (typeof value === "string" ? Either.right(value) : jsonText(value))
  const cell = (value: unknown, type?: ColumnType): number => {
    const text = Either.getOrElse(textOf(value), () => "")
    const bytes = Buffer.byteLength(text ?? "") + (text?.split(quote).length ?? 1) - 1
    return Math.max(bytes, Buffer.byteLength(nullText), type === "date" ? maxDateBytes : 0) + cellOverhead
  }
  /** Bytes of the cell that widening adds to an older record. */
  const addedCell = Buffer.byteLength(nullText) + 1
  const headerOf = (names: Iterable<string>): number => Array.from(names).reduce((sum, name) => sum + cell(name), 0)

  const { buffered = [], files: earlier = [], state } = context.resume ?? {}
  const saved = Option.getOrUndefined(Schema.decodeUnknownOption(SavedColumns)(state))
  const base = new Set<string>(columns === undefined ? saved?.fields : Object.keys(columns))
  let baseHeader = headerOf(base) + headerOverhead
  /** Rows from which columns have been collected so far. */
  let collectedRows = columns !== undefined || saved?.found === true ? maxBufferedRows : buffered.length
  // Assume the worst: any file of the interrupted run may have the columns and rows of all of them.
  const widened = earlier.flatMap(extraColumns)
  const olderRows = Math.max(0, ...earlier.map(({ rows }) => rows))
  const partitions = new Map<string, PartitionSize>()
  /** Partitions of the rows that were buffered before the resume. */
  const bufferedPartitions = new Set(
    Option.getOrElse(Schema.decodeUnknownOption(Schema.Array(BufferedRow))(buffered), () => []).map(({ of }) => of)
  ).size

  /** Collects columns for all files; returns the bytes that they add to files that have rows. */
  const collect = (data: Data): number => {
    let size = 0
    for (const name of Object.keys(data)) {
      if (base.has(name) || base.size >= maxColumns) continue
      base.add(name)
      baseHeader += cell(name)
      if (buffered.length > 0) {
        const more = bufferedPartitions * cell(name) + buffered.length * addedCell
        size += more + Math.min(buffered.length, Math.ceil((2 * more) / limits.size)) * baseHeader
      }
      for (const partition of partitions.values()) {
        const more = partition.parts * cell(name) + partition.allRows * addedCell
        // Wider records fill parts earlier, so there will be more parts, each with a header.
        const parts = Math.min(partition.allRows, Math.ceil((2 * more) / limits.size))
        partition.parts += parts
        partition.bytes += more
        size += more + parts * (baseHeader + partition.moreHeader)
      }
    }
    if (Object.values(data).every((value) => value === undefined || Either.isRight(textOf(value)))) collectedRows++
    return size
  }

  /** Adds columns to one file; returns the bytes that they add to its header and records. */
  const widen = (data: Data, partition: PartitionSize): number => {
    let size = 0
    for (const name of Object.keys(data)) {
      if (base.has(name) || partition.more.has(name) || base.size + partition.more.size >= maxColumns) continue
      partition.more.add(name)
      partition.moreHeader += cell(name)
      size += cell(name) + Math.min(partition.allRows, limits.rows) * addedCell
    }
    partition.bytes += size
    return size
  }

  const sizeIn = ({ data }: Row, path: string): number => {
    let size = collectedRows < maxBufferedRows ? collect(data) : 0
    let partition = partitions.get(path)
    if (partition === undefined) {
      const more = new Set(widened)
      partition = { more, moreHeader: headerOf(more), parts: 0, rows: 0, allRows: olderRows, bytes: 0 }
      partitions.set(path, partition)
    }
    if (onNewField === "widen" && collectedRows >= maxBufferedRows) size += widen(data, partition)
    let record = recordOverhead
    for (const names of [base, partition.more]) {
      for (const name of names) {
        record += cell(Object.hasOwn(data, name) ? data[name] : undefined, columns?.[name])
      }
    }
    // The next part begins with its own header.
    if (partition.parts === 0 || partition.rows >= limits.rows || partition.bytes + record > limits.size) {
      partition.parts++
      partition.rows = 0
      partition.bytes = baseHeader + partition.moreHeader
      size += partition.bytes
    }
    partition.rows++
    partition.allRows++
    partition.bytes += record
    return size + record
  }

  return (rows) =>
    Effect.map(Partition.partitionOfEach(partitioner, rows), (paths) =>
      rows.map((row, index) => sizeIn(row, paths[index] ?? ""))
    )
}

const option = <A, I>(schema: Schema.Schema<A, I>, fallback: NoInfer<A>, description: string) =>
  Schema.optionalWith(schema.annotations({ description }), { default: () => fallback })

const Config = Schema.Struct({
  csv: Template,
  columns: Schema.optional(
    Schema.Record({ key: Schema.String, value: ColumnType })
      .pipe(Schema.filter((columns) => Object.keys(columns).length > 0 || "name at least one column"))
      .annotations({
        description:
          "Columns of the file in order: each field with its type. Without `columns`, they are made from the first 1,000 rows (at most 32 MB)."
      })
  ),
  onNewField: option(
    Schema.Literal("drop", "error", "widen"),
    "drop",
    "A field that has no column. drop: leave the field out; error: refuse the row; widen: add a column after the others."
  ),
  ...fields,
  delimiter: option(Character, ",", "Character between cells."),
  quote: option(Character, '"', "Character around cells that need quotes."),
  lineEnd: option(Schema.Literal("lf", "crlf"), "lf", "Line end after every record."),
  bom: option(Schema.Boolean, false, "Begin the file with a byte order mark, for old spreadsheets."),
  nullText: option(
    Schema.String.pipe(Schema.pattern(/^[^\r\n]*$/)),
    "",
    "Text written for a missing value. A reader cannot tell it from a value with the same text."
  ),
  dates: Schema.optionalWith(Dates, { default: () => "iso" as const }),
  escapeFormulas: option(
    Schema.Boolean,
    true,
    "Put ' before text that a spreadsheet would run as a formula: = + - @ or a tab at its beginning, even after spaces and invisible characters; plain numbers like -5.00 stay. Programs that read the file see the ': set false for files that no spreadsheet opens. Cells with , ; | or a tab are always quoted."
  )
}).pipe(
  Schema.filter((config) => {
    const issues = settingsErrors("csv", { ...config, path: config.csv })
    const add = (key: string, message: string) => issues.push({ path: [key], message })
    // With {seq}, append adds new parts and does not continue a file.
    const toOne = config.mode === "append" && !placeholdersOf(config.csv).includes("seq")
    if (config.delimiter === config.quote) add("quote", "delimiter and quote must differ")
    if (config.nullText.includes(config.delimiter) || config.nullText.includes(config.quote)) {
      add("nullText", "nullText cannot contain the delimiter or the quote")
    }
    if (config.csv === "-" && config.onNewField === "widen") {
      add("onNewField", 'columns cannot be added to standard output ("-"): use drop or error')
    }
    if (toOne && config.columns === undefined) add("mode", "mode append needs columns")
    if (toOne && config.onNewField === "widen")
      add("mode", "mode append cannot add columns: set onNewField to drop or error, or use mode replace")
    return issues
  })
)

const duckText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Code that reads files with these settings. Python understands JSON's string escapes, too. */
const readerOf = (fields: Readonly<Record<string, unknown>>): Reader => {
  const textOf = (name: string, fallback: string): string => {
    const { [name]: text } = fields
    return typeof text === "string" ? text : fallback
  }
  const [delimiter, quote, nullText] = [textOf("delimiter", ","), textOf("quote", '"'), textOf("nullText", "")]
  const [sep, mark, none] = [delimiter, quote, nullText].map((text) => JSON.stringify(text))
  const isUsual = quote === '"'
  return {
    extension: "csv",
    format: "csv",
    delimiter,
    ...(isUsual ? {} : { quote }),
    ...(nullText === "" ? {} : { nullText }),
    duckdb: [
      "read_csv",
      "header = true",
      "auto_detect = false",
      `delim = ${duckText(delimiter)}`,
      `quote = ${duckText(quote)}`,
      `escape = ${duckText(quote)}`,
      `nullstr = ${duckText(nullText)}`
    ],
    pandas: `pd.read_csv(file, sep=${sep}${isUsual ? "" : `, quotechar=${mark}`}, dtype=dtype, keep_default_na=False, na_values=[${none}], encoding="utf-8-sig")`,
    polars: `pl.scan_csv(path, separator=${sep}${isUsual ? "" : `, quote_char=${mark}`}, schema=schema, null_values=[${none}])`
  }
}

/** Sink `csv`. */
export const csv = {
  key: "csv",
  summary: "Writes rows as records of a CSV file, with declared columns or those of the first 1,000 rows.",
  example: `write:
  csv: out/files.csv
  columns: { file: string, words: integer, seen: date }`,
  config: Config,
  canAppend: ({ columns, onNewField }) => columns !== undefined && onNewField !== "widen",
  reader: readerOf,
  open: (config, context) =>
    Effect.suspend(() =>
      openTable(config, config.columns, Partition.make({ ...config, path: config.csv }, context), context)
    ),
  sizes: recordSizes
} satisfies Sink.Sink<"csv", typeof Config.Type, typeof Config.Encoded>
