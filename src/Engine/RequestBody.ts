/** JSON bodies of requests: no deeper than their readers can go, and empty where every field has a default. */
import * as Headers from "@effect/platform/Headers"
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpServerError from "@effect/platform/HttpServerError"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { mostUrls } from "../Api/BatchScrape.ts"
import { type Bounds, excessOf, excessText } from "../Api/Depth.ts"
import { BadRequest } from "../Api/Errors.ts"
import { OptionalBody } from "../Api/Field.ts"
import { Api } from "../Api.ts"

/** Arrays and objects in each other; requests have less than ten, JSON Schemas in them some dozens. */
export const maxDepth = 200

/**
 * Values of a body beside the strings in `urls` and the JSON Schemas. A schema that refuses a value takes up to a hundred microseconds for it,
 * and nothing else runs meanwhile.
 */
const maxOthers = 2_000
const maxParts = 10_000
const bounds: Bounds = { levels: maxDepth, containers: maxParts, keys: maxParts, values: mostUrls + maxParts }

/** The body is nested deeper, or has more parts, than anybody reads. */
export class ExcessiveJson extends Data.TaggedError("ExcessiveJson")<{
  readonly limit: number
  readonly of?: keyof Bounds | "others" | undefined
}> {
  override get message() {
    const { limit, of = "levels" } = this
    return of === "others" ? `it has more than ${limit} values beside urls and schemas` : `it ${excessText(of, limit)}`
  }
}

/** Fields with a JSON Schema in them: in each element of the first, and in the others themselves. Nothing looks into schemas. */
const formats = "formats"
const withSchema = new Set(["jsonOptions", "changeTrackingOptions"])

/** Whether a body has more values than any request needs. */
const isCrowded = (body: unknown): boolean => {
  if (!Predicate.isRecord(body)) return Array.isArray(body) && body.length > maxOthers
  const { urls, ...others } = body
  const isPlain = Array.isArray(urls) && urls.every((url) => typeof url === "string")
  let left = maxOthers
  const rest: Array<{ readonly value: unknown; readonly name: string; readonly list?: string }> = [
    { value: isPlain ? others : body, name: "" }
  ]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { list, name, value } = next
    if (typeof value !== "object" || value === null) continue
    const inner = Object.entries(value)
    left -= inner.length
    if (left < 0) return true
    const mayHaveSchema = list === formats || withSchema.has(name)
    for (const [key, one] of inner) {
      if (mayHaveSchema && key === "schema") continue
      rest.push(Array.isArray(value) ? { value: one, name: "", list: name } : { value: one, name: key })
    }
  }
  return false
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
  const refuse = (cause: ExcessiveJson) => new HttpServerError.RequestError({ request, reason: "Decode", cause })
  const bounded = (text: string) => {
    const of = excessOf(text, bounds)
    return of === undefined ? Effect.succeed(text) : refuse(new ExcessiveJson({ limit: bounds[of], of }))
  }
  const sparse = (body: unknown) =>
    isCrowded(body) ? refuse(new ExcessiveJson({ limit: maxOthers, of: "others" })) : Effect.succeed(body)
  return Object.create(request, {
    json: {
      // Looked at before it is read: reading millions of levels or objects would hold up everybody for seconds.
      get: () =>
        Effect.flatMap(Effect.flatMap(request.text, bounded), (text) =>
          mayBeEmpty && text.trim() === "" ? Effect.succeed({}) : Effect.flatMap(request.json, sparse)
        )
    },
    multipart: { get: () => noUpload }
  })
}
