/**
 * Input splits: the rows of a source in JSONL files, which become the shards of a run.
 *
 * - A split is closed at `shardRows` rows or 1 MB. Its file is written atomically, under a name that is never used again.
 * - A split is announced once a commit of the reading run contains it. After a crash, rows after the last commit are read again into new
 *   files; announced files never change, and files that were not announced are left for the run's clean-up.
 */
import { randomUUID } from "node:crypto"
import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { fileErrorReason } from "../Files/FileErrors.ts"
import * as Files from "../Files.ts"
import { decodeSaved, SavedRow } from "../Row/SavedValue.ts"
import { type Json, type Row, toJson } from "../Row.ts"
import { decodeState } from "../Step/SavedState.ts"
import * as Step from "../Step.ts"

/** JSONL file of rows. Never changes once it has been announced. */
export const InputSplit = Schema.Struct({ part: Schema.Number, file: Schema.String, rows: Schema.Number })
export type InputSplit = typeof InputSplit.Type

/** Characters of JSON at which a split is closed, whatever its number of rows. */
const maxLength = 1024 * 1024

const failed = (file: string) => (cause: { readonly message: string }) =>
  new Step.StepError({
    reason: "ShareUnusable",
    message: `${file} cannot be written: ${fileErrorReason(cause)}. The output folder must be on storage that all workers share.`,
    cause
  })

/** Writes a file completely or not at all. */
export const writeWhole = (file: string, text: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const folder = NodePath.dirname(file)
    yield* Files.makeFolder(files, folder)
    const draft = `${file}.${randomUUID()}.partial`
    yield* Effect.scoped(
      Effect.gen(function* () {
        const handle = yield* files.open(draft, { flag: "w" })
        // `writeAll` refuses an empty buffer.
        if (text !== "") yield* handle.writeAll(Buffer.from(text))
        yield* handle.sync
      })
    )
    yield* files.rename(draft, file)
    yield* Files.syncFolder(files, folder)
  }).pipe(Effect.mapError(failed(file)))

const decodeSplits = decodeState(
  Schema.Struct({
    /** Number of splits that are closed. */
    full: Schema.Number,
    /** Closed splits that may not have been announced. */
    fresh: Schema.Array(InputSplit),
    /** Rows of the open split. */
    open: Schema.Array(SavedRow)
  })
)

export interface Options {
  readonly folder: string
  readonly shardRows: number
  /** Called with splits that a commit contains; may be called twice with the same splits. */
  readonly announce: (splits: ReadonlyArray<InputSplit>) => Effect.Effect<void, Step.StepError>
}

/** Sink that writes its rows into input splits. */
export const writer = ({ announce, folder, shardRows }: Options) =>
  ({
    kind: "sink",
    destination: () => undefined,
    open: (_config: unknown, context: Step.Context, saved: Step.Saved) =>
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const before = (yield* decodeSplits(context, saved.value)) ?? { full: 0, fresh: [], open: [] }
        let { full } = before
        let lines = before.open.map((row) => JSON.stringify(row))
        let length = lines.reduce((sum, line) => sum + line.length, 0)
        // Not announced yet: splits of the last known commit, splits written since, and splits of the commit in progress.
        let committed = [...before.fresh]
        let fresh: Array<InputSplit> = []
        let asked: ReadonlyArray<InputSplit> = []

        const close = Effect.suspend(() => {
          // A new name in each attempt, so that an announced file is never written again.
          const file = NodePath.join(folder, `${String(full).padStart(4, "0")}.${randomUUID().slice(0, 8)}.jsonl`)
          const split: InputSplit = { part: full, file, rows: lines.length }
          return Effect.map(
            Effect.provideService(
              writeWhole(file, lines.map((line) => `${line}\n`).join("")),
              FileSystem.FileSystem,
              files
            ),
            () => {
              full++
              lines = []
              length = 0
              return split
            }
          )
        })
        const add = (row: Row) =>
          Effect.suspend(() => {
            const line = JSON.stringify(toJson(row))
            lines.push(line)
            length += line.length
            return lines.length < shardRows && length < maxLength
              ? Effect.void
              : Effect.map(close, (split) => void fresh.push(split))
          })
        return {
          // The rows do not reach an end of the pipeline here, so they do not count as rows of the run.
          push: (rows: ReadonlyArray<Row>) => Effect.as(Effect.forEach(rows, add, { discard: true }), []),
          save: Effect.gen(function* () {
            // A second save means that the first one was committed.
            if (committed.length + asked.length > 0) yield* announce([...committed, ...asked])
            committed = []
            asked = fresh
            fresh = []
            return { value: { full, fresh: asked, open: lines.map((line): Json => JSON.parse(line)) } }
          }),
          // The last commit contains all rows. The rest becomes the last split; an input without rows becomes an empty one.
          seal: Effect.gen(function* () {
            const last = lines.length > 0 || full === 0 ? [yield* close] : []
            yield* announce([...committed, ...asked, ...fresh, ...last])
            return { files: [], stale: [], scraps: [], warnings: [] }
          }),
          sizeOf: (rows) => Effect.succeed(rows.map(() => 0)),
          bytes: () => 0,
          discard: Effect.void
        } satisfies Step.OpenSink
      })
  }) as Step.Any["behaviour"]

const decodeLine = decodeSaved(Schema.parseJson(SavedRow))

/** Number of rows decoded at once. */
const batchRows = 500

/** Streams the rows of a split in batches, or those of a file that a shard keeps for the finish. */
export const stream = (file: string): Stream.Stream<ReadonlyArray<Row>, Step.StepError, FileSystem.FileSystem> => {
  let number = 0
  return Stream.unwrap(Effect.map(FileSystem.FileSystem, (files) => files.stream(file))).pipe(
    Stream.mapError(
      (cause) =>
        new Step.StepError({
          reason: "ShareUnusable",
          message: `${file} cannot be read: ${fileErrorReason(cause)}. The output folder must be on storage that all workers share.`,
          cause
        })
    ),
    Stream.decodeText(),
    Stream.splitLines,
    Stream.filter((line) => line !== ""),
    Stream.grouped(batchRows),
    Stream.mapEffect((lines) =>
      Effect.mapError(
        Either.all(Array.from(lines, (line) => decodeLine(`Line ${++number} of ${file}`, line))),
        Step.StepError.of
      )
    )
  )
}

/** Reads the rows of a split. */
export const read = (file: string): Effect.Effect<ReadonlyArray<Row>, Step.StepError, FileSystem.FileSystem> =>
  Effect.map(Stream.runCollect(stream(file)), (batches) => Array.from(batches).flat())
