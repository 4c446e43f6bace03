/** What the dashboard is over: the screen that says so. */

export interface About {
  readonly version: string
  readonly dataDir: string
  /** Of the ledger: a path, or a database's address without its password. */
  readonly ledger: string
  /** The folder whose definitions can be run; null when there is none. */
  readonly definitions: string | null
  /** Base URL of the service that is known; null when none is. */
  readonly engine: string | null
  /** The server's clock when it answered. */
  readonly now: number
  readonly startedAt: number
  readonly node: string
  readonly platform: string
  /** Runs that the ledger has, shards not counted. */
  readonly runs: number
  /** Bytes of the ledger's file; none in a database. */
  readonly ledgerBytes?: number | undefined
}
