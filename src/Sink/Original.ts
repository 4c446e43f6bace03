/** The file that a run appends to: how it was found, how it begins (compressed or not), and whether it has changed since. */
import { promisify } from "node:util"
import * as Zlib from "node:zlib"
import type * as PlatformError from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Original, Ready, Trials } from "../Step/Output.ts"
import { type FileError, fileError, HeaderMismatch, NotGzip, OriginalChanged, WriteFailed } from "./SinkErrors.ts"

const gzip = promisify<Uint8Array, Buffer>(Zlib.gzip)

const gunzip = promisify<Uint8Array, Zlib.ZlibOptions, Buffer>(Zlib.gunzip)

/** Compresses on another thread. */
export const member = (path: string, bytes: Uint8Array): Effect.Effect<Uint8Array, WriteFailed> =>
  Effect.tryPromise({ try: () => gzip(bytes), catch: (cause) => new WriteFailed({ path, cause }) })

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** What the beginning of a compressed file says, as far as it is given. */
export const beginning = (path: string, bytes: Uint8Array): Effect.Effect<Uint8Array, WriteFailed> =>
  Effect.tryPromise({
    try: () => gunzip(bytes, { finishFlush: Zlib.constants.Z_SYNC_FLUSH }),
    catch: (cause) => new WriteFailed({ path, cause })
  })

/** The compressed bytes with their content changed on the way. */
export const through =
  (path: string, change: <E>(content: Stream.Stream<Uint8Array, E>) => Stream.Stream<Uint8Array, E>) =>
  <E>(bytes: Stream.Stream<Uint8Array, E>): Stream.Stream<Uint8Array, E | WriteFailed> =>
    bytes.pipe(
      NodeStream.pipeThroughDuplex(
        () => Zlib.createGunzip(),
        (cause) => new WriteFailed({ path, cause })
      ),
      change,
      NodeStream.pipeThroughDuplex(
        () => Zlib.createGzip(),
        (cause) => new WriteFailed({ path, cause })
      )
    )

/** Nothing where there is no file. */
export const find = (fs: FileSystem.FileSystem, path: string): Effect.Effect<Original | undefined> =>
  fs.stat(path).pipe(
    Effect.map((info) => (info.type === "Directory" ? undefined : describe(info))),
    Effect.orElseSucceed(() => undefined)
  )

export const describe = (info: FileSystem.File.Info): Original => ({
  size: Number(info.size),
  modified: info.mtime._tag === "Some" ? info.mtime.value.getTime() : 0,
  inode: info.ino._tag === "Some" ? info.ino.value : 0
})

/** Whether rows are written behind what was found. */
export const isContinued = (original: Original | null | undefined): boolean =>
  original !== undefined && original !== null && original.size > 0 && original.isOfTrial !== true

export const isSame = (a: Original | undefined, b: Original | undefined): boolean =>
  a?.size === b?.size && a?.modified === b?.modified && a?.inode === b?.inode

/** Fails when what an append stands on is not what it was. */
export const checkSame = (
  fs: FileSystem.FileSystem,
  { original, partial, path }: Pick<Ready, "path" | "partial" | "original">
): Effect.Effect<void, OriginalChanged> =>
  original === undefined
    ? Effect.void
    : Effect.flatMap(find(fs, path), (found) =>
        isSame(found, original ?? undefined) ? Effect.void : Effect.fail(new OriginalChanged({ path, partial }))
      )

/** A sealed file of a trial, with its time: by that and its size a later run knows it again. Real runs need none. */
export const dated = <File extends Ready>(
  fs: FileSystem.FileSystem,
  trials: Trials | undefined,
  file: File
): Effect.Effect<File> =>
  trials?.isTrial === true
    ? Effect.map(find(fs, file.partial), (found) => ({ ...file, modified: found?.modified }))
    : Effect.succeed(file)

const read = (fs: FileSystem.FileSystem, path: string, most: number): Effect.Effect<Uint8Array, FileError> =>
  Effect.gen(function* () {
    const file = yield* fs.open(path, { flag: "r" })
    const bytes = Buffer.alloc(most)
    let length = 0
    let got = 1
    while (length < most && got > 0) {
      got = Number(yield* file.read(bytes.subarray(length)))
      length += got
    }
    return bytes.subarray(0, length)
  }).pipe(
    Effect.scoped,
    Effect.mapError((error: PlatformError.PlatformError) => fileError(path, { bytes: 0, rows: 0 })(error))
  )

/** With all that may differ and is not seen, and no longer than a message has room for. */
const firstLine = (content: Buffer): string => {
  const [line = ""] = content.toString().match(/^.*\r?\n?/) ?? []
  const whole = JSON.stringify(line.replace(/^\ufeff/, "<BOM>"))
  return whole.length > 500 ? `${whole.slice(0, 499)}…` : whole
}

/** Fails unless a file that is not empty can be continued: compressed or not, and under exactly this header. */
export const check = (
  fs: FileSystem.FileSystem,
  path: string,
  header: string,
  gzip: boolean
): Effect.Effect<void, FileError> =>
  Effect.gen(function* () {
    const expected = Buffer.from(header)
    // Enough for a header that does not compress at all, with what gzip puts around it.
    const bytes = yield* read(fs, path, expected.length + (1 << 16))
    if (gzip && !isGzip(bytes)) return yield* new NotGzip({ path })
    if (expected.length === 0) return
    const content = Buffer.from(gzip ? yield* beginning(path, bytes) : bytes)
    if (!content.subarray(0, expected.length).equals(expected)) {
      return yield* new HeaderMismatch({ path, expected: firstLine(expected), found: firstLine(content) })
    }
  })
