/**
 * Memory for the response bodies of all requests, and for API responses that clients have not read yet.
 *
 * Owns a number of bytes (`capacity`).
 *
 * - A body reserves bytes while it arrives and releases them when its page is done. Bodies of an API call stay reserved until its response
 *   has its own reservation; then the scope in `Call` closes. A response is already in memory, so it reserves without waiting.
 * - Fairness: a team holds at most `perTeam`, a host at most `perHost` of a team's share, and the calls of a team together with its unread
 *   responses at most `unread`.
 * - No deadlock: of each team, the oldest body of its jobs may exceed every limit, and so may the bodies of its oldest call unless its
 *   unread responses exceed `unread`. So bodies that grow step by step never wait for each other, no team is blocked by another team, and
 *   no job by clients that do not read. A page of a job must not hold one body while it waits for another, because only one of the two can
 *   be exempt.
 * - `grow` waits for free bytes; interrupting it reserves nothing. When bytes become free, the team that holds the fewest goes first.
 *
 * Released bytes also trigger a garbage collection, because V8 collects only while it allocates, and an idle engine would keep hundreds of
 * megabytes.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { triggerCollection } from "./Heap.ts"

/** Bytes of a body that are not counted, because the number of concurrent requests limits small bodies. */
export const uncountedSize = 1024 * 1024

/** Memory reserved for one body. */
export interface Reservation {
  /** Reserves more bytes. Waits until they are free. */
  readonly grow: (bytes: number) => Effect.Effect<void>
  /** Releases all bytes except `bytes`. */
  readonly keep: (bytes: number) => void
  /** True while it waits for memory, and after its last wait was interrupted. */
  readonly isWaiting: () => boolean
}

export interface ReservationOwner {
  readonly team: string
  readonly host: string
}

export interface MemoryPool {
  /** Opens a reservation. For an API call it ends with the scope of the call; for a page of a job it ends when `close` is called. */
  readonly enter: (
    owner: ReservationOwner,
    call: Scope.Scope | undefined
  ) => { readonly reservation: Reservation; readonly close: () => void }
  /** Reserves the bytes of a response without waiting. Call the result once it is sent or its client has disconnected. */
  readonly reserve: (team: string, bytes: number) => () => void
  /** Bytes of a team's unread responses. */
  readonly unreadOf: (team: string) => number
  /** True if a team's unread responses exceed `MemoryShares.unread`. */
  readonly isOverUnread: (team: string) => boolean
  /** Waits until a team's unread responses no longer exceed `MemoryShares.unread`. */
  readonly whenRead: (team: string) => Effect.Effect<void>
}

/**
 * Scope of the API call that a request belongs to, set for each call. Closes once the response has its own reservation. None for pages of
 * jobs.
 */
export class Call extends Context.Reference<Call>()("sluice/Engine/Teams/PageMemory/Call", {
  defaultValue: () => Option.none<Scope.Scope>()
}) {}

/** Memory pool of the engine. */
export class PageMemory extends Context.Tag("sluice/Engine/Teams/PageMemory")<PageMemory, MemoryPool>() {}

export interface MemoryShares {
  /** Maximum bytes in total, per team, and per host within a team. */
  readonly capacity: number
  readonly perTeam: number
  readonly perHost: number
  /** Maximum bytes of a team's calls together with its unread responses. Default: three quarters of `perTeam`. */
  readonly unread?: number | undefined
}

/** Options with all defaults filled in. */
type Limits = MemoryShares & { readonly unread: number }

/** Gives a team half of the capacity, so that two teams fit at once, and a host half of that. */
export const defaultShares = (capacity: number): MemoryShares => ({
  capacity,
  perTeam: capacity / 2,
  perHost: capacity / 4
})

interface BodyReservation extends ReservationOwner {
  /** Scope of the API call that the body belongs to; undefined for pages of jobs. */
  readonly call: Scope.Scope | undefined
  held: number
  /** True if the last wait was interrupted. */
  wasInterrupted: boolean
  waiting: { readonly bytes: number; readonly grant: () => void } | undefined
}

/** State of a pool: the bodies that hold or wait for memory, and the bytes of unread responses. */
interface Account {
  /** Bodies, oldest first. */
  readonly bodies: Set<BodyReservation>
  readonly unreadByTeam: Map<string, number>
  unreadTotal: number
}

const unreadIn = ({ unreadByTeam }: Account, team: string): number => unreadByTeam.get(team) ?? 0

const addUnread = (account: Account, team: string, bytes: number): void => {
  const sum = unreadIn(account, team) + bytes
  if (sum === 0) account.unreadByTeam.delete(team)
  else account.unreadByTeam.set(team, sum)
  account.unreadTotal += bytes
}

const heldBy = ({ bodies }: Account, is: (body: BodyReservation) => boolean): number => {
  let sum = 0
  for (const body of bodies) if (is(body)) sum += body.held
  return sum
}

const heldByTeam = (account: Account, name: string): number =>
  unreadIn(account, name) + heldBy(account, ({ team }) => team === name)

const heldByCalls = (account: Account, name: string): number =>
  unreadIn(account, name) + heldBy(account, ({ call, team }) => team === name && call !== undefined)

/** True for the oldest page of a team's jobs, and for all bodies of its oldest call. */
const isOldest = ({ bodies }: Account, one: BodyReservation): boolean => {
  for (const body of bodies) {
    const isRival = body.team === one.team && (body.call === undefined) === (one.call === undefined)
    if (isRival && (body.held > 0 || body.waiting !== undefined)) {
      return body === one || (one.call !== undefined && body.call === one.call)
    }
  }
  return true
}

/** True if a body may have that many more bytes. */
const fits = (
  account: Account,
  { capacity, perHost, perTeam, unread }: Limits,
  one: BodyReservation,
  bytes: number
): boolean =>
  (isOldest(account, one) && (one.call === undefined || unreadIn(account, one.team) <= unread)) ||
  (account.unreadTotal + heldBy(account, () => true) + bytes <= capacity &&
    heldByTeam(account, one.team) + bytes <= perTeam &&
    (one.call === undefined || heldByCalls(account, one.team) + bytes <= unread) &&
    heldBy(account, ({ host, team }) => team === one.team && host === one.host) + bytes <= perHost)

/** Grants waiting reservations that fit now, beginning with the team that holds the fewest bytes. */
const admitWaiting = (account: Account, limits: Limits): void => {
  const waiting = [...account.bodies].filter((body) => body.waiting !== undefined)
  while (waiting.length > 0) {
    waiting.sort((a, b) => heldByTeam(account, a.team) - heldByTeam(account, b.team))
    const index = waiting.findIndex(
      (body) => body.waiting !== undefined && fits(account, limits, body, body.waiting.bytes)
    )
    const [next] = index === -1 ? [] : waiting.splice(index, 1)
    if (next?.waiting === undefined) return
    const { bytes, grant } = next.waiting
    next.waiting = undefined
    next.held += bytes
    grant()
  }
}

/** Creates a memory pool. `onReleased` is called with the number of released bytes. */
export const make = (
  { capacity, perHost, perTeam, unread = (perTeam * 3) / 4 }: MemoryShares,
  onReleased: (bytes: number) => void = () => undefined
): MemoryPool => {
  const limits: Limits = { capacity, perHost, perTeam, unread }
  const account: Account = { bodies: new Set(), unreadByTeam: new Map(), unreadTotal: 0 }
  /** Callers that wait in `whenRead`. */
  const readers = new Set<() => void>()
  const unreadOf = (team: string): number => unreadIn(account, team)
  const admit = () => admitWaiting(account, limits)

  const reservation = (body: BodyReservation): Reservation => ({
    grow: (bytes) =>
      Effect.async<void>((resume) => {
        // The call has ended, so nothing is reserved.
        if (!account.bodies.has(body)) return resume(Effect.void)
        body.waiting = { bytes, grant: () => resume(Effect.void) }
        admit()
        return Effect.sync(() => {
          body.waiting = undefined
          body.wasInterrupted = true
          admit()
        })
      }),
    keep: (bytes) => {
      if (body.held <= bytes) return
      onReleased(body.held - bytes)
      body.held = bytes
      admit()
    },
    isWaiting: () => body.waiting !== undefined || body.wasInterrupted
  })

  const add = (owner: ReservationOwner, call: Scope.Scope | undefined) => {
    const body: BodyReservation = { ...owner, call, held: 0, wasInterrupted: false, waiting: undefined }
    account.bodies.add(body)
    return body
  }

  const remove = (body: BodyReservation) => {
    if (!account.bodies.delete(body)) return
    if (body.held > 0) onReleased(body.held)
    admit()
  }

  /** Counts an unread response. The returned function marks it as read, once. */
  const reserve = (team: string, bytes: number) => {
    let isHeld = true
    addUnread(account, team, bytes)
    return () => {
      if (!isHeld) return
      isHeld = false
      addUnread(account, team, -bytes)
      onReleased(bytes)
      admit()
      for (const look of readers) look()
    }
  }

  return {
    enter: (owner, call) => {
      const body = add(owner, call)
      const close = () => remove(body)
      if (call === undefined) return { reservation: reservation(body), close }
      Effect.runSync(Scope.addFinalizer(call, Effect.sync(close)))
      return { reservation: reservation(body), close: () => undefined }
    },
    reserve,
    unreadOf,
    isOverUnread: (team) => unreadOf(team) > unread,
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

const megabyte = 1024 * 1024

/**
 * Number of collections, and the time between them. Objects that become garbage while V8 is marking are only found by the next collection.
 */
const [collections, between] = [4, Duration.seconds(2)]

/** Minimum released bytes for a collection, which takes about as long as one request. */
const minReleased = 64 * megabyte
const quietPeriod = Duration.seconds(5)

export interface GarbageCollector {
  /** Call with the number of bytes that were released. */
  readonly released: (bytes: number) => void
}

/**
 * Runs collections until the scope closes: four of them, two seconds apart, once enough bytes have been released and no more for
 * `quietPeriod`.
 */
export const makeGarbageCollector = (
  collect: () => void = triggerCollection
): Effect.Effect<GarbageCollector, never, Scope.Scope> =>
  Effect.gen(function* () {
    const enough = yield* Effect.makeLatch(false)
    // The blocks that trigger a collection may not fit where the address space is limited (`ulimit -v`).
    const attempt = Effect.ignoreLogged(Effect.try(collect))
    let released = 0
    const calm: Effect.Effect<void> = Effect.suspend(() => {
      const before = released
      return Effect.flatMap(Effect.sleep(quietPeriod), () => (released === before ? Effect.void : calm))
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
        if (released >= minReleased) enough.unsafeOpen()
      }
    }
  })

/** Total bytes of the engine's pool. Bodies of at most `uncountedSize` do not count. */
const capacity = 256 * 1024 * 1024

export const layer = Layer.scoped(
  PageMemory,
  Effect.map(makeGarbageCollector(), ({ released }) => make(defaultShares(capacity), released))
)
