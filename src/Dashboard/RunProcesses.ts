/**
 * Runs that were started from here, as processes of their own: they go on when the dashboard ends.
 *
 * What a process prints to stderr is kept, at its end, until the ledger has its run: it says why there is none. From then on nothing reads
 * it: the run stores its own log, which is bounded and has no secrets.
 */
import { type ChildProcess, spawn } from "node:child_process"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { safely } from "../Callback.ts"
import * as Redaction from "../Telemetry/Redaction.ts"
import { Refusal } from "./Request.ts"
import { Setup } from "./Setup.ts"

/** How a process came to have a run, or to its end without one. */
export type StartResult =
  | { readonly run: string }
  | { readonly code: number | null; readonly reason: string | undefined }

export class RunProcesses extends Context.Tag("sluice/Dashboard/Children")<
  RunProcesses,
  {
    /** Started from here, and not over. */
    readonly has: (run: string) => boolean
    /** Starts this program with a verb. Gives its run as soon as that is in the ledger, else the last that it printed. */
    readonly start: (verb: ReadonlyArray<string>) => Effect.Effect<StartResult, Refusal>
    /** Asks it to stop in order, once: a second signal would end it at once. False when there is no such process. */
    readonly stop: (run: string) => boolean
  }
>() {}

/** Processes at once. */
const maxProcesses = 16

/** Milliseconds that one may take until the ledger has its run: somebody waits for it in a browser. */
const startTimeout = 60_000

/** Characters of stderr that are kept. */
const maxSaid = 16_000

/** What a run tells to whoever has started it, once the ledger has it. */
interface StartMessage {
  readonly began?: unknown
}

const make = Effect.gen(function* () {
  const { command, env, words } = yield* Setup
  const running = new Set<ChildProcess>()
  const runs = new Map<string, ChildProcess>()
  const asked = new WeakSet<ChildProcess>()

  const begin = (verb: ReadonlyArray<string>) =>
    Effect.async<StartResult>((resume) => {
      const [program = process.execPath, ...before] = command
      // No shell has a look at any of it.
      const child = spawn(program, [...before, ...verb, ...words], {
        detached: true,
        env,
        stdio: ["ignore", "ignore", "pipe", "ipc"],
        windowsHide: true
      })
      running.add(child)
      let id: string | undefined
      let said = ""
      child.stderr?.setEncoding("utf8").on(
        "data",
        safely((text) => {
          said = `${said}${text}`.slice(-maxSaid)
        })
      )
      const late = setTimeout(
        safely(
          () => {
            child.kill("SIGINT")
            const reason = `it had not begun after ${startTimeout / 1000} seconds, and was told to stop`
            resume(Effect.succeed({ code: null, reason }))
          },
          (cause) => over(null, String(cause))
        ),
        startTimeout
      )
      late.unref()
      const over = (code: number | null, reason: string | undefined) => {
        clearTimeout(late)
        running.delete(child)
        if (id !== undefined) runs.delete(id)
        resume(Effect.succeed({ code, reason: reason ?? (said === "" ? undefined : Redaction.scrub(said)) }))
      }
      child.on(
        "message",
        safely(
          (word: StartMessage) => {
            if (typeof word.began !== "string" || id !== undefined) return
            clearTimeout(late)
            id = word.began
            runs.set(id, child)
            child.stderr?.destroy()
            resume(Effect.succeed({ run: id }))
          },
          (cause) => over(null, String(cause))
        )
      )
      child.on(
        "error",
        safely(
          (error) => over(null, error.message),
          (cause) => over(null, String(cause))
        )
      )
      child.on(
        "close",
        safely(
          (code) => {
            // What it said last may still be on its way.
            if (child.connected)
              child.once(
                "disconnect",
                safely(
                  () => over(code, undefined),
                  (cause) => over(null, String(cause))
                )
              )
            else over(code, undefined)
          },
          (cause) => over(null, String(cause))
        )
      )
      // It holds nobody back from ending, here or there.
      child.unref()
      child.channel?.unref()
    })

  return RunProcesses.of({
    has: (run) => runs.has(run),
    start: (verb) =>
      Effect.suspend(() => {
        if (running.size >= maxProcesses) {
          const reason = `${maxProcesses} runs that were started from here go on: wait for one of them, or stop it`
          return new Refusal({ status: 409, reason })
        }
        return begin(verb)
      }),
    stop: (run) => {
      const child = runs.get(run)
      if (child === undefined) return false
      if (asked.has(child)) return true
      asked.add(child)
      return child.kill("SIGINT")
    }
  })
})

export const layer: Layer.Layer<RunProcesses, never, Setup> = Layer.effect(RunProcesses, make)
