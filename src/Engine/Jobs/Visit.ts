/** Visits one page of a job: robots.txt, scrape, redirect, links. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Random from "effect/Random"
import { isFailure } from "../../Api/Errors.ts"
import { isReason, type NotFollowed } from "../../Api/NotFollowed.ts"
import { turnOfLoop } from "../../Callback/EventLoop.ts"
import { robotsVerdict } from "../../Html/PageDirectives.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import type { FairScheduler, Task } from "../Fetch/FairScheduler.ts"
import { defaultUserAgent } from "../Fetch/Headers.ts"
import { Proxies } from "../Fetch/Proxies.ts"
import { productToken, Robots, type RobotsRules } from "../Fetch/Robots.ts"
import type { ListedAge } from "../Scrape/Recrawl/Revisit.ts"
import * as Route from "../Scrape/Route.ts"
import type { Page, ScrapeFailure, ScrapeTarget } from "../Scrape/ScrapedPage.ts"
import { PageLookup, Scraper } from "../Scrape/Scraper.ts"
import { Cancelled, forEach, plainly, type Seam, type Work } from "../Teams/Work.ts"
import type { KnownPage } from "./Frontier.ts"
import { hasMaxDepth, type JobRow, readSpec, type Spec } from "./JobRecord.ts"
import { KnownLinks } from "./KnownLinks.ts"
import { type Address, compile, type LinkRule, parse, type Reason } from "./LinkRule.ts"
import {
  answered,
  crashed,
  duplicate,
  type Finished,
  type FoundPage,
  failed,
  forbidden,
  held,
  leftOut,
  listed,
  postponed
} from "./PageOutcome.ts"

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

export const run = (
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
const levelOf = ({ spec }: Pick<RunningJob, "spec">, depth: number): number => (hasMaxDepth(spec) ? depth : 0)

/** Notes pages that were added to the queue at depth 0. */
export const noteSeeds = ({ keys, spec }: RunningJob, seeds: ReadonlyArray<FoundPage>): void => {
  if (hasMaxDepth(spec)) for (const { address, depth } of seeds) keys.add(address.key, depth)
}

/** Number of links from the start to a page. Smaller than in its task if a shorter path was found after the page was leased. */
const depthOf = ({ keys, spec }: RunningJob, { depth, url }: Task): number => {
  const key = spec.params === undefined || !hasMaxDepth(spec) ? undefined : parse(url, spec.params)?.key
  return key !== undefined && keys.has(key) ? Math.min(depth, keys.depthOf(key)) : depth
}

/** Counts a skipped link. Not counted: links that are not pages anyway, such as images and mail addresses. */
export const countLeft = (notFollowed: NotFollowed, reason: Reason): void => {
  if (isReason(reason)) notFollowed[reason] = (notFollowed[reason] ?? 0) + 1
}

/** Links judged per turn of the event loop. */
const linksAtOnce = 1_000

/** Sorts the page's links that are new to the job into pages to visit and counts of skipped ones. */
const newLinks = (
  running: RunningJob,
  rule: LinkRule,
  links: ReadonlyArray<string>,
  depth: number,
  notFollowed: NotFollowed
) => {
  const { seenLinks, logoutLinks, keys } = running
  const found: Array<FoundPage> = []
  const level = levelOf(running, depth)
  let isDeep = false
  for (const link of links) {
    if (seenLinks.has(link, level) || logoutLinks.has(link)) continue
    const decision = rule.decide(link, depth)
    if (decision._tag === "Leave") {
      // A link too far from the start is not remembered, so that it is judged again: it may be found closer to the start.
      if (decision.reason !== "maxDiscoveryDepth") seenLinks.add(link)
      countLeft(notFollowed, decision.reason)
      // A known page was found by a shorter path, so it is not too deep.
      if (decision.tooDeep !== undefined && !keys.has(decision.tooDeep.key)) isDeep = true
      continue
    }
    seenLinks.add(link, level)
    if (keys.has(decision.address.key, level)) continue
    keys.add(decision.address.key, level)
    found.push({ address: decision.address, depth })
  }
  return { found, isDeep }
}

/** Robots directives of the page, as far as the crawl respects them. */
const verdictOf = ({ spec: { params } }: RunningJob, { directives = {} }: Page, now: number) => {
  if (params?.respectNofollow !== true && params?.respectNoindex !== true)
    return { isNofollow: false, isNoindex: false }
  const asked = robotsVerdict(directives, productToken(params.robotsUserAgent ?? defaultUserAgent), now)
  return {
    isNofollow: params.respectNofollow && asked.isNofollow,
    isNoindex: params.respectNoindex && asked.isNoindex
  }
}

/** Links of a page, without those that sign out of the site, and without `nofollow` links if the crawl respects that. */
const followable = (
  { seenLinks, logoutLinks, spec: { params } }: RunningJob,
  { directives, links }: Page,
  notFollowed: NotFollowed
): ReadonlyArray<string> => {
  const marked = params?.respectNofollow === true ? (directives?.nofollowLinks ?? []) : []
  const out = directives?.logoutLinks ?? []
  if (marked.length + out.length === 0) return links
  const left = new Map<string, "nofollow" | "logout">([
    ...marked.map((link) => [link, "nofollow"] as const),
    ...out.map((link) => [link, "logout"] as const)
  ])
  return links.filter((link) => {
    const why = left.get(link)
    if (why === undefined) return true
    // Under a key of its own, because the same link may be followed from another page. A link excluded by its URL is counted once.
    const mark = why === "logout" ? link : `${why} ${link}`
    if (![mark, link].some((key) => seenLinks.has(key) || logoutLinks.has(key))) countLeft(notFollowed, why)
    seenLinks.add(mark)
    if (why === "logout") logoutLinks.add(link)
    return false
  })
}

/** True for a page that counts as failed. */
const isError = ({ blocked, statusCode }: Page): boolean => blocked !== undefined || statusCode >= 400

/** Returns the canonical address of a page, if the crawl respects it and may visit it. */
const canonicalOf = ({ rule, spec: { params } }: RunningJob, task: Task, page: Page): Address | undefined => {
  const canonical = page.directives?.canonical
  const isRespected = params?.respectCanonical === true && !isError(page)
  const decision = isRespected && canonical !== undefined ? rule?.decide(canonical, task.depth) : undefined
  return decision?._tag === "Follow" ? decision.address : undefined
}

/**
 * Returns the canonical address to visit in place of a page; undefined if the crawl keeps the page. If two pages name each other as
 * canonical, the one that was visited in place of the other is kept.
 */
const canonicalFor = (running: RunningJob, task: Task, page: Page): Address | undefined => {
  const { canonicals, spec } = running
  const address = canonicalOf(running, task, page)
  if (address === undefined || spec.params === undefined) return undefined
  const { params } = spec
  const own = [task.url, page.url].map((url) => parse(url, params)?.key)
  if (own.includes(address.key) || own.some((each) => each !== undefined && canonicals.has(each))) return undefined
  canonicals.add(address.key)
  return address
}

/**
 * True if a page redirected to one that names it as canonical. The other one is left out whenever it is visited, so this one is kept. Not so
 * if the other one is the canonical address of a third page, and kept for that.
 */
const isCanonicalOf = (running: RunningJob, task: Task, page: Page, landed: Address | undefined): boolean => {
  const { canonicals, spec } = running
  if (landed === undefined || spec.params === undefined || canonicals.has(landed.key)) return false
  const address = canonicalOf(running, task, page)
  return address !== undefined && address.key === parse(task.url, spec.params)?.key
}

/** URLs of the next page of a list: from the link that `next` selects, or from the `Link` header. */
const nextLinksOf = ({ params }: Spec, { directives, document: { metadata } }: Page): ReadonlyArray<string> => {
  if (params?.next === undefined) return []
  const isRelation = typeof params.next === "object" && params.next.rel?.toLowerCase() === "next"
  const header = isRelation && typeof metadata?.next === "string" ? [metadata.next] : []
  return [...header, ...(directives?.next ?? [])]
}

/**
 * The first next page that is new to the job, at the depth of the page that links to it. Above the maximum set by `next` it is counted, but
 * not followed.
 */
const findNext = (
  { keys, rule, spec, ...running }: RunningJob,
  links: ReadonlyArray<string>,
  depth: number,
  notFollowed: NotFollowed
): FoundPage | undefined => {
  for (const link of links) {
    const decision = rule?.decide(link, depth, true)
    if (decision?._tag !== "Follow" || keys.has(decision.address.key, levelOf({ spec }, depth))) continue
    const { limit = 0, next } = spec.params ?? {}
    const { pages = limit } = typeof next === "object" ? next : {}
    if (running.nextPages < pages - 1) return { address: decision.address, depth }
    // It is visited as an ordinary link.
    if (keys.has(decision.address.key)) continue
    notFollowed.nextPages = (notFollowed.nextPages ?? 0) + 1
    return undefined
  }
  return undefined
}

/** Judges all links of a page, and yields to other work in between. */
const follow = async (work: Work, running: RunningJob, page: Page, depth: number) => {
  const { rule } = running
  if (rule === undefined || page.statusCode >= 400) return { found: [], isDeep: false }
  const notFollowed: NotFollowed = {}
  const allowed = followable(running, page, notFollowed)
  const marked = running.spec.params?.respectNofollow === true ? (page.directives?.nofollowLinks ?? []) : []
  // Next links that may not be followed are judged and counted like any other link.
  const nextLinks = nextLinksOf(running.spec, page).filter(
    (link) => !marked.includes(link) && rule.decide(link, depth - 1, true)._tag === "Follow"
  )
  const next = findNext(running, nextLinks, depth - 1, notFollowed)
  const links = nextLinks.length === 0 ? allowed : allowed.filter((link) => !nextLinks.includes(link))
  const found: Array<FoundPage> = []
  if (next !== undefined) {
    running.nextPages++
    running.keys.add(next.address.key, levelOf(running, next.depth))
    found.push(next)
  }
  let isDeep = false
  // The start may land in between.
  const judged = (some: ReadonlyArray<string>) => newLinks(running, running.rule ?? rule, some, depth, notFollowed)
  for (let at = 0; at < links.length; at += linksAtOnce) {
    if (at > 0) await turnOfLoop()
    work.check()
    const some = await work.inTurn(() => judged(links.slice(at, at + linksAtOnce)))
    found.push(...some.found)
    isDeep ||= some.isDeep
  }
  return { found, isDeep, notFollowed }
}

/** The address `url` that a page of a crawl redirected to, if it is a different page. */
const redirectOf = ({ spec: { params } }: RunningJob, task: Task, url: string) => {
  if (params === undefined || url === task.url) return undefined
  const landed = parse(url, params)
  return landed === undefined || landed.key === parse(task.url, params)?.key ? undefined : landed
}

/** Why the rule excludes the address that a page redirected to; undefined if it does not. The start may redirect anywhere. */
const whyOutside = (running: RunningJob, task: Task, url: string): Reason | undefined => {
  if (task.url === running.url || redirectOf(running, task, url) === undefined) return undefined
  const decision = running.rule?.decide(url, task.depth)
  return decision?._tag === "Leave" ? decision.reason : undefined
}

/** Reasons for which a redirect is not followed. For others it is, as it may lead back: a sign-in on another site does. */
const unfollowed: ReadonlySet<Reason> = new Set(["excludePaths", "logout", "notPage"])

/** True for a successful page that was visited only as part of a list. A start page without any links to follow counts as a result. */
const isListOnly = (
  { rule, spec, url }: RunningJob,
  task: Task,
  { failure }: Finished,
  found: ReadonlyArray<FoundPage>
): boolean => {
  if (spec.params?.next === undefined || failure !== undefined || (task.url === url && found.length === 0)) return false
  const decision = rule?.decide(task.url, 0)
  return decision?._tag === "Leave" && decision.reason === "includePaths"
}

const read = async (work: Work, running: RunningJob, task: Task, page: Page): Promise<Finished> => {
  const landed = redirectOf(running, task, page.url)
  if (landed !== undefined && task.url === running.url && !isError(page)) land(running, page.url)
  const depth = depthOf(running, task)
  const canonical = canonicalFor(running, task, page)
  if (canonical !== undefined) {
    // The links are not read here, because the canonical page has them.
    const level = levelOf(running, depth)
    const found = running.keys.has(canonical.key, level) ? [] : [{ address: canonical, depth }]
    running.keys.add(canonical.key, level)
    return { ...duplicate(await answered(work, task, page)), found, landed }
  }
  const isCanonical = isCanonicalOf(running, task, page, landed)
  const { isNofollow, isNoindex } = verdictOf(running, page, work.now())
  const followed = isNofollow ? { found: [] } : await follow(work, running, page, depth + 1)
  const isLeftOut = isNoindex && page.statusCode < 400
  const answer = isLeftOut ? { ...forbidden(task), isUnsent: page.isUnsent } : await answered(work, task, page)
  return {
    ...(isListOnly(running, task, answer, followed.found) ? listed(answer) : answer),
    ...followed,
    landed,
    isCanonical
  }
}

/**
 * Clears `keys` and `seenLinks` after a crash: they may hold links of the crashed page that are not in the store, and other pages must be
 * able to add them.
 */
const forgetLinks = ({ keys, seenLinks }: RunningJob): void => {
  seenLinks.clear()
  keys.clear()
}

/** Logs an unexpected error of a page; under zero data retention, nothing about the page. */
const logDefect = ({ id, spec }: RunningJob, { url }: Pick<Task, "url">, defect: unknown) =>
  spec.options.zeroDataRetention
    ? Effect.logError(`Reading a page of the job ${id} failed with an unexpected error`)
    : Effect.logError(`Reading ${url} failed with an unexpected error`, defect)

const afterCrash = async (work: Work, running: RunningJob, task: Task, defect: unknown): Promise<void> => {
  forgetLinks(running)
  await work.run(logDefect(running, task, defect))
}

/** Converts a crawl delay from seconds to milliseconds, at most a minute. */
const delayOf = (seconds: number): number => Math.min(seconds, 60) * 1000

/** Maximum visits of a page whose site asks to retry later. */
const maxPostponed = 3

/** Maximum wait in milliseconds. If a site asks for a longer one, the page fails. */
const maxPause = 2 * 60 * 1000

/**
 * Milliseconds after which the page is visited again: as `Retry-After` says, or, for a 429 without it, after 1, 2 and 4 seconds. Undefined
 * for any other page, and if the wait is too long or the visits are used up: such a page fails.
 */
const laterOf = ({ postponed = 0 }: Task, { blocked, retryAfter, statusCode }: Page): number | undefined => {
  if (postponed >= maxPostponed || blocked !== undefined) return undefined
  const wait = retryAfter ?? (statusCode === 429 ? 1000 * 2 ** postponed : undefined)
  return wait === undefined || wait > maxPause ? undefined : wait
}

/** Outcome of a page that leads to `url`, whose host is paused; undefined for any other page. */
const pausedAt = (task: Task, url: string | undefined, { pauseOf }: Pace, now: number): Finished | undefined => {
  const pause = url === undefined ? 0 : pauseOf(url, now)
  return url === undefined || pause === 0 ? undefined : held(task, pause, url)
}

/** Outcome of a page that is not fetched because robots.txt forbids it or cannot be read; undefined for any other page. */
const verdictBy = (rules: RobotsRules | undefined, task: Task, url: string): Finished | undefined => {
  if (rules?.unreadable !== undefined) return failed(task, { code: "ROBOTS_UNREADABLE", error: rules.unreadable })
  return rules === undefined || rules.isAllowed(url) ? undefined : forbidden(task)
}

/** Origins whose robots.txt is loaded at once; origins whose rules a job remembers; milliseconds until they are loaded again. */
const originsAtOnce = 8
const maxOrigins = 16
const rulesAge = 10_000

/** Creates the span of a page, within the trace of the request that started the job. */
const spanOf = ({ id, spec }: RunningJob, task: Task) => {
  const parent = Trace.parentOf(spec.trace)
  const attributes = { "sluice.job.id": id, "server.address": new URL(task.url).host, "sluice.page.depth": task.depth }
  return parent === undefined ? { root: true, attributes } : { parent, attributes }
}

/** Results for pages that need no visit, and the pages that do need one. */
export interface Unvisited {
  readonly finished: ReadonlyArray<Finished>
  readonly due: ReadonlyArray<Task>
}

/** Called with the address and the crawl delay of its robots.txt. */
type SlowDown = FairScheduler["slowDown"]

/** Pauses and delays of hosts. */
type Pace = Pick<FairScheduler, "pauseOf" | "slowDown">

/** True for a job that reads only cached pages. It sends no request, so robots.txt does not apply. */
const sendsNothing = ({ lockdown, minAge }: Spec["options"]): boolean => lockdown || minAge !== undefined

/** robots.txt for the pages of jobs. */
const makeRules = (robots: Context.Tag.Service<typeof Robots>, proxies: Context.Tag.Service<typeof Proxies>) => {
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

  /** Outcome of a page whose redirect to `url` must not be followed, at least not now; undefined if it may be. */
  const beforeRedirect = async (work: Work, running: RunningJob, task: Task, url: string, pace: Pace) => {
    const why = whyOutside(running, task, url)
    if (why !== undefined && unfollowed.has(why)) return leftOut(task)
    const verdict = await checkRobots(work, running, task, url, () => undefined)
    return verdict ?? pausedAt(task, url, pace, work.now())
  }

  return { beforeRedirect, checkRobots, loadRules }
}

const revisitOf = ({ listed, spec: { params, revisit } }: RunningJob, { draw, url }: Task) =>
  revisit === undefined || params === undefined
    ? undefined
    : { ...revisit, draw, listed: listed.size === 0 ? undefined : listed.get(parse(url, params)?.key ?? url) }

const targetOf = (running: RunningJob, task: Task): ScrapeTarget => ({
  url: task.url,
  options: running.spec.options,
  teamId: running.team,
  hasTurn: true,
  takesBytes: true,
  // The headers of a crawl are only sent to the site of its start; a batch names all its pages itself.
  headersFor: running.spec.params === undefined ? undefined : running.url,
  userAgent: running.spec.params?.robotsUserAgent,
  revisit: revisitOf(running, task),
  stored: task.stored
})

/**
 * `visit` visits a page. `answerUnvisited` looks up several pages of a job in the cache, returns results for those that need no visit, and
 * the remaining pages. `landingOf` asks where the start redirects to, for a crawl that does not visit it; undefined if nowhere. They reject
 * only with `Cancelled`.
 */
export const make = Effect.map(
  Effect.all([Scraper, PageLookup, Robots, Proxies]),
  ([scraper, lookUp, robots, proxies]) => {
    const { beforeRedirect, checkRobots, loadRules } = makeRules(robots, proxies)

    /** Handles a redirect. Its target is judged like a link to it. */
    const afterRedirect = async (work: Work, running: RunningJob, task: Task, page: Page): Promise<Finished> => {
      if (page.url === task.url) return read(work, running, task, page)
      if (whyOutside(running, task, page.url) !== undefined) return duplicate(await answered(work, task, page))
      // The crawl delay of the target's host takes effect when the target itself is requested.
      const verdict = await checkRobots(work, running, task, page.url, () => undefined)
      return verdict === undefined ? read(work, running, task, page) : { ...verdict, isUnsent: page.isUnsent }
    }

    const answerUnvisited = async (
      work: Work,
      running: RunningJob,
      tasks: ReadonlyArray<Task>,
      slowDown: SlowDown
    ): Promise<Unvisited> => {
      const draws = await work.run(Effect.replicateEffect(Random.next, tasks.length))
      const drawn = tasks.map((task, at) => ({ ...task, draw: draws[at] }))
      const found = await work.run(lookUp(drawn.map((task) => targetOf(running, task))))
      const due: Array<Task> = []
      const left: Array<{ readonly task: Task; readonly page: Page; readonly origin: string }> = []
      for (const [at, task] of drawn.entries()) {
        const { page, stored } = found[at] ?? {}
        if (page !== undefined) left.push({ task, page, origin: new URL(task.url).origin })
        else due.push({ ...task, stored })
      }
      const rulesOf = new Map<string, RobotsRules | undefined>()
      const origins = [...new Set(left.map(({ origin }) => origin))]
      await forEach(work, origins, originsAtOnce, async (inner, origin) => {
        rulesOf.set(origin, await loadRules(inner, running, origin))
      })
      for (const [origin, rules] of rulesOf) {
        if (rules?.crawlDelay !== undefined) slowDown(origin, delayOf(rules.crawlDelay), work.now())
      }
      const finished: Array<Finished> = []
      for (const { origin, page, task } of left) {
        const verdict = verdictBy(rulesOf.get(origin), task, task.url)
        const answer =
          verdict ??
          (await afterRedirect(work, running, task, page).catch(async (cause) => {
            if (cause instanceof Cancelled) throw cause
            await afterCrash(work, running, task, cause)
          }))
        if (answer === undefined) due.push(task)
        else finished.push(answer)
      }
      return { finished, due }
    }

    /** If the lookup fails, returns all pages as due, so that a failed lookup costs visits but no results. */
    const answerOrVisit: typeof answerUnvisited = (work, running, tasks, slowDown) =>
      answerUnvisited(work, running, tasks, slowDown).catch(async (cause) => {
        if (cause instanceof Cancelled) throw cause
        await work.run(
          Effect.logError(
            `The stored copies of pages could not be read, so the job ${running.id} visits all of them again`,
            cause
          )
        )
        return { finished: [], due: tasks }
      })

    /** Scrapes the page. Returns the outcome instead if a redirect must not be followed. */
    const scrape = async (
      work: Work,
      running: RunningJob,
      task: Task,
      pace: Pace,
      target: ScrapeTarget = targetOf(running, task)
    ) => {
      let stopped: Finished | undefined
      const mayFollow = async (inner: Work, url: string) => {
        stopped = await beforeRedirect(inner, running, task, url, pace)
        return stopped === undefined
      }
      try {
        return { page: await scraper.open(work, { ...target, mayFollow }) }
      } catch (cause) {
        if (stopped === undefined || !isFailure(cause)) throw cause
        return { stopped }
      }
    }

    const visitPage = async (work: Work, running: RunningJob, task: Task, pace: Pace): Promise<Finished> => {
      const paused = pausedAt(task, task.leadsTo, pace, work.now())
      const early = paused ?? (await checkRobots(work, running, task, task.url, pace.slowDown))
      if (early !== undefined) return { ...early, isUnsent: true }
      const { page, stopped } = await scrape(work, running, task, pace)
      if (stopped !== undefined) return stopped
      if (work.seam.isTraced) {
        const { host } = new URL(page.url)
        await work.run(Trace.note({ "server.address": host, "sluice.page.status": page.statusCode }))
      }
      const wait = laterOf(task, page)
      return wait === undefined ? afterRedirect(work, running, task, page) : postponed(task, wait, page.url)
    }

    /** Runs the visit in a span if a tracer is set. */
    const visitTraced: typeof visitPage = (work, running, task, pace) =>
      work.seam.isTraced
        ? work.run(
            plainly<Finished, ScrapeFailure>((inner) => visitPage(inner, running, task, pace)).pipe(
              Effect.catchAll((failure) => Effect.succeed(failed(task, failure))),
              Effect.tap(({ blocked, failure }) =>
                Trace.note({ "error.type": failure?.code ?? (blocked ? "ROBOTS" : undefined) })
              ),
              Trace.within("Job.page", spanOf(running, task))
            )
          )
        : visitPage(work, running, task, pace)

    const visit: typeof visitPage = async (work, running, task, pace) => {
      try {
        return await visitTraced(work, running, task, pace)
      } catch (cause) {
        if (cause instanceof Cancelled) throw cause
        if (isFailure(cause)) return { ...failed(task, cause), isUnsent: sendsNothing(running.spec.options) }
        await afterCrash(work, running, task, cause)
        return crashed(task)
      }
    }

    const askStart = async (work: Work, running: RunningJob, slowDown: SlowDown): Promise<string | undefined> => {
      const task: Task = { id: 0, jobId: running.id, url: running.url, depth: 0, queued_at: 0 }
      if ((await checkRobots(work, running, task, task.url, slowDown)) !== undefined) return undefined
      const { options } = running.spec
      // Without formats, the start costs nothing but the request. It has no turn at its host yet.
      const target = {
        ...targetOf(running, task),
        options: { ...options, formats: [] },
        hasTurn: false,
        revisit: undefined
      }
      const { page } = await scrape(work, running, task, { slowDown, pauseOf: () => 0 }, target)
      if (page === undefined || isError(page) || redirectOf(running, task, page.url) === undefined) return undefined
      const verdict = await checkRobots(work, running, task, page.url, () => undefined)
      return verdict === undefined ? page.url : undefined
    }

    const landingOf: typeof askStart = (work, running, slowDown) =>
      askStart(work, running, slowDown).catch(async (cause) => {
        if (cause instanceof Cancelled) throw cause
        if (!isFailure(cause)) await work.run(logDefect(running, running, cause))
        return undefined
      })

    return { answerUnvisited: answerOrVisit, landingOf, visit }
  }
)
