/** Reads the bytes of an answer: counted as they arrive, and again as they are unpacked. */
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
import { type Place, small } from "./PageMemory.ts"

const tooLarge = (url: URL, limit: number) =>
  new TooLarge({ error: `${url.href} is larger than the limit of ${limit} bytes.`, code: "SCRAPE_TOO_LARGE" })

const tooSlow = (url: URL) =>
  new TimedOut({
    error: `${url.href} sent less than ${minRate} bytes a second for ${Duration.format(rateWindow)}, in the middle of a large answer.`,
    code: "SCRAPE_TOO_SLOW"
  })

/** How much is read, and whether the beginning of something longer will do. */
export interface Limit {
  readonly bytes: number
  readonly cut?: boolean | undefined
  /** Where the body lies when it is no small one. */
  readonly place: Place
}

/** Bytes a second that a large body has to arrive with, over each window: others wait for the memory that it holds. */
const minRate = 4_096
const rateWindow = Duration.seconds(30)

/** Bytes that a body reserves at once. */
const step = 1024 * 1024

/** How many times as large as it was sent a large answer may become when it is unpacked. Text comes to 50, a bomb to 1,000 and more. */
const maxRatio = 250

interface Reading {
  /** What fails a body of that size before its limit does. */
  readonly check?: (size: number) => TooLarge | undefined
  /** Whether a large body has to arrive at a minimum rate. */
  readonly isTimed: boolean
  readonly onError: (cause: Error) => TooLarge | Unprocessable | ReturnType<typeof connectionFailure>
}

/** Collects what a stream gives, within the limit; reserves room as bytes arrive. The stream is dropped when the fiber is interrupted. */
const collect = (url: URL, stream: Readable, limit: Limit, { check, isTimed, onError }: Reading) =>
  Effect.flatMap(Effect.runtime(), (runtime) =>
    Effect.async<Buffer, TimedOut | ReturnType<Reading["onError"]>>((resume) => {
      const fork = Runtime.runFork(runtime)
      const body = new LargeBuffer()
      let size = 0
      let reserved = small
      let hasWaited = false
      let waiting: Fiber.RuntimeFiber<void> | undefined
      let watching: Fiber.RuntimeFiber<void> | undefined
      const finish = (result: Effect.Effect<Buffer, TimedOut | ReturnType<Reading["onError"]>>) => {
        watching?.unsafeInterruptAsFork(FiberId.none)
        waiting?.unsafeInterruptAsFork(FiberId.none)
        resume(result)
        stream.destroy()
      }
      const broken = (cause: unknown) => finish(Effect.die(cause))
      const reserve = () => {
        const bytes = Math.ceil((size - reserved) / step) * step
        reserved += bytes
        stream.pause()
        waiting = fork(limit.place.grow(bytes))
        waiting.addObserver(() => {
          waiting = undefined
          hasWaited = true
          stream.resume()
        })
      }
      /** Time spent waiting for memory does not count as slowness of the site. */
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
            if (limit.cut !== true) return finish(Effect.fail(tooLarge(url, limit.bytes)))
            body.push(chunk.subarray(0, limit.bytes - body.size))
            return finish(Effect.sync(() => body.take()))
          }
          const failure = check?.(size)
          if (failure !== undefined) return finish(Effect.fail(failure))
          body.push(chunk)
          if (size > reserved) reserve()
          if (isTimed && size > small && watching === undefined) watching = fork(watch)
        }, broken)
      )
      stream.on(
        "end",
        safely(() => finish(Effect.sync(() => body.take())), broken)
      )
      stream.on(
        "error",
        safely((cause) => finish(Effect.fail(onError(cause))), broken)
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

/** Collects a body within its limit. */
export const read = (url: URL, body: Readable, limit: Limit) =>
  collect(url, body, limit, { isTimed: true, onError: (cause) => connectionFailure(url, cause) })

const inflaters: Readonly<Record<string, (bytes: Uint8Array, options: Zlib.ZlibOptions) => Transform>> = {
  gzip: (_, options) => Zlib.createGunzip(options),
  "x-gzip": (_, options) => Zlib.createGunzip(options),
  br: (_, options) =>
    Zlib.createBrotliDecompress({ chunkSize: options.chunkSize, finishFlush: Zlib.constants.BROTLI_OPERATION_FLUSH }),
  // "deflate" means the zlib format; some servers send the bare stream, whose first byte differs.
  deflate: (bytes, options) =>
    ((bytes[0] ?? 0) & 0x0f) === 0x08 ? Zlib.createInflate(options) : Zlib.createInflateRaw(options)
}

const encodingFailure = (error: string) => new Unprocessable({ error, code: "SCRAPE_ENCODING_ERROR" })

/** Unfolds one layer of compression on the thread pool; what was cut short yields what there is. */
const inflate = (url: URL, bytes: Uint8Array, coding: string, limit: Limit) =>
  Effect.suspend(() => {
    const unfold = Object.hasOwn(inflaters, coding) ? inflaters[coding] : undefined
    if (unfold === undefined) {
      return encodingFailure(`${url.href} is sent in the encoding "${coding}", which is not understood.`)
    }
    const chunkSize = Math.max(16_384, Math.min(step, bytes.byteLength * 4))
    const stream = unfold(bytes, { chunkSize, finishFlush: Zlib.constants.Z_SYNC_FLUSH })
    const check = (size: number) =>
      limit.cut !== true && size > small && size > bytes.byteLength * maxRatio
        ? new TooLarge({
            error: `${url.href} becomes more than ${maxRatio} times as large when it is unpacked, which is refused as a decompression bomb.`,
            code: "SCRAPE_TOO_LARGE"
          })
        : undefined
    const onError = (cause: Error) =>
      encodingFailure(`${url.href} says it is ${coding}, but it cannot be unpacked: ${cause.message}.`)
    stream.end(bytes)
    return Effect.tap(collect(url, stream, limit, { check, isTimed: false, onError }), (unfolded) =>
      limit.place.keep(bytes.byteLength + unfolded.byteLength)
    )
  })

const maxCodings = 3

/** Undoes `Content-Encoding`, the last coding first. */
export const decode = (url: URL, raw: Uint8Array, encoding: string | undefined, limit: Limit) => {
  const codings = (encoding ?? "")
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity")
  if (codings.length === 0 || raw.length === 0) return Effect.succeed(raw)
  if (codings.length > maxCodings) {
    return Effect.fail(
      new Unprocessable({ error: `${url.href} is packed ${codings.length} times over.`, code: "SCRAPE_ENCODING_ERROR" })
    )
  }
  return Effect.reduce(codings.reverse(), raw, (bytes, coding) => inflate(url, bytes, coding, limit))
}

/** Unfolds a file that is itself gzip, as sitemaps often are. */
export const gunzip = (url: URL, bytes: Uint8Array, limit: Limit) =>
  bytes[0] === 0x1f && bytes[1] === 0x8b ? inflate(url, bytes, "gzip", limit) : Effect.succeed(bytes)
