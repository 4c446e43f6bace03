/** Estimate of a step before it runs: requests, pages, rows and purchases, as far as this machine can know them. */
import type { Json } from "../Row.ts"
import type { Cost, Good } from "./Cost.ts"

/** Placeholder for a value, or for all fields, known only during the run. */
export const open: unique symbol = Symbol("open")

/** Number between two bounds; `most` is undefined if there is no known upper bound. */
export interface Count {
  readonly least: number
  readonly most: number | undefined
}

/** Number that is known exactly. */
export const exactly = (count: number): Count => ({ least: count, most: count })

/** Exactly zero. */
export const none: Count = exactly(0)

/** Between zero and `most`. */
export const upTo = (most: number | undefined): Count => ({ least: 0, most })

/** Limits a count to `limit`. */
export const atMost = ({ least, most }: Count, limit: number | undefined): Count =>
  limit === undefined
    ? { least, most }
    : { least: Math.min(least, limit), most: most === undefined ? limit : Math.min(most, limit) }

/** Product of two counts; zero times an unknown count is zero. */
export const times = (a: Count, b: Count): Count => ({
  least: a.least * b.least,
  most: a.most === 0 || b.most === 0 ? 0 : a.most === undefined || b.most === undefined ? undefined : a.most * b.most
})

/** Sum of counts; its upper bound is unknown if any of theirs is. */
export const sum = (counts: ReadonlyArray<Count>): Count =>
  counts.reduce(
    (all, { least, most }) => ({
      least: all.least + least,
      most: all.most === undefined || most === undefined ? undefined : all.most + most
    }),
    none
  )

/** At least one, up to all of them; possibly none if the count may be zero. */
export const some = ({ least, most }: Count): Count => ({ least: Math.min(1, least), most })

/** Operation of the service that a step calls; polls and retries do not count as requests. */
export interface Operation {
  /** Method and path, for example `POST /v2/scrape`. */
  readonly request: string
  /** False if the service's own documentation does not describe it. */
  readonly documented: boolean
}

/** Rows of a source that this machine can list without requests. */
export interface Listing {
  readonly count: number
  /** `$key` of every row, if known without reading the rows themselves. */
  readonly keys?: ReadonlyArray<string> | undefined
  /** Number of rows in total, and how many of them are left out because earlier runs have seen them. */
  readonly left?: { readonly of: number; readonly seen: number } | undefined
}

/** Settings for listing the rows of a source. */
export interface ListingContext {
  /** Folder of the definition. */
  readonly folder: string
  /** Value of `--limit`. */
  readonly wanted: number | undefined
  /** State of earlier runs by key; undefined if the run does not use it. */
  readonly memory: ReadonlyMap<string, Json> | undefined
}

/** Facts about a step that are known before it runs. */
export interface Given {
  /** Fields of the step. {@link open} stands for a value, or for all fields, known only during the run. */
  readonly config: unknown
  /** Upper bound of the cost of one call, or of one page of a job, as declared by the step. */
  readonly cost: Cost
  /** Input rows, and their keys if all are known. */
  readonly rows: Count
  readonly keys?: ReadonlyArray<string> | undefined
  /** Number of reads of a source: once, or once per row. */
  readonly times: Count
  readonly listing?: Listing | undefined
  /** `--limit`, for sources. */
  readonly wanted: number | undefined
  /** True if the answer is in a lock file. */
  readonly pinned: boolean
  /** Maximum pages of a crawl that sets no limit, if the service is known to have one. */
  readonly crawlLimit: number | undefined
  /** Number of entries under the state key, which is the maximum number of gone rows. */
  readonly remembered: number
}

/** Estimated work and output of a step. */
export interface Estimate {
  readonly requests: Count
  /** Pages and files to read. */
  readonly pages: Count
  readonly rows: Count
  readonly buys: ReadonlyArray<{ readonly good: Good; readonly amount: Count }>
  /** `$key` of the output rows, if all are known. */
  readonly keys?: ReadonlyArray<string> | undefined
  /** Sentence for readers of a plan, without a full stop; replaces the step's own note. */
  readonly note?: string | undefined
}

/** Note of a plan about the memory and disk used by a step that keeps rows. */
export const spillNote = (step: string, { most }: Count, inMemory: number, what = "rows"): string => {
  const held = `${inMemory.toLocaleString("en")} ${what} or 64 MB in memory`
  return most !== undefined && most <= inMemory
    ? `${step}: at most ${most.toLocaleString("en")} ${what} or 64 MB in memory, more on disk`
    : `${step}: at most ${held}; more on disk, about twice their size as JSON, until the run ends`
}

/** Goods that a number of calls, or pages of a job, buy. */
export const bought = (cost: Cost, calls: Count): Estimate["buys"] =>
  cost.map(({ good, least, most }) => ({ good, amount: times(calls, { least, most }) }))

/** Estimate of a step without requests. */
export const idle = { requests: none, pages: none, buys: [] } as const

/** Estimate of a step that passes on all rows unchanged. */
export const sameRows = ({ keys, rows }: Given): Estimate => ({ ...idle, rows, keys })

/** Estimate of a step that makes one row of every row, with another key. */
export const asManyRows = ({ rows }: Given): Estimate => ({ ...idle, rows })

/** Estimate of a step that may leave out rows. */
export const fewerRows = ({ rows }: Given): Estimate => ({ ...idle, rows: upTo(rows.most) })

/** Estimate of a step that may make any number of rows of each row. */
export const anyRows = ({ rows }: Given): Estimate => ({ ...idle, rows: upTo(rows.most === 0 ? 0 : undefined) })

/** Estimate of a step with one request and one page for each row. */
export const pagePerRow = ({ cost, keys, rows }: Given): Estimate => ({
  requests: rows,
  pages: rows,
  rows,
  keys,
  buys: bought(cost, rows)
})

/** Estimate of a transform that calls the service at most once per row. */
export const requestPerRow = ({ cost, rows }: Given): Estimate => ({
  requests: upTo(rows.most),
  pages: none,
  rows: upTo(rows.most === 0 ? 0 : undefined),
  buys: bought(cost, upTo(rows.most))
})

/** Estimate of a source that makes one request each time it is read, and returns an unknown number of rows. */
export const requestPerRead = ({ cost, times: reads, wanted }: Given): Estimate => ({
  requests: reads,
  pages: none,
  rows: times(reads, upTo(wanted)),
  buys: bought(cost, reads)
})

/** Estimate of a source without requests: the listed rows, otherwise an unknown number. */
export const listedRows = ({ listing, times: reads, wanted }: Given): Estimate =>
  listing === undefined
    ? { ...idle, rows: times(reads, upTo(wanted)) }
    : { ...idle, rows: times(reads, exactly(listing.count)), keys: reads.most === 1 ? listing.keys : undefined }

/** Estimate of a value that needs one request, unless a lock file has it. */
export const oneRequest = ({ cost, pinned }: Given): Estimate => {
  const requests = pinned ? none : exactly(1)
  return { requests, pages: none, rows: none, buys: bought(cost, requests) }
}

/** Value of a numeric field; undefined if it is not a number or not known yet. */
export const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)
