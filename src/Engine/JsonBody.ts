/** JSON bodies of requests: no deeper than their readers can go, and empty where every field has a default. */
import * as Headers from "@effect/platform/Headers"
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpServerError from "@effect/platform/HttpServerError"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { isDeepJson } from "../Api/Depth.ts"
import { BadRequest } from "../Api/Errors.ts"
import { OptionalBody } from "../Api/Field.ts"
import { Api } from "../Api.ts"

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

/** Method and path of the endpoints whose body may be left out. */
const optional = new Set<string>()
HttpApi.reflect(Api, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint }) => {
    if (Context.get(endpoint.annotations, OptionalBody)) optional.add(`${endpoint.method} ${endpoint.path}`)
  }
})

/** No body by its headers: then a content-type says nothing either. */
const isEmpty = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0

/** The request as it is, but for a body of JSON that is too deep, an empty body where one may be left out, and for uploads. */
export const shallow = (request: HttpServerRequest.HttpServerRequest): HttpServerRequest.HttpServerRequest => {
  const mayBeEmpty = optional.has(`${request.method} ${request.url.replace(/\/?(?:\?.*)?$/, "")}`)
  if (mayBeEmpty && isEmpty(request)) {
    const headers = Headers.set(request.headers, "content-type", "application/json")
    return Object.create(request, { headers: { value: headers }, json: { value: Effect.succeed({}) } })
  }
  const tooDeep = () =>
    new HttpServerError.RequestError({ request, reason: "Decode", cause: new DeepJson({ limit: maxDepth }) })
  return Object.create(request, {
    json: {
      // Looked at before it is read: reading millions of levels would hold up everybody for seconds.
      get: () =>
        Effect.flatMap(
          Effect.filterOrFail(request.text, (text) => !isDeepJson(text, maxDepth), tooDeep),
          (text) => (mayBeEmpty && text.trim() === "" ? Effect.succeed({}) : request.json)
        )
    },
    multipart: { get: () => noUpload }
  })
}
