/** Reads JSON request bodies: limits their depth and size, accepts an empty body if all fields are optional, and refuses uploads. */
import * as Headers from "@effect/platform/Headers"
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpServerError from "@effect/platform/HttpServerError"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as UrlParams from "@effect/platform/UrlParams"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { mostUrls } from "../../Api/BatchScrape.ts"
import { type Bounds, excessOf, excessText } from "../../Api/Depth.ts"
import { BadRequest } from "../../Api/Errors.ts"
import { OptionalBody } from "../../Api/Field.ts"
import { Api } from "../../Api.ts"
import { cached } from "../../Callback/Lean.ts"
import { listen } from "../../Callback.ts"

/** Maximum nesting. Requests have fewer than ten levels, JSON Schemas in them several dozen. */
export const maxDepth = 200

/**
 * Maximum number of values, not counting the strings in `urls` and JSON Schemas. Validation blocks the event loop, and takes up to 100
 * microseconds per invalid value.
 */
const maxValues = 2_000
/** Maximum number of fields in a body. Validation takes up to 0.25 milliseconds per unknown field. */
const maxFields = 100
const maxParts = 10_000
const bounds: Bounds = { levels: maxDepth, containers: maxParts, keys: maxParts, values: mostUrls + maxParts }

/** The body exceeds the limits of depth or size. */
export class ExcessiveJson extends Data.TaggedError("ExcessiveJson")<{
  readonly limit: number
  readonly of?: keyof Bounds | "others" | "fields" | undefined
}> {
  override get message() {
    const { limit, of = "levels" } = this
    if (of === "fields") return `it has more than ${limit} fields`
    return of === "others"
      ? `it has more than ${limit} values, not counting urls and schemas`
      : `it ${excessText(of, limit)}`
  }
}

/** The body is longer than allowed. */
export class TooLongBody extends Data.TaggedError("TooLongBody")<{ readonly max: number }> {}

/**
 * Places of a body that may contain a JSON Schema, as `schema`: in each element of `formats`, and in the fields named in `withSchema`. Values within a
 * schema do not count towards `maxValues`.
 */
const formats = "formats"
const withSchema = new Set(["jsonOptions", "changeTrackingOptions"])

/** True if a body has more than `maxValues` values. */
const isCrowded = (body: unknown): boolean => {
  if (!Predicate.isRecord(body)) return Array.isArray(body) && body.length > maxValues
  const { urls, ...others } = body
  const isPlain = Array.isArray(urls) && urls.every((url) => typeof url === "string")
  let left = maxValues
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

/** Returns the limit that a JSON text exceeds, if any. Checked first, because parsing and decoding the text would block the event loop. */
const excessiveText = (text: string): ExcessiveJson | undefined => {
  const of = excessOf(text, bounds)
  return of && new ExcessiveJson({ limit: bounds[of], of })
}

/** Returns the limit that a parsed body exceeds, if any. Checked first, because decoding the body would block the event loop. */
const excessiveBody = (body: unknown): ExcessiveJson | undefined => {
  if (isCrowded(body)) return new ExcessiveJson({ limit: maxValues, of: "others" })
  return Predicate.isRecord(body) && Object.keys(body).length > maxFields
    ? new ExcessiveJson({ limit: maxFields, of: "fields" })
    : undefined
}

/** Parses and checks JSON. Throws `ExcessiveJson`, and the errors of `JSON.parse`. */
export const parseBody = (text: string): unknown => {
  const excessive = excessiveText(text)
  if (excessive !== undefined) throw excessive
  const body: unknown = JSON.parse(text)
  const crowded = excessiveBody(body)
  if (crowded !== undefined) throw crowded
  return body
}

/** True if a form body has more than `maxFields` parameters. */
const hasManyParameters = (text: string): boolean => {
  let count = 1
  for (let at = text.indexOf("&"); at !== -1; at = text.indexOf("&", at + 1)) if (++count > maxFields) return true
  return false
}

/**
 * Refuses uploads: only the parse endpoint reads them, with its own reader. The platform's reader would write the files to disk first, and
 * would validate a body of an unknown type byte by byte.
 */
const noUpload = new BadRequest({
  error: "This endpoint accepts JSON, not an upload: send JSON with the header Content-Type: application/json.",
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

/** True if the headers announce no body; the content type is irrelevant then. */
const isEmpty = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0

/**
 * Reads a body of at most `max` bytes as text. Beyond that it stops reading, and leaves the connection open for the response; the
 * platform's reader would destroy the connection.
 */
const textOf = (request: HttpServerRequest.HttpServerRequest, max: number) => {
  const refused = (cause: unknown) =>
    Effect.fail(new HttpServerError.RequestError({ request, reason: "Decode", cause }))
  return Effect.async<string, HttpServerError.RequestError>((resume) => {
    const source = NodeHttpServerRequest.toIncomingMessage(request)
    if (source.readableDidRead)
      return resume(refused(new Error("the request body was already read and cannot be read again")))
    const chunks: Array<Buffer> = []
    let bytes = 0
    const done = (result: Effect.Effect<string, HttpServerError.RequestError>) => {
      forget()
      resume(result)
    }
    const fail = (cause: unknown) => done(refused(cause))
    const onData = (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.byteLength
      if (bytes <= max) return
      source.pause()
      fail(new TooLongBody({ max }))
    }
    const forget = listen(
      source,
      { data: onData, end: () => done(Effect.succeed(Buffer.concat(chunks).toString())), error: fail },
      fail
    )
    return Effect.sync(forget)
  })
}

/** Wraps a request: limits its body, accepts an empty one where the endpoint allows it, and refuses uploads. */
export const limitedBody = (
  request: HttpServerRequest.HttpServerRequest,
  max: number
): HttpServerRequest.HttpServerRequest => {
  const mayBeEmpty = optional.has(`${request.method} ${request.url.replace(/\/?(?:\?.*)?$/, "")}`)
  if (mayBeEmpty && isEmpty(request)) {
    const headers = Headers.set(request.headers, "content-type", "application/json")
    return Object.create(request, { headers: { value: headers }, json: { value: Effect.succeed({}) } })
  }
  const parse = (text: string): unknown => {
    if (mayBeEmpty && text.trim() === "") return {}
    return text === "" ? null : parseBody(text)
  }
  const refuse = (cause: unknown) => new HttpServerError.RequestError({ request, reason: "Decode", cause })
  const text = cached(textOf(request, max))
  return Object.create(request, {
    text: { value: text },
    json: { value: Effect.flatMap(text, (text) => Effect.try({ try: () => parse(text), catch: refuse })) },
    urlParamsBody: {
      value: Effect.flatMap(text, (text) =>
        hasManyParameters(text)
          ? refuse(new ExcessiveJson({ limit: maxFields, of: "fields" }))
          : Effect.succeed(UrlParams.fromInput(new URLSearchParams(text)))
      )
    },
    arrayBuffer: { get: () => noUpload },
    multipart: { get: () => noUpload }
  })
}
