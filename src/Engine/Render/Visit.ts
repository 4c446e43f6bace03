/** Goes to an address in a tab and brings back what is there, or why it is not. */
import * as Effect from "effect/Effect"
import { type BadRequest, type Forbidden, type TimedOut, TooLarge, Unprocessable } from "../../Api/Errors.ts"
import { canParse } from "../../Api/Url.ts"
import { kindOf } from "../Fetch/ContentKind.ts"
import type { Fetched, Shown } from "../PageSource.ts"
import { placeOf } from "./Account.ts"
import { run } from "./Act.ts"
import { html, makeBasket, picture, settle } from "./Capture.ts"
import type { Rendering } from "./Rendering.ts"
import { ask, type Broken, type Tab } from "./Tab.ts"
export type Outcome =
  | {
      readonly _tag: "Page"
      readonly fetched: Fetched
      readonly shown: Shown
      /** Bytes of memory that the values of scripts take. */
      readonly valueBytes: number
    }
  /** A file, which is not for a browser to show. */
  | { readonly _tag: "File" }

/** Adds a warning to a page; a file has none. */
export const withWarning = (outcome: Outcome, warning: string): Outcome => {
  if (outcome._tag === "File") return outcome
  const { shown } = outcome
  return { ...outcome, shown: { ...shown, warning: [shown.warning, warning].filter(Boolean).join(" ") } }
}

/** What a page and all that was brought besides take of memory. */
export const bytesOf = (outcome: Outcome): number => {
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
  /** Milliseconds that are left. */
  readonly timeout: number
  readonly rendering: Rendering
  /** Told what is being done, for whoever has to say what took too long. */
  readonly begin: (name: string) => void
}

const file = { _tag: "File" } as const satisfies Outcome

const isFile = (tab: Tab): boolean => {
  const { answer, url } = tab.arrival()
  if (answer === undefined || !canParse(url)) return false
  const path = answer.statusCode >= 400 ? "/" : new URL(url).pathname
  return kindOf(answer.headers["content-type"], path, new Uint8Array())._tag !== "Html"
}

const isDownload = ({ message }: Broken): boolean => /download is starting|ERR_ABORTED/i.test(message)

/** Why the place that the page is at could not be reached, as the gateway knows it; what it loads besides may fail. */
const refusalOf = (tab: Tab): VisitFailure | undefined => {
  const { answer, url } = tab.arrival()
  if (tab.pass.spent() === "bytes") {
    return new TooLarge({ error: `${url} and what it loads are larger than the limit.`, code: "SCRAPE_TOO_LARGE" })
  }
  if (!canParse(url)) return undefined
  const place = new URL(url)
  place.hash = ""
  const { failures } = tab.pass
  // A plain request that cannot be passed on is answered by the gateway, a tunnel that cannot be dug by nobody.
  return failures.get(place.href) ?? (answer === undefined ? failures.get(placeOf(place)) : undefined)
}

const told = (tab: Tab, { message }: Broken): VisitFailure => {
  const refusal = refusalOf(tab)
  if (refusal !== undefined) return refusal
  const { url } = tab.arrival()
  const code = /net::(ERR_\w+)/.exec(message)?.[1]
  if (code !== undefined && /CERT|SSL/.test(code)) {
    return new Unprocessable({
      error: `No secure connection to ${new URL(url).host} (${code}). If you trust the site, set "skipTlsVerification".`,
      code: "SCRAPE_SSL_ERROR"
    })
  }
  if (code !== undefined && /REDIRECT/.test(code)) {
    return new Unprocessable({
      error: `${url} redirects to where a browser does not go (${code}).`,
      code: "SCRAPE_REDIRECT_ERROR"
    })
  }
  return new Unprocessable({
    error: `The browser could not open ${url}: ${code ?? message}.`,
    code: "SCRAPE_CONNECTION_ERROR"
  })
}

/** Until the page is there; what it loads besides may take half of the time. */
const arrive = (tab: Tab, { timeout, url }: VisitRequest): Effect.Effect<"page" | "file", VisitFailure> =>
  ask(() => tab.page.goto(url, { waitUntil: "domcontentloaded", timeout: 0 })).pipe(
    Effect.zipRight(
      Effect.ignore(ask(() => tab.page.waitForLoadState("load", { timeout: Math.min(10_000, timeout / 2) })))
    ),
    Effect.as("page" as const),
    Effect.catchAll((broken) =>
      // A file makes the browser give up on the page.
      isFile(tab) || (isDownload(broken) && refusalOf(tab) === undefined)
        ? Effect.succeed("file" as const)
        : Effect.fail(told(tab, broken))
    )
  )

const isWeb = (url: string): boolean => url.startsWith("http:") || url.startsWith("https:")

const broken = (tab: Tab) => (cause: Broken | VisitFailure) => (cause._tag === "Broken" ? told(tab, cause) : cause)

/** All of it; the caller sets the deadline. */
export const visit = (tab: Tab, request: VisitRequest): Effect.Effect<Outcome, VisitFailure> =>
  Effect.gen(function* () {
    const { begin, rendering } = request
    begin("loading it")
    if ((yield* arrive(tab, request)) === "file" || isFile(tab)) return file
    const early = refusalOf(tab)
    if (early !== undefined) return yield* early
    begin("its scripts")
    if (rendering.waitFor > 0) yield* Effect.sleep(rendering.waitFor)
    else yield* settle(tab)
    const basket = makeBasket()
    const done = yield* run(tab, rendering.actions, basket, begin)
    begin("reading it")
    const refusal = refusalOf(tab)
    if (refusal !== undefined) return yield* refusal
    const text = yield* html(tab)
    const shot = rendering.screenshot === undefined ? undefined : yield* picture(tab, rendering.screenshot, basket)
    const { answer, url } = tab.arrival()
    const address = tab.page.url()
    const { "content-type": contentType = "text/html", ...headers } = answer?.headers ?? {}
    const warnings = [
      ...done.warnings,
      ...(shot?.warning === undefined ? [] : [shot.warning]),
      ...(tab.pass.spent() === "requests" ? ["The page asked for very many things: not all of them were loaded."] : [])
    ]
    return {
      _tag: "Page",
      valueBytes: basket.valueBytes(),
      fetched: {
        url: isWeb(address) ? address : url,
        statusCode: answer?.statusCode ?? 200,
        headers: { ...headers, "content-type": contentType },
        // What a browser has read is text; the mark says so, whatever the site has said of its bytes.
        body: new TextEncoder().encode(`\ufeff${text}`)
      },
      shown: {
        ...(shot === undefined ? {} : { screenshot: shot.image }),
        ...(rendering.actions.length === 0 ? {} : { actions: done.results }),
        ...(warnings.length === 0 ? {} : { warning: warnings.join(" ") })
      }
    } satisfies Outcome
  }).pipe(Effect.mapError(broken(tab)))
