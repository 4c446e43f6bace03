/**
 * Requests: access control, query parameters, errors with their status, and idempotency keys.
 *
 * A request needs the token of the link and a host name of this dashboard; a change also needs the dashboard's origin. The token is created
 * at each start and sent in its own header. Cookies are not used: browsers send them to every port of a host, and thereby to other programs
 * on this machine.
 */
import { randomBytes, timingSafeEqual } from "node:crypto"
import { isIP } from "node:net"
import { hostname } from "node:os"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import { sha256 } from "../Row/Hash.ts"
import {
  type DefinitionError,
  idempotencyHeader,
  type Launched,
  type RequestFailure,
  tokenHeader
} from "../Web/Dashboard/Protocol.ts"
import { hostOf, isLoopback } from "../Web/Serving.ts"

export interface Access {
  readonly token: string
  /** Checks host name and origin; undefined when both are allowed. */
  readonly check: (request: HttpServerRequest.HttpServerRequest) => Refusal | undefined
  readonly hasToken: (request: HttpServerRequest.HttpServerRequest) => boolean
}

/** Compares hashes, so that the time depends neither on the length nor on the content of the given text. */
export const isSame = (given: string, wanted: string): boolean =>
  timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(wanted)))

/**
 * Checks the `Host` header of a server that listens on `bound`. On loopback only loopback names are allowed; on other addresses also IP
 * addresses, the machine's host name and `bound` itself. Prevents DNS rebinding, where a web page points its own name at the server.
 */
export const isOwnName = (
  { bound, port }: { readonly bound: string; readonly port: number },
  header: string
): boolean => {
  const host = hostOf(header)
  if (isLoopback(bound)) return isLoopback(host.name) && host.port === String(port)
  const bare = host.name.replace(/^\[|\]$/g, "")
  return (
    isLoopback(host.name) ||
    isIP(bare) !== 0 ||
    host.name === bound.toLowerCase() ||
    host.name === hostname().toLowerCase()
  )
}

export const makeAccess = (place: { readonly bound: string; readonly port: number }): Access => {
  const token = randomBytes(32).toString("base64url")
  return {
    token,
    check: (request) => {
      const { headers, method } = request
      const { host = "", origin } = headers
      if (!isOwnName(place, host)) {
        const reason = `${host.slice(0, 100)} is not an address of this dashboard: open the link that sluice printed`
        return new Refusal({ status: 403, reason })
      }
      if (method === "GET" || method === "HEAD") return undefined
      const site = headers["sec-fetch-site"]
      // `sec-fetch-site` decides when it is present: behind a proxy `host` and `origin` may differ.
      const isFromHere = origin === `http://${host}` || origin === `https://${host}`
      return site === "same-origin" || (site === undefined && isFromHere)
        ? undefined
        : new Refusal({ status: 403, reason: "changes from a page of another site are refused" })
    },
    hasToken: ({ headers }) => isSame(headers[tokenHeader] ?? "", token)
  }
}

/** A refused request: an HTTP status and the reason in words. */
export class Refusal extends Data.TaggedError("Refusal")<{
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 422 | 503
  readonly reason: string
  readonly mistakes?: ReadonlyArray<DefinitionError> | undefined
}> {
  override get message() {
    return this.reason
  }

  get trouble(): RequestFailure {
    return { error: this.reason, ...(this.mistakes === undefined ? {} : { mistakes: this.mistakes }) }
  }
}

export const tokenMissing = new Refusal({
  status: 401,
  reason: "the token is missing or wrong: open the link that sluice printed when it started"
})

export const noRun = (id: string) =>
  new Refusal({ status: 404, reason: `the ledger has no run ${id}: it does not exist, or was pruned` })

/** Replaces NUL, which Postgres does not store in a string. */
export const storable = (text: string): string => text.replaceAll("\0", "\ufffd")

/** Query parameters of a request; an empty one counts as missing. */
export class Query {
  readonly #fields: URLSearchParams

  constructor(fields: URLSearchParams) {
    this.#fields = fields
  }

  text(name: string, longest = 2000): string | undefined {
    const value = this.#fields.get(name)
    return value === null || value === "" ? undefined : storable(value.slice(0, longest))
  }

  /** An integer, clamped to the bounds. */
  number(name: string, { least = 0, most, otherwise }: Bounds): Either.Either<number, Refusal> {
    const text = this.text(name)
    if (text === undefined) return Either.right(otherwise)
    const number = Number(text)
    return Number.isSafeInteger(number)
      ? Either.right(Math.min(most, Math.max(least, number)))
      : Either.left(new Refusal({ status: 400, reason: `${name}: expected a whole number, got "${text}"` }))
  }

  word<const Word extends string>(name: string, words: ReadonlyArray<Word>): Either.Either<Word | undefined, Refusal> {
    const text = this.text(name)
    const word = words.find((each) => each === text)
    return text === undefined || word !== undefined
      ? Either.right(word)
      : Either.left(new Refusal({ status: 400, reason: `${name}: expected one of ${words.join(", ")}, got "${text}"` }))
  }
}

interface Bounds {
  readonly least?: number
  readonly most: number
  readonly otherwise: number
}

type Start = Deferred.Deferred<Launched, Refusal | LedgerError>

/** Started runs by idempotency key and request. */
export class IdempotencyKeys extends Context.Tag("sluice/Dashboard/IdempotencyKeys")<
  IdempotencyKeys,
  Map<string, Start>
>() {}

export const layer = Layer.sync(IdempotencyKeys, () => new Map())

const maxKeys = 1_000

const unusable = new Refusal({
  status: 400,
  reason: `${idempotencyHeader}: expected 8 to 100 letters, digits, _ or -`
})

/**
 * Starts a run once for all requests with the same idempotency key, path and body: later requests wait for the first and get its run. A
 * failed start is forgotten, so that it can be tried again.
 */
export const once = <R>(body: unknown, begin: Effect.Effect<Launched, Refusal | LedgerError, R>) =>
  Effect.gen(function* () {
    const { headers, url } = yield* HttpServerRequest.HttpServerRequest
    const key = headers[idempotencyHeader]
    if (key === undefined) return yield* begin
    if (!/^[\w-]{8,100}$/.test(key)) return yield* unusable
    const begun = yield* IdempotencyKeys
    const name = sha256(JSON.stringify([key, url, body]))
    const known = begun.get(name)
    if (known !== undefined) return yield* Deferred.await(known)
    const own = yield* Deferred.make<Launched, Refusal | LedgerError>()
    begun.set(name, own)
    for (const oldest of begun.keys()) {
      if (begun.size <= maxKeys) break
      begun.delete(oldest)
    }
    // Continues if the client disconnects: a second request with the same key gets the result.
    return yield* Effect.uninterruptible(
      Effect.intoDeferred(
        Effect.tapErrorCause(begin, () => Effect.sync(() => begun.delete(name))),
        own
      )
    ).pipe(Effect.zipRight(Deferred.await(own)))
  })
