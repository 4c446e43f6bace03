/** A receiver that fails is asked again, but not for ever. */

import * as NodeContext from "@effect/platform-node/NodeContext"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { ChangeSignal } from "../../../src/Engine/Jobs/ChangeSignal.ts"
import { Jobs } from "../../../src/Engine/Jobs/Jobs.ts"
import * as Webhook from "../../../src/Engine/Jobs/Webhook.ts"
import * as Outbox from "../../../src/Engine/Jobs/WebhookDelivery.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import { equal, Teams } from "../../../src/Engine/Teams/FairQueue.ts"
import * as Keys from "../../../src/Engine/Teams/Keys.ts"
import { describe, expect, it } from "../../It.ts"
import { keys, tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { alone } from "../Alone.ts"
import { guard } from "../Scrape/Site.ts"
import { type Received, receiver, waitForEvents } from "./Receiver.ts"
import * as Stage from "./Stage.ts"

const layers = (
  timeout: Duration.DurationInput,
  teams = 1,
  retryDelays: ReadonlyArray<Duration.DurationInput> = ["5 millis", "5 millis"]
) =>
  Layer.unwrapScoped(
    Effect.map(tempDir, (folder) =>
      Outbox.layer({ retryDelays, timeout }).pipe(
        Layer.provideMerge(Webhook.layer(folder, undefined)),
        Layer.provide(guard("127.0.0.0/8")),
        Layer.provide([alone, Layer.succeed(Teams, { teams, weights: equal })]),
        Layer.provide(Keys.layer(folder, Redacted.make(`local:${keys.first}`))),
        Layer.provideMerge(Stage.layers((url) => Effect.succeed(Stage.pageOf(url)))),
        Layer.provide(NodeContext.layer)
      )
    )
  )

const urls = (count: number) => Array.from({ length: count }, (_, n) => `http://a.example/${n}`)

const start = (url: string, count: number, team = "t") =>
  Effect.gen(function* () {
    const webhook = yield* (yield* Webhook.Webhooks).accept(url)
    return yield* (yield* Jobs).start(Stage.batch(team, urls(count), { webhook }))
  })

/** Another process, which has a lease. */
const another = "another"

const lease = Effect.flatMap(
  Sql,
  (sql) =>
    sql`INSERT INTO job_owners ${sql.insert({ id: another, host: "elsewhere", pid: 1, expires_at: Date.now() + 3_600_000 })}`
)

/** The row of a job, and what makes its next event due now. */
const outboxOf = (id: string) =>
  Effect.gen(function* () {
    const sql = yield* Sql
    const { notify } = yield* ChangeSignal
    const row = Effect.map(
      sql<{ attempts: number; due_at: number; misses: number }>`SELECT * FROM webhooks WHERE job_id = ${id}`,
      ([one]) => one
    )
    return {
      until: (name: "attempts" | "misses", count: number) =>
        Effect.repeat(Effect.delay(row, "5 millis"), { until: (one) => one?.[name] === count }),
      sendNow: Effect.zipRight(sql`UPDATE webhooks SET due_at = 0 WHERE job_id = ${id}`, notify(id))
    }
  })

const namesOf = (received: ReadonlyArray<Received>) =>
  received.map(({ json }) =>
    json.event
      .split("/")
      .slice(1, 3)
      .join("/")
      .replace(/\d{10,}/, "T")
  )

/** Two receivers that never answer, and what both have got. */
const silentPair = Effect.gen(function* () {
  const received: Array<Received> = []
  const keep = (one: Received) => {
    received.push(one)
    return undefined
  }
  return { urls: [(yield* receiver(keep)).url, (yield* receiver(keep)).url], received }
})

/** A receiver whose places are all taken by two jobs, until it answers. */
const full = Effect.gen(function* () {
  let answer = (): void => undefined
  const answered = new Promise<number>((resolve) => {
    answer = () => resolve(200)
  })
  const { received, url } = yield* receiver(() => answered)
  const holders = [yield* start(url, 1), yield* start(url, 1)]
  yield* waitForEvents(received, 2)
  return { answer: () => answer(), holders, received, url }
})

describe("the webhook delivery", () => {
  it.scopedLive.skipIf(skipsLong)(
    "does not close a job that is extended at that moment",
    layers("10 seconds"),
    function* () {
      const { received, url } = yield* receiver()
      const { id } = yield* start(url, 1)
      yield* waitForEvents(received, 3)
      const sql = yield* Sql
      const team = { id: "t", keyId: "k" }
      const ended = yield* (yield* Jobs).find("t", "batch", id)
      const { pages } = Stage.batch("t", ["http://a.example/more"])
      yield* (yield* Jobs).append(team, id, { pages, invalidURLs: [], options: {} })
      const [row] = yield* sql<{ owner: string }>`SELECT owner FROM webhooks WHERE job_id = ${id}`
      yield* Outbox.makeOutbox(sql, row?.owner ?? "").close(ended)
      yield* waitForEvents(received, 5)
      expect(received.map(({ json }) => json.type.split(".")[1])).toEqual([
        ...["started", "page", "completed"],
        ...["page", "completed"]
      ])
    }
  )

  it.scopedLive("delivers to a team while the receivers of four others do not answer", () =>
    Effect.gen(function* () {
      const silent = yield* silentPair
      for (const team of ["a", "b", "c", "d"]) {
        for (const url of [...silent.urls, ...silent.urls]) yield* start(url, 1, team)
      }
      yield* waitForEvents(silent.received, 15)
      const { received, url } = yield* receiver()
      yield* start(url, 1, "e")
      yield* waitForEvents(received, 3)
    }).pipe(Effect.provide(layers("2 minutes", 5)), Effect.timeout("1 minute"))
  )

  it.scopedLive(
    "claims its own rows without a write, and no other process can claim them",
    layers("10 seconds"),
    function* () {
      const { received, url } = yield* receiver(() => undefined)
      const { id } = yield* start(url, 1)
      yield* waitForEvents(received, 1)
      const { find } = yield* Jobs
      yield* Effect.repeat(Effect.delay(find("t", "batch", id), "10 millis"), {
        until: ({ status }) => status === "completed"
      })
      const sql = yield* Sql
      const [row] = yield* sql<{ owner: string }>`SELECT owner FROM webhooks WHERE job_id = ${id}`
      const changes = sql<{ n: number }>`SELECT total_changes() AS n`
      const postman = Outbox.makeOutbox(sql, row?.owner ?? "")
      yield* postman.claim(id)
      const before = yield* changes
      expect((yield* postman.claim(id))?.job_id).toBe(id)
      expect(yield* Outbox.makeOutbox(sql, "somebody").claim(id)).toBeUndefined()
      expect(yield* changes).toEqual(before)
    }
  )

  it.scopedLive("retries until an event is accepted, and keeps the order", layers("200 millis"), function* () {
    const { received, url } = yield* receiver((_, index) => (index % 3 === 2 ? 200 : index % 3 === 1 ? 302 : undefined))
    yield* start(url, 2)
    yield* waitForEvents(received, 12)
    const events = received.map(({ json }) => json.event.split("/").slice(1, 3).join("/"))
    expect(events.slice(0, 9)).toEqual(["started", "page/0", "page/1"].flatMap((event) => [event, event, event]))
    expect(new Set(events.slice(9)).size).toBe(1)
    expect(received[11]?.json.type).toBe("batch_scrape.completed")
  })

  it.scopedLive("waits as long as a busy receiver asks for", layers("10 seconds"), function* () {
    const { received, url } = yield* receiver((_, index) => (index === 0 ? 429 : 200))
    const { id } = yield* start(url, 1)
    const outbox = yield* outboxOf(id)
    const row = yield* outbox.until("attempts", 1)
    expect(Number(row?.due_at) - Date.now()).toBeGreaterThan(500_000)
    yield* outbox.sendNow
    yield* waitForEvents(received, 4)
    expect(namesOf(received)).toEqual(["started", "started", "page/0", "ended/T"])
  })

  it.scopedLive("delivers the end of a deleted job at once, also while a retry waits", () =>
    Effect.gen(function* () {
      const { received, url } = yield* receiver((_, index) => (index === 0 ? 500 : 200))
      const { id } = yield* start(url, 2)
      yield* waitForEvents(received, 1)
      const jobs = yield* Jobs
      yield* Effect.repeat(Effect.delay(jobs.find("t", "batch", id), "10 millis"), {
        until: ({ status }) => status === "completed"
      })
      yield* jobs.remove("t", "batch", id)
      yield* waitForEvents(received, 2)
      expect(received.map(({ json }) => json.type.split(".")[1])).toEqual(["started", "completed"])
    }).pipe(Effect.provide(layers("10 seconds", 1, ["1 hour"])), Effect.timeout("1 minute"))
  )

  it.scopedLive("gives up on a receiver that accepts nothing, and closes the job", () =>
    Effect.gen(function* () {
      const { received, url } = yield* receiver(() => 500)
      const { id } = yield* start(url, 40)
      const sql = yield* Sql
      const row = sql<{ open: number; pages: number }>`SELECT open, pages FROM webhooks WHERE job_id = ${id}`
      const ended = yield* Effect.repeat(Effect.delay(row, "20 millis"), {
        until: ([one]) => one?.open === 0
      })
      expect(ended).toEqual([{ open: 0, pages: 40 }])
      // Three tries of the first event, one of each after it, three of the end; forty pages would take much more.
      expect(received).toHaveLength(3 + 9 + 3)
    }).pipe(Effect.provide(layers("10 seconds")), Effect.provide(Logger.remove(Logger.defaultLogger)))
  )

  it.scopedLive("spaces the events that it misses, and sends the later ones to a receiver that is back", () =>
    Effect.gen(function* () {
      const { received, url } = yield* receiver((_, index) => (index < 2 ? 500 : 200))
      const { id } = yield* start(url, 2)
      const { sendNow, until } = yield* outboxOf(id)
      yield* until("attempts", 1)
      yield* sendNow
      const missed = yield* until("misses", 1)
      // It is due an hour later, as the last retry is.
      expect(missed?.due_at).toBeGreaterThan(Date.now() + 3_500_000)
      expect(received).toHaveLength(2)
      yield* sendNow
      yield* waitForEvents(received, 5)
      expect(namesOf(received)).toEqual(["started", "started", "page/0", "page/1", "ended/T"])
    }).pipe(
      Effect.provide(layers("10 seconds", 1, ["1 hour"])),
      Effect.provide(Logger.remove(Logger.defaultLogger)),
      Effect.timeout("1 minute")
    )
  )

  it.scopedLive("delivers the end of a deleted job at once, also after a page that was missed", () =>
    Effect.gen(function* () {
      const { received, url } = yield* receiver((_, index) => (index === 1 || index === 2 ? 500 : 200))
      const { id } = yield* start(url, 1)
      const { sendNow, until } = yield* outboxOf(id)
      yield* until("attempts", 1)
      yield* sendNow
      yield* until("misses", 1)
      const jobs = yield* Jobs
      yield* Effect.repeat(Effect.delay(jobs.find("t", "batch", id), "10 millis"), {
        until: ({ status }) => status === "completed"
      })
      yield* jobs.remove("t", "batch", id)
      yield* waitForEvents(received, 4)
      expect(namesOf(received)).toEqual(["started", "page/0", "page/0", "ended/T"])
    }).pipe(
      Effect.provide(layers("10 seconds", 1, ["1 hour"])),
      Effect.provide(Logger.remove(Logger.defaultLogger)),
      Effect.timeout("1 minute")
    )
  )

  it.scopedLive(
    "changes nothing of a row that another process has taken over",
    Stage.layers((url) => Effect.succeed(Stage.pageOf(url))),
    function* () {
      const jobs = yield* Jobs
      const sql = yield* Sql
      const { id } = yield* jobs.start(Stage.batch("t", urls(2), { webhook: new Uint8Array([1]) }))
      const job = yield* Effect.repeat(Effect.delay(jobs.find("t", "batch", id), "5 millis"), {
        until: ({ status }) => status === "completed"
      })
      const [late, owner] = [Outbox.makeOutbox(sql, "late"), Outbox.makeOutbox(sql, another)]
      const claimed = yield* late.claim(id)
      yield* lease
      yield* owner.claim(id)
      yield* owner.markSent(job, { name: "started", id: "a" }, 0)
      yield* owner.markSent(job, { name: "page", id: "b", position: 1 }, 0)
      yield* late.markSent(job, { name: "page", id: "c", position: 0 }, 0)
      yield* late.write(id, { pages: 0, attempts: 3 })
      yield* late.drop(id)
      yield* late.close(job)
      expect(claimed !== undefined && (yield* late.isCurrent(claimed, job))).toBe(false)
      const [row] = yield* sql`SELECT open, started, pages, attempts, owner FROM webhooks WHERE job_id = ${id}`
      expect(row).toEqual({ open: 1, started: 1, pages: 2, attempts: 0, owner: another })
    }
  )

  it.scopedLive("sends no event of a row that another process has taken over while it waited for its place", () =>
    Effect.gen(function* () {
      const { answer, holders, received, url } = yield* full
      const { id } = yield* start(url, 1)
      const sql = yield* Sql
      const row = Effect.map(
        sql<{ owner: string | null; started: number }>`SELECT owner, started FROM webhooks WHERE job_id = ${id}`,
        ([one]) => one
      )
      yield* Effect.repeat(Effect.delay(row, "5 millis"), { until: (one) => one?.owner != null })
      yield* lease
      yield* sql`UPDATE webhooks SET owner = ${another} WHERE job_id = ${id}`
      answer()
      yield* waitForEvents(received, 6)
      expect(new Set(received.map(({ json }) => json.id))).toEqual(new Set(holders.map((job) => job.id)))
      expect(yield* row).toEqual({ owner: another, started: 0 })
    }).pipe(Effect.provide(layers("2 minutes")), Effect.timeout("1 minute"))
  )

  it.scopedLive("sends only the end of a job that was deleted while its event waited for a place", () =>
    Effect.gen(function* () {
      const { answer, received, url } = yield* full
      const { id } = yield* start(url, 1)
      const sql = yield* Sql
      const owner = sql<{ owner: string | null }>`SELECT owner FROM webhooks WHERE job_id = ${id}`
      yield* Effect.repeat(Effect.delay(owner, "5 millis"), { until: ([one]) => one?.owner != null })
      yield* (yield* Jobs).remove("t", "batch", id)
      answer()
      yield* waitForEvents(received, 7)
      expect(namesOf(received.filter(({ json }) => json.id === id))).toEqual(["ended/T"])
    }).pipe(Effect.provide(layers("2 minutes")), Effect.timeout("1 minute"))
  )

  it.scopedLive("delivers to the other receivers of a team while one of them does not answer", () =>
    Effect.gen(function* () {
      const silent = yield* receiver(() => undefined)
      for (let n = 0; n < 6; n++) yield* start(silent.url, 1)
      yield* waitForEvents(silent.received, 2)
      const { received, url } = yield* receiver()
      yield* start(url, 1)
      yield* waitForEvents(received, 3)
      expect(silent.received).toHaveLength(2)
    }).pipe(Effect.provide(layers("2 minutes")), Effect.timeout("20 seconds"))
  )

  it.scopedLive("is not delayed by any number of unresponsive receivers of another team", () =>
    Effect.gen(function* () {
      const silent = yield* silentPair
      for (let n = 0; n < 8; n++) for (const url of silent.urls) yield* start(url, 1, "others")
      yield* waitForEvents(silent.received, 4)
      const { received, url } = yield* receiver()
      yield* start(url, 1)
      yield* waitForEvents(received, 3)
      expect(silent.received).toHaveLength(4)
    }).pipe(Effect.provide(layers("2 minutes")), Effect.timeout("1 minute"))
  )
})
