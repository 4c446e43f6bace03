/**
 * Places that teams share: a weighted fair queue with guaranteed minimums.
 *
 * Owns `capacity` places: pages fetched at once, requests to one host, pages rendered at once, browser sessions, and the like. A place is
 * held until it is released; nothing is preempted. Half of the places are guaranteed, so that a team need not wait for the slow pages of
 * another one: each team has a minimum, its part of that half by weight, and at least one place. Places beyond the minimum are borrowed. They
 * are lent only while the free places cover the missing minimums of the other teams. These minimums never exceed half of the capacity, so
 * with more teams than that, the last ones wait for a release. A single place cannot be guaranteed. A single team may use all places.
 *
 * Waiting teams are ordered by what they hold for their weight, then by virtual time (start-time fair queuing): teams that wait for the
 * same place alternate, however many requests each of them has. Among teams that hold equally many places, no team is passed over twice by
 * the same other team. Within a team requests are served first come, first served.
 *
 * All functions are synchronous, hence atomic. `acquire` may be interrupted while it waits and leaves nothing behind; a place is released
 * exactly once, when the scope closes.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

/** Teams that have a key of the engine. */
export class Teams extends Context.Tag("sluice/Engine/FairQueue/Teams")<
  Teams,
  { readonly teams: number; readonly weights: ReadonlyMap<string, number> }
>() {}

/** All teams have the weight 1. */
export const equal: ReadonlyMap<string, number> = new Map()

/** For programs that use parts of the engine for themselves. */
export const oneTeam: Layer.Layer<Teams> = Layer.succeed(Teams, { teams: 1, weights: equal })

/** The team that a call or a page of a job belongs to: set for each of them, empty for work of the engine itself. */
export class Owner extends Context.Reference<Owner>()("sluice/Engine/FairQueue/Owner", { defaultValue: () => "" }) {}

const maxWeight = 1_000

/** Reads `other=3,third=2`. */
export const parseWeights = (text: string): Either.Either<ReadonlyMap<string, number>, string> => {
  const weights = new Map<string, number>()
  for (const part of text.split(",")) {
    const [, team = "", digits = ""] = /^\s*(.+?)\s*=\s*(\d{1,4})\s*$/.exec(part) ?? []
    const weight = Number(digits)
    if (team === "" || weight < 1 || weight > maxWeight) {
      return Either.left(`Expected weights of teams, whole numbers from 1 to ${maxWeight}, like other=3,third=2`)
    }
    if (weights.has(team)) return Either.left(`The team ${team} has two weights`)
    weights.set(team, weight)
  }
  return Either.right(weights)
}

export interface Options {
  readonly capacity: number
  /** Number of teams that may ask for places, including idle ones. */
  readonly teams?: number | undefined
  /** Weights of some of these teams; 1 for the others. */
  readonly weights?: ReadonlyMap<string, number> | undefined
}

export interface FairQueue {
  /** Places held by all teams together. */
  readonly active: () => number
  readonly heldBy: (team: string) => number
  /** Places that must stay free for the minimums of other teams. */
  readonly reservedForOthers: (team: string) => number
  /** True if the team holds its minimum, so that its next place would be borrowed. */
  readonly hasMinimum: (team: string) => boolean
  /** True if a free place may be given to the team now. */
  readonly fits: (team: string) => boolean
  /** Negative when the first team is served before the second. */
  readonly compare: (one: string, other: string) => number
  /** Gives a place to the team. Call it only if the team `fits`. */
  readonly take: (team: string) => void
  /** Releases a place of the team, and gives free places to requests that wait in `acquire`. */
  readonly release: (team: string) => void
  /** Asks for a place: `grant` is called once the team has it, which may be at once. Returns a function that gives it back, or ends the wait. */
  readonly enter: (team: string, grant: () => void) => () => void
  /** Waits for a place, which is held until the scope closes. */
  readonly acquire: (team: string) => Effect.Effect<void, never, Scope.Scope>
  /** Runs the work while holding a place. */
  readonly withPlace: (team: string) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

interface Waiting {
  readonly grant: () => void
  isGranted: boolean
}

interface Team {
  held: number
  /** Virtual time at which its last turn ends. */
  finish: number
  /** Number of its last turn among all turns. */
  turn: number
  readonly queue: Set<Waiting>
}

export const make = ({ capacity, teams: known = 1, weights = equal }: Options): FairQueue => {
  const teams = new Map<string, Team>()
  const weightOf = (name: string): number => weights.get(name) ?? 1
  const guaranteed = Math.floor(capacity / 2)
  let active = 0
  let clock = 0
  let turns = 0

  const open = (name: string): Team => {
    const found = teams.get(name)
    if (found !== undefined) return found
    const opened = { held: 0, finish: 0, turn: 0, queue: new Set<Waiting>() }
    teams.set(name, opened)
    return opened
  }

  /** True for an idle team of weight 1, which is counted in `known`. Teams with a weight of their own are always counted by name. */
  const isAbsent = (name: string, { held, queue }: Team): boolean =>
    held === 0 && queue.size === 0 && !weights.has(name)

  /** Removes idle teams whose last turn is over by virtual time: they would be ordered like a new team. */
  const forget = (): void => {
    for (const [name, team] of teams) if (isAbsent(name, team) && team.finish <= clock) teams.delete(name)
  }

  const heldBy = (name: string): number => teams.get(name)?.held ?? 0

  /** Number of the teams counted by name, and the sum of their weights. */
  let present = 0
  let presentWeight = 0
  for (const [name, weight] of weights) {
    open(name)
    present += 1
    presentWeight += weight
  }
  /** Cached: places that these teams miss of their minimums (`missing`), for a sum of all weights of `missingOf`. */
  let missingOf = Number.NaN
  let missing = 0

  const minimumOf = (weight: number, sum: number) => Math.max(1, Math.floor((guaranteed * weight) / sum))

  const lackOf = (name: string, team: Team, sum: number): number =>
    isAbsent(name, team) ? 0 : Math.max(0, minimumOf(weightOf(name), sum) - team.held)

  /** Changes a team and updates the sums. */
  const change = (name: string, by: (team: Team) => void): void => {
    const team = open(name)
    const [wasAbsent, lacked] = [isAbsent(name, team), lackOf(name, team, missingOf)]
    by(team)
    missing += lackOf(name, team, missingOf) - lacked
    const turned = Number(wasAbsent) - Number(isAbsent(name, team))
    present += turned
    presentWeight += turned * weightOf(name)
  }

  const missingWith = (sum: number): number => {
    if (sum === missingOf) return missing
    missingOf = sum
    missing = 0
    for (const [name, team] of teams) missing += lackOf(name, team, sum)
    return missing
  }

  /** Minimum of one team, and the places that the other teams miss of theirs. */
  const minimumsOf = (name: string) => {
    const team = teams.get(name)
    const isPresent = team !== undefined && !isAbsent(name, team)
    const absent = Math.max(0, known - (isPresent ? present : present + 1))
    const sum = presentWeight + absent + (isPresent ? 0 : weightOf(name))
    const others = missingWith(sum) - (isPresent ? lackOf(name, team, sum) : 0)
    const idlers = absent === 0 ? 0 : absent * minimumOf(1, sum)
    return { own: minimumOf(weightOf(name), sum), missing: Math.min(guaranteed, others + idlers) }
  }

  const fits = (name: string): boolean => {
    const free = capacity - active
    if (free <= 0) return false
    const { missing, own } = minimumsOf(name)
    return heldBy(name) < own || free > missing
  }

  const startOf = (name: string): number => Math.max(clock, teams.get(name)?.finish ?? 0)

  const compare = (one: string, other: string): number =>
    heldBy(one) / weightOf(one) - heldBy(other) / weightOf(other) ||
    startOf(one) - startOf(other) ||
    (teams.get(one)?.turn ?? 0) - (teams.get(other)?.turn ?? 0)

  const take = (name: string): void => {
    const start = startOf(name)
    clock = start
    change(name, (team) => {
      team.finish = start + 1 / weightOf(name)
      team.turn = ++turns
      team.held += 1
    })
    active += 1
  }

  /** Gives free places to waiting requests. */
  const admit = (): void => {
    for (;;) {
      const waiting = [...teams].filter(([, { queue }]) => queue.size > 0).map(([name]) => name)
      const next = waiting.sort(compare).find(fits)
      if (next === undefined) return
      const { queue } = open(next)
      for (const request of queue) {
        change(next, () => queue.delete(request))
        request.isGranted = true
        take(next)
        request.grant()
        break
      }
    }
  }

  const release = (name: string): void => {
    change(name, (team) => {
      team.held -= 1
    })
    active -= 1
    admit()
    forget()
  }

  /** Asks for a place: `grant` is called once the team has it, which may be at once. Returns a function that gives it back, or ends the wait. */
  const enter = (name: string, grant: () => void): (() => void) => {
    // A team that fits has no waiting requests: they would have been admitted.
    if (fits(name)) {
      take(name)
      grant()
      return () => release(name)
    }
    const request: Waiting = { grant, isGranted: false }
    change(name, ({ queue }) => queue.add(request))
    return () => {
      if (request.isGranted) return release(name)
      change(name, ({ queue }) => queue.delete(request))
      admit()
      forget()
    }
  }

  /** Takes a place; interruptible while it waits. */
  const wait = (name: string, restore: <A>(effect: Effect.Effect<A>) => Effect.Effect<A>): Effect.Effect<void> =>
    Effect.suspend(() => {
      let isGranted = false
      let resume: (() => void) | undefined
      const leave = enter(name, () => {
        isGranted = true
        resume?.()
      })
      if (isGranted) return Effect.void
      const granted = Effect.async<void>((done) => {
        if (isGranted) done(Effect.void)
        else resume = () => done(Effect.void)
      })
      // The place may have been granted at the moment of the interrupt.
      return Effect.onExit(restore(granted), (exit) => (Exit.isSuccess(exit) ? Effect.void : Effect.sync(leave)))
    })

  const giveBack = (name: string) => Effect.sync(() => release(name))

  return {
    active: () => active,
    heldBy,
    reservedForOthers: (name) => minimumsOf(name).missing,
    hasMinimum: (name) => heldBy(name) >= minimumsOf(name).own,
    fits,
    compare,
    take,
    release,
    enter,
    acquire: (name) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.zipRight(
          wait(name, restore),
          Effect.addFinalizer(() => giveBack(name))
        )
      ),
    withPlace: (name) => (work) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.zipRight(wait(name, restore), Effect.ensuring(restore(work), giveBack(name)))
      )
  }
}

/** Places shared by the teams of the engine, by their weights. */
export const ofEngine = (capacity: number): Effect.Effect<FairQueue, never, Teams> =>
  Effect.map(Teams, (teams) => make({ capacity, ...teams }))
