/**
 * Memory for the bodies of all requests together, and for answers that clients have not read yet.
 *
 * Owns a number of bytes. A body reserves them as it arrives and gives them back when its scope closes, so one that stalls holds no more
 * than it has sent. The bodies of a call stay reserved until its answer is: `Call` is the scope that then ends. An answer reserves its bytes
 * at once, since it is in memory already.
 *
 * Teams and hosts have shares: no team holds more than its share, nor does one host within a team, nor do all calls of a team with their
 * unread answers hold more than `unread`. Two bodies of each team may grow beyond every share: the eldest of its jobs always, and those of
 * its eldest call unless more than `unread` bytes of answers are not read. So no team is stopped by what another one holds, no job by
 * clients that do not read, and bodies that grow bit by bit cannot wait for each other.
 *
 * Growing waits; a wait that is interrupted leaves nothing behind. Those that wait are let in fairly: the team that holds least goes first.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"

/**
 * Gives memory back after large pages and answers.
 *
 * V8 collects garbage when something is allocated. So an engine that has nothing more to do would keep what its last requests have left,
 * hundreds of megabytes, until somebody calls it. Once `least` bytes were released, and then none for `quiet`, a collection is begun here.
 */
const megabyte = 1024 * 1024

/** What became garbage while V8 was marking is found by a second collection. */
const [collections, between] = [4, Duration.seconds(2)]

/** Released bytes that are worth a collection, which takes about as long as a request. */
const least = 64 * megabyte
const quiet = Duration.seconds(5)

/** Bytes outside of its heap by which V8 begins to mark; blocks of this size are never kept by the allocator of the C library. */
const [blocks, blockBytes] = [3, 48 * megabyte]

/**
 * Makes V8 collect garbage, a step at a time as ever: for memory outside of its heap it counts what is reserved. Nothing is written to
 * these blocks, so they take no memory.
 */
export const collect = (): void => {
  for (let block = 0; block < blocks; block++) new ArrayBuffer(blockBytes)
}

export interface Garbage {
  /** Says that so many bytes are not needed any more. */
  readonly released: (bytes: number) => void
}

/** Collects for as long as the scope is open. */
export const makeGarbage = (begin: () => void = collect): Effect.Effect<Garbage, never, Scope.Scope> =>
  Effect.gen(function* () {
    const enough = yield* Effect.makeLatch(false)
    // Where the address space is bounded (`ulimit -v`) a block may not fit.
    const attempt = Effect.ignoreLogged(Effect.try(begin))
    let released = 0
    const calm: Effect.Effect<void> = Effect.suspend(() => {
      const before = released
      return Effect.flatMap(Effect.sleep(quiet), () => (released === before ? Effect.void : calm))
    })
    yield* enough.await.pipe(
      Effect.zipRight(calm),
      Effect.tap(() => {
        enough.unsafeClose()
        released = 0
      }),
      Effect.zipRight(Effect.repeatN(Effect.zipRight(attempt, Effect.sleep(between)), collections - 1)),
      Effect.forever,
      Effect.forkScoped
    )
    return {
      released: (bytes) => {
        released += bytes
        if (released >= least) enough.unsafeOpen()
      }
    }
  })

/** Bodies up to this size are not counted: there are no more of them than requests at once. */
export const small = 1024 * 1024

/** One body's share, given back when its scope closes. */
export interface Place {
  /** Reserves so many bytes more; waits until there is room for them. */
  readonly grow: (bytes: number) => Effect.Effect<void>
  /** Gives back all but `bytes`. */
  readonly keep: (bytes: number) => Effect.Effect<void>
  /** Whether it waits for room now, or its last wait was interrupted. */
  readonly isShort: () => boolean
}

export interface Owner {
  readonly team: string
  readonly host: string
}

export interface Room {
  /** A place until the scope closes; the place of a call's body until its `Call` closes. */
  readonly open: (owner: Owner) => Effect.Effect<Place, never, Scope.Scope>
  /** Reserves the bytes of an answer at once; call the result when it is sent or its client has gone. */
  readonly reserve: (team: string, bytes: number) => () => void
  /** Bytes of the answers of a team that are not read yet. */
  readonly unreadOf: (team: string) => number
  /** Whether more of them than `Shares.unread` are. */
  readonly isFull: (team: string) => boolean
  /** Waits until no more of them than `Shares.unread` are. */
  readonly whenRead: (team: string) => Effect.Effect<void>
}

/** The call that a request belongs to, as a scope that ends when the answer has its room; none for the pages of jobs. */
export class Call extends Context.Reference<Call>()("sluice/Engine/Scrape/Room/Call", {
  defaultValue: () => Option.none<Scope.Scope>()
}) {}

/** The room that fetched bodies and unread answers of an engine share. */
export class Memory extends Context.Tag("sluice/Engine/Scrape/Room/Memory")<Memory, Room>() {}

export interface Shares {
  /** Bytes of all bodies, of those of one team, and of those of one host within a team. */
  readonly capacity: number
  readonly perTeam: number
  readonly perHost: number
  /** Bytes of the calls of one team with its unread answers; three quarters of the team's share by default. */
  readonly unread?: number | undefined
}

/** Shares of a capacity: a team takes half, so that two have room beside each other, and one site half of that. */
export const sharesOf = (capacity: number): Shares => ({ capacity, perTeam: capacity / 2, perHost: capacity / 4 })

interface Body extends Owner {
  /** Undefined for the page of a job. */
  readonly call: Scope.Scope | undefined
  held: number
  /** Whether the last wait was interrupted. */
  gaveUp: boolean
  waiting: { readonly bytes: number; readonly enter: () => void } | undefined
}

/** `released` is called with bytes that are not needed any more. */
export const make = (
  { capacity, perHost, perTeam, unread = (perTeam * 3) / 4 }: Shares,
  released: (bytes: number) => void = () => undefined
): Room => {
  /** The eldest first. */
  const bodies = new Set<Body>()
  /** Bytes of unread answers, by team, and of all teams. */
  const answers = new Map<string, number>()
  let answered = 0
  /** Those who wait for answers to be read. */
  const readers = new Set<() => void>()

  const unreadOf = (team: string): number => answers.get(team) ?? 0

  const heldBy = (is: (body: Body) => boolean): number => {
    let sum = 0
    for (const body of bodies) if (is(body)) sum += body.held
    return sum
  }

  const heldByTeam = (name: string): number => unreadOf(name) + heldBy(({ team }) => team === name)

  /** Whether it is the eldest of its kind: the page of a job, or a body of the eldest call. */
  const isEldest = (one: Body): boolean => {
    for (const body of bodies) {
      const isRival = body.team === one.team && (body.call === undefined) === (one.call === undefined)
      if (isRival && (body.held > 0 || body.waiting !== undefined)) {
        return body === one || (one.call !== undefined && body.call === one.call)
      }
    }
    return true
  }

  const heldByCalls = (name: string): number =>
    unreadOf(name) + heldBy(({ call, team }) => team === name && call !== undefined)

  const fits = (one: Body, bytes: number): boolean =>
    (isEldest(one) && (one.call === undefined || unreadOf(one.team) <= unread)) ||
    (answered + heldBy(() => true) + bytes <= capacity &&
      heldByTeam(one.team) + bytes <= perTeam &&
      (one.call === undefined || heldByCalls(one.team) + bytes <= unread) &&
      heldBy(({ host, team }) => team === one.team && host === one.host) + bytes <= perHost)

  /** Lets in whoever fits now, those of the teams that hold least first. */
  const admit = () => {
    const waiting = [...bodies].filter((body) => body.waiting !== undefined)
    while (waiting.length > 0) {
      waiting.sort((a, b) => heldByTeam(a.team) - heldByTeam(b.team))
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
        // Its call is over: nothing is counted any more.
        if (!bodies.has(body)) return resume(Effect.void)
        body.waiting = { bytes, enter: () => resume(Effect.void) }
        admit()
        return Effect.sync(() => {
          body.waiting = undefined
          body.gaveUp = true
          admit()
        })
      }),
    keep: (bytes) =>
      Effect.sync(() => {
        if (body.held > bytes) released(body.held - bytes)
        body.held = Math.min(body.held, bytes)
        admit()
      }),
    isShort: () => body.waiting !== undefined || body.gaveUp
  })

  const open = (owner: Owner, call: Scope.Scope | undefined) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const body: Body = { ...owner, call, held: 0, gaveUp: false, waiting: undefined }
        bodies.add(body)
        return body
      }),
      (body) =>
        Effect.sync(() => {
          bodies.delete(body)
          if (body.held > 0) released(body.held)
          admit()
        })
    ).pipe(Effect.map(place))

  const count = (team: string, bytes: number): void => {
    const sum = unreadOf(team) + bytes
    if (sum === 0) answers.delete(team)
    else answers.set(team, sum)
    answered += bytes
  }

  return {
    open: (owner) =>
      Effect.flatMap(
        Call,
        Option.match({
          onNone: () => open(owner, undefined),
          onSome: (call) => Scope.extend(open(owner, call), call)
        })
      ),
    reserve: (team, bytes) => {
      let isHeld = true
      count(team, bytes)
      return () => {
        if (!isHeld) return
        isHeld = false
        count(team, -bytes)
        released(bytes)
        admit()
        for (const look of readers) look()
      }
    },
    unreadOf,
    isFull: (team) => unreadOf(team) > unread,
    whenRead: (team) =>
      Effect.async<void>((resume) => {
        const look = () => {
          if (unreadOf(team) > unread) return
          readers.delete(look)
          resume(Effect.void)
        }
        readers.add(look)
        look()
        return Effect.sync(() => readers.delete(look))
      })
  }
}

/** Bytes of all bodies and answers that are held at once, small ones aside. */
const capacity = 256 * 1024 * 1024

export const layer = Layer.scoped(
  Memory,
  Effect.map(makeGarbage(), ({ released }) => make(sharesOf(capacity), released))
)

/** The engine's room; one of its own outside of an engine. */
export const shared = Effect.map(
  Effect.serviceOption(Memory),
  Option.getOrElse(() => make(sharesOf(capacity)))
)
