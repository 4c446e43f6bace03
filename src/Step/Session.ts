/** Reads pages in a browser session: opens each in a tab of its own and parses it like an uploaded file. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Document } from "../Api/Document.ts"
import { maxFileSize, optionFields, type ParseOptions } from "../Api/Parse.ts"
import type { Keyed } from "../Client/Calls.ts"
import { Parse } from "../Client/Parse.ts"
import { StepError } from "../Step.ts"
import { call } from "./Call.ts"
import { type Shown, show } from "./Tab.ts"

/** Value of a `browser` step. */
export const Session = Schema.Struct(
  { cdpUrl: Schema.String },
  Schema.Record({ key: Schema.String, value: Schema.Unknown })
)
export type Session = typeof Session.Type

/** Options of a scrape that mean something for a page in a session. */
export interface Options extends ParseOptions {
  readonly waitFor?: number | undefined
}

/** Fields of a scrape that have no effect in a session. */
export const unheeded = (options: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  Object.keys(options).filter(
    (name) => options[name] !== undefined && name !== "waitFor" && (!(name in optionFields) || notInSession.has(name))
  )

const notInSession = new Set(["headers", "proxy", "skipTlsVerification", "parsers"])

/** Links of a page are relative to where it was, which a file does not know. */
const based = ({ html, url }: Shown): string =>
  /<base\s[^>]*href/i.test(html)
    ? html
    : html.replace(/<head(\s[^>]*)?>/i, (head) => `${head}<base href="${url.replaceAll('"', "%22")}">`)

/** The document that a scrape of the page would have given, as the session sees it. */
export const read = (
  { cdpUrl }: Session,
  url: string,
  { waitFor = 0, ...options }: Options,
  key: Keyed
): Effect.Effect<{ readonly data: Document }, StepError, Parse> =>
  Effect.gen(function* () {
    const client = yield* Parse
    // A recording has a mark instead of the link: a test touches no network.
    if (!/^(?:ws|http)s?:\/\//i.test(cdpUrl)) {
      const message =
        "the session's cdpUrl leads to no browser: a test gives the rows of this step (given: { rows: … })"
      return yield* new StepError({ reason: "NoBrowser", message })
    }
    const timeout = options.timeout ?? optionFields.timeout.defaultValue
    const shown = yield* show(cdpUrl, url, { timeout, waitFor })
    const file = new TextEncoder().encode(based(shown))
    if (file.byteLength > maxFileSize) {
      const message = `${url}: as the browser session shows it, it has ${file.byteLength} bytes; the limit is ${maxFileSize}`
      return yield* new StepError({ reason: "TooLarge", message })
    }
    // A page behind a sign-in does not belong in the search index.
    const asked = { ...options, storeInCache: false }
    const { data } = yield* call(client.parse({ file, name: "page.html" }, asked, key))
    const metadata = {
      ...data.metadata,
      sourceURL: url,
      url: shown.url,
      statusCode: shown.status,
      ...(shown.contentType === undefined ? {} : { contentType: shown.contentType }),
      ...(shown.status < 400 ? {} : { error: shown.statusText || `status ${shown.status}` })
    }
    return { data: { ...data, metadata } }
  })
