/** Lists to choose from: a browser without a screen draws them nowhere, so people get them beside the picture. */
import * as Effect from "effect/Effect"
import type { FromEngine } from "../../Web/Live/Protocol.ts"
import type { Conversation, DevtoolsError } from "./Devtools.ts"
import type { Tab } from "./Tab.ts"

type Offered = Extract<FromEngine, { readonly type: "choices" }>

/** A list that a press has opened. */
export interface Choices {
  readonly offered: Offered
  readonly choose: (index: number) => Effect.Effect<unknown, DevtoolsError>
}

/** The field at a point, also within frames of the same site, if its list is open. */
const openAt = `(x, y) => {
  let at = document.elementFromPoint(x, y)
  while (at?.contentDocument) {
    const { left, top } = at.getBoundingClientRect()
    x -= left + at.clientLeft
    y -= top + at.clientTop
    at = at.contentDocument.elementFromPoint(x, y)
  }
  const field = at?.closest("select")
  try {
    return field?.matches(":open") ? field : null
  } catch {
    return null
  }
}`

const read = `function () {
  const options = [...this.options].slice(0, 1000).map((option) => ({
    text: option.label.slice(0, 200),
    isDisabled: option.disabled || option.parentElement.disabled === true
  }))
  return { options, chosen: this.selectedIndex }
}`

const write = `function (index) {
  if (this.selectedIndex === index || this.options[index] === undefined) return
  this.selectedIndex = index
  for (const type of ["input", "change"]) this.dispatchEvent(new Event(type, { bubbles: true, composed: true }))
}`

/** One world of our own for each page, where the page changes nothing; without a name each call would make another. */
export const worldName = "sluice-live-view"

const escape = { key: "Escape", code: "Escape", windowsVirtualKeyCode: 27 }

/** What a press at a point has opened; the list of the browser's own is closed. */
export const at = (x: number, y: number, tab: Tab, ask: Conversation) =>
  Effect.gen(function* () {
    const { sessionId } = tab
    const call = <A>(method: string, params: Readonly<Record<string, unknown>>) =>
      ask.call<A>(method, params, sessionId)
    const world = yield* call<{ readonly executionContextId: number }>("Page.createIsolatedWorld", {
      frameId: tab.id,
      worldName
    })
    const { result } = yield* call<{ readonly result: { readonly objectId?: string } }>("Runtime.evaluate", {
      expression: `(${openAt})(${x}, ${y})`,
      contextId: world.executionContextId
    })
    const { objectId } = result
    if (objectId === undefined) return undefined
    const told = yield* call<{ readonly result: { readonly value: Omit<Offered, "type"> } }>("Runtime.callFunctionOn", {
      objectId,
      functionDeclaration: read,
      returnByValue: true
    })
    for (const type of ["rawKeyDown", "keyUp"]) yield* call("Input.dispatchKeyEvent", { type, ...escape })
    const choose = (index: number) =>
      call("Runtime.callFunctionOn", { objectId, functionDeclaration: write, arguments: [{ value: index }] })
    return { offered: { type: "choices", ...told.result.value }, choose } satisfies Choices
  })
