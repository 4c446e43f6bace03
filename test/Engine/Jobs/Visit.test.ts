/** A page whose reading goes wrong in a way that nobody foresaw is a failed page, not a stopped crew. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { settle } from "../../../src/Api/Field.ts"
import * as ScrapeOptions from "../../../src/Api/ScrapeOptions.ts"
import { type JobRow, writeSpec } from "../../../src/Engine/Jobs/Job.ts"
import * as Visit from "../../../src/Engine/Jobs/Visit.ts"
import { Robots } from "../../../src/Engine/Scrape/Robots.ts"
import { Scraper } from "../../../src/Engine/Scrape/Scraper.ts"

const job: JobRow = {
  id: "job",
  team: "t",
  key_id: "k",
  kind: "batch",
  version: 2,
  url: "http://a.example/",
  spec: writeSpec({ options: settle(ScrapeOptions.fields, {}) }),
  status: "scraping",
  seeded: 1,
  error: null,
  page_limit: 1,
  queued: 0,
  active: 1,
  claimed: 1,
  results: 0,
  completed: 0,
  blocked: 0,
  bytes: 0,
  credits: 0,
  created_at: 0,
  updated_at: 0,
  finished_at: null,
  purged: 0
}

describe("a visit", () => {
  it.effect("that crashes is logged with its reason, and told without it", () =>
    Effect.gen(function* () {
      const logged: Array<string> = []
      const logger = Logger.make(({ message }) => logged.push(String(message)))
      const visit = yield* Visit.make.pipe(
        Effect.provideService(Scraper, { scrape: () => Effect.die(new Error("secret inside")) }),
        Effect.provideService(Robots, { load: () => Effect.succeed({ isAllowed: () => true, sitemaps: [] }) })
      )
      const task = { id: 1, jobId: "job", url: "http://a.example/", depth: 0 }
      const finished = yield* visit(Visit.run(job, []), task, () => undefined).pipe(
        Effect.provide(Logger.replace(Logger.defaultLogger, logger))
      )
      expect(finished.failure?.code).toBe("UNKNOWN_ERROR")
      expect(finished.body?.toString()).not.toContain("secret")
      expect(JSON.parse(finished.body?.toString() ?? "")).toMatchObject({ metadata: { sourceURL: task.url } })
      expect(logged.join()).toContain("secret inside")
    })
  )
})
