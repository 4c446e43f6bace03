/** The live view of a session: puts the parts of the page together. */
import * as Bar from "./Bar.ts"
import * as Boxes from "./Boxes.ts"
import { find, notice } from "./Dom.ts"
import * as Keyboard from "./Keyboard.ts"
import * as Link from "./Link.ts"
import * as Picture from "./Picture.ts"
import * as Pointer from "./Pointer.ts"
import { bounds, type FromEngine, type State } from "./Protocol.ts"
import * as Status from "./Status.ts"

const isInteractive = document.body.dataset.mode === "interact"
const live = Status.lifetime()
const picture = Picture.make((frame) => link.send({ type: "seen", frame }))
const bar = Bar.make((message) => link.send(message), isInteractive)
const box = Boxes.pageBox((message) => link.send(message), isInteractive)
const keyboard = isInteractive ? Keyboard.steer((message) => link.send(message), bar.focus) : undefined
const clipboard = Boxes.clipboard((text) => keyboard?.paste(text))
const offer = Boxes.choices((message) => link.send(message))
const fitButton = find("fit")
let isFitted = false
let fitting = 0
let looking: string | undefined

const side = (pixels: number): number => Math.max(bounds.side.least, Math.min(bounds.side.most, Math.round(pixels)))

/** Tells the page how much room there is, once that has settled. */
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
  // Each tab has a size of its own.
  if (state.looking !== looking) fitPage()
  looking = state.looking
}

const hear = (message: FromEngine) => {
  switch (message.type) {
    case "hello":
      live(message.left)
      Status.connection(
        "live",
        isInteractive ? "Connected. You can steer the session." : "Connected. You are watching."
      )
      looking = undefined
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
  onMessage: hear,
  onPicture: picture.draw,
  onCut: () => Status.connection("cut", "The connection is lost. Trying again."),
  onEnd: Status.end
})

if (keyboard !== undefined) {
  Pointer.steer(picture, (message) => link.send(message), keyboard.focus)
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
