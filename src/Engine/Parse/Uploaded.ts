/** Receives an upload: the file on disk, its name, and the options (spec 4.2). */

import { pipeline } from "node:stream"
import { HttpApiDecodeError } from "@effect/platform/HttpApiError"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Multipart from "@effect/platform/Multipart"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as NodeMultipart from "@effect/platform-node/NodeMultipart"
import * as Effect from "effect/Effect"
import { Upload, uploadLimits } from "../../Api/Parse.ts"
import { boundaryOf, nameOf, PartNames } from "./PartNames.ts"

const decode = Multipart.schemaPersisted(Upload)

/** The parts of a request; the file goes when the scope closes. */
const partsOf = (request: HttpServerRequest.HttpServerRequest) => {
  const source = NodeHttpServerRequest.toIncomingMessage(request)
  const boundary = boundaryOf(request.headers["content-type"] ?? "")
  if (boundary === undefined) {
    return Effect.fail(new Multipart.MultipartError({ reason: "Parse", cause: "The content type names no boundary" }))
  }
  const names = new PartNames(boundary)
  // A sender who leaves ends the request, and with it all that waits for more.
  const parts = pipeline(source, names, () => undefined)
  // Both must agree on where a part begins.
  return NodeMultipart.persisted(parts, { "content-type": `multipart/form-data; boundary="${boundary}"` })
}

/** As the contract's own reader would: a body that is no upload is a defect, which the engine answers with 400 or 413. */
export const receive = Effect.fn("Parse.receive")(function* (request: HttpServerRequest.HttpServerRequest) {
  const parts = yield* Effect.orDie(
    Multipart.withLimits(
      Effect.suspend(() => partsOf(request)),
      uploadLimits
    )
  )
  const { file, options } = yield* Effect.catchTag(decode(parts), "ParseError", HttpApiDecodeError.refailParseError)
  return { path: file.path, name: nameOf(file.name), options }
})
