/** Posts a notification to a webhook (signed if the target has a secret) or to an incoming webhook in Slack. */
import { createHmac } from "node:crypto"
import * as Headers from "@effect/platform/Headers"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Agent } from "undici"
import { retryAfter } from "../Client/Answer.ts"
import { causeName } from "../Client/Network.ts"
import { undici } from "../Packages.ts"
import { Undelivered } from "./Undelivered.ts"

/** Maximum bytes to read of a response body, so that the connection can be reused. */
const maxResponseBytes = 16 * 1024

/** Value of the `x-sluice-signature` header: `sha256=…`. */
export const signatureOf = (body: string, secret: Redacted.Redacted): string =>
  `sha256=${createHmac("sha256", Redacted.value(secret)).update(body).digest("hex")}`

const headersOf = ({ body, id }: Post, { username, password }: URL, secret: Redacted.Redacted | undefined) => ({
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
  Effect.sync(() => new (undici().Agent)({ connections: 4, connect: { timeout: 5_000 }, keepAliveTimeout: 1_000 })),
  (agent) => Effect.promise(() => agent.destroy())
)

interface Post {
  readonly id: string
  readonly body: string
}

/** Sends one request. Succeeds on a 2xx response. */
export const post = (
  agent: Agent,
  { address, secret }: { readonly address: Redacted.Redacted; readonly secret?: Redacted.Redacted | undefined },
  delivery: Post,
  limit: Duration.DurationInput
): Effect.Effect<void, Undelivered> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const answer = yield* Effect.tryPromise({
      try: (signal) => {
        const url = new URL(Redacted.value(address))
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
      catch: (cause) => new Undelivered({ reason: causeName(cause) })
    })
    if (answer.statusCode >= 200 && answer.statusCode < 300) return
    // Redirects are not followed: they may lead to other hosts.
    return yield* new Undelivered({
      reason: `the receiver answered ${answer.statusCode}`,
      retryAfter: retryAfter(Headers.fromInput(answer.headers as Record<string, string>), "", now)
    })
  }).pipe(
    Effect.timeoutFail({
      duration: limit,
      onTimeout: () => new Undelivered({ reason: "no answer in time", timedOut: true })
    })
  )
