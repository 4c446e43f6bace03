/** Credits used per month, by pipeline and by key. */

/** `month` is `2026-03`, in UTC. */
export interface Usage {
  /** Requested months, oldest first, including those without usage. */
  readonly months: ReadonlyArray<string>
  /** Usage of runs according to the ledger; `name` is the pipeline. */
  readonly pipelines: ReadonlyArray<{
    readonly month: string
    readonly name: string
    readonly credits: number
    readonly unpriced: number
  }>
  /** Usage per key according to the service; null when no service is connected or it does not answer (`why` gives the reason). */
  readonly keys: ReadonlyArray<{ readonly month: string; readonly name: string; readonly credits: number }> | null
  readonly why?: string | undefined
  /** Remaining credits, if the service reports them. */
  readonly left?: number | undefined
}
