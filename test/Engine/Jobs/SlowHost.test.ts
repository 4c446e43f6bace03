/** A host that has to wait holds up its own pages, and not those of other hosts in the same job. */

import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { Unprocessable } from "../../../src/Api/Errors.ts"
import { makeHosts } from "../../../src/Engine/Fetch/FairScheduler.ts"
import { ChangeSignal, work } from "../../../src/Engine/Jobs/ChangeSignal.ts"
import { Jobs } from "../../../src/Engine/Jobs/Jobs.ts"
import type { Service } from "../../../src/Engine/Scrape/Scraper.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import { describe, expect, it } from "../../It.ts"
import * as Stage from "./Stage.ts"

const urls = (host: string, count: number) => Array.from({ length: count }, (_, n) => `http://${host}.example/${n}`)

/** A clock that can be put forward, on which waits of a second and more do not end. */
const makeClock = () => {
  let ahead = 0
  const real = Clock.make()
  const millis = () => real.unsafeCurrentTimeMillis() + ahead
  const clock: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: millis,
    currentTimeMillis: Effect.sync(millis),
    unsafeCurrentTimeNanos: () => real.unsafeCurrentTimeNanos(),
    currentTimeNanos: real.currentTimeNanos,
    sleep: (wait) => (Duration.toMillis(wait) >= 1_000 ? Effect.never : real.sleep(wait))
  }
  const forward = (more: number) => {
    ahead += more
  }
  return { clock, forward }
}

/** Pages of one host answer with 429 and ask for two minutes. */
const scrape = (url: string) =>
  Effect.succeed(
    new URL(url).host === "slow.example"
      ? { ...Stage.pageOf(url), statusCode: 429, retryAfter: 120_000 }
      : Stage.pageOf(url)
  )

const untilResults = (id: string, count: number) =>
  Effect.flatMap(Jobs, ({ find }) =>
    Effect.repeat(Effect.delay(find("t", "batch", id), "5 millis"), { until: ({ results }) => results === count })
  )

describe("a slow host", () => {
  it.scopedLive("of which thousands of pages are queued is passed over at once", () => {
    const { clock } = makeClock()
    return Effect.gen(function* () {
      const jobs = yield* Jobs
      const { id } = yield* jobs.start(Stage.batch("t", [...urls("slow", 4_500), ...urls("quick", 1)]))
      yield* untilResults(id, 1)
      yield* jobs.cancel("t", "batch", id)
    }).pipe(Effect.provide(Stage.layers(scrape)), Effect.withClock(clock))
  })

  it.scopedLive("does not hide pages that are queued again among its own", () => {
    const { clock, forward } = makeClock()
    return Effect.gen(function* () {
      const jobs = yield* Jobs
      const changes = yield* ChangeSignal
      const sql = yield* Sql
      const { id } = yield* jobs.start(
        Stage.batch("t", [...urls("quick", 2), ...urls("slow", 1_500), ...urls("last", 1)])
      )
      yield* untilResults(id, 3)
      // As after the death of another engine that has leased it.
      yield* sql`UPDATE job_pages SET state = 0 WHERE url LIKE '%quick.example/0'`
      yield* sql`UPDATE jobs SET queued = queued + 1, claimed = claimed - 1`
      forward(31_000)
      yield* Effect.fork(Effect.forever(Effect.delay(changes.notify(work), "5 millis")))
      yield* untilResults(id, 4)
      yield* jobs.cancel("t", "batch", id)
    }).pipe(Effect.provide(Stage.layers(scrape)), Effect.withClock(clock))
  })

  it.scopedLive("that pages of another host redirect to is not paused by those that wait for it", () => {
    const { clock, forward } = makeClock()
    const hosts = makeHosts()
    const slow = "http://slow.example/"
    let asked = 0
    const open: Service["open"] = async (work, { mayFollow, url }) => {
      const isFirst = ++asked === 1
      if (!isFirst && (await mayFollow?.(work, slow)) !== true) {
        // The pause ends before the visit does.
        forward(130_000)
        throw new Unprocessable({ error: "not followed", code: "SCRAPE_REDIRECT_ERROR" })
      }
      return { ...Stage.pageOf(url), url: slow, ...(isFirst ? { statusCode: 429, retryAfter: 120_000 } : {}) }
    }
    return Effect.gen(function* () {
      const jobs = yield* Jobs
      const { id } = yield* jobs.start(Stage.batch("t", urls("quick", 2)))
      yield* untilResults(id, 2)
      expect(hosts.known.get("slow.example")?.delay).toBe(250)
    }).pipe(Effect.provide(Stage.layers({ open }, { workers: 8, perHost: 1, hosts })), Effect.withClock(clock))
  })

  it.scopedLive(
    "of which more pages are queued than are looked at once leaves the pages of the other host their turns",
    function* () {
      const asked = new Map<string, number>()
      const scrape = (url: string) =>
        Effect.sync(() => {
          const { host } = new URL(url)
          asked.set(host, (asked.get(host) ?? 0) + 1)
          return host === "slow.example"
            ? { ...Stage.pageOf(url), statusCode: 429, retryAfter: 120_000 }
            : Stage.pageOf(url)
        })
      yield* Effect.gen(function* () {
        const jobs = yield* Jobs
        const changes = yield* ChangeSignal
        const sql = yield* Sql
        const { id } = yield* jobs.start(Stage.batch("t", [...urls("slow", 1_500), ...urls("quick", 300)]))
        const job = yield* Effect.repeat(
          Effect.delay(Effect.zipRight(changes.notify(work), jobs.find("t", "batch", id)), "5 millis"),
          { until: ({ results }) => results === 300 }
        )
        expect(job).toMatchObject({ status: "scraping", completed: 300 })
        expect(asked.get("slow.example")).toBeLessThanOrEqual(8)
        const [leased] = yield* sql<{ pages: number }>`SELECT count(*) AS pages FROM job_pages WHERE state = 1`
        expect(leased?.pages).toBeLessThanOrEqual(192)
        expect(job.queued).toBe(1_500 - (leased?.pages ?? 0))
        yield* jobs.cancel("t", "batch", id)
      }).pipe(Effect.provide(Stage.layers(scrape)))
    }
  )
})
