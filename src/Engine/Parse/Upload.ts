/** Receives a multipart upload: stores the file on disk, and returns its name and the options. */
import { createWriteStream } from "node:fs"
import { pipeline, Transform, type TransformCallback } from "node:stream"
import { pipeline as write } from "node:stream/promises"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Multipart from "@effect/platform/Multipart"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as NodeMultipart from "@effect/platform-node/NodeMultipart"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Stream from "effect/Stream"
import { uploadLimits } from "../../Api/Upload.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { invalid } from "../ScrapeOptions.ts"

const broken = (cause: string) => new Multipart.MultipartError({ reason: "Parse", cause })

/** Parts of the request as they arrive. `unfinished` fails when the body ends before its last boundary. */
const partsOf = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.gen(function* () {
    const source = NodeHttpServerRequest.toIncomingMessage(request)
    const boundary = boundaryOf(request.headers["content-type"] ?? "")
    if (boundary === undefined) return yield* broken("The content type names no boundary")
    const unfinished = yield* Deferred.make<never, Multipart.MultipartError>()
    const names = new PartNames(boundary, () => Deferred.unsafeDone(unfinished, broken("The last boundary is missing")))
    // When the sender disconnects, this ends both streams.
    const rewritten = pipeline(source, names, () => undefined)
    // `PartNames` and the multipart reader must use the same boundary.
    const parts = NodeMultipart.stream(rewritten, { "content-type": `multipart/form-data; boundary="${boundary}"` })
    return { parts, unfinished: Deferred.await(unfinished) }
  })

const store = (file: Multipart.File, path: string) =>
  Effect.tryPromise({
    try: (signal) => write(NodeMultipart.fileToReadable(file), createWriteStream(path), { signal }),
    catch: (cause) => new Multipart.MultipartError({ reason: "InternalError", cause })
  })

/**
 * Reads the body to its end. Stores the first part `file` under a name of our own, because the sender's name may contain a folder. Reads
 * and drops all other files, because the multipart reader waits until each file has been read.
 */
const collect = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.gen(function* () {
    const { parts, unfinished } = yield* partsOf(request)
    const folder = yield* Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())
    const path = `${folder}/upload`
    const files: Array<{ readonly key: string; readonly name: string }> = []
    const fields: Array<{ readonly key: string; readonly value: string }> = []
    const read = Stream.runForEach(parts, (part) => {
      if (part._tag === "Field") return Effect.sync(() => fields.push(part))
      // A form without a chosen file sends a part without a name.
      if (part.name !== "") files.push(part)
      const isFirst = part.key === "file" && part === files.find(({ key }) => key === "file")
      return isFirst ? store(part, path) : Stream.runDrain(part.content)
    })
    yield* Effect.raceFirst(read, unfinished)
    return { path, files, fields }
  })

/**
 * Receives the upload; its file is deleted when the scope closes. A malformed body is a defect, which the engine answers with 400 or 413,
 * as for any other request.
 */
export const receive = Trace.fn("Parse.receive")(function* (request: HttpServerRequest.HttpServerRequest) {
  const { fields, files, path } = yield* Effect.orDie(
    Multipart.withLimits(
      Effect.suspend(() => collect(request)),
      uploadLimits
    )
  )
  const [file, ...others] = files.filter(({ key }) => key === "file")
  if (fields.some(({ key }) => key === "file")) return yield* invalid("file", "send it as a file, with a file name")
  if (file === undefined) return yield* invalid("file", "is missing")
  if (others.length > 0) return yield* invalid("file", `send one file, and not ${others.length + 1}`)
  const [options, ...further] = fields.filter(({ key }) => key === "options")
  if (further.length > 0) return yield* invalid("options", `send this part once, and not ${further.length + 1} times`)
  if (files.some(({ key }) => key === "options")) return yield* invalid("options", "send text, and not a file")
  return { path, name: nameOf(file.name), options: options?.value }
})

const lineEnds = Buffer.from("\r\n\r\n")
/** Maximum bytes of headers. The reader refuses longer ones. */
const maxHeaders = 20 * 1024

/** Boundary of a content type. If it is repeated, the last one counts, as in the multipart reader. */
export const boundaryOf = (contentType: string): string | undefined =>
  [...contentType.matchAll(/;\s*boundary=(?:"([^"\\]+)"|([^\s";,]+))/gi)]
    .map(([, quoted, bare]) => quoted ?? bare)
    .at(-1)

/** Encodes bytes above 127 as UTF-8, because the multipart reader does not accept other encodings. `nameOf` reverses it. */
const encodeHeaders = (headers: Buffer): Buffer =>
  Buffer.from(
    headers
      .toString("latin1")
      // An invalid percent encoding would crash the reader.
      .replace(/(filename\*=)([^;\r\n]*)/gi, (whole, key: string, value: string) =>
        Either.isRight(Encoding.decodeUriComponent(value)) ? whole : key + value.replaceAll("%", "_")
      ),
    "utf8"
  )

/** Section of the body that is being read: headers of a part, content of a part, or the rest after the last part. */
type Section = "headers" | "content" | "end"

/** Rewrites the headers of each part; all other bytes pass unchanged. */
export class PartNames extends Transform {
  readonly #delimiter: Buffer
  #place: Section = "content"
  /** Bytes not passed on yet, because they may begin a delimiter. Starts as a line break, which the first boundary lacks. */
  #held: Buffer = Buffer.from("\r\n")
  #borrowed = this.#held.length

  readonly #unfinished: () => void

  /** Calls `unfinished` when the body ends before the last boundary; the multipart reader would wait forever. */
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
    // Do not send the line break that was put before the first boundary.
    const start = Math.min(this.#borrowed, length)
    this.#borrowed -= start
    if (length > start) this.push(this.#held.subarray(start, length))
    this.#held = this.#held.subarray(length)
  }

  /** Passes on content up to and including the next boundary. Returns true if the boundary was found. */
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

  /** Waits for all headers of a part. Returns true when they are complete. */
  #headers(): boolean {
    if (this.#held.length >= 2 && this.#held.toString("latin1", 0, 2) === "--") {
      this.#place = "end"
      return false
    }
    const at = this.#held.indexOf(lineEnds)
    if (at < 0 && this.#held.length < maxHeaders) return false
    const end = at < 0 ? this.#held.length : at + lineEnds.length
    this.push(encodeHeaders(this.#held.subarray(0, end)))
    this.#held = this.#held.subarray(end)
    this.#place = "content"
    return true
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** File name as the sender wrote it. Senders use UTF-8, some Latin-1, and escape quotes in two ways. */
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
