/**
 * Budget of a run: a limit that is never exceeded where prices are known.
 *
 * - `reserve` reserves the highest price of a call before the call is made; no two calls get the same credits. A job
 *   reserves its full price, and gets as many pages as are left. `release` returns what was not used.
 * - A call that does not fit waits while others hold reservations that may be returned; otherwise it fails with
 *   `BudgetReached`.
 * - The first call of unknown price runs alone. Later ones reserve ten times the highest price so far, and run alone
 *   again if that does not fit, so at most one call exceeds the limit. Jobs of unknown price get one page for each
 *   remaining credit, and are cancelled as soon as the credits are used up.
 * - If others spend from the same budget (of a day, or of a run on many machines), the account is in the ledger:
 *   reservations of a killed process stay there until its run is resumed, or the day is over. Otherwise the account is
 *   in memory, and a resume starts from what the ledger has booked.
 * - Reservations are made and returned by any fiber; rows and bytes are admitted under the commit lock.
 */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import type { BudgetUsage, Decision, ReservationChange, ReservedAmount, Usage } from "../Ledger/SharedLimits.ts"
import type { Budget as Limits } from "../Pipeline/Budget.ts"
import type { Row } from "../Row.ts"
import * as Cost from "../Step/Cost.ts"
import { BudgetReached, Stopped } from "../Step/StepError.ts"
import type { Buying, OpenSink, Reservation, StepError } from "../Step.ts"
import type { Counters } from "./Progress.ts"
import type { ShutdownSignal } from "./Shutdown.ts"

/** Account that holds the reservations. */
export interface Account {
  /** Calls `decide` with the current usage, and stores what it grants under the id. Atomic. */
  readonly reserve: (id: string, decide: (standing: BudgetUsage) => Decision) => Effect.Effect<Decision, StepError>
  /** Returns the rest of a reservation. */
  readonly release: (id: string) => Effect.Effect<void, StepError>
  readonly used: Effect.Effect<Usage, StepError>
  /** True when other processes may return reservations: a run that waits has to poll. */
  readonly isShared: boolean
}

/** Identifies a call within a run, also after a resume. */
export interface CallId {
  readonly step: string
  readonly mark: string
}

export interface Budget {
  /**
   * Reserves the highest price of a call, and waits while reservations of others may be returned. Fails with
   * `BudgetReached` when nothing is left, and with `Stopped` when the run shuts down while it waits.
   */
  readonly reserve: (call: CallId, buying: Buying) => Effect.Effect<Reservation, StepError>
  /** Reserves for a job that is running already: as much of its price as is left. */
  readonly takeOver: (call: CallId, buying: Buying) => Effect.Effect<Reservation, StepError>
  /**
   * Records the reported price of a call, or of a page of a job; undefined when none was reported. Returns a warning
   * the first time that happens.
   */
  readonly learn: (step: string, credits: number | undefined) => string | undefined
  /** Upper bound of the bytes of each row; empty when bytes are not limited. Call it once per row. */
  readonly measure: (
    rows: ReadonlyArray<Row>,
    sizeOf: OpenSink["sizeOf"] | undefined
  ) => Effect.Effect<ReadonlyArray<number>>
  /**
   * Admits as many of these rows as may be written now, counts them, and returns their number; 0 when the limit is
   * reached. It may admit fewer than fit, so that sinks downstream get their share of the bytes. Under the commit lock.
   */
  readonly admit: (
    rows: ReadonlyArray<Row>,
    sink: { readonly countsRows: boolean; readonly sizes: ReadonlyArray<number> }
  ) => Effect.Effect<number, StepError>
  /** Requests a shutdown when jobs of unknown price have used up the credits. */
  readonly watch: Effect.Effect<void, StepError>
  /** Fails with `BudgetReached` after the time limit. */
  readonly inTime: Effect.Effect<void, StepError>
  /** Requests a shutdown at the time limit, then completes. */
  readonly timeOver: Effect.Effect<void>
  /** Changed reservations, for the next checkpoint. */
  readonly changes: () => ReadonlyArray<ReservationChange>
  /** Called after the checkpoint with these changes has been committed. */
  readonly saved: (changes: ReadonlyArray<ReservationChange>) => void
  /** Description of the limit that was reached. */
  readonly reached: Effect.Effect<string | undefined, StepError>
  readonly rate: Cost.PriceOf
}

/** Usage at a time, in milliseconds since 1970. */
export interface BudgetBaseline extends Usage {
  readonly since: number
}

/** Start of the UTC day, for a budget per day. */
export const dayOf = (instant: number): number => Math.floor(instant / 86_400_000) * 86_400_000

const count = (number: number, noun: string): string =>
  `${Number(number.toFixed(2)).toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`

/** A call of unknown price reserves this many times the highest price so far. */
const unknownPriceFactor = 10

/** Id of the reservation for admitted rows that no checkpoint has yet. Calls of a step have a slash in theirs. */
const outputReservation = "~outputs"

/** A sink gets at most this fraction of the remaining bytes at once, so that other sinks get some, too. */
const sharesOfBytes = 4

/** Tolerance for rounding errors in sums of credits. */
const epsilon = 1e-9

/** Time between two looks for reservations that other processes have returned. */
const pollInterval = "250 millis"

/** Largest number up to `most` that fits. `fits` is monotonic. */
const largest = (most: number, fits: (units: number) => boolean): number => {
  if (fits(most)) return most
  let low = 0
  let high = Math.min(most, 2 ** 31)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}

/** Prices that the service has reported for the calls of a step. */
interface ObservedPrice {
  /** Highest price of a call, or of a page of a job. */
  dearest: number
  /** True once a call came without a price. */
  hasUnpriced: boolean
}

/** Reservation that is not yet settled. */
interface OpenReservation {
  held: ReservedAmount
  isOver: boolean
  /** True once the job has ended: the rest of the reservation will be booked when its remaining pages are read. */
  isFirm: boolean
  /** True once a shared account knows that it is firm. */
  firmInLedger: boolean
  /** True for a job of unknown price: its spending is compared with the limit while it runs. */
  readonly isWatched: boolean
}

const none: ReservedAmount = { credits: 0, pages: 0 }

/** Spending of this run, for an account. */
export interface Spending {
  /** Ids of the reservations that may still be returned, in part or in whole. */
  readonly openReservations: () => ReadonlySet<string>
  /** Usage since this process resumed the run. */
  readonly own: () => Usage
  readonly whole: () => Usage
}

export interface BudgetOptions {
  readonly limits: Limits | undefined
  readonly counters: Counters
  readonly shutdown: ShutdownSignal
  readonly rate: Cost.PriceOf
  /** Account of a shared budget; default: one for this run alone. */
  readonly account?: ((run: Spending) => Account) | undefined
  /** Start of the `duration`; default: now. */
  readonly since?: number | undefined
}

/** Account for this run alone: its usage since it was resumed, and its open reservations. */
const localAccount = (open: ReadonlyMap<string, OpenReservation>, own: () => Usage): Account => ({
  isShared: false,
  reserve: (asked, decide) =>
    Effect.sync(() => {
      let { credits, pages } = own()
      let isBusy = false
      for (const [id, { held, isFirm, isOver }] of open) {
        if (isOver || id === asked) continue
        isBusy ||= !isFirm && (held.credits > 0 || held.pages > 0)
        credits += held.credits
        pages += held.pages
      }
      return decide({ used: { ...own(), credits, pages }, isBusy })
    }),
  release: () => Effect.void,
  used: Effect.sync(own)
})

export const make = ({
  account: shared,
  counters,
  shutdown,
  limits,
  rate,
  since
}: BudgetOptions): Effect.Effect<Budget> =>
  Effect.gen(function* () {
    const begin = since ?? (yield* Clock.currentTimeMillis)
    const whole = (): Usage => ({
      credits: counters.credits,
      pages: counters.pages,
      rows: counters.outputRows,
      bytes: counters.outputBytes
    })
    const start = whole()
    const own = (): Usage => {
      const { bytes, credits, pages, rows } = whole()
      return {
        credits: credits - start.credits,
        pages: pages - start.pages,
        rows: rows - start.rows,
        bytes: bytes - start.bytes
      }
    }
    const per = limits?.per === "day" ? "a day" : "a run"
    const open = new Map<string, OpenReservation>()
    const learned = new Map<string, ObservedPrice>()
    const account =
      shared?.({
        // A reservation that was returned in memory counts in the ledger until the next checkpoint, so waiting for it
        // helps.
        openReservations: () =>
          new Set(Array.from(open).flatMap(([id, { firmInLedger, isOver }]) => (isOver || !firmInLedger ? [id] : []))),
        own,
        whole
      }) ?? localAccount(open, own)
    let refusal: string | undefined
    let changed = yield* Deferred.make<void>()
    const wanted = yield* Deferred.make<void>()

    /** Wakes all fibers that wait for a reservation. */
    const notify = () => {
      const before = changed
      changed = Deferred.unsafeMake(FiberId.none)
      Deferred.unsafeDone(before, Effect.void)
    }

    const room = ({ credits, pages }: Usage): ReservedAmount => ({
      credits: limits?.credits === undefined ? Number.POSITIVE_INFINITY : limits.credits - credits,
      pages: limits?.pages === undefined ? Number.POSITIVE_INFINITY : limits.pages - pages
    })

    const exceeded = (now: number, used: Usage): string | undefined => {
      if (limits === undefined) return undefined
      for (const name of ["credits", "pages", "rows", "bytes"] as const) {
        const limit = limits[name]
        if (limit !== undefined && used[name] >= limit)
          return `${count(used[name], name.slice(0, -1))} of ${limit.toLocaleString("en-US")} ${per}`
      }
      const { duration } = limits
      return duration !== undefined && now - begin >= Duration.toMillis(duration)
        ? `${Duration.format(duration)} are over`
        : undefined
    }

    /** The message names what the call may cost: something may be left, but not enough. */
    const refused = (step: string, { credits, pages }: Usage, price: number | undefined, more: number): Decision => {
      const left = room({ credits, pages, rows: 0, bytes: 0 })
      const lacks = (price ?? 0) > left.credits + epsilon || left.credits <= epsilon
      const why =
        lacks && limits?.credits !== undefined
          ? `${count(credits, "credit")} of ${limits.credits.toLocaleString("en-US")} ${per}${
              left.credits > epsilon ? `, and the next call of ${step} may take ${count(price ?? 0, "credit")}` : ""
            }`
          : `${count(pages, "page")} of ${(limits?.pages ?? 0).toLocaleString("en-US")} ${per}${
              left.pages > 0 ? `, and the next call of ${step} may take ${count(more, "page")}` : ""
            }`
      return { _tag: "Refused", why }
    }

    const decide =
      (step: string, { cost, isJob = false, most = 1, pages = () => 0 }: Buying) =>
      ({ isBusy, used }: BudgetUsage): Decision => {
        const left = room(used)
        const known = (units: number) => (limits?.credits === undefined ? 0 : Cost.mostCredits(cost(units), rate))
        const { dearest = 0, hasUnpriced = false } = learned.get(step) ?? {}
        const isKnown = known(1) !== undefined
        const price = (units: number): number => {
          const told = known(units)
          // A service may cost more than its price list says.
          if (told !== undefined) {
            const unit = isJob ? 1 : most
            return dearest > (known(unit) ?? 0) + epsilon ? (isJob ? dearest * units : dearest) : told
          }
          // A page costs at least a credit. Jobs of unknown price are watched while they run.
          if (isJob) return hasUnpriced ? 0 : Math.max(1, dearest) * units
          return hasUnpriced ? 0 : dearest * unknownPriceFactor
        }
        const fits = (units: number): boolean =>
          pages(units) <= left.pages &&
          (left.credits === Number.POSITIVE_INFINITY ||
            (price(units) <= left.credits + epsilon &&
              // A call of unknown price needs some credits left; the first call of a step runs alone (below).
              (isKnown || (left.credits > epsilon && (isJob || hasUnpriced || dearest > 0)))))
        const units = largest(most, fits)
        if (units >= most) return granted(units, price(units), pages(units))
        if (isBusy) return { _tag: "Wait" }
        if (units >= 1) return granted(units, price(units), pages(units))
        const mayGoAlone = !isKnown && left.credits > epsilon && pages(1) <= left.pages
        if (mayGoAlone) {
          const some = largest(most, (units) => pages(units) <= left.pages)
          return granted(isJob ? 1 : some, left.credits, pages(some))
        }
        return refused(step, used, isKnown ? price(1) : undefined, pages(1))
      }

    const granted = (
      units: number,
      credits: number,
      pages: number,
      output: Partial<ReservedAmount> = {}
    ): Decision => ({
      _tag: "Granted",
      units,
      reserved: {
        credits: limits?.credits === undefined ? 0 : credits,
        pages: limits?.pages === undefined ? 0 : pages,
        ...output
      }
    })

    /** Remembers the highest price of a step; returns a warning the first time that a price is missing. */
    const learn = (step: string, credits: number | undefined): string | undefined => {
      const known = learned.get(step) ?? { dearest: 0, hasUnpriced: false }
      learned.set(step, known)
      if (credits !== undefined) known.dearest = Math.max(known.dearest, credits)
      else if (limits?.credits !== undefined && !known.hasUnpriced) {
        known.hasUnpriced = true
        return `${step}: the service does not say what calls cost, so \`budget.credits\` cannot count them; \`budget.pages\` can`
      }
      return undefined
    }

    const isUnknown = ({ cost, isJob = false }: Buying): boolean =>
      isJob && Cost.mostCredits(cost(1), rate) === undefined

    const reservation = (
      { id, isWatched, step }: { readonly id: string; readonly isWatched: boolean; readonly step: string },
      units: number,
      held: ReservedAmount
    ): Reservation => {
      const mine: OpenReservation = { held, isOver: false, isFirm: false, firmInLedger: false, isWatched }
      open.set(id, mine)
      const end = () => {
        if (mine.isOver) return
        mine.isOver = true
        mine.held = none
        if (open.get(id) === mine) {
          if (account.isShared) counters.uncommitted++
          else open.delete(id)
        }
        notify()
      }
      return {
        id: account.isShared ? id : undefined,
        units,
        spend: (credits, pages) => {
          if (isWatched && pages > 0) learn(step, credits / pages)
          mine.held = {
            credits: Math.max(0, mine.held.credits - credits),
            pages: Math.max(0, mine.held.pages - pages)
          }
        },
        settle: () => {
          open.delete(id)
          end()
        },
        shrink: (credits, pages = Number.POSITIVE_INFINITY) => {
          const { held } = mine
          const isNew = !mine.isFirm || credits < held.credits || pages < held.pages
          mine.held = { credits: Math.min(held.credits, credits), pages: Math.min(held.pages, pages) }
          mine.isFirm = true
          if (!isNew) return
          if (account.isShared) counters.uncommitted++
          notify()
        },
        end,
        release: Effect.suspend(() => {
          if (!open.delete(id)) return Effect.void
          return Effect.zipRight(Effect.ignoreLogged(account.release(id)), Effect.sync(end))
        }),
        wanted: Effect.suspend(() => Deferred.await(wanted))
      }
    }

    /** Without a limit of credits or pages, nothing is reserved. */
    const isFree = limits === undefined || (limits.credits === undefined && limits.pages === undefined)
    const unlimited: Reservation = {
      id: undefined,
      units: Number.POSITIVE_INFINITY,
      spend: () => {},
      settle: () => {},
      shrink: () => {},
      end: () => {},
      release: Effect.void,
      wanted: Effect.never
    }

    const waitFor = (change: Deferred.Deferred<void>) => {
      const waits = Deferred.await(change)
      return Effect.raceFirst(
        account.isShared ? Effect.raceFirst(waits, Effect.sleep(pollInterval)) : waits,
        shutdown.requested
      )
    }

    const reserve = ({ mark, step }: CallId, buying: Buying): Effect.Effect<Reservation, StepError> => {
      const { most = 1 } = buying
      if (isFree) return Effect.succeed({ ...unlimited, units: most })
      return Effect.suspend(() => {
        const id = `${step}/${mark}`
        const attempt: Effect.Effect<Reservation, StepError> = Effect.suspend(() => {
          // Read before the decision: a reservation that is returned after the decision ends the wait.
          const change = changed
          return Effect.flatMap(account.reserve(id, decide(step, buying)), (decision) => {
            switch (decision._tag) {
              case "Granted":
                return Effect.succeed(
                  reservation({ id, step, isWatched: isUnknown(buying) }, decision.units, decision.reserved)
                )
              case "Refused":
                refusal ??= decision.why
                return new BudgetReached({ message: `the budget is used up: ${decision.why}` })
              default:
                if (shutdown.reason() !== undefined) {
                  return new Stopped({ message: "the run comes to a stop" })
                }
                // Asks running jobs to return what they no longer need.
                return Deferred.succeed(wanted, undefined).pipe(
                  Effect.zipRight(Effect.interruptible(waitFor(change))),
                  Effect.zipRight(attempt)
                )
            }
          })
        })
        // Uninterruptible, so that a granted reservation always has an owner who returns it.
        return Effect.uninterruptible(attempt)
      })
    }

    const takeOver = ({ mark, step }: CallId, buying: Buying) => {
      const { cost, most = 1, pages = () => 0 } = buying
      return isFree
        ? Effect.succeed({ ...unlimited, units: most })
        : Effect.suspend(() => {
            const id = `${step}/${mark}`
            const force = ({ used }: BudgetUsage): Decision => {
              const left = room(used)
              const units = Math.min(most, 2 ** 31)
              return granted(
                most,
                Math.max(0, Math.min(left.credits, Cost.mostCredits(cost(units), rate) ?? left.credits)),
                Math.max(0, Math.min(left.pages, pages(units)))
              )
            }
            return Effect.map(account.reserve(id, force), (decision) =>
              reservation(
                { id, step, isWatched: isUnknown(buying) },
                most,
                decision._tag === "Granted" ? decision.reserved : none
              )
            )
          }).pipe(Effect.uninterruptible)
    }

    /** Usage in the last checkpoint. */
    let committed = start
    const uncommitted = () => ({
      rows: counters.outputRows - committed.rows,
      bytes: counters.outputBytes - committed.bytes
    })

    /** Counts and returns how many of these rows fit, given the usage so far. */
    const fitting = (
      rows: ReadonlyArray<Row>,
      sizes: ReadonlyArray<number>,
      countsRows: boolean,
      used: Pick<Usage, "rows" | "bytes">
    ) => {
      const bytes = limits?.bytes ?? Number.POSITIVE_INFINITY
      const most = (countsRows ? limits?.rows : undefined) ?? Number.POSITIVE_INFINITY
      const slice = (bytes - used.bytes) / sharesOfBytes
      let fits = 0
      let size = 0
      while (fits < rows.length && (fits === 0 || size < slice)) {
        const next = sizes[fits] ?? 0
        if (used.rows + fits >= most) {
          if (fits > 0) break
          refusal ??= `${most.toLocaleString("en-US")} ${most === 1 ? "row" : "rows"} of ${most.toLocaleString("en-US")} ${per}`
          break
        }
        if (used.bytes + size + next > bytes) {
          if (fits > 0) break
          refusal ??= `${count(used.bytes + size, "byte")} of ${bytes.toLocaleString("en-US")} ${per}, and the next row has up to ${count(next, "byte")}`
          break
        }
        size += next
        fits++
      }
      counters.outputRows += countsRows ? fits : 0
      counters.outputBytes += size
      return fits
    }

    const measure: Budget["measure"] = (rows, sizeOf) =>
      limits?.bytes === undefined || sizeOf === undefined ? Effect.succeed([]) : sizeOf(rows)

    const admit: Budget["admit"] = (rows, { countsRows, sizes }) => {
      if (limits === undefined || (limits.rows === undefined && limits.bytes === undefined)) {
        return Effect.succeed(rows.length)
      }
      if (!account.isShared) return Effect.sync(() => fitting(rows, sizes, countsRows, own()))
      return Effect.suspend(() => {
        const before = { rows: counters.outputRows, bytes: counters.outputBytes }
        let fits = 0
        const decide = ({ used }: BudgetUsage): Decision => {
          // A repeated transaction decides again, from the same counters.
          Object.assign(counters, { outputRows: before.rows, outputBytes: before.bytes })
          const mine = uncommitted()
          fits = fitting(rows, sizes, countsRows, { rows: used.rows + mine.rows, bytes: used.bytes + mine.bytes })
          return granted(fits, 0, 0, uncommitted())
        }
        return Effect.map(account.reserve(outputReservation, decide), () => fits)
      })
    }

    return {
      rate,
      admit,
      measure,
      reserve,
      takeOver,
      learn,
      reached: Effect.suspend(() =>
        refusal !== undefined
          ? Effect.succeed(refusal)
          : Effect.zipWith(Clock.currentTimeMillis, account.used, exceeded)
      ),
      changes: () => {
        if (!account.isShared) return []
        const jobs = Array.from(open, ([id, { held, isFirm, isOver }]): ReservationChange => {
          return { id, remaining: isOver ? undefined : held, isFirm }
        })
        // From now on the checkpoint has these rows, so they need no reservation.
        const { bytes, rows } = uncommitted()
        return rows + bytes > 0 ? [...jobs, { id: outputReservation, remaining: undefined, isFirm: true }] : jobs
      },
      saved: (changes) => {
        for (const { id, isFirm, remaining } of changes) {
          if (id === outputReservation) committed = whole()
          const kept = open.get(id)
          if (kept === undefined) continue
          if (remaining === undefined && kept.isOver) open.delete(id)
          if (isFirm && kept.isFirm) kept.firmInLedger = true
        }
        if (changes.length > 0) notify()
      },
      inTime:
        limits?.duration === undefined
          ? Effect.void
          : Effect.flatMap(Clock.currentTimeMillis, (now) => {
              const { duration = Duration.zero } = limits
              if (now - begin < Duration.toMillis(duration)) return Effect.void
              refusal ??= `${Duration.format(duration)} are over`
              return new BudgetReached({ message: `the budget is used up: ${refusal}` })
            }),
      timeOver:
        limits?.duration === undefined
          ? Effect.never
          : Effect.flatMap(Clock.currentTimeMillis, (now) =>
              Effect.sleep(Math.max(0, begin + Duration.toMillis(limits.duration ?? Duration.zero) - now))
            ).pipe(
              Effect.zipRight(
                Effect.suspend(() => {
                  refusal ??= `${Duration.format(limits.duration ?? Duration.zero)} are over`
                  return shutdown.request("budget")
                })
              )
            ),
      watch: Effect.suspend(() => {
        if (limits?.credits === undefined) return Effect.void
        const { credits: limit } = limits
        if (![...open.values()].some(({ isOver, isWatched }) => isWatched && !isOver)) return Effect.void
        return Effect.flatMap(account.used, ({ credits }) =>
          credits >= limit - epsilon ? shutdown.request("budget") : Effect.void
        )
      })
    }
  })
