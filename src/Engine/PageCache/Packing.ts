/** Compresses what the page cache and the results store. Has no dependency on Effect, because worker threads import it. */
import { hash } from "node:crypto"
import { promisify } from "node:util"
import * as Zlib from "node:zlib"

const brotliCompress = promisify(Zlib.brotliCompress)

/** Minimum bytes of a body to be compressed. */
const minBytes = 2 * 1024
/** Minimum compressed share of a body. A smaller result would look like a decompression bomb when it is read. */
const minShare = 0.01
/** The fastest Brotli quality that compresses HTML to a fifth: as fast as gzip, and smaller. */
const quality = 1
/** Window of 256 kB. A larger one would take memory and gain little. */
const window = 18

export interface Packed {
  readonly body: Uint8Array
  /** Content coding of the body; empty if it is stored unchanged. */
  readonly coding: string
}

/** Text, compressed by Brotli or unchanged. */
export interface PackedText extends Packed {
  readonly coding: "" | "br"
  /** Uncompressed bytes of the text. */
  readonly size: number
}

const paramsFor = (body: Uint8Array): Zlib.BrotliOptions => ({
  params: {
    [Zlib.constants.BROTLI_PARAM_QUALITY]: quality,
    [Zlib.constants.BROTLI_PARAM_LGWIN]: window,
    [Zlib.constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength
  }
})

export const plain = (body: Uint8Array): PackedText => ({ body, coding: "", size: body.byteLength })

const better = (body: Uint8Array, packed: Uint8Array): PackedText => {
  const share = packed.byteLength / body.byteLength
  if (share > 0.9 || share < minShare) return plain(body)
  // Copied, because the compressor's own buffer is larger.
  return { body: new Uint8Array(packed), coding: "br", size: body.byteLength }
}

/**
 * Compresses a body on the thread pool, unless it is shorter than `minBytes`, or the result is more than 90 % or less than `minShare` of
 * it.
 */
export const pack = async (body: Uint8Array): Promise<PackedText> =>
  body.byteLength < minBytes ? plain(body) : better(body, await brotliCompress(body, paramsFor(body)))

/** Like `pack`, but in this thread: takes a millisecond for 100 kB, a third of the cost of another thread. */
export const packNow = (body: Uint8Array): PackedText =>
  body.byteLength < minBytes ? plain(body) : better(body, Zlib.brotliCompressSync(body, paramsFor(body)))

/** Returns the original text. Throws if the body is damaged, or longer than the original. */
export const unpackNow = ({ body, coding, size }: PackedText): Uint8Array =>
  coding === ""
    ? body
    : // One byte more than the text has: a full buffer would be followed by another one.
      Zlib.brotliDecompressSync(body, { maxOutputLength: size, chunkSize: Math.max(64, size + 1) })

/** Identifies the body of a stored page. */
export const bodyHash = (body: Uint8Array): string => hash("sha256", body, "base64url")
