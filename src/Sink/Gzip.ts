/** Compressed files as rows of members: whatever is cut between two of them is a whole gzip file. */
import { promisify } from "node:util"
import * as Zlib from "node:zlib"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import { WriteFailed } from "./Errors.ts"

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
