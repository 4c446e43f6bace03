/** SearXNG: a metasearch engine that the operator runs (`searxng=http://host:8080`, with format json allowed there). */
import { canParse } from "../../../Api/Url.ts"
import type { Hit, Make, Source, Timing, Wish } from "../Provider.ts"
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
    // Some of its engines leave the scheme out.
    imageUrl: (text(result, "img_src") ?? text(result, "thumbnail"))?.replace(/^\/\//, "https://"),
    ...sizeOf(text(result, "resolution")),
    now
  })

const timing = (wish: Wish): Timing => {
  const said = recent(wish)
  const simple = said !== undefined && !ranged(wish) && (said.count === 1 || (said.unit === "h" && said.count <= 24))
  return {
    values: simple ? { time_range: units[said.unit === "h" ? "d" : said.unit] } : {},
    exact: !isBounded(wish) || (simple && said.unit !== "h")
  }
}

export const searxng: Make = (value) => {
  if (!canParse(value) || !/^https?:$/.test(new URL(value).protocol)) return "has no http:// or https:// address"
  return {
    name: "searxng",
    base: value.replace(/\/(?:search\/?)?$/, ""),
    sources: ["web", "images", "news"],
    // Which of its engines know an operator nobody can say; these most of them know.
    operators: new Set(["phrase", "minus", "site", "filetype", "or"]),
    hostParameters: false,
    longest: 500,
    pageSize: () => 100,
    pages: () => 10,
    timing,
    sorts: false,
    places: () => ({ location: false, country: false }),
    call: (wish, { text, page }) => ({
      path: "/search",
      query: { q: text, format: "json", categories: categories[wish.source], pageno: page + 1, ...timing(wish).values }
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
          silent.length === 0 ? undefined : `these of its engines did not answer: ${silent.slice(0, 10).join(", ")}`
      }
    }
  }
}
