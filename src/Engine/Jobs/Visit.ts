/** Visits one page of a job: robots.txt, scrape, redirect, links. */
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { isFailure } from "../../Api/Errors.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import type { FairScheduler, Task } from "../Fetch/FairScheduler.ts"
import { Proxies } from "../Fetch/Proxies.ts"
import { Robots, type RobotsRules } from "../Fetch/Robots.ts"
import type { Page, ScrapeFailure, ScrapeTarget } from "../Scrape/ScrapedPage.ts"
import { PageLookup, Scraper } from "../Scrape/Scraper.ts"
import { Cancelled, forEach, plainly, type Work } from "../Teams/Work.ts"
import { delayOf, makeRules, type SlowDown, sendsNothing, verdictBy } from "./JobRobots.ts"
import { parse } from "./LinkRule.ts"
import { isError, read, redirectOf, unfollowed, whyOutside } from "./PageLinks.ts"
import { answered, crashed, duplicate, type Finished, failed, held, leftOut, postponed } from "./PageOutcome.ts"
import { forgetLinks, type RunningJob } from "./RunningJob.ts"

/** Logs an unexpected error of a page; under zero data retention, nothing about the page. */
const logDefect = ({ id, spec }: RunningJob, { url }: Pick<Task, "url">, defect: unknown) =>
  spec.options.zeroDataRetention
    ? Effect.logError(`Reading a page of the job ${id} failed with an unexpected error`)
    : Effect.logError(`Reading ${url} failed with an unexpected error`, defect)

const afterCrash = async (work: Work, running: RunningJob, task: Task, defect: unknown): Promise<void> => {
  forgetLinks(running)
  await work.run(logDefect(running, task, defect))
}

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

/** Origins whose robots.txt is loaded at once. */
const originsAtOnce = 8

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

/** Pauses and delays of hosts. */
type Pace = Pick<FairScheduler, "pauseOf" | "slowDown">

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

type CheckRobots = ReturnType<typeof makeRules>["checkRobots"]

/** Outcome of a page whose redirect to `url` must not be followed, at least not now; undefined if it may be. */
const beforeRedirect = async (
  checkRobots: CheckRobots,
  work: Work,
  running: RunningJob,
  task: Task,
  url: string,
  pace: Pace
) => {
  const why = whyOutside(running, task, url)
  if (why !== undefined && unfollowed.has(why)) return leftOut(task)
  const verdict = await checkRobots(work, running, task, url, () => undefined)
  return verdict ?? pausedAt(task, url, pace, work.now())
}

/**
 * `visit` visits a page. `answerUnvisited` looks up several pages of a job in the cache, returns results for those that need no visit, and
 * the remaining pages. `landingOf` asks where the start redirects to, for a crawl that does not visit it; undefined if nowhere. They reject
 * only with `Cancelled`.
 */
export const make = Effect.map(
  Effect.all([Scraper, PageLookup, Robots, Proxies]),
  ([scraper, lookUp, robots, proxies]) => {
    const { checkRobots, loadRules } = makeRules(robots, proxies)

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
        stopped = await beforeRedirect(checkRobots, inner, running, task, url, pace)
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
