/** Answers that were paid for: durable before they are used, and held until a checkpoint covers what they led to. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Batch from "../../Database/Batch.ts"
import * as Fingerprint from "../../Database/Fingerprint.ts"
import * as Text from "../../Database/Text.ts"
import type { Json } from "../../Row.ts"
import type { Call } from "../Ledger.ts"
import { fromText, toText } from "./Connection.ts"

type Sql = SqlClient.SqlClient

const priceOf = ({ credits }: Call): string => (credits === undefined ? "none" : credits === null ? "unknown" : "known")

/** Keeps answers and books them with their run. Says what they have cost together. */
export const put = (sql: Sql, run: string, calls: ReadonlyArray<Call>, now: number) =>
  Effect.gen(function* () {
    let credits = 0
    let unpriced = 0
    for (const call of calls) {
      if (call.credits === null) unpriced++
      credits += call.credits ?? 0
      yield* sql`INSERT INTO calls ${sql.insert({
        run_id: run,
        step: call.step,
        mark: Text.encode(call.mark),
        answer: toText(call.answer),
        credits: call.credits ?? null,
        price: priceOf(call),
        page_key: call.page === undefined ? null : Text.encode(call.page.key),
        at: now
      })} ON CONFLICT (run_id, step, ${Fingerprint.of(sql, "mark")}) DO UPDATE SET answer = excluded.answer, page_key = excluded.page_key,
        credits = coalesce(calls.credits, 0) + coalesce(excluded.credits, 0), price = excluded.price, at = excluded.at`
    }
    const pages = calls.reduce((sum, { page, pages = page === undefined ? 0 : 1 }) => sum + pages, 0)
    yield* sql`UPDATE runs SET call_credits = call_credits + ${credits}, call_unpriced = call_unpriced + ${unpriced},
      call_pages = call_pages + ${pages}, updated_at = ${now} WHERE id = ${run}`
    return { credits, unpriced }
  })

const settle = Batch.make({
  before: "UPDATE calls SET answer = NULL WHERE run_id = $1 AND step = $2 AND fingerprint(mark) IN (",
  row: (own) => `fingerprint(${own})`,
  after: ")",
  shared: 2,
  width: 1
})

/** Lets go of answers; what they cost stays. */
export const settled = (
  sql: Sql,
  run: string,
  marks: ReadonlyArray<{ readonly step: string; readonly mark: string }>
) => {
  const steps = new Map<string, Array<string>>()
  for (const { mark, step } of marks) {
    const known = steps.get(step)
    if (known === undefined) steps.set(step, [Text.encode(mark)])
    else known.push(Text.encode(mark))
  }
  return Effect.forEach(steps, ([step, all]) => settle(sql, [run, step], all, (mark) => [mark]), { discard: true })
}

/** The answers that are still held, by step and mark. */
export const answers = (sql: Sql, run: string) =>
  Effect.map(
    sql<{ step: string; mark: string; answer: string }>`SELECT step, mark, answer FROM calls
      WHERE run_id = ${run} AND answer IS NOT NULL`,
    (rows) => {
      const steps = new Map<string, Map<string, Json>>()
      for (const { answer, mark, step } of rows) {
        const known = steps.get(step) ?? new Map<string, Json>()
        steps.set(step, known.set(Text.decode(mark), fromText(answer)))
      }
      return steps
    }
  )

export const booked = (sql: Sql, run: string) =>
  Effect.map(
    sql<{ call_credits: number; call_unpriced: number; call_pages: number }>`SELECT call_credits, call_unpriced,
      call_pages FROM runs WHERE id = ${run}`,
    ([row]) => ({
      credits: Number(row?.call_credits ?? 0),
      unpriced: Number(row?.call_unpriced ?? 0),
      pages: Number(row?.call_pages ?? 0)
    })
  )
