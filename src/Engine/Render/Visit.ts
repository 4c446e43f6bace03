/** Navigates a tab to a URL, runs the actions and captures the result, or explains the failure. */
import * as Effect from "effect/Effect"
import { type BadRequest, type Forbidden, type TimedOut, TooLarge, Unprocessable } from "../../Api/Errors.ts"
import { canParse } from "../../Api/Url.ts"
import { kindOf } from "../Fetch/ContentKind.ts"
import type { Fetched, Shown } from "../PageCache/PageSource.ts"
import { runActions } from "./Actions.ts"
import { html, makeOutputBudget, screenshot, waitForContent, waitForLoadEvent } from "./Capture.ts"
import type { Navigation } from "./Navigations.ts"
import type { Rendering } from "./Rendering.ts"
import { BrowserCallFailed, callBrowser, type Tab } from "./Tab.ts"
import { tunnelKey } from "./TrafficAccount.ts"
export type RenderOutcome =
  | {
      readonly _tag: "Page"
      readonly fetched: Fetched
      readonly shown: Shown
      /** Bytes of memory taken by the values that scripts returned. */
      readonly valueBytes: number
    }
  /** The URL is a file and not a page, or asks for a password, which browsers do not show: fetch it without the browser. */
  | { readonly _tag: "File"; readonly asksForPassword?: boolean }

/** Adds a warning, except to a file, which cannot carry one. */
export const withWarning = (outcome: RenderOutcome, warning: string): RenderOutcome => {
  if (outcome._tag === "File") return outcome
  const { shown } = outcome
  return { ...outcome, shown: { ...shown, warning: [shown.warning, warning].filter(Boolean).join(" ") } }
}

/** Estimated bytes of memory of a page with its screenshots, PDFs and script results. */
export const bytesOf = (outcome: RenderOutcome): number => {
  if (outcome._tag === "File") return 0
  const { actions, screenshot = "" } = outcome.shown
  const texts = [
    screenshot,
    ...(actions?.screenshots ?? []),
    ...(actions?.pdfs ?? []),
    ...(actions?.scrapes ?? []).map(({ html }) => html)
  ]
  return texts.reduce((sum, text) => sum + text.length, outcome.fetched.body.byteLength + outcome.valueBytes)
}

type VisitFailure = BadRequest | Forbidden | TimedOut | TooLarge | Unprocessable

export interface VisitRequest {
  readonly url: string
  readonly rendering: Rendering
  /** Called with the name of each phase, for the timeout message. */
  readonly onPhase: (name: string) => void
}

const fileOutcome = { _tag: "File" } as const satisfies RenderOutcome

const isFile = ({ response, url }: Navigation): boolean => {
  if (response === undefined || !canParse(url)) return false
  const path = response.statusCode >= 400 ? "/" : new URL(url).pathname
  return kindOf(response.headers["content-type"], path, new Uint8Array())._tag !== "Html"
}

/** Returns the failure that the gateway recorded for a page's own URL. Failures of subresources do not count. */
const gatewayFailure = (tab: Tab, { response, url }: Navigation): VisitFailure | undefined => {
  if (tab.pass.spent() === "bytes") {
    return new TooLarge({ error: `${url} and what it loads are larger than the limit.`, code: "SCRAPE_TOO_LARGE" })
  }
  if (!canParse(url)) return undefined
  const page = new URL(url)
  page.hash = ""
  const { failures } = tab.pass
  // When a plain request fails, the gateway sends a response. When a tunnel fails, there is none.
  return failures.get(page.href) ?? (response === undefined ? failures.get(tunnelKey(page)) : undefined)
}

const failureOf = (tab: Tab, { message, netCode: code }: BrowserCallFailed): VisitFailure => {
  const refusal = gatewayFailure(tab, tab.attempt())
  if (refusal !== undefined) return refusal
  const { url } = tab.attempt()
  if (code !== undefined && /CERT|SSL/.test(code)) {
    return new Unprocessable({
      error: `No secure connection to ${new URL(url).host} (${code}). If you trust the site, set "skipTlsVerification".`,
      code: "SCRAPE_SSL_ERROR"
    })
  }
  if (code !== undefined && /REDIRECT/.test(code)) {
    return new Unprocessable({
      error: `${url} redirects to an address that a browser does not open (${code}).`,
      code: "SCRAPE_REDIRECT_ERROR"
    })
  }
  return new Unprocessable({
    error: `The browser could not open ${url}: ${code ?? message}.`,
    code: "SCRAPE_CONNECTION_ERROR"
  })
}

/** Chromium shows no page that asks for a name and a password, whatever it contains. */
const asksForPassword = "ERR_INVALID_AUTH_CREDENTIALS"

type Arrived = "page" | Extract<RenderOutcome, { readonly _tag: "File" }>

/** Navigates to the URL. Waits for the HTML, then for its subresources, but for these at most half of the remaining time. */
const navigate = (tab: Tab, { url }: VisitRequest): Effect.Effect<Arrived, VisitFailure> =>
  callBrowser(() => tab.page.goto(url, { waitUntil: "domcontentloaded", timeout: 0 })).pipe(
    Effect.zipRight(waitForLoadEvent(tab, 10_000)),
    Effect.as<Arrived>("page"),
    Effect.catchAll((failure): Effect.Effect<Arrived, VisitFailure> => {
      if (failure.netCode === asksForPassword) return Effect.succeed({ ...fileOutcome, asksForPassword: true })
      const attempt = tab.attempt()
      // The browser aborts the navigation when the response is a download.
      return isFile(attempt) || (failure.kind === "download" && gatewayFailure(tab, attempt) === undefined)
        ? Effect.succeed(fileOutcome)
        : Effect.fail(failureOf(tab, failure))
    })
  )

const isHttp = (url: string): boolean => url.startsWith("http:") || url.startsWith("https:")

const toVisitFailure = (tab: Tab) => (cause: BrowserCallFailed | VisitFailure) =>
  cause._tag === "BrowserCallFailed" ? failureOf(tab, cause) : cause

interface Capture {
  readonly navigation: Navigation
  readonly address: string
  readonly text: string
  readonly shot: Effect.Effect.Success<ReturnType<typeof screenshot>> | undefined
}

/** Reads the page that is shown: once more if another page is shown meanwhile, so that its parts belong together. */
const capture = (
  tab: Tab,
  wanted: Rendering["screenshot"],
  isAgain = false
): Effect.Effect<Capture, BrowserCallFailed | VisitFailure> =>
  Effect.suspend(() => {
    const navigation = tab.navigation()
    const address = tab.page.url()
    const read = Effect.gen(function* () {
      const refusal = gatewayFailure(tab, navigation)
      if (refusal !== undefined) return yield* refusal
      if (address.startsWith("chrome-error:")) {
        const isLocked = tab.attempt().response?.statusCode === 401
        return yield* new BrowserCallFailed({
          cause: isLocked ? "it asks for a user name and a password" : "the browser shows its own error page"
        })
      }
      const text = yield* html(tab)
      const shot = wanted === undefined ? undefined : yield* screenshot(tab, wanted)
      return { navigation, address, text, shot }
    })
    return Effect.flatMap(Effect.either(read), (outcome) =>
      isAgain || tab.navigation() === navigation
        ? outcome
        : Effect.zipRight(waitForLoadEvent(tab), capture(tab, wanted, true))
    )
  })

/** Visits a page. The caller enforces the deadline. */
export const visit = (tab: Tab, request: VisitRequest): Effect.Effect<RenderOutcome, VisitFailure> =>
  Effect.gen(function* () {
    const { onPhase, rendering } = request
    onPhase("loading it")
    const arrived = yield* navigate(tab, request)
    if (arrived !== "page") return arrived
    if (isFile(tab.navigation())) return fileOutcome
    const early = gatewayFailure(tab, tab.navigation())
    if (early !== undefined) return yield* early
    onPhase("its scripts")
    if (rendering.waitFor > 0) yield* Effect.sleep(rendering.waitFor)
    else yield* waitForContent(tab)
    const budget = makeOutputBudget()
    const done = yield* runActions(tab, rendering.actions, budget, onPhase)
    onPhase("reading it")
    const { address, navigation, shot, text } = yield* capture(tab, rendering.screenshot)
    if (shot !== undefined) yield* budget.add(shot.image)
    const { response, url } = navigation
    const proxy = tab.pass.proxy()
    const stopped = tab.stopped()
    const { "content-type": contentType = "text/html", ...headers } = response?.headers ?? {}
    const warnings = [
      ...done.warnings,
      ...(shot?.warning === undefined ? [] : [shot.warning]),
      ...(stopped === undefined
        ? []
        : [`The page leads to ${stopped}, which did not answer in time, so the page before it was read.`]),
      ...(tab.pass.spent() === "requests" ? ["The page made too many requests: not all of them were sent."] : [])
    ]
    return {
      _tag: "Page",
      valueBytes: budget.valueBytes(),
      fetched: {
        url: isHttp(address) ? address : url,
        statusCode: response?.statusCode ?? 200,
        headers: { ...headers, "content-type": contentType },
        ...(proxy === undefined ? {} : { proxy }),
        // The byte order mark declares UTF-8, whatever charset the site declared.
        body: new TextEncoder().encode(`\ufeff${text}`)
      },
      shown: {
        ...(shot === undefined ? {} : { screenshot: shot.image }),
        ...(rendering.actions.length === 0 ? {} : { actions: done.results }),
        ...(warnings.length === 0 ? {} : { warning: warnings.join(" ") })
      }
    } satisfies RenderOutcome
  }).pipe(Effect.mapError(toVisitFailure(tab)))
