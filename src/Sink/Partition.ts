/**
 * Assigns rows to files: the path filled with a row's values is its partition, and `{seq}` in the path numbers the parts of the partition.
 *
 * A part ends before the row that would exceed `roll`. Parts are filled row by row, so the size of batches makes no difference.
 */
import * as NodePath from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Bindings } from "../Row/Expression.ts"
import type { Row } from "../Row.ts"
import { escapePattern } from "../Values/Text.ts"
import { type ByteBuffer, type Codec, jsonText, type RowBatch } from "./Codec.ts"
import {
  below,
  fill,
  foldCase,
  formatSeq,
  isZipped,
  literalPrefix,
  manifestName,
  type OutputSettings,
  perRun,
  placeholdersOf,
  resolve,
  sanitize
} from "./Destination.ts"
import { PartitionFailed, type RowError } from "./SinkErrors.ts"
import type { SinkContext } from "./Writer.ts"

/** Folder with the first `{seq}` segment of a partition's path, and the name of that segment. */
const numberedName = (partition: string, folder: string) => {
  const segments = partition.split("/")
  const at = segments.findIndex((segment) => segment.includes("{seq}"))
  const above = at === 0 ? "." : `${segments.slice(0, at).join("/")}/`
  return { parent: NodePath.resolve(folder, above), name: segments[at] ?? "" }
}

const partNumber = (digits: string): number | undefined => {
  const seq = Number(digits)
  return Number.isSafeInteger(seq) && formatSeq(seq) === digits ? seq : undefined
}

/** Part numbers by file name, with `{seq}` in place of the number. */
const indexNames = (names: ReadonlyArray<string>): ReadonlyMap<string, ReadonlyArray<number>> => {
  const index = new Map<string, Array<number>>()
  for (const name of names) {
    for (const { 0: digits, index: at } of name.matchAll(/\d{5,}/g)) {
      const seq = partNumber(digits)
      if (seq === undefined) continue
      const key = foldCase(`${name.slice(0, at)}{seq}${name.slice(at + digits.length)}`)
      const known = index.get(key)
      if (known === undefined) index.set(key, [seq])
      else known.push(seq)
    }
  }
  return index
}

/** Part numbers of files whose names contain the number more than once. */
const matchNames = (names: ReadonlyArray<string>, name: string): ReadonlyArray<number> => {
  const [before = "", after = "", ...more] = foldCase(name).split("{seq}").map(escapePattern)
  const pattern = new RegExp(`^${before}(\\d{5,})${[after, ...more].join("\\1")}$`)
  return names.flatMap((each) => partNumber(pattern.exec(foldCase(each))?.[1] ?? "") ?? [])
}

/** Finds the parts on disk; lists each folder only once. */
export const makePartFinder = (fs: FileSystem.FileSystem, folder: string) => {
  const listed = new Map<
    string,
    { readonly names: ReadonlyArray<string>; readonly index: ReturnType<typeof indexNames> }
  >()

  const list = (parent: string) => {
    const known = listed.get(parent)
    if (known !== undefined) return Effect.succeed(known)
    return fs.readDirectory(parent).pipe(
      Effect.orElseSucceed((): ReadonlyArray<string> => []),
      Effect.map((names) => {
        const found = { names, index: indexNames(names) }
        listed.set(parent, found)
        return found
      })
    )
  }

  /** Numbers of the existing parts, unordered. Names that differ only in case count as equal. */
  const numbers = (partition: string): Effect.Effect<ReadonlyArray<number>> => {
    const { parent, name } = numberedName(partition, folder)
    const isPlain = name.split("{seq}").length === 2
    return Effect.map(list(parent), ({ index, names }) =>
      isPlain ? (index.get(foldCase(name)) ?? []) : matchNames(names, name)
    )
  }

  /** Paths of the parts with numbers higher than `seq`. */
  const above = (partition: string, seq: number): Effect.Effect<ReadonlyArray<string>> =>
    Effect.flatMap(numbers(partition), (found) =>
      Effect.filter(
        found.filter((each) => each > seq).map((each) => resolve(partition, folder, each)),
        (path) =>
          fs.stat(path).pipe(
            Effect.map(({ type }) => type === "File"),
            Effect.orElseSucceed(() => false)
          )
      )
    )

  return { numbers, above }
}

/** Progress of writing one part. */
export interface PartProgress<State> {
  readonly seq: number
  readonly rows: number
  /** Bytes before compression, without the rows that a continued file had before. */
  readonly size: number
  readonly state: State
  /** True if the part continues a file of an earlier run. */
  readonly continues: boolean
}

/** Encoded bytes of one part, as a range of the buffer. */
export interface PartSlice<State> {
  readonly start: number
  readonly end: number
  /** Progress of the part once these bytes are written. */
  readonly progress: PartProgress<State>
}

/** Limits of a part. A row larger than `size` gets its own part. */
export interface RollLimits {
  readonly rows: number
  readonly size: number
}

/** Encodes a batch into the buffer and splits it into parts. */
export const encodeParts = <Item, State>(
  batch: RowBatch<Item>,
  current: PartProgress<State>,
  codec: Codec<Item, State>,
  limits: RollLimits,
  out: ByteBuffer
): Either.Either<ReadonlyArray<PartSlice<State>>, RowError> => {
  const slices: Array<PartSlice<State>> = []
  const { length } = batch.items
  let progress = current
  let start = out.end
  let at = 0
  // Rows before this index are encoded one at a time, because the part ends among them.
  let singlyUntil = 0
  const close = () => {
    if (progress !== current && progress.rows > 0) slices.push({ start, end: out.end, progress })
  }
  const next = () => {
    close()
    progress = { seq: progress.seq + 1, rows: 0, size: 0, state: codec.begin(false), continues: false }
    start = out.end
  }
  while (at < length) {
    if (progress.rows >= limits.rows) next()
    const { continues, rows, seq, state } = progress
    const to = Math.min(length, at < singlyUntil ? at + 1 : at + limits.rows - rows)
    const before = out.end
    const encoded = codec.encode(batch, at, to, state, out, rows === 0 && !continues)
    if (Either.isLeft(encoded)) return Either.left(encoded.left)
    const size = progress.size + out.end - before
    if (size <= limits.size || (rows === 0 && to - at === 1)) {
      progress = { seq, rows: rows + to - at, size, state: encoded.right, continues }
      at = to
    } else {
      out.rewind(before)
      if (to - at > 1) singlyUntil = to
      else next()
    }
  }
  close()
  return Either.right(slices)
}

/** Output settings of a sink, resolved for its files. */
export interface Partitioner {
  readonly append: boolean
  readonly gzip: boolean
  /** True if paths depend on rows. */
  readonly partitioned: boolean
  readonly isStdout: boolean
  /** True if paths contain `{seq}`. */
  readonly numbered: boolean
  readonly limits: RollLimits
  /** Partition of each row, or the only partition if all rows share one. */
  readonly partitionsOf: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<string> | string, PartitionFailed>
  /** The only partition, if paths do not depend on rows. */
  readonly only: string
  /** Path as written, for messages. */
  readonly template: string
  /** Folder that contains all files. */
  readonly prefix: string
  /** Path of the manifest that lists the files; undefined without one. A trial has none, because no reader should wait for its files. */
  readonly manifest: string | undefined
  /** Values of a partition as they appear in its path. Known only for partitions of rows that this process has seen. */
  readonly valuesOf: (partition: string) => Readonly<Record<string, string>> | undefined
}

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return ""
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString()
  return typeof value === "object" ? Either.getOrElse(jsonText(value), () => "") : String(value)
}

/** Fills the path with the values of a row, and caches the paths of recent values. `onFilled` gets each path with its values. */
const makeFiller = (
  template: string,
  names: Readonly<Record<string, string>>,
  partitions: ReadonlyArray<string>,
  onFilled: (path: string, values: Readonly<Record<string, string>>) => void
) => {
  const remembered = new Map<string, string>()
  return (texts: ReadonlyArray<string>): string => {
    const key = texts.length === 1 ? (texts[0] ?? "") : JSON.stringify(texts)
    const known = remembered.get(key)
    if (known !== undefined) return known
    const values = Object.fromEntries(partitions.map((name, at) => [name, texts[at] ?? ""]))
    const filled = fill(template, { ...names, ...values })
    onFilled(filled, values)
    if (remembered.size >= 10_000) remembered.clear()
    // The path without values would have the key of the one value "[]".
    if (texts.length > 0 && key.length <= 300) remembered.set(key, filled)
    return filled
  }
}

export const make = (settings: OutputSettings, context: SinkContext): Partitioner => {
  const { mode, partitionBy = {}, path, roll } = settings
  const named = mode === "perRun" ? perRun(path) : path
  const template = context.trials?.isTrial === true ? below(named) : named
  const { seq: _, ...names } = context.names
  const partitions = Object.keys(partitionBy)
  const expressions = Object.values(partitionBy)
  const manifest =
    settings.manifest === true && context.trials?.isTrial !== true
      ? NodePath.join(literalPrefix(template, context.folder), manifestName)
      : undefined
  const valuesByPath = new Map<string, Readonly<Record<string, string>>>()
  const filler = makeFiller(template, names, partitions, (path, values) => {
    if (manifest === undefined || partitions.length === 0 || valuesByPath.has(path)) return
    valuesByPath.set(path, Object.fromEntries(partitions.map((name) => [name, sanitize(values[name] ?? "")])))
  })
  const only = filler([])

  const evaluate = (rows: ReadonlyArray<Row>) => {
    const data = rows.map((row) => row.data)
    const bindings: Array<Bindings | undefined> = []
    const bindingsAt = (index: number): Bindings => {
      bindings[index] ??= context.bindings(rows[index] as Row)
      return bindings[index]
    }
    return Effect.map(
      Effect.forEach(expressions, (expression) => expression.evaluateChunk(data, bindingsAt)),
      (columns) => {
        const paths: Array<string> = []
        for (let index = 0; index < rows.length; index++) {
          const texts: Array<string> = []
          for (const [at, column] of columns.entries()) {
            const value = column[index]
            if (value !== undefined && Either.isLeft(value)) {
              return Either.left(new PartitionFailed({ name: partitions[at] ?? "", cause: value.left, index }))
            }
            texts.push(textOf(value?.right))
          }
          paths.push(filler(texts))
        }
        return Either.right(paths)
      }
    )
  }

  return {
    isStdout: path === "-",
    append: mode === "append",
    gzip: settings.gzip ?? isZipped(path),
    partitioned: partitions.length > 0,
    numbered: placeholdersOf(template).includes("seq"),
    limits: { rows: roll?.rows ?? Number.POSITIVE_INFINITY, size: roll?.size ?? Number.POSITIVE_INFINITY },
    partitionsOf: (rows) => (partitions.length === 0 ? Effect.succeed(only) : Effect.flatten(evaluate(rows))),
    only,
    template,
    prefix: literalPrefix(template, context.folder),
    manifest,
    valuesOf: (partition) => valuesByPath.get(partition)
  }
}

/** Partition of each row, found one by one. A row without one gets the fixed part of the path: `write` will reject it. */
export const partitionOfEach = (
  { only, partitionsOf }: Partitioner,
  rows: ReadonlyArray<Row>
): Effect.Effect<ReadonlyArray<string>> => {
  const all = (paths: ReadonlyArray<string> | string) => (typeof paths === "string" ? rows.map(() => paths) : paths)
  const single = (row: Row) =>
    Effect.map(
      Effect.orElseSucceed(partitionsOf([row]), () => only),
      (paths) => (typeof paths === "string" ? paths : (paths[0] ?? ""))
    )
  return Effect.catchAll(Effect.map(partitionsOf(rows), all), () => Effect.forEach(rows, single))
}
