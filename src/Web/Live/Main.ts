/**
 * Entry point of the live view: connects controls, picture and input with the engine, over a WebSocket that reconnects
 * with backoff until the session has ended.
 */

import * as Controls from "./Controls.ts"
import { find, notice } from "./Controls.ts"
import * as Input from "./Input.ts"
import * as Picture from "./Picture.ts"
import { bounds, type FromEngine, type State } from "./Protocol.ts"
import type { FromWatcher, Steering } from "./Steering.ts"

export interface Listener {
  readonly onMessage: (message: FromEngine) => void
  readonly onPicture: (bytes: ArrayBuffer) => void
  readonly onCut: () => void
  readonly onEnd: (text: string) => void
}

export interface Link {
  readonly send: (message: FromWatcher | Steering) => void
}

/** Maximum milliseconds without a message; the engine sends one every 15 seconds. */
const timeout = 40_000
/** Seconds to wait before each reconnect. */
const pauses = [0.5, 1, 2, 4, 8, 15]
/** Maximum bytes in the send buffer; above it, mouse movements are dropped. Other messages are always sent. */
const maxBuffered = 256 * 1024

const socketAddress = (): string => {
  const { host, pathname, protocol } = location
  return `${protocol === "https:" ? "wss:" : "ws:"}//${host}${pathname.replace(/\/$/, "")}/socket`
}

/** Reason why the session ended, read from its page; undefined if the session continues or the engine does not respond. */
const endReason = (): Promise<string | undefined> =>
  fetch(location.href, { cache: "no-store" }).then(
    (answer) =>
      answer.status === 404 || answer.status === 410
        ? answer.text().then((text) => {
            const page = new DOMParser().parseFromString(text, "text/html")
            return page.getElementById("end-text")?.textContent ?? "The session no longer exists."
          })
        : undefined,
    () => undefined
  )

export const openLink = (listener: Listener): Link => {
  let socket: WebSocket | undefined
  let attempts = 0
  let isOver = false
  let timer = 0

  const listen = () => {
    clearTimeout(timer)
    timer = window.setTimeout(() => socket?.close(), timeout)
  }

  const finish = (text: string) => {
    isOver = true
    clearTimeout(timer)
    socket?.close()
    listener.onEnd(text)
  }

  const retry = () => {
    const seconds = pauses[Math.min(attempts, pauses.length - 1)] ?? 15
    attempts += 1
    listener.onCut()
    // The random delay keeps viewers from reconnecting all at the same time.
    setTimeout(connect, seconds * 1000 * (0.8 + 0.4 * Math.random()))
  }

  const connect = () => {
    if (isOver) return
    const opened = new WebSocket(socketAddress())
    opened.binaryType = "arraybuffer"
    socket = opened
    listen()
    opened.addEventListener("message", ({ data }) => {
      listen()
      if (typeof data !== "string") return listener.onPicture(data)
      const message = JSON.parse(data) as FromEngine
      if (message.type === "end") return finish(message.text)
      if (message.type === "hello") attempts = 0
      listener.onMessage(message)
    })
    opened.addEventListener("close", () => {
      clearTimeout(timer)
      if (isOver) return
      endReason().then((text) => (text === undefined ? retry() : finish(text)))
    })
  }

  connect()
  return {
    send: (message) => {
      if (socket?.readyState !== WebSocket.OPEN) return
      if (message.type === "mouse" && message.action === "move" && socket.bufferedAmount > maxBuffered) return
      socket.send(JSON.stringify(message))
    }
  }
}

const isInteractive = document.body.dataset.mode === "interact"
const live = Controls.countdown()
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

/** Sets the page's size to that of the window, once the window no longer changes. */
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
      Controls.connection(
        "live",
        isInteractive ? "Connected. You can control the session." : "Connected. You are watching."
      )
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

const link = openLink({
  onMessage: receive,
  onPicture: picture.draw,
  onCut: () => Controls.connection("cut", "Connection lost. Reconnecting."),
  onEnd: Controls.end
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
