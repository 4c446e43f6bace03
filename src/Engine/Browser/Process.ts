/**
 * Chromium process of a session, with one empty page. All its traffic passes a gateway (a local proxy) of its own. The process ends with
 * the scope, and asks the session to end when a program closes the browser or a limit of bytes, requests or disk space is reached.
 */
import { mkdirSync } from "node:fs"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Unavailable } from "../../Api/Errors.ts"
import type { Guard } from "../../Guard.ts"
import type { DnsResolver } from "../Fetch/DnsResolver.ts"
import type { Proxies } from "../Fetch/Proxies.ts"
import * as Gateway from "../Render/Gateway.ts"
import { type Chromium, launch } from "../Render/Launch.ts"
import * as RunningBrowser from "../Render/RunningBrowser.ts"
import { mayStore, notStarted, startTimedOut, startTimeout, storageBarrier } from "../Render/RunningBrowser.ts"
import type { TrafficLimits } from "../Render/TrafficAccount.ts"
import * as Devtools from "./Devtools.ts"
import type { TargetInfo } from "./Targets.ts"

/** Maximum time for the browser to end by itself. */
const closeTimeout = "5 seconds"

/** Maximum traffic that one session may load through its gateway. */
const maxBytes = 4 * 1024 * 1024 * 1024
const maxRequests = 200_000
/** Memory limits: of each page, of all pages, and of the rest of the browser. */
const memory = {
  page: 1024 * 1024 * 1024,
  all: 2 * 1024 * 1024 * 1024,
  browser: 1536 * 1024 * 1024,
  interval: "1 second"
} as const
export const maxDisk = 2 * 1024 * 1024 * 1024

export interface ProcessOptions {
  readonly executable: string
  readonly sandbox: boolean
  readonly guard: Context.Tag.Service<typeof Guard>
  /** Pool of proxies for all requests. */
  readonly proxy?: TrafficLimits["proxy"]
  readonly furnish?: ((profile: string) => Effect.Effect<void>) | undefined
  /** Called when the session should end: a program closed the browser, or a limit is used up. */
  readonly onAsked: (why: "closed" | "spent") => void
}

export interface Process {
  readonly chromium: Chromium
  readonly devtools: Devtools.Devtools
  readonly downloads: string
  /** Completes when the browser has ended. */
  readonly gone: Effect.Effect<void>
  /** Closes the pages and waits until their localStorage is on disk: see {@link storageBarrier}. */
  readonly flush: Effect.Effect<void, Devtools.DevtoolsError>
  /** Asks the browser to write its state to disk and exit. Returns after `closeTimeout` at the latest. */
  readonly close: Effect.Effect<void>
}

/** Closes pages that left the web, for example for a local file. */
const closeStrays = (devtools: () => Devtools.Devtools | undefined) => (event: Devtools.Event) => {
  if (event.method !== "Target.targetInfoChanged" && event.method !== "Target.targetCreated") return
  const { targetInfo } = event.params
  if (devtools()?.targets.isStray(targetInfo)) {
    devtools()?.root.tell("Target.closeTarget", { targetId: targetInfo.targetId })
  }
}

/** Starts a browser until the scope closes. A failure contains the browser's stderr. */
export const start = (
  options: ProcessOptions
): Effect.Effect<Process, Unavailable, DnsResolver | Proxies | Scope.Scope> =>
  Effect.gen(function* () {
    const { executable, furnish, guard, onAsked, proxy, sandbox } = options
    const gateway = yield* Gateway.make(guard, {
      bytes: maxBytes,
      requests: maxRequests,
      skipTlsVerification: false,
      isBlockedHost: () => false,
      proxy,
      onSpent: () => onAsked("spent")
    })
    const chromium = yield* launch({
      executable,
      sandbox,
      gateway: gateway.address,
      prepareProfile: furnish,
      flags: ["--window-size=1280,800", "--noerrdialogs", "--disk-cache-size=104857600"]
    })
    const downloads = join(chromium.folder, "downloads")
    yield* Effect.sync(() => mkdirSync(downloads))
    const over = yield* Deferred.make<void>()
    chromium.onEnd(() => Deferred.unsafeDone(over, Effect.void))
    const gone = Deferred.await(over)
    let known: Devtools.Devtools | undefined
    const devtools = new Devtools.Devtools(chromium, {
      downloads,
      onRootEvent: closeStrays(() => known),
      onClose: () => onAsked("closed")
    })
    known = devtools
    const { root } = devtools
    const failed = () => notStarted(executable, chromium.logTail())
    yield* Effect.all(
      [
        root.call("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: downloads }),
        // The filter includes all types, even tabs, because clients may attach to them.
        root.call("Target.setDiscoverTargets", { discover: true, filter: [{}] }),
        root.call("Target.createTarget", { url: "about:blank" })
      ],
      { concurrency: "unbounded", discard: true }
    ).pipe(
      Effect.mapError(failed),
      Effect.raceFirst(Effect.zipRight(gone, Effect.suspend(failed))),
      Effect.timeoutFail({ duration: startTimeout, onTimeout: () => startTimedOut(executable, chromium.logTail()) })
    )
    yield* Effect.forkScoped(
      RunningBrowser.watchMemory(
        root.call<{ processInfo: ReadonlyArray<{ id: number; type: string }> }>("SystemInfo.getProcessInfo"),
        memory
      )
    )
    yield* Effect.forkScoped(watch(chromium.folder, maxDisk).pipe(Effect.zipRight(Effect.sync(() => onAsked("spent")))))
    const close = root.call("Browser.close").pipe(
      Effect.ignore,
      Effect.zipRight(gone),
      // Also runs in a finalizer, which is uninterruptible, so the timeout needs an interruptible part.
      Effect.interruptible,
      Effect.timeoutOption(closeTimeout),
      Effect.asVoid
    )
    return { chromium, devtools, downloads, gone, flush: flush(root), close }
  })

const flush = (root: Devtools.CdpClient) =>
  Effect.gen(function* () {
    const pages = Effect.map(
      root.call<{ readonly targetInfos: ReadonlyArray<TargetInfo> }>("Target.getTargets"),
      ({ targetInfos }) =>
        targetInfos.filter(({ type, url }) => type === "page" && mayStore(url)).map(({ targetId }) => targetId)
    )
    const open = yield* pages
    // The browser needs one page for the last command.
    const { targetId: last } = yield* root.call<{ readonly targetId: string }>("Target.createTarget", {
      url: "about:blank"
    })
    const { sessionId } = yield* root.call<{ readonly sessionId: string }>("Target.attachToTarget", {
      targetId: last,
      flatten: true
    })
    // The command fails for a page that has closed by itself in the meantime.
    yield* Effect.forEach(open, (targetId) => Effect.ignore(root.call("Target.closeTarget", { targetId })))
    yield* Effect.repeat(pages, {
      schedule: Schedule.spaced("20 millis"),
      until: (left) => !left.some((page) => open.includes(page))
    })
    yield* root.call(storageBarrier.method, storageBarrier.params, sessionId)
  })

/** Interval between two measurements of the folder's size. */
const interval = "10 seconds"

/** Bytes of a folder on disk. Ignores files that disappear meanwhile. */
const sizeOf = (folder: string): Effect.Effect<number> =>
  Effect.tryPromise(() => Fs.readdir(folder, { recursive: true, withFileTypes: true })).pipe(
    Effect.flatMap((entries) =>
      Effect.forEach(
        entries.filter((entry) => entry.isFile()),
        ({ name, parentPath }) =>
          Effect.tryPromise(() => Fs.stat(join(parentPath, name))).pipe(
            Effect.map(({ blocks }) => blocks * 512),
            Effect.orElseSucceed(() => 0)
          ),
        { concurrency: 4 }
      )
    ),
    Effect.map((sizes) => sizes.reduce((sum, size) => sum + size, 0)),
    Effect.orElseSucceed(() => 0)
  )

/** Completes when the folder is larger than `max` bytes. */
export const watch = (folder: string, max: number): Effect.Effect<void> =>
  Effect.sleep(interval).pipe(
    Effect.zipRight(sizeOf(folder)),
    Effect.repeat({ until: (size) => size > max }),
    Effect.asVoid
  )
