import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { missingCapability } from "../../src/Engine/Handlers/Capabilities.ts"
import { choose } from "../../src/Settings/Engine.ts"
import { abilities } from "../../src/Step/Requirements.ts"
import { serve } from "../Client/Server.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { sluice } from "./Console.ts"
import { folderOf, list } from "./Project.ts"

const apiKey = Redacted.make("fc-key")
const baseUrl = "https://api.example.com"

const chosen = (engine: "local" | "hosted" | "auto", given: { baseUrl?: string; apiKey?: Redacted.Redacted } = {}) =>
  Either.match(choose({ engine, baseUrl: undefined, apiKey: undefined, ...given }), {
    onLeft: ({ name, reason, todo }) => `${name} ${reason}: ${todo}`,
    onRight: (hosted) => hosted?.baseUrl ?? "local"
  })

describe("who does the work", () => {
  it("is the hosted service if one is set, and nothing replaces it silently", () => {
    expect(chosen("auto")).toBe("local")
    expect(chosen("auto", { apiKey })).toBe("local")
    expect(chosen("auto", { baseUrl, apiKey })).toBe(baseUrl)
    expect(chosen("auto", { baseUrl })).toMatch(/^SLUICE_BASE_URL .*set SLUICE_API_KEY, or SLUICE_ENGINE=local/)
    expect(chosen("local", { baseUrl, apiKey })).toBe("local")
    expect(chosen("local", { baseUrl })).toBe("local")
    expect(chosen("hosted", { baseUrl, apiKey })).toBe(baseUrl)
    expect(chosen("hosted")).toMatch(/^SLUICE_ENGINE .*needs SLUICE_BASE_URL and SLUICE_API_KEY/)
    expect(chosen("hosted", { baseUrl })).toMatch(/needs SLUICE_API_KEY:/)
    expect(chosen("hosted", { apiKey })).toMatch(/needs SLUICE_BASE_URL:/)
  })

  scoped("is settled by SLUICE_ENGINE before the profile, and told with what to set when it cannot be", function* () {
    const path = yield* folderOf({
      "p.yaml": "version: 1\nname: p\nsteps:\n  - urls: [https://example.com/a]\n  - scrape: {}\n",
      "hosted.yaml": `engine: hosted\nbaseUrl: ${baseUrl}\n`
    })
    const plan = (env: Record<string, string>) =>
      sluice(["plan", `${path}/p.yaml`, "--json", "--profile", `${path}/hosted.yaml`], {
        env: { SLUICE_DATA: `${path}/data`, ...env }
      })
    const engines = (out: string) => JSON.parse(out).steps.map((step: { engine: string }) => step.engine)
    expect(engines((yield* plan({ SLUICE_API_KEY: "k" })).out)).toEqual(["here", "api.example.com"])
    expect(engines((yield* plan({ SLUICE_ENGINE: "local" })).out)).toEqual(["here", "local"])
    const none = yield* plan({})
    expect([none.code, none.out]).toEqual([78, ""])
    expect(none.err).toContain(
      "the setting SLUICE_ENGINE cannot be used: it is set to hosted, which needs SLUICE_API_KEY"
    )
    const odd = yield* plan({ SLUICE_ENGINE: "remote" })
    expect([odd.code, odd.err]).toEqual([
      78,
      expect.stringContaining("SLUICE_ENGINE cannot be used: Expected local, hosted, auto, got")
    ])
  })
})

/** Asks for something of everything that not everybody can do. */
const demanding = `version: 1
name: demanding
steps:
  - id: session
    browser: { ttl: 60 }
  - urls: [https://example.com/a]
  - scrape:
      formats: [markdown, screenshot, { type: json, prompt: x }]
      waitFor: 500
      proxy: stealth
  - when: false
    scrape: { mobile: true }
`

const bare = { PATH: "", SLUICE_CHROMIUM: "/nowhere/chromium" }

describe("what the chosen service cannot do", () => {
  scoped("ends a run before its first request, with place, step, what is missing and what to do", function* () {
    const path = yield* folderOf({ "p.yaml": demanding })
    const env = { ...bare, SLUICE_DATA: `${path}/data` }
    for (const verb of ["run", "plan", "doctor"]) {
      const { code, err, out } = yield* sluice([verb, `${path}/p.yaml`, "--out", path], { env })
      const said = verb === "doctor" ? out : err
      expect(code).toBe(verb === "doctor" ? 1 : 78)
      expect(said).toMatch(/p\.yaml:5:5 {2}steps\[0\]\.browser: step session: a browser session needs Chromium, and /)
      expect(said).toMatch(
        /p\.yaml:8:27 {2}steps\[2\]\.scrape\.formats\[1\]: step scrape: the format screenshot needs Ch/
      )
      expect(said).toMatch(
        /p\.yaml:8:39 .*: the format json needs a language model, and none is set \(the local engine\): set SLUICE_LLM_URL and SLUICE_LLM_MODEL/
      )
      expect(said).toMatch(/p\.yaml:9:16 .*: `waitFor` needs Chromium/)
      expect(said).toMatch(/p\.yaml:10:14 .*: the proxy stealth is not configured .*: add stealth=http/)
      expect(said).not.toContain("mobile")
      if (verb !== "doctor") expect(err).toContain("the local engine cannot do 5 things that")
      if (verb === "plan")
        expect(out).toMatch(/cannot {4}step session: [\s\S]*\n {12}step scrape: the format json needs/)
    }
    expect(yield* list(path)).toEqual(["p.yaml"])
  })

  scoped("is nothing of that where a hosted service does the work, and what is on this machine only", function* () {
    const path = yield* folderOf({
      "p.yaml": demanding,
      "here.yaml": 'version: 1\nname: h\nsteps:\n  - crawl: { url: "http://localhost:8080/" }\n',
      "site.yaml": 'version: 1\nname: s\nsite: pages\nsteps:\n  - urls: ["${{ run.site }}/a"]\n  - scrape: {}\n',
      "idle.yaml": 'version: 1\nname: s\nsite: .\nsteps:\n  - urls: ["${{ run.site }}/a"]\n'
    })
    const env = { ...bare, SLUICE_BASE_URL: baseUrl, SLUICE_API_KEY: "k", SLUICE_DATA: `${path}/data` }
    expect((yield* sluice(["plan", `${path}/p.yaml`], { env })).code).toBe(0)
    const here = yield* sluice(["run", `${path}/here.yaml`, "--out", path], { env })
    expect([here.code, here.err]).toEqual([
      78,
      expect.stringMatching(/here\.yaml:4:19 {2}.*step crawl: http:\/\/localhost:8080\/ is on this machine only/)
    ])
    const site = yield* sluice(["run", `${path}/site.yaml`, "--out", path], { env })
    expect([site.code, site.err]).toEqual([
      78,
      expect.stringMatching(/site\.yaml:3:7 {2}site: the pipeline serves its own site/)
    ])
    expect((yield* sluice(["run", `${path}/idle.yaml`, "--out", path], { env })).code).toBe(0)
  })

  scoped("is looked at only where the address is right, whose password is not shown", function* () {
    const path = yield* folderOf({
      "here.yaml": 'version: 1\nname: h\nsteps:\n  - crawl: { url: "http://localhost:8080/" }\n'
    })
    const url = "https://user:hunter2@api.example.com"
    const env = { ...bare, SLUICE_BASE_URL: url, SLUICE_API_KEY: "k", SLUICE_DATA: `${path}/data` }
    const plan = yield* sluice(["plan", `${path}/here.yaml`], { env })
    const search = yield* sluice(["search", "x", "--provider", "brave"], { env })
    expect(plan.err).toContain("it contains a user name or a password")
    expect(plan.out + plan.err + search.err).not.toContain("hunter2")
  })

  scoped.skipIf(skipsLong)("is no guess about what only the run knows", function* () {
    const path = yield* folderOf({
      "p.yaml": `version: 1
name: p
inputs:
  format: { type: string }
steps:
  - files: { glob: "*.html" }
  - parse: { formats: ["\${{ inputs.format }}", { type: "\${{ inputs.format }}" }, markdown] }
`
    })
    const { out } = yield* sluice(["doctor", `${path}/p.yaml`, "--out", path], {
      env: { ...bare, SLUICE_DATA: `${path}/data` }
    })
    expect(out).toContain("the local engine supports all of its steps")
    const given = yield* sluice(["plan", `${path}/p.yaml`, "-i", "format=audio"], {
      env: { ...bare, SLUICE_DATA: `${path}/data` }
    })
    expect([given.code, given.err]).toEqual([78, expect.stringContaining("the format audio is not a format for files")])
  })

  scoped("is nothing to a step that a lock file answers", function* () {
    const step = 'id: plan\n    crawlPreview: { url: "http://localhost:8080/", prompt: Only the docs. }'
    const path = yield* folderOf({
      "p.yaml": `version: 1\nname: p\nsteps:\n  - ${step}\n    pin: plan.lock.yaml\n`,
      "open.yaml": `version: 1\nname: p\nsteps:\n  - ${step}\n`
    })
    const env = { ...bare, SLUICE_BASE_URL: baseUrl, SLUICE_API_KEY: "k", SLUICE_DATA: `${path}/data` }
    expect((yield* sluice(["plan", `${path}/p.yaml`], { env })).err).not.toContain("cannot reach it")
    expect((yield* sluice(["plan", `${path}/open.yaml`], { env })).err).toContain("cannot reach it (api.example.com)")
  })

  scoped("sends nothing to find out", function* () {
    const server = yield* serve(() => ({ status: 500 }))
    const path = yield* folderOf({ "p.yaml": demanding })
    const env = { ...bare, SLUICE_BASE_URL: server.url, SLUICE_API_KEY: "k", SLUICE_DATA: `${path}/data` }
    expect((yield* sluice(["plan", `${path}/p.yaml`], { env })).code).toBe(0)
    expect(server.asked).toEqual([])
  })

  scoped("is a note where the step does with less", function* () {
    const path = yield* folderOf({ "p.yaml": "version: 1\nname: s\nsteps:\n  - search: { query: etl }\n" })
    const { code, out } = yield* sluice(["plan", `${path}/p.yaml`], { env: { SLUICE_DATA: `${path}/data` } })
    expect(code).toBe(0)
    expect(out).toContain(
      "step search: a search covers only the pages that this engine has fetched (the local engine): to search the web, set SLUICE_SEARCH_PROVIDERS"
    )
  })

  it("has a word for every ability that the local engine may lack", () => {
    const setup = { chromium: "/nowhere", browserSessions: 0 }
    const lacking = abilities.filter((ability) => missingCapability(setup, { ability, name: "x" }) !== undefined)
    const always = ["here", "lists", "logins"]
    expect(lacking).toEqual(abilities.filter((ability) => !always.includes(ability)))
    const whole = {
      chromium: process.execPath,
      modelUrl: "http://127.0.0.1:1/v1",
      proxies: Redacted.make("enhanced=http://127.0.0.1:1"),
      searchProviders: Redacted.make("local")
    }
    const left = abilities.filter((ability) => missingCapability(whole, { ability, name: "stealth" }) !== undefined)
    expect(left).toEqual(["format", "fileFormat"])
    expect(missingCapability({}, { ability: "fileFormat", name: "summary" })).toBeUndefined()
  })
})
