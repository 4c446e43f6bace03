/** One page of a job: asked for, judged, read for links. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { nextTurn } from "../../Callback/EventLoop.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { Robots } from "../Fetch/Robots.ts"
import type { Page } from "../Scrape/ScrapedPage.ts"
import { Scraper } from "../Scrape/Scraper.ts"
import type { Task } from "./FairScheduler.ts"
import { type JobRow, readSpec, type Spec } from "./JobRecord.ts"
import { compile, type LinkRule, parse } from "./LinkRule.ts"
import { answered, crashed, duplicate, type Finished, type Found, failed, forbidden } from "./PageOutcome.ts"

/** A job that this process works on. */
export interface Running {
  readonly id: string
  readonly team: string
  readonly url: string
  readonly spec: Spec
  /** A crawl's. */
  rule: LinkRule | undefined
  /** Links that were judged, as they are written: pages repeat theirs. */
  readonly judged: Set<string>
  /** Keys of the frontier. */
  readonly keys: Set<string>
  /** How many there may be of either. */
  readonly mostKnown: () => number
  /** The store has more pages for us. */
  more: boolean
}

/** Links that one of so many jobs remembers: all of them share the memory. Forgetting costs time, not correctness. */
export const knownOf = (jobs: number): number =>
  Math.max(1_000, Math.min(100_000, Math.floor(1_000_000 / Math.max(1, jobs))))

const ruleOf = (url: string, { params, landed }: Spec): LinkRule | undefined => {
  if (params === undefined) return undefined
  const starts = [url, ...(landed === undefined ? [] : [landed])].map((start) => new URL(start))
  // The patterns were compiled when the job was started.
  return Either.getOrThrow(compile(params, starts))
}

export const run = (job: JobRow, keys: ReadonlyArray<string>, mostKnown = () => knownOf(1)): Running => {
  const spec = readSpec(job)
  const { id, team, url } = job
  const rule = ruleOf(url, spec)
  return { id, team, url, spec, rule, judged: new Set(), keys: new Set(keys), mostKnown, more: true }
}

/** Links that are judged before everybody else has a turn. */
const linksAtOnce = 1_000

/** Those of some links that the job doesn't know yet. */
const unknown = (running: Running, rule: LinkRule, links: ReadonlyArray<string>, depth: number) => {
  const { judged, keys } = running
  const most = running.mostKnown()
  const found: Array<Found> = []
  let isDeep = false
  for (const link of links) {
    if (judged.has(link)) continue
    const decision = rule.decide(link, depth)
    // A link that is too far away now may turn up nearer.
    if (decision._tag === "Follow" || decision.reason !== "too many links from the start") {
      if (judged.size >= most) judged.clear()
      judged.add(link)
    }
    if (decision._tag === "Leave") {
      // A page that is known already is nearer by another way.
      if (decision.tooDeep !== undefined && !keys.has(decision.tooDeep.key)) isDeep = true
      continue
    }
    if (keys.has(decision.address.key)) continue
    if (keys.size >= most) keys.clear()
    keys.add(decision.address.key)
    found.push({ address: decision.address, depth })
  }
  return { found, isDeep }
}

/** The links of a page that the job doesn't know yet. */
const follow = (running: Running, { links, statusCode }: Page, depth: number) =>
  Effect.gen(function* () {
    const { rule } = running
    if (rule === undefined || statusCode >= 400) return { found: [], isDeep: false }
    const found: Array<Found> = []
    let isDeep = false
    for (let at = 0; at < links.length; at += linksAtOnce) {
      if (at > 0) yield* nextTurn
      const some = unknown(running, rule, links.slice(at, at + linksAtOnce), depth)
      found.push(...some.found)
      isDeep ||= some.isDeep
    }
    return { found, isDeep }
  })

/** The address that a page of a crawl led to, when it is another page. */
const landing = ({ spec: { params } }: Running, task: Task, page: Page) => {
  if (params === undefined || page.url === task.url) return undefined
  const landed = parse(page.url, params)
  return landed === undefined || landed.key === parse(task.url, params)?.key ? undefined : landed
}

/** Whether a page led to one that the crawl's rule leaves alone; the start may lead anywhere. */
const strayed = (running: Running, task: Task, page: Page): boolean =>
  task.url !== running.url &&
  landing(running, task, page) !== undefined &&
  running.rule?.decide(page.url, task.depth)._tag === "Leave"

const read = (running: Running, task: Task, page: Page): Effect.Effect<Finished> => {
  const landed = landing(running, task, page)
  if (landed !== undefined && task.url === running.url) {
    running.rule = ruleOf(running.url, { ...running.spec, landed: page.url })
  }
  return Effect.zipWith(answered(task, page), follow(running, page, task.depth + 1), (answer, { found, isDeep }) => ({
    ...answer,
    found,
    isDeep,
    landed
  }))
}

/** The log keeps what it is told: of a job whose data is not kept, nothing of the page. */
const tellOf = ({ id, spec }: Running, { url }: Task, defect: unknown) =>
  spec.options.zeroDataRetention
    ? Effect.logError(`Reading a page of the job ${id} failed for a reason that was not foreseen`)
    : Effect.logError(`Reading ${url} failed for a reason that was not foreseen`, defect)

/** A page is in the trace of the request that started its job. */
const spanOf = ({ id, spec }: Running, task: Task) => {
  const parent = Trace.parentOf(spec.trace)
  const attributes = { "sluice.job.id": id, "server.address": new URL(task.url).host, "sluice.page.depth": task.depth }
  return parent === undefined ? { root: true, attributes } : { parent, attributes }
}

/** Gives one page's outcome; never fails. `slowDown` is told of the site's own wish for time between requests. */
export const make = Effect.map(Effect.all([Scraper, Robots]), ([scraper, robots]) => {
  const judge = (running: Running, task: Task, url: string, slowDown: (millis: number, now: number) => void) => {
    const { options, params } = running.spec
    // Where only copies are read nothing is asked of the site, and robots.txt has nothing to say.
    const asksNothing = options.lockdown || options.minAge !== undefined
    if (params === undefined || params.ignoreRobotsTxt || asksNothing) return Effect.succeed(undefined)
    const load = robots.load(new URL(url).origin, params.robotsUserAgent, options)
    return Effect.zipWith(load, Clock.currentTimeMillis, (rules, now) => {
      if (rules.crawlDelay !== undefined) slowDown(Math.min(rules.crawlDelay, 60) * 1000, now)
      if (rules.unreadable !== undefined) {
        return failed(task, { code: "ROBOTS_UNREADABLE", error: rules.unreadable })
      }
      return rules.isAllowed(url) ? undefined : forbidden(task)
    })
  }

  /** Where a redirect led to is judged as a link to it would be. */
  const arrive = (running: Running, task: Task, page: Page) => {
    if (page.url === task.url) return read(running, task, page)
    if (strayed(running, task, page)) return Effect.map(answered(task, page), duplicate)
    // Its own wish for time is heard when it is asked for itself.
    return Effect.flatMap(
      judge(running, task, page.url, () => undefined),
      (verdict) => (verdict === undefined ? read(running, task, page) : Effect.succeed(verdict))
    )
  }

  const scrape = (running: Running, task: Task) =>
    scraper
      .scrape({
        url: task.url,
        options: running.spec.options,
        teamId: running.team,
        // A crawl's headers are for the site that it began at; a batch names all its pages itself.
        headersFor: running.spec.params === undefined ? undefined : running.url,
        userAgent: running.spec.params?.robotsUserAgent
      })
      .pipe(
        Effect.match({
          onSuccess: (page) => arrive(running, task, page),
          onFailure: (failure) => Effect.succeed(failed(task, failure))
        }),
        Effect.flatten
      )

  return (running: Running, task: Task, slowDown: (millis: number, now: number) => void) =>
    Effect.suspend(() => judge(running, task, task.url, slowDown)).pipe(
      Effect.flatMap((verdict) => (verdict === undefined ? scrape(running, task) : Effect.succeed(verdict))),
      Effect.catchAllDefect((defect) => Effect.as(tellOf(running, task, defect), crashed(task))),
      Effect.tap(({ blocked, failure }) =>
        Trace.note({ "error.type": failure?.code ?? (blocked ? "ROBOTS" : undefined) })
      ),
      Trace.within("Job.page", spanOf(running, task))
    )
})
