/** Reads and decompresses response bodies within size, memory and speed limits. */
import type { Readable, Transform } from "node:stream"
import * as Zlib from "node:zlib"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Runtime from "effect/Runtime"
import { TimedOut, TooLarge, Unprocessable } from "../../Api/Errors.ts"
import { safely } from "../../Callback.ts"
import { LargeBuffer } from "../LargeBuffer.ts"
import { connectionFailure } from "./FetchFailure.ts"
import { type Reservation, uncountedSize } from "./PageMemory.ts"

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
  br: (_, options) =>
    Zlib.createBrotliDecompress({ chunkSize: options.chunkSize, finishFlush: Zlib.constants.BROTLI_OPERATION_FLUSH }),
  // "deflate" means the zlib format, but some servers send raw deflate. The first byte tells them apart.
  deflate: (bytes, options) =>
    ((bytes[0] ?? 0) & 0x0f) === 0x08 ? Zlib.createInflate(options) : Zlib.createInflateRaw(options)
}

const encodingFailure = (error: string) => new Unprocessable({ error, code: "SCRAPE_ENCODING_ERROR" })

/** Undoes one content coding, on the thread pool. A truncated stream yields the part that was readable. */
const decompress = (url: URL, bytes: Uint8Array, coding: string, limit: BodyLimit) =>
  Effect.suspend(() => {
    const create = Object.hasOwn(decompressors, coding) ? decompressors[coding] : undefined
    if (create === undefined) {
      return encodingFailure(`${url.href} is sent in the encoding "${coding}", which is not supported.`)
    }
    const chunkSize = Math.max(16_384, Math.min(reservationStep, bytes.byteLength * 4))
    const stream = create(bytes, { chunkSize, finishFlush: Zlib.constants.Z_SYNC_FLUSH })
    const check = (size: number) =>
      limit.truncate !== true && size > uncountedSize && size > bytes.byteLength * maxRatio
        ? new TooLarge({
            error: `${url.href} becomes more than ${maxRatio} times as large when it is decompressed, which is refused as a decompression bomb.`,
            code: "SCRAPE_TOO_LARGE"
          })
        : undefined
    const onError = (cause: Error) =>
      encodingFailure(`${url.href} is declared as ${coding}, but it cannot be decompressed: ${cause.message}.`)
    stream.end(bytes)
    return Effect.tap(collect(url, stream, limit, { check, isTimed: false, onError }), (decompressed) =>
      limit.reservation.keep(bytes.byteLength + decompressed.byteLength)
    )
  })

const maxCodings = 3

/** Undoes all codings of `Content-Encoding`, the last one first. */
export const decode = (url: URL, raw: Uint8Array, encoding: string | undefined, limit: BodyLimit) => {
  const codings = (encoding ?? "")
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity")
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

/** Decompresses a body that is itself a gzip file, as sitemaps often are. */
export const gunzip = (url: URL, bytes: Uint8Array, limit: BodyLimit) =>
  bytes[0] === 0x1f && bytes[1] === 0x8b ? decompress(url, bytes, "gzip", limit) : Effect.succeed(bytes)
