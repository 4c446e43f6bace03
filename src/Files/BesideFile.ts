/**
 * Reads a definition and the files that belong to it: its contract, tests and lock files.
 *
 * Reads only regular files of bounded size, so it never waits for a FIFO or reads a device. For all files but the definition itself, links
 * that lead out of the folder are refused: messages and columns would show the content of another file.
 */
import { constants } from "node:fs"
import { open, realpath } from "node:fs/promises"
import * as NodePath from "node:path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { fileErrorReason } from "./FileErrors.ts"

/** Maximum bytes of a file that people write. */
export const maxFileBytes = 32 * 1024 * 1024

/** Maximum bytes of a contract or lock file. */
export const maxSidecarBytes = 4 * 1024 * 1024

/** The file cannot be used. */
export class BesideFileError extends Data.TaggedError("BesideFileError")<{
  readonly isMissing: boolean
  readonly reason: string
}> {}

interface ReadOptions {
  readonly maxBytes?: number | undefined
  /** Folder that must contain the file once all links are resolved. Without it, links may lead anywhere. */
  readonly within?: string | undefined
}

const refuse = (reason: string) => new BesideFileError({ isMissing: false, reason })

const attempt = <A>(call: () => Promise<A>) =>
  Effect.tryPromise({
    try: call,
    catch: (cause) =>
      new BesideFileError({
        isMissing: typeof cause === "object" && cause !== null && "code" in cause && cause.code === "ENOENT",
        reason: fileErrorReason(cause)
      })
  })

/** Reads the text of a regular file of bounded size. */
export const readText = (
  path: string,
  { maxBytes = maxFileBytes, within }: ReadOptions = {}
): Effect.Effect<string, BesideFileError> =>
  Effect.gen(function* () {
    const real = yield* attempt(() => realpath(path))
    if (within !== undefined) {
      const folder = yield* attempt(() => realpath(within))
      const way = NodePath.relative(folder, real)
      if (way === ".." || way.startsWith(`..${NodePath.sep}`) || NodePath.isAbsolute(way))
        return yield* refuse("it is a link that leads out of the folder of the definition")
    }
    // Non-blocking: opening a FIFO would wait for a writer. `real` has no links, so a link found here was created in the meantime.
    const file = yield* Effect.acquireRelease(
      attempt(() => open(real, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0))),
      (handle) => Effect.ignore(attempt(() => handle.close()))
    )
    const found = yield* attempt(() => file.stat())
    if (found.isDirectory()) return yield* refuse("it is a folder")
    if (!found.isFile()) return yield* refuse("it is not a regular file")
    const tooLarge = refuse(`it has more than ${Math.floor(maxBytes / (1024 * 1024))} MB`)
    if (found.size > maxBytes) return yield* tooLarge
    // Files of special file systems such as /proc report a size of 0 although they have content.
    const buffer = Buffer.alloc(Math.min(maxBytes, Math.max(found.size, 64 * 1024)) + 1)
    let length = 0
    while (length < buffer.length) {
      const { bytesRead } = yield* attempt(() => file.read(buffer, length, buffer.length - length, length))
      if (bytesRead === 0) break
      length += bytesRead
    }
    if (length === buffer.length) return yield* tooLarge
    return buffer.toString("utf8", 0, length)
  }).pipe(Effect.scoped)

/** Reads a file that lies beside a definition. */
export const readSidecar = (path: string): Effect.Effect<string, BesideFileError> =>
  readText(path, { maxBytes: maxSidecarBytes, within: NodePath.dirname(path) })
