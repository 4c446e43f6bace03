/** Tab as viewers see it: its screencast, address, navigation state and open dialog. */
import * as Effect from "effect/Effect"
import type { DialogInfo } from "../../Web/Live/Protocol.ts"
import type { CdpClient, Event } from "./Devtools.ts"
import * as Screencast from "./Screencast.ts"

export interface Tab {
  readonly id: string
  title: string
  url: string
  /** CDP session; undefined until attached. */
  sessionId: string | undefined
  canGoBack: boolean
  canGoForward: boolean
  isLoading: boolean
  dialog: DialogInfo | undefined
  readonly screencast: Screencast.Screencast
}

export interface TabInfo {
  readonly targetId: string
  readonly type: string
  /** `prerender` for a page that is prepared but not yet open. */
  readonly subtype?: string | undefined
  readonly title: string
  readonly url: string
}

interface History {
  readonly currentIndex: number
  readonly entries: ReadonlyArray<{ readonly id: number; readonly title: string; readonly url: string }>
}

/** Maximum characters of a title, a URL and a dialog text. */
const maxLengths = { title: 200, url: 2_000, message: 2_000 }

/** Quality of pictures: about 100 KB each, which can be sent continuously. */
const picture = { format: "jpeg", quality: 75, maxWidth: 2_560, maxHeight: 2_560 }

export const make = (info: TabInfo, ask: () => CdpClient): Tab => {
  const tell = (method: string, params?: Readonly<Record<string, unknown>>) => {
    if (tab.sessionId !== undefined) ask().tell(method, params, tab.sessionId)
  }
  const tab: Tab = {
    id: info.targetId,
    title: "",
    url: "",
    sessionId: undefined,
    canGoBack: false,
    canGoForward: false,
    isLoading: false,
    dialog: undefined,
    screencast: Screencast.make({
      start: () => {
        // A tab in the background draws nothing unless focus is emulated.
        tell("Emulation.setFocusEmulationEnabled", { enabled: true })
        tell("Page.startScreencast", picture)
      },
      stop: () => {
        tell("Page.stopScreencast")
        tell("Emulation.setFocusEmulationEnabled", { enabled: false })
      },
      acknowledge: (sessionId) => tell("Page.screencastFrameAck", { sessionId })
    })
  }
  rename(tab, info)
  return tab
}

/** Updates title and URL; returns true if they changed. */
export const rename = (tab: Tab, info: TabInfo): boolean => {
  const [title, url] = [info.title.slice(0, maxLengths.title), info.url.slice(0, maxLengths.url)]
  const isNew = title !== tab.title || url !== tab.url
  tab.title = title
  tab.url = url
  return isNew
}

/** Goes back or forward in the history. */
export const step = (tab: Tab, ask: CdpClient, by: -1 | 1) =>
  Effect.gen(function* () {
    const { currentIndex, entries } = yield* ask.call<History>("Page.getNavigationHistory", {}, tab.sessionId)
    const entry = entries[currentIndex + by]
    if (entry !== undefined) yield* ask.call("Page.navigateToHistoryEntry", { entryId: entry.id }, tab.sessionId)
  })

/** Attaches to the tab. */
export const attach = (tab: Tab, ask: CdpClient) =>
  Effect.gen(function* () {
    const { sessionId } = yield* ask.call<{ readonly sessionId: string }>("Target.attachToTarget", {
      targetId: tab.id,
      flatten: true
    })
    tab.sessionId = sessionId
    // Not awaited: a page with an open dialog answers only after the dialog is closed.
    ask.tell("Page.enable", {}, sessionId)
    tab.screencast.begin()
    return sessionId
  })

/** Updates the navigation state. */
export const refreshHistory = (tab: Tab, ask: CdpClient) =>
  Effect.map(ask.call<History>("Page.getNavigationHistory", {}, tab.sessionId), ({ currentIndex, entries }) => {
    tab.canGoBack = currentIndex > 0
    tab.canGoForward = currentIndex < entries.length - 1
    const entry = entries[currentIndex]
    if (entry !== undefined && entry.title !== "") rename(tab, { ...entry, targetId: tab.id, type: "page" })
  })

/** Applies an event. Returns `nothing`; `shown` if the state that viewers see changed; `moved` if the history may also have changed. */
export const hear = (tab: Tab, { method, params }: Event): "moved" | "nothing" | "shown" => {
  switch (method) {
    case "Page.screencastFrame":
      tab.screencast.hear(params)
      return "nothing"
    case "Page.frameStartedLoading":
    case "Page.frameStoppedLoading":
      if (params.frameId !== tab.id) return "nothing"
      tab.isLoading = method === "Page.frameStartedLoading"
      return tab.isLoading ? "shown" : "moved"
    case "Page.frameNavigated":
      return params.frame.parentId === undefined ? "moved" : "nothing"
    case "Page.navigatedWithinDocument":
      return "moved"
    case "Page.javascriptDialogOpening":
      tab.dialog = {
        kind: params.type,
        message: String(params.message).slice(0, maxLengths.message),
        value: String(params.defaultPrompt ?? "").slice(0, maxLengths.message)
      }
      return "shown"
    case "Page.javascriptDialogClosed":
      tab.dialog = undefined
      return "shown"
    default:
      return "nothing"
  }
}
