/** What each step asks of a service, and how many rows it makes of those that it is given. */

import { open } from "../Interpolate.ts"
import * as Counts from "./Count.ts"
import { bought, fieldsOf, type Given, idle, numberOf, type Work } from "./Work/Given.ts"
import { any, batch, each, fewer, same } from "./Work/Rows.ts"
import { crawl, listed, read, search } from "./Work/Sources.ts"

export type { Operation, Work } from "./Work/Given.ts"

const table: Readonly<Record<string, (given: Given) => Work>> = {
  search,
  urls: listed,
  files: listed,
  read: ({ times, wanted }) => ({ ...idle, rows: Counts.times(times, Counts.upTo(wanted)) }),
  crawlPreview: ({ cost, pinned }) => ({
    operation: { request: "POST /v2/crawl/params-preview", documented: true },
    requests: pinned ? Counts.none : Counts.exactly(1),
    pages: Counts.none,
    rows: Counts.none,
    buys: bought(cost, pinned ? Counts.none : Counts.exactly(1))
  }),
  browser: ({ cost }) => ({
    operation: { request: "POST /v2/browser", documented: true },
    requests: Counts.exactly(1),
    pages: Counts.none,
    rows: Counts.none,
    buys: bought(cost, Counts.exactly(1))
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
      ? each({ request: "POST /v2/scrape", documented: false })(given)
      : each({ request: "POST /v2/parse", documented: true })(given),
  parse: (given) => {
    // A row with an address is scraped, which parses its file the same way.
    const isFile = fieldsOf(given.config).url === undefined
    const operation = isFile
      ? { request: "POST /v2/parse", documented: true }
      : { request: "POST /v2/scrape", documented: false }
    return each(operation)(given)
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

/** Steps that are not in the table work without a service and give an unknown number of rows. */
export const workOf = (key: string, given: Given): Work => (table[key] ?? any)(given)

const nothing: Given = {
  cost: [],
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
