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
import { faultsOf, faultText } from "../../Api/Issues.ts"
import { codeOf, innermost } from "../../Database/DriverErrors.ts"
import { StoreError } from "../Store/Sql.ts"
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

type Failure = InstanceType<(typeof classes)[number]>

const statusOf = (error: unknown): number | undefined => classes.find((kind) => error instanceof kind)?.status

const isFailure = (error: unknown): error is Failure => statusOf(error) !== undefined

/**
 * True if the engine's own response does not match its schema. The message of @effect/platform is the only sign of it: it encodes only
 * responses through a declaration.
 */
const isResponseFault = ({ message }: HttpApiDecodeError): boolean => message.startsWith("(<declaration schema> <-> ")

/** Reports all faults in `details`, and the first one as the message. */
const invalidRequest = (error: HttpApiDecodeError): Failure => {
  const details = faultsOf(error.issues)
  const [first] = details
  const isWhole = first === undefined || first.path.length === 0 || first.code === "unrecognized_key"
  const text = first === undefined ? "The request is not valid" : first.message
  return new Errors.BadRequest({
    error: isWhole ? text : faultText(first),
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
      error: `The body is ${cause instanceof SyntaxError ? "not valid JSON" : "too complex"}: ${cause.message}`,
      code: "BAD_REQUEST_INVALID_JSON"
    })
  }
  if (cause instanceof TooLongBody) return tooLarge("10 MB for JSON")
  return new Errors.BadRequest({ error: "The body could not be read to the end.", code: "BAD_REQUEST" })
}

/** True when the upload was cut at the size limit while it was written to disk. */
const isCut = ({ cause, reason }: Multipart.MultipartError): boolean =>
  reason === "InternalError" && Predicate.isTagged(cause, "ReachedLimit")

/** Error for a failed upload. Undefined if the upload is not at fault, for example when the disk is full. */
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

/** True if the disk of the store or of the upload folder is full. */
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
      : new Errors.MethodNotAllowed({ error: `${path} accepts ${allow.join(" and ")}, not ${method}.`, allow })
  }
  if (error instanceof HttpServerError.RequestError) return unreadable(error)
  if (error instanceof Multipart.MultipartError && !isFull(error)) return badUpload(error)
  if (isFull(error)) {
    return new Errors.InsufficientStorage({
      error:
        "The disk of the engine is full, so nothing of this request was stored. Free some space on this disk, then try again.",
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
        // The rest of a refused body is not read, so the connection cannot be used again.
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
        responseFor(defect) === undefined && !(defect instanceof StoreError)
          ? Effect.dieMessage("The cause is not logged because the request asked for zero data retention")
          : Effect.die(defect)
      )
    : effect

/** Turns every failure of `app` into a response. An interruption stays one, because it means that the client has disconnected. */
export const handled = <R>(app: HttpApp.Default<unknown, R>): HttpApp.Default<never, R> =>
  Effect.catchAllCause(app, (cause) => {
    if (Cause.isInterruptedOnly(cause)) return Effect.interrupt
    const failure = responseFor(Cause.squash(cause))
    return failure === undefined ? unexpected(cause) : Effect.succeed(response(failure))
  })
