/** Judges a fetched page of a job: its redirect, its canonical address, its robots directives, and the links that the job follows. */
import { isReason, type NotFollowed } from "../../Api/NotFollowed.ts"
import { turnOfLoop } from "../../Callback/EventLoop.ts"
import { robotsVerdict } from "../../Html/PageDirectives.ts"
import type { Task } from "../Fetch/FairScheduler.ts"
import { defaultUserAgent } from "../Fetch/Headers.ts"
import { productToken } from "../Fetch/Robots.ts"
import type { Page } from "../Scrape/ScrapedPage.ts"
import type { Work } from "../Teams/Work.ts"
import type { Spec } from "./JobRecord.ts"
import { type Address, type LinkRule, parse, type Reason } from "./LinkRule.ts"
import { answered, duplicate, type Finished, type FoundPage, forbidden, listed } from "./PageOutcome.ts"
import { depthOf, land, levelOf, type RunningJob } from "./RunningJob.ts"

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
export const isError = ({ blocked, statusCode }: Page): boolean => blocked !== undefined || statusCode >= 400

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
export const redirectOf = ({ spec: { params } }: RunningJob, task: Task, url: string) => {
  if (params === undefined || url === task.url) return undefined
  const landed = parse(url, params)
  return landed === undefined || landed.key === parse(task.url, params)?.key ? undefined : landed
}

/** Why the rule excludes the address that a page redirected to; undefined if it does not. The start may redirect anywhere. */
export const whyOutside = (running: RunningJob, task: Task, url: string): Reason | undefined => {
  if (task.url === running.url || redirectOf(running, task, url) === undefined) return undefined
  const decision = running.rule?.decide(url, task.depth)
  return decision?._tag === "Leave" ? decision.reason : undefined
}

/** Reasons for which a redirect is not followed. For others it is, as it may lead back: a sign-in on another site does. */
export const unfollowed: ReadonlySet<Reason> = new Set(["excludePaths", "logout", "notPage"])

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

/** Outcome of a page that was fetched, with its links that are new to the job. */
export const read = async (work: Work, running: RunningJob, task: Task, page: Page): Promise<Finished> => {
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
