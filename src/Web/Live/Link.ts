/** The connection to the engine: comes back after a cut, a little later each time, and knows when there is nothing to come back to. */
import type { FromEngine, FromWatcher, Steering } from "./Protocol.ts"

export interface Listener {
  readonly onMessage: (message: FromEngine) => void
  readonly onPicture: (bytes: ArrayBuffer) => void
  readonly onCut: () => void
  readonly onEnd: (text: string) => void
}

export interface Link {
  readonly send: (message: FromWatcher | Steering) => void
}

/** The engine says something every fifteen seconds. */
const silence = 40_000
const pauses = [0.5, 1, 2, 4, 8, 15]
/** Messages that may wait where the line is slow: of pictures' receipts none is left out. */
const maxWaiting = 256 * 1024

const socketAddress = (): string => {
  const { host, pathname, protocol } = location
  return `${protocol === "https:" ? "wss:" : "ws:"}//${host}${pathname.replace(/\/$/, "")}/socket`
}

/** What became of the session, where the engine still answers: the reason stands in its page. */
const ending = (): Promise<string | undefined> =>
  fetch(location.href, { cache: "no-store" }).then(
    (answer) =>
      answer.status === 404 || answer.status === 410
        ? answer.text().then((text) => {
            const page = new DOMParser().parseFromString(text, "text/html")
            return page.getElementById("end-text")?.textContent ?? "It is not there any more."
          })
        : undefined,
    () => undefined
  )

export const open = (listener: Listener): Link => {
  let socket: WebSocket | undefined
  let attempts = 0
  let isOver = false
  let deaf = 0

  const listen = () => {
    clearTimeout(deaf)
    deaf = window.setTimeout(() => socket?.close(), silence)
  }

  const finish = (text: string) => {
    isOver = true
    clearTimeout(deaf)
    socket?.close()
    listener.onEnd(text)
  }

  const retry = () => {
    const seconds = pauses[Math.min(attempts, pauses.length - 1)] ?? 15
    attempts += 1
    listener.onCut()
    // Not all of those who were cut off at once come back at once.
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
      clearTimeout(deaf)
      if (isOver) return
      ending().then((text) => (text === undefined ? retry() : finish(text)))
    })
  }

  connect()
  return {
    send: (message) => {
      if (socket?.readyState !== WebSocket.OPEN) return
      if (message.type === "mouse" && message.action === "move" && socket.bufferedAmount > maxWaiting) return
      socket.send(JSON.stringify(message))
    }
  }
}
