/** Brave Search API (`brave=KEY`). */
import type { Hit, MakeProvider, Source, SourceRequest, TimeFilter } from "../Provider.ts"
import { at, days, hit, isBounded, list, number, plain, ranged, recent, text } from "./ReadJson.ts"

/** Base URL; tests use another one. */
const official = "https://api.search.brave.com"

const units = { d: "pd", w: "pw", m: "pm", y: "py" } as const

const timing = (request: SourceRequest): TimeFilter => {
  if (!isBounded(request)) return { values: {}, exact: true }
  const recency = recent(request)
  if (request.source === "images") return { values: {}, exact: false }
  if (recency !== undefined && recency.count === 1 && recency.unit !== "h" && !ranged(request)) {
    return { values: { freshness: units[recency.unit] }, exact: true }
  }
  const { first = "1970-01-01", last = "9999-12-31" } = days(request)
  return { values: { freshness: `${first}to${last}` }, exact: recency?.unit !== "h" }
}

/** Supported countries. The API rejects a request with any other. */
const countries = new Set(
  "AR AU AT BE BR CA CL DK FI FR DE GR HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US".split(
    " "
  )
)

/** Returns text that a header can hold, which must be ASCII. */
const inHeader = (text: string | undefined): string | undefined =>
  text === undefined || !/^[\x20-\x7e]{1,100}$/.test(text) ? undefined : text

const locationHeaders = ({ country, location }: SourceRequest): Readonly<Record<string, string>> => {
  const [city, state, ...rest] = (location ?? "").split(",").map((part) => inHeader(part.trim()))
  // A single name is a country, which the API takes only as a code.
  if (rest.length === 0 || city === undefined || state === undefined) return {}
  const code = /^[A-Z]{2}$/.test(country ?? "") ? country : undefined
  return {
    "x-loc-city": city,
    "x-loc-state-name": state,
    ...(code === undefined ? {} : { "x-loc-country": code })
  }
}

const read = (result: unknown, now: number): ReadonlyArray<Hit> =>
  hit({
    url: text(result, "url"),
    title: plain(text(result, "title")),
    description: plain(text(result, "description")),
    date: text(result, "page_age") ?? text(result, "age"),
    imageUrl: text(result, "thumbnail", "src"),
    now
  })

const picture = (result: unknown, now: number): ReadonlyArray<Hit> =>
  hit({
    url: text(result, "url"),
    title: plain(text(result, "title")),
    imageUrl: text(result, "properties", "url") ?? text(result, "thumbnail", "src"),
    width: number(result, "properties", "width"),
    height: number(result, "properties", "height"),
    now
  })

const maxResults: Readonly<Record<Source, number>> = { web: 20, images: 200, news: 50 }

export const brave: MakeProvider = (key, base = official) => ({
  name: "brave",
  base,
  sources: ["web", "images", "news"],
  operators: new Set(["phrase", "minus", "site", "filetype", "intitle", "or"]),
  hostParameters: false,
  maxQueryLength: 400,
  maxQueryWords: 50,
  pageSize: (source) => maxResults[source],
  pages: (source) => (source === "images" ? 1 : 10),
  timeFilter: timing,
  sortsByDate: false,
  locationSupport: (request) => ({
    location: Object.keys(locationHeaders(request)).length > 0,
    country: countries.has(request.country ?? "")
  }),
  call: (request, { page, size, text }) => ({
    path: `/res/v1/${request.source}/search`,
    headers: { "x-subscription-token": key, ...locationHeaders(request) },
    query: {
      q: text,
      count: size,
      country: request.country === undefined ? undefined : countries.has(request.country) ? request.country : "ALL",
      // Search for exact phrases as written, without spelling correction.
      ...(text.includes('"') ? { spellcheck: "false" } : {}),
      ...(request.source === "images" ? {} : { offset: page, ...timing(request).values }),
      ...(request.source === "web" ? { text_decorations: "false", result_filter: "web" } : {})
    }
  }),
  read: (source, body, now) => {
    if (text(body, "type") === "ErrorResponse") return undefined
    // A response without results has no result section.
    const known = at(body, "query") !== undefined || at(body, "type") !== undefined
    const results = source === "web" ? list(body, "web", "results") : list(body, "results")
    if (results === undefined) return known ? { hits: [], more: false } : undefined
    return {
      hits: results.flatMap((result) => (source === "images" ? picture(result, now) : read(result, now))),
      more: source === "web" ? at(body, "query", "more_results_available") !== false : results.length > 0
    }
  }
})
