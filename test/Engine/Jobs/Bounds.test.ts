/** Limits of a job's input, so that a large job takes neither the turns nor the memory of other jobs. */

import * as Effect from "effect/Effect"
import { Jobs } from "../../../src/Engine/Jobs/Jobs.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import { describe, expect, it } from "../../It.ts"
import { skipsLong } from "../../Long.ts"
import * as Stage from "./Stage.ts"

const urls = (host: string, count: number) => Array.from({ length: count }, (_, n) => `http://${host}.example/${n}`)

describe("the worker pool", () => {
  it.scopedLive("runs a small job of another team at once while ten thousand pages are queued", function* () {
    const order: Array<string> = []
    const scrape = (url: string) =>
      Effect.delay(
        Effect.sync(() => {
          order.push(url)
          return Stage.pageOf(url)
        }),
        "5 millis"
      )
    yield* Effect.gen(function* () {
      const jobs = yield* Jobs
      const big = yield* jobs.start(Stage.batch("big", urls("big", 10_000)))
      yield* Effect.repeat(Effect.sleep("2 millis"), { until: () => order.length > 50 })
      const before = order.length
      const { id } = yield* jobs.start(Stage.batch("small", urls("small", 20)))
      const ended = yield* Effect.repeat(Effect.delay(jobs.find("small", "batch", id), "5 millis"), {
        until: ({ status }) => status !== "scraping"
      })
      expect(ended).toMatchObject({ status: "completed", results: 20 })
      // While it was done, the large job had its turns as well, and few more than that.
      expect(order.length - before).toBeLessThan(2_000)
      yield* jobs.cancel("big", "batch", big.id)
    }).pipe(Effect.provide(Stage.layers(scrape, { workers: 8, perHost: 4 })))
  })

  it.scopedLive.skipIf(skipsLong)("starts no page while uncommitted results fill their memory", function* () {
    const workers = 2
    let begun = 0
    const megabytes = "x".repeat(5_000_000)
    const scrape = (url: string) =>
      Effect.sync(() => {
        begun++
        return Stage.pageOf(url, megabytes)
      })
    yield* Effect.gen(function* () {
      const jobs = yield* Jobs
      const sql = yield* Sql
      const { id } = yield* jobs.start(Stage.batch("t", urls("a", 30)))
      let most = 0
      const look = Effect.flatMap(sql<{ results: number }>`SELECT results FROM jobs WHERE id = ${id}`, ([job]) =>
        Effect.sync(() => {
          most = Math.max(most, begun - (job?.results ?? 0))
          return job?.results ?? 0
        })
      )
      yield* Effect.repeat(Effect.delay(look, "2 millis"), { until: (results) => results === 30 })
      // Forty-eight megabytes that wait, as much in a commit, and a page in the hands of each worker.
      expect(most).toBeLessThanOrEqual(10 + 10 + workers)
    }).pipe(Effect.provide(Stage.layers(scrape, { workers, perHost: workers })))
  })
})
