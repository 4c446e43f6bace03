/** A file in the making: grows beside its final name, is cut and continued on resume, and appears in one step (pipelines 13, 14). */
import * as NodePath from "node:path"
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Durable } from "../Sink.ts"
import { type FileError, fileError, IsDirectory, PartialMissing, PathTaken } from "./Errors.ts"
import * as Folder from "./Folder.ts"

export interface Options {
  /** The final path, absolute. */
  readonly path: string
  readonly runId: string
  /** Begin with what is already under the final name. */
  readonly append: boolean
  readonly resume?: Durable | undefined
}

/** A file that is whole, and what is left to do for its name. */
export interface Whole {
  readonly path: string
  readonly partial: string
  readonly rows: number
  readonly bytes: number
  /** Of no use once the file has its name. */
  readonly scraps: ReadonlyArray<string>
}

export interface GrowingFile {
  /** Bytes so far; 0 means that nothing, not even a header, is in it. */
  readonly size: () => number
  readonly write: (bytes: Uint8Array, rows: number) => Effect.Effect<void, FileError>
  readonly commit: Effect.Effect<Durable, FileError>
  /** Makes the file ready for its name, on request with its bytes changed on the way. */
  readonly seal: (change?: (bytes: Uint8Array) => Uint8Array) => Effect.Effect<Whole, FileError>
  readonly discard: Effect.Effect<void>
}

/** The name beside the final one that a run writes under. */
export const partialOf = (path: string, runId: string): string => `${path}.${runId}.partial`

/** Opens the partial file at the byte where this run goes on, and says which byte that is. */
const openPartial = (fs: FileSystem.FileSystem, partial: string, options: Options) =>
  Effect.gen(function* () {
    const { path, append, resume } = options
    if (resume !== undefined && resume.offset > 0) {
      const info = yield* Effect.option(fs.stat(partial))
      const found = info._tag === "Some" ? Number(info.value.size) : undefined
      if (found === undefined || found < resume.offset) {
        return yield* new PartialMissing({ path: partial, expected: resume.offset, found })
      }
      const handle = yield* fs.open(partial, { flag: "r+" })
      yield* handle.truncate(resume.offset)
      yield* handle.seek(resume.offset, "start")
      return { handle, offset: resume.offset }
    }
    // Only this run uses this name: if it is there from the beginning, another step of the run writes the same file.
    if (resume === undefined && (yield* fs.exists(partial))) return yield* new PathTaken({ path })
    if (append && (yield* fs.exists(path))) {
      yield* fs.copyFile(path, partial)
      const handle = yield* fs.open(partial, { flag: "r+" })
      const offset = Number((yield* handle.stat).size)
      yield* handle.seek(offset, "start")
      return { handle, offset }
    }
    return { handle: yield* fs.open(partial, { flag: "w" }), offset: 0 }
  })

/** Copies a file through `change`, a piece at a time, and says how long the copy is. */
const rewrite = (fs: FileSystem.FileSystem, from: string, to: string, change: (bytes: Uint8Array) => Uint8Array) =>
  Effect.gen(function* () {
    const target = yield* fs.open(to, { flag: "w" })
    yield* fs.stream(from, { chunkSize: 1 << 20 }).pipe(Stream.runForEach((bytes) => target.writeAll(change(bytes))))
    yield* target.sync
    return Number((yield* target.stat).size)
  }).pipe(Effect.scoped)

const isDirectory = (fs: FileSystem.FileSystem, path: string) =>
  fs.stat(path).pipe(
    Effect.map((info) => info.type === "Directory"),
    Effect.orElseSucceed(() => false)
  )

/** Opens a file for growing. Closing the scope closes the handle and keeps the partial file. */
export const open = (options: Options): Effect.Effect<GrowingFile, FileError, FileSystem.FileSystem | Scope.Scope> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { path, runId, resume } = options
    const partial = partialOf(path, runId)
    const changed = `${partial}.changed`
    let committed: Durable = { path, offset: resume?.offset ?? 0, rows: resume?.rows ?? 0 }

    const explain = <A, R>(
      effect: Effect.Effect<A, PlatformError.PlatformError | FileError, R>
    ): Effect.Effect<A, FileError, R> =>
      Effect.mapError(effect, (error) =>
        error._tag === "SystemError" || error._tag === "BadArgument"
          ? fileError(path, { bytes: committed.offset, rows: committed.rows })(error)
          : error
      )

    if (yield* isDirectory(fs, path)) return yield* new IsDirectory({ path })
    yield* explain(Folder.make(fs, NodePath.dirname(path)))

    // The handle has its own scope, so that it can be closed before the file gets its name.
    const scope = yield* Effect.acquireRelease(Scope.make(), (own, exit) => Scope.close(own, exit))
    const close = Scope.close(scope, Exit.void)
    const { handle, offset } = yield* explain(openPartial(fs, partial, options).pipe(Scope.extend(scope)))
    let size = offset
    let rows = committed.rows

    const commit = explain(
      Effect.suspend(() => {
        const durable = { path, offset: size, rows }
        return Effect.map(handle.sync, () => {
          committed = durable
          return durable
        })
      })
    ).pipe(Effect.uninterruptible)

    return {
      size: () => size,
      // Uninterruptible: a handle must not be closed under a write.
      write: (bytes, count) =>
        explain(handle.writeAll(bytes)).pipe(
          Effect.tap(() =>
            Effect.sync(() => {
              size += bytes.length
              rows += count
            })
          ),
          Effect.uninterruptible
        ),
      commit,
      seal: (change) =>
        Effect.gen(function* () {
          yield* commit
          yield* close
          const bytes = change === undefined ? size : yield* explain(rewrite(fs, partial, changed, change))
          return change === undefined
            ? { path, partial, rows, bytes, scraps: [] }
            : { path, partial: changed, rows, bytes, scraps: [partial] }
        }).pipe(Effect.uninterruptible),
      discard: close.pipe(
        Effect.zipRight(Effect.ignore(fs.remove(partial))),
        Effect.zipRight(Effect.ignore(fs.remove(changed))),
        Effect.uninterruptible
      )
    }
  })
