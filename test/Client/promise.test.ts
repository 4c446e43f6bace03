import { getEventListeners } from "node:events"
import { inspect } from "node:util"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterEach, describe, expect, it } from "vitest"
import { Api } from "../../src/Api.ts"
import {
  Conflict,
  createClient,
  InvalidBaseUrl,
  InvalidRequest,
  JobFailed,
  NetworkError,
  RateLimited,
  type SluiceClient
} from "../../src/promise.ts"
import { type Asked, type Reply, type Server, serve } from "./Server.ts"

const id = "7b6f3c1e-8f6b-4b1a-9d56-0123456789ab"
const url = "https://docs.example.com/"
const apiKey = "fc-0000000000000000000000sentinel"
const started = { body: { success: true, id } }

/** Endpoints that the test of every call leaves out, and why. */
const uncalled: Readonly<Record<string, string>> = {
  "GET /crawl/:id": "the pages of a job, tested below",
  "GET /batch/scrape/:id": "the pages of a job, tested below",
  "POST /browser/login": "only runs sign in, for the `login` of a definition",
  "DELETE /browser/login/:id": "only runs sign in, for the `login` of a definition"
}

const open: Array<() => Promise<unknown>> = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()))
})

const withServer = async (
  reply: (asked: Asked, server: Server) => Reply | undefined,
  options?: object
): Promise<{ readonly client: SluiceClient; readonly server: Server }> => {
  const scope = await Effect.runPromise(Scope.make())
  const server = await Effect.runPromise(Scope.extend(serve(reply), scope))
  const client = createClient({ baseUrl: server.url, apiKey, retries: false, ...options })
  open.push(client.close, () => Effect.runPromise(Scope.close(scope, Exit.void)))
  return { client, server }
}

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => Promise.reject(new Error("it did not fail")),
    (error: unknown) => error
  )

describe("a client with Promises", () => {
  it("answers every call", async () => {
    const body = { success: true, id, data: { remainingTokens: 1, remainingCredits: 1 }, periods: [], sessions: [] }
    const queue = { jobsInQueue: 0, activeJobsInQueue: 0, waitingJobsInQueue: 0 }
    const { client, server } = await withServer(() => ({
      body: {
        ...body,
        ...queue,
        crawls: [],
        links: [],
        errors: [],
        status: "cancelled",
        concurrency: 1,
        maxConcurrency: 1
      }
    }))
    await client.search({ query: "etl" })
    await client.scrape({ url })
    await client.scrape({ url, parsePDF: true }, { version: "v1" })
    await client.map({ url })
    await client.crawlPreview({ url, prompt: "everything" })
    await client.activeCrawls({ version: "v1" })
    await client.parse({ file: new TextEncoder().encode("<p>"), name: "a.html" })
    await client.crawl.start({ url })
    await client.crawl.start({ url, ignoreSitemap: true }, { version: "v1", idempotencyKey: "k" })
    await client.crawl.cancel(id)
    await client.crawl.errors(id)
    await client.batchScrape.start({ urls: [url] })
    await client.batchScrape.start({ urls: [url] }, { version: "v1" })
    await client.batchScrape.cancel(id)
    await client.batchScrape.errors(id)
    await client.browser.create()
    await client.browser.list()
    await client.browser.delete("s")
    await client.browser.execute("s", { code: "1" })
    await client.usage.historical({ byApiKey: true })
    await client.usage.historicalCredits()
    await client.usage.balance()
    await client.usage.credits()
    await client.usage.concurrency()
    await client.usage.queueStatus()
    expect(server.asked.map(({ method, path }) => `${method} ${path.replace(id, "{id}")}`)).toEqual([
      "POST /v2/search",
      "POST /v2/scrape",
      "POST /v1/scrape",
      "POST /v2/map",
      "POST /v2/crawl/params-preview",
      "GET /v1/crawl/active",
      "POST /v2/parse",
      "POST /v2/crawl",
      "POST /v1/crawl",
      "DELETE /v2/crawl/{id}",
      "GET /v2/crawl/{id}/errors",
      "POST /v2/batch/scrape",
      "POST /v1/batch/scrape",
      "DELETE /v2/batch/scrape/{id}",
      "GET /v2/batch/scrape/{id}/errors",
      "POST /v2/browser",
      "GET /v2/browser",
      "DELETE /v2/browser/s",
      "POST /v2/browser/s/execute",
      "GET /v2/team/token-usage/historical?byApiKey=true",
      "GET /v2/team/credit-usage/historical?byApiKey=false",
      "GET /v2/team/token-usage",
      "GET /v2/team/credit-usage",
      "GET /v2/concurrency-check",
      "GET /v2/team/queue-status"
    ])
    expect(server.asked[8]?.headers["x-idempotency-key"]).toBe("k")
    // Both versions of an endpoint have one method.
    const calls = server.asked.map(({ method, path }) => `${method} ${path.replace(/\?.*$/, "").slice(3)}`)
    const endpoints = Object.values(Api.groups).flatMap((group) =>
      Object.values(group.endpoints).map(({ method, path }) => `${method} ${path.slice(3)}`)
    )
    const others = calls.filter((call) => !endpoints.includes(call))
    const isCalled = (endpoint: string) =>
      calls.includes(endpoint) ||
      others.some((call) => new RegExp(`^${endpoint.replace(/:\w+/g, "[^/]+")}$`).test(call))
    expect(new Set(endpoints.filter((endpoint) => !isCalled(endpoint)))).toEqual(new Set(Object.keys(uncalled)))
  })

  it("rejects with classes that carry name, code and retryable, and not the key", async () => {
    const { client } = await withServer(({ headers, path }) =>
      path.includes("search")
        ? {
            status: 429,
            headers: { "retry-after": "600" },
            body: { error: `slow, ${headers.authorization}`, code: "RATE" }
          }
        : { status: 409, body: { success: false, error: "Job has ended" } }
    )
    const limited = await rejection(client.search({ query: "etl" }))
    expect(limited).toBeInstanceOf(RateLimited)
    expect(limited).toBeInstanceOf(Error)
    expect(limited).toMatchObject({ name: "RateLimited", code: "RATE", retryable: true })
    expect(inspect(limited, { depth: 9, showHidden: true })).not.toContain("sentinel")
    expect(await rejection(client.crawl.cancel(id))).toBeInstanceOf(Conflict)
    expect(await rejection(client.search({ query: "" }))).toBeInstanceOf(InvalidRequest)
    expect(await rejection(client.crawl.status("none"))).toBeInstanceOf(InvalidRequest)
  })

  it("rejects the first call when the base URL cannot be used, and any call when nothing answers", async () => {
    const nowhere = createClient({ baseUrl: "nonsense" })
    expect(await rejection(nowhere.search({ query: "etl" }))).toBeInstanceOf(InvalidBaseUrl)
    await nowhere.close()
    const { client } = await withServer(() => undefined)
    expect(await rejection(client.search({ query: "etl" }))).toBeInstanceOf(NetworkError)
  })

  it("refuses options that do not exist, and names the nearest one", () => {
    const given = { baseURL: "http://127.0.0.1:9" }
    expect(() => createClient(given as object)).toThrow('createClient has no option "baseURL", did you mean "baseUrl"?')
    const engine = { dataDirectory: "x" }
    expect(() => createClient({ engine: engine as object })).toThrow(
      'engine of createClient has no option "dataDirectory"'
    )
  })

  it("repeats safe calls as often as configured", async () => {
    const { client, server } = await withServer((_, { asked }) => (asked.length < 2 ? { status: 503 } : started), {
      retries: 1
    })
    await client.usage.balance().catch(() => undefined)
    expect(server.asked).toHaveLength(2)
  })

  it("ends a call when its signal aborts", async () => {
    const controller = new AbortController()
    const { client } = await withServer(() => {
      controller.abort(new Error("enough"))
      return started
    })
    const error = await rejection(client.usage.balance({ signal: controller.signal }))
    expect(error).toMatchObject({ message: "enough" })
    expect(await rejection(client.usage.balance({ signal: AbortSignal.abort("late") }))).toBe("late")
  })
})

describe("a job as an AsyncIterable", () => {
  const pages = (asked: Asked, server: Server, end: string): Reply => {
    const skip = Number(new URL(asked.path, server.url).searchParams.get("skip") ?? 0)
    const data = [{ markdown: `${skip}` }, { markdown: `${skip + 1}` }]
    const next = skip < 4 ? `${server.url}/v2/crawl/${id}?skip=${skip + 2}` : undefined
    return { body: { success: true, status: end, total: 6, completed: 6, data, next } }
  }

  it("leaves no listener at its signal, with any number of calls", async () => {
    const { client } = await withServer((asked, server) =>
      asked.path.includes("crawl") ? pages(asked, server, "completed") : started
    )
    const { signal } = new AbortController()
    const warned: Array<Error> = []
    const warn = (warning: Error) => warned.push(warning)
    process.on("warning", warn)
    await Promise.all(Array.from({ length: 20 }, () => client.usage.balance({ signal }).catch(() => undefined)))
    for await (const _ of client.crawl.stream(id, { signal })) expect(getEventListeners(signal, "abort").length).toBe(1)
    expect(getEventListeners(signal, "abort")).toEqual([])
    // A signal of another library, which Node does not know as one.
    const foreign = { aborted: false, reason: undefined, addEventListener: () => {}, removeEventListener: () => {} }
    await expect(client.crawl.status(id, { signal: foreign as unknown as AbortSignal })).resolves.toMatchObject({
      total: 6
    })
    process.off("warning", warn)
    expect(warned).toEqual([])
  })

  it("yields every document", async () => {
    const { client } = await withServer((asked, server) => pages(asked, server, "completed"))
    const seen: Array<unknown> = []
    for await (const document of client.crawl.stream(id)) seen.push(document.markdown)
    expect(seen).toEqual(["0", "1", "2", "3", "4", "5"])
    const positions: Array<unknown> = []
    for await (const page of client.crawl.pages(id, { from: 2 })) positions.push([page.position, page.next, page.total])
    expect(positions).toEqual([
      [2, 4, 6],
      [4, 6, 6]
    ])
    expect((await client.crawl.status(id)).status).toBe("completed")
  })

  it("throws the failure of the job after its documents", async () => {
    const { client } = await withServer((asked, server) => pages(asked, server, "failed"))
    const seen: Array<unknown> = []
    const error = await rejection(
      (async () => {
        for await (const document of client.crawl.stream(id)) seen.push(document.markdown)
      })()
    )
    expect(seen).toHaveLength(6)
    expect(error).toBeInstanceOf(JobFailed)
    expect(error).toMatchObject({ name: "JobFailed", status: "failed", position: 6, retryable: false })
  })

  it("stops polling when the loop is left or the signal aborts", async () => {
    const { client, server } = await withServer((asked, server) => pages(asked, server, "completed"))
    for await (const document of client.crawl.stream(id)) {
      expect(document.markdown).toBe("0")
      break
    }
    const before = server.asked.length
    expect(before).toBeLessThan(3)
    const controller = new AbortController()
    const error = await rejection(
      (async () => {
        for await (const _ of client.crawl.stream(id, { signal: controller.signal })) controller.abort("enough")
      })()
    )
    expect(error).toBe("enough")
  })
})
