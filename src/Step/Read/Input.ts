/** The bytes of a file that rows are read from: plain, gzipped, or what is piped in. */
import { stdin } from "node:process"
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
import { readable } from "../Access.ts"

/** Tells whether a file is still the one that it was. Plain JSON. */
export const Stamp = Schema.Struct({
  size: Schema.Number,
  /** Milliseconds since 1970. */
  modified: Schema.Number
})
export type Stamp = typeof Stamp.Type

/** A file that can be read, as it was when it was opened. */
export interface Input {
  /** As the definition names it. */
  readonly file: string
  /** Undefined for what cannot be read twice: a pipe. */
  readonly stamp: Stamp | undefined
  /** The content from an offset on, unpacked; the offset counts unpacked bytes. A block is good until the next is asked for. */
  readonly blocks: (offset: number) => Stream.Stream<Uint8Array, StepError, FileSystem.FileSystem>
}

const blockSize = 512 * 1024

const unreadableIn = (file: string, folder: string) => (cause: PlatformError.PlatformError) =>
  new StepError({
    reason: "FileUnreadable",
    message: `cannot read ${pathInFolder(file, folder)}: ${fileErrorReason(cause)}`,
    cause
  })

/** Fails for a file that cannot be read; names similar files when there is no such file. */
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

const drop = (bytes: number) => (blocks: Stream.Stream<Uint8Array, StepError, FileSystem.FileSystem>) =>
  bytes === 0
    ? blocks
    : Stream.filter(
        Stream.mapAccum(blocks, bytes, (left, block) => [Math.max(0, left - block.length), block.subarray(left)]),
        (block) => block.length > 0
      )

/** Opens what a step names: a path under the definition's folder, or `-` for what is piped in. */
export const open = (file: string, folder: string): Effect.Effect<Input, StepError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    if (file === "-") {
      const blocks = () => NodeStream.fromReadable(() => stdin, broken("the standard input"))
      return { file: "the standard input", stamp: undefined, blocks }
    }
    const system = yield* FileSystem.FileSystem
    const path = yield* readable(file, folder)
    const unreadable = unreadableIn(file, folder)
    const info = yield* Effect.catchAll(system.stat(path), failUnreadable(file, folder))
    if (info.type === "Directory") {
      const message = `${file} is a folder: the step files gives what is in it`
      return yield* new StepError({ reason: "FileUnreadable", message })
    }
    const fromSystem = (options: FileSystem.StreamOptions) =>
      Stream.mapError(system.stream(path, { chunkSize: blockSize, ...options }), unreadable)
    if (info.type !== "File") return { file, stamp: undefined, blocks: () => fromSystem({}) }
    const size = Number(info.size)
    const modified = Option.match(info.mtime, { onNone: () => 0, onSome: (date) => date.getTime() })
    const start = yield* Stream.runHead(fromSystem({ chunkSize: 2, bytesToRead: 2 }))
    const packed = Option.exists(start, ([first, second]) => first === 0x1f && second === 0x8b)
    const unpack = NodeStream.pipeThroughDuplex(() => createGunzip({ chunkSize: blockSize }), broken(file))
    /** Into the same memory again and again: new blocks would make the collector of garbage work as much as the rest. */
    const plain = (offset: number) =>
      Stream.unwrapScoped(
        Effect.gen(function* () {
          const handle = yield* Effect.mapError(system.open(path, { flag: "r" }), unreadable)
          yield* handle.seek(offset, "start")
          const memory = new Uint8Array(blockSize)
          // Bytes appended while the run reads are not part of the input.
          let left = size - offset
          return Stream.repeatEffectOption(
            Effect.suspend(() => handle.read(memory.subarray(0, Math.min(left, blockSize)))).pipe(
              Effect.mapError((cause) => Option.some(unreadable(cause))),
              Effect.flatMap((read) => {
                const count = Number(read)
                left -= count
                return count === 0 ? Effect.fail(Option.none()) : Effect.succeed(memory.subarray(0, count))
              })
            )
          )
        })
      )
    return {
      file,
      stamp: { size, modified },
      // Unpacking reads ahead, so it cannot share one block.
      blocks: packed ? (offset) => drop(offset)(unpack(fromSystem({ bytesToRead: size }))) : plain
    }
  })

/** Fails if the file has changed: an offset would then point to other bytes. */
export const checkSame = ({ file, stamp }: Input, before: Stamp | undefined): Effect.Effect<void, StepError> =>
  stamp === undefined || before === undefined
    ? new StepError({
        reason: "InputChanged",
        message: `${file} cannot be read again from where the run stopped: begin a new run`
      })
    : stamp.size === before.size && stamp.modified === before.modified
      ? Effect.void
      : new StepError({
          reason: "InputChanged",
          message: `${file} has changed since the run began (${before.size} bytes then, ${stamp.size} now): put it back, or begin a new run`
        })
