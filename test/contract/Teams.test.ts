/** Teams see only their own data: tested on every endpoint of the OpenAPI document, and on every other way to the data. */

import * as Effect from "effect/Effect"
import { WebSocket } from "ws"
import { document } from "../../src/Engine/Http/OpenApiDocument.ts"
import { type Document, type Operation, operationsOf } from "../fuzz/Document.ts"
import { describe, expect, layer } from "../It.ts"
import { type Caller, caller, drain, keys, Local, layer as local, page, type Reply, site } from "../Local.ts"
import { skipsLong } from "../Long.ts"

// As it is served: another test compares the two.
const operations = operationsOf(document as unknown as Document)
const unknown = "00000000-0000-4000-8000-000000000000"

const marsh = site((path) =>
  path === "/"
    ? page("Marsh", ["/heron", "/slow"], "The quagga walks the marsh.")
    : path === "/heron"
      ? page("Heron")
      : path === "/slow"
        ? { body: page("Slow"), delay: 150 }
        : undefined
)

/** A body that an operation takes. */
const bodies: Readonly<Record<string, (url: string) => object>> = {
  "scrape.scrape": (url) => ({ url }),
  "scrape.scrapeV1": (url) => ({ url }),
  "search.search": () => ({ query: "quagga" }),
  "map.map": (url) => ({ url }),
  "map.mapV1": (url) => ({ url }),
  "crawl.start": (url) => ({ url, limit: 2 }),
  "crawl.startV1": (url) => ({ url, limit: 2 }),
  "batchScrape.start": (url) => ({ urls: [url] }),
  "batchScrape.startV1": (url) => ({ urls: [url] }),
  "browser.execute": () => ({ code: "1" })
}

const upload = () => {
  const form = new FormData()
  form.append("file", new Blob([page("Upload")]), "upload.html")
  return form
}

const send = (call: Caller, { id, isUpload, method }: Operation, path: string, url: string, headers = {}) => {
  if (isUpload) return call.send(path, { method, body: upload(), headers })
  const body = bodies[id]?.(url)
  return body === undefined ? call.send(path, { method, headers }) : call.post(path, body, headers)
}

/** Creates the resource whose id goes into a path, by the path's prefix; slow, so that it is still active. */
const makers: ReadonlyArray<readonly [prefix: RegExp, make: (call: Caller, url: string) => Effect.Effect<string>]> = [
  [
    /^\/v[12]\/batch\/scrape\//,
    (call, url) => Effect.map(call.post("/v2/batch/scrape", { urls: [`${url}/slow`] }), ({ json }) => json.id)
  ],
  [
    /^\/v[12]\/crawl\//,
    (call, url) => Effect.map(call.post("/v2/crawl", { url: `${url}/slow` }), ({ json }) => json.id)
  ],
  // Sessions need a Chromium: what is made here is the team's all the same.
  [/^\/v2\/browser\//, () => Effect.succeed(unknown)]
]

const isById = ({ path }: Operation): boolean => path.includes("{id}")
const isKeyed = ({ parameters }: Operation): boolean => parameters.some(({ name }) => name === "x-idempotency-key")
/** Told of the team alone. */
const isList = (operation: Operation): boolean => operation.method === "GET" && !isById(operation)
/** Nothing is kept of it; and what needs a Chromium, which `test/Engine/Browser/Teams.test.ts` has. */
const others = ["crawlPreview.preview", "browser.create", "browser.signIn"]

const seen = ({ status, text }: Reply) => ({ status, text })

/** A refused upgrade, with the key as a client of a job sends it. */
const watched = (call: Caller, path: string, key: string) =>
  Effect.async<{ readonly status: number | undefined; readonly text: string }>((resume) => {
    const ws = new WebSocket(call.baseUrl.replace("http", "ws") + path, [key])
    ws.on("open", () => resume(Effect.succeed({ status: 101, text: "" })))
    ws.on("error", () => undefined)
    ws.on("unexpected-response", (_, response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (more: string) => {
        text += more
      })
      response.on("end", () => resume(Effect.succeed({ status: response.statusCode, text })))
    })
    return Effect.sync(() => ws.terminate())
  })

layer(local, { excludeTestServices: true })("another team", (it) => {
  it.effect("is thought of by a test for every operation that there is", function* () {
    const { call } = yield* Local
    expect((yield* call.get("/openapi.json")).json).toEqual(JSON.parse(JSON.stringify(document)))
    const rest = operations.filter((one) => !isById(one) && !isKeyed(one) && !isList(one)).map(({ id }) => id)
    expect(rest.sort()).toEqual([...others].sort())
    for (const { path } of operations.filter(isById))
      expect(
        makers.some(([prefix]) => prefix.test(path)),
        path
      ).toBe(true)
  })

  for (const operation of operations.filter(isById)) {
    it.scoped(`cannot tell what is not its own from what is not there: ${operation.id}`, function* () {
      const { call, stranger } = yield* Local
      const { url } = yield* marsh
      const make = makers.find(([prefix]) => prefix.test(operation.path))?.[1] ?? (() => Effect.succeed(unknown))
      const id = yield* make(call, url)
      const ask = (id: string, query = "") => send(stranger, operation, operation.path.replace("{id}", id) + query, url)
      const nothing = yield* ask(unknown)
      // Whoever signs out of what is not there is signed out.
      expect(nothing.status).toBe(operation.id === "browser.signOut" ? 200 : 404)
      for (const one of [id, id.toUpperCase()]) expect(seen(yield* ask(one))).toEqual(seen(nothing))
      if (operation.path.includes("/browser/")) return
      expect(seen(yield* ask(id, "?skip=0&limit=1"))).toEqual(seen(nothing))
      const own = operation.path.replace("{id}", id).replace(/\/errors$/, "")
      expect((yield* drain(call, own)).last).toMatchObject({ status: "completed", total: 1 })
      expect(seen(yield* ask(id))).toEqual(seen(nothing))
    })
  }

  it.scoped.skipIf(skipsLong)("gets the same counts from every endpoint, whatever other teams do", function* () {
    const { call, stranger } = yield* Local
    const { url } = yield* marsh
    const lists = operations
      .filter(isList)
      .flatMap(({ parameters, path }) =>
        parameters.some(({ name }) => name === "byApiKey") ? [path, `${path}?byApiKey=true`] : [path]
      )
    const look = Effect.forEach(lists, (path) =>
      Effect.map(stranger.get(path), (reply) => [path, seen(reply)] as const)
    )
    const before = yield* look
    const crawl = yield* call.post("/v2/crawl", { url })
    yield* call.post("/v1/batch/scrape", { urls: [url, `${url}/heron`] })
    yield* call.post("/v2/scrape", { url })
    expect((yield* call.get("/v2/crawl/active")).json.crawls).toHaveLength(1)
    // Metrics count all teams, so no single team may read them.
    expect((yield* stranger.get("/metrics")).status).toBe(403)
    expect(yield* look).toEqual(before)
    yield* drain(call, `/v2/crawl/${crawl.json.id}`)
    expect(yield* look).toEqual(before)
    for (const [, { text }] of before) expect(text).not.toMatch(/fc-[0-9a-f]{32}|"first"/)
  })

  for (const operation of operations.filter(isKeyed)) {
    it.scoped.skipIf(skipsLong)(
      `is not answered for another's idempotency key, nor told of it: ${operation.id}`,
      function* () {
        const { call, stranger } = yield* Local
        const { requests, url } = yield* marsh
        const headers = { "x-idempotency-key": `${operation.id} ${url}` }
        const mine = yield* send(call, operation, operation.path, url, headers)
        expect(mine.status, mine.text).toBe(200)
        expect((yield* send(call, operation, operation.path, url, headers)).text).toBe(mine.text)
        const asked = requests.length
        const theirs = yield* send(stranger, operation, operation.path, url, headers)
        expect(theirs.status, theirs.text).toBe(200)
        if (operation.path.endsWith("/search")) expect(theirs.json.id).not.toBe(mine.json.id)
        else if (operation.isUpload) expect(theirs.json.data.markdown).toContain("Upload")
        else if (mine.json.id === undefined) expect(requests.length).toBeGreaterThan(asked)
        else expect(theirs.json.id).not.toBe(mine.json.id)
        // Another team's earlier requests do not count.
        const other = caller(stranger.baseUrl, keys.stranger)
        const changed = { "x-idempotency-key": `changed ${operation.id} ${url}` }
        yield* send(call, operation, operation.path, url, changed)
        expect((yield* send(other, operation, operation.path, `${url}/heron`, changed)).status).toBe(200)
      }
    )
  }

  describe("does not get at", () => {
    it.scoped("stored copies and versions of pages, in whatever words it asks", function* () {
      const { call, stranger } = yield* Local
      const { requests, url } = yield* marsh
      const tracked = { url, formats: ["markdown", { type: "changeTracking", tag: "t" }] }
      yield* call.post("/v2/scrape", tracked)
      expect((yield* call.post("/v2/scrape", tracked)).json.data.changeTracking.changeStatus).toBe("same")
      for (const words of [{ lockdown: true }, { minAge: 0 }]) {
        const theirs = yield* stranger.post("/v2/scrape", { url, ...words })
        const nobodys = yield* stranger.post("/v2/scrape", { url: `${url}/never`, ...words })
        expect(seen(theirs)).toEqual({ status: 404, text: nobodys.text.replaceAll(`${url}/never`, url) })
      }
      const asked = requests.length
      const fresh = yield* stranger.post("/v1/scrape", { url, maxAge: 600_000 })
      expect(fresh.json.data.metadata.cacheState).toBe("miss")
      const batch = yield* stranger.post("/v2/batch/scrape", { urls: [`${url}/heron`], maxAge: 600_000 })
      yield* drain(stranger, `/v2/batch/scrape/${batch.json.id}`)
      expect(requests.slice(asked).filter((path) => path === "/" || path === "/heron")).toEqual(["/", "/heron"])
      expect((yield* stranger.post("/v2/scrape", tracked)).json.data.changeTracking.changeStatus).toBe("new")
    })

    it.scoped("what others have gathered for searches", function* () {
      const { call, stranger } = yield* Local
      const { url } = yield* site(() => page("Okapi", [], "The zorilla and the okapi share this page."))
      yield* call.post("/v2/scrape", { url })
      const query = { query: "zorilla okapi", sources: ["web", "images", "news"] }
      expect((yield* call.post("/v2/search", query)).json.data.web).toHaveLength(1)
      expect((yield* stranger.post("/v2/search", query)).json.data).toEqual({ web: [], images: [], news: [] })
      expect((yield* stranger.post("/v2/search", { query: `related:${url}` })).text).not.toContain(url)
    })

    it.scoped("a batch, to add pages to it, or to its next page", function* () {
      const { call, stranger } = yield* Local
      const { url } = yield* marsh
      const { json } = yield* call.post("/v2/batch/scrape", { urls: [url, `${url}/slow`] })
      const append = (id: string) => stranger.post("/v2/batch/scrape", { urls: [`${url}/heron`], appendToId: id })
      expect(seen(yield* append(json.id))).toEqual(seen(yield* append(unknown)))
      const first = yield* call.get(`/v2/batch/scrape/${json.id}?limit=1`)
      expect(first.json.next).toContain(json.id)
      const next = yield* stranger.get(first.json.next)
      expect(seen(next)).toEqual(seen(yield* stranger.get(first.json.next.replace(json.id, unknown))))
      expect((yield* drain(call, `/v2/batch/scrape/${json.id}`)).last.total).toBe(2)
    })

    it.scoped("jobs to watch them", function* () {
      const { call } = yield* Local
      const { url } = yield* marsh
      for (const kind of ["crawl", "batch/scrape"]) {
        const body = kind === "crawl" ? { url: `${url}/slow` } : { urls: [`${url}/slow`] }
        const { json } = yield* call.post(`/v2/${kind}`, body)
        for (const version of ["v1", "v2"]) {
          const path = `/${version}/${kind}/`
          const nothing = yield* watched(call, path + unknown, keys.stranger)
          expect(nothing.status).toBe(404)
          expect(yield* watched(call, path + json.id, keys.stranger)).toEqual(nothing)
          expect((yield* watched(call, path + json.id, keys.second)).status).toBe(101)
        }
      }
    })

    it.scoped("events of webhooks of other teams", function* () {
      const { call, stranger } = yield* Local
      const { url } = yield* marsh
      const told = yield* site((path) => (path === "/hook" ? "" : undefined))
      const mine = yield* call.post("/v2/batch/scrape", { urls: [url], webhook: `${told.url}/hook` })
      const theirs = yield* stranger.post("/v2/batch/scrape", { urls: [url] })
      yield* drain(stranger, `/v2/batch/scrape/${theirs.json.id}`)
      yield* drain(call, `/v2/batch/scrape/${mine.json.id}`)
      // Started, a page, completed.
      yield* Effect.repeat(
        Effect.delay(
          Effect.sync(() => told.requests.length),
          10
        ),
        { until: (count) => count >= 3 }
      )
      expect(told.requests).toEqual(["/hook", "/hook", "/hook"])
    })
  })

  it.scoped.skipIf(skipsLong)(
    "makes the engine work as much for what is another's as for what is not there",
    function* () {
      const { call, stranger } = yield* Local
      const { url } = yield* marsh
      const { json } = yield* call.post("/v2/crawl", { url, limit: 2 })
      yield* drain(call, `/v2/crawl/${json.id}`)
      const spent = { foreign: 0, unknown: 0 }
      const measure = (name: keyof typeof spent, id: string) =>
        Effect.gen(function* () {
          const before = process.cpuUsage()
          for (let count = 0; count < 10; count++) yield* stranger.get(`/v2/crawl/${id}`)
          const { system, user } = process.cpuUsage(before)
          spent[name] += system + user
        })
      for (let round = 0; round < 6; round++) {
        // The first round warms up.
        if (round === 1) spent.foreign = spent.unknown = 0
        yield* measure("foreign", json.id)
        yield* measure("unknown", unknown)
      }
      expect(spent.foreign / spent.unknown).toBeGreaterThan(0.5)
      expect(spent.foreign / spent.unknown).toBeLessThan(2)
    }
  )
})

layer(local, { excludeTestServices: true })("a request without a key", (it) => {
  const strange: ReadonlyArray<readonly [what: string, authorization: string | undefined, why: string]> = [
    ["nothing", undefined, "Token missing"],
    ["an empty header", " ", "Token missing"],
    ["a scheme alone", "Bearer ", "Token missing"],
    ["a wrong key", `Bearer fc-${"0".repeat(32)}`, "Invalid token"],
    ["the beginning of a key", `Bearer ${keys.first.slice(0, -1)}`, "Invalid token"],
    ["two keys", `Bearer ${keys.first}, Bearer ${keys.second}`, "Invalid token"],
    ["a key without its scheme", keys.first, "Bearer expected"],
    ["a key under Basic", `Basic ${Buffer.from(`:${keys.first}`).toString("base64")}`, "Bearer expected"],
    ["a key under a scheme of as many letters", `Digest ${keys.first}`, "Bearer expected"],
    ["a key behind any seven letters", `sevenle${keys.first}`, "Bearer expected"]
  ]
  for (const operation of operations) {
    it.effect(`is not let in to ${operation.id}`, function* () {
      const { baseUrl } = yield* Local
      const path = `${baseUrl}${operation.path.replace("{id}", unknown)}?api_key=${keys.first}`
      for (const [what, authorization, why] of strange) {
        const headers = { ...(authorization === undefined ? {} : { authorization }), "x-api-key": keys.first }
        const reply = yield* Effect.promise(() => fetch(path, { method: operation.method, headers }))
        expect(reply.status, what).toBe(401)
        expect(yield* Effect.promise(() => reply.json()), what).toEqual({
          success: false,
          code: "UNAUTHORIZED",
          error: `Unauthorized: ${why}`
        })
      }
      const lower = yield* Effect.promise(() =>
        fetch(path, { method: operation.method, headers: { authorization: `bearer   ${keys.first}` } })
      )
      expect(lower.status).not.toBe(401)
      yield* Effect.promise(() => lower.arrayBuffer())
    })
  }
})
