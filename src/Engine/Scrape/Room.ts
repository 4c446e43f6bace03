/**
 * Memory for the bodies of all requests together, and for answers that clients have not read yet.
 *
 * Owns a number of bytes. A body reserves them as it arrives and gives them back when its scope closes, so one that stalls holds no more
 * than it has sent. Teams and hosts have shares: no team holds more than its share, nor does one host within a team. The eldest body of
 * each team may always grow, beyond every share: a team is never stopped by what another one holds, and bodies that grow bit by bit cannot
 * wait for each other. All bodies together thus take at most the capacity, and one largest body for each team.
 *
 * Growing waits; a wait that is interrupted leaves nothing behind. Those that wait are let in fairly: the team that holds least goes first.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"

/** Bodies up to this size are not counted: there are no more of them than requests at once. */
export const small = 1024 * 1024

/** One body's share, given back when its scope closes. */
export interface Place {
  /** Reserves so many bytes more; waits until there is room for them. */
  readonly grow: (bytes: number) => Effect.Effect<void>
  /** Gives back all but `bytes`. */
  readonly keep: (bytes: number) => Effect.Effect<void>
}

/** Whose body it is; an answer comes from no host. */
export interface Owner {
  readonly team: string
  readonly host: string | undefined
}

export interface Room {
  readonly open: (owner: Owner) => Effect.Effect<Place, never, Scope.Scope>
}

/** The room that fetched bodies and unread answers of an engine share: a team whose answers are not read gets no further bodies. */
export class Memory extends Context.Tag("sluice/Engine/Scrape/Room/Memory")<Memory, Room>() {}

export interface Shares {
  /** Bytes of all bodies, of those of one team, and of those of one host within a team. */
  readonly capacity: number
  readonly perTeam: number
  readonly perHost: number
}

/** Shares of a capacity: a team takes half, so that two have room beside each other, and one site half of that. */
export const sharesOf = (capacity: number): Shares => ({ capacity, perTeam: capacity / 2, perHost: capacity / 4 })

interface Body extends Owner {
  held: number
  waiting: { readonly bytes: number; readonly enter: () => void } | undefined
}

export const make = ({ capacity, perHost, perTeam }: Shares): Room => {
  /** The eldest first. */
  const bodies = new Set<Body>()

  const heldBy = (is: (body: Body) => boolean): number => {
    let sum = 0
    for (const body of bodies) if (is(body)) sum += body.held
    return sum
  }

  const isEldest = (one: Body): boolean => {
    for (const body of bodies) {
      if (body.team === one.team && (body.held > 0 || body.waiting !== undefined)) return body === one
    }
    return true
  }

  const fits = (one: Body, bytes: number): boolean =>
    isEldest(one) ||
    (heldBy(() => true) + bytes <= capacity &&
      heldBy(({ team }) => team === one.team) + bytes <= perTeam &&
      (one.host === undefined || heldBy(({ host, team }) => team === one.team && host === one.host) + bytes <= perHost))

  /** Lets in whoever fits now, those of the teams that hold least first. */
  const admit = () => {
    const waiting = [...bodies].filter((body) => body.waiting !== undefined)
    while (waiting.length > 0) {
      waiting.sort((a, b) => heldBy(({ team }) => team === a.team) - heldBy(({ team }) => team === b.team))
      const index = waiting.findIndex((body) => body.waiting !== undefined && fits(body, body.waiting.bytes))
      const [next] = index === -1 ? [] : waiting.splice(index, 1)
      if (next?.waiting === undefined) return
      const { bytes, enter } = next.waiting
      next.waiting = undefined
      next.held += bytes
      enter()
    }
  }

  const place = (body: Body): Place => ({
    grow: (bytes) =>
      Effect.async<void>((resume) => {
        body.waiting = { bytes, enter: () => resume(Effect.void) }
        admit()
        return Effect.sync(() => {
          body.waiting = undefined
          admit()
        })
      }),
    keep: (bytes) =>
      Effect.sync(() => {
        body.held = Math.min(body.held, bytes)
        admit()
      })
  })

  return {
    open: (owner) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          const body: Body = { ...owner, held: 0, waiting: undefined }
          bodies.add(body)
          return body
        }),
        (body) =>
          Effect.sync(() => {
            bodies.delete(body)
            admit()
          })
      ).pipe(Effect.map(place))
  }
}

/** Bytes of all bodies and answers that are held at once, small ones aside. */
const capacity = 256 * 1024 * 1024

export const layer = Layer.sync(Memory, () => make(sharesOf(capacity)))

/** The engine's room; one of its own outside of an engine. */
export const shared = Effect.map(
  Effect.serviceOption(Memory),
  Option.getOrElse(() => make(sharesOf(capacity)))
)
