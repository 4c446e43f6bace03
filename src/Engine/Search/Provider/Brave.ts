/** Brave Search API (`brave=KEY`). */
import type { Hit, Make, Source, Timing, Wish } from "../Provider.ts"
import { at, days, hit, isBounded, list, number, plain, ranged, recent, text } from "./ReadJson.ts"

/** Where it is; tests never ask there. */
const official = "https://api.search.brave.com"

const units = { d: "pd", w: "pw", m: "pm", y: "py" } as const

const timing = (wish: Wish): Timing => {
  if (!isBounded(wish)) return { values: {}, exact: true }
  const said = recent(wish)
  if (wish.source === "images") return { values: {}, exact: false }
  if (said !== undefined && said.count === 1 && said.unit !== "h" && !ranged(wish)) {
    return { values: { freshness: units[said.unit] }, exact: true }
  }
  const { first = "1970-01-01", last = "9999-12-31" } = days(wish)
  return { values: { freshness: `${first}to${last}` }, exact: said?.unit !== "h" }
}

/** Countries that it searches in; any other it refuses, and then searches nowhere. */
const countries = new Set(
  "AR AU AT BE BR CA CL DK FI FR DE GR HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US".split(
    " "
  )
)

/** Headers can hold nothing else. */
const inHeader = (text: string | undefined): string | undefined =>
  text === undefined || !/^[\x20-\x7e]{1,100}$/.test(text) ? undefined : text

const whereabouts = ({ country, location }: Wish): Readonly<Record<string, string>> => {
  const [city, state, ...rest] = (location ?? "").split(",").map((part) => inHeader(part.trim()))
  // A name alone is a country's, and that it takes by its code only.
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

const most: Readonly<Record<Source, number>> = { web: 20, images: 200, news: 50 }

export const brave: Make = (key, base = official) => ({
  name: "brave",
  base,
  sources: ["web", "images", "news"],
  operators: new Set(["phrase", "minus", "site", "filetype", "intitle", "or"]),
  hostParameters: false,
  longest: 400,
  mostWords: 50,
  pageSize: (source) => most[source],
  pages: (source) => (source === "images" ? 1 : 10),
  timing,
  sorts: false,
  places: (wish) => ({
    location: Object.keys(whereabouts(wish)).length > 0,
    country: countries.has(wish.country ?? "")
  }),
  call: (wish, { page, size, text }) => ({
    path: `/res/v1/${wish.source}/search`,
    headers: { "x-subscription-token": key, ...whereabouts(wish) },
    query: {
      q: text,
      count: size,
      country: wish.country === undefined ? undefined : countries.has(wish.country) ? wish.country : "ALL",
      // A phrase is to be found as it is written.
      ...(text.includes('"') ? { spellcheck: "false" } : {}),
      ...(wish.source === "images" ? {} : { offset: page, ...timing(wish).values }),
      ...(wish.source === "web" ? { text_decorations: "false", result_filter: "web" } : {})
    }
  }),
  read: (source, body, now) => {
    if (text(body, "type") === "ErrorResponse") return undefined
    // Without any result there is no part for results at all.
    const known = at(body, "query") !== undefined || at(body, "type") !== undefined
    const results = source === "web" ? list(body, "web", "results") : list(body, "results")
    if (results === undefined) return known ? { hits: [], more: false } : undefined
    return {
      hits: results.flatMap((result) => (source === "images" ? picture(result, now) : read(result, now))),
      more: source === "web" ? at(body, "query", "more_results_available") !== false : results.length > 0
    }
  }
})
