/** Parsing of an uploaded file into a document. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Multipart from "@effect/platform/Multipart"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Types from "../Generated/Api.ts"
import { Auth } from "./Auth.ts"
import { charges } from "./Charges.ts"
import { Document } from "./Document.ts"
import { anyOf, Conflict, TimedOut, TooLarge, Unavailable, Unprocessable, UnsupportedType } from "./Errors.ts"
import { field, lenientBody, list, open, senderFields, success, typed } from "./Field.ts"
import { CallHeaders } from "./Idempotency.ts"
import { cleanContent, commonFields, Parser, storeInCache } from "./ScrapeOptions.ts"

/** Supported file extensions. */
export const extensions = [".html", ".htm", ".pdf", ".docx", ".doc", ".odt", ".rtf", ".xlsx", ".xls"] as const
export type Extension = (typeof extensions)[number]

/** Maximum size of a file in bytes. */
export const maxFileSize = 50 * 1024 * 1024

/** Fields of the multipart part `options`, which is JSON. Scrape options that do not apply to files are rejected by name. */
export const optionFields = {
  ...commonFields,
  onlyCleanContent: cleanContent,
  storeInCache,
  parsers: Schema.optional(list(Parser)).annotations({
    description:
      "How files are read: pdf, or { type: pdf, maxPages: 10, pages: true, blocks: true, pageMarkers: true }."
  }),
  ...senderFields
}
export const ParseOptions = Schema.Struct(optionFields).annotations({ identifier: "ParseOptions", ...lenientBody })
export type ParseOptions = Types.ParseOptions

/** Scrape options that do not apply to files, rejected with `PARSE_UNSUPPORTED_OPTIONS`. `maxAge` is accepted and ignored: a file is always parsed again. */
export const unsupportedOptions = [
  "actions",
  "waitFor",
  "mobile",
  "location",
  "minAge",
  "lockdown",
  "profile",
  "jsonOptions",
  "changeTracking",
  "changeTrackingOptions",
  "branding"
] as const
export const unsupportedFormats = ["screenshot", "changeTracking", "branding"] as const

/** Room for headers: the multipart reader counts the headers of a part, too. The parser then checks the size of the file itself. */
const maxPartHeaders = 64 * 1024

export const uploadLimits = {
  maxParts: Option.some(16),
  maxFileSize: Option.some(maxFileSize + maxPartHeaders),
  maxFieldSize: 1024 * 1024
}

/** Multipart upload: `file`, with `options` before or after it. */
export const Upload = HttpApiSchema.Multipart(
  Schema.Struct({
    file: Multipart.SingleFileSchema.annotations({
      description: `One file of at most 50 MB: ${extensions.join(", ")}.`
    }),
    options: Schema.optional(Schema.String.annotations({ description: "ParseOptions as JSON text." }))
  }),
  uploadLimits
)

export const Parsed = Schema.Struct({ success, data: field(Document, "The file.") }).annotations({
  identifier: "Parsed",
  ...open
})

/** Group of the API's `parse` endpoints. */
export class ParseGroup extends HttpApiGroup.make("parse")
  .add(
    HttpApiEndpoint.post("parse", "/v2/parse")
      .annotateContext(charges("work", "parse", "jsonFormat"))
      .annotate(OpenApi.Summary, "Turn a file into a document")
      .setPayload(Upload)
      .setHeaders(CallHeaders)
      .addSuccess(typed<Types.Parsed>()(Parsed))
      .addError(anyOf(Conflict, TimedOut, TooLarge, UnsupportedType, Unprocessable, Unavailable))
      .annotate(OpenApi.Description, "Upload a file of at most 50 MB and get its content.")
  )
  .middleware(Auth)
  .annotate(OpenApi.Title, "Parse") {}
