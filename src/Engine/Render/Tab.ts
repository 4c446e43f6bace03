/** One page in the browser: its context, limits, and network state. */
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from "playwright-core"
import { TooLarge, Unprocessable } from "../../Api/Errors.ts"
import { canParse } from "../../Api/Url.ts"
import { safely } from "../../Callback.ts"
import { headersFor as headersToSend } from "../Fetch/Headers.ts"
import type { Pass } from "./Account.ts"
import type { Gateway } from "./Gateway.ts"

/** A call to the browser that did not succeed. */
export class Broken extends Data.TaggedError("Broken")<{ readonly cause: unknown }> {
  override get message() {
    const text = this.cause instanceof Error ? this.cause.message : String(this.cause)
    // The rest is a log of what was tried.
    return (text.split("\nCall log:", 1)[0] ?? "").trim().slice(0, 500)
  }
}

/** Asks the browser; what it answers after an interruption, of which the signal tells, is nobody's. */
export const ask = <A>(what: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, Broken> =>
  Effect.tryPromise({ try: what, catch: (cause) => new Broken({ cause }) })

/** Of one page: bytes as they unfold, bytes on the wire, plain requests and connections. */
const maxDecoded = 50 * 1024 * 1024
const maxWire = 50 * 1024 * 1024
const maxRequests = 1_000
/** Requests that are told apart while they are under way. */
const maxUnderway = 1_000

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
  readonly isUnwanted: (host: string) => boolean
  /** The browser is there for this page alone, which sees what is kept in it. */
  readonly isAlone: boolean
}

/** What the last navigation of the page brought. */
export interface Arrival {
  readonly url: string
  /** Undefined when nothing came. */
  readonly answer: { readonly statusCode: number; readonly headers: Readonly<Record<string, string>> } | undefined
}

export interface Tab {
  readonly page: Page
  readonly cdp: CDPSession
  readonly pass: Pass
  readonly arrival: () => Arrival
  /** How many scripts and the data they ask for are under way. */
  readonly underway: () => number
  /** Fails when the page cannot go on; never succeeds. */
  readonly end: Effect.Effect<never, TooLarge | Unprocessable>
  /** The value of an expression in a world that the page's own scripts don't see. */
  readonly look: <A>(expression: string) => Effect.Effect<A, Broken>
}

const desktop = { width: 1280, height: 800 }
const phone = { width: 412, height: 915 }

const contextOptions = (options: TabOptions, pass: Pass): BrowserContextOptions => ({
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

/** How long the browser may take to open a context, and to close it. */
const patience = "20 seconds"
const farewell = "2 seconds"

/** A browser that hangs holds up nobody who wants to leave: both can be interrupted, where by themselves they could not. */
const openContext = (browser: Browser, options: TabOptions, pass: Pass, stuck: Effect.Effect<void>) =>
  Effect.acquireRelease(
    ask((signal) =>
      browser.newContext(contextOptions(options, pass)).then((context) => {
        if (signal.aborted) void context.close().catch(() => undefined)
        return context
      })
    ).pipe(
      Effect.timeoutFail({ duration: patience, onTimeout: () => new Broken({ cause: "the browser does not answer" }) }),
      Effect.interruptible
    ),
    (context) =>
      Effect.interruptible(ask(() => context.close())).pipe(
        Effect.timeout(farewell),
        Effect.catchAll(() => stuck)
      )
  )

/** The tab that was opened, and none that it opens. */
const openPage = (context: BrowserContext) =>
  Effect.gen(function* () {
    const page = yield* ask(() => context.newPage())
    context.on(
      "page",
      safely((other) => void other.close().catch(() => undefined))
    )
    return page
  })

/** Names in lower case; of a header sent twice, the first. */
const headersOf = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.split("\n", 1)[0] ?? ""])
  )

/** Sends the request's headers along, to the site that they were given for. */
const sendHeaders = (cdp: CDPSession, options: TabOptions, pass: Pass, broken: (cause: unknown) => void) =>
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
      }, broken)
    )
    // Whoever holds requests back is also asked for the pass, and only the gateway may have it.
    cdp.on(
      "Fetch.authRequired",
      safely(({ authChallenge, requestId }) => {
        const { password, username } = pass
        const answer =
          authChallenge.source === "Proxy"
            ? ({ response: "ProvideCredentials", username, password } as const)
            : ({ response: "Default" } as const)
        void cdp.send("Fetch.continueWithAuth", { requestId, authChallengeResponse: answer }).catch(() => undefined)
      }, broken)
    )
    const patterns = [{ urlPattern: "*", requestStage: "Request" as const }]
    return ask(() => cdp.send("Fetch.enable", { patterns, handleAuthRequests: true }))
  })

/** Opens a page for as long as the scope is open; `stuck` is run when the browser does not let go of it. */
export const open = (
  browser: Browser,
  options: TabOptions,
  stuck: Effect.Effect<void>
): Effect.Effect<Tab, Broken, Scope.Scope> =>
  Effect.gen(function* () {
    const end = yield* Deferred.make<never, TooLarge | Unprocessable>()
    const fail = (failure: TooLarge | Unprocessable) => void Deferred.unsafeDone(end, Effect.fail(failure))
    const broken = (cause: unknown) => void Deferred.unsafeDone(end, Effect.die(cause))
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
      isUnwanted: options.isUnwanted,
      onSpent: (what) => (what === "bytes" ? tooLarge() : undefined)
    })
    const found = options.isAlone ? browser.contexts()[0] : undefined
    const context = found ?? (yield* openContext(browser, options, pass, stuck))
    const page = yield* openPage(context)
    const cdp = yield* ask(() => context.newCDPSession(page))
    if (found !== undefined)
      yield* Effect.forEach(steps(page, cdp, contextOptions(options, pass)), ask, { discard: true })
    const { frameTree } = yield* ask(() => cdp.send("Page.getFrameTree"))
    const frameId = frameTree.frame.id
    let arrival: Arrival = { url: options.url, answer: undefined }
    let decoded = 0
    const underway = new Set<string>()
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
        broken
      )
    )
    cdp.on(
      "Network.requestWillBeSent",
      safely(({ frameId: frame, request, requestId, type }) => {
        if (type === "Document" && frame === frameId) arrival = { url: request.url, answer: undefined }
        else if ((type === "XHR" || type === "Fetch" || type === "Script") && underway.size < maxUnderway) {
          underway.add(requestId)
        }
      }, broken)
    )
    cdp.on(
      "Network.responseReceived",
      safely(({ frameId: frame, response, type }) => {
        if (type !== "Document" || frame !== frameId) return
        const { headers, status, url } = response
        arrival = { url, answer: { statusCode: status, headers: headersOf(headers) } }
      }, broken)
    )
    cdp.on(
      "Network.loadingFinished",
      safely(({ requestId }) => void underway.delete(requestId), broken)
    )
    cdp.on(
      "Network.loadingFailed",
      safely(({ requestId }) => void underway.delete(requestId), broken)
    )
    cdp.on(
      "Network.dataReceived",
      safely(({ dataLength }) => {
        decoded += dataLength
        if (decoded > maxDecoded) tooLarge()
      }, broken)
    )
    yield* ask(() => cdp.send("Network.enable", { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }))
    yield* sendHeaders(cdp, options, pass, broken)

    const look = <A>(expression: string) =>
      Effect.gen(function* () {
        const world = yield* ask(() => cdp.send("Page.createIsolatedWorld", { frameId, worldName: "reader" }))
        const { exceptionDetails, result } = yield* ask(() =>
          cdp.send("Runtime.evaluate", {
            expression,
            contextId: world.executionContextId,
            returnByValue: true,
            awaitPromise: true
          })
        )
        if (exceptionDetails !== undefined) {
          return yield* new Broken({ cause: exceptionDetails.exception?.description ?? exceptionDetails.text })
        }
        return result.value as A
      })
    return { page, cdp, pass, arrival: () => arrival, underway: () => underway.size, end: Deferred.await(end), look }
  })

/** Pages find no way to leave a program behind that answers for the site. */
const noServiceWorkers = `if (navigator.serviceWorker) navigator.serviceWorker.register = () => Promise.resolve()`

/** What is to be done before the page goes anywhere, in this order. */
export const steps = (
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
