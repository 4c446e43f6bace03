/** What came of a rehearsed run. */
import type { Row } from "../../Row.ts"
import type { Summary } from "../../Run.ts"

/** A file that the run has written, as long as the rehearsal lasts. */
export interface Written {
  /** Below the output folder, with `{runId}` in place of the run's id. */
  readonly path: string
  readonly content: Buffer
  /** The rows in it; a text says why it has none that can be told. */
  readonly rows: ReadonlyArray<unknown> | string
}

export interface Played {
  readonly runId: string
  readonly site: string | undefined
  readonly status: Summary["status"]
  /** Why it did not complete. */
  readonly error: string | undefined
  readonly credits: number
  /** Values of the pipeline's inputs. */
  readonly inputs: Readonly<Record<string, unknown>>
  /** By the id of the step. */
  readonly rows: ReadonlyMap<string, ReadonlyArray<Row>>
  readonly outputs: ReadonlyArray<Written>
  readonly rejects: ReadonlyArray<unknown>
}
