import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { buildConnector } from "undici"
import * as Fetch from "../../../src/Engine/Fetch/Fetch.ts"
import * as Guard from "../../../src/Guard.ts"
import { isReachable, parseAddress, parseNetwork } from "../../../src/Guard.ts"
import { describe, expect, it } from "../../It.ts"
import { alone } from "../Alone.ts"
import { fetchLayer, guard, networks, pages } from "./Site.ts"

const closed: Guard.Allowlist = { networks: [], origins: new Set() }
const refuses = (host: string, allowlist = closed) => Guard.refuseHost(host, 80, allowlist) !== undefined

/** Host as `URL` normalises it. */
const hostOf = (url: string) => new URL(url).hostname

describe("Guard", () => {
  it("refuses addresses of this machine, of private networks and of reserved ranges", () => {
    for (const host of [
      "127.0.0.1",
      "127.255.255.254",
      "0.0.0.0",
      "10.1.2.3",
      "172.16.0.1",
      "192.168.1.1",
      "169.254.169.254",
      "100.64.0.1",
      "192.0.2.1",
      "198.18.0.1",
      "203.0.113.7",
      "224.0.0.1",
      "240.0.0.1",
      "255.255.255.255",
      "[::1]",
      "[::]",
      "[fc00::1]",
      "[fe80::1]",
      "fe80::1%eth0",
      "[fec0::1]",
      "[ff02::1]",
      "[2001:db8::1]"
    ]) {
      expect(refuses(host), host).toBe(true)
    }
  })

  it("refuses addresses in public ranges that are not public", () => {
    for (const host of [
      "168.63.129.16",
      "[::ffff:168.63.129.16]",
      "[64:ff9b::a83f:8110]",
      "[100::1]",
      "[100:0:0:1::1]",
      "[100:0:0:1:ffff::]",
      "[1000::1]",
      "[1fff:ffff::1]",
      "[4000::1]",
      "[8000::1]",
      "[e000::1]",
      "[2a00:1450:4001::5efe:a00:1]",
      "[2a00:1450:4001::200:5efe:c0a8:101]",
      "[2a00:1450:4001:800:0:5efe:808:808]"
    ]) {
      expect(refuses(host), host).toBe(true)
    }
    for (const host of ["168.63.129.17", "[2000::1]", "[3fff:efff::1]", "[2a00:1450:4001::5eff:a00:1]"]) {
      expect(refuses(host), host).toBe(false)
    }
  })

  it("refuses the public addresses of the machine itself in any spelling, unless they are allowed", () => {
    const mine = new Set(["8.8.4.4", "2a00:1450:4001::1"])
    const reaches = (host: string, open: ReadonlyArray<string> = []) => {
      const address = parseAddress(host)
      return address !== undefined && isReachable(address, networks(...open), mine)
    }
    for (const host of ["8.8.4.4", "[::ffff:8.8.4.4]", "[64:ff9b::808:404]", "[2a00:1450:4001::1]"]) {
      expect(reaches(host), host).toBe(false)
      expect(reaches(host, ["8.8.4.4", "2a00:1450:4001::/48"]), host).toBe(true)
    }
    for (const host of ["8.8.4.5", "[2a00:1450:4001::2]"]) expect(reaches(host), host).toBe(true)
  })

  it("does not disclose what a name resolved to", () => {
    for (const address of ["10.11.12.13", "fd12:3456::1", "169.254.169.254"]) {
      const refused = Guard.refuseAddress("inside.test", 80, address, closed)
      expect(refused?.message).toContain("inside.test is not on the public internet")
      expect(refused?.message).not.toContain(address)
      expect(refused?.message).toBe(Guard.refuseAddress("inside.test", 80, "192.168.0.1", closed)?.message)
    }
  })

  it("refuses other spellings of private addresses", () => {
    for (const url of [
      "http://2130706433/",
      "http://0x7f000001/",
      "http://0177.0.0.1/",
      "http://127.1/",
      "http://①②⑦.0.0.1/",
      "http://[::ffff:127.0.0.1]/",
      "http://[::ffff:7f00:1]/",
      "http://[::127.0.0.1]/",
      "http://[64:ff9b::7f00:1]/",
      "http://[2002:7f00:1::]/",
      "http://[2001::1]/",
      "http://[::ffff:0:7f00:1]/"
    ]) {
      expect(refuses(hostOf(url)), url).toBe(true)
    }
  })

  it("refuses every form of a private address that `URL` accepts", () => {
    const spellings = [
      // Decimal, octal, hexadecimal, mixed, and shortened.
      ...[
        "2130706433",
        "017700000001",
        "0x7f000001",
        "0X7F.1",
        "0177.0.0.01",
        "127.0x0.0.1",
        "127.1",
        "127.0.1",
        "0x7f.1"
      ],
      ...["0", "00", "0x0", "0.0", "0.0.0.0", "0.1.2.3"],
      ...["167772161", "0x0a.0.0.1", "012.1", "10.1", "0xa000001", "10.0.513"],
      ...["172.16.1", "0xac.0x10.0.1", "0254.020.0.1", "3232235777", "192.168.257", "0xc0a80101", "0300.0250.1.1"],
      // Metadata services of cloud providers.
      ...["2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.43518", "100.100.100.200", "192.0.0.192"],
      // Trailing dots, and digits and dots in other scripts.
      ...[
        "127.0.0.1.",
        "10.0.0.1.",
        "2130706433.",
        "１２７.0.0.1",
        "①②⑦.⓪.⓪.①",
        "127。0。0。1",
        "127．0．0．1",
        "𝟏𝟎.𝟎.𝟎.𝟏"
      ],
      ...["%31%32%37.0.0.1", "127.0.0.%31", "0x%37f.1"]
    ]
    for (const host of spellings) {
      for (const url of [`http://${host}/`, `https://user:password@${host}:8443/`, `http://public.example@${host}/`]) {
        expect(refuses(hostOf(url)), url).toBe(true)
      }
    }
  })

  it("refuses every range outside of the public internet, at both ends", () => {
    const ranges = [
      ...["0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255"],
      ...["127.0.0.0", "127.255.255.255", "169.254.0.0", "169.254.255.255", "172.16.0.0", "172.31.255.255"],
      ...["192.0.0.0", "192.0.0.255", "192.0.2.0", "192.88.99.1", "192.168.0.0", "192.168.255.255"],
      ...["198.18.0.0", "198.19.255.255", "198.51.100.0", "203.0.113.255"],
      ...["224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.254", "255.255.255.255"]
    ]
    for (const address of ranges) {
      const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number)
      const high = ((a << 8) | b).toString(16)
      const low = ((c << 8) | d).toString(16)
      const spellings = [
        address,
        `[::ffff:${address}]`,
        `[::ffff:${high}:${low}]`,
        `[0:0:0:0:0:ffff:${high}:${low}]`,
        `[64:ff9b::${high}:${low}]`,
        `[64:ff9b::${address}]`,
        `[64:ff9b:1::${high}:${low}]`,
        `[2002:${high}:${low}::1]`,
        `[::${address}]`,
        `[::ffff:0:${address}]`
      ]
      for (const host of spellings) expect(refuses(hostOf(`http://${host}/`)), `${address} as ${host}`).toBe(true)
      expect(Guard.refuseAddress("name.test", 80, address, closed)?.code, address).toBe("SSRF_BLOCKED")
      expect(Guard.refuseAddress("name.test", 80, `::ffff:${address}`, closed)?.code, address).toBe("SSRF_BLOCKED")
    }
  })

  it("refuses the IPv6 ranges outside of the public internet, with any zone", () => {
    const addresses = [
      ...["::", "::1", "0:0:0:0:0:0:0:1", "fc00::", "fdff:ffff::1", "fd00:ec2::254", "fe80::", "febf::1", "fec0::1"],
      ...[
        "ff00::",
        "ff02::1",
        "ffff::1",
        "2001:db8::1",
        "3fff::1",
        "2001::1",
        "2001:20::1",
        "2002::1",
        "100::1",
        "5f00::1"
      ]
    ]
    for (const address of addresses) {
      expect(refuses(`[${address}]`), address).toBe(true)
      for (const zoned of [address, `${address}%eth0`, `${address}%25lo`, `${address}%1`]) {
        expect(Guard.refuseAddress("name.test", 80, zoned, closed)?.code, zoned).toBe("SSRF_BLOCKED")
      }
    }
  })

  it("refuses names of this machine and of metadata services by their addresses, in any spelling", () => {
    const answers = ["127.0.0.1", "::1", "169.254.169.254", "fd00:ec2::254", "0.0.0.0", "::", "", "not an address"]
    const names = [
      "localhost",
      "LOCALHOST.",
      "printer.localhost",
      "ⓛocalhost",
      "metadata.google.internal",
      "localtest.me"
    ]
    for (const name of names.map((each) => hostOf(`http://${each}/`))) {
      for (const answer of answers) {
        expect(Guard.refuseAddress(name, 80, answer, closed)?.code, `${name} is ${answer}`).toBe("SSRF_BLOCKED")
      }
    }
  })

  it("allows public addresses in any spelling", () => {
    for (const host of ["8.8.8.8", "[2606:4700::1111]", "[::ffff:8.8.8.8]", "[64:ff9b::808:808]"]) {
      expect(refuses(host), host).toBe(false)
    }
  })

  it("judges names after they are resolved", () => {
    expect(refuses("localhost")).toBe(false)
    expect(Guard.refuseAddress("localhost", 80, "127.0.0.1", closed)?.code).toBe("SSRF_BLOCKED")
    expect(Guard.refuseAddress("localhost", 80, "::1", closed)?.code).toBe("SSRF_BLOCKED")
    expect(Guard.refuseAddress("localhost", 80, undefined, closed)?.code).toBe("SSRF_BLOCKED")
    expect(Guard.refuseAddress("example.com", 80, "8.8.8.8", closed)).toBeUndefined()
  })

  it("allows the listed networks and nothing else", () => {
    const allowlist = { networks: networks("10.0.0.0/8", "fd00::/8", "127.0.0.1"), origins: new Set<string>() }
    expect(refuses("10.200.0.1", allowlist)).toBe(false)
    expect(refuses("[::ffff:10.200.0.1]", allowlist)).toBe(false)
    expect(refuses("[fd12::1]", allowlist)).toBe(false)
    expect(refuses("127.0.0.1", allowlist)).toBe(false)
    expect(refuses("127.0.0.2", allowlist)).toBe(true)
    expect(refuses("11.0.0.1", allowlist)).toBe(false)
    expect(refuses("[fe80::1]", allowlist)).toBe(true)
  })

  it("suggests a setting that allows the address", () => {
    for (const [host, network] of [
      ["127.0.0.1", "127.0.0.0/8"],
      ["127.9.9.9", "127.0.0.0/8"],
      ["10.0.0.1", "10.0.0.0/8"],
      ["172.20.1.2", "172.16.0.0/12"],
      ["192.168.178.1", "192.168.0.0/16"],
      ["100.64.0.9", "100.64.0.0/10"],
      ["[::1]", "::1/128"],
      ["[fd12::1]", "fc00::/7"],
      ["[::ffff:10.1.2.3]", "10.0.0.0/8"],
      // In networks with mixed use, such as link-local with cloud metadata, only the address itself.
      ["169.254.169.254", "169.254.169.254/32"],
      ["0.0.0.0", "0.0.0.0/32"],
      ["[fe80::1]", "fe80::1/128"]
    ] as const) {
      const said = Guard.refuseHost(host, 80, closed)?.message ?? ""
      const suggested = /SLUICE_ALLOW_NETWORKS=(\S+)$/.exec(said)?.[1] ?? ""
      expect(suggested, host).toBe(network)
      const allowlist = { ...closed, networks: [Either.getOrThrow(parseNetwork(suggested))] }
      expect(refuses(host, allowlist), host).toBe(false)
    }
    for (const name of ["localhost", "a.localhost"]) {
      const said = Guard.refuseAddress(name, 80, "127.0.0.1", closed)?.message
      expect(said).toMatch(/SLUICE_ALLOW_NETWORKS=127\.0\.0\.0\/8$/)
    }
    // A suggestion would disclose what the name resolves to.
    expect(Guard.refuseAddress("name.test", 80, "10.0.0.1", closed)?.message).toMatch(
      /to SLUICE_ALLOW_NETWORKS \(in a program: allowNetworks: \[…\], in createClient below engine\)$/
    )
  })

  it("explains an invalid network", () => {
    expect(Either.getLeft(parseNetwork("ten/8"))).toEqual(
      Option.some('"ten/8" is neither a network such as 10.0.0.0/8 nor an address')
    )
  })

  it.scoped("refuses loopback unless its network is allowed", function* () {
    const origin = yield* pages({ "/": "<p>Hello</p>" })
    const get = Effect.flatMap(Fetch.Fetch, (fetch) => fetch.get({ url: `${origin}/`, timeout: 5_000 }))
    const refused = yield* Effect.flip(Effect.provide(get, Fetch.layer.pipe(Layer.provide([guard(), alone]))))
    expect(refused).toMatchObject({ _tag: "Forbidden", code: "SSRF_BLOCKED" })
    const allowed = yield* Effect.provide(get, fetchLayer)
    expect(allowed.statusCode).toBe(200)
  })

  it.scoped(
    "allows one origin until its scope closes",
    Fetch.layer.pipe(Layer.provideMerge(guard()), Layer.provide(alone)),
    function* () {
      const origin = yield* pages({ "/": "<p>Hello</p>" })
      const fetch = yield* Fetch.Fetch
      const guard = yield* Guard.Guard
      const get = fetch.get({ url: `${origin}/`, timeout: 5_000 })
      const inside = yield* Effect.scoped(Effect.zipRight(guard.allow(new URL(origin).host), get))
      expect(inside.statusCode).toBe(200)
      expect((yield* Effect.flip(get))._tag).toBe("Forbidden")
    }
  )

  it.scoped("refuses a redirect from an allowed site to a refused address", fetchLayer, function* () {
    const origin = yield* pages({
      "/": (_, response) => void response.writeHead(302, { location: "http://192.0.2.1/secret" }).end()
    })
    const fetch = yield* Fetch.Fetch
    const failure = yield* Effect.flip(fetch.get({ url: `${origin}/`, timeout: 5_000 }))
    expect(failure).toMatchObject({ _tag: "Forbidden", code: "SSRF_BLOCKED" })
    expect(failure.message).toContain("192.0.2.1")
  })

  it.scoped("refuses a name if one of its addresses is private", function* () {
    const lookup = Fetch.layerWith({
      lookup: (_hostname, _options, callback) =>
        callback(null, [
          { address: "127.0.0.2", family: 4 },
          { address: "10.0.0.1", family: 4 }
        ]),
      connect: ({ lookup }) => buildConnector({ lookup, timeout: 1_000 })
    }).pipe(Layer.provide([guard("127.0.0.2"), alone]))
    const get = Effect.flatMap(Fetch.Fetch, (fetch) => fetch.get({ url: "http://mixed.test/", timeout: 5_000 }))
    const failure = yield* Effect.flip(Effect.provide(get, lookup))
    expect(failure).toMatchObject({ _tag: "Forbidden", code: "SSRF_BLOCKED" })
    expect(failure.message).not.toContain("10.0.0.1")
  })

  it.scoped("refuses the connected peer if DNS changes between the check and the connection", function* () {
    const origin = yield* pages({ "/": "<p>Secret</p>" })
    const { port } = new URL(origin)
    // The first address is allowed, the second is not; both are this machine.
    const answers = ["127.0.0.2", "127.0.0.1"]
    const rebinding = Fetch.layerWith({
      lookup: (_hostname, _options, callback) => callback(null, [{ address: answers.shift() ?? "", family: 4 }]),
      // Sockets that resolve the name again, past the guard.
      connect: ({ lookup: guarded }) => {
        const connect = buildConnector({
          lookup: (hostname, options, callback) =>
            guarded(hostname, options, (error) => {
              const again = [{ address: answers.shift() ?? "", family: 4 }]
              return error === null && options.all === true ? callback(null, again) : callback(error, "", 0)
            }),
          timeout: 1_000
        })
        return (options, callback) => connect({ ...options, port }, callback)
      }
    }).pipe(Layer.provide([guard("127.0.0.2"), alone]))
    const get = Effect.flatMap(Fetch.Fetch, (fetch) => fetch.get({ url: "http://rebinding.test/", timeout: 5_000 }))
    const failure = yield* Effect.flip(Effect.provide(get, rebinding))
    expect(failure).toMatchObject({ _tag: "Forbidden", code: "SSRF_BLOCKED" })
    expect(failure.message).not.toContain("127.0.0.1)")
  })
})
