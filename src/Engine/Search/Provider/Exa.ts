/** Exa, a semantic search engine (`exa=KEY`). */
import type { Hit, MakeProvider, SourceRequest, TimeFilter } from "../Provider.ts"
import { hosts } from "../ProviderQuery.ts"
import { at, hit, list, text } from "./ReadJson.ts"

/** Base URL; tests use another one. */
const official = "https://api.exa.ai"

const timing = ({ period: { from, to } }: SourceRequest): TimeFilter => ({
  values: {
    ...(from === undefined ? {} : { startPublishedDate: new Date(Math.max(0, from)).toISOString() }),
    ...(to === undefined ? {} : { endPublishedDate: new Date(Math.max(0, to - 1)).toISOString() })
  },
  exact: true
})

/** Characters of the page's text to use as description. */
const descriptionLength = 300

const read = (result: unknown, now: number): ReadonlyArray<Hit> =>
  hit({
    url: text(result, "url"),
    title: text(result, "title"),
    description: (text(result, "summary") ?? text(result, "highlights", 0) ?? text(result, "text"))
      ?.replace(/\s+/g, " ")
      .slice(0, descriptionLength),
    date: text(result, "publishedDate"),
    imageUrl: text(result, "image"),
    now
  })

/** Exa has no category for PDFs or GitHub and rejects unknown names. */
const categoryOf = ({ categories, source }: SourceRequest): string | undefined =>
  source === "news" ? "news" : categories.length === 1 && categories[0] === "research" ? "research paper" : undefined

export const exa: MakeProvider = (key, base = official) => ({
  name: "exa",
  base,
  sources: ["web", "news"],
  operators: new Set([]),
  hostParameters: true,
  maxQueryLength: 500,
  pageSize: () => 100,
  pages: () => 1,
  timeFilter: timing,
  sortsByDate: false,
  locationSupport: (request) => ({ location: false, country: /^[A-Z]{2}$/.test(request.country ?? "") }),
  call: (request, { size, text }) => {
    const category = categoryOf(request)
    const { unwanted, wanted } = hosts(category === undefined ? request : { ...request, categories: [] }, 1000)
    return {
      path: "/search",
      headers: { "x-api-key": key },
      body: {
        query: text,
        type: "auto",
        numResults: size,
        ...timing(request).values,
        ...(category === undefined ? {} : { category }),
        ...(wanted.length === 0 ? {} : { includeDomains: wanted }),
        ...(unwanted.length === 0 ? {} : { excludeDomains: unwanted }),
        ...(request.country === undefined ? {} : { userLocation: request.country }),
        contents: { text: { maxCharacters: descriptionLength } }
      }
    }
  },
  read: (_, body, now) => {
    const results = list(body, "results")
    if (results === undefined || at(body, "error") !== undefined) return undefined
    return { hits: results.flatMap((result) => read(result, now)), more: false }
  }
})
