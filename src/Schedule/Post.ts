/** One notice to one webhook: signed, within a time, and without a word of the address in what it fails with. */
import { createHmac } from "node:crypto"
import * as Headers from "@effect/platform/Headers"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Agent } from "undici"
import { retryAfter } from "../Client/Answer.ts"
import type { Target } from "../Pipeline/Schedule.ts"

/** Nobody took the notice this time. */
export class Undelivered extends Data.TaggedError("Undelivered")<{
  /** Neither address nor answer: both may hold what is nobody else's. */
  readonly reason: string
  /** When the receiver wants to be asked again. */
  readonly retryAfter?: Duration.Duration | undefined
  /** It did not say a word for as long as it had. */
  readonly silent?: boolean | undefined
}> {
  override get message() {
    return `the webhook did not take it: ${this.reason}`
  }
}

/** What is posted, and the name by which a receiver recognises it when it comes twice. */
export interface Letter {
  readonly id: string
  readonly body: string
}

/** What is read of an answer, for the sake of the connection. */
const maxAnswer = 16 * 1024

const reasonOf = (cause: unknown): string => {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string") return error.code
  }
  return cause instanceof Error ? cause.name : "unknown"
}

/** `sha256=…`: what a receiver compares with its own. */
export const signatureOf = (body: string, secret: Redacted.Redacted): string =>
  `sha256=${createHmac("sha256", Redacted.value(secret)).update(body).digest("hex")}`

const headersOf = ({ body, id }: Letter, { username, password }: URL, secret: Redacted.Redacted | undefined) => ({
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

/** Connections for notices, for as long as the scope is open. */
export const makeAgent = Effect.acquireRelease(
  Effect.sync(() => new Agent({ connections: 4, connect: { timeout: 5_000 }, keepAliveTimeout: 1_000 })),
  (agent) => Effect.promise(() => agent.destroy())
)

/** Posts it once; done when the receiver has answered 2xx. */
export const post = (
  agent: Agent,
  { secret, webhook }: Pick<Target, "secret" | "webhook">,
  letter: Letter,
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
            headers: headersOf(letter, url, secret),
            body: letter.body,
            signal
          })
          .then(({ body, headers, statusCode }) =>
            body.dump({ limit: maxAnswer, signal }).then(() => ({ headers, statusCode }))
          )
      },
      catch: (cause) => new Undelivered({ reason: reasonOf(cause) })
    })
    if (answer.statusCode >= 200 && answer.statusCode < 300) return
    // A redirect may lead anywhere: it is not followed, and not taken for an answer.
    return yield* new Undelivered({
      reason: `it answered ${answer.statusCode}`,
      retryAfter: retryAfter(Headers.fromInput(answer.headers as Record<string, string>), "", now)
    })
  }).pipe(
    Effect.timeoutFail({
      duration: limit,
      onTimeout: () => new Undelivered({ reason: "no answer in time", silent: true })
    })
  )
