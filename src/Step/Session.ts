/** Pages that are read in a browser session: shown in a tab of their own, and parsed as an uploaded file is (spec 2.4, 4.2). */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Document } from "../Api/Document.ts"
import { optionFields, type ParseOptions } from "../Api/Parse.ts"
import type { Keyed } from "../Client/Calls.ts"
import { Parse } from "../Client/Parse.ts"
import { StepError } from "../Step.ts"
import { call } from "./Call.ts"

/** What a `browser` step gives. */
export const Session = Schema.Struct(
  { cdpUrl: Schema.String },
  Schema.Record({ key: Schema.String, value: Schema.Unknown })
)
export type Session = typeof Session.Type

/** Options of a scrape that mean something for a page in a session. */
export interface Options extends ParseOptions {
  readonly waitFor?: number | undefined
}

/** The fields of a scrape that the session settles, or that nobody looks at there. */
export const unheeded = (options: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  Object.keys(options).filter(
    (name) => options[name] !== undefined && name !== "waitFor" && (!(name in optionFields) || notInSession.has(name))
  )

const notInSession = new Set(["headers", "proxy", "skipTlsVerification", "parsers"])

const failed = (url: string, thrown: unknown) => {
  const said = thrown instanceof Error ? thrown.message : String(thrown)
  return new StepError({
    reason: "PageFailed",
    message: `${url}: the browser session could not show it: ${(said.split("\n")[0] ?? "").trim()}`,
    cause: thrown
  })
}

interface Shown {
  readonly html: string
  readonly url: string
  readonly status: number
  readonly statusText: string
  readonly contentType: string | undefined
}

/** Programs that a session has no answer for are not waited for longer, whatever the page may take. */
const slowestGreeting = 10_000

/** Shows a page in a tab that is closed behind it. */
const show = (cdpUrl: string, url: string, timeout: number, waitFor: number): Effect.Effect<Shown, StepError> =>
  Effect.gen(function* () {
    const ask = <A>(question: () => Promise<A>) =>
      Effect.tryPromise({ try: question, catch: (thrown) => failed(url, thrown) })
    const closed = (one: { readonly close: () => Promise<void> }) =>
      Effect.promise(() => one.close().catch(() => undefined))
    const { chromium } = yield* ask(() => import("playwright-core"))
    const greeting = Math.min(timeout, slowestGreeting)
    const browser = yield* Effect.acquireRelease(
      ask(() => chromium.connectOverCDP(cdpUrl, { timeout: greeting })),
      closed
    )
    const context = browser.contexts()[0] ?? (yield* ask(() => browser.newContext()))
    const page = yield* Effect.acquireRelease(
      ask(() => context.newPage()),
      closed
    )
    const response = yield* ask(() => page.goto(url, { timeout, waitUntil: "load" }))
    if (response === null) return yield* failed(url, "it gave no answer")
    if (waitFor > 0) yield* Effect.sleep(waitFor)
    const contentType = yield* ask(() => response.headerValue("content-type"))
    return {
      html: yield* ask(() => page.content()),
      url: page.url(),
      status: response.status(),
      statusText: response.statusText(),
      contentType: contentType ?? undefined
    }
  }).pipe(Effect.scoped)

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
    const shown = yield* show(cdpUrl, url, options.timeout ?? optionFields.timeout.defaultValue, waitFor)
    const file = new TextEncoder().encode(based(shown))
    const { data } = yield* call(client.parse({ file, name: "page.html" }, options, key))
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
