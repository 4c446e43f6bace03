/**
 * A pool of proxies: chooses one for each request, and lets those that fail rest.
 *
 * - The choice is that of the highest random weight (rendezvous hashing) of a key: a key keeps its proxy until that one rests, and gets it
 *   back afterwards. Other keys are not affected. In the long run each proxy gets keys by its weight.
 * - A proxy that fails rests for a second, twice as long after each further failure, five minutes at most. A success ends the series.
 *   Failures of requests that were in flight together count once.
 * - State lives in memory, one pool for the whole engine; all methods are synchronous.
 */
import { hash } from "node:crypto"
import type * as Redacted from "effect/Redacted"

export const stickies = ["host", "session", "none"] as const

/**
 * Requests that keep a proxy: those for one host, those of one session (a job, or a request with its redirects and frames), or none.
 */
export type Sticky = (typeof stickies)[number]

export const isSticky = (text: string): text is Sticky => stickies.some((each) => each === text)

export interface Proxy {
  /** URL, including user name and password. */
  readonly address: Redacted.Redacted
  /** URL without user name and password, for messages and metadata. */
  readonly label: string
  /** The proxy gets host names and resolves them itself, instead of addresses that the guard has checked. */
  readonly resolvesNames: boolean
  readonly weight: number
  /** Most requests that are open at this proxy at once; any number without it. */
  readonly concurrency?: number | undefined
  /** Milliseconds between the starts of requests. */
  readonly spacing?: number | undefined
}

interface Health {
  failures: number
  /** Epoch milliseconds. */
  restsUntil: number
  reason: string
}

const firstRest = 1_000
const maxRest = 5 * 60_000

/** From 0 to 1, both excluded, the same for the same text. */
const fractionOf = (text: string): number =>
  (Number.parseInt(hash("sha256", text, "hex").slice(0, 12), 16) + 0.5) / 2 ** 48

export class ProxyPool {
  readonly proxies: ReadonlyArray<Proxy>
  readonly sticky: Sticky
  readonly #health = new Map<Proxy, Health>()
  #requests = 0

  constructor(proxies: ReadonlyArray<Proxy>, sticky: Sticky = "host") {
    this.proxies = proxies
    this.sticky = sticky
  }

  /** Key of a request. Requests of one key get the same proxy. */
  keyOf(host: string, session: string | undefined): string {
    if (this.sticky === "host") return host
    return (this.sticky === "session" ? session : undefined) ?? `request ${++this.#requests}`
  }

  /** The proxy for a key among those that neither rest nor have been tried. */
  choose(key: string, now: number, tried: ReadonlySet<Proxy>): Proxy | undefined {
    let best: Proxy | undefined
    let highest = -1
    for (const [at, proxy] of this.proxies.entries()) {
      if (tried.has(proxy) || now < (this.#health.get(proxy)?.restsUntil ?? 0)) continue
      const score = -proxy.weight / Math.log(fractionOf(`${at} ${key}`))
      if (score > highest) [best, highest] = [proxy, score]
    }
    return best
  }

  worked(proxy: Proxy): void {
    this.#health.delete(proxy)
  }

  /** `reason` must not hold a password. */
  failed(proxy: Proxy, reason: string, now: number): void {
    const before = this.#health.get(proxy)
    if (before !== undefined && now < before.restsUntil) return
    const failures = (before?.failures ?? 0) + 1
    const restsUntil = now + Math.min(maxRest, firstRest * 2 ** (failures - 1))
    this.#health.set(proxy, { failures, restsUntil, reason })
  }

  /** Proxies that rest, with the reasons, and the seconds until the first one is used again; undefined if none rests. */
  resting(now: number): { readonly proxies: ReadonlyArray<string>; readonly seconds: number } | undefined {
    const rests = [...this.#health].filter(([, { restsUntil }]) => now < restsUntil)
    if (rests.length === 0) return undefined
    const first = Math.min(...rests.map(([, { restsUntil }]) => restsUntil))
    return {
      proxies: rests.map(([{ label }, { reason }]) => `${label} ${reason}`),
      seconds: Math.ceil((first - now) / 1_000)
    }
  }
}
