/**
 * Pool of child processes that parse one file at a time; a file can only harm its own process.
 *
 * Slow files do not block quick ones, and no team can occupy every process.
 */
import { type ChildProcess, fork } from "node:child_process"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Pool from "effect/Pool"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { listen as listenTo, safely } from "../../Callback.ts"
import * as Detached from "../Detached.ts"
import * as Shares from "../Shares.ts"
import * as Metrics from "../Telemetry.ts"
import type { Job, Message, Reply } from "./Protocol.ts"

/** A child that had nothing to do for this long is let go. */
const idle: Duration.DurationInput = "1 minute"
const heapMegabytes = 512
/** Resident bytes at which a child is killed, and at which it is not used again. */
const fatalBytes = 640 * 1024 * 1024
const wornBytes = 256 * 1024 * 1024
const jobsPerChild = 500
/** Bytes that stay free when a child is started besides the usual ones and grows as large as it may. */
const spareBytes = 512 * 1024 * 1024

const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`

/** The child went away, or was sent away, before it answered. */
class ChildLost extends Data.TaggedError("ChildLost")<{
  readonly reason: "exited" | "memory" | "failed to start"
  readonly detail: string
  /** The child had taken the job: what happened may be the file's doing. */
  readonly begun: boolean
}> {
  override get message() {
    return `The process that parses files ${this.reason === "memory" ? "used too much memory" : this.reason} (${this.detail}).`
  }
}

/** The child was still at it when the time for its job was over. */
class ChildLate extends Data.TaggedError("ChildLate")<{ readonly millis: number }> {
  override get message() {
    return `The process that parses files took longer than ${this.millis} ms: give it more time.`
  }
}

/** The program of a child: beside this file in the sources, an entry of its own in the built package. */
const childModule = (): { readonly path: string; readonly execArgv: ReadonlyArray<string> } => {
  if (!import.meta.url.endsWith(".ts")) {
    return { path: fileURLToPath(new URL("./parse-child.js", import.meta.url)), execArgv: [] }
  }
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
  return { path: fileURLToPath(new URL("./Child.ts", import.meta.url)), execArgv: ["--import", tsx] }
}

/** No secret of the server reaches a process that opens strangers' files; dates are read in UTC. */
const environment = (): NodeJS.ProcessEnv => {
  const kept = ["PATH", "TMPDIR", "TEMP", "TMP", "SystemRoot"].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(kept), TZ: "UTC" }
}

const pageBytes = 4096

/** Resident bytes of a process, asked of the system so that a child that hangs is seen too; 0 where unknown. */
const residentBytes = (pid: number): number => {
  if (process.platform !== "linux") return 0
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1] ?? 0) * pageBytes
  } catch {
    return 0
  }
}

class Child {
  readonly process: ChildProcess
  jobs = 0
  constructor(child: ChildProcess) {
    this.process = child
  }
  get pid(): number {
    return this.process.pid ?? -1
  }
  kill(): void {
    this.process.kill("SIGKILL")
  }
  /** Used up by many files, or left large by one. */
  get worn(): boolean {
    return this.jobs >= jobsPerChild || residentBytes(this.pid) > wornBytes
  }
}

/** Listens to a child until `pick` finds what it is waiting for, or the child ends. */
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
      // A send that fails is followed by the exit that made it fail.
      child.process.send(
        job,
        safely(() => undefined)
      )
    }
    return Effect.sync(forget)
  })

const ready = (child: Child) =>
  Effect.mapError(
    listen(child, ({ kind }) => (kind === "ready" ? true : undefined)),
    ({ begun, detail }) => new ChildLost({ reason: "failed to start", detail, begun })
  )

const reply = (child: Child, job: Job) =>
  listen(
    child,
    (message): Reply | undefined => (message.kind === "parsed" || message.kind === "refused" ? message : undefined),
    job
  )

const start = Effect.acquireRelease(
  Effect.sync(() => {
    const { path, execArgv } = childModule()
    const child = fork(path, [], {
      execArgv: [...execArgv, `--max-old-space-size=${heapMegabytes}`],
      env: environment(),
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"]
    })
    // Between files nobody listens, and an unheard error would end the server.
    child.on(
      "error",
      safely(() => undefined)
    )
    return new Child(child)
  }),
  (child) => Effect.sync(() => child.kill())
).pipe(Effect.tap(ready))

/** Fails when the child grows over the limit; never succeeds. */
const watchMemory = (child: Child): Effect.Effect<never, ChildLost> =>
  Effect.suspend(() => {
    const resident = residentBytes(child.pid)
    return resident > fatalBytes
      ? Effect.fail(
          new ChildLost({
            reason: "memory",
            detail: `${mebibytes(resident)}, allowed ${mebibytes(fatalBytes)}`,
            begun: true
          })
        )
      : Effect.void
  }).pipe(Effect.repeat(Schedule.spaced("100 millis")), Effect.zipRight(Effect.never))

export interface Children {
  /**
   * Has a child parse a file of a team; waiting for its turn is no part of the job's time. Every failure kills the child
   * at work.
   */
  readonly run: (job: Job, team?: string) => Effect.Effect<Reply, ChildLost | ChildLate>
}

const counted = <A, E, R>(state: string, effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => Metrics.parsing.add(1, state)),
    () => effect,
    () => Effect.sync(() => Metrics.parsing.add(-1, state))
  )

const hasRoom = (): boolean => process.availableMemory() > fatalBytes + spareBytes

/** Children are started when they are needed, kept while they are, and end with the scope. */
export const make: Effect.Effect<Children, never, Scope.Scope> = Effect.gen(function* () {
  const turns = makeTurns(hasRoom, yield* Shares.ofEngine(most))
  const alive = new Set<Child>()
  const pool = yield* Pool.makeWithTTL({
    acquire: Effect.tap(start, (child) =>
      Effect.acquireRelease(
        Effect.sync(() => alive.add(child)),
        () => Effect.sync(() => alive.delete(child))
      )
    ),
    min: 0,
    max: most,
    timeToLive: idle,
    timeToLiveStrategy: "usage"
  })
  const detached = yield* Detached.make
  const retire = (child: Child) =>
    Effect.zipRight(
      Effect.sync(() => child.kill()),
      Pool.invalidate(pool, child)
    )
  const run = Effect.fn("Parse.child")((job: Job, team = "") =>
    Effect.scoped(
      Effect.gen(function* () {
        const turn = yield* counted("waiting", turns.take(team))
        const child = yield* detached(Pool.get(pool))
        child.jobs += 1
        // While a file was slow another child has taken the place of its own.
        const isSpare = () => turn.slow && alive.size > quick
        return yield* counted("busy", reply(child, job)).pipe(
          Effect.raceFirst(watchMemory(child)),
          Effect.raceFirst(turns.watch(turn)),
          Effect.timeoutFail({
            duration: job.limitMillis,
            onTimeout: () => new ChildLate({ millis: job.limitMillis })
          }),
          Effect.onExit((exit) => (Exit.isSuccess(exit) && !child.worn && !isSpare() ? Effect.void : retire(child)))
        )
      })
      // One that died while nobody used it is not the next file's fault.
    ).pipe(Effect.retry({ times: quick, while: (error) => error._tag === "ChildLost" && !error.begun }))
  )
  return { run }
})

/** Maximum running files that have not been classified as slow. */
export const quick = 2
/** Maximum running files. */
export const most = 6
/** Maximum running files of one team: with two slow ones it has one place left for quick ones, and other teams have three. */
const mostOfTeam = 3
/** Time after which a file counts as slow and no longer blocks quick ones. */
const patience: Duration.DurationInput = "500 millis"

interface Turn {
  readonly team: string
  slow: boolean
}

interface Waiting {
  readonly team: string
  readonly begin: Deferred.Deferred<Turn>
}

export interface Turns {
  /** Waits for a place. The team holds it until the scope closes. */
  readonly take: (team: string) => Effect.Effect<Turn, never, Scope.Scope>
  /** Marks the file as slow after the time limit. Run it next to the parsing; it never succeeds. */
  readonly watch: (turn: Turn) => Effect.Effect<never>
}

/** `hasRoom`: whether the machine can take another child besides the usual ones; `shares`: of `most` places. */
export const makeTurns = (hasRoom: () => boolean, shares: Shares.Shares): Turns => {
  const atWork = new Set<Turn>()
  const waiting = new Set<Waiting>()

  const isFree = (): boolean => {
    let slow = 0
    for (const turn of atWork) if (turn.slow) slow += 1
    return atWork.size - slow < quick && atWork.size < most && (atWork.size < quick || hasRoom())
  }

  /** The first file of the team that the shares serve first. */
  const next = (): Waiting | undefined => {
    let first: Waiting | undefined
    for (const each of waiting) {
      if (first !== undefined && shares.compare(first.team, each.team) <= 0) continue
      if (shares.heldBy(each.team) < mostOfTeam && shares.fits(each.team)) first = each
    }
    return first
  }

  const advance = Effect.sync(() => {
    while (waiting.size > 0 && isFree()) {
      const chosen = next()
      if (chosen === undefined) return
      const turn: Turn = { team: chosen.team, slow: false }
      waiting.delete(chosen)
      atWork.add(turn)
      shares.take(turn.team)
      Deferred.unsafeDone(chosen.begin, Effect.succeed(turn))
    }
  })

  const take = (team: string) =>
    Effect.gen(function* () {
      const begin = yield* Deferred.make<Turn>()
      const mine: Waiting = { team, begin }
      // Whoever leaves while it waits may have been given a turn already.
      yield* Effect.acquireRelease(
        Effect.sync(() => waiting.add(mine)),
        () =>
          Effect.gen(function* () {
            waiting.delete(mine)
            const given = yield* Deferred.poll(begin)
            if (given._tag === "Some") {
              const turn = yield* given.value
              atWork.delete(turn)
              shares.release(turn.team)
            }
            yield* advance
          })
      )
      yield* advance
      return yield* Deferred.await(begin)
    })

  const watch = (turn: Turn) =>
    Effect.sync(() => {
      turn.slow = true
    }).pipe(Effect.zipRight(advance), Effect.delay(patience), Effect.zipRight(Effect.never))

  return { take, watch }
}
