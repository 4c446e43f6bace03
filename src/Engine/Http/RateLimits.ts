/** Rate limit and concurrency limit per API key. Requests above a limit get 429 with a `Retry-After` time. */
import * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { RateClass } from "../../Api/Charges.ts"
import { RateLimited } from "../../Api/Errors.ts"
import { Api } from "../../Api.ts"
import { ensuringWithin } from "../../Callback/Lean.ts"
import { bearer, Keys } from "../Teams/Keys.ts"
import { asTeam } from "../Teams/TeamScheduler.ts"
import * as UnreadAnswers from "../Teams/UnreadAnswers.ts"
import type { Spender } from "../Usage/Usage.ts"

export interface RateLimitOptions {
  /** Requests per key and minute; unlimited when undefined. */
  readonly rateLimit?: number | undefined
  /** Concurrent calls per key that fetch, parse or query a model, and how many more calls may queue (`waiting`). */
  readonly atOnce: number
  readonly waiting: number
}

/** Token bucket and queue of one key. */
interface Account {
  /** Tokens left, at the time `at`. */
  tokens: number
  at: number
  /** Running and queued calls of the rate class `work`. */
  asked: number
  readonly turns: Effect.Semaphore
  readonly team: string
}

/** Endpoints that count against the concurrency limit. */
const work: Array<{ readonly method: string; readonly path: RegExp }> = []
HttpApi.reflect(Api, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint: { annotations, method, path } }) => {
    if (Context.get(annotations as Context.Context<RateClass>, RateClass) !== "work") return
    // Ignores case and a trailing slash, as the router does.
    work.push({ method, path: new RegExp(`^${path.replace(/:\w+/g, "[^/?]+")}/?(?:\\?|$)`, "i") })
  }
})

const isWork = ({ method, url }: HttpServerRequest.HttpServerRequest): boolean =>
  work.some((endpoint) => endpoint.method === method && endpoint.path.test(url))

const isApi = ({ url }: HttpServerRequest.HttpServerRequest): boolean => /^\/v[12]\//i.test(url)

const tooFast = (limit: number, seconds: number) =>
  new RateLimited({
    error: `More than ${limit === 1 ? "one request" : `${limit} requests`} in a minute: please retry after ${seconds}s.`,
    code: "RATE_LIMITED",
    retryAfter: seconds
  })

const tooMany = ({ atOnce, waiting }: RateLimitOptions) =>
  new RateLimited({
    error: `This key has ${atOnce === 1 ? "one call" : `${atOnce} calls`} running and ${waiting} queued: please retry after 2s, or start a batch.`,
    code: "RATE_LIMITED",
    retryAfter: 2
  })

export class RateLimits extends Context.Tag("sluice/Engine/Http/RateLimits")<
  RateLimits,
  {
    /** Applies the limits of the key. Requests without a known key pass here; authentication refuses them. */
    readonly through: <E, R>(app: HttpApp.Default<E, R>) => HttpApp.Default<E | RateLimited, R>
    /** Runs a part of a request under the concurrency limit of its key. */
    readonly inTurn: (
      caller: Spender
    ) => <A, E, R>(part: Effect.Effect<A, E, R>) => Effect.Effect<A, E | RateLimited, R>
  }
>() {}

const make = (options: RateLimitOptions) =>
  Effect.map(Effect.all([Keys, UnreadAnswers.make()]), ([keys, unread]) => {
    const { atOnce, rateLimit, waiting } = options
    const accounts = new Map<string, Account>()

    const accountFor = ({ name, team }: { readonly team: string; readonly name: string }, now: number): Account => {
      const id = JSON.stringify([team, name])
      const known = accounts.get(id)
      if (known !== undefined) return known
      const opened = { team, tokens: rateLimit ?? 0, at: now, asked: 0, turns: Effect.unsafeMakeSemaphore(atOnce) }
      accounts.set(id, opened)
      return opened
    }

    const accountOf = ({ headers }: HttpServerRequest.HttpServerRequest, now: number): Account | undefined => {
      const secret = bearer(headers.authorization) ?? ""
      const found = Option.getOrUndefined(keys.find(Redacted.make(secret)))
      if (found === undefined) return undefined
      return accountFor(found, now)
    }

    /** Takes a token. Returns the seconds to wait when there is none. */
    const take = (account: Account, limit: number, now: number): number | undefined => {
      account.tokens = Math.min(limit, account.tokens + (Math.max(0, now - account.at) * limit) / 60_000)
      account.at = now
      if (account.tokens < 1) return Math.ceil(((1 - account.tokens) * 60) / limit)
      account.tokens--
      return undefined
    }

    /** Runs a call under the account's concurrency limit; fails when the queue is full. */
    const turnOf =
      (account: Account) =>
      <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E | RateLimited, R> =>
        Effect.uninterruptibleMask((restore): Effect.Effect<A, E | RateLimited, R> => {
          if (account.asked >= atOnce + waiting) return tooMany(options)
          account.asked++
          return ensuringWithin(restore(account.turns.withPermits(1)(call)), () => account.asked--)
        })

    const through = <E, R>(app: HttpApp.Default<E, R>): HttpApp.Default<E | RateLimited, R> =>
      Effect.flatMap(
        Effect.zip(HttpServerRequest.HttpServerRequest, Clock.currentTimeMillis),
        ([request, now]): HttpApp.Default<E | RateLimited, R> => {
          if (!isApi(request)) return app
          const account = accountOf(request, now)
          if (account === undefined) return app
          const seconds = rateLimit === undefined ? undefined : take(account, rateLimit, now)
          if (rateLimit !== undefined && seconds !== undefined) return tooFast(rateLimit, seconds)
          if (!isWork(request)) return asTeam(account.team)(app)
          // A call holds its permit until its response may be sent.
          return turnOf(account)(asTeam(account.team)(unread.answer(account.team, app)))
        }
      )

    return RateLimits.of({
      through,
      inTurn:
        ({ id, keyId }) =>
        (part) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => turnOf(accountFor({ team: id, name: keyId }, now))(part))
    })
  })

export const layer = (options: RateLimitOptions) => Layer.effect(RateLimits, make(options))
