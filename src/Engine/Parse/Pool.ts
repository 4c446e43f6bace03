/**
 * Pool of child processes that parse one file at a time; a file can only harm its own process.
 *
 * Teams share the processes through one queue (`FairQueue`), so that one team cannot hold them all while another has none. Under load a
 * process can take seconds to start, so one is started in advance for the first file of another team.
 */
import { type ChildProcess, fork } from "node:child_process"
import { createRequire } from "node:module"
import * as os from "node:os"
import { fileURLToPath, pathToFileURL } from "node:url"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Restore } from "../../Callback/Lean.ts"
import { listen as listenTo, safely } from "../../Callback.ts"
import * as Metrics from "../Teams/EngineMetrics.ts"
import * as FairQueue from "../Teams/FairQueue.ts"
import { residentBytes } from "../Teams/ResidentMemory.ts"
import type { Job, Message, Reply } from "./Protocol.ts"

/** Milliseconds after which an unused child is stopped. */
const idleMillis = 60_000
/** Time within which a child must be ready. */
const maxStart = "30 seconds"
const heapMegabytes = 512
/** Resident bytes over which a child is killed at once, and over which it gets no further file. */
const maxResidentBytes = 640 * 1024 * 1024
const maxReusableBytes = 256 * 1024 * 1024
const jobsPerChild = 500
/**
 * Time after which a file counts as slow, and the niceness of its child from then on, so that the engine and starting children run first.
 */
const slowAfter: Duration.DurationInput = "500 millis"
const slowPriority = 5
/** Minimum and maximum files parsed at once. */
const minPlaces = 2
const maxPlaces = 4
/** Memory to leave free in addition to that of the children. */
const spareBytes = 512 * 1024 * 1024

const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`

/** The child exited or was killed before it replied. */
class ChildLost extends Data.TaggedError("ChildLost")<{
  readonly reason: "exited" | "memory" | "failed to start"
  readonly detail: string
  /** True if the child had started the job, so that the file may be the cause. */
  readonly begun: boolean
}> {
  override get message() {
    return `The process that parses files ${this.reason === "memory" ? "used too much memory" : this.reason} (${this.detail}).`
  }
}

/** The job exceeded its time limit. */
class ChildLate extends Data.TaggedError("ChildLate")<{ readonly millis: number }> {
  override get message() {
    return `The process that parses files took longer than ${this.millis} ms. Raise the timeout.`
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
const environment = (): NodeJS.ProcessEnv => {
  const kept = ["PATH", "TMPDIR", "TEMP", "TMP", "SystemRoot"].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(kept), TZ: "UTC" }
}

class Child {
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
        error: ({ message }: Error) => settle(new ChildLost({ reason: "failed to start", detail: message, begun }))
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

const ready = (child: Child) =>
  listen(child, ({ kind }) => (kind === "ready" ? true : undefined)).pipe(
    Effect.mapError(({ begun, detail }) => new ChildLost({ reason: "failed to start", detail, begun })),
    Effect.timeoutFail({
      duration: maxStart,
      onTimeout: () => new ChildLost({ reason: "failed to start", detail: `not ready after ${maxStart}`, begun: false })
    })
  )

const reply = (child: Child, job: Job) =>
  listen(
    child,
    (message): Reply | undefined => (message.kind === "parsed" || message.kind === "refused" ? message : undefined),
    job
  )

const forkChild = (): Child => {
  const { path, execArgv } = childModule()
  const child = fork(path, [], {
    execArgv: [...execArgv, `--max-old-space-size=${heapMegabytes}`],
    env: environment(),
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"]
  })
  // Without a listener an error between jobs would end the server.
  child.on(
    "error",
    safely(() => undefined)
  )
  return new Child(child)
}

/**
 * Children that are alive. A file takes an idle child, or one that is being started ahead, or starts its own; the caller limits how many
 * files do so at once. (Effect's `Pool` can let a file wait forever: if a child becomes idle between the request and the start of the
 * pool's own fiber, that fiber has nothing to start and wakes nobody.)
 */
class ChildSet {
  readonly #alive = new Set<Child>()
  /** Idle children. The one that became idle last gets the next file, so that surplus children stay idle and end. */
  readonly #idle: Array<Child> = []
  /** One entry per child that is being started ahead and that no file waits for; completed when the child is ready or has failed. */
  readonly #ahead = new Set<Deferred.Deferred<void>>()
  #isClosed = false

  /** Number of children, including those that are being started. */
  get size(): number {
    return this.#alive.size
  }

  get isStartingAhead(): boolean {
    return this.#ahead.size > 0
  }

  /** Takes a child. Call it in an uninterruptible region; its `restore` makes the wait for the child interruptible. */
  take(restore: Restore): Effect.Effect<Child, ChildLost> {
    return Effect.suspend(() => {
      const child = this.#idle.pop()
      if (child !== undefined) {
        clearTimeout(child.timer)
        return Effect.succeed(child)
      }
      const [ahead] = this.#ahead
      if (ahead === undefined) return this.#start(restore)
      this.#ahead.delete(ahead)
      const waited = Effect.onInterrupt(restore(Deferred.await(ahead)), () => Effect.sync(() => this.#ahead.add(ahead)))
      return Effect.zipRight(waited, this.take(restore))
    })
  }

  /** Makes a child idle again, or ends it if it must not be reused. */
  giveBack(child: Child): void {
    if (this.#isClosed || !this.#alive.has(child) || child.isWorn) {
      this.end(child)
      return
    }
    this.#idle.push(child)
    child.timer = setTimeout(
      safely(() => this.end(child)),
      idleMillis
    ).unref()
  }

  end(child: Child): void {
    this.#forget(child)
    child.kill()
  }

  /** Starts a child, which is then idle. An error is ignored: the next file starts a child itself, and fails with the reason. */
  get startAhead(): Effect.Effect<void> {
    return Effect.suspend(() => {
      const ahead = Deferred.unsafeMake<void>(FiberId.none)
      this.#ahead.add(ahead)
      const started = Effect.uninterruptibleMask((restore) =>
        Effect.map(this.#start(restore), (child) => this.giveBack(child))
      )
      return Effect.ensuring(
        Effect.ignore(started),
        Effect.suspend(() => {
          this.#ahead.delete(ahead)
          return Deferred.succeed(ahead, undefined)
        })
      )
    })
  }

  /** Ends all children. Files that still ask for one are interrupted. */
  close(): void {
    this.#isClosed = true
    for (const child of this.#alive) this.end(child)
  }

  #start(restore: Restore): Effect.Effect<Child, ChildLost> {
    return Effect.suspend(() => {
      if (this.#isClosed) return Effect.interrupt
      const child = forkChild()
      this.#alive.add(child)
      child.process.once(
        "exit",
        safely(() => this.#forget(child))
      )
      return Effect.as(
        Effect.onExit(restore(ready(child)), (exit) =>
          Exit.isSuccess(exit) ? Effect.void : Effect.sync(() => this.end(child))
        ),
        child
      )
    })
  }

  #forget(child: Child): void {
    clearTimeout(child.timer)
    this.#alive.delete(child)
    const at = this.#idle.indexOf(child)
    if (at !== -1) this.#idle.splice(at, 1)
  }
}

/** Fails when the child exceeds the memory limit; never succeeds. */
const watchMemory = (child: Child): Effect.Effect<never, ChildLost> =>
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

export interface Children {
  /** Parses a file of a team in a child. The job's time limit does not include waiting. Every failure kills the child. */
  readonly run: (job: Job, team?: string) => Effect.Effect<Reply, ChildLost | ChildLate>
  /**
   * Starts children in advance in the background, if processors other than the engine's are free for them. The fiber ends once they are
   * ready.
   */
  readonly startAhead: Effect.Effect<Fiber.RuntimeFiber<void>>
}

const withMetric = <A, E, R>(state: string, effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => Metrics.parsing.add(1, state)),
    () => effect,
    () => Effect.sync(() => Metrics.parsing.add(-1, state))
  )

/** Number of files that can be parsed at once if each child uses `maxResidentBytes`, from `minPlaces` to `maxPlaces`. */
export const placesFor = (availableBytes: number): number =>
  Math.max(minPlaces, Math.min(maxPlaces, Math.floor((availableBytes - spareBytes) / maxResidentBytes)))

/** Pool whose children start on demand, stop when unused, and end with the scope. */
export const make = Effect.fnUntraced(function* (
  places = placesFor(process.availableMemory())
): Effect.fn.Return<Children, never, FairQueue.Teams | Scope.Scope> {
  const shares = yield* FairQueue.ofEngine(places)
  const scope = yield* Effect.scope
  const children = yield* Effect.acquireRelease(
    Effect.sync(() => new ChildSet()),
    (all) => Effect.sync(() => all.close())
  )
  /**
   * Starts a child ahead if a place is reserved for other teams and no child is idle or being started: their first file then finds one
   * ready.
   */
  const whenAlone = (team: string) =>
    Effect.suspend(() => {
      if (shares.reservedForOthers(team) === 0 || children.isStartingAhead) return Effect.void
      if (children.size > shares.active() || children.size >= places) return Effect.void
      return Effect.forkIn(children.startAhead, scope)
    })
  const whenSlow = (child: Child) =>
    Effect.sync(() => child.lowerPriority()).pipe(Effect.delay(slowAfter), Effect.zipRight(Effect.never))
  const parse = (child: Child, job: Job, team: string) =>
    Effect.suspend(() => {
      child.jobs += 1
      return Effect.zipRight(whenAlone(team), withMetric("busy", reply(child, job)))
    }).pipe(
      Effect.raceFirst(watchMemory(child)),
      Effect.raceFirst(whenSlow(child)),
      Effect.timeoutFail({
        duration: job.limitMillis,
        onTimeout: () => new ChildLate({ millis: job.limitMillis })
      })
    )
  /** Parses the file in a child, and ends the child if parsing fails. */
  const inChild = (job: Job, team: string) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(children.take(restore), (child) =>
        Effect.onExit(restore(parse(child, job, team)), (exit) =>
          Effect.sync(() => (Exit.isSuccess(exit) ? children.giveBack(child) : children.end(child)))
        )
      )
    )
  const run = Effect.fn("Parse.child")((job: Job, team = "") =>
    Effect.scoped(
      Effect.gen(function* () {
        const asked = yield* Clock.currentTimeMillis
        const waits = !shares.fits(team)
        yield* withMetric("waiting", shares.acquire(team))
        const waitedMillis = waits ? (yield* Clock.currentTimeMillis) - asked : undefined
        const reply = yield* inChild(job, team)
        return reply.kind === "parsed" && waitedMillis !== undefined
          ? { ...reply, file: { ...reply.file, waitedMillis } }
          : reply
      })
      // Retry if the child died before it took the file.
    ).pipe(Effect.retry({ times: maxPlaces, while: (error) => error._tag === "ChildLost" && !error.begun }))
  )
  const startAhead = Effect.suspend(() => {
    const count = Math.min(minPlaces, os.availableParallelism() - 1)
    const ahead = Effect.forEach(Array.from({ length: count }), () => children.startAhead, {
      concurrency: "unbounded",
      discard: true
    })
    return Effect.forkIn(ahead, scope)
  })
  return { run, startAhead }
})
