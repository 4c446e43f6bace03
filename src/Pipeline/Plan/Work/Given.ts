/** What a step is given to work on, and what its work comes to. */
import type { Cost, Good } from "../../../Step/Cost.ts"
import type { Count } from "../Count.ts"
import * as Counts from "../Count.ts"
import type { Listing } from "../Listing.ts"

/** A request that begins something or brings something; polls and retries are not counted. */
export interface Operation {
  readonly request: string
  /** False where the service's documentation does not describe it. */
  readonly documented: boolean
}

export interface Work {
  readonly operation?: Operation | undefined
  readonly requests: Count
  /** Pages and files that are looked at. */
  readonly pages: Count
  readonly rows: Count
  readonly buys: ReadonlyArray<{ readonly good: Good; readonly amount: Count }>
  /** `$key` of the rows, where all are known. */
  readonly keys?: ReadonlyArray<string> | undefined
}

export interface Given {
  /** What one call of the step costs at most, as the step declares it; of a job, one page. */
  readonly cost: Cost
  /** The fields; what hangs on the run stands in them, or in place of them, as `open`. */
  readonly config: unknown
  /** Rows that come in, and their keys. */
  readonly rows: Count
  readonly keys?: ReadonlyArray<string> | undefined
  /** How often a source is read: once, or for each row. */
  readonly times: Count
  readonly listing?: Listing | undefined
  /** `--limit`, for sources. */
  readonly wanted: number | undefined
  /** The answer is in a lock file. */
  readonly pinned: boolean
  /** Most pages of a crawl that says no limit, where that is known. */
  readonly crawlLimit: number | undefined
  /** Entries under the state key: so many rows can be gone. */
  readonly remembered: number
}

/** What so many calls, or pages of a job, buy. */
export const bought = (cost: Cost, calls: Count): Work["buys"] =>
  cost.map(({ good, least, most }) => ({ good, amount: Counts.times(calls, { least, most }) }))

export const idle = { requests: Counts.none, pages: Counts.none, buys: [] } as const

export const fieldsOf = (config: unknown): Readonly<Record<string, unknown>> =>
  typeof config === "object" && config !== null ? (config as Readonly<Record<string, unknown>>) : {}

export const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)
