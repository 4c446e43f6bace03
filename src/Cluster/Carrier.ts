/**
 * Port to the engine that carries the parts of runs to workers. It knows which parts wait, which are out, and whose worker is lost; what a
 * part is, its result and the end of its run are in the tables of `Submissions.ts` and `Parts.ts`.
 *
 * - Delivery is at least once: a part is out at one worker at a time, until that worker settles it or is silent for {@link workerExpiry}. Then
 *   it is delivered again, under another id or attempt. A worker that was only slow may still execute it, so the lock of its run in the ledger
 *   decides who writes.
 * - `offer`, `settle` and `withdraw` belong to the transaction of the caller: a part is recorded and carried together, or neither.
 * - A part is carried once: offering one that waits or is out does nothing. So all open parts may be offered again after a doubt.
 * - `settle` is fenced: it is false for a delivery that has been lost, withdrawn or settled, and then nothing may be recorded for it.
 * - Order: runs of a higher priority first. Runs of one priority take turns part by part, because each part has a `turn` lower than the one
 *   before, and a new run starts at the turn that the others have reached. Neither a large run nor many small ones can starve another.
 * - Suspects, which several workers were lost with, are delivered only to `claim("suspect")`.
 * - All times are those of the engine: the clocks of machines differ.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import { type Priority, priorities } from "../Pipeline/Definition.ts"

const millions = 1_000_000

/**
 * Turns of the runs of a priority. The first run begins at `first`, and runs that follow each other count down, until none is running. One
 * that would leave the range loses its place in the order.
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
  /** The highest comes first. */
  readonly turn: number
  readonly isSuspect?: boolean | undefined
  /** It was deferred before, because another run had what it needs. */
  readonly hasWaited?: boolean | undefined
}

/** A part that is out at this worker. */
export interface Delivery extends Offer {
  readonly id: string
  /** Number of deliveries before this one. Fences all calls about it. */
  readonly attempt: number
}

export class Carrier extends Context.Tag("sluice/Cluster/Carrier")<
  Carrier,
  {
    /** Offers parts, at once or after so many seconds. */
    readonly offer: (offers: ReadonlyArray<Offer>, afterSeconds?: number) => Effect.Effect<void, LedgerError>
    /** Takes up to `count` parts for this worker. If the answer is lost, the parts are delivered again after {@link workerExpiry}. */
    readonly claim: (which: "any" | "suspect", count: number) => Effect.Effect<ReadonlyArray<Delivery>, LedgerError>
    /** Heartbeat of deliveries; gives the ids of those that are still out here. The worker halts the others. */
    readonly hold: (deliveries: ReadonlyArray<Delivery>) => Effect.Effect<ReadonlySet<string>, LedgerError>
    /** Ends a delivery; false if it was not out here any more. */
    readonly settle: (delivery: Delivery) => Effect.Effect<boolean, LedgerError>
    /** Takes the waiting parts of a run back, or all: `hold` does not name those any more that are out. */
    readonly withdraw: (runId: string, which: "waiting" | "all") => Effect.Effect<void, LedgerError>
    /** Delivers the parts of lost workers again. Workers repeat it, also busy ones; once a second at most takes effect. */
    readonly requeueLost: Effect.Effect<void, LedgerError>
  }
>() {}
