/**
 * Delivers notifications from the outbox to webhooks: signed, at least once, with retries.
 *
 * - A sender leases due notifications, so that no two processes send the same one at a time. After a crash the lease expires.
 * - The receiver recognises a repeated delivery by its id.
 * - Addresses are secrets: they are read from the definition, and never appear in errors, logs or the ledger.
 * - A receiver that timed out gets no request for 30 seconds, so that it does not delay notifications to others.
 */
import { createHmac } from "node:crypto"
import * as Headers from "@effect/platform/Headers"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { Agent } from "undici"
import { retryAfter } from "../Client/Answer.ts"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import type { Target } from "../Pipeline/Schedule.ts"
import { warnOnce } from "../Telemetry/Log.ts"
import type { Notification, NotificationOutbox } from "./Model.ts"

/** The receiver did not accept a delivery. */
export class Undelivered extends Data.TaggedError("Undelivered")<{
  /** Contains neither the address nor the response, because both may hold secrets. */
  readonly reason: string
  /** From the `Retry-After` header. */
  readonly retryAfter?: Duration.Duration | undefined
  /** True when the request timed out. */
  readonly timedOut?: boolean | undefined
}> {
  override get message() {
    return `the webhook did not accept it: ${this.reason}`
  }
}

/** Request body, and the id by which a receiver recognises a repetition. */
export interface Delivery {
  readonly id: string
  readonly body: string
}

/** Bytes of a response body that are read so that the connection can be reused. */
const maxResponseBytes = 16 * 1024

const reasonOf = (cause: unknown): string => {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string") return error.code
  }
  return cause instanceof Error ? cause.name : "unknown"
}

/** Value of the `x-sluice-signature` header: `sha256=…`. */
export const signatureOf = (body: string, secret: Redacted.Redacted): string =>
  `sha256=${createHmac("sha256", Redacted.value(secret)).update(body).digest("hex")}`

const headersOf = ({ body, id }: Delivery, { username, password }: URL, secret: Redacted.Redacted | undefined) => ({
  "content-type": "application/json",
  "user-agent": "sluice",
  "x-sluice-notice": id,
  ...(secret === undefined ? {} : { "x-sluice-signature": signatureOf(body, secret) }),
  ...(username === ""
    ? {}
    : {
        authorization: `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64")}`
      })
})

export const makeAgent = Effect.acquireRelease(
  Effect.sync(() => new Agent({ connections: 4, connect: { timeout: 5_000 }, keepAliveTimeout: 1_000 })),
  (agent) => Effect.promise(() => agent.destroy())
)

/** Sends one request. Succeeds with a 2xx response. */
export const post = (
  agent: Agent,
  { secret, webhook }: Pick<Target, "secret" | "webhook">,
  delivery: Delivery,
  limit: Duration.DurationInput
): Effect.Effect<void, Undelivered> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const answer = yield* Effect.tryPromise({
      try: (signal) => {
        const url = new URL(Redacted.value(webhook))
        return agent
          .request({
            origin: url.origin,
            path: url.pathname + url.search,
            method: "POST",
            headers: headersOf(delivery, url, secret),
            body: delivery.body,
            signal
          })
          .then(({ body, headers, statusCode }) =>
            body.dump({ limit: maxResponseBytes, signal }).then(() => ({ headers, statusCode }))
          )
      },
      catch: (cause) => new Undelivered({ reason: reasonOf(cause) })
    })
    if (answer.statusCode >= 200 && answer.statusCode < 300) return
    // Redirects are not followed: they may lead to another host.
    return yield* new Undelivered({
      reason: `it answered ${answer.statusCode}`,
      retryAfter: retryAfter(Headers.fromInput(answer.headers as Record<string, string>), "", now)
    })
  }).pipe(
    Effect.timeoutFail({
      duration: limit,
      onTimeout: () => new Undelivered({ reason: "no answer in time", timedOut: true })
    })
  )

export interface Options {
  readonly outbox: NotificationOutbox
  /** Targets of a pipeline; undefined when this process does not know its definition. */
  readonly notifyOf: (pipeline: string) => Effect.Effect<ReadonlyArray<Target> | undefined>
  /** Waits between attempts; there is one attempt more than waits. */
  readonly waits?: ReadonlyArray<Duration.DurationInput> | undefined
  /** Timeout of a request. Default: 10 seconds. */
  readonly timeout?: Duration.DurationInput | undefined
}

/** Six attempts in 66 minutes. */
export const defaultWaits: ReadonlyArray<Duration.DurationInput> = [
  "30 seconds",
  "2 minutes",
  "6 minutes",
  "18 minutes",
  "40 minutes"
]
/** Upper bound of a `Retry-After` header. */
const maxWait = Duration.hours(2)
/** Another process may know a definition that this one does not know: how long to wait for it, and how often to check. */
const unknownDefinitionTimeout = Duration.toMillis("7 days")
const pollInterval = Duration.toMillis("30 seconds")
const concurrency = 4
/** Milliseconds without requests to a receiver that timed out. */
const cooldown = Duration.toMillis("30 seconds")
/** Longer than an attempt takes. */
const leaseMillis = 60_000

const bodyOf = ({ body, id }: Pick<Notification, "body" | "id">): string => JSON.stringify({ id, ...JSON.parse(body) })

const name = ({ event, instant, pipeline }: Notification): string =>
  `"${event}" of ${pipeline} for ${new Date(instant).toISOString()}`

/** Wait before the next attempt; undefined after the last one. */
const nextWait = (
  { attempts }: Notification,
  { retryAfter }: Undelivered,
  waits: ReadonlyArray<Duration.DurationInput>
): Duration.Duration | undefined => {
  const wait = waits[attempts - 1]
  if (wait === undefined) return undefined
  return Duration.min(maxWait, Duration.max(wait, retryAfter ?? Duration.zero))
}

/** Connections, and the receivers that timed out, with the end of their cooldown. */
interface Sender {
  readonly agent: Agent
  readonly unresponsive: Map<string, number>
}

const open = Effect.map(makeAgent, (agent): Sender => ({ agent, unresponsive: new Map() }))

const deliver = (
  { agent, unresponsive }: Sender,
  target: Target,
  delivery: Delivery,
  limit: Duration.DurationInput,
  now: number
) => {
  const receiver = Redacted.value(target.webhook)
  for (const [each, until] of unresponsive) if (until <= now) unresponsive.delete(each)
  if (unresponsive.has(receiver)) return new Undelivered({ reason: "its response to another notification timed out" })
  return Effect.tapError(post(agent, target, delivery, limit), (failed) =>
    failed.timedOut === true
      ? Effect.map(Clock.currentTimeMillis, (then) => unresponsive.set(receiver, then + cooldown))
      : Effect.void
  )
}

/** Sends one notification once, and records the result. */
const attempt = (
  sender: Sender,
  { outbox, timeout = "10 seconds", notifyOf, waits = defaultWaits }: Options,
  notification: Notification
) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const notify = yield* notifyOf(notification.pipeline)
    if (notify === undefined && now - notification.madeAt < unknownDefinitionTimeout)
      return yield* outbox.postpone(notification.id, now + pollInterval)
    const target = notify?.[notification.target]
    const tried = yield* Effect.either(
      target === undefined
        ? new Undelivered({ reason: "the definition no longer has this notify target" })
        : deliver(sender, target, { id: notification.id, body: bodyOf(notification) }, timeout, now)
    )
    if (Either.isRight(tried)) return yield* outbox.sent(notification.id)
    const wait = nextWait(notification, tried.left, waits)
    if (wait === undefined) {
      yield* Effect.logWarning(
        `The notification ${name(notification)} was not delivered after ${notification.attempts} attempts: ${tried.left.reason}. Check notify in its definition.`
      )
      return yield* outbox.failed(notification.id, tried.left.reason, undefined)
    }
    if (notification.attempts === 1) {
      yield* Effect.logWarning(
        `The notification ${name(notification)} was not delivered: ${tried.left.reason}. Next attempt in ${Duration.format(wait)}.`
      )
    }
    yield* outbox.failed(notification.id, tried.left.reason, (yield* Clock.currentTimeMillis) + Duration.toMillis(wait))
  })

/** Sends all due notifications once. Returns false when there were none. */
const round = (sender: Sender, options: Options) =>
  Effect.gen(function* () {
    const due = yield* options.outbox.take(concurrency * 4, leaseMillis)
    yield* Effect.forEach(due, (notification) => attempt(sender, options, notification), { concurrency, discard: true })
    return due.length > 0
  })

/** Sends due notifications until it is interrupted. The rest stays in the outbox for the next sender. */
export const send = (options: Options): Effect.Effect<never, never, Scope.Scope> =>
  Effect.gen(function* () {
    const sender = yield* open
    const once = round(sender, options).pipe(
      warnOnce("Notifications cannot be sent"),
      Effect.catchAllCause(() => Effect.succeed(false))
    )
    return yield* Effect.forever(Effect.flatMap(once, (some) => (some ? Effect.void : Effect.sleep("1 second"))))
  })

/** Sends the notifications that are due now. */
export const flush = (options: Options, within: Duration.DurationInput): Effect.Effect<void, LedgerError> =>
  Effect.gen(function* () {
    const sender = yield* open
    yield* Effect.repeat(round(sender, options), { while: (some) => some })
  }).pipe(Effect.scoped, Effect.timeoutOption(within), Effect.asVoid)
