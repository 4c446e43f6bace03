/** The recipes of `docs/recipes` and of `sluice init --recipe`, as they are written, against small servers. */

import { readdirSync, readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { recipes, recipeText } from "../../src/Cli/Init.ts"
import { pages, root } from "../docs/Pages.ts"
import { serve } from "../Engine/Scrape/Site.ts"
import { describe, expect, it, live } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { kitchen, rowsOf } from "./Kitchen.ts"

describe("recipes", () => {
  it("are pages that begin with the rows they give, and the same text in `sluice init`", () => {
    expect(readdirSync(`${root}docs/recipes`).toSorted()).toEqual(recipes.map((name) => `${name}.md`).toSorted())
    for (const name of recipes) {
      const page = pages.find((each) => each.name === `docs/recipes/${name}.md`)
      expect(page?.blocks[0]?.isOutput, name).toBe(true)
      expect(page?.blocks.find(({ title }) => title === `${name}.yaml`)?.text.trim(), name).toBe(
        recipeText(name).trim()
      )
    }
  })

  live.skipIf(skipsLong)(
    "a shop: writes what has changed, and does not say of a new design that everything is gone",
    function* () {
      const shop = { prices: new Map(Array.from({ length: 12 }, (_, at) => [at + 1, at + 1])), isNew: false }
      const url = yield* serve((request, response) => {
        const id = Number(/^\/p\/(\d+)$/.exec(request.url ?? "")?.[1])
        const price = shop.prices.get(id)
        // A link still leads to each product that is gone.
        const links = Array.from({ length: 12 }, (_, at) => at + 1).map(
          (each) => `<li><a href="/p/${each}">Kettle ${each}</a></li>`
        )
        const page = shop.isNew
          ? `<h4>Kettle ${id}</h4><p class="amount">€${price?.toFixed(2)}</p>`
          : `<h1>Kettle ${id}</h1><p class="price">€${price?.toFixed(2)}</p>`
        if (request.url !== "/" && price === undefined) return void response.writeHead(404).end()
        const body = request.url === "/" ? `<h1>Shop</h1><ul>${links.join("")}</ul>` : page
        response.writeHead(200, { "content-type": "text/html" }).end(`<html lang="en"><main>${body}</main></html>`)
      })
      const { act, ends, folder, run } = yield* kitchen("shop-changes.yaml", url)
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
      expect([broken.status, broken.lines], broken.err).toEqual(["held", []])
      expect((yield* act("show")).out).toMatch(/find values again: +sluice extract --repair \S*shop-changes\.yaml/)
      const repair = yield* act("extract", "--repair", `${folder}/shop-changes.yaml`, "--apply")
      expect(repair.out, repair.err).toMatch(/^ {2}title +proved: h4$/m)
      expect(repair.out).toMatch(/^ {2}price +proved: \{"css":"\.amount","as":"price"\}$/m)
      const replayed = yield* ends("replay")
      expect([replayed.status, replayed.lines], replayed.err).toEqual(["completed", [first.lines[0]]])
      const products = readFileSync(`${folder}/products.csv`, "utf8")
      expect(products).toContain(`${url}/p/11,Kettle 11,11\n`)
      expect(products).not.toContain("/p/12,")
    }
  )

  live.skipIf(skipsLong)("news: gives each article once", function* () {
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
  })

  /** An API of 60 companies, ten on a page, by cursor and by page. */
  const api = Effect.gen(function* () {
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
      const isPaged = pathname === "/companies/by-page"
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
    ["json-api.yaml", 1],
    ["by-page.yaml", 7]
  ] as const) {
    live(`an API, ${title}: gives all records, and then those that have changed`, function* () {
      const { asked, changed, url } = yield* api
      const { run } = yield* kitchen(title, url)
      const ids = Effect.map(run, ({ lines }) => rowsOf(lines).map(({ id }) => Number(id)))
      expect((yield* ids).toSorted((a, b) => a - b)).toEqual([...changed.keys()])
      for (const id of [3, 14, 15]) changed.set(id, "2026-02-01T00:00:00Z")
      asked.length = 0
      expect((yield* ids).toSorted((a, b) => a - b)).toEqual([3, 14, 15])
      expect(asked).toHaveLength(calls)
      expect(yield* ids).toEqual([])
    })
  }
})
