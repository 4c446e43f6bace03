/** Logins by code in a browser, and crawls with the profile of a browser session, where a Chromium is. */
import { readFileSync } from "node:fs"
import { sluice } from "../Cli/Console.ts"
import { folderOf } from "../Cli/Project.ts"
import { isMissing } from "../Engine/Render/Installed.ts"
import { describe, expect, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { env, filesWith, password, portal, user } from "./Portal.ts"

const code = `import { createRequire } from "node:module"
const { chromium } = createRequire(${JSON.stringify(new URL("../../package.json", import.meta.url).pathname)})("playwright-core")
export default async ({ cdpUrl, url }) => {
  const browser = await chromium.connectOverCDP(cdpUrl)
  const page = browser.contexts()[0].pages()[0]
  await page.goto(url)
  await page.fill("[name=email]", ${JSON.stringify(user)})
  await page.fill("[name=password]", process.env.PORTAL_PASSWORD)
  await page.click("text=Enter")
  await page.waitForURL("**/members/")
  await browser.close()
}
`

describe.skipIf(isMissing)("a login by code", () => {
  scoped.skipIf(skipsLong)(
    "is one for all pages of a crawl, with --allow-code only",
    function* () {
      const { log, url } = yield* portal({ members: 8 })
      const root = yield* folderOf({
        "login.mjs": code,
        "p.yaml": `version: 1
name: members
login: { url: "${url}/login", run: ./login.mjs, profile: by-code }
steps:
  - crawl: { url: "${url}/members/", limit: 100 }
  - select: { title: metadata.title }
  - write: { jsonl: out.jsonl }
`,
        "again.yaml": `version: 1
name: again
steps:
  - crawl: { url: "${url}/members/", limit: 3, scrapeOptions: { profile: { name: by-code } } }
  - select: { title: metadata.title }
  - write: { jsonl: again.jsonl }
`
      })
      process.env.PORTAL_PASSWORD = password
      const run = (file: string, ...words: ReadonlyArray<string>) =>
        sluice(["run", `${root}/${file}`, "--data", `${root}/data`, "--out", root, ...words], {
          env: { ...env, SLUICE_CHROMIUM_NO_SANDBOX: "1" }
        })
      const refused = yield* run("p.yaml")
      expect([refused.code === 0, log.logins]).toEqual([false, 0])
      expect(refused.err).toContain("--allow-code")
      const done = yield* run("p.yaml", "--allow-code")
      expect(done.code, done.err).toBe(0)
      const titles = readFileSync(`${root}/out.jsonl`, "utf8")
      expect([titles.trim().split("\n").length, titles.includes("Sign in"), log.logins]).toEqual([8, false, 1])
      const again = yield* run("again.yaml")
      expect(again.code, again.err).toBe(0)
      expect(readFileSync(`${root}/again.jsonl`, "utf8")).toContain("Member 1")
      expect(log.logins).toBe(1)
      expect(filesWith(root, [password])).toEqual([])
    },
    { timeout: 120_000 }
  )
})
