/** One page in the browser: its context, limits and network state. Closed with its scope. */
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from "playwright-core"
import { TooLarge, Unprocessable } from "../../Api/Errors.ts"
import { canParse } from "../../Api/Url.ts"
import { safely } from "../../Callback.ts"
import { headersFor as headersToSend } from "../Fetch/Headers.ts"
import type { Gateway } from "./Gateway.ts"
import { makeNavigations, type Navigation } from "./Navigations.ts"
import type { ProxyPass, TrafficLimits } from "./TrafficAccount.ts"

/** Kinds of failures by message, because Playwright has no error codes. `invalid`: a selector or key that only the browser can check. */
const kinds = [
  ["download", /download is starting|ERR_ABORTED/i],
  ["invalid", /unknown key|not a valid selector|unexpected token|error while parsing/i],
  ["timeout", /timeout \d+ms exceeded/i]
] as const

/** A call to the browser failed. */
export class BrowserCallFailed extends Data.TaggedError("BrowserCallFailed")<{ readonly cause: unknown }> {
  override get message() {
    const text = this.cause instanceof Error ? this.cause.message : String(this.cause)
    // Playwright appends a log of its attempts.
    return (text.split("\nCall log:", 1)[0] ?? "").trim().slice(0, 500)
  }
  get kind() {
    return kinds.find(([, pattern]) => pattern.test(this.message))?.[0]
  }
  /** Browser error code of a failed navigation, such as `ERR_ABORTED`. */
  get netCode() {
    return /net::(ERR_\w+)/.exec(this.message)?.[1]
  }
}

/** Calls the browser. The signal aborts on interruption; the caller then disposes of a late result. */
export const callBrowser = <A>(what: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, BrowserCallFailed> =>
  Effect.tryPromise({ try: what, catch: (cause) => new BrowserCallFailed({ cause }) })

/** Limits of one page: decompressed bytes, bytes sent and received on the network, and requests including tunnels (CONNECT). */
const maxDecoded = 50 * 1024 * 1024
const maxWire = 50 * 1024 * 1024
const maxRequests = 1_000
/** Maximum pending requests that are tracked. Further ones do not delay the capture. */
const maxTrackedRequests = 1_000

export interface TabOptions {
  readonly url: string
  readonly gateway: Gateway
  readonly userAgent: string
  readonly mobile: boolean
  readonly viewport: { readonly width: number; readonly height: number } | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly headersFor: string | undefined
  readonly acceptLanguage: string | undefined
  readonly skipTlsVerification: boolean
  readonly isBlockedHost: (host: string) => boolean
  readonly proxy: TrafficLimits["proxy"]
  /** True to use the browser's default context, which has the data of its profile. The browser then serves only this page. */
  readonly usesDefaultContext: boolean
  /** Time at which the request fails, in milliseconds since 1970. */
  readonly deadline: number
}

/** A window that the page opened, with its first address, which may be empty. */
export interface OpenedWindow {
  readonly url: string
}

export interface Tab {
  readonly page: Page
  readonly cdp: CDPSession
  readonly pass: ProxyPass
  /** Navigation to the page that is shown; another object once another page is shown. */
  readonly navigation: () => Navigation
  /** The last navigation that began. It may show no page: a download and a 204 do not, nor does one that failed. */
  readonly attempt: () => Navigation
  /** True while a navigation has begun and its page is not shown yet. */
  readonly isLeaving: () => boolean
  /** URL of a navigation that was stopped because it took too long, until another page is shown. */
  readonly stopped: () => string | undefined
  /** Number of pending requests for scripts and data (fetch, XHR). */
  readonly pendingRequests: () => number
  /** Maximum milliseconds to wait for something that may never happen: half of the time left until the deadline. */
  readonly patience: () => number
  /** Never succeeds; fails when the page crashes or exceeds a limit. */
  readonly failure: Effect.Effect<never, TooLarge | Unprocessable>
  /** The last window that a person's click or key would have opened; another object once another window is opened. */
  readonly opened: () => OpenedWindow | undefined
  /** Evaluates an expression in an isolated world that the page's scripts cannot access. */
  readonly evaluate: <A>(expression: string) => Effect.Effect<A, BrowserCallFailed>
}

const desktop = { width: 1280, height: 800 }
const phone = { width: 412, height: 915 }

const contextOptions = (options: TabOptions, pass: ProxyPass): BrowserContextOptions => ({
  proxy: {
    server: `http://${options.gateway.address}`,
    bypass: "<-loopback>",
    username: pass.username,
    password: pass.password
  },
  userAgent: options.userAgent,
  viewport: options.viewport ?? (options.mobile ? phone : desktop),
  ...(options.mobile ? { isMobile: true, hasTouch: true, deviceScaleFactor: 2 } : {}),
  ...(options.acceptLanguage === undefined
    ? {}
    : {
        locale: options.acceptLanguage.split(/[,;]/, 1)[0] ?? "en",
        extraHTTPHeaders: { "accept-language": options.acceptLanguage }
      }),
  ignoreHTTPSErrors: options.skipTlsVerification,
  acceptDownloads: false,
  serviceWorkers: "block"
})

/** Timeouts of opening and closing a context. */
const openTimeout = "20 seconds"
const closeTimeout = "2 seconds"

/**
 * Opens a context. Opening and closing are interruptible, which `acquireRelease` does not do by default: a hanging browser must not block
 * the request.
 */
const openContext = (browser: Browser, options: TabOptions, pass: ProxyPass, onStuck: Effect.Effect<void>) =>
  Effect.acquireRelease(
    callBrowser((signal) =>
      browser.newContext(contextOptions(options, pass)).then((context) => {
        if (signal.aborted) void context.close().catch(() => undefined)
        return context
      })
    ).pipe(
      Effect.timeoutFail({
        duration: openTimeout,
        onTimeout: () => new BrowserCallFailed({ cause: "the browser does not answer" })
      }),
      Effect.interruptible
    ),
    (context) =>
      Effect.interruptible(callBrowser(() => context.close())).pipe(
        Effect.timeout(closeTimeout),
        Effect.catchAll(() => onStuck)
      )
  )

/** Opens the page. Popups are closed, until the scope closes. */
const openPage = (context: BrowserContext) =>
  Effect.gen(function* () {
    const page = yield* callBrowser(() => context.newPage())
    const closePopup = safely((other: Page) => void other.close().catch(() => undefined))
    yield* Effect.acquireRelease(
      Effect.sync(() => context.on("page", closePopup)),
      () => Effect.sync(() => context.off("page", closePopup))
    )
    return page
  })

/** Returns the headers with names in lower case, each with its first value. */
const headersOf = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.split("\n", 1)[0] ?? ""])
  )

/** Adds the headers of the scrape request to requests for the site that they are meant for. */
const sendHeaders = (cdp: CDPSession, options: TabOptions, pass: ProxyPass, die: (cause: unknown) => void) =>
  Effect.suspend(() => {
    const { headers, headersFor, url } = options
    const { "user-agent": _, ...others } = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    )
    if (Object.keys(others).length === 0) return Effect.void
    const given = new URL(headersFor ?? url)
    cdp.on(
      "Fetch.requestPaused",
      safely(({ request, requestId }) => {
        const own = canParse(request.url) ? headersToSend(others, new URL(request.url), given) : {}
        const kept = Object.entries(request.headers).filter(([name]) => own[name.toLowerCase()] === undefined)
        const merged = [...kept, ...Object.entries(own)].map(([name, value]) => ({ name, value }))
        void cdp.send("Fetch.continueRequest", { requestId, headers: merged }).catch(() => undefined)
      }, die)
    )
    // Request interception also receives authentication challenges. Only the gateway gets the credentials.
    cdp.on(
      "Fetch.authRequired",
      safely(({ authChallenge, requestId }) => {
        const { password, username } = pass
        const answer =
          authChallenge.source === "Proxy"
            ? ({ response: "ProvideCredentials", username, password } as const)
            : ({ response: "Default" } as const)
        void cdp.send("Fetch.continueWithAuth", { requestId, authChallengeResponse: answer }).catch(() => undefined)
      }, die)
    )
    const patterns = [{ urlPattern: "*", requestStage: "Request" as const }]
    return callBrowser(() => cdp.send("Fetch.enable", { patterns, handleAuthRequests: true }))
  })

/** Opens a page until the scope closes. `onStuck` runs if the browser does not close the context in time. */
export const open = (
  browser: Browser,
  options: TabOptions,
  onStuck: Effect.Effect<void>
): Effect.Effect<Tab, BrowserCallFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const failure = yield* Deferred.make<never, TooLarge | Unprocessable>()
    const fail = (error: TooLarge | Unprocessable) => void Deferred.unsafeDone(failure, Effect.fail(error))
    const die = (cause: unknown) => void Deferred.unsafeDone(failure, Effect.die(cause))
    const tooLarge = () =>
      fail(
        new TooLarge({
          error: `${options.url} and what it loads are larger than the limit of ${maxDecoded} bytes.`,
          code: "SCRAPE_TOO_LARGE"
        })
      )
    const pass = yield* options.gateway.open({
      bytes: maxWire,
      requests: maxRequests,
      skipTlsVerification: options.skipTlsVerification,
      isBlockedHost: options.isBlockedHost,
      proxy: options.proxy,
      onSpent: (what) => (what === "bytes" ? tooLarge() : undefined)
    })
    const defaultContext = options.usesDefaultContext ? browser.contexts()[0] : undefined
    const context = defaultContext ?? (yield* openContext(browser, options, pass, onStuck))
    const page = yield* openPage(context)
    const cdp = yield* callBrowser(() => context.newCDPSession(page))
    if (defaultContext !== undefined)
      yield* Effect.forEach(setupSteps(page, cdp, contextOptions(options, pass)), callBrowser, { discard: true })
    const { frameTree } = yield* callBrowser(() => cdp.send("Page.getFrameTree"))
    const frameId = frameTree.frame.id
    const patience = () => Math.max(0, (options.deadline - Date.now()) / 2)
    const navigations = yield* Effect.acquireRelease(
      Effect.sync(() =>
        makeNavigations(options.url, patience, () => void cdp.send("Page.stopLoading").catch(() => undefined))
      ),
      ({ close }) => Effect.sync(close)
    )
    let decoded = 0
    const pending = new Set<string>()
    page.on(
      "crash",
      safely(
        () =>
          fail(
            new Unprocessable({
              error: `${options.url} made the browser's page crash; most often it needs too much memory.`,
              code: "SCRAPE_PAGE_CRASHED"
            })
          ),
        die
      )
    )
    cdp.on(
      "Network.requestWillBeSent",
      safely(({ frameId: frame, request, requestId, type }) => {
        if (type === "Document" && frame === frameId) navigations.begin(requestId, request.url)
        else if ((type === "XHR" || type === "Fetch" || type === "Script") && pending.size < maxTrackedRequests) {
          pending.add(requestId)
        }
      }, die)
    )
    cdp.on(
      "Network.responseReceived",
      safely(({ frameId: frame, requestId, response, type }) => {
        if (type !== "Document" || frame !== frameId) return
        const { headers, status, url } = response
        navigations.answer(requestId, { url, response: { statusCode: status, headers: headersOf(headers) } })
      }, die)
    )
    cdp.on(
      "Page.frameNavigated",
      safely(({ frame }) => {
        // Chromium gives a navigation the id of its request. Requests of the page before may never be reported as ended.
        if (frame.id === frameId && navigations.show(frame.loaderId)) pending.clear()
      }, die)
    )
    let opened: OpenedWindow | undefined
    cdp.on(
      "Page.windowOpen",
      safely(({ url, userGesture }) => {
        if (userGesture) opened = { url }
      }, die)
    )
    cdp.on(
      "Page.frameStoppedLoading",
      safely(({ frameId: frame }) => {
        if (frame === frameId) navigations.stop()
      }, die)
    )
    cdp.on(
      "Network.loadingFinished",
      safely(({ requestId }) => void pending.delete(requestId), die)
    )
    cdp.on(
      "Network.loadingFailed",
      safely(({ requestId }) => {
        pending.delete(requestId)
        navigations.fail(requestId)
      }, die)
    )
    cdp.on(
      "Network.dataReceived",
      safely(({ dataLength }) => {
        decoded += dataLength
        if (decoded > maxDecoded) tooLarge()
      }, die)
    )
    yield* callBrowser(() => cdp.send("Page.enable"))
    yield* callBrowser(() => cdp.send("Network.enable", { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }))
    yield* sendHeaders(cdp, options, pass, die)

    const evaluate = <A>(expression: string) =>
      Effect.gen(function* () {
        const world = yield* callBrowser(() => cdp.send("Page.createIsolatedWorld", { frameId, worldName: "reader" }))
        const { exceptionDetails, result } = yield* callBrowser(() =>
          cdp.send("Runtime.evaluate", {
            expression,
            contextId: world.executionContextId,
            returnByValue: true,
            awaitPromise: true
          })
        )
        if (exceptionDetails !== undefined) {
          return yield* new BrowserCallFailed({
            cause: exceptionDetails.exception?.description ?? exceptionDetails.text
          })
        }
        return result.value as A
      })
    return {
      page,
      cdp,
      pass,
      ...navigations.seen,
      pendingRequests: () => pending.size,
      patience,
      failure: Deferred.await(failure),
      opened: () => opened,
      evaluate
    }
  })

/** Blocks service workers, which would outlive the page and answer in place of the site. */
const noServiceWorkers = `if (navigator.serviceWorker) navigator.serviceWorker.register = () => Promise.resolve()`

/** Emulation settings of a page in the default context, in order, before its first navigation. */
export const setupSteps = (
  page: Page,
  cdp: CDPSession,
  { deviceScaleFactor = 1, extraHTTPHeaders, hasTouch, ignoreHTTPSErrors, isMobile, ...options }: BrowserContextOptions
): ReadonlyArray<() => Promise<unknown>> => {
  const { locale, userAgent = "" } = options
  const viewport = options.viewport ?? { width: 1280, height: 800 }
  return [
    () => page.setViewportSize(viewport),
    () =>
      isMobile === true
        ? cdp.send("Emulation.setDeviceMetricsOverride", { ...viewport, deviceScaleFactor, mobile: true })
        : Promise.resolve(),
    () => cdp.send("Emulation.setTouchEmulationEnabled", { enabled: hasTouch === true }),
    () =>
      cdp.send("Emulation.setUserAgentOverride", {
        userAgent,
        ...(locale === undefined ? {} : { acceptLanguage: locale })
      }),
    () => cdp.send("Emulation.setLocaleOverride", locale === undefined ? {} : { locale }),
    () => page.setExtraHTTPHeaders(extraHTTPHeaders ?? {}),
    () => cdp.send("Security.setIgnoreCertificateErrors", { ignore: ignoreHTTPSErrors === true }),
    () => cdp.send("Network.setBypassServiceWorker", { bypass: true }),
    () => page.addInitScript(noServiceWorkers),
    () => cdp.send("Page.setDownloadBehavior", { behavior: "deny" })
  ]
}
