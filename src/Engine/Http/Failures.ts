/** Error responses: one body format, the right status, and no internal details. */
import { HttpApiDecodeError } from "@effect/platform/HttpApiError"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Multipart from "@effect/platform/Multipart"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Errors from "../../Api/Errors.ts"
import { beginOf, maxIssues, maxQuoted } from "../../Api/Issues.ts"
import { codeOf, innermost } from "../../Database/DriverErrors.ts"
import { ExcessiveJson, TooLongBody } from "./RequestBody.ts"
import * as Requests from "./Requests.ts"

const classes = [
  Errors.BadRequest,
  Errors.Unauthorized,
  Errors.PaymentRequired,
  Errors.Forbidden,
  Errors.NotFound,
  Errors.MethodNotAllowed,
  Errors.TimedOut,
  Errors.Conflict,
  Errors.Gone,
  Errors.TooLarge,
  Errors.UnsupportedType,
  Errors.Unprocessable,
  Errors.RateLimited,
  Errors.Internal,
  Errors.NotImplemented,
  Errors.InsufficientStorage,
  Errors.Unavailable
] as const

type Issue = HttpApiDecodeError["issues"][number]
type Failure = InstanceType<(typeof classes)[number]>

const statusOf = (error: unknown): number | undefined => classes.find((kind) => error instanceof kind)?.status

const isFailure = (error: unknown): error is Failure => statusOf(error) !== undefined

const codes: Readonly<Record<string, string>> = {
  Missing: "required",
  Unexpected: "unrecognized_key",
  Type: "invalid_type",
  Refinement: "invalid_value"
}

/** Names of types in messages, by the beginning of their names in the schema. */
const kinds: ReadonlyArray<readonly [name: RegExp, kind: string]> = [
  [/^(?:ReadonlyArray<|readonly \[)/, "an array"],
  [/^PersistedFile$/, "a file"],
  [/^(?:\{|[A-Z]\w*(?:Options(?:V1)?|Profile|Request(?:V1)?)$)/, "an object"],
  [/^(?:string|number|boolean)$/, "a"]
]

/** Describes the expected type in words: names of schemas and their filters say nothing to a caller. */
const typeText = (type: string): string => {
  const kind = kinds.find(([name]) => name.test(type))?.[1]
  if (kind === "a") return `a ${type}`
  if (kind !== undefined) return kind
  return /[<>{}]|readonly |^\w+\(|^[A-Z]\w*$/.test(type) ? "another value" : type
}

/** Shortens the message: with words instead of the text of a schema, and without the end of a long value. */
const shortened = (message: string): string => {
  // The value may contain the same words, so the type ends at the first of them, and a type has none in it.
  const text = message.replace(/^Expected (.*?), actual /s, (_, type: string) => `Expected ${typeText(type)}, actual `)
  return text.length > maxQuoted ? `${beginOf(text, maxQuoted)}…` : text
}

const pathText = (path: ReadonlyArray<PropertyKey>): string => path.map(String).join(".")

/** True if `one` describes the same fault as `other` more exactly. */
const explains = (one: Issue, other: Issue): boolean =>
  one !== other &&
  !one.message.startsWith("Expected undefined") &&
  other.path.every((part, at) => part === one.path[at])

interface Detail {
  readonly path: ReadonlyArray<string | number>
  readonly message: string
  readonly code: string
}

const literal = /^Expected (".*"), actual (.*)$/s

/** Merges the members of a union of literals into one detail that lists all of them. */
const mergeLiterals = (details: ReadonlyArray<Detail>): ReadonlyArray<Detail> => {
  const faults = new Map<string, Detail>()
  for (const detail of details) {
    const [, word, actual] = literal.exec(detail.message) ?? []
    const at = word === undefined ? `${faults.size}` : JSON.stringify([detail.path, actual])
    const known = faults.get(at)
    const words = known === undefined ? word : `${literal.exec(known.message)?.[1]} or ${word}`
    faults.set(at, word === undefined ? detail : { ...detail, message: `Expected ${words}, actual ${actual}` })
  }
  return [...faults.values()]
}

/** True when our own response breaks the contract. Only responses are encoded through a declaration. */
const isResponseFault = ({ message }: HttpApiDecodeError): boolean => message.startsWith("(<declaration schema> <-> ")

/** Lists all faults in `details`; the message is the first. */
const invalidRequest = (error: HttpApiDecodeError): Failure => {
  const told = error.issues.slice(0, maxIssues)
  // "Expected undefined" (leave the field out) does not help a caller who has sent the field.
  const issues = told.filter(
    (issue) => !issue.message.startsWith("Expected undefined") || !told.some((other) => explains(other, issue))
  )
  const details = mergeLiterals(
    issues.map(({ _tag, message, path }) => ({
      path: path.map((part) => (typeof part === "symbol" ? String(part) : part)),
      message: _tag === "Unexpected" ? `Unrecognized key "${pathText(path)}"` : shortened(message),
      code: codes[_tag] ?? "invalid"
    }))
  )
  const first = details[0]
  const isWhole =
    first === undefined || first.path.length === 0 || /^(Invalid job ID|Unrecognized key)/.test(first.message)
  const text = first === undefined ? "The request is not valid" : first.message
  return new Errors.BadRequest({
    error: isWhole ? text : `${pathText(first.path)}: ${text}`,
    code: "BAD_REQUEST",
    details
  })
}

const tooLarge = (limit: string): Failure =>
  new Errors.TooLarge({ error: `The body is larger than the limit of ${limit}.`, code: "REQUEST_TOO_LARGE" })

const unreadable = (error: HttpServerError.RequestError): Failure => {
  const { cause } = error
  if (cause instanceof SyntaxError || cause instanceof ExcessiveJson) {
    return new Errors.BadRequest({
      error: `The body is not valid JSON: ${cause.message}`,
      code: "BAD_REQUEST_INVALID_JSON"
    })
  }
  if (cause instanceof TooLongBody) return tooLarge("10 MB for JSON")
  return new Errors.BadRequest({ error: "The body could not be read to its end.", code: "BAD_REQUEST" })
}

/** True when the upload was cut at the size limit while it was written to disk. */
const isCut = ({ cause, reason }: Multipart.MultipartError): boolean =>
  reason === "InternalError" && Predicate.isTagged(cause, "ReachedLimit")

/** Returns undefined when the failure is not the upload's fault, such as a full disk. */
const badUpload = (error: Multipart.MultipartError): Failure | undefined => {
  if (isCut(error)) return tooLarge("50 MB for a file")
  switch (error.reason) {
    case "FileTooLarge":
    case "BodyTooLarge":
    case "FieldTooLarge":
      return tooLarge("50 MB for a file")
    case "TooManyParts":
      return new Errors.BadRequest({
        error: "The upload has too many parts: send one file and one options part.",
        code: "BAD_REQUEST"
      })
    case "Parse":
      return new Errors.BadRequest({
        error: "The body is not a valid multipart/form-data upload.",
        code: "BAD_REQUEST"
      })
    case "InternalError":
      return undefined
  }
}

/** The disk of the store or of the upload folder is full. */
const isFull = (error: unknown): boolean => {
  const code = codeOf(innermost(error)) ?? ""
  return code.startsWith("SQLITE_FULL") || code === "ENOSPC" || code === "EDQUOT"
}

/** Maps an error to its response; undefined for unexpected errors. */
const responseFor = (error: unknown): Failure | undefined => {
  if (isFailure(error)) return error
  if (error instanceof HttpApiDecodeError) return isResponseFault(error) ? undefined : invalidRequest(error)
  if (error instanceof HttpServerError.RouteNotFound) {
    const { method, url } = error.request
    const path = url.split("?", 1)[0] ?? ""
    const allow = Requests.methodsOf(path)
    return allow.length === 0 || allow.includes(method)
      ? new Errors.NotFound({ error: `No route for ${method} ${path}. The routes are listed at /docs.` })
      : new Errors.MethodNotAllowed({ error: `${path} takes ${allow.join(" and ")}, not ${method}.`, allow })
  }
  if (error instanceof HttpServerError.RequestError) return unreadable(error)
  if (error instanceof Multipart.MultipartError && !isFull(error)) return badUpload(error)
  if (isFull(error)) {
    return new Errors.InsufficientStorage({
      error: "The disk of the engine is full: nothing was kept of this request. Free some space there, then try again.",
      code: "INSUFFICIENT_STORAGE"
    })
  }
  return undefined
}

export const response = (failure: Failure): HttpServerResponse.HttpServerResponse => {
  const { allow, error, details, retryAfter } = failure
  const status = statusOf(failure) ?? 500
  return HttpServerResponse.unsafeJson(
    {
      success: false,
      error,
      code: Errors.codeOf(failure),
      ...(details === undefined ? {} : { details })
    },
    {
      status,
      headers: {
        ...(retryAfter === undefined ? {} : { "retry-after": String(Math.max(1, Math.ceil(retryAfter))) }),
        ...(allow === undefined ? {} : { allow: allow.join(", ") }),
        // The rest of a refused body is not worth reading.
        ...(status === 413 ? { connection: "close" } : {})
      }
    }
  )
}

const unexpected = (cause: Cause.Cause<unknown>) =>
  Effect.flatMap(Requests.id, (id) =>
    Effect.as(
      Effect.logError(`A request failed with an unexpected error (${id})`, cause),
      response(
        new Errors.Internal({
          error: `An unexpected error occurred. The log has the reason under the id ${id}.`,
          code: "UNKNOWN_ERROR"
        })
      )
    )
  )

/**
 * With zero data retention, removes the cause of an unexpected failure before it is logged: the cause may contain parts of the page.
 */
export const withoutCause = <A, E, R>(
  zeroRetention: boolean,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  zeroRetention
    ? Effect.catchAllDefect(effect, (defect) =>
        responseFor(defect) === undefined
          ? Effect.dieMessage("The cause is not logged because the request asked for zero data retention")
          : Effect.die(defect)
      )
    : effect

/** Turns every failure of `app` into a response. An interruption, which means that the caller has left, stays one. */
export const handled = <R>(app: HttpApp.Default<unknown, R>): HttpApp.Default<never, R> =>
  Effect.catchAllCause(app, (cause) => {
    if (Cause.isInterruptedOnly(cause)) return Effect.interrupt
    const failure = responseFor(Cause.squash(cause))
    return failure === undefined ? unexpected(cause) : Effect.succeed(response(failure))
  })
