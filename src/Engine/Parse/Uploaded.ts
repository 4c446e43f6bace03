/** Receives an upload: the file on disk, its name, and the options. */
import { pipeline } from "node:stream"
import { HttpApiDecodeError } from "@effect/platform/HttpApiError"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Multipart from "@effect/platform/Multipart"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as NodeMultipart from "@effect/platform-node/NodeMultipart"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { Upload, uploadLimits } from "../../Api/Parse.ts"
import { invalid } from "../Scrape/Refusals.ts"
import { boundaryOf, nameOf, PartNames } from "./PartNames.ts"

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
