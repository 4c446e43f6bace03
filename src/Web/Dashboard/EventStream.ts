/** The one stream of events of this page: comes back by itself after a cut, and says how it stands. */
import { useEffect, useRef, useState } from "preact/hooks"
import { addressOf, request } from "./Api.ts"
import { type Events, paths } from "./Protocol.ts"

export type Link = "connecting" | "live" | "cut"

type Hear = (data: never) => void
const names = ["hello", "runs", "progress", "gone", "schedules", "ledger"] as const satisfies ReadonlyArray<
  keyof Events
>

const hearers = new Map<string, Set<Hear>>(names.map((name) => [name, new Set()]))
const watchers = new Set<(link: Link) => void>()

/** Of the stream that is open, or about to be. */
let stream: AbortController | undefined
let followed: string | undefined
let link: Link = "connecting"
let attempts = 0
let waiting = 0
/** The newest event: what was told behind it is told to whoever comes again. */
let last: string | undefined
/** A stream was opened before. */
let isAgain = false
/** Milliseconds that a page which nobody looks at still listens. */
const patience = 20_000
/** Milliseconds by which the server's clock is ahead of ours. */
let ahead = 0

/** The time as the server has it: what is told is told by its clock. */
export const serverNow = (): number => Date.now() + ahead

const say = (next: Link): void => {
  link = next
  for (const watcher of watchers) watcher(next)
}

const greet = ({ now }: Events["hello"]): void => {
  attempts = 0
  ahead = now - Date.now()
  say("live")
}

/** `isBlind`: what was told before this stream is not known to be made up for. */
const hear = (event: string, isBlind: boolean): void => {
  // Not by an expression: texts of strangers have other ends of lines, which count for nothing here.
  const lines = event.split("\n")
  const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
  const [name, text] = [field("event"), field("data")]
  // A comment, by which the connection stays open.
  if (name === undefined || text === undefined) return
  last = field("id") ?? last
  const data = JSON.parse(text)
  if (name === "hello") greet(data)
  const told = name === "hello" && isBlind ? { ...data, isGap: true } : data
  for (const hear of hearers.get(name) ?? []) hear(told as never)
}

/** Not an EventSource, which can bring no header, and so no token. */
const open = (): void => {
  clearTimeout(waiting)
  stream?.abort()
  const own = new AbortController()
  stream = own
  const isBlind = isAgain && last === undefined
  isAgain = true
  const decoder = new TextDecoder()
  let text = ""
  const write = (bytes: Uint8Array) => {
    if (own !== stream) return
    text += decoder.decode(bytes, { stream: true })
    const events = text.split("\n\n")
    text = events.pop() ?? ""
    for (const event of events) hear(event, isBlind)
  }
  const cut = () => own === stream && retry()
  request(addressOf(paths.events, { run: followed }), {
    headers: last === undefined ? {} : { "last-event-id": last },
    signal: own.signal
  })
    .then(({ body, ok, status }) => {
      // Only another token helps, and with that the page is loaded anew.
      if (status === 401) return close()
      return ok ? body?.pipeTo(new WritableStream({ write }), { signal: own.signal }) : undefined
    })
    .then(cut, cut)
  // A tab may be opened behind the others.
  if (document.visibilityState !== "visible") waiting = window.setTimeout(close, patience)
}

const close = (): void => {
  stream?.abort()
  stream = undefined
}

const retry = (): void => {
  close()
  say("cut")
  attempts += 1
  clearTimeout(waiting)
  // A page that is not looked at comes back when it is.
  if (document.visibilityState === "visible") {
    waiting = window.setTimeout(open, Math.min(15_000, 500 * 2 ** attempts) * (0.8 + 0.4 * Math.random()))
  }
}

// Browsers hold six connections to a server at once, for all tabs together: one that is not looked at gives its own back.
document.addEventListener("visibilitychange", () => {
  clearTimeout(waiting)
  if (document.visibilityState !== "visible") waiting = window.setTimeout(close, patience)
  else if (stream === undefined) open()
})

/** A run that is to be followed closely; none when it is undefined. */
const follow = (run: string | undefined): void => {
  if (run === followed && stream !== undefined) return
  followed = run
  open()
}

export const useFollow = (run: string | undefined): void => useEffect(() => follow(run), [run])

/** Hears an event for as long as the screen is there. */
export const useEvent = <N extends keyof Events>(name: N, hear: (data: Events[N]) => void): void => {
  const newest = useRef(hear)
  newest.current = hear
  useEffect(() => {
    const own: Hear = (data) => newest.current(data)
    hearers.get(name)?.add(own)
    return () => {
      hearers.get(name)?.delete(own)
    }
  }, [name])
}

/** Asks anew where something may have been told meanwhile. */
export const useGap = (again: () => void): void =>
  useEvent("hello", ({ isGap }) => {
    if (isGap) again()
  })

export const useLink = (): Link => {
  const [shown, setShown] = useState(link)
  useEffect(() => {
    watchers.add(setShown)
    setShown(link)
    return () => {
      watchers.delete(setShown)
    }
  }, [])
  return shown
}

/** The time, again and again while something counts it. */
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
