/** What is asked for again under one key is done once: a double click, or a page that asks anew after its connection was cut. */
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import { sha256 } from "../Row/Hash.ts"
import type { Launched } from "../Web/Dashboard/Protocol/Launch.ts"
import { onceHeader } from "../Web/Dashboard/Protocol.ts"
import { Refusal } from "./Refusal.ts"

type Beginning = Deferred.Deferred<Launched, Refusal | LedgerError>

/** What has begun or is about to, by what was asked for. */
export class Begun extends Context.Tag("sluice/Dashboard/Begun")<Begun, Map<string, Beginning>>() {}

export const layer = Layer.sync(Begun, () => new Map())

/** Beginnings that are kept in mind. */
const most = 1_000

const unusable = new Refusal({
  status: 400,
  reason: `${onceHeader}: expected 8 to 100 letters, digits, _ or -`
})

/**
 * Begins a run, once for all requests with the same key, address and body: the others wait for the first, and get its run.
 * What was refused can be asked for again.
 */
export const once = <R>(body: unknown, begin: Effect.Effect<Launched, Refusal | LedgerError, R>) =>
  Effect.gen(function* () {
    const { headers, url } = yield* HttpServerRequest.HttpServerRequest
    const key = headers[onceHeader]
    if (key === undefined) return yield* begin
    if (!/^[\w-]{8,100}$/.test(key)) return yield* unusable
    const begun = yield* Begun
    const name = sha256(JSON.stringify([key, url, body]))
    const known = begun.get(name)
    if (known !== undefined) return yield* Deferred.await(known)
    const own = yield* Deferred.make<Launched, Refusal | LedgerError>()
    begun.set(name, own)
    for (const oldest of begun.keys()) {
      if (begun.size <= most) break
      begun.delete(oldest)
    }
    // Whoever has gone away meanwhile may come again, and finds what became of it.
    return yield* Effect.uninterruptible(
      Effect.intoDeferred(
        Effect.tapErrorCause(begin, () => Effect.sync(() => begun.delete(name))),
        own
      )
    ).pipe(Effect.zipRight(Deferred.await(own)))
  })
