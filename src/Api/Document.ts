/** Document: the result of scraping a page or parsing a file. */
import * as Schema from "effect/Schema"
import { maybe, numeric, open } from "./Field.ts"

/** A string, or an array of strings for a tag that the page repeats. */
const Text = Schema.Union(Schema.String, Schema.Array(Schema.String))

/** Metadata of a page. Further tags of its head are kept as they are. */
export const Metadata = Schema.Struct({
  title: maybe(Text),
  description: maybe(Text),
  language: maybe(Text),
  sourceURL: maybe(Schema.String),
  url: maybe(Schema.String),
  keywords: maybe(Text),
  ogLocaleAlternate: maybe(Schema.Array(Schema.String)),
  statusCode: maybe(numeric),
  contentType: maybe(Schema.String),
  numPages: maybe(numeric),
  error: maybe(Schema.String),
  /**
   * Present when the site showed something in place of the page, as the local engine recognises it. `kind`: `challenge`, `captcha`,
   * `denied`, `consent`, `login`, `javascript`, `notFound` or `parked`. `evidence`: what gave it away.
   */
  blocked: maybe(Schema.Struct({ kind: Schema.String, evidence: Schema.String })),
  /**
   * Present when the page is the one that the engine has stored: `notModified` when its site has said so. `sitemap` and `notDue`: a crawl
   * has not visited it, because its sitemap or its earlier visits say that it has not changed.
   */
  unchanged: maybe(Schema.Unknown),
  /** Present when a crawl visited a page that it could have left out: `confirmed`, or `missed` when the page had changed. */
  check: maybe(Schema.Unknown),
  creditsUsed: maybe(numeric),
  concurrencyLimited: maybe(Schema.Boolean),
  concurrencyQueueDurationMs: maybe(numeric)
}).annotations({ identifier: "Metadata", ...open })
export type Metadata = typeof Metadata.Type

/** Results of the actions of a scrape. */
export const ActionResults = Schema.Struct({
  screenshots: maybe(Schema.Array(Schema.String)),
  scrapes: maybe(Schema.Array(Schema.Struct({ url: Schema.String, html: Schema.String }))),
  javascriptReturns: maybe(Schema.Array(Schema.Struct({ type: Schema.String, value: Schema.Unknown }))),
  pdfs: maybe(Schema.Array(Schema.String))
}).annotations(open)

/** Changes since the last scrape of the page. `diff` is a string or `{text, json}`. */
export const ChangeTracking = Schema.Struct({
  previousScrapeAt: maybe(Schema.String),
  changeStatus: maybe(Schema.String),
  visibility: maybe(Schema.String),
  diff: maybe(Schema.Unknown),
  json: maybe(Schema.Unknown)
}).annotations(open)

const strings = <const Keys extends ReadonlyArray<string>>(...keys: Keys) =>
  Schema.Struct(
    Object.fromEntries(keys.map((key) => [key, maybe(Schema.String)])) as {
      [K in Keys[number]]: Schema.optional<Schema.NullOr<typeof Schema.String>>
    }
  ).annotations(open)

/** Branding of a site: colours, fonts, spacing, components. */
export const Branding = Schema.Struct({
  colorScheme: maybe(Schema.String),
  logo: maybe(Schema.String),
  colors: maybe(
    strings(
      "primary",
      "secondary",
      "accent",
      "background",
      "textPrimary",
      "textSecondary",
      "link",
      "success",
      "warning",
      "error"
    )
  ),
  fonts: maybe(Schema.Array(Schema.Struct({ family: maybe(Schema.String) }).annotations(open))),
  typography: maybe(
    Schema.Struct({
      fontFamilies: maybe(strings("primary", "heading", "code")),
      fontSizes: maybe(strings("h1", "h2", "h3", "body")),
      fontWeights: maybe(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
      lineHeights: maybe(strings("heading", "body"))
    }).annotations(open)
  ),
  spacing: maybe(
    Schema.Struct({
      baseUnit: maybe(numeric),
      borderRadius: maybe(Schema.String),
      padding: maybe(Schema.Unknown),
      margins: maybe(Schema.Unknown)
    }).annotations(open)
  ),
  components: maybe(
    Schema.Struct({
      buttonPrimary: maybe(strings("background", "textColor", "borderRadius")),
      buttonSecondary: maybe(strings("background", "textColor", "borderColor", "borderRadius")),
      input: maybe(Schema.Unknown)
    }).annotations(open)
  ),
  icons: maybe(Schema.Unknown),
  animations: maybe(Schema.Unknown),
  layout: maybe(Schema.Unknown),
  personality: maybe(Schema.Unknown),
  images: maybe(strings("logo", "favicon", "ogImage"))
}).annotations(open)

/** Fields that documents and search results share. */
export const contentFields = {
  markdown: maybe(Schema.String),
  summary: maybe(Schema.String),
  html: maybe(Schema.String),
  rawHtml: maybe(Schema.String),
  screenshot: maybe(Schema.String),
  audio: maybe(Schema.String),
  links: maybe(Schema.Array(Schema.String)),
  metadata: maybe(Metadata)
}

/** A page or file, with a field for each requested format. */
export const Document = Schema.Struct({
  ...contentFields,
  images: maybe(Schema.Array(Schema.String)),
  json: maybe(Schema.Unknown),
  /** `json` in v1. */
  extract: maybe(Schema.Unknown),
  attributes: maybe(
    Schema.Array(
      Schema.Struct({ selector: Schema.String, attribute: Schema.String, values: Schema.Array(Schema.String) })
    )
  ),
  actions: maybe(ActionResults),
  changeTracking: maybe(ChangeTracking),
  branding: maybe(Branding),
  warning: maybe(Schema.String)
}).annotations({ identifier: "Document", ...open })
export type Document = typeof Document.Type
