/** Opens files that rows are read from: plain, gzipped, or standard input. */
import { createGunzip } from "node:zlib"
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { fileErrorReason, pathInFolder } from "../../Files/FileErrors.ts"
import { nearFiles } from "../../Row/NearFiles.ts"
import { StepError } from "../../Step.ts"
import { isGzip } from "../../Values/Gzip.ts"
import { readable } from "../Access.ts"

/** Identifies the version of a file. Plain JSON. */
export const Stamp = Schema.Struct({
  size: Schema.Number,
  /** Milliseconds since 1970. */
  modified: Schema.Number
})
export type Stamp = typeof Stamp.Type

/** A readable file, in the state in which it was opened. */
export interface Input {
  /** Path as written in the definition. */
  readonly file: string
  /** Undefined for a pipe, which cannot be read twice. */
  readonly stamp: Stamp | undefined
  /**
   * Content from an offset on, uncompressed; the offset counts uncompressed bytes. Each block is valid only until the next one is
   * requested. After the size with which a plain file was opened, more of it follows as long as `isOpen`, which is asked before each block,
   * returns true: the file grows, and its last line had not been written as a whole.
   */
  readonly blocks: (
    offset: number,
    isOpen?: () => boolean
  ) => Stream.Stream<Uint8Array, StepError, FileSystem.FileSystem>
}

const blockSize = 512 * 1024

const unreadableIn = (file: string, folder: string) => (cause: PlatformError.PlatformError) =>
  new StepError({
    reason: "FileUnreadable",
    message: `cannot read ${pathInFolder(file, folder)}: ${fileErrorReason(cause)}`,
    cause
  })

/** Fails for a file that cannot be read; if it does not exist, names similar files. */
export const failUnreadable =
  (file: string, folder: string) =>
  (cause: PlatformError.PlatformError): Effect.Effect<never, StepError, FileSystem.FileSystem> =>
    cause._tag === "SystemError" && cause.reason === "NotFound"
      ? Effect.flatMap(nearFiles(file, { folder }), (near) => {
          const message = `there is no file ${pathInFolder(file, folder)}${near}`
          return new StepError({ reason: "FileUnreadable", message, cause })
        })
      : unreadableIn(file, folder)(cause)

const broken = (file: string) => (cause: unknown) =>
  new StepError({
    reason: "FileUnreadable",
    message: `cannot read ${file}: ${cause instanceof Error ? cause.message : String(cause)}`,
    cause
  })

const modifiedOf = ({ mtime }: FileSystem.File.Info): number =>
  Option.match(mtime, { onNone: () => 0, onSome: (date) => date.getTime() })

/** Bytes at each end of a file that are compared to detect changes. */
const edgeSize = 4096

/** First and last bytes of a file, assuming this size. */
const readEdges = (handle: FileSystem.File, size: number) =>
  Effect.gen(function* () {
    const edges = Buffer.alloc(2 * edgeSize)
    yield* handle.seek(0, "start")
    yield* handle.read(edges.subarray(0, Math.min(edgeSize, size)))
    if (size > edgeSize) {
      yield* handle.seek(Math.max(edgeSize, size - edgeSize), "start")
      yield* handle.read(edges.subarray(edgeSize, edgeSize + Math.min(edgeSize, size - edgeSize)))
    }
    return edges
  })

const changedWhileRead = (file: string, before: number, now: number) =>
  new StepError({
    reason: "InputChanged",
    message: `${file} was truncated or rewritten while it was read (${before} bytes before, ${now} now), so rows may be missing: run the pipeline again when the file is complete`
  })

/** Skips the first bytes of a stream. */
export const drop = (bytes: number) => (blocks: Stream.Stream<Uint8Array, StepError, FileSystem.FileSystem>) =>
  bytes === 0
    ? blocks
    : Stream.filter(
        Stream.mapAccum(blocks, bytes, (left, block) => [Math.max(0, left - block.length), block.subarray(left)]),
        (block) => block.length > 0
      )

/** Opens the input that a step names: a path relative to the definition's folder, or `-` for standard input. */
export const open = (file: string, folder: string): Effect.Effect<Input, StepError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    if (file === "-") {
      const blocks = () => NodeStream.fromReadable(() => process.stdin, broken("the standard input"))
      return { file: "the standard input", stamp: undefined, blocks }
    }
    const system = yield* FileSystem.FileSystem
    const path = yield* readable(file, folder)
    const unreadable = unreadableIn(file, folder)
    const info = yield* Effect.catchAll(system.stat(path), failUnreadable(file, folder))
    if (info.type === "Directory") {
      const message = `${file} is a folder: use the step files for the files in it`
      return yield* new StepError({ reason: "FileUnreadable", message })
    }
    if (info.type !== "File") {
      const blocks = () => Stream.mapError(system.stream(path, { chunkSize: blockSize }), unreadable)
      return { file, stamp: undefined, blocks }
    }
    const openHandle = system.open(path, { flag: "r" })
    const size = Number(info.size)
    const modified = modifiedOf(info)
    const edges = yield* Effect.scoped(Effect.flatMap(openHandle, (handle) => readEdges(handle, size))).pipe(
      Effect.mapError(unreadable)
    )
    const packed = isGzip(edges)
    const unpack = NodeStream.pipeThroughDuplex(() => createGunzip({ chunkSize: blockSize }), broken(file))
    /** Fails unless the file is still the one that was opened; it may have grown. */
    const checkEnd = (handle: FileSystem.File) =>
      Effect.gen(function* () {
        const now = yield* handle.stat
        if (Number(now.size) < size) return yield* changedWhileRead(file, size, Number(now.size))
        if (modifiedOf(now) === modified) return
        const same = Buffer.compare(edges, yield* readEdges(handle, size)) === 0
        if (!same) return yield* changedWhileRead(file, size, Number(now.size))
      }).pipe(Effect.mapError((cause) => (cause._tag === "StepError" ? cause : unreadable(cause))))
    /** Reads a plain file into the same memory again and again: new blocks would cost as much garbage collection as all other work. */
    const bytes = (offset: number, isShared: boolean, isOpen = () => false) =>
      Stream.unwrapScoped(
        Effect.gen(function* () {
          const handle = yield* Effect.mapError(openHandle, unreadable)
          yield* handle.seek(offset, "start")
          let into = new Uint8Array(blockSize)
          // Lines appended while the run reads are not part of the input.
          let left = size - offset
          return Stream.repeatEffectOption(
            Effect.suspend(() => {
              if (!isShared) into = new Uint8Array(blockSize)
              const wanted = left > 0 ? left : isOpen() ? blockSize : 0
              return handle.read(into.subarray(0, Math.min(wanted, blockSize)))
            }).pipe(
              Effect.mapError((cause) => Option.some(unreadable(cause))),
              Effect.flatMap((read) => {
                const count = Number(read)
                left = Math.max(0, left - count)
                return count === 0
                  ? Effect.zipRight(Effect.mapError(checkEnd(handle), Option.some), Effect.fail(Option.none()))
                  : Effect.succeed(into.subarray(0, count))
              })
            )
          )
        })
      )
    return {
      file,
      stamp: { size, modified },
      // Decompression reads ahead, so it needs separate blocks.
      blocks: packed
        ? (offset) => drop(offset)(unpack(bytes(0, false)))
        : (offset, isOpen) => bytes(offset, true, isOpen)
    }
  })

/** Fails if the file has changed: an offset would then point to other bytes. */
export const checkSame = ({ file, stamp }: Input, before: Stamp | undefined): Effect.Effect<void, StepError> =>
  stamp === undefined || before === undefined
    ? new StepError({
        reason: "InputChanged",
        message: `${file} cannot be read again from where the run stopped: start a new run`
      })
    : stamp.size === before.size && stamp.modified === before.modified
      ? Effect.void
      : new StepError({
          reason: "InputChanged",
          message: `${file} has changed since the run began (${before.size} bytes then, ${stamp.size} now): restore it, or start a new run`
        })
