/** Estimate of a step before it runs: requests, pages, rows and purchases, as far as this machine can know them. */
import type { Json } from "../Row.ts"
import type { Cost, Good } from "./Cost.ts"

/** Stands for a value, or for all fields, that only the run will know. */
export const open: unique symbol = Symbol("open")

/** A number between two bounds; `most` is undefined where no upper bound is known. */
export interface Count {
  readonly least: number
  readonly most: number | undefined
}

/** A number that is known. */
export const exactly = (count: number): Count => ({ least: count, most: count })

/** Zero. */
export const none: Count = exactly(0)

/** From zero to `most`. */
export const upTo = (most: number | undefined): Count => ({ least: 0, most })

/** The same number, but no more than `limit`. */
export const atMost = ({ least, most }: Count, limit: number | undefined): Count =>
  limit === undefined
    ? { least, most }
    : { least: Math.min(least, limit), most: most === undefined ? limit : Math.min(most, limit) }

/** Zero times an unknown number is zero. */
export const times = (a: Count, b: Count): Count => ({
  least: a.least * b.least,
  most: a.most === 0 || b.most === 0 ? 0 : a.most === undefined || b.most === undefined ? undefined : a.most * b.most
})

/** The sum of numbers, unknown where one of them is. */
export const sum = (counts: ReadonlyArray<Count>): Count =>
  counts.reduce(
    (all, { least, most }) => ({
      least: all.least + least,
      most: all.most === undefined || most === undefined ? undefined : all.most + most
    }),
    none
  )

/** From one to all of them; none where there may be none. */
export const some = ({ least, most }: Count): Count => ({ least: Math.min(1, least), most })

/** The operation of the service that a step calls; polls and retries are not counted as requests of it. */
export interface Operation {
  /** Method and path, like `POST /v2/scrape`. */
  readonly request: string
  /** False where the service's own documentation does not describe it. */
  readonly documented: boolean
}

/** Rows of a source that this machine can list without a request. */
export interface Listing {
  readonly count: number
  /** `$key` of every row, where it is known without reading what the rows stand for. */
  readonly keys?: ReadonlyArray<string> | undefined
  /** Number of rows before earlier runs' were left out, and of those left out. */
  readonly left?: { readonly of: number; readonly seen: number } | undefined
}

/** Settings with which a source lists its rows. */
export interface ListingContext {
  /** The definition's folder. */
  readonly folder: string
  /** `--limit`. */
  readonly wanted: number | undefined
  /** State of earlier runs by key; undefined when the run does not use it. */
  readonly memory: ReadonlyMap<string, Json> | undefined
}

/** Facts about a step that are known before its run. */
export interface Given {
  /** The fields. What only the run knows stands in them, or in place of them, as {@link open}. */
  readonly config: unknown
  /** Upper bound of the cost of one call, or of one page of a job, as the step declares it. */
  readonly cost: Cost
  /** Rows that come in, and their keys where all are known. */
  readonly rows: Count
  readonly keys?: ReadonlyArray<string> | undefined
  /** Number of times that a source is read: once, or for each row. */
  readonly times: Count
  readonly listing?: Listing | undefined
  /** `--limit`, for sources. */
  readonly wanted: number | undefined
  /** The answer is in a lock file. */
  readonly pinned: boolean
  /** Most pages of a crawl that sets no limit, where the service is known to have one. */
  readonly crawlLimit: number | undefined
  /** Entries under the state key: so many rows can be gone. */
  readonly remembered: number
}

/** Estimated work and output of a step. */
export interface Estimate {
  readonly requests: Count
  /** Pages and files that are read. */
  readonly pages: Count
  readonly rows: Count
  readonly buys: ReadonlyArray<{ readonly good: Good; readonly amount: Count }>
  /** `$key` of the rows, where all are known. */
  readonly keys?: ReadonlyArray<string> | undefined
  /** A sentence for the reader of a plan, without a dot, in place of the step's own. */
  readonly note?: string | undefined
}

/** Memory and disk of a step that keeps rows, as the note of a plan. */
export const spillNote = (step: string, { most }: Count, inMemory: number, what = "rows"): string => {
  const held = `${inMemory.toLocaleString("en")} ${what} or 64 MB in memory`
  return most !== undefined && most <= inMemory
    ? `${step}: at most ${most.toLocaleString("en")} ${what} or 64 MB in memory, more on disk`
    : `${step}: at most ${held}; more on disk, about twice their size as JSON, until the run ends`
}

/** Goods that so many calls, or pages of a job, buy. */
export const bought = (cost: Cost, calls: Count): Estimate["buys"] =>
  cost.map(({ good, least, most }) => ({ good, amount: times(calls, { least, most }) }))

/** No request. */
export const idle = { requests: none, pages: none, buys: [] } as const

/** Every row passes. */
export const sameRows = ({ keys, rows }: Given): Estimate => ({ ...idle, rows, keys })

/** Every row becomes one with another key. */
export const asManyRows = ({ rows }: Given): Estimate => ({ ...idle, rows })

/** Rows may be left out. */
export const fewerRows = ({ rows }: Given): Estimate => ({ ...idle, rows: upTo(rows.most) })

/** Each row may become any number of rows. */
export const anyRows = ({ rows }: Given): Estimate => ({ ...idle, rows: upTo(rows.most === 0 ? 0 : undefined) })

/** One request and one page for each row. */
export const pagePerRow = ({ cost, keys, rows }: Given): Estimate => ({
  requests: rows,
  pages: rows,
  rows,
  keys,
  buys: bought(cost, rows)
})

/** A transform that calls the service, at most once for each row. */
export const requestPerRow = ({ cost, rows }: Given): Estimate => ({
  requests: upTo(rows.most),
  pages: none,
  rows: upTo(rows.most === 0 ? 0 : undefined),
  buys: bought(cost, upTo(rows.most))
})

/** A source that makes one request each time it is read, for an unknown number of rows. */
export const requestPerRead = ({ cost, times: reads, wanted }: Given): Estimate => ({
  requests: reads,
  pages: none,
  rows: times(reads, upTo(wanted)),
  buys: bought(cost, reads)
})

/** A source that makes no request: the listed rows, else an unknown number. */
export const listedRows = ({ listing, times: reads, wanted }: Given): Estimate =>
  listing === undefined
    ? { ...idle, rows: times(reads, upTo(wanted)) }
    : { ...idle, rows: times(reads, exactly(listing.count)), keys: reads.most === 1 ? listing.keys : undefined }

/** A value that takes one request, unless a lock file has it. */
export const oneRequest = ({ cost, pinned }: Given): Estimate => {
  const requests = pinned ? none : exactly(1)
  return { requests, pages: none, rows: none, buys: bought(cost, requests) }
}

/** A field that is a number; undefined where it is something else, or not known yet. */
export const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)
