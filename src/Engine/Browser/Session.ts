/** A browser session: who may reach it by which secret, how long it lives, why it ended. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Spender } from "../Usage/Usage.ts"
import type { Devtools } from "./Devtools.ts"

/** Ways into a session, each with a secret of its own. */
export const ways = ["cdp", "watch", "interact"] as const
export type Way = (typeof ways)[number]

/** Why a session is over. */
export type Ending = "deleted" | "closed" | "expired" | "inactive" | "crashed" | "spent" | "credits" | "stopped"

/** The same in words, for programs. */
export const sentences: Readonly<Record<Ending, string>> = {
  deleted: "it was deleted",
  closed: "a program closed its browser",
  expired: "its ttl is over",
  inactive: "nobody used it for its activityTtl",
  crashed: "its browser crashed",
  spent: "it has used up what a session may load",
  credits: "the team's credits are used up",
  stopped: "the engine was stopped"
}

export interface Session {
  readonly id: string
  readonly team: Spender
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly expiresAt: number
  /** Whether people may look at it. */
  readonly streamWebView: boolean
  readonly secrets: Readonly<Record<Way, string>>
  /** Channels to the browser. */
  readonly devtools: Devtools
  /** Where what its pages download goes. */
  readonly downloads: string
  /** Somebody uses it: it lives on for its `activityTtl`. */
  readonly touch: () => void
  /** Milliseconds since 1970. */
  readonly lastActivity: () => number
  /** Waits until it is over, or about to be. */
  readonly ended: Effect.Effect<Ending>
  /** Why its profile was not saved; known once it is over. */
  readonly warning: () => string | undefined
  /** Ends it, and waits until nothing of it is left. */
  readonly end: (why: Ending) => Effect.Effect<void>
}

const hash = (secret: string): Buffer => createHash("sha256").update(secret).digest()

/** What is kept of the secrets of a session, to compare with. */
export type Locks = Readonly<Record<Way, Buffer>>

export const makeSecrets = (): Readonly<Record<Way, string>> => ({
  cdp: randomBytes(24).toString("base64url"),
  watch: randomBytes(24).toString("base64url"),
  interact: randomBytes(24).toString("base64url")
})

export const locksOf = ({ cdp, interact, watch }: Readonly<Record<Way, string>>): Locks => ({
  cdp: hash(cdp),
  watch: hash(watch),
  interact: hash(interact)
})

/** The one that the secret opens; every one is tried, so that the time tells nothing. */
export const unlock = <A extends { readonly locks: Locks }>(all: Iterable<A>, way: Way, secret: string) => {
  const asked = hash(secret)
  let found: A | undefined
  for (const one of all) if (timingSafeEqual(one.locks[way], asked)) found = one
  return found
}

/** The time that a session has left without activity and in all; ends with the reason. */
export const lifetime = (expiresAt: number, activityTtl: Duration.Duration) =>
  Effect.map(Effect.clock, (clock) => {
    let active = clock.unsafeCurrentTimeMillis()
    const wait: Effect.Effect<Ending> = Effect.suspend(() => {
      const now = clock.unsafeCurrentTimeMillis()
      const idle = active + Duration.toMillis(activityTtl)
      if (now >= expiresAt) return Effect.succeed("expired")
      if (now >= idle) return Effect.succeed("inactive")
      return Effect.zipRight(Effect.sleep(Math.min(idle, expiresAt) - now), wait)
    })
    const touch = () => {
      active = clock.unsafeCurrentTimeMillis()
    }
    return { wait: Effect.withClock(wait, clock), touch, lastActivity: () => active }
  })
