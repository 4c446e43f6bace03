/** Reads pages in a browser session: each page opens in its own tab and is then parsed like an uploaded file. */

import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Browser, Page } from "playwright-core"
import type { Document } from "../Api/Document.ts"
import { maxFileSize, optionFields, type ParseOptions } from "../Api/Upload.ts"
import { safely } from "../Callback.ts"
import type { Keyed } from "../Client/Calls.ts"
import { Parse } from "../Client/Parse.ts"
import { findDriver, loadDriver } from "../Settings/Chromium.ts"
import { StepError } from "../Step.ts"
import { call } from "./Call.ts"

/** Value of a `browser` step. */
export const Session = Schema.Struct(
  { cdpUrl: Schema.propertySignature(Schema.String).annotations({ description: "Address of the browser (CDP)." }) },
  Schema.Record({ key: Schema.String, value: Schema.Unknown })
)
export type Session = typeof Session.Type

/** Scrape options that have an effect on a page in a session. */
export interface SessionOptions extends ParseOptions {
  readonly waitFor?: number | undefined
}

/** Scrape options that have no effect in a session. */
export const optionsWithoutEffect = (options: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  Object.keys(options).filter(
    (name) => options[name] !== undefined && name !== "waitFor" && (!(name in optionFields) || notInSession.has(name))
  )

const notInSession = new Set(["headers", "proxy", "skipTlsVerification", "parsers"])

/** Adds a base URL to the HTML: links are relative to the address of the page, which a file does not have. */
const based = ({ html, url }: RenderedPage): string =>
  /<base\s[^>]*href/i.test(html)
    ? html
    : html.replace(/<head(\s[^>]*)?>/i, (head) => `${head}<base href="${url.replaceAll('"', "%22")}">`)

/** Loads a page in the session and parses it into the document that a scrape would return. */
export const readInSession = (
  { cdpUrl }: Session,
  url: string,
  { waitFor = 0, ...options }: SessionOptions,
  key: Keyed
): Effect.Effect<{ readonly data: Document }, StepError, Parse> =>
  Effect.gen(function* () {
    const client = yield* Parse
    // The cdpUrl of a recorded test is a placeholder and not an address: tests must not touch the network.
    if (!/^(?:ws|http)s?:\/\//i.test(cdpUrl)) {
      const message =
        "there is no browser at the session's cdpUrl: in a test, give the rows of this step yourself (given: { rows: … })"
      return yield* new StepError({ reason: "NoBrowser", message })
    }
    const timeout = options.timeout ?? optionFields.timeout.defaultValue
    const shown = yield* show(cdpUrl, url, { timeout, waitFor })
    const file = new TextEncoder().encode(based(shown))
    if (file.byteLength > maxFileSize) {
      const message = `${url}: in the browser session the page has ${file.byteLength} bytes; the limit is ${maxFileSize}`
      return yield* new StepError({ reason: "TooLarge", message })
    }
    // A page behind a login does not belong in the search index.
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

/** Page as shown in the browser. */
export interface RenderedPage {
  readonly html: string
  readonly url: string
  readonly status: number
  readonly statusText: string
  readonly contentType: string | undefined
}

/** Maximum wait for a connection, independent of the page's time limit: a session that is gone may never answer. */
const connectTimeout = Duration.seconds(10)
/** Maximum wait for a tab to close: a page whose script never rests may not let it close. */
const closeTimeout = Duration.seconds(5)

interface Connection {
  readonly browser: Promise<Browser>
  users: number
}

/**
 * Connections by `cdpUrl`. Pages that are read in one session at the same time share a connection, which closes with the last of them: a
 * new connection looks at every tab, and would wait for a tab whose script never pauses.
 */
const connections = new Map<string, Connection>()

const join = (cdpUrl: string): Connection => {
  const known = connections.get(cdpUrl)
  if (known !== undefined) {
    known.users += 1
    return known
  }
  const timeout = Duration.toMillis(connectTimeout)
  const browser = Promise.resolve().then(() => {
    const { chromium } = loadDriver() as typeof import("playwright-core")
    return chromium.connectOverCDP(cdpUrl, { timeout })
  })
  const made: Connection = { browser, users: 1 }
  const forget = () => {
    if (connections.get(cdpUrl) === made) connections.delete(cdpUrl)
  }
  connections.set(cdpUrl, made)
  // If the connection fails or is interrupted, the next caller makes a new one.
  browser.then((one) => one.once("disconnected", safely(forget)), forget)
  return made
}

const leave = (cdpUrl: string, connection: Connection): Promise<void> => {
  connection.users -= 1
  if (connection.users > 0) return Promise.resolve()
  if (connections.get(cdpUrl) === connection) connections.delete(cdpUrl)
  return connection.browser.then(
    (browser) => browser.close(),
    () => undefined
  )
}

/** Removes the addresses of a session from a message: they are as secret as keys. */
const withoutLinks = (text: string, links: ReadonlyArray<unknown>): string =>
  links
    .filter((link) => typeof link === "string" && link !== "")
    .reduce<string>((said, link) => said.replaceAll(String(link), "(link of the session)"), text)
    .replace(/\bwss?:\/\/\S+/gi, "(link of the session)")

/** The thrown error without the links of the session. */
export const withoutSessionLinks = (thrown: unknown, links: ReadonlyArray<unknown>): unknown => {
  if (!(thrown instanceof Error)) return typeof thrown === "string" ? withoutLinks(thrown, links) : thrown
  const same = new Error(withoutLinks(thrown.message, links))
  return Object.assign(same, { name: thrown.name, stack: withoutLinks(thrown.stack ?? "", links) })
}

const firstLineOf = (thrown: unknown): string =>
  ((thrown instanceof Error ? thrown.message : String(thrown)).split("\n")[0] ?? "").trim()

const failed = (url: string, said: string, reason = "PageFailed") =>
  new StepError({ reason, message: `${url}: ${said}` })

const driverMissing = (message: string) => new StepError({ reason: "DriverMissing", message, scope: "step" })

/** Failure without the thrown error, whose message and stack contain the session's links. Playwright has no error codes, only messages. */
const notShown = (cdpUrl: string, url: string, thrown: unknown): StepError => {
  const said = firstLineOf(thrown)
  if (/WebSocket error: .*\b410\b|has been closed/.test(said)) {
    const advice = "if it reached its time limit, raise ttl or activityTtl of its browser step"
    return failed(url, `the browser session, or the page's tab, has ended: ${advice}`, "Gone")
  }
  return said.includes("Download is starting")
    ? failed(url, "it is a download, which no browser shows: scrape it without a session")
    : failed(url, `the browser session could not show it: ${withoutLinks(said, [cdpUrl])}`)
}

/** True for content that a browser shows unchanged. For other content the browser makes up a page, without the content itself. */
const isText = (contentType: string | undefined): boolean =>
  contentType === undefined || /^\s*(?:text\/|application\/(?:\S*\+)?(?:xml|json|javascript)\b)/i.test(contentType)

/** Maximum milliseconds for the pictures and styles of a page. */
const maxLoadTime = 10_000

/** Loads a page in a tab; `timeout` and `waitFor` are in milliseconds. Fails if the page has nothing to read. */
export const show = (
  cdpUrl: string,
  url: string,
  { timeout, waitFor }: { readonly timeout: number; readonly waitFor: number }
): Effect.Effect<RenderedPage, StepError> => {
  const ask = <A>(question: () => Promise<A>) =>
    Effect.tryPromise({ try: question, catch: (thrown) => notShown(cdpUrl, url, thrown) })
  const tooLong = (duration: Duration.Duration) => () =>
    failed(url, `the browser session did not finish it within ${Duration.format(duration)}`, "Timeout")
  // Opening and closing run uninterruptibly: within them, a timeout needs work that is made interruptible again.
  const within = <A>(duration: Duration.Duration, work: Effect.Effect<A, StepError>) =>
    work.pipe(Effect.interruptible, Effect.timeoutFail({ duration, onTimeout: tooLong(duration) }))
  const parting = (goodbye: () => Promise<void>) => Effect.ignore(within(closeTimeout, ask(goodbye)))

  const look = (page: Page) =>
    Effect.gen(function* () {
      const response = yield* ask(() => page.goto(url, { timeout: 0, waitUntil: "domcontentloaded" }))
      if (response === null) return yield* failed(url, "the browser session could not show it: it gave no answer")
      const contentType = (yield* ask(() => response.headerValue("content-type"))) ?? undefined
      if (!isText(contentType)) {
        return yield* failed(url, `it is ${contentType}, which a browser session does not read: scrape it without one`)
      }
      // The page is read also if a picture never arrives.
      yield* Effect.ignore(ask(() => page.waitForLoadState("load", { timeout: Math.min(maxLoadTime, timeout / 2) })))
      if (waitFor > 0) yield* Effect.sleep(waitFor)
      return {
        html: yield* ask(() => page.content()),
        url: page.url(),
        status: response.status(),
        statusText: response.statusText(),
        contentType
      }
    })

  return Effect.gen(function* () {
    yield* Effect.mapError(findDriver(), ({ found, todo }) =>
      driverMissing(`Pages of a browser session need a package: ${found}. Run: ${todo}`)
    )
    const connection = yield* Effect.acquireRelease(
      Effect.sync(() => join(cdpUrl)),
      (one) => parting(() => leave(cdpUrl, one))
    )
    const browser = yield* ask(() => connection.browser)
    const page = yield* Effect.acquireRelease(
      within(
        Duration.max(Duration.millis(timeout), connectTimeout),
        ask(async () => (browser.contexts()[0] ?? (await browser.newContext())).newPage())
      ),
      (tab) => parting(() => tab.close())
    )
    // Pop-up windows of the page are not read, and must be closed here.
    page.on(
      "popup",
      safely((popup) => void popup.close().catch(() => undefined))
    )
    return yield* within(Duration.millis(timeout + waitFor), look(page))
  }).pipe(Effect.scoped)
}
