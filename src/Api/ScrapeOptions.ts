/** Options that turn a page or file into a document. */
import * as Schema from "effect/Schema"
import type * as Types from "../Generated/Api.ts"
import { characters, defaulted, described, field, lenient, list, oneOfKnown } from "./Field.ts"
import { dataFormats } from "./PageData.ts"

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
  ...dataFormats,
  "screenshot"
] as const

/** Formats that only hosted services have. */
export const rareFormats = ["audio", "video", "query", "question", "highlights"] as const

/** Names of all known formats. */
export const formatNames = [...formats, "screenshot@fullPage", ...rareFormats] as const

/** Schema of a name, or of an object whose `type` is the name. */
const named = <Name extends string>(
  identifier: string,
  about: string,
  names: readonly [Name, ...ReadonlyArray<Name>]
) =>
  Schema.Union(
    oneOfKnown(names),
    Schema.Struct({ type: field(Schema.String, about) }, Schema.Record({ key: Schema.String, value: Schema.Unknown }))
  ).annotations({ identifier, description: `${about.slice(0, -1)}, or an object with options.` })

export const Format = named(
  "Format",
  "Name of a format. Services may support other formats than the local engine.",
  formatNames
)
export type Format = Types.Format

const parserName = oneOfKnown(["pdf"])

/** Parser for files: its name, or an object with its options. */
export const Parser = Schema.Union(
  parserName,
  Schema.Struct(
    {
      type: field(Schema.String, "Name of a parser."),
      mode: Schema.optional(
        Schema.String.annotations({ description: "auto (the default), fast, or ocr; the local engine has no ocr." })
      ),
      maxPages: Schema.optional(
        Schema.Number.annotations({ description: "Maximum number of pages to read, from the first one." })
      ),
      pages: Schema.optional(Schema.Boolean.annotations({ description: "Also return the Markdown of each page." })),
      pageMarkdown: Schema.optional(Schema.Boolean.annotations({ description: "Earlier name of `pages`." })),
      blocks: Schema.optional(
        Schema.Boolean.annotations({ description: "Also return the blocks of each page, with their positions." })
      ),
      pageMarkers: Schema.optional(
        Schema.Boolean.annotations({
          description: "Insert a line and the page number between the pages in the Markdown."
        })
      )
    },
    Schema.Record({ key: Schema.String, value: Schema.Unknown })
  )
).annotations({ identifier: "Parser", description: "Name of a parser, or an object with options." })
export type FileParser = Types.Parser

/** A format or a parser. */
export type Named = string | { readonly type: string }

/** Name of a format or a parser. */
export const formatName = (format: Named): string => (typeof format === "string" ? format : format.type)

const selector = characters(1000)

const milliseconds = Schema.Int.pipe(Schema.nonNegative())

/** Options that scrape, batch, crawl, search and parse share. */
export const commonFields = {
  formats: defaulted(described(list(Format), `Formats to return: ${formats.join(", ")}; some services support more.`), [
    "markdown"
  ]),
  onlyMainContent: defaulted(
    described(
      Schema.Boolean,
      "Leave out navigation, headers and footers, and in articles also captions, author and date."
    ),
    true
  ),
  includeTags: Schema.optional(
    described(list(selector), "CSS selectors of the elements to keep; everything else is left out.")
  ),
  excludeTags: Schema.optional(described(list(selector), "CSS selectors of elements to leave out.")),
  headers: Schema.optional(
    described(
      Schema.Record({ key: Schema.String, value: Schema.String }),
      "Headers to send with the request for the page."
    )
  ),
  timeout: defaulted(
    described(milliseconds.pipe(Schema.between(1000, 300_000)), "Maximum time for the page, in milliseconds."),
    30_000
  ),
  skipTlsVerification: defaulted(described(Schema.Boolean, "Skip TLS certificate verification."), false),
  removeBase64Images: defaulted(described(Schema.Boolean, "Leave out images that are embedded as data: URLs."), true),
  blockAds: defaulted(described(Schema.Boolean, "Leave out advertisements and cookie banners."), true),
  proxy: Schema.optional(
    described(Schema.String, "Name of the proxy that the service uses for the page, such as basic, stealth or auto.")
  ),
  zeroDataRetention: defaulted(
    described(Schema.Boolean, "Do not store the request or its results in the service."),
    false
  )
}

export const storeInCache = defaulted(described(Schema.Boolean, "Let the service store a copy of the page."), true)
export const cleanContent = defaulted(described(Schema.Boolean, "Keep only the running text."), false)

/** Country and languages of a request. */
export const Location = Schema.Struct({
  country: Schema.optional(described(Schema.String, "ISO code of the country to request the page from.")),
  languages: Schema.optional(described(list(Schema.String), "Preferred languages, best first."))
}).annotations(lenient)

const pageFields = {
  ...commonFields,
  maxAge: Schema.optional(
    described(
      milliseconds,
      "Maximum age of a stored copy, in milliseconds; if left out or 0, the local engine always fetches the page again."
    )
  ),
  waitFor: defaulted(described(milliseconds, "Milliseconds to wait before the page is read."), 0),
  mobile: defaulted(described(Schema.Boolean, "Request the page as a phone does."), false),
  location: Schema.optional(Location).annotations({
    description: "Country and languages that the page is requested with."
  }),
  storeInCache,
  actions: Schema.optional(
    described(
      list(
        Schema.Struct(
          {
            type: field(
              Schema.String,
              "Kind of the action, like `wait`, `click`, `write`, `press`, `scroll`, `screenshot`, `scrape` or `executeJavascript`."
            )
          },
          Schema.Record({ key: Schema.String, value: Schema.Unknown })
        )
      ),
      "What to do on the page before it is read."
    )
  )
}

/** Prefix of a profile name: use the profile's cookies, but a browser only if the page needs one. Jobs use all profiles this way. */
export const loginPrefix = "login:"

/** Fields with the scrape options of v2. */
export const fields = {
  ...pageFields,
  onlyCleanContent: cleanContent,
  minAge: Schema.optional(
    described(milliseconds, "Use only a stored copy that is at least this many milliseconds old.")
  ),
  parsers: Schema.optional(
    described(
      list(Parser),
      "How files are read: pdf, or { type: pdf, maxPages: 10, pages: true, blocks: true, pageMarkers: true }; an empty list returns a PDF unparsed, in base64."
    )
  ),
  lockdown: defaulted(described(Schema.Boolean, "Answer from stored copies only."), false),
  profile: Schema.optional(
    Schema.Struct({
      name: described(Schema.String.pipe(Schema.length({ min: 1, max: 128 })), "Name of the browser profile."),
      saveChanges: Schema.optional(
        described(Schema.Boolean, "Save the cookies and storage that the page changes in the profile.")
      )
    }).annotations(lenient)
  ).annotations({ description: "Browser profile whose cookies and storage the page is opened with." })
}

/** Fields with the scrape options of v1. */
export const fieldsV1 = {
  ...pageFields,
  parsePDF: defaulted(described(Schema.Boolean, "false returns a PDF unparsed, in base64."), true),
  jsonOptions: Schema.optional(
    Schema.Struct({
      schema: Schema.optional(Schema.Unknown).annotations({ description: "JSON Schema of the answer." }),
      systemPrompt: Schema.optional(Schema.String).annotations({ description: "Role and rules for the model." }),
      prompt: Schema.optional(Schema.String).annotations({ description: "What to look for on the page." })
    }).annotations(lenient)
  ).annotations({ description: "Options of the formats `json` and `extract`." }),
  changeTrackingOptions: Schema.optional(
    Schema.Struct({
      modes: Schema.optional(list(Schema.String)).annotations({
        description: "How to compare: `git-diff`, `json` or both."
      }),
      schema: Schema.optional(Schema.Unknown).annotations({ description: "JSON Schema of the fields to compare." }),
      prompt: Schema.optional(Schema.String).annotations({
        description: "Prompt that describes the fields to compare."
      }),
      tag: Schema.optional(Schema.NullOr(Schema.String)).annotations({
        description: "Compare only with scrapes that have the same tag."
      })
    }).annotations(lenient)
  ).annotations({ description: "Options of the format `changeTracking`." })
}

/** Options nested in another request (`scrapeOptions`), v2. */
export const ScrapeOptions = Schema.Struct(fields).annotations({ identifier: "ScrapeOptions", ...lenient })
export type ScrapeOptions = Types.ScrapeOptions

/** Options nested in another request (`scrapeOptions`), v1. */
export const ScrapeOptionsV1 = Schema.Struct(fieldsV1).annotations({ identifier: "ScrapeOptionsV1", ...lenient })
export type ScrapeOptionsV1 = Types.ScrapeOptionsV1
