/** Expired data is deleted from the store, and other data stays. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { settle } from "../../../src/Api/Field.ts"
import * as ScrapeOptions from "../../../src/Api/ScrapeOptions.ts"
import { ChangeSignal } from "../../../src/Engine/Jobs/ChangeSignal.ts"
import { lock } from "../../../src/Engine/Jobs/Counters.ts"
import * as Janitor from "../../../src/Engine/Jobs/Janitor.ts"
import type { Start } from "../../../src/Engine/Jobs/JobStart.ts"
import * as Jobs from "../../../src/Engine/Jobs/Jobs.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import * as Store from "../../../src/Engine/Store/Store.ts"
import * as Usage from "../../../src/Engine/Usage/Usage.ts"
import { describe, expect, it } from "../../It.ts"
import { tempDir } from "../../Local.ts"
import { alone } from "../Alone.ts"

const day = Duration.hours(24)
const team = { id: "t", keyId: "k" }

const start: Start = {
  team,
  kind: "batch",
  version: 2,
  url: "http://a.example/",
  spec: { options: settle(ScrapeOptions.fields, {}) },
  pages: [
    { address: { url: new URL("http://a.example/"), href: "http://a.example/", key: "http://a.example/" }, depth: 0 }
  ],
  seeded: true,
  limit: 1,
  invalidURLs: [],
  repeat: { key: "once", request: "r" }
}

const layers = Layer.unwrapScoped(
  Effect.map(tempDir, (folder) =>
    Jobs.layer(day).pipe(
      Layer.provide(ChangeSignal.Default),
      Layer.provide(Usage.layer),
      Layer.provideMerge(Store.layer(folder)),
      Layer.provide([alone, NodeContext.layer])
    )
  )
)

describe("the janitor", () => {
  it.scoped("counts from the end of a job: later reads do not postpone its expiry", layers, function* () {
    const sql = yield* Sql
    const jobs = yield* Jobs.Jobs
    const { id } = yield* jobs.start(start)
    yield* jobs.cancel("t", "batch", id)
    const ended = jobs.expiresAt(yield* jobs.find("t", "batch", id))
    yield* TestClock.adjust("1 hour")
    yield* lock(sql, id)
    expect(jobs.expiresAt(yield* jobs.find("t", "batch", id))).toEqual(ended)
  })

  it.scoped("completes an interrupted sweep, and refuses to extend a job meanwhile", layers, function* () {
    const sql = yield* Sql
    const jobs = yield* Jobs.Jobs
    const { id } = yield* jobs.start(start)
    yield* sql`UPDATE jobs SET status = 'completed', purged = 2`
    const more = { pages: start.pages, invalidURLs: [], options: {}, repeat: undefined }
    expect((yield* Effect.flip(jobs.append(team, id, more))).message).toBe("Job expired")
    yield* Janitor.sweep(day)
    expect(yield* sql`SELECT id FROM job_pages`).toEqual([])
    expect(yield* sql`SELECT purged FROM jobs`).toEqual([{ purged: 1 }])
  })

  it.scoped("deletes the row of a job earlier with a shorter memory", layers, function* () {
    const jobs = yield* Jobs.Jobs
    const { id } = yield* jobs.start(start)
    yield* jobs.cancel("t", "batch", id)
    const lookUp = (remembered: Duration.Duration) =>
      Effect.zipRight(Janitor.sweep(day, remembered), Effect.flip(jobs.find("t", "batch", id)))
    yield* TestClock.adjust("25 hours")
    expect((yield* lookUp(Duration.hours(2))).message).toBe("Job expired")
    yield* TestClock.adjust("2 hours")
    expect((yield* lookUp(Duration.hours(2))).message).toBe("Job not found")
  })

  it.scoped("deletes the data of a job a day after its last change, and its row a month later", layers, function* () {
    const sql = yield* Sql
    const jobs = yield* Jobs.Jobs
    const { id } = yield* jobs.start(start)
    const count = Effect.map(
      sql<{ n: number }>`SELECT (SELECT count(*) FROM job_pages) * 100 + (SELECT count(*) FROM jobs) * 10
          + (SELECT count(*) FROM job_starts) AS n`,
      (rows) => rows[0]?.n
    )
    yield* TestClock.adjust("40 days")
    yield* Janitor.sweep(day)
    // A job that runs does not expire, however long nothing has happened.
    expect(yield* count).toBe(110)
    yield* jobs.cancel("t", "batch", id)
    yield* TestClock.adjust("23 hours")
    yield* Janitor.sweep(day)
    expect((yield* jobs.find("t", "batch", id)).status).toBe("cancelled")
    yield* TestClock.adjust("2 hours")
    expect((yield* Effect.flip(jobs.find("t", "batch", id))).message).toBe("Job expired")
    yield* Janitor.sweep(day)
    expect(yield* count).toBe(10)
    expect((yield* Effect.flip(jobs.find("t", "batch", id))).message).toBe("Job expired")
    yield* TestClock.adjust("31 days")
    yield* Janitor.sweep(day)
    expect(yield* count).toBe(0)
    expect((yield* Effect.flip(jobs.find("t", "batch", id))).message).toBe("Job not found")
  })
})
