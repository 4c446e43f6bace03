/**
 * Names of hosts, resolved by the system on few threads that teams share.
 *
 * The system's resolver keeps a thread for as long as a name server is silent, and the process has two for that. So each team has a
 * guaranteed part of them (`Shares`). A team looks up each name once at a time. A caller gets an error after `timeout`, the wait for a thread
 * included. A thread goes to the next name when the system has answered, not when the last caller has left.
 *
 * All functions are synchronous. Every callback is called exactly once.
 */
import * as Dns from "node:dns"
import type { LookupFunction } from "node:net"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { safely } from "../../Callback.ts"
import * as Shares from "../Shares.ts"

/** libuv gives look-ups half of its threads, of which there are four unless `UV_THREADPOOL_SIZE` says otherwise. */
const threads = Math.max(1, Math.floor((Math.max(1, Number(process.env.UV_THREADPOOL_SIZE) || 4) + 1) / 2))

/** Milliseconds, the wait for a thread included; less than connections have, so that the error names the reason. */
const usualTimeout = 8_000

type Callback = Parameters<LookupFunction>[2]
type Options = Parameters<LookupFunction>[1]

interface Query {
  readonly key: string
  readonly team: string
  readonly hostname: string
  readonly options: Options
  readonly waiting: Set<Callback>
}

export interface NamesOptions extends Omit<Shares.Options, "capacity"> {
  /** Names looked up at once. */
  readonly capacity?: number | undefined
  /** Milliseconds, the wait for a thread included. */
  readonly timeout?: number | undefined
  readonly lookup?: LookupFunction | undefined
}

let asking = ""

/** Names that are looked up within the call are those of the team. */
export const askingFor = <A>(team: string, call: () => A): A => {
  const before = asking
  asking = team
  try {
    return call()
  } finally {
    asking = before
  }
}

const late = (hostname: string, timeout: number): NodeJS.ErrnoException =>
  Object.assign(new Error(`the name ${hostname} was not resolved within ${timeout / 1000} s`), { code: "EAI_AGAIN" })

/** A resolver whose threads are shared by the teams of {@link askingFor}. */
export const make = ({
  capacity = threads,
  lookup = Dns.lookup as LookupFunction,
  timeout = usualTimeout,
  ...teams
}: NamesOptions = {}): LookupFunction => {
  const shares = Shares.make({ capacity, ...teams })
  /** Names that wait for a thread, by team and name, the eldest first. */
  const queued = new Map<string, Query>()
  /** Names that are being looked up. */
  const underway = new Map<string, Query>()

  const begin = (query: Query): void => {
    shares.take(query.team)
    queued.delete(query.key)
    underway.set(query.key, query)
    const done = safely((...answer: Parameters<Callback>) => {
      underway.delete(query.key)
      shares.release(query.team)
      beginNext()
      for (const callback of query.waiting) callback(...answer)
    })
    lookup(query.hostname, query.options, done)
  }

  const beginNext = (): void => {
    for (;;) {
      const fitting = [...queued.values()].filter(({ team }) => shares.fits(team))
      const [next] = fitting.sort((one, other) => shares.compare(one.team, other.team))
      if (next === undefined) return
      begin(next)
    }
  }

  return (hostname, options, callback) => {
    const key = JSON.stringify([asking, hostname, options.family, options.hints, options.all])
    const known = underway.get(key) ?? queued.get(key)
    const query = known ?? { key, team: asking, hostname, options, waiting: new Set<Callback>() }
    const answer: Callback = (...results) => {
      if (!query.waiting.delete(answer)) return
      clearTimeout(timer)
      callback(...results)
    }
    const timer = setTimeout(
      safely(() => {
        if (query.waiting.size === 1) queued.delete(key)
        answer(late(hostname, timeout), "", 0)
      }),
      timeout
    )
    query.waiting.add(answer)
    if (known !== undefined) return
    queued.set(key, query)
    beginNext()
  }
}

/** The resolver of an engine; outside of one, the system's. */
export class Names extends Context.Reference<Names>()("sluice/Engine/Scrape/Names", {
  defaultValue: () => Dns.lookup as LookupFunction
}) {}

export const layer: Layer.Layer<Names> = Layer.effectContext(
  Effect.map(Effect.all([Shares.Teams, Shares.Weights]), ([teams, weights]) =>
    Context.make(Names, make({ teams, weights }))
  )
)
