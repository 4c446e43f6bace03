/**
 * Rows of outputs: for the preview, for the profile of each column, and for comparisons of page versions. Only paths that
 * the ledger names are opened, and only if size and modification time show that the file is still what the run wrote.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { isTable, whyNotShown } from "../Contract/Reader.ts"
import type { RunRecord } from "../Ledger/Model.ts"
import type { Data, Row } from "../Row.ts"
import { sinks } from "../Sink/Write.ts"
import { HeaderInvalid } from "../Step/Read/Csv.ts"
import { LineSplitter } from "../Step/Read/Decoder.ts"
import { open } from "../Step/Read/Input.ts"
import { decoderOf } from "../Step/Read/Rows.ts"
import { page } from "../Web/Dashboard/Protocol.ts"
import type { ColumnProfile, OutputFile, OutputProfile, Preview } from "../Web/Dashboard/RunProtocol.ts"
import { type Query, Refusal } from "./Request.ts"
import { find } from "./Runs.ts"
import * as RunView from "./RunView.ts"

/** Maximum bytes decompressed for a preview or a profile, bytes of a line, and characters of a cell. */
const limits = { bytes: 8 * 1024 * 1024, profile: 4 * 1024 * 1024, line: 4 * 1024 * 1024, cell: 2_000, columns: 200 }
const defaultRows = 100

/** Reason why the file is not what the run wrote; undefined if it is. */
export const missingReason = (output: OutputFile, run: RunRecord) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const info = yield* Effect.option(files.stat(output.path))
    if (info._tag === "None") return "the file does not exist on this machine"
    const { mtime, size, type } = info.value
    if (type !== "File") return "the path is not a file"
    const changed = Option.match(mtime, { onNone: () => 0, onSome: (date) => date.getTime() })
    // Files are published before the run ends in the ledger.
    const isLater = changed > (run.endedAt ?? run.updatedAt) + 2_000
    return Number(size) !== output.bytes || isLater ? "the file has changed since the run wrote it" : undefined
  })

/** Reader for a format of Sluice; undefined for other formats, which only their project's code can read. */
const readerOf = ({ format }: OutputFile) => sinks.find(({ key }) => key === format)?.reader({})

/** Bytes left to read; several outputs may share the budget. */
export interface ByteBudget {
  left: number
}

/** Rows of an output in order, until the byte budget is used up; or the reason why the output cannot be read. */
export const rowsOf = (
  output: OutputFile,
  run: RunRecord,
  budget: ByteBudget
): Effect.Effect<
  { readonly why: string } | { readonly rows: Stream.Stream<Row, Refusal, FileSystem.FileSystem> },
  never,
  FileSystem.FileSystem | Path.Path
> =>
  Effect.gen(function* () {
    const why = yield* missingReason(output, run)
    if (why !== undefined) return { why }
    const reader = readerOf(output)
    if (reader === undefined) return { why: whyNotShown(output) }
    const input = yield* Effect.either(open(output.path, "/"))
    if (input._tag === "Left") return { why: input.left.message }
    const decoder = decoderOf({ ...reader, file: output.path }, { line: 0 })
    const cutter = new LineSplitter(limits.line)
    const decoded = (decode: () => ReadonlyArray<Row>) =>
      Effect.try({
        try: decode,
        catch: (error) => {
          const why = error instanceof HeaderInvalid ? error.message : `cannot be read: ${String(error)}`
          return new Refusal({ status: 503, reason: `${output.path} ${why}` })
        }
      })
    const rows = input.right.blocks(0).pipe(
      Stream.mapError(({ message }) => new Refusal({ status: 503, reason: message })),
      Stream.takeWhile(() => budget.left > 0),
      Stream.mapConcatEffect((block) =>
        decoded(() => {
          budget.left -= block.length
          return decoder.decode(cutter.cut(block)).rows
        })
      ),
      Stream.concat(
        Stream.fromIterableEffect(
          decoded(() => (budget.left > 0 ? [...decoder.decode(cutter.end()).rows, ...decoder.end().rows] : []))
        )
      )
    )
    return { rows }
  })

const cellOf = (value: unknown, maxLength: number): string | null => {
  if (value === undefined || value === null) return null
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "")
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

/** Columns and cells of rows. */
export const tableOf = (
  rows: ReadonlyArray<Data>,
  { cell, columns: maxColumns }: Pick<typeof limits, "cell" | "columns"> = limits
): Pick<Preview, "columns" | "rows"> => {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, maxColumns)
  const cells = (row: Data) => columns.map((name) => cellOf(Object.hasOwn(row, name) ? row[name] : undefined, cell))
  return { columns, rows: rows.map(cells) }
}

const outputOf = (run: RunRecord, number: string) => {
  const output = RunView.outputsOf(run).find((each) => String(each.number) === number)
  return output === undefined
    ? new Refusal({ status: 404, reason: `run ${run.id} has no output ${number}` })
    : Effect.succeed(output)
}

export const preview = (id: string, number: string, query: Query) =>
  Effect.gen(function* () {
    const run = yield* find(id)
    const limit = yield* query.number("rows", { least: 1, most: page.most, otherwise: defaultRows })
    const output = yield* outputOf(run, number)
    const { format, path } = output
    const found = yield* rowsOf(output, run, { left: limits.bytes })
    if ("why" in found) return { path, format, columns: [], rows: [], isCut: false, why: found.why } satisfies Preview
    const rows = Array.from(yield* Stream.runCollect(Stream.take(found.rows, limit + 1)), ({ data }) => data)
    const shown = rows.slice(0, limit)
    const isCut = rows.length > limit || (output.rows > shown.length && shown.length < limit)
    return { path, format, ...tableOf(shown), isCut } satisfies Preview
  })

/** Profile of each column over the first rows of an output, as many as fit into the byte budget. */
export const profile = (id: string, number: string) =>
  Effect.gen(function* () {
    const run = yield* find(id)
    const output = yield* outputOf(run, number)
    const found = yield* rowsOf(output, run, { left: limits.profile })
    if ("why" in found) return { columns: [], rows: 0, isCut: false, why: found.why } satisfies OutputProfile
    const collected = makeProfile(isTable(readerOf(output)))
    let rows = 0
    yield* Stream.runForEachChunk(found.rows, (chunk) =>
      // Yields after each block of rows, because other requests wait for this thread.
      Effect.zipRight(
        Effect.sync(() => {
          for (const { data } of chunk) collected.add(data)
          rows += chunk.length
        }),
        Effect.yieldNow()
      )
    )
    return { columns: collected.profiles(), rows, isCut: rows < output.rows } satisfies OutputProfile
  })

/** Maximum columns, distinct values per column, characters of a value, and most frequent values. */
export const profileLimits = { columns: 200, distinct: 1_000, value: 80, top: 3 }

interface Column {
  filled: number
  readonly types: Map<string, number>
  /** Number of rows by value; values beyond `limits.distinct` are not added. */
  readonly values: Map<string, number>
  hasMore: boolean
  least: number
  greatest: number
  shortest: number
  longest: number
}

const emptyColumn = (): Column => ({
  filled: 0,
  types: new Map(),
  values: new Map(),
  hasMore: false,
  least: Number.POSITIVE_INFINITY,
  greatest: Number.NEGATIVE_INFINITY,
  shortest: Number.POSITIVE_INFINITY,
  longest: 0
})

/** True for a string that reads as a number and back without a change: not a code like 007, and neither too large nor too precise. */
const isNumber = (text: string): boolean => {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return false
  const value = Number(text)
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}

const typeOf = (value: unknown): string =>
  typeof value === "number"
    ? Number.isInteger(value)
      ? "integer"
      : "number"
    : Array.isArray(value)
      ? "array"
      : typeof value

/** Value of a CSV cell, which is always a string in the file: a number, true, false, or the string. */
const ofText = (text: string): unknown =>
  isNumber(text) ? Number(text) : text === "true" || text === "false" ? text === "true" : text

const increment = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1)

/** Adds a value to a column; `text` is the form in which it is counted. */
const addValue = (column: Column, value: unknown, text: string): void => {
  column.filled++
  increment(column.types, typeOf(value))
  if (typeof value === "number") {
    column.least = Math.min(column.least, value)
    column.greatest = Math.max(column.greatest, value)
  }
  if (typeof value === "string") {
    column.shortest = Math.min(column.shortest, value.length)
    column.longest = Math.max(column.longest, value.length)
  }
  // Two long values with the same beginning and length count as one.
  const name = text.length > profileLimits.value ? `${text.slice(0, profileLimits.value)}… (${text.length})` : text
  if (column.values.has(name) || column.values.size < profileLimits.distinct) increment(column.values, name)
  else column.hasMore = true
}

const byCount = ([a, rows]: readonly [string, number], [b, others]: readonly [string, number]): number =>
  others - rows || (a < b ? -1 : 1)

/** Row counts by type; whole numbers count as numbers if other values have fractions. */
const typesOf = ({ types }: Column): ReadonlyArray<readonly [type: string, rows: number]> => {
  const [integers = 0, fractions = 0] = [types.get("integer"), types.get("number")]
  const merged = new Map(types)
  if (fractions > 0 && merged.delete("integer")) merged.set("number", integers + fractions)
  return [...merged].sort(byCount)
}

const toProfile = (name: string, column: Column): ColumnProfile => ({
  name,
  filled: column.filled,
  types: typesOf(column).map(([type, rows]) => ({ type, rows })),
  distinct: column.values.size,
  hasMore: column.hasMore,
  ...(column.least <= column.greatest ? { range: { least: column.least, greatest: column.greatest } } : {}),
  ...(column.shortest <= column.longest ? { lengths: { least: column.shortest, greatest: column.longest } } : {}),
  // A value that occurs once is not frequent.
  top: [...column.values]
    .filter(([, rows]) => rows > 1)
    .sort(byCount)
    .slice(0, profileLimits.top)
    .map(([value, rows]) => ({ value, rows }))
})

/** Collects rows. `isText`: cells are text, as in CSV files. An empty cell counts as missing. */
export const makeProfile = (isText: boolean) => {
  const columns = new Map<string, Column>()
  return {
    add: (row: Readonly<Record<string, unknown>>): void => {
      for (const [name, given] of Object.entries(row)) {
        let column = columns.get(name)
        if (column === undefined) {
          if (columns.size >= profileLimits.columns) continue
          column = emptyColumn()
          columns.set(name, column)
        }
        if (given === null || given === undefined || given === "") continue
        if (typeof given === "string") addValue(column, isText ? ofText(given) : given, given)
        else addValue(column, given, JSON.stringify(given) ?? "")
      }
    },
    profiles: (): ReadonlyArray<ColumnProfile> => Array.from(columns, ([name, column]) => toProfile(name, column))
  }
}
