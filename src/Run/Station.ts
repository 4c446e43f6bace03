/** Running instance of a step: receives rows, and emits rows downstream. */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Row } from "../Row.ts"
import type { Sealed } from "../Step/Output.ts"
import type { Changes, Services, StepError } from "../Step.ts"

/** Whether more rows are welcome, and when they will be; it is waited for outside the gate. */
export interface Room {
  readonly isFree: () => boolean
  readonly wait: Effect.Effect<void>
}

/** How full a station is, for those who look on. */
export interface Load {
  /** Rows that wait in it or are worked on, and so many that it takes before those above it have to wait. */
  readonly held: number
  readonly room: number
  readonly busy: number
  /** What comes below it is full. */
  readonly blocked: boolean
}

export interface Station {
  readonly id: string
  /** Takes rows. Called under the commit lock: computes and writes files, and never waits for others. */
  readonly push: (rows: ReadonlyArray<Row>) => Effect.Effect<void, StepError, Services>
  /** No more rows will come. Under the gate; once more is as good as once. */
  readonly finish: Effect.Effect<void, StepError, Services>
  /** Begins to work, or goes on after a crash. */
  readonly start: Effect.Effect<void, StepError, Services | Scope.Scope>
  readonly room: Room
  /** False when no more rows are wanted. */
  readonly wants: () => boolean
  /** What has changed since the last time. Under the gate. */
  readonly save: Effect.Effect<Changes, StepError>
  /** Of a station that holds rows back. */
  readonly load?: (() => Load) | undefined
  /**
   * Ends without what is not done yet. Under the commit lock, when no more rows come from above; a station without it ends
   * as soon as those above it have.
   */
  readonly abandon?: Effect.Effect<void, StepError, Services> | undefined
  /** Keys of the rows that it has left out, once it has ended. */
  readonly left?: (() => ReadonlyArray<string>) | undefined
  readonly seal?: Effect.Effect<Sealed, StepError> | undefined
  readonly discard?: Effect.Effect<void> | undefined
}

/** Where a station's rows go: to all of its readers, or out of the run. */
export interface Outlet {
  readonly push: (rows: ReadonlyArray<Row>) => Effect.Effect<void, StepError, Services>
  readonly finish: Effect.Effect<void, StepError, Services>
  readonly room: Room
  /** Waits until there is room, or the run comes to a stop. */
  readonly welcome: Effect.Effect<void>
  readonly wants: () => boolean
}
