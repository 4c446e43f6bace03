/** Maps the status, headers and body of an error response to a typed error. */

import type * as Headers from "@effect/platform/Headers"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import { retryAfterMillis } from "../Api/RetryAfter.ts"
import * as ClientErrors from "./ClientErrors.ts"
import { faultOf, targetError } from "./Target.ts"

/** Response of the service, with its call. */
export interface Answer {
  readonly method: string
  readonly url: string
  readonly status: number
  readonly headers: Headers.Headers
  readonly body: string
}

/** The first 200 characters of a body on one line, without tags and repeated white space. */
export const excerpt = (body: string): string => {
  const text = body
    .slice(0, 4096)
    .replace(/<(script|style)[^>]*>[\s\S]*?(<\/\1>|$)|<[^>]*(>|$)/gi, " ")
    .replace(/\s+/g, " ")
    .trim()
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}

const parse = (body: string): unknown => {
  if (!/^\s*\{/.test(body)) return undefined
  return Either.getOrUndefined(Either.try((): unknown => JSON.parse(body)))
}

const asText = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  if (Predicate.isReadonlyRecord(value)) return asText(value.message)
  return undefined
}

const asDetails = (details: unknown): ReadonlyArray<ClientErrors.Detail> => {
  if (details === undefined || details === null) return []
  const list = Array.isArray(details) ? details : [details]
  return list.map((detail: unknown) => {
    if (!Predicate.isReadonlyRecord(detail))
      return { path: "", message: typeof detail === "string" ? detail : JSON.stringify(detail) }
    const path = Array.isArray(detail.path) ? detail.path.join(".") : (asText(detail.path) ?? "")
    const code = asText(detail.code)
    return {
      path,
      message: asText(detail.message) ?? JSON.stringify(detail),
      ...(code === undefined ? {} : { code })
    }
  })
}

const units = { ms: 1, milli: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Parses texts like `please retry after 13s` or `try again in 2 minutes`. */
const waitInProse = (text: string): Duration.Duration | undefined => {
  const found = /(?:retry|try again|wait)[-:a-z ]*?(\d+(?:\.\d+)?)\s*(ms|milli|s|m|h)?/i.exec(text)
  if (found === null) return undefined
  const unit = (found[2]?.toLowerCase() ?? "s") as keyof typeof units
  return Duration.millis(Number(found[1]) * units[unit])
}

/** Wait requested by the service: from the `Retry-After` header (seconds or a date), or else from the message. */
export const retryAfter = (headers: Headers.Headers, text: string, now: number): Duration.Duration | undefined => {
  const millis = retryAfterMillis(headers["retry-after"], now)
  return millis === undefined ? waitInProse(text) : Duration.millis(millis)
}

/** Statuses of a proxy that cannot reach the service. 520 and above are Cloudflare's. */
const gateways: ReadonlySet<number> = new Set([502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 530])

const jobPath = /\/v\d+\/(crawl|batch\/scrape)\/[^/?]+/
const oversize =
  /entity too large|payload too large|too large|(exceed|larger than|over)\w*\b.*\b(\d+\s*mb|limit|maximum|size)/i
/** Names of options whose values can also be too large: a message that contains one is about the option, not the file. */
const option = /\b(timeout|waitFor|maxAge|maxPages|prompt)\b/i
/** Message of error pages for a body that is too large; such pages may have any status. */
const entityTooLarge = /(entity|payload) too large/i
const unsupported =
  /unsupported.*(file|type|extension|format)|(file|type|extension|format).*(not supported|unsupported)/i

/** Id of the request in the log of the service. */
export const requestOf = (headers: Headers.Headers): { readonly requestId?: string } => {
  const id = headers["x-request-id"]
  return id !== undefined && /^[\w.:-]{1,64}$/.test(id) ? { requestId: id } : {}
}

/** Converts a non-2xx response into an error. `now` is in epoch milliseconds, for a date in `Retry-After`. */
export const toError = (answer: Answer, now: number): ClientErrors.ClientError => {
  const { method, url, status } = answer
  const json = parse(answer.body)
  const wire = Predicate.isReadonlyRecord(json) ? json : {}
  const said = asText(wire.error) ?? asText(wire.message) ?? excerpt(answer.body)
  const code = asText(wire.code)
  const call = { method, url, said, ...(code === undefined ? {} : { code }), ...requestOf(answer.headers) }
  const parsing = /\/parse(\?|$)/.test(url)
  const fault = faultOf(code, said)
  if (fault !== undefined) return targetError(fault, call)
  switch (status) {
    case 400:
      if (code === "UNSUPPORTED_FILE_TYPE" || (parsing && unsupported.test(said) && code === undefined)) {
        return new ClientErrors.UnsupportedFile(call)
      }
      if (
        /TOO_LARGE/.test(code ?? "") ||
        entityTooLarge.test(said) ||
        (parsing && code === undefined && oversize.test(said) && !option.test(said))
      ) {
        return new ClientErrors.TooLarge(call)
      }
      return new ClientErrors.InvalidRequest({ ...call, details: asDetails(wire.details) })
    case 401:
      return new ClientErrors.Unauthorized(call)
    case 402:
      return new ClientErrors.PaymentRequired(call)
    case 403:
      return new ClientErrors.Forbidden(call)
    case 404:
      if (json === undefined && answer.body.trim() !== "") break
      if (/expired/i.test(said)) return new ClientErrors.JobExpired(call)
      return jobPath.test(url) || /job/i.test(said)
        ? new ClientErrors.JobNotFound(call)
        : new ClientErrors.NotFound(call)
    case 408:
      return new ClientErrors.Timeout(call)
    case 409:
      return new ClientErrors.Conflict(call)
    case 410:
      return new ClientErrors.Gone(call)
    case 413:
      return new ClientErrors.TooLarge(call)
    case 415:
      return new ClientErrors.UnsupportedFile(call)
    case 422:
      return new ClientErrors.Unprocessable(call)
    case 429:
      return new ClientErrors.RateLimited({ ...call, retryAfter: retryAfter(answer.headers, said, now) })
    case 501:
      return new ClientErrors.NotImplemented(call)
    case 507:
      return new ClientErrors.InsufficientStorage(call)
  }
  if (status === 500 && entityTooLarge.test(said)) return new ClientErrors.TooLarge(call)
  if (status >= 500) {
    const gateway = json === undefined && gateways.has(status)
    return new ClientErrors.ServiceError({ ...call, status, gateway, retryAfter: retryAfter(answer.headers, "", now) })
  }
  return new ClientErrors.UnexpectedResponse({
    method,
    url,
    status,
    excerpt: excerpt(answer.body),
    ...requestOf(answer.headers)
  })
}

/** Fields of a response that only reports a failure. */
const failureFields: ReadonlySet<string> = new Set([
  "success",
  "error",
  "message",
  "code",
  "details",
  "id",
  "requestId",
  "warning"
])

/**
 * Error for a 2xx response whose body only says that the call failed. The response for a failed job is different: it has a status, and
 * often data.
 */
export const refusal = (call: ClientErrors.Call, json: unknown): ClientErrors.ClientError | undefined => {
  if (!Predicate.isReadonlyRecord(json) || json.success !== false) return undefined
  if (!Object.entries(json).every(([key, value]) => failureFields.has(key) || value === null)) return undefined
  const said = asText(json.error) ?? asText(json.message)
  if (said === undefined) return undefined
  const code = asText(json.code)
  const failed = { ...call, said, ...(code === undefined ? {} : { code }) }
  if (/rate limit|too many requests/i.test(said))
    return new ClientErrors.RateLimited({ ...failed, retryAfter: waitInProse(said) })
  const fault = faultOf(code, said)
  if (fault !== undefined) return targetError(fault, failed)
  return /TIMEOUT/.test(code ?? "") || /timed out/i.test(said)
    ? new ClientErrors.Timeout(failed)
    : new ClientErrors.Refused(failed)
}
