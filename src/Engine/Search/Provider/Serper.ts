/** Serper, which returns Google's results (`serper=KEY`). */
import type { Hit, MakeProvider, Source } from "../Provider.ts"
import { at, hit, list, number, text } from "./ReadJson.ts"

/** Base URL; tests use another one. */
const official = "https://google.serper.dev"

const paths: Readonly<Record<Source, string>> = { web: "/search", images: "/images", news: "/news" }
const keys: Readonly<Record<Source, string>> = { web: "organic", images: "images", news: "news" }

const read = (result: unknown, now: number): ReadonlyArray<Hit> =>
  hit({
    url: text(result, "link"),
    title: text(result, "title"),
    description: text(result, "snippet"),
    date: text(result, "date"),
    imageUrl: text(result, "imageUrl"),
    width: number(result, "imageWidth"),
    height: number(result, "imageHeight"),
    now
  })

export const serper: MakeProvider = (key, base = official) => ({
  name: "serper",
  base,
  sources: ["web", "images", "news"],
  operators: new Set(["phrase", "minus", "site", "filetype", "inurl", "intitle", "or"]),
  hostParameters: false,
  maxQueryLength: 2000,
  // More than ten results per page cost more and are not always returned.
  pageSize: () => 10,
  pages: () => 10,
  // The API takes the filter in Google's notation.
  timeFilter: ({ tbs }) => ({ values: tbs === undefined ? {} : { tbs }, exact: true }),
  sortsByDate: true,
  locationSupport: () => ({ location: true, country: true }),
  call: (request, { page, text }) => ({
    path: paths[request.source],
    headers: { "x-api-key": key },
    body: {
      q: text,
      num: 10,
      page: page + 1,
      ...(request.country === undefined ? {} : { gl: request.country.toLowerCase() }),
      ...(request.location === undefined ? {} : { location: request.location }),
      ...(request.tbs === undefined ? {} : { tbs: request.tbs }),
      // Search for exact phrases as written, without correction.
      ...(text.includes('"') ? { autocorrect: false } : {})
    }
  }),
  read: (source, body, now) => {
    const results = list(body, keys[source])
    if (results === undefined) {
      return at(body, "searchParameters") === undefined ? undefined : { hits: [], more: false }
    }
    // Full pages often have fewer than ten results. Each page costs, so a page with at most five counts as the last.
    return { hits: results.flatMap((result) => read(result, now)), more: results.length > 5 }
  }
})
