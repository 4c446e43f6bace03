/** What is told while it happens. */
import type { BudgetUse, News, Progress, RunLine } from "./Runs.ts"

/**
 * Server-sent events: `event:` is the name, `data:` the JSON, `id:` lets the page go on where it was (`Last-Event-ID`).
 * A comment comes every 15 seconds. Who reads too slowly is cut off and comes again by itself.
 */
export interface Events {
  /** First of all, and after a gap that cannot be made up for (`isGap`): what is shown should be asked for anew then. */
  readonly hello: { readonly now: number; readonly isGap: boolean }
  /** Runs that are new or have changed. */
  readonly runs: { readonly runs: ReadonlyArray<RunLine> }
  /** The run that is followed has moved. */
  readonly progress: {
    readonly run: string
    readonly progress: Progress
    readonly budget: ReadonlyArray<BudgetUse>
    readonly news: ReadonlyArray<News>
  }
  /** Runs that the ledger has forgotten. */
  readonly gone: { readonly runs: ReadonlyArray<string> }
  /** Instants of schedules have changed: lists of them should be asked for anew. */
  readonly schedules: { readonly at: number }
  /** The ledger cannot be read now; once more without an error when it can. */
  readonly ledger: { readonly error?: string | undefined }
}
