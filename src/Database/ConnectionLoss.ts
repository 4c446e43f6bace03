/** Retries after temporary failures of Postgres: lost connections, and transactions that collided. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { codeOf, innermost } from "./DriverErrors.ts"
import { isOfStatement } from "./StatementError.ts"

/** Milliseconds of retries, longer than a restart of the server takes. */
export const retryTimeout = 20_000

const temporaryCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "EAI_AGAIN",
  // The socket does not exist while the server restarts.
  "ENOENT",
  // Shut down, crashed, starting, out of connections; or the session was idle for too long in a transaction.
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "25P03"
])

/** Messages of errors by pg and pg-pool themselves, which have no codes, unlike errors of the server or the socket. */
const messages = /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect/

/** True when the connection was lost. The last statement may or may not have run. */
export const isLost = (error: unknown): boolean => {
  const cause = innermost(error)
  const code = codeOf(cause) ?? ""
  return temporaryCodes.has(code) || code.startsWith("08") || (cause instanceof Error && messages.test(cause.message))
}

const isCollision = (error: unknown): boolean => ["40001", "40P01"].includes(codeOf(innermost(error)) ?? "")

const delays = Schedule.exponential("50 millis").pipe(
  Schedule.union(Schedule.spaced("1 second")),
  Schedule.jittered,
  Schedule.upTo(retryTimeout)
)

/** Repeats an effect after a lost connection or a collision. Only for effects that may run twice. */
export const retryLost = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(effect, {
    while: (error) => isOfStatement(error) && (isLost(error) || isCollision(error)),
    schedule: delays
  })

/** Databases that did not answer within {@link retryTimeout}, and have not answered since. */
const unavailable = new WeakSet<object>()

/** Like {@link retryLost}, for one database. If it did not come back in time, it gets no more retries until it has answered. */
export const retryAt =
  (database: object) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => (unavailable.has(database) ? effect : retryLost(effect))).pipe(
      Effect.tapBoth({
        onSuccess: () => Effect.sync(() => unavailable.delete(database)),
        onFailure: (error) =>
          Effect.sync(() => (isOfStatement(error) && isLost(error) ? unavailable.add(database) : undefined))
      })
    )
