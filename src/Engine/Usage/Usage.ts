/** What was used, by whom, for what: an append-only ledger in credits (spec 2.1, 4.1). */
import type * as SqlError from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

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
  parse: 1,
  map: 1,
  /** For each ten results begun. */
  search: 2,
  searchZdr: 10,
  searchAnon: 2,
  crawlPreview: 0
} as const

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
