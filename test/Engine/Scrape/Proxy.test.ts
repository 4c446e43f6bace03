/** Pages through a configured proxy: the proxy gets the address that was checked here. */

import { createServer as createHttpServer } from "node:http"
import { createServer as createHttpsServer } from "node:https"
import type { Socket } from "node:net"
import type { TLSSocket } from "node:tls"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { buildConnector } from "undici"
import * as Fetch from "../../../src/Engine/Fetch/Fetch.ts"
import { codeOf } from "../../../src/Engine/Fetch/FetchFailure.ts"
import * as Proxies from "../../../src/Engine/Fetch/Proxies.ts"
import * as Tunnel from "../../../src/Engine/Fetch/Tunnel.ts"
import type { Fetched } from "../../../src/Engine/PageCache/PageSource.ts"
import { Guard } from "../../../src/Guard.ts"
import { describe, expect, it } from "../../It.ts"
import { skipsLong } from "../../Long.ts"
import { alone } from "../Alone.ts"
import { listening, proxy, resolver } from "../ProxyServers.ts"
import { guard, pages } from "./Site.ts"

/** Self-signed for site.example, valid until 2126. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZavfN056bSoKh+lb
NOL1sU+Edu1/cQLIggoLL5e0uxChRANCAARxi1XaajsDsQB+2c0wOVPD0NoWchr9
F7yH2ngp+c7BjIWZv1JjjX94dwoFChh3+Ms/P363aWJnfLjv4Hp2kJFB
-----END PRIVATE KEY-----`
const cert = `-----BEGIN CERTIFICATE-----
MIIBnTCCAUSgAwIBAgIUW0BA2Bs585Stra1CCshFGQGWzaowCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMc2l0ZS5leGFtcGxlMCAXDTI2MTEyMjIyNTQyMloYDzIxMjYx
MDI5MjI1NDIyWjAXMRUwEwYDVQQDDAxzaXRlLmV4YW1wbGUwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAARxi1XaajsDsQB+2c0wOVPD0NoWchr9F7yH2ngp+c7BjIWZ
v1JjjX94dwoFChh3+Ms/P363aWJnfLjv4Hp2kJFBo2wwajAdBgNVHQ4EFgQUBrqI
lLsn41wl2PqYCEqB5GtvCqswHwYDVR0jBBgwFoAUBrqIlLsn41wl2PqYCEqB5Gtv
CqswDwYDVR0TAQH/BAUwAwEB/zAXBgNVHREEEDAOggxzaXRlLmV4YW1wbGUwCgYI
KoZIzj0EAwIDRwAwRAIgAV2BiXj11wuNIVR4+JubQARtn6w1rIVylc2NrmVWbYkC
ID4v5Xh8UqMq1qreZKOoywBnozCZiW8udm1OEnfO/CXP
-----END CERTIFICATE-----`

/** A site that returns the requested host name. */
const secureSite = Effect.map(
  listening(
    createHttpsServer({ key, cert }, (request, response) => {
      const { servername } = request.socket as TLSSocket
      response.end(JSON.stringify({ host: request.headers.host, servername }))
    })
  ),
  (port) => `https://site.example:${port}`
)

interface Means {
  readonly proxies: string
  readonly names?: Readonly<Record<string, Array<ReadonlyArray<string>>>>
  readonly networks?: ReadonlyArray<string>
}

const here = { "site.example": [["127.0.0.1"]] }

const fetching = ({ names = here, networks = ["127.0.0.1", "::1"], proxies }: Means) =>
  Fetch.layerWith({
    lookup: resolver(names),
    connect: (options) => buildConnector({ ...options, timeout: 1_000 })
  }).pipe(
    Layer.provide([
      guard(...networks),
      Layer.succeed(Proxies.Proxies, Either.getOrThrow(Proxies.parse(Redacted.make(proxies))))
    ]),
    Layer.provide(alone)
  )

const get = (url: string, more: Partial<Fetch.FetchRequest> = {}) =>
  Effect.flatMap(Fetch.Fetch, (fetch) => fetch.get({ url, timeout: 5_000, proxy: "stealth", ...more }))

const text = ({ body }: Fetched) => Buffer.from(body).toString("utf8")

const portOf = (origin: string) => new URL(origin).port

/** The same site under the name in the test's resolver. */
const named = (origin: string) => `http://site.example:${portOf(origin)}`

describe("a page through a proxy", () => {
  it.scoped("is requested from the checked address, with the name in the Host header", function* () {
    const origin = yield* pages({ "/": (request, response) => void response.end(request.headers.host) })
    const { asked, url } = yield* proxy()
    const given = fetching({ proxies: `stealth=${url.replace("//", "//us%65r:hu%3Ash@")}` })
    const answer = yield* Effect.provide(get(named(origin)), given)
    expect(text(answer)).toBe(`site.example:${portOf(origin)}`)
    expect(answer.url).toBe(`${named(origin)}/`)
    expect(asked).toEqual([`CONNECT 127.0.0.1:${portOf(origin)} Basic ${Buffer.from("user:hu:sh").toString("base64")}`])
  })

  it.scoped("is verified by the site's name over TLS, not by the address", function* () {
    const origin = yield* secureSite
    const { asked, url } = yield* proxy()
    const given = fetching({ proxies: `stealth=${url}` })
    const answer = yield* Effect.provide(get(origin, { skipTlsVerification: true }), given)
    expect(JSON.parse(text(answer))).toEqual({ host: `site.example:${portOf(origin)}`, servername: "site.example" })
    const failure = yield* Effect.flip(Effect.provide(get(origin), given))
    expect(failure).toMatchObject({ code: "SCRAPE_SSL_ERROR" })
    expect(failure.message).toContain("site.example")
    expect(new Set(asked)).toEqual(new Set([`CONNECT 127.0.0.1:${portOf(origin)}`]))
  })

  it.scoped("reuses tunnels for further pages of the site", function* () {
    const origin = yield* pages({ "/": "<p>one</p>", "/two": "<p>two</p>" })
    const { asked, url } = yield* proxy()
    const pagesOfSite = Effect.all(Array.from({ length: 6 }, () => get(`${named(origin)}/two`)))
    yield* Effect.provide(pagesOfSite, fetching({ proxies: `stealth=${url}` }))
    expect(asked.length).toBeLessThanOrEqual(2)
  })

  it.scoped("is refused before the proxy is contacted if the name now resolves to a private address", function* () {
    const origin = yield* pages({
      "/": (_, response) => void response.writeHead(200, { connection: "close" }).end("<p>public</p>")
    })
    const { asked, url } = yield* proxy()
    const names = { "site.example": [["127.0.0.1"], ["127.0.0.1"], ["10.0.0.1"]] }
    const failure = yield* Effect.flip(
      Effect.forever(get(named(origin))).pipe(Effect.provide(fetching({ proxies: `stealth=${url}`, names })))
    )
    expect(failure).toMatchObject({ _tag: "Forbidden", code: "SSRF_BLOCKED" })
    expect(failure.message).not.toContain("10.0.0.1")
    expect(new Set(asked)).toEqual(new Set([`CONNECT 127.0.0.1:${portOf(origin)}`]))
  })

  it.scoped("is refused if one of its addresses is private, as a literal, or after a redirect", function* () {
    const origin = yield* pages({
      "/name": (_, response) => void response.writeHead(302, { location: "http://inside.example/" }).end(),
      "/address": (_, response) => void response.writeHead(302, { location: "http://[fd00::1]/" }).end()
    })
    const { asked, url } = yield* proxy()
    const names = { ...here, "inside.example": [["127.0.0.1", "10.0.0.1"]], "six.example": [["fd00::1"]] }
    const given = fetching({ proxies: `stealth=${url}`, names })
    for (const address of [
      "http://inside.example/",
      "https://six.example/",
      "http://10.0.0.1/",
      "https://[fd00::1]/"
    ]) {
      const failure = yield* Effect.flip(Effect.provide(get(address), given))
      expect(failure, address).toMatchObject({ _tag: "Forbidden", code: "SSRF_BLOCKED" })
    }
    expect(asked).toEqual([])
    for (const path of ["/name", "/address"]) {
      const failure = yield* Effect.flip(Effect.provide(get(`${named(origin)}${path}`), given))
      expect(failure, path).toMatchObject({ _tag: "Forbidden", code: "SSRF_BLOCKED" })
    }
    expect(new Set(asked)).toEqual(new Set([`CONNECT 127.0.0.1:${portOf(origin)}`]))
  })

  it.scoped("is requested from the next address of the site if the proxy cannot reach the first", function* () {
    const origin = yield* pages({ "/": "<p>here</p>" })
    const { asked, url } = yield* proxy((authority) => (authority.startsWith("127.0.0.1:") ? 502 : 200))
    const names = { "site.example": [["::1", "127.0.0.1"]] }
    const answer = yield* Effect.provide(get(named(origin)), fetching({ proxies: `stealth=${url}`, names }))
    expect(text(answer)).toContain("here")
    // Few proxies have IPv6: it is tried last.
    expect(asked).toEqual([`CONNECT 127.0.0.1:${portOf(origin)}`, `CONNECT [::1]:${portOf(origin)}`])
  })

  it.scopedLive.skipIf(skipsLong)(
    "opens its tunnel within one deadline, however many addresses are slow",
    function* () {
      let tunnels = 0
      const server = createHttpServer().on("connect", (_, client: Socket) => {
        tunnels += 1
        client.on("error", () => client.destroy())
        setTimeout(() => client.end("HTTP/1.1 502 No\r\n\r\n"), 700)
      })
      const port = yield* listening(server)
      const pool = Either.getOrThrow(Proxies.parse(Redacted.make(`slow=http://127.0.0.1:${port}`))).get("slow")
      const slow = pool?.proxies[0]
      if (slow === undefined) throw new Error("no proxy")
      const { allowlist } = yield* Effect.provide(Guard, guard("127.0.0.1", "127.0.0.2", "127.0.0.3"))
      const proxied = Tunnel.make(slow, allowlist, {
        lookup: resolver({ "site.example": [["127.0.0.1", "127.0.0.2", "127.0.0.3"]] }),
        openTimeout: 1_000
      })
      yield* Effect.addFinalizer(() => Effect.promise(proxied.close))
      const agent = proxied.agent(new URL("http://site.example/"), true)
      const asked = Effect.tryPromise(() => agent.request({ origin: "http://site.example", path: "/", method: "GET" }))
      const { cause } = yield* Effect.flip(asked)
      expect(codeOf(cause)).toBe("UND_ERR_CONNECT_TIMEOUT")
      // The deadline passes while the proxy still opens one to the second address.
      expect(tunnels).toBeLessThan(3)
    }
  )

  it.scoped("explains what to do when the proxy requires names, or a password", function* () {
    for (const [status, hint] of [
      [403, /\(403\).*dns=proxy/],
      [407, /\(407: the proxy does not accept the user name and password\)(?!.*dns=proxy)/]
    ] as const) {
      const { asked, url } = yield* proxy(() => status)
      const failure = yield* Effect.flip(
        Effect.provide(get("http://site.example/"), fetching({ proxies: `stealth=${url}` }))
      )
      expect(failure).toMatchObject({ _tag: "Unprocessable", code: "SCRAPE_PROXY_ERROR" })
      expect(failure.message).toMatch(hint)
      expect(asked).toEqual(["CONNECT 127.0.0.1:80"])
    }
  })

  it.scoped("does not blame the proxy if the name of the site does not resolve", function* () {
    const { asked, url } = yield* proxy()
    const failure = yield* Effect.flip(
      Effect.provide(get("http://nowhere.example/"), fetching({ proxies: `stealth=${url}` }))
    )
    expect(failure).toMatchObject({ code: "SCRAPE_DNS_RESOLUTION_ERROR" })
    expect(asked).toEqual([])
  })

  it.scoped("is requested by name from a proxy with ?dns=proxy, unless the name is known to be private", function* () {
    const { asked, url } = yield* proxy(() => 502)
    const names = { ...here, "inside.example": [["10.0.0.1"]] }
    const given = fetching({ proxies: `stealth=${url}/?dns=proxy`, names, networks: ["127.0.0.1"] })
    expect(text(yield* Effect.provide(get("http://only-there.example/a"), given))).toContain("asked by name")
    yield* Effect.flip(Effect.provide(get("https://only-there.example/a"), given))
    expect(asked).toEqual(["GET http://only-there.example/a", "CONNECT only-there.example:443"])
    for (const address of ["http://inside.example/", "http://10.0.0.1/", "https://[fd00::1]/"]) {
      const failure = yield* Effect.flip(Effect.provide(get(address), given))
      expect(failure, address).toMatchObject({ _tag: "Forbidden", code: "SSRF_BLOCKED" })
    }
    expect(asked).toHaveLength(2)
  })
})
