/**
 * Cases of Google's robots.txt parser: robots text, user agent, address, allowed or not.
 *
 * Facts taken from `robots_test.cc` of https://github.com/google/robotstxt (Copyright 2019 Google LLC, Apache-2.0), written here as tables.
 * Cases which that file marks as its own extensions are marked `extension`; all of them pass, too.
 */
import { describe, expect, it } from "vitest"
import { decodeRobots, readRobots } from "../../../src/Engine/Fetch/Robots.ts"

interface Case {
  readonly about: string
  readonly extension?: true
  readonly robots: ReadonlyArray<string>
  readonly agents?: ReadonlyArray<string>
  /** Paths, or whole addresses. */
  readonly allowed: ReadonlyArray<string>
  readonly disallowed: ReadonlyArray<string>
}

const foo = (...rules: ReadonlyArray<string>) => ["user-agent: FooBot", ...rules]

const grouped = [
  "allow: /foo/bar/",
  "",
  "user-agent: FooBot",
  "disallow: /",
  "allow: /x/",
  "user-agent: BarBot",
  "disallow: /",
  "allow: /y/",
  "",
  "",
  "allow: /w/",
  "user-agent: BazBot",
  "",
  "user-agent: FooBot",
  "allow: /z/",
  "disallow: /"
]
const global = ["user-agent: *", "allow: /", "user-agent: FooBot", "disallow: /"]
const specific = [
  "user-agent: FooBot",
  "allow: /",
  "user-agent: BarBot",
  "disallow: /",
  "user-agent: BazBot",
  "disallow: /"
]
const specificWins = ["User-agent: *", "Disallow: /x/", "User-agent: FooBot", "Disallow: /y/"]
const fish = [
  "/fish",
  "/fish.html",
  "/fish/salmon.html",
  "/fishheads",
  "/fishheads/yummy.html",
  "/fish.html?id=anything"
]
const maxLine = 2083 * 8

/** A value that fills a line of the field to the maximum length. */
const filling = (field: string, letter: string) => {
  const start = "/x/"
  return start + letter.repeat(maxLine - 2 * start.length - field.length + 1)
}
const [longDisallow, longAllow, otherAllow] = [
  filling("disallow: ", "a"),
  filling("allow: ", "a"),
  filling("allow: ", "b")
]

const cases: ReadonlyArray<Case> = [
  { about: "an empty file", robots: [""], allowed: ["", "/x/y"], disallowed: [] },
  { about: "an empty file and no name", robots: [""], agents: [""], allowed: [""], disallowed: [] },
  { about: "no name", extension: true, robots: foo("disallow: /"), agents: [""], allowed: [""], disallowed: [] },
  { about: "an empty address", extension: true, robots: foo("disallow: /"), allowed: [], disallowed: [""] },
  { about: "a line", robots: foo("disallow: /"), allowed: [], disallowed: ["/x/y"] },
  { about: "unknown fields", robots: ["foo: FooBot", "bar: /"], allowed: ["/x/y"], disallowed: [] },
  { about: "missing colons", robots: ["user-agent FooBot", "disallow /"], allowed: [], disallowed: ["/x/y"] },
  { about: "two groups of one agent", robots: grouped, allowed: ["/x/b", "/z/d"], disallowed: ["/y/c", "/foo/bar/"] },
  {
    about: "rules after blank lines",
    robots: grouped,
    agents: ["BarBot"],
    allowed: ["/y/c", "/w/a"],
    disallowed: ["/z/d", "/foo/bar/"]
  },
  { about: "agents in a row", robots: grouped, agents: ["BazBot"], allowed: ["/z/d"], disallowed: ["/foo/bar/"] },
  ...[
    ["USER-AGENT: FooBot", "ALLOW: /x/", "DISALLOW: /"],
    ["user-agent: FooBot", "allow: /x/", "disallow: /"],
    ["uSeR-aGeNt: FooBot", "AlLoW: /x/", "dIsAlLoW: /"]
  ].map((robots) => ({ about: "case of fields", robots, allowed: ["/x/y"], disallowed: ["/a/b"] })),
  ...["FOO BAR", "foo bar", "FoO bAr"].map((name) => ({
    about: "case of agents",
    robots: [`User-Agent: ${name}`, "Allow: /x/", "Disallow: /"],
    agents: ["Foo", "foo"],
    allowed: ["/x/y"],
    disallowed: ["/a/b"]
  })),
  ...[
    { agents: ["Foo"], allowed: ["/x/y"], disallowed: [] },
    { agents: ["Foo Bar"], allowed: [], disallowed: ["/x/y"] }
  ].map((judged) => ({
    about: "agents up to the first space",
    extension: true as const,
    robots: ["User-Agent: *", "Disallow: /", "User-Agent: Foo Bar", "Allow: /x/", "Disallow: /"],
    ...judged
  })),
  { about: "a group of one's own beside the default", robots: global, allowed: [], disallowed: ["/x/y"] },
  { about: "the default group", robots: global, agents: ["BarBot"], allowed: ["/x/y"], disallowed: [] },
  { about: "no group", robots: specific, agents: ["QuxBot"], allowed: ["/x/y"], disallowed: [] },
  { about: "case of paths", robots: foo("disallow: /x/"), allowed: [], disallowed: ["/x/y"] },
  { about: "case of paths", robots: foo("disallow: /X/"), allowed: ["/x/y"], disallowed: [] },
  {
    about: "the longest rule",
    robots: foo("disallow: /x/page.html", "allow: /x/"),
    allowed: [],
    disallowed: ["/x/page.html"]
  },
  {
    about: "the longest rule",
    robots: foo("allow: /x/page.html", "disallow: /x/"),
    allowed: ["/x/page.html"],
    disallowed: ["/x/"]
  },
  { about: "empty rules", robots: foo("disallow: ", "allow: "), allowed: ["/x/page.html"], disallowed: [] },
  { about: "equal rules", robots: foo("disallow: /", "allow: /"), allowed: ["/x/page.html"], disallowed: [] },
  { about: "a slash more", robots: foo("disallow: /x", "allow: /x/"), allowed: ["/x/"], disallowed: ["/x"] },
  {
    about: "equal rules",
    robots: foo("disallow: /x/page.html", "allow: /x/page.html"),
    allowed: ["/x/page.html"],
    disallowed: []
  },
  {
    about: "length in octets",
    robots: foo("allow: /page", "disallow: /*.html"),
    allowed: ["/page"],
    disallowed: ["/page.html"]
  },
  {
    about: "length in octets",
    robots: foo("allow: /x/page.", "disallow: /*.html"),
    allowed: ["/x/page.html"],
    disallowed: ["/x/y.html"]
  },
  { about: "the most specific group", robots: specificWins, allowed: ["/x/page"], disallowed: ["/y/page"] },
  {
    about: "an address in the query",
    robots: foo("Disallow: /", "Allow: /foo/bar?qux=taz&baz=http://foo.bar?tar&par"),
    allowed: ["/foo/bar?qux=taz&baz=http://foo.bar?tar&par"],
    disallowed: []
  },
  // Here RFC 9309 (2.2.2) says otherwise than Google's library: one spelling of an octet is like another.
  ...["/foo/bar/ツ", "/foo/bar/%E3%83%84"].map((rule) => ({
    about: "three bytes",
    robots: foo("Disallow: /", `Allow: ${rule}`),
    allowed: ["/foo/bar/%E3%83%84", "/foo/bar/ツ"],
    disallowed: ["/foo/bar/シ"]
  })),
  {
    about: "encoded letters",
    robots: foo("Disallow: /", "Allow: /foo/bar/%62%61%7A"),
    allowed: ["/foo/bar/%62%61%7A", "/foo/bar/baz"],
    disallowed: ["/foo/bar/bax"]
  },
  {
    about: "asterisks",
    robots: foo("Disallow: /foo/bar/quz", "Allow: /foo/*/qux"),
    allowed: ["/foo/quz", "/foo//quz", "/foo/bax/quz"],
    disallowed: ["/foo/bar/quz"]
  },
  {
    about: "the end of the path",
    robots: foo("Disallow: /foo/bar$", "Allow: /foo/bar/qux"),
    allowed: ["/foo/bar/qux", "/foo/bar/", "/foo/bar/baz"],
    disallowed: ["/foo/bar"]
  },
  {
    about: "comments",
    robots: foo("# Disallow: /", "Disallow: /foo/quz#qux", "Allow: /"),
    allowed: ["/foo/bar"],
    disallowed: ["/foo/quz"]
  },
  {
    about: "index pages",
    extension: true,
    robots: ["User-Agent: *", "Allow: /allowed-slash/index.html", "Disallow: /"],
    agents: ["foobot"],
    allowed: ["/allowed-slash/", "/allowed-slash/index.html"],
    disallowed: ["/allowed-slash/index.htm", "/anyother-url"]
  },
  {
    about: "long lines",
    extension: true,
    robots: foo(`disallow: ${longDisallow}/qux`),
    allowed: ["/fux"],
    disallowed: [`${longDisallow}/fux`]
  },
  {
    about: "long lines",
    extension: true,
    robots: foo("disallow: /", `allow: ${longAllow}/qux`, `allow: ${otherAllow}/qux`),
    allowed: [`${longAllow}/qux`, `${otherAllow}/fux`],
    disallowed: ["/"]
  },
  ...["/fish", "/fish*"].map((rule) => ({
    about: "prefixes",
    extension: true as const,
    robots: foo("disallow: /", `allow: ${rule}`),
    allowed: fish,
    disallowed: ["/bar", "/Fish.asp", "/catfish", "/?id=fish"]
  })),
  {
    about: "folders",
    extension: true,
    robots: foo("disallow: /", "allow: /fish/"),
    allowed: ["/fish/", "/fish/salmon", "/fish/?salmon", "/fish/salmon.html", "/fish/?id=anything"],
    disallowed: ["/bar", "/fish", "/fish.html", "/Fish/Salmon.html"]
  },
  {
    about: "extensions of file names",
    extension: true,
    robots: foo("disallow: /", "allow: /*.php"),
    allowed: [
      "/filename.php",
      "/folder/filename.php",
      "/folder/filename.php?parameters",
      "//folder/any.php.file.html",
      "/filename.php/",
      "/index?f=filename.php/"
    ],
    disallowed: ["/bar", "/php/", "/index?php", "/windows.PHP"]
  },
  {
    about: "extensions at the end",
    extension: true,
    robots: foo("disallow: /", "allow: /*.php$"),
    allowed: ["/filename.php", "/folder/filename.php"],
    disallowed: [
      "/bar",
      "/filename.php?parameters",
      "/filename.php/",
      "/filename.php5",
      "/php/",
      "/filename?php",
      "/aaaphpaaa",
      "//windows.PHP"
    ]
  },
  {
    about: "asterisks in the middle",
    extension: true,
    robots: foo("disallow: /", "allow: /fish*.php"),
    allowed: ["/fish.php", "/fishheads/catfish.php?parameters"],
    disallowed: ["/bar", "/Fish.PHP"]
  },
  ...(
    [
      [["allow: /p", "disallow: /"], "/page", true],
      [["allow: /folder", "disallow: /folder"], "/folder/page", true],
      [["allow: /page", "disallow: /*.htm"], "/page.htm", false],
      [["allow: /$", "disallow: /"], "/", true],
      [["allow: /$", "disallow: /"], "/page.html", false]
    ] as const
  ).map(([rules, path, isAllowed]) => ({
    about: "precedence",
    extension: true as const,
    robots: foo(...rules),
    allowed: isAllowed ? [path] : [],
    disallowed: isAllowed ? [] : [path]
  }))
]

describe("Google's cases", () => {
  it.each(cases)("$about", ({ agents = ["FooBot"], allowed, disallowed, robots }) => {
    for (const agent of agents) {
      const { isAllowed } = readRobots(`${robots.join("\n")}\n`)
      const judged = [...allowed, ...disallowed].map((path) => [path, isAllowed(path === "" ? "/" : path, agent)])
      expect(judged, agent).toEqual([
        ...allowed.map((path) => [path, true]),
        ...disallowed.map((path) => [path, false])
      ])
    }
  })

  it.each(["\n", "\r\n", "\r", "mixed"])("line ends: %j", (end) => {
    const lines = ["User-Agent: foo", "Allow: /some/path", "User-Agent: bar", "", "", "Disallow: /"]
    const text = lines.reduce((all, line, at) => all + (end === "mixed" ? (at % 2 ? "\r\n" : "\n") : end) + line)
    for (const last of ["", end === "mixed" ? "\n" : end]) {
      const { isAllowed } = readRobots(text + last)
      expect([isAllowed("/", "foo"), isAllowed("/some/path", "bar"), isAllowed("/", "bar")]).toEqual([
        true,
        false,
        false
      ])
    }
  })

  it.each([
    { mark: [0xef, 0xbb, 0xbf], isRead: true },
    { mark: [0xef, 0xbb], isRead: true },
    { mark: [0xef], isRead: true },
    { mark: [0xef, 0x11, 0xbf], isRead: false }
  ])("the byte order mark $mark before the first line", ({ isRead, mark }) => {
    const bytes = Buffer.concat([Buffer.from(mark), Buffer.from("User-Agent: foo\nDisallow: /AnyValue\n")])
    expect(readRobots(decodeRobots(bytes, undefined)).isAllowed("/AnyValue", "foo")).toBe(!isRead)
    const inside = Buffer.concat([Buffer.from("User-Agent: foo\n"), Buffer.from(mark), Buffer.from("Disallow: /a\n")])
    expect(readRobots(decodeRobots(inside, undefined)).isAllowed("/a", "foo")).toBe(true)
  })

  it("sitemaps anywhere in the file", () => {
    const groups = "User-Agent: foo\nAllow: /some/path\nUser-Agent: bar\n\n\n"
    const sitemap = "Sitemap: http://foo.bar/sitemap.xml\n"
    for (const text of [groups + sitemap, sitemap + groups]) {
      expect(readRobots(text).sitemaps).toEqual(["http://foo.bar/sitemap.xml"])
    }
  })
})
