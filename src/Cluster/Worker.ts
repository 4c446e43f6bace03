/** Worker process: claims parts of runs up to its concurrency, and releases them on shutdown. */
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import * as Sharding from "@effect/cluster/Sharding"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Activity from "@effect/workflow/Activity"
import * as Workflow from "@effect/workflow/Workflow"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { steadily } from "../Telemetry/Steady.ts"
import * as Attempt from "./Attempt.ts"
import type { Part } from "./Board/Part.ts"
import { Board } from "./Board.ts"
import * as Fabric from "./Fabric.ts"
import type { Place } from "./PartRun.ts"
import { toGiveBack } from "./Stop.ts"
import { sweep as sweepRuns } from "./Sweep.ts"

/** Carries out a part of a run. The token is its idempotency key. */
const PartWork = Workflow.make({
  name: "SluicePart",
  payload: { token: Schema.String },
  idempotencyKey: ({ token }) => token
})

export interface Options {
  readonly place: Place
  /** Maximum number of parts that run at the same time. */
  readonly concurrency: number
  /** Name of the machine, for display only. */
  readonly host?: string | undefined
  /** Exit when no part is waiting. */
  readonly drain?: boolean | undefined
  /** Completed when the worker starts to poll. */
  readonly began?: Effect.Effect<void> | undefined
  /** Receives log lines. */
  readonly say: (line: string) => void
}

/** Milliseconds after which a claimed part that has not started is free again. */
const patience = 15_000

/** Poll interval of an idle worker, in milliseconds. */
const glance = 500

/** Tokens to try until one maps to a shard of this worker. */
const tries = 2000

/** Runs a write at shutdown for at most `most`. Other workers detect what it could not report. */
const briefly = (told: Effect.Effect<unknown, unknown>, most: Duration.DurationInput): Effect.Effect<void> =>
  // Finalizers are uninterruptible, so the timeout needs an interruptible effect.
  Effect.ignore(Effect.timeout(Effect.interruptible(told), most))

/** Shutdown timeout while the database does not answer. */
const stopPatience = "5 seconds"

/** Time without an answer after which the database counts as unreachable. */
const probeTimeout = "1 second"

/** Completes when the database does not answer. */
const silence = Effect.flatMap(PgClient.PgClient, (sql) =>
  // A query that waits for a connection cannot be interrupted, so it runs on its own fiber.
  Effect.disconnect(Effect.interruptible(sql`SELECT 1`)).pipe(
    Effect.timeout(probeTimeout),
    Effect.zipRight(Effect.sleep(probeTimeout)),
    Effect.forever,
    Effect.ignore
  )
)

/**
 * Works until `stop` completes, or until it is drained and no part is left. On `stop` it checkpoints its parts and
 * releases them to other workers. When the database does not answer it exits within ten seconds, and its leases expire.
 */
export const run = (options: Options, stop: Effect.Effect<void>) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkDaemon(Effect.interruptible(work(options, stop)))
      const isCut = Effect.zipRight(stop, Effect.zipRight(Effect.sleep(stopPatience), silence))
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
    const id = `${host}-${randomUUID().slice(0, 8)}`
    const board = yield* Board
    const stopping = yield* Deferred.make<void>()
    const freed = yield* Queue.sliding<void>(1)
    const drained = yield* Deferred.make<void>()
    let draining = options.drain === true
    let lastFound = true
    const busy = new Map<string, Part>()
    /** Claimed parts that have not started, with the time of the claim. */
    const taken = new Map<string, number>()
    /** Running parts, each with a way to stop it alone. */
    const halts = new Map<string, Deferred.Deferred<void>>()
    const attempts = yield* Attempt.make({ place, say })

    const carryOut = (token: string) =>
      Effect.gen(function* () {
        const begun = yield* Attempt.lasting(board.begin(id, token))
        taken.delete(token)
        if (begun === undefined) return
        const { beginnings, isDoubtful, part } = begun
        if (isDoubtful) Attempt.lost.add(1, part.kind)
        const unwanted = yield* Deferred.make<void>()
        busy.set(token, part)
        halts.set(token, unwanted)
        const rest = Effect.raceFirst(Deferred.await(stopping), Deferred.await(unwanted))
        yield* (isDoubtful ? attempts.again(part, beginnings, token, rest) : attempts.once(part, token, rest)).pipe(
          // The cluster moved it to another worker: this is not a crash.
          Effect.onInterrupt(() => briefly(board.forgive(token), "1 second")),
          Effect.ensuring(
            Effect.suspend(() => {
              busy.delete(token)
              halts.delete(token)
              return Queue.offer(freed, undefined)
            })
          )
        )
      }).pipe(
        // The queue was unreachable for too long: the lease expires and the part is free again.
        Effect.catchAllCause((cause) =>
          Cause.isInterruptedOnly(cause)
            ? Effect.failCause(cause as Cause.Cause<never>)
            : Effect.logWarning(`a part could not be ended: ${Cause.pretty(cause)}`)
        )
      )

    const workflow = PartWork.toLayer(({ token }) => Activity.make({ name: "carry", execute: carryOut(token) }))

    /** Returns a token that maps to this worker, so that the part it claims runs here. */
    const ownToken = Effect.gen(function* () {
      const sharding = yield* Sharding.Sharding
      for (let count = 0; count < tries; count++) {
        const token = randomUUID()
        const execution = yield* PartWork.executionId({ token })
        if (sharding.hasShardId(sharding.getShardId(execution as never, "default"))) return token
      }
      return undefined
    })

    /** Claims a waiting part if there is room. Undefined while no shards are assigned to this worker. */
    const take = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      // The part was freed, or runs on another worker.
      for (const [token, since] of taken) if (now - since > patience) taken.delete(token)
      if (busy.size + taken.size >= concurrency || (draining && !options.drain)) return false
      const token = yield* ownToken
      if (token === undefined) return undefined
      const part = yield* board.claim(id, token)
      if (part === undefined) return false
      taken.set(token, now)
      yield* PartWork.execute({ token }, { discard: true })
      return true
    })

    const look = Effect.gen(function* () {
      let found = yield* take
      while (found === true) found = yield* take
      if (found === undefined) lastFound = true
      if (draining && busy.size + taken.size === 0) {
        // A draining worker exits after a poll that found nothing.
        // Parts of lost workers will be free soon.
        if (!options.drain || !(lastFound || (yield* board.isOrphaned)))
          return yield* Deferred.succeed(drained, undefined)
        lastFound = found === undefined
      }
      yield* Effect.raceFirst(Queue.take(freed), Effect.sleep(glance))
    }).pipe(
      steadily("This worker cannot look for work"),
      Effect.catchAllCause(() => Effect.sleep(glance))
    )

    /** Stops parts of runs that were stopped. */
    const giveBack = Effect.suspend(() =>
      halts.size === 0
        ? Effect.void
        : Effect.flatMap(toGiveBack(id), (tokens) =>
            Effect.forEach(
              tokens,
              (token) => {
                const halt = halts.get(token)
                return halt === undefined ? Effect.void : Deferred.succeed(halt, undefined)
              },
              { discard: true }
            )
          )
    )

    const beat = board.beat(id).pipe(
      Effect.tap((told) =>
        Effect.sync(() => {
          if (told && !draining) say("drains: finishes what it has, and takes nothing new")
          draining ||= told
        })
      ),
      Effect.zipRight(board.free),
      Effect.zipRight(giveBack),
      steadily("This worker cannot give a sign of life"),
      Effect.catchAllCause(() => Effect.void),
      Effect.repeat(Schedule.spaced("1 second"))
    )

    const sweep = Effect.flatMap(PgClient.PgClient, (sql) => Effect.zipRight(Fabric.sweep(sql), sweepRuns)).pipe(
      steadily("This worker cannot remove what is of no more use"),
      Effect.catchAllCause(() => Effect.void),
      Effect.repeat(Schedule.spaced("10 minutes"))
    )

    yield* Effect.acquireRelease(board.join({ id, host, pid: process.pid, concurrency }), () =>
      briefly(board.leave(id), "2 seconds")
    )
    yield* Effect.gen(function* () {
      yield* Effect.forkScoped(beat)
      yield* Effect.forkScoped(sweep)
      const looking = yield* Effect.forkScoped(Effect.forever(look))
      Attempt.begins(concurrency)
      say(`worker ${id} takes ${concurrency} parts at once`)
      yield* options.began ?? Effect.void
      yield* Effect.raceFirst(stop, Deferred.await(drained))
      yield* Fiber.interrupt(looking)
      yield* Deferred.succeed(stopping, undefined)
      // Release parts that have not started now instead of when their lease expires.
      yield* Effect.forEach(taken.keys(), board.release, { discard: true }).pipe(
        Effect.timeout("2 seconds"),
        Effect.catchAllCause((cause) => Effect.logDebug(cause))
      )
      // Parts checkpoint within seconds. Other workers take over the rest when this process is gone.
      yield* Effect.iterate(0, {
        while: (count) => count < 100 && busy.size > 0,
        body: (count) => Effect.as(Effect.sleep(100), count + 1)
      })
      say("is gone")
    }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(workflow, Fabric.layer(id))))
  }).pipe(Effect.scoped)
