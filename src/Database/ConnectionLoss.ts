/** Which failures of Postgres pass: those of the way to it, and those of transactions that got in each other's way. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { codeOf, innermost, isSqlError } from "./DriverErrors.ts"

/** Milliseconds for which a lost database is waited for: a restart takes less. */
export const patience = 20_000

const passing: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "EAI_AGAIN",
  // A socket that is not there while the server restarts.
  "ENOENT",
  // Shut down by its owner, crashed, starting, full; a session that was silent for too long within a transaction.
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "25P03"
])

const words = /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect/

/** The connection is gone: what was asked last may or may not have been done. */
export const isLost = (error: unknown): boolean => {
  const cause = innermost(error)
  const code = codeOf(cause) ?? ""
  return passing.has(code) || code.startsWith("08") || (cause instanceof Error && words.test(cause.message))
}

const isCollision = (error: unknown): boolean => ["40001", "40P01"].includes(codeOf(innermost(error)) ?? "")

const pauses = Schedule.exponential("50 millis").pipe(
  Schedule.union(Schedule.spaced("1 second")),
  Schedule.jittered,
  Schedule.upTo(patience)
)

/** Does it again while the database is away, or two got in each other's way; for what may be done twice. */
export const again = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(effect, {
    while: (error) => isSqlError(error) && (isLost(error) || isCollision(error)),
    schedule: pauses
  })

/** Databases that were waited for in vain. */
const away = new WeakSet<object>()

/** As {@link again}; but once it was waited for in vain, nobody waits for this database until it has answered. */
export const againAt =
  (database: object) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => (away.has(database) ? effect : again(effect))).pipe(
      Effect.tapBoth({
        onSuccess: () => Effect.sync(() => away.delete(database)),
        onFailure: (error) => Effect.sync(() => (isSqlError(error) && isLost(error) ? away.add(database) : undefined))
      })
    )
