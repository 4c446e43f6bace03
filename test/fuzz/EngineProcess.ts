/** An engine in a process of its own that reaches nothing but this machine, with what a campaign asks of it at its end. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import { tempDir } from "../Local.ts"

interface Quantiles {
  readonly p50: number
  readonly p99: number
  readonly p999: number
  readonly worst: number
}

/** Milliseconds that the event loop was held up, since the engine listens. */
export interface Delay extends Quantiles {
  /** Without the time that its thread waited for a processor: what the engine itself did. */
  readonly own: Quantiles
}

export interface EngineProcess {
  readonly baseUrl: string
  readonly child: ChildProcess
  /** Measures the delays from here on, and not from the first request: what one request loads once is no delay of an attack. */
  readonly measureFromHere: Effect.Effect<void>
  /** Undefined after its end, infinite when its event loop does not answer. */
  readonly delay: Effect.Effect<Delay | undefined>
  /** Faults that no response shows: its exit, a connection to another host, an uncaught exception. */
  readonly faults: () => ReadonlyArray<string>
  readonly hasEnded: () => boolean
}

const wall = fileURLToPath(new URL("./wall.mjs", import.meta.url))

/** A process that does not end within this time after SIGTERM is killed. */
const shutdownTimeout = 20_000

/** Milliseconds until it listens, and until it has answered a message of its parent. */
const startTimeout = 60_000
const answerTimeout = 60_000

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

const end = (child: ChildProcess) =>
  Effect.async<void>((ended) => {
    if (hasEnded(child)) return ended(Effect.void)
    const timer = setTimeout(() => child.kill("SIGKILL"), shutdownTimeout)
    child.once("exit", () => {
      clearTimeout(timer)
      ended(Effect.void)
    })
    child.kill("SIGTERM")
  })

const never: Quantiles = { p50: Infinity, p99: Infinity, p999: Infinity, worst: Infinity }

const delayOf = (child: ChildProcess) =>
  Effect.async<Delay | undefined>((resume) => {
    if (hasEnded(child)) return resume(Effect.succeed(undefined))
    const done = (delay?: Delay) => {
      clearTimeout(timer)
      resume(Effect.succeed(delay))
    }
    const timer = setTimeout(() => done({ ...never, own: never }), answerTimeout)
    child.once("exit", () => done())
    child.once("message", done)
    // With a callback, a channel that the engine's exit has closed emits no error event.
    child.send("measure", (error) => {
      if (error !== null) done()
    })
  })

/** A process with a channel to its parent does not replace itself, as `serve` does where Node can: it gets the variable from here. */
const likeReplaced = "execve" in process ? { MALLOC_TRIM_THRESHOLD_: "131072" } : {}

const baseUrlOf = (line: string): string | undefined => {
  try {
    return JSON.parse(line).baseUrl
  } catch {
    return undefined
  }
}

/** `sluice serve` with a data folder of its own; it does not outlive the scope. `env` is its whole environment but for the path and the wall. */
export const startEngine = (
  bin: string,
  env: Readonly<Record<string, string>>
): Effect.Effect<EngineProcess, never, Scope.Scope> =>
  Effect.flatMap(tempDir, (dataDir) =>
    Effect.acquireRelease(
      Effect.async<EngineProcess>((resume) => {
        const child = spawn(
          process.execPath,
          ["--import", wall, bin, "serve", "--port", "0", "--data", dataDir, "--json"],
          {
            cwd: dataDir,
            env: { PATH: process.env.PATH, SLUICE_ALLOW_NETWORKS: "127.0.0.0/8", ...likeReplaced, ...env },
            stdio: ["ignore", "pipe", "pipe", "ipc"]
          }
        )
        let said = ""
        child.stderr?.setEncoding("utf8").on("data", (text: string) => {
          said = `${said}${text}`.slice(-100_000)
        })
        const faults = () => [
          ...said
            .split("\n")
            .filter((line) => /WALL|an unexpected error|unhandled|callback failed|event handler failed/i.test(line)),
          ...(hasEnded(child)
            ? [`the engine has ended (${child.exitCode ?? child.signalCode}): ${said.slice(-2_000)}`]
            : [])
        ]
        const fail = (why: string) => {
          clearTimeout(timer)
          // Nothing is released that was not acquired.
          child.kill("SIGKILL")
          resume(Effect.dieMessage(`the engine did not start: ${why}: ${said}`))
        }
        const timer = setTimeout(() => fail(`it does not listen after ${startTimeout / 1000} s`), startTimeout)
        child.once("exit", () => fail(`it has ended (${child.exitCode ?? child.signalCode})`))
        if (child.stdout !== null) {
          createInterface(child.stdout).once("line", (line) => {
            const baseUrl = baseUrlOf(line)
            if (baseUrl === undefined) return fail(`it wrote ${line}`)
            clearTimeout(timer)
            const measureFromHere = Effect.sync(() => void child.send("begin", () => undefined))
            resume(
              Effect.zipRight(
                measureFromHere,
                Effect.succeed({
                  baseUrl,
                  child,
                  measureFromHere,
                  delay: delayOf(child),
                  faults,
                  hasEnded: () => hasEnded(child)
                })
              )
            )
          })
        }
      }),
      ({ child, faults }, exit) =>
        Effect.zipRight(
          // A part that fails gives no report.
          Effect.sync(() => {
            if (Exit.isFailure(exit)) for (const fault of faults()) console.error(fault)
          }),
          end(child)
        )
    )
  )

const megabytes = ({ child }: EngineProcess, line: string): number => {
  const status = hasEnded(child) ? "" : readFileSync(`/proc/${child.pid}/status`, "utf8")
  return Math.round(Number(new RegExp(`^${line}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? Number.NaN) / 1024)
}

/** Megabytes of memory that it holds, and that it held at most; without its children. */
export const memoryOf = (engine: EngineProcess): number => megabytes(engine, "VmRSS")
export const peakMemory = (engine: EngineProcess): number => megabytes(engine, "VmHWM")

/** Milliseconds that its main thread has waited for a processor since its start; 0 where the system does not count them. */
export const queuedOf = ({ child }: EngineProcess): number => {
  const path = `/proc/${child.pid}/task/${child.pid}/schedstat`
  return hasEnded(child) || !existsSync(path) ? 0 : Number(readFileSync(path, "utf8").split(" ", 2)[1]) / 1e6
}

/** Settings of an engine with this Chromium, or without one. */
export const browserOf = (chromium: string | undefined): Readonly<Record<string, string>> => ({
  SLUICE_CHROMIUM: chromium ?? "/nowhere",
  SLUICE_CHROMIUM_NO_SANDBOX: process.getuid?.() === 0 ? "1" : "0"
})
