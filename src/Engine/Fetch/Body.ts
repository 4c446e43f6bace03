/** Reads and decompresses response bodies within size, memory and speed limits. Runs as promises: see `Work`. */
import type { Readable, Transform } from "node:stream"
import * as Zlib from "node:zlib"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { TimedOut, TooLarge, Unprocessable } from "../../Api/Errors.ts"
import { on, safely } from "../../Callback.ts"
import { LargeBuffer } from "../Teams/LargeBuffer.ts"
import { type Reservation, uncountedSize } from "../Teams/PageMemory.ts"
import { Cancelled, Work } from "../Teams/Work.ts"
import { connectionFailure } from "./FetchFailure.ts"

const tooLarge = (url: URL, limit: number) =>
  new TooLarge({ error: `${url.href} is larger than the limit of ${limit} bytes.`, code: "SCRAPE_TOO_LARGE" })

const tooSlow = (url: URL) =>
  new TimedOut({
    error: `${url.href} sent less than ${minRate} bytes a second for ${Duration.format(rateWindow)}, within a large response.`,
    code: "SCRAPE_TOO_SLOW"
  })

export interface BodyLimit {
  /** Maximum size, before and after decompression. */
  readonly bytes: number
  /** Keeps the start of a body over the limit, instead of failing. */
  readonly truncate?: boolean | undefined
  /** Called when compressed data ends in the middle, of which the start is then returned. Without it, such a body fails. */
  readonly onCut?: (() => void) | undefined
  /** Memory reservation of the body. Grows once the body exceeds `uncountedSize`. */
  readonly reservation: Reservation
}

/** Minimum bytes per second of a large body, over each window. A stalled body would hold memory that others wait for. */
const minRate = 4_096
const rateWindow = Duration.seconds(30)

/** Bytes reserved at a time. */
const reservationStep = 1024 * 1024

/** Maximum decompression ratio of a large body. Text reaches 50, a decompression bomb 1,000 and more. */
const maxRatio = 250

interface CollectOptions {
  /** Returns the error to fail with once this size is reached, if any. */
  readonly check?: (size: number) => TooLarge | undefined
  /** Enforces the minimum rate. */
  readonly isTimed: boolean
  readonly onError: (cause: Error) => TooLarge | Unprocessable | ReturnType<typeof connectionFailure>
}

/** Collects a stream. Reserves memory as bytes arrive; pauses the stream while it waits for memory. The stream is destroyed at the end. */
const collect = (
  work: Work,
  url: URL,
  stream: Readable,
  limit: BodyLimit,
  { check, isTimed, onError }: CollectOptions
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const body = new LargeBuffer()
    let size = 0
    let reserved = uncountedSize
    let hasWaited = false
    let waiting: Promise<void> | undefined
    let isWatched = false
    let isDone = false
    let forget: () => void = () => undefined
    /** Timers and memory waits of a large body; cancelled when the body ends. */
    const waits = new Work(work.seam)
    const finish = (settle: () => void) => {
      if (isDone) return
      isDone = true
      forget()
      waits.cancel()
      stream.destroy()
      // A cancelled wait for memory must have ended first, so that it cannot reserve memory after the body has been settled.
      if (waiting === undefined) settle()
      else void waiting.then(settle)
    }
    const take = () => finish(() => resolve(body.take()))
    const fail = (cause: unknown) => finish(() => reject(cause))
    const reserve = () => {
      const bytes = Math.ceil((size - reserved) / reservationStep) * reservationStep
      reserved += bytes
      stream.pause()
      waiting = waits.run(limit.reservation.grow(bytes)).then(() => {
        waiting = undefined
        hasWaited = true
        stream.resume()
      }, ended)
    }
    /** Checks the rate. Windows in which the body waited for memory do not count, because the site was not slow. */
    const watch = Effect.suspend(() => {
      const before = size
      hasWaited = waiting !== undefined
      return Effect.map(Effect.sleep(rateWindow), () => {
        const isSlow = !hasWaited && waiting === undefined && size - before < minRate * Duration.toSeconds(rateWindow)
        if (isSlow) fail(tooSlow(url))
      })
    }).pipe(Effect.forever)
    const ended = (cause: unknown) => {
      if (!waits.isCancelled) fail(cause)
    }
    stream.on(
      "data",
      safely((chunk: Buffer) => {
        size += chunk.length
        if (size > limit.bytes) {
          if (limit.truncate !== true) return fail(tooLarge(url, limit.bytes))
          body.push(chunk.subarray(0, limit.bytes - body.size))
          return take()
        }
        const failure = check?.(size)
        if (failure !== undefined) return fail(failure)
        body.push(chunk)
        if (size > reserved) reserve()
        if (isTimed && size > uncountedSize && !isWatched) {
          isWatched = true
          waits.run(watch).catch(ended)
        }
      }, fail)
    )
    stream.on("end", safely(take, fail))
    on(stream, "error", (cause: Error) => fail(onError(cause)), fail)
    forget = work.onCancel(() => fail(new Cancelled()))
  })

export const read = (work: Work, url: URL, body: Readable, limit: BodyLimit) =>
  collect(work, url, body, limit, { isTimed: true, onError: (cause) => connectionFailure(url, cause) })

const decompressors: Readonly<Record<string, (bytes: Uint8Array, options: Zlib.ZlibOptions) => Transform>> = {
  gzip: (_, options) => Zlib.createGunzip(options),
  "x-gzip": (_, options) => Zlib.createGunzip(options),
  br: (_, { chunkSize, finishFlush }) =>
    Zlib.createBrotliDecompress({
      chunkSize,
      ...(finishFlush === undefined ? {} : { finishFlush: Zlib.constants.BROTLI_OPERATION_FLUSH })
    }),
  // "deflate" means the zlib format, but some servers send raw deflate. The first byte tells them apart.
  deflate: (bytes, options) => (isZlib(bytes) ? Zlib.createInflate(options) : Zlib.createInflateRaw(options))
}

/** Codings that are not supported. Any other unknown name is a server error, and the body is treated as plain, as in browsers. */
const unsupported = new Set(["compress", "x-compress", "zstd", "dcb", "dcz", "aes128gcm", "exi", "pack200-gzip"])

const isZlib = (bytes: Uint8Array): boolean => ((bytes[0] ?? 0) & 0x0f) === 0x08

const isGzip = (bytes: Uint8Array, at = 0): boolean =>
  bytes[at] === 0x1f && bytes[at + 1] === 0x8b && bytes[at + 2] === 0x08

/** Offset of the data of the first member of a gzip file (RFC 1952). */
const afterGzipHeader = (bytes: Uint8Array): number => {
  const flags = bytes[3] ?? 0
  let at = 10
  if ((flags & 4) !== 0) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0)
  for (const flag of [8, 16]) if ((flags & flag) !== 0) at = bytes.indexOf(0, at) + 1 || bytes.byteLength
  return (flags & 2) !== 0 ? at + 2 : at
}

/** True for bytes that are XML without any coding. */
const isMarkup = (bytes: Uint8Array): boolean =>
  /^(?:\xef\xbb\xbf)?\s*<[?!a-z]/i.test(Buffer.from(bytes.subarray(0, 64)).toString("latin1"))

const encodingFailure = (error: string) => new Unprocessable({ error, code: "SCRAPE_ENCODING_ERROR" })

const cutShort = (cause: Error): boolean => "code" in cause && cause.code === "Z_BUF_ERROR"

/** Decompresses within the limits. */
const unpack = (work: Work, url: URL, bytes: Uint8Array, coding: string, stream: Transform, limit: BodyLimit) => {
  const check = (size: number) =>
    limit.truncate !== true && size > uncountedSize && size > bytes.byteLength * maxRatio
      ? new TooLarge({
          error: `${url.href} becomes more than ${maxRatio} times as large when it is decompressed. It is refused as a possible decompression bomb.`,
          code: "SCRAPE_TOO_LARGE"
        })
      : undefined
  const onError = (cause: Error) =>
    encodingFailure(
      cutShort(cause)
        ? `${url.href} is incomplete: its ${coding} body ends in the middle of the data. Try again; if it fails every time, only the site can fix it.`
        : `${url.href} is declared as ${coding}, but it cannot be decompressed: ${cause.message}.`
    )
  stream.end(bytes)
  return collect(work, url, stream, limit, { check, isTimed: false, onError })
}

/**
 * Undoes one content coding, on the thread pool. A truncated body fails, unless `onCut` is there. Bytes after the data, and a missing or
 * wrong checksum, are tolerated, as in browsers.
 */
const decompress = async (work: Work, url: URL, bytes: Uint8Array, coding: string, limit: BodyLimit) => {
  const create = Object.hasOwn(decompressors, coding) ? decompressors[coding] : undefined
  if (create === undefined) {
    throw encodingFailure(`${url.href} is sent in the encoding "${coding}", which is not supported.`)
  }
  const chunkSize = Math.max(16_384, Math.min(reservationStep, bytes.byteLength * 4))
  // `collect` has cut a body over the limit, so the decompressor must accept that the end is missing.
  const isOurCut = limit.truncate === true && bytes.byteLength >= limit.bytes
  const options = { chunkSize, ...(isOurCut ? { finishFlush: Zlib.constants.Z_SYNC_FLUSH } : {}) }
  const start = isGzip(bytes) ? afterGzipHeader(bytes) : coding === "deflate" && isZlib(bytes) ? 2 : undefined
  const whole = unpack(work, url, bytes, coding, create(bytes, options), limit)
  const leniently = async (failure: unknown) => {
    if (start === undefined || !(failure instanceof Unprocessable)) throw failure
    const stream = Zlib.createInflateRaw({ chunkSize })
    const data = await unpack(work, url, bytes.subarray(start), coding, stream, limit)
    // If a second gzip member follows, its data would be lost, so the failure stands.
    if (coding !== "deflate" && isGzip(bytes, start + stream.bytesWritten + 8)) throw failure
    return data
  }
  const upToCut = async (failure: unknown) => {
    if (limit.onCut === undefined || !(failure instanceof Unprocessable)) throw failure
    // Nothing marks the start of brotli and raw deflate, so a few bytes of plain text can pass for the start of such data.
    if (start === undefined && isMarkup(bytes)) throw failure
    const stream = create(bytes, { chunkSize, finishFlush: Zlib.constants.Z_SYNC_FLUSH })
    const data = await unpack(work, url, bytes, coding, stream, limit)
    // A body that ends before its first data, as within the header of gzip, has no start to return.
    if (data.byteLength === 0) throw failure
    limit.onCut()
    return data
  }
  const decompressed = await whole.catch(leniently).catch(upToCut)
  limit.reservation.keep(bytes.byteLength + decompressed.byteLength)
  return decompressed
}

const maxCodings = 3

/** Undoes all codings of `Content-Encoding`, last one first. Without codings it returns the bytes unchanged. */
export const decode = async (
  work: Work,
  url: URL,
  raw: Uint8Array,
  encoding: string | undefined,
  limit: BodyLimit
): Promise<Uint8Array> => {
  const codings = (encoding ?? "")
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => Object.hasOwn(decompressors, coding) || unsupported.has(coding))
  if (codings.length === 0 || raw.length === 0) return raw
  if (codings.length > maxCodings) {
    throw new Unprocessable({
      error: `${url.href} has ${codings.length} content codings; at most ${maxCodings} are decoded.`,
      code: "SCRAPE_ENCODING_ERROR"
    })
  }
  let bytes = raw
  for (const coding of codings.reverse()) bytes = await decompress(work, url, bytes, coding, limit)
  return bytes
}

const archiveType = /gzip|tar\b|compress|\bzip/i
const archiveName = /\.(?:t?gz|tgz|taz|gzip)$/i

/** Decompresses a body that is a gzip file although neither its type nor its name says so: compressed twice, or sent without the header. */
export const undeclared = async (
  work: Work,
  url: URL,
  bytes: Uint8Array,
  contentType: string | undefined,
  limit: BodyLimit
): Promise<Uint8Array> => {
  if (!isGzip(bytes)) return bytes
  const isText = /^\s*(?:text\/|application\/(?:[\w.-]+\+)?(?:xhtml|xml|json))/i.test(contentType ?? "")
  if (archiveType.test(contentType ?? "") || (!isText && archiveName.test(url.pathname))) return bytes
  const once = await decompress(work, url, bytes, "gzip", limit)
  return gunzip(work, url, once, limit)
}

/** Decompresses a body that is itself a gzip file, as sitemaps often are. */
export const gunzip = async (work: Work, url: URL, bytes: Uint8Array, limit: BodyLimit): Promise<Uint8Array> =>
  isGzip(bytes) ? decompress(work, url, bytes, "gzip", limit) : bytes

/** Reads the response of a service as UTF-8 text. */
export const readText = <E1, E2>(
  body: Readable,
  limit: { readonly maxBytes: number; readonly broken: () => E1; readonly tooLong: () => E2 }
): Effect.Effect<string, E1 | E2> =>
  Stream.fromAsyncIterable<Uint8Array, E1>(body, limit.broken).pipe(
    Stream.runFoldEffect({ parts: [] as Array<Uint8Array>, size: 0 }, ({ parts, size }, bytes) => {
      if (size + bytes.length > limit.maxBytes) return Effect.fail(limit.tooLong())
      parts.push(bytes)
      return Effect.succeed({ parts, size: size + bytes.length })
    }),
    Effect.map(({ parts }) => Buffer.concat(parts).toString("utf8"))
  )
