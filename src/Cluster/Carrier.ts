/**
 * Port to the queue that delivers the parts of runs to workers. The carrier knows which parts wait, which are delivered, and whose worker
 * is lost; the definition and result of a part and the end of its run are in the tables of `Submissions.ts` and `Parts.ts`.
 *
 * - Delivery is at least once: a part is with one worker at a time, until that worker settles it or is silent for {@link workerExpiry}.
 *   Then the part is delivered again, under another id or attempt. A worker that was only slow may still execute it, so the lock of its run
 *   in the ledger decides who writes.
 * - `offer`, `settle` and `withdraw` belong to the caller's transaction: a part is recorded and queued together, or neither.
 * - A part is queued once: offering a part that waits or is delivered does nothing. So if in doubt, all open parts may be offered again.
 * - `settle` is fenced: it returns false for a delivery that has been lost, withdrawn or settled, and then nothing may be recorded for it.
 * - Order: runs of a higher priority first. Runs of one priority take turns part by part, because each part has a lower `turn` than the
 *   previous one, and a new run starts at the turn that the others have reached. Neither a large run nor many small ones can starve
 *   another.
 * - Suspects, parts with which several workers were lost, are delivered only to `claim("suspect")`.
 * - All times come from the queue, because the clocks of machines differ.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import { type Priority, priorities } from "../Pipeline/Definition.ts"

const millions = 1_000_000

/**
 * Range of turns for the runs of a priority. The first run starts at `first`, and later runs count down, until no run is active. A run that
 * would leave the range loses its place in the order.
 */
export const turnsOf = (priority: Priority) => {
  const first = (1 - priorities.indexOf(priority)) * 900 * millions
  return { first, lowest: first - 800 * millions, highest: first + 90 * millions }
}

/** Seconds without a heartbeat after which a worker is lost. */
export const workerExpiry = 10

export interface Offer {
  readonly runId: string
  readonly part: number
  /** The part with the highest turn is delivered first. */
  readonly turn: number
  readonly isSuspect?: boolean | undefined
  /** True if the part was deferred before, because another run held what it needs. */
  readonly hasWaited?: boolean | undefined
}

/** A part that is delivered to this worker, with the id of the delivery. */
export interface Delivery extends Offer {
  readonly id: string
  /** Number of earlier deliveries. Fences all calls about this one. */
  readonly attempt: number
}

export class Carrier extends Context.Tag("sluice/Cluster/Carrier")<
  Carrier,
  {
    /** Offers parts, at once or after `afterSeconds`. */
    readonly offer: (offers: ReadonlyArray<Offer>, afterSeconds?: number) => Effect.Effect<void, LedgerError>
    /** Claims up to `count` parts for this worker. If the response is lost, the parts are delivered again after {@link workerExpiry}. */
    readonly claim: (which: "any" | "suspect", count: number) => Effect.Effect<ReadonlyArray<Delivery>, LedgerError>
    /** Sends a heartbeat for deliveries; returns the ids of those that this worker still holds. The worker halts the others. */
    readonly hold: (deliveries: ReadonlyArray<Delivery>) => Effect.Effect<ReadonlySet<string>, LedgerError>
    /** Ends a delivery; false if this worker no longer held it. */
    readonly settle: (delivery: Delivery) => Effect.Effect<boolean, LedgerError>
    /** Takes back the waiting parts of a run, or all of its parts: `hold` then no longer returns the delivered ones. */
    readonly withdraw: (runId: string, which: "waiting" | "all") => Effect.Effect<void, LedgerError>
    /** Delivers the parts of lost workers again. All workers call it repeatedly, even busy ones; it takes effect at most once a second. */
    readonly requeueLost: Effect.Effect<void, LedgerError>
  }
>() {}
