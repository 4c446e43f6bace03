/** A killed and resumed run knows what it left out, delivered and reserved, and how often it tried. */
import type { Asked, Reply } from "../Client/Server.ts"
import { describe, expect, scoped } from "../It.ts"
import { behind } from "../Ledger/Ledgers.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { page, run } from "../Step/Odd.ts"
import * as Shop from "./Budget/Shop.ts"
import { killed } from "./Killed.ts"

const urls = (count: number, from = 0): string =>
  `  - urls: [${Array.from({ length: count }, (_, index) => `"http://x.example/${from + index}"`).join(", ")}]`

const numberOf = ({ body }: Asked): number => Number((JSON.parse(body) as { url: string }).url.split("/").at(-1))

const good = (asked: Asked): Reply => ({
  body: { success: true, data: page(`http://x.example/${numberOf(asked)}`, { creditsUsed: 1 }) }
})
const bad: Reply = { status: 400, body: { success: false, error: "the page has no content" } }
const isStatus = ({ method }: Asked): boolean => method === "GET"
const isScrape = ({ path }: Asked): boolean => path.endsWith("/scrape") && !path.includes("/batch/")

describe("a run that was killed and resumed", { concurrent: true }, () => {
  for (const [name, source, site, gone] of [
    ["a limit of its crawl", '  - crawl: { url: "http://x.example", limit: 2 }', 4, 0],
    ["a step that limits", '  - crawl: { url: "http://x.example" }\n  - limit: 2', 4, 0],
    ["nothing", '  - crawl: { url: "http://x.example" }', 2, 2]
  ] as const) {
    scoped.skipIf(skipsLong)(
      `reports ${gone === 0 ? "no row" : "rows"} as gone when ${name} limited it before the kill`,
      function* () {
        const dataDir = yield* tempDir
        const frame = "state: { key: pages }\n"
        const behindIt = `  - scrape: { url: { expr: metadata.sourceURL } }
  - dedupe: { key: metadata.sourceURL, across: runs, emit: [new, gone] }`
        const all = Shop.make({ site: 4 })
        const first = yield* run(all.reply, `  - crawl: { url: "http://x.example" }\n${behindIt}`, { dataDir }, frame)
        expect(first.rows).toHaveLength(4)
        const shop = Shop.make({ site })
        const { resume } = yield* killed({
          dataDir,
          frame,
          steps: `${source}\n${behindIt}`,
          reply: (asked) => (isScrape(asked) ? { hangs: true } : shop.reply(asked)),
          // Its pages are with the calls that hang, and what it lacks is committed.
          when: ({ progress }) =>
            progress !== undefined &&
            progress.jobPages >= 2 &&
            Object.keys(progress.incomplete).length === (gone === 0 ? 1 : 0)
        })
        const { rows, summary, warnings } = yield* resume(shop.reply)
        expect(summary.status).toBe("completed")
        expect(rows).toHaveLength(gone)
        expect(warnings.filter((text) => text.includes("dedupe"))).toHaveLength(gone === 0 ? 1 : 0)
      }
    )
  }

  for (const [name, where, status] of [
    ["a row that was written", "", "completed"],
    ["a row that was filtered", "\n  - where: metadata.sourceURL = 'another'", "completed"],
    ["no row", "", "failed"]
  ] as const) {
    scoped.skipIf(skipsLong)(`is ${status} with ${name} before the kill and rejects after it`, function* () {
      const isFirst = (asked: Asked) => numberOf(asked) === 0
      const { resume } = yield* killed({
        steps: `${urls(3)}\n  - scrape: {}\n    concurrency: 1${where}`,
        reply: (asked) => (isFirst(asked) ? (status === "failed" ? bad : good(asked)) : { hangs: true }),
        when: ({ progress, rejects }) => rejects + (progress?.given.scrape ?? 0) > 0
      })
      const { asked, outcome, rows, summary } = yield* resume(() => bad)
      expect(asked.map(numberOf)).toEqual([1, 2])
      expect(summary).toMatchObject({ status, rejects: status === "failed" ? 3 : 2 })
      expect(rows).toHaveLength(where === "" && status === "completed" ? 1 : 0)
      if (status === "failed") expect(outcome).toMatchObject({ left: { reason: { reason: "TooManyRejects" } } })
    })
  }

  for (const [name, steps, hangs] of [
    ["calls", `${urls(4)}\n  - scrape: {}\n    concurrency: 2`, (asked: Asked) => numberOf(asked) > 1],
    ["a job", `${urls(4)}\n  - batchScrape: {}`, isStatus]
  ] as const) {
    scoped.skipIf(skipsLong)(
      `charges ${name} to the daily budget once, and holds no reservation after it has completed`,
      function* () {
        const frame = "budget: { credits: 6, per: day }\n"
        const shop = Shop.make()
        let looks = 0
        const { dataDir, resume, runNext } = yield* killed({
          frame,
          steps,
          rate: Shop.rate,
          reply: (asked) => {
            if (isStatus(asked)) looks++
            return hangs(asked) ? { hangs: true } : shop.reply(asked)
          },
          when: ({ rows }) => rows > 1 || looks > 0
        })
        const held = behind(dataDir, (sql) => sql`SELECT run_id FROM reservations`)
        expect((yield* held).length).toBeGreaterThan(0)
        const { rows, summary } = yield* resume(shop.reply)
        expect(summary).toMatchObject({ status: "completed", credits: 4 })
        expect([rows.length, shop.charged()]).toEqual([4, 4])
        expect(yield* held).toEqual([])
        const next = yield* runNext(`${urls(4, 100)}\n  - scrape: {}`)
        expect(next.summary).toMatchObject({ status: "budget", credits: 2 })
        expect(shop.charged()).toBe(6)
      }
    )
  }

  scoped.skipIf(skipsLong)("counts the attempts of rejected rows before and after the kill", function* () {
    const asked = new Map<number, number>()
    const unavailable = (number: number): Reply => ({
      body: {
        success: true,
        data: { markdown: "", metadata: { sourceURL: `http://x.example/${number}`, statusCode: 503 } }
      }
    })
    const { resume } = yield* killed({
      steps: `${urls(2)}\n  - scrape: {}\n    concurrency: 2\n    retry: { times: 2, on: [5xx] }`,
      reply: (call) => {
        const number = numberOf(call)
        const count = (asked.get(number) ?? 0) + 1
        asked.set(number, count)
        if (number === 0) return bad
        return count === 1 ? unavailable(number) : { hangs: true }
      },
      when: ({ rejects }) => rejects === 1 && asked.get(1) === 2
    })
    const { rejects, summary } = yield* resume((call) => unavailable(numberOf(call)))
    expect(summary.rejects).toBe(2)
    expect(rejects.map(({ attempts, key }) => [key, attempts])).toEqual([
      ["http://x.example/0", 1],
      ["http://x.example/1", 3]
    ])
  })
})
