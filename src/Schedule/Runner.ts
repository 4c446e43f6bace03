/** What a schedule needs of whoever starts it: definitions read, and runs carried out. */
import type * as Effect from "effect/Effect"
import type { RunRecord } from "../Ledger/Model.ts"
import type { Checked } from "../Pipeline/Check.ts"
import type { DefinitionInvalid } from "../Pipeline/Mistake.ts"
import type { RunFailed, Summary } from "../Run/RunResult.ts"
import type { ExitCode } from "../TypedError/ExitCode.ts"

/** An attempt at an instant. */
export interface Task {
  /** The definition as it is now. */
  readonly checked: Checked
  /** Milliseconds since 1970: `scheduledFor` of the run. */
  readonly instant: number
  /** The run of an earlier attempt, to be gone on with by the definition that it began with; otherwise one is begun. */
  readonly resume: RunRecord | undefined
  /**
   * Told the run's id before the run is executed. Where it says no, the instant is not this process's any more: the run
   * is not executed.
   */
  readonly begun: (runId: string) => Effect.Effect<void, Refused>
  /** That run came to an end that is to be gone on with; otherwise it may be under way elsewhere. */
  readonly again: boolean
  /** True when a later instant takes its place: what goes on elsewhere is to be stopped, not only left. */
  readonly isReplaced: () => boolean
}

/** The run is not to be executed. Whoever carries out a task passes it on. */
export interface Refused {
  readonly _tag: "InstantRefused"
  readonly message: string
}

/** Why a run could not even begin: no service, a definition that differs, no room. */
export interface Failure {
  readonly _tag: string
  readonly message: string
  /** 1 where it declares none. */
  readonly exitCode?: ExitCode | undefined
}

/** Reads definitions, and carries runs out. */
export interface Runner {
  /** Reads and checks the definition in a file, with everything that a run of it needs. */
  readonly load: (file: string) => Effect.Effect<Checked, DefinitionInvalid>
  /**
   * The definition that a run began with. Where the file of a pipeline is broken before a schedule begins, that of its last
   * run says who is told; without this, nobody is.
   */
  readonly former?: ((record: RunRecord) => Effect.Effect<Checked, { readonly message: string }>) | undefined
  /** Carries out a task to its end. Interrupting it stops the run in order, so that it can be gone on with. */
  readonly run: (task: Task) => Effect.Effect<Summary, RunFailed | Refused | Failure>
}
