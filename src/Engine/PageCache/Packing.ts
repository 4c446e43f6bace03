/** Compression of what the page cache stores. Runs on the thread pool. */
import { promisify } from "node:util"
import * as Zlib from "node:zlib"
import * as Effect from "effect/Effect"

const brotliCompress = promisify(Zlib.brotliCompress)
const decompress: Readonly<Record<string, (bytes: Uint8Array, options: Zlib.ZlibOptions) => Promise<Buffer>>> = {
  br: promisify(Zlib.brotliDecompress),
  gzip: promisify(Zlib.gunzip)
}

/** Bytes from which on a body is compressed. */
const minBytes = 2 * 1024
/** A body that becomes smaller than that share would look like a decompression bomb when it is read. */
const minShare = 0.01
/** The fastest quality that compresses HTML to a fifth: as fast as gzip, and better. */
const quality = 1
/** Window of 256 kB: a larger one takes memory and gains little. */
const window = 18

export interface Packed {
  readonly body: Uint8Array
  /** Content coding of the body; empty when it is stored as it is. */
  readonly coding: string
}

/** Compresses a body, unless it is too short or hardly becomes smaller. */
export const pack = (body: Uint8Array): Effect.Effect<Packed> => {
  const plain: Packed = { body, coding: "" }
  if (body.byteLength < minBytes) return Effect.succeed(plain)
  const params = {
    [Zlib.constants.BROTLI_PARAM_QUALITY]: quality,
    [Zlib.constants.BROTLI_PARAM_LGWIN]: window,
    [Zlib.constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength
  }
  return Effect.promise(() => brotliCompress(body, { params })).pipe(
    Effect.map((packed) => {
      const share = packed.byteLength / body.byteLength
      return share > 0.9 || share < minShare ? plain : { body: packed, coding: "br" }
    })
  )
}

/** The body as it was; undefined when it is damaged or longer than `maxBytes`. */
export const unpack = ({ body, coding }: Packed, maxBytes: number): Effect.Effect<Uint8Array | undefined> => {
  const decode = decompress[coding]
  return decode === undefined
    ? Effect.succeed(body)
    : Effect.orElseSucceed(
        Effect.tryPromise(() => decode(body, { maxOutputLength: maxBytes })),
        () => undefined
      )
}
