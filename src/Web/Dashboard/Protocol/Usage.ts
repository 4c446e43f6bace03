/** Usage by month as it is shown. */

/** `month` is `2026-03`, in UTC. */
export interface Usage {
  /** The months asked for, oldest first, those without use too. */
  readonly months: ReadonlyArray<string>
  /** What runs have used, as the ledger has it; `name` is the pipeline. */
  readonly pipelines: ReadonlyArray<{
    readonly month: string
    readonly name: string
    readonly credits: number
    readonly unpriced: number
  }>
  /** What the service says, by the name of the key; null when none is known or it does not answer: `why`. */
  readonly keys: ReadonlyArray<{ readonly month: string; readonly name: string; readonly credits: number }> | null
  readonly why?: string | undefined
  /** Credits that are left there, where it says. */
  readonly left?: number | undefined
}
