import { spawn } from "node:child_process"
import * as Http from "node:http"
import * as Net from "node:net"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as Proxies from "../../../src/Engine/Fetch/Proxies.ts"
import * as Gateways from "../../../src/Engine/Render/Gateway.ts"
import type { TrafficLimits } from "../../../src/Engine/Render/TrafficAccount.ts"
import * as Guard from "../../../src/Guard.ts"
import { describe, expect, it } from "../../It.ts"
import { alone } from "../Alone.ts"
import { proxy, socks } from "../ProxyServers.ts"
import { networks, pages } from "../Scrape/Site.ts"

const allowance = (given: Partial<TrafficLimits> = {}): TrafficLimits => ({
  bytes: 1_000_000,
  requests: 10,
  skipTlsVerification: false,
  isBlockedHost: () => false,
  onSpent: () => undefined,
  ...given
})

const tokenOf = ({ password, username }: { readonly username: string; readonly password: string }) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`

interface Reply {
  readonly status: number
  readonly body: string
}

/** A proxy request as a browser sends it: with the absolute URL. */
const ask = ({ address }: Gateways.Gateway, url: string, token?: string, sent?: string) =>
  Effect.async<Reply>((resume) => {
    const [host, port] = address.split(":")
    const headers = { host: "x", ...(token === undefined ? {} : { "proxy-authorization": token }) }
    const method = sent === undefined ? "GET" : "POST"
    const request = Http.request({ host, port, path: url, method, headers, agent: false }, (response) => {
      let body = ""
      response.on("data", (chunk) => {
        body += chunk
      })
      response.on("close", () => resume(Effect.succeed({ status: response.statusCode ?? 0, body })))
      response.on("error", () => undefined)
    })
    request.on("error", () => resume(Effect.succeed({ status: 0, body: "" })))
    request.end(sent)
  })

/** Opens a tunnel and sends text through it. */
const tunnel = ({ address }: Gateways.Gateway, target: string, token: string, say = "") =>
  Effect.async<string>((resume) => {
    const [host, port] = address.split(":")
    const socket = Net.connect(Number(port), host ?? "")
    let heard = ""
    socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\nproxy-authorization: ${token}\r\n\r\n`)
    socket.on("data", (chunk) => {
      if (heard === "" && say !== "") socket.write(say)
      heard += chunk.toString()
    })
    socket.on("error", () => undefined)
    socket.on("close", () => resume(Effect.succeed(heard)))
    return Effect.sync(() => socket.destroy())
  })

const make = (...given: Parameters<typeof Gateways.make>) => Effect.provide(Gateways.make(...given), alone)
const loopback = make(Guard.make(networks("127.0.0.0/8")))

const isRoot = process.platform === "linux" && process.getuid?.() === 0

describe("the gateway", () => {
  it.scoped.skipIf(!isRoot)("of one browser needs no pass, and serves no other user of the machine", function* () {
    const origin = yield* pages({ "/": "here" })
    const gateway = yield* make(Guard.make(networks("127.0.0.0/8")), allowance())
    expect(yield* ask(gateway, `${origin}/`)).toEqual({ status: 200, body: "here" })
    const [host, port] = gateway.address.split(":")
    const script = `const socket = require("net").connect(${port}, "${host}")
        socket.on("error", () => undefined).on("close", () => process.exit())
        socket.on("data", (data) => process.stdout.write(data)).write("GET ${origin}/ HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n")`
    const heard = (uid: number) =>
      Effect.async<string>((resume) => {
        const child = spawn(process.execPath, ["-e", script], { uid, cwd: "/", stdio: ["ignore", "pipe", "inherit"] })
        let text = ""
        child.stdout.on("data", (chunk) => {
          text += chunk
          child.kill()
        })
        child.on("close", () => resume(Effect.succeed(text)))
      })
    expect(yield* heard(0)).toContain("200 OK")
    expect(yield* heard(65534)).toBe("")
  })

  it.scoped("requires a pass, which is valid until its scope closes", function* () {
    const origin = yield* pages({
      "/": (request, response) => response.end(`${request.headers["proxy-authorization"]}`)
    })
    const gateway = yield* loopback
    expect((yield* ask(gateway, `${origin}/`)).status).toBe(407)
    expect((yield* ask(gateway, `${origin}/`, "Basic bm90OnJpZ2h0")).status).toBe(407)
    expect(yield* tunnel(gateway, "127.0.0.1:8123", "Basic x")).toContain("407")
    const token = yield* Effect.scoped(
      Effect.gen(function* () {
        const token = tokenOf(yield* gateway.open(allowance()))
        expect(yield* ask(gateway, `${origin}/`, token)).toEqual({ status: 200, body: "undefined" })
        expect((yield* ask(gateway, "/", token)).status).toBe(400)
        expect((yield* ask(gateway, "ftp://127.0.0.1/", token)).status).toBe(400)
        return token
      })
    )
    expect((yield* ask(gateway, `${origin}/`, token)).status).toBe(407)
  })

  it.scoped(
    "refuses private addresses as a fetch does, for plain requests and tunnels, and records the reason",
    function* () {
      const gateway = yield* make(Guard.make([]))
      const pass = yield* gateway.open(allowance({ requests: 100 }))
      const token = tokenOf(pass)
      for (const host of [
        "127.0.0.1",
        "10.0.0.1",
        "192.0.2.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "2130706433",
        "localhost"
      ]) {
        expect((yield* ask(gateway, `http://${host}:8123/`, token)).status, host).toBe(403)
        expect(yield* tunnel(gateway, `${host}:8443`, token), host).toContain("403")
      }
      expect(pass.failures.get("http://127.0.0.1:8123/")?.code).toBe("SSRF_BLOCKED")
      expect(pass.failures.get("[::1]:8443")?.code).toBe("SSRF_BLOCKED")
    }
  )

  it.scoped("forwards the bytes of a tunnel in both directions", function* () {
    const origin = yield* pages({ "/": (_, response) => response.setHeader("connection", "close").end("through") })
    const gateway = yield* loopback
    const token = tokenOf(yield* gateway.open(allowance()))
    const said = yield* tunnel(gateway, new URL(origin).host, token, "GET / HTTP/1.1\r\nhost: x\r\n\r\n")
    expect(said).toContain("200 Connection established")
    expect(said).toContain("through")
  })

  it.scoped("reaches IPv6 literals, by plain requests and tunnels", function* () {
    const port = yield* Effect.acquireRelease(
      Effect.async<Http.Server>((resume) => {
        const server = Http.createServer((_, response) => response.setHeader("connection", "close").end("six"))
        server.listen(0, "::1", () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => void server.close())
    ).pipe(Effect.map((server) => (server.address() as Net.AddressInfo).port))
    const gateway = yield* make(Guard.make(networks("::1/128")))
    const token = tokenOf(yield* gateway.open(allowance()))
    expect(yield* ask(gateway, `http://[::1]:${port}/`, token)).toEqual({ status: 200, body: "six" })
    expect(yield* tunnel(gateway, `[::1]:${port}`, token, "GET / HTTP/1.1\r\nhost: x\r\n\r\n")).toContain("six")
  })

  it.scoped("counts sent and received bytes", function* () {
    const origin = yield* pages({
      "/": (request, response) => request.on("end", () => response.end("x")).resume()
    })
    const gateway = yield* loopback
    const spent: Array<string> = []
    const given = { bytes: 50_000, onSpent: (what: string) => spent.push(what) }
    const token = tokenOf(yield* gateway.open(allowance(given)))
    expect((yield* ask(gateway, `${origin}/`, token, "x".repeat(40_000))).body).toBe("x")
    expect((yield* ask(gateway, `${origin}/`, token, "x".repeat(40_000))).status).not.toBe(200)
    expect(spent).toEqual(["bytes"])
  })

  it.scoped("closes connections once the byte or request limit is reached, and refuses blocked hosts", function* () {
    const origin = yield* pages({
      "/": (_, response) => response.end("x"),
      "/long": (_, response) => response.end("x".repeat(100_000))
    })
    const gateway = yield* loopback
    const spent: Array<string> = []
    const onSpent = (what: string) => spent.push(what)
    const few = tokenOf(yield* gateway.open(allowance({ requests: 2, onSpent })))
    const statuses = yield* Effect.forEach([1, 2, 3], () => ask(gateway, `${origin}/`, few))
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 403])
    const short = tokenOf(yield* gateway.open(allowance({ bytes: 50_000, onSpent })))
    expect((yield* ask(gateway, `${origin}/long`, short)).body.length).toBeLessThan(100_000)
    expect((yield* ask(gateway, `${origin}/`, short)).status).toBe(403)
    expect(spent).toEqual(["requests", "bytes"])
    const choosy = tokenOf(yield* gateway.open(allowance({ isBlockedHost: (host) => host === "127.0.0.1" })))
    expect((yield* ask(gateway, `${origin}/`, choosy)).status).toBe(403)
  })
})

describe("the gateway with a pool of proxies", () => {
  const way = { proxy: { pool: Proxies.defaultPool, host: "site.example", session: "page" } }
  const through = (proxies: string) =>
    Gateways.make(Guard.make(networks("127.0.0.0/8"))).pipe(
      Effect.provideService(Proxies.Proxies, Either.getOrThrow(Proxies.parse(Redacted.make(proxies)))),
      Effect.provide(alone)
    )
  const hello = "GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"

  it.scoped(
    "sends plain requests and tunnels through one of them, signed in, and through another if it fails",
    function* () {
      const origin = yield* pages({ "/": "behind it" })
      const { host, port } = new URL(origin)
      const http = yield* proxy(undefined, Number(port))
      const five = yield* socks({ login: "user:hush" })
      for (const [given, target, label] of [
        [`http://user:hush@127.0.0.1:1?weight=1000,${http.url.replace("//", "//user:hush@")}`, "127.0.0.1:9", http.url],
        [`${http.url}?dns=proxy`, "127.0.0.1:9", undefined],
        [five.url.replace("//", "//user:hush@"), host, five.url]
      ] as const) {
        const gateway = yield* through(given)
        const pass = yield* gateway.open(allowance(way))
        expect(pass.proxy()).toBeUndefined()
        expect(yield* tunnel(gateway, target, tokenOf(pass), hello)).toContain("behind it")
        if (label === undefined) continue
        expect(yield* ask(gateway, `http://${target}/`, tokenOf(pass))).toEqual({ status: 200, body: "behind it" })
        expect(pass.proxy()).toBe(label)
      }
      const token = `Basic ${Buffer.from("user:hush").toString("base64")}`
      expect(new Set(http.asked)).toEqual(new Set([`CONNECT 127.0.0.1:9 ${token}`, "CONNECT 127.0.0.1:9"]))
      expect(new Set(five.asked)).toEqual(new Set([host]))
    }
  )

  it.scoped("sends nothing directly when none is left, and says so without passwords", function* () {
    const seen: Array<string> = []
    const origin = yield* pages({ "/": (request, response) => response.end(String(seen.push(request.url ?? ""))) })
    const refusing = yield* proxy(() => 407)
    const gateway = yield* through(`${refusing.url.replace("//", "//user:hush@")},http://user:hush@127.0.0.1:1`)
    const pass = yield* gateway.open(allowance(way))
    expect((yield* ask(gateway, `${origin}/`, tokenOf(pass))).status).toBe(502)
    expect(yield* tunnel(gateway, new URL(origin).host, tokenOf(pass), hello)).toContain("502")
    const failures = [...pass.failures.values()]
    expect(failures.map(({ code }) => code)).toEqual(["SCRAPE_PROXY_ERROR", "SCRAPE_PROXY_ERROR"])
    expect(failures[0]?.message).toContain(
      `${refusing.url} (407: the proxy does not accept the user name and password)`
    )
    expect(JSON.stringify(failures)).not.toMatch(/hush|user:/)
    expect(seen).toEqual([])
  })

  it.scoped("refuses private addresses before a proxy hears of them, also one that takes names", function* () {
    const { asked, url } = yield* proxy()
    for (const given of [url, `${url}?dns=proxy`]) {
      const gateway = yield* through(given)
      const token = tokenOf(yield* gateway.open(allowance(way)))
      for (const address of ["10.0.0.1", "[fd00::1]"]) {
        expect((yield* ask(gateway, `http://${address}/`, token)).status, address).toBe(403)
        expect(yield* tunnel(gateway, `${address}:443`, token), address).toContain("403")
      }
    }
    expect(asked).toEqual([])
  })
})
