/** A login for every step that it is for, in each of its ways, on the command line. */

import { readFileSync } from "node:fs"
import { sluice } from "../Cli/Console.ts"
import { folderOf } from "../Cli/Project.ts"
import { serve } from "../Client/Server.ts"
import { expect, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { env, filesWith, loginOf, password, portal, user } from "./Portal.ts"

const linesIn = (file: string): ReadonlyArray<Record<string, unknown>> =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))

const pipeline = (login: string, steps: string) =>
  `version: 1\nname: members\n${login}steps:\n${steps}  - write: { jsonl: out.jsonl }\n`

const run = (root: string, ...words: ReadonlyArray<string>) =>
  sluice(["run", `${root}/p.yaml`, "--data", `${root}/data`, "--out", root, ...words], { env })

const pages = (url: string) => `  - urls: ["${url}/members/1", "${url}/members/2", "${url}/members/3"]\n`

scoped.skipIf(skipsLong)(
  "signs in for batchScrape, scrape and request, and leaves a step with login: false alone",
  function* () {
    for (const step of ["batchScrape: { formats: [markdown] }", "scrape: { formats: [markdown] }"]) {
      const { log, url } = yield* portal({ expiresAfter: 3 })
      const root = yield* folderOf({
        "p.yaml": pipeline(loginOf(url), `${pages(url)}  - ${step}\n  - select: { title: metadata.title }\n`)
      })
      const { code, err } = yield* run(root)
      expect(code, err).toBe(0)
      expect(
        linesIn(`${root}/out.jsonl`)
          .map(({ title }) => title)
          .sort()
      ).toEqual(["Member 1", "Member 2", "Member 3"])
      expect([log.logins, log.refused]).toEqual([2, 0])
      expect(filesWith(root, [password, ...log.secrets])).toEqual([])
    }
    const { log, url } = yield* portal({ expiresAfter: 2 })
    const api = `  - request: { url: "${url}/api/items", rows: items, next: { page: { param: page, start: 1 }, pages: 2 } }\n`
    const root = yield* folderOf({ "p.yaml": pipeline(loginOf(url), api) })
    const { code, err } = yield* run(root)
    expect(code, err).toBe(0)
    expect(linesIn(`${root}/out.jsonl`)).toEqual([{ id: 1 }, { id: 2 }])
    expect(log.logins).toBe(2)
    expect(filesWith(root, [password, ...log.secrets])).toEqual([])
    const without = yield* folderOf({
      "p.yaml": pipeline(
        loginOf(url),
        `${pages(url)}  - scrape: { login: false }\n    failOn: []\n  - select: { title: metadata.title }\n`
      )
    })
    const left = yield* run(without)
    expect([left.code, linesIn(`${without}/out.jsonl`)[0]], left.err).toEqual([0, { title: "Sign in" }])
    expect(log.logins).toBe(2)
  }
)

scoped("sends the step request's cookies as the site set them, whatever their names, paths and order", function* () {
  const ends = "sid=; Path=/old; Max-Age=0"
  const others = ["user[id]=5; Path=/", "a b=6; Path=/", "\xe9=7; Path=/", "c = 8; Path=/", "d=9; Path=/; Expires=0"]
  const form = `<form method="post" action="/session"><input name="email"><input type="password" name="password"></form>`
  for (const both of [
    ["sid=NEW; Path=/", ends],
    [ends, "sid=NEW; Path=/"]
  ]) {
    const sent: Array<string | undefined> = []
    const { url } = yield* serve(({ headers, path }) => {
      if (path === "/login") return { body: form, headers: { "content-type": "text/html" } }
      if (path === "/session") return { status: 303, headers: { location: "/in", "set-cookie": [...both, ...others] } }
      if (path === "/api") sent.push(headers.cookie)
      return { body: { items: [{ id: 1 }] } }
    })
    const login = `login: { url: ${url}/login, fields: { email: a, password: "\${{ secrets.PORTAL_PASSWORD }}" } }\n`
    const root = yield* folderOf({ "p.yaml": pipeline(login, `  - request: { url: "${url}/api", rows: items }\n`) })
    const { code, err } = yield* run(root)
    expect(code, err).toBe(0)
    expect(sent).toEqual(["sid=NEW; user[id]=5; a b=6; \xe9=7; c=8; d=9"])
  }
})

scoped("fails the pages that need a member once a new sign-in is refused, and does not ask for another", function* () {
  const { lock, log, url } = yield* portal({ expiresAfter: 3 })
  const timer = setInterval(() => log.pages.size >= 3 && lock(), 1)
  const root = yield* folderOf({
    "p.yaml": pipeline(
      loginOf(url),
      `${pages(url)}  - scrape: {}\n    concurrency: 1\n  - select: { title: metadata.title }\n`
    )
  })
  yield* run(root)
  clearInterval(timer)
  expect(linesIn(`${root}/out.jsonl`)).toEqual([{ title: "Member 1" }, { title: "Member 2" }])
  expect(filesWith(`${root}/data/runs`, ["the form was answered with the login page again"])).toHaveLength(1)
  expect(log.refused).toBe(1)
})

scoped.skipIf(skipsLong)(
  "keeps the cookies of a profile for the next run, encrypted, until it is removed",
  function* () {
    const { log, url } = yield* portal()
    const root = yield* folderOf({
      "p.yaml": pipeline(
        loginOf(url, "  profile: portal\n"),
        `${pages(url)}  - scrape: {}\n  - select: { title: metadata.title }\n`
      )
    })
    for (const _ of [1, 2]) expect((yield* run(root)).code).toBe(0)
    expect(log.logins).toBe(1)
    expect(filesWith(root, [password, ...log.secrets])).toEqual([])
    const profile = (...words: ReadonlyArray<string>) =>
      sluice(["profile", ...words, "--data", `${root}/data`], { env })
    expect((yield* profile("list")).out).toContain("portal")
    expect((yield* profile("rm", "portal")).code).toBe(0)
    expect((yield* run(root)).code).toBe(0)
    expect(log.logins).toBe(2)
  }
)

scoped.skipIf(skipsLong)(
  "takes HTTP basic to the origin of the login only, and cookies of a file to their own hosts",
  function* () {
    const seen: Array<string | undefined> = []
    const other = yield* serve(({ headers }) => {
      seen.push(headers.authorization, headers.cookie)
      return {
        body: "<title>Other</title><p>Some words of another site.</p>",
        headers: { "content-type": "text/html" }
      }
    })
    const member = yield* serve(({ headers }) =>
      headers.authorization === `Basic ${Buffer.from(`heron:${password}`).toString("base64")}` ||
      headers.cookie?.includes("sid=of-a-file") === true
        ? { body: "<title>In</title><p>Some words for members.</p>", headers: { "content-type": "text/html" } }
        : { status: 401, headers: { "www-authenticate": "Basic" } }
    )
    const steps = `  - urls: ["${member.url}/a", "${other.url.replace("127.0.0.1", "localhost")}/b"]\n  - scrape: {}\n  - select: { title: metadata.title }\n`
    const { port } = new URL(member.url)
    const logins = [
      `login: { url: "${member.url}/", basic: { user: heron, password: "\${{ secrets.PORTAL_PASSWORD }}" } }\n`,
      "login: { cookies: cookies.txt }\n",
      "login: { cookies: state.json }\n"
    ]
    for (const login of logins) {
      const root = yield* folderOf({
        "p.yaml": pipeline(login, steps),
        "cookies.txt": `# Netscape HTTP Cookie File\n#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\tof-a-file\n`,
        "state.json": JSON.stringify({
          cookies: [
            {
              name: "sid",
              value: "of-a-file",
              domain: "127.0.0.1",
              path: "/",
              expires: -1,
              httpOnly: true,
              secure: false,
              sameSite: "Lax"
            }
          ],
          origins: [{ origin: member.url, localStorage: [{ name: "token", value: "x" }] }]
        })
      })
      const { code, err } = yield* run(root)
      expect(code, err + port).toBe(0)
      const saysSo = err.includes("login: only the cookies of state.json are used, not its localStorage")
      expect(saysSo, err).toBe(login.includes("state.json"))
      expect(
        linesIn(`${root}/out.jsonl`)
          .map(({ title }) => String(title))
          .sort()
      ).toEqual(["In", "Other"])
      expect(filesWith(`${root}/data`, [password, "of-a-file"])).toEqual([])
    }
    expect(seen.every((each) => each === undefined)).toBe(true)
  }
)

scoped("watches a page of members", function* () {
  const { log, url } = yield* portal()
  const root = yield* folderOf({ "login.yaml": loginOf(url) })
  const words = ["watch", `${url}/members/3`, "--once", "--login", `${root}/login.yaml`, "--data", `${root}/data`]
  const { code, err } = yield* sluice(words, { env, cwd: root })
  expect(code, err).toBe(0)
  expect(err).toContain("first visit: 1 page")
  expect(log.pages.get("/members/3")).toBe(2)
  expect(filesWith(root, [password, ...log.secrets])).toEqual([])
})

scoped("says what is wrong with a login before anything is sent", function* () {
  const wrong: ReadonlyArray<readonly [string, string]> = [
    ["login: { url: https://x.example/ }\n", "needs one of fields, basic, cookies, run"],
    [`login: { fields: { user: ${user} } }\n`, "needs the url of the login page"],
    ["login: { url: https://x.example/, fields: { a: b }, success: '>>' }\n", "is not a CSS selector"],
    ["login: { url: https://x.example/, fields: { user: a, password: hunter22 } }\n", "is written into the definition"]
  ]
  for (const [login, message] of wrong) {
    const root = yield* folderOf({ "p.yaml": pipeline(login, `${pages("https://x.example")}  - scrape: {}\n`) })
    const { err, out } = yield* sluice(["check", `${root}/p.yaml`], { env, cwd: root })
    expect(err + out).toContain(message)
  }
})

scoped("records and replays a test without a password, a token or a cookie", function* () {
  const { endSessions, lock, log, url } = yield* portal()
  const steps = `${pages(url)}  - scrape: { formats: [markdown] }\n  - select: { title: metadata.title }\n`
  const test = `tests:\n  - name: members\n    given: { recording: r.json }\n    expect: { rows: { select: { count: 3 } } }\n`
  const root = yield* folderOf({ "p.yaml": pipeline(loginOf(url), steps), "p.test.yaml": test })
  const recorded = yield* sluice(["test", `${root}/p.test.yaml`, "--record", "--data", `${root}/data`], { env })
  expect(recorded.code, recorded.out + recorded.err).toBe(0)
  expect(log.logins).toBe(1)
  expect(filesWith(root, [password, ...log.secrets])).toEqual([])
  expect(readFileSync(`${root}/r.json`, "utf8")).not.toContain(user)
  lock()
  endSessions()
  const replayed = yield* sluice(["test", `${root}/p.test.yaml`, "--data", `${root}/data`])
  expect(replayed.code, replayed.out + replayed.err).toBe(0)
  expect(log.refused).toBe(0)
})
