/**
 * Pool of child processes that parse one file at a time; a file can only harm its own process.
 *
 * Teams share the processes through one queue (`FairQueue`), so that one team cannot hold them all while another has none. Under load a
 * process can take seconds to start, so one is started in advance for the first file of another team.
 */
import * as os from "node:os"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import type { Restore } from "../../Callback/Lean.ts"
import { after, on } from "../../Callback.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import * as Metrics from "../Teams/EngineMetrics.ts"
import * as FairQueue from "../Teams/FairQueue.ts"
import { type Child, type ChildLost, forkChild, maxResidentBytes, ready, reply, watchMemory } from "./ParserProcess.ts"
import type { Job, Reply } from "./Protocol.ts"

/** Milliseconds after which an unused child is stopped. */
const idleMillis = 60_000
/** Time after which a file counts as slow: its child then gets a lower priority, so that the engine and starting children run first. */
const slowAfter: Duration.DurationInput = "500 millis"
/** Minimum and maximum files parsed at once. */
const minPlaces = 2
const maxPlaces = 4
/** Memory to leave free in addition to that of the children. */
const spareBytes = 512 * 1024 * 1024

/** The job exceeded its time limit. */
class ChildLate extends Data.TaggedError("ChildLate")<{ readonly millis: number }> {
  override get message() {
    return `The process that parses files took longer than ${this.millis} ms. Raise the timeout.`
  }
}

/**
 * Children that are alive. Their user bounds how many are in use; a file takes an idle child, or waits for one that is being started ahead, or
 * starts its own. (Effect's `Pool` can let a file wait forever: if a child becomes idle between the request and the start of the pool's own
 * fiber, that fiber has nothing to start and wakes nobody.)
 */
class ChildSet {
  readonly #alive = new Set<Child>()
  /** Idle children. The one that became idle last gets the next file, so that surplus children stay idle and end. */
  readonly #idle: Array<Child> = []
  /** Wakes a file that waits for a child, oldest first. No more files wait than children are being started ahead. */
  readonly #waiting = new Set<() => void>()
  #startingAhead = 0
  #isClosed = false

  /** Number of children, including those that are being started. */
  get size(): number {
    return this.#alive.size
  }

  /** True while a child is being started ahead for which no file waits. */
  get isStartingAhead(): boolean {
    return this.#startingAhead > this.#waiting.size
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Called in an uninterruptible region; its `restore` makes the wait for a child interruptible. */
  take(restore: Restore): Effect.Effect<Child, ChildLost> {
    return Effect.suspend(() => {
      const child = this.#idle.pop()
      if (child !== undefined) {
        clearTimeout(child.timer)
        return Effect.succeed(child)
      }
      if (!this.isStartingAhead) return this.#start(restore)
      // The wake of a file that is interrupted belongs to the next one.
      const woken = Effect.onInterrupt(restore(this.#woken), () => Effect.sync(() => this.#wake()))
      return Effect.zipRight(woken, this.take(restore))
    })
  }

  /** Makes a child idle again, or ends it if it is worn. A file that waits takes it, or starts its own. */
  giveBack(child: Child): void {
    if (this.#isClosed || !this.#alive.has(child) || child.isWorn) this.end(child)
    else {
      this.#idle.push(child)
      child.timer = after(idleMillis, () => this.end(child)).unref()
    }
    this.#wake()
  }

  end(child: Child): void {
    this.#forget(child)
    child.kill()
  }

  /** Starts a child that becomes idle. If it cannot be started, the next file tries again, and fails with the reason. */
  get startOneAhead(): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.#startingAhead += 1
      const started = Effect.uninterruptibleMask((restore) =>
        Effect.onExit(this.#start(restore), (exit) =>
          Effect.sync(() => {
            this.#startingAhead -= 1
            if (Exit.isSuccess(exit)) this.giveBack(exit.value)
            else this.#wake()
          })
        )
      )
      return Effect.ignore(started)
    })
  }

  /** Ends all children. Their files, and those that still ask for one, are interrupted. */
  close(): void {
    this.#isClosed = true
    for (const child of this.#alive) this.end(child)
  }

  #start(restore: Restore): Effect.Effect<Child, ChildLost> {
    return Effect.suspend(() => {
      if (this.#isClosed) return Effect.interrupt
      return Effect.flatMap(forkChild, (child) => {
        this.#alive.add(child)
        on(child.process, "exit", () => this.#forget(child))
        return Effect.as(
          Effect.onExit(restore(ready(child)), (exit) =>
            Exit.isSuccess(exit) ? Effect.void : Effect.sync(() => this.end(child))
          ),
          child
        )
      })
    })
  }

  /** Completes when a waiting file should look for a child again: one is idle or has ended, or one that was started ahead has failed. */
  get #woken(): Effect.Effect<void> {
    return Effect.async((resume) => {
      const wake = () => {
        this.#waiting.delete(wake)
        resume(Effect.void)
      }
      this.#waiting.add(wake)
      return Effect.sync(() => this.#waiting.delete(wake))
    })
  }

  #wake(): void {
    const [oldest] = this.#waiting
    oldest?.()
  }

  #forget(child: Child): void {
    clearTimeout(child.timer)
    this.#alive.delete(child)
    const at = this.#idle.indexOf(child)
    if (at !== -1) this.#idle.splice(at, 1)
  }
}

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
  // Closes after the children, so that a start ahead which is interrupted then makes no file start another child.
  const scope = yield* Effect.acquireRelease(Scope.make(), Scope.close)
  const children = yield* Effect.acquireRelease(
    Effect.sync(() => new ChildSet()),
    (all) => Effect.sync(() => all.close())
  )
  /** Starts a child ahead if no other one is idle or being started, so that the first file of another team finds one ready. */
  const whenAlone = (team: string) => {
    if (shares.reservedForOthers(team) === 0) return Effect.void
    // Decided in the fiber that starts it: other files may have begun before that runs.
    const start = Effect.suspend(() => {
      const isNeeded = !children.isStartingAhead && children.size <= shares.active() && children.size < places
      return isNeeded ? children.startOneAhead : Effect.void
    })
    return Effect.forkIn(start, scope)
  }
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
    ).pipe(
      Effect.catchIf(
        () => children.isClosed,
        () => Effect.interrupt
      )
    )
  const run = Trace.fn("Parse.child")((job: Job, team = "") =>
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
    const ahead = Effect.forEach(Array.from({ length: count }), () => children.startOneAhead, {
      concurrency: "unbounded",
      discard: true
    })
    return Effect.forkIn(ahead, scope)
  })
  return { run, startAhead }
})
