/**
 * Launches Chromium, controlled over a debugging pipe.
 *
 * - The process ends with the scope: first the pipe closes, and after 2 seconds the whole process group gets SIGKILL.
 * - If the engine is killed, the pipe breaks and Chromium exits; a supervising shell then deletes its folder.
 * - All network traffic goes through the gateway. The environment contains no secrets of the server.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Duplex, PassThrough, type Readable, type Writable } from "node:stream"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { after, on } from "../../Callback.ts"
import { prefix, shortPlace } from "../Store/Scratch.ts"
import { variables } from "../Teams/Environment.ts"

export interface LaunchOptions {
  readonly executable: string
  readonly sandbox: boolean
  /** `host:port` of the proxy for all traffic. */
  readonly gateway: string
  /** Additional command line flags. */
  readonly flags?: ReadonlyArray<string> | undefined
  /** Fills the profile folder before the start. */
  readonly prepareProfile?: ((profile: string) => Effect.Effect<void>) | undefined
}

export interface Chromium {
  /** Process id of the shell that leads the process group. It exits shortly after the browser. */
  readonly pid: number
  /** Debugging pipe: JSON messages, each terminated by NUL. */
  readonly input: Writable
  readonly output: Readable
  /** Temporary folder, deleted with the scope or when the engine is killed. */
  readonly folder: string
  /** Profile folder with the data of sites. Complete once the browser has ended. */
  readonly profile: string
  readonly isAlive: () => boolean
  /** The listener is called once, when the browser has ended. */
  readonly onEnd: (listener: () => void) => void
  /** Last characters of the browser's standard error. */
  readonly logTail: () => string
}

const features = [
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "AutofillServerCommunication",
  "DestroyProfileOnBrowserClose",
  "DialMediaRouteProvider",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "LocalNetworkAccessChecks",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "Translate"
]

const flagsOf = ({ flags = [], gateway, sandbox }: LaunchOptions, profile: string): ReadonlyArray<string> => [
  "--headless",
  "--remote-debugging-pipe",
  `--user-data-dir=${profile}`,
  "--no-startup-window",
  "--no-first-run",
  "--no-default-browser-check",
  "--no-service-autorun",
  "--mute-audio",
  "--use-mock-keychain",
  "--password-store=basic",
  "--force-color-profile=srgb",
  "--disable-back-forward-cache",
  "--disable-background-networking",
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-breakpad",
  "--disable-client-side-phishing-detection",
  "--disable-component-extensions-with-background-pages",
  "--disable-component-update",
  "--disable-crash-reporter",
  "--disable-default-apps",
  "--disable-dev-shm-usage",
  "--disable-domain-reliability",
  "--disable-extensions",
  "--disable-field-trial-config",
  "--disable-hang-monitor",
  "--disable-prompt-on-repost",
  "--disable-renderer-backgrounding",
  "--disable-search-engine-choice-screen",
  "--disable-sync",
  `--disable-features=${features.join(",")}`,
  "--metrics-recording-only",
  "--no-pings",
  // Limits the JavaScript heap of a page, in MB.
  "--js-flags=--max-old-space-size=512",
  // All traffic, including loopback, goes through the gateway. Only the gateway resolves names.
  `--proxy-server=http://${gateway}`,
  "--proxy-bypass-list=<-loopback>",
  `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${gateway.split(":", 1)[0]}`,
  "--disable-quic",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  ...(sandbox ? [] : ["--no-sandbox"]),
  ...flags
]

/** Minimal environment, without the secrets of the server. */
const environment = (folder: string): NodeJS.ProcessEnv => {
  const kept = ["PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH", "SystemRoot"]
  // Lock files and crash reports are deleted with the folder.
  return { ...variables(kept), HOME: folder, TMPDIR: folder, TEMP: folder, TMP: folder }
}

/**
 * Shell script around the browser: reports its end on fd 5, waits until the engine closes fd 5 or dies, and deletes the folder. A browser
 * that does not exit within 5 seconds after the engine's end is killed.
 */
const supervisor = [
  "folder=$1; shift",
  '"$@" 5<&- & browser=$!',
  // Close the shell's copies of the debugging pipe, so that it breaks with the browser. Ignore SIGPIPE: the engine may be gone.
  "exec 3<&- 4>&-; trap '' PIPE",
  '(read -r _ <&5; sleep 5; kill -KILL "$browser") 2>/dev/null & watcher=$!',
  'wait "$browser"; kill "$watcher" 2>/dev/null',
  "echo ended >&5 2>/dev/null",
  "read -r _ <&5",
  // Browser processes may outlive the browser under load, and write into the folder.
  "trap '' TERM; kill -TERM 0",
  'for _ in 1 2 3 4 5; do rm -rf "$folder" && break; sleep 1; done'
].join("\n")

const command = (options: LaunchOptions, folder: string, profile: string): readonly [string, ReadonlyArray<string>] => {
  const { executable } = options
  const args = flagsOf(options, profile)
  return process.platform === "win32"
    ? [executable, args]
    : ["/bin/sh", ["-c", supervisor, "sluice-chromium", folder, executable, ...args]]
}

const maxLogTail = 4000

const killGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid === undefined) return
  try {
    process.kill(process.platform === "win32" ? child.pid : -child.pid, signal)
  } catch {
    // The process has already ended.
  }
}

/** Maximum bytes of the folder's path: Chromium creates a socket in it, and socket paths are limited to 104 bytes. */
const maxFolderPath = 104 - "/org.chromium.Chromium.XXXXXX/SingletonSocket".length

const makeFolder = () => {
  const isLong = Buffer.byteLength(join(tmpdir(), `${prefix}c-XXXXXX`)) > maxFolderPath
  const folder = mkdtempSync(join((isLong ? shortPlace : undefined) ?? tmpdir(), `${prefix}c-`))
  const profile = join(folder, "profile")
  mkdirSync(join(folder, "artifacts"))
  mkdirSync(profile)
  return { folder, profile }
}

const spawnBrowser = (options: LaunchOptions, { folder, profile }: ReturnType<typeof makeFolder>) => {
  const [program, args] = command(options, folder, profile)
  const child = spawn(program, args, {
    // A process group of its own, so that Ctrl-C in a terminal reaches only the engine.
    detached: process.platform !== "win32",
    cwd: folder,
    env: environment(folder),
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe", "pipe"]
  })
  let log = ""
  on(child.stderr, "data", (chunk: Buffer) => {
    log = (log + chunk.toString("utf8")).slice(-maxLogTail)
  })
  // Without free file descriptors there are no pipes; the `error` event below reports the cause.
  const pipes = child.stdio?.slice(3) ?? [new PassThrough(), new PassThrough(), new PassThrough()]
  // As the `stdio` option of `spawn` orders them: fd 3 is written, fd 4 is read, fd 5 is both.
  const [input, output, hold] = pipes as unknown as [Writable, Readable, Duplex]
  // A broken pipe is followed by `exit`, which is handled below.
  for (const stream of [input, output, hold]) on(stream, "error", () => undefined)
  let alive = true
  const ended = new Promise<void>((resolve) => {
    on(hold, "data", () => resolve())
    on(child, "exit", () => resolve())
    on(child, "error", (error: Error) => {
      log = `${log}${error.message}`
      resolve()
    })
  }).then(() => {
    alive = false
  })
  const chromium: Chromium = {
    pid: child.pid ?? -1,
    input,
    output,
    folder,
    profile,
    isAlive: () => alive,
    onEnd: (listener) => void ended.then(listener),
    logTail: () => log.trim()
  }
  const close = () => {
    input.destroy()
    const late = after(2_000, () => killGroup(child, "SIGKILL"))
    return ended.finally(() => {
      clearTimeout(late)
      killGroup(child, "SIGKILL")
      hold.destroy()
      output.destroy()
      child.stderr?.destroy()
    })
  }
  return { chromium, close }
}

/** Starts Chromium. It ends with the scope, by SIGKILL if it does not exit in time. */
export const launch = (options: LaunchOptions): Effect.Effect<Chromium, never, Scope.Scope> =>
  Effect.gen(function* () {
    const made = yield* Effect.acquireRelease(Effect.sync(makeFolder), ({ folder }) =>
      // Asynchronous, since a page can create any number of files. Ten tries in five seconds, because on a busy machine killed processes
      // may write into the folder for seconds more.
      Effect.promise(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
    )
    yield* options.prepareProfile?.(made.profile) ?? Effect.void
    yield* Effect.sync(() => writePreferences(made.profile))
    const { chromium } = yield* Effect.acquireRelease(
      Effect.sync(() => spawnBrowser(options, made)),
      ({ close }) => Effect.promise(close)
    )
    return chromium
  })

/**
 * Blocks local and internal URLs in Chromium itself. Chromium's own components (such as the PDF viewer) and CDP clients could open them,
 * and a check after the navigation would be too late.
 */
const preferences = {
  policy: { url_blocklist: ["file://*", "chrome://*", "chrome-untrusted://*", "devtools://*", "view-source:*"] }
}

/** Writes the preferences into a profile. */
export const writePreferences = (profile: string): void => {
  const folder = join(profile, "Default")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "Preferences"), JSON.stringify(preferences))
}
