/** Captures the state of a page: HTML, screenshots, PDF; waits until the page is idle. */
import * as Effect from "effect/Effect"
import { TooLarge, Unprocessable } from "../../Api/Errors.ts"
import type { Action, Picture } from "./Rendering.ts"
import { ask, type Broken, type Tab } from "./Tab.ts"

/** Pixels; of a page that is longer or wider the beginning is shown. */
const maxHeight = 16_384
const maxWidth = 4_096

/** Bytes of everything that one request brings back besides its page. */
const maxBrought = 50 * 1024 * 1024

/** Characters of the values of all scripts of one request, as JSON. */
const maxValues = 5_000_000
/** Bytes of memory for a character of JSON once it is parsed. */
const parsedBytes = 10

/** Room for what a request brings back. */
export interface Basket {
  readonly add: (text: string) => Effect.Effect<string, TooLarge>
  /** Adds JSON, before it is parsed. */
  readonly addJson: (json: string) => Effect.Effect<string, TooLarge>
  /** Bytes of memory that the parsed values take. */
  readonly valueBytes: () => number
}

export const makeBasket = (): Basket => {
  let left = maxBrought
  let values = 0
  return {
    valueBytes: () => values * parsedBytes,
    addJson: (json) => {
      if (values + json.length > maxValues) {
        return new TooLarge({
          error: `The values of "executeJavascript" of one request come to more than ${maxValues} characters: give back less, or split the request.`,
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
            error: `Screenshots, pdfs and scrapes of one request come to more than ${maxBrought} bytes: ask for fewer, or for a "quality".`,
            code: "SCRAPE_TOO_LARGE"
          })
    }
  }
}

const pageSize = `({
  width: Math.max(document.documentElement.scrollWidth, document.body ? document.body.scrollWidth : 0, innerWidth),
  height: Math.max(document.documentElement.scrollHeight, document.body ? document.body.scrollHeight : 0, innerHeight)
})`

/** The part of the page that fits in a picture; undefined when all of it does. */
const clipOf = (tab: Tab) =>
  Effect.map(tab.look<{ readonly width: number; readonly height: number }>(pageSize), ({ height, width }) =>
    height > maxHeight || width > maxWidth
      ? { x: 0, y: 0, width: Math.min(width, maxWidth), height: Math.min(height, maxHeight) }
      : undefined
  )

const take = (tab: Tab, { fullPage = false, quality }: Picture) =>
  Effect.gen(function* () {
    const clip = fullPage ? yield* clipOf(tab) : undefined
    const bytes = yield* ask(() =>
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

/** A picture as a data URL; the page has its own size again afterwards. */
export const picture = (tab: Tab, wanted: Picture, basket: Basket) =>
  Effect.gen(function* () {
    const { viewport } = wanted
    const before = tab.page.viewportSize()
    const resize = (size: { readonly width: number; readonly height: number }) =>
      ask(() => tab.page.setViewportSize(size))
    if (viewport !== undefined) yield* resize(viewport)
    const { image, warning } = yield* take(tab, wanted)
    if (viewport !== undefined && before !== null) yield* resize(before)
    return { image: yield* basket.add(image), warning }
  })

/** Millimetres to an inch, and the sheets in millimetres. */
const inch = 25.4
const sheets: Readonly<Record<string, readonly [width: number, height: number]>> = {
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

/** The page on paper, as a data URL. */
export const pdf = (tab: Tab, action: Extract<Action, { readonly type: "pdf" }>, basket: Basket) =>
  Effect.gen(function* () {
    const [width, height] = sheets[action.format ?? "Letter"] ?? [215.9, 279.4]
    const { data } = yield* ask(() =>
      tab.cdp.send("Page.printToPDF", {
        paperWidth: width / inch,
        paperHeight: height / inch,
        landscape: action.landscape ?? false,
        scale: action.scale ?? 1,
        printBackground: true,
        transferMode: "ReturnAsBase64"
      })
    )
    return yield* basket.add(`data:application/pdf;base64,${data}`)
  })

/** Characters of the HTML that scripts have made. */
const maxHtml = 20_000_000

/** Milliseconds: how long nothing must be under way, how often that is looked at, and how long it is waited for. */
const quiet = 100
const step = 20
const restless = 3_000
/** For a page that shows nothing yet. */
const blank = 3_000

interface Look {
  readonly scripts: boolean
  readonly text: boolean
}

const seen = `({
  scripts: document.scripts.length > 0,
  text: /\\S/.test(document.body ? document.body.innerText.slice(0, 10000) : "")
})`

const isQuiet = (tab: Tab) =>
  Effect.gen(function* () {
    let calm = 0
    for (let waited = 0; waited < restless && calm < quiet; waited += step) {
      yield* Effect.sleep(step)
      calm = tab.underway() === 0 ? calm + step : 0
    }
  })

/** Waits until what an action set going is there, for a while. */
export const rest = (tab: Tab): Effect.Effect<void> =>
  ask(() => tab.page.waitForLoadState("load", { timeout: restless })).pipe(Effect.ignore, Effect.zipRight(isQuiet(tab)))

/** Waits until scripts have shown what they are going to show, for a while; a page without any is there at once. */
export const settle = (tab: Tab): Effect.Effect<void> =>
  Effect.gen(function* () {
    const look = yield* tab.look<Look>(seen)
    if (!look.scripts) return
    yield* isQuiet(tab)
    if (look.text) return
    for (let waited = 0; waited < blank; waited += quiet) {
      if ((yield* tab.look<Look>(seen)).text) return
      yield* Effect.sleep(quiet)
    }
  }).pipe(Effect.ignore)

const serialized = `(() => {
  const root = document.documentElement
  const type = document.doctype
  const html = root === null ? "" : root.outerHTML
  if (html.length > ${maxHtml}) return null
  return (type === null ? "" : new XMLSerializer().serializeToString(type)) + html
})()`

/** The page as it is now. */
export const html = (tab: Tab): Effect.Effect<string, Broken | Unprocessable> =>
  Effect.flatMap(tab.look<string | null>(serialized), (text) =>
    text === null
      ? new Unprocessable({
          error: `${tab.page.url()} has grown to more than ${maxHtml} characters of HTML.`,
          code: "SCRAPE_TOO_LARGE"
        })
      : Effect.succeed(text)
  )
