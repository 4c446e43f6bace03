/** Bounds of one key: what is too much is answered with 429 and when to come back, and costs the others nothing. */

import * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Sqlite from "../../../src/Database/Sqlite.ts"
import { describe, expect, it } from "../../It.ts"
import { caller, engine, keys, page, type Reply, tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { serve } from "../Scrape/Site.ts"

describe("the gate", () => {
  it.scopedLive.skipIf(skipsLong)(
    "lets a key make so many requests in a minute, and says when there is room again",
    function* () {
      const { baseUrl } = yield* engine({ rateLimit: 5 })
      const call = caller(baseUrl, keys.first)
      const statuses = yield* Effect.forEach([1, 2, 3, 4, 5], () => call.get("/v2/crawl/active"))
      expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      const refused = yield* call.get("/v2/crawl/active")
      const seconds = Number(refused.headers.get("retry-after"))
      expect(refused).toMatchObject({ status: 429, json: { success: false, code: "RATE_LIMITED" } })
      expect(seconds).toBeGreaterThan(0)
      expect(seconds).toBeLessThanOrEqual(12)
      expect(refused.json.error).toContain(`retry after ${seconds}s`)
      expect((yield* caller(baseUrl, keys.second).get("/v2/crawl/active")).status).toBe(200)
      expect((yield* caller(baseUrl, "fc-wrong").get("/v2/crawl/active")).status).toBe(401)
      expect((yield* call.get("/health")).status).toBe(200)
    }
  )

  it.scopedLive.skipIf(skipsLong)(
    "lets so many scrapes of a key run and wait; status and other keys go on",
    function* () {
      const held: Array<() => void> = []
      let most = 0
      let open = false
      const there = yield* serve((_, response) => {
        const answer = () => response.writeHead(200, { "content-type": "text/html" }).end(page("x"))
        most = Math.max(most, held.length + 1)
        if (open) answer()
        else held.push(answer)
      })
      const { baseUrl } = yield* engine({ workers: 2 })
      const call = caller(baseUrl, keys.first)
      const refused: Array<Reply> = []
      const scrape = (n: number) =>
        Effect.tap(call.post("/v2/scrape", { url: `${there}/${n}` }), (reply) =>
          Effect.sync(() => reply.status === 429 && refused.push(reply))
        )
      const all = Array.from({ length: 24 }, (_, n) => n)
      const asking = yield* Effect.fork(Effect.forEach(all, scrape, { concurrency: "unbounded" }))
      yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => refused.length === 6 && held.length === 2 })
      expect((yield* call.get("/v2/crawl/active")).status).toBe(200)
      const preview = yield* call.post("/v2/crawl/params-preview", { url: there, prompt: "the docs" })
      expect(preview.status).toBe(429)
      for (const { headers, json } of refused) {
        expect(headers.get("retry-after")).toBe("2")
        expect(json.error).toContain("retry after 2s")
      }
      expect(most).toBe(2)
      open = true
      for (const answer of held) answer()
      expect((yield* asking).filter(({ status }) => status === 200)).toHaveLength(18)
      expect((yield* scrape(99)).status).toBe(200)
    }
  )

  it.scopedLive("keeps a team to a thousand jobs that have not finished", function* () {
    const dataDir = yield* tempDir
    const call = caller((yield* engine({ dataDir })).baseUrl, keys.first)
    const sql = Context.get(yield* Layer.build(Sqlite.layer(`${dataDir}/engine.db`)), SqlClient.SqlClient)
    // Jobs that wait for a sitemap in another process.
    yield* sql`INSERT INTO jobs (id, team, key_id, kind, version, url, spec, status, seeded, page_limit, active, created_at, updated_at)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        SELECT 'job' || i, 'default', 'first', 'batch', 2, '', '{}', 'scraping', 1, 1, 1, 0, 0 FROM n`
    const reply = yield* call.post("/v2/batch/scrape", { urls: ["http://127.0.0.1:1/"] })
    expect(reply).toMatchObject({ status: 429, json: { code: "QUEUE_FULL" } })
    expect(reply.headers.get("retry-after")).toBe("30")
    expect(reply.json.error).toContain("30 seconds")
    const other = caller(call.baseUrl, keys.stranger)
    expect((yield* other.post("/v2/batch/scrape", { urls: ["http://127.0.0.1:1/"] })).status).toBe(200)
  })
})
