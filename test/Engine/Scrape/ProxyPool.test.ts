/** Pools of proxies: choice, rest, and what a request does when its proxy fails. */
import { readFileSync, writeFileSync } from "node:fs"
import { createServer as createHttpsServer } from "node:https"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { buildConnector } from "undici"
import * as Fetch from "../../../src/Engine/Fetch/Fetch.ts"
import * as Proxies from "../../../src/Engine/Fetch/Proxies.ts"
import * as Upstreams from "../../../src/Engine/Fetch/Upstreams.ts"
import * as Route from "../../../src/Engine/Scrape/Route.ts"
import { Owner } from "../../../src/Engine/Teams/FairQueue.ts"
import { start } from "../../Cli/Launched.ts"
import { describe, expect, it } from "../../It.ts"
import { tempDir } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { alone } from "../Alone.ts"
import { certificate, listening, proxy, resolver, socks } from "../ProxyServers.ts"
import { guard, pages } from "./Site.ts"

const parse = (text: string) => Either.getOrThrow(Proxies.parse(Redacted.make(text)))

const poolOf = (text: string) => {
  const pool = parse(text).get(Proxies.defaultPool)
  if (pool === undefined) throw new Error("no pool")
  return pool
}

const none = new Set<never>()
const keys = Array.from({ length: 4_000 }, (_, at) => `host-${at}.example`)

describe("a pool", () => {
  it("gives each proxy requests by its weight", () => {
    const pool = poolOf("http://one:1?weight=3,http://two:1")
    const first = keys.filter((key) => pool.choose(key, 0, none)?.label === "http://one:1")
    expect(first.length / keys.length).toBeCloseTo(0.75, 1)
  })

  it("keeps the proxy of a host until it rests, gives it back afterwards, and leaves the others alone", () => {
    const pool = poolOf("http://one:1,http://two:1,http://three:1")
    const labels = (now: number) => keys.map((key) => pool.choose(key, now, none)?.label)
    const before = labels(0)
    const [failing] = pool.proxies
    if (failing === undefined) throw new Error("no proxy")
    pool.failed(failing, "(407)", 0)
    const meanwhile = labels(999)
    expect(meanwhile).not.toContain(failing.label)
    expect(meanwhile.filter((label, at) => before[at] !== failing.label && label !== before[at])).toEqual([])
    expect(labels(1_000)).toEqual(before)
  })

  it("rests longer after each failure, five minutes at most; a success ends that, and failures at once count once", () => {
    const pool = poolOf("http://one:1")
    const [only] = pool.proxies
    if (only === undefined) throw new Error("no proxy")
    let now = 0
    const rests: Array<number> = []
    for (let at = 0; at < 11; at++) {
      pool.failed(only, "(ECONNREFUSED)", now)
      pool.failed(only, "(ECONNREFUSED)", now)
      const seconds = pool.resting(now)?.seconds ?? 0
      rests.push(seconds)
      now += seconds * 1_000
      expect(pool.choose("a", now - 1, none)).toBeUndefined()
      expect(pool.choose("a", now, none)).toBe(only)
    }
    expect(rests).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
    pool.worked(only)
    pool.failed(only, "(ECONNREFUSED)", now)
    expect(pool.resting(now)?.seconds).toBe(1)
  })

  it("keeps a proxy for a host, for a session, or for one request", () => {
    const chosen = (options: string, session: (at: number) => string) => {
      const pool = poolOf(`http://one:1${options},http://two:1,http://three:1`)
      return new Set(keys.slice(0, 50).map((_, at) => pool.choose(pool.keyOf("site.example", session(at)), 0, none)))
        .size
    }
    expect(chosen("", (at) => `job ${at}`)).toBe(1)
    expect(chosen("?sticky=session", (at) => `job ${at}`)).toBe(3)
    expect(chosen("?sticky=session", () => "job")).toBe(1)
    expect(chosen("?sticky=none", () => "job")).toBe(3)
  })

  it("numbers the proxies of one address, and shows no user name", () => {
    const pool = poolOf("http://me-1:hush@gate:8080,http://me-2:hush@gate:8080,socks5://me:hush@gate:1080")
    expect(pool.proxies.map(({ label }) => label)).toEqual([
      "http://gate:8080",
      "http://gate:8080#2",
      "socks5://gate:1080"
    ])
  })
})

describe("the pool of a request", () => {
  const routeOf = (options: Parameters<typeof Route.read>[0], team: string, proxies: string) =>
    Route.read(options).pipe(Effect.provideService(Owner, team), Effect.provideService(Proxies.Proxies, parse(proxies)))
  const proxies =
    "http://all:1,stealth=http://hidden:1,acme/stealth=http://acme:1,beta/default=http://beta:1,de=http://de:1"

  it.effect("is that of its team before the shared one, and the default one unless it names another", function* () {
    const chosen = (options: Parameters<typeof Route.read>[0], team: string) =>
      Effect.map(routeOf(options, team, proxies), ({ fallback, proxy }) => [proxy, fallback])
    expect(yield* chosen({}, "acme")).toEqual(["default", undefined])
    expect(yield* chosen({}, "beta")).toEqual(["beta/default", undefined])
    expect(yield* chosen({ proxy: "basic" }, "acme")).toEqual(["default", undefined])
    expect(yield* chosen({ proxy: "auto" }, "acme")).toEqual(["default", "acme/stealth"])
    expect(yield* chosen({ proxy: "stealth" }, "acme")).toEqual(["acme/stealth", undefined])
    expect(yield* chosen({ proxy: "enhanced" }, "beta")).toEqual(["stealth", undefined])
    expect(yield* chosen({ location: { country: "DE" } }, "beta")).toEqual(["de", undefined])
  })

  it.effect("is never that of another team", function* () {
    for (const [name, given] of [
      ["acme/stealth", proxies],
      ["stealth", "acme/stealth=http://acme:1"]
    ] as const) {
      const failure = yield* Effect.flip(routeOf({ proxy: name }, "beta", given))
      expect(failure.message).toContain("SLUICE_PROXIES")
      expect(failure.message).not.toContain("http://acme")
    }
  })
})

const here = { "site.example": [["127.0.0.1"]], "inside.example": [["10.0.0.1"]] }

const fetching = (proxies: string) =>
  Fetch.layerWith({
    lookup: resolver(here),
    connect: (options) => buildConnector({ ...options, timeout: 1_000 })
  }).pipe(Layer.provide([guard("127.0.0.1"), Layer.succeed(Proxies.Proxies, parse(proxies))]), Layer.provide(alone))

const get = (url: string) =>
  Effect.flatMap(Fetch.Fetch, (fetch) => fetch.get({ url, timeout: 5_000, proxy: Proxies.defaultPool }))

const text = ({ body }: { readonly body: Uint8Array }) => Buffer.from(body).toString("utf8")

/** A site on this machine that counts its requests, under the name that tests resolve. */
const site = Effect.gen(function* () {
  const seen: Array<string> = []
  const origin = yield* pages({
    "/": (request, response) => {
      seen.push(request.headers.host ?? "")
      response.end("<p>here</p>")
    }
  })
  const { port } = new URL(origin)
  return { url: `http://site.example:${port}/`, port, seen }
})

const signed = (url: string, login = "user:hush") => url.replace("//", `//${login}@`)

describe("a request whose proxy fails", () => {
  it.scoped("goes through another one of the pool; the one that failed rests, and is asked again", function* () {
    const { url } = yield* site
    let status = 407
    const failing = yield* proxy(() => status)
    const working = yield* proxy()
    yield* Effect.gen(function* () {
      for (let at = 0; at < 5; at++) {
        const page = yield* Effect.scoped(get(url))
        expect([text(page), page.proxy]).toEqual(["<p>here</p>", working.url])
      }
      expect(failing.asked).toHaveLength(1)
      status = 200
      yield* TestClock.adjust("1 second")
      expect((yield* get(url)).proxy).toBe(failing.url)
      expect(failing.asked).toHaveLength(2)
    }).pipe(Effect.provide(fetching(`${signed(failing.url)}?weight=1000,${signed(working.url)}`)))
  })

  it.scoped("is never sent without one: with none left it fails, and names them without passwords", function* () {
    const { seen, url } = yield* site
    const refusing = yield* proxy(() => 407)
    yield* Effect.gen(function* () {
      for (let at = 0; at < 2; at++) {
        const failure = yield* Effect.flip(get(url))
        expect(failure).toMatchObject({ _tag: "Unprocessable", code: "SCRAPE_PROXY_ERROR" })
        expect(failure.message).toContain("http://127.0.0.1:1 (ECONNREFUSED)")
        expect(failure.message).toContain(`${refusing.url} (407: the proxy does not accept the user name and password)`)
        expect(failure.message).toContain("try again in 1 s")
        expect(JSON.stringify(failure)).not.toMatch(/user:|hush/)
      }
    }).pipe(Effect.provide(fetching(`${signed("http://127.0.0.1:1")},${signed(refusing.url)}`)))
    expect(refusing.asked).toHaveLength(1)
    expect(seen).toEqual([])
  })

  it.scoped("goes through another one if the first cannot reach this site, and neither of them rests", function* () {
    const { url } = yield* site
    const narrow = yield* proxy(() => 403)
    const wide = yield* proxy()
    yield* Effect.gen(function* () {
      for (let at = 0; at < 2; at++) expect((yield* Effect.scoped(get(url))).proxy).toBe(wide.url)
    }).pipe(Effect.provide(fetching(`${narrow.url}?weight=1000,${wide.url}`)))
    expect(narrow.asked).toHaveLength(2)
  })

  it.scoped("fails as the site does, and no proxy rests for it", function* () {
    const { url } = yield* site
    const { asked, url: address } = yield* proxy()
    yield* Effect.gen(function* () {
      const failure = yield* Effect.flip(get("http://nowhere.example/"))
      expect(failure).toMatchObject({ code: "SCRAPE_DNS_RESOLUTION_ERROR" })
      expect((yield* get(url)).proxy).toBe(address)
      expect(asked).toHaveLength(1)
    }).pipe(Effect.provide(fetching(address)))
  })

  it.scoped("blames an HTTPS proxy for its own encryption, not the site", function* () {
    const { url } = yield* site
    const port = yield* listening(createHttpsServer())
    const failure = yield* Effect.flip(Effect.provide(get(url), fetching(signed(`https://127.0.0.1:${port}`))))
    expect(failure.message).toContain(`https://127.0.0.1:${port} (`)
    expect(failure.message).not.toMatch(/hush|skipTlsVerification/)
  })

  it.scoped("hears of a wrong password from a proxy that takes names too", function* () {
    const refusing = yield* proxy(() => 407)
    const failure = yield* Effect.flip(
      Effect.provide(get("https://site.example/"), fetching(`${signed(refusing.url)}?dns=proxy`))
    )
    expect(failure.message).toContain("(407: the proxy does not accept the user name and password)")
    expect(refusing.asked).toEqual([`CONNECT site.example:443 Basic ${Buffer.from("user:hush").toString("base64")}`])
    const plain = yield* pages({ "/": (_, response) => void response.writeHead(407).end() })
    const other = yield* Effect.flip(
      Effect.provide(get("http://site.example/"), fetching(`${signed(plain)}?dns=proxy`))
    )
    expect(other.message).toContain(`${plain} (407: the proxy does not accept the user name and password)`)
  })
})

describe("a request through SOCKS5", () => {
  it.scoped("gets a tunnel to the checked address, with a sign-in or without", function* () {
    const { port, seen, url } = yield* site
    const open = yield* socks()
    const closed = yield* socks({ login: "us:er:hu@sh" })
    for (const [{ asked, url: address }, login] of [
      [open, undefined],
      [open, "user:hush"],
      [closed, "us%3Aer:hu%40sh"]
    ] as const) {
      const given = login === undefined ? address : signed(address, login)
      const page = yield* Effect.provide(get(url), fetching(given))
      expect([text(page), page.proxy]).toEqual(["<p>here</p>", address])
      expect(asked.at(-1)).toBe(`127.0.0.1:${port}`)
    }
    expect(seen).toEqual(Array(3).fill(`site.example:${port}`))
  })

  it.scoped.skipIf(skipsLong)(
    "gives the name to a proxy with ?dns=proxy or socks5h://, for http and https",
    function* () {
      const { port, url } = yield* site
      const { asked, url: address } = yield* socks()
      expect(text(yield* Effect.provide(get(url), fetching(`${address}?dns=proxy`)))).toBe("<p>here</p>")
      const byName = fetching(address.replace("socks5", "socks5h"))
      yield* Effect.flip(Effect.provide(get("https://site.example:1/"), byName))
      expect([...new Set(asked)]).toEqual([`site.example:${port}`, "site.example:1"])
    }
  )

  it.scoped("is refused for private addresses before the proxy hears of it", function* () {
    const { asked, url: address } = yield* socks()
    for (const given of [address, `${address}?dns=proxy`]) {
      for (const url of ["http://inside.example/", "http://10.0.0.1/", "https://[fd00::1]/"]) {
        const failure = yield* Effect.flip(Effect.provide(get(url), fetching(given)))
        expect(failure, url).toMatchObject({ _tag: "Forbidden", code: "SSRF_BLOCKED" })
      }
    }
    expect(asked).toEqual([])
  })

  it.scoped(
    "says why it failed: a password, a site that cannot be reached, a proxy that speaks something else",
    function* () {
      const { url } = yield* site
      const closed = yield* socks({ login: "user:right" })
      const web = yield* pages({ "/": "no proxy" })
      for (const [address, reason] of [
        [signed(closed.url), "SOCKS: the proxy does not accept the user name and password"],
        [closed.url, "SOCKS: the proxy requires a sign-in"],
        [(yield* socks({ reply: 4 })).url, "SOCKS 4: host unreachable"],
        [(yield* socks({ reply: 1 })).url, "SOCKS 1"],
        [web.replace("http:", "socks5:"), "it does not speak SOCKS5"],
        ["socks5://user:hush@127.0.0.1:1", "ECONNREFUSED"]
      ] as const) {
        const failure = yield* Effect.flip(Effect.provide(get(url), fetching(address)))
        expect(failure).toMatchObject({ code: "SCRAPE_PROXY_ERROR" })
        expect(failure.message).toContain(`(${reason})`)
        expect(failure.message).not.toMatch(/hush|user:/)
      }
    }
  )
})

/** Requests to sites through a pool, and when they came to its proxy, by the clock of the test. */
const limited = (option: string, requests: number) =>
  Effect.gen(function* () {
    const upstreams = yield* Upstreams.make({ networks: [], origins: new Set() }, resolver({})).pipe(
      Effect.provideService(Proxies.Proxies, parse(`http://one.example:1?${option}`))
    )
    let open = 0
    let most = 0
    const starts: Array<number> = []
    const request = upstreams.through(
      upstreams.outlet("default", "a.example", undefined),
      new URL("http://a.example/"),
      () =>
        Effect.gen(function* () {
          starts.push(yield* Clock.currentTimeMillis)
          most = Math.max(most, ++open)
          yield* Effect.sleep("1 second")
          open--
        })
    )
    const running = yield* Effect.fork(
      Effect.all(
        Array.from({ length: requests }, () => request),
        { concurrency: "unbounded" }
      )
    )
    yield* TestClock.adjust("1 minute")
    yield* Fiber.join(running)
    return { most, starts }
  })

describe("the limits of a proxy", () => {
  it.scoped("let so many requests wait for an answer at once", function* () {
    expect((yield* limited("concurrency=2", 5)).most).toBe(2)
  })

  it.scoped("space the starts of requests", function* () {
    expect((yield* limited("rate=2/s", 4)).starts).toEqual([0, 500, 1_000, 1_500])
  })

  it("are numbers and rates", () => {
    for (const option of ["concurrency=0", "concurrency=x", "rate=2", "rate=0/s"]) {
      const parsed = Proxies.parse(Redacted.make(`http://one:1?${option}`))
      expect(Either.isLeft(parsed) && parsed.left).toContain("rate=10/s")
    }
  })
})

it.scopedLive.skipIf(skipsLong)(
  "goes through an HTTPS proxy with a password, whose authority NODE_EXTRA_CA_CERTS names",
  function* () {
    const origin = yield* pages({ "/": (_, response) => void response.end("<h1>Herons</h1>") })
    const { asked, url } = yield* proxy(undefined, undefined, certificate)
    const folder = yield* tempDir
    writeFileSync(`${folder}/ca.pem`, certificate.cert)
    writeFileSync(
      `${folder}/p.yaml`,
      `version: 1\nname: p\nsteps:\n  - urls: ["${origin}/"]\n  - scrape: {}\n  - select: { text: markdown }\n  - write: { jsonl: out.jsonl }\n`
    )
    const env = {
      SLUICE_ALLOW_NETWORKS: "127.0.0.0/8",
      SLUICE_PROXIES: url.replace("//", "//heron:secret@"),
      SLUICE_DATA: `${folder}/data`
    }
    const refused = yield* start(folder, env, "run", "p.yaml", "--quiet")
    yield* refused.ended
    expect([asked, refused.written.err]).toEqual([[], expect.stringMatching(/certificate|SELF_SIGNED/i)])
    const trusted = yield* start(folder, { ...env, NODE_EXTRA_CA_CERTS: `${folder}/ca.pem` }, "run", "p.yaml")
    expect([yield* trusted.ended, trusted.written.err]).toEqual([0, expect.stringContaining("1 row")])
    expect(readFileSync(`${folder}/out.jsonl`, "utf8")).toContain("Herons")
    expect(asked).toEqual([
      `CONNECT 127.0.0.1:${new URL(origin).port} Basic ${Buffer.from("heron:secret").toString("base64")}`
    ])
  }
)
