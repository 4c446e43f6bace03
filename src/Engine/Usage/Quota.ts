/**
 * Credits that teams may use in a calendar month (UTC).
 *
 * - A call holds its maximum price before it starts, and a job holds the price of each page before fetching it. Used and held credits
 *   together never exceed the quota, even with concurrent calls.
 * - Used credits are counted in memory. The count starts with the ledger and is refreshed from it every few seconds, so an engine sees
 *   charges of another engine on the same store a few seconds late.
 * - The usage of a team without a quota is counted, but never refused.
 */
import * as Either from "effect/Either"
import { PaymentRequired } from "../../Api/Errors.ts"

/** Credits a month: `every` for each team, `teams` for single teams. A team with neither is unlimited. */
export interface Quotas {
  readonly every: number | undefined
  readonly teams: ReadonlyMap<string, number>
}

export const unlimited: Quotas = { every: undefined, teams: new Map() }

const creditsOf = (text: string): number | undefined => {
  const value = text.trim() === "" ? Number.NaN : Number(text)
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

const expectedFormat = "Expected credits a month, like 1000, or for each team, like default=1000,other=500"

/** Parses `1000` or `default=1000,other=500`. */
export const parse = (text: string): Either.Either<Quotas, string> => {
  const every = creditsOf(text)
  if (every !== undefined) return Either.right({ every, teams: new Map() })
  const teams = new Map<string, number>()
  for (const part of text.split(",").map((part) => part.trim())) {
    const at = part.lastIndexOf("=")
    const credits = creditsOf(part.slice(at + 1))
    const team = part.slice(0, Math.max(0, at)).trim()
    if (team === "" || credits === undefined) return Either.left(expectedFormat)
    if (teams.has(team)) return Either.left(`The team ${team} has two quotas`)
    teams.set(team, credits)
  }
  return Either.right({ every: undefined, teams })
}

/** Month in the form `2026-03`; strings sort by time. */
export const monthOf = (millis: number): string => new Date(millis).toISOString().slice(0, 7)

const count = (credits: number): string => `${credits.toLocaleString("en-US")} credit${credits === 1 ? "" : "s"}`

/** Credits that a team has used in a month. */
export interface TeamMonth {
  readonly team: string
  readonly month: string
  readonly credits: number
}

/** Used and held credits of one engine, in memory. All methods are synchronous, hence atomic. */
export class Quota {
  readonly #used = new Map<string, number>()
  readonly #held = new Map<string, number>()
  /** Credits that each running job holds for pages that are being fetched. */
  readonly #jobs = new Map<string, { readonly team: string; held: number }>()
  readonly quotas: Quotas

  constructor(quotas: Quotas) {
    this.quotas = quotas
  }

  /** Credits a month; undefined for a team without a quota. */
  of(team: string): number | undefined {
    return this.quotas.teams.get(team) ?? this.quotas.every
  }

  used(team: string, now: number): number {
    return this.#used.get(`${monthOf(now)} ${team}`) ?? 0
  }

  add(team: string, now: number, credits: number): void {
    this.#used.set(`${monthOf(now)} ${team}`, this.used(team, now) + credits)
  }

  /** Raises the used credits to the sums in the ledger, because other engines may have added to it. */
  update(sums: Iterable<TeamMonth>): void {
    for (const { credits, month, team } of sums) {
      const key = `${month} ${team}`
      this.#used.set(key, Math.max(this.#used.get(key) ?? 0, Number(credits)))
    }
  }

  /** Credits of the team's quota that are neither used nor held. */
  left(team: string, now: number): number {
    const quota = this.of(team)
    return quota === undefined
      ? Number.POSITIVE_INFINITY
      : Math.max(0, quota - this.used(team, now) - (this.#held.get(team) ?? 0))
  }

  /** True if the team could pay these credits once all held credits are released unused. */
  fits(team: string, now: number, credits: number): boolean {
    return credits <= (this.of(team) ?? Number.POSITIVE_INFINITY) - this.used(team, now)
  }

  refusal(team: string, now: number, needed: number): PaymentRequired {
    const [year = 0, month = 0] = monthOf(now).split("-").map(Number)
    const renewed = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
    const error = `Insufficient credits: ${count(needed)} needed, ${count(this.left(team, now))} left of ${count(this.of(team) ?? 0)} a month. The quota is renewed on ${renewed} (UTC).`
    return new PaymentRequired({ error, code: "INSUFFICIENT_CREDITS" })
  }

  /** Holds credits for a call. Returns false if there are too few. */
  hold(team: string, now: number, credits: number): boolean {
    if (credits > this.left(team, now)) return false
    this.#held.set(team, (this.#held.get(team) ?? 0) + credits)
    return true
  }

  giveBack(team: string, credits: number): void {
    this.#held.set(team, Math.max(0, (this.#held.get(team) ?? 0) - credits))
  }

  /** Holds credits for as many of the pages as the team can pay for; returns that number. */
  holdPages(job: { readonly id: string; readonly team: string }, now: number, price: number, pages: number): number {
    const granted = price === 0 ? pages : Math.min(pages, Math.floor(this.left(job.team, now) / price))
    if (granted === 0 || this.of(job.team) === undefined) return granted
    this.#holdFor(job, granted * price)
    return granted
  }

  #holdFor({ id, team }: { readonly id: string; readonly team: string }, credits: number): void {
    const known = this.#jobs.get(id) ?? { team, held: 0 }
    known.held += credits
    this.#jobs.set(id, known)
    this.#held.set(team, (this.#held.get(team) ?? 0) + credits)
  }

  /** Releases credits that a job holds; all by default. Returns a function that holds them again. */
  releasePages(job: string, credits = Number.POSITIVE_INFINITY): () => void {
    const known = this.#jobs.get(job)
    if (known === undefined) return () => undefined
    const released = Math.min(known.held, credits)
    known.held -= released
    this.giveBack(known.team, released)
    if (known.held === 0) this.#jobs.delete(job)
    return () => this.#holdFor({ id: job, team: known.team }, released)
  }
}
