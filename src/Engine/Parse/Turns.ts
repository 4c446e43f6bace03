/** Schedules files for parsing. Slow files do not block quick ones, and no team can occupy every child process. */
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Shares } from "../Shares.ts"

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
