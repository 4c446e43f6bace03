/** How a page or file is turned into a document (spec 2.9). */
import * as Schema from "effect/Schema"
import { defaulted, described, lenient, list } from "./Field.ts"

/** A format by name, or as an object whose `type` is the name. */
export const Format = Schema.Union(
  Schema.String,
  Schema.Struct({ type: Schema.String }, Schema.Record({ key: Schema.String, value: Schema.Unknown }))
).annotations({ identifier: "Format" })
export type Format = typeof Format.Type

/** The name of a format, however it was written. */
export const formatName = (format: Format): string => (typeof format === "string" ? format : format.type)

const selector = Schema.String.pipe(Schema.maxLength(1000))

const milliseconds = Schema.Int.pipe(Schema.nonNegative())

/** The options that scrape, batch, crawl, search and parse have in common. */
export const commonFields = {
  formats: defaulted(list(Format), ["markdown"]),
  onlyMainContent: defaulted(Schema.Boolean, true),
  includeTags: Schema.optional(list(selector)),
  excludeTags: Schema.optional(list(selector)),
  headers: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })),
  timeout: defaulted(described(milliseconds.pipe(Schema.between(1000, 300_000)), "Milliseconds."), 30_000),
  skipTlsVerification: defaulted(Schema.Boolean, false),
  removeBase64Images: defaulted(Schema.Boolean, true),
  blockAds: defaulted(Schema.Boolean, true),
  proxy: Schema.optional(Schema.String),
  zeroDataRetention: defaulted(Schema.Boolean, false)
}

const pageFields = {
  ...commonFields,
  maxAge: Schema.optional(milliseconds),
  waitFor: defaulted(milliseconds, 0),
  mobile: defaulted(Schema.Boolean, false),
  location: Schema.optional(
    Schema.Struct({
      country: Schema.optional(Schema.String),
      languages: Schema.optional(list(Schema.String))
    }).annotations(lenient)
  ),
  storeInCache: defaulted(Schema.Boolean, true),
  /** What to do on the page before it is read: objects with a `type`. */
  actions: Schema.optional(
    list(Schema.Struct({ type: Schema.String }, Schema.Record({ key: Schema.String, value: Schema.Unknown })))
  )
}

/** A parser by name, or as an object whose `type` is the name. */
const Parsers = list(Format)

/** v2. */
export const fields = {
  ...pageFields,
  onlyCleanContent: defaulted(Schema.Boolean, false),
  minAge: Schema.optional(milliseconds),
  parsers: Schema.optional(Parsers),
  lockdown: defaulted(Schema.Boolean, false),
  profile: Schema.optional(
    Schema.Struct({
      name: Schema.String.pipe(Schema.length({ min: 1, max: 128 })),
      saveChanges: Schema.optional(Schema.Boolean)
    }).annotations(lenient)
  )
}

/** v1. */
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
