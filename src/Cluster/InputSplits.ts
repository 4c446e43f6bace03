/** Input splits: the rows of a source in files, each announced as soon as a commit of the reading run contains it. */
import { randomUUID } from "node:crypto"
import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Folder from "../Database/Folder.ts"
import { refusal } from "../Database/Refusal.ts"
import { fromJson, type Json, type Row, toJson } from "../Row.ts"
import * as Step from "../Step.ts"

/** A file of rows, one on each line. */
export interface Portion {
  readonly part: number
  readonly file: string
  readonly rows: number
}

/** Bytes after which a portion is full, whatever its rows. */
const fullBytes = 1024 * 1024

const failed = (file: string) => (cause: { readonly message: string }) =>
  new Step.StepError({
    reason: "ShareUnusable",
    message: `${file} cannot be written: ${refusal(cause)}. The output folder must be on storage that all workers share.`,
    cause
  })

/** Writes a file whole, or not at all. */
const writeWhole = (file: string, text: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const folder = NodePath.dirname(file)
    yield* Folder.make(files, folder)
    const draft = `${file}.${randomUUID()}.partial`
    yield* Effect.scoped(
      Effect.gen(function* () {
        const handle = yield* files.open(draft, { flag: "w" })
        // No bytes at all cannot be written.
        if (text !== "") yield* handle.writeAll(Buffer.from(text))
        yield* handle.sync
      })
    )
    yield* files.rename(draft, file)
    yield* Folder.sync(files, folder)
  }).pipe(Effect.mapError(failed(file)))

interface Saved {
  /** Portions that are full. */
  readonly full: number
  /** Of these, the ones that may not have been announced. */
  readonly fresh: ReadonlyArray<Portion>
  /** Rows of the one that is not full yet. */
  readonly open: ReadonlyArray<Json>
}

export interface Options {
  readonly folder: string
  readonly shardRows: number
  /** Told of portions that a commit has: from then on they stay as they are. It may be told twice. */
  readonly announce: (portions: ReadonlyArray<Portion>) => Effect.Effect<void, Step.StepError>
}

/** The step that cuts the rows of its input into portions. */
export const split = ({ announce, folder, shardRows }: Options) =>
  ({
    kind: "sink",
    destination: () => undefined,
    open: (_config: unknown, _context: Step.Context, saved: Step.Saved) =>
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const before = (saved.value ?? { full: 0, fresh: [], open: [] }) as unknown as Saved
        let { full } = before
        let lines = before.open.map((row) => JSON.stringify(row))
        let bytes = lines.reduce((sum, line) => sum + line.length, 0)
        /** In the last commit that is known to have happened; written since; told to the one that is under way. */
        let committed = [...before.fresh]
        let fresh: Array<Portion> = []
        let asked: ReadonlyArray<Portion> = []

        const close = Effect.suspend(() => {
          // A name of its own for each life: what was announced is never written again.
          const file = NodePath.join(folder, `${String(full).padStart(4, "0")}.${randomUUID().slice(0, 8)}.jsonl`)
          const portion: Portion = { part: full, file, rows: lines.length }
          return Effect.map(
            Effect.provideService(
              writeWhole(file, lines.map((line) => `${line}\n`).join("")),
              FileSystem.FileSystem,
              files
            ),
            () => {
              full++
              lines = []
              bytes = 0
              return portion
            }
          )
        })
        const add = (row: Row) =>
          Effect.suspend(() => {
            const line = JSON.stringify(toJson(row))
            lines.push(line)
            bytes += line.length
            return lines.length < shardRows && bytes < fullBytes
              ? Effect.void
              : Effect.map(close, (portion) => void fresh.push(portion))
          })
        return {
          // No row has reached an end here.
          push: (rows: ReadonlyArray<Row>) => Effect.as(Effect.forEach(rows, add, { discard: true }), []),
          save: Effect.gen(function* () {
            // Whoever saves again has committed what was saved before.
            if (committed.length + asked.length > 0) yield* announce([...committed, ...asked])
            committed = []
            asked = fresh
            fresh = []
            return { value: { full, fresh: asked, open: lines.map((line) => JSON.parse(line)) } as unknown as Json }
          }),
          // The last commit has everything; rows that are left, or an input without any, make the last portion.
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

/** The rows of a portion. */
export const read = (file: string): Effect.Effect<ReadonlyArray<Row>, Step.StepError, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (files) =>
    Effect.mapBoth(files.readFileString(file), {
      onSuccess: (text) =>
        text
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => fromJson(JSON.parse(line))),
      onFailure: (cause) =>
        new Step.StepError({
          reason: "ShareUnusable",
          message: `${file} cannot be read: ${refusal(cause)}. The output folder must be on storage that all workers share.`,
          cause
        })
    })
  )
