/**
 * Converts input from the live view to CDP commands, under the policy that also applies to commands of programs. Options of select boxes
 * are sent to the viewer, because a headless browser does not draw them.
 */
import * as Effect from "effect/Effect"
import { canParse } from "../../Api/Url.ts"
import { bounds, type FromEngine } from "../../Web/Live/Protocol.ts"
import type { Steering } from "../../Web/Live/Steering.ts"
import type { CdpClient, DevtoolsError } from "./Devtools.ts"
import type { ViewSession } from "./ViewSession.ts"
import * as Tab from "./ViewTab.ts"

type Input = Extract<Steering, { readonly type: "compose" | "key" | "mouse" | "text" | "touch" | "wheel" }>

export const isInput = (message: Steering): message is Input =>
  ["compose", "key", "mouse", "text", "touch", "wheel"].includes(message.type)

const mouseActions = { down: "mousePressed", move: "mouseMoved", up: "mouseReleased" }
const touchActions = { start: "touchStart", move: "touchMove", end: "touchEnd", cancel: "touchCancel" }

/** The CDP command for an input. */
export const commandOf = (input: Input): readonly [method: string, params: Readonly<Record<string, unknown>>] => {
  switch (input.type) {
    case "mouse": {
      const { action, button, buttons, clicks: clickCount, modifiers, x, y } = input
      return ["Input.dispatchMouseEvent", { type: mouseActions[action], x, y, button, buttons, clickCount, modifiers }]
    }
    case "wheel": {
      const { dx: deltaX, dy: deltaY, modifiers, x, y } = input
      return ["Input.dispatchMouseEvent", { type: "mouseWheel", x, y, deltaX, deltaY, modifiers }]
    }
    case "key": {
      const { action, code, isRepeat, key, keyCode, location, modifiers, text } = input
      const type = action === "up" ? "keyUp" : text === "" ? "rawKeyDown" : "keyDown"
      const said = { type, key, code, modifiers, location, autoRepeat: isRepeat, isKeypad: location === 3 }
      const written = action === "down" && text !== "" ? { text, unmodifiedText: text } : {}
      return ["Input.dispatchKeyEvent", { ...said, ...written, windowsVirtualKeyCode: keyCode }]
    }
    case "text":
      return ["Input.insertText", { text: input.text }]
    case "compose":
      return ["Input.imeSetComposition", { text: input.text, selectionStart: input.start, selectionEnd: input.end }]
    case "touch": {
      const { action, modifiers, points: touchPoints } = input
      return ["Input.dispatchTouchEvent", { type: touchActions[action], touchPoints, modifiers }]
    }
  }
}

/** Completes an address that a user typed: adds a missing scheme. */
export const addressOf = (typed: string): string | undefined => {
  const text = typed.trim()
  const hasPort = /^[\w.-]+:\d+(?:[/?#]|$)/.test(text)
  // A pasted `javascript:` URL would run with the rights of the page.
  if (/^javascript:/i.test(text)) return undefined
  if (!hasPort && /^[a-z][a-z\d+.-]*:/i.test(text)) return canParse(text) ? text : undefined
  if (text === "" || /\s/.test(text)) return undefined
  const isHere = /^(?:localhost|127\.[\d.]+|\[::1\])(?:[:/?#]|$)/i.test(text)
  const url = `${isHere ? "http" : "https"}://${text}`
  return canParse(url) ? url : undefined
}

/** Script that returns the selected text. Also looks into same-origin frames and into text fields, but not into password fields. */
const selected = `(() => {
  let at = document
  while (at.activeElement?.contentDocument) at = at.activeElement.contentDocument
  const field = at.activeElement
  if (/^(?:INPUT|TEXTAREA)$/.test(field?.tagName) && field.type !== "password" && field.selectionStart != null) {
    const text = field.value.slice(field.selectionStart, field.selectionEnd)
    if (text !== "") return text.slice(0, ${bounds.text})
  }
  return String(at.getSelection() ?? "").slice(0, ${bounds.text})
})()`

/** Message to the viewer about an action that failed. */
const notice = (text: string) => ({ type: "notice", text }) as const

const copy = (tab: Tab.Tab, { ask }: ViewSession) =>
  Effect.gen(function* () {
    // An isolated world, so that the page cannot fake the selection.
    const world = yield* ask.call<{ readonly executionContextId: number }>(
      "Page.createIsolatedWorld",
      { frameId: tab.id, worldName },
      tab.sessionId
    )
    const { result } = yield* ask.call<{ readonly result: { readonly value?: unknown } }>(
      "Runtime.evaluate",
      { expression: selected, contextId: world.executionContextId, returnByValue: true },
      tab.sessionId
    )
    const text = typeof result.value === "string" ? result.value : ""
    return text === "" ? notice("Nothing is selected in the page.") : ({ type: "copied", text } as const)
  })

const go = (typed: string, tab: Tab.Tab, { ask }: ViewSession) => {
  const url = addressOf(typed)
  if (url === undefined) return Effect.succeed(notice("This is not a web address. Enter one like example.com/page."))
  return Effect.map(
    ask.call<{ readonly errorText?: string }>("Page.navigate", { url }, tab.sessionId),
    ({ errorText }) =>
      errorText === undefined || errorText === "net::ERR_ABORTED"
        ? undefined
        : notice(`The page did not open (${errorText.replace(/^net::/, "")}).`)
  )
}

/** Executes an input in the tab that the viewer sees; returns a message for the viewer, if any. */
export const steer = (message: Steering, tab: Tab.Tab | undefined, viewSession: ViewSession) =>
  Effect.suspend((): Effect.Effect<FromEngine | undefined, DevtoolsError> => {
    const { ask } = viewSession
    if (message.type === "open") return Effect.as(ask.call("Target.createTarget", { url: "about:blank" }), undefined)
    if (message.type === "close") return Effect.as(ask.call("Target.closeTarget", { targetId: message.tab }), undefined)
    if (tab?.sessionId === undefined) return Effect.succeed(undefined)
    const { sessionId } = tab
    const call = (method: string, params?: Readonly<Record<string, unknown>>) =>
      Effect.as(ask.call(method, params, sessionId), undefined)
    if (isInput(message)) return call(...commandOf(message))
    switch (message.type) {
      case "go":
        return go(message.address, tab, viewSession)
      case "back":
        return Effect.as(Tab.step(tab, ask, -1), undefined)
      case "forward":
        return Effect.as(Tab.step(tab, ask, 1), undefined)
      case "reload":
        return call("Page.reload")
      case "stop":
        return call("Page.stopLoading")
      case "size": {
        const { height, width } = message
        return call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 0, mobile: false })
      }
      case "ownSize":
        return call("Emulation.clearDeviceMetricsOverride")
      case "answer":
        return call("Page.handleJavaScriptDialog", { accept: message.accept, promptText: message.text })
      case "copy":
        return copy(tab, viewSession)
      // Handled by the viewer, which knows the options it sent.
      case "choose":
        return Effect.succeed(undefined)
    }
  })

type Offered = Extract<FromEngine, { readonly type: "choices" }>

/** An open select box. */
export interface Choices {
  readonly offered: Offered
  readonly choose: (index: number) => Effect.Effect<unknown, DevtoolsError>
}

/** Script that returns the select box at a point if its list is open. Also looks into same-origin frames. */
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

/** Name of the isolated world, one per page. Without a name, each call would create another world. */
export const worldName = "sluice-live-view"

const escape = { key: "Escape", code: "Escape", windowsVirtualKeyCode: 27 }

/** Returns the select box that a press at a point has opened, and closes the browser's own list. */
export const at = (x: number, y: number, tab: Tab.Tab, ask: CdpClient) =>
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
