/** Sends keyboard, mouse, wheel, pen and touch input to the page of the session. */
import { get } from "./Controls.ts"
import type { Picture, Position } from "./Picture.ts"
import type { Point, Steering } from "./Steering.ts"

interface Held {
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Bit mask: Alt 1, Ctrl 2, Meta 4, Shift 8. Cmd on a Mac becomes Ctrl, as the session's browser expects. */
export const modifiersOf = ({ altKey, ctrlKey, metaKey, shiftKey }: Held): number => {
  const isCtrl = ctrlKey || (isMac && metaKey)
  return (altKey ? 1 : 0) | (isCtrl ? 2 : 0) | (metaKey && !isMac ? 4 : 0) | (shiftKey ? 8 : 0)
}

/** Invisible content of the field, because phones only report deleting backwards if there is something to delete. */
const filler = "\u200b".repeat(8)

const keyCodes: Readonly<Record<string, number>> = { Backspace: 8, Delete: 46, Enter: 13 }

export interface Keyboard {
  readonly focus: () => void
  readonly paste: (text: string) => void
}

export const steerByKeyboard = (send: (message: Steering) => void, leave: () => void): Keyboard => {
  const field = get<HTMLTextAreaElement>("field")
  const held = new Map<string, Steering>()
  let isComposing = false

  const reset = () => {
    field.value = filler
    field.setSelectionRange(filler.length, filler.length)
  }

  const stroke = (key: string) => {
    const text = key === "Enter" ? "\r" : ""
    const press = {
      type: "key",
      key,
      code: key,
      keyCode: keyCodes[key] ?? 0,
      location: 0,
      isRepeat: false,
      modifiers: 0
    } as const
    send({ ...press, action: "down", text })
    send({ ...press, action: "up", text: "" })
  }

  const paste = (text: string) => {
    if (text !== "") send({ type: "text", text: text.replace(/\r\n?/g, "\n").slice(0, 100_000) })
  }

  /** Text of a key; empty for a command. */
  const textOf = (event: KeyboardEvent): string => {
    const isShortcut = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph")
    if (event.key === "Enter") return "\r"
    return event.key.length === 1 && !(isShortcut && (event.ctrlKey || event.metaKey || !isMac)) ? event.key : ""
  }

  field.addEventListener("keydown", (event) => {
    const { code, isComposing: composes, key, keyCode, location, repeat: isRepeat } = event
    const isCommand = isMac ? event.metaKey : event.ctrlKey
    if (key === "F6") {
      event.preventDefault()
      return leave()
    }
    // Compositions, and keys without a name on phones, arrive as text.
    if (composes || key === "Process" || key === "Unidentified" || key === "Dead" || keyCode === 229) return
    // The `paste` event delivers the text.
    if (isCommand && key.toLowerCase() === "v") return
    event.preventDefault()
    if (key.length > 64) return
    const isAltGraph = event.getModifierState("AltGraph")
    const modifiers = isAltGraph ? modifiersOf(event) & ~3 : modifiersOf(event)
    const message = { type: "key", key, code, keyCode, location, isRepeat, modifiers } as const
    send({ ...message, action: "down", text: textOf(event) })
    held.set(code, { ...message, action: "up", text: "", isRepeat: false })
    if (isCommand && /^[cx]$/i.test(key)) send({ type: "copy" })
  })
  field.addEventListener("keyup", (event) => {
    const message = held.get(event.code)
    if (message === undefined) return
    held.delete(event.code)
    send(message)
  })
  field.addEventListener("blur", () => {
    // Keys released outside of this field send no `keyup`.
    for (const message of held.values()) send(message)
    held.clear()
  })
  field.addEventListener("compositionstart", () => {
    isComposing = true
  })
  field.addEventListener("compositionupdate", ({ data }) => {
    send({ type: "compose", text: data.slice(0, 1_000), start: data.length, end: data.length })
  })
  field.addEventListener("compositionend", ({ data }) => {
    isComposing = false
    if (data === "") send({ type: "compose", text: "", start: 0, end: 0 })
    else send({ type: "text", text: data })
    setTimeout(reset)
  })
  field.addEventListener("beforeinput", (event) => {
    if (isComposing || event.inputType.includes("omposition")) return
    event.preventDefault()
    const { data, inputType } = event
    if (inputType === "insertLineBreak" || inputType === "insertParagraph") stroke("Enter")
    else if (inputType.startsWith("deleteContentForward")) stroke("Delete")
    else if (inputType.startsWith("delete")) stroke("Backspace")
    else if (data !== null) send({ type: "text", text: data })
    reset()
  })
  field.addEventListener("paste", (event) => {
    event.preventDefault()
    paste(event.clipboardData?.getData("text/plain") ?? "")
  })
  reset()
  return { focus: () => field.focus({ preventScroll: true }), paste }
}

type Button = Extract<Steering, { readonly type: "mouse" }>["button"]

const buttons: ReadonlyArray<Button> = ["left", "middle", "right"]

/** Maximum time and distance between the presses of a double click. */
const doubleClick = { millis: 500, pixels: 6 }
/** Pixels per line, for wheels that scroll by lines. */
const linePixels = 32

/** Button held during a movement. */
const heldOf = (mask: number): Button => (mask & 1 ? "left" : mask & 2 ? "right" : mask & 4 ? "middle" : "none")

export const steerByPointer = (picture: Picture, send: (message: Steering) => void, focus: () => void): void => {
  const canvas = get<HTMLCanvasElement>("picture")
  let last = { at: 0, x: 0, y: 0, button: "none" as Button, clicks: 0 }
  let move: PointerEvent | undefined
  let wheel: Extract<Steering, { readonly type: "wheel" }> | undefined
  let isAsked = false
  let heldBefore = 0
  const fingers = new Map<number, Position>()

  const flush = () => {
    if (move !== undefined) {
      const { buttons } = move
      const at = picture.locate(move)
      send({
        type: "mouse",
        action: "move",
        ...at,
        button: heldOf(buttons),
        buttons: buttons & 7,
        clicks: 0,
        modifiers: modifiersOf(move)
      })
    }
    if (wheel !== undefined) send(wheel)
    move = undefined
    wheel = undefined
  }

  /** Sends movements once per frame. */
  const soon = () => {
    if (isAsked) return
    isAsked = true
    requestAnimationFrame(() => {
      isAsked = false
      flush()
    })
  }

  const touch = (event: PointerEvent, action: "cancel" | "end" | "move" | "start") => {
    if (action === "start" || action === "move") fingers.set(event.pointerId, picture.locate(event))
    else fingers.delete(event.pointerId)
    const points: Array<Point> = [...fingers].map(([id, at]) => ({ id: Math.abs(id) % 65_536, ...at })).slice(0, 10)
    if (action === "cancel") fingers.clear()
    // A touch ends when the last finger is lifted; lifting any other finger counts as a movement.
    const reported = action === "end" && points.length > 0 ? "move" : action
    send({ type: "touch", action: reported, points: action === "cancel" ? [] : points, modifiers: modifiersOf(event) })
  }

  const press = (event: PointerEvent, action: "down" | "up") => {
    flush()
    const at = picture.locate(event)
    const button = buttons[event.button]
    if (button === undefined) return
    if (action === "down") {
      const isNear =
        event.timeStamp - last.at < doubleClick.millis &&
        Math.hypot(at.x - last.x, at.y - last.y) < doubleClick.pixels &&
        button === last.button
      last = { at: event.timeStamp, ...at, button, clicks: isNear ? (last.clicks % 3) + 1 : 1 }
    }
    const { clicks } = last
    send({ type: "mouse", action, ...at, button, buttons: event.buttons & 7, clicks, modifiers: modifiersOf(event) })
  }

  canvas.addEventListener("pointerdown", (event) => {
    event.preventDefault()
    canvas.setPointerCapture(event.pointerId)
    if (event.pointerType === "touch") return touch(event, "start")
    focus()
    press(event, "down")
  })
  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") {
      if (fingers.has(event.pointerId)) touch(event, "move")
      return
    }
    // Pressing or releasing a second button arrives as a movement.
    if (event.button >= 0) return press(event, event.buttons > heldBefore ? "down" : "up")
    move = event
    soon()
  })
  for (const name of ["pointerdown", "pointermove", "pointerup"] as const) {
    canvas.addEventListener(name, (event) => {
      heldBefore = event.buttons
    })
  }
  canvas.addEventListener("pointerup", (event) =>
    event.pointerType === "touch" ? touch(event, "end") : press(event, "up")
  )
  canvas.addEventListener("pointercancel", (event) =>
    event.pointerType === "touch" ? touch(event, "cancel") : press(event, "up")
  )
  canvas.addEventListener("contextmenu", (event) => event.preventDefault())
  canvas.addEventListener(
    "wheel",
    (event) => {
      // Ctrl with the wheel zooms the viewer's own page.
      if (event.ctrlKey) return
      event.preventDefault()
      const factor = event.deltaMode === 0 ? 1 : event.deltaMode === 1 ? linePixels : picture.room().height
      const bound = (delta: number) => Math.max(-10_000, Math.min(10_000, delta))
      wheel = {
        type: "wheel",
        ...picture.locate(event),
        dx: bound((wheel?.dx ?? 0) + event.deltaX * factor),
        dy: bound((wheel?.dy ?? 0) + event.deltaY * factor),
        modifiers: modifiersOf(event)
      }
      soon()
    },
    { passive: false }
  )
}
