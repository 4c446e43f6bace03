/** Reads the sitemaps of a crawl and queues their pages. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { NotFollowed, Reason } from "../../Api/NotFollowed.ts"
import { Proxies } from "../Fetch/Proxies.ts"
import { Robots } from "../Fetch/Robots.ts"
import * as Route from "../Scrape/Route.ts"
import { type Listed, Sitemap } from "../Scrape/Sitemap.ts"
import { asTeam } from "../Teams/TeamScheduler.ts"
import { ChangeSignal, work } from "./ChangeSignal.ts"
import { Frontier, type Seeds } from "./Frontier.ts"
import { parse } from "./LinkRule.ts"
import { countLeft } from "./PageLinks.ts"
import { persist } from "./Persist.ts"
import { land, noteSeeds, type RunningJob, startKey } from "./RunningJob.ts"

/** Maximum URLs read from sitemaps: more than the limit of the crawl, since the rule excludes some. */
const maxSitemapUrls = (limit: number): number => Math.min(100_000, limit * 10 + 1000)

/** Reads the sitemaps of a crawl, and notes the age of their pages. */
const makeReadSitemaps = Effect.map(
  Effect.all([Robots, Sitemap, Proxies]),
  ([robots, sitemap, proxies]) =>
    ({ listed, url, spec: { options, params, revisit } }: RunningJob): Effect.Effect<Listed> =>
      Effect.gen(function* () {
        if (params === undefined || options.lockdown || options.minAge !== undefined) return { urls: [], isWhole: true }
        const { origin } = new URL(url)
        const route = yield* Effect.option(Effect.provideService(Route.read(options), Proxies, proxies))
        if (Option.isNone(route)) return { urls: [], isWhole: false }
        const { proxy, session } = route.value
        const { skipTlsVerification } = options
        const { sitemaps } = yield* robots.load(origin, params.robotsUserAgent, { skipTlsVerification, pool: proxy })
        const found = yield* sitemap.urls(origin, sitemaps, {
          limit: maxSitemapUrls(params.limit),
          userAgent: params.robotsUserAgent,
          skipTlsVerification,
          proxy,
          session
        })
        for (const href of revisit === undefined ? [] : found.urls) {
          const age = found.ages?.get(href)
          const key = age === undefined ? undefined : parse(href, params)?.key
          if (age !== undefined && key !== undefined) listed.set(key, age)
        }
        return found
      })
)

/** Reasons that depend on where the start is. */
const outsideReasons: ReadonlySet<string> = new Set<Reason>(["anotherSite", "subdomain", "notBelowStart"])

/** Returns the pages of the sitemaps that the rule allows, all at depth 0, and the addresses that are not where the start is. */
const judge = ({ rule, spec: { params } }: RunningJob, { isWhole, urls }: Listed) => {
  const notFollowed: NotFollowed = {}
  const outside: Array<string> = []
  const found = urls.flatMap((href) => {
    const decision = rule?.decide(href, 0)
    if (decision?._tag === "Follow") return [{ address: decision.address, depth: 0 }]
    if (decision !== undefined && outsideReasons.has(decision.reason)) outside.push(href)
    if (decision !== undefined && params?.sitemap === "only") countLeft(notFollowed, decision.reason)
    return []
  })
  return { found, isWhole, notFollowed, outside }
}

/**
 * `onListed` is called when the sitemaps of a job have been read. `landingOf` asks where the start of a crawl redirects to; undefined if
 * nowhere.
 */
export const make = Effect.fnUntraced(function* (
  onListed: () => void,
  landingOf: (job: RunningJob) => Effect.Effect<string | undefined>
) {
  const frontier = yield* Frontier
  const changes = yield* ChangeSignal
  const readSitemaps = yield* makeReadSitemaps

  const queue = (job: RunningJob, seeds: Seeds): Effect.Effect<void> =>
    persist("the pages of a sitemap", frontier.seed(job.id, seeds)).pipe(
      Effect.map(() => noteSeeds(job, seeds.found)),
      Effect.zipRight(changes.notify(job.id)),
      Effect.zipRight(changes.notify(work))
    )

  /** Waits until the start has been visited, here or by another engine. */
  const startVisited = (job: RunningJob): Effect.Effect<void> => {
    const key = startKey(job)
    const look = Effect.gen(function* () {
      const called = yield* changes.listen(job.id)
      const { isOpen, landed } = yield* persist("the search for the start of a crawl", frontier.start(job.id, key))
      if (landed !== undefined) land(job, landed)
      if (isOpen) yield* Effect.timeoutOption(called, Duration.seconds(1))
      return isOpen
    })
    return Effect.asVoid(Effect.repeat(look, { while: (isOpen) => isOpen }))
  }

  /** Queues the pages of the sitemaps. Those that are not where the start is wait until it has landed, perhaps where they are. */
  const queueListed = (job: RunningJob, listed: Listed): Effect.Effect<void> => {
    const { rule, spec } = job
    const { outside, ...seeds } = judge(job, listed)
    if (outside.length === 0) return queue(job, seeds)
    if (spec.params?.sitemap === "only") {
      return Effect.flatMap(landingOf(job), (landed) => {
        if (landed === undefined) return queue(job, seeds)
        land(job, landed)
        return queue(job, { ...judge(job, listed), landed })
      })
    }
    const rest = () => (job.rule === rule ? [] : judge(job, { ...listed, urls: outside }).found)
    return queue(job, { ...seeds, hasMore: true }).pipe(
      Effect.zipRight(startVisited(job)),
      Effect.flatMap(() => queue(job, { ...seeds, found: rest() }))
    )
  }

  /** Reads the sitemaps of a job and queues their pages. For a resumed job, it only reads the pages' last-modified times again. */
  return (job: RunningJob, isSeeded: boolean): Effect.Effect<void> => {
    const read = Effect.ensuring(
      readSitemaps(job),
      Effect.sync(() => {
        job.isListing = false
        onListed()
      })
    )
    const queued = Effect.flatMap(read, (listed) => queueListed(job, listed)).pipe(
      Effect.catchAllDefect(() => queue(job, { found: [], isWhole: false, notFollowed: {} }))
    )
    return asTeam(job.team)(isSeeded ? Effect.catchAllDefect(Effect.asVoid(read), () => Effect.void) : queued)
  }
})
