/**
 * Paid calls: a call is booked in one transaction with its answer.
 *
 * A call repeated under its idempotency key gets the same answer; concurrent repeats wait for the first. It is refused if the answer was too
 * large to store, or the storage of the team was full: repeating it would make it free.
 */
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Conflict, type PaymentRequired, type RateLimited } from "../../Api/Errors.ts"
import { type IdempotentRequest, reused } from "../Idempotency.ts"
import * as JsonBytes from "../JsonBytes.ts"
import { view } from "../Store/Blob.ts"
import * as Storage from "../Store/Storage.ts"
import { booking, type Spender, Usage } from "./Usage.ts"

/** What came of a call. */
export interface Paid<A> {
  readonly answer: A
  /** Books what it cost; in one transaction with the storing of the answer. */
  readonly book: Effect.Effect<void, SqlError.SqlError>
}

/** Whose call it is, and what makes another one its repeat. */
export interface Caller {
  readonly team: Spender
  readonly repeat: IdempotentRequest | undefined
  /** Credits that it costs at most: they are held while it is made. */
  readonly price: number
}

/** How long a repeat gets the first answer. */
export const keptFor = Duration.hours(24)

/** Bytes of an answer that is kept; of a longer one, and of one that its team has no room for, only that it is paid is kept. */
const maxKept = 20 * 1024 * 1024

/** Bytes written and read at once: the driver blocks meanwhile. */
const partSize = 1024 * 1024

interface Kept {
  readonly request: string
  /** Null for an answer that is not kept. */
  readonly bytes: number | null
}

const notKept = new Conflict({
  error:
    "The call of this idempotency key was made and paid, but its answer was not kept: it was longer than 20 MB, or the team's storage was full. Make room, and send the call with another idempotency key: it is made and paid again.",
  code: "ANSWER_NOT_KEPT"
})

const contentType = "application/json"

const partsOf = (body: Uint8Array): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(body.length / partSize) }, (_, part) =>
    body.subarray(part * partSize, (part + 1) * partSize)
  )

export class PaidCalls extends Effect.Service<PaidCalls>()("sluice/Engine/Usage/PaidCalls", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const usage = yield* Usage
    const limits = yield* Storage.StorageLimits
    const once = make<HttpServerResponse.HttpServerResponse>()

    /** When a call that has expired by now was made at the latest. */
    const expired = Effect.map(Clock.currentTimeMillis, (now) => now - Duration.toMillis(keptFor))

    const own = ({ id }: Spender, { key }: IdempotentRequest) => sql`team = ${id} AND idempotency_key = ${key}`

    /** The call that was paid under the key; undefined when there is none. */
    const find = (
      team: Spender,
      repeat: IdempotentRequest
    ): Effect.Effect<Kept | undefined, Conflict | SqlError.SqlError> =>
      Effect.gen(function* () {
        const rows = yield* sql<Kept>`SELECT request, bytes FROM paid_calls
          WHERE ${own(team, repeat)} AND at > ${yield* expired}`
        const kept = rows[0]
        return kept === undefined || kept.request === repeat.request ? kept : yield* reused(repeat)
      })

    /** Writes what is kept of a call; false when another process has paid for it meanwhile. */
    const keep = Effect.fnUntraced(function* (team: Spender, repeat: IdempotentRequest, body: Uint8Array) {
      const over = yield* expired
      yield* sql`DELETE FROM paid_call_parts WHERE ${own(team, repeat)}
        AND NOT EXISTS (SELECT 1 FROM paid_calls WHERE ${own(team, repeat)} AND at > ${over})`
      const names = { team: team.id, idempotency_key: repeat.key }
      const free = limits.team - (yield* Storage.used(sql, team.id))
      const bytes = body.length > Math.min(maxKept, free) ? null : body.length
      const mine = yield* sql`INSERT INTO paid_calls
        ${sql.insert({ ...names, request: repeat.request, bytes, at: yield* Clock.currentTimeMillis })}
        ON CONFLICT (team, idempotency_key) DO UPDATE
          SET request = excluded.request, bytes = excluded.bytes, at = excluded.at
          WHERE paid_calls.at <= ${over}
        RETURNING at`
      if (mine.length === 0) return false
      yield* Effect.forEach(
        bytes === null ? [] : partsOf(body),
        (body, part) => sql`INSERT INTO paid_call_parts ${sql.insert({ ...names, part, body })}`,
        { discard: true }
      )
      return true
    })

    const respond = (body: Uint8Array) => HttpServerResponse.uint8Array(body, { contentType })

    /** The stored bytes as they are, a part at a time. */
    const replay = (team: Spender, repeat: IdempotentRequest, contentLength: number) => {
      const read = Effect.fnUntraced(function* (part: number) {
        const rows = yield* sql<{ body: ArrayBuffer | Uint8Array }>`SELECT body FROM paid_call_parts
          WHERE ${own(team, repeat)} AND part = ${part}`
        const row = rows[0]
        // It may expire while it is sent: then it is cut, like every answer that does not reach its end.
        return row === undefined ? yield* Effect.dieMessage("The stored answer has expired") : view(row.body)
      })
      const body = Stream.unfoldEffect(0, (part) =>
        part * partSize >= contentLength
          ? Effect.succeedNone
          : Effect.map(read(part), (bytes) => Option.some([bytes, part + 1] as const))
      )
      return HttpServerResponse.stream(body, { contentType, contentLength })
    }

    /** Makes the call and books it, or gives the answer of the call that it repeats. Only answers are kept, not failures. */
    const answer = Effect.fn("PaidCalls.answer")(
      <A, I, E, R>(
        schema: Schema.Schema<A, I>,
        { price, repeat, team }: Caller,
        call: Effect.Effect<Paid<A>, E, R>
      ): Effect.Effect<
        HttpServerResponse.HttpServerResponse,
        E | Conflict | PaymentRequired | RateLimited | SqlError.SqlError,
        R
      > => {
        const encode = Schema.encode(schema)
        const made = Effect.gen(function* () {
          const { answer, book } = yield* call
          const body = yield* JsonBytes.write(yield* Effect.orDie(encode(answer)))
          return { body, book }
        })
        if (repeat === undefined) {
          const booked = Effect.flatMap(made, ({ body, book }) =>
            Effect.as(booking(sql.withTransaction(book)), respond(body))
          )
          return usage.within(team, price, booked)
        }
        return once(
          team,
          repeat,
          Effect.gen(function* () {
            const before = yield* find(team, repeat)
            if (before !== undefined) return before.bytes === null ? yield* notKept : replay(team, repeat, before.bytes)
            const paidNow = Effect.gen(function* () {
              const { body, book } = yield* made
              const paid = yield* booking(
                sql.withTransaction(
                  Effect.gen(function* () {
                    if (!(yield* keep(team, repeat, body))) return yield* find(team, repeat)
                    yield* book
                  })
                )
              )
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

interface Call<A> {
  readonly request: string
  /** Of the same request, and so with the same failures. */
  readonly outcome: Deferred.Deferred<Exit.Exit<A, unknown>>
}

/** What holds the calls of this process that have not been answered yet, and nothing else. */
export const make = <A>() => {
  const calls = new Map<string, Call<A>>()

  /** Undefined when the one who was waited for left before there was an answer. */
  const attempt = <E, R>(id: string, repeat: IdempotentRequest, work: Effect.Effect<A, E, R>) =>
    Effect.uninterruptibleMask((restore): Effect.Effect<A | undefined, E | Conflict, R> => {
      const other = calls.get(id)
      if (other === undefined) {
        const outcome: Call<A>["outcome"] = Deferred.unsafeMake(FiberId.none)
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

  /** Does the work, or waits for whoever does it already: what he gets, an answer or a failure, everybody gets. */
  const once = <E, R>(
    team: Spender,
    repeat: IdempotentRequest,
    work: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | Conflict, R> =>
    Effect.flatMap(attempt(JSON.stringify([team.id, repeat.key]), repeat, work), (answer) =>
      answer === undefined ? once(team, repeat, work) : Effect.succeed(answer)
    )
  return once
}
