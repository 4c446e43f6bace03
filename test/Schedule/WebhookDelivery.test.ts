import { createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import type { Target } from "../../src/Pipeline/Schedule.ts"
import * as NotificationSender from "../../src/Schedule/NotificationSender.ts"
import * as Store from "../../src/Schedule/Store.ts"
import { folderOf } from "../Cli/Project.ts"
import { describe, expect, scoped } from "../It.ts"
import { ledgerIn } from "../Ledger/Ledgers.ts"
import { receive } from "./Receiver.ts"

const target = (webhook: string, secret?: string): Target => ({
  on: ["failed"],
  webhook: Redacted.make(webhook),
  secret: secret === undefined ? undefined : Redacted.make(secret)
})

const body = JSON.stringify({ event: "failed", pipeline: "watch", reason: "the site is down" })

/** A ledger with one failed scheduled time and a pending notification. */
const outbox = Effect.gen(function* () {
  const folder = yield* folderOf()
  const schedules = Store.of(yield* ledgerIn(folder))
  yield* schedules.register([{ pipeline: "watch", file: "/watch.yaml", schedule: "{}", times: "" }])
  const notices = [{ event: "failed", target: 0, body }] as const
  const claim = {
    pipeline: "watch",
    scheduledTime: 0,
    due: 0,
    cause: "schedule",
    status: "failed",
    overlap: "skip"
  } as const
  // Its heartbeat would go on through all the hours of these tests.
  yield* Effect.scoped(Effect.flatMap(schedules.acquireLease, (carrier) => carrier.claim([{ ...claim, notices }])))
  const only = Effect.map(schedules.notifications.list({ limit: 10 }), (all) => all[0])
  return { notifications: schedules.notifications, only, folder }
})

const always = (found: Target | undefined) => () => Effect.succeed(found === undefined ? [] : [found])

const sendTo = (outbox: NotificationSender.Options["outbox"], found: Target | undefined) =>
  NotificationSender.flush({ outbox, notifyOf: always(found) }, "1 hour")

describe("a notification", () => {
  scoped("is posted once with its id and a signature that the receiver can verify", function* () {
    const { received, url } = yield* receive()
    const { notifications, only } = yield* outbox
    yield* sendTo(notifications, target(`${url}/hooks/T0?room=ops`, "hush"))
    yield* sendTo(notifications, target(`${url}/hooks/T0?room=ops`, "hush"))
    expect(received).toHaveLength(1)
    const [letter] = received
    const id = (yield* only)?.id
    expect(letter?.path).toBe("/hooks/T0?room=ops")
    expect(JSON.parse(letter?.body ?? "")).toEqual({ id, ...JSON.parse(body) })
    expect(letter?.headers).toMatchObject({
      "content-type": "application/json",
      "x-sluice-notice": id,
      "x-sluice-signature": `sha256=${createHmac("sha256", "hush")
        .update(letter?.body ?? "")
        .digest("hex")}`
    })
    expect(yield* only).toMatchObject({ attempts: 1, sentAt: expect.any(Number), error: undefined })
  })

  scoped("has no signature without a secret, and uses the user name and password of its address", function* () {
    const { received, url } = yield* receive()
    const { notifications } = yield* outbox
    yield* sendTo(notifications, target(url.replace("http://", "http://ops:p%40ss@")))
    expect(received[0]?.headers["x-sluice-signature"]).toBeUndefined()
    expect(received[0]?.headers.authorization).toBe(`Basic ${Buffer.from("ops:p@ss").toString("base64")}`)
  })

  scoped("is sent up to six times in about an hour with one id, then given up with a warning", function* () {
    const warnings: Array<unknown> = []
    const logger = Logger.make(({ message }) => void warnings.push(message))
    const { received, url } = yield* receive(() => ({ status: 503 }))
    const { notifications, only } = yield* outbox
    yield* Effect.gen(function* () {
      const to = target(`${url}/hooks/sesame`, "hush")
      yield* sendTo(notifications, to)
      for (const wait of NotificationSender.defaultWaits) {
        yield* TestClock.adjust("1 second")
        yield* sendTo(notifications, to)
        yield* TestClock.adjust(wait)
        yield* sendTo(notifications, to)
      }
      yield* TestClock.adjust("1 day")
      yield* sendTo(notifications, to)
    }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
    expect(received).toHaveLength(6)
    expect(new Set(received.map(({ headers }) => headers["x-sluice-notice"])).size).toBe(1)
    expect(yield* only).toMatchObject({
      attempts: 6,
      gaveUpAt: expect.any(Number),
      sentAt: undefined,
      error: "the receiver answered 503"
    })
    expect(JSON.stringify(warnings)).toContain("not delivered after 6 attempts: the receiver answered 503")
  })

  scoped("waits as long as its receiver asks, at most two hours", function* () {
    const waits = ["600", "999999"]
    const { received, url } = yield* receive((index) => {
      const wait = waits[index]
      return wait === undefined ? { status: 200 } : { status: 429, headers: { "retry-after": wait } }
    })
    const { notifications, only } = yield* outbox
    const to = target(url)
    yield* sendTo(notifications, to)
    yield* TestClock.adjust("9 minutes")
    yield* sendTo(notifications, to)
    expect(received).toHaveLength(1)
    yield* TestClock.adjust("1 minute")
    yield* sendTo(notifications, to)
    expect(received).toHaveLength(2)
    yield* TestClock.adjust("2 hours")
    yield* sendTo(notifications, to)
    expect(received).toHaveLength(3)
    expect((yield* only)?.sentAt).toBeDefined()
  })

  scoped("follows no redirect, which may lead anywhere", function* () {
    const elsewhere = yield* receive()
    const { url } = yield* receive(() => ({ status: 307, headers: { location: elsewhere.url } }))
    const { notifications, only } = yield* outbox
    yield* sendTo(notifications, target(url))
    expect(elsewhere.received).toEqual([])
    expect(yield* only).toMatchObject({ sentAt: undefined, error: "the receiver answered 307" })
  })

  scoped("does not wait longer than ten seconds for an answer", function* () {
    const { next, url } = yield* receive(() => undefined)
    const { notifications, only } = yield* outbox
    const sending = yield* Effect.fork(sendTo(notifications, target(url)))
    yield* next
    yield* TestClock.adjust("10 seconds")
    yield* Fiber.join(sending)
    expect(yield* only).toMatchObject({ sentAt: undefined, error: "no answer in time" })
  })

  scoped("to an unresponsive receiver delays others by one attempt only", function* () {
    const deaf = yield* receive(() => undefined)
    const well = yield* receive()
    const folder = yield* folderOf()
    const schedules = Store.of(yield* ledgerIn(folder))
    const told = (count: number, target: number) =>
      Array.from({ length: count }, () => ({ event: "failed", target, body }) as const)
    const claim = { scheduledTime: 0, due: 0, cause: "schedule", status: "failed", overlap: "skip" } as const
    yield* Effect.scoped(
      Effect.flatMap(schedules.acquireLease, (carrier) =>
        carrier.claim([
          { ...claim, pipeline: "deaf", notices: told(30, 0) },
          { ...claim, pipeline: "well", notices: told(1, 0) }
        ])
      )
    )
    const notifyOf = (pipeline: string) => Effect.succeed([target(pipeline === "deaf" ? deaf.url : well.url)])
    const sending = yield* Effect.fork(
      NotificationSender.flush({ outbox: schedules.notifications, notifyOf }, "1 hour")
    )
    yield* Effect.all([deaf.next, deaf.next, deaf.next])
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
    yield* TestClock.adjust("10 seconds")
    yield* Fiber.join(sending)
    expect(well.received).toHaveLength(1)
    expect(deaf.received.length).toBeLessThanOrEqual(4)
    const [first] = yield* schedules.notifications.list({ pipeline: "deaf", limit: 1 })
    expect(first).toMatchObject({ attempts: 1, sentAt: undefined })
  })

  scoped("is kept while its definition has no target, and sent when it has one again", function* () {
    const { received, url } = yield* receive()
    const { notifications, only } = yield* outbox
    yield* sendTo(notifications, undefined)
    expect(yield* only).toMatchObject({ attempts: 1, error: "the definition no longer has this notify target" })
    yield* TestClock.adjust("30 seconds")
    yield* sendTo(notifications, target(url))
    expect(received).toHaveLength(1)
  })

  scoped("waits for a scheduler that has its definition, with all of its attempts", function* () {
    const { received, url } = yield* receive()
    const { notifications, only } = yield* outbox
    const strange = NotificationSender.flush(
      { outbox: notifications, notifyOf: () => Effect.succeed(undefined) },
      "1 hour"
    )
    for (let minute = 0; minute < 10; minute++) yield* Effect.zipRight(strange, TestClock.adjust("1 minute"))
    expect(yield* only).toMatchObject({ attempts: 0, gaveUpAt: undefined })
    yield* sendTo(notifications, target(url))
    expect(received).toHaveLength(1)
    expect(yield* only).toMatchObject({ attempts: 1, sentAt: expect.any(Number) })
  })

  scoped("leaves neither its address nor its secret in the ledger or the logs", function* () {
    const said: Array<string> = []
    const logger = Logger.make(({ cause, message }) => void said.push(JSON.stringify([message, cause])))
    // Nothing listens on that port.
    const port = new URL((yield* Effect.scoped(receive())).url).port
    const { folder, notifications } = yield* outbox
    const to = target(`http://swordfish-user:swordfish@127.0.0.1:${port}/swordfish?swordfish`, "swordfish")
    yield* sendTo(notifications, to).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
    expect(said.join()).toContain("ECONNREFUSED")
    const kept = ["ledger.db", "ledger.db-wal"].map((name) => readFileSync(`${folder}/${name}`).toString("latin1"))
    expect(kept.join()).toContain("the site is down")
    expect([...said, ...kept].join()).not.toContain("swordfish")
  })

  scoped("is sent by any live scheduler, as soon as it is due", function* () {
    const { next, url } = yield* receive()
    const { notifications } = yield* outbox
    yield* Effect.fork(NotificationSender.send({ outbox: notifications, notifyOf: always(target(url)) }))
    expect(JSON.parse((yield* next).body)).toMatchObject({ event: "failed" })
  })
})
