/**
 * Runs Chromium, connected to Playwright, while a scope is open.
 *
 * - Starting fails with `BROWSER_UNAVAILABLE` if the browser cannot run here (retrying does not help), and with `BROWSER_LOST` if it was
 *   too slow.
 * - A memory watchdog (Linux) kills the renderer process of a page that takes too much memory. Only the request of that page fails.
 */
import { setImmediate as nextTurn } from "node:timers/promises"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Browser } from "playwright-core"
import { Unavailable } from "../../Api/Errors.ts"
import { safely } from "../../Callback.ts"
import { loadDriver } from "../../Settings/Chromium.ts"
import * as Settings from "../../Settings.ts"
import { residentBytes } from "../Teams/ResidentMemory.ts"
import { readMessages } from "./CdpMessages.ts"
import type * as Gateway from "./Gateway.ts"
import { type Chromium, launch } from "./Launch.ts"
import * as Tab from "./Tab.ts"

export const startTimeout = "20 seconds"

/** Transport for Playwright's `connectOverCDP`. */
interface Transport {
  readonly send: (message: object) => void
  readonly close: () => void
  onmessage?: (message: object) => void
  onclose?: (reason?: string) => void
}

const transportOf = ({ input, onEnd, output }: Chromium): Transport => {
  const transport: Transport = {
    send: (message) => void input.write(`${JSON.stringify(message)}\0`),
    close: () => void input.destroy()
  }
  onEnd(() => transport.onclose?.("the browser ended"))
  output.on(
    "data",
    safely(
      readMessages((message) => transport.onmessage?.(message)),
      () => transport.close()
    )
  )
  return transport
}

/** Creates an error that lasts until an operator changes the setup, so clients do not retry. */
export const unavailable = (error: string) => new Unavailable({ error, code: "BROWSER_UNAVAILABLE" })

// Matches Chromium's log if its sandbox does not work. The zygote process starts the sandbox: if chroot is forbidden, the log names only
// the zygote.
const sandboxFailure =
  /no.sandbox|usable sandbox|namespace sandbox|setuid sandbox|sandbox_host|credentials\.cc|sys_chroot|zygote/i

const startHint = (log: string): string =>
  sandboxFailure.test(log)
    ? `Its sandbox does not work here. Run the engine as a user that may create namespaces, not as root; in a container, use the seccomp profile that compose.yaml names. If you trust every page, you can set ${Settings.catalogue.chromiumNoSandbox.env}=1 instead.`
    : `Its log ends with: ${log === "" ? "nothing" : log.split("\n").slice(-3).join(" ").slice(-500)}`

/** Creates the error for a browser that ended while starting, or could not be connected to. */
export const notStarted = (executable: string, log: string) =>
  unavailable(`${executable} does not start. ${startHint(log)}`)

/** Creates the error for a browser that did not answer in time. A retry may help, unless the log names the sandbox. */
export const startTimedOut = (executable: string, log: string) =>
  sandboxFailure.test(log)
    ? notStarted(executable, log)
    : new Unavailable({
        error: `${executable} did not answer within ${startTimeout}. Try again when the machine is less busy. ${startHint(log)}`,
        code: "BROWSER_LOST"
      })

const closeTimeout = "5 seconds"

/**
 * Page command whose answer shows that localStorage is on disk. A separate process stores localStorage, delays writes for seconds, and is
 * killed when the browser ends. It writes all changes when the last page of a site closes, and only then handles this command, which
 * removes nothing.
 */
export const storageBarrier = {
  method: "Storage.clearDataForOrigin",
  params: { origin: "http://storage.invalid", storageTypes: "local_storage" }
} as const

/**
 * True for a page that may have localStorage. Chromium also lists its own parts, such as its address bar, as pages, and does not close
 * them.
 */
export const mayStore = (url: string): boolean => url === "" || /^(?:https?|blob|about):/.test(url)

export interface RunningBrowser {
  readonly chromium: Chromium
  readonly browser: Browser
  readonly userAgent: string
  readonly isAlive: () => boolean
  /** Never succeeds; fails when the browser ends. */
  readonly end: Effect.Effect<never, Unavailable>
  /** CDP call to the browser itself, not to one of its pages. */
  readonly call: (method: string, params?: object) => Effect.Effect<unknown, Tab.BrowserCallFailed>
  /** Closes the pages of the profile and waits until their localStorage is on disk: see {@link storageBarrier}. */
  readonly flush: Effect.Effect<void, Tab.BrowserCallFailed>
  /** Closes the browser, so that it writes its profile. Returns after `closeTimeout` at the latest. */
  readonly close: Effect.Effect<void>
  /** Number of pages opened so far. */
  pages: number
}

/**
 * Loads Playwright on demand. An import would first search its 7 MB for exports, which takes as long as loading them. The two halves are
 * loaded in two event-loop turns.
 */
const loadPlaywright = async (): Promise<typeof import("playwright-core")> => {
  try {
    loadDriver("lib/utilsBundle.js")
  } catch {
    // An internal file of the package, which later versions may not have. Without it, everything is loaded in one turn.
  }
  await nextTurn()
  // Playwright takes no screenshot before all fonts have loaded, however long that takes; `Capture.ts` waits for them itself.
  process.env.PW_TEST_SCREENSHOT_NO_FONTS_READY = "1"
  return loadDriver() as typeof import("playwright-core")
}

/** Starts a browser. Fails with the end of its log. `prepareProfile` fills the profile folder before the start. */
export const start = (
  executable: string,
  sandbox: boolean,
  gateway: Gateway.Gateway,
  prepareProfile?: (profile: string) => Effect.Effect<void>
) =>
  Effect.gen(function* () {
    const chromium = yield* launch({
      executable,
      sandbox,
      gateway: gateway.address,
      prepareProfile,
      flags: ["--hide-scrollbars"]
    })
    const failed = () => notStarted(executable, chromium.logTail())
    const ended = Effect.async<never, Unavailable>((resume) => {
      const timer = setInterval(
        safely(() => {
          if (!chromium.isAlive()) resume(Effect.fail(failed()))
        }),
        20
      )
      return Effect.sync(() => clearInterval(timer))
    })
    const browser = yield* Tab.callBrowser(loadPlaywright).pipe(
      Effect.flatMap((playwright) =>
        Tab.callBrowser(() =>
          playwright.chromium.connectOverCDP(transportOf(chromium), {
            artifactsDir: `${chromium.folder}/artifacts`,
            timeout: 0
          })
        )
      ),
      Effect.mapError(failed),
      Effect.raceFirst(ended),
      Effect.timeoutFail({ duration: startTimeout, onTimeout: () => startTimedOut(executable, chromium.logTail()) })
    )
    const session = yield* Effect.mapError(
      Tab.callBrowser(() => browser.newBrowserCDPSession()),
      failed
    )
    const { userAgent } = yield* Effect.mapError(
      Tab.callBrowser(() => session.send("Browser.getVersion")),
      failed
    )
    yield* Effect.forkScoped(watchMemory(Tab.callBrowser(() => session.send("SystemInfo.getProcessInfo"))))
    const gone = yield* Deferred.make<never, Unavailable>()
    browser.on(
      "disconnected",
      safely(() => Deferred.unsafeDone(gone, Effect.fail(failed())))
    )
    const call = (method: string, params?: object) =>
      Tab.callBrowser((): Promise<unknown> => session.send(method as "Browser.close", params as undefined))
    const over = Effect.async<void>((resume) => chromium.onEnd(() => resume(Effect.void)))
    const running: RunningBrowser = {
      chromium,
      browser,
      call,
      flush: Tab.callBrowser(async () => {
        const context = browser.contexts()[0]
        if (context === undefined) return
        const pages = context.pages().filter((page) => mayStore(page.url()))
        const last = await context.newPage()
        await Promise.all(pages.map((page) => page.close()))
        await (await context.newCDPSession(last)).send(storageBarrier.method, storageBarrier.params)
      }),
      // Runs in finalizers, which are uninterruptible by default; the timeout needs interruption.
      close: call("Browser.close").pipe(
        Effect.ignore,
        Effect.zipRight(over),
        Effect.interruptible,
        Effect.timeoutOption(closeTimeout),
        Effect.asVoid
      ),
      userAgent,
      isAlive: () => browser.isConnected(),
      end: Deferred.await(gone),
      pages: 0
    }
    return running
  })

/** Maximum resident bytes of one renderer process, of all of them, and of the browser process; and the interval between checks. */
export interface MemoryLimits {
  readonly page: number
  readonly all: number
  readonly browser: number
  readonly interval: Duration.DurationInput
}

const unlimited = Number.POSITIVE_INFINITY
const defaultLimits: MemoryLimits = {
  page: 1024 * 1024 * 1024,
  all: unlimited,
  browser: unlimited,
  interval: "250 millis"
}

/** Entry of `SystemInfo.getProcessInfo`. */
interface BrowserProcess {
  readonly id: number
  readonly type: string
}

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // The process has already ended.
  }
}

/** Returns the renderer processes to kill: each one over its limit, and the largest one if all together exceed the total. */
const overLimit = (processes: ReadonlyArray<BrowserProcess>, { all, page }: MemoryLimits): ReadonlyArray<number> => {
  const sizes = processes.flatMap(({ id, type }) => (type === "renderer" ? [{ id, bytes: residentBytes(id) }] : []))
  const sum = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  const most = Math.max(...sizes.map(({ bytes }) => bytes))
  return sizes.flatMap(({ bytes, id }) => (bytes > page || (sum > all && bytes === most) ? [id] : []))
}

/**
 * Memory watchdog. Runs until it is interrupted or the browser has ended. The browser process is checked independently of the CDP call that
 * lists the others, because a browser that does not answer may be growing.
 */
export const watchMemory = <E>(
  processes: Effect.Effect<{ readonly processInfo: ReadonlyArray<BrowserProcess> }, E>,
  limits = defaultLimits
): Effect.Effect<void> =>
  process.platform !== "linux"
    ? Effect.void
    : Effect.suspend(() => {
        let browser: number | undefined
        const checkRenderers = processes.pipe(
          Effect.tap(({ processInfo }) =>
            Effect.sync(() => {
              browser = processInfo.find(({ type }) => type === "browser")?.id
              overLimit(processInfo, limits).forEach(kill)
            })
          ),
          Effect.repeat(Schedule.spaced(limits.interval))
        )
        const checkBrowser = Effect.sync(() => {
          if (browser !== undefined && residentBytes(browser) > limits.browser) kill(browser)
        }).pipe(Effect.repeat(Schedule.spaced(limits.interval)))
        return Effect.ignore(Effect.raceFirst(checkRenderers, checkBrowser))
      })
