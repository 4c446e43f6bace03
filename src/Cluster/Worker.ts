/**
 * Worker runtime: claims parts up to its concurrency, executes them, and returns them on shutdown.
 *
 * - `running` holds every part that this process works on, by token. A part enters it in the same critical section as its claim, so a part
 *   that is claimed for this worker but not in it is one whose claim was never answered: `reconcile` returns it.
 * - A part leaves it when the queue has recorded the outcome. A part that was requeued, or whose run was stopped, is halted: it commits what
 *   it has, and its result is dropped.
 * - On shutdown it claims nothing, halts all parts and waits up to 10 seconds for their commits. Then it returns what is left and
 *   unregisters. If the process is killed instead, the queue requeues its parts after 4 seconds of silence.
 */
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import { retryLost } from "../Database/ConnectionLoss.ts"
import { warnOnce } from "../Telemetry/Log.ts"
import * as Attempt from "./Attempt.ts"
import type { Place } from "./PartRun.ts"
import { type Claim, ShardQueue } from "./ShardQueue.ts"

export interface Options {
  readonly place: Place
  /** Maximum number of parts that run at the same time. */
  readonly concurrency: number
  /** Name of the machine, for display only. */
  readonly host?: string | undefined
  /** Exit when no part was waiting for 2 seconds. */
  readonly drain?: boolean | undefined
  /** Completed when the worker starts to poll. */
  readonly began?: Effect.Effect<void> | undefined
  /** Receives log lines. */
  readonly say: (line: string) => void
}

/** Poll interval of a worker that found no part. */
const pollInterval = "500 millis"

/** Interval of heartbeats, and of looking for parts that were requeued or stopped. */
const beatInterval = "1 second"

/** Time without work after which a worker with `drain` leaves, in milliseconds. A run may be submitted at the same time as it starts. */
const drainTimeout = 2_000

const sweepInterval = "10 minutes"

/** Time for the commits of running parts at shutdown, in milliseconds. */
const commitTimeout = 10_000

/** Shutdown timeout while the database does not answer. */
const shutdownTimeout = "5 seconds"

/** Time without an answer after which the database counts as unreachable. */
const probeTimeout = "1 second"

interface Running {
  /** Completed to stop the part alone. */
  readonly halt: Deferred.Deferred<void>
  readonly fiber: Fiber.Fiber<void>
}

/** Runs an effect of a finalizer for a limited time. Other workers detect what it could not report. */
const briefly = (effect: Effect.Effect<unknown, unknown>, limit: Duration.DurationInput): Effect.Effect<void> =>
  // Finalizers are uninterruptible, so the timeout needs an interruptible effect.
  Effect.ignore(Effect.timeout(Effect.interruptible(effect), limit))

/** Completes when the database does not answer. */
const unreachable = Effect.flatMap(PgClient.PgClient, (sql) =>
  // A query that waits for a connection cannot be interrupted, so it runs on its own fiber.
  Effect.disconnect(Effect.interruptible(sql`SELECT 1`)).pipe(
    Effect.timeout(probeTimeout),
    Effect.zipRight(Effect.sleep(probeTimeout)),
    Effect.forever,
    Effect.ignore
  )
)

/** Repeats a duty of the worker for as long as its scope is open. The first of several failures in a row is logged. */
const repeatedly = <A, E, R>(duty: Effect.Effect<A, E, R>, cannot: string, interval: Duration.DurationInput) =>
  duty.pipe(
    warnOnce(cannot),
    Effect.catchAllCause(() => Effect.void),
    Effect.repeat(Schedule.spaced(interval)),
    Effect.forkScoped
  )

/**
 * Works until `stop` completes, or until it is drained and no part is left. On `stop` it checkpoints its parts and
 * releases them to other workers. When the database does not answer it exits within ten seconds, and its parts are requeued.
 */
export const run = (options: Options, stop: Effect.Effect<void>) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkDaemon(Effect.interruptible(work(options, stop)))
      const isCut = Effect.zipRight(stop, Effect.zipRight(Effect.sleep(shutdownTimeout), unreachable))
      const end = yield* restore(
        Effect.raceFirst(Effect.asSome(Fiber.join(fiber)), Effect.as(isCut, Option.none<void>()))
      ).pipe(Effect.onInterrupt(() => Fiber.interrupt(fiber)))
      if (Option.isSome(end)) return
      options.say("is gone without its database: what it held is free by itself within seconds")
      yield* Fiber.interruptFork(fiber)
    })
  )

const work = (options: Options, stop: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const { concurrency, place, say } = options
    const host = options.host ?? hostname()
    const self = { id: `${host}-${randomUUID().slice(0, 8)}`, host, pid: process.pid, concurrency }
    const queue = yield* ShardQueue
    const attempt = yield* Attempt.make({ place, say })
    const stopping = yield* Deferred.make<void>()
    const drained = yield* Deferred.make<void>()
    const freed = yield* Queue.sliding<void>(1)
    const claiming = yield* Effect.makeSemaphore(1)
    const running = new Map<string, Running>()
    let isDraining = options.drain === true
    let lastWork = yield* Clock.currentTimeMillis

    const start = (claim: Claim) =>
      Effect.gen(function* () {
        const halt = yield* Deferred.make<void>()
        const halted = Effect.raceFirst(Deferred.await(stopping), Deferred.await(halt))
        const fiber = yield* Effect.forkDaemon(Effect.interruptible(attempt(claim, halted)))
        running.set(claim.token, { halt, fiber })
        fiber.addObserver(() => {
          running.delete(claim.token)
          freed.unsafeOffer(undefined)
        })
      }).pipe(Effect.uninterruptible)

    /** Claims a part and starts it. False if there is no room or no part. */
    const claim = Effect.gen(function* () {
      if (running.size >= concurrency || (isDraining && options.drain !== true)) return false
      const found = yield* queue.claim(self.id, randomUUID())
      if (found !== undefined) yield* start(found)
      return found !== undefined
    }).pipe(claiming.withPermits(1))

    const poll = Effect.gen(function* () {
      yield* Effect.repeat(claim, { while: (isClaimed) => isClaimed })
      const now = yield* Clock.currentTimeMillis
      if (options.drain === true && (running.size > 0 || (yield* queue.hasWork))) lastWork = now
      if (isDraining && running.size === 0 && (options.drain !== true || now - lastWork >= drainTimeout)) {
        return yield* Deferred.succeed(drained, undefined)
      }
      yield* Effect.raceFirst(Queue.take(freed), Effect.sleep(pollInterval))
    }).pipe(
      warnOnce("This worker cannot look for work"),
      Effect.catchAllCause(() => Effect.sleep(pollInterval))
    )

    /** Also requeues the parts of lost workers, so that one of them is found while every worker is busy and other parts wait. */
    const beat = Effect.gen(function* () {
      const isAsked = yield* queue.beat(self)
      if (isAsked && !isDraining) say("drains: finishes what it has, and takes nothing new")
      isDraining ||= isAsked
      if ((yield* queue.requeueLost(self.id)) > 0) yield* Queue.offer(freed, undefined)
    })

    /** Halts parts that were requeued, because this worker was silent, and parts of stopped runs. */
    const reconcile = Effect.gen(function* () {
      const tokens = [...running.keys()]
      const kept = yield* queue.reconcile(self.id, tokens)
      for (const token of tokens) {
        const part = running.get(token)
        if (part !== undefined && !kept.has(token)) yield* Deferred.succeed(part.halt, undefined)
      }
    }).pipe(claiming.withPermits(1))

    /** Parts commit within seconds. Other workers take over the rest when this worker has left. */
    const commit = Effect.forEach([...running.values()], ({ fiber }) => Fiber.await(fiber), {
      concurrency: "unbounded"
    })

    yield* Effect.acquireRelease(retryLost(queue.beat(self)), () => briefly(queue.leave(self.id), "2 seconds"))
    yield* Effect.addFinalizer(() =>
      briefly(Fiber.interruptAll([...running.values()].map(({ fiber }) => fiber)), "2 seconds")
    )
    yield* Effect.gen(function* () {
      yield* repeatedly(beat, "This worker cannot give a sign of life", beatInterval)
      yield* repeatedly(reconcile, "This worker cannot look for parts that it shall stop", beatInterval)
      yield* repeatedly(queue.sweep, "This worker cannot remove old runs and workers", sweepInterval)
      const polling = yield* Effect.forkScoped(Effect.forever(poll))
      Attempt.setRoom(concurrency)
      say(`worker ${self.id} takes ${concurrency} parts at once`)
      yield* options.began ?? Effect.void
      yield* Effect.raceFirst(stop, Deferred.await(drained))
      yield* Fiber.interrupt(polling)
      yield* Deferred.succeed(stopping, undefined)
      yield* Effect.timeoutOption(commit, commitTimeout)
      say("is gone")
    }).pipe(Effect.scoped)
  }).pipe(Effect.scoped)
