/** Options that turn a page or file into a document. */
import * as Schema from "effect/Schema"
import { defaulted, described, lenient, list } from "./Field.ts"

/** Formats of the local engine. `extract` is `json` in v1. */
export const formats = [
  "markdown",
  "html",
  "rawHtml",
  "links",
  "images",
  "summary",
  "json",
  "extract",
  "branding",
  "changeTracking",
  "attributes",
  "screenshot"
] as const

/** Formats of hosted services only. */
export const rareFormats = ["audio", "video", "query", "question", "highlights"] as const

/** A name, or an object whose `type` is the name. */
const named = (identifier: string, examples: readonly [string, ...ReadonlyArray<string>]) =>
  Schema.Union(
    Schema.String.annotations({ examples }),
    Schema.Struct({ type: Schema.String }, Schema.Record({ key: Schema.String, value: Schema.Unknown }))
  ).annotations({ identifier })

export const Format = named("Format", formats)
export type Format = typeof Format.Type

export const Parser = named("Parser", ["pdf"])

/** Name of a format. */
export const formatName = (format: Format): string => (typeof format === "string" ? format : format.type)

const selector = Schema.String.pipe(Schema.maxLength(1000))

const milliseconds = Schema.Int.pipe(Schema.nonNegative())

/** Options that scrape, batch, crawl, search and parse share. */
export const commonFields = {
  formats: defaulted(described(list(Format), `What to make of it: ${formats.join(", ")}; some services make more.`), [
    "markdown"
  ]),
  onlyMainContent: defaulted(described(Schema.Boolean, "Leave out navigation, headers and footers."), true),
  includeTags: Schema.optional(described(list(selector), "CSS selectors; nothing else is kept.")),
  excludeTags: Schema.optional(described(list(selector), "CSS selectors of what is left out.")),
  headers: Schema.optional(
    described(Schema.Record({ key: Schema.String, value: Schema.String }), "Sent along with the request for the page.")
  ),
  timeout: defaulted(described(milliseconds.pipe(Schema.between(1000, 300_000)), "Milliseconds."), 30_000),
  skipTlsVerification: defaulted(described(Schema.Boolean, "Accept certificates that do not hold."), false),
  removeBase64Images: defaulted(described(Schema.Boolean, "Leave out images that are part of the text."), true),
  blockAds: defaulted(described(Schema.Boolean, "Leave out advertisements and cookie banners."), true),
  proxy: Schema.optional(described(Schema.String, "The kind of proxy, as the service names them.")),
  zeroDataRetention: defaulted(described(Schema.Boolean, "Keep nothing of it in the service."), false)
}

export const storeInCache = defaulted(described(Schema.Boolean, "Let the service keep a copy."), true)
export const cleanContent = defaulted(described(Schema.Boolean, "Keep running text only."), false)

const pageFields = {
  ...commonFields,
  maxAge: Schema.optional(
    described(
      milliseconds,
      "Milliseconds that a stored copy may be old; without it, or with 0, the local engine fetches the page."
    )
  ),
  waitFor: defaulted(described(milliseconds, "Milliseconds to wait before the page is read."), 0),
  mobile: defaulted(described(Schema.Boolean, "Ask as a phone does."), false),
  location: Schema.optional(
    Schema.Struct({
      country: Schema.optional(described(Schema.String, "ISO country code to ask from.")),
      languages: Schema.optional(described(list(Schema.String), "Preferred languages, best first."))
    }).annotations(lenient)
  ).annotations({ description: "Country and languages that the page is requested with." }),
  storeInCache,
  actions: Schema.optional(
    described(
      list(Schema.Struct({ type: Schema.String }, Schema.Record({ key: Schema.String, value: Schema.Unknown }))),
      "What to do on the page before it is read."
    )
  )
}

/** Options of v2. */
export const fields = {
  ...pageFields,
  onlyCleanContent: cleanContent,
  minAge: Schema.optional(
    described(milliseconds, "Take stored copies only, and only one that is at least so many milliseconds old.")
  ),
  parsers: Schema.optional(
    described(
      list(Parser),
      "How files are read: pdf, or { type: pdf, mode: auto, maxPages: … }; an empty list hands a PDF out unread, in base64."
    )
  ),
  lockdown: defaulted(described(Schema.Boolean, "Answer from stored copies only."), false),
  profile: Schema.optional(
    Schema.Struct({
      name: described(Schema.String.pipe(Schema.length({ min: 1, max: 128 })), "Name of the browser profile."),
      saveChanges: Schema.optional(described(Schema.Boolean, "Keep what the page changes in it."))
    }).annotations(lenient)
  ).annotations({ description: "Browser profile whose cookies and storage the page is shown with." })
}

/** Options of v1. */
export const fieldsV1 = {
  ...pageFields,
  parsePDF: defaulted(Schema.Boolean, true),
  jsonOptions: Schema.optional(
    Schema.Struct({
      schema: Schema.optional(Schema.Unknown),
      systemPrompt: Schema.optional(Schema.String),
      prompt: Schema.optional(Schema.String)
    }).annotations(lenient)
  ),
  changeTrackingOptions: Schema.optional(
    Schema.Struct({
      modes: Schema.optional(list(Schema.String)),
      schema: Schema.optional(Schema.Unknown),
      prompt: Schema.optional(Schema.String),
      tag: Schema.optional(Schema.NullOr(Schema.String))
    }).annotations(lenient)
  )
}

/** Options nested in another request (`scrapeOptions`), v2. */
export const ScrapeOptions = Schema.Struct(fields).annotations({ identifier: "ScrapeOptions", ...lenient })
export type ScrapeOptions = typeof ScrapeOptions.Type

/** Options nested in another request (`scrapeOptions`), v1. */
export const ScrapeOptionsV1 = Schema.Struct(fieldsV1).annotations({ identifier: "ScrapeOptionsV1", ...lenient })
export type ScrapeOptionsV1 = typeof ScrapeOptionsV1.Type
