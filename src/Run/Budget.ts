/**
 * Budget of a run: limits that are never exceeded if prices are known.
 *
 * - Credits, pages and calls are reserved before each call (`Reservations.ts`); rows and bytes are admitted to outputs, under
 *   the commit lock; the `duration` ends the run by a shutdown.
 * - The run reports the first limit that refuses anything.
 * - A checkpoint records the reservations of a shared account, and ends the reservation of the rows that it contains. After a
 *   crash, a run with its own account starts from the amounts that the ledger has booked.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { sleepUntil } from "../Callback/Lean.ts"
import type { BudgetUsage, Decision, ReservationChange, Usage } from "../Ledger/Model.ts"
import type { Row } from "../Row.ts"
import type * as Cost from "../Step/Cost.ts"
import { BudgetReached } from "../Step/StepError.ts"
import type { Buying, OpenSink, Reservation, StepError } from "../Step.ts"
import type { Counters } from "./Progress.ts"
import {
  type CallId,
  epsilon,
  type Limits,
  limitText,
  localAccount,
  type MakeAccount,
  minus,
  quantity,
  Reservations,
  type Spending
} from "./Reservations.ts"
import type { ShutdownSignal } from "./Shutdown.ts"

export interface Budget {
  /**
   * Reserves the highest price of a call; waits while reservations of others may be returned. Fails with
   * `BudgetReached` if nothing is left, and with `Stopped` if the run shuts down while waiting.
   */
  readonly reserve: (call: CallId, buying: Buying) => Effect.Effect<Reservation, StepError>
  /** Reserves credits for a job that is already running: as much of its price as is left. */
  readonly takeOver: (call: CallId, buying: Buying) => Effect.Effect<Reservation, StepError>
  /** Records the reported price of a call, or of a page of a job; undefined if none was reported. */
  readonly learn: (step: string, credits: number | undefined) => void
  /** Upper bound of the bytes of each row; empty if bytes are not limited. Call it once per row. */
  readonly measure: (
    rows: ReadonlyArray<Row>,
    sizeOf: OpenSink["sizeOf"] | undefined
  ) => Effect.Effect<ReadonlyArray<number>>
  /**
   * Admits as many of these rows as may be written now, counts them, and returns their number; 0 if the limit is
   * reached. May admit fewer than fit, so that sinks downstream get their share of the bytes. Call it under the commit lock.
   */
  readonly admit: (rows: ReadonlyArray<Row>, output: Output) => Effect.Effect<number, StepError>
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

/** An output to which rows are admitted. */
interface Output {
  /** False downstream of another output, which has already counted the rows. */
  readonly countsRows: boolean
  /** Upper bound of the bytes of each row; empty if bytes are not limited. */
  readonly sizes: ReadonlyArray<number>
}

/** Usage at the start of a resumed run: the budget counts only usage beyond it. */
export interface BudgetBaseline extends Usage {
  /** When the usage was read, in milliseconds since 1970. */
  readonly since: number
}

export interface BudgetOptions {
  readonly limits: Limits | undefined
  readonly counters: Counters
  readonly shutdown: ShutdownSignal
  readonly rate: Cost.PriceOf
  /** Account of a shared budget; default: one for this run alone. */
  readonly account?: MakeAccount | undefined
  /** Start of the `duration`; default: now. */
  readonly since?: number | undefined
}

/** State of a budget. Only the functions of this module change it. */
interface BudgetState extends Pick<BudgetOptions, "counters" | "shutdown"> {
  readonly limits: Limits
  /** Start of the `duration`, in milliseconds since 1970. */
  readonly begin: number
  readonly spending: Spending
  readonly reservations: Reservations
  /** Usage at the last checkpoint. */
  committed: Usage
  /** Reason for the first refusal. */
  refusal: string | undefined
}

const usageOf = ({ calls, credits, outputBytes, outputRows, pages }: Counters): Usage => ({
  credits,
  pages,
  calls,
  rows: outputRows,
  bytes: outputBytes
})

const noLimits: Limits = { per: "run", onReached: "stop" }

/** The definition's budget, with the credits of one run also limited by its start options. A daily budget keeps its own limit, too. */
export const bounded = (limits: Limits | undefined, ownCredits: number | undefined): Limits | undefined => {
  if (ownCredits === undefined) return limits
  if (limits?.per === "day") return { ...limits, ownCredits }
  return { ...noLimits, ...limits, credits: Math.min(limits?.credits ?? Number.POSITIVE_INFINITY, ownCredits) }
}

// Time

const timeIsOver = (duration: Duration.Duration): string => `${Duration.format(duration)} are over`

const isTimeOver = ({ begin, limits: { duration } }: BudgetState, now: number): boolean =>
  duration !== undefined && now - begin >= Duration.toMillis(duration)

const inTime = (state: BudgetState, duration: Duration.Duration): Effect.Effect<void, StepError> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (!isTimeOver(state, now)) return Effect.void
    state.refusal ??= timeIsOver(duration)
    return new BudgetReached({ message: `the budget is used up: ${state.refusal}` })
  })

const timeOver = (state: BudgetState, duration: Duration.Duration): Effect.Effect<void> =>
  Effect.gen(function* () {
    yield* sleepUntil(state.begin + Duration.toMillis(duration))
    state.refusal ??= timeIsOver(duration)
    yield* state.shutdown.request("budget")
  })

// Rows and bytes

/** Id of the reservation for admitted rows that are not in a checkpoint yet. Ids for calls contain a slash. */
const outputReservation = "~outputs"

/** A sink gets at most a quarter of the remaining bytes at a time, so that other sinks get some, too. */
const sharesOfBytes = 4

/** Rows and bytes admitted since the last checkpoint. */
const uncommitted = ({ committed, counters }: BudgetState) => ({
  rows: counters.outputRows - committed.rows,
  bytes: counters.outputBytes - committed.bytes
})

/** Counts as many of the rows as fit, given the usage so far, and returns their number. */
const admitRows = (
  state: BudgetState,
  rows: ReadonlyArray<Row>,
  { countsRows, sizes }: Output,
  used: Pick<Usage, "rows" | "bytes">
): number => {
  const { counters, limits } = state
  const maxBytes = limits.bytes ?? Number.POSITIVE_INFINITY
  const maxRows = (countsRows ? limits.rows : undefined) ?? Number.POSITIVE_INFINITY
  const share = (maxBytes - used.bytes) / sharesOfBytes
  /** Reason why the row after `fits` rows does not fit. */
  const refusalOf = (fits: number, bytes: number, next: number): string | undefined => {
    if (used.rows + fits >= maxRows) return `${quantity(maxRows, "row")} of ${limitText(maxRows, limits)}`
    if (used.bytes + bytes + next <= maxBytes) return undefined
    return `${quantity(used.bytes + bytes, "byte")} of ${limitText(maxBytes, limits)}, and the next row has up to ${quantity(next, "byte")}`
  }
  let fits = 0
  let bytes = 0
  while (fits < rows.length && (fits === 0 || bytes < share)) {
    const next = sizes[fits] ?? 0
    const refusal = refusalOf(fits, bytes, next)
    if (refusal !== undefined) {
      // If some rows fit, nothing is refused yet: the next call decides.
      if (fits === 0) state.refusal ??= refusal
      break
    }
    bytes += next
    fits++
  }
  counters.outputRows += countsRows ? fits : 0
  counters.outputBytes += bytes
  return fits
}

/** Admits rows in a shared account: its reservation covers all rows since the last checkpoint. */
const admitShared = (state: BudgetState, rows: ReadonlyArray<Row>, output: Output): Effect.Effect<number, StepError> =>
  Effect.suspend(() => {
    const { counters, reservations } = state
    const before = { outputRows: counters.outputRows, outputBytes: counters.outputBytes }
    let fits = 0
    const decide = ({ used }: BudgetUsage): Decision => {
      // If the transaction is repeated, decide again from the same counters.
      Object.assign(counters, before)
      const own = uncommitted(state)
      fits = admitRows(state, rows, output, { rows: used.rows + own.rows, bytes: used.bytes + own.bytes })
      return { _tag: "Granted", units: fits, reserved: { credits: 0, pages: 0, ...uncommitted(state) } }
    }
    return Effect.map(reservations.account.reserve(outputReservation, decide), () => fits)
  })

const admit = (state: BudgetState, rows: ReadonlyArray<Row>, output: Output): Effect.Effect<number, StepError> => {
  const { limits, reservations, spending } = state
  if (limits.rows === undefined && limits.bytes === undefined) return Effect.succeed(rows.length)
  return reservations.account.isShared
    ? admitShared(state, rows, output)
    : Effect.sync(() => admitRows(state, rows, output, spending.own()))
}

// Checkpoints

const changes = (state: BudgetState): ReadonlyArray<ReservationChange> => {
  const { reservations } = state
  if (!reservations.account.isShared) return []
  const { bytes, rows } = uncommitted(state)
  // The checkpoint contains these rows, so they no longer need a reservation.
  const admitted = { id: outputReservation, remaining: undefined, isFirm: true }
  return [...reservations.changes(), ...(rows + bytes > 0 ? [admitted] : [])]
}

const saved = (state: BudgetState, changes: ReadonlyArray<ReservationChange>): void => {
  if (changes.some(({ id }) => id === outputReservation)) state.committed = state.spending.whole()
  state.reservations.saved(changes)
}

// Limits

/** Description of the first limit that the usage has reached. */
const exceeded = (state: BudgetState, now: number, used: Usage): string | undefined => {
  const { limits } = state
  for (const name of ["credits", "pages", "calls", "rows", "bytes"] as const) {
    const limit = limits[name]
    if (limit !== undefined && used[name] >= limit)
      return `${quantity(used[name], name.slice(0, -1))} of ${limitText(limit, limits)}`
  }
  const own = state.spending.own().credits
  if (limits.ownCredits !== undefined && own >= limits.ownCredits)
    return `${quantity(own, "credit")} of ${limitText(limits.ownCredits, noLimits)}`
  return limits.duration !== undefined && isTimeOver(state, now) ? timeIsOver(limits.duration) : undefined
}

const watch = (state: BudgetState): Effect.Effect<void, StepError> => {
  const { limits, reservations, shutdown, spending } = state
  const { credits: limit, ownCredits = Number.POSITIVE_INFINITY } = limits
  return Effect.suspend(() =>
    limit === undefined || !reservations.hasWatched()
      ? Effect.void
      : Effect.flatMap(reservations.account.used, ({ credits }) =>
          credits >= limit - epsilon || spending.own().credits >= ownCredits - epsilon
            ? shutdown.request("budget")
            : Effect.void
        )
  )
}

/** Makes the budget of a run; without limits it grants everything. */
export const make = (options: BudgetOptions): Effect.Effect<Budget> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const { account = localAccount, counters, limits = noLimits, rate, shutdown, since = now } = options
    const start = usageOf(counters)
    const whole = () => usageOf(counters)
    const spending: Spending = { whole, own: () => minus(whole(), start) }
    const onRefused = (why: string) => {
      state.refusal ??= why
    }
    const reservations = new Reservations({ limits, counters, shutdown, rate, spending, account, onRefused })
    const state: BudgetState = {
      limits,
      counters,
      shutdown,
      begin: since,
      spending,
      reservations,
      committed: start,
      refusal: undefined
    }
    const { duration } = limits
    return {
      rate,
      reserve: (call, buying) => reservations.reserve(call, buying),
      takeOver: (call, buying) => reservations.takeOver(call, buying),
      learn: (step, credits) => reservations.learn(step, credits),
      measure: (rows, sizeOf) =>
        limits.bytes === undefined || sizeOf === undefined ? Effect.succeed([]) : sizeOf(rows),
      admit: (rows, output) => admit(state, rows, output),
      watch: watch(state),
      inTime: duration === undefined ? Effect.void : inTime(state, duration),
      timeOver: duration === undefined ? Effect.never : timeOver(state, duration),
      changes: () => changes(state),
      saved: (changes) => saved(state, changes),
      reached: Effect.suspend(() =>
        state.refusal !== undefined
          ? Effect.succeed(state.refusal)
          : Effect.zipWith(Clock.currentTimeMillis, reservations.account.used, (now, used) =>
              exceeded(state, now, used)
            )
      )
    }
  })
