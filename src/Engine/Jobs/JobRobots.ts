/** robots.txt for the pages of jobs: which may be fetched, and how long their hosts wait in between. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { FairScheduler, Task } from "../Fetch/FairScheduler.ts"
import { Proxies } from "../Fetch/Proxies.ts"
import type { Robots, RobotsRules } from "../Fetch/Robots.ts"
import * as Route from "../Scrape/Route.ts"
import type { Work } from "../Teams/Work.ts"
import type { Spec } from "./JobRecord.ts"
import { type Finished, failed, forbidden } from "./PageOutcome.ts"
import type { RunningJob } from "./RunningJob.ts"

/** Converts a crawl delay from seconds to milliseconds, at most a minute. */
export const delayOf = (seconds: number): number => Math.min(seconds, 60) * 1000

/** Outcome of a page that is not fetched because robots.txt forbids it or cannot be read; undefined for any other page. */
export const verdictBy = (rules: RobotsRules | undefined, task: Task, url: string): Finished | undefined => {
  if (rules?.unreadable !== undefined) return failed(task, { code: "ROBOTS_UNREADABLE", error: rules.unreadable })
  return rules === undefined || rules.isAllowed(url) ? undefined : forbidden(task)
}

/** Origins whose rules a job remembers, and milliseconds until they are loaded again. */
const maxOrigins = 16
const rulesAge = 10_000

/** True for a job that reads only cached pages. It sends no request, so robots.txt does not apply. */
export const sendsNothing = ({ lockdown, minAge }: Spec["options"]): boolean => lockdown || minAge !== undefined

/** Called with the address and the crawl delay of its robots.txt. */
export type SlowDown = FairScheduler["slowDown"]

/** robots.txt for the pages of jobs. */
export const makeRules = (robots: Context.Tag.Service<typeof Robots>, proxies: Context.Tag.Service<typeof Proxies>) => {
  /** The rules of an origin for the job; undefined where they do not apply. */
  const loadRules = async (work: Work, { origins, spec: { options, params } }: RunningJob, origin: string) => {
    if (params === undefined || params.ignoreRobotsTxt || sendsNothing(options)) return undefined
    const known = origins.get(origin)
    if (known !== undefined && work.now() - known.at < rulesAge) return known.rules
    const load = Route.read(options).pipe(
      Effect.provideService(Proxies, proxies),
      Effect.flatMap(({ proxy }) =>
        robots.load(origin, params.robotsUserAgent, {
          skipTlsVerification: options.skipTlsVerification,
          pool: proxy
        })
      ),
      // If the proxy no longer exists, nothing is sent here, and the page itself will fail with the reason.
      Effect.orElseSucceed(() => undefined)
    )
    const rules = await work.run(load)
    for (const [other, { at }] of origins) if (work.now() - at >= rulesAge) origins.delete(other)
    if (rules?.unreadable !== undefined) return rules
    // Redirects may lead to many origins, which must not displace that of the crawl for long.
    const [oldest] = origins.keys()
    if (oldest !== undefined && origins.size >= maxOrigins) origins.delete(oldest)
    origins.set(origin, { rules, at: work.now() })
    return rules
  }

  const checkRobots = async (work: Work, running: RunningJob, task: Task, url: string, slowDown: SlowDown) => {
    const rules = await loadRules(work, running, new URL(url).origin)
    if (rules?.crawlDelay !== undefined) slowDown(url, delayOf(rules.crawlDelay), work.now())
    return verdictBy(rules, task, url)
  }

  return { checkRobots, loadRules }
}
