/**
 * Reservations of a budget: credits, pages and calls that are granted to calls before the calls are made.
 *
 * - `reserve` grants the highest price of a call; no two calls get the same credits. A job reserves its full price, and
 *   gets as many pages as are left.
 * - A call that does not fit waits while others hold reservations that may be returned; otherwise it fails with
 *   `BudgetReached`.
 * - The first call of unknown price runs alone. Later ones reserve ten times the highest price so far, and run alone
 *   again if that does not fit, so at most one call exceeds the limit. Jobs of unknown price get one page for each
 *   remaining credit, and are cancelled as soon as the credits are used up.
 * - A reservation is open until its call is booked (`settle`), its job has ended (`end`) or nothing was spent
 *   (`release`). After that it stays in the table until a checkpoint has deleted it from the ledger.
 * - The account decides. For a run with its own budget, it is in memory; a resume then starts from the amounts booked in
 *   the ledger. If others spend from the same budget, it is in the ledger, where each grant is one transaction:
 *   reservations of a killed process stay there until its run is resumed, or the day is over.
 * - Any fiber may reserve and return at any time.
 */

import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import type {
  BudgetScope,
  BudgetUsage,
  Decision,
  Journal,
  ReservationChange,
  ReservedAmount,
  Usage
} from "../Ledger/Model.ts"
import type { Ledger } from "../Ledger.ts"
import type { Budget } from "../Pipeline/Definition.ts"
import { count } from "../Row/Count.ts"
import * as Cost from "../Step/Cost.ts"
import { BudgetReached, Stopped } from "../Step/StepError.ts"
import type { Buying, Reservation, StepError } from "../Step.ts"
import type { Counters } from "./Progress.ts"
import { ledgerFailed } from "./RunErrors.ts"
import type { ShutdownSignal } from "./Shutdown.ts"

/** Limits of a run: the budget of its definition. */
export interface Limits extends Budget {
  /** Maximum credits of this run, in addition to a daily budget. */
  readonly ownCredits?: number | undefined
}

/** Account that holds the reservations. */
export interface Account {
  /** Calls `decide` with the current usage, and stores the amount it grants under the id. Atomic. */
  readonly reserve: (id: string, decide: (usage: BudgetUsage) => Decision) => Effect.Effect<Decision, StepError>
  /** Returns the unused rest of a reservation. */
  readonly release: (id: string) => Effect.Effect<void, StepError>
  readonly used: Effect.Effect<Usage, StepError>
  /** True if other processes may return reservations: a waiting run has to poll. */
  readonly isShared: boolean
}

/** Usage of this run, for an account. */
export interface Spending {
  /** Usage since this process resumed the run. */
  readonly own: () => Usage
  /** Usage since the run began. */
  readonly whole: () => Usage
}

type OpenReservations = ReadonlyMap<string, OpenReservation>

/** Makes the account of a run, which reads the table of open reservations but never changes it. */
export type MakeAccount = (spending: Spending, open: OpenReservations) => Account

/** Reservation that is not yet closed by a checkpoint. */
interface OpenReservation {
  held: ReservedAmount
  isOver: boolean
  /** True once the job has ended: the rest of the reservation will be booked while its remaining pages are read. */
  isFirm: boolean
  /** True once a shared account knows that the reservation is firm. */
  firmInLedger: boolean
  /** True for a job of unknown price: its spending is checked against the limit while it runs. */
  readonly isWatched: boolean
}

const plus = (left: Usage, right: Usage): Usage => ({
  credits: left.credits + right.credits,
  pages: left.pages + right.pages,
  calls: left.calls + right.calls,
  rows: left.rows + right.rows,
  bytes: left.bytes + right.bytes
})

export const minus = (left: Usage, { bytes, calls, credits, pages, rows }: Usage): Usage =>
  plus(left, { credits: -credits, pages: -pages, calls: -calls, rows: -rows, bytes: -bytes })

/** Account for this run alone: its usage since the resume, and its open reservations. */
export const localAccount: MakeAccount = ({ own }, open) => ({
  isShared: false,
  reserve: (asked, decide) =>
    Effect.sync(() => {
      let { calls, credits, pages } = own()
      let isBusy = false
      for (const [id, { held, isFirm, isOver }] of open) {
        if (isOver || id === asked) continue
        isBusy ||= !isFirm && (held.credits > 0 || held.pages > 0 || (held.calls ?? 0) > 0)
        credits += held.credits
        pages += held.pages
        calls += held.calls ?? 0
      }
      return decide({ used: { ...own(), credits, pages, calls }, isBusy })
    }),
  release: () => Effect.void,
  used: Effect.sync(own)
})

/** Start of the UTC day, for a daily budget. */
const dayOf = (millis: number): number => Math.floor(millis / 86_400_000) * 86_400_000

export interface AccountOptions {
  readonly ledger: Pick<typeof Ledger.Service, "creditsSince" | "sharedLimits">
  readonly journal: Pick<Journal, "release" | "reserve">
  readonly limits: Limits | undefined
  readonly pipeline: string
  readonly runId: string
  /** Id of the run that this run is a shard of; undefined if it is not a shard. */
  readonly group: string | undefined
  /** Usage of all shards of that run when it was last resumed: the budget counts only what was used since. */
  readonly from: Usage | undefined
}

const noUsage: Usage = { credits: 0, pages: 0, calls: 0, rows: 0, bytes: 0 }

/** Account in the ledger, for a budget shared with other runs: of the same day, or of the same group. */
const sharedAccount =
  ({ from = noUsage, group, journal, ledger, limits, pipeline, runId }: AccountOptions): MakeAccount =>
  ({ own, whole }, open) => {
    const today = Effect.map(Clock.currentTimeMillis, dayOf)
    const scope: Effect.Effect<BudgetScope> =
      limits?.per === "day" || group === undefined
        ? Effect.map(today, (since) => ({ _tag: "Day", pipeline, since }))
        : Effect.succeed({ _tag: "Group", group, from })
    // A returned reservation counts in the ledger until the next checkpoint, so a call can wait for it.
    const returnable = () =>
      new Set(Array.from(open).flatMap(([id, { firmInLedger, isOver }]) => (isOver || !firmInLedger ? [id] : [])))
    // The ledger may not yet contain everything that this run has spent, so the higher number counts.
    const usedToday = Effect.map(
      Effect.flatMap(today, (since) => ledger.creditsSince(pipeline, since)),
      (credits): Usage => ({ ...own(), credits: Math.max(own().credits, credits) })
    )
    // A shard resumed on another machine does not get a new budget.
    const usedBy = (group: string) =>
      Effect.map(ledger.sharedLimits.used(group, runId), (others) => minus(plus(whole(), others), from))
    return {
      isShared: true,
      reserve: (id, decide) =>
        Effect.flatMap(scope, (scope) => journal.reserve({ id, scope, mine: returnable(), decide })).pipe(
          Effect.mapError(ledgerFailed)
        ),
      release: (id) => Effect.mapError(journal.release(id), ledgerFailed),
      used: Effect.mapError(group === undefined ? usedToday : usedBy(group), ledgerFailed)
    }
  }

/** Account of a run: in the ledger for a daily budget and for the shards of a group, otherwise in memory. */
export const accountOf = (options: AccountOptions): MakeAccount => {
  const { group, limits } = options
  const isShared = limits !== undefined && (limits.per === "day" || group !== undefined)
  return isShared ? sharedAccount(options) : localAccount
}

/** Formats an amount for a message: `1,200 credits`. */
export const quantity = (amount: number, noun: string): string => count(Number(amount.toFixed(2)), noun)

/** Formats a limit for a message: `1,000 a run`. */
export const limitText = (limit: number, { per }: Pick<Limits, "per">): string =>
  `${limit.toLocaleString("en-US")} ${per === "day" ? "a day" : "a run"}`

/** A call of unknown price reserves this many times the highest price so far. */
const unknownPriceFactor = 10

/** Tolerance for rounding errors in sums of credits. */
export const epsilon = 1e-9

/** Units granted if no limit applies. */
const maxUnits = 2 ** 31

/** Prices reported by the service for the calls of a step. */
interface ObservedPrice {
  /** Highest price of a call, or of a job's page. */
  dearest: number
  /** True once a call was answered without a price. */
  hasUnpriced: boolean
}

/** A call that requests a reservation, with its possible price. */
interface PricedCall {
  readonly step: string
  readonly buying: Buying
  /** False if the price list lacks something that the call buys. */
  readonly isListed: boolean
  /** False if neither the price list nor an earlier call gives a price. */
  readonly isEstimated: boolean
  /** Highest price for a number of units. */
  readonly price: (units: number) => number
}

/** Estimates the price of a call, from the price list and from the prices of the step's earlier calls. */
const priceCall = (
  step: string,
  buying: Buying,
  { dearest, hasUnpriced }: ObservedPrice,
  listed: (units: number) => number | undefined
): PricedCall => {
  const { isJob = false, most = 1 } = buying
  const price = (units: number): number => {
    const known = listed(units)
    if (known !== undefined) {
      // A service may charge more than in its price list.
      const isDearer = dearest > (listed(isJob ? 1 : most) ?? 0) + epsilon
      return isDearer ? (isJob ? dearest * units : dearest) : known
    }
    if (hasUnpriced) return 0
    // Assume at least one credit per page. Jobs of unknown price are watched while they run.
    return isJob ? Math.max(1, dearest) * units : dearest * unknownPriceFactor
  }
  return {
    step,
    buying,
    isListed: listed(1) !== undefined,
    isEstimated: isJob || hasUnpriced || dearest > 0,
    price
  }
}

/** Largest number up to `most` that fits. `fits` must be monotonic: if a number fits, all smaller ones do. */
const largest = (most: number, fits: (units: number) => boolean): number => {
  if (fits(most)) return most
  let low = 0
  let high = Math.min(most, maxUnits)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}

/** Remaining credits, pages and calls; infinite without a limit. */
const remaining = (
  limits: Limits,
  { calls = 0, credits, pages }: ReservedAmount
): Required<Pick<ReservedAmount, "calls" | "credits" | "pages">> => ({
  calls: limits.calls === undefined ? Number.POSITIVE_INFINITY : limits.calls - calls,
  credits: limits.credits === undefined ? Number.POSITIVE_INFINITY : limits.credits - credits,
  pages: limits.pages === undefined ? Number.POSITIVE_INFINITY : limits.pages - pages
})

/** Grants a call; reserves only amounts that are limited. */
const grant = (limits: Limits, units: number, credits: number, pages: number): Decision => ({
  _tag: "Granted",
  units,
  reserved: {
    credits: limits.credits === undefined ? 0 : credits,
    pages: limits.pages === undefined ? 0 : pages,
    calls: limits.calls === undefined ? 0 : 1
  }
})

/** Refuses a call. The message states the possible cost of the call, because something may be left, but not enough. */
const refuse = (limits: Limits, used: Usage, { buying, isListed, price, step }: PricedCall): Decision => {
  const left = remaining(limits, used)
  if (left.calls < 1)
    return { _tag: "Refused", why: `${quantity(used.calls, "call")} of ${limitText(limits.calls ?? 0, limits)}` }
  const credits = isListed ? price(1) : 0
  const pages = buying.pages?.(1) ?? 0
  const next = (needed: string) => `, and the next call of ${step} may take ${needed}`
  const lacksCredits = limits.credits !== undefined && (credits > left.credits + epsilon || left.credits <= epsilon)
  const why = lacksCredits
    ? `${quantity(used.credits, "credit")} of ${limitText(limits.credits, limits)}${
        left.credits > epsilon ? next(quantity(credits, "credit")) : ""
      }`
    : `${quantity(used.pages, "page")} of ${limitText(limits.pages ?? 0, limits)}${
        left.pages > 0 ? next(quantity(pages, "page")) : ""
      }`
  return { _tag: "Refused", why }
}

/** Decides on a call: grants as many of its units as fit, makes it wait, or refuses it. */
const decide = (limits: Limits, call: PricedCall, { isBusy, used }: BudgetUsage): Decision => {
  const { buying, isEstimated, isListed, price } = call
  const { isJob = false, most = 1, pages = () => 0 } = buying
  const left = remaining(limits, used)
  if (left.calls < 1) return isBusy ? { _tag: "Wait" } : refuse(limits, used, call)
  const hasPages = (units: number) => pages(units) <= left.pages
  const hasCredits = (units: number): boolean =>
    left.credits === Number.POSITIVE_INFINITY ||
    // A call of unknown price needs at least some credits left; the first such call of a step runs alone (below).
    (price(units) <= left.credits + epsilon && (isListed || (left.credits > epsilon && isEstimated)))
  const units = largest(most, (units) => hasPages(units) && hasCredits(units))
  if (units < most && isBusy) return { _tag: "Wait" }
  if (units >= most || units >= 1) return grant(limits, units, price(units), pages(units))
  const mayRunAlone = !isListed && left.credits > epsilon && hasPages(1)
  if (!mayRunAlone) return refuse(limits, used, call)
  const alone = largest(most, hasPages)
  return grant(limits, isJob ? 1 : alone, left.credits, pages(alone))
}

/** Identifies a call within a run, even after a resume. */
export interface CallId {
  readonly step: string
  readonly mark: string
}

const idOf = ({ mark, step }: CallId): string => `${step}/${mark}`

/** Reservation of a call that no limit applies to. */
const unlimited = ({ most = 1 }: Buying): Reservation => ({
  id: undefined,
  units: most,
  spend: () => {},
  settle: () => {},
  shrink: () => {},
  end: () => {},
  release: Effect.void,
  wanted: Effect.never
})

/** Interval of polling for reservations that other processes have returned. */
const pollInterval = "250 millis"

export interface ReservationsOptions {
  readonly limits: Limits | undefined
  readonly counters: Counters
  readonly shutdown: ShutdownSignal
  readonly rate: Cost.PriceOf
  readonly spending: Spending
  readonly account: MakeAccount
  /** Called with the reason when a call is refused. */
  readonly onRefused: (why: string) => void
}

/** Reservations of one run; see the contract at the top of this file. */
export class Reservations {
  readonly #options: ReservationsOptions
  /** Undefined if neither credits, pages nor calls are limited: then nothing is reserved. */
  readonly #limits: Limits | undefined
  readonly #open = new Map<string, OpenReservation>()
  readonly #observed = new Map<string, ObservedPrice>()
  /** Completes when credits or pages are returned; is then replaced by a new one. */
  #returned = Deferred.unsafeMake<void>(FiberId.none)
  /** Completes when a call waits for reservations to be returned. */
  readonly #wanted = Deferred.unsafeMake<void>(FiberId.none)
  readonly account: Account

  constructor(options: ReservationsOptions) {
    const { limits } = options
    this.#options = options
    const isLimited = [limits?.credits, limits?.pages, limits?.calls].some((limit) => limit !== undefined)
    this.#limits = isLimited ? limits : undefined
    this.account = options.account(options.spending, this.#open)
  }

  /** See `Budget.reserve`. Interruptible only while waiting, so that a granted reservation always has an owner. */
  reserve(call: CallId, buying: Buying): Effect.Effect<Reservation, StepError> {
    const limits = this.#limits
    if (limits === undefined) return Effect.succeed(unlimited(buying))
    const { onRefused, shutdown } = this.#options
    const attempt: Effect.Effect<Reservation, StepError> = Effect.suspend(() => {
      // Read before the decision, so that a reservation returned after the decision ends the wait.
      const returned = this.#returned
      const judge = (usage: BudgetUsage) =>
        decide(limits, this.#price(call.step, buying), this.#withOwnLimit(limits, usage, idOf(call)))
      return Effect.flatMap(this.account.reserve(idOf(call), judge), (decision) => {
        switch (decision._tag) {
          case "Granted":
            return Effect.succeed(this.#add(call, buying, decision.units, decision.reserved))
          case "Refused":
            onRefused(decision.why)
            return new BudgetReached({ message: `the budget is used up: ${decision.why}` })
          default:
            if (shutdown.reason() !== undefined) return new Stopped({ message: "the run is stopping" })
            return Effect.zipRight(Effect.interruptible(this.#wait(returned)), attempt)
        }
      })
    })
    return Effect.uninterruptible(attempt)
  }

  /** See `Budget.takeOver`. */
  takeOver(call: CallId, buying: Buying): Effect.Effect<Reservation, StepError> {
    const limits = this.#limits
    if (limits === undefined) return Effect.succeed(unlimited(buying))
    const { cost, most = 1, pages = () => 0 } = buying
    const units = Math.min(most, maxUnits)
    const takeRest = ({ used }: BudgetUsage): Decision => {
      const left = remaining(limits, used)
      const price = Cost.mostCredits(cost(units), this.#options.rate) ?? left.credits
      const granted = grant(
        limits,
        most,
        Math.max(0, Math.min(left.credits, price)),
        Math.max(0, Math.min(left.pages, pages(units)))
      )
      // The start of the job was counted before the resume, so no further call is reserved.
      return granted._tag === "Granted" ? { ...granted, reserved: { ...granted.reserved, calls: 0 } } : granted
    }
    return this.account.reserve(idOf(call), takeRest).pipe(
      Effect.map((decision) =>
        this.#add(call, buying, most, decision._tag === "Granted" ? decision.reserved : { credits: 0, pages: 0 })
      ),
      Effect.uninterruptible
    )
  }

  /** See `Budget.learn`. */
  learn(step: string, credits: number | undefined): void {
    const observed = this.#observed.get(step) ?? { dearest: 0, hasUnpriced: false }
    this.#observed.set(step, observed)
    if (credits !== undefined) observed.dearest = Math.max(observed.dearest, credits)
    else if (this.#limits?.credits !== undefined) observed.hasUnpriced = true
  }

  /** True while a job of unknown price runs. */
  hasWatched(): boolean {
    return [...this.#open.values()].some(({ isOver, isWatched }) => isWatched && !isOver)
  }

  /** State of the open reservations, for a checkpoint in the ledger. */
  changes(): ReadonlyArray<ReservationChange> {
    return Array.from(this.#open, ([id, { held, isFirm, isOver }]) => ({
      id,
      remaining: isOver ? undefined : held,
      isFirm
    }))
  }

  /** Called after a checkpoint with these changes has been committed. */
  saved(changes: ReadonlyArray<ReservationChange>): void {
    for (const { id, isFirm, remaining } of changes) {
      const kept = this.#open.get(id)
      if (kept === undefined) continue
      if (remaining === undefined && kept.isOver) this.#open.delete(id)
      if (isFirm && kept.isFirm) kept.firmInLedger = true
    }
    if (changes.length > 0) this.#wakeWaiting()
  }

  /** Raises the used credits so that the rest of the day's credits does not exceed the rest of this run's own. */
  #withOwnLimit({ credits: limit, ownCredits }: Limits, usage: BudgetUsage, asked: string): BudgetUsage {
    if (ownCredits === undefined || limit === undefined) return usage
    let own = this.#options.spending.own().credits
    for (const [id, { held, isOver }] of this.#open) own += isOver || id === asked ? 0 : held.credits
    const credits = Math.max(usage.used.credits, limit - (ownCredits - own))
    return { ...usage, used: { ...usage.used, credits } }
  }

  /** Estimates the price of a call; the price is 0 if credits are not limited. */
  #price(step: string, buying: Buying): PricedCall {
    const { rate } = this.#options
    const listed = (units: number) =>
      this.#limits?.credits === undefined ? 0 : Cost.mostCredits(buying.cost(units), rate)
    return priceCall(step, buying, this.#observed.get(step) ?? { dearest: 0, hasUnpriced: false }, listed)
  }

  /** Waits until reservations are returned or a shutdown is requested. Signals that a call waits, so that running jobs return theirs. */
  #wait(returned: Deferred.Deferred<void>): Effect.Effect<void> {
    const own = Deferred.await(returned)
    const any = this.account.isShared ? Effect.raceFirst(own, Effect.sleep(pollInterval)) : own
    return Effect.zipRight(
      Deferred.succeed(this.#wanted, undefined),
      Effect.raceFirst(any, this.#options.shutdown.requested)
    )
  }

  #wakeWaiting(): void {
    const before = this.#returned
    this.#returned = Deferred.unsafeMake(FiberId.none)
    Deferred.unsafeDone(before, Effect.void)
  }

  /** Requests a checkpoint, which reports the change to a shared account. */
  #noteChange(): void {
    if (this.account.isShared) this.#options.counters.uncommitted++
  }

  /** Adds a granted reservation to the table. */
  #add(call: CallId, buying: Buying, units: number, held: ReservedAmount): Reservation {
    const id = idOf(call)
    const isWatched = buying.isJob === true && Cost.mostCredits(buying.cost(1), this.#options.rate) === undefined
    const mine: OpenReservation = { held, isOver: false, isFirm: false, firmInLedger: false, isWatched }
    this.#open.set(id, mine)
    const end = () => this.#end(id, mine)
    return {
      id: this.account.isShared ? id : undefined,
      units,
      spend: (credits, pages) => {
        if (isWatched && pages > 0) this.learn(call.step, credits / pages)
        // The first call comes once the start of the job is stored and counted, so the reservation no longer holds a call.
        const isStart = (mine.held.calls ?? 0) > 0
        mine.held = {
          credits: Math.max(0, mine.held.credits - credits),
          pages: Math.max(0, mine.held.pages - pages)
        }
        if (isStart) {
          this.#noteChange()
          this.#wakeWaiting()
        }
      },
      settle: () => {
        this.#open.delete(id)
        end()
      },
      shrink: (credits, pages) => this.#shrink(mine, { credits, pages: pages ?? Number.POSITIVE_INFINITY }),
      end,
      release: Effect.suspend(() => {
        if (!this.#open.delete(id)) return Effect.void
        return Effect.zipRight(Effect.ignoreLogged(this.account.release(id)), Effect.sync(end))
      }),
      wanted: Deferred.await(this.#wanted)
    }
  }

  #end(id: string, mine: OpenReservation): void {
    if (mine.isOver) return
    mine.isOver = true
    mine.held = { credits: 0, pages: 0 }
    if (this.#open.get(id) === mine) {
      this.#noteChange()
      if (!this.account.isShared) this.#open.delete(id)
    }
    this.#wakeWaiting()
  }

  #shrink(mine: OpenReservation, { credits, pages }: ReservedAmount): void {
    const { held, isFirm } = mine
    mine.held = { credits: Math.min(held.credits, credits), pages: Math.min(held.pages, pages) }
    mine.isFirm = true
    if (isFirm && credits >= held.credits && pages >= held.pages) return
    this.#noteChange()
    this.#wakeWaiting()
  }
}
