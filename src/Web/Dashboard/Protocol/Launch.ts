/** Definitions that can be run from the dashboard, and the request that starts a run. */
import type { Mistake } from "../Protocol.ts"

export interface InputField {
  readonly name: string
  readonly type: "string" | "integer" | "number" | "boolean" | "url" | "path"
  readonly description?: string | undefined
  readonly default?: string | number | boolean | undefined
  /** Value in `schedule.inputs`; prefilled in the form. */
  readonly scheduled?: string | number | boolean | undefined
  readonly enum?: ReadonlyArray<string | number> | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly maxLength?: number | undefined
}

export interface DefinitionLine {
  /** Path in the folder; identifies the definition in {@link Launch}. */
  readonly file: string
  readonly name: string
  readonly description?: string | undefined
  readonly inputs: ReadonlyArray<InputField>
  /** Errors that prevent a run. */
  readonly mistakes: ReadonlyArray<Mistake>
}

/** Definitions, ordered by file. */
export interface Definitions {
  /** Absolute path; null when there is no folder of definitions (`why` gives the reason). */
  readonly folder: string | null
  readonly why?: string | undefined
  readonly definitions: ReadonlyArray<DefinitionLine>
}

export interface Launch {
  readonly file: string
  /** Texts are read as the input's type asks. */
  readonly inputs: Readonly<Record<string, string | number | boolean>>
  /** Rows of each source, at most. */
  readonly limit?: number | undefined
  readonly backfill?: boolean | undefined
}

/** How a run is begun that follows another. */
export interface Again {
  /** `resume`: with the definition as it is now. */
  readonly withCurrent?: boolean | undefined
}

/**
 * A run that has begun, by a process of its own: it goes on when the dashboard ends. What keeps it from beginning is a
 * `Trouble` with 422.
 */
export interface Launched {
  readonly run: string
}
