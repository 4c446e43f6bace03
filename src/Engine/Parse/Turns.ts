/** Whose file is parsed next: slow files go on beside the quick ones, and no team has every child. */
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Shares } from "../Shares.ts"

/** Files at work at the same time that may still turn out to be quick. */
export const quick = 2
/** Files at work in all. */
export const most = 6
/** Of one team: two slow ones leave it a third for its quick ones, and the others as much again. */
const mostOfTeam = 3
/** A file that takes longer than this holds up nobody any more. */
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
  /** Waits until it is the team's turn, which lasts as long as the scope. */
  readonly take: (team: string) => Effect.Effect<Turn, never, Scope.Scope>
  /** Runs beside the work of a turn, which is slow when it lasts; never succeeds. */
  readonly watch: (turn: Turn) => Effect.Effect<never>
}

/** `hasRoom`: whether the machine can take another child besides the usual ones; `shares`: of `most` places. */
export const make = (hasRoom: () => boolean, shares: Shares): Turns => {
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
