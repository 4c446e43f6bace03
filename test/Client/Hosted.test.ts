import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { BatchScrape } from "../../src/Client/BatchScrape.ts"
import { Browser } from "../../src/Client/Browser.ts"
import type { ClientError } from "../../src/Client/ClientErrors.ts"
import * as Connection from "../../src/Client/Connection.ts"
import { Crawl } from "../../src/Client/Crawl.ts"
import { Parse } from "../../src/Client/Parse.ts"
import * as Retry from "../../src/Client/Retry.ts"
import { Scrape } from "../../src/Client/Scrape.ts"
import { Search } from "../../src/Client/Search.ts"
import { TokenUsage } from "../../src/Client/TokenUsage.ts"
import * as Client from "../../src/Client.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { type Reply, serve } from "./Server.ts"

const id = "7b6f3c1e-8f6b-4b1a-9d56-0123456789ab"
const sentinel = "fc-5e17aee15e17aee15e17aee15e17aee1"

/** Makes a call of a service that answers everything alike, once. */
const ask = <A, E>(reply: Reply, call: Effect.Effect<A, E, Client.Client>) =>
  Effect.gen(function* () {
    const server = yield* serve(() => reply)
    const connection = Connection.layer({ baseUrl: server.url, apiKey: Redacted.make(sentinel) })
    return yield* call.pipe(
      Effect.provide(Layer.provide(Client.layer, connection)),
      Effect.provideService(Retry.RetryPolicy, Retry.never)
    )
  })

const usage = Effect.flatMap(TokenUsage, (client) => client.historical())
const scrape = Effect.flatMap(Scrape, (client) => client.run({ url: "https://example.com/" }))
const search = Effect.flatMap(Search, (client) => client.run({ query: "etl" }))
const batch = Effect.flatMap(BatchScrape, (client) => client.start({ urls: ["https://example.com/"] }))
const cancel = Effect.flatMap(Crawl, (client) => client.cancel(id))
const parse = Effect.flatMap(Parse, (client) => client.parse({ file: new Uint8Array([37, 80]), name: "a.pdf" }))

const html = (title: string) =>
  `<!DOCTYPE html>\r\n<html>\r\n<head><title>${title}</title><style>body{margin:0}</style></head>\r\n<body><center><h1>${title}</h1></center><hr><center>cloud</center></body>\r\n</html>\r\n`

describe("the Retry-After of a hosted service", () => {
  const prose =
    "Rate limit exceeded. Consumed (req/min): 21, Remaining (req/min): 0. Upgrade your plan at the dashboard for increased rate limits or please retry after 23s, resets at Mon Nov 23 2026 09:12:44 GMT+0000 (Coordinated Universal Time)"

  it.scoped.each<readonly [string, Reply, number | undefined]>([
    ["in prose only", { status: 429, body: { success: false, error: prose } }, 23],
    ["in prose, with less around it", { status: 429, body: { error: "retry after 5s, resets at noon" } }, 5],
    ["in a header", { status: 429, headers: { "retry-after": "7" }, body: { success: false, error: prose } }, 7],
    ["on a page of a proxy", { status: 429, headers: { "retry-after": "11" }, body: html("429") }, 11],
    ["nowhere", { status: 429, body: { success: false, error: "Rate limit exceeded" } }, undefined],
    ["with status 200", { body: { success: false, error: "Rate limit exceeded, please retry after 9s" } }, 9]
  ])("is understood: %s", function* ([, reply, seconds]) {
    const error = yield* Effect.flip(ask(reply, search))
    expect(error).toMatchObject({
      _tag: "RateLimited",
      retryable: true,
      retryAfter: seconds === undefined ? undefined : Duration.seconds(seconds)
    })
  })

  scoped("is respected with a 503, too", function* () {
    const reply = { status: 503, headers: { "retry-after": "30" }, body: { success: false, error: "Busy" } }
    const error = yield* Effect.flip(ask(reply, usage))
    expect(error).toMatchObject({ _tag: "ServiceError", retryAfter: Duration.seconds(30) })
    expect(error.message).toMatch(/Busy\. Try again after 30s$/)
  })
})

describe("a proxy before a hosted service", () => {
  it.scoped.each([502, 503, 504, 522])(
    "that answers %i with an HTML page is distinguished from the service",
    function* (status) {
      const error = yield* Effect.flip(ask({ status, body: html(`${status} Error`) }, usage))
      expect(error).toMatchObject({ _tag: "ServiceError", status, gateway: true })
      expect(error.message).toContain(`A proxy before the service answered with status ${status}`)
      expect(error.message).toContain(`${status} Error`)
      expect(error.message).not.toMatch(/<|margin/)
    }
  )

  scoped("is recognised by an empty answer, but not by an error of the service itself", function* () {
    expect(yield* Effect.flip(ask({ status: 502 }, usage))).toMatchObject({ gateway: true })
    const said = { status: 503, body: { success: false, error: "Overloaded" } }
    expect(yield* Effect.flip(ask(said, usage))).toMatchObject({ gateway: false, said: "Overloaded" })
  })

  scoped("that sends an HTML page with status 200 fails with advice to check the base URL", function* () {
    const error = yield* Effect.flip(ask({ body: html("Sign in") }, usage))
    expect(error).toMatchObject({ _tag: "UnexpectedResponse", status: 200 })
    expect(error.message).toMatch(/Sign in Sign in cloud".*Check the base URL: it must be the address of the service/)
  })
})

describe("a hosted service that refuses", () => {
  it.scoped.each<readonly [string, Reply, string, Effect.Effect<unknown, unknown, Client.Client>]>([
    ["a large body with 400", { status: 400, body: { error: "request entity too large" } }, "TooLarge", batch],
    [
      "a large body with 500",
      { status: 500, body: { error: "PayloadTooLargeError: payload too large" } },
      "TooLarge",
      batch
    ],
    ["a large body with a page", { status: 413, body: html("413 Request Entity Too Large") }, "TooLarge", batch],
    ["a large file with 400", { status: 400, body: { error: "File size exceeds the 50 MB limit" } }, "TooLarge", parse],
    [
      "a type of file with 400",
      { status: 400, body: { error: "Unsupported file type: .pages" } },
      "UnsupportedFile",
      parse
    ],
    [
      "a key with nothing but a string",
      { status: 401, body: { error: "Unauthorized: Invalid token" } },
      "Unauthorized",
      usage
    ],
    ["a key with a plain text", { status: 401, body: "Unauthorized" }, "Unauthorized", usage],
    [
      "for want of credits",
      { status: 402, body: { success: false, error: "Insufficient credits" } },
      "PaymentRequired",
      scrape
    ],
    [
      "a route that it does not have, as a page",
      { status: 404, body: html("Cannot DELETE") },
      "UnexpectedResponse",
      cancel
    ],
    ["a key that was used before", { status: 409, body: { error: "Idempotency key already used" } }, "Conflict", batch],
    ["with status 200", { body: { success: false, error: "This website is not supported" } }, "Refused", scrape],
    [
      "with status 200 and no data",
      { body: { success: false, error: "Not supported", data: null } },
      "Refused",
      scrape
    ],
    [
      "with status 200 and a code",
      { body: { success: false, code: "SCRAPE_TIMEOUT", error: "late" } },
      "Timeout",
      scrape
    ]
  ])("%s becomes the error that it means", function* ([, reply, tag, call]) {
    expect(yield* Effect.flip(ask(reply, call))).toMatchObject({ _tag: tag })
  })

  scoped("with status 200 fails with the message of the service, without the key", function* () {
    const body = { success: false, error: `No proxies left for ${sentinel}`, details: null }
    const error = yield* Effect.flip(ask({ body }, scrape))
    expect(error.message).toMatch(/^The service reports that the call failed \(POST .*\/v2\/scrape\): No prox/)
    expect(error.message).not.toContain(sentinel)
  })
})

describe("an answer without a body", () => {
  it.scoped.each([200, 204])(
    "with status %i ends a job or a session, for which nothing is left to say",
    function* (status) {
      expect(yield* ask({ status }, cancel)).toMatchObject({ status: "cancelled" })
      const closed = Effect.flatMap(Browser, (client) => client.delete("b-1"))
      expect(yield* ask({ status }, closed)).toMatchObject({ success: true })
    }
  )

  scoped("fails a call that expects data", function* () {
    const calls: ReadonlyArray<Effect.Effect<unknown, ClientError, Client.Client>> = [usage, scrape, search]
    for (const call of calls) {
      const error = yield* Effect.flip(ask({ status: 200 }, call))
      expect(error).toMatchObject({ _tag: "UnexpectedResponse" })
      expect(error.message).toContain("an empty body")
    }
  })
})
