/**
 * Sinks: the file formats of `write`. A sink is one value: its key, its fields, and a codec that turns rows into bytes.
 *
 * Sluice does the rest: partitions and parts, gzip, partial files, commits that a killed run resumes from, and publishing under the final
 * names when the run has ended well.
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import type * as Scope from "effect/Scope"
import type { Reader } from "./Contract/Reader.ts"
import type { Data } from "./Row.ts"
import { ByteBuffer, type Codec, fromRowCodec, type RowCodec } from "./Sink/Codec.ts"
import { fields, type OutputSettings, placeholdersOf, settingsErrors, Template } from "./Sink/Destination.ts"
import * as Partition from "./Sink/Partition.ts"
import * as Parts from "./Sink/Parts.ts"
import type { SinkError } from "./Sink/SinkErrors.ts"
import type { RowSizes, SinkContext, Writer } from "./Sink/Writer.ts"

export type { Reader } from "./Contract/Reader.ts"
export type { ByteBuffer, RowCodec } from "./Sink/Codec.ts"
export type { SinkError } from "./Sink/SinkErrors.ts"
export type { Commit, CommittedFile, SinkContext, Writer } from "./Sink/Writer.ts"

/** A sink as it declares itself; its config is the value of `write`. */
export interface Sink<Key extends string = string, Config = unknown, Encoded = unknown> {
  /** Names the format, and the field that holds the path: `write: { jsonl: "pages.jsonl" }`. */
  readonly key: Key
  /** One sentence for the reference. */
  readonly summary: string
  /** A definition of the step as YAML; a test checks that it is valid. */
  readonly example: string
  readonly config: Schema.Schema<Config, Encoded>
  /** Names of its fields other than the path and the fields that all sinks share; none by default. */
  readonly ownFields?: ReadonlyArray<string> | undefined
  /** True if rows can be appended to an older file. Otherwise `sluice replay` writes another file next to it. */
  readonly canAppend: (config: Config) => boolean
  /** Reads the sink's files back, given its fields as written or as decoded. Without it, `contract` and tests report that they cannot. */
  readonly reader?: ((fields: Readonly<Record<string, unknown>>) => Reader) | undefined
  readonly open: (
    config: Config,
    context: SinkContext
  ) => Effect.Effect<Writer, SinkError, FileSystem.FileSystem | Scope.Scope>
  readonly sizes: (config: Config, context: SinkContext) => RowSizes
}

/** A sink with any fields. */
// biome-ignore lint/suspicious/noExplicitAny: the one place where sinks of different fields share a list
export type Any = Sink<string, any, any>

/** Bytes of each encoded row, for a codec without header, footer and state: they are the same in every file. */
const plainSizes = <State>({ begin, encode }: RowCodec<State>): RowSizes => {
  const buffer = new ByteBuffer()
  return (rows) =>
    Effect.sync(() =>
      rows.map(({ data }) => {
        buffer.rewind(0)
        // A row that cannot be encoded is not written: its size is 0.
        return Either.isRight(Either.try(() => encode(data, begin, buffer))) ? buffer.end : 0
      })
    )
}

/** Sizes of encoded rows, including the headers and footers of the parts that they begin. */
const encodedSizes = <State>(partitioner: Partition.Partitioner, codec: Codec<Data, State>): RowSizes => {
  const parts = new Map<string, Partition.PartProgress<State>>()
  const buffer = new ByteBuffer()
  const sizeIn = (data: Data, partition: string): number => {
    const current = parts.get(partition)
    const before = current ?? { seq: 1, rows: 0, size: 0, state: codec.begin(false), continues: false }
    buffer.rewind(0)
    const batch = { partition, items: [data], indexes: undefined, offset: 0 }
    const slices = Partition.encodeParts(batch, before, codec, partitioner.limits, buffer)
    // A row that cannot be encoded is not written.
    if (Either.isLeft(slices)) return 0
    const after = slices.right.at(-1)?.progress ?? before
    parts.set(partition, after)
    const footer = current?.seq === after.seq ? Buffer.byteLength(codec.finish(before.state, false)) : 0
    return buffer.end + Math.max(0, Buffer.byteLength(codec.finish(after.state, false)) - footer)
  }
  return (rows) =>
    Effect.map(Partition.partitionOfEach(partitioner, rows), (paths) =>
      rows.map(({ data }, index) => sizeIn(data, paths[index] ?? ""))
    )
}

/** Fields of a sink other than the path and the shared ones. */
type OwnFields = Schema.Struct.Fields

type ConfigFields<Key extends string, Own extends OwnFields> = {
  readonly [K in Key]: typeof Template
} & typeof fields &
  Own

/**
 * Declares a sink from a codec that encodes one row at a time.
 *
 * The sink has a field with the name `key` for the path, the fields of all sinks (`mode`, `partitionBy`, `roll`, `gzip`, `order`, `manifest`,
 * `health`), and its own `fields`.
 *
 * @example
 * ```ts
 * import { Sink } from "sluice"
 * import * as Schema from "effect/Schema"
 *
 * // True once the file has a row: the next one has a comma in front.
 * export const json = Sink.make({
 *   key: "json",
 *   summary: "Writes all rows as one JSON array.",
 *   example: "write: { json: out/pages.json }",
 *   state: Schema.Boolean,
 *   codec: () => ({
 *     header: "[\n",
 *     begin: false,
 *     encode: (row, hasRows, out) => {
 *       out.put(`${hasRows ? ",\n" : ""}${JSON.stringify(row)}`)
 *       return true
 *     },
 *     finish: (hasRows) => (hasRows ? "\n]\n" : "]\n")
 *   }),
 *   reader: { extension: "json", decode: JSON.parse, duckdb: ["read_json", "format = 'array'"] }
 * })
 * ```
 */
export const make = <const Key extends string, State, Saved, Own extends OwnFields = Record<never, never>>(options: {
  readonly key: Key
  readonly summary: string
  readonly example: string
  /** The sink's own fields. */
  readonly fields?: Schema.Struct<Own>
  /** Schema of the codec's state of a file, which is saved with each commit. Its encoded side is JSON. `Schema.Void` for no state. */
  readonly state: Schema.Schema<State, Saved>
  /** Called with the decoded values of the sink's own fields. */
  readonly codec: (fields: Schema.Struct.Type<Own>) => RowCodec<State>
  /** Reads the sink's files back. */
  readonly reader?: Omit<Reader, "delimiter" | "format" | "nullText" | "quote">
}): Sink<Key, Schema.Struct.Type<ConfigFields<Key, Own>>, Schema.Struct.Encoded<ConfigFields<Key, Own>>> => {
  const { codec, example, fields: own, key, reader, state, summary } = options
  const all: typeof fields = { [key]: Template, ...own?.fields, ...fields }
  const settingsOf = (config: Schema.Struct.Type<typeof fields>): OutputSettings => ({
    ...config,
    path: String(Reflect.get(config, key))
  })
  const partitionerOf = (config: Schema.Struct.Type<typeof fields>, context: SinkContext) =>
    Partition.make(settingsOf(config), context)
  const sink: Omit<Any, "key"> = {
    summary,
    example,
    ownFields: Object.keys(own?.fields ?? {}),
    reader: reader && (() => reader),
    config: Schema.Struct(all).pipe(
      Schema.filter((config) => {
        const settings = settingsOf(config)
        const continues = settings.mode === "append" && !placeholdersOf(settings.path).includes("seq")
        const message = `a ${key} file ends with a footer, after which nothing can be appended: use perRun, or write {seq} in the path`
        return [
          ...settingsErrors(key, settings),
          ...(continues && settings.path !== "-" && !sink.canAppend(config) ? [{ path: ["mode"], message }] : [])
        ]
      })
    ),
    canAppend: (config) => codec(config).finish === undefined,
    open: (config, context) =>
      Effect.gen(function* () {
        const partitioner = partitionerOf(config, context)
        const parts = yield* Parts.open(partitioner, context, fromRowCodec(key, state, codec(config)))
        return {
          write: (rows) =>
            rows.length === 0
              ? Effect.void
              : Effect.flatMap(partitioner.partitionsOf(rows), (partitions) =>
                  parts.write(
                    rows.map((row) => row.data),
                    partitions
                  )
                ),
          commit: Effect.map(parts.commit, (files) => ({ files })),
          seal: parts.seal,
          discard: parts.discard
        } satisfies Writer
      }),
    sizes: (config, context) => {
      const rowCodec = codec(config)
      const { finish, header = "" } = rowCodec
      return header === "" && finish === undefined && AST.isVoidKeyword(state.ast)
        ? plainSizes(rowCodec)
        : encodedSizes(partitionerOf(config, context), fromRowCodec(key, state, rowCodec))
    }
  }
  return { key, ...sink }
}
