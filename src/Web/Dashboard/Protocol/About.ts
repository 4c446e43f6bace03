/** About page of the dashboard: version, ledger, folders and service. */

export interface About {
  readonly version: string
  readonly dataDir: string
  /** Path of the ledger's file, or database URL without the password. */
  readonly ledger: string
  /** Folder of the definitions that can be run; null when there is none. */
  readonly definitions: string | null
  /** Base URL of the connected service; null when there is none. */
  readonly engine: string | null
  /** Server time of the response. */
  readonly now: number
  readonly startedAt: number
  readonly node: string
  readonly platform: string
  /** Number of runs in the ledger, without shards. */
  readonly runs: number
  /** Size of the ledger's file in bytes; undefined for a database server. */
  readonly ledgerBytes?: number | undefined
}
