/** The bytes of an answer: counted as they come, counted again as they unfold (spec 8). */
import type { Readable } from "node:stream"
import * as Zlib from "node:zlib"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TooLarge, Unprocessable } from "../../Api/Errors.ts"
import { safely } from "../../Callback.ts"
import { connectionFailure } from "./FetchFailure.ts"
import { type Place, small } from "./Room.ts"

const tooLarge = (url: URL, limit: number) =>
  new TooLarge({ error: `${url.href} is larger than the limit of ${limit} bytes.`, code: "SCRAPE_TOO_LARGE" })

/** How much is read, and whether the beginning of something longer will do. */
export interface Limit {
  readonly bytes: number
  readonly cut?: boolean | undefined
  /** Where the body lies when it is no small one. */
  readonly place: Place
}

/** Collects a body within its limit; the connection is dropped when the fiber is interrupted. */
export const read = (url: URL, body: Readable, limit: Limit) =>
  Effect.async<Buffer, TooLarge | ReturnType<typeof connectionFailure>>((resume) => {
    const chunks: Array<Buffer> = []
    let size = 0
    let waiting: Fiber.RuntimeFiber<void> | undefined
    const broken = (cause: unknown) => {
      resume(Effect.die(cause))
      body.destroy()
    }
    const waitForRoom = () => {
      body.pause()
      waiting = Effect.runFork(limit.place.take(limit.bytes))
      waiting.addObserver(() => void body.resume())
    }
    body.on(
      "data",
      safely((chunk: Buffer) => {
        size += chunk.length
        if (size <= limit.bytes) {
          chunks.push(chunk)
          if (size > small && waiting === undefined) waitForRoom()
          return
        }
        const beginning = () => Buffer.concat([...chunks, chunk], limit.bytes)
        resume(limit.cut === true ? Effect.sync(beginning) : Effect.fail(tooLarge(url, limit.bytes)))
        body.destroy()
      }, broken)
    )
    body.on(
      "end",
      safely(() => resume(Effect.succeed(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))), broken)
    )
    body.on(
      "error",
      safely((cause) => resume(Effect.fail(connectionFailure(url, cause))), broken)
    )
    return Effect.zipRight(
      Effect.suspend(() => (waiting === undefined ? Effect.void : Fiber.interrupt(waiting))),
      Effect.sync(() => void body.destroy())
    )
  })

type Inflate = (
  bytes: Uint8Array,
  options: Zlib.ZlibOptions & Zlib.BrotliOptions,
  done: (error: Error | null, bytes: Buffer) => void
) => void

const inflaters: Readonly<Record<string, Inflate>> = {
  gzip: Zlib.gunzip,
  "x-gzip": Zlib.gunzip,
  br: Zlib.brotliDecompress,
  deflate: (bytes, options, done) =>
    // "deflate" means the zlib format; some servers send the bare stream, whose first byte differs.
    ((bytes[0] ?? 0) & 0x0f) === 0x08 ? Zlib.inflate(bytes, options, done) : Zlib.inflateRaw(bytes, options, done)
}

/** How many times its limit may be unfolded for a beginning. */
const cutFactor = 16

const unfoldWithin = (url: URL, bytes: Uint8Array, coding: string, limit: Pick<Limit, "bytes" | "cut">) =>
  Effect.async<Uint8Array, TooLarge | Unprocessable>((resume) => {
    const unfold = inflaters[coding]
    if (unfold === undefined) {
      return resume(
        Effect.fail(
          new Unprocessable({
            error: `${url.href} is sent in the encoding "${coding}", which is not understood.`,
            code: "SCRAPE_ENCODING_ERROR"
          })
        )
      )
    }
    const brotli = coding === "br"
    const options = {
      maxOutputLength: limit.cut === true ? limit.bytes * cutFactor : limit.bytes,
      finishFlush: brotli ? Zlib.constants.BROTLI_OPERATION_FLUSH : Zlib.constants.Z_SYNC_FLUSH
    }
    unfold(bytes, options, (error, unfolded) => {
      if (error === null) return resume(Effect.succeed(unfolded.subarray(0, limit.bytes)))
      if ("code" in error && error.code === "ERR_BUFFER_TOO_LARGE")
        return resume(Effect.fail(tooLarge(url, limit.bytes)))
      return resume(
        Effect.fail(
          new Unprocessable({
            error: `${url.href} says it is ${coding}, but it cannot be unpacked: ${error.message}.`,
            code: "SCRAPE_ENCODING_ERROR"
          })
        )
      )
    })
  })

/** Unfolds one layer of compression on the thread pool; what was cut short yields what there is. */
const inflate = (url: URL, bytes: Uint8Array, coding: string, limit: Limit) => {
  const whole = unfoldWithin(url, bytes, coding, limit)
  if (limit.bytes <= small) return whole
  // Nobody knows how large it becomes: what turns out to be large is begun again when there is room.
  return Effect.catchTag(unfoldWithin(url, bytes, coding, { bytes: small }), "TooLarge", () =>
    Effect.zipRight(limit.place.take(limit.bytes), whole)
  )
}

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
