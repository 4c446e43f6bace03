/**
 * Performs the actions of a scrape request on a page, in order. Results of scripts are bounded in size and depth.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { ElementHandle, Locator } from "playwright-core"
import type { Action } from "../../Api/Actions.ts"
import { type Bounds, excessOf, excessText } from "../../Api/Depth.ts"
import type { ActionResults } from "../../Api/Document.ts"
import { BadRequest, type TooLarge, Unprocessable } from "../../Api/Errors.ts"
import { isHttp } from "../../Api/Url.ts"
import { html, type OutputBudget, pdf, screenshot, waitForLoad } from "./Capture.ts"
import { BrowserCallFailed, callBrowser, type OpenedWindow, type Tab } from "./Tab.ts"

type MutableResults = {
  -readonly [K in keyof typeof ActionResults.Type]: Array<NonNullable<(typeof ActionResults.Type)[K]>[number]>
}

export interface ActionsOutcome {
  readonly results: typeof ActionResults.Type
  readonly warnings: ReadonlyArray<string>
}

/** Milliseconds that `click` and `scroll` wait for their element. `wait` may last until the deadline of the request. */
const elementTimeout = 5_000
/** Milliseconds that `all` waits once for a disabled element, which the click before may have disabled for a moment. */
const enabledTimeout = 1_000
/** Maximum elements that `all` clicks, and maximum characters typed key by key; longer strings are inserted at once. */
const maxClicks = 100
const maxTyped = 200

const noElement = "there is no such element that can be clicked; wait for it, or correct the selector"

const foundNone = "found no element, so it clicked nothing: wait for one, or correct the selector"

const locate = (tab: Tab, selector: string): Locator => tab.page.locator(`css=${selector}`)

/**
 * True for a click that was made and then timed out: it lasts until the page to which it leads is shown. Only the log of Playwright tells.
 * With its `noWaitAfter`, a click that hits another element would succeed.
 */
const wasMade = ({ cause, kind }: BrowserCallFailed): boolean =>
  kind === "timeout" && cause instanceof Error && /^[^<]*- click action done/m.test(cause.message)

const clickOn = (element: ElementHandle | Locator) =>
  Effect.catchIf(
    callBrowser(() => element.click({ timeout: elementTimeout })),
    wasMade,
    () => Effect.void
  )

/** What the browser answers. False for an element that was removed, also with its page. */
const holds = (what: () => Promise<boolean>): Effect.Effect<boolean> =>
  Effect.orElseSucceed(callBrowser(what), () => false)

const isAttached = (element: ElementHandle) => holds(() => element.evaluate((node) => node.isConnected))

/** True if one of the elements is still in the page. */
const isOneAttached = (elements: ReadonlyArray<ElementHandle>) =>
  holds(
    async () => (await elements[0]?.evaluate((_, all) => all.some((each) => each.isConnected), [...elements])) === true
  )

/** Clicks an element unless it is hidden or disabled, or becomes so, or vanishes. */
const clickIfReady = (element: ElementHandle, waits: boolean) =>
  Effect.gen(function* () {
    if (!(yield* holds(() => element.isVisible()))) return "hidden"
    const enabled = () => element.waitForElementState("enabled", { timeout: enabledTimeout }).then(() => true)
    if (!(yield* holds(waits ? enabled : () => element.isEnabled()))) return "disabled"
    return yield* Effect.catchAll(Effect.as(clickOn(element), "clicked"), (failure) =>
      Effect.if(
        holds(async () => (await element.isVisible()) && (await element.isEnabled())),
        { onTrue: () => failure, onFalse: () => Effect.succeed("hidden") }
      )
    )
  })

/**
 * Clicks each element that was found, and returns a warning if it could not. When a click draws the whole list anew, the new elements are
 * clicked instead, as many from its end as were left.
 */
const clickAll = (tab: Tab, found: Locator) =>
  Effect.gen(function* () {
    const find = callBrowser(() => found.elementHandles())
    let elements: ReadonlyArray<ElementHandle> = yield* find
    if (elements.length === 0) return foundNone
    const shown = tab.navigation()
    const { length } = elements
    const most = Math.min(length, maxClicks)
    let waits = true
    let clicked = 0
    let redrawn = 0
    for (let at = 0; at < elements.length && clicked < most && redrawn <= most; at++) {
      if (!(yield* isAttached(elements[at] as ElementHandle))) {
        if (yield* isOneAttached(elements)) continue
        const others = yield* Effect.orElseSucceed(find, () => [])
        at = Math.max(0, at - (elements.length - others.length))
        elements = others
        redrawn++
      }
      const element = elements[at]
      if (element === undefined || tab.navigation() !== shown) break
      const outcome = yield* clickIfReady(element, waits)
      if (outcome === "clicked") clicked++
      else if (!(yield* isAttached(element))) at--
      else if (outcome === "disabled") waits = false
    }
    if (clicked === 0) return yield* new BrowserCallFailed({ cause: noElement })
    if (length > maxClicks && clicked === most)
      return `clicked ${clicked} of ${length} elements, the most that it clicks`
    return clicked < length
      ? `clicked ${clicked} of ${length} elements: the others were hidden, disabled or gone`
      : undefined
  })

/** Clicks the first visible element, or all. Returns a warning if some could not be clicked. */
const click = (tab: Tab, { all = false, selector }: Extract<Action, { readonly type: "click" }>) =>
  Effect.gen(function* () {
    const found = locate(tab, selector)
    const first = found.filter({ visible: true }).first()
    const appeared = yield* Effect.either(callBrowser(() => first.waitFor({ timeout: elementTimeout })))
    if (appeared._tag === "Left") {
      const isNone = all && appeared.left.kind === "timeout" && (yield* callBrowser(() => found.count())) === 0
      return isNone ? foundNone : yield* appeared.left
    }
    const warning = all ? yield* clickAll(tab, found) : yield* clickOn(first)
    yield* waitForLoad(tab)
    return warning
  })

const wait = (tab: Tab, { milliseconds, selector }: Extract<Action, { readonly type: "wait" }>) =>
  selector === undefined
    ? Effect.sleep(milliseconds ?? 0)
    : callBrowser(() => locate(tab, selector).first().waitFor({ state: "visible", timeout: 0 }))

const write = (tab: Tab, text: string) =>
  callBrowser(() => (text.length <= maxTyped ? tab.page.keyboard.type(text) : tab.page.keyboard.insertText(text)))

const scroll = (tab: Tab, { direction = "down", selector }: Extract<Action, { readonly type: "scroll" }>) =>
  Effect.gen(function* () {
    if (selector !== undefined) {
      yield* callBrowser(() => locate(tab, selector).first().waitFor({ state: "attached", timeout: elementTimeout }))
    }
    const element = selector === undefined ? "null" : `document.querySelector(${JSON.stringify(selector)})`
    const sign = direction === "up" ? "-" : ""
    yield* tab.evaluate(`{
      const element = ${element} ?? document.scrollingElement ?? document.documentElement
      element.scrollBy({ top: ${sign}element.clientHeight, behavior: "instant" })
    }`)
    // Pages often load content when it scrolls into view.
    yield* waitForLoad(tab)
  })

/** Runs an action. Returns what it could not do, for a warning. */
const runAction = (tab: Tab, action: Action, results: MutableResults, warnings: Array<string>, budget: OutputBudget) =>
  Effect.gen(function* () {
    switch (action.type) {
      case "wait":
        return yield* wait(tab, action)
      case "click":
        return yield* click(tab, action)
      case "write":
        return yield* write(tab, action.text)
      case "press":
        yield* callBrowser(() => tab.page.keyboard.press(action.key))
        return yield* waitForLoad(tab)
      case "scroll":
        return yield* scroll(tab, action)
      case "screenshot": {
        const { image, warning } = yield* screenshot(tab, action)
        results.screenshots?.push(yield* budget.add(image))
        if (warning !== undefined) warnings.push(warning)
        return
      }
      case "scrape":
        results.scrapes?.push({ url: tab.page.url(), html: yield* Effect.flatMap(html(tab), budget.add) })
        return
      case "executeJavascript":
        results.javascriptReturns?.push(yield* executeScript(tab, action.script, budget))
        return yield* waitForLoad(tab)
      case "pdf":
        results.pdfs?.push(yield* pdf(tab, action, budget))
        return
    }
  })

/** Name of an action for messages: `action 2 (click "#go")`. */
export const actionName = (action: Action, index: number): string => {
  const about = "selector" in action ? action.selector : "key" in action ? action.key : undefined
  return `action ${index + 1} (${action.type}${about === undefined ? "" : ` ${JSON.stringify(about)}`})`
}

const failureReason = (cause: BrowserCallFailed | ScriptFailed, action: Action): string => {
  if (!(cause instanceof BrowserCallFailed)) return cause.message
  if (cause.kind === "timeout") {
    return action.type === "click" ? noElement : "there is no such element"
  }
  return cause.message
}

const actionFailure = (
  cause: BrowserCallFailed | ScriptFailed | TooLarge | Unprocessable,
  action: Action,
  index: number
) => {
  if (cause._tag === "TooLarge" || cause._tag === "Unprocessable") return cause
  const error = `${actionName(action, index)}: ${failureReason(cause, action)}`
  return cause instanceof BrowserCallFailed && cause.kind === "invalid"
    ? new BadRequest({
        error,
        code: "BAD_REQUEST",
        details: [{ path: ["actions", index], message: failureReason(cause, action), code: "invalid_value" }]
      })
    : new Unprocessable({ error: `${error}.`, code: "SCRAPE_ACTION_ERROR" })
}

/** Maximum characters of an address in a warning. */
const maxAddress = 300

const windowWarning = ({ url }: OpenedWindow) =>
  `opened another window, which is not read: scrape its address${isHttp(url) && url.length <= maxAddress ? ` (${url})` : ""}`

/** Runs all actions in order. The first that fails ends the request. `onPhase` is called with the name of each action. */
export const runActions = (
  tab: Tab,
  actions: ReadonlyArray<Action>,
  budget: OutputBudget,
  onPhase: (name: string) => void
) =>
  Effect.gen(function* () {
    const results: MutableResults = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] }
    const warnings: Array<string> = []
    for (const [index, action] of actions.entries()) {
      const name = actionName(action, index)
      onPhase(name)
      const before = tab.opened()
      const warning = yield* Effect.mapError(runAction(tab, action, results, warnings, budget), (cause) =>
        actionFailure(cause, action, index)
      )
      if (typeof warning === "string") warnings.push(`${name} ${warning}.`)
      const window = tab.opened()
      if (window !== undefined && window !== before) warnings.push(`${name} ${windowWarning(window)}.`)
    }
    return { results, warnings } satisfies ActionsOutcome
  })

/** Maximum characters of a script's result, as JSON. */
const maxScriptResult = 1_000_000

/**
 * Limits of a script's result. Nesting is limited because JSON encoders recurse, counts because small objects take twenty times the memory
 * of their JSON.
 */
const scriptBounds: Bounds = { levels: 1_000, containers: 50_000, keys: 200_000, values: maxScriptResult }

/** The script failed, or its result is too large. */
export class ScriptFailed extends Data.TaggedError("ScriptFailed")<{ readonly message: string }> {}

/** Serializes the result in the page and checks its length there. A page can override `toJSON`, but not the length of a string. */
const toJson = `function () {
  try {
    const text = JSON.stringify(this)
    return typeof text === "string" ? (text.length <= ${maxScriptResult} ? text : "long") : "none"
  } catch {
    return "none"
  }
}`

const scriptResultTooLong = Effect.fail(
  new ScriptFailed({ message: `it returns more than ${maxScriptResult} characters` })
)

const parseResult = (text: string, budget: OutputBudget) =>
  Effect.gen(function* () {
    if (text === "long") return yield* scriptResultTooLong
    yield* budget.addJson(text)
    const of = excessOf(text, scriptBounds)
    if (of === "levels") {
      return yield* new ScriptFailed({
        message: `it returns a value nested more than ${scriptBounds.levels} levels deep`
      })
    }
    if (of !== undefined) {
      return yield* new ScriptFailed({ message: `it returns a value that ${excessText(of, scriptBounds[of])}` })
    }
    return yield* Effect.orElseSucceed(
      Effect.try(() => JSON.parse(text) as unknown),
      () => null
    )
  })

const runScript = (tab: Tab, expression: string, replMode: boolean) =>
  callBrowser(() =>
    tab.cdp.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      replMode,
      userGesture: true,
      returnByValue: false
    })
  )

/** Runs a script. A top-level `return` is retried inside an async function, a top-level `await` in REPL mode. */
const evaluate = (tab: Tab, script: string) =>
  Effect.flatMap(runScript(tab, script, false), (first) => {
    const { className, description = "" } = first.exceptionDetails?.exception ?? {}
    if (className !== "SyntaxError") return Effect.succeed(first)
    if (description.includes("Illegal return")) return runScript(tab, `(async () => {\n${script}\n})()`, false)
    return description.includes("await is only valid") ? runScript(tab, script, true) : Effect.succeed(first)
  })

/** Runs a script and returns its result. The result's JSON counts toward the output budget before it is parsed. */
export const executeScript = (tab: Tab, script: string, budget: OutputBudget) =>
  Effect.gen(function* () {
    const { exceptionDetails, result } = yield* evaluate(tab, script)
    if (exceptionDetails !== undefined) {
      const { exception, text } = exceptionDetails
      const message = exception?.description ?? (exception?.value === undefined ? text : String(exception.value))
      return yield* new ScriptFailed({ message: message.split("\n", 1)[0]?.slice(0, 500) ?? "" })
    }
    const { objectId, subtype, type, unserializableValue, value } = result
    if (objectId === undefined) {
      const simple = unserializableValue ?? value ?? null
      if (typeof simple === "string") {
        if (simple.length > maxScriptResult) return yield* scriptResultTooLong
        yield* budget.addJson(simple)
      }
      return { type: subtype === "null" ? "null" : type, value: simple as unknown }
    }
    const json = yield* callBrowser(() =>
      tab.cdp.send("Runtime.callFunctionOn", { objectId, functionDeclaration: toJson, returnByValue: true })
    )
    const text = typeof json.result.value === "string" ? json.result.value : "none"
    return { type: subtype === "array" ? "array" : type, value: yield* parseResult(text, budget) }
  })
