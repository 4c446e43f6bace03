/** Usage by team and purpose: an append-only ledger in credits. */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Document } from "../../Api/Document.ts"
import { type PaymentRequired, RateLimited } from "../../Api/Errors.ts"
import * as Metrics from "../Telemetry.ts"
import * as Quota from "./Quota.ts"
import { monthOf } from "./Quota.ts"

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

/** What the formats of a scrape cost at most beyond the page: `json`, and change tracking that compares JSON. */
export const formatsPrice = (formats: ReadonlyArray<unknown> | undefined): number => {
  let readings = 0
  let isAsked = false
  for (const format of formats ?? []) {
    const { modes, type } =
      typeof format === "object" && format !== null
        ? (format as { readonly modes?: unknown; readonly type?: unknown })
        : { modes: undefined, type: format }
    if (type === "json" || type === "extract") isAsked = true
    if (type === "changeTracking" && Array.isArray(modes) && modes.includes("json")) readings++
  }
  return (readings + (isAsked ? 1 : 0)) * prices.jsonFormat
}

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
    /** What teams may use, and what is held for calls and pages under way. */
    readonly quota: Quota.Quota
    /**
     * Runs a call while its highest price is held. What other calls hold they may give back, so it waits for it a while, and then fails
     * with `RateLimited`; with `PaymentRequired` when too little is left even so.
     */
    readonly within: <A, E, R>(
      team: Spender,
      credits: number,
      call: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | PaymentRequired | RateLimited, R>
    /** Months ascending, from the team's first use to now. */
    readonly months: (teamId: string, byKey: boolean) => Effect.Effect<ReadonlyArray<UsageMonth>, SqlError.SqlError>
  }
>() {}

/** Told whether the store has taken a transaction. */
type Settled = (isCommitted: boolean) => void

/** Those who wait for the end of the transaction that this fiber runs. */
const waiting = FiberRef.unsafeMake<Array<Settled> | undefined>(undefined)

/** Calls it when the transaction ends; at once when {@link booking} runs none. */
export const whenSettled = (settled: Settled): Effect.Effect<void> =>
  Effect.map(FiberRef.get(waiting), (all) => {
    if (all === undefined) settled(true)
    else all.push(settled)
  })

/** Runs a transaction that charges credits or holds them: when the store does not take it, both are undone in memory. */
export const booking = <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const all: Array<Settled> = []
    return Effect.onExit(Effect.locally(transaction, waiting, all), (exit) =>
      Effect.sync(() => {
        for (const settled of all.reverse()) settled(Exit.isSuccess(exit))
      })
    )
  })

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

/** Between two looks at what other engines have written into the ledger. */
const lookInterval = "5 seconds"

/** Milliseconds that a call waits for credits that others hold. */
const holdPatience = 10_000

const allHeld = new RateLimited({
  error: "The credits that this team has left are held by calls and pages under way: please retry after 5s.",
  code: "CREDITS_HELD",
  retryAfter: 5
})

/** The ledger in the engine's store, with what teams may use. */
export const layerWith = (quotas: Quota.Quotas) =>
  Layer.scoped(
    Usage,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const quota = new Quota.Quota(quotas)
      const look = Effect.gen(function* () {
        const month = monthOf(yield* Clock.currentTimeMillis)
        quota.look(
          yield* sql<Quota.Sum>`SELECT team, month, sum(credits) AS credits FROM usage_ledger
          WHERE month >= ${month} GROUP BY team, month`
        )
      })
      yield* look
      const isLimited = quotas.every !== undefined || quotas.teams.size > 0
      if (isLimited) yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.ignoreLogged(look), lookInterval)))

      const hold = Effect.fnUntraced(function* (team: string, credits: number) {
        const begun = yield* Clock.currentTimeMillis
        let now = begun
        while (!quota.hold(team, now, credits)) {
          if (!quota.fits(team, now, credits)) return yield* quota.refusal(team, now, credits)
          if (now - begun >= holdPatience) return yield* allHeld
          yield* Effect.interruptible(Effect.sleep("50 millis"))
          now = yield* Clock.currentTimeMillis
        }
      })

      const within = <A, E, R>(team: Spender, credits: number, call: Effect.Effect<A, E, R>) =>
        Effect.acquireUseRelease(
          hold(team.id, credits),
          () => call,
          () => Effect.sync(() => quota.giveBack(team.id, credits))
        )

      const charge = Effect.fn("Usage.charge")(function* (
        team: Spender,
        endpoint: keyof typeof prices,
        credits: number
      ) {
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
        // At once: whoever comes next in the same transaction has so much less.
        quota.add(team.id, at, credits)
        const settled: Settled = (isCommitted) => {
          if (isCommitted) Metrics.credits.add(credits, endpoint)
          else quota.add(team.id, at, -credits)
        }
        const isInside = Option.isSome(yield* Effect.serviceOption(SqlClient.TransactionConnection))
        yield* isInside ? whenSettled(settled) : Effect.sync(() => settled(true))
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

      return { charge, months, quota, within }
    })
  )

/** The ledger in the engine's store; every team may use any number of credits. */
export const layer = layerWith(Quota.unlimited)
