import { serve } from "../Client/Server.ts"
import { describe, expect, scoped } from "../It.ts"
import { sluice } from "./Console.ts"
import { folderOf, list } from "./Project.ts"
import * as Site from "./Site.ts"

/** Stands for the key of a user; it must turn up nowhere. */
const sentinel = "fc-5e17aee15e17aee15e17aee15e17aee1"

const definition = `version: 1
name: two-ends
inputs: { limit: { type: integer, default: 40 } }
budget: { credits: 20, pages: 10, calls: 500 }
schedule: { cron: "0 3 * * *", timezone: Europe/Berlin }
steps:
  - crawl: { url: https://example.com/, limit: "\${{ inputs.limit }}" }
  - id: good
    where: metadata.statusCode = 200
  - write: { jsonl: "pages-{runId}.jsonl" }
  - from: good
    explode: { list: links, as: link }
  - parse: { url: { expr: link } }
`

const service = serve(({ path }) =>
  path === "/v2/team/credit-usage"
    ? { body: { success: true, data: { remainingCredits: 1234 } } }
    : { status: 500, body: { success: false, error: "nothing else is free" } }
)

describe("sluice plan", () => {
  scoped("shows the graph, the engine of each step, the bounds and the outputs, and sends nothing", function* () {
    const server = yield* service
    const path = yield* folderOf({ "p.yaml": definition })
    const host = new URL(server.url).host
    const env = { SLUICE_BASE_URL: server.url, SLUICE_API_KEY: sentinel, SLUICE_DATA: `${path}/data` }
    const { code, err, out } = yield* sluice(["plan", `${path}/p.yaml`, "--out", path, "-i", "limit=50"], { env })
    expect([code, err]).toEqual([0, ""])
    const wide = (text: string) => text.replaceAll(host, "H".padEnd(host.length))
    const lines = wide(out).split("\n")
    expect(lines[0]).toBe(`two-ends  ${path}/p.yaml`)
    expect(lines.slice(2, 8).map((line) => line.replace(/ {2,}/g, "  ").trim())).toEqual([
      "step  what  where  asks for  rows  credits",
      "crawl  url: https://example.com/, limit: 50  H  *  1 job, ≤ 50 pages  ≤ 50  unknown",
      "good  where metadata.statusCode = 200  here  ≤ 50",
      "├ write  jsonl: pages-{runId}.jsonl  here  ≤ 50",
      "└ explode  list: links, as: link  here  ?",
      "parse  url: link  H  *  ? files  ?  unknown"
    ])
    expect(out).toContain("total     ≥ 1 request, ? pages; the price of crawl, parse is unknown")
    expect(out).toContain("*         not in the service's documentation: POST /v2/crawl, POST /v2/scrape")
    expect(out).toContain("budget    20 credits a run: stops when they are used up")
    expect(out).toContain("500 calls a run: stops when they are used up")
    expect(out).toContain("10 pages a run: stops after 10 of unknown many pages")
    expect(out).toContain(`output    ${path}/pages-{runId}.jsonl (replace)`)
    expect(out).toMatch(/schedule {2}\d{4}-\d\d-\d\d 03:00, .* 03:00, .* 03:00 \(Europe\/Berlin\)/)
    expect(out).toContain("last run  none")
    expect(out).not.toContain(sentinel)
    expect(server.asked).toEqual([])
    expect(yield* list(path)).toEqual(["p.yaml"])
  })

  scoped("asks with --probe for what is left, and for nothing that costs something", function* () {
    const server = yield* service
    const path = yield* folderOf({ "p.yaml": definition })
    const env = { SLUICE_BASE_URL: server.url, SLUICE_API_KEY: sentinel, SLUICE_DATA: `${path}/data` }
    const { code, out } = yield* sluice(["plan", `${path}/p.yaml`, "--probe"], { env })
    expect(code).toBe(0)
    expect(out).toContain("account   1,234 credits left")
    expect(server.asked.map((each) => `${each.method} ${each.path}`)).toEqual(["GET /v2/team/credit-usage"])
    expect(out).not.toContain(sentinel)
  })

  scoped("goes without what is left where the service does not say it, and says why", function* () {
    const server = yield* serve(({ headers, path }) => {
      if (headers.authorization === "Bearer slow") {
        return { status: 429, headers: { "retry-after": "100" }, body: { success: false, error: "Too many" } }
      }
      return path.startsWith("/v2/team/token-usage/historical?")
        ? {
            body: {
              success: true,
              periods: [{ startDate: "2026-11-01T00:00:00.000Z", endDate: null, totalTokens: 30 }]
            }
          }
        : { status: 404, body: "<h1>Not Found</h1>" }
    })
    const path = yield* folderOf({ "p.yaml": definition })
    const plan = (apiKey: string) =>
      sluice(["plan", `${path}/p.yaml`, "--probe"], {
        env: { SLUICE_BASE_URL: server.url, SLUICE_API_KEY: apiKey, SLUICE_DATA: `${path}/data` }
      })
    expect((yield* plan("fc-right")).out).toContain("account   30 tokens used this month")
    const slow = yield* plan("slow")
    expect([slow.code, slow.out]).toEqual([0, expect.stringMatching(/account {3}unknown: Too many requests .*1m 40s/)])
  })

  scoped("is refused for an address that cannot be one, with what is wrong with it", function* () {
    const path = yield* folderOf({ "p.yaml": definition })
    const env = { SLUICE_BASE_URL: "api.example.com", SLUICE_API_KEY: "k", SLUICE_DATA: `${path}/data` }
    const { code, err } = yield* sluice(["plan", `${path}/p.yaml`], { env })
    expect([code, err]).toEqual([78, expect.stringContaining("SLUICE_BASE_URL cannot be used: it is not an absolute")])
  })

  scoped("tells scripts the same as one object, in which what is not known is null", function* () {
    const path = yield* folderOf({ "p.yaml": definition })
    const env = { SLUICE_BASE_URL: "https://api.example.com", SLUICE_API_KEY: sentinel, SLUICE_DATA: `${path}/data` }
    const { code, out } = yield* sluice(["plan", `${path}/p.yaml`, "--json", "--limit", "4"], { env })
    const plan = JSON.parse(out)
    expect(code).toBe(0)
    expect(plan).toMatchObject({
      file: `${path}/p.yaml`,
      service: "api.example.com",
      pages: { least: 0, most: null },
      price: { least: 0, most: null },
      unpriced: ["crawl", "parse"]
    })
    expect(plan.steps[0]).toMatchObject({
      id: "crawl",
      pages: { least: 0, most: 4 },
      price: { least: 0, most: null }
    })
    for (const instant of plan.schedule.next) expect(instant).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/)
  })

  scoped("knows after a run what it had: pages, state, outputs, credits", function* () {
    const site = yield* Site.serve
    const path = yield* folderOf({
      "p.yaml": `version: 1\nname: twice\nbudget: { credits: 3, per: day }\nsteps:\n  - urls: ["${site.url}/a", "${site.url}/b"]\n  - scrape: {}\n  - dedupe: { across: runs }\n  - write: { jsonl: out.jsonl }\n`,
      "q.yaml": `version: 1\nname: twice\nsteps:\n  - urls: ["${site.url}/a", "${site.url}/"]\n  - scrape: {}\n`
    })
    const env = { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8", SLUICE_DATA: `${path}/data` }
    const before = yield* sluice(["plan", `${path}/p.yaml`, "--out", path], { env })
    expect(before.out).toContain("total     2 requests, 2 pages, 2 credits")
    expect(before.out).toContain("budget    3 credits a day: enough for all of it")
    expect(before.out).toContain(`output    ${path}/out.jsonl (replace, new)`)
    expect((yield* sluice(["run", `${path}/p.yaml`, "--out", path], { env })).code).toBe(0)
    const { out } = yield* sluice(["plan", `${path}/p.yaml`, "--out", path], { env })
    expect(out).toContain("budget    3 credits a day, 2 used today: stops after ≈ 1 of 2 pages")
    expect(out).toMatch(/seen {6}urls: 2 of 2 known, the newest .* ago, 0 new/)
    expect(out).toMatch(/state {5}twice, 2 entries, last updated .* ago/)
    expect(out).toContain(`output    ${path}/out.jsonl (replace, exists)`)
    expect(out).toMatch(/last run {2}\S+, completed .* ago: 2 rows, 2 credits/)
    // Another service does not say its price: earlier runs have paid it.
    const hosted = { ...env, SLUICE_BASE_URL: "https://api.example.com", SLUICE_API_KEY: sentinel }
    const other = yield* sluice(["plan", `${path}/q.yaml`], { env: hosted })
    expect(other.out).toMatch(/seen {6}urls: 1 of 2 known, .* 1 new/)
    expect(other.out).toContain("total     2 requests, 2 pages, ≈ 2 credits")
  })

  scoped("refuses what a run would refuse", function* () {
    const path = yield* folderOf({
      "site.yaml": 'version: 1\nname: s\nsite: pages\nsteps:\n  - urls: ["${{ run.site }}/a"]\n  - scrape: {}\n',
      "wrong.yaml": "version: 1\nname: w\nsteps:\n  - serch: { query: x }\n"
    })
    const env = { SLUICE_BASE_URL: "https://api.example.com", SLUICE_API_KEY: sentinel }
    const site = yield* sluice(["plan", `${path}/site.yaml`], { env })
    expect([site.code, site.err]).toEqual([78, expect.stringContaining("serves its own site")])
    expect((yield* sluice(["plan", `${path}/site.yaml`])).out).toContain("[${{ run.site }}/a]")
    const wrong = yield* sluice(["plan", `${path}/wrong.yaml`])
    expect([wrong.code, wrong.out]).toEqual([78, ""])
  })
})
