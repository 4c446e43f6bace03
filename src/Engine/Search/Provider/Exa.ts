/** Exa, which finds pages by meaning (`exa=KEY`). */
import type { Hit, Make, Timing, Wish } from "../Provider.ts"
import { hosts } from "../ProviderQuery.ts"
import { at, hit, list, text } from "./ReadJson.ts"

/** Where it is; tests never ask there. */
const official = "https://api.exa.ai"

const timing = ({ period: { from, to } }: Wish): Timing => ({
  values: {
    ...(from === undefined ? {} : { startPublishedDate: new Date(Math.max(0, from)).toISOString() }),
    ...(to === undefined ? {} : { endPublishedDate: new Date(Math.max(0, to - 1)).toISOString() })
  },
  exact: true
})

/** Characters of a page that stand for a description. */
const shown = 300

const read = (result: unknown, now: number): ReadonlyArray<Hit> =>
  hit({
    url: text(result, "url"),
    title: text(result, "title"),
    description: (text(result, "summary") ?? text(result, "highlights", 0) ?? text(result, "text"))
      ?.replace(/\s+/g, " ")
      .slice(0, shown),
    date: text(result, "publishedDate"),
    imageUrl: text(result, "image"),
    now
  })

/** It has none for PDFs or GitHub, and refuses names that it does not know. */
const categoryOf = ({ categories, source }: Wish): string | undefined =>
  source === "news" ? "news" : categories.length === 1 && categories[0] === "research" ? "research paper" : undefined

export const exa: Make = (key, base = official) => ({
  name: "exa",
  base,
  sources: ["web", "news"],
  operators: new Set([]),
  hostParameters: true,
  longest: 500,
  pageSize: () => 100,
  pages: () => 1,
  timing,
  sorts: false,
  places: (wish) => ({ location: false, country: /^[A-Z]{2}$/.test(wish.country ?? "") }),
  call: (wish, { size, text }) => {
    const category = categoryOf(wish)
    const { unwanted, wanted } = hosts(category === undefined ? wish : { ...wish, categories: [] }, 1000)
    return {
      path: "/search",
      headers: { "x-api-key": key },
      body: {
        query: text,
        type: "auto",
        numResults: size,
        ...timing(wish).values,
        ...(category === undefined ? {} : { category }),
        ...(wanted.length === 0 ? {} : { includeDomains: wanted }),
        ...(unwanted.length === 0 ? {} : { excludeDomains: unwanted }),
        ...(wish.country === undefined ? {} : { userLocation: wish.country }),
        contents: { text: { maxCharacters: shown } }
      }
    }
  },
  read: (_, body, now) => {
    const results = list(body, "results")
    if (results === undefined || at(body, "error") !== undefined) return undefined
    return { hits: results.flatMap((result) => read(result, now)), more: false }
  }
})
