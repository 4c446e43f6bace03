/**
 * Delivers notifications from the outbox to their targets: webhooks, Slack, e-mail and commands, at least once, with retries.
 *
 * - A sender leases due notifications, so that two processes never send the same one at the same time. After a crash the lease expires.
 * - The receiver recognises a repeated delivery by its id.
 * - Addresses are secrets: they are read from the definition, and never appear in errors, logs or the ledger.
 * - Nothing is sent to a receiver for 30 seconds after it timed out, so that it does not delay notifications to others.
 * - In quiet hours a notification is postponed to their end. A digest is sent by the sender that leases its oldest notification; the others
 *   wait for it.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { Agent } from "undici"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import { quietUntil, type Target } from "../Pipeline/Schedule.ts"
import { warnOnce } from "../Telemetry/Log.ts"
import * as CommandDelivery from "./CommandDelivery.ts"
import { type MailServer, mail } from "./EmailDelivery.ts"
import type { Notification, NotificationOutbox } from "./Model.ts"
import * as Text from "./NotificationText.ts"
import { type Message, messageOf } from "./NotificationText.ts"
import { Undelivered } from "./Undelivered.ts"
import { makeAgent, post } from "./WebhookDelivery.ts"

export interface Options {
  readonly outbox: NotificationOutbox
  /** Targets of a pipeline; undefined when this process does not know its definition. */
  readonly notifyOf: (pipeline: string) => Effect.Effect<ReadonlyArray<Target> | undefined>
  /** Server for e-mails. Without it, e-mails are not delivered. */
  readonly mailServer?: MailServer | undefined
  /** Allows commands to be started; default: false. */
  readonly allowCode?: boolean | undefined
  /** Waits between attempts. There is one more attempt than waits. */
  readonly waits?: ReadonlyArray<Duration.DurationInput> | undefined
  /** Timeout of a request. Default: 10 seconds. */
  readonly timeout?: Duration.DurationInput | undefined
}

/** Default waits: six attempts in 66 minutes. */
export const defaultWaits: ReadonlyArray<Duration.DurationInput> = [
  "30 seconds",
  "2 minutes",
  "6 minutes",
  "18 minutes",
  "40 minutes"
]
/** Maximum wait for a `Retry-After` header. */
const maxWait = Duration.hours(2)
/** If this process does not know a definition, another one may: how long to wait for it, and how often to check. */
const unknownDefinitionTimeout = Duration.toMillis("7 days")
const pollInterval = Duration.toMillis("30 seconds")
const concurrency = 4
/** Milliseconds without deliveries to a receiver that timed out. */
const cooldown = Duration.toMillis("30 seconds")
/** Lease of a notification; longer than an attempt takes. */
const leaseMillis = 60_000
/** Maximum notifications in one digest. */
const maxDigest = 200

const name = ({ event, scheduledTime, pipeline }: Notification): string =>
  `"${event}" of ${pipeline} for ${new Date(scheduledTime).toISOString()}`

/** Wait before the next attempt; undefined after the last attempt. */
const nextWait = (
  { attempts }: Notification,
  { retryAfter }: Undelivered,
  waits: ReadonlyArray<Duration.DurationInput>
): Duration.Duration | undefined => {
  const wait = waits[attempts - 1]
  if (wait === undefined) return undefined
  return Duration.min(maxWait, Duration.max(wait, retryAfter ?? Duration.zero))
}

/** Connections for requests, and receivers that timed out, each with the end of its cooldown. */
interface Sender {
  readonly agent: Agent
  readonly unresponsive: Map<string, number>
}

const open = Effect.map(makeAgent, (agent): Sender => ({ agent, unresponsive: new Map() }))

/** Identifies a receiver within this process. */
const receiverOf = ({ command, email, slack, webhook }: Target): string => {
  const address = webhook ?? slack
  if (address !== undefined) return Redacted.value(address)
  return email === undefined ? `command ${JSON.stringify(command)}` : "mail"
}

const deliverBy = ({ agent }: Sender, options: Options, target: Target, message: Message) => {
  const { allowCode = false, mailServer, timeout = "10 seconds" } = options
  const { command, email, secret, slack, webhook } = target
  const { id } = message
  if (webhook !== undefined) return post(agent, { address: webhook, secret }, { id, body: Text.json(message) }, timeout)
  if (slack !== undefined) return post(agent, { address: slack }, { id, body: Text.slack(message) }, timeout)
  if (email !== undefined) return mail(mailServer, email, message, timeout)
  if (command === undefined) return new Undelivered({ reason: "the notify target has no receiver" })
  return allowCode
    ? CommandDelivery.start(command, Text.json(message))
    : new Undelivered({ reason: "commands need --allow-code" })
}

const deliver = (sender: Sender, options: Options, target: Target, message: Message, now: number) => {
  const { unresponsive } = sender
  const receiver = receiverOf(target)
  for (const [each, until] of unresponsive) if (until <= now) unresponsive.delete(each)
  if (unresponsive.has(receiver))
    return new Undelivered({ reason: "the receiver did not respond to another notification in time" })
  return Effect.tapError(deliverBy(sender, options, target, message), (failed) =>
    failed.timedOut === true
      ? Effect.map(Clock.currentTimeMillis, (then) => unresponsive.set(receiver, then + cooldown))
      : Effect.void
  )
}

/** Notifications to send in one message with this one, or the time until which this one has to wait. */
const collect = ({ outbox }: Options, target: Target | undefined, notification: Notification, now: number) =>
  Effect.gen(function* () {
    const alone = [notification] as const
    const quiet = target?.quiet === undefined ? undefined : quietUntil(target.quiet, now)
    if (quiet !== undefined) return { until: quiet }
    if (target?.digest === undefined) return { parts: alone }
    const unsent = yield* outbox.unsent(notification.pipeline, notification.target, maxDigest)
    const [first = notification, ...others] = unsent.filter(({ event }) => target.on.includes(event))
    const due = first.madeAt + Duration.toMillis(target.digest)
    if (due > now) return { until: due }
    // The process that leases the oldest notification sends all of them.
    return first.id === notification.id ? { parts: [notification, ...others] as const } : { until: now + pollInterval }
  })

/** Sends a notification once, together with its digest, and records the result. */
const attempt = (sender: Sender, options: Options, notification: Notification) =>
  Effect.gen(function* () {
    const { notifyOf, outbox, waits = defaultWaits } = options
    const now = yield* Clock.currentTimeMillis
    const notify = yield* notifyOf(notification.pipeline)
    if (notify === undefined && now - notification.madeAt < unknownDefinitionTimeout)
      return yield* outbox.postpone(notification.id, now + pollInterval)
    const listed = notify?.[notification.target]
    // Another target may have its place since.
    const target = listed?.on.includes(notification.event) === true ? listed : undefined
    const { parts, until } = yield* collect(options, target, notification, now)
    if (parts === undefined) return yield* outbox.postpone(notification.id, until)
    const tried = yield* Effect.either(
      target === undefined
        ? new Undelivered({ reason: "the definition no longer has this notify target" })
        : deliver(sender, options, target, messageOf(parts), now)
    )
    if (Either.isRight(tried)) return yield* Effect.forEach(parts, ({ id }) => outbox.sent(id), { discard: true })
    const { reason } = tried.left
    const wait = nextWait(notification, tried.left, waits)
    if (wait === undefined) {
      // Later notifications begin a digest of their own.
      const end = notification.madeAt + (target?.digest === undefined ? 0 : Duration.toMillis(target.digest))
      const ofInterval = parts.filter(({ madeAt }) => madeAt <= end)
      const among = ofInterval.length === 1 ? "" : ` (with ${ofInterval.length - 1} more)`
      yield* Effect.logWarning(
        `The notification ${name(notification)}${among} was not delivered after ${notification.attempts} attempts: ${reason}. Check \`notify\` in the definition of the pipeline.`
      )
      return yield* Effect.forEach(ofInterval, ({ id }) => outbox.failed(id, reason, undefined), { discard: true })
    }
    if (notification.attempts === 1) {
      yield* Effect.logWarning(
        `The notification ${name(notification)} was not delivered: ${reason}. Next attempt in ${Duration.format(wait)}.`
      )
    }
    yield* outbox.failed(notification.id, reason, (yield* Clock.currentTimeMillis) + Duration.toMillis(wait))
  })

/** Sends due notifications once. Returns false if there were none. */
const round = (sender: Sender, options: Options) =>
  Effect.gen(function* () {
    const due = yield* options.outbox.take(concurrency, leaseMillis)
    yield* Effect.forEach(due, (notification) => attempt(sender, options, notification), { concurrency, discard: true })
    return due.length > 0
  })

/** Sends due notifications until interrupted. The rest stays in the outbox for the next sender. */
export const send = (options: Options): Effect.Effect<never, never, Scope.Scope> =>
  Effect.gen(function* () {
    const sender = yield* open
    const once = round(sender, options).pipe(
      warnOnce("Notifications cannot be sent"),
      Effect.catchAllCause(() => Effect.succeed(false))
    )
    return yield* Effect.forever(Effect.flatMap(once, (some) => (some ? Effect.void : Effect.sleep("1 second"))))
  })

/** Sends the notifications that are due now, until the time is over. */
export const flush = (options: Options, within: Duration.DurationInput): Effect.Effect<void, LedgerError> =>
  Effect.gen(function* () {
    const sender = yield* open
    yield* Effect.repeat(round(sender, options), { while: (some) => some })
  }).pipe(Effect.scoped, Effect.timeoutOption(within), Effect.asVoid)
