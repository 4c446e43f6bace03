/** Mouse, wheel, pen and fingers over the picture become those of the page. */
import { get } from "./Dom.ts"
import { modifiersOf } from "./Keyboard.ts"
import type { Picture, Place } from "./Picture.ts"
import type { Point, Steering } from "./Protocol.ts"

type Button = Extract<Steering, { readonly type: "mouse" }>["button"]

const buttons: ReadonlyArray<Button> = ["left", "middle", "right"]

/** Presses of the same button so close together are one double click. */
const near = { millis: 500, pixels: 6 }
/** Pixels of a line, as a wheel may count. */
const line = 32

/** The one that is held, for a movement. */
const heldOf = (mask: number): Button => (mask & 1 ? "left" : mask & 2 ? "right" : mask & 4 ? "middle" : "none")

export const steer = (picture: Picture, send: (message: Steering) => void, focus: () => void): void => {
  const canvas = get<HTMLCanvasElement>("picture")
  let last = { at: 0, x: 0, y: 0, button: "none" as Button, clicks: 0 }
  let move: PointerEvent | undefined
  let wheel: Extract<Steering, { readonly type: "wheel" }> | undefined
  let isAsked = false
  let heldBefore = 0
  const fingers = new Map<number, Place>()

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

  /** As often as there is something to see of it. */
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
    // The last finger ends it; one of several is missing in a movement.
    const said = action === "end" && points.length > 0 ? "move" : action
    send({ type: "touch", action: said, points: action === "cancel" ? [] : points, modifiers: modifiersOf(event) })
  }

  const press = (event: PointerEvent, action: "down" | "up") => {
    flush()
    const at = picture.locate(event)
    const button = buttons[event.button]
    if (button === undefined) return
    if (action === "down") {
      const isNear =
        event.timeStamp - last.at < near.millis &&
        Math.hypot(at.x - last.x, at.y - last.y) < near.pixels &&
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
    // A second button pressed beside the first comes as a movement.
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
      // With Ctrl it is the viewer's own zoom.
      if (event.ctrlKey) return
      event.preventDefault()
      const factor = event.deltaMode === 0 ? 1 : event.deltaMode === 1 ? line : picture.room().height
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
