/** The work of sources: how often they ask, and how many rows they give at most. */
import { open } from "../../Interpolate.ts"
import * as Counts from "../Count.ts"
import { fieldsOf, type Given, idle, numberOf, type Work } from "./Given.ts"

export const read =
  (request: string) =>
  ({ times, wanted }: Given): Work => ({
    operation: { request, documented: true },
    requests: times,
    pages: Counts.none,
    rows: Counts.times(times, Counts.upTo(wanted)),
    buys: []
  })

export const listed = ({ config, listing, times, wanted }: Given): Work => {
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

export const search = ({ config, times, wanted }: Given): Work => {
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

export const crawl = ({ config, crawlLimit, times, wanted }: Given): Work => {
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
