/**
 * DNS lookups by the operating system, shared fairly between teams.
 *
 * A lookup (`getaddrinfo`) blocks a libuv thread until the name server answers, and by default only two threads run lookups. So teams share
 * the threads by `FairQueue`, and concurrent lookups of one name by one team become one. A caller gets EAI_AGAIN after `timeout`, queueing
 * included. The thread is freed when the system answers, not when the last caller has timed out.
 *
 * All functions are synchronous. Every callback is called exactly once.
 */
import * as Dns from "node:dns"
import type { LookupFunction } from "node:net"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { after, safely } from "../../Callback.ts"
import * as FairQueue from "../Teams/FairQueue.ts"

/** Threads that libuv uses for lookups: half of its pool, which has 4 unless `UV_THREADPOOL_SIZE` is set. */
const lookupThreads = Math.max(1, Math.floor((Math.max(1, Number(process.env.UV_THREADPOOL_SIZE) || 4) + 1) / 2))

/** Milliseconds, queueing included. Shorter than the connect timeout, so that the error names DNS as the reason. */
const defaultTimeout = 8_000

type Callback = Parameters<LookupFunction>[2]
type LookupOptions = Parameters<LookupFunction>[1]

interface Query {
  readonly key: string
  readonly team: string
  readonly hostname: string
  readonly options: LookupOptions
  readonly waiting: Set<Callback>
}

export interface DnsResolverOptions extends Omit<FairQueue.Options, "capacity"> {
  /** Maximum concurrent lookups. */
  readonly capacity?: number | undefined
  /** Milliseconds, queueing included. */
  readonly timeout?: number | undefined
  readonly lookup?: LookupFunction | undefined
}

/** Team of the current call. A global, because undici passes no request data to its `lookup`. */
let lookupTeam = ""

/** Runs a synchronous call; lookups that it starts use the share of `team`. */
export const withLookupTeam = <A>(team: string, call: () => A): A => {
  const previous = lookupTeam
  lookupTeam = team
  try {
    return call()
  } finally {
    lookupTeam = previous
  }
}

const timedOut = (hostname: string, timeout: number): NodeJS.ErrnoException =>
  Object.assign(new Error(`the name ${hostname} was not resolved within ${timeout / 1000} s`), { code: "EAI_AGAIN" })

/** Creates a `lookup` function that shares its threads between the teams of {@link withLookupTeam}. */
export const make = ({
  capacity = lookupThreads,
  lookup = Dns.lookup as LookupFunction,
  timeout = defaultTimeout,
  ...teams
}: DnsResolverOptions = {}): LookupFunction => {
  const shares = FairQueue.make({ capacity, ...teams })
  /** Lookups waiting for a thread, oldest first, by team and name. */
  const queued = new Map<string, Query>()
  const running = new Map<string, Query>()

  const start = (query: Query): void => {
    shares.take(query.team)
    queued.delete(query.key)
    running.set(query.key, query)
    const done = safely((...answer: Parameters<Callback>) => {
      running.delete(query.key)
      shares.release(query.team)
      startNext()
      for (const callback of query.waiting) callback(...answer)
    })
    lookup(query.hostname, query.options, done)
  }

  const startNext = (): void => {
    for (;;) {
      const startable = [...queued.values()].filter(({ team }) => shares.fits(team))
      const [next] = startable.sort((one, other) => shares.compare(one.team, other.team))
      if (next === undefined) return
      start(next)
    }
  }

  return (hostname, options, callback) => {
    const key = JSON.stringify([lookupTeam, hostname, options.family, options.hints, options.all])
    const existing = running.get(key) ?? queued.get(key)
    const query = existing ?? { key, team: lookupTeam, hostname, options, waiting: new Set<Callback>() }
    const answer: Callback = (...results) => {
      if (!query.waiting.delete(answer)) return
      clearTimeout(timer)
      callback(...results)
    }
    const timer = after(timeout, () => {
      if (query.waiting.size === 1) queued.delete(key)
      answer(timedOut(hostname, timeout), "", 0)
    })
    query.waiting.add(answer)
    if (existing !== undefined) return
    queued.set(key, query)
    startNext()
  }
}

/** `lookup` function of the engine. */
export class DnsResolver extends Context.Tag("sluice/Engine/Fetch/DnsResolver")<DnsResolver, LookupFunction>() {}

export const layer: Layer.Layer<DnsResolver, never, FairQueue.Teams> = Layer.effect(
  DnsResolver,
  Effect.map(FairQueue.Teams, make)
)
