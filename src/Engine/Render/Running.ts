/**
 * A running Chromium that answers, for as long as a scope is open. Kills a renderer process that takes too much memory; only its
 * request fails.
 */

import { readFileSync } from "node:fs"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Browser } from "playwright-core"
import { Unavailable } from "../../Api/Errors.ts"
import { safely } from "../../Callback.ts"
import * as Settings from "../../Settings.ts"
import { reader } from "./Frames.ts"
import type * as Gateway from "./Gateway.ts"
import { type Chromium, launch } from "./Launch.ts"
import * as Tab from "./Tab.ts"

/** How long a start may take. */
export const patience = "20 seconds"

/** What `connectOverCDP` takes. */
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
      reader((message) => transport.onmessage?.(message)),
      () => transport.close()
    )
  )
  return transport
}

/** The browser cannot work until an operator changes the setup. Clients do not try again. */
export const unavailable = (error: string) => new Unavailable({ error, code: "BROWSER_UNAVAILABLE" })

// The zygote is what begins the sandbox: a seccomp filter that takes chroot away ends it without a word about either.
const ofSandbox =
  /no.sandbox|usable sandbox|namespace sandbox|setuid sandbox|sandbox_host|credentials\.cc|sys_chroot|zygote/i

const whyNot = (said: string): string =>
  ofSandbox.test(said)
    ? `Its sandbox does not work here: run the engine as a user that may make namespaces and not as root, in a container with the seccomp profile that compose.yaml names, or, where every page is trusted, set ${Settings.catalogue.chromiumNoSandbox.env}=1.`
    : `It said: ${said === "" ? "nothing" : said.split("\n").slice(-3).join(" ").slice(-500)}`

/** A browser that ended while it started, or could not be talked to. */
export const notStarted = (executable: string, said: string) =>
  unavailable(`${executable} does not start. ${whyNot(said)}`)

/** A browser that does not answer in time: the machine may be busy, unless it is the sandbox that holds it. */
export const late = (executable: string, said: string) =>
  ofSandbox.test(said)
    ? notStarted(executable, said)
    : new Unavailable({
        error: `${executable} did not answer within ${patience}. Try again when the machine has less to do. ${whyNot(said)}`,
        code: "BROWSER_LOST"
      })

/** An orderly end may take so long. */
const farewell = "5 seconds"

/** A browser that answers. */
export interface Running {
  readonly chromium: Chromium
  readonly browser: Browser
  readonly userAgent: string
  readonly isAlive: () => boolean
  /** Never succeeds; fails when it is gone. */
  readonly end: Effect.Effect<never, Unavailable>
  /** Asks the browser itself, not one of its pages. */
  readonly call: (method: string, params?: object) => Effect.Effect<unknown, Tab.Broken>
  /** Lets it write down what it has, and end; done after a while in any case. */
  readonly close: Effect.Effect<void>
  pages: number
}

/** Starts one; fails with what it said when it does not answer. */
export const start = (
  executable: string,
  sandbox: boolean,
  gateway: Gateway.Gateway,
  furnish?: (profile: string) => Effect.Effect<void>
) =>
  Effect.gen(function* () {
    const chromium = yield* launch({
      executable,
      sandbox,
      gateway: gateway.address,
      furnish,
      flags: ["--hide-scrollbars"]
    })
    const failed = () => notStarted(executable, chromium.said())
    const ended = Effect.async<never, Unavailable>((resume) => {
      const timer = setInterval(
        safely(() => {
          if (!chromium.isAlive()) resume(Effect.fail(failed()))
        }),
        20
      )
      return Effect.sync(() => clearInterval(timer))
    })
    // A third of a second and sixty megabytes that most engines never need.
    const browser = yield* Tab.ask(() => import("playwright-core")).pipe(
      Effect.flatMap((playwright) =>
        Tab.ask(() =>
          playwright.chromium.connectOverCDP(transportOf(chromium), {
            artifactsDir: `${chromium.folder}/artifacts`,
            timeout: 0
          })
        )
      ),
      Effect.mapError(failed),
      Effect.raceFirst(ended),
      Effect.timeoutFail({ duration: patience, onTimeout: () => late(executable, chromium.said()) })
    )
    const session = yield* Effect.mapError(
      Tab.ask(() => browser.newBrowserCDPSession()),
      failed
    )
    const { userAgent } = yield* Effect.mapError(
      Tab.ask(() => session.send("Browser.getVersion")),
      failed
    )
    yield* Effect.forkScoped(watch(Tab.ask(() => session.send("SystemInfo.getProcessInfo"))))
    const gone = yield* Deferred.make<never, Unavailable>()
    browser.on(
      "disconnected",
      safely(() => Deferred.unsafeDone(gone, Effect.fail(failed())))
    )
    const call = (method: string, params?: object) =>
      Tab.ask((): Promise<unknown> => session.send(method as "Browser.close", params as undefined))
    const over = Effect.async<void>((resume) => chromium.onEnd(() => resume(Effect.void)))
    const running: Running = {
      chromium,
      browser,
      call,
      // It is called when a scope closes, where nothing can be interrupted that does not say so.
      close: call("Browser.close").pipe(
        Effect.ignore,
        Effect.zipRight(over),
        Effect.interruptible,
        Effect.timeoutOption(farewell),
        Effect.asVoid
      ),
      userAgent,
      isAlive: () => browser.isConnected(),
      end: Deferred.await(gone),
      pages: 0
    }
    return running
  })

/** Resident bytes of one page's process, of all of them together, of the browser itself, and how often that is looked at. */
export interface Limits {
  readonly page: number
  readonly all: number
  readonly browser: number
  readonly interval: Duration.DurationInput
}

const unbounded = Number.POSITIVE_INFINITY
const usual: Limits = { page: 1024 * 1024 * 1024, all: unbounded, browser: unbounded, interval: "250 millis" }

const pageBytes = 4096

/** As `SystemInfo.getProcessInfo` tells it. */
interface Process {
  readonly id: number
  readonly type: string
}

/** Asked of the system; 0 where unknown. */
const residentBytes = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1] ?? 0) * pageBytes
  } catch {
    return 0
  }
}

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It is gone already.
  }
}

/** Those that take too much, and of all that take too much together the largest. */
const culprits = (processes: ReadonlyArray<Process>, { all, page }: Limits): ReadonlyArray<number> => {
  const sizes = processes.flatMap(({ id, type }) => (type === "renderer" ? [{ id, bytes: residentBytes(id) }] : []))
  const sum = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  const most = Math.max(...sizes.map(({ bytes }) => bytes))
  return sizes.flatMap(({ bytes, id }) => (bytes > page || (sum > all && bytes === most) ? [id] : []))
}

/**
 * Runs until it is interrupted, or the browser is gone. The browser itself is looked at also while it leaves the question
 * unanswered: what nobody reads of its other answers is in its memory meanwhile.
 */
export const watch = <E>(
  processes: Effect.Effect<{ readonly processInfo: ReadonlyArray<Process> }, E>,
  limits = usual
): Effect.Effect<void> =>
  process.platform !== "linux"
    ? Effect.void
    : Effect.suspend(() => {
        let browser: number | undefined
        const cull = processes.pipe(
          Effect.tap(({ processInfo }) =>
            Effect.sync(() => {
              browser = processInfo.find(({ type }) => type === "browser")?.id
              culprits(processInfo, limits).forEach(kill)
            })
          ),
          Effect.repeat(Schedule.spaced(limits.interval))
        )
        const look = Effect.sync(() => {
          if (browser !== undefined && residentBytes(browser) > limits.browser) kill(browser)
        }).pipe(Effect.repeat(Schedule.spaced(limits.interval)))
        return Effect.ignore(Effect.raceFirst(cull, look))
      })
