/** Captures a page after it has loaded and is idle: HTML, screenshots and PDF. */
import * as Effect from "effect/Effect"
import type { Action } from "../../Api/Actions.ts"
import { TooLarge, Unprocessable } from "../../Api/Errors.ts"
import { navigationTimeout } from "./Navigations.ts"
import type { ScreenshotOptions } from "./Rendering.ts"
import { type BrowserCallFailed, callBrowser, type Tab } from "./Tab.ts"

/** Maximum pixels of a screenshot. A larger page is cut off. */
const maxHeight = 16_384
const maxWidth = 4_096

/** Maximum bytes of all screenshots, PDFs and scrapes of a request. */
const maxOutput = 50 * 1024 * 1024

/** Maximum characters of all script results of a request, as JSON. */
const maxScriptOutput = 5_000_000
/** Estimated bytes of memory that one character of JSON takes once parsed. */
const parsedBytesPerCharacter = 10

/** Counts the output of a request besides its page (screenshots, PDFs, scrapes and script results), and fails when it exceeds a limit. */
export interface OutputBudget {
  readonly add: (text: string) => Effect.Effect<string, TooLarge>
  /** Counts the JSON of a script result. Call it before the JSON is parsed. */
  readonly addJson: (json: string) => Effect.Effect<string, TooLarge>
  /** Estimated bytes of memory that the parsed script results take. */
  readonly valueBytes: () => number
}

export const makeOutputBudget = (): OutputBudget => {
  let left = maxOutput
  let values = 0
  return {
    valueBytes: () => values * parsedBytesPerCharacter,
    addJson: (json) => {
      if (values + json.length > maxScriptOutput) {
        return new TooLarge({
          error: `The values of "executeJavascript" of one request have more than ${maxScriptOutput} characters: return less, or split the request.`,
          code: "SCRAPE_TOO_LARGE"
        })
      }
      values += json.length
      return Effect.succeed(json)
    },
    add: (text) => {
      left -= text.length
      return left >= 0
        ? Effect.succeed(text)
        : new TooLarge({
            error: `Screenshots, pdfs and scrapes of one request have more than ${maxOutput} bytes: ask for fewer, or set a "quality".`,
            code: "SCRAPE_TOO_LARGE"
          })
    }
  }
}

const pageSize = `({
  width: Math.max(document.documentElement.scrollWidth, document.body ? document.body.scrollWidth : 0, innerWidth),
  height: Math.max(document.documentElement.scrollHeight, document.body ? document.body.scrollHeight : 0, innerHeight)
})`

/** Returns the part of the page to capture if the page is too large for one image. */
const clipOf = (tab: Tab) =>
  Effect.map(tab.evaluate<{ readonly width: number; readonly height: number }>(pageSize), ({ height, width }) =>
    height > maxHeight || width > maxWidth
      ? { x: 0, y: 0, width: Math.min(width, maxWidth), height: Math.min(height, maxHeight) }
      : undefined
  )

/** Milliseconds that a screenshot waits for fonts. */
const fontTimeout = 2_000

const waitForFonts = `Promise.race([
  document.fonts.ready.then(() => null),
  new Promise((resolve) => setTimeout(resolve, ${fontTimeout}, null))
])`

const takeScreenshot = (tab: Tab, { fullPage = false, quality }: ScreenshotOptions) =>
  Effect.gen(function* () {
    yield* Effect.ignore(tab.evaluate(waitForFonts))
    const clip = fullPage ? yield* clipOf(tab) : undefined
    const bytes = yield* callBrowser(() =>
      tab.page.screenshot({
        fullPage,
        timeout: 0,
        ...(clip === undefined ? {} : { clip }),
        ...(quality === undefined ? { type: "png" } : { type: "jpeg", quality })
      })
    )
    return {
      image: `data:image/${quality === undefined ? "png" : "jpeg"};base64,${bytes.toString("base64")}`,
      warning:
        clip === undefined
          ? undefined
          : `The page is too large for one picture: its first ${clip.width} × ${clip.height} pixels are shown.`
    }
  })

/** Takes a screenshot as a data URL, which is not counted yet. Restores the viewport afterwards. */
export const screenshot = (tab: Tab, wanted: ScreenshotOptions) =>
  Effect.gen(function* () {
    const { viewport } = wanted
    const before = tab.page.viewportSize()
    const resize = (size: { readonly width: number; readonly height: number }) =>
      callBrowser(() => tab.page.setViewportSize(size))
    if (viewport !== undefined) yield* resize(viewport)
    const { image, warning } = yield* takeScreenshot(tab, wanted)
    if (viewport !== undefined && before !== null) yield* resize(before)
    return { image, warning }
  })

/** Paper sizes in millimetres. */
const millimetresPerInch = 25.4
const paperSizes: Readonly<Record<string, readonly [width: number, height: number]>> = {
  A0: [841, 1189],
  A1: [594, 841],
  A2: [420, 594],
  A3: [297, 420],
  A4: [210, 297],
  A5: [148, 210],
  A6: [105, 148],
  Letter: [215.9, 279.4],
  Legal: [215.9, 355.6],
  Tabloid: [279.4, 431.8],
  Ledger: [431.8, 279.4]
}

/** Prints the page as PDF, as a data URL. */
export const pdf = (tab: Tab, action: Extract<Action, { readonly type: "pdf" }>, budget: OutputBudget) =>
  Effect.gen(function* () {
    const [width, height] = paperSizes[action.format ?? "Letter"] ?? [215.9, 279.4]
    const { data } = yield* callBrowser(() =>
      tab.cdp.send("Page.printToPDF", {
        paperWidth: width / millimetresPerInch,
        paperHeight: height / millimetresPerInch,
        landscape: action.landscape ?? false,
        scale: action.scale ?? 1,
        printBackground: true,
        transferMode: "ReturnAsBase64"
      })
    )
    return yield* budget.add(`data:application/pdf;base64,${data}`)
  })

/** Maximum characters of the serialised page. */
const maxHtml = 20_000_000

/** Milliseconds without pending requests after which the page is idle, between two checks, and until waiting ends in any case. */
const idleTime = 100
const pollInterval = 20
const idleTimeout = 3_000
/** Milliseconds to wait for the first visible text. */
const contentTimeout = 3_000

interface PageState {
  /** True if the page may change by itself, or lead to another one. */
  readonly hasScripts: boolean
  readonly hasText: boolean
}

const readPageState = `({
  hasScripts: document.scripts.length > 0 || document.querySelector('meta[http-equiv="refresh" i]') !== null,
  hasText: /\\S/.test(document.body ? document.body.innerText.slice(0, 10000) : "")
})`

/** Waits until the tab is idle: at most `idleTimeout`, or `navigationTimeout` during a navigation, and half of the time left. */
const waitForIdle = (tab: Tab) =>
  Effect.gen(function* () {
    let idle = 0
    const most = tab.patience()
    for (let waited = 0; idle < idleTime; waited += pollInterval) {
      if (waited >= Math.min(most, tab.isLeaving() ? navigationTimeout : idleTimeout)) return
      yield* Effect.sleep(pollInterval)
      idle = tab.pendingRequests() === 0 && !tab.isLeaving() ? idle + pollInterval : 0
    }
  })

/** Waits for the load event of the page, at most `timeout` milliseconds and half of the time left. */
export const waitForLoadEvent = (tab: Tab, timeout = idleTimeout): Effect.Effect<void> =>
  // Playwright takes 0 for no limit.
  Effect.ignore(
    callBrowser(() => tab.page.waitForLoadState("load", { timeout: Math.max(1, Math.min(timeout, tab.patience())) }))
  )

/** Waits until the page is idle and, if it leads to another page meanwhile, until that one has loaded and is idle. */
const settle = (tab: Tab): Effect.Effect<void> =>
  Effect.gen(function* () {
    const before = tab.navigation()
    yield* waitForIdle(tab)
    if (tab.navigation() === before) return
    yield* waitForLoadEvent(tab)
    yield* waitForIdle(tab)
  })

/**
 * Waits until the page has loaded what an action triggered: at most `idleTimeout` for the load event, and as long for pending requests. A
 * next page to which the action leads may take `navigationTimeout`.
 */
export const waitForLoad = (tab: Tab): Effect.Effect<void> => Effect.zipRight(waitForLoadEvent(tab), settle(tab))

/**
 * Waits until scripts have rendered the page: at most `idleTimeout` for pending requests, and `contentTimeout` for text. A next page to which
 * it leads may take `navigationTimeout`, and then as long as this one. Each wait takes at most half of the time left. Returns at once if the
 * page has no scripts, and does not lead to another one.
 */
export const waitForContent = (tab: Tab): Effect.Effect<void> =>
  Effect.gen(function* () {
    const state = yield* tab.evaluate<PageState>(readPageState)
    if (!state.hasScripts) return
    const before = tab.navigation()
    yield* settle(tab)
    if (state.hasText && tab.navigation() === before) return
    const most = Math.min(contentTimeout, tab.patience())
    for (let waited = 0; waited < most; waited += idleTime) {
      if ((yield* tab.evaluate<PageState>(readPageState)).hasText) return
      yield* Effect.sleep(idleTime)
    }
  }).pipe(Effect.ignore)

const serializePage = `(() => {
  const root = document.documentElement
  const type = document.doctype
  const html = root === null ? "" : root.outerHTML
  if (html.length > ${maxHtml}) return null
  return (type === null ? "" : new XMLSerializer().serializeToString(type)) + html
})()`

/** Current HTML of the page. */
export const html = (tab: Tab): Effect.Effect<string, BrowserCallFailed | Unprocessable> =>
  Effect.flatMap(tab.evaluate<string | null>(serializePage), (text) =>
    text === null
      ? new Unprocessable({
          error: `${tab.page.url()} has grown to more than ${maxHtml} characters of HTML.`,
          code: "SCRAPE_TOO_LARGE"
        })
      : Effect.succeed(text)
  )
