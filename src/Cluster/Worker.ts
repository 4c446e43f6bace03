/** A worker: takes parts of runs while it has room for them, and gives back what it holds when it is told to go. */
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
import type { Place } from "./CarryOut.ts"
import * as Fabric from "./Fabric.ts"
import * as Metrics from "./Metrics.ts"
import { toGiveBack } from "./Stop.ts"
import { sweep as sweepRuns } from "./Sweep.ts"

/** One part of a run; its token is its identity, so that it is done once however often it is asked for. */
const PartWork = Workflow.make({
  name: "SluicePart",
  payload: { token: Schema.String },
  idempotencyKey: ({ token }) => token
})

export interface Options {
  readonly place: Place
  /** Parts at once. */
  readonly concurrency: number
  /** The name of the machine, for people. */
  readonly host?: string | undefined
  /** Goes when there is nothing left to take. */
  readonly drain?: boolean | undefined
  /** Done when it has begun to look for work. */
  readonly began?: Effect.Effect<void> | undefined
  /** Told what happens, a line each. */
  readonly say: (line: string) => void
}

/** Milliseconds after which a part that has not begun is free again. */
const patience = 15_000

/** Milliseconds between two looks at the board when nothing happens. */
const glance = 500

/** Tokens that are tried until one belongs to this worker's share of the cluster. */
const tries = 2000

/** What is said on the way out, if the database takes it in time; else the others find out by themselves. */
const briefly = (told: Effect.Effect<unknown, unknown>, most: Duration.DurationInput): Effect.Effect<void> =>
  // Whoever goes cannot be interrupted, and so would wait without end.
  Effect.ignore(Effect.timeout(Effect.interruptible(told), most))

/** A worker that is told to stop leaves without its database when that does not answer after this time. */
const stopPatience = "5 seconds"

/** Longest wait for an answer of the database before it counts as gone. */
const probeTimeout = "1 second"

/** Completes when the database does not answer. */
const silence = Effect.flatMap(PgClient.PgClient, (sql) =>
  // A query that waits for a connection cannot be interrupted: it is left alone.
  Effect.disconnect(Effect.interruptible(sql`SELECT 1`)).pipe(
    Effect.timeout(probeTimeout),
    Effect.zipRight(Effect.sleep(probeTimeout)),
    Effect.forever,
    Effect.ignore
  )
)

/**
 * Works until `stop` completes, or until it has been told to drain and has nothing left. What it holds when it is stopped
 * comes to its rest where it stands, and another worker goes on with it. Without the database nothing can be given back:
 * then it leaves within ten seconds, and what it holds becomes free by itself.
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
    /** Parts that it has taken and that have not begun, with the instant. */
    const taken = new Map<string, number>()
    /** Parts in its hands, to be ended by themselves when their run is stopped. */
    const halts = new Map<string, Deferred.Deferred<void>>()
    const attempts = yield* Attempt.make({ place, say })

    const carryOut = (token: string) =>
      Effect.gen(function* () {
        const begun = yield* Attempt.lasting(board.begin(id, token))
        taken.delete(token)
        if (begun === undefined) return
        const { beginnings, isDoubtful, part } = begun
        if (isDoubtful) Metrics.lost.add(1, part.kind)
        const unwanted = yield* Deferred.make<void>()
        busy.set(token, part)
        halts.set(token, unwanted)
        const rest = Effect.raceFirst(Deferred.await(stopping), Deferred.await(unwanted))
        yield* (isDoubtful ? attempts.again(part, beginnings, token, rest) : attempts.once(part, token, rest)).pipe(
          // The cluster gives it to somebody else: nobody went down.
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
        // The board was out of reach for longer than anybody waits: the part is free again by itself.
        Effect.catchAllCause((cause) =>
          Cause.isInterruptedOnly(cause)
            ? Effect.failCause(cause as Cause.Cause<never>)
            : Effect.logWarning(`a part could not be ended: ${Cause.pretty(cause)}`)
        )
      )

    const workflow = PartWork.toLayer(({ token }) => Activity.make({ name: "carry", execute: carryOut(token) }))

    /** A token whose execution is this worker's: what it takes is carried out here, unless the worker goes. */
    const ownToken = Effect.gen(function* () {
      const sharding = yield* Sharding.Sharding
      for (let count = 0; count < tries; count++) {
        const token = randomUUID()
        const execution = yield* PartWork.executionId({ token })
        if (sharding.hasShardId(sharding.getShardId(execution as never, "default"))) return token
      }
      return undefined
    })

    /** Takes one part, if there is room and one is waiting; undefined while the cluster has given it no share yet. */
    const take = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      // One that begins elsewhere, or was freed, is none of ours.
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
        // Who drains goes when a whole look has found nothing.
        // What workers held that are gone will be taken soon.
        if (!options.drain || !(lastFound || (yield* board.isOrphaned)))
          return yield* Deferred.succeed(drained, undefined)
        lastFound = found === undefined
      }
      yield* Effect.raceFirst(Queue.take(freed), Effect.sleep(glance))
    }).pipe(
      steadily("This worker cannot look for work"),
      Effect.catchAllCause(() => Effect.sleep(glance))
    )

    /** Ends what it has of runs that were stopped. */
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
      Metrics.begins(concurrency)
      say(`worker ${id} takes ${concurrency} parts at once`)
      yield* options.began ?? Effect.void
      yield* Effect.raceFirst(stop, Deferred.await(drained))
      yield* Fiber.interrupt(looking)
      yield* Deferred.succeed(stopping, undefined)
      // What has not begun is free at once, and not only when somebody finds out.
      yield* Effect.forEach(taken.keys(), board.release, { discard: true }).pipe(
        Effect.timeout("2 seconds"),
        Effect.catchAllCause((cause) => Effect.logDebug(cause))
      )
      // Each comes to its rest within seconds; what does not is taken over by others when this process is gone.
      yield* Effect.iterate(0, {
        while: (count) => count < 100 && busy.size > 0,
        body: (count) => Effect.as(Effect.sleep(100), count + 1)
      })
      say("is gone")
    }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(workflow, Fabric.layer(id))))
  }).pipe(Effect.scoped)
