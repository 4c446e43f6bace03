/** Server-sent events of the dashboard. */
import type { BudgetUse, News, Progress, RunLine } from "./Runs.ts"

/**
 * Server-sent events: `event:` is the name, `data:` the JSON, `id:` lets the page resume after a disconnect (`Last-Event-ID`).
 * A comment is sent every 15 seconds. Clients that read too slowly are disconnected and reconnect.
 */
export interface Events {
  /** First event. Sent again when missed events cannot be replayed (`isGap`): reload everything that is shown. */
  readonly hello: { readonly now: number; readonly isGap: boolean }
  /** New and changed runs. */
  readonly runs: { readonly runs: ReadonlyArray<RunLine> }
  /** Progress of the run that the page follows. */
  readonly progress: {
    readonly run: string
    readonly progress: Progress
    readonly budget: ReadonlyArray<BudgetUse>
    readonly news: ReadonlyArray<News>
  }
  /** Runs that were deleted from the ledger. */
  readonly gone: { readonly runs: ReadonlyArray<string> }
  /** Occurrences of schedules have changed: reload lists of them. */
  readonly schedules: { readonly at: number }
  /** The ledger cannot be read. Sent without `error` when it can be read again. */
  readonly ledger: { readonly error?: string | undefined }
}
