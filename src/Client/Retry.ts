/** When a failed call is made again: a value that users may replace (spec 7). */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { ClientError } from "./Errors.ts"
import * as Metrics from "./Metrics.ts"

/**
 * How far a call may be repeated without harm:
 * `always` — it changes nothing, or carries an idempotency key;
 * `refused` — it costs credits, so only when it was refused (429) or never sent;
 * `unsent` — it starts something, so only when no byte reached the service.
 */
export type Repeatable = "always" | "refused" | "unsent"

/** What a policy may look at besides the error. */
export interface Attempted {
  readonly method: string
  readonly repeatable: Repeatable
}

/** When a call is made again, and what for. */
export interface Policy {
  /** When to try again and when to stop; its input is the error, so it can honour `retryAfter`. */
  readonly schedule: Schedule.Schedule<unknown, ClientError>
  /** Whether this failure of this call may be repeated at all. */
  readonly when: (error: ClientError, call: Attempted) => boolean
  /** How long a service that has answered before is waited for when it is out of reach; without it, no longer than the rest. */
  readonly outage?: Outage | undefined
}

/** What to do while a service is out of reach that has answered before. */
export interface Outage {
  /** When to try again, with all tries of {@link Policy.schedule}, and when to give up. */
  readonly schedule: Schedule.Schedule<unknown, ClientError>
  readonly when: (error: ClientError, call: Attempted) => boolean
}

/** The standard rule of {@link Policy.when}: the error's own word, as far as the call allows. */
export const isSafe = (error: ClientError, { repeatable }: Attempted): boolean => {
  if (!error.retryable) return false
  if (repeatable === "always") return true
  if (error._tag === "NetworkError") return !error.sent
  return repeatable === "refused" && error._tag === "RateLimited"
}

/**
 * Exponential with full jitter: the n-th wait is anything between nothing and `base * 2^n`, at most `cap`. A service that
 * says when to come back is believed, with the jitter on top, so that many clients don't come back at once; if it asks for
 * more than `patience`, the error is handed on instead.
 */
export const backoff = (options?: {
  readonly base?: Duration.DurationInput
  readonly cap?: Duration.DurationInput
  readonly retries?: number
  readonly patience?: Duration.DurationInput
}): Schedule.Schedule<unknown, ClientError> => {
  const { base = "500 millis", cap = "20 seconds", retries = 5, patience = "2 minutes" } = options ?? {}
  return jittered(base, cap).pipe(
    Schedule.intersect(Schedule.identity<ClientError>()),
    Schedule.modifyDelay(([_, error], delay) => Duration.sum(delay, retryAfter(error))),
    Schedule.whileInput((error: ClientError) => Duration.lessThanOrEqualTo(retryAfter(error), patience)),
    Schedule.intersect(Schedule.recurs(retries))
  )
}

const jittered = (base: Duration.DurationInput, cap: Duration.DurationInput) =>
  Schedule.exponential(base).pipe(
    Schedule.modifyDelay((_, delay) => Duration.min(delay, cap)),
    Schedule.jitteredWith({ min: 0, max: 1 })
  )

/** The waits of {@link backoff} where no error says when to come back. */
export const pauses = (retries: number): Schedule.Schedule<unknown> =>
  Schedule.intersect(jittered("500 millis", "20 seconds"), Schedule.recurs(retries))

const retryAfter = (error: ClientError): Duration.Duration =>
  (error._tag === "RateLimited" || error._tag === "ServiceError" ? error.retryAfter : undefined) ?? Duration.zero

/** How long the standard policy waits for a service that has answered before. */
export const patience = Duration.minutes(5)

/**
 * Nobody is there, or somebody on the way who says so, and not that it takes longer than anybody waits: nothing that the
 * service itself has said.
 */
export const isOut = (error: ClientError): boolean =>
  error._tag === "NetworkError"
    ? error.retryable
    : error._tag === "ServiceError" && error.gateway === true && Duration.lessThanOrEqualTo(retryAfter(error), patience)

/**
 * Every few seconds, for five minutes: as long as a router, a proxy or a release of the service takes, and a bit more. A proxy
 * that says when to come back is believed.
 */
export const outage: Outage = {
  schedule: Schedule.spaced("5 seconds").pipe(
    Schedule.jitteredWith({ min: 0.5, max: 1 }),
    Schedule.intersect(Schedule.identity<ClientError>()),
    Schedule.modifyDelay(([_, error], delay) => Duration.max(delay, retryAfter(error))),
    Schedule.upTo(patience)
  ),
  when: (error, call) => isOut(error) && isSafe(error, call)
}

/** So many retries; see {@link backoff} and {@link isSafe}. */
export const limited = (retries: number): Policy => ({ schedule: backoff({ retries }), when: isSafe })

/** Five retries; a service that has answered before is waited for up to five minutes when the way to it is cut. */
export const standard: Policy = { ...limited(5), outage }

/** Every call is made once. */
export const never: Policy = { schedule: Schedule.stop, when: () => false }

/**
 * The policy in force. Replace it for all calls where the connection is built, or around one call:
 * `search.run(request).pipe(Effect.provideService(RetryPolicy, Retry.never))`.
 */
export class RetryPolicy extends Context.Reference<RetryPolicy>()("sluice/Client/RetryPolicy", {
  defaultValue: () => standard
}) {}

/** What the present call allows; GET and calls with an idempotency key are always `always`. */
export class Repetition extends Context.Reference<Repetition>()("sluice/Client/Repetition", {
  defaultValue: (): Repeatable => "unsent"
}) {}

/** The calls that were made for one row: how many, retries included, and what those that failed have failed with. */
export interface AttemptLog {
  made: number
  failures: ReadonlyArray<ClientError>
}

/** Where the calls of an effect are counted; nowhere unless one is provided. */
export class Attempts extends Context.Reference<Attempts>()("sluice/Client/Attempts", {
  defaultValue: (): AttemptLog | undefined => undefined
}) {}

/** Marks a POST that changes nothing, and may be charged. */
export const asRead: <A, Err, R>(call: Effect.Effect<A, Err, R>) => Effect.Effect<A, Err, R> = Effect.provideService(
  Repetition,
  "refused"
)

/** What a connection knows of its service. */
export interface Reach {
  /**
   * It has answered before, or was cut within an answer and is gone since, and was not waited for in vain: that nobody
   * answers now will pass.
   */
  isMet: boolean
  /** It was said that it is out of reach. */
  isTold: boolean
}

const tell = (error: ClientError, reach: Reach) =>
  Effect.suspend(() => {
    if (reach.isTold) return Effect.void
    reach.isTold = true
    return Effect.logWarning(
      `The service is out of reach, and is asked again until it answers or ${Duration.format(patience)} are over: ${error.message}`
    )
  })

/** Makes the call again as the policy says: the one around the call, else the one given. */
export const retry = <A>(
  call: Effect.Effect<A, ClientError>,
  request: { readonly method: string; readonly keyed: boolean },
  given: Policy,
  reach: Reach
): Effect.Effect<A, ClientError> =>
  Effect.contextWithEffect((context: Context.Context<never>) => {
    const policy = context.unsafeMap.has(RetryPolicy.key) ? Context.get(context, RetryPolicy) : given
    const reads = request.method === "GET" || request.method === "HEAD" || request.keyed
    const attempted = {
      method: request.method,
      repeatable: reads ? "always" : Context.get(context, Repetition)
    } as const
    /** Somebody took this call before: who is gone now was there, and may have been paid. */
    let isTaken = false
    const log = Context.get(context, Attempts)
    const logged = Effect.suspend(() => {
      if (log !== undefined) log.made++
      return call
    })
    const told = Effect.tapError(logged, (error) =>
      Effect.sync(() => {
        if (log !== undefined) log.failures = [...log.failures, error]
        if (error._tag === "NetworkError" && error.sent) isTaken = true
        else if (isTaken && isOut(error)) reach.isMet = true
        if (policy.when(error, attempted)) Metrics.retries.add(1, error._tag)
      })
    )
    const tries = Effect.retry(told, { schedule: policy.schedule, while: (error) => policy.when(error, attempted) })
    const { outage } = policy
    if (outage === undefined) return tries
    const isWaitedFor = (error: ClientError) => reach.isMet && outage.when(error, attempted)
    return tries.pipe(
      Effect.tapError((error) => (isWaitedFor(error) ? tell(error, reach) : Effect.void)),
      Effect.retry({ schedule: outage.schedule, while: isWaitedFor }),
      // Who comes later does not wait as long once more: a run of many rows would take days to say what is wrong.
      Effect.tapError((error) =>
        Effect.sync(() => {
          if (isWaitedFor(error)) reach.isMet = false
        })
      )
    )
  })
