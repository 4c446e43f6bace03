/** Tavily, a search API for language models (`tavily=KEY`). */
import type { Hit, MakeProvider, SourceRequest, TimeFilter } from "../Provider.ts"
import { hosts } from "../ProviderQuery.ts"
import { days, hit, isBounded, list, ranged, recent, text } from "./ReadJson.ts"

/** Base URL; tests use another one. */
const official = "https://api.tavily.com"

const units = { d: "day", w: "week", m: "month", y: "year" } as const

const timing = (request: SourceRequest): TimeFilter => {
  if (!isBounded(request)) return { values: {}, exact: true }
  const recency = recent(request)
  if (recency !== undefined && recency.count === 1 && recency.unit !== "h" && !ranged(request)) {
    return { values: { time_range: units[recency.unit] }, exact: true }
  }
  const { first, last } = days(request)
  return {
    values: {
      ...(first === undefined ? {} : { start_date: first }),
      ...(last === undefined ? {} : { end_date: last })
    },
    exact: recency?.unit !== "h"
  }
}

/** English country name, as required by the API. Codes without a name are not sent. */
const countryOf = ({ country, countryAsked, source }: SourceRequest): string | undefined => {
  if (source !== "web" || !countryAsked || country === undefined || !/^[A-Z]{2}$/.test(country)) return undefined
  const name = new Intl.DisplayNames(["en"], { type: "region" }).of(country)
  return name === undefined || name === country ? undefined : name.toLowerCase()
}

const read = (result: unknown, now: number): ReadonlyArray<Hit> =>
  hit({
    url: text(result, "url"),
    title: text(result, "title"),
    description: text(result, "content"),
    date: text(result, "published_date"),
    now
  })

/** Reads an image, which is a URL or an object with a description. The API does not return the page of an image. */
const picture = (image: unknown, now: number): ReadonlyArray<Hit> => {
  const imageUrl = typeof image === "string" ? image : text(image, "url")
  return hit({ url: imageUrl, imageUrl, title: text(image, "description") ?? text(image, "title"), now })
}

export const tavily: MakeProvider = (key, base = official) => ({
  name: "tavily",
  base,
  sources: ["web", "images", "news"],
  operators: new Set(["phrase"]),
  hostParameters: true,
  maxQueryLength: 400,
  pageSize: () => 20,
  pages: () => 1,
  timeFilter: timing,
  sortsByDate: false,
  locationSupport: (request) => ({ location: false, country: countryOf(request) !== undefined }),
  call: (request, { size, text }) => {
    const { unwanted, wanted } = hosts(request, 150)
    const country = countryOf(request)
    return {
      path: "/search",
      headers: { authorization: `Bearer ${key}` },
      body: {
        query: text,
        topic: request.source === "news" ? "news" : "general",
        search_depth: "basic",
        max_results: request.source === "images" ? 10 : size,
        ...(text.includes('"') ? { exact_match: true } : {}),
        ...timing(request).values,
        ...(wanted.length === 0 ? {} : { include_domains: wanted }),
        ...(unwanted.length === 0 ? {} : { exclude_domains: unwanted }),
        ...(country === undefined ? {} : { country }),
        ...(request.source === "images" ? { include_images: true, include_image_descriptions: true } : {})
      }
    }
  },
  read: (source, body, now) => {
    const results = list(body, source === "images" ? "images" : "results")
    if (results === undefined) return undefined
    return {
      hits: results.flatMap((result) => (source === "images" ? picture(result, now) : read(result, now))),
      more: false
    }
  }
})
