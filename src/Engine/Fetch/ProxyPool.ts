/**
 * A pool of proxies: chooses one for each request, and pauses proxies that fail.
 *
 * - Chooses by rendezvous hashing (highest random weight): a key keeps its proxy until the proxy is paused, and gets it back afterwards.
 *   Other keys are not affected. In the long run each proxy gets keys by its weight.
 * - A proxy that fails is paused for one second, twice as long after each further failure, at most five minutes. A success ends the series.
 *   Failures of concurrent requests count once.
 * - State lives in memory, one pool for the whole engine; all methods are synchronous.
 */
import { hash } from "node:crypto"
import type * as Redacted from "effect/Redacted"

export const stickies = ["host", "session", "none"] as const

/** Which requests share a proxy: those to one host, those of one session (a job, or a request with its redirects and frames), or none. */
export type Sticky = (typeof stickies)[number]

export const isSticky = (text: string): text is Sticky => stickies.some((each) => each === text)

export interface Proxy {
  /** URL, including user name and password. */
  readonly address: Redacted.Redacted
  /** URL without user name and password, for messages and metadata. */
  readonly label: string
  /** True if the proxy gets host names and resolves them itself, instead of getting addresses that the guard has checked. */
  readonly resolvesNames: boolean
  readonly weight: number
  /** Maximum open requests at this proxy; unlimited if undefined. */
  readonly concurrency?: number | undefined
  /** Minimum milliseconds between the starts of two requests. */
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

/** Fraction between 0 and 1, both excluded; always the same for the same text. */
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

  /** Key of a request. Requests with the same key get the same proxy. */
  keyOf(host: string, session: string | undefined): string {
    if (this.sticky === "host") return host
    return (this.sticky === "session" ? session : undefined) ?? `request ${++this.#requests}`
  }

  /** Chooses the proxy for a key, among those that are neither paused nor already tried. */
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

  /** Records a failure, and pauses the proxy. `reason` must not hold a password. */
  failed(proxy: Proxy, reason: string, now: number): void {
    const before = this.#health.get(proxy)
    if (before !== undefined && now < before.restsUntil) return
    const failures = (before?.failures ?? 0) + 1
    const restsUntil = now + Math.min(maxRest, firstRest * 2 ** (failures - 1))
    this.#health.set(proxy, { failures, restsUntil, reason })
  }

  /** Paused proxies, with the reasons, and the seconds until the first one is available again; undefined if none is paused. */
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
