/** Tavily, a search for language models (`tavily=KEY`). */
import type { Hit, Make, Timing, Wish } from "../Provider.ts"
import { hosts } from "../ProviderQuery.ts"
import { days, hit, isBounded, list, ranged, recent, text } from "./ReadJson.ts"

/** Where it is; tests never ask there. */
const official = "https://api.tavily.com"

const units = { d: "day", w: "week", m: "month", y: "year" } as const

const timing = (wish: Wish): Timing => {
  if (!isBounded(wish)) return { values: {}, exact: true }
  const said = recent(wish)
  if (said !== undefined && said.count === 1 && said.unit !== "h" && !ranged(wish)) {
    return { values: { time_range: units[said.unit] }, exact: true }
  }
  const { first, last } = days(wish)
  return {
    values: {
      ...(first === undefined ? {} : { start_date: first }),
      ...(last === undefined ? {} : { end_date: last })
    },
    exact: said?.unit !== "h"
  }
}

/** It takes countries by their English names; a code that has none is not sent. */
const countryOf = ({ country, countryAsked, source }: Wish): string | undefined => {
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

/** Pictures come as addresses, or with a text each; the page that they are on it does not say. */
const picture = (image: unknown, now: number): ReadonlyArray<Hit> => {
  const imageUrl = typeof image === "string" ? image : text(image, "url")
  return hit({ url: imageUrl, imageUrl, title: text(image, "description") ?? text(image, "title"), now })
}

export const tavily: Make = (key, base = official) => ({
  name: "tavily",
  base,
  sources: ["web", "images", "news"],
  operators: new Set(["phrase"]),
  hostParameters: true,
  longest: 400,
  pageSize: () => 20,
  pages: () => 1,
  timing,
  sorts: false,
  places: (wish) => ({ location: false, country: countryOf(wish) !== undefined }),
  call: (wish, { size, text }) => {
    const { unwanted, wanted } = hosts(wish, 150)
    const country = countryOf(wish)
    return {
      path: "/search",
      headers: { authorization: `Bearer ${key}` },
      body: {
        query: text,
        topic: wish.source === "news" ? "news" : "general",
        search_depth: "basic",
        max_results: wish.source === "images" ? 10 : size,
        ...(text.includes('"') ? { exact_match: true } : {}),
        ...timing(wish).values,
        ...(wanted.length === 0 ? {} : { include_domains: wanted }),
        ...(unwanted.length === 0 ? {} : { exclude_domains: unwanted }),
        ...(country === undefined ? {} : { country }),
        ...(wish.source === "images" ? { include_images: true, include_image_descriptions: true } : {})
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
