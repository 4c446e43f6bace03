/** Cancelling is fast and final: fetched pages are stored and charged, running fetches are interrupted. */

import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { Jobs } from "../../../src/Engine/Jobs/Jobs.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import { Usage } from "../../../src/Engine/Usage/Usage.ts"
import { describe, expect, it } from "../../It.ts"
import * as Stage from "./Stage.ts"

describe("a job that is cancelled", () => {
  it.scopedLive("stores and charges fetched pages, interrupts running ones, and fetches no more", function* () {
    const waiting: Array<string> = []
    let released = 0
    const all = yield* Deferred.make<void>()
    const scrape = (url: string) => {
      if (Number(url.split("/").at(-1)) < 5) return Effect.succeed(Stage.pageOf(url))
      return Effect.suspend(() => {
        if (waiting.push(url) === 8) Deferred.unsafeDone(all, Effect.void)
        return Effect.never
      }).pipe(Effect.onInterrupt(() => Effect.sync(() => released++)))
    }
    yield* Effect.gen(function* () {
      const jobs = yield* Jobs
      const urls = Array.from({ length: 4_100 }, (_, n) => `http://a.example/${n}`)
      const { id } = yield* jobs.start(Stage.batch("t", urls))
      yield* Deferred.await(all)
      yield* jobs.cancel("t", "batch", id)
      const job = yield* jobs.find("t", "batch", id)
      // Pages in hand, which wait for company otherwise, went into the store first.
      expect(job).toMatchObject({ status: "cancelled", results: 5, completed: 5, credits: 5, active: 0, queued: 0 })
      const sql = yield* Sql
      expect(yield* sql`SELECT DISTINCT state, owner FROM job_pages`).toEqual([{ state: 2, owner: null }])
      yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => released === 8 })
      expect(released).toBe(8)
      yield* Effect.sleep("50 millis")
      expect(waiting).toHaveLength(8)
      expect(yield* jobs.find("t", "batch", id)).toEqual(job)
      const [month] = yield* (yield* Usage).months("t", false)
      expect(month?.credits).toBe(5)
      expect(yield* Effect.flip(jobs.cancel("t", "batch", id))).toMatchObject({ _tag: "Conflict" })
      // Its places are free again.
      const other = yield* jobs.start(Stage.batch("t", urls.slice(0, 3)))
      const ended = yield* Effect.repeat(Effect.delay(jobs.find("t", "batch", other.id), "10 millis"), {
        until: ({ status }) => status !== "scraping"
      })
      expect(ended).toMatchObject({ status: "completed", results: 3 })
    }).pipe(Effect.provide(Stage.layers(scrape)))
  })
})
