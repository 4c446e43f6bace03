/** A paid call that has an idempotency key is made again when it may have been charged; one without is not. */

import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import type { ClientError } from "../../src/Client/ClientErrors.ts"
import * as Connection from "../../src/Client/Connection.ts"
import { SiteMap } from "../../src/Client/Map.ts"
import { Parse } from "../../src/Client/Parse.ts"
import { Scrape } from "../../src/Client/Scrape.ts"
import { Search } from "../../src/Client/Search.ts"
import * as Client from "../../src/Client.ts"
import { createClient } from "../../src/promise.ts"
import { describe, expect, it, live, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { type Answer, connection } from "./Fake.ts"
import { serve } from "./Server.ts"

const url = "https://docs.example.com/"
const file = { file: new TextEncoder().encode("<p>a"), name: "a.html" }
const answer = { success: true, data: { markdown: "a" }, links: [] }

type Call = (options?: { readonly idempotencyKey?: string }) => Effect.Effect<unknown, ClientError, Client.Client>

const calls: ReadonlyArray<readonly [string, Call]> = [
  ["scrape", (options) => Effect.flatMap(Scrape, (_) => _.run({ url }, options))],
  ["scrape of v1", (options) => Effect.flatMap(Scrape, (_) => _.run({ url }, { version: "v1", ...options }))],
  ["parse", (options) => Effect.flatMap(Parse, (_) => _.parse(file, { formats: ["markdown"] }, options))],
  ["search", (options) => Effect.flatMap(Search, (_) => _.run({ query: "etl" }, options))],
  ["map", (options) => Effect.flatMap(SiteMap, (_) => _.run({ url }, options))]
]

/** Answers in turn, the last one for ever; gives what became of the call after hours, and the keys that were sent. */
const make = (call: Effect.Effect<unknown, ClientError, Client.Client>, ...answers: ReadonlyArray<Answer>) =>
  Effect.gen(function* () {
    const keys: Array<string | undefined> = []
    const layer = connection((_, request) => {
      keys.push(request.headers["x-idempotency-key"])
      return answers[Math.min(keys.length, answers.length) - 1] ?? "refused"
    })
    const fiber = yield* Effect.fork(Effect.either(Effect.provide(call, Layer.provide(Client.layer, layer))))
    yield* TestClock.adjust("2 hours")
    const ended = yield* Fiber.join(fiber)
    return { keys, ended: ended._tag === "Right" ? "ok" : ended.left._tag }
  })

describe.each(calls)("a %s", (_, call) => {
  scoped("with an idempotency key is repeated with that key after cut connections and 5xx", function* () {
    const { ended, keys } = yield* make(call({ idempotencyKey: "k" }), "cut", { status: 500 }, { body: answer })
    expect([ended, keys]).toEqual(["ok", ["k", "k", "k"]])
  })

  scoped("without a key, or with an empty one, is not repeated when it may have been charged", function* () {
    for (const options of [undefined, {}, { idempotencyKey: "" }]) {
      for (const failure of ["cut", { status: 500 }] as const) {
        const { ended, keys } = yield* make(call(options), failure, { body: answer })
        expect([ended === "ok", keys]).toEqual([false, [undefined]])
      }
    }
  })

  scoped("with a key that is not a valid header is refused before anything is sent", function* () {
    for (const idempotencyKey of ["a\nb", "schlüssel", "k".repeat(256)]) {
      expect(yield* make(call({ idempotencyKey }), { body: answer })).toEqual({ ended: "InvalidRequest", keys: [] })
    }
  })
})

describe("a call with zero data retention", () => {
  const zeroDataRetention = true
  const idempotencyKey = "k"
  const unkept: ReadonlyArray<readonly [string, Effect.Effect<unknown, ClientError, Client.Client>]> = [
    ["scrape", Effect.flatMap(Scrape, (_) => _.run({ url, zeroDataRetention }, { idempotencyKey }))],
    ["parse", Effect.flatMap(Parse, (_) => _.parse(file, { zeroDataRetention }, { idempotencyKey }))],
    ["search", Effect.flatMap(Search, (_) => _.run({ query: "etl", enterprise: ["zdr"] }, { idempotencyKey }))],
    [
      "search with content",
      Effect.flatMap(Search, (_) => _.run({ query: "etl", scrapeOptions: { zeroDataRetention } }, { idempotencyKey }))
    ]
  ]

  it.effect.each(unkept)("sends no key, and is not repeated: %s", function* ([, call]) {
    const { ended, keys } = yield* make(call, "cut", { body: answer })
    expect([ended, keys]).toEqual(["NetworkError", [undefined]])
  })
})

describe("over real connections", () => {
  live.skipIf(skipsLong)("an interrupted upload is repeated completely, with Effect and with Promises", function* () {
    const server = yield* serve((_, { asked }) => (asked.length % 2 === 1 ? undefined : { body: answer }))
    const options = { idempotencyKey: "k" }
    const client = Layer.provide(
      Client.layer,
      Connection.layer({ baseUrl: server.url, apiKey: Redacted.make("fc-key") })
    )
    yield* Effect.provide(
      Effect.flatMap(Parse, (_) => _.parse(file, undefined, options)),
      client
    )
    const promised = createClient({ baseUrl: server.url, apiKey: "fc-key" })
    yield* Effect.promise(() => promised.parse(file, undefined, options))
    yield* Effect.promise(() => promised.scrape({ url }, options))
    yield* Effect.promise(() => promised.scrape({ url }, { version: "v1", ...options }))
    yield* Effect.promise(() => promised.search({ query: "etl" }, options))
    yield* Effect.promise(() => promised.map({ url }, options))
    yield* Effect.promise(() => promised.close())
    expect(server.asked).toHaveLength(12)
    for (const { headers } of server.asked) expect(headers["x-idempotency-key"]).toBe("k")
    for (const { body } of server.asked.slice(0, 4)) expect(body).toContain("<p>a")
  })
})
