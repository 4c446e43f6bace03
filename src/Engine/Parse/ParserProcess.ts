/** A child process that parses files: how it is started, asked, watched and ended. */
import { type ChildProcess, fork } from "node:child_process"
import { createRequire } from "node:module"
import * as os from "node:os"
import { fileURLToPath, pathToFileURL } from "node:url"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { listen as listenTo, on, safely } from "../../Callback.ts"
import { variables } from "../Teams/Environment.ts"
import { residentBytes } from "../Teams/ResidentMemory.ts"
import type { Job, Message, Reply } from "./Protocol.ts"

/** Time within which a child must be ready. */
const maxStart = "30 seconds"
const heapMegabytes = 512
/** Resident bytes over which a child is killed at once, and over which it gets no further file. */
export const maxResidentBytes = 640 * 1024 * 1024
const maxReusableBytes = 256 * 1024 * 1024
const jobsPerChild = 500
const slowPriority = 5

const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`

const lostWords = { exited: "exited", memory: "used too much memory", start: "failed to start" } as const

/** The child exited or was killed before it replied. */
export class ChildLost extends Data.TaggedError("ChildLost")<{
  readonly reason: keyof typeof lostWords
  readonly detail: string
  /** True if the child had started the job, so that the file may be the cause. */
  readonly begun: boolean
}> {
  override get message() {
    return `The process that parses files ${lostWords[this.reason]} (${this.detail}).`
  }
}

/** Module that the child runs: the source file next to this one, or its own entry of the built package. */
const childModule = (): { readonly path: string; readonly execArgv: ReadonlyArray<string> } => {
  if (!import.meta.url.endsWith(".ts")) {
    return { path: fileURLToPath(new URL("./parse-child.js", import.meta.url)), execArgv: [] }
  }
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
  return { path: fileURLToPath(new URL("./Child.ts", import.meta.url)), execArgv: ["--import", tsx] }
}

/** Environment of the child, without secrets of the server. Its time zone is UTC. */
const environment = (): NodeJS.ProcessEnv => ({
  ...variables(["PATH", "TMPDIR", "TEMP", "TMP", "SystemRoot"]),
  TZ: "UTC"
})

export class Child {
  readonly process: ChildProcess
  jobs = 0
  /** Timer that stops the child after `idleMillis` without a file. */
  timer: NodeJS.Timeout | undefined
  constructor(child: ChildProcess) {
    this.process = child
  }
  get pid(): number {
    return this.process.pid ?? -1
  }
  kill(): void {
    this.process.kill("SIGKILL")
  }
  /** Lowers the priority for good, because most systems do not let a process raise it again. */
  lowerPriority(): void {
    try {
      os.setPriority(this.pid, slowPriority)
    } catch {
      // The process has ended, or the system forbids it.
    }
  }
  /** True if the child must not be reused: it has parsed `jobsPerChild` files, or has more than `maxReusableBytes` of memory. */
  get isWorn(): boolean {
    return this.jobs >= jobsPerChild || residentBytes(this.pid) > maxReusableBytes
  }
}

/** Listens to a child until `pick` returns a value or the child ends. */
const listen = <A>(child: Child, pick: (message: Message) => A | undefined, job?: Job): Effect.Effect<A, ChildLost> =>
  Effect.async<A, ChildLost>((resume) => {
    let begun = false
    const settle = (result: Effect.Effect<A, ChildLost>) => {
      forget()
      resume(result)
    }
    const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
      settle(new ChildLost({ reason: "exited", detail: signal ?? `exit code ${code}`, begun }))
    const forget = listenTo(
      child.process,
      {
        message: (message: Message) => {
          if (message.kind === "begun") begun = true
          const found = pick(message)
          if (found !== undefined) settle(Effect.succeed(found))
        },
        exit: onExit,
        error: ({ message }: Error) => settle(new ChildLost({ reason: "start", detail: message, begun }))
      },
      (cause) => settle(Effect.die(cause))
    )
    if (child.process.exitCode !== null || child.process.signalCode !== null) {
      onExit(child.process.exitCode, child.process.signalCode)
    } else if (job !== undefined) {
      // When sending fails, the exit event follows.
      child.process.send(
        job,
        safely(() => undefined)
      )
    }
    return Effect.sync(forget)
  })

export const ready = (child: Child) =>
  listen(child, ({ kind }) => (kind === "ready" ? true : undefined)).pipe(
    Effect.mapError(({ begun, detail }) => new ChildLost({ reason: "start", detail, begun })),
    Effect.timeoutFail({
      duration: maxStart,
      onTimeout: () => new ChildLost({ reason: "start", detail: `not ready after ${maxStart}`, begun: false })
    })
  )

export const reply = (child: Child, job: Job) =>
  listen(
    child,
    (message): Reply | undefined => (message.kind === "parsed" || message.kind === "refused" ? message : undefined),
    job
  )

const forkNow = (): Child => {
  const { path, execArgv } = childModule()
  const child = fork(path, [], {
    execArgv: [...execArgv, `--max-old-space-size=${heapMegabytes}`],
    env: environment(),
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"]
  })
  // Without a listener an error between jobs would end the server.
  on(child, "error", () => undefined)
  return new Child(child)
}

/** Starts a child. Node reports most reasons why it cannot by an event, and throws for some. */
export const forkChild: Effect.Effect<Child, ChildLost> = Effect.try({
  try: forkNow,
  catch: (cause) => new ChildLost({ reason: "start", detail: String(cause), begun: false })
})

/** Fails when the child exceeds the memory limit; never succeeds. */
export const watchMemory = (child: Child): Effect.Effect<never, ChildLost> =>
  Effect.suspend(() => {
    const resident = residentBytes(child.pid)
    return resident > maxResidentBytes
      ? Effect.fail(
          new ChildLost({
            reason: "memory",
            detail: `${mebibytes(resident)}, allowed ${mebibytes(maxResidentBytes)}`,
            begun: true
          })
        )
      : Effect.void
  }).pipe(Effect.repeat(Schedule.spaced("100 millis")), Effect.zipRight(Effect.never))
