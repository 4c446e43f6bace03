/** Web search, on request with the content of every result. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import type * as Types from "../Generated/Api.ts"
import { Auth } from "./Auth.ts"
import { charges } from "./Charges.ts"
import { contentFields } from "./Document.ts"
import { anyOf, Conflict, TimedOut, Unavailable } from "./Errors.ts"
import {
  characters,
  defaulted,
  described,
  field,
  lenient,
  list,
  maybe,
  numeric,
  open,
  senderFields,
  strict,
  success,
  typed
} from "./Field.ts"
import { CallHeaders } from "./Idempotency.ts"
import { fields as scrapeFields } from "./ScrapeOptions.ts"

export const sources = ["web", "images", "news"] as const

export const categories = ["github", "research", "pdf"] as const
export type Category = (typeof categories)[number]

/** Time filter: `qdr:w`, `cdr:1,cd_min:12/31/2025,cd_max:01/31/2026`, `sbd:1`, or several of them joined by commas. */
export const Tbs = Schema.String.pipe(
  Schema.filter((text) => {
    const parts = text.split(",").map((part) => part.trim())
    const wrong = parts.find(
      (part) =>
        !/^(qdr:[hdwmy]\d*|cdr:1|cd_(min|max):(0?[1-9]|1[0-2])\/(0?[1-9]|[12]\d|3[01])\/\d{4}|sbd:[01])$/.test(part)
    )
    if (wrong !== undefined) {
      return `"${wrong}" is not a time filter: use qdr:h|d|w|m|y, cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY or sbd:1`
    }
    const ranged = parts.some((part) => part.startsWith("cd_"))
    if (ranged && !parts.includes("cdr:1")) return "a date range needs cdr:1 before cd_min and cd_max"
    return true
  })
).annotations({
  identifier: "Tbs",
  description: "Time filter: qdr:h|d|w|m|y, cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY or sbd:1.",
  examples: ["qdr:w", "sbd:1,qdr:w"]
})

/** A host name. */
export const Hostname = Schema.String.pipe(
  Schema.filter(
    (text) =>
      /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(text) ||
      `"${text}" is not a host name: give it without protocol, port or path, like docs.example.com`
  )
).annotations({ identifier: "Hostname", description: "a host name like docs.example.com" })

const SourceObject = Schema.Struct({
  type: field(Schema.Literal(...sources), "Kind of the results."),
  limit: Schema.optional(described(Schema.Int.pipe(Schema.between(1, 100)), "Maximum number of results of this kind.")),
  tbs: Schema.optional(Tbs),
  location: Schema.optional(Schema.String).annotations({
    description: "`<city>,<state>,<country>` or a country's name."
  })
}).annotations(lenient)

export const Sources = list(Schema.Union(Schema.Literal(...sources), SourceObject)).annotations({
  identifier: "Sources",
  description: "Kinds of results: names, or objects with options."
})

export const Categories = list(
  Schema.Union(
    Schema.Literal(...categories),
    Schema.Struct({ type: field(Schema.Literal(...categories), "Name of the category.") }).annotations(lenient)
  )
).annotations({ identifier: "Categories", description: "Categories of results, as names or as objects." })

/** Scrape options of results. Without formats the results have no content. */
export const SearchScrapeOptions = Schema.Struct({
  ...scrapeFields,
  formats: Schema.optional(scrapeFields.formats.from),
  headers: Schema.optional(
    scrapeFields.headers.from.annotations({
      description:
        "Headers to send to the hosts of the results. These hosts are not known in advance, so headers that may be secrets are left out, and `warning` names them: Authorization, Cookie, and names with auth, token, secret, session, password or api-key in them."
    })
  )
}).annotations({ identifier: "SearchScrapeOptions", ...lenient })

export const requestFields = {
  query: described(
    characters(500, 1),
    "Words, exact phrases in quotes, -word, and operators like site: and filetype:."
  ),
  limit: defaulted(
    described(Schema.Int.pipe(Schema.between(1, 100)), "Maximum number of results, for each source."),
    10
  ),
  sources: defaulted(Sources.annotations({ description: "Kinds of results: web pages, images or news." }), ["web"]),
  categories: defaulted(
    Categories.annotations({ description: "Only results from GitHub, research sites or PDF files." }),
    []
  ),
  includeDomains: Schema.optional(described(list(Hostname, 500), "Only results from these hosts.")),
  excludeDomains: Schema.optional(described(list(Hostname, 500), "No results from these hosts.")),
  tbs: Schema.optional(Tbs),
  location: Schema.optional(
    described(Schema.String, "`<city>,<state>,<country>` or a country's name, for sources that name none themselves.")
  ),
  country: Schema.optional(described(Schema.String, "ISO country code; US by default, unless `location` is set.")),
  timeout: defaulted(described(Schema.Int.pipe(Schema.between(1, 300_000)), "Maximum time, in milliseconds."), 60_000),
  ignoreInvalidURLs: defaulted(described(Schema.Boolean, "Leave out results that cannot be scraped."), false),
  enterprise: Schema.optional(
    described(list(Schema.Literal("zdr", "anon", "default")), "What the service may store of the search.")
  ),
  scrapeOptions: Schema.optional(SearchScrapeOptions).annotations({
    description: "How each result is scraped; without formats, results have no content."
  }),
  ...senderFields
}

interface DomainLists {
  readonly includeDomains?: ReadonlyArray<string> | undefined
  readonly excludeDomains?: ReadonlyArray<string> | undefined
}

/** Refuses requests with both lists of domains. */
export const oneDomainList = <A extends DomainLists, I, R>(schema: Schema.Schema<A, I, R>): Schema.Schema<A, I, R> =>
  schema.pipe(
    Schema.filter(({ excludeDomains = [], includeDomains = [] }) =>
      includeDomains.length > 0 && excludeDomains.length > 0
        ? "includeDomains and excludeDomains cannot both be specified"
        : true
    )
  )

export const SearchRequest = oneDomainList(Schema.Struct(requestFields)).annotations({
  identifier: "SearchRequest",
  ...strict
})
export type SearchRequest = Types.SearchRequest

const text = (description: string) => maybe(Schema.String, description)

const headings = maybe(Schema.Array(Schema.String)).annotations({
  description: "Local engine: headings above the passage, outermost first."
})

export const WebResult = Schema.Struct({
  title: text("Title of the page."),
  description: text("Passage of the page, or its description."),
  headings,
  url: text("Address of the page."),
  category: text("Category that the request asked for."),
  position: maybe(numeric, "Rank among the results of its kind, from 1."),
  ...contentFields
}).annotations({ identifier: "WebResult", ...open })

export const ImageResult = Schema.Struct({
  title: text("Title of the picture."),
  imageUrl: text("Address of the picture."),
  imageWidth: maybe(numeric, "Width in pixels."),
  imageHeight: maybe(numeric, "Height in pixels."),
  url: text("Address of the page that shows the image."),
  position: maybe(numeric, "Rank among the results of its kind, from 1.")
}).annotations({ identifier: "ImageResult", ...open })

export const NewsResult = Schema.Struct({
  title: text("Title of the article."),
  snippet: text("Passage of the article."),
  headings,
  url: text("Address of the article."),
  date: text("Date of the article, as the provider writes it."),
  imageUrl: text("Address of its picture."),
  position: maybe(numeric, "Rank among the results of its kind, from 1."),
  category: text("Category that the request asked for."),
  ...contentFields
}).annotations({ identifier: "NewsResult", ...open })

export const SearchResponse = Schema.Struct({
  success,
  data: field(
    Schema.Struct({
      web: maybe(Schema.Array(WebResult), "Web pages."),
      images: maybe(Schema.Array(ImageResult), "Pictures."),
      news: maybe(Schema.Array(NewsResult), "News articles.")
    }).annotations(open),
    "Results by their kind."
  ),
  warning: text("What is missing or doubtful about the results."),
  id: text("Id of the search."),
  creditsUsed: maybe(numeric, "Credits that the search has cost.")
}).annotations({ identifier: "SearchResponse", ...open })
export type SearchResponse = Types.SearchResponse

/** Group of the API's `search` endpoints. */
export class SearchGroup extends HttpApiGroup.make("search")
  .add(
    HttpApiEndpoint.post("search", "/v2/search")
      .annotateContext(charges("work", "search", "searchZdr", "searchAnon", "scrape", "jsonFormat"))
      .annotate(OpenApi.Summary, "Search, and on request scrape the results")
      .setPayload(SearchRequest)
      .setHeaders(CallHeaders)
      .addSuccess(typed<Types.SearchResponse>()(SearchResponse))
      .addError(anyOf(Conflict, TimedOut, Unavailable))
      .annotate(
        OpenApi.Description,
        'Operators in `query`: "exact phrase", -word, site:, filetype:, inurl:, allinurl:, intitle:, allintitle:, related:, imagesize:, larger:.'
      )
  )
  .middleware(Auth)
  .annotate(OpenApi.Title, "Search") {}

/** True if nothing of the search may be stored. */
export const isZeroRetention = ({ enterprise, scrapeOptions }: SearchRequest): boolean =>
  enterprise?.includes("zdr") === true || scrapeOptions?.zeroDataRetention === true
