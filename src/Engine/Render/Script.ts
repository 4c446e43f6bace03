/** Runs a request's own script on the page; what comes back is bounded, whatever the page has made of itself. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { type Bounds, excessOf, excessText } from "../../Api/Depth.ts"
import type { Basket } from "./Picture.ts"
import { ask, type Tab } from "./Tab.ts"

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

const run = (tab: Tab, expression: string, replMode: boolean) =>
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
  Effect.flatMap(run(tab, script, false), (first) => {
    const { className, description = "" } = first.exceptionDetails?.exception ?? {}
    if (className !== "SyntaxError") return Effect.succeed(first)
    if (description.includes("Illegal return")) return run(tab, `(async () => {\n${script}\n})()`, false)
    return description.includes("await is only valid") ? run(tab, script, true) : Effect.succeed(first)
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
