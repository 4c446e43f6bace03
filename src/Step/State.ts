/** State of a step across runs. */
import type * as Effect from "effect/Effect"
import type { Json } from "../Row.ts"
import type { StepError } from "../Step.ts"

/** The state of a step across runs. What is put takes effect when the run has published its outputs. */
export interface StepState {
  /** False when this run neither reads nor advances it: `--limit`, `--backfill`, a test. */
  readonly active: boolean
  /** Everything that earlier runs left, in the order of keys. Large states are read once. */
  readonly load: Effect.Effect<ReadonlyArray<StateEntry>, StepError>
  /** Staged with the next checkpoint; not kept if the row was rejected in the end. `undefined` removes the entry. */
  readonly put: (entries: ReadonlyArray<StateChange>) => Effect.Effect<void>
  /** Keys of pages that this run has met with an answer other than 404 or 410, or that failed: they are not gone. */
  readonly met: Effect.Effect<ReadonlySet<string>, StepError>
  /**
   * True when an earlier run of the pipeline has asked for one of these pages, or has one of their addresses as a key of its
   * state. Also true when the ledger cannot tell, because it no longer has all the runs whose state is still there.
   */
  readonly knowsAny: (addresses: ReadonlyArray<string>) => Effect.Effect<boolean, StepError>
  /**
   * Why this step has not seen every row of its sources; undefined when it has. Only then may rows be reported as `gone`.
   * Ask once the input has ended: until then a step before this one may still become incomplete.
   */
  readonly whyIncomplete: Effect.Effect<string | undefined>
}

/** An entry of the state, as earlier runs left it. */
export interface StateEntry {
  readonly key: string
  readonly value: Json
  /** Milliseconds since 1970. */
  readonly firstSeen: number
  readonly lastSeen: number
}

/** A change of the state; an undefined `value` removes the entry. */
export interface StateChange {
  readonly key: string
  readonly value: Json | undefined
  /** `$key` of the row it came with. */
  readonly rowKey: string
}
