/** One attempt of a worker at a part, with its metrics and its span, until the queue has recorded the outcome. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { counter, gauge } from "../Telemetry/Metric.ts"
import { steadily } from "../Telemetry/Steady.ts"
import * as Trace from "../Telemetry/Trace.ts"
import * as Beginnings from "./Board/Beginnings.ts"
import type { Part } from "./Board/Part.ts"
import { Board } from "./Board.ts"
import { carry, type PartFailed, type Place } from "./PartRun.ts"
import type { Task } from "./Task.ts"

const nameOf = ({ kind, part, runId }: Part): string =>
  kind === "shard" ? `shard ${part} of ${runId}` : `the ${kind} of ${runId}`

/**
 * What the board must hear, for as long as this worker lives: it would count as at work on a part that it has ended, and
 * nobody would go on with it. Who is told to go, goes: then the part is free by itself.
 */
export const lasting = <A, E, R>(told: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  told.pipe(
    steadily("This worker cannot write down how a part of a run stands"),
    Effect.retry(Schedule.spaced("1 second"))
  )

const isFailure = (error: unknown): error is PartFailed =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "PartFailed"

interface Options {
  readonly place: Place
  readonly say: (line: string) => void
}

export const make = ({ place, say }: Options) =>
  Effect.gen(function* () {
    const board = yield* Board
    /** One of those that may have taken workers down at a time: who goes down next is known by that. */
    const alone = yield* Effect.makeSemaphore(1)

    const giveBack = (part: Part, token: string) => {
      say(`gives back ${nameOf(part)}`)
      return lasting(board.release(token))
    }

    /** Carries a part out; when `rest` comes first it is left where it stands, and is anybody's. */
    const once = (part: Part, token: string, rest: Effect.Effect<void>) =>
      Effect.gen(function* () {
        const task = yield* lasting(board.task(part.runId))
        if (task === undefined) return
        const fiber = yield* Effect.fork(Effect.interruptible(carrying(carry(part, task, place), part, task)))
        const exit = yield* Effect.raceFirst(Fiber.await(fiber), Effect.zipRight(rest, Fiber.interrupt(fiber))).pipe(
          Effect.onInterrupt(() => Fiber.interrupt(fiber))
        )
        if (Exit.isSuccess(exit)) return yield* lasting(board.complete(part, token, exit.value))
        if (Cause.isInterrupted(exit.cause)) return yield* giveBack(part, token)
        const error = Cause.squash(exit.cause)
        const why = error instanceof Error ? error.message : String(error)
        say(`${nameOf(part)} ${isFailure(error) && error.status === "waiting" ? "waits" : "failed"}: ${why}`)
        if (isFailure(error) && error.status === "waiting") return yield* lasting(board.defer(token, why))
        const [status, reason] =
          isFailure(error) && error.status !== "waiting"
            ? [error.status, error.reason]
            : ["failed" as const, "UnexpectedError"]
        yield* lasting(board.fail(part, token, status, reason, why))
      })

    /** The same for one that was begun `before`, so often in a row, and got nowhere; unless that was too often. */
    const again = (part: Part, before: number, token: string, rest: Effect.Effect<void>) => {
      const mine = Effect.gen(function* () {
        yield* lasting(board.count(token, before))
        if (before < Beginnings.most) return yield* once(part, token, rest)
        const why = `${nameOf(part)} was begun ${Beginnings.most} times without getting any further, and its worker was lost each time: it may need more memory than a worker has, or code of it ends the process`
        say(`gives up ${nameOf(part)}`)
        yield* lasting(board.fail(part, token, "failed", "WorkersLost", why))
      })
      let turn: "waits" | "has come" | "is given up" = "waits"
      const inTurn = Effect.suspend(() => {
        if (turn === "is given up") return Effect.void
        turn = "has come"
        return mine
      })
      // At work it comes to its rest by itself.
      const leave = Effect.suspend(() => {
        if (turn === "has come") return Effect.never
        turn = "is given up"
        return giveBack(part, token)
      })
      return Effect.raceFirst(alone.withPermits(1)(inTurn), Effect.zipRight(rest, leave))
    }

    return { once, again }
  })

const parts = counter("sluice_worker_parts_total", "Parts of runs that this worker has had, by how they ended here.", [
  "kind",
  "outcome"
])
const busy = gauge("sluice_worker_parts_busy", "Parts of runs that this worker carries out now.", [])
const room = gauge("sluice_worker_parts_room", "Parts that it carries out at once at most.", [])
export const lost = counter(
  "sluice_worker_parts_lost_total",
  "Parts that this worker took after another one was lost with them.",
  ["kind"]
)

const outcomeOf = (exit: Exit.Exit<unknown, { readonly status: string }>): string => {
  if (Exit.isSuccess(exit)) return "completed"
  if (Cause.isInterrupted(exit.cause)) return "given back"
  const failure = Cause.squash(exit.cause)
  return typeof failure === "object" && failure !== null && "status" in failure ? String(failure.status) : "failed"
}

/** One part, from its beginning here to its end here. */
export const carrying = <A, E extends { readonly status: string }, R>(
  carried: Effect.Effect<A, E, R>,
  { kind, part, runId }: Part,
  { pipeline, trace }: Task
): Effect.Effect<A, E, R> => {
  const attributes = {
    "sluice.run.id": runId,
    "sluice.pipeline": pipeline,
    "sluice.part": part,
    "sluice.part.kind": kind
  }
  const parent = Trace.parentOf(trace)
  const spanned = Effect.withSpan(carried, "Cluster.part", {
    captureStackTrace: false,
    attributes,
    ...(parent === undefined ? { root: true } : { parent })
  })
  return Effect.acquireUseRelease(
    Effect.sync(() => busy.add(1)),
    () => Effect.onExit(spanned, (exit) => Effect.sync(() => parts.add(1, kind, outcomeOf(exit)))),
    () => Effect.sync(() => busy.add(-1))
  )
}

export const begins = (concurrency: number): void => room.set(concurrency)
