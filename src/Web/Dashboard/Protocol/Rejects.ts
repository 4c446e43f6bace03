/** Rejected rows of a run. */
import type { Next } from "../Protocol.ts"

export interface RejectLine {
  readonly number: number
  readonly step: string
  readonly key: string
  /** Its reason in a word, and in a sentence. */
  readonly error: string
  readonly message: string
  /** What the site answered, of a page that failed for its status. */
  readonly status?: number | undefined
  /** Calls that were made for the row. */
  readonly attempts?: number | undefined
  /** `file:line:column` of the step. */
  readonly definedAt: string
  readonly at: number
  readonly jobId?: string | undefined
  /** The row, as JSON for people that may be cut: `isCut`. */
  readonly row: string
  readonly isCut: boolean
  readonly replayedBy?: string | undefined
}

/** Rejects of one step for one reason. */
export interface RejectGroup {
  readonly step: string
  readonly error: string
  readonly count: number
  readonly open: number
}

export interface RejectList {
  readonly rejects: ReadonlyArray<RejectLine>
  readonly next: Next
  /** Of the whole run, whatever the filter, most frequent first, at most 100. */
  readonly groups: ReadonlyArray<RejectGroup>
}
