/** The recipes of `docs/recipes`, as they are written, against small servers. */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { sluice } from "../Cli/Console.ts"
import { folderOf, platform } from "../Cli/Project.ts"
import { pages, root } from "../docs/Pages.ts"
import { serve } from "../Engine/Scrape/Site.ts"

/** A definition of a recipe, for another site. */
const definition = (title: string, url: string): string => {
  const block = pages.flatMap(({ blocks }) => blocks).find((each) => each.title === title)
  return (block?.text ?? "").replaceAll(/https:\/\/\w+\.example\.com/g, url)
}

/** Runs of a recipe in a folder of its own. */
const kitchen = (title: string, url: string) =>
  Effect.gen(function* () {
    const text = definition(title, url)
    expect(text.trim().split("\n").length, title).toBeLessThanOrEqual(20)
    const folder = yield* folderOf({ [title]: text })
    const act = (...words: ReadonlyArray<string>) =>
      sluice([...words, "--data", `${folder}/data`], { env: { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }, cwd: folder })
    /** The lines that a run has written, and how it ended. */
    const run = Effect.gen(function* () {
      const before = new Set(readdirSync(folder))
      const ended = yield* act("run", `${folder}/${title}`, "--out", folder, "--quiet", "--json")
      const written = readdirSync(folder).filter((name) => !before.has(name) && /-.*\.(csv|jsonl)$/.test(name))
      const lines = written.flatMap((name) => readFileSync(`${folder}/${name}`, "utf8").trim().split("\n"))
      return { ...ended, lines: lines.filter((line) => line !== ""), status: JSON.parse(ended.out).status as string }
    })
    return { act, folder, run }
  })

const rowsOf = (lines: ReadonlyArray<string>): ReadonlyArray<Record<string, unknown>> =>
  lines.map((line) => JSON.parse(line))

describe("recipes", () => {
  it("are pages that begin with the rows they give", () => {
    const names = readdirSync(`${root}docs/recipes`)
    expect(names).toHaveLength(3)
    for (const name of names) {
      const page = pages.find((each) => each.name === `docs/recipes/${name}`)
      expect(page?.blocks[0]?.isOutput, name).toBe(true)
    }
  })

  it.scopedLive("a shop: writes what has changed, and does not say of a new design that everything is gone", () =>
    Effect.gen(function* () {
      const shop = { prices: new Map(Array.from({ length: 12 }, (_, at) => [at + 1, at + 1])), isNew: false }
      const url = yield* serve((request, response) => {
        const id = Number(/^\/p\/(\d+)$/.exec(request.url ?? "")?.[1])
        const price = shop.prices.get(id)
        const links = [...shop.prices.keys()].map((each) => `<li><a href="/p/${each}">Kettle ${each}</a></li>`)
        const page = shop.isNew
          ? `<h4>Kettle ${id}</h4><p class="amount">€${price?.toFixed(2)}</p>`
          : `<h1>Kettle ${id}</h1><p class="price">€${price?.toFixed(2)}</p>`
        if (request.url !== "/" && price === undefined) return void response.writeHead(404).end()
        const body = request.url === "/" ? `<h1>Shop</h1><ul>${links.join("")}</ul>` : page
        response.writeHead(200, { "content-type": "text/html" }).end(`<html lang="en"><main>${body}</main></html>`)
      })
      const { act, folder, run } = yield* kitchen("shop-changes.yaml", url)
      const first = yield* run
      expect([first.status, first.lines.length, first.lines[0]]).toEqual([
        "completed",
        13,
        "change,url,title,price,before"
      ])
      for (const id of [7, 8]) shop.prices.set(id, id - 0.5)
      shop.prices.delete(12)
      const second = yield* run
      expect(second.lines.slice(1).toSorted()).toEqual([
        `changed,${url}/p/7,Kettle 7,6.5,7`,
        `changed,${url}/p/8,Kettle 8,7.5,8`,
        `gone,${url}/p/12,Kettle 12,12,`
      ])
      shop.isNew = true
      const broken = yield* run
      expect([broken.status, broken.lines], broken.err).toEqual(["failed", []])
      const repair = yield* act("extract", "--repair", `${folder}/shop-changes.yaml`)
      expect(repair.out, repair.err).toContain("proved")
    }).pipe(Effect.provide(platform))
  )

  it.scopedLive("news: gives each article once", () =>
    Effect.gen(function* () {
      const news = { articles: [1, 2] }
      const url = yield* serve((request, response) => {
        const items = news.articles.map(
          (id) =>
            `<item><guid isPermaLink="false">${id}</guid><title>Article ${id}</title><link>/a/${id}</link><pubDate>Sun, 01 Mar 2026 0${id}:00:00 GMT</pubDate></item>`
        )
        const isFeed = request.url === "/feed.xml"
        const body = isFeed
          ? `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${items.join("")}</channel></rss>`
          : `<html lang="en"><main><h1>Article ${request.url?.at(-1)}</h1><p>The ferry was late.</p></main></html>`
        response.writeHead(200, { "content-type": isFeed ? "application/rss+xml" : "text/html" }).end(body)
      })
      const { run } = yield* kitchen("hourly-news.yaml", url)
      const first = rowsOf((yield* run).lines)
      expect(first).toHaveLength(2)
      expect(first[0]).toMatchObject({
        title: "Article 1",
        published: "2026-03-01T01:00:00.000Z",
        markdown: expect.stringContaining("The ferry was late.")
      })
      news.articles.push(3)
      expect(rowsOf((yield* run).lines).map(({ title }) => title)).toEqual(["Article 3"])
      expect((yield* run).lines).toEqual([])
    }).pipe(Effect.provide(platform))
  )

  /** A register of 60 companies, ten on a page, by cursor and by page. */
  const register = Effect.gen(function* () {
    const changed = new Map(
      Array.from({ length: 60 }, (_, id) => [
        id,
        `2026-01-0${1 + Math.floor(id / 24)}T${String(id % 24).padStart(2, "0")}:00:00Z`
      ])
    )
    const asked: Array<string> = []
    const url = yield* serve((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://x")
      asked.push(request.url ?? "")
      const since = searchParams.get("changed_since") ?? ""
      const all = [...changed].filter(([, at]) => at >= since).sort(([, a], [, b]) => (a < b ? -1 : 1))
      const isPaged = pathname === "/by-page"
      const from = isPaged ? (Number(searchParams.get("page")) - 1) * 10 : Number(searchParams.get("cursor") ?? 0)
      const data = all.slice(from, from + 10).map(([id, changed_at]) => ({ id, name: `Company ${id}`, changed_at }))
      const meta = { next: from + 10 < all.length ? from + 10 : null }
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify(isPaged ? { data } : { data, meta }))
    })
    return { asked, changed, url }
  })

  for (const [title, calls] of [
    ["by-cursor.yaml", 1],
    ["by-page.yaml", 7]
  ] as const) {
    it.scopedLive(`a register ${title}: gives all records, and then those that have changed`, () =>
      Effect.gen(function* () {
        const { asked, changed, url } = yield* register
        const { run } = yield* kitchen(title, url)
        const ids = Effect.map(run, ({ lines }) => rowsOf(lines).map(({ id }) => Number(id)))
        expect((yield* ids).toSorted((a, b) => a - b)).toEqual([...changed.keys()])
        for (const id of [3, 14, 15]) changed.set(id, "2026-02-01T00:00:00Z")
        asked.length = 0
        expect((yield* ids).toSorted((a, b) => a - b)).toEqual([3, 14, 15])
        expect(asked).toHaveLength(calls)
        expect(yield* ids).toEqual([])
      }).pipe(Effect.provide(platform))
    )
  }
})
