/** A Chromium process of our own: it talks over a pipe, so it ends when we do, and it leaves nothing behind (spec 2.9). */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable, Writable } from "node:stream"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { reader } from "./Frames.ts"

export interface LaunchOptions {
  readonly executable: string
  readonly sandbox: boolean
  /** `host:port` of the only way out; one that lets nothing through without a secret. */
  readonly gateway: string
}

/** What `connectOverCDP` takes. */
export interface Transport {
  readonly send: (message: object) => void
  readonly close: () => void
  onmessage?: (message: object) => void
  onclose?: (reason?: string) => void
}

export interface Chromium {
  readonly pid: number
  readonly transport: Transport
  /** A folder that goes with the process. */
  readonly folder: string
  readonly isAlive: () => boolean
  /** The end of what it wrote to its log. */
  readonly said: () => string
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

const flags = ({ gateway, sandbox }: LaunchOptions, folder: string): ReadonlyArray<string> => [
  "--headless",
  "--remote-debugging-pipe",
  `--user-data-dir=${folder}/profile`,
  "--no-startup-window",
  "--no-first-run",
  "--no-default-browser-check",
  "--no-service-autorun",
  "--hide-scrollbars",
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
  // One page must not take the machine's memory with it.
  "--js-flags=--max-old-space-size=512",
  // Every byte goes through the gateway, loopback too; names are resolved there and nowhere else.
  `--proxy-server=http://${gateway}`,
  "--proxy-bypass-list=<-loopback>",
  `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${gateway.split(":", 1)[0]}`,
  "--disable-quic",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  ...(sandbox ? [] : ["--no-sandbox"])
]

/** What a program needs of the environment to run at all; no secret of the server is in it. */
const environment = (folder: string): NodeJS.ProcessEnv => {
  const kept = [
    "PATH",
    "LANG",
    "LC_ALL",
    "TZ",
    "LD_LIBRARY_PATH",
    "FONTCONFIG_FILE",
    "FONTCONFIG_PATH",
    "SystemRoot"
  ].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  // Lock files, crash reports and the like go where the profile goes.
  return { ...Object.fromEntries(kept), HOME: folder, TMPDIR: folder, TEMP: folder, TMP: folder }
}

/** A shell that waits beside the browser takes its folder away, even after we were killed. */
const command = (options: LaunchOptions, folder: string): readonly [string, ReadonlyArray<string>] => {
  const { executable } = options
  const args = flags(options, folder)
  return process.platform === "win32"
    ? [executable, args]
    : ["/bin/sh", ["-c", 'folder=$1; shift; "$@"; rm -rf "$folder"', "sluice-chromium", folder, executable, ...args]]
}

const maxSaid = 4000

const killGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid === undefined) return
  try {
    process.kill(process.platform === "win32" ? child.pid : -child.pid, signal)
  } catch {
    // It is gone already.
  }
}

const open = (options: LaunchOptions) => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-chromium-"))
  mkdirSync(join(folder, "artifacts"))
  const [program, args] = command(options, folder)
  const child = spawn(program, args, {
    // Ctrl-C in a terminal is ours to handle.
    detached: process.platform !== "win32",
    cwd: folder,
    env: environment(folder),
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"]
  })
  let said = ""
  child.stderr?.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString("utf8")).slice(-maxSaid)
  })
  const input = child.stdio[3] as Writable
  const output = child.stdio[4] as Readable
  const end = () => input.destroy()
  const transport: Transport = {
    send: (message) => void input.write(`${JSON.stringify(message)}\0`),
    close: end
  }
  let alive = true
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve())
    child.once("error", (error) => {
      said = `${said}${error.message}`
      resolve()
    })
  })
  void ended.then(() => {
    alive = false
    transport.onclose?.("the browser ended")
  })
  // A pipe that breaks is followed by the exit that broke it.
  input.on("error", () => undefined)
  output.on("error", () => undefined)
  output.on(
    "data",
    reader((message) => transport.onmessage?.(message))
  )
  const chromium: Chromium = {
    pid: child.pid ?? -1,
    transport,
    folder,
    isAlive: () => alive,
    said: () => said.trim()
  }
  return { chromium, child, ended, end }
}

/** A process for as long as the scope is open; killed when it does not go by itself. */
export const launch = (options: LaunchOptions): Effect.Effect<Chromium, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => open(options)),
    ({ chromium, child, end, ended }) =>
      Effect.promise(() => {
        end()
        const late = setTimeout(() => killGroup(child, "SIGKILL"), 2_000)
        return ended.finally(() => {
          clearTimeout(late)
          killGroup(child, "SIGKILL")
          rmSync(chromium.folder, { recursive: true, force: true, maxRetries: 3 })
        })
      })
  ).pipe(Effect.map(({ chromium }) => chromium))
