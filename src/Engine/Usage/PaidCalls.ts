/**
 * Paid calls: the credits of a call are charged in the transaction that stores its response, so you never pay twice for a call.
 *
 * - A repeat with the same idempotency key gets the stored response, for `answerRetention`. Repeats that arrive while the call runs wait
 *   for it and get its response or failure. Failures are not stored.
 * - A response that is longer than `maxStoredBytes`, or that does not fit into the team's storage, is not stored. Its repeats are refused,
 *   because making the call again without a charge would be free.
 * - A call that is interrupted before it ends is not charged; a repeat that waited for it makes the call itself. A call that has ended is
 *   stored and charged even if it is interrupted while it waits.
 * - Calls that end at about the same time share a transaction: a group of ended calls waits up to `longestWait` for others, while any run.
 *   If it fails, each of them gets a transaction of its own.
 */
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as FiberRef from "effect/FiberRef"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Conflict, type PaymentRequired, type RateLimited } from "../../Api/Errors.ts"
import { nextTurn } from "../../Callback/EventLoop.ts"
import { ensuringWithin } from "../../Callback/Lean.ts"
import * as BulkStatement from "../../Database/BulkStatement.ts"
import { isBusy } from "../../Database/DriverErrors.ts"
import * as GroupCommit from "../../Database/GroupCommit.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { view } from "../Store/Blob.ts"
import { Sql } from "../Store/Sql.ts"
import * as Storage from "../Store/Storage.ts"
import * as JsonBytes from "../Teams/JsonBytes.ts"
import { asTeam } from "../Teams/TeamScheduler.ts"
import { type IdempotentRequest, reused } from "./Idempotency.ts"
import { booking, type Spender, Usage } from "./Usage.ts"

/** Result of a call that costs credits. */
export interface Paid<A> {
  readonly answer: A
  /** Charges the credits, in the transaction that stores the response. */
  readonly book: Effect.Effect<void>
  /** Items to add in the same transaction, such as pages to the search index. */
  readonly adds?: Addition | undefined
}

interface Addition {
  readonly to: (items: ReadonlyArray<unknown>) => Effect.Effect<void>
  readonly items: ReadonlyArray<unknown>
}

/** Addition of items by `to`, which is called once per transaction with the items of all its calls. */
export const adding = <Item>(
  to: (items: ReadonlyArray<Item>) => Effect.Effect<void>,
  ...items: ReadonlyArray<Item>
): Addition => ({ to: to as Addition["to"], items })

/** Team that pays for a call, and the idempotency key of its repeats. */
export interface Caller {
  readonly team: Spender
  readonly repeat: IdempotentRequest | undefined
  /** Maximum price in credits. Held while the call runs. */
  readonly price: number
}

/** Time for which repeats get the stored response. */
export const answerRetention = Duration.hours(24)

/** Time at or before which a call must have been made to have expired at `now`. */
const expiryTime = (now: number): number => now - Duration.toMillis(answerRetention)

/** Maximum bytes of a stored response. */
const maxStoredBytes = 20 * 1024 * 1024

/** Maximum milliseconds that a group of ended calls waits for running ones, so that one transaction stores them all. */
const longestWait = 10

/** Parts written in one statement. */
const partsAtOnce = 4

/** Bytes of a response per row. Small, because the driver blocks the event loop while it reads or writes a row. */
const partSize = 1024 * 1024

/** A call that has ended and waits to be stored and charged, in one transaction with others. */
interface Sale extends Omit<Paid<never>, "answer"> {
  readonly team: Spender
  readonly repeat: IdempotentRequest | undefined
  readonly body: Uint8Array
  /** Runs effects below the call's span. */
  readonly below: Below
  /** Set if another process has stored this call meanwhile: it is not charged. */
  wasStored: boolean
  /** Set if this call failed by itself while those that ended with it were stored. */
  failure?: Cause.Cause<never>
}

interface StoredCall {
  readonly request: string
  /** Null if the response was not stored. */
  readonly bytes: number | null
}

const answerNotStored = new Conflict({
  error:
    "The call of this idempotency key was made and paid, but its answer was not stored: the answer was longer than 20 MB, or the team's storage was full. Free some space, then send the call with another idempotency key; it will be made and paid again.",
  code: "ANSWER_NOT_KEPT"
})

const contentType = "application/json"

const partsOf = (body: Uint8Array): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(body.length / partSize) }, (_, part) =>
    body.subarray(part * partSize, (part + 1) * partSize)
  )

const insertParts = BulkStatement.inserting("INSERT INTO paid_call_parts (team, idempotency_key, part, body)", 4)

/** Identifies a call among those of a transaction. */
const nameOf = (team: string, key: string): string => JSON.stringify([team, key])

/** Runs the effect as a part of no call, without a span above it and without the id of a request in its logs. */
const ofNoCall = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.locally(
    Effect.mapInputContext(effect, (_: Context.Context<never>) => Context.empty()),
    FiberRef.currentLogAnnotations,
    HashMap.empty()
  )

/** Runs effects below a span, wherever they run. */
type Below = (effect: Effect.Effect<void>) => Effect.Effect<void>

/** Runs effects below the span of the fiber that asks for it. */
const belowHere: Effect.Effect<Below> = Effect.map(
  Effect.option(Effect.currentParentSpan),
  (span) => (effect) => (Option.isNone(span) ? effect : Effect.withParentSpan(effect, span.value))
)

/** Stores the responses of calls that have a key. Marks those that another process has stored in the meantime. */
const storing = (sql: Sql, limits: Storage.Limits) =>
  Effect.fnUntraced(function* (sales: ReadonlyArray<Sale>) {
    const keys = JSON.stringify(
      sales.flatMap(({ repeat, team }) => (repeat === undefined ? [] : [[team.id, repeat.key]]))
    )
    if (keys === "[]") return
    const now = yield* Clock.currentTimeMillis
    const expiredBefore = expiryTime(now)
    yield* sql`DELETE FROM paid_call_parts
      WHERE (team, idempotency_key) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${keys}))
        AND NOT EXISTS (SELECT 1 FROM paid_calls AS call WHERE call.team = paid_call_parts.team
          AND call.idempotency_key = paid_call_parts.idempotency_key AND call.at > ${expiredBefore})`
    const free = new Map<string, number>()
    const rows: Array<readonly [team: string, key: string, request: string, bytes: number | null]> = []
    const parts: Array<readonly [team: string, key: string, part: number, body: Uint8Array]> = []
    for (const { body, repeat, team } of sales) {
      if (repeat === undefined) continue
      const left = free.get(team.id) ?? limits.team - (yield* Storage.used(sql, team.id))
      const isKept = body.length <= Math.min(maxStoredBytes, left)
      free.set(team.id, isKept ? left - body.length : left)
      rows.push([team.id, repeat.key, repeat.request, isKept ? body.length : null])
      if (isKept) parts.push(...partsOf(body).map((bytes, part) => [team.id, repeat.key, part, bytes] as const))
    }
    const stored = yield* sql<{ readonly team: string; readonly idempotency_key: string }>`INSERT INTO paid_calls
      (team, idempotency_key, request, bytes, at)
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, ${now} FROM json_each(${JSON.stringify(rows)}) WHERE true
      ON CONFLICT (team, idempotency_key) DO UPDATE
        SET request = excluded.request, bytes = excluded.bytes, at = excluded.at
        WHERE paid_calls.at <= ${expiredBefore}
      RETURNING team, idempotency_key`
    const names = new Set(stored.map(({ idempotency_key, team }) => nameOf(team, idempotency_key)))
    for (const sale of sales) {
      sale.wasStored = sale.repeat !== undefined && !names.has(nameOf(sale.team.id, sale.repeat.key))
    }
    const own = parts.filter(([team, key]) => names.has(nameOf(team, key)))
    let written = 0
    for (const some of Arr.chunksOf(own, partsAtOnce)) {
      yield* insertParts(sql, [], some, (part) => part)
      for (const [, , , { length }] of some) written += length
      if (written < partSize) continue
      written = 0
      yield* nextTurn
    }
  })

export class PaidCalls extends Effect.Service<PaidCalls>()("sluice/Engine/Usage/PaidCalls", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const usage = yield* Usage
    const limits = yield* Storage.StorageLimits
    const store = storing(sql, limits)
    const share = makeShared<HttpServerResponse.HttpServerResponse>()

    const rowOf = ({ id }: Spender, { key }: IdempotentRequest) => sql`team = ${id} AND idempotency_key = ${key}`

    /** Finds the paid call with this key; undefined if there is none. Fails if the key was used for another request. */
    const find = (team: Spender, repeat: IdempotentRequest): Effect.Effect<StoredCall | undefined, Conflict> =>
      Effect.gen(function* () {
        const rows = yield* sql<StoredCall>`SELECT request, bytes FROM paid_calls
          WHERE ${rowOf(team, repeat)} AND at > ${expiryTime(yield* Clock.currentTimeMillis)}`
        const kept = rows[0]
        return kept === undefined || kept.request === repeat.request ? kept : yield* reused(repeat)
      })

    /** Number of calls that have not ended. */
    let running = 0
    /** Stores and charges calls, and adds their items, in one transaction. */
    const sellTogether = (sales: ReadonlyArray<Sale>) =>
      Effect.gen(function* () {
        yield* store(sales)
        const added = new Map<Addition["to"], { readonly below: Below; readonly items: Array<unknown> }>()
        for (const { adds, below, book, wasStored } of sales) {
          if (wasStored) continue
          yield* below(book)
          if (adds === undefined) continue
          const known = added.get(adds.to) ?? { below, items: [] }
          known.items.push(...adds.items)
          added.set(adds.to, known)
        }
        for (const [add, { below, items }] of added) yield* below(add(items))
      }).pipe(sql.withTransaction, booking, ofNoCall)
    const sellAlone = (sale: Sale) =>
      Effect.catchAllCause(sellTogether([sale]), (cause) =>
        Effect.sync(() => {
          sale.failure = cause
        })
      )
    const sell = GroupCommit.make<Sale, never>(
      (sales) =>
        // Nothing was stored, and the failure may concern only one of them, unless another process blocks the file.
        Effect.catchAllCause(sellTogether(sales), (cause) =>
          sales.length === 1 || isBusy(Cause.squash(cause))
            ? Effect.failCause(cause)
            : Effect.forEach(sales, sellAlone, { discard: true })
        ),
      { longest: longestWait, expectsMore: () => running > 0 }
    )

    const respond = (body: Uint8Array) => HttpServerResponse.uint8Array(body, { contentType })

    /** Streams the stored response, with one part in memory at a time. */
    const replay = (team: Spender, repeat: IdempotentRequest, contentLength: number) => {
      const read = Effect.fnUntraced(function* (part: number) {
        const rows = yield* sql<{ body: ArrayBuffer | Uint8Array }>`SELECT body FROM paid_call_parts
          WHERE ${rowOf(team, repeat)} AND part = ${part}`
        const row = rows[0]
        // The response expired while it was being sent, so the connection is cut.
        return row === undefined ? yield* Effect.dieMessage("The stored answer has expired") : view(row.body)
      })
      const body = Stream.unfoldEffect(0, (part) =>
        part * partSize >= contentLength
          ? Effect.succeedNone
          : Effect.map(read(part), (bytes) => Option.some([bytes, part + 1] as const))
      )
      return HttpServerResponse.stream(body, { contentType, contentLength })
    }

    /** Makes the call and charges it, or returns the stored response of an earlier call. */
    const answer = Trace.fn("PaidCalls.answer")(
      <A, I, E, R>(
        schema: Schema.Schema<A, I>,
        { price, repeat, team }: Caller,
        call: Effect.Effect<Paid<A>, E, R>
      ): Effect.Effect<HttpServerResponse.HttpServerResponse, E | Conflict | PaymentRequired | RateLimited, R> => {
        const encode = Schema.encode(schema)
        const ended: Effect.Effect<Sale, E, R> = Effect.gen(function* () {
          const { adds, answer, book } = yield* call
          const body = yield* JsonBytes.write(yield* Effect.orDie(encode(answer)))
          return { adds, below: yield* belowHere, body, book, repeat, team, wasStored: false }
        })
        const made = Effect.uninterruptibleMask((restore) => {
          running++
          const counted = ensuringWithin(restore(ended), (hasFailed) => {
            running--
            if (hasFailed) sell.look()
          })
          // In the engine's own turn: a group must not wait for the turn of the team whose call came first.
          return Effect.flatMap(counted, (sale) =>
            asTeam("")(sell(sale)).pipe(
              Effect.zipRight(Effect.yieldNow()),
              Effect.flatMap(() => (sale.failure === undefined ? Effect.succeed(sale) : Effect.failCause(sale.failure)))
            )
          )
        })
        if (repeat === undefined)
          return usage.within(
            team,
            price,
            Effect.map(made, ({ body }) => respond(body))
          )
        return share(
          team,
          repeat,
          Effect.gen(function* () {
            const before = yield* find(team, repeat)
            if (before !== undefined)
              return before.bytes === null ? yield* answerNotStored : replay(team, repeat, before.bytes)
            const paidNow = Effect.gen(function* () {
              const { body, wasStored } = yield* made
              const paid = wasStored ? yield* find(team, repeat) : undefined
              return typeof paid?.bytes === "number" ? replay(team, repeat, paid.bytes) : respond(body)
            })
            return yield* usage.within(team, price, paidNow)
          })
        )
      }
    )

    return { answer }
  })
}) {}

interface RunningCall<A> {
  readonly request: string
  /** Result of the call. Its errors fit every waiter, because a repeat that waits makes the same request. */
  readonly outcome: Deferred.Deferred<Exit.Exit<A, unknown>>
}

/** Shares the running calls of this process between their repeats. Keeps nothing of calls that have ended. */
export const makeShared = <A>() => {
  const calls = new Map<string, RunningCall<A>>()

  /** Makes the call or waits for it. Returns undefined if the call it waited for was interrupted. */
  const attempt = <E, R>(id: string, repeat: IdempotentRequest, work: Effect.Effect<A, E, R>) =>
    Effect.uninterruptibleMask((restore): Effect.Effect<A | undefined, E | Conflict, R> => {
      const other = calls.get(id)
      if (other === undefined) {
        const outcome: RunningCall<A>["outcome"] = Deferred.unsafeMake(FiberId.none)
        calls.set(id, { request: repeat.request, outcome })
        return Effect.onExit(restore(work), (exit) => {
          calls.delete(id)
          return Deferred.succeed(outcome, exit)
        })
      }
      if (other.request !== repeat.request) return reused(repeat)
      return Effect.flatMap(restore(Deferred.await(other.outcome)), (exit) =>
        Exit.isFailure(exit) && Cause.isInterrupted(exit.cause) ? Effect.succeed(undefined) : (exit as Exit.Exit<A, E>)
      )
    })

  /** Does the work, or waits for the same call if it is already running, and returns its response or failure. */
  const share = <E, R>(
    team: Spender,
    repeat: IdempotentRequest,
    work: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | Conflict, R> =>
    Effect.flatMap(attempt(JSON.stringify([team.id, repeat.key]), repeat, work), (answer) =>
      answer === undefined ? share(team, repeat, work) : Effect.succeed(answer)
    )
  return share
}
