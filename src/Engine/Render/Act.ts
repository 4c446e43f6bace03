/**
 * Performs the actions of a scrape request on a page, in order. Results of scripts are bounded in size and depth.
 */

import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Locator } from "playwright-core"
import { type Bounds, excessOf, excessText } from "../../Api/Depth.ts"
import type { ActionResults } from "../../Api/Document.ts"
import { BadRequest, type TooLarge, Unprocessable } from "../../Api/Errors.ts"
import { type Basket, html, pdf, picture, rest } from "./Capture.ts"
import type { Action } from "./Rendering.ts"
import { ask, Broken, type Tab } from "./Tab.ts"

type Results = {
  -readonly [K in keyof typeof ActionResults.Type]: Array<NonNullable<(typeof ActionResults.Type)[K]>[number]>
}

/** Results and warnings of the actions. */
export interface Done {
  readonly results: typeof ActionResults.Type
  readonly warnings: ReadonlyArray<string>
}

/** Milliseconds to wait for an element to click or scroll. `wait` has no such limit. */
const patience = 5_000
/** Maximum elements that `all` clicks, and maximum length of a text that is typed key by key. */
const maxClicks = 100
const maxTyped = 200

const locate = (tab: Tab, selector: string): Locator => tab.page.locator(`css=${selector}`)

const click = (tab: Tab, { all = false, selector }: Extract<Action, { readonly type: "click" }>) =>
  Effect.gen(function* () {
    const found = locate(tab, selector)
    yield* ask(() => found.first().waitFor({ state: "attached", timeout: patience }))
    const count = all ? Math.min(yield* ask(() => found.count()), maxClicks) : 1
    for (let at = 0; at < count; at++) yield* ask(() => found.nth(at).click({ timeout: patience }))
    yield* rest(tab)
  })

const wait = (tab: Tab, { milliseconds, selector }: Extract<Action, { readonly type: "wait" }>) =>
  selector === undefined
    ? Effect.sleep(milliseconds ?? 0)
    : ask(() => locate(tab, selector).first().waitFor({ state: "visible", timeout: 0 }))

const write = (tab: Tab, text: string) =>
  ask(() => (text.length <= maxTyped ? tab.page.keyboard.type(text) : tab.page.keyboard.insertText(text)))

const scroll = (tab: Tab, { direction = "down", selector }: Extract<Action, { readonly type: "scroll" }>) =>
  Effect.gen(function* () {
    if (selector !== undefined) {
      yield* ask(() => locate(tab, selector).first().waitFor({ state: "attached", timeout: patience }))
    }
    const element = selector === undefined ? "null" : `document.querySelector(${JSON.stringify(selector)})`
    const sign = direction === "up" ? "-" : ""
    yield* tab.look(`{
      const element = ${element} ?? document.scrollingElement ?? document.documentElement
      element.scrollBy({ top: ${sign}element.clientHeight, behavior: "instant" })
    }`)
    // Pages often load content when it scrolls into view.
    yield* rest(tab)
  })

const act = (tab: Tab, action: Action, results: Results, warnings: Array<string>, basket: Basket) =>
  Effect.gen(function* () {
    switch (action.type) {
      case "wait":
        return yield* wait(tab, action)
      case "click":
        return yield* click(tab, action)
      case "write":
        return yield* write(tab, action.text)
      case "press":
        yield* ask(() => tab.page.keyboard.press(action.key))
        return yield* rest(tab)
      case "scroll":
        return yield* scroll(tab, action)
      case "screenshot": {
        const { image, warning } = yield* picture(tab, action, basket)
        results.screenshots?.push(image)
        if (warning !== undefined) warnings.push(warning)
        return
      }
      case "scrape":
        results.scrapes?.push({ url: tab.page.url(), html: yield* Effect.flatMap(html(tab), basket.add) })
        return
      case "executeJavascript":
        results.javascriptReturns?.push(yield* execute(tab, action.script, basket))
        return yield* rest(tab)
      case "pdf":
        results.pdfs?.push(yield* pdf(tab, action, basket))
        return
    }
  })

/** An action in the words of the request. */
export const nameOf = (action: Action, index: number): string => {
  const about = "selector" in action ? action.selector : "key" in action ? action.key : undefined
  return `action ${index + 1} (${action.type}${about === undefined ? "" : ` ${JSON.stringify(about)}`})`
}

const reasonOf = (cause: Broken | ScriptFailed, action: Action): string => {
  if (!(cause instanceof Broken)) return cause.message
  if (/timeout \d+ms exceeded/i.test(cause.message)) {
    return action.type === "click"
      ? "there is no such element that can be clicked; wait for it, or correct the selector"
      : "there is no such element"
  }
  return cause.message
}

/** Mistakes that only the browser knows to be one. */
const isMistake = (cause: Broken | ScriptFailed): boolean =>
  cause instanceof Broken &&
  /unknown key|not a valid selector|unexpected token|error while parsing/i.test(cause.message)

const failed = (cause: Broken | ScriptFailed | TooLarge | Unprocessable, action: Action, index: number) => {
  if (cause._tag === "TooLarge" || cause._tag === "Unprocessable") return cause
  const error = `${nameOf(action, index)}: ${reasonOf(cause, action)}`
  return isMistake(cause)
    ? new BadRequest({
        error,
        code: "BAD_REQUEST",
        details: [{ path: ["actions", index], message: reasonOf(cause, action), code: "invalid_value" }]
      })
    : new Unprocessable({ error: `${error}.`, code: "SCRAPE_ACTION_ERROR" })
}

/** All of them; the first that cannot be done ends the request. `begin` is told of each. */
export const run = (tab: Tab, actions: ReadonlyArray<Action>, basket: Basket, begin: (name: string) => void) =>
  Effect.gen(function* () {
    const results: Results = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] }
    const warnings: Array<string> = []
    for (const [index, action] of actions.entries()) {
      begin(nameOf(action, index))
      yield* Effect.mapError(act(tab, action, results, warnings, basket), (cause) => failed(cause, action, index))
    }
    return { results, warnings } satisfies Done
  })

/** Characters of what a script gives back, as JSON. */
const maxLength = 1_000_000

/** What writes answers and reads them can go no deeper than some thousands; small objects take twenty times their JSON in memory. */
const bounds: Bounds = { levels: 1_000, containers: 50_000, keys: 200_000, values: maxLength }

/** The script failed, or gave back what cannot be sent. */
export class ScriptFailed extends Data.TaggedError("ScriptFailed")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** Lengths of texts are what a page cannot lie about. */
const toJson = `function () {
  try {
    const text = JSON.stringify(this)
    return typeof text === "string" ? (text.length <= ${maxLength} ? text : "long") : "none"
  } catch {
    return "none"
  }
}`

const tooLong = Effect.fail(new ScriptFailed({ reason: `it gives back more than ${maxLength} characters` }))

const parse = (text: string, basket: Basket) =>
  Effect.gen(function* () {
    if (text === "long") return yield* tooLong
    yield* basket.addJson(text)
    const of = excessOf(text, bounds)
    if (of === "levels") {
      return yield* new ScriptFailed({ reason: `it gives back a value nested more than ${bounds.levels} levels deep` })
    }
    if (of !== undefined) {
      return yield* new ScriptFailed({ reason: `it gives back a value that ${excessText(of, bounds[of])}` })
    }
    return yield* Effect.orElseSucceed(
      Effect.try(() => JSON.parse(text) as unknown),
      () => null
    )
  })

const runScript = (tab: Tab, expression: string, replMode: boolean) =>
  ask(() =>
    tab.cdp.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      replMode,
      userGesture: true,
      returnByValue: false
    })
  )

/** As a script; scripts that return, or wait, are more than that and are run as what they are. */
const evaluate = (tab: Tab, script: string) =>
  Effect.flatMap(runScript(tab, script, false), (first) => {
    const { className, description = "" } = first.exceptionDetails?.exception ?? {}
    if (className !== "SyntaxError") return Effect.succeed(first)
    if (description.includes("Illegal return")) return runScript(tab, `(async () => {\n${script}\n})()`, false)
    return description.includes("await is only valid") ? runScript(tab, script, true) : Effect.succeed(first)
  })

/** The value of the script, or of what it returns; its JSON counts in the basket before it is parsed. */
export const execute = (tab: Tab, script: string, basket: Basket) =>
  Effect.gen(function* () {
    const { exceptionDetails, result } = yield* evaluate(tab, script)
    if (exceptionDetails !== undefined) {
      const { exception, text } = exceptionDetails
      const said = exception?.description ?? (exception?.value === undefined ? text : String(exception.value))
      return yield* new ScriptFailed({ reason: said.split("\n", 1)[0]?.slice(0, 500) ?? "" })
    }
    const { objectId, subtype, type, unserializableValue, value } = result
    if (objectId === undefined) {
      const simple = unserializableValue ?? value ?? null
      if (typeof simple === "string") {
        if (simple.length > maxLength) return yield* tooLong
        yield* basket.addJson(simple)
      }
      return { type: subtype === "null" ? "null" : type, value: simple as unknown }
    }
    const json = yield* ask(() =>
      tab.cdp.send("Runtime.callFunctionOn", { objectId, functionDeclaration: toJson, returnByValue: true })
    )
    const text = typeof json.result.value === "string" ? json.result.value : "none"
    return { type: subtype === "array" ? "array" : type, value: yield* parse(text, basket) }
  })
