/** The work of sources: how often they ask, and how many rows they give at most. */
import { searchLimit, searchResults } from "../../../Step/Cost.ts"
import { open } from "../../Interpolate.ts"
import * as Counts from "../Count.ts"
import { bought, fieldsOf, type Given, idle, numberOf, type Work } from "./Given.ts"

export const read =
  (request: string) =>
  ({ times, wanted }: Given): Work => ({
    operation: { request, documented: true },
    requests: times,
    pages: Counts.none,
    rows: Counts.times(times, Counts.upTo(wanted)),
    buys: []
  })

export const listed = ({ config, cost, listing, times, wanted }: Given): Work => {
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
    buys: bought(cost, times)
  }
}

export const search = ({ config, cost, times, wanted }: Given): Work => {
  const fields = config === open ? undefined : config
  const { pages, results } = searchResults(fields, searchLimit(fields, wanted))
  return {
    operation: { request: "POST /v2/search", documented: true },
    requests: times,
    pages: Counts.times(times, Counts.upTo(pages)),
    rows: Counts.times(times, Counts.upTo(Math.min(results, wanted ?? results))),
    buys: bought(cost, times)
  }
}

export const crawl = ({ config, cost, crawlLimit, times, wanted }: Given): Work => {
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
    buys: bought(cost, pages)
  }
}
