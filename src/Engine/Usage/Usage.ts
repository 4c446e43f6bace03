/** What was used, by whom, for what: an append-only ledger in credits (spec 2.1, 4.1). */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Document } from "../../Api/Document.ts"
import * as Metrics from "../Telemetry.ts"

/** Whose usage it is. */
export interface Spender {
  readonly id: string
  readonly keyId: string
}

/** Credits that one unit costs. */
export const prices = {
  scrape: 1,
  crawlPage: 1,
  batchPage: 1,
  /** For `json` or `extract`, beyond the page. */
  jsonFormat: 4,
  parse: 1,
  map: 1,
  /** For each ten results begun. */
  search: 2,
  searchZdr: 10,
  searchAnon: 2,
  crawlPreview: 0,
  /** For each minute begun of a browser session. */
  browser: 2
} as const

/** A document that says what it cost: single answers have no other place for it. */
export const priced = (document: Document, credits: number): Document => ({
  ...document,
  metadata: { ...document.metadata, creditsUsed: credits }
})

export interface UsageMonth {
  /** First instant of the UTC month. */
  readonly startDate: Date
  /** First instant of the next month; undefined while the month runs. */
  readonly endDate: Date | undefined
  /** The key's name, when broken down by key. */
  readonly keyName?: string | undefined
  readonly credits: number
}

export class Usage extends Context.Tag("sluice/Engine/Usage")<
  Usage,
  {
    /** Books credits; runs inside the caller's transaction when there is one. */
    readonly charge: (
      team: Spender,
      endpoint: keyof typeof prices,
      credits: number
    ) => Effect.Effect<void, SqlError.SqlError>
    /** Months ascending, from the team's first use to now. */
    readonly months: (teamId: string, byKey: boolean) => Effect.Effect<ReadonlyArray<UsageMonth>, SqlError.SqlError>
  }
>() {}

/** `2026-03`: sorts as it counts. */
const monthOf = (millis: number): string => new Date(millis).toISOString().slice(0, 7)

const firstInstant = (month: string): Date => new Date(`${month}-01T00:00:00.000Z`)

const monthAfter = (month: string): string => {
  const first = firstInstant(month)
  return monthOf(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1))
}

interface Sum {
  readonly month: string
  readonly keyName?: string | undefined
  readonly credits: number
}

/** Every month from the first use to the current one, for every key seen; what was not used is zero. */
const fill = (sums: ReadonlyArray<Sum>, current: string): ReadonlyArray<UsageMonth> => {
  const keys = sums.length === 0 ? [undefined] : [...new Set(sums.map(({ keyName }) => keyName))].sort()
  const credits = new Map(sums.map((sum) => [`${sum.month} ${sum.keyName ?? ""}`, sum.credits]))
  const months: Array<UsageMonth> = []
  const first = sums[0]?.month ?? current
  const last = [current, sums.at(-1)?.month ?? current].sort()[1] ?? current
  for (let month = first; month <= last; month = monthAfter(month)) {
    const endDate = month === last ? undefined : firstInstant(monthAfter(month))
    for (const keyName of keys) {
      months.push({
        startDate: firstInstant(month),
        endDate,
        ...(keyName === undefined ? {} : { keyName }),
        credits: credits.get(`${month} ${keyName ?? ""}`) ?? 0
      })
    }
  }
  return months
}

/** The ledger in the engine's store. */
export const layer = Layer.effect(
  Usage,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const charge = Effect.fn("Usage.charge")(function* (team: Spender, endpoint: keyof typeof prices, credits: number) {
      if (credits === 0) return
      const at = yield* Clock.currentTimeMillis
      yield* sql`INSERT INTO usage_ledger ${sql.insert({
        team: team.id,
        key_id: team.keyId,
        month: monthOf(at),
        endpoint,
        credits,
        at
      })}`
      Metrics.credits.add(credits, endpoint)
    })

    const months = Effect.fn("Usage.months")(function* (teamId: string, byKey: boolean) {
      const current = monthOf(yield* Clock.currentTimeMillis)
      const rows = yield* byKey
        ? sql<Sum>`SELECT month, key_id AS "keyName", sum(credits) AS credits FROM usage_ledger
            WHERE team = ${teamId} GROUP BY month, key_id ORDER BY month, key_id`
        : sql<Sum>`SELECT month, sum(credits) AS credits FROM usage_ledger
            WHERE team = ${teamId} GROUP BY month ORDER BY month`
      return fill(rows, current)
    })

    return { charge, months }
  })
)
