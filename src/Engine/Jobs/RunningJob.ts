/** A job while this process runs it: its rule, and what it remembers of its pages, links, hosts and sitemap. */
import * as Either from "effect/Either"
import type { Task } from "../Fetch/FairScheduler.ts"
import type { RobotsRules } from "../Fetch/Robots.ts"
import type { ListedAge } from "../Scrape/Recrawl/Revisit.ts"
import type { Seam } from "../Teams/Work.ts"
import type { KnownPage } from "./Frontier.ts"
import { hasMaxDepth, type JobRow, readSpec, type Spec } from "./JobRecord.ts"
import { KnownLinks } from "./KnownLinks.ts"
import { compile, type LinkRule, parse } from "./LinkRule.ts"
import type { FoundPage } from "./PageOutcome.ts"

/** A job that this process is running. */
export interface RunningJob {
  readonly id: string
  readonly team: string
  /** Clock, team and event-loop turns that the visits of its pages share. */
  readonly seam: Seam
  readonly url: string
  readonly spec: Spec
  /** Decides which links are followed; undefined for a batch. */
  rule: LinkRule | undefined
  /** Address that the start redirects to, as far as known. */
  landed: string | undefined
  /** Links already judged by the rule, as written on the page. Pages repeat most links. */
  readonly seenLinks: KnownLinks
  /** Links whose words say that they sign out. They are not forgotten: other pages may have them without the words. */
  readonly logoutLinks: KnownLinks
  /** Keys of known pages. */
  readonly keys: KnownLinks
  /** robots.txt rules by origin, and when they were loaded. */
  readonly origins: Map<string, { readonly rules: RobotsRules | undefined; readonly at: number }>
  /**
   * Keys of canonical addresses that were visited in place of other pages. These pages are kept, regardless of their own canonical address.
   */
  readonly canonicals: KnownLinks
  /** Age of pages according to the sitemap, by page key. */
  readonly listed: Map<string, ListedAge>
  /**
   * True while the sitemap is read for the age of its pages. No page is leased meanwhile, because the sitemap may say that the page has
   * changed.
   */
  isListing: boolean
  /** Number of pages found so far by `next`, the crawl option that follows the pages of a list. */
  nextPages: number
  /** True when the store has more pages of the job to lease. */
  hasQueued: boolean
  /** Number of queued pages, as far as known. */
  queued: number
  /** Slow hosts to which all queued pages up to `id` belong. */
  passed: Passed | undefined
}

/**
 * Queued pages up to `id` that were passed over from the time `since` on; `queued` pages were left when there was no page after them. After
 * a while all are looked at again: those of an engine that has died are queued again among them.
 */
interface Passed {
  readonly hosts: ReadonlySet<string>
  readonly id: number
  readonly since: number
  readonly queued: number | undefined
}

/** Maximum links remembered per job; the jobs share the memory. */
export const maxLinksPerJob = (jobs: number): number =>
  Math.max(1_000, Math.min(100_000, Math.floor(1_000_000 / Math.max(1, jobs))))

/** True if pages are requested with the cookies of a profile. Links that would end its session are then not followed. */
const isMember = ({ options }: Spec): boolean => options.profile !== undefined

const ruleOf = (url: string, spec: Spec): LinkRule | undefined => {
  const { params, landed } = spec
  if (params === undefined) return undefined
  const starts = [url, ...(landed === undefined ? [] : [landed])].map((start) => new URL(start))
  // Cannot fail: the patterns were compiled when the job was started.
  return Either.getOrThrow(compile(params, starts, isMember(spec)))
}

export const makeRunning = (
  job: JobRow,
  seam: Seam,
  known: ReadonlyArray<KnownPage>,
  maxLinks = () => maxLinksPerJob(1)
): RunningJob => {
  const spec = readSpec(job)
  const { id, team, url } = job
  const rule = ruleOf(url, spec)
  const maxLasting = () => Math.min(10_000, maxLinks())
  const keys = new KnownLinks(maxLinks)
  for (const { depth, url_key } of known) keys.add(url_key, depth)
  return {
    id,
    team,
    seam,
    url,
    spec,
    rule,
    landed: spec.landed,
    seenLinks: new KnownLinks(maxLinks),
    logoutLinks: new KnownLinks(maxLasting, [], true),
    keys,
    origins: new Map(),
    canonicals: new KnownLinks(maxLasting, [], true),
    listed: new Map(),
    nextPages: 0,
    isListing: spec.revisit !== undefined && spec.params?.sitemap !== "skip",
    hasQueued: true,
    queued: job.queued,
    passed: undefined
  }
}

/** Applies the redirect of the start to the rule. Links that were judged before are judged again. */
export const land = (running: RunningJob, landed: string): void => {
  if (landed === running.landed) return
  running.landed = landed
  running.seenLinks.clear()
  running.rule = ruleOf(running.url, { ...running.spec, landed })
}

/** Key of the start, which keeps its query whatever `ignoreQueryParameters` says. */
export const startKey = ({ spec: { params }, url }: RunningJob): string =>
  (params === undefined ? undefined : parse(url, { ...params, ignoreQueryParameters: false })?.key) ?? url

/**
 * Depth under which a page or link is remembered: 0 for all, so that each is judged once. With `maxDiscoveryDepth`, the depth at which it
 * was found, because a shorter path to it counts.
 */
export const levelOf = ({ spec }: Pick<RunningJob, "spec">, depth: number): number => (hasMaxDepth(spec) ? depth : 0)

/** Notes pages that were added to the queue at depth 0. */
export const noteSeeds = ({ keys, spec }: RunningJob, seeds: ReadonlyArray<FoundPage>): void => {
  if (hasMaxDepth(spec)) for (const { address, depth } of seeds) keys.add(address.key, depth)
}

/** Number of links from the start to a page. Smaller than in its task if a shorter path was found after the page was leased. */
export const depthOf = ({ keys, spec }: RunningJob, { depth, url }: Task): number => {
  const key = spec.params === undefined || !hasMaxDepth(spec) ? undefined : parse(url, spec.params)?.key
  return key !== undefined && keys.has(key) ? Math.min(depth, keys.depthOf(key)) : depth
}

/**
 * Clears `keys` and `seenLinks` after a crash: they may hold links of the crashed page that are not in the store, and other pages must be
 * able to add them.
 */
export const forgetLinks = ({ keys, seenLinks }: RunningJob): void => {
  seenLinks.clear()
  keys.clear()
}
