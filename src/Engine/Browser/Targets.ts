/**
 * Targets of a session's browser, and which of them its users may see.
 *
 * Chromium also reports parts of itself as targets: its address bar, its settings, its PDF viewer. Every version adds some, and their types
 * and URLs change while they start. So targets are shown by allow-lists of types and URLs, never hidden by name:
 *
 * - `shown`: a page that a user can open, with its frames and workers. A target that moves to an empty page (about:blank) or an error page
 *   keeps its state.
 * - `hidden`: everything else, until it reaches a web URL.
 * - `undecided`: it has no URL yet. Treated as hidden until it has one.
 *
 * `make` creates one instance per browser. Every message that describes a target goes through `note`; before `note` returns, `onChange` is
 * called if the visibility of the target changed.
 *
 * `makeTargetFilter` creates one instance per program and removes hidden targets from its events. It knows which targets and sessions the
 * program has seen, per reporting session. A target that is shown later is then reported as created, and its session as attached; one that
 * is hidden later is reported as destroyed and detached. The browser also attaches to hidden targets automatically: such a session stays
 * unknown to the program, and the filter lets the target run, because the program would not.
 */
import { canParse } from "../../Api/Url.ts"
import { safely } from "../../Callback.ts"

/** Target as CDP describes it; only these fields are read. */
export interface TargetInfo {
  readonly targetId: string
  readonly type: string
  readonly url: string
  readonly openerId?: string
}

export type Visibility = "hidden" | "shown" | "undecided"

export interface TargetsOptions {
  readonly onChange: (info: TargetInfo, visibility: Visibility) => void
  /** Asks the browser about a target; the answer arrives through `note`. */
  readonly ask: (targetId: string) => void
}

export interface Targets {
  /** Records the browser's description of a target. */
  readonly note: (info: TargetInfo) => Visibility
  /** Records that a user opened the target, so that it is shown even before it has a URL. */
  readonly open: (targetId: string) => void
  /**
   * Records that the target waits for a debugger. It is shown if it still has no URL after 620 ms, because it may get none before it runs.
   */
  readonly await: (targetId: string) => void
  readonly forget: (targetId: string) => void
  readonly isShown: (targetId: string) => boolean
  /** True for a user's page that has left the web for a local file or a page of the browser. Parts of the browser are not strays. */
  readonly isStray: (info: TargetInfo) => boolean
  /** Stops querying. */
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

/** Classifies a URL: web, empty or failed page, or part of the browser. */
const placeOf = (url: string): Place => {
  if (url === "") return "unknown"
  if (!canParse(url)) return "browser"
  const { pathname, protocol } = new URL(url)
  if (schemes.has(protocol)) return "web"
  // A blob URL contains the origin of the page that created it; extensions create blobs too.
  if (protocol === "blob:") return /^(?:https?:|null\/)/.test(pathname) ? "web" : "browser"
  return protocol === "chrome-error:" || empty.has(protocol + pathname) ? "empty" : "browser"
}

interface Target {
  readonly info: TargetInfo
  readonly visibility: Visibility
  /** True if the target was first reported with a type that pages of users never have. */
  readonly isPart: boolean
}

/** Shortest and longest pause in milliseconds between queries for a target without a URL, and the maximum number of queries. */
const firstPause = 20
const longestPause = 1_000
const maxQuestions = 40
/** Queries after which a target that waits for a debugger is shown without a URL: 620 ms. */
const maxQuestionsWaiting = 4

export const make = ({ ask, onChange }: TargetsOptions): Targets => {
  const targets = new Map<string, Target>()
  /** Opened by a user, not yet described by the browser. */
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
    // Only web pages open other pages, so a target with an opener is a page of the user.
    return place === "empty" || opened.has(info.targetId) || info.openerId !== undefined ? "shown" : "undecided"
  }

  /**
   * Asks about a target until it has a URL. Frames and workers get one with the next event; pages and tabs of some versions never report
   * one.
   */
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

/** The fields of `Target` events that are read here. */
export interface TargetEvent {
  readonly method: string
  readonly params: {
    readonly targetId?: string
    readonly targetInfo?: TargetInfo
    readonly sessionId?: string
    readonly waitingForDebugger?: boolean
  }
}

/** Actions of a filter on the channel of its program. */
export interface FilterHost {
  /** Sends a synthetic event; `from` is the session that reports it. */
  readonly deliver: (event: TargetEvent, from: string) => void
  /** Allows the program to use the session. */
  readonly admit: (sessionId: string) => void
  /** Revokes the permission to use the session. */
  readonly revoke: (sessionId: string) => void
  /** Detaches the session in the browser, which removes the scripts that the program added to the page. */
  readonly detach: (sessionId: string, from: string) => void
  /** Lets a target run that waits for a debugger. */
  readonly run: (sessionId: string) => void
}

export interface TargetFilter {
  /** Processes an event; returns true if the program gets it unchanged. */
  readonly hear: (event: TargetEvent, from: string) => boolean
  /** Call when the visibility of a target has changed. */
  readonly change: (info: TargetInfo, visibility: Visibility) => void
}

interface Attached {
  readonly from: string
  readonly targetId: string
  isWaiting: boolean
  isReported: boolean
}

export const makeTargetFilter = (targets: Targets, host: FilterHost): TargetFilter => {
  /** By reporting session: the reported targets, and whether the program knows them. */
  const created = new Map<string, Map<string, boolean>>()
  const sessions = new Map<string, Attached>()

  const letRun = (sessionId: string, session: Attached) => {
    if (!session.isWaiting) return
    session.isWaiting = false
    host.run(sessionId)
  }

  const attach = (sessionId: string, info: TargetInfo, isWaiting: boolean, from: string): boolean => {
    const visibility = targets.note(info)
    const isReported = visibility === "shown"
    const session = { from, targetId: info.targetId, isWaiting, isReported }
    sessions.set(sessionId, session)
    if (isReported) host.admit(sessionId)
    else if (visibility === "hidden") letRun(sessionId, session)
    else if (isWaiting) targets.await(info.targetId)
    return isReported
  }

  const detach = (sessionId: string): boolean => {
    const isReported = sessions.get(sessionId)?.isReported === true
    sessions.delete(sessionId)
    created.delete(sessionId)
    if (isReported) host.revoke(sessionId)
    for (const [child, { from }] of [...sessions]) if (from === sessionId) detach(child)
    return isReported
  }

  const create = (info: TargetInfo, from: string): boolean => {
    const known = created.get(from) ?? new Map<string, boolean>()
    created.set(from, known)
    if (!known.has(info.targetId)) known.set(info.targetId, false)
    const isReported = known.get(info.targetId)
    // `note` may have reported the target already, through `change`.
    if (targets.note(info) !== "shown" || (isReported === false && known.get(info.targetId) === true)) return false
    known.set(info.targetId, true)
    return true
  }

  const update = (info: TargetInfo, from: string): boolean => {
    const isShown = targets.note(info) === "shown"
    const known = created.get(from)?.get(info.targetId)
    if (known !== undefined) return isShown && known
    // Sessions with auto-attach report changes of the targets they attached.
    for (const session of sessions.values()) {
      if (session.isReported && session.from === from && session.targetId === info.targetId) return isShown
    }
    return false
  }

  const hear = ({ method, params }: TargetEvent, from: string): boolean => {
    const { sessionId, targetId, targetInfo, waitingForDebugger = false } = params
    switch (method) {
      case "Target.attachedToTarget":
        return (
          sessionId !== undefined && targetInfo !== undefined && attach(sessionId, targetInfo, waitingForDebugger, from)
        )
      case "Target.detachedFromTarget":
        return sessionId !== undefined && detach(sessionId)
      case "Target.targetCreated":
        return targetInfo !== undefined && create(targetInfo, from)
      case "Target.targetInfoChanged":
        return targetInfo !== undefined && update(targetInfo, from)
      case "Target.targetDestroyed": {
        const isReported = targetId !== undefined && created.get(from)?.get(targetId) === true
        if (targetId !== undefined) created.get(from)?.delete(targetId)
        return isReported
      }
      default:
        // Events such as targetCrashed, and events of later versions.
        return targetId === undefined ? targetInfo === undefined : targets.isShown(targetId)
    }
  }

  /** Reports the target as created or destroyed to sessions that still have its old visibility. */
  const announce = (targetInfo: TargetInfo, isShown: boolean) => {
    const { targetId } = targetInfo
    for (const [from, known] of created) {
      const isReported = known.get(targetId)
      if (isReported === undefined || isReported === isShown) continue
      known.set(targetId, isShown)
      const created = { method: "Target.targetCreated", params: { targetInfo } }
      host.deliver(isShown ? created : { method: "Target.targetDestroyed", params: { targetId } }, from)
    }
  }

  const change = (targetInfo: TargetInfo, visibility: Visibility) => {
    const { targetId } = targetInfo
    const isShown = visibility === "shown"
    if (isShown) announce(targetInfo, true)
    for (const [sessionId, session] of [...sessions]) {
      const { from, isReported, isWaiting } = session
      if (session.targetId !== targetId) continue
      if (isShown && !isReported) {
        session.isReported = true
        host.admit(sessionId)
        const params = { sessionId, targetInfo, waitingForDebugger: isWaiting }
        host.deliver({ method: "Target.attachedToTarget", params }, from)
      } else if (!isShown && isReported) {
        detach(sessionId)
        host.detach(sessionId, from)
        host.deliver({ method: "Target.detachedFromTarget", params: { sessionId, targetId } }, from)
      } else if (visibility === "hidden") letRun(sessionId, session)
    }
    if (!isShown) announce(targetInfo, false)
  }

  return { hear, change }
}
