/** A service that charges for all that it does, as the local engine does, and counts what it has charged. */
import { randomUUID } from "node:crypto"
import { prices } from "../../../src/Engine/Usage/Usage.ts"
import { local } from "../../../src/Step/Cost.ts"
import type { Asked, Reply } from "../../Client/Server.ts"
import { page } from "../../Step/Odd.ts"

type Json = Readonly<Record<string, unknown>>

export const rate = local(prices)

interface ShopOptions {
  /** Credits of the next page, in place of 1. */
  readonly pagePrice?: () => number
  /** Pages that its site has. */
  readonly site?: number
  /** Results for each source of a search. */
  readonly results?: number
}

interface Job {
  readonly urls: ReadonlyArray<string>
  readonly prices: ReadonlyArray<number>
  looks: number
}

export const make = ({ pagePrice = () => 1, results = 100, site = 1000 }: ShopOptions = {}) => {
  const jobs = new Map<string, Job>()
  const starts: Array<number> = []
  let charged = 0
  let pages = 0
  let calls = 0
  const charge = (credits: number): number => {
    charged += credits
    return credits
  }
  const start = (urls: ReadonlyArray<string>): Reply => {
    const id = randomUUID()
    starts.push(urls.length)
    pages += urls.length
    jobs.set(id, { urls, prices: urls.map(() => charge(pagePrice())), looks: 0 })
    return { body: { success: true, id, url: "http://x.example" } }
  }
  const status = (id: string): Json => {
    const job = jobs.get(id)
    if (job === undefined) return { status: "failed", total: 0, completed: 0 }
    // It is seen while it runs, and then at its end.
    const isOver = ++job.looks > 1
    const done = isOver ? job.urls.length : Math.floor(job.urls.length / 2)
    return {
      status: isOver ? "completed" : "scraping",
      total: job.urls.length,
      completed: done,
      creditsUsed: job.prices.slice(0, done).reduce((sum, credits) => sum + credits, 0),
      data: job.urls.slice(0, done).map((url) => page(url))
    }
  }
  const reply = ({ body, method, path }: Asked): Reply => {
    const asked: Json = body === "" ? {} : JSON.parse(body)
    if (method === "POST") calls++
    if (method === "POST" && path.endsWith("/v2/scrape")) {
      pages++
      return { body: { success: true, data: page(String(asked.url), { creditsUsed: charge(pagePrice()) }) } }
    }
    if (method === "POST" && path.endsWith("/v2/batch/scrape")) return start(asked.urls as ReadonlyArray<string>)
    if (method === "POST" && path.endsWith("/v2/crawl")) {
      const count = Math.min(site, Number(asked.limit ?? 10_000))
      return start(Array.from({ length: count }, (_, index) => `${String(asked.url)}/${index}`))
    }
    if (method === "POST" && path.endsWith("/v2/search")) {
      const limit = Math.min(results, Number(asked.limit ?? 10))
      const web = Array.from({ length: limit }, (_, index) => ({
        url: `http://x.example/${String(asked.query)}/${index}`
      }))
      const creditsUsed = charge(Math.ceil(limit / 10) * prices.search)
      return { body: { success: true, data: { web }, id: randomUUID(), creditsUsed } }
    }
    if (method === "POST" && path.endsWith("/v2/browser")) {
      charge(prices.browser)
      return { body: { success: true, id: "s1", cdpUrl: "ws://127.0.0.1:1/cdp" } }
    }
    if (method === "DELETE") return { body: { success: true, status: "cancelled" } }
    if (path.endsWith("/errors")) return { body: { errors: [], robotsBlocked: [] } }
    return { body: { success: true, ...status(path.split("?")[0]?.split("/").at(-1) ?? "") } }
  }
  return { reply, starts, charged: () => charged, pages: () => pages, calls: () => calls }
}
