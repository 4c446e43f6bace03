/** What is seen of a page at a moment: whether it is at rest, and its HTML. */
import * as Effect from "effect/Effect"
import { Unprocessable } from "../../Api/Errors.ts"
import { ask, type Broken, type Tab } from "./Tab.ts"

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
