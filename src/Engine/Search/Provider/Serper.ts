/** Serper, which answers with Google's results (`serper=KEY`). */
import type { Hit, Make, Source } from "../Provider.ts"
import { at, hit, list, number, text } from "./ReadJson.ts"

/** Where it is; tests never ask there. */
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

export const serper: Make = (key, base = official) => ({
  name: "serper",
  base,
  sources: ["web", "images", "news"],
  operators: new Set(["phrase", "minus", "site", "filetype", "inurl", "intitle", "or"]),
  hostParameters: false,
  longest: 2000,
  // More than ten at once costs more, and is not always given.
  pageSize: () => 10,
  pages: () => 10,
  // The filter is written as Google writes it.
  timing: ({ tbs }) => ({ values: tbs === undefined ? {} : { tbs }, exact: true }),
  sorts: true,
  places: () => ({ location: true, country: true }),
  call: (wish, { page, text }) => ({
    path: paths[wish.source],
    headers: { "x-api-key": key },
    body: {
      q: text,
      num: 10,
      page: page + 1,
      ...(wish.country === undefined ? {} : { gl: wish.country.toLowerCase() }),
      ...(wish.location === undefined ? {} : { location: wish.location }),
      ...(wish.tbs === undefined ? {} : { tbs: wish.tbs }),
      // A phrase is to be found as it is written.
      ...(text.includes('"') ? { autocorrect: false } : {})
    }
  }),
  read: (source, body, now) => {
    const results = list(body, keys[source])
    if (results === undefined) {
      return at(body, "searchParameters") === undefined ? undefined : { hits: [], more: false }
    }
    // Full pages often lack a few; each costs, so a short one is taken for the last.
    return { hits: results.flatMap((result) => read(result, now)), more: results.length > 5 }
  }
})
