/** An engine with its default settings, asked in every way to visit this machine: it never dials. */

import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import * as HttpApi from "@effect/platform/HttpApi"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { Api } from "../../src/Api.ts"
import * as Installed from "../Engine/Render/Installed.ts"
import { describe, expect, it, layer } from "../It.ts"
import { type Caller, caller, drain, engine, keys, page, type Reply, type Site, site, tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { share } from "../Repetitions.ts"

/** A port of this machine that must not be reached; counts connections. */
const canary = Effect.acquireRelease(
  Effect.async<{ readonly port: number; readonly knocks: () => number; readonly close: () => void }>((resume) => {
    let knocks = 0
    const server = createServer((socket: Socket) => {
      knocks++
      socket.destroy()
    })
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      // Counts every connection.
      connect(port, "127.0.0.1").once("close", () => {
        const heard = knocks
        resume(
          Effect.succeed({
            port,
            knocks: () => (heard === 1 ? knocks - heard : Number.NaN),
            close: () => server.close()
          })
        )
      })
    })
  }),
  ({ close }) => Effect.sync(close)
)

/** Every way to write this machine that leads to the canary on a machine that allows it. */
const hosts = [
  ...["127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "017700000001", "0x7f.1"],
  ...["127.0.0.1.", "①②⑦.⓪.⓪.①", "１２７。0。0。1", "%31%32%37.0.0.1", "0.0.0.0", "0", "127.0.0.2"],
  ...["localhost", "LocalHost", "ⓛocalhost", "user:password@127.0.0.1", "public.example@localhost"],
  ...["[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]"],
  ...["[2002:7f00:1::]", "[::ffff:0:7f00:1]", "[0:0:0:0:0:ffff:7f00:0001]"]
]

/** Elsewhere, and as private: verdicts alone, for nothing listens there. */
const elsewhere = [
  ...["10.0.0.1", "172.16.0.1", "192.168.0.1", "169.254.169.254", "100.100.100.200", "192.0.2.1", "198.18.0.1"],
  ...["224.0.0.1", "255.255.255.255", "[fc00::1]", "[fe80::1]", "[fd00:ec2::254]", "[2001:db8::1]", "[ff02::1]"]
]

interface Place {
  readonly call: Caller
  readonly knocks: () => number
  /** Addresses that lead to the canary, and to other private places. */
  readonly urls: ReadonlyArray<string>
  /** A site that is allowed as one origin, and that leads on to `urls`. */
  readonly door: Site
}

class Ground extends Context.Tag("sluice/test/contract/Ground")<Ground, Place>() {}

const style = (url: string) => `<link rel="stylesheet" href="${url}"><link rel="icon" href="${url}">`

/** A page whose every reference leads to a private place. */
const trap = (urls: ReadonlyArray<string>) =>
  `<!doctype html><html><head><title>Trap</title><base href="${urls[0]}">${urls.map(style).join("")}` +
  `</head><body><main><h1>Trap</h1>${urls
    .map((url) => `<p><a href="${url}">on</a><img src="${url}"><iframe src="${url}"></iframe></p>`)
    .join("")}<script>for (const url of ${JSON.stringify(urls)}) {
      fetch(url).catch(() => 0); new Image().src = url; navigator.sendBeacon(url, "x"); new EventSource(url)
      try { new WebSocket(url.replace("http", "ws")) } catch {}
    }
    new Worker(location.origin + "/worker.js"); navigator.serviceWorker.register(location.origin + "/worker.js").catch(() => 0)
    </script>` +
  `</main></body></html>`

const ground = Layer.scoped(
  Ground,
  Effect.gen(function* () {
    const { knocks, port } = yield* canary
    const urls = [...hosts.map((host) => `http://${host}:${port}/`), ...elsewhere.map((host) => `http://${host}/`)]
    const door = yield* site((path) => {
      if (path === "/robots.txt") {
        return { headers: { "content-type": "text/plain" }, body: urls.map((url) => `Sitemap: ${url}`).join("\n") }
      }
      if (path === "/trap" || path === "/stay") return trap(share(urls, 7, 5))
      if (path === "/refresh") return `<meta http-equiv="refresh" content="0; url=${urls[0]}">`
      if (path === "/worker.js") {
        const body = `for (const url of ${JSON.stringify(share(urls, 7, 6))}) {
          fetch(url).catch(() => 0); try { new WebSocket(url.replace("http", "ws")) } catch {} }`
        return { headers: { "content-type": "text/javascript" }, body }
      }
      const [, kind, at] = /^\/(\d{3})\/(\d+)/.exec(path) ?? []
      if (kind !== undefined) return { status: Number(kind), headers: { location: urls[Number(at)] ?? "/" } }
      return path === "/" || path === "/sitemap.xml" ? page("Door", urls) : undefined
    })
    const { baseUrl } = yield* engine({
      allowNetworks: undefined,
      allowOrigins: [door.origin],
      chromium: Installed.chromium,
      chromiumSandbox: Installed.chromiumSandbox
    }).pipe(Logger.withMinimumLogLevel(LogLevel.Error))
    return { call: caller(baseUrl, keys.first), knocks, urls, door }
  })
)

const refusal = { status: 403, json: { success: false, code: "SSRF_BLOCKED" } }

/** Reads a job to its end: every page failed for that reason, and is listed with it. */
const allBlocked = (call: Caller, started: Reply, kind: string, count: number) =>
  Effect.gen(function* () {
    expect(started.status, started.text).toBe(200)
    const path = `${kind}/${started.json.id}`
    const { data, last } = yield* drain(call, path)
    expect(last).toMatchObject({ total: count, completed: 0, creditsUsed: 0 })
    for (const { metadata } of data) expect(metadata.error).toContain("not on the public internet")
    const { errors } = (yield* call.get(`${path}/errors`)).json
    expect(errors.map(({ code }: { readonly code: string }) => code)).toEqual(Array(count).fill("SSRF_BLOCKED"))
  })

/** Calls by which an engine fetches pages, which the tests below make. */
const fetching = ["/v2/scrape", "/v1/scrape", "/v2/map", "/v1/map", "/v2/search"]
const starting = ["/v2/crawl", "/v1/crawl", "/v2/batch/scrape", "/v1/batch/scrape"]

/** Calls without an address, or that hand it to `map` (previews) or to the browser behind `Render/Gateway`, which has tests of its own. */
const others = ["/v2/parse", "/v2/crawl/params-preview", "/v2/browser", "/v2/browser/:id/execute", "/v2/browser/login"]

describe("calls that may fetch pages", () => {
  it("are all known here: a new one is tested below, too", () => {
    const paths: Array<string> = []
    HttpApi.reflect(Api as unknown as HttpApi.HttpApi.AnyWithProps, {
      onGroup: () => undefined,
      onEndpoint: ({ endpoint }) => {
        if (endpoint.method === "POST") paths.push(endpoint.path)
      }
    })
    expect(paths.sort()).toEqual([...fetching, ...starting, ...others].sort())
  })
})

layer(ground, { excludeTestServices: true })("an engine without settings for private networks", (it) => {
  const at = (url: string) => `for ${url}`

  it.effect("refuses them to a scrape, in both versions, whatever is asked of the page", function* () {
    const { call, knocks, urls } = yield* Ground
    for (const url of urls) {
      expect(yield* call.post("/v2/scrape", { url }), at(url)).toMatchObject(refusal)
    }
    for (const url of share(urls, 7)) {
      const file = `${url.replace(/^http:/, "https:")}a.pdf`
      const other = { url: file, skipTlsVerification: true, mobile: false, headers: { host: "public.example" } }
      expect(yield* call.post("/v1/scrape", other), at(file)).toMatchObject(refusal)
    }
    expect(knocks()).toBe(0)
  })

  // `npm test` takes every address once, above; each of the ways below takes some of them.
  it.effect("refuses them to a map, in both versions", function* () {
    const { call, knocks, urls } = yield* Ground
    for (const url of share(urls, 7, 1)) {
      expect(yield* call.post("/v2/map", { url }), at(url)).toMatchObject(refusal)
      expect(yield* call.post("/v1/map", { url, ignoreSitemap: true }), at(url)).toMatchObject(refusal)
    }
    expect((yield* call.post("/v2/map", { url: urls[0], sitemap: "only" })).json.links ?? []).toEqual([])
    expect(knocks()).toBe(0)
  })

  it.effect("refuses them to a batch and to a crawl: every page is an error of the job", function* () {
    const { call, knocks, urls } = yield* Ground
    const batch = yield* call.post("/v2/batch/scrape", { urls })
    yield* allBlocked(call, batch, "/v2/batch/scrape", new Set(urls.map((url) => new URL(url).host)).size)
    for (const [index, url] of share(urls, 7, 2).entries()) {
      const version = `/v${(index % 2) + 1}/crawl`
      const sitemap = ["include", "skip"][index % 2]
      yield* allBlocked(call, yield* call.post(version, { url, sitemap, ignoreRobotsTxt: true }), version, 1)
    }
    expect(knocks()).toBe(0)
  })

  it.effect("tells no webhook there", function* () {
    const { call, door, knocks, urls } = yield* Ground
    for (const url of [...share(urls, 7, 3), ...urls.filter((url) => url.includes("localhost"))]) {
      const started = yield* call.post("/v2/batch/scrape", { urls: [`${door.url}/`], webhook: { url } })
      const isName = /localhost/i.test(new URL(url).hostname) && new URL(url).username === ""
      // A name is judged by what it resolves to, when something is delivered.
      if (!isName)
        expect(started, at(url)).toMatchObject({ status: 400, json: { details: [{ path: ["webhook.url"] }] } })
      else yield* drain(call, `/v2/batch/scrape/${started.json.id}`)
    }
    yield* Effect.sleep("100 millis")
    expect(knocks()).toBe(0)
  })

  it.effect("does not follow a redirect there, from a site that it may visit", function* () {
    const { call, door, knocks, urls } = yield* Ground
    for (const [index, url] of urls.entries()) {
      // A header holds no other letters.
      if (/[^ -~]/.test(url) || !share(urls, 7, 2).includes(url)) continue
      const status = [301, 302, 303, 307, 308][index % 5]
      const from = `${door.url}/${status}/${index}`
      expect(yield* call.post("/v2/scrape", { url: from }), at(url)).toMatchObject(refusal)
      expect(yield* call.post("/v2/map", { url: from, sitemap: "skip" }), at(url)).toMatchObject(refusal)
    }
    const all = [...Array(4).keys()].map((index) => `${door.url}/302/${index}`)
    yield* allBlocked(call, yield* call.post("/v1/batch/scrape", { urls: all }), "/v1/batch/scrape", all.length)
    expect(knocks()).toBe(0)
  })

  it.effect.skipIf(skipsLong)("does not follow links, sitemaps, styles and pictures there", function* () {
    const { call, door, knocks, urls } = yield* Ground
    const crawl = yield* call.post("/v2/crawl", { url: door.url, allowExternalLinks: true, allowSubdomains: true })
    const { data, last } = yield* drain(call, `/v2/crawl/${crawl.json.id}`)
    expect(last).toMatchObject({ status: "completed", completed: 1 })
    expect(data.length).toBeGreaterThan(10)
    expect((yield* call.post("/v2/map", { url: door.url })).status).toBe(200)
    const formats = ["markdown", "images", "branding", "links", "rawHtml"]
    expect((yield* call.post("/v2/scrape", { url: `${door.url}/trap`, formats })).status).toBe(200)
    expect(yield* call.post("/v2/scrape", { url: `${door.url}/refresh` })).toMatchObject(refusal)
    const form = new FormData()
    form.append("options", JSON.stringify({ formats: ["markdown", "images", "links", "html"] }))
    form.append("file", new Blob([trap(urls)]), "trap.html")
    expect((yield* call.send("/v2/parse", { method: "POST", body: form })).status).toBe(200)
    expect(knocks()).toBe(0)
  })

  it.effect.skipIf(Installed.isMissing || skipsLong)(
    "shows no browser the way there",
    function* () {
      const { call, door, knocks, urls } = yield* Ground
      const seen = yield* call.post("/v2/scrape", {
        url: `${door.url}/trap`,
        formats: ["markdown", "screenshot"],
        waitFor: 300,
        timeout: 120_000,
        actions: [{ type: "executeJavascript", script: `location.href = ${JSON.stringify(urls[0])}` }]
      })
      // A busy machine may not show it in time.
      expect([200, 403, 408]).toContain(seen.status)
      // Its workers have begun, so that they could have asked.
      const stay = { url: `${door.url}/stay`, formats: ["markdown"], waitFor: 300, timeout: 120_000 }
      yield* call.post("/v2/scrape", stay)
      expect(door.requests).toContain("/worker.js")
      expect(yield* call.post("/v2/scrape", { url: urls[0], formats: ["screenshot"] })).toMatchObject(refusal)
      expect(yield* call.post("/v2/scrape", { url: `${door.url}/302/0`, waitFor: 1 })).toMatchObject(refusal)
      expect(knocks()).toBe(0)
    },
    180_000
  )

  describe("that knew some of them once", () => {
    it.scoped("does not read them again for a search", function* () {
      const dataDir = yield* tempDir
      const there = yield* site(() => page("Heronry"))
      const ask = (options: Parameters<typeof engine>[0], body: object) =>
        Effect.scoped(
          Effect.gen(function* () {
            const call = caller((yield* engine({ ...options, dataDir })).baseUrl, keys.first)
            yield* Effect.when(call.post("/v2/scrape", { url: there.url }), () => options?.allowNetworks !== undefined)
            return yield* call.post("/v2/search", { query: "heronry", ...body })
          })
        )
      expect((yield* ask({ allowNetworks: ["127.0.0.0/8"] }, {})).json.data.web).toHaveLength(1)
      const before = there.requests.length
      const scrapeOptions = { formats: ["markdown"] }
      const found = yield* ask({ allowNetworks: undefined }, { scrapeOptions })
      expect(found.status, found.text).toBe(200)
      expect(found.json.data.web[0].metadata.error).toContain("not on the public internet")
      expect(found.json.data.web[0]).not.toHaveProperty("markdown")
      expect(there.requests.length).toBe(before)
    })
  })
})
