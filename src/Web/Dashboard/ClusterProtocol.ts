/** Protocol of the workers of a cluster: `GET /api/cluster` → `ClusterNow`, or null when the ledger is not shared. */

export const clusterPath = "/api/cluster"

export interface ClusterNow {
  /** Parts of running runs that no worker has. */
  readonly waiting: number
  readonly workers: ReadonlyArray<{
    readonly id: string
    /** Maximum number of parts at once. */
    readonly concurrency: number
    /** Finishes what it has, and leaves. */
    readonly draining: boolean
    /** Has sent a heartbeat in the last seconds. */
    readonly alive: boolean
    readonly parts: ReadonlyArray<{
      readonly runId: string
      readonly pipeline: string
      /** `shard 3`, `split` or `finish`. */
      readonly part: string
      /** Times in a row that a worker has begun it without progress. */
      readonly attempts: number
      readonly begunAt: number
    }>
  }>
}
