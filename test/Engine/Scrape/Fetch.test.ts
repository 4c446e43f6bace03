import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { buildConnector } from "undici"
import { Fetch, type FetchRequest, layerWith } from "../../../src/Engine/Fetch/Fetch.ts"
import { connectionFailure } from "../../../src/Engine/Fetch/FetchFailure.ts"
import { firstValues } from "../../../src/Engine/Fetch/Headers.ts"
import type { Fetched } from "../../../src/Engine/PageCache/PageSource.ts"
import { Owner } from "../../../src/Engine/Teams/FairQueue.ts"
import * as PageMemory from "../../../src/Engine/Teams/PageMemory.ts"
import { describe, expect, it } from "../../It.ts"
import { skipsLong } from "../../Long.ts"
import { alone, reserved } from "../Alone.ts"
import { type Answer, fetchLayer, fetchLayerWith, guard, pages, serve } from "./Site.ts"

const get = (url: string, more: Partial<FetchRequest> = {}) =>
  Effect.flatMap(Fetch, (fetch) => fetch.get({ url, timeout: 5_000, ...more }))

const text = (body: Uint8Array) => Buffer.from(body).toString("utf8")

const encoded =
  (encoding: string, body: Uint8Array): Answer =>
  (_, response) =>
    void response.writeHead(200, { "content-encoding": encoding }).end(body)

const redirect =
  (location: string): Answer =>
  (_, response) =>
    void response.writeHead(302, { location }).end()

/** Takes every name for one of this machine. */
const named = layerWith({
  lookup: (_name, _options, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]),
  connect: ({ lookup }) => buildConnector({ lookup })
}).pipe(Layer.provide([guard("127.0.0.0/8"), alone]))

describe("Fetch", () => {
  it.scoped("returns any response, errors included", fetchLayer, function* () {
    const origin = yield* pages({ "/broken": (_, response) => void response.writeHead(500).end("no") })
    expect((yield* get(`${origin}/missing`)).statusCode).toBe(404)
    const broken = yield* get(`${origin}/broken`)
    expect(broken.statusCode).toBe(500)
    expect(text(broken.body)).toBe("no")
  })

  it.scoped("sends its own user agent or the given one, and the headers of the request", fetchLayer, function* () {
    const origin = yield* pages({ "/": (request, response) => void response.end(JSON.stringify(request.headers)) })
    const own = JSON.parse(text((yield* get(origin)).body))
    expect(own["user-agent"]).toMatch(/^Sluice\//)
    const { body } = yield* get(origin, {
      userAgent: "Heron/2",
      headers: { "X-Colour": "green", Host: "elsewhere.test", "Content-Length": "5" }
    })
    const given = JSON.parse(text(body))
    expect(given).toMatchObject({ "user-agent": "Heron/2", "x-colour": "green", host: new URL(origin).host })
    expect(given).not.toHaveProperty("content-length")
  })

  it.scoped("decodes gzip, brotli, both kinds of deflate, and several codings", fetchLayer, function* () {
    const plain = Buffer.from("<p>Grüße</p>".repeat(100))
    const origin = yield* pages({
      "/gzip": encoded("gzip", gzipSync(plain)),
      "/br": encoded("br", brotliCompressSync(plain)),
      "/deflate": encoded("deflate", deflateSync(plain)),
      "/raw": encoded("deflate", deflateRawSync(plain)),
      "/both": encoded("gzip, br", brotliCompressSync(gzipSync(plain))),
      "/checksum": encoded("gzip", gzipSync(plain).subarray(0, -8)),
      "/trailing": encoded("gzip", Buffer.concat([gzipSync(plain), Buffer.from("<!-- x -->")])),
      "/zlib-checksum": encoded("deflate", deflateSync(plain).subarray(0, -4))
    })
    for (const path of ["gzip", "br", "deflate", "raw", "both", "checksum", "trailing", "zlib-checksum"]) {
      expect(text((yield* get(`${origin}/${path}`)).body), path).toBe(plain.toString())
    }
  })

  it.scoped("refuses unknown codings, wrong ones, and too many of them", fetchLayer, function* () {
    const origin = yield* pages({
      "/zstd": encoded("zstd", Buffer.from("x")),
      "/lie": encoded("gzip", Buffer.from("this is not gzip")),
      "/deep": encoded("gzip, gzip, gzip, gzip", Buffer.from("x"))
    })
    for (const path of ["zstd", "lie", "deep"]) {
      const failure = yield* Effect.flip(get(`${origin}/${path}`))
      expect(failure, path).toMatchObject({ _tag: "Unprocessable", code: "SCRAPE_ENCODING_ERROR" })
    }
  })

  it.scoped("limits the bytes received and the bytes decompressed", fetchLayer, function* () {
    const origin = yield* pages({
      "/long": "x".repeat(20_000),
      "/bomb": encoded("gzip", gzipSync(Buffer.alloc(5_000_000)))
    })
    const long = yield* Effect.flip(get(`${origin}/long`, { maxBytes: 10_000 }))
    const bomb = yield* Effect.flip(get(`${origin}/bomb`, { maxBytes: 1_000_000 }))
    for (const failure of [long, bomb]) {
      expect(failure).toMatchObject({ _tag: "TooLarge", code: "SCRAPE_TOO_LARGE" })
    }
  })

  it.scoped("follows redirects, without sending secrets to other origins", fetchLayer, function* () {
    const other = yield* pages({ "/": (request, response) => void response.end(JSON.stringify(request.headers)) })
    const origin = yield* pages({ "/": redirect("/next"), "/next": redirect(`${other}/`) })
    const { url, body } = yield* get(origin, {
      headers: { Authorization: "Bearer x", "X-Api-Key": "y", "Accept-Language": "fi" }
    })
    expect(url).toBe(`${other}/`)
    const headers = JSON.parse(text(body))
    expect(headers).not.toHaveProperty("authorization")
    expect(headers).not.toHaveProperty("x-api-key")
    expect(headers["accept-language"]).toBe("fi")
  })

  it.scoped("returns the URL of a page without user name and password, and never sends them", fetchLayer, function* () {
    const origin = yield* pages({
      "/": (request, response) => void response.end(`${request.headers.authorization}`),
      "/old": (_, response) => void response.writeHead(302, { location: `//me:hush@${new URL(origin).host}/` }).end()
    })
    const open = origin.replace("//", "//me:hush@")
    for (const path of ["/", "/old"]) {
      const { body, url } = yield* get(open + path)
      expect([url, text(body)]).toEqual([`${origin}/`, "undefined"])
    }
  })

  it.scoped.skipIf(skipsLong)(
    "returns large bodies complete and releases their memory: more of them than fit at once",
    fetchLayer,
    function* () {
      const large = Buffer.from(Array.from({ length: 300_000 }, (_, n) => `heron ${n}`).join(" "))
      const origin = yield* pages({
        "/plain": (_, response) => void response.end(large),
        "/packed": encoded("gzip", gzipSync(large))
      })
      const sizes = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? "plain" : "packed")),
        (path) => Effect.scoped(Effect.map(get(`${origin}/${path}`), ({ body }) => large.equals(body))),
        { concurrency: 12 }
      )
      expect(sizes).toEqual(Array.from({ length: 12 }, () => true))
    }
  )

  it.scoped(
    "hands a visitor over to another host of the site and back, and sends cookies where they belong",
    function* () {
      const seen: Array<string> = []
      const origin = yield* serve(({ headers, url }, response) => {
        const { cookie, host = "" } = headers
        const [name = "", port = ""] = host.split(":")
        const send = (location: string, cookies: ReadonlyArray<string> = []) =>
          void response.writeHead(302, { location, "set-cookie": [...cookies] }).end()
        seen.push(`${name}${url} ${cookie ?? "-"}`)
        if (name === "id.portal.example") {
          send(`http://www.portal.example:${port}/`, [
            "session=1; Domain=.portal.example; Path=/",
            "deep=1; Domain=portal.example; Path=/deep",
            "here=1",
            "tls=1; Domain=portal.example; Path=/; Secure",
            "gone=1; Domain=portal.example; Path=/",
            "gone=; Domain=portal.example; Path=/; Max-Age=0",
            "sibling=1; Domain=www.portal.example; Path=/",
            "suffix=1; Domain=example; Path=/",
            "foreign=1; Domain=mill.example; Path=/"
          ])
        } else if (name !== "www.portal.example") response.end("the mill")
        else if (cookie === undefined) send(`http://id.portal.example:${port}/enter`, ["own=1; Path=/"])
        else if (!cookie.includes("session=1")) send(`http://id.portal.example:${port}/enter`)
        else if (url === "/") send("/deep/page")
        else send(`http://mill.example:${port}/`)
      })
      const { port } = new URL(origin)
      const { body } = yield* Effect.provide(get(`http://www.portal.example:${port}/`), named)
      expect(text(body)).toBe("the mill")
      expect(seen).toEqual([
        "www.portal.example/ -",
        "id.portal.example/enter -",
        "www.portal.example/ own=1; session=1",
        "www.portal.example/deep/page deep=1; own=1; session=1",
        "mill.example/ -"
      ])
    }
  )

  it.scoped("judges origins against the site that the headers are meant for", fetchLayer, function* () {
    const echo: Answer = (request, response) => void response.end(JSON.stringify(request.headers))
    const [home, foreign] = [yield* pages({ "/": echo }), yield* pages({ "/": echo })]
    const given = { headers: { "X-Api-Key": "y" }, headersFor: `${home}/start` }
    expect(JSON.parse(text((yield* get(home, given)).body))).toHaveProperty("x-api-key", "y")
    expect(JSON.parse(text((yield* get(foreign, given)).body))).not.toHaveProperty("x-api-key")
  })

  it.scoped("fails on redirect loops, too many redirects and other schemes", fetchLayer, function* () {
    let hops = 0
    const origin = yield* pages({
      "/a": redirect("/b"),
      "/b": redirect("/a"),
      "/endless": (_, response) => void response.writeHead(302, { location: `/endless?${++hops}` }).end(),
      "/file": redirect("file:///etc/passwd"),
      "/nowhere": redirect("http://")
    })
    for (const path of ["a", "endless", "file", "nowhere"]) {
      const failure = yield* Effect.flip(get(`${origin}/${path}`))
      expect(failure, path).toMatchObject({ _tag: "Unprocessable", code: "SCRAPE_REDIRECT_ERROR" })
    }
    expect(hops).toBe(11)
  })

  it.scoped("requests the bytes of a redirect as the site wrote them, in UTF-8 or not", fetchLayer, function* () {
    for (const [written, path] of [
      ["/caf\xe9", "/caf%E9"],
      ["/caf\xc3\xa9", "/caf%C3%A9"]
    ] as const) {
      const origin = yield* pages({ "/": redirect(written), [path]: "here" })
      expect(yield* get(origin)).toMatchObject({ url: origin + path, statusCode: 200 })
    }
    expect(firstValues({ link: ["</a>; rel=up", "</\xfc>; rel=next"], refresh: "0; url=/\xfc" })).toEqual({
      link: "</a>; rel=up\n</%FC>; rel=next",
      refresh: "0; url=/%FC"
    })
  })

  it.scoped(
    "asks before each redirect and refresh whether it may be followed; if not, it sends no request",
    fetchLayer,
    function* () {
      const sent: Array<string | undefined> = []
      const origin = yield* serve((request, response) => {
        sent.push(request.url)
        if (request.url === "/a") response.writeHead(302, { location: "/b" })
        response.end()
      })
      const refreshOf = ({ url }: Fetched) => (url.endsWith("/b") ? `${origin}/c` : undefined)
      for (const end of ["/b", "/c", "/d"]) {
        const asked: Array<string> = []
        const mayFollow = async (_: unknown, url: string) => {
          asked.push(url.slice(origin.length))
          return !url.endsWith(end)
        }
        const result = yield* Effect.either(get(`${origin}/a`, { refreshOf, mayFollow }))
        const followed = ["/a", "/b", "/c"]
        const at = followed.indexOf(end)
        expect(sent.splice(0)).toEqual(at === -1 ? followed : followed.slice(0, at))
        expect(asked).toEqual(at === -1 ? followed.slice(1) : followed.slice(1, at + 1))
        expect(result).toMatchObject(at === -1 ? { _tag: "Right" } : { left: { code: "SCRAPE_REDIRECT_ERROR" } })
      }
    }
  )

  it.scoped("stops a slow body at the deadline", fetchLayer, function* () {
    const started = yield* Deferred.make<void>()
    const gone = yield* Deferred.make<void>()
    const origin = yield* pages({
      "/": (_, response) => {
        response.writeHead(200).write("<p>")
        response.on("close", () => Deferred.unsafeDone(gone, Effect.void))
        Deferred.unsafeDone(started, Effect.void)
      }
    })
    const fiber = yield* Effect.fork(Effect.flip(get(origin, { timeout: 200 })))
    yield* Deferred.await(started)
    expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "TimedOut", code: "SCRAPE_TIMEOUT" })
    yield* Deferred.await(gone)
  })

  it.scoped("explains why a site cannot be reached", fetchLayer, function* () {
    const origin = yield* pages({
      "/cut": (_, response) => {
        response.writeHead(200, { "content-length": "1000" }).write("part")
        setImmediate(() => response.destroy())
      },
      "/silent": (_, response) => void response.destroy()
    })
    const gone = yield* Effect.scoped(pages({}))
    for (const url of [`${origin}/cut`, `${origin}/silent`, gone]) {
      expect(yield* Effect.flip(get(url)), url).toMatchObject({
        _tag: "Unprocessable",
        code: "SCRAPE_CONNECTION_ERROR"
      })
    }
    expect((yield* Effect.flip(get(gone))).message).toContain("(ECONNREFUSED): nothing listens there. Check")
    expect((yield* Effect.flip(get(`${origin}/silent`))).message).toContain("closed it before its answer was complete")
    const plain = yield* Effect.flip(get(origin.replace("http:", "https:")))
    expect(plain).toMatchObject({ _tag: "Unprocessable", code: "SCRAPE_SSL_ERROR" })
    const name = yield* Effect.flip(get("http://nowhere.invalid/"))
    expect(name).toMatchObject({ _tag: "Unprocessable", code: "SCRAPE_DNS_RESOLUTION_ERROR" })
  })

  it("reports a connection that timed out as a timeout, not as a failed connection", () => {
    const cause = Object.assign(new Error("read ETIMEDOUT"), { code: "ETIMEDOUT" })
    expect(connectionFailure(new URL("http://x.example/"), cause)).toMatchObject({
      _tag: "TimedOut",
      code: "SCRAPE_TIMEOUT"
    })
  })

  it.scoped("retries when a connection drops before the response", fetchLayer, function* () {
    let asked = 0
    const origin = yield* pages({
      "/": (_, response) => void (++asked < 3 ? response.destroy() : response.end("at last"))
    })
    expect(text((yield* get(origin)).body)).toBe("at last")
  })

  it.scoped("refuses invalid headers", fetchLayer, function* () {
    const origin = yield* pages({})
    expect((yield* Effect.flip(get(origin, { headers: { "bad name": "x" } })))._tag).toBe("BadRequest")
    expect((yield* Effect.flip(get("ftp://127.0.0.1/")))._tag).toBe("BadRequest")
  })

  it.scopedLive("reports a page that waited too long for memory as short memory, not as a slow site", function* () {
    const origin = yield* pages({ "/": (_, response) => void response.end(Buffer.alloc(3_000_000)) })
    const pool = PageMemory.make({ capacity: 1_000_000, perTeam: 1_000_000, perHost: 1_000_000 })
    yield* (yield* reserved(pool, { team: "a", host: "x" })).grow(1_000_000)
    const failure = yield* Effect.flip(get(origin, { timeout: 300 })).pipe(
      Effect.provideService(Owner, "a"),
      Effect.provide(fetchLayerWith(Layer.succeed(PageMemory.PageMemory, pool)))
    )
    expect(failure).toMatchObject({ _tag: "TimedOut", code: "SCRAPE_TIMEOUT" })
    expect(failure.message).toContain("there was no memory for it within 300 ms")
    expect(failure.message).not.toContain("slow")
  })
})
