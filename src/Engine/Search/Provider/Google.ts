/** Google's Custom Search JSON API (`google=KEY:CX`). */
import type { Hit, Make, Timing, Wish } from "../Provider.ts"
import { at, day, days, hit, isBounded, list, number, ranged, recent, text } from "./ReadJson.ts"

/** Where it is; tests never ask there. */
const official = "https://customsearch.googleapis.com"

const compact = (date: string | undefined): string => (date ?? "").replaceAll("-", "")

const timing = (wish: Wish): Timing => {
  const { newestFirst } = wish.period
  const sorted: Readonly<Record<string, string>> = newestFirst ? { sort: "date" } : {}
  if (!isBounded(wish)) return { values: sorted, exact: true }
  const said = recent(wish)
  if (said !== undefined && said.unit !== "h" && !ranged(wish)) {
    return { values: { ...sorted, dateRestrict: `${said.unit}${said.count}` }, exact: true }
  }
  const { first, last } = days(wish)
  return {
    values: { sort: `date:r:${compact(first ?? day(0))}:${compact(last ?? day(Number.MAX_VALUE))}` },
    exact: said?.unit !== "h" && !newestFirst
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

export const google: Make = (value, base = official) => {
  const sign = value.indexOf(":")
  const [key, engine] = [value.slice(0, Math.max(0, sign)), value.slice(sign + 1)]
  if (key === "" || engine === "") return "is not google=KEY:CX"
  return {
    name: "google",
    base,
    sources: ["web", "images"],
    operators: new Set(["phrase", "minus", "site", "filetype", "inurl", "intitle", "or"]),
    hostParameters: false,
    longest: 2000,
    pageSize: () => 10,
    // Of any search it gives the first hundred.
    pages: () => 10,
    timing,
    sorts: true,
    places: () => ({ location: false, country: true }),
    call: (wish, { page, size, text }) => ({
      path: "/customsearch/v1",
      query: {
        key,
        cx: engine,
        q: text,
        num: size,
        start: Math.min(page * size + 1, 101 - size),
        gl: wish.country?.toLowerCase(),
        ...(wish.source === "images" ? { searchType: "image" } : {}),
        ...timing(wish).values
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
