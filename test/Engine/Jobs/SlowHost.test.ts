/** A host that has to wait holds up its own pages, and not those of other hosts in the same job. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ChangeSignal, work } from "../../../src/Engine/Jobs/ChangeSignal.ts"
import { Jobs } from "../../../src/Engine/Jobs/Jobs.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import * as Stage from "./Stage.ts"

const urls = (host: string, count: number) => Array.from({ length: count }, (_, n) => `http://${host}.example/${n}`)

describe("a slow host", () => {
  it.scopedLive(
    "of which more pages are queued than are looked at once leaves the pages of the other host their turns",
    () =>
      Effect.gen(function* () {
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
      })
  )
})
