/** JSON bodies of requests: no deeper than their readers can go, and empty where every field has a default. */
import * as Headers from "@effect/platform/Headers"
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpServerError from "@effect/platform/HttpServerError"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { type Bounds, excessOf, excessText } from "../Api/Depth.ts"
import { BadRequest } from "../Api/Errors.ts"
import { OptionalBody } from "../Api/Field.ts"
import { Api } from "../Api.ts"

/** Arrays and objects in each other; requests have less than ten, JSON Schemas in them some dozens. */
export const maxDepth = 200

/** A body of 10 MB may have 300,000 short addresses; nobody needs as many objects. */
const bounds: Bounds = { levels: maxDepth, containers: 50_000, values: 500_000 }

/** The body is nested deeper, or has more parts, than anybody reads. */
export class ExcessiveJson extends Data.TaggedError("ExcessiveJson")<{
  readonly limit: number
  readonly of?: keyof Bounds | undefined
}> {
  override get message() {
    return `it ${excessText(this.of ?? "levels", this.limit)}`
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
  const bounded = (text: string) => {
    const of = excessOf(text, bounds)
    if (of === undefined) return Effect.succeed(text)
    const cause = new ExcessiveJson({ limit: bounds[of], of })
    return new HttpServerError.RequestError({ request, reason: "Decode", cause })
  }
  return Object.create(request, {
    json: {
      // Looked at before it is read: reading millions of levels or objects would hold up everybody for seconds.
      get: () =>
        Effect.flatMap(Effect.flatMap(request.text, bounded), (text) =>
          mayBeEmpty && text.trim() === "" ? Effect.succeed({}) : request.json
        )
    },
    multipart: { get: () => noUpload }
  })
}
