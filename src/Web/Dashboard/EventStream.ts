/**
 * Event stream of the page: one connection, shared by all screens.
 *
 * - Reconnects with exponential backoff and `Last-Event-ID`, so that missed events are replayed, or `hello` says `isGap`.
 * - A hidden page disconnects after {@link hiddenTimeout} and reconnects when it is shown: browsers allow six connections to a server over
 *   all tabs.
 * - Uses fetch, because an `EventSource` cannot send a header, and so no token.
 */
import { useEffect, useRef, useState } from "preact/hooks"
import { addressOf, request } from "./Api.ts"
import { type Events, paths } from "./Protocol.ts"

type Status = "connecting" | "live" | "cut"

type Handler = (data: never) => void
const names = ["hello", "runs", "progress", "gone", "schedules", "ledger"] as const satisfies ReadonlyArray<
  keyof Events
>

const handlers = new Map<string, Set<Handler>>(names.map((name) => [name, new Set()]))
const statusHandlers = new Set<(status: Status) => void>()

/** Aborts the open connection. */
let stream: AbortController | undefined
let followed: string | undefined
let status: Status = "connecting"
let attempts = 0
let timer = 0
let lastEventId: string | undefined
/** True if a connection was opened before. */
let wasOpen = false
/** Milliseconds that a hidden page stays connected. */
const hiddenTimeout = 20_000
/** Milliseconds by which the server's clock is ahead of the browser's. */
let clockOffset = 0

/** Current time of the server; all events use server time. */
export const serverNow = (): number => Date.now() + clockOffset

const setStatus = (next: Status): void => {
  status = next
  for (const handler of statusHandlers) handler(next)
}

const welcome = ({ now }: Events["hello"]): void => {
  attempts = 0
  clockOffset = now - Date.now()
  setStatus("live")
}

/**
 * Passes an event to its handlers. `mayMiss`: an earlier connection ended without an event id, so events before this one may be missing.
 */
const receive = (event: string, mayMiss: boolean): void => {
  // Split at line feeds only: a regular expression in multiline mode also splits at U+2028.
  const lines = event.split("\n")
  const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
  const [name, text] = [field("event"), field("data")]
  // A comment without an event only keeps the connection open.
  if (name === undefined || text === undefined) return
  lastEventId = field("id") ?? lastEventId
  const data = JSON.parse(text)
  if (name === "hello") welcome(data)
  const payload = name === "hello" && mayMiss ? { ...data, isGap: true } : data
  for (const handle of handlers.get(name) ?? []) handle(payload as never)
}

const open = (): void => {
  clearTimeout(timer)
  stream?.abort()
  const own = new AbortController()
  stream = own
  const mayMiss = wasOpen && lastEventId === undefined
  wasOpen = true
  const decoder = new TextDecoder()
  let text = ""
  const write = (bytes: Uint8Array) => {
    if (own !== stream) return
    text += decoder.decode(bytes, { stream: true })
    const events = text.split("\n\n")
    text = events.pop() ?? ""
    for (const event of events) receive(event, mayMiss)
  }
  const cut = () => own === stream && retry()
  request(addressOf(paths.events, { run: followed }), {
    headers: lastEventId === undefined ? {} : { "last-event-id": lastEventId },
    signal: own.signal
  })
    .then(({ body, ok, status: code }) => {
      // A retry with the same token is pointless, and a new token reloads the page.
      if (code === 401) return close()
      return ok ? body?.pipeTo(new WritableStream({ write }), { signal: own.signal }) : undefined
    })
    .then(cut, cut)
  // The tab may have been opened in the background, where it must not stay connected.
  if (document.visibilityState !== "visible") timer = window.setTimeout(close, hiddenTimeout)
}

const close = (): void => {
  stream?.abort()
  stream = undefined
}

const retry = (): void => {
  close()
  setStatus("cut")
  attempts += 1
  clearTimeout(timer)
  if (document.visibilityState === "visible") {
    timer = window.setTimeout(open, Math.min(15_000, 500 * 2 ** attempts) * (0.8 + 0.4 * Math.random()))
  }
}

document.addEventListener("visibilitychange", () => {
  clearTimeout(timer)
  if (document.visibilityState !== "visible") timer = window.setTimeout(close, hiddenTimeout)
  else if (stream === undefined) open()
})

const follow = (run: string | undefined): void => {
  if (run === followed && stream !== undefined) return
  followed = run
  open()
}

/** Subscribes to the progress of a run, or of no run if undefined. */
export const useFollow = (run: string | undefined): void => useEffect(() => follow(run), [run])

/** Handles an event while the component is mounted. */
export const useEvent = <N extends keyof Events>(name: N, handle: (data: Events[N]) => void): void => {
  const newest = useRef(handle)
  newest.current = handle
  useEffect(() => {
    const own: Handler = (data) => newest.current(data)
    handlers.get(name)?.add(own)
    return () => {
      handlers.get(name)?.delete(own)
    }
  }, [name])
}

/** Reloads if events may have been missed. */
export const useGap = (again: () => void): void =>
  useEvent("hello", ({ isGap }) => {
    if (isGap) again()
  })

export const useStatus = (): Status => {
  const [shown, setShown] = useState(status)
  useEffect(() => {
    statusHandlers.add(setShown)
    setShown(status)
    return () => {
      statusHandlers.delete(setShown)
    }
  }, [])
  return shown
}

/** Calls `again` at an interval, in milliseconds, while the page is visible. */
export const usePolling = (again: () => void, every: number, isOn = true): void =>
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => document.visibilityState === "visible" && again(), every)
    return () => clearInterval(timer)
  }, [again, every, isOn])

/** Returns a function that calls `act` once per interval, in milliseconds, at the end of it. */
export const useThrottled = (act: () => void, interval: number): (() => void) => {
  const newest = useRef(act)
  newest.current = act
  const timer = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    if (timer.current !== 0) return
    timer.current = window.setTimeout(() => {
      timer.current = 0
      newest.current()
    }, interval)
  }
}

/** Current time, updated at an interval while `isCounting`. */
export const useNow = (isCounting: boolean, every = 1000): number => {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    setNow(serverNow())
    if (!isCounting) return
    const timer = setInterval(() => setNow(serverNow()), every)
    return () => clearInterval(timer)
  }, [isCounting, every])
  return now
}
