/** A step's own `retry`, in place of the client's standard policy (pipelines 11). */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ClientError } from "../Client/Errors.ts"
import { backoff, isOut, isSafe, outage, type Policy, RetryPolicy } from "../Client/Retry.ts"
import { isPassing } from "../Client/Target.ts"
import type { Common } from "../Pipeline/Definition.ts"

type Retry = NonNullable<Common["retry"]>
type Cause = NonNullable<Retry["on"]>[number]

const statuses: Readonly<Record<string, number>> = {
  InvalidRequest: 400,
  Unauthorized: 401,
  PaymentRequired: 402,
  Forbidden: 403,
  NotFound: 404,
  JobNotFound: 404,
  JobExpired: 404,
  Timeout: 408,
  Conflict: 409,
  Gone: 410,
  TooLarge: 413,
  UnsupportedFile: 415,
  Unprocessable: 422,
  RateLimited: 429,
  NotImplemented: 501
}

const statusOf = (error: ClientError): number | undefined => ("status" in error ? error.status : statuses[error._tag])

const matches = (error: ClientError, cause: Cause): boolean => {
  const status = statusOf(error)
  switch (cause) {
    case "timeout":
      return error._tag === "Timeout"
    case "network":
      return error._tag === "NetworkError" ? error.retryable : isPassing(error)
    case "4xx":
      return status !== undefined && status >= 400 && status < 500
    case "5xx":
      return status !== undefined && status >= 500
    default:
      return status === Number(cause)
  }
}

/**
 * As often as said. Whoever names a cause accepts that what reads is paid for twice; what starts something is not
 * repeated unless that is safe, whatever is said.
 */
const policyOf = ({ times, on }: Retry): Policy => ({
  schedule: backoff({ retries: times }),
  when: (error, call) =>
    on === undefined
      ? isSafe(error, call)
      : on.some((cause) => matches(error, cause)) && (call.repeatable !== "unsent" || isSafe(error, call)),
  // To read on in a job costs nothing, and to stop doing so loses what is paid for.
  outage: { ...outage, when: (error, call) => call.method === "GET" && isOut(error) }
})

export const withRetry = <A, E, R>(effect: Effect.Effect<A, E, R>, retry: Retry | undefined): Effect.Effect<A, E, R> =>
  retry === undefined ? effect : (Effect.provideService(effect, RetryPolicy, policyOf(retry)) as Effect.Effect<A, E, R>)

export const withRetryStream = <A, E, R>(
  stream: Stream.Stream<A, E, R>,
  retry: Retry | undefined
): Stream.Stream<A, E, R> =>
  retry === undefined ? stream : (Stream.provideService(stream, RetryPolicy, policyOf(retry)) as Stream.Stream<A, E, R>)
