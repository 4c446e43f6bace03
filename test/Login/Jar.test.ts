/** Cookies by the standard, and the files that browsers and other tools write. */
import { describe, expect, it, vi } from "@effect/vitest"
import * as Either from "effect/Either"
import { readCookieFile } from "../../src/Login/CookieFile.ts"
import { Jar } from "../../src/Login/Jar.ts"

const from = "https://www.shop.example/account/login"

/** `Set-Cookie` of {@link from} or another address, an address, and the cookies that go there. */
const cases: ReadonlyArray<
  readonly [name: string, set: ReadonlyArray<string>, to: string, sent: string | undefined, by?: string]
> = [
  ["a cookie without a domain stays on its host", ["a=1; Path=/"], "https://shop.example/", undefined],
  [
    "a cookie of the parent domain goes to its other hosts",
    ["a=1; Domain=shop.example; Path=/"],
    "https://api.shop.example/x",
    "a=1"
  ],
  [
    "a cookie for a public suffix is refused",
    ["a=1; Domain=example; Path=/", "b=1; Domain=.co.uk"],
    "https://www.shop.example/",
    undefined
  ],
  ...["intranet", "app:8080", "github.io", "[::1]:8080", "127.0.0.1", "xn--p1ai"].map((host) => {
    const url = `http://${host}/`
    const domain = host.replace(/:8080$/, "")
    return [
      `a cookie that names its host ${host} as its domain stays there`,
      [`a=1; Domain=${domain}`],
      url,
      "a=1",
      url
    ] as const
  }),
  [
    "a cookie that names its host, a public suffix, does not go to other hosts",
    ["a=1; Domain=github.io"],
    "https://bank.github.io/",
    undefined,
    "https://github.io/"
  ],
  ["a cookie for another site is refused", ["a=1; Domain=bank.example"], "https://bank.example/", undefined],
  ["the default path is the folder of the page", ["a=1"], "https://www.shop.example/account/x", "a=1"],
  ["and no other", ["a=1"], "https://www.shop.example/", undefined],
  ["a path is a folder, not a beginning", ["a=1; Path=/acc"], "https://www.shop.example/account", undefined],
  ["a secure cookie does not go over http", ["a=1; Secure; Path=/", "b=2; Path=/"], "http://www.shop.example/", "b=2"],
  ["Max-Age=0 removes a cookie", ["a=1; Path=/", "a=; Max-Age=0; Path=/"], "https://www.shop.example/", undefined],
  [
    "a date that has passed removes it, too",
    ["a=1; Path=/", "a=x; Expires=Thu, 01-Jan-70 00:00:01 GMT; Path=/"],
    "https://www.shop.example/",
    undefined
  ],
  [
    "Max-Age wins over Expires",
    ["a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/"],
    "https://www.shop.example/",
    "a=1"
  ],
  ["ports share cookies", ["a=1; Path=/"], "https://www.shop.example:8443/", "a=1"],
  ["values may hold = and quotes", ['a="x=y"; Path=/'], "https://www.shop.example/", 'a="x=y"'],
  [
    "bytes beyond ASCII come back as they are",
    ["a=Ã\xa0; Path=/", "b=\xe9\xa0"],
    "https://www.shop.example/account/",
    "b=\xe9\xa0; a=Ã\xa0"
  ],
  [
    "a tab does not matter, other control characters do",
    ["a=1\t2;\tPath=/", "b=\x01; Path=/"],
    "https://www.shop.example/",
    "a=1\t2"
  ],
  [
    "a cookie of more than 4,096 bytes is refused",
    [`a=${"x".repeat(4_096)}; Path=/`, `b=${"x".repeat(4_095)}; Path=/`],
    "https://www.shop.example/",
    `b=${"x".repeat(4_095)}`
  ],
  [
    "a partitioned cookie goes to the pages of its site",
    ["a=1; Domain=shop.example; Secure; Partitioned; Path=/"],
    "https://api.shop.example/",
    "a=1"
  ],
  ["SameSite does not matter", ["a=1; SameSite=Strict; Path=/"], "https://www.shop.example/", "a=1"],
  [
    "the end of a cookie without a domain leaves the one with a domain",
    ["sid=new; Domain=shop.example; Path=/", "sid=; Max-Age=0; Path=/"],
    "https://shop.example/",
    "sid=new",
    "https://shop.example/"
  ],
  [
    "the end of a partitioned cookie without a domain, too",
    ["sid=new; Domain=shop.example; Secure; Partitioned; Path=/", "sid=; Max-Age=0; Secure; Partitioned; Path=/"],
    "https://shop.example/",
    "sid=new",
    "https://shop.example/"
  ],
  [
    "longer paths come first, then older cookies, with and without a domain",
    ["a=1; Domain=shop.example; Path=/", "b=2; Path=/", "c=3; Domain=shop.example; Path=/account", "a=4; Path=/"],
    "https://www.shop.example/account/x",
    "c=3; a=1; b=2; a=4"
  ]
]

describe("a jar", () => {
  for (const [name, set, to, sent, by = from] of cases) {
    it(name, () => {
      const jar = new Jar()
      jar.read(new URL(by), set)
      expect(jar.header(new URL(to))).toBe(sent)
      expect(new Jar(jar.cookies()).header(new URL(to))).toBe(sent)
    })
  }

  it("counts Max-Age from the answer that set the cookie, not from its last use", () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 0 })
    try {
      const jar = new Jar()
      jar.read(new URL(from), "a=1; Max-Age=60; Path=/")
      vi.setSystemTime(50_000)
      expect(jar.header(new URL(from))).toBe("a=1")
      vi.setSystemTime(70_000)
      expect(jar.header(new URL(from))).toBeUndefined()
    } finally {
      vi.useRealTimers()
    }
  })

  it("has changed only if an answer sets another cookie than it has", () => {
    const jar = new Jar()
    const changesBy = (header: string) => {
      const before = jar.changes
      jar.read(new URL(from), header)
      return jar.changes - before
    }
    const expires = "Expires=Fri, 31 Dec 2100 00:00:00 GMT"
    expect(changesBy("a=1; Path=/")).toBe(1)
    expect(changesBy("a=1; Path=/")).toBe(0)
    expect(changesBy("a=1; Path=/; Secure")).toBe(1)
    expect(changesBy("a=2; Path=/; Secure")).toBe(1)
    expect(changesBy("b=1")).toBe(1)
    expect(changesBy("b=1; Path=/account")).toBe(0)
    expect(changesBy("a=2; Path=/; Secure; Domain=shop.example")).toBe(1)
    expect(changesBy(`c=; Path=/; Max-Age=0; ${expires}`)).toBe(0)
    expect(changesBy("d=1; Domain=bank.example")).toBe(0)
    expect(changesBy("a=; Path=/; Max-Age=0")).toBe(1)
    expect(changesBy("a=; Path=/; Max-Age=0")).toBe(0)
    const known = jar.changes
    jar.add(jar.cookies())
    expect(jar.changes).toBe(known)
  })

  it("is the same after its cookies were saved", () => {
    const jar = new Jar()
    jar.read(new URL(from), [
      "a=1; Path=/; HttpOnly",
      "b=2; Domain=shop.example; Secure; Max-Age=600; Path=/",
      "c=3; Max-Age=0"
    ])
    const again = new Jar(jar.cookies())
    expect(again.cookies()).toEqual(jar.cookies())
    expect(again.header(new URL("https://api.shop.example/"))).toBe("b=2")
    expect(again.header(new URL("https://www.shop.example/"))).toBe("a=1; b=2")
  })

  it("keeps what only browsers need: SameSite and the partition of embedded sites, also beside a cookie of the same name", () => {
    const shared = { domain: "www.shop.example", path: "/", secure: true, httpOnly: false }
    const partition = (topLevelSite: string, hasCrossSiteAncestor: boolean) => ({ topLevelSite, hasCrossSiteAncestor })
    const cookies = [
      { ...shared, name: "a", value: "plain", sameSite: "Lax" as const },
      {
        ...shared,
        name: "a",
        value: "other",
        sameSite: "None" as const,
        partitionKey: partition("https://top.example", true)
      },
      { ...shared, name: "a", value: "own", partitionKey: partition("https://shop.example", false) }
    ]
    const jar = new Jar(cookies)
    expect(jar.cookies()).toEqual(cookies)
    expect(jar.header(new URL(from))).toBe("a=plain; a=own")
    const [one, two] = new Jar([
      { ...shared, name: "a", value: "1", partitionKey: "https://top.example" },
      { ...shared, name: "a", value: "2", partitionKey: "https://shop.example" }
    ]).cookies()
    expect([one?.partitionKey, two?.partitionKey]).toEqual([
      partition("https://top.example", true),
      partition("https://shop.example", false)
    ])
    jar.clear()
    expect(jar.cookies()).toEqual([])
  })

  it("has the text of bytes, and the bytes of a text", () => {
    const jar = new Jar()
    jar.read(new URL(from), ["a=\xc3\xa0; Path=/", "b=\xe9; Path=/"])
    expect(jar.cookies()[0]?.value).toBe("à")
    const again = new Jar(JSON.parse(JSON.stringify(jar.cookies())))
    expect(again.header(new URL(from))).toBe("a=\xc3\xa0; b=\xe9")
  })

  it("keeps all cookies when one expires in a time that no date has: it expires after 400 days", () => {
    const jar = new Jar()
    jar.read(new URL(from), [
      "a=1; Path=/; Max-Age=9223372036854775807",
      "b=2; Path=/",
      `c=3; Path=/; Max-Age=${"9".repeat(400)}`
    ])
    const day = 86_400_000
    const days = new Jar(jar.cookies())
      .cookies()
      .map(({ expires }) => Math.round(((expires ?? Number.NaN) * 1000 - Date.now()) / day))
    expect(days).toEqual([400, Number.NaN, 400])
    const late = new Jar([{ name: "a", value: "1", domain: "www.shop.example", expires: 1e16 }])
    expect(late.cookies()).toHaveLength(1)
    expect(late.header(new URL(from))).toBe("a=1")
  })
})

const files: ReadonlyArray<readonly [name: string, text: string, found: string]> = [
  [
    "a cookies.txt of wget, with its comments",
    "# HTTP Cookie File\n\n.shop.example\tTRUE\t/\tFALSE\t0\ta\t1\n",
    "a@.shop.example"
  ],
  [
    "lines of httpOnly cookies, which look like comments",
    "#HttpOnly_shop.example\tFALSE\t/\tTRUE\t4102444800\ta\t1\r\n",
    "a@shop.example"
  ],
  ["an empty value", "shop.example\tFALSE\t/\tFALSE\t0\ta\t\n", "a@shop.example"],
  ["a domain without its dot, and a byte order mark", "\ufeffshop.example\tTRUE\t/\tFALSE\t1.5e9\ta\t1\n", "line 1"],
  [
    "a storage state of Playwright",
    '{"cookies":[{"name":"a","value":"1","domain":".shop.example","path":"/","expires":-1}],"origins":[]}',
    "a@.shop.example"
  ],
  [
    "an array of a browser extension",
    '[{"name":"a","value":"1","domain":"shop.example","hostOnly":true,"session":true}]',
    "a@shop.example"
  ],
  ["JSON without a cookie", '{"cookies":[],"origins":[]}', "it has no cookies"],
  ["spaces in place of tabs", "shop.example FALSE / FALSE 0 a secret-value\n", "line 1 is not a line of a cookies.txt"],
  ["JSON of something else", '{"a":1}', "neither a storage state"],
  ["nothing", "# Netscape HTTP Cookie File\n", "it has no cookies"]
]

describe("a file with cookies", () => {
  for (const [name, text, found] of files) {
    it(name, () => {
      const read = readCookieFile(text)
      if (Either.isLeft(read)) expect(read.left).toContain(found)
      else expect(read.right.cookies.map(({ domain, name }) => `${name}@${domain}`).join()).toBe(found)
      expect(JSON.stringify(Either.isLeft(read) ? read.left : "")).not.toContain("secret-value")
    })
  }

  const cookiesIn = (json: unknown) => Either.getOrThrow(readCookieFile(JSON.stringify(json)))

  it("of an extension has the expiry and the values that extensions write", () => {
    const shared = { name: "a", value: "1", domain: "shop.example", storeId: null }
    expect(
      cookiesIn([
        {
          ...shared,
          expirationDate: 4102444800.5,
          sameSite: "no_restriction",
          partitionKey: { topLevelSite: "https://top.example" }
        },
        { ...shared, sameSite: null, partitionKey: null, session: true },
        { ...shared, sameSite: "unspecified", partitionKey: {} }
      ]).cookies
    ).toMatchObject([
      { expires: 4102444800.5, sameSite: "None", partitionKey: "https://top.example" },
      { expires: -1 },
      { expires: -1 }
    ])
  })

  it("of Playwright has its partition, and says that there is storage, which is not read", () => {
    const cookie = { name: "a", value: "1", domain: "shop.example", path: "/", sameSite: "Lax" }
    const partitionKey = "https://top.example"
    const partitioned = { ...cookie, partitionKey, _crHasCrossSiteAncestor: true }
    const origins = [{ origin: "https://shop.example", localStorage: [{ name: "token", value: "x" }] }]
    expect(cookiesIn({ cookies: [partitioned], origins })).toEqual({
      cookies: [{ ...cookie, expires: -1, partitionKey: { topLevelSite: partitionKey, hasCrossSiteAncestor: true } }],
      hasStorage: true
    })
    expect(cookiesIn({ cookies: [cookie], origins: [] }).hasStorage).toBe(false)
  })
})
