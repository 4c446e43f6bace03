/** JSON that was sent, no deeper than what reads it can go (spec 7). */
import * as HttpServerError from "@effect/platform/HttpServerError"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { isDeepJson } from "../Api/Depth.ts"
import { BadRequest } from "../Api/Errors.ts"

/** Arrays and objects in each other; requests have less than ten, JSON Schemas in them some dozens. */
export const maxDepth = 200

/** The body is nested deeper than anybody reads it. */
export class DeepJson extends Data.TaggedError("DeepJson")<{ readonly limit: number }> {
  override get message() {
    return `it is nested more than ${this.limit} levels deep`
  }
}

/** Whoever takes uploads reads them by itself; nobody else is to have a stranger's files written to disk. */
const noUpload = new BadRequest({
  error: "This takes JSON, and no upload: send it with the header Content-Type: application/json.",
  code: "BAD_REQUEST"
})

/** The request as it is, but for a body of JSON that is too deep, and for uploads. */
export const shallow = (request: HttpServerRequest.HttpServerRequest): HttpServerRequest.HttpServerRequest => {
  const tooDeep = () =>
    new HttpServerError.RequestError({ request, reason: "Decode", cause: new DeepJson({ limit: maxDepth }) })
  return Object.create(request, {
    json: {
      // Looked at before it is read: reading millions of levels would hold up everybody for seconds.
      get: () =>
        Effect.zipRight(
          Effect.filterOrFail(request.text, (text) => !isDeepJson(text, maxDepth), tooDeep),
          Effect.suspend(() => request.json)
        )
    },
    multipart: { get: () => noUpload }
  })
}
