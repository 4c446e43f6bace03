/** Runs the pipelines of a folder on their schedules until the scope closes. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { LedgerError, Locked } from "./Ledger/LedgerErrors.ts"
import { Ledger } from "./Ledger.ts"
import type { Checked } from "./Pipeline/Check.ts"
import * as Daemon from "./Schedule/Daemon.ts"
import * as Hand from "./Schedule/Hand.ts"
import type { InstantRecord } from "./Schedule/Model.ts"
import type { Runner } from "./Schedule/Runner.ts"
import * as Store from "./Schedule/Store.ts"

export { type RunnerOptions, runner } from "./Schedule/Own.ts"
export type { Failure, Refused, Runner, Task } from "./Schedule/Runner.ts"
export { schedules } from "./Schedule/Store.ts"

/** Events to report to the user. */
export type News =
  | { readonly _tag: "Added" | "Changed" | "Removed"; readonly pipeline: string; readonly file: string }
  | { readonly _tag: "Broken"; readonly file: string; readonly message: string }
  | { readonly _tag: "Twice"; readonly pipeline: string; readonly file: string; readonly other: string }
  | { readonly _tag: "Began"; readonly pipeline: string; readonly instant: number; readonly runId: string }
  /** An occurrence has finished, with the outcome in its record. */
  | { readonly _tag: "Over"; readonly record: InstantRecord }
  | {
      readonly _tag: "Retrying"
      readonly pipeline: string
      readonly instant: number
      readonly reason: string
      readonly nextAt: number
    }
  /** The ledger or another dependency failed; the operation is retried. */
  | { readonly _tag: "Trouble"; readonly message: string }

/** Options of the scheduler. */
export interface Options {
  /** Folder of the definitions; subfolders are ignored. */
  readonly definitions: string
  readonly runner: Runner
  /** Time that active runs get to stop when the scheduler stops. Default: 30 seconds. */
  readonly grace?: Duration.DurationInput | undefined
  /** Maximum concurrent runs. Default: 16. */
  readonly atOnce?: number | undefined
  /** What is found so much later than it was due has been missed, and `catchUp` says what becomes of it; default 60 s. */
  readonly tolerance?: Duration.DurationInput | undefined
  /** How often the folder is looked at; default 2 seconds. */
  readonly scanEvery?: Duration.DurationInput | undefined
  /** The longest sleep, after which the clock is looked at again; default 30 seconds. */
  readonly nap?: Duration.DurationInput | undefined
  /** How often it is looked for instants of others who are gone; default 5 seconds. */
  readonly lookEvery?: Duration.DurationInput | undefined
  /** Instants that are over are kept so long; default 90 days. */
  readonly keep?: Duration.DurationInput | undefined
  readonly tell?: ((news: News) => void) | undefined
}

/** How a pipeline stands. */
export interface Standing {
  readonly pipeline: string
  readonly file: string
  readonly cron: string
  readonly timezone: string
  /** Milliseconds since 1970. */
  readonly next: number | undefined
  readonly pausedAt: number | undefined
  /** Why its definition cannot be run now. */
  readonly broken: string | undefined
}

/** How all of it stands. */
export interface Status {
  readonly owner: string
  readonly startedAt: number
  /** When the clock was last looked at. */
  readonly tickedAt: number
  readonly draining: boolean
  /** The first instant that comes. */
  readonly next: number | undefined
  readonly pipelines: ReadonlyArray<Standing>
  /** Files that are no definitions, and why. */
  readonly broken: ReadonlyArray<{ readonly file: string; readonly message: string }>
  readonly running: ReadonlyArray<{
    readonly pipeline: string
    readonly instant: number
    readonly runId: string | undefined
  }>
  readonly waiting: number
  /** Why the ledger could not be asked the last time, when it could not. */
  readonly trouble: string | undefined
}

/** A schedule at work. */
export interface Served {
  readonly status: Effect.Effect<Status>
  /** A definition that is known, by the pipeline's name: where notices go. */
  readonly definition: (pipeline: string) => Checked | undefined
  /** Looks at the folder now. */
  readonly rescan: Effect.Effect<void>
  /** Never ends, but for what the schedule cannot go on without. */
  readonly await: Effect.Effect<never, LedgerError>
}

/**
 * Runs the pipelines of a folder at their instants, until the scope closes: then nothing new begins, what runs gets its
 * grace and is stopped in order, and what is not over is left to whoever comes next. Any number of processes may serve
 * the same pipelines over one ledger: every instant is carried out by one of them.
 *
 * @example
 * ```ts
 * const runner = yield* Schedule.runner({ out: "out", dataDir: ".sluice" })
 * yield* Effect.scoped(Effect.flatMap(Schedule.serve({ definitions: "pipelines", runner }), (served) => served.await))
 * ```
 */
export const serve = (
  options: Options
): Effect.Effect<Served, LedgerError | Locked, Ledger | FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.flatMap(Ledger, (ledger) => Daemon.make(ledger, Store.of(ledger), options))

/**
 * Carries out one instant by hand, whatever the schedule says, and gives its row as it is then. An instant that was
 * missed, skipped or failed is carried out again; one that is completed, or that somebody works on, stays as it is.
 */
export const runAt = (options: {
  readonly checked: Checked
  readonly instant: number
  readonly runner: Runner
}): Effect.Effect<InstantRecord, LedgerError | Locked, Ledger> =>
  Effect.flatMap(Ledger, (ledger) => Hand.runAt(ledger, Store.of(ledger), options))
