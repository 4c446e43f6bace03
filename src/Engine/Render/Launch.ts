/**
 * Launches a Chromium process, controlled over a pipe so that it ends with the engine, and leaves no files behind.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Duplex, PassThrough, type Readable, type Writable } from "node:stream"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { safely } from "../../Callback.ts"
import { prefix, shortPlace } from "../Scratch.ts"

export interface LaunchOptions {
  readonly executable: string
  readonly sandbox: boolean
  /** `host:port` of the only way out; one that lets nothing through without a secret. */
  readonly gateway: string
  /** Flags of one use only. */
  readonly flags?: ReadonlyArray<string> | undefined
  /** Puts into the profile's folder what is to be there from the start. */
  readonly furnish?: ((profile: string) => Effect.Effect<void>) | undefined
}

export interface Chromium {
  /** The leader of its group, which ends a little later than the browser. */
  readonly pid: number
  /** Messages go in and come out, each with a NUL behind it. */
  readonly input: Writable
  readonly output: Readable
  /** A folder that goes with the scope, and with us. */
  readonly folder: string
  /** Where it keeps what sites store; whole once the browser has ended. */
  readonly profile: string
  readonly isAlive: () => boolean
  /** Told once, when the browser has ended. */
  readonly onEnd: (listener: () => void) => void
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
  // One page must not take the machine's memory with it.
  "--js-flags=--max-old-space-size=512",
  // Every byte goes through the gateway, loopback too; names are resolved there and nowhere else.
  `--proxy-server=http://${gateway}`,
  "--proxy-bypass-list=<-loopback>",
  `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${gateway.split(":", 1)[0]}`,
  "--disable-quic",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  ...(sandbox ? [] : ["--no-sandbox"]),
  ...flags
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

/**
 * A shell that waits beside the browser says when it has ended, and takes its folder away once nobody holds it any more,
 * even after we were killed.
 */
const script = [
  "folder=$1; shift",
  '"$@" 5<&- &',
  // Else the pipe would not break with the browser; and who reads ours may be gone first.
  "exec 3<&- 4>&-; trap '' PIPE",
  "wait",
  "echo ended >&5 2>/dev/null",
  "read -r _ <&5",
  // A process of the browser may write a last file meanwhile.
  'for _ in 1 2 3 4 5; do rm -rf "$folder" && break; sleep 1; done'
].join("\n")

const command = (options: LaunchOptions, folder: string, profile: string): readonly [string, ReadonlyArray<string>] => {
  const { executable } = options
  const args = flagsOf(options, profile)
  return process.platform === "win32"
    ? [executable, args]
    : ["/bin/sh", ["-c", script, "sluice-chromium", folder, executable, ...args]]
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

/** Chromium puts a socket into the folder, and the path of a socket has 104 bytes at most: so many are left for the folder's. */
const longestFolder = 104 - "/org.chromium.Chromium.XXXXXX/SingletonSocket".length

const makeFolder = () => {
  const isLong = Buffer.byteLength(join(tmpdir(), `${prefix}c-XXXXXX`)) > longestFolder
  const folder = mkdtempSync(join((isLong ? shortPlace : undefined) ?? tmpdir(), `${prefix}c-`))
  const profile = join(folder, "profile")
  mkdirSync(join(folder, "artifacts"))
  mkdirSync(profile)
  return { folder, profile }
}

const open = (options: LaunchOptions, { folder, profile }: ReturnType<typeof makeFolder>) => {
  const [program, args] = command(options, folder, profile)
  const child = spawn(program, args, {
    // Ctrl-C in a terminal is ours to handle.
    detached: process.platform !== "win32",
    cwd: folder,
    env: environment(folder),
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe", "pipe"]
  })
  let said = ""
  child.stderr?.on(
    "data",
    safely((chunk: Buffer) => {
      said = (said + chunk.toString("utf8")).slice(-maxSaid)
    })
  )
  // A machine that is out of files gives none; why, is told as the process's end.
  const pipes = child.stdio?.slice(3) ?? [new PassThrough(), new PassThrough(), new PassThrough()]
  // By `stdio` above: a pipe to write to, one to read from, and one for both.
  const [input, output, hold] = pipes as unknown as [Writable, Readable, Duplex]
  // A pipe that breaks is followed by the exit that broke it.
  for (const stream of [input, output, hold])
    stream.on(
      "error",
      safely(() => undefined)
    )
  let alive = true
  const ended = new Promise<void>((resolve) => {
    hold.once(
      "data",
      safely(() => resolve())
    )
    child.once(
      "exit",
      safely(() => resolve())
    )
    child.once(
      "error",
      safely((error) => {
        said = `${said}${error.message}`
        resolve()
      })
    )
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
    said: () => said.trim()
  }
  const close = () => {
    input.destroy()
    const late = setTimeout(
      safely(() => killGroup(child, "SIGKILL")),
      2_000
    )
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

/** A process for as long as the scope is open; killed when it does not go by itself. */
export const launch = (options: LaunchOptions): Effect.Effect<Chromium, never, Scope.Scope> =>
  Effect.gen(function* () {
    const made = yield* Effect.acquireRelease(Effect.sync(makeFolder), ({ folder }) =>
      // Pages make any number of files: nothing else waits while they go.
      Effect.promise(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
    )
    yield* options.furnish?.(made.profile) ?? Effect.void
    yield* Effect.sync(() => write(made.profile))
    const { chromium } = yield* Effect.acquireRelease(
      Effect.sync(() => open(options, made)),
      ({ close }) => Effect.promise(close)
    )
    return chromium
  })

/**
 * Its own parts, such as the viewer of PDFs, may go where pages may not, and a program that drives one of them too. The
 * browser itself stops that before anything is read; whoever looks afterwards where a page has gone comes too late.
 */
const preferences = {
  policy: { url_blocklist: ["file://*", "chrome://*", "chrome-untrusted://*", "devtools://*", "view-source:*"] }
}

/** Writes them into a profile. */
export const write = (profile: string): void => {
  const folder = join(profile, "Default")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "Preferences"), JSON.stringify(preferences))
}
