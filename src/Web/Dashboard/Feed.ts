/** The one stream of events of this page: comes back by itself after a cut, and says how it stands. */
import { useEffect, useRef, useState } from "preact/hooks"
import { addressOf, ask } from "./Ask.ts"
import type { Events } from "./Protocol/Events.ts"
import { paths } from "./Protocol.ts"

export type Link = "connecting" | "live" | "cut"

type Hear = (data: never) => void
const names = ["hello", "runs", "progress", "gone", "schedules", "ledger"] as const satisfies ReadonlyArray<
  keyof Events
>

const hearers = new Map<string, Set<Hear>>(names.map((name) => [name, new Set()]))
const watchers = new Set<(link: Link) => void>()

let source: EventSource | undefined
let followed: string | undefined
let link: Link = "connecting"
let attempts = 0
let waiting = 0
/** Something was told already: what is told from another stream has a gap before it. */
let isAgain = false
/** Milliseconds by which the server's clock is ahead of ours. */
let ahead = 0

/** The time as the server has it: what is told is told by its clock. */
export const serverNow = (): number => Date.now() + ahead

const say = (next: Link): void => {
  link = next
  for (const watcher of watchers) watcher(next)
}

const retry = (): void => {
  say("cut")
  // While a browser tries by itself it is left alone; after an answer that is no stream it does not.
  if (source?.readyState !== EventSource.CLOSED) return
  attempts += 1
  clearTimeout(waiting)
  waiting = window.setTimeout(open, Math.min(15_000, 500 * 2 ** attempts) * (0.8 + 0.4 * Math.random()))
  // A stream does not say why it was refused: a cookie that counts no more is told by any other answer.
  ask(paths.about).catch(() => undefined)
}

const greet = ({ isGap, now }: Events["hello"]): void => {
  attempts = 0
  ahead = now - Date.now()
  say("live")
  const greeting = { now, isGap: isGap || isAgain } as never
  isAgain = false
  for (const hear of hearers.get("hello") ?? []) hear(greeting)
}

const open = (): void => {
  clearTimeout(waiting)
  isAgain = isAgain || source !== undefined
  source?.close()
  const opened = new EventSource(addressOf(paths.events, { run: followed }))
  source = opened
  for (const name of names) {
    opened.addEventListener(name, (event: MessageEvent<string>) => {
      if (opened !== source) return
      const data = JSON.parse(event.data) as never
      if (name === "hello") greet(data)
      else for (const hear of hearers.get(name) ?? []) hear(data)
    })
  }
  opened.addEventListener("error", () => opened === source && retry())
}

/** Milliseconds that a page which nobody looks at still listens. */
const patience = 20_000

// Browsers hold six connections to a server at once, for all tabs together: one that is not looked at gives its own back.
document.addEventListener("visibilitychange", () => {
  clearTimeout(waiting)
  if (document.visibilityState === "visible") {
    if (source?.readyState === EventSource.CLOSED) open()
  } else waiting = window.setTimeout(() => source?.close(), patience)
})

/** A run that is to be followed closely; none when it is undefined. */
const follow = (run: string | undefined): void => {
  if (run === followed && source !== undefined) return
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
