/** One page in a tab of a browser session; the tab is closed afterwards. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Browser, Page } from "playwright-core"
import { safely } from "../Callback.ts"
import { StepError } from "../Step.ts"

/** A page as the browser shows it. */
export interface Shown {
  readonly html: string
  readonly url: string
  readonly status: number
  readonly statusText: string
  readonly contentType: string | undefined
}

/** Programs that a session has no answer for are not waited for longer, whatever the page may take. */
const slowestGreeting = Duration.seconds(10)
/** A page whose script never rests does not let go of its tab either. */
const slowestGoodbye = Duration.seconds(5)

interface Connection {
  readonly browser: Promise<Browser>
  users: number
}

/**
 * One connection for all pages that are read in a session at once, gone with the last of them: each looks at every tab
 * when it begins, and would wait for one whose script never rests.
 */
const connections = new Map<string, Connection>()

const join = (cdpUrl: string): Connection => {
  const known = connections.get(cdpUrl)
  if (known !== undefined) {
    known.users += 1
    return known
  }
  const timeout = Duration.toMillis(slowestGreeting)
  const browser = import("playwright-core").then(({ chromium }) => chromium.connectOverCDP(cdpUrl, { timeout }))
  const made: Connection = { browser, users: 1 }
  const forget = () => {
    if (connections.get(cdpUrl) === made) connections.delete(cdpUrl)
  }
  connections.set(cdpUrl, made)
  // A later caller tries again after it has failed or was interrupted.
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

/** Addresses of a session are keys: they are removed from every message. */
const withoutLinks = (text: string, links: ReadonlyArray<unknown>): string =>
  links
    .filter((link) => typeof link === "string" && link !== "")
    .reduce<string>((said, link) => said.replaceAll(String(link), "(link of the session)"), text)
    .replace(/\bwss?:\/\/\S+/gi, "(link of the session)")

/** The same failure, without the links. */
export const concealed = (thrown: unknown, links: ReadonlyArray<unknown>): unknown => {
  if (!(thrown instanceof Error)) return typeof thrown === "string" ? withoutLinks(thrown, links) : thrown
  const same = new Error(withoutLinks(thrown.message, links))
  return Object.assign(same, { name: thrown.name, stack: withoutLinks(thrown.stack ?? "", links) })
}

const firstLine = (thrown: unknown): string =>
  ((thrown instanceof Error ? thrown.message : String(thrown)).split("\n")[0] ?? "").trim()

const failed = (url: string, said: string, reason = "PageFailed") =>
  new StepError({ reason, message: `${url}: ${said}` })

/** Drops the thrown error, because its message and its stack contain the session's links. */
const notShown = (cdpUrl: string, url: string, thrown: unknown): StepError => {
  const said = firstLine(thrown)
  if (/WebSocket error: .*\b410\b|has been closed/.test(said)) {
    const advice = "if that was its time, raise ttl or activityTtl of its browser step"
    return failed(url, `the browser session, or the page's tab, has ended: ${advice}`, "Gone")
  }
  return said.includes("Download is starting")
    ? failed(url, "it is a download, which no browser shows: scrape it without a session")
    : failed(url, `the browser session could not show it: ${withoutLinks(said, [cdpUrl])}`)
}

/** True for content that a browser shows as it is; for any other it makes a page without that content. */
const isText = (contentType: string | undefined): boolean =>
  contentType === undefined || /^\s*(?:text\/|application\/(?:\S*\+)?(?:xml|json|javascript)\b)/i.test(contentType)

/** Shows a page; `timeout` and `waitFor` are milliseconds. Fails when there is nothing that could be read of it. */
export const show = (
  cdpUrl: string,
  url: string,
  { timeout, waitFor }: { readonly timeout: number; readonly waitFor: number }
): Effect.Effect<Shown, StepError> => {
  const ask = <A>(question: () => Promise<A>) =>
    Effect.tryPromise({ try: question, catch: (thrown) => notShown(cdpUrl, url, thrown) })
  const tooLong = (duration: Duration.Duration) => () =>
    failed(url, `the browser session was not done with it in ${Duration.format(duration)}`, "Timeout")
  // Opening and closing cannot be interrupted from outside.
  const within = <A>(duration: Duration.Duration, work: Effect.Effect<A, StepError>) =>
    work.pipe(Effect.interruptible, Effect.timeoutFail({ duration, onTimeout: tooLong(duration) }))
  const parting = (goodbye: () => Promise<void>) => Effect.ignore(within(slowestGoodbye, ask(goodbye)))

  const look = (page: Page) =>
    Effect.gen(function* () {
      const response = yield* ask(() => page.goto(url, { timeout: 0, waitUntil: "load" }))
      if (response === null) return yield* failed(url, "the browser session could not show it: it gave no answer")
      const contentType = (yield* ask(() => response.headerValue("content-type"))) ?? undefined
      if (!isText(contentType)) {
        return yield* failed(url, `it is ${contentType}, which a browser session does not read: scrape it without one`)
      }
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
    const connection = yield* Effect.acquireRelease(
      Effect.sync(() => join(cdpUrl)),
      (one) => parting(() => leave(cdpUrl, one))
    )
    const browser = yield* ask(() => connection.browser)
    const page = yield* Effect.acquireRelease(
      within(
        Duration.max(Duration.millis(timeout), slowestGreeting),
        ask(async () => (browser.contexts()[0] ?? (await browser.newContext())).newPage())
      ),
      (tab) => parting(() => tab.close())
    )
    // Windows that a page opens are not read, and must be closed here.
    page.on(
      "popup",
      safely((popup) => void popup.close().catch(() => undefined))
    )
    return yield* within(Duration.millis(timeout + waitFor), look(page))
  }).pipe(Effect.scoped)
}
