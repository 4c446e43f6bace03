/** Receives a multipart upload: the file on disk, its name in any script, and the options. */
import { pipeline, Transform, type TransformCallback } from "node:stream"
import { HttpApiDecodeError } from "@effect/platform/HttpApiError"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Multipart from "@effect/platform/Multipart"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as NodeMultipart from "@effect/platform-node/NodeMultipart"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import { Upload, uploadLimits } from "../../Api/Parse.ts"
import { invalid } from "../ScrapeOptions.ts"

const decode = Multipart.schemaPersisted(Upload)

const broken = (cause: string) => new Multipart.MultipartError({ reason: "Parse", cause })

/** The parts of a request; the file goes when the scope closes. */
const partsOf = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.gen(function* () {
    const source = NodeHttpServerRequest.toIncomingMessage(request)
    const boundary = boundaryOf(request.headers["content-type"] ?? "")
    if (boundary === undefined) return yield* broken("The content type names no boundary")
    const unfinished = yield* Deferred.make<never, Multipart.MultipartError>()
    const names = new PartNames(boundary, () => Deferred.unsafeDone(unfinished, broken("The last boundary is missing")))
    // A sender who leaves ends the request, and with it all that waits for more.
    const parts = pipeline(source, names, () => undefined)
    // Both must agree on where a part begins.
    const read = NodeMultipart.persisted(parts, { "content-type": `multipart/form-data; boundary="${boundary}"` })
    return yield* Effect.raceFirst(read, Deferred.await(unfinished))
  })

/** As the contract's own reader would: a body that is no upload is a defect, which the engine answers with 400 or 413. */
export const receive = Effect.fn("Parse.receive")(function* (request: HttpServerRequest.HttpServerRequest) {
  const parts = yield* Effect.orDie(
    Multipart.withLimits(
      Effect.suspend(() => partsOf(request)),
      uploadLimits
    )
  )
  // The decoder would show the caller our own record of the files.
  if (Array.isArray(parts.file) && parts.file.length > 1) {
    return yield* invalid("file", `send one file, and not ${parts.file.length}`)
  }
  const { file, options } = yield* Effect.catchTag(decode(parts), "ParseError", HttpApiDecodeError.refailParseError)
  return { path: file.path, name: nameOf(file.name), options }
})

const lineEnds = Buffer.from("\r\n\r\n")
/** The reader refuses longer headers by itself. */
const maxHeaders = 20 * 1024

/** The boundary that a content type declares; the last, as the reader sees it. */
export const boundaryOf = (contentType: string): string | undefined =>
  [...contentType.matchAll(/;\s*boundary=(?:"([^"\\]+)"|([^\s";,]+))/gi)]
    .map(([, quoted, bare]) => quoted ?? bare)
    .at(-1)

/** A byte above 127 becomes the character of that number: the reader knows no others, `nameOf` puts them back. */
const rewrite = (headers: Buffer): Buffer =>
  Buffer.from(
    headers
      .toString("latin1")
      // What cannot be decoded would end the reader, and with it the server.
      .replace(/(filename\*=)([^;\r\n]*)/gi, (whole, key: string, value: string) =>
        Either.isRight(Encoding.decodeUriComponent(value)) ? whole : key + value.replaceAll("%", "_")
      ),
    "utf8"
  )

/** Between the start and the end of the headers of a part, or in its content, or after the last. */
type Place = "headers" | "content" | "end"

/** Rewrites the headers of each part and lets everything else pass as it is. */
export class PartNames extends Transform {
  readonly #delimiter: Buffer
  #place: Place = "content"
  /** What may be the start of something; the first boundary has no line before it. */
  #held: Buffer = Buffer.from("\r\n")
  #borrowed = this.#held.length

  readonly #unfinished: () => void

  /** `unfinished` is called when the bytes end before the last boundary: the reader would wait for it. */
  constructor(boundary: string, unfinished: () => void = () => undefined) {
    super()
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
    this.#unfinished = unfinished
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    while (this.#place === "content" ? this.#content() : this.#place === "headers" && this.#headers()) {}
    if (this.#place === "end") this.#pass(this.#held.length)
    done()
  }

  override _flush(done: TransformCallback): void {
    if (this.#place !== "end") this.#unfinished()
    this.#pass(this.#held.length)
    done()
  }

  #pass(length: number): void {
    // The line that was put before the first boundary is not the sender's.
    const start = Math.min(this.#borrowed, length)
    this.#borrowed -= start
    if (length > start) this.push(this.#held.subarray(start, length))
    this.#held = this.#held.subarray(length)
  }

  /** Passes content up to and with the next boundary; whether there was one. */
  #content(): boolean {
    const at = this.#held.indexOf(this.#delimiter)
    const keep = this.#delimiter.length - 1
    if (at < 0) {
      if (this.#held.length > keep) this.#pass(this.#held.length - keep)
      return false
    }
    this.#pass(at + this.#delimiter.length)
    this.#place = "headers"
    return true
  }

  /** Waits for all headers of a part; whether they have come. */
  #headers(): boolean {
    if (this.#held.length >= 2 && this.#held.toString("latin1", 0, 2) === "--") {
      this.#place = "end"
      return false
    }
    const at = this.#held.indexOf(lineEnds)
    if (at < 0 && this.#held.length < maxHeaders) return false
    const end = at < 0 ? this.#held.length : at + lineEnds.length
    this.push(rewrite(this.#held.subarray(0, end)))
    this.#held = this.#held.subarray(end)
    this.#place = "content"
    return true
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The name as its sender wrote it: senders write UTF-8, a few of them Latin-1, and quotes in one of two ways. */
export const nameOf = (received: string): string => {
  const isBytes = !/[\u0100-\uffff]/.test(received)
  const decoded = isBytes
    ? Either.getOrElse(
        Either.try(() => utf8.decode(Buffer.from(received, "latin1"))),
        () => received
      )
    : received
  return decoded.replace(/%22|\\"/g, '"').replace(/%0D%0A|%0D|%0A/gi, " ")
}
