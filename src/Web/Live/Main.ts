/** Entry point of the live view: connects controls, picture and input with the engine. */
import * as Controls from "./Controls.ts"
import * as Dom from "./Dom.ts"
import { find, notice } from "./Dom.ts"
import * as Input from "./Input.ts"
import * as Link from "./Link.ts"
import * as Picture from "./Picture.ts"
import { bounds, type FromEngine, type State } from "./Protocol.ts"

const isInteractive = document.body.dataset.mode === "interact"
const live = Dom.countdown()
const picture = Picture.make((frame) => link.send({ type: "seen", frame }))
const bar = Controls.addressBar((message) => link.send(message), isInteractive)
const box = Controls.pageBox((message) => link.send(message), isInteractive)
const keyboard = isInteractive ? Input.steerByKeyboard((message) => link.send(message), bar.focus) : undefined
const clipboard = Controls.clipboard((text) => keyboard?.paste(text))
const offer = Controls.choices((message) => link.send(message))
const fitButton = find("fit")
let isFitted = false
let fitting = 0
let shownTab: string | undefined

const side = (pixels: number): number => Math.max(bounds.side.least, Math.min(bounds.side.most, Math.round(pixels)))

/** Sets the size of the page to that of the window, once that no longer changes. */
const fitPage = () => {
  clearTimeout(fitting)
  if (!isFitted) return
  fitting = window.setTimeout(() => {
    const { height, width } = picture.room()
    link.send({ type: "size", width: side(width), height: side(height) })
  }, 200)
}

const show = (state: State) => {
  bar.show(state)
  box(state.dialog)
  // Each tab has its own size.
  if (state.looking !== shownTab) fitPage()
  shownTab = state.looking
}

const receive = (message: FromEngine) => {
  switch (message.type) {
    case "hello":
      live(message.left)
      Dom.connection("live", isInteractive ? "Connected. You can control the session." : "Connected. You are watching.")
      shownTab = undefined
      return
    case "state":
      return show(message)
    case "copied":
      return clipboard.copied(message.text)
    case "choices":
      return offer(message.options, message.chosen)
    case "notice":
      return notice(message.text)
  }
}

const link = Link.open({
  onMessage: receive,
  onPicture: picture.draw,
  onCut: () => Dom.connection("cut", "Connection lost. Reconnecting."),
  onEnd: Dom.end
})

if (keyboard !== undefined) {
  Input.steerByPointer(picture, (message) => link.send(message), keyboard.focus)
  find("keyboard")?.addEventListener("click", keyboard.focus)
  find("copy")?.addEventListener("click", () => link.send({ type: "copy" }))
  find("paste")?.addEventListener("click", clipboard.ask)
  fitButton?.addEventListener("click", () => {
    isFitted = !isFitted
    fitButton.ariaPressed = String(isFitted)
    if (isFitted) fitPage()
    else link.send({ type: "ownSize" })
  })
  picture.onRoom(fitPage)
}
