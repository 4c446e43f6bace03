/**
 * Targets of a session's browser, and which of them its users may see.
 *
 * Chromium reports parts of itself as targets, too: its address bar, its settings, its PDF viewer. Every version adds some, and their types
 * and URLs change while they start. So a target is shown by allow-lists of types and URLs, never hidden by its name:
 *
 * - `shown`: a page that a user can open, with its frames and workers. An empty page (about:blank) and an error page stay what they were.
 * - `hidden`: everything else, until it reaches an address of the web.
 * - `undecided`: it has no URL yet. It counts as hidden until it has one.
 *
 * One instance per browser. Every message that describes a target goes through `note`; `onChange` is called whenever users may see a target
 * that they could not see before, or the other way round, before `note` returns.
 */
import { canParse } from "../../Api/Url.ts"
import { safely } from "../../Callback.ts"

/** A target as the protocol describes it; what is not read here is passed on. */
export interface TargetInfo {
  readonly targetId: string
  readonly type: string
  readonly url: string
  readonly openerId?: string
}

export type Visibility = "hidden" | "shown" | "undecided"

export interface TargetsOptions {
  readonly onChange: (info: TargetInfo, visibility: Visibility) => void
  /** Asks the browser about a target; the answer comes through `note`. */
  readonly ask: (targetId: string) => void
}

export interface Targets {
  /** Takes over what the browser says about a target. */
  readonly note: (info: TargetInfo) => Visibility
  /** A user has opened the target, so it is shown even before it has a URL. */
  readonly open: (targetId: string) => void
  /** The target waits for a debugger, perhaps before its URL is known: it is shown if no URL comes soon, because none may come before it runs. */
  readonly await: (targetId: string) => void
  readonly forget: (targetId: string) => void
  readonly isShown: (targetId: string) => boolean
  /** A page of a user that left the web, for a file or a page of the browser. Parts of the browser are no strays. */
  readonly isStray: (info: TargetInfo) => boolean
  /** Stops asking. */
  readonly close: () => void
}

const types = new Set([
  "auction_worklet",
  "browser",
  "iframe",
  "page",
  "service_worker",
  "shared_storage_worklet",
  "shared_worker",
  "tab",
  "worker",
  "worklet"
])

const schemes = new Set(["http:", "https:", "data:"])
const empty = new Set(["about:blank", "about:srcdoc"])

type Place = "browser" | "empty" | "unknown" | "web"

/** Where a URL leads: to the web, to an empty or failed page, or to a part of the browser. */
const placeOf = (url: string): Place => {
  if (url === "") return "unknown"
  if (!canParse(url)) return "browser"
  const { pathname, protocol } = new URL(url)
  if (schemes.has(protocol)) return "web"
  // A blob belongs to the page that made it: extensions make some, too.
  if (protocol === "blob:") return /^(?:https?:|null\/)/.test(pathname) ? "web" : "browser"
  return protocol === "chrome-error:" || empty.has(protocol + pathname) ? "empty" : "browser"
}

interface Target {
  readonly info: TargetInfo
  readonly visibility: Visibility
  /** First reported under a type that pages of users never have. */
  readonly isPart: boolean
}

/** Milliseconds between questions about a target without a URL, and how many times it is asked about. */
const firstPause = 20
const longestPause = 1_000
const maxQuestions = 40
/** Questions after which a target that waits for its debugger is shown without a URL: 300 ms. */
const maxQuestionsWaiting = 4

export const make = ({ ask, onChange }: TargetsOptions): Targets => {
  const targets = new Map<string, Target>()
  /** Opened by a user, and not described yet. */
  const opened = new Set<string>()
  const waiting = new Set<string>()
  const timers = new Map<string, NodeJS.Timeout>()

  const settle = (targetId: string) => {
    clearTimeout(timers.get(targetId))
    timers.delete(targetId)
    waiting.delete(targetId)
  }

  const set = (info: TargetInfo, visibility: Visibility): Visibility => {
    const before = targets.get(info.targetId)
    targets.set(info.targetId, { info, visibility, isPart: before?.isPart ?? !types.has(info.type) })
    if (visibility !== "undecided") settle(info.targetId)
    if (visibility !== (before?.visibility ?? "undecided")) onChange(info, visibility)
    return visibility
  }

  const judge = (info: TargetInfo): Visibility => {
    const before = targets.get(info.targetId)?.visibility ?? "undecided"
    if (!types.has(info.type)) return "hidden"
    if (info.type === "browser") return "shown"
    const place = placeOf(info.url)
    if (place === "web") return "shown"
    if (place === "browser") return "hidden"
    if (before !== "undecided") return before
    // Only a page of the web opens another one.
    return place === "empty" || opened.has(info.targetId) || info.openerId !== undefined ? "shown" : "undecided"
  }

  /** Frames and workers get their URL with the next event; pages and tabs of some versions never report it. */
  const question = (targetId: string, count = 0) => {
    const pause = Math.min(longestPause, firstPause * 2 ** count)
    const again = () => {
      const target = targets.get(targetId)
      if (target === undefined || target.visibility !== "undecided") return settle(targetId)
      if (count >= maxQuestionsWaiting && waiting.has(targetId)) return void set(target.info, "shown")
      if (count >= maxQuestions) return
      ask(targetId)
      question(targetId, count + 1)
    }
    const timer = setTimeout(safely(again), pause)
    timers.set(targetId, timer.unref())
  }

  const note = (info: TargetInfo): Visibility => {
    const visibility = set(info, judge(info))
    opened.delete(info.targetId)
    const isAsked = (info.type === "page" || info.type === "tab") && !timers.has(info.targetId)
    if (visibility === "undecided" && isAsked) question(info.targetId)
    return visibility
  }

  return {
    note,
    open: (targetId) => {
      const target = targets.get(targetId)
      if (target === undefined) opened.add(targetId)
      else if (target.visibility === "undecided") set(target.info, "shown")
    },
    await: (targetId) => {
      if (targets.get(targetId)?.visibility !== "undecided") return
      waiting.add(targetId)
      if (!timers.has(targetId)) question(targetId)
    },
    forget: (targetId) => {
      settle(targetId)
      targets.delete(targetId)
      opened.delete(targetId)
    },
    isShown: (targetId) => opened.has(targetId) || targets.get(targetId)?.visibility === "shown",
    isStray: (info) =>
      info.type === "page" && placeOf(info.url) === "browser" && targets.get(info.targetId)?.isPart !== true,
    close: () => {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    }
  }
}
