/** Google's Custom Search JSON API (`google=KEY:CX`). */
import type { Hit, MakeProvider, SourceRequest, TimeFilter } from "../Provider.ts"
import { at, day, days, hit, isBounded, list, number, ranged, recent, text } from "./ReadJson.ts"

/** Base URL; tests use another one. */
const official = "https://customsearch.googleapis.com"

const compact = (date: string | undefined): string => (date ?? "").replaceAll("-", "")

const timing = (request: SourceRequest): TimeFilter => {
  const { newestFirst } = request.period
  const sorted: Readonly<Record<string, string>> = newestFirst ? { sort: "date" } : {}
  if (!isBounded(request)) return { values: sorted, exact: true }
  const recency = recent(request)
  if (recency !== undefined && recency.unit !== "h" && !ranged(request)) {
    return { values: { ...sorted, dateRestrict: `${recency.unit}${recency.count}` }, exact: true }
  }
  const { first, last } = days(request)
  return {
    values: { sort: `date:r:${compact(first ?? day(0))}:${compact(last ?? day(Number.MAX_VALUE))}` },
    exact: recency?.unit !== "h" && !newestFirst
  }
}

const dated = ["article:published_time", "datepublished", "date", "og:updated_time"]

const read = (result: unknown, now: number): ReadonlyArray<Hit> =>
  hit({
    url: text(result, "link"),
    title: text(result, "title"),
    description: text(result, "snippet")?.replace(/\s+/g, " "),
    date: dated.flatMap((name) => text(result, "pagemap", "metatags", 0, name) ?? [])[0],
    now
  })

const picture = (result: unknown, now: number): ReadonlyArray<Hit> =>
  hit({
    url: text(result, "image", "contextLink") ?? text(result, "link"),
    title: text(result, "title"),
    imageUrl: text(result, "link"),
    width: number(result, "image", "width"),
    height: number(result, "image", "height"),
    now
  })

export const google: MakeProvider = (value, base = official) => {
  const sign = value.indexOf(":")
  const [key, engine] = [value.slice(0, Math.max(0, sign)), value.slice(sign + 1)]
  if (key === "" || engine === "") return "is not google=KEY:CX"
  return {
    name: "google",
    base,
    sources: ["web", "images"],
    operators: new Set(["phrase", "minus", "site", "filetype", "inurl", "intitle", "or"]),
    hostParameters: false,
    maxQueryLength: 2000,
    pageSize: () => 10,
    // The API returns only the first 100 results of a search.
    pages: () => 10,
    timeFilter: timing,
    sortsByDate: true,
    locationSupport: () => ({ location: false, country: true }),
    call: (request, { page, size, text }) => ({
      path: "/customsearch/v1",
      query: {
        key,
        cx: engine,
        q: text,
        num: size,
        start: Math.min(page * size + 1, 101 - size),
        gl: request.country?.toLowerCase(),
        ...(request.source === "images" ? { searchType: "image" } : {}),
        ...timing(request).values
      }
    }),
    read: (source, body, now) => {
      const items = list(body, "items")
      const known = at(body, "searchInformation") !== undefined || text(body, "kind") === "customsearch#search"
      if (items === undefined) return known ? { hits: [], more: false } : undefined
      return {
        hits: items.flatMap((item) => (source === "images" ? picture(item, now) : read(item, now))),
        more: at(body, "queries", "nextPage") !== undefined
      }
    }
  }
}
