/** Of callers who ask the same under one key at the same time, one does the work and the others wait for it. */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import type { Conflict } from "../../Api/Errors.ts"
import { type Repeat, reused } from "../Repeat.ts"
import type { Spender } from "./Usage.ts"

interface Call<A> {
  readonly request: string
  /** Of the same request, and so with the same failures. */
  readonly outcome: Deferred.Deferred<Exit.Exit<A, unknown>>
}

/** What holds the calls of this process that have not been answered yet, and nothing else. */
export const make = <A>() => {
  const calls = new Map<string, Call<A>>()

  /** Undefined when the one who was waited for left before there was an answer. */
  const attempt = <E, R>(id: string, repeat: Repeat, work: Effect.Effect<A, E, R>) =>
    Effect.uninterruptibleMask((restore): Effect.Effect<A | undefined, E | Conflict, R> => {
      const other = calls.get(id)
      if (other === undefined) {
        const outcome: Call<A>["outcome"] = Deferred.unsafeMake(FiberId.none)
        calls.set(id, { request: repeat.request, outcome })
        return Effect.onExit(restore(work), (exit) => {
          calls.delete(id)
          return Deferred.succeed(outcome, exit)
        })
      }
      if (other.request !== repeat.request) return reused(repeat)
      return Effect.flatMap(restore(Deferred.await(other.outcome)), (exit) =>
        Exit.isFailure(exit) && Cause.isInterrupted(exit.cause) ? Effect.succeed(undefined) : (exit as Exit.Exit<A, E>)
      )
    })

  /** Does the work, or waits for whoever does it already: what he gets, an answer or a failure, everybody gets. */
  const once = <E, R>(team: Spender, repeat: Repeat, work: Effect.Effect<A, E, R>): Effect.Effect<A, E | Conflict, R> =>
    Effect.flatMap(attempt(JSON.stringify([team.id, repeat.key]), repeat, work), (answer) =>
      answer === undefined ? once(team, repeat, work) : Effect.succeed(answer)
    )
  return once
}
