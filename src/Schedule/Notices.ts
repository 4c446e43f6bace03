/** Tells people by webhook what did not go well: out of the ledger's outbox, signed, and again until somebody takes it. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { Agent } from "undici"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import type { Target } from "../Pipeline/Schedule.ts"
import { steadily } from "../Telemetry/Steady.ts"
import type { NoticeRecord, Notices } from "./Model.ts"
import { type Letter, makeAgent, post, Undelivered } from "./Post.ts"

export interface Options {
  readonly notices: Notices
  /** The `notify` of a pipeline, undefined where its definition is not known here; addresses are nowhere else. */
  readonly notifyOf: (pipeline: string) => Effect.Effect<ReadonlyArray<Target> | undefined>
  /** Waits between the tries of a notice: one try more than there are waits. */
  readonly waits?: ReadonlyArray<Duration.DurationInput> | undefined
  /** How long a receiver has to answer. */
  readonly limit?: Duration.DurationInput | undefined
}

/** Six tries in a good hour. */
export const defaultWaits: ReadonlyArray<Duration.DurationInput> = [
  "30 seconds",
  "2 minutes",
  "6 minutes",
  "18 minutes",
  "40 minutes"
]
/** Who asks for more patience than that is not waited for. */
const longest = Duration.hours(2)
/** Others may know a definition that is not known here: they are waited for so long, and looked for so often. */
const forOthers = Duration.toMillis("7 days")
const lookAgain = Duration.toMillis("30 seconds")
const atOnce = 4
/** Who did not answer holds the notices for others up: it is not asked again for so long. */
const rest = Duration.toMillis("30 seconds")
/** Longer than a try takes: nobody else tries at the same time. */
const hold = 60_000

/** What is sent: the notice as it was written down, with the id that it has at every try. */
const bodyOf = ({ body, id }: Pick<NoticeRecord, "body" | "id">): string =>
  JSON.stringify({ id, ...(JSON.parse(body) as object) })

const name = ({ event, instant, pipeline }: NoticeRecord): string =>
  `"${event}" of ${pipeline} for ${new Date(instant).toISOString()}`

/** When it is tried again, if it is. */
const nextOf = (
  { attempts }: NoticeRecord,
  { retryAfter }: Undelivered,
  waits: ReadonlyArray<Duration.DurationInput>
): Duration.Duration | undefined => {
  const wait = waits[attempts - 1]
  if (wait === undefined) return undefined
  return Duration.min(longest, Duration.max(wait, retryAfter ?? Duration.zero))
}

/** A way out, and the receivers at its end that were silent, with how long they are left alone. */
interface Door {
  readonly agent: Agent
  readonly silent: Map<string, number>
}

const open = Effect.map(makeAgent, (agent): Door => ({ agent, silent: new Map() }))

const deliver = (
  { agent, silent }: Door,
  target: Target,
  letter: Letter,
  limit: Duration.DurationInput,
  now: number
) => {
  const receiver = Redacted.value(target.webhook)
  for (const [each, until] of silent) if (until <= now) silent.delete(each)
  if (silent.has(receiver)) return new Undelivered({ reason: "it gave another notice no answer in time" })
  return Effect.tapError(post(agent, target, letter, limit), (failed) =>
    failed.silent === true
      ? Effect.map(Clock.currentTimeMillis, (then) => silent.set(receiver, then + rest))
      : Effect.void
  )
}

/** Tries one notice once, and writes down what came of it. */
const attempt = (
  door: Door,
  { limit = "10 seconds", notices, notifyOf, waits = defaultWaits }: Options,
  notice: NoticeRecord
) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const notify = yield* notifyOf(notice.pipeline)
    if (notify === undefined && now - notice.madeAt < forOthers) return yield* notices.leave(notice.id, now + lookAgain)
    const target = notify?.[notice.target]
    const tried = yield* Effect.either(
      target === undefined
        ? new Undelivered({ reason: "the definition does not say any more whom to tell" })
        : deliver(door, target, { id: notice.id, body: bodyOf(notice) }, limit, now)
    )
    if (Either.isRight(tried)) return yield* notices.sent(notice.id)
    const wait = nextOf(notice, tried.left, waits)
    if (wait === undefined) {
      yield* Effect.logWarning(
        `The notice ${name(notice)} was given up after ${notice.attempts} tries: ${tried.left.reason}. Look at notify in its definition.`
      )
      return yield* notices.failed(notice.id, tried.left.reason, undefined)
    }
    if (notice.attempts === 1) {
      yield* Effect.logWarning(
        `The notice ${name(notice)} was not taken: ${tried.left.reason}. It is tried again in ${Duration.format(wait)}.`
      )
    }
    yield* notices.failed(notice.id, tried.left.reason, (yield* Clock.currentTimeMillis) + Duration.toMillis(wait))
  })

/** Tries those that are due, once each; says whether there were any. */
const round = (door: Door, options: Options) =>
  Effect.gen(function* () {
    const due = yield* options.notices.take(atOnce * 4, hold)
    yield* Effect.forEach(due, (notice) => attempt(door, options, notice), { concurrency: atOnce, discard: true })
    return due.length > 0
  })

/** Sends what is due until it is interrupted; what is not sent then is sent by whoever comes next. */
export const send = (options: Options): Effect.Effect<never, never, Scope.Scope> =>
  Effect.gen(function* () {
    const door = yield* open
    const once = round(door, options).pipe(
      steadily("Notices cannot be sent"),
      Effect.catchAllCause(() => Effect.succeed(false))
    )
    return yield* Effect.forever(Effect.flatMap(once, (some) => (some ? Effect.void : Effect.sleep("1 second"))))
  })

/** Sends what is due now and leaves the rest. */
export const flush = (options: Options, within: Duration.DurationInput): Effect.Effect<void, LedgerError> =>
  Effect.gen(function* () {
    const door = yield* open
    yield* Effect.repeat(round(door, options), { while: (some) => some })
  }).pipe(Effect.scoped, Effect.timeoutOption(within), Effect.asVoid)
