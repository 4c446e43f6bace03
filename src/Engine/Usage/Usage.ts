/**
 * Usage: an append-only ledger of credits by team, key and endpoint, and the quotas that limit it.
 *
 * `charge` runs in the transaction of its caller, so credits are booked if and only if the result is stored. The count in memory changes at
 * once and is corrected if the transaction fails; run the transaction with {@link booking} for that.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Good } from "../../Api/Charges.ts"
import type { Document } from "../../Api/Document.ts"
import { type PaymentRequired, RateLimited } from "../../Api/Errors.ts"
import { ensuringWithin } from "../../Callback/Lean.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { failing, Sql } from "../Store/Sql.ts"
import * as Metrics from "../Teams/EngineMetrics.ts"
import * as Quota from "./Quota.ts"
import { monthOf } from "./Quota.ts"

/** Team that pays, and the key under which its usage is recorded. */
export interface Spender {
  readonly id: string
  readonly keyId: string
}

/** Price of each kind of usage, in credits per unit. */
export const prices: Readonly<Record<Good, number>> = {
  scrape: 1,
  crawlPage: 1,
  batchPage: 1,
  /** For the formats `json` and `extract`, in addition to the page. */
  jsonFormat: 4,
  parse: 1,
  map: 1,
  /** Per ten results, rounded up. */
  search: 2,
  searchZdr: 10,
  searchAnon: 2,
  crawlPreview: 0,
  /** Per minute of a browser session, rounded up. */
  browser: 2
}

/** Maximum price of the formats of a scrape beyond the page: `json`, and change tracking that compares JSON. */
export const formatsPrice = (formats: ReadonlyArray<unknown> | undefined): number => {
  let jsonDiffs = 0
  let wantsJson = false
  for (const format of formats ?? []) {
    const { modes, type } =
      typeof format === "object" && format !== null
        ? (format as { readonly modes?: unknown; readonly type?: unknown })
        : { modes: undefined, type: format }
    if (type === "json" || type === "extract") wantsJson = true
    if (type === "changeTracking" && Array.isArray(modes) && modes.includes("json")) jsonDiffs++
  }
  return (jsonDiffs + (wantsJson ? 1 : 0)) * prices.jsonFormat
}

/** Adds the price to a document, for responses that have no separate field for credits. */
export const priced = (document: Document, credits: number): Document => ({
  ...document,
  metadata: { ...document.metadata, creditsUsed: credits }
})

export interface UsageMonth {
  /** Start of the UTC month. */
  readonly startDate: Date
  /** Start of the next month; for the current month, its last millisecond. */
  readonly endDate: Date
  /** The key's name, when broken down by key. */
  readonly keyName?: string | undefined
  readonly credits: number
}

export class Usage extends Context.Tag("sluice/Engine/Usage/Usage")<
  Usage,
  {
    /** Books credits; runs inside the caller's transaction when there is one. */
    readonly charge: (team: Spender, good: Good, credits: number) => Effect.Effect<void>
    /** Used and held credits of all teams. */
    readonly quota: Quota.Quota
    /**
     * Reserves the highest possible price of a call while it runs. If other calls of the team have reserved too many credits, waits up to
     * `maxHoldWait`, then fails with `RateLimited`. Fails with `PaymentRequired` at once if the quota is used up.
     */
    readonly within: <A, E, R>(
      team: Spender,
      credits: number,
      call: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | PaymentRequired | RateLimited, R>
    /** Usage of a team by month, from its first use to now, in ascending order. */
    readonly months: (teamId: string, byKey: boolean) => Effect.Effect<ReadonlyArray<UsageMonth>>
  }
>() {}

type OnTransactionEnd = (isCommitted: boolean) => void

/** Listeners for the end of the {@link booking} that this fiber runs; undefined outside of one. */
const endListeners = FiberRef.unsafeMake<Array<OnTransactionEnd> | undefined>(undefined)

/** Calls the listener when the transaction ends; at once when no {@link booking} is running. */
export const onTransactionEnd = (onEnd: OnTransactionEnd): Effect.Effect<void> =>
  Effect.map(FiberRef.get(endListeners), (all) => {
    if (all === undefined) onEnd(true)
    else all.push(onEnd)
  })

/** Runs a transaction that charges or holds credits. If it fails, the change is also undone in memory. */
export const booking = <A, E, R>(transaction: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const all: Array<OnTransactionEnd> = []
    return Effect.onExit(Effect.locally(transaction, endListeners, all), (exit) =>
      Effect.sync(() => {
        for (const onEnd of all.reverse()) onEnd(Exit.isSuccess(exit))
      })
    )
  })

const firstInstant = (month: string): Date => new Date(`${month}-01T00:00:00.000Z`)

const monthAfter = (month: string): string => {
  const first = firstInstant(month)
  return monthOf(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1))
}

interface MonthlySum {
  readonly month: string
  readonly keyName?: string | undefined
  readonly credits: number
}

/** Adds the months and keys without usage, from the first month with usage to the current one. */
const fill = (sums: ReadonlyArray<MonthlySum>, current: string): ReadonlyArray<UsageMonth> => {
  const keys = sums.length === 0 ? [undefined] : [...new Set(sums.map(({ keyName }) => keyName))].sort()
  const credits = new Map(sums.map((sum) => [`${sum.month} ${sum.keyName ?? ""}`, sum.credits]))
  const months: Array<UsageMonth> = []
  const first = sums[0]?.month ?? current
  const last = [current, sums.at(-1)?.month ?? current].sort()[1] ?? current
  for (let month = first; month <= last; month = monthAfter(month)) {
    // The current month has not ended yet: report its last millisecond.
    const next = firstInstant(monthAfter(month))
    const endDate = month === last ? new Date(next.getTime() - 1) : next
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

/** Interval at which the usage of other engines is read from the ledger. */
const refreshInterval = "5 seconds"

/** Milliseconds that a call waits for credits reserved by other calls. */
const maxHoldWait = 10_000

const creditsHeld = new RateLimited({
  error: "Running calls and pages hold all credits that this team has left: please retry after 5s.",
  code: "CREDITS_HELD",
  retryAfter: 5
})

/** The ledger in the engine's store, limited by the quotas. */
export const layerWith = (quotas: Quota.Quotas) =>
  Layer.scoped(
    Usage,
    Effect.gen(function* () {
      const sql = yield* Sql
      const quota = new Quota.Quota(quotas)
      const refresh = Effect.gen(function* () {
        const month = monthOf(yield* Clock.currentTimeMillis)
        quota.update(
          yield* sql<Quota.TeamMonth>`SELECT team, month, sum(credits) AS credits FROM usage_ledger
          WHERE month >= ${month} GROUP BY team, month`
        )
      })
      yield* refresh
      const isLimited = quotas.every !== undefined || quotas.teams.size > 0
      if (isLimited)
        yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.ignoreLogged(failing(refresh)), refreshInterval)))

      const hold = Effect.fnUntraced(function* (team: string, credits: number) {
        const begun = yield* Clock.currentTimeMillis
        let now = begun
        while (!quota.hold(team, now, credits)) {
          if (!quota.fits(team, now, credits)) return yield* quota.refusal(team, now, credits)
          if (now - begun >= maxHoldWait) return yield* creditsHeld
          yield* Effect.interruptible(Effect.sleep("50 millis"))
          now = yield* Clock.currentTimeMillis
        }
      })

      const within = <A, E, R>(team: Spender, credits: number, call: Effect.Effect<A, E, R>) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(hold(team.id, credits), () =>
            ensuringWithin(restore(call), () => quota.giveBack(team.id, credits))
          )
        )

      const charge = Trace.fn("Usage.charge")(function* (team: Spender, good: Good, credits: number) {
        if (credits === 0) return
        const at = yield* Clock.currentTimeMillis
        yield* sql`INSERT INTO usage_ledger ${sql.insert({
          team: team.id,
          key_id: team.keyId,
          month: monthOf(at),
          endpoint: good,
          credits,
          at
        })}`
        // Before the commit, so that later parts of the same transaction see it.
        quota.add(team.id, at, credits)
        const onEnd: OnTransactionEnd = (isCommitted) => {
          if (isCommitted) Metrics.credits.add(credits, good)
          else quota.add(team.id, at, -credits)
        }
        const isInside = Option.isSome(yield* Effect.serviceOption(SqlClient.TransactionConnection))
        yield* isInside ? onTransactionEnd(onEnd) : Effect.sync(() => onEnd(true))
      })

      const months = Trace.fn("Usage.months")(function* (teamId: string, byKey: boolean) {
        const current = monthOf(yield* Clock.currentTimeMillis)
        const rows = yield* byKey
          ? sql<MonthlySum>`SELECT month, key_id AS "keyName", sum(credits) AS credits FROM usage_ledger
            WHERE team = ${teamId} GROUP BY month, key_id ORDER BY month, key_id`
          : sql<MonthlySum>`SELECT month, sum(credits) AS credits FROM usage_ledger
            WHERE team = ${teamId} GROUP BY month ORDER BY month`
        return fill(rows, current)
      })

      return { charge, months, quota, within }
    })
  )

/** The ledger in the engine's store, without quotas. */
export const layer = layerWith(Quota.unlimited)
