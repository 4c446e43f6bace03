/**
 * Limits the number of browser sessions: in total, per team, per key, and by the free memory of the machine.
 *
 * Sessions run long and are refused rather than queued. A team may only open sessions while enough slots and memory are left for the
 * guaranteed minimum of each other team. So a team without sessions can always open one, unless the number of teams exceeds half of the
 * session limit.
 */
import { totalmem } from "node:os"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { RateLimited, Unavailable } from "../../Api/Errors.ts"
import { catalogue } from "../../Settings.ts"
import * as Metrics from "../Teams/EngineMetrics.ts"
import * as FairQueue from "../Teams/FairQueue.ts"
import type { Spender } from "../Usage/Usage.ts"

/** Measured memory of a session with one page, and memory to keep free on the machine. */
const memoryPerSession = 250 * 1024 * 1024
const minFreeMemory = 256 * 1024 * 1024

/** Maximum sessions by default, no matter how large the machine is. */
const maxDefault = 60

const full = (error: string, retryAfter: number) =>
  new RateLimited({ error: `${error}: please retry after ${retryAfter}s.`, code: "TOO_MANY_SESSIONS", retryAfter })

const off = new Unavailable({
  error: `This engine opens no browser sessions, because ${catalogue.browserSessions.env} is 0. Set another number to allow them.`,
  code: "BROWSER_UNAVAILABLE"
})

/** Whose session it is; without `keyId` the limit per key does not apply. */
type Holder = Pick<Spender, "id"> & Partial<Spender>

/** Creates a quota. Its `take` counts a session until the scope closes. */
const make = (inAll: number | undefined, perKey: number | undefined, teams: Omit<FairQueue.Options, "capacity">) => {
  // A container may have less memory than its machine; without a limit `constrainedMemory` is 0 or larger than the machine.
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  const total = inAll ?? Math.max(1, Math.min(maxDefault, Math.floor((memory - minFreeMemory) / memoryPerSession)))
  const own = perKey ?? total
  const shares = FairQueue.make({ capacity: total, ...teams })
  const taken = new Map<string, number>()
  /** Start times of sessions younger than three seconds, which have not reached their full memory yet. */
  const starting = new Set<number>()

  const take = ({ id, keyId }: Holder, now: number): Effect.Effect<void, RateLimited | Unavailable, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.suspend((): Effect.Effect<string, RateLimited | Unavailable> => {
        if (total === 0) return off
        const key = JSON.stringify([id, keyId])
        const mine = taken.get(key) ?? 0
        if (keyId !== undefined && mine >= own)
          return full(`This key has ${mine} browser sessions open, which is its limit (end one to open another)`, 10)
        const all = shares.active()
        if (all >= total) return full(`${all} browser sessions are open, which is the limit of this engine`, 10)
        if (!shares.fits(id)) {
          const held = shares.heldBy(id)
          return full(
            `This team has ${held} browser sessions open, and the free ones are reserved for other teams (end one to open another)`,
            10
          )
        }
        for (const began of starting) if (began < now - 3_000) starting.delete(began)
        // A team above its minimum must leave memory for the minimums of the others.
        const reserved = shares.hasMinimum(id) ? shares.reservedForOthers(id) : 0
        if (process.availableMemory() < minFreeMemory + memoryPerSession * (1 + starting.size + reserved)) {
          return full("The machine has too little free memory for another browser session", 30)
        }
        let began = now
        while (starting.has(began)) began += 0.001
        starting.add(began)
        taken.set(key, mine + 1)
        shares.take(id)
        Metrics.sessions.add(1)
        return Effect.succeed(key)
      }),
      (key) =>
        Effect.sync(() => {
          Metrics.sessions.add(-1)
          shares.release(id)
          const left = (taken.get(key) ?? 1) - 1
          if (left === 0) taken.delete(key)
          else taken.set(key, left)
        })
    )
  return { take, total, own }
}

export class SessionQuota extends Context.Tag("sluice/Engine/Browser/SessionQuota")<
  SessionQuota,
  ReturnType<typeof make>
>() {}

export interface SessionQuotaOptions {
  /** Maximum sessions, in total and per key. */
  readonly browserSessions?: number | undefined
  readonly browserSessionsPerKey?: number | undefined
}

export const layer = ({ browserSessions, browserSessionsPerKey }: SessionQuotaOptions) =>
  Layer.effect(
    SessionQuota,
    Effect.map(FairQueue.Teams, (teams) => make(browserSessions, browserSessionsPerKey, teams))
  )
