/** Reads and decompresses response bodies within size, memory and speed limits. */
import type { Readable, Transform } from "node:stream"
import * as Zlib from "node:zlib"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Runtime from "effect/Runtime"
import * as Stream from "effect/Stream"
import { TimedOut, TooLarge, Unprocessable } from "../../Api/Errors.ts"
import { safely } from "../../Callback.ts"
import { LargeBuffer } from "../Teams/LargeBuffer.ts"
import { type Reservation, uncountedSize } from "../Teams/PageMemory.ts"
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
  /** Keeps the beginning of a longer body, instead of failing. */
  readonly truncate?: boolean | undefined
  /** Memory reservation of the body. Grows once the body exceeds `uncountedSize`. */
  readonly reservation: Reservation
}

/** Minimum bytes per second of a large body, over each window. A stalled one would hold memory that others wait for. */
const minRate = 4_096
const rateWindow = Duration.seconds(30)

/** Bytes reserved at a time. */
const reservationStep = 1024 * 1024

/** Maximum decompression ratio of a large body. Text reaches 50, a decompression bomb 1,000 and more. */
const maxRatio = 250

interface CollectOptions {
  /** Returns an error to fail with at this size. */
  readonly check?: (size: number) => TooLarge | undefined
  /** Enforces the minimum rate. */
  readonly isTimed: boolean
  readonly onError: (cause: Error) => TooLarge | Unprocessable | ReturnType<typeof connectionFailure>
}

/** Collects a stream. Reserves memory as bytes arrive; pauses the stream while it waits for memory. Interruption destroys the stream. */
const collect = (url: URL, stream: Readable, limit: BodyLimit, { check, isTimed, onError }: CollectOptions) =>
  Effect.flatMap(Effect.runtime(), (runtime) =>
    Effect.async<Buffer, TimedOut | ReturnType<CollectOptions["onError"]>>((resume) => {
      const fork = Runtime.runFork(runtime)
      const body = new LargeBuffer()
      let size = 0
      let reserved = uncountedSize
      let hasWaited = false
      let waiting: Fiber.RuntimeFiber<void> | undefined
      let watching: Fiber.RuntimeFiber<void> | undefined
      const finish = (result: Effect.Effect<Buffer, TimedOut | ReturnType<CollectOptions["onError"]>>) => {
        watching?.unsafeInterruptAsFork(FiberId.none)
        waiting?.unsafeInterruptAsFork(FiberId.none)
        resume(result)
        stream.destroy()
      }
      const die = (cause: unknown) => finish(Effect.die(cause))
      const reserve = () => {
        const bytes = Math.ceil((size - reserved) / reservationStep) * reservationStep
        reserved += bytes
        stream.pause()
        waiting = fork(limit.reservation.grow(bytes))
        waiting.addObserver(() => {
          waiting = undefined
          hasWaited = true
          stream.resume()
        })
      }
      /** Windows in which the body waited for memory do not count: the site was not slow. */
      const watch = Effect.suspend(() => {
        const before = size
        hasWaited = waiting !== undefined
        return Effect.map(Effect.sleep(rateWindow), () => {
          const isSlow = !hasWaited && waiting === undefined && size - before < minRate * Duration.toSeconds(rateWindow)
          if (isSlow) finish(Effect.fail(tooSlow(url)))
        })
      }).pipe(Effect.forever)
      stream.on(
        "data",
        safely((chunk: Buffer) => {
          size += chunk.length
          if (size > limit.bytes) {
            if (limit.truncate !== true) return finish(Effect.fail(tooLarge(url, limit.bytes)))
            body.push(chunk.subarray(0, limit.bytes - body.size))
            return finish(Effect.sync(() => body.take()))
          }
          const failure = check?.(size)
          if (failure !== undefined) return finish(Effect.fail(failure))
          body.push(chunk)
          if (size > reserved) reserve()
          if (isTimed && size > uncountedSize && watching === undefined) watching = fork(watch)
        }, die)
      )
      stream.on(
        "end",
        safely(() => finish(Effect.sync(() => body.take())), die)
      )
      stream.on(
        "error",
        safely((cause) => finish(Effect.fail(onError(cause))), die)
      )
      return Effect.zipRight(
        Effect.suspend(() => (waiting === undefined ? Effect.void : Fiber.interrupt(waiting))),
        Effect.suspend(() => {
          stream.destroy()
          return watching === undefined ? Effect.void : Fiber.interrupt(watching)
        })
      )
    })
  )

export const read = (url: URL, body: Readable, limit: BodyLimit) =>
  collect(url, body, limit, { isTimed: true, onError: (cause) => connectionFailure(url, cause) })

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

/** Codings with a meaning that cannot be undone here. Any other name is a mistake of the server, and the body is plain, as in browsers. */
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

const encodingFailure = (error: string) => new Unprocessable({ error, code: "SCRAPE_ENCODING_ERROR" })

const cutShort = (cause: Error): boolean => "code" in cause && cause.code === "Z_BUF_ERROR"

/** Unpacks within the limits. */
const unpack = (url: URL, bytes: Uint8Array, coding: string, stream: Transform, limit: BodyLimit) => {
  const check = (size: number) =>
    limit.truncate !== true && size > uncountedSize && size > bytes.byteLength * maxRatio
      ? new TooLarge({
          error: `${url.href} becomes more than ${maxRatio} times as large when it is decompressed, which is refused as a decompression bomb.`,
          code: "SCRAPE_TOO_LARGE"
        })
      : undefined
  const onError = (cause: Error) =>
    encodingFailure(
      cutShort(cause)
        ? `${url.href} is incomplete: its ${coding} body ends in the middle of the data. Try again; if it stays so, the site has to mend it.`
        : `${url.href} is declared as ${coding}, but it cannot be decompressed: ${cause.message}.`
    )
  stream.end(bytes)
  return collect(url, stream, limit, { check, isTimed: false, onError })
}

/**
 * Undoes one content coding, on the thread pool. A body that ends in the middle of the data fails. As browsers do, bytes after the data and a
 * missing or wrong checksum are forgiven.
 */
const decompress = (url: URL, bytes: Uint8Array, coding: string, limit: BodyLimit) =>
  Effect.suspend(() => {
    const create = Object.hasOwn(decompressors, coding) ? decompressors[coding] : undefined
    if (create === undefined) {
      return encodingFailure(`${url.href} is sent in the encoding "${coding}", which is not supported.`)
    }
    const chunkSize = Math.max(16_384, Math.min(reservationStep, bytes.byteLength * 4))
    // Only the beginning of a body over the limit was read.
    const isOurCut = limit.truncate === true && bytes.byteLength >= limit.bytes
    const options = { chunkSize, ...(isOurCut ? { finishFlush: Zlib.constants.Z_SYNC_FLUSH } : {}) }
    const whole = unpack(url, bytes, coding, create(bytes, options), limit)
    const start = isGzip(bytes) ? afterGzipHeader(bytes) : coding === "deflate" && isZlib(bytes) ? 2 : undefined
    const lenient =
      start === undefined
        ? whole
        : Effect.catchTag(whole, "Unprocessable", (failure) => {
            const stream = Zlib.createInflateRaw({ chunkSize })
            return unpack(url, bytes.subarray(start), coding, stream, limit).pipe(
              // Data of a second member must not be lost.
              Effect.filterOrFail(
                () => coding === "deflate" || !isGzip(bytes, start + stream.bytesWritten + 8),
                () => failure
              )
            )
          })
    return Effect.tap(lenient, (decompressed) => limit.reservation.keep(bytes.byteLength + decompressed.byteLength))
  })

const maxCodings = 3

/** Undoes all codings of `Content-Encoding`, the last one first. Returns the bytes themselves where there is none. */
export const decode = (url: URL, raw: Uint8Array, encoding: string | undefined, limit: BodyLimit) => {
  const codings = (encoding ?? "")
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => Object.hasOwn(decompressors, coding) || unsupported.has(coding))
  if (codings.length === 0 || raw.length === 0) return Effect.succeed(raw)
  if (codings.length > maxCodings) {
    return Effect.fail(
      new Unprocessable({
        error: `${url.href} has ${codings.length} content codings; at most ${maxCodings} are decoded.`,
        code: "SCRAPE_ENCODING_ERROR"
      })
    )
  }
  return Effect.reduce(codings.reverse(), raw, (bytes, coding) => decompress(url, bytes, coding, limit))
}

const archiveType = /gzip|tar\b|compress|\bzip/i
const archiveName = /\.(?:t?gz|tgz|taz|gzip)$/i

/** Unpacks a body that is a gzip file although neither its type nor its name says so: compressed twice, or sent without the header. */
export const undeclared = (
  url: URL,
  bytes: Uint8Array,
  contentType: string | undefined,
  limit: BodyLimit
): ReturnType<typeof decode> => {
  if (!isGzip(bytes)) return Effect.succeed(bytes)
  const isText = /^\s*(?:text\/|application\/(?:[\w.-]+\+)?(?:xhtml|xml|json))/i.test(contentType ?? "")
  if (archiveType.test(contentType ?? "") || (!isText && archiveName.test(url.pathname))) return Effect.succeed(bytes)
  return Effect.reduce([1, 2], bytes, (packed) =>
    isGzip(packed) ? decompress(url, packed, "gzip", limit) : Effect.succeed(packed)
  )
}

/** Decompresses a body that is itself a gzip file, as sitemaps often are. */
export const gunzip = (url: URL, bytes: Uint8Array, limit: BodyLimit) =>
  isGzip(bytes) ? decompress(url, bytes, "gzip", limit) : Effect.succeed(bytes)

/** Text of a response of a service, as UTF-8. */
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
