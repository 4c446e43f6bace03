/** What each step asks of a service, and how many rows it makes of those that it is given. */

import { createFields } from "../../Api/Browser.ts"
import { rowUrl } from "../../Step/Field.ts"
import { open } from "../Interpolate.ts"
import type { Count } from "./Count.ts"
import * as Counts from "./Count.ts"
import type { Listing } from "./Listing.ts"
import type { Good } from "./Price.ts"

/** A request that begins something or brings something; polls and retries are not counted. */
export interface Operation {
  readonly request: string
  /** False where the service's documentation does not describe it (spec 4.9). */
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

/** Seconds of the longest browser session. */
const longestLife = 3600

const idle = { requests: Counts.none, pages: Counts.none, buys: [] } as const

const fieldsOf = (config: unknown): Readonly<Record<string, unknown>> =>
  typeof config === "object" && config !== null ? (config as Readonly<Record<string, unknown>>) : {}

const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)

/** Every row goes through as one row. */
const same = ({ keys, rows }: Given): Work => ({ ...idle, rows, keys })
/** Rows may be left out. */
const fewer = ({ rows }: Given): Work => ({ ...idle, rows: Counts.upTo(rows.most) })
/** Nobody knows how many come of a row. */
const any = ({ rows }: Given): Work => ({ ...idle, rows: Counts.upTo(rows.most === 0 ? 0 : undefined) })

/** One page for each row. */
const each =
  (operation: Operation, good: Good) =>
  ({ keys, rows }: Given): Work => ({
    operation,
    requests: rows,
    pages: rows,
    rows,
    keys,
    buys: [{ good, amount: rows }]
  })

const read =
  (request: string) =>
  ({ times, wanted }: Given): Work => ({
    operation: { request, documented: true },
    requests: times,
    pages: Counts.none,
    rows: Counts.times(times, Counts.upTo(wanted)),
    buys: []
  })

const listed = ({ config, listing, times, wanted }: Given): Work => {
  const { sitemap } = fieldsOf(config)
  if (listing !== undefined) {
    const rows = Counts.times(times, Counts.exactly(listing.count))
    return { ...idle, rows, keys: times.most === 1 ? listing.keys : undefined }
  }
  if (sitemap === undefined) return { ...idle, rows: Counts.times(times, Counts.upTo(wanted)) }
  return {
    operation: { request: "POST /v2/map", documented: false },
    requests: times,
    pages: Counts.none,
    rows: Counts.times(times, Counts.upTo(Math.min(100_000, wanted ?? 100_000))),
    buys: [{ good: "map", amount: times }]
  }
}

const search = ({ config, times, wanted }: Given): Work => {
  const { enterprise, limit, scrapeOptions, sources } = fieldsOf(config)
  const kinds = (Array.isArray(enterprise) ? enterprise : []) as ReadonlyArray<unknown>
  const good = kinds.includes("zdr") ? "searchZdr" : kinds.includes("anon") ? "searchAnon" : "search"
  const isOpen = (field: unknown) => config === open || field === open
  const perSource = Math.min(isOpen(limit) ? 100 : (numberOf(limit) ?? 10), wanted ?? 100)
  const most = perSource * (Array.isArray(sources) ? sources.length : isOpen(sources) ? 3 : 1)
  const results = Counts.times(times, Counts.upTo(most))
  const { formats } = fieldsOf(scrapeOptions)
  const scraped = Array.isArray(formats) && formats.length > 0 ? results : Counts.none
  return {
    operation: { request: "POST /v2/search", documented: true },
    requests: times,
    pages: scraped,
    rows: Counts.times(times, Counts.upTo(Math.min(most, wanted ?? most))),
    buys: [
      { good, amount: Counts.times(times, Counts.upTo(Math.ceil(most / 10))) },
      { good: "scrape", amount: scraped }
    ]
  }
}

const crawl = ({ config, crawlLimit, times, wanted }: Given): Work => {
  const { limit, params } = fieldsOf(config)
  const isOpen = config === open || limit === open || (limit === undefined && params === open)
  const said = isOpen ? undefined : (numberOf(limit) ?? numberOf(fieldsOf(params).limit) ?? crawlLimit)
  const most = said === undefined ? wanted : Math.min(said, wanted ?? said)
  const pages = Counts.times(times, Counts.upTo(most))
  return {
    operation: { request: "POST /v2/crawl", documented: false },
    requests: times,
    pages,
    rows: pages,
    buys: [{ good: "crawlPage", amount: pages }]
  }
}

/** How long a session lasts nobody knows before: it is over with the run, and at the latest with its `ttl`. */
const minutes = (config: unknown): Count => {
  const { ttl } = fieldsOf(config)
  const seconds = config === open || ttl === open ? longestLife : (numberOf(ttl) ?? createFields.ttl.defaultValue)
  return { least: 1, most: Math.ceil(seconds / 60) }
}

/** One job for all rows; a page that several rows ask for is asked for once. */
const batch = ({ config, keys, rows }: Given): Work => {
  const pages =
    keys === undefined || fieldsOf(config).url !== rowUrl() ? Counts.some(rows) : Counts.exactly(new Set(keys).size)
  return {
    operation: { request: "POST /v2/batch/scrape", documented: false },
    requests: { least: Math.min(1, rows.least), most: rows.most === 0 ? 0 : 1 },
    pages,
    rows,
    keys,
    buys: [{ good: "batchPage", amount: pages }]
  }
}

const table: Readonly<Record<string, (given: Given) => Work>> = {
  search,
  urls: listed,
  files: listed,
  read: ({ times, wanted }) => ({ ...idle, rows: Counts.times(times, Counts.upTo(wanted)) }),
  crawlPreview: ({ pinned }) => ({
    operation: { request: "POST /v2/crawl/params-preview", documented: true },
    requests: pinned ? Counts.none : Counts.exactly(1),
    pages: Counts.none,
    rows: Counts.none,
    buys: [{ good: "crawlPreview", amount: pinned ? Counts.none : Counts.exactly(1) }]
  }),
  browser: ({ config }) => ({
    operation: { request: "POST /v2/browser", documented: true },
    requests: Counts.exactly(1),
    pages: Counts.none,
    rows: Counts.none,
    buys: [{ good: "browser", amount: minutes(config) }]
  }),
  crawl,
  batchScrape: batch,
  batchStatus: read("GET /v2/batch/scrape/{id}"),
  crawlStatus: (given) => {
    const isV1 = fieldsOf(given.config).version === "v1"
    const work = read(`GET /${isV1 ? "v1" : "v2"}/crawl/{id}`)(given)
    return { ...work, operation: { request: work.operation?.request ?? "", documented: isV1 } }
  },
  scrape: (given) =>
    // What a browser session has shown is parsed.
    fieldsOf(given.config).session === undefined
      ? each({ request: "POST /v2/scrape", documented: false }, "scrape")(given)
      : each({ request: "POST /v2/parse", documented: true }, "parse")(given),
  parse: (given) => {
    // What has an address is scraped, and parsed the same way (spec 1).
    const isFile = fieldsOf(given.config).url === undefined
    const operation = isFile
      ? { request: "POST /v2/parse", documented: true }
      : { request: "POST /v2/scrape", documented: false }
    return each(operation, isFile ? "parse" : "scrape")(given)
  },
  usage: read("GET /v2/team/token-usage/historical"),
  activeCrawls: read("GET /v2/crawl/active"),
  where: fewer,
  check: fewer,
  sample: (given) => {
    const count = numberOf(fieldsOf(given.config).rows)
    return count === undefined ? fewer(given) : { ...idle, rows: Counts.atMost(given.rows, count) }
  },
  flatten: ({ rows }) => ({ ...idle, rows }),
  join: (given) => {
    const { many, type } = fieldsOf(given.config)
    return many === "all" ? any(given) : type === "inner" ? fewer(given) : { ...idle, rows: given.rows }
  },
  select: ({ rows }) => ({ ...idle, rows }),
  drop: ({ rows }) => ({ ...idle, rows }),
  sort: ({ config, rows }) => ({ ...idle, rows: Counts.atMost(rows, numberOf(fieldsOf(config).limit)) }),
  write: same,
  dedupe: ({ config, keys, remembered, rows }) => {
    const { across, emit } = fieldsOf(config)
    if (across !== "runs") {
      const known = keys === undefined || fieldsOf(config).key !== undefined ? undefined : [...new Set(keys)]
      return { ...idle, rows: known === undefined ? Counts.some(rows) : Counts.exactly(known.length), keys: known }
    }
    const gone = Array.isArray(emit) && emit.includes("gone") ? remembered : 0
    return { ...idle, rows: Counts.upTo(rows.most === undefined ? undefined : rows.most + gone) }
  },
  limit: (given) => {
    const count = numberOf(given.config)
    return { ...idle, rows: Counts.atMost(given.rows, count), keys: given.keys?.slice(0, count) }
  }
}

/** Steps that are not in the table do their work here, and make nobody knows how many rows. */
export const workOf = (key: string, given: Given): Work => (table[key] ?? any)(given)

const nothing: Given = {
  config: open,
  rows: Counts.none,
  times: Counts.none,
  wanted: undefined,
  pinned: false,
  crawlLimit: undefined,
  remembered: 0
}

/** Whether a step asks a service for anything; `config` is as it is written. */
export const asks = (key: string, config: unknown): boolean =>
  // What is worked out at the run could turn out to be anything.
  (key === "urls" && typeof config === "string") || workOf(key, { ...nothing, config }).operation !== undefined
