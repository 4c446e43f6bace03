/** SearXNG, a metasearch engine run by the operator (`searxng=http://host:8080`, with format json enabled). */
import { isHttp } from "../../../Api/Url.ts"
import type { Hit, MakeProvider, Source, SourceRequest, TimeFilter } from "../Provider.ts"
import { hit, isBounded, list, plain, ranged, recent, text } from "./ReadJson.ts"

const categories: Readonly<Record<Source, string>> = { web: "general", images: "images", news: "news" }

const units = { d: "day", w: "week", m: "month", y: "year" } as const

const sizeOf = (resolution: string | undefined): { readonly width?: number; readonly height?: number } => {
  const [, width, height] = /(\d{1,6})\s*[x×*]\s*(\d{1,6})/i.exec(resolution ?? "") ?? []
  return width === undefined ? {} : { width: Number(width), height: Number(height) }
}

const read = (result: unknown, now: number): ReadonlyArray<Hit> =>
  hit({
    url: text(result, "url"),
    title: plain(text(result, "title")),
    description: plain(text(result, "content")),
    date: text(result, "publishedDate") ?? text(result, "pubdate"),
    // Some engines behind SearXNG omit the scheme.
    imageUrl: (text(result, "img_src") ?? text(result, "thumbnail"))?.replace(/^\/\//, "https://"),
    ...sizeOf(text(result, "resolution")),
    now
  })

const timing = (request: SourceRequest): TimeFilter => {
  const recency = recent(request)
  const simple =
    recency !== undefined && !ranged(request) && (recency.count === 1 || (recency.unit === "h" && recency.count <= 24))
  return {
    values: simple ? { time_range: units[recency.unit === "h" ? "d" : recency.unit] } : {},
    exact: !isBounded(request) || (simple && recency.unit !== "h")
  }
}

export const searxng: MakeProvider = (value) => {
  if (!isHttp(value)) return "has no http:// or https:// address"
  return {
    name: "searxng",
    base: value.replace(/\/(?:search\/?)?$/, ""),
    sources: ["web", "images", "news"],
    // The search engines behind SearXNG interpret the operators; most of them support these.
    operators: new Set(["phrase", "minus", "site", "filetype", "or"]),
    hostParameters: false,
    maxQueryLength: 500,
    pageSize: () => 100,
    pages: () => 10,
    timeFilter: timing,
    sortsByDate: false,
    locationSupport: () => ({ location: false, country: false }),
    call: (request, { text, page }) => ({
      path: "/search",
      query: {
        q: text,
        format: "json",
        categories: categories[request.source],
        pageno: page + 1,
        ...timing(request).values
      }
    }),
    read: (_, body, now) => {
      const results = list(body, "results")
      if (results === undefined) return undefined
      const hits = results.flatMap((result) => read(result, now))
      const silent = (list(body, "unresponsive_engines") ?? []).flatMap((engine) => text(engine, 0) ?? [])
      return {
        hits,
        more: hits.length > 0,
        trouble:
          silent.length === 0 ? undefined : `some of its engines did not answer: ${silent.slice(0, 10).join(", ")}`
      }
    }
  }
}
