/** Parsing of robots.txt by RFC 9309, and of common mistakes as by Google's parser. */
import { describe, expect, it } from "vitest"
import { readRobots } from "../../../src/Engine/Fetch/Robots.ts"

const isAllowed = (text: string, agent: string, path: string) => readRobots(text).isAllowed(path, agent)

/** Allowed or not, by path. */
const judged = (text: string, agent: string, ...paths: ReadonlyArray<string>) =>
  paths.map((path) => isAllowed(text, agent, path))

describe("the product token of a crawler", () => {
  const closed = (name: string) => `User-agent: ${name}\nDisallow: /marsh\n`

  it("ends at the first character that is not a letter, a hyphen or an underscore, and is case-insensitive", () => {
    for (const name of [
      "heron",
      "HERON",
      "Heron/1.0",
      "heron 2",
      "Heron Bird",
      "heron*",
      "heron;x",
      "heron2000",
      "heron(compatible)",
      "heron\tx",
      "heron é"
    ]) {
      for (const agent of ["heron", "Heron", "Heron/1.0", "heron/2 (+https://a.example/bot)", "heron7"]) {
        expect(isAllowed(closed(name), agent, "/marsh"), `${name} ${agent}`).toBe(false)
      }
      for (const agent of ["her", "herons", "heron-x", "heron_x", "x-heron"]) {
        expect(isAllowed(closed(name), agent, "/marsh"), `${name} ${agent}`).toBe(true)
      }
    }
    expect(isAllowed(closed("grey-heron_x/3"), "Grey-Heron_X", "/marsh")).toBe(false)
  })

  it("has no spaces: a crawler with a space in its name gets the default group", () => {
    const text = "User-agent: *\nDisallow: /\nUser-agent: Grey Heron\nAllow: /marsh\nDisallow: /\n"
    expect(isAllowed(text, "Grey", "/marsh")).toBe(true)
    expect(isAllowed(text, "Grey Heron", "/marsh")).toBe(false)
  })

  it("may begin with a digit, as some real crawlers do, and then counts as a whole", () => {
    const text = closed("360Heron")
    expect(isAllowed(text, "360Heron/1.0", "/marsh")).toBe(false)
    for (const agent of ["360Stork", "heron", "", "7"]) expect(isAllowed(text, agent, "/marsh"), agent).toBe(true)
  })

  it("is the default group as an asterisk, alone or before a space, and not before anything else", () => {
    for (const name of ["*", "* ", "* and all others"]) expect(isAllowed(closed(name), "stork", "/marsh")).toBe(false)
    for (const name of ["*stork", "**", "", " "]) {
      for (const agent of ["stork", ""]) expect(isAllowed(closed(name), agent, "/marsh"), name).toBe(true)
    }
  })
})

describe("groups of rules", () => {
  it("apply to all user agents listed before them; groups of one user agent are merged, and rules before any user agent are ignored", () => {
    const text = [
      "Disallow: /delta",
      "",
      "User-agent: heron",
      "Disallow: /",
      "Allow: /reed/",
      "User-agent: stork",
      "Disallow: /",
      "Allow: /roof/",
      "",
      "",
      "Allow: /chimney/",
      "User-agent: crane",
      "",
      "User-agent: heron",
      "Allow: /marsh/",
      "Disallow: /"
    ].join("\n")
    expect(judged(text, "heron", "/reed/a", "/marsh/a", "/roof/a", "/delta")).toEqual([true, true, false, false])
    expect(judged(text, "stork", "/roof/a", "/chimney/a", "/marsh/a", "/delta")).toEqual([true, true, false, false])
    expect(judged(text, "crane", "/marsh/a", "/reed/a", "/delta")).toEqual([true, false, false])
    expect(judged("Disallow: /\n", "heron", "/")).toEqual([true])
  })

  it("of a user agent replace the default group, even if they are empty", () => {
    const text = "User-agent: *\nDisallow: /reed\nUser-agent: heron\nDisallow: /marsh\nUser-agent: stork\nDisallow:\n"
    expect(judged(text, "heron", "/reed/a", "/marsh/a")).toEqual([true, false])
    expect(judged(text, "stork", "/reed/a", "/marsh/a")).toEqual([true, true])
    expect(judged(text, "crane", "/reed/a", "/marsh/a")).toEqual([false, true])
    for (const none of ["", "# nothing\n", "User-agent: heron\nDisallow: /\n"]) {
      expect(judged(none, "crane", "/", "/reed")).toEqual([true, true])
    }
  })

  it("are not split by other lines", () => {
    const text =
      "User-agent: heron\nSitemap: https://a.example/s.xml\nHost: a.example\nUser-agent: stork\nDisallow: /\n"
    for (const agent of ["heron", "stork"]) expect(isAllowed(text, agent, "/a"), agent).toBe(false)
  })
})

describe("lines", () => {
  const closed = { agent: "User-agent: heron", rule: "Disallow: /" }

  it("have case-insensitive fields, spaces anywhere around them, and comments", () => {
    for (const text of [
      "USER-AGENT: heron\nDISALLOW: /\n",
      "uSeR-aGeNt:heron\ndIsAlLoW:/\n",
      " \tUser-agent \t:\t heron \t\n  Disallow  :  /  \n",
      "User-agent: heron # grey\nDisallow: /# all of it\n",
      "#User-agent: stork\nUser-agent: heron\n# Allow: /\nDisallow: /\n"
    ]) {
      expect(isAllowed(text, "heron", "/a"), text).toBe(false)
    }
    const cut = "User-agent: heron\nDisallow: /marsh#reed\nAllow: /\n"
    expect(judged(cut, "heron", "/marsh", "/marshy", "/reed")).toEqual([false, false, true])
  })

  it("end with a line feed, a carriage return or both; the last one needs no end", () => {
    for (const end of ["\n", "\r", "\r\n", "\n\r\n", "\r\r"]) {
      for (const last of ["", end]) {
        expect(isAllowed(`${closed.agent}${end}${closed.rule}${last}`, "heron", "/"), JSON.stringify(end)).toBe(false)
      }
    }
  })

  it("are read with a missing colon or a common misspelling, and otherwise ignored", () => {
    for (const agent of ["User-agent heron", "Useragent: heron", "user agent: heron", "useragent\theron"]) {
      expect(isAllowed(`${agent}\nDisallow: /\n`, "heron", "/a"), agent).toBe(false)
    }
    for (const rule of ["Disallow /", "disalow: /", "dissallow: /", "Dissalow: /", "Diasllow: /", "disallaw: /"]) {
      expect(isAllowed(`User-agent: heron\n${rule}\n`, "heron", "/a"), rule).toBe(false)
    }
    for (const rule of ["Disallow / all", "No-disallow: /", "Dis allow: /", "foo: /", "Disallow", ": /", "/"]) {
      expect(isAllowed(`User-agent: heron\n${rule}\n`, "heron", "/a"), rule).toBe(true)
    }
    expect(isAllowed("foo: heron\nbar: /\n", "heron", "/a")).toBe(true)
    expect(readRobots("Site-map: /a.xml\nsitemap /b.xml\nSITEMAP: https://a.example/c?d=e\n").sitemaps).toEqual([
      "/a.xml",
      "/b.xml",
      "https://a.example/c?d=e"
    ])
  })

  it("are truncated beyond the length of any real URL", () => {
    const long = `/reed/${"a".repeat(16_663 - "Disallow: /reed/".length)}`
    const text = `User-agent: heron\nDisallow: ${long}/marsh\n`
    expect(judged(text, "heron", "/reed/b", long, `${long}/lake`)).toEqual([true, false, false])
    const inverse = `User-agent: heron\nDisallow: /\nAllow: ${long}/marsh\n`
    expect(judged(inverse, "heron", "/", `${long.slice(0, -5)}`, `${long}/marsh`)).toEqual([false, false, true])
  })
})

describe("a rule", () => {
  const rules = (...lines: ReadonlyArray<string>) => `User-agent: heron\n${lines.join("\n")}\n`

  it("wins by its length in octets, in any order; of two as long, the one that allows", () => {
    for (const [lines, path, expected] of [
      [["Disallow: /reed/nest.html", "Allow: /reed/"], "/reed/nest.html", false],
      [["Allow: /reed/nest.html", "Disallow: /reed/"], "/reed/nest.html", true],
      [["Allow: /reed/nest.html", "Disallow: /reed/"], "/reed/", false],
      [["Disallow:", "Allow:"], "/a", true],
      [["Disallow: /", "Allow: /"], "/a", true],
      [["Disallow: /reed", "Allow: /reed/"], "/reed", false],
      [["Disallow: /reed", "Allow: /reed/"], "/reed/", true],
      [["Allow: /nest", "Disallow: /*.html"], "/nest.html", false],
      [["Allow: /nest", "Disallow: /*.html"], "/nest", true],
      [["Allow: /reed/nest.", "Disallow: /*.html"], "/reed/nest.html", true],
      [["Allow: /reed/nest.", "Disallow: /*.html"], "/reed/egg.html", false],
      // The first has more octets, the second more characters.
      [["Allow: /ü", "Disallow: /*****"], "/%C3%BC", true],
      [["Allow: /$", "Disallow: /"], "/", true],
      [["Allow: /$", "Disallow: /"], "/nest.html", false]
    ] as const) {
      expect(isAllowed(rules(...lines), "heron", path), `${lines} ${path}`).toBe(expected)
    }
  })

  it("is a prefix of the path with its query, case-sensitive", () => {
    for (const pattern of ["/reed", "/reed*"]) {
      const text = rules("Disallow: /", `Allow: ${pattern}`)
      const inside = ["/reed", "/reed.html", "/reed/nest.html", "/reeds", "/reeds/a.html", "/reed.html?id=1"]
      expect(judged(text, "heron", ...inside)).toEqual(inside.map(() => true))
      expect(judged(text, "heron", "/lake", "/Reed.html", "/bluereed", "/?id=reed")).toEqual([
        false,
        false,
        false,
        false
      ])
    }
    const folder = rules("Disallow: /", "Allow: /reed/")
    expect(judged(folder, "heron", "/reed/", "/reed/?a", "/reed/nest", "/reed", "/reed.html", "/Reed/nest")).toEqual([
      true,
      true,
      true,
      false,
      false,
      false
    ])
    expect(judged(rules("Disallow: reed", "Disallow: *nest"), "heron", "/reed", "/a/nest")).toEqual([true, false])
  })

  it("has asterisks for anything, and a dollar sign for the end, which is literal elsewhere", () => {
    const anywhere = rules("Disallow: /", "Allow: /*.php")
    expect(judged(anywhere, "heron", "/a.php", "/b/a.php", "/b/a.php?c", "//b/a.php.html", "/i?f=a.php/")).toEqual(
      Array.from({ length: 5 }, () => true)
    )
    expect(judged(anywhere, "heron", "/php/", "/i?php", "/a.PHP", "/b")).toEqual([false, false, false, false])
    const end = rules("Disallow: /", "Allow: /*.php$")
    expect(judged(end, "heron", "/a.php", "/b/a.php")).toEqual([true, true])
    expect(judged(end, "heron", "/a.php?b", "/a.php/", "/a.php5", "/aphp", "/i?php")).toEqual(
      Array.from({ length: 5 }, () => false)
    )
    const middle = rules("Disallow: /reed/bank/nest", "Disallow: /reed/*/egg")
    expect(judged(middle, "heron", "/reed/bank/nest", "/reed/nest", "/reed//nest", "/reed/a/b/egg")).toEqual([
      false,
      true,
      true,
      false
    ])
    expect(judged(rules("Disallow: /a$b"), "heron", "/a", "/a$b", "/a$bc")).toEqual([true, false, false])
    expect(judged(rules("Disallow: /reed$"), "heron", "/reed", "/reed/", "/reeds")).toEqual([false, true, true])
  })

  it("is compared in normalised encoding: non-ASCII letters encoded, hex digits in one case, plain letters decoded", () => {
    const text = rules("Disallow: /", "Allow: /reed/ツ", "Allow: /nest/%e3%83%84", "Allow: /egg/%62%61%7A")
    expect(judged(text, "heron", "/reed/%E3%83%84", "/reed/%e3%83%84", "/nest/%E3%83%84")).toEqual([true, true, true])
    expect(judged(text, "heron", "/egg/baz", "/egg/%62%61%7a")).toEqual([true, true])
    const address = "/reed?nest=egg&at=http://a.example?b&c"
    expect(isAllowed(rules("Disallow: /", `Allow: ${address}`), "heron", address)).toBe(true)
  })

  it("that allows an index page allows its folder, and nothing else in it", () => {
    const text = rules("Allow: /reed/index.html", "Allow: /nest/index.htm", "Disallow: /")
    expect(judged(text, "heron", "/reed/", "/reed/index.html", "/nest/", "/nest/index.html")).toEqual(
      Array.from({ length: 4 }, () => true)
    )
    expect(judged(text, "heron", "/reed/index.htm", "/reed/a", "/reed", "/egg/", "/")).toEqual(
      Array.from({ length: 5 }, () => false)
    )
    // Disallowing the page does not disallow the folder.
    expect(judged(rules("Disallow: /reed/index.html"), "heron", "/reed/", "/reed/index.html")).toEqual([true, false])
  })
})
