/** What earlier runs tell a plan; none of it is needed. */
import * as Effect from "effect/Effect"
import type { Json } from "../../Row.ts"

export interface LastRun {
  readonly id: string
  readonly status: string
  /** Milliseconds since 1970, here and below. */
  readonly startedAt: number
  readonly endedAt?: number | undefined
  readonly rows: number
  readonly rejects: number
  readonly credits: number
  /** Calls whose price the service did not say. */
  readonly unpriced: number
}

/** Pages of earlier runs among those that a source will give. */
export interface Held {
  readonly known: number
  /** When the newest of them was taken down. */
  readonly newest?: number | undefined
}

export interface StateSize {
  readonly entries: number
  /** When a run last brought it up to date. */
  readonly advanced?: number | undefined
}

/** What the ledger knows; `E` is why it cannot be read. */
export interface Earlier<E> {
  readonly lastRun: (pipeline: string) => Effect.Effect<LastRun | undefined, E>
  readonly spentSince: (pipeline: string, instant: number) => Effect.Effect<number, E>
  readonly state: (key: string) => Effect.Effect<StateSize, E>
  /** What a step keeps under the state key. */
  readonly entries: (key: string, step: string) => Effect.Effect<ReadonlyMap<string, Json>, E>
  /** By `$key`; undefined when there are too many to look up. */
  readonly held: (keys: ReadonlyArray<string>) => Effect.Effect<Held | undefined, E>
  /** What a page of a step has cost on average, where it is known. */
  readonly pagePrice: (pipeline: string, step: string) => Effect.Effect<number | undefined, E>
}

/** Where nothing has run yet. */
export const nothing: Earlier<never> = {
  lastRun: () => Effect.succeed(undefined),
  spentSince: () => Effect.succeed(0),
  state: () => Effect.succeed({ entries: 0 }),
  entries: () => Effect.succeed(new Map()),
  held: () => Effect.succeed({ known: 0 }),
  pagePrice: () => Effect.succeed(undefined)
}
