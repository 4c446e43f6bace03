/** Document: the result of scraping a page or parsing a file. */
import * as Schema from "effect/Schema"
import type * as Types from "../Generated/Api.ts"
import { field, maybe, numeric, open } from "./Field.ts"
import { dataFields } from "./PageData.ts"

/** A string, or an array of strings for a tag that the page repeats. */
const Text = Schema.Union(Schema.String, Schema.Array(Schema.String))

/** Metadata of a page. Other meta tags are kept under their own names. */
export const Metadata = Schema.Struct({
  title: maybe(Text, "Title of the page."),
  description: maybe(Text, "Description in the head of the page."),
  language: maybe(Text, "Language that the page declares, like `en` or `de-AT`."),
  sourceURL: maybe(Schema.String, "Requested address."),
  url: maybe(Schema.String, "Final address, after redirects."),
  keywords: maybe(Text, "Keywords in the head of the page."),
  ogLocaleAlternate: maybe(Schema.Array(Schema.String), "Other locales of the page (`og:locale:alternate`)."),
  statusCode: maybe(numeric, "HTTP status of the page, such as 200 or 404."),
  retryAfter: maybe(
    numeric,
    "Local engine: seconds to wait before the next request, as stated by a site that answered 429 or 503."
  ),
  contentType: maybe(Schema.String, "Media type of the answer, like `text/html; charset=utf-8`."),
  proxy: maybe(
    Schema.String,
    "Local engine: address of the proxy through which the page was fetched, without user name and password. Absent for a stored page."
  ),
  next: maybe(Text, "Local engine: address of the next page, where the header `Link` names one."),
  numPages: maybe(numeric, "Number of pages of a file that were read."),
  totalPages: maybe(numeric, "Total number of pages of a PDF."),
  warning: maybe(
    Schema.String,
    "Why a file has no text, or which of its pages have none: pages may be scanned, or have text that cannot be read."
  ),
  error: maybe(Schema.String, "Why the page, or a part of it, could not be read."),
  code: maybe(
    Schema.Unknown,
    "Local engine: error code (a string) of a page of a job that could not be fetched. Other services: a meta tag of the page."
  ),
  blocked: maybe(
    Schema.Struct({
      kind: field(
        Schema.String,
        "One of `challenge`, `captcha`, `denied`, `consent`, `login`, `javascript`, `notFound` and `parked`."
      ),
      evidence: field(Schema.String, "Evidence for this `kind`, such as a phrase on the page.")
    }),
    "Present when the local engine recognised that the site showed something else in place of the page, such as a login page."
  ),
  unchanged: maybe(
    Schema.Unknown,
    "Present when the page is a stored copy: `notModified` when its site answered that it has not changed; `sitemap` or `notDue` when a crawl did not visit it, because its sitemap or its earlier visits indicate that it has not changed."
  ),
  check: maybe(
    Schema.Unknown,
    "Present when a crawl visited a page that it could have left out: `confirmed` when the page had not changed, `missed` when it had."
  ),
  creditsUsed: maybe(numeric, "Credits that the page has cost."),
  concurrencyLimited: maybe(Schema.Boolean, "True if the page had to wait for a free slot."),
  concurrencyQueueDurationMs: maybe(numeric, "Milliseconds that the page waited for a free slot.")
}).annotations({
  identifier: "Metadata",
  description: "Metadata of a page. Other meta tags of the page are added under their own names.",
  ...open
})
export type Metadata = Types.Metadata

/** Markdown of one page of a PDF. */
export const PdfPage = Schema.Struct({
  pageNumber: field(Schema.Number, "Number of the page, from 1."),
  markdown: field(Schema.String, "Markdown of the page, as in the document.")
}).annotations({ identifier: "PdfPage", description: "Markdown of one page of a PDF.", ...open })
export type PdfPage = Types.PdfPage

const bounds = Schema.Tuple(Schema.Number, Schema.Number, Schema.Number, Schema.Number)

/** A block on a page of a PDF. */
export const PdfBlock = Schema.Struct({
  id: field(Schema.String, "`p1.b0`: the page, and the position in reading order."),
  type: field(
    Schema.String,
    "Type of the block. The local engine uses `title`, `section_header`, `text`, `table`, `page_header` and `page_footer`."
  ),
  label: field(Schema.NullOr(Schema.String), "More specific type. The local engine uses `H1` to `H6` and `list`."),
  bbox: field(
    Schema.NullOr(bounds),
    "Left, top, right and bottom edge, from 0 to 1 of the width and height of the page."
  ),
  content: field(Schema.String, "Markdown that the block adds to the document."),
  markdownSpan: field(
    Schema.NullOr(Schema.Tuple(Schema.Number, Schema.Number)),
    "Start and end of `content` in `markdown`, in UTF-16 code units; null if `markdown` does not contain `content` unchanged."
  ),
  readingOrder: field(Schema.Number, "Position in the reading order of the page, from 0."),
  source: field(Schema.NullOr(Schema.String), "How the block was read. The local engine uses `native_text`."),
  confidence: field(
    Schema.Struct({
      layout: field(Schema.NullOr(Schema.Number), "Confidence in the layout, from 0 to 1."),
      ocr: field(Schema.NullOr(Schema.Number), "Confidence in the recognised text, from 0 to 1.")
    }).annotations(open),
    "Confidence in the block, from 0 to 1. The local engine uses no models, and sends null."
  )
}).annotations({ identifier: "PdfBlock", description: "A block on a page of a PDF.", ...open })
export type PdfBlock = Types.PdfBlock

/** Blocks of one page of a PDF. */
export const PdfPageBlocks = Schema.Struct({
  pageNumber: field(Schema.Number, "Number of the page, from 1."),
  width: field(Schema.NullOr(Schema.Number), "Width, in points at the local engine; null for a damaged page."),
  height: field(Schema.NullOr(Schema.Number), "Height, in points at the local engine; null for a damaged page."),
  status: field(
    Schema.String,
    "`ok`; `failed` for a page that is scanned or damaged, or whose text cannot be read. Some services also send `partial`."
  ),
  items: field(Schema.Array(PdfBlock), "Blocks in reading order.")
}).annotations({ identifier: "PdfPageBlocks", description: "Blocks of one page of a PDF.", ...open })
export type PdfPageBlocks = Types.PdfPageBlocks

/** Results of the actions of a scrape. */
export const ActionResults = Schema.Struct({
  screenshots: maybe(Schema.Array(Schema.String), "Screenshots, as addresses or data URLs."),
  scrapes: maybe(
    Schema.Array(
      Schema.Struct({
        url: field(Schema.String, "Address of the page at the time of the action."),
        html: field(Schema.String, "HTML of the page at the time of the action.")
      })
    ),
    "The page as it was at each `scrape` action."
  ),
  javascriptReturns: maybe(
    Schema.Array(
      Schema.Struct({
        type: field(Schema.String, "Type of the value, like `string` or `object`."),
        value: field(Schema.Unknown, "The value.")
      })
    ),
    "What each `executeJavascript` action has returned."
  ),
  pdfs: maybe(Schema.Array(Schema.String), "PDFs of the page, as addresses.")
}).annotations(open)

/** Changes to a page since it was last scraped. */
export const ChangeTracking = Schema.Struct({
  previousScrapeAt: maybe(
    Schema.String,
    "Time of the earlier scrape in the comparison (ISO 8601); null for the first scrape."
  ),
  changeStatus: maybe(Schema.String, "One of `new`, `same`, `changed` and `removed`."),
  visibility: maybe(Schema.String, "`visible` for a page that links lead to, else `hidden`."),
  diff: maybe(Schema.Unknown, "The difference: a string, or `{text, json}`."),
  json: maybe(Schema.Unknown, "The difference between the fields of `json`.")
}).annotations(open)

/** Struct of optional strings, with a description for each key. */
const strings = <const Keys extends string>(descriptions: Readonly<Record<Keys, string>>) =>
  Schema.Struct(
    Object.fromEntries(
      Object.entries<string>(descriptions).map(([key, description]) => [key, maybe(Schema.String, description)])
    ) as { [K in Keys]: Schema.optional<Schema.NullOr<typeof Schema.String>> }
  ).annotations(open)

/** Branding of a site: colours, fonts, spacing, components. */
export const Branding = Schema.Struct({
  colorScheme: maybe(Schema.String, "`light` or `dark`."),
  logo: maybe(Schema.String, "Address of the logo."),
  colors: maybe(
    strings({
      primary: "Main colour, like `#0a66c2`.",
      secondary: "Second colour.",
      accent: "Colour of buttons and links that stand out.",
      background: "Background of the page.",
      textPrimary: "Colour of text.",
      textSecondary: "Colour of less important text.",
      link: "Colour of links.",
      success: "Colour of success messages.",
      warning: "Colour of warnings.",
      error: "Colour of error messages."
    }),
    "Colours, in hexadecimal notation."
  ),
  fonts: maybe(
    Schema.Array(Schema.Struct({ family: maybe(Schema.String, "Name of the font family.") }).annotations(open)),
    "Fonts, the most used first."
  ),
  typography: maybe(
    Schema.Struct({
      fontFamilies: maybe(
        strings({ primary: "Font family of text.", heading: "Font family of headings.", code: "Font family of code." }),
        "Font families by their use."
      ),
      fontSizes: maybe(
        strings({
          h1: "Size of first headings, like `32px`.",
          h2: "Size of second headings.",
          h3: "Size of third headings.",
          body: "Size of text."
        }),
        "Font sizes, with their unit."
      ),
      fontWeights: maybe(Schema.Record({ key: Schema.String, value: Schema.Unknown }), "Font weights by their use."),
      lineHeights: maybe(
        strings({ heading: "Line height of headings.", body: "Line height of text." }),
        "Line heights by their use."
      )
    }).annotations(open),
    "Font families, sizes, weights and line heights."
  ),
  spacing: maybe(
    Schema.Struct({
      baseUnit: maybe(numeric, "Base unit of distances, in pixels."),
      borderRadius: maybe(Schema.String, "Usual radius of corners, like `8px`."),
      padding: maybe(Schema.Unknown, "Usual paddings."),
      margins: maybe(Schema.Unknown, "Usual margins.")
    }).annotations(open),
    "Distances and corners."
  ),
  components: maybe(
    Schema.Struct({
      buttonPrimary: maybe(
        strings({
          background: "Background colour.",
          textColor: "Text colour.",
          borderRadius: "Radius of its corners."
        }),
        "The main kind of button."
      ),
      buttonSecondary: maybe(
        strings({
          background: "Background colour.",
          textColor: "Text colour.",
          borderColor: "Colour of its border.",
          borderRadius: "Radius of its corners."
        }),
        "The second kind of button."
      ),
      input: maybe(Schema.Unknown, "Input fields.")
    }).annotations(open),
    "Styles of buttons and inputs."
  ),
  icons: maybe(Schema.Unknown, "Icons of the site."),
  animations: maybe(Schema.Unknown, "Animations of the site."),
  layout: maybe(Schema.Unknown, "Widths and columns of the site."),
  personality: maybe(Schema.Unknown, "Tone and audience of the site."),
  images: maybe(
    strings({
      logo: "Address of the logo.",
      favicon: "Address of the favicon.",
      ogImage: "Address of the preview image."
    }),
    "Images of the brand."
  )
}).annotations(open)

/** Fields that documents and search results share. */
export const contentFields = {
  markdown: maybe(Schema.String, "The content as Markdown: format `markdown`."),
  summary: maybe(Schema.String, "A summary by a language model: format `summary`."),
  html: maybe(Schema.String, "The content as cleaned HTML: format `html`."),
  rawHtml: maybe(Schema.String, "The HTML as it was received: format `rawHtml`."),
  screenshot: maybe(Schema.String, "A picture of the page, as an address or a data URL: format `screenshot`."),
  audio: maybe(Schema.String, "Address of the page's audio: format `audio` of services that have it."),
  links: maybe(Schema.Array(Schema.String), "Addresses that the page links to: format `links`."),
  metadata: maybe(Metadata, "Metadata of the page: title, addresses, status and more.")
}

/** A page or file, with a field for each requested format. */
export const Document = Schema.Struct({
  ...contentFields,
  images: maybe(Schema.Array(Schema.String), "Addresses of its pictures: format `images`."),
  json: maybe(
    Schema.Unknown,
    "Fields that a language model extracted according to your schema or prompt: format `json`."
  ),
  extract: maybe(Schema.Unknown, "`json` in v1: format `extract`."),
  attributes: maybe(
    Schema.Array(
      Schema.Struct({
        selector: field(Schema.String, "CSS selector of the request."),
        attribute: field(Schema.String, "Name of the attribute."),
        values: field(Schema.Array(Schema.String), "Values of the attribute, in the order of the page.")
      })
    ),
    "Values of attributes of elements: format `attributes`."
  ),
  ...dataFields,
  actions: maybe(ActionResults, "Results of the request's `actions`."),
  changeTracking: maybe(ChangeTracking, "Changes since the last scrape of the page: format `changeTracking`."),
  branding: maybe(Branding, "Colours, fonts and styles of the site: format `branding`."),
  pages: maybe(Schema.Array(PdfPage), "Pages of a PDF: `parsers: [{ type: pdf, pages: true }]`."),
  blocks: maybe(Schema.Array(PdfPageBlocks), "Blocks of a PDF by page: `parsers: [{ type: pdf, blocks: true }]`."),
  warning: maybe(Schema.String, "What is missing or doubtful about this document.")
}).annotations({
  identifier: "Document",
  description: "A page or file, with a field for each requested format.",
  ...open
})
export type Document = Types.Document

/** True if a site answered that the page does not exist any more. */
export const isGone = (statusCode: number | undefined): boolean => statusCode === 404 || statusCode === 410
