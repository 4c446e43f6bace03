/**
 * Answers of paid calls. An answer is stored before it is used, and dropped once a checkpoint contains the rows made from it; its price
 * stays.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as BulkStatement from "../Database/BulkStatement.ts"
import * as Dialect from "../Database/Dialect.ts"
import type { Json } from "../Row.ts"
import { fromText, toText } from "./Connection.ts"
import type { Call } from "./Model.ts"

type Sql = SqlClient.SqlClient

/** A call with the text of its answer. */
export interface StoredCall extends Omit<Call, "answer"> {
  readonly text: string
}

/** Turns the answer into text before calls are stored together: one that has no text must not fail for others. */
export const toStored = ({ answer, ...call }: Call): StoredCall => ({ ...call, text: toText(answer) })

const priceKind = ({ credits }: Pick<Call, "credits">): string =>
  credits === undefined ? "none" : credits === null ? "unknown" : "known"

// Built once for statements that run for each answer: building one costs as much as executing it.

const insertCall = BulkStatement.make({
  before: "INSERT INTO calls (run_id, at, step, mark, answer, credits, price, page_key) VALUES ",
  row: (own) => `($1, $2, ${own})`,
  after: ` ON CONFLICT (run_id, step, fingerprint(mark)) DO UPDATE SET answer = excluded.answer, page_key = excluded.page_key,
    price = excluded.price, at = excluded.at, credits = coalesce(calls.credits, 0) + coalesce(excluded.credits, 0)`,
  shared: 2,
  width: 6
})

const addBookings = `UPDATE runs SET call_credits = call_credits + $1, call_unpriced = call_unpriced + $2,
  call_pages = call_pages + $3, call_count = call_count + $4, updated_at = $5 WHERE id = $6`

/** Stores answers and books them with their run. Returns their total price. */
export const putCalls = (sql: Sql, run: string, calls: ReadonlyArray<StoredCall>, now: number) =>
  Effect.gen(function* () {
    let credits = 0
    let unpriced = 0
    let booked = 0
    let pages = 0
    for (const call of calls) {
      const { credits: price, page } = call
      if (price !== undefined) booked++
      if (price === null) unpriced++
      credits += price ?? 0
      pages += call.pages ?? (page === undefined ? 0 : 1)
    }
    // Postgres refuses to upsert a row twice in one statement: if two calls share a step and a mark, each call gets its own statement.
    const marks = new Set(calls.map(({ mark, step }) => JSON.stringify([step, mark])))
    for (const some of marks.size === calls.length ? [calls] : calls.map((call) => [call])) {
      yield* insertCall(sql, [run, now], some, (call) => [
        call.step,
        Dialect.encodeText(call.mark),
        call.text,
        call.credits ?? null,
        priceKind(call),
        call.page === undefined ? null : Dialect.encodeText(call.page.key)
      ])
    }
    yield* sql.unsafe(addBookings, [credits, unpriced, pages, booked, now, run])
    return { credits, unpriced }
  })

const clearAnswers = BulkStatement.make({
  before: "UPDATE calls SET answer = NULL WHERE run_id = $1 AND step = $2 AND fingerprint(mark) IN (",
  row: (own) => `fingerprint(${own})`,
  after: ")",
  shared: 2,
  width: 1
})

/** Drops the content of answers; keeps their prices. */
export const dropAnswers = (
  sql: Sql,
  run: string,
  marks: ReadonlyArray<{ readonly step: string; readonly mark: string }>
) => {
  const steps = new Map<string, Array<string>>()
  for (const { mark, step } of marks) {
    const known = steps.get(step)
    if (known === undefined) steps.set(step, [Dialect.encodeText(mark)])
    else known.push(Dialect.encodeText(mark))
  }
  return Effect.forEach(steps, ([step, all]) => clearAnswers(sql, [run, step], all, (mark) => [mark]), {
    discard: true
  })
}

/** Stored answers, by step and mark. */
export const loadAnswers = (sql: Sql, run: string) =>
  Effect.map(
    sql<{ step: string; mark: string; answer: string }>`SELECT step, mark, answer FROM calls
      WHERE run_id = ${run} AND answer IS NOT NULL`,
    (rows) => {
      const steps = new Map<string, Map<string, Json>>()
      for (const { answer, mark, step } of rows) {
        const known = steps.get(step) ?? new Map<string, Json>()
        steps.set(step, known.set(Dialect.decodeText(mark), fromText(answer)))
      }
      return steps
    }
  )

export const bookedTotals = (sql: Sql, run: string) =>
  Effect.map(
    sql<{
      call_credits: number
      call_unpriced: number
      call_pages: number
      call_count: number
    }>`SELECT call_credits, call_unpriced, call_pages, call_count FROM runs WHERE id = ${run}`,
    ([row]) => ({
      credits: Number(row?.call_credits ?? 0),
      unpriced: Number(row?.call_unpriced ?? 0),
      pages: Number(row?.call_pages ?? 0),
      calls: Number(row?.call_count ?? 0)
    })
  )
