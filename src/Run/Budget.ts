/**
 * The budget of a run: a cap that is never exceeded where prices are known.
 *
 * - Before a call, `reserve` takes its highest price out of what is left; two calls never get the same credits. What a job
 *   costs is taken out in whole: it gets as many pages as are left. `release` gives back what was not used.
 * - A call that does not fit waits while others hold reservations that may come back, and else fails with `BudgetReached`.
 * - A call of unknown price goes alone the first time. Later ones reserve ten times the dearest so far, and go alone again
 *   when that does not fit: so one call at most goes beyond the cap. Jobs of unknown price are cut to one page for each
 *   credit that is left, and cancelled as soon as the credits are used up.
 * - Where others spend of the same budget (a day's, or that of a run on many machines), the account is in the ledger:
 *   reservations of a killed process stay there until its run is resumed, or the day is over.
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

/** Where reservations are kept. */
export interface Account {
  /** Decides by what counts, and keeps what is granted under the id: nothing comes between the two. */
  readonly reserve: (id: string, decide: (standing: BudgetUsage) => Decision) => Effect.Effect<Decision, StepError>
  /** Gives back what is still held. */
  readonly release: (id: string) => Effect.Effect<void, StepError>
  readonly used: Effect.Effect<Usage, StepError>
  /** True when reservations of others may be given back without a word: a run that waits has to look again. */
  readonly isShared: boolean
}

/** The step that calls, and what tells its calls apart in every life of the run. */
export interface CallId {
  readonly step: string
  readonly mark: string
}

export interface Budget {
  /**
   * Takes the highest price of a call out of what is left, waiting for others where that helps. Fails with
   * `BudgetReached` when nothing is left, and with `Stopped` when the run stops meanwhile.
   */
  readonly reserve: (call: CallId, buying: Buying) => Effect.Effect<Reservation, StepError>
  /** The same for a job that goes on already: it takes what there is. */
  readonly takeOver: (call: CallId, buying: Buying) => Effect.Effect<Reservation, StepError>
  /** What a call, or a page of a job, was told to cost; undefined where the service does not say. Gives a warning once. */
  readonly learn: (step: string, credits: number | undefined) => string | undefined
  /** Bytes of these rows at most, where they are limited. Each row is measured once. */
  readonly measure: (
    rows: ReadonlyArray<Row>,
    sizeOf: OpenSink["sizeOf"] | undefined
  ) => Effect.Effect<ReadonlyArray<number>>
  /**
   * How many of these rows may be written now, which counts them as written; 0 when none may. It may be fewer than fit, so
   * that sinks behind this one get their bytes, too. Under the commit lock.
   */
  readonly admit: (
    rows: ReadonlyArray<Row>,
    sink: { readonly countsRows: boolean; readonly sizes: ReadonlyArray<number> }
  ) => Effect.Effect<number, StepError>
  /** Brings the run to a stop when more was spent than anybody could reserve. */
  readonly watch: Effect.Effect<void, StepError>
  /** Fails with `BudgetReached` when the time is over. */
  readonly inTime: Effect.Effect<void, StepError>
  /** Brings the run to a stop when its time is over; completes then. */
  readonly timeOver: Effect.Effect<void>
  /** Reservations of jobs as the next checkpoint takes them down; undefined held: nothing is left of it. */
  readonly changes: () => ReadonlyArray<ReservationChange>
  /** Called when the checkpoint with these changes is committed. */
  readonly saved: (changes: ReadonlyArray<ReservationChange>) => void
  /** The limit that was reached, in words. */
  readonly reached: Effect.Effect<string | undefined, StepError>
  readonly rate: Cost.PriceOf
}

/** What was used at an instant, in milliseconds since 1970. */
export interface BudgetBaseline extends Usage {
  readonly since: number
}

/** The beginning of the day that a budget per day is for, in UTC. */
export const dayOf = (instant: number): number => Math.floor(instant / 86_400_000) * 86_400_000

const count = (number: number, noun: string): string =>
  `${Number(number.toFixed(2)).toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`

/** How much more than the dearest call so far the next one may cost. */
const unknownPriceFactor = 10

/** Id of the reservation for rows that no checkpoint has yet; no call of a step has one like it. */
const outputReservation = "~outputs"

/** A sink is given this part of the bytes that are left at once, so that others share them. */
const sharesOfBytes = 4

/** Sums of fractions are not exact. */
const epsilon = 1e-9

/** Between two looks at what others have given back. */
const pollInterval = "250 millis"

/** The largest number up to `most` that fits; what fits gets no larger. */
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

/** What calls of a step were told to cost. */
interface ObservedPrice {
  /** The dearest call, or page of a job. */
  dearest: number
  /** True once the service has left a price out. */
  hasUnpriced: boolean
}

/** A reservation while it is held. */
interface OpenReservation {
  held: ReservedAmount
  isOver: boolean
  /** True once its job is over: what it still holds is what reading the rest of the job will book. */
  isFirm: boolean
  /** The same once the ledger has it, where the account is in the ledger. */
  firmInLedger: boolean
  /** True for a job whose price is not known before it starts: what it spends is compared with the limit while it runs. */
  readonly isWatched: boolean
}

const none: ReservedAmount = { credits: 0, pages: 0 }

/** What an account is told of this run. */
export interface Spending {
  /** Ids of the reservations of which something may be given back. */
  readonly openReservations: () => ReadonlySet<string>
  /** What it has spent since it went on, and in all its life. */
  readonly own: () => Usage
  readonly whole: () => Usage
}

export interface BudgetOptions {
  readonly limits: Limits | undefined
  readonly counters: Counters
  readonly shutdown: ShutdownSignal
  readonly rate: Cost.PriceOf
  /** Of a budget that others spend from, too; default: one of this run alone. */
  readonly account?: ((run: Spending) => Account) | undefined
  /** Since when the duration counts; default: now. */
  readonly since?: number | undefined
}

/** An account of this run alone: what it has spent since it went on, and what it holds. */
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
        // What is given back in memory counts in the ledger until the next checkpoint: it is worth the wait.
        openReservations: () =>
          new Set(Array.from(open).flatMap(([id, { firmInLedger, isOver }]) => (isOver || !firmInLedger ? [id] : []))),
        own,
        whole
      }) ?? localAccount(open, own)
    let refusal: string | undefined
    let changed = yield* Deferred.make<void>()
    const wanted = yield* Deferred.make<void>()

    /** Lets everybody who waits look again. */
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

    /** What is left is told with what was asked for: it may be more than nothing. */
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
          // A page costs something: jobs of unknown price are watched, and never larger than that lets them be.
          if (isJob) return hasUnpriced ? 0 : Math.max(1, dearest) * units
          return hasUnpriced ? 0 : dearest * unknownPriceFactor
        }
        const fits = (units: number): boolean =>
          pages(units) <= left.pages &&
          (left.credits === Number.POSITIVE_INFINITY ||
            (price(units) <= left.credits + epsilon &&
              // What has a price nobody has told needs something left, and what may be the first is no exception.
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

    /** Remembers the dearest call of a step; gives a warning the first time that a price is missing. */
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

    /** Nothing is capped: nothing is reserved. */
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
          // Taken before the decision: what is given back after it ends the wait.
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
                // Jobs that hold more than they will need are asked whether they are over.
                return Deferred.succeed(wanted, undefined).pipe(
                  Effect.zipRight(Effect.interruptible(waitFor(change))),
                  Effect.zipRight(attempt)
                )
            }
          })
        })
        // What is granted is given back by whoever has it: nobody is interrupted in between.
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

    /** As the last checkpoint has it. */
    let committed = start
    const uncommitted = () => ({
      rows: counters.outputRows - committed.rows,
      bytes: counters.outputBytes - committed.bytes
    })

    /** How many of these rows fit, beside what was used before; counts them. */
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
          // A transaction that is repeated decides again.
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
        // The checkpoint has these rows from now on.
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
