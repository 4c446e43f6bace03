/** Hostile sites: each of them harms only its own requests. */
import { lookup } from "node:dns"
import { readdirSync, readFileSync } from "node:fs"
import { createServer, type Socket } from "node:net"
import { dirname, join } from "node:path"
import { Readable } from "node:stream"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { buildConnector } from "undici"
import { makeAgent } from "../../../src/Engine/Fetch/Dispatcher.ts"
import * as Fetch from "../../../src/Engine/Fetch/Fetch.ts"
import { Cookies } from "../../../src/Engine/Fetch/Fetch.ts"
import { connectionFailure, isDropped } from "../../../src/Engine/Fetch/FetchFailure.ts"
import type { Fetched } from "../../../src/Engine/PageCache/PageSource.ts"
import { Owner } from "../../../src/Engine/Teams/FairQueue.ts"
import { describe, expect, it } from "../../It.ts"
import { caller, drain, engine, keys, page, type Site, site } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { program } from "../../Programs.ts"
import { alone } from "../Alone.ts"
import { type Answer, fetchLayer, guard, networks, pages } from "./Site.ts"

const get = (url: string, more: Partial<Fetch.FetchRequest> = {}) =>
  Effect.flatMap(Fetch.Fetch, (fetch) => fetch.get({ url, timeout: 20_000, ...more }))

const text = ({ body }: Fetched) => Buffer.from(body).toString("utf8")

/** Starts a server that sends malformed HTTP. Returns its origin. */
const raw = (talk: (socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.async<{ readonly origin: string; readonly close: Effect.Effect<void> }>((resume) => {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket.on("error", () => undefined))
        socket.once("data", () => talk(socket))
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const close = Effect.sync(() => {
          for (const socket of sockets) socket.destroy()
          server.close()
        })
        resume(Effect.succeed({ origin: `http://127.0.0.1:${port}`, close }))
      })
    }),
    ({ close }) => close
  ).pipe(Effect.map(({ origin }) => origin))

const packed =
  (encoding: string, body: Uint8Array): Answer =>
  (_, response) =>
    void response.writeHead(200, { "content-type": "text/html", "content-encoding": encoding }).end(body)

const brotli = (bytes: Uint8Array) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })

/** Decompressed, it is more than any page may have. */
const bomb = gzipSync(Buffer.alloc(45_000_000))

describe("A hostile site", () => {
  it.scoped("is aborted if its page never ends", fetchLayer, function* () {
    const closed = yield* Deferred.make<number>()
    const origin = yield* pages({
      "/": (_, response) => {
        let sent = 0
        const chunk = Buffer.alloc(65_536, "<p>More</p>")
        const more = () => {
          while (!response.destroyed && response.write(chunk)) sent += chunk.length
        }
        response.on("drain", more).on("close", () => Deferred.unsafeDone(closed, Effect.succeed(sent)))
        more()
      }
    })
    const failure = yield* Effect.flip(get(origin, { maxBytes: 300_000 }))
    expect(failure).toMatchObject({ _tag: "TooLarge" })
    expect(yield* Deferred.await(closed)).toBeLessThan(30_000_000)
  })

  it.scoped(
    "does not block others when its large pages stall, and its error explains the reason",
    fetchLayer,
    function* () {
      const stalled = yield* Deferred.make<void>()
      let count = 0
      const large = Buffer.alloc(3_000_000, "<p>More</p>")
      const origin = yield* pages({
        "/stall": (_, response) => {
          response.writeHead(200, { "content-length": 40_000_000 })
          response.write(Buffer.alloc(1_200_000, "x"), () => {
            count += 1
            if (count === 6) Deferred.unsafeDone(stalled, Effect.void)
          })
        },
        "/large": (_, response) => void response.end(large)
      })
      const stall = get(`${origin}/stall`, { timeout: 300_000 }).pipe(
        Effect.flip,
        Effect.provideService(Owner, "hostile"),
        Effect.fork
      )
      const fibers = yield* Effect.replicateEffect(stall, 6)
      yield* Deferred.await(stalled)
      for (const team of ["hostile", "other"]) {
        const { body } = yield* Effect.provideService(get(`${origin}/large`), Owner, team)
        expect(body.byteLength).toBe(large.length)
      }
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 100)))
      yield* TestClock.adjust("65 seconds")
      for (const fiber of fibers) {
        const failure = yield* Fiber.join(fiber)
        expect(failure).toMatchObject({ _tag: "TimedOut", code: "SCRAPE_TOO_SLOW" })
        expect(failure.message).toMatch(/sent less than 4096 bytes a second for 30s/)
      }
    }
  )

  it.scoped(
    "is decompressed up to the limit only, refused early for a bomb with any coding, not for text that packs well",
    fetchLayer,
    function* () {
      const rows = Array.from(
        { length: 40_000 },
        (_, row) => `<tr><td>${row}</td><td>${row % 7}</td><td>in stock</td></tr>`
      )
      const table = Buffer.from(rows.join("\n"))
      const origin = yield* pages({
        "/gzip": packed("gzip", bomb),
        "/br": packed("br", brotli(Buffer.alloc(45_000_000))),
        "/nested": packed("gzip, gzip", gzipSync(bomb)),
        "/table": packed("gzip", gzipSync(table)),
        "/table-br": packed("br", brotli(table)),
        "/table-nested": packed("gzip, gzip", gzipSync(gzipSync(table)))
      })
      for (const path of ["gzip", "br", "nested"]) {
        const failure = yield* Effect.flip(get(`${origin}/${path}`))
        expect(failure, path).toMatchObject({ _tag: "TooLarge", code: "SCRAPE_TOO_LARGE" })
        expect(failure.message, path).toMatch(/250 times as large/)
      }
      expect((yield* get(`${origin}/table`)).body.byteLength).toBe(table.length)
      for (const path of ["table", "table-br", "table-nested"]) {
        const limited = yield* Effect.flip(get(`${origin}/${path}`, { maxBytes: 1_000_000 }))
        expect(limited, path).toMatchObject({ _tag: "TooLarge", code: "SCRAPE_TOO_LARGE" })
      }
    }
  )

  it.scoped("fails alone when it sends garbage, megabytes of headers, or half a response", fetchLayer, function* () {
    const answers = {
      garbage: "\u0000\u0001 what is this\r\n\r\n",
      "no status": "HTTP/1.1 OK\r\n\r\n",
      // Fails an assertion of the HTTP client.
      "status 000": "HTTP/1.1 000 No\r\nContent-Length: 1\r\n\r\nx",
      "another protocol": "SSH-2.0-OpenSSH_9.6\r\n",
      "two lengths": "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 50\r\n\r\nhello",
      "length and chunks": "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n",
      "no chunk size": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhello\r\n",
      "a cut chunk": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhello",
      "a cut body": "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello",
      headers: `HTTP/1.1 200 OK\r\n${`X-Filler: ${"x".repeat(8_000)}\r\n`.repeat(400)}\r\nhello`
    }
    for (const [name, answer] of Object.entries(answers)) {
      const origin = yield* raw((socket) => socket.end(answer))
      const failure = yield* Effect.flip(get(origin))
      expect(failure, name).toMatchObject({ _tag: "Unprocessable", code: "SCRAPE_CONNECTION_ERROR" })
      expect(failure.message, name).not.toContain("==")
    }
  })

  it.scoped(
    "ends no process when it closes the connection while its body waits, and loses nothing of it",
    function* () {
      // So long that the parser of the HTTP client stops at the last byte.
      const body = Buffer.alloc(70_000, "x")
      const answers = [`Content-Length: ${body.length}\r\n`, ""]
      const sent = [undefined, "a stream"]
      for (const [length, text] of answers.flatMap((each) => sent.map((one) => [each, one] as const))) {
        for (const event of ["end", "close"] as const) {
          const over = yield* Deferred.make<void>()
          const connect = buildConnector({})
          const agent = yield* makeAgent(
            { networks: networks("127.0.0.0/8"), origins: new Set() },
            {
              verifyTls: true,
              sockets: {
                lookup,
                connect: () => (options, callback) =>
                  connect(options, (...[error, socket]) => {
                    if (error !== null) return callback(error, null)
                    socket.once(event, () => setImmediate(() => Deferred.unsafeDone(over, Effect.void)))
                    callback(null, socket)
                  })
              }
            }
          ).pipe(Effect.provide(alone))
          const origin = yield* raw((socket) => {
            socket.write(`HTTP/1.1 200 OK\r\n${length}Connection: close\r\n\r\n`)
            socket.write(body, () => (event === "end" ? socket.end() : setTimeout(() => socket.resetAndDestroy(), 100)))
          })
          const { body: stream } = yield* Effect.promise(() =>
            agent().request({
              origin,
              path: "/",
              method: text === undefined ? "GET" : "POST",
              ...(text === undefined ? {} : { body: Readable.from([text]) })
            })
          )
          yield* Deferred.await(over)
          const size = yield* Effect.either(Effect.tryPromise(async () => (await stream.arrayBuffer()).byteLength))
          if (event === "end") expect(size).toEqual(Either.right(body.length))
          else expect(size._tag === "Left" || size.right === body.length).toBe(true)
        }
      }
    }
  )

  it.scoped("cannot pass half of a body without a length for the whole by a reset of its connection", function* () {
    let reset = () => {}
    const origin = yield* raw((socket) => {
      reset = () => void socket.resetAndDestroy()
      socket.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<p>Half of")
    })
    const agent = yield* makeAgent({ networks: networks("127.0.0.0/8"), origins: new Set() }, { verifyTls: true }).pipe(
      Effect.provide(alone)
    )
    const { body } = yield* Effect.promise(() => agent().request({ origin, path: "/", method: "GET" }))
    const end = yield* Effect.async<unknown>((resume) => {
      body.once("data", () => reset())
      body.once("end", () => resume(Effect.succeed("the end")))
      body.once("error", (cause) => resume(Effect.succeed(cause)))
    })
    expect(connectionFailure(new URL(origin), end)).toMatchObject({ code: "SCRAPE_CONNECTION_ERROR" })
    expect(connectionFailure(new URL(origin), end).message).toContain("(ECONNRESET): the site closed it before")
    expect(isDropped(end)).toBe(true)
  })

  it("cannot make an assertion of the executable parse its source, which takes seconds in a bundle", () => {
    const folder = dirname(program("bin"))
    const texts = readdirSync(folder)
      .filter((name) => /^(bin|chunk-.*|late-.*|.*-thread|parse-child)\.c?js$/.test(name))
      .map((name) => readFileSync(join(folder, name), "utf8"))
    expect(texts.some((text) => text.includes("an assertion does not hold"))).toBe(true)
    expect(texts.filter((text) => /(?:require\(|from ?)"(?:node:)?assert"/.test(text))).toEqual([])
  })

  it.scoped("fails at its own deadline if its name never resolves", function* () {
    const asked = yield* Deferred.make<void>()
    const slow = Fetch.layerWith({
      lookup: () => void Deferred.unsafeDone(asked, Effect.void),
      connect: ({ lookup }) => buildConnector({ lookup, timeout: 600_000 })
    }).pipe(Layer.provide([guard(), alone]))
    const fiber = yield* Effect.fork(Effect.flip(Effect.provide(get("http://slow.test/", { timeout: 200 }), slow)))
    yield* Deferred.await(asked)
    expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "TimedOut", code: "SCRAPE_TIMEOUT" })
  })

  it.scoped("cannot redirect to a private address: refused before any connection", function* () {
    const targets = [
      "192.0.2.1",
      "169.254.169.254",
      "10.0.0.1",
      "[fd00::1]",
      "0x0a000001",
      "[::ffff:10.0.0.1]",
      "inside.test"
    ]
    const dialled: Array<string> = []
    const layer = Fetch.layerWith({
      lookup: (_hostname, _options, callback) => callback(null, [{ address: "192.0.2.7", family: 4 }]),
      connect: ({ lookup }) => {
        const connect = buildConnector({ lookup, timeout: 1_000 })
        return (options, callback) => {
          dialled.push(options.hostname)
          connect(options, callback)
        }
      }
    }).pipe(Layer.provide([guard("127.0.0.0/8"), alone]))
    const origin = yield* pages(
      Object.fromEntries(
        targets.map((host, at) => [
          `/${at}`,
          (_, response) => void response.writeHead(302, { location: `http://${host}/secret` }).end()
        ])
      )
    )
    for (const at of targets.keys()) {
      const failure = yield* Effect.flip(Effect.provide(get(`${origin}/${at}`), layer))
      expect(failure, targets[at]).toMatchObject({ _tag: "Forbidden", code: "SSRF_BLOCKED" })
    }
    // A name is passed to the connector, and refused by its addresses.
    expect(new Set(dialled)).toEqual(new Set(["127.0.0.1", "inside.test"]))
  })
})

/** Redirects requests without a cookie, and sets one. */
const wall: Answer = (request, response) => {
  const { cookie = "" } = request.headers
  if (cookie.includes("consent=yes")) response.end(`<p>Welcome: ${cookie}</p>`)
  else response.writeHead(302, { location: "/", "set-cookie": ["consent=yes; Path=/", "seen=1; HttpOnly"] }).end()
}

describe("A cookie wall", () => {
  it.scoped(
    "is passed by a fetch that returns its cookie, next to the cookies of the request",
    fetchLayer,
    function* () {
      const origin = yield* pages({ "/": wall })
      expect(text(yield* get(origin))).toContain("Welcome: consent=yes; seen=1")
      expect(text(yield* get(origin, { headers: { Cookie: "mine=2" } }))).toContain("mine=2; consent=yes; seen=1")
    }
  )

  it.scoped("gets no cookies of an earlier fetch", fetchLayer, function* () {
    const seen: Array<string | undefined> = []
    const origin = yield* pages({
      "/": (request, response) => {
        seen.push(request.headers.cookie)
        wall(request, response)
      }
    })
    yield* get(origin)
    yield* get(origin)
    expect(seen).toEqual([undefined, "consent=yes; seen=1", undefined, "consent=yes; seen=1"])
  })

  it.scoped("that requires a new cookie each time fails", fetchLayer, function* () {
    let asked = 0
    const origin = yield* pages({
      "/": (_, response) => void response.writeHead(302, { location: "/", "set-cookie": `turn=${++asked}` }).end()
    })
    expect(yield* Effect.flip(get(origin))).toMatchObject({ code: "SCRAPE_REDIRECT_ERROR" })
    expect(asked).toBe(11)
  })

  it("gets back a bounded number of cookies", () => {
    const cookies = new Cookies()
    const url = new URL("http://a.test/")
    for (const turn of [1, 2]) {
      cookies.read(
        url,
        Array.from({ length: 1_000 }, (_, at) => `n${turn}-${at}=x`)
      )
    }
    expect(cookies.header(url)?.split("; ")).toHaveLength(180)
  })

  it("gets back no long cookies, and no more than 64 KB of short ones", () => {
    const cookies = new Cookies()
    const url = new URL("http://a.test/")
    const attributes = `; Path=/; Comment=${"c".repeat(2_000)}`
    cookies.read(url, [`long=${"x".repeat(4_092)}${attributes}`, `fits=${"x".repeat(4_091)}${attributes}`])
    expect(cookies.header(url)?.slice(0, 6)).toBe("fits=x")
    cookies.read(
      url,
      Array.from({ length: 100 }, (_, at) => `n${at}=${"x".repeat(4_000)}`)
    )
    cookies.read(url, "last=1")
    const header = cookies.header(url) ?? ""
    expect(header.length).toBeGreaterThan(60 * 1024)
    expect(header.length).toBeLessThanOrEqual(64 * 1024)
    expect(header).toMatch(/; last=1$/)
  })
})

const crawlOf = (call: ReturnType<typeof caller>, url: string, more: object = {}) =>
  Effect.gen(function* () {
    const started = yield* call.post("/v2/crawl", { url, limit: 20, sitemap: "skip", ignoreRobotsTxt: true, ...more })
    return yield* drain(call, `/v2/crawl/${started.json.id}`)
  })

/** An endless calendar: every day links to fifty others. */
const calendar = (path: string) =>
  page(
    path,
    Array.from({ length: 50 }, (_, at) => `${path === "/" ? "" : path}/${at}`)
  )

describe("A crawl", () => {
  it.scopedLive("ends at its limit in an endless calendar", function* () {
    const endless = yield* site(calendar)
    const { baseUrl } = yield* engine()
    const { last, data } = yield* crawlOf(caller(baseUrl, keys.first), endless.url)
    expect(last).toMatchObject({ status: "completed", completed: 20 })
    expect(data).toHaveLength(20)
    expect(endless.requests).toHaveLength(20)
  })

  it.scopedLive.skipIf(skipsLong)("handles a page of 40,000 links without blocking other requests", function* () {
    const links = Array.from({ length: 40_000 }, (_, at) => `/n/${at}`)
    const many = yield* site((path) => (path === "/" ? page("Many", links) : page(path, [])))
    const { baseUrl } = yield* engine()
    const call = caller(baseUrl, keys.first)
    const begin = performance.now()
    const crawling = yield* Effect.fork(crawlOf(call, many.url, { limit: 5, scrapeOptions: { formats: ["links"] } }))
    let [answered, longest] = [0, 0]
    while ((yield* Fiber.status(crawling))._tag !== "Done") {
      const asked = performance.now()
      yield* call.get("/health")
      answered += 1
      longest = Math.max(longest, performance.now() - asked)
    }
    const { last, data } = yield* Fiber.join(crawling)
    expect(last).toMatchObject({ status: "completed", completed: 5 })
    expect(data).toHaveLength(5)
    expect(answered).toBeGreaterThan(20)
    expect(longest).toBeLessThan((performance.now() - begin) / 2)
  })

  it.scopedLive.skipIf(skipsLong)(
    "of a healthy site is complete while hostile ones are crawled at the same time",
    function* () {
      const healthy = yield* site((path) =>
        path === "/"
          ? page(
              "Start",
              Array.from({ length: 15 }, (_, at) => `/p/${at}`)
            )
          : page(path, [])
      )
      const hostile: ReadonlyArray<Site | string> = [
        yield* site(calendar),
        // A decompression bomb, a page in an invalid charset, an image labelled as a page, a page labelled as an image.
        yield* site((path) =>
          path === "/"
            ? page("Hostile", ["/bomb", "/charset", "/image", "/page.html"])
            : path === "/bomb"
              ? {
                  headers: { "content-type": "text/html", "content-encoding": "gzip" },
                  body: bomb
                }
              : path === "/charset"
                ? {
                    headers: { "content-type": "text/html; charset=klingon" },
                    body: Buffer.from([0x3c, 0x70, 0x3e, 0xff, 0xfe, 0x80])
                  }
                : path === "/image"
                  ? { headers: { "content-type": "text/html" }, body: Buffer.from("\x89PNG\r\n\x1a\n\0\0\0", "latin1") }
                  : { headers: { "content-type": "image/png" }, body: "<p>A page</p>" }
        ),
        yield* site(() => ({ status: 302, headers: { location: `/${Math.random()}` } })),
        yield* raw((socket) => socket.end("\u0000 nonsense\r\n\r\n")),
        yield* raw(() => undefined)
      ]
      const { baseUrl } = yield* engine()
      const call = caller(baseUrl, keys.first)
      const scrapeOptions = { timeout: 2_000 }
      const [whole, ...others] = yield* Effect.all(
        [
          crawlOf(call, healthy.url),
          ...hostile.map((each) => crawlOf(call, typeof each === "string" ? each : each.url, { scrapeOptions }))
        ],
        { concurrency: "unbounded" }
      )
      expect(whole?.last).toMatchObject({ status: "completed", total: 16, completed: 16 })
      expect(others.map(({ last }) => last.status)).toEqual(["completed", "completed", "failed", "failed", "failed"])
      // Of the second site: its start page, the broken charset, and the image read as the text it is labelled as.
      expect(others[1]?.last).toMatchObject({ total: 5 })
    }
  )
})
