/**
 * Starts, replays, resumes, publishes, discards and stops runs. Each run is a separate process, so that it continues when the dashboard
 * ends.
 *
 * - At most {@link maxProcesses} processes at once.
 * - A process reports its run's id over IPC once the ledger has the run. `start` waits until that or the end of the process, so a failed
 *   start leaves no process. A process that takes longer than {@link startTimeout} gets SIGINT, and SIGKILL after another {@link
 *   killTimeout}.
 * - Until then the end of its stderr is kept, as the reason of a failed start. Afterwards nothing reads stderr: the run stores its own log,
 *   bounded and without secrets.
 * - `stop` sends only one SIGINT per process, because a second one would end it without a checkpoint.
 */
import { type ChildProcess, spawn } from "node:child_process"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { safely } from "../Callback.ts"
import { Ledger } from "../Ledger.ts"
import { discard as discardHeld } from "../Run/Held.ts"
import * as Redaction from "../Telemetry/Redaction.ts"
import type { Done, Launched } from "../Web/Dashboard/Protocol.ts"
import * as Definitions from "./Definitions.ts"
import { Refusal } from "./Request.ts"
import * as Runs from "./Runs.ts"
import { Setup } from "./Setup.ts"

/** Received over IPC once the run is in the ledger, with its id. */
interface StartMessage {
  readonly began: unknown
}

/** Result of starting a process: the run, or how the process ended without one. */
export type StartResult =
  | { readonly run: string }
  | { readonly code: number | null; readonly reason: string | undefined }

export class RunProcesses extends Context.Tag("sluice/Dashboard/RunProcesses")<
  RunProcesses,
  {
    /** True while a process of this dashboard executes the run. */
    readonly has: (run: string) => boolean
    /**
     * Starts the command line with a verb and its arguments. Returns the run once it is in the ledger, or the end of stderr if the process
     * fails.
     */
    readonly start: (verb: ReadonlyArray<string>) => Effect.Effect<StartResult, Refusal>
    /** Asks the run to stop; false if no process of this dashboard executes it. */
    readonly stop: (run: string) => boolean
  }
>() {}

const maxProcesses = 16

/** Milliseconds until the run must be in the ledger, and then from SIGINT to SIGKILL. */
const startTimeout = 60_000
const killTimeout = 10_000

/** Maximum characters of stderr that are kept. */
const maxStderr = 16_000

const makeProcesses = Effect.gen(function* () {
  const { arguments: globalArguments, command, env } = yield* Setup
  const running = new Set<ChildProcess>()
  const runs = new Map<string, ChildProcess>()
  const stopping = new WeakSet<ChildProcess>()

  const begin = (verb: ReadonlyArray<string>) =>
    Effect.suspend(() => {
      const result = Deferred.unsafeMake<StartResult>(FiberId.none)
      const resume = (started: StartResult) => Deferred.unsafeDone(result, Exit.succeed(started))
      const [program = process.execPath, ...before] = command
      // Without a shell, so that inputs are passed unchanged.
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
      let isLate = false
      const stopLate = Effect.gen(function* () {
        yield* Effect.sleep(startTimeout)
        isLate = true
        child.kill("SIGINT")
        yield* Effect.sleep(killTimeout)
        child.kill("SIGKILL")
      })
      const ended = (code: number | null, reason: string | undefined) => {
        running.delete(child)
        if (id !== undefined) runs.delete(id)
        const late = `the run did not start within ${startTimeout / 1000} seconds and was stopped`
        const printed = stderr === "" ? undefined : Redaction.scrub(stderr)
        resume({ code, reason: reason ?? (isLate ? late : printed) })
      }
      const failing = (cause: unknown) => ended(null, String(cause))
      child.on(
        "message",
        safely((message: Partial<StartMessage>) => {
          if (typeof message.began !== "string" || id !== undefined) return
          id = message.began
          runs.set(id, child)
          child.stderr?.destroy()
          resume({ run: id })
        }, failing)
      )
      child.on(
        "error",
        safely((error) => ended(null, error.message), failing)
      )
      child.on(
        "close",
        safely((code) => {
          const end = safely(() => ended(code, undefined), failing)
          // The process may have reported its run in a message that has not been read from the channel yet.
          if (child.connected) child.once("disconnect", end)
          else end()
        }, failing)
      )
      // Neither process keeps the other one alive.
      child.unref()
      child.channel?.unref()
      return Effect.acquireUseRelease(
        Effect.fork(Effect.interruptible(stopLate)),
        () => Deferred.await(result),
        Fiber.interrupt
      )
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

export const layer: Layer.Layer<RunProcesses, never, Setup> = Layer.effect(RunProcesses, makeProcesses)

/** An input that is valid on a command line. */
const InputValue = Schema.Union(
  Schema.String.pipe(Schema.maxLength(30_000), Schema.pattern(/^[^\0]*$/)),
  Schema.JsonNumber,
  Schema.Boolean
)

export const Launch = Schema.Struct({
  file: Schema.String,
  inputs: Schema.Record({ key: Schema.String, value: InputValue }),
  limit: Schema.optional(Schema.Int.pipe(Schema.between(1, 1_000_000_000))),
  backfill: Schema.optional(Schema.Boolean)
})

export const Resume = Schema.Struct({ withCurrent: Schema.optional(Schema.Boolean) })

const maxInputs = 200

/** Reason of a failed start: the last lines that the process printed. */
const lastLines = (text: string): string =>
  text
    .trim()
    .split("\n")
    .slice(-20)
    .join("\n")
    .slice(-4_000)
    .replace(/^error: /gm, "")

/** Starts a process and waits until its run is in the ledger or the process has ended. */
const begin = (verb: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const children = yield* RunProcesses
    const began = yield* children.start(verb)
    if ("run" in began) return { run: began.run } satisfies Launched
    const printed = lastLines(began.reason ?? "")
    const reason = printed === "" ? `the process ended with exit code ${began.code} without a message` : printed
    return yield* new Refusal({ status: 422, reason })
  }).pipe(Effect.uninterruptible)

export const launch = ({ backfill, file, inputs, limit }: typeof Launch.Type) =>
  Effect.gen(function* () {
    const { out } = yield* Setup
    const given = Object.entries(inputs)
    if (given.length > maxInputs) {
      return yield* new Refusal({ status: 413, reason: `more than ${maxInputs} inputs` })
    }
    const path = yield* Definitions.pathOf(file)
    yield* Definitions.ensureRunnable(path, inputs)
    return yield* begin([
      "run",
      path,
      ...given.flatMap(([name, value]) => ["--input", `${name}=${value}`]),
      ...(limit === undefined ? [] : ["--limit", String(limit)]),
      ...(backfill === true ? ["--backfill"] : []),
      // A run with a limit is a trial: the command line gives it its own output folder.
      ...(limit === undefined ? ["--out", out] : [])
    ])
  })

export const replay = (id: string) =>
  Effect.gen(function* () {
    const { openRejects, replay, state } = yield* Runs.detail(id)
    if (replay !== undefined) {
      yield* Definitions.ensureResumable(yield* Runs.find(id))
      return yield* begin(["replay", id])
    }
    const reason =
      openRejects === 0
        ? `run ${id} has no open rejects`
        : `run ${id} is ${state}: rejects can be replayed once it has ended`
    return yield* new Refusal({ status: 409, reason })
  })

export const resume = (id: string, { withCurrent }: typeof Resume.Type) =>
  Effect.gen(function* () {
    const { canResume, state } = yield* Runs.detail(id)
    if (canResume) {
      yield* Definitions.ensureResumable(yield* Runs.find(id), withCurrent)
      return yield* begin(["resume", id, ...(withCurrent === true ? ["--with-current"] : [])])
    }
    return yield* new Refusal({ status: 409, reason: `run ${id} is ${state} and cannot be resumed` })
  })

/** Publishes a run like `sluice publish`, whose process checks the definition, releases the run and publishes it. */
export const publish = (id: string) =>
  Effect.gen(function* () {
    const { isHeld, state } = yield* Runs.detail(id)
    if (isHeld) return yield* begin(["publish", id])
    const reason = `run ${id} is ${state}: only outputs of a held run can be published`
    return yield* new Refusal({ status: 409, reason })
  })

/** Discards a run like `sluice discard`. */
export const discard = (id: string) =>
  Effect.gen(function* () {
    yield* Runs.find(id)
    yield* discardHeld(id, "user")
    return { done: true } satisfies Done
  }).pipe(
    Effect.catchTags({
      RunNotHeld: ({ message }) => new Refusal({ status: 409, reason: message }),
      Locked: ({ message }) => new Refusal({ status: 409, reason: message })
    })
  )

/** Stops a run wherever it is executed: in a process of this dashboard, in another process with the same ledger, or on the cluster. */
export const stop = (id: string) =>
  Effect.gen(function* () {
    const { stopShared } = yield* Setup
    const { requestStop } = yield* Ledger
    const children = yield* RunProcesses
    const { group } = yield* Runs.find(id)
    if (group !== undefined && group !== id) {
      return yield* new Refusal({
        status: 409,
        reason: `run ${id} is a shard of run ${group}: stop run ${group} instead`
      })
    }
    if (group === id && stopShared !== undefined) {
      const stopped = yield* Effect.mapError(
        stopShared(id),
        ({ message }) => new Refusal({ status: 503, reason: `run ${id} could not be stopped: ${message}` })
      )
      if (stopped === "stopped") return { done: true } satisfies Done
      return yield* new Refusal({ status: 409, reason: `run ${id} has already ended` })
    }
    // A signal reaches a process of this dashboard sooner than a request in the ledger, which the run reads at its next heartbeat.
    if (children.stop(id) || (yield* requestStop(id))) return { done: true } satisfies Done
    return yield* new Refusal({ status: 409, reason: `no process executes run ${id}` })
  })
