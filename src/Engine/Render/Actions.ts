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
import { html, type OutputBudget, pdf, screenshot, waitForLoad } from "./Capture.ts"
import { BrowserCallFailed, callBrowser, type Tab } from "./Tab.ts"

type MutableResults = {
  -readonly [K in keyof typeof ActionResults.Type]: Array<NonNullable<(typeof ActionResults.Type)[K]>[number]>
}

export interface ActionsOutcome {
  readonly results: typeof ActionResults.Type
  readonly warnings: ReadonlyArray<string>
}

/** Milliseconds that `click` and `scroll` wait for their element. `wait` may last until the deadline of the request. */
const elementTimeout = 5_000
/** Maximum elements that `all` clicks, and maximum characters typed key by key; longer strings are inserted at once. */
const maxClicks = 100
const maxTyped = 200

const locate = (tab: Tab, selector: string): Locator => tab.page.locator(`css=${selector}`)

/**
 * True for a click that was made and then timed out: it lasts until the page to which it leads is shown. Only the log of Playwright tells.
 * With its `noWaitAfter`, a click that hits another element would succeed.
 */
const wasMade = ({ cause, kind }: BrowserCallFailed): boolean =>
  kind === "timeout" && cause instanceof Error && /^[^<]*- click action done/m.test(cause.message)

/** False for an element that was removed, also with its page. */
const isAttached = (element: ElementHandle): Effect.Effect<boolean> =>
  Effect.orElseSucceed(
    callBrowser(() => element.evaluate((node) => node.isConnected)),
    () => false
  )

const click = (tab: Tab, { all = false, selector }: Extract<Action, { readonly type: "click" }>) =>
  Effect.gen(function* () {
    const found = locate(tab, selector)
    const first = found.first()
    yield* callBrowser(() => first.waitFor({ state: "attached", timeout: elementTimeout }))
    const shown = tab.navigation()
    for (const element of all ? (yield* callBrowser(() => found.elementHandles())).slice(0, maxClicks) : [first]) {
      // A click may have removed other elements, or led to another page.
      if (element !== first && (tab.navigation() !== shown || !(yield* isAttached(element as ElementHandle)))) continue
      yield* Effect.catchIf(
        callBrowser(() => element.click({ timeout: elementTimeout })),
        wasMade,
        () => Effect.void
      )
    }
    yield* waitForLoad(tab)
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
    return action.type === "click"
      ? "there is no such element that can be clicked; wait for it, or correct the selector"
      : "there is no such element"
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
      onPhase(actionName(action, index))
      yield* Effect.mapError(runAction(tab, action, results, warnings, budget), (cause) =>
        actionFailure(cause, action, index)
      )
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
