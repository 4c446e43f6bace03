/**
 * Weighted fair queue for places that teams share, with guaranteed minimums.
 *
 * Owns `capacity` places: pages fetched at once, requests to one host, pages rendered at once, browser sessions, and the like. A place is
 * held until it is released; nothing is preempted. Half of the places are guaranteed, so that no team has to wait for the slow pages of
 * another team. Each team has a minimum: its share of that half by weight, and at least one place. Places beyond the minimum are borrowed,
 * and only while the free places cover the missing minimums of the other teams. These minimums never exceed half of the capacity, so with
 * more teams than that, the last ones wait for a release. A single place cannot be guaranteed. A single team may use all places.
 *
 * Waiting teams are ordered by held places divided by weight, then by virtual time (start-time fair queuing): teams that wait for the same
 * place alternate, no matter how many requests each of them has. Among teams that hold the same number of places, no team is passed over
 * twice by the same other team. Within a team requests are served first come, first served.
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
import { ensuringWithin } from "../../Callback/Lean.ts"

/** Service that tells how many teams have an API key of the engine, and the weights of some of them; the others have weight 1. */
export class Teams extends Context.Tag("sluice/Engine/Teams/FairQueue/Teams")<
  Teams,
  { readonly teams: number; readonly weights: ReadonlyMap<string, number> }
>() {}

/** Weights for a queue whose teams all have weight 1. */
export const equal: ReadonlyMap<string, number> = new Map()

/** `Teams` with a single team, for programs that use parts of the engine without its API. */
export const oneTeam: Layer.Layer<Teams> = Layer.succeed(Teams, { teams: 1, weights: equal })

/** Team for which the current fiber works, set for each API call and each page of a job; "" for the engine's own work. */
export class Owner extends Context.Reference<Owner>()("sluice/Engine/Teams/FairQueue/Owner", {
  defaultValue: () => ""
}) {}

const maxWeight = 1_000

/** Parses `other=3,third=2`. */
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
  /** Number of teams that may request places, including idle ones. */
  readonly teams?: number | undefined
  /** Weights of some of these teams; the others have weight 1. */
  readonly weights?: ReadonlyMap<string, number> | undefined
}

interface Waiting {
  readonly grant: () => void
  isGranted: boolean
}

interface Team {
  held: number
  /** Virtual time at which the team's last turn ends; see start-time fair queuing. */
  finish: number
  /** Sequence number of the team's last turn. */
  turn: number
  readonly queue: Set<Waiting>
}

export class FairQueue {
  readonly #capacity: number
  readonly #guaranteed: number
  readonly #known: number
  readonly #weights: ReadonlyMap<string, number>
  readonly #teams = new Map<string, Team>()
  #active = 0
  #clock = 0
  #turns = 0
  /** Number of the teams that have a weight of their own, a place or a waiting request, and the sum of their weights. */
  #present = 0
  #presentWeight = 0
  /**
   * Cache: `#missing` is the number of places that these teams lack to their minimums, if the weights of all teams add up to `#missingOf`.
   */
  #missingOf = Number.NaN
  #missing = 0

  constructor({ capacity, teams = 1, weights = equal }: Options) {
    this.#capacity = capacity
    this.#guaranteed = Math.floor(capacity / 2)
    this.#known = teams
    this.#weights = weights
    for (const [name, weight] of weights) {
      this.#open(name)
      this.#present += 1
      this.#presentWeight += weight
    }
  }

  /** Number of places that all teams hold together. */
  active(): number {
    return this.#active
  }

  heldBy(name: string): number {
    return this.#teams.get(name)?.held ?? 0
  }

  /** Places that must stay free for the minimums of other teams. */
  reservedForOthers(name: string): number {
    return this.#minimumsOf(name).missing
  }

  /** True if the team holds its minimum, so that its next place would be borrowed. */
  hasMinimum(name: string): boolean {
    return this.heldBy(name) >= this.#minimumsOf(name).own
  }

  /** True if the team may get a free place now. */
  fits(name: string): boolean {
    const free = this.#capacity - this.#active
    if (free <= 0) return false
    const { missing, own } = this.#minimumsOf(name)
    return this.heldBy(name) < own || free > missing
  }

  /** Compares two teams. Negative if the first one is served first. */
  readonly compare = (one: string, other: string): number =>
    this.heldBy(one) / this.#weightOf(one) - this.heldBy(other) / this.#weightOf(other) ||
    this.#startOf(one) - this.#startOf(other) ||
    (this.#teams.get(one)?.turn ?? 0) - (this.#teams.get(other)?.turn ?? 0)

  /** Gives a place to the team. Call it only if the team `fits`. */
  take(name: string): void {
    const start = this.#startOf(name)
    this.#clock = start
    this.#change(name, (team) => {
      team.finish = start + 1 / this.#weightOf(name)
      team.turn = ++this.#turns
      team.held += 1
    })
    this.#active += 1
  }

  /** Releases a place of the team, and gives free places to requests waiting in `acquire`. */
  release(name: string): void {
    this.#change(name, (team) => {
      team.held -= 1
    })
    this.#active -= 1
    this.#admit()
  }

  /**
   * Requests a place. `grant` is called once the team has it, possibly at once. Returns a function that releases the place or ends the
   * wait.
   */
  enter(name: string, grant: () => void): () => void {
    // A team that fits has no waiting requests: they would have been admitted.
    if (this.fits(name)) {
      this.take(name)
      grant()
      return () => this.release(name)
    }
    const request: Waiting = { grant, isGranted: false }
    this.#change(name, ({ queue }) => queue.add(request))
    return () => {
      if (request.isGranted) return this.release(name)
      this.#change(name, ({ queue }) => queue.delete(request))
      this.#admit()
    }
  }

  /** Waits for a place, which is held until the scope closes. */
  acquire(name: string): Effect.Effect<void, never, Scope.Scope> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.zipRight(
        this.#wait(name, restore),
        Effect.addFinalizer(() => this.#giveBack(name))
      )
    )
  }

  /** Runs the work while holding a place. */
  withPlace(name: string) {
    return <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.zipRight(
          this.#wait(name, restore),
          ensuringWithin(restore(work), () => this.release(name))
        )
      )
  }

  /** Takes a place; interruptible while it waits. */
  #wait(name: string, restore: <A>(effect: Effect.Effect<A>) => Effect.Effect<A>): Effect.Effect<void> {
    return Effect.suspend(() => {
      let isGranted = false
      let resume: (() => void) | undefined
      const leave = this.enter(name, () => {
        isGranted = true
        resume?.()
      })
      if (isGranted) return Effect.void
      const granted = Effect.async<void>((done) => {
        if (isGranted) done(Effect.void)
        else resume = () => done(Effect.void)
      })
      // The place may have been granted at the moment of the interruption.
      return Effect.onExit(restore(granted), (exit) => (Exit.isSuccess(exit) ? Effect.void : Effect.sync(leave)))
    })
  }

  #giveBack(name: string) {
    return Effect.sync(() => this.release(name))
  }

  #weightOf(name: string): number {
    return this.#weights.get(name) ?? 1
  }

  #startOf(name: string): number {
    return Math.max(this.#clock, this.#teams.get(name)?.finish ?? 0)
  }

  #open(name: string): Team {
    const team = this.#teams.get(name) ?? { held: 0, finish: 0, turn: 0, queue: new Set<Waiting>() }
    this.#teams.set(name, team)
    return team
  }

  /** True for an idle team without a weight of its own, which only counts in `#known`. All other teams count in `#present`. */
  #isAbsent(name: string, { held, queue }: Team): boolean {
    return held === 0 && queue.size === 0 && !this.#weights.has(name)
  }

  #minimumOf(weight: number, sum: number): number {
    return Math.max(1, Math.floor((this.#guaranteed * weight) / sum))
  }

  #lackOf(name: string, team: Team, sum: number): number {
    return this.#isAbsent(name, team) ? 0 : Math.max(0, this.#minimumOf(this.#weightOf(name), sum) - team.held)
  }

  /** Changes a team and updates the sums. */
  #change(name: string, by: (team: Team) => void): void {
    const team = this.#open(name)
    const [wasAbsent, lacked] = [this.#isAbsent(name, team), this.#lackOf(name, team, this.#missingOf)]
    by(team)
    this.#missing += this.#lackOf(name, team, this.#missingOf) - lacked
    const turned = Number(wasAbsent) - Number(this.#isAbsent(name, team))
    this.#present += turned
    this.#presentWeight += turned * this.#weightOf(name)
  }

  #missingWith(sum: number): number {
    if (sum !== this.#missingOf) {
      this.#missingOf = sum
      this.#missing = 0
      for (const [name, team] of this.#teams) this.#missing += this.#lackOf(name, team, sum)
    }
    return this.#missing
  }

  /** Minimum of one team, and the number of places by which the other teams are below theirs. */
  #minimumsOf(name: string) {
    const team = this.#teams.get(name)
    const isPresent = team !== undefined && !this.#isAbsent(name, team)
    const absent = Math.max(0, this.#known - (isPresent ? this.#present : this.#present + 1))
    const sum = this.#presentWeight + absent + (isPresent ? 0 : this.#weightOf(name))
    const others = this.#missingWith(sum) - (isPresent ? this.#lackOf(name, team, sum) : 0)
    const idlers = absent === 0 ? 0 : absent * this.#minimumOf(1, sum)
    return { own: this.#minimumOf(this.#weightOf(name), sum), missing: Math.min(this.#guaranteed, others + idlers) }
  }

  /** Gives free places to waiting requests. Forgets idle teams whose last turn is over: they would be ordered like new teams anyway. */
  #admit(): void {
    for (;;) {
      const waiting = [...this.#teams].filter(([, { queue }]) => queue.size > 0).map(([name]) => name)
      const next = waiting.sort(this.compare).find((name) => this.fits(name))
      const [request] = next === undefined ? [] : this.#open(next).queue
      if (next === undefined || request === undefined) break
      this.#change(next, ({ queue }) => queue.delete(request))
      request.isGranted = true
      this.take(next)
      request.grant()
    }
    for (const [name, team] of this.#teams) {
      if (this.#isAbsent(name, team) && team.finish <= this.#clock) this.#teams.delete(name)
    }
  }
}

export const make = (options: Options): FairQueue => new FairQueue(options)

/** Creates a queue that the engine's teams share by their weights. */
export const ofEngine = (capacity: number): Effect.Effect<FairQueue, never, Teams> =>
  Effect.map(Teams, (teams) => make({ capacity, ...teams }))
