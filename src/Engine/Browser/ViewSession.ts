/** State shared by the viewers of a session: its tabs, the tab in front, and one screencast per tab. */
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { after } from "../../Callback.ts"
import type { FromEngine } from "../../Web/Live/Protocol.ts"
import type { CdpClient, DevtoolsError, Event } from "./Devtools.ts"
import type { Watcher } from "./Screencast.ts"
import type { Session } from "./Sessions.ts"
import * as Tab from "./ViewTab.ts"

/** Connected viewer. */
export interface ConnectedViewer extends Watcher {
  readonly tell: (message: FromEngine) => void
  /** Drops queued pictures. Called when the viewer switches to another tab. */
  readonly forget: () => void
}

/** Viewer's handle on the session. */
export interface ViewerHandle {
  /** Tab that the viewer is looking at. */
  readonly tab: () => Tab.Tab | undefined
  /** Switches the tab for this viewer only. */
  readonly look: (id: string) => void
  /** Call when the viewer has room for another picture. */
  readonly relieved: () => void
}

export interface ViewSession {
  readonly ask: CdpClient
  readonly join: (viewer: ConnectedViewer) => Effect.Effect<ViewerHandle, never, Scope.Scope>
  /** Brings a tab to the front for all viewers that have not chosen one. */
  readonly front: (id: string) => Effect.Effect<void, DevtoolsError>
}

/** Maximum tabs shown: a page can open any number. */
const maxTabs = 50
/** Milliseconds over which changes are batched: a page can change its title any number of times. */
const stateInterval = 50
/** Minimum time between two queries of a tab's URL: a page can navigate any number of times, and its history can take megabytes. */
const refreshInterval = "250 millis"

interface ViewerState {
  chosen: string | undefined
  looking: Tab.Tab | undefined
}

const stateOf = (tabs: Iterable<Tab.Tab>, looking: Tab.Tab | undefined): FromEngine => ({
  type: "state",
  tabs: [...tabs].slice(0, maxTabs).map(({ id, title, url }) => ({ id, title, url })),
  looking: looking?.id,
  canGoBack: looking?.canGoBack ?? false,
  canGoForward: looking?.canGoForward ?? false,
  isLoading: looking?.isLoading ?? false,
  dialog: looking?.dialog
})

/** Returns a function that queries a tab at most once per {@link refreshInterval}, and once more if it was called in the meantime. */
const makeRefresh = (
  query: (tab: Tab.Tab) => Effect.Effect<void, unknown>,
  run: (work: Effect.Effect<void>) => void
) => {
  /** Tabs being queried; true if the tab has navigated since the query began. */
  const asked = new Map<Tab.Tab, boolean>()
  const refresh = (tab: Tab.Tab): void => {
    const isQuerying = asked.has(tab)
    asked.set(tab, isQuerying)
    if (isQuerying) return
    const again = () => {
      const hasMoved = asked.get(tab) === true
      asked.delete(tab)
      if (hasMoved) refresh(tab)
    }
    run(
      Effect.ignore(query(tab)).pipe(
        Effect.zipRight(Effect.sleep(refreshInterval)),
        Effect.zipRight(Effect.sync(again))
      )
    )
  }
  return refresh
}

export const make = ({ devtools }: Session): Effect.Effect<ViewSession, DevtoolsError, Scope.Scope> =>
  Effect.gen(function* () {
    const run = yield* FiberSet.makeRuntime<never, unknown>()
    const tabs = new Map<string, Tab.Tab>()
    const attached = new Map<string, Tab.Tab>()
    const places = new Map<ConnectedViewer, ViewerState>()
    let inFront: string | undefined
    let stateTimer: NodeJS.Timeout | undefined

    const tell = (viewer: ConnectedViewer, { looking }: ViewerState) => viewer.tell(stateOf(tabs.values(), looking))

    const changed = () => {
      stateTimer ??= after(stateInterval, () => {
        stateTimer = undefined
        for (const [viewer, place] of places) tell(viewer, place)
      })
    }

    const refresh = makeRefresh((tab) => Effect.zipRight(Tab.refreshHistory(tab, ask), Effect.sync(changed)), run)

    const seen = new Set<Tab.Tab>()
    const open = (tab: Tab.Tab) => {
      if (seen.has(tab)) return
      seen.add(tab)
      Tab.attach(tab, ask).pipe(
        Effect.tap((sessionId) => {
          attached.set(sessionId, tab)
          refresh(tab)
        }),
        Effect.ignore,
        run
      )
    }

    /** Shows a viewer the tab that the viewer has chosen, or else the tab in front. */
    const showTab = (viewer: ConnectedViewer, place: ViewerState) => {
      const next = tabs.get(place.chosen ?? "") ?? tabs.get(inFront ?? "")
      if (next === place.looking) return
      place.looking?.screencast.leave(viewer)
      place.looking = next
      viewer.forget()
      tell(viewer, place)
      if (next === undefined) return
      next.screencast.join(viewer)
      open(next)
    }

    const showTabs = () => {
      for (const [viewer, place] of places) showTab(viewer, place)
      changed()
    }

    const remove = (id: string) => {
      const tab = tabs.get(id)
      if (tab === undefined) return
      tabs.delete(id)
      seen.delete(tab)
      if (tab.sessionId !== undefined) attached.delete(tab.sessionId)
      tab.screencast.close()
      if (inFront === id) inFront = [...tabs.keys()].at(-1)
      showTabs()
    }

    const onTarget = ({ method, params }: Event) => {
      if (method === "Target.targetDestroyed") return remove(params.targetId)
      const info: Tab.TabInfo | undefined = params.targetInfo
      if (info === undefined || info.type !== "page" || (info.subtype ?? "") !== "") return
      const tab = tabs.get(info.targetId)
      const isNews = method === "Target.targetCreated" || method === "Target.targetInfoChanged"
      // A prerendered page becomes a tab when its info changes.
      if (isNews && tab === undefined) {
        tabs.set(
          info.targetId,
          Tab.make(info, () => ask)
        )
        inFront = info.targetId
        showTabs()
      } else if (method === "Target.targetInfoChanged" && tab !== undefined) {
        if (Tab.rename(tab, info)) changed()
      }
    }

    const ask: CdpClient = yield* devtools.connect((event) => {
      if (event.sessionId === undefined) return onTarget(event)
      const tab = attached.get(event.sessionId)
      const change = tab === undefined ? "nothing" : Tab.hear(tab, event)
      if (change === "moved" && tab !== undefined) refresh(tab)
      else if (change === "shown") changed()
    })
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        clearTimeout(stateTimer)
        for (const tab of tabs.values()) tab.screencast.close()
      })
    )
    yield* ask.call("Target.setDiscoverTargets", { discover: true })

    // The browser does not report every title change, so the titles are queried each second.
    const look = Effect.gen(function* () {
      if (places.size === 0) return
      const { targetInfos } = yield* ask.call<{ readonly targetInfos: ReadonlyArray<Tab.TabInfo> }>("Target.getTargets")
      for (const info of targetInfos) {
        const tab = tabs.get(info.targetId)
        if (tab !== undefined && Tab.rename(tab, info)) changed()
      }
    })
    yield* Effect.forkScoped(Effect.repeat(Effect.ignore(look), Schedule.spaced("1 second")))

    const join = (viewer: ConnectedViewer) =>
      Effect.acquireRelease(
        Effect.sync((): ViewerHandle => {
          const place: ViewerState = { chosen: undefined, looking: undefined }
          places.set(viewer, place)
          showTab(viewer, place)
          if (place.looking === undefined) tell(viewer, place)
          return {
            tab: () => place.looking,
            look: (id) => {
              place.chosen = tabs.has(id) && id !== inFront ? id : undefined
              showTab(viewer, place)
            },
            relieved: () => place.looking?.screencast.ready()
          }
        }),
        () =>
          Effect.sync(() => {
            places.get(viewer)?.looking?.screencast.leave(viewer)
            places.delete(viewer)
          })
      )

    const front = (id: string) =>
      Effect.gen(function* () {
        if (!tabs.has(id)) return
        yield* ask.call("Target.activateTarget", { targetId: id })
        inFront = id
        showTabs()
      })

    return { ask, join, front }
  })
