/**
 * Processes of runs that the dashboard starts.
 *
 * - A process is detached: it continues when the dashboard ends. At most {@link maxProcesses} at once.
 * - It reports the id of its run over IPC once the ledger has the run; until then `start` waits, at most {@link startTimeout}.
 * - The end of its stderr is kept until then, as the reason of a failed start. Afterwards nothing reads stderr: the run stores its own log,
 *   bounded and without secrets.
 * - `stop` sends one SIGINT per process, because a second one would end it without a checkpoint.
 */
import { type ChildProcess, spawn } from "node:child_process"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { safely } from "../Callback.ts"
import * as Redaction from "../Telemetry/Redaction.ts"
import { Refusal } from "./Request.ts"
import { Setup } from "./Setup.ts"

/** Received over IPC once the run is in the ledger, with its id. */
interface StartMessage {
  readonly began: unknown
}

/** The run of a started process, or how the process ended without one. */
export type StartResult =
  | { readonly run: string }
  | { readonly code: number | null; readonly reason: string | undefined }

export class RunProcesses extends Context.Tag("sluice/Dashboard/RunProcesses")<
  RunProcesses,
  {
    /** True while a process of this dashboard executes the run. */
    readonly has: (run: string) => boolean
    /** Starts the command line with a verb and its arguments. Returns the run once it is in the ledger, else the end of its stderr. */
    readonly start: (verb: ReadonlyArray<string>) => Effect.Effect<StartResult, Refusal>
    /** Asks the run to stop; false when this dashboard has no process of it. */
    readonly stop: (run: string) => boolean
  }
>() {}

const maxProcesses = 16

/** Milliseconds until the run must be in the ledger. */
const startTimeout = 60_000

/** Characters of stderr that are kept. */
const maxStderr = 16_000

const make = Effect.gen(function* () {
  const { arguments: globalArguments, command, env } = yield* Setup
  const running = new Set<ChildProcess>()
  const runs = new Map<string, ChildProcess>()
  const stopping = new WeakSet<ChildProcess>()

  const begin = (verb: ReadonlyArray<string>) =>
    Effect.async<StartResult>((resume) => {
      const [program = process.execPath, ...before] = command
      // Without a shell: inputs are passed as they are.
      const child = spawn(program, [...before, ...verb, ...globalArguments], {
        detached: true,
        env,
        stdio: ["ignore", "ignore", "pipe", "ipc"],
        windowsHide: true
      })
      running.add(child)
      let id: string | undefined
      let stderr = ""
      child.stderr?.setEncoding("utf8").on(
        "data",
        safely((text) => {
          stderr = `${stderr}${text}`.slice(-maxStderr)
        })
      )
      const timer = setTimeout(
        safely(
          () => {
            child.kill("SIGINT")
            const reason = `the run did not begin within ${startTimeout / 1000} seconds and was stopped`
            resume(Effect.succeed({ code: null, reason }))
          },
          (cause) => ended(null, String(cause))
        ),
        startTimeout
      )
      timer.unref()
      const ended = (code: number | null, reason: string | undefined) => {
        clearTimeout(timer)
        running.delete(child)
        if (id !== undefined) runs.delete(id)
        resume(Effect.succeed({ code, reason: reason ?? (stderr === "" ? undefined : Redaction.scrub(stderr)) }))
      }
      child.on(
        "message",
        safely(
          (message: Partial<StartMessage>) => {
            if (typeof message.began !== "string" || id !== undefined) return
            clearTimeout(timer)
            id = message.began
            runs.set(id, child)
            child.stderr?.destroy()
            resume(Effect.succeed({ run: id }))
          },
          (cause) => ended(null, String(cause))
        )
      )
      child.on(
        "error",
        safely(
          (error) => ended(null, error.message),
          (cause) => ended(null, String(cause))
        )
      )
      child.on(
        "close",
        safely(
          (code) => {
            // The message may still be in the channel.
            if (child.connected)
              child.once(
                "disconnect",
                safely(
                  () => ended(code, undefined),
                  (cause) => ended(null, String(cause))
                )
              )
            else ended(code, undefined)
          },
          (cause) => ended(null, String(cause))
        )
      )
      // Neither process keeps the other one alive.
      child.unref()
      child.channel?.unref()
    })

  return RunProcesses.of({
    has: (run) => runs.has(run),
    start: (verb) =>
      Effect.suspend(() => {
        if (running.size >= maxProcesses) {
          const reason = `${maxProcesses} runs that this dashboard started are running: wait for one of them, or stop it`
          return new Refusal({ status: 409, reason })
        }
        return begin(verb)
      }),
    stop: (run) => {
      const child = runs.get(run)
      if (child === undefined) return false
      if (stopping.has(child)) return true
      stopping.add(child)
      return child.kill("SIGINT")
    }
  })
})

export const layer: Layer.Layer<RunProcesses, never, Setup> = Layer.effect(RunProcesses, make)
