/**
 * Worker runtime: claims parts up to its concurrency, executes them, and returns them on shutdown.
 *
 * - `running` holds every part delivered to this process. A part enters it in the same critical section in which it is claimed, and leaves
 *   it when its outcome is recorded.
 * - Each second one heartbeat is sent for all of them. A part missing in the answer was withdrawn or delivered again, and is halted: it
 *   commits its progress, and its result is dropped.
 * - A suspect is executed alone: once one is claimed, the other parts are halted and returned, and none is claimed until it has ended.
 * - All workers, even busy ones, deliver the parts of lost workers again, but not within {@link workerExpiry} seconds after the server
 *   started or a heartbeat of this worker failed: other workers may have been unable to send heartbeats.
 * - On shutdown it claims nothing, halts all parts and waits up to 10 seconds for their commits. Then it returns the remaining parts and
 *   unregisters. If the process is killed instead, its parts are delivered again after {@link workerExpiry} seconds.
 */
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import { retryLost } from "../Database/ConnectionLoss.ts"
import { ledgerSql } from "../Ledger/Service.ts"
import { warnOnce } from "../Telemetry/Log.ts"
import * as Attempt from "./Attempt.ts"
import { Carrier, type Delivery, workerExpiry } from "./Carrier.ts"
import type { Place } from "./PartRun.ts"
import { Submissions } from "./Submissions.ts"
import * as Workers from "./Workers.ts"

export interface Options {
  readonly place: Place
  /** Maximum number of parts that run at the same time. */
  readonly concurrency: number
  /** Name of the machine, for display only. */
  readonly host?: string | undefined
  /** True to exit once no part has been waiting for 2 seconds. */
  readonly drain?: boolean | undefined
  /** Executed when the worker starts to poll. */
  readonly began?: Effect.Effect<void> | undefined
  /** Receives log lines. */
  readonly say: (line: string) => void
}

/** Poll interval while no part is found. */
const pollInterval = "500 millis"

/** Interval of heartbeats, and of claims for suspects. */
const beatInterval = "1 second"

/** Interval for looking for parts of lost workers, which are then delivered again. */
const requeueInterval = "1 second"

/** Milliseconds without work after which a worker with `drain` exits. A run may be submitted just as the worker starts. */
const drainTimeout = 2_000

const sweepInterval = "10 minutes"

/** Milliseconds for the commits of running parts at shutdown. */
const commitTimeout = 10_000

/** Shutdown timeout while the database does not answer. */
const shutdownTimeout = "5 seconds"

/** Time without a response after which the database counts as unreachable. */
const probeTimeout = "1 second"

interface Running {
  readonly delivery: Delivery
  /** Completed to halt only this part. */
  readonly halt: Deferred.Deferred<void>
  readonly fiber: Fiber.Fiber<unknown>
}

/** Runs an effect of a finalizer with a time limit. Other workers detect what it could not report. */
const briefly = <R>(
  effect: Effect.Effect<unknown, unknown, R>,
  limit: Duration.DurationInput
): Effect.Effect<void, never, R> =>
  // Finalizers are uninterruptible, so the timeout needs an interruptible effect.
  Effect.ignore(Effect.timeout(Effect.interruptible(effect), limit))

/** Completes once the database does not answer. */
const unreachable = Effect.flatMap(ledgerSql, (sql) =>
  // A query that waits for a connection cannot be interrupted, so it runs on its own fiber.
  Effect.disconnect(Effect.interruptible(sql`SELECT 1`)).pipe(
    Effect.timeout(probeTimeout),
    Effect.zipRight(Effect.sleep(probeTimeout)),
    Effect.forever,
    Effect.ignore
  )
)

/** Repeats a duty of the worker until its scope closes. Logs the first of several consecutive failures. */
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
      options.say(
        "has ended without reaching the database: other workers can take over its parts of runs within seconds"
      )
      yield* Fiber.interruptFork(fiber)
    })
  )

const work = (options: Options, stop: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const { concurrency, place, say } = options
    const host = options.host ?? hostname()
    const self = { id: `${host}-${randomUUID().slice(0, 8)}`, host, pid: process.pid, concurrency }
    const carrier = yield* Carrier
    const submissions = yield* Submissions
    const attempt = yield* Attempt.make({ place, say, worker: self.id })
    const stopping = yield* Deferred.make<void>()
    const drained = yield* Deferred.make<void>()
    const freed = yield* Queue.sliding<void>(1)
    const claiming = yield* Effect.makeSemaphore(1)
    const running = new Map<string, Running>()
    let isDraining = options.drain === true
    /** True while this worker has a suspect. */
    let isAlone = false
    let lastWork = yield* Clock.currentTimeMillis
    /** Before this time no part counts as lost: the server was unreachable, so other workers could not send heartbeats either. */
    let graceEnd: number | undefined
    /** True if a worker that had begun a part has sent no heartbeat for 4 seconds. */
    let isOneLost = false
    /** Time of the next check for parts that were lost before they were begun. */
    let nextLook = 0

    const start = (delivery: Delivery, before: Effect.Effect<unknown>) =>
      Effect.gen(function* () {
        const halt = yield* Deferred.make<void>()
        const halted = Effect.raceFirst(Deferred.await(stopping), Deferred.await(halt))
        const fiber = yield* Effect.forkDaemon(Effect.interruptible(Effect.zipRight(before, attempt(delivery, halted))))
        running.set(delivery.id, { delivery, halt, fiber })
        fiber.addObserver(() => {
          running.delete(delivery.id)
          freed.unsafeOffer(undefined)
        })
        return fiber
      })

    const mayClaim = () => !isAlone && (!isDraining || options.drain === true)

    /** Claims parts for the free slots and starts them. False if there is no free slot or no part. */
    const claim = Effect.gen(function* () {
      if (running.size >= concurrency || !mayClaim()) return false
      const found = yield* carrier.claim("any", concurrency - running.size)
      yield* Effect.forEach(found, (delivery) => start(delivery, Effect.void), { discard: true })
      return found.length > 0
    }).pipe(Effect.uninterruptible, claiming.withPermits(1))

    const halt = ({ halt }: Running) => Deferred.succeed(halt, undefined)

    /** Claims a suspect, returns all other parts, and executes the suspect once they are gone. */
    const claimSuspect = Effect.gen(function* () {
      if (!mayClaim()) return
      const [suspect] = yield* carrier.claim("suspect", 1)
      if (suspect === undefined) return
      isAlone = true
      const others = [...running.values()]
      yield* Effect.forEach(others, halt, { discard: true })
      const fiber = yield* start(
        suspect,
        Effect.forEach(others, ({ fiber }) => Fiber.await(fiber), { discard: true })
      )
      fiber.addObserver(() => {
        isAlone = false
      })
    }).pipe(Effect.uninterruptible, claiming.withPermits(1))

    const poll = Effect.gen(function* () {
      yield* Effect.repeat(claim, { while: (isClaimed) => isClaimed })
      const now = yield* Clock.currentTimeMillis
      if (options.drain === true && (running.size > 0 || (yield* submissions.hasWork))) lastWork = now
      if (isDraining && running.size === 0 && (options.drain !== true || now - lastWork >= drainTimeout)) {
        return yield* Deferred.succeed(drained, undefined)
      }
      yield* Effect.raceFirst(Queue.take(freed), Effect.sleep(pollInterval))
    }).pipe(
      warnOnce("This worker cannot look for work"),
      Effect.catchAllCause(() => Effect.sleep(pollInterval))
    )

    const grantGrace = Effect.map(Clock.currentTimeMillis, (now) => {
      graceEnd = now + workerExpiry * 1000
    })

    const beat = Effect.gen(function* () {
      const { hasLost, isAsked, serverUp } = yield* Workers.beat(self)
      isOneLost = hasLost
      if (isAsked && !isDraining) say("drains: it finishes its parts of runs, and accepts no new ones")
      isDraining ||= isAsked
      const out = [...running.values()]
      const held = yield* carrier.hold(out.map(({ delivery }) => delivery))
      yield* Effect.forEach(
        out.filter(({ delivery }) => !held.has(delivery.id)),
        halt,
        { discard: true }
      )
      if (serverUp < workerExpiry) yield* grantGrace
      graceEnd ??= 0
    }).pipe(Effect.tapErrorCause(() => grantGrace))

    const requeueLost = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (graceEnd === undefined || now < graceEnd || (!isOneLost && now < nextLook)) return Effect.void
      nextLook = now + workerExpiry * 1000
      return carrier.requeueLost
    })

    /** Waits for commits, which take seconds. Other workers take over the remaining parts once this worker has left. */
    const commit = Effect.suspend(() =>
      Effect.forEach([...running.values()], ({ fiber }) => Fiber.await(fiber), { discard: true })
    )

    /** Returns parts that could not commit. */
    const giveUp = Effect.suspend(() => {
      const left = [...running.values()]
      return Effect.zipRight(
        Fiber.interruptAll(left.map(({ fiber }) => fiber)),
        Effect.forEach(left, ({ delivery }) => submissions.release(delivery, self.id), { discard: true })
      )
    })

    yield* Effect.acquireRelease(retryLost(Workers.beat(self)), () => briefly(Workers.leave(self.id), "2 seconds"))
    yield* Effect.addFinalizer(() => briefly(giveUp, "2 seconds"))
    yield* Effect.gen(function* () {
      yield* repeatedly(beat, "This worker cannot send its heartbeat", beatInterval)
      yield* repeatedly(claimSuspect, "This worker cannot look for parts whose workers were lost", beatInterval)
      yield* repeatedly(requeueLost, "This worker cannot look for parts of lost workers", requeueInterval)
      yield* repeatedly(
        Effect.zipRight(submissions.offerAll, submissions.sweep),
        "This worker cannot remove old runs and workers",
        sweepInterval
      )
      const polling = yield* Effect.forkScoped(Effect.forever(poll))
      Attempt.setRoom(concurrency)
      say(`worker ${self.id} executes up to ${concurrency} parts at once`)
      yield* options.began ?? Effect.void
      yield* Effect.raceFirst(stop, Deferred.await(drained))
      yield* Fiber.interrupt(polling)
      yield* Deferred.succeed(stopping, undefined)
      yield* Effect.timeoutOption(commit, commitTimeout)
      say("is gone")
    }).pipe(Effect.scoped)
  }).pipe(Effect.scoped)
