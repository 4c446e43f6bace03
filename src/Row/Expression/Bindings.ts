/** What an evaluation may know beside the row. */
export interface Bindings {
  /** Values of the `$names`, without the `$`; only those that an expression uses are read, so getters may be lazy. */
  readonly names: Readonly<Record<string, unknown>>
  /** What `$now()` and `$millis()` say: the run's instant. */
  readonly now?: Date | undefined
  /** What `$random()` and `$shuffle()` draw from: the run's generator, 0 ≤ n < 1. */
  readonly random?: (() => number) | undefined
}
