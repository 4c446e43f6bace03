/** HTTP calls to providers. The key is sent only to the provider and never appears in an error. */
import type { IncomingHttpHeaders } from "node:http"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { readText } from "../../Fetch/Body.ts"
import { containedConnector } from "../../Fetch/Containment.ts"
import { lazyAgent } from "../../Fetch/Dispatcher.ts"
import { codeOf } from "../../Fetch/FetchFailure.ts"
import { basicAuthorization } from "../../Fetch/Headers.ts"
import type { Call } from "../Provider.ts"

/** Reason why a provider returned no results. */
export class ProviderFailure extends Data.TaggedError("ProviderFailure")<{
  readonly provider: string
  readonly reason: string
  /** Seconds until the next call is allowed, if the provider says so. */
  readonly retryAfter?: number | undefined
}> {
  override get message() {
    return `${this.provider}: ${this.reason}`
  }
}

/** Maximum bytes of a response. */
const maxBytes = 8 * 1024 * 1024

/** Statuses for a used-up quota: 432 and 433 are Tavily's own; some providers send 400. */
const quotaStatuses = new Set([402, 429, 432, 433])

/** Messages about quota: Google sends 403 with them, Serper 400. */
const quotaMessage = /\b(?:credits?|quota\w*|dailyLimit\w*|rateLimit\w*|usageLimits|RESOURCE_EXHAUSTED)\b/i

/** Messages about an invalid key: Brave sends 422 with them, Google 400. */
const unknownKey =
  /\b(?:SUBSCRIPTION_TOKEN_INVALID|API_KEY_INVALID|keyInvalid|(?:invalid|valid) api[ _-]?key|api[ _-]?key (?:is )?(?:not valid|invalid))\b/i

const reasonOf = (status: number, body: string): string => {
  const isRefusal = status === 400 || status === 403 || status === 422
  if (status === 401 || (isRefusal && unknownKey.test(body))) return `it refused the key (${status})`
  if (quotaStatuses.has(status) || ((status === 400 || status === 403) && quotaMessage.test(body))) {
    return `its quota is used up (${status})`
  }
  if (status === 403)
    return "it refused the request (403): check the key, the quota and the settings of the provider (SearXNG must allow the format json)"
  if (status >= 300 && status < 400) return `it redirects (${status}), and the key is not sent to another address`
  return `it answered ${status}`
}

/** Seconds to wait: from `Retry-After`, or from Brave's headers, which list several rate limit windows. */
const waitOf = (headers: IncomingHttpHeaders): number | undefined => {
  const listed = (name: string) =>
    String(headers[name] ?? "")
      .split(",")
      .map((part) => (part.trim() === "" ? Number.NaN : Number(part)))
  const [remaining, resets] = [listed("x-ratelimit-remaining"), listed("x-ratelimit-reset")]
  const waits = resets.filter((wait, at) => remaining[at] === 0 && wait > 0)
  const [seconds = Number.NaN] = [...listed("retry-after"), Math.max(...waits)].filter(
    (wait) => Number.isFinite(wait) && wait > 0
  )
  return Number.isFinite(seconds) ? Math.min(seconds, 86_400) : undefined
}

/** URL of a call, below the base URL. User name and password in the base URL become a header. */
const addressOf = (base: string, { path, query = {} }: Call) => {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, "")}${path}`
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const authorization = basicAuthorization(url)
  return {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    headers: authorization === undefined ? {} : { authorization }
  }
}

/** Sends calls over connections that close with the scope. The caller sets the deadline. */
export const make = Effect.gen(function* () {
  const agent = yield* lazyAgent(() => ({
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: containedConnector({ timeout: 10_000 })
  }))
  return Effect.fnUntraced(function* (provider: string, base: string, call: Call) {
    const { headers, origin, path } = addressOf(base, call)
    const response = yield* Effect.tryPromise({
      try: (signal) =>
        agent().request({
          origin,
          path,
          method: call.body === undefined ? "GET" : "POST",
          headers: {
            accept: "application/json",
            ...(call.body === undefined ? {} : { "content-type": "application/json" }),
            ...headers,
            ...call.headers
          },
          ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
          signal
        }),
      catch: (cause) =>
        new ProviderFailure({ provider, reason: `it cannot be reached (${codeOf(cause) || "no reason given"})` })
    })
    const text = yield* readText(response.body, {
      maxBytes,
      broken: () => new ProviderFailure({ provider, reason: "the connection broke off" }),
      tooLong: () => new ProviderFailure({ provider, reason: `its answer is longer than ${maxBytes} bytes` })
    })
    if (response.statusCode !== 200) {
      return yield* new ProviderFailure({
        provider,
        reason: reasonOf(response.statusCode, text.slice(0, 2000)),
        retryAfter: waitOf(response.headers)
      })
    }
    return yield* Either.try({
      try: (): unknown => JSON.parse(text),
      catch: () => new ProviderFailure({ provider, reason: "its answer is not JSON" })
    })
  })
})
