/** A receiver that fails is asked again, but not for ever. */

import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { Jobs } from "../../../src/Engine/Jobs/Jobs.ts"
import * as Webhook from "../../../src/Engine/Jobs/Webhook.ts"
import * as Outbox from "../../../src/Engine/Jobs/WebhookDelivery.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import { equal, Teams } from "../../../src/Engine/Teams/FairQueue.ts"
import * as Keys from "../../../src/Engine/Teams/Keys.ts"
import { keys, tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { alone } from "../Alone.ts"
import { guard } from "../Scrape/Site.ts"
import { receiver, waitForEvents } from "./Receiver.ts"
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

describe("the webhook delivery", () => {
  it.scopedLive.skipIf(skipsLong)("does not close a job that is extended at that moment", () =>
    Effect.gen(function* () {
      const { received, url } = yield* receiver()
      const { id } = yield* start(url, 1)
      yield* waitForEvents(received, 3)
      const sql = yield* Sql
      const team = { id: "t", keyId: "k" }
      const ended = yield* (yield* Jobs).find("t", "batch", id)
      const { pages } = Stage.batch("t", ["http://a.example/more"])
      yield* (yield* Jobs).append(team, id, { pages, invalidURLs: [], options: {} })
      yield* Outbox.makeOutbox(sql, "somebody").close(ended)
      yield* waitForEvents(received, 5)
      expect(received.map(({ json }) => json.type.split(".")[1])).toEqual([
        ...["started", "page", "completed"],
        ...["page", "completed"]
      ])
    }).pipe(Effect.provide(layers("10 seconds")))
  )

  it.scopedLive("delivers to a team while the receivers of four others do not answer", () =>
    Effect.gen(function* () {
      const silent = yield* receiver(() => undefined)
      for (const team of ["a", "b", "c", "d"]) {
        for (let n = 0; n < 4; n++) yield* start(silent.url, 1, team)
      }
      yield* waitForEvents(silent.received, 15)
      const { received, url } = yield* receiver()
      yield* start(url, 1, "e")
      yield* waitForEvents(received, 3)
    }).pipe(Effect.provide(layers("2 minutes", 5)), Effect.timeout("1 minute"))
  )

  it.scopedLive("claims its own rows without a write, and no other process can claim them", () =>
    Effect.gen(function* () {
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
    }).pipe(Effect.provide(layers("10 seconds")))
  )

  it.scopedLive("retries until an event is accepted, and keeps the order", () =>
    Effect.gen(function* () {
      const { received, url } = yield* receiver((_, index) =>
        index % 3 === 2 ? 200 : index % 3 === 1 ? 302 : undefined
      )
      yield* start(url, 2)
      yield* waitForEvents(received, 12)
      const events = received.map(({ json }) => json.event.split("/").slice(1, 3).join("/"))
      expect(events.slice(0, 9)).toEqual(["started", "page/0", "page/1"].flatMap((event) => [event, event, event]))
      expect(new Set(events.slice(9)).size).toBe(1)
      expect(received[11]?.json.type).toBe("batch_scrape.completed")
    }).pipe(Effect.provide(layers("200 millis")))
  )

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

  it.scopedLive("is not delayed by any number of unresponsive receivers of another team", () =>
    Effect.gen(function* () {
      const silent = yield* receiver(() => undefined)
      yield* Effect.forEach(urls(16), () => start(silent.url, 1, "others"), { discard: true })
      yield* waitForEvents(silent.received, 4)
      const { received, url } = yield* receiver()
      yield* start(url, 1)
      yield* waitForEvents(received, 3)
      expect(silent.received).toHaveLength(4)
    }).pipe(Effect.provide(layers("2 minutes")), Effect.timeout("1 minute"))
  )
})
