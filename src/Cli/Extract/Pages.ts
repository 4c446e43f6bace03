/** Pages that `sluice extract` reads: files, standard input, and URLs, which the service fetches. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Scrape } from "../../Client/Scrape.ts"
import { fileErrorReason } from "../../Files/FileErrors.ts"
import { decodeText } from "../../Html/Charset.ts"
import { nearFiles } from "../../Row/NearFiles.ts"
import { FileUnusable, unusable } from "../CommandErrors.ts"

export interface Page {
  /** Name as given on the command line. */
  readonly name: string
  readonly html: string
  /** URL of the page, which makes its links absolute. */
  readonly url: string | undefined
  /** HTTP status of the page, if known. */
  readonly status?: number | undefined
}

const maxBytes = 50_000_000

export const isAddress = (name: string): boolean => /^https?:\/\//i.test(name)

/** True for a name that begins with a host, like `example.org/kettle` or `127.0.0.1:8080`. */
const beginsWithHost = (name: string): boolean => /^(www\.|(localhost|[\w-]+(\.[\w-]+)+)(:\d+|\/))/i.test(name)

const addressHint = "; an address begins with http:// or https://"

const bytesOf = (file: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    if (file === "-") {
      return NodeStream.fromReadable<FileUnusable>(
        () => process.stdin,
        (cause) => new FileUnusable({ path: "standard input", reason: String(cause), cause })
      )
    }
    const info = yield* Effect.catchAll(files.stat(file), (cause) =>
      Effect.flatMap(beginsWithHost(file) ? Effect.succeed(addressHint) : nearFiles(file), (near) => {
        const isGone = cause._tag === "SystemError" && cause.reason === "NotFound"
        const reason = isGone ? `there is no such file${near}` : fileErrorReason(cause)
        return new FileUnusable({ path: file, reason, cause })
      })
    )
    if (info.type === "Directory") {
      return yield* new FileUnusable({ path: file, reason: "it is a folder: name the files in it" })
    }
    return Stream.mapError(files.stream(file), unusable(file))
  })

/** Reads a local page; `base` is its URL. */
export const readFile = (name: string, base: string | undefined) =>
  Effect.gen(function* () {
    let size = 0
    const chunks = yield* Stream.unwrap(bytesOf(name)).pipe(
      Stream.tap((chunk) => {
        size += chunk.byteLength
        return size > maxBytes
          ? new FileUnusable({ path: name, reason: "it is larger than 50 MB: split it into smaller files" })
          : Effect.void
      }),
      Stream.runCollect
    )
    const bytes = Buffer.concat(Chunk.toReadonlyArray(chunks))
    const page: Page = { name, html: decodeText(bytes, undefined).text, url: base }
    return page
  })

/** Fetches a page through the service, as a pipeline would. `maxAge`: maximum age of a cached copy to use, in milliseconds. */
export const fetchPage = (address: string, maxAge = 0) =>
  Effect.gen(function* () {
    const client = yield* Scrape
    const { data } = yield* Effect.mapError(
      client.run({ url: address, formats: ["rawHtml"], maxAge }),
      ({ message }) => new FileUnusable({ path: address, reason: message })
    )
    const { metadata, rawHtml } = data
    if (typeof rawHtml !== "string") {
      return yield* new FileUnusable({
        path: address,
        reason: `it has no HTML${metadata?.error == null ? "" : `: ${metadata.error}`}`
      })
    }
    const page: Page = {
      name: address,
      html: rawHtml,
      url: metadata?.url ?? address,
      status: metadata?.statusCode ?? undefined
    }
    return page
  })
