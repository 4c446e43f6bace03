import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { ActiveCrawls } from "../../src/Client/ActiveCrawls.ts"
import { BatchScrape } from "../../src/Client/BatchScrape.ts"
import * as Connection from "../../src/Client/Connection.ts"
import { Crawl } from "../../src/Client/Crawl.ts"
import { SiteMap } from "../../src/Client/Map.ts"
import * as Retry from "../../src/Client/Retry.ts"
import { Scrape } from "../../src/Client/Scrape.ts"
import { Search } from "../../src/Client/Search.ts"
import { TokenUsage } from "../../src/Client/TokenUsage.ts"
import * as Client from "../../src/Client.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { type Asked, type Reply, type Server, serve } from "./Server.ts"

const id = "7b6f3c1e-8f6b-4b1a-9d56-0123456789ab"
const sentinel = "fc-5e17aee15e17aee15e17aee15e17aee1"

const documentOf = (index: number) => ({
  markdown: `# ${index}`,
  metadata: { sourceURL: `https://docs.example.com/${index}`, statusCode: 200 }
})
const documents = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => documentOf(from + index))

/** Makes a call of a service that answers as is said, and gives what it was asked. */
const against = <A, E>(reply: (asked: Asked, server: Server) => Reply, call: Effect.Effect<A, E, Client.Client>) =>
  Effect.gen(function* () {
    const server = yield* serve(reply)
    const connection = Connection.layer({ baseUrl: server.url, apiKey: Redacted.make(sentinel) })
    const result = yield* call.pipe(
      Effect.provide(Layer.provide(Client.layer, connection)),
      Effect.provideService(Retry.RetryPolicy, Retry.never),
      Effect.either
    )
    return { result, asked: server.asked }
  })

const poll = Schedule.spaced("1 millis")

/** The addresses of a job's documents, to its end. */
const read = (kind: "batch" | "crawl" = "batch", version: "v1" | "v2" = "v2") =>
  Effect.gen(function* () {
    const client = kind === "batch" ? yield* BatchScrape : yield* Crawl
    const all = yield* Stream.runCollect(client.stream(id, { version, poll }))
    return Chunk.toReadonlyArray(all).map(({ metadata }) => metadata?.sourceURL?.split("/").at(-1))
  })

describe("a job of a hosted service", () => {
  for (const [what, end] of [
    ["without next", {}],
    ["with a next of null", { next: null }],
    ["with data of its last page alone", { next: null, expiresAt: "2026-11-23T09:12:44.000Z", creditsUsed: 3 }]
  ] as const) {
    it.live(`that is complete ${what} has been read`, () =>
      Effect.gen(function* () {
        const { asked, result } = yield* against(
          () => ({
            body: { success: true, status: "completed", total: 3, completed: 3, data: documents(0, 3), ...end }
          }),
          read()
        )
        expect(result).toMatchObject({ right: ["0", "1", "2"] })
        expect(asked).toHaveLength(1)
      }).pipe(Effect.scoped)
    )
  }

  for (const [what, next] of [
    ["absolute", (origin: string) => `${origin}/v2/batch/scrape/${id}?skip=2`],
    ["relative", () => `/v2/batch/scrape/${id}?skip=2`],
    ["a query alone", () => `?skip=2`]
  ] as const) {
    it.live(`goes on at a next that is ${what}`, () =>
      Effect.gen(function* () {
        const { asked, result } = yield* against(
          ({ path }, { url }) => ({
            body: path.includes("skip=2")
              ? { status: "completed", total: 3, completed: 3, data: documents(2, 3) }
              : { status: "completed", total: 3, completed: 3, next: next(url), data: documents(0, 2) }
          }),
          read()
        )
        expect(result).toMatchObject({ right: ["0", "1", "2"] })
        expect(asked.map(({ path }) => path)).toEqual([`/v2/batch/scrape/${id}`, `/v2/batch/scrape/${id}?skip=2`])
        expect(asked.every(({ headers }) => headers.authorization === `Bearer ${sentinel}`)).toBe(true)
      }).pipe(Effect.scoped)
    )
  }

  it.live("is read up to a next page on another host, which gets no key", () =>
    Effect.gen(function* () {
      const stranger = yield* serve(() => ({ body: { status: "completed", data: documents(1, 2) } }))
      const seen: Array<string | undefined> = []
      const { result } = yield* against(
        () => ({
          body: { status: "scraping", total: 2, completed: 1, next: `${stranger.url}/v2/x`, data: documents(0, 1) }
        }),
        Effect.gen(function* () {
          const client = yield* BatchScrape
          yield* Stream.runForEach(client.stream(id, { poll }), ({ metadata }) =>
            Effect.sync(() => void seen.push(metadata?.sourceURL ?? undefined))
          )
        })
      )
      expect(seen).toHaveLength(1)
      expect(result).toMatchObject({ left: { _tag: "CrossOrigin", target: stranger.url } })
      expect(stranger.asked).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live("that was cancelled streams its documents before it fails", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const drain = Effect.flatMap(Crawl, (client) =>
        Stream.runForEach(client.stream(id, { poll }), (document) => Effect.sync(() => void seen.push(document)))
      )
      const cancelled = { success: false, status: "cancelled", total: 9, completed: 2, creditsUsed: 2 }
      const some = yield* against(() => ({ body: { ...cancelled, data: documents(0, 2) } }), drain)
      expect(seen).toHaveLength(2)
      expect(some.result).toMatchObject({ left: { _tag: "JobFailed", status: "cancelled", position: 2, total: 9 } })
      for (const data of [{}, { data: [] }, { data: null }]) {
        const none = yield* against(() => ({ body: { ...cancelled, completed: 0, ...data } }), drain)
        expect(none.result).toMatchObject({ left: { _tag: "JobFailed", status: "cancelled", position: 0 } })
      }
      expect(seen).toHaveLength(2)
    }).pipe(Effect.scoped)
  )

  it.live("that failed has a status, with its message and its documents", () =>
    Effect.gen(function* () {
      const failed = { success: false, status: "failed", error: "Crawl was blocked", completed: 1, total: 1 }
      const { result } = yield* against(
        () => ({ body: { ...failed, data: documents(0, 1) } }),
        Effect.flatMap(Crawl, (client) => client.status(id))
      )
      expect(result).toMatchObject({ right: { status: "failed", error: "Crawl was blocked", data: [documentOf(0)] } })
    }).pipe(Effect.scoped)
  )

  it.live("may send its counts as strings, and those of its pages", () =>
    Effect.gen(function* () {
      const page = { ...documentOf(0), metadata: { ...documentOf(0).metadata, statusCode: "200", odd: { a: 1 } } }
      const warnings: Array<unknown> = []
      const logger = Logger.make(({ message }) => void warnings.push(message))
      const { result } = yield* against(
        () => ({ body: { status: "completed", total: "1", completed: "1", creditsUsed: "5", data: [page] } }),
        Effect.gen(function* () {
          const client = yield* BatchScrape
          const pages = yield* Stream.runCollect(client.pages(id, { poll }))
          return Chunk.toReadonlyArray(pages)
        }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      )
      expect(result).toMatchObject({
        right: [
          { total: 1, completed: 1, creditsUsed: 5, documents: [{ metadata: { statusCode: 200, odd: { a: 1 } } }] }
        ]
      })
      expect(warnings).toEqual([])
    }).pipe(Effect.scoped)
  )

  for (const [kind, path] of [
    ["batch", "batch/scrape"],
    ["crawl", "crawl"]
  ] as const) {
    it.live(`of version 1 is read like one of version 2: ${kind}`, () =>
      Effect.gen(function* () {
        const { asked, result } = yield* against(
          ({ path }, { url }) => ({
            body: path.includes("skip")
              ? { success: true, status: "completed", total: 2, completed: 2, creditsUsed: 2, data: documents(1, 2) }
              : {
                  success: true,
                  status: "completed",
                  total: 2,
                  completed: 2,
                  creditsUsed: 2,
                  expiresAt: "2026-11-23T09:12:44.000Z",
                  next: `${url}${path}?skip=1`,
                  data: documents(0, 1)
                }
          }),
          read(kind, "v1")
        )
        expect(result).toMatchObject({ right: ["0", "1"] })
        expect(asked[0]?.path).toBe(`/v1/${path}/${id}`)
      }).pipe(Effect.scoped)
    )
  }
})

describe("other answers of a hosted service", () => {
  const cases: ReadonlyArray<readonly [string, Reply, Effect.Effect<unknown, unknown, Client.Client>, object]> = [
    [
      "usage with tokensUsed as a number or a string, of a month that has not ended",
      {
        body: {
          success: true,
          periods: [
            { startDate: "2026-10-01T00:00:00.000Z", endDate: "2026-11-01T00:00:00.000Z", tokensUsed: 1500 },
            { startDate: "2026-11-01T00:00:00.000Z", endDate: null, apiKey: "prod", tokensUsed: "45", plan: "x" }
          ]
        }
      },
      Effect.flatMap(TokenUsage, (client) => client.historical({ byApiKey: true })),
      { periods: [{ totalTokens: 1500 }, { totalTokens: 45, endDate: null, apiKey: "prod", plan: "x" }] }
    ],
    [
      "credits left as a string",
      { body: { success: true, data: { remainingCredits: "1234", planCredits: null } } },
      Effect.flatMap(TokenUsage, (client) => client.credits()),
      { data: { remainingCredits: 1234 } }
    ],
    [
      "a page whose metadata are odd",
      {
        body: {
          success: true,
          data: {
            markdown: "x",
            metadata: { title: ["a", "b"], "og:title": "a", ogTitle: "a", viewport: null, n: 3, statusCode: "404" },
            changeTracking: { changeStatus: "changed", diff: { text: "+x", json: {} } },
            scrape_id: "s"
          }
        }
      },
      Effect.flatMap(Scrape, (client) => client.run({ url: "https://example.com/" })),
      {
        data: {
          metadata: { title: ["a", "b"], n: 3, statusCode: 404 },
          changeTracking: { diff: { text: "+x" } },
          scrape_id: "s"
        }
      }
    ],
    [
      "a page of version 1",
      { body: { success: true, data: { markdown: "x", extract: { a: 1 }, metadata: { statusCode: 200 } } } },
      Effect.flatMap(Scrape, (client) => client.run({ url: "https://example.com/" }, { version: "v1" })),
      { data: { extract: { a: 1 } } }
    ],
    [
      "JSON with the content type of text or HTML",
      { headers: { "content-type": "text/html; charset=utf-8" }, body: JSON.stringify({ success: true, crawls: [] }) },
      Effect.flatMap(ActiveCrawls, (client) => client.list()),
      { crawls: [] }
    ],
    [
      "active crawls whose records are bare",
      { body: { success: true, crawls: [{ id, teamId: null, options: { limit: 5, scrapeOptions: null } }] } },
      Effect.flatMap(ActiveCrawls, (client) => client.list({ version: "v1" })),
      { crawls: [{ id, options: { limit: 5 } }] }
    ],
    [
      "a search that found nothing, and one whose fields are null",
      {
        body: {
          success: true,
          data: { news: null, web: [{ url: "https://a.example", title: null }] },
          warning: null,
          creditsUsed: "2"
        }
      },
      Effect.flatMap(Search, (client) => client.run({ query: "etl" })),
      { data: { web: [{ url: "https://a.example" }] }, creditsUsed: 2 }
    ],
    [
      "links of a map as texts, as version 1 has them",
      { body: { success: true, links: ["https://a.example/1", "https://a.example/2"] } },
      Effect.flatMap(SiteMap, (client) => client.run({ url: "https://a.example" }, { version: "v1" })),
      { links: ["https://a.example/1", "https://a.example/2"] }
    ]
  ]

  it.scoped.each(cases)("are read: %s", function* ([, reply, call, expected]) {
    expect((yield* against(() => reply, call)).result).toMatchObject({ right: expected })
  })

  scoped("that redirect to another host are not followed", function* () {
    const stranger = yield* serve(() => ({ body: { success: true, crawls: [] } }))
    for (const status of [301, 302, 307, 308]) {
      const { result } = yield* against(
        () => ({ status, headers: { location: `${stranger.url}/v2/crawl/active` } }),
        Effect.flatMap(ActiveCrawls, (client) => client.list())
      )
      expect(result).toMatchObject({ left: { _tag: "CrossOrigin", target: stranger.url } })
    }
    expect(stranger.asked).toEqual([])
  })
})
