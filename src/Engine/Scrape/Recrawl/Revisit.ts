/**
 * Decides which pages a crawl skips: the stored page is used without a request to its site, because the page has most likely not changed.
 *
 * - A page is skipped if the sitemap says that it has not changed since its last visit, if its earlier visits make a change unlikely
 *   ({@link maxChance}), or if its last visit is younger than `floor`. It is visited once its last visit is older than `ceiling`, and after
 *   a visit that did not return the page.
 * - `HostTrust` decides how many of these pages are visited anyway, to check the sitemap or the rates. An audit visits all of them.
 * - Changes of a page are modelled as a Poisson process. Its rate is estimated from the visits of the page; the mean rate of the site is
 *   the prior, which decides for pages with few visits. A visit sees at most one change, even if there were several since the last one; the
 *   estimator of Cho and Garcia-Molina ("Estimating frequency of change", 2003) corrects for that.
 */
import type { VisitHistory, Visits } from "../../PageCache/CacheSegments.ts"
import { maxMissed } from "./HostTrust.ts"

/** Revisit policy of a crawl. */
export interface Revisit {
  /** Milliseconds after which a page is visited in any case. */
  readonly ceiling: number
  /** Milliseconds within which a page is not visited again, unless its sitemap reports a change. */
  readonly floor?: number | undefined
  /** True to visit all pages, and to compare those that would have been skipped. */
  readonly isAudit: boolean
}

/** Age of a page according to its sitemap. */
export interface ListedAge {
  /** Latest time that `lastmod` may refer to, in milliseconds since 1970. */
  readonly lastModified?: number | undefined
  /** Milliseconds that `changefreq` stands for. */
  readonly period?: number | undefined
}

/**
 * Probability of a change from which on a page is visited. Half of the share of missed changes that is tolerated ({@link maxMissed}),
 * because the share that occurs varies.
 */
export const maxChance = maxMissed / 2

/** Minimum visits of a page before its rate is estimated. */
const minVisits = 3

/** Weight of the site's mean rate, as a number of changes. Small, because the pages of a site differ a lot. */
const priorWeight = 0.5

/** Estimates the changes in a number of visits, including those that no visit saw. */
const changesIn = ({ changes, visits }: Omit<VisitHistory, "since">): number =>
  visits === 0 ? 0 : visits * -Math.log((visits - changes + 0.5) / (visits + 0.5))

/** Estimated changes of a page per millisecond; undefined with fewer than {@link minVisits} visits. */
export const rateOf = (page: Visits, site: Visits): number | undefined => {
  if (page.visits < minVisits || site.millis <= 0) return undefined
  const usual = (changesIn(site) + priorWeight) / site.millis
  return (changesIn(page) + priorWeight) / (page.millis + priorWeight / usual)
}

/** Probability that a page has changed since its last visit; 1 if its rate is not known. */
export const chanceOfChange = (
  { at, history }: { readonly at: number; readonly history?: VisitHistory | undefined },
  site: Visits,
  now: number
): number => {
  if (history === undefined) return 1
  const rate = rateOf({ ...history, millis: at - history.since }, site)
  return rate === undefined ? 1 : 1 - Math.exp(-rate * (now - at))
}

/** Milliseconds by which `lastmod` must be older than a visit, because a sitemap may list a change late. */
const minDistance = 60_000

/** True if the sitemap says that the page has not changed since `at`, false if it says that it may have; undefined if it says nothing. */
export const saysUnchanged = (listed: ListedAge | undefined, at: number, now: number): boolean | undefined => {
  if (listed?.lastModified !== undefined) return listed.lastModified + minDistance < at
  return listed?.period === undefined ? undefined : now - at < listed.period
}

const [hour, day] = [3_600_000, 86_400_000]

const periods: Readonly<Record<string, number>> = {
  hourly: hour,
  daily: day,
  weekly: 7 * day,
  monthly: 30 * day,
  yearly: 365 * day,
  never: Number.POSITIVE_INFINITY
}

/** Maximum milliseconds between a local time in UTC and the same time in the last time zone. */
const latestZone = 12 * hour
/** Maximum milliseconds from the beginning of a date in UTC until that date has ended in all time zones. */
const longestDay = day + latestZone

/** Reads `lastmod` and `changefreq`; undefined if neither is usable. */
export const listedAge = (lastmod: string | undefined, changefreq: string | undefined): ListedAge | undefined => {
  const text = lastmod?.trim() ?? ""
  const [, time, zone] = /^\d{4}-\d\d-\d\d(T[\d:.]+)?(Z|[+-]\d\d:?\d\d)?$/i.exec(text) ?? []
  const begin = Date.parse(time === undefined || zone !== undefined ? text : `${text}Z`)
  const period = periods[changefreq?.trim().toLowerCase() ?? ""]
  if (!Number.isNaN(begin) && /^\d{4}-\d\d-\d\d/.test(text)) {
    return { lastModified: begin + (time === undefined ? longestDay : zone === undefined ? latestZone : 0) }
  }
  return period === undefined ? undefined : { period }
}
