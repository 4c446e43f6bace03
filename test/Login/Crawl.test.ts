/** Whole crawls as a member of a portal, on the command line. */

import { readFileSync } from "node:fs"
import { sluice } from "../Cli/Console.ts"
import { folderOf } from "../Cli/Project.ts"
import { expect, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { env, filesWith, loginOf, password, portal } from "./Portal.ts"

const crawlOf = (url: string, more = "") => `version: 1
name: members
${loginOf(url, more)}steps:
  - crawl: { url: "${url}/members/", limit: 100, scrapeOptions: { formats: [markdown] } }
  - select: { url: metadata.sourceURL, title: metadata.title }
  - write: { jsonl: members.jsonl }
`

const titlesIn = (root: string): ReadonlyArray<string> =>
  readFileSync(`${root}/members.jsonl`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).title)

const run = (root: string, file = "p.yaml") =>
  sluice(["run", `${root}/${file}`, "--data", `${root}/data`, "--out", root], { env })

scoped.skipIf(skipsLong)(
  "crawls all pages of a member with one sign-in, follows no link that signs out, and leaves no secret in a file",
  function* () {
    const { log, url } = yield* portal({
      members: 10,
      links: [
        ["/logout", "Log out"],
        ["/user?action=logout", "X"],
        ["/members/end", "Abmelden"]
      ]
    })
    const root = yield* folderOf({ "p.yaml": crawlOf(url) })
    const { code, err, out } = yield* run(root)
    expect(code, err + out).toBe(0)
    expect(titlesIn(root)).toHaveLength(10)
    expect(new Set(titlesIn(root))).not.toContain("Sign in")
    expect([log.logins, log.refused, log.logouts]).toEqual([1, 0, 0])
    expect(err + out).toMatch(/logout links/)
    expect(filesWith(root, [password, encodeURIComponent(password), ...log.secrets])).toEqual([])
  }
)

scoped.skipIf(skipsLong)("signs in again once when the session expires in the middle", function* () {
  const { log, url } = yield* portal({ members: 12, expiresAfter: 8 })
  const root = yield* folderOf({ "p.yaml": crawlOf(url) })
  const { code, err, out } = yield* run(root)
  expect(code, err + out).toBe(0)
  expect(titlesIn(root)).toHaveLength(12)
  expect(titlesIn(root)).not.toContain("Sign in")
  expect([log.logins, log.refused]).toEqual([2, 0])
})

scoped.skipIf(skipsLong)("takes over the cookies of a site that replaces them with each page", function* () {
  const { log, url } = yield* portal({ members: 12, rotates: true, redirects: true })
  const root = yield* folderOf({ "p.yaml": crawlOf(url) })
  const { code, err, out } = yield* run(root)
  expect(code, err + out).toBe(0)
  expect(titlesIn(root)).toHaveLength(12)
  expect(titlesIn(root)).not.toContain("Sign in")
  expect(log.logins).toBeLessThanOrEqual(2)
  expect(filesWith(root, [password, ...log.secrets])).toEqual([])
})

scoped("fails with the reason when the site does not take the password, and does not try again", function* () {
  const portalOf = yield* portal()
  portalOf.lock()
  const root = yield* folderOf({ "p.yaml": crawlOf(portalOf.url) })
  const { code, err } = yield* run(root)
  expect(code).not.toBe(0)
  expect(err).toContain("the form was answered with the login page again")
  expect(err).not.toContain(password)
  expect(portalOf.log.refused).toBe(1)
})
