import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import iconv from "iconv-lite"
import type { Client } from "../../src/Client.ts"
import { expect, scopedIn } from "../It.ts"
import * as Local from "../Local.ts"
import { project } from "../Project.ts"
import { withEngine } from "../Services.ts"
import { errorsOf } from "./OneStep.ts"

const item = (id: number, more = "") =>
  `<item><guid>${id}</guid><link>/entries/${id}</link><title>Entry ${id}</title>${more}</item>`
const rss = (items: string) => `<rss version="2.0"><channel><title>News</title>${items}</channel></rss>`
const xml = { "content-type": "application/rss+xml" }

/** Steps in a project with the client of the test; each run gives its rows and what became of it. */
const start = Effect.gen(function* () {
  const { run } = yield* project({ client: yield* Effect.context<Client>() })
  return (steps: string, options = {}) =>
    Effect.gen(function* () {
      const { outcome, rejects, rows } = yield* run(`${steps}\n  - write: { jsonl: rows.jsonl }\n`, options)
      return { rows, rejects, summary: yield* outcome }
    })
})

layer(withEngine)("feed", (it) => {
  const scoped = scopedIn(it)
  scoped(
    "gives only what no earlier run has seen, with dedupe across runs, and costs nothing while the feed stays the same",
    function* () {
      const run = yield* start
      let body = rss(item(2) + item(1) + item(1))
      const site = yield* Local.site((path) =>
        path === "/feed" ? { headers: { ...xml, etag: `"${body.length}"` }, body } : undefined
      )
      const steps = `  - feed: { url: "${site.url}/feed" }
  - dedupe: { across: runs, emit: [new] }
  - select: { key: $key, title: title, url: url, change: change }`
      const first = yield* run(steps)
      expect(first.rows).toMatchObject([
        { key: `${site.url}/feed#2`, title: "Entry 2", url: `${site.url}/entries/2`, change: "new" },
        { key: `${site.url}/feed#1`, title: "Entry 1" }
      ])
      const second = yield* run(steps)
      expect(second.rows).toEqual([])
      body = rss(item(3) + item(2))
      const third = yield* run(steps)
      expect(third.rows).toMatchObject([{ title: "Entry 3" }])
      expect([first, second, third].map(({ summary }) => summary.credits)).toEqual([1, 0, 1])
    }
  )

  scoped("reads several feeds in order, one that a page names, and says which one is none", function* () {
    const run = yield* start
    const site = yield* Local.site((path) => {
      switch (path) {
        case "/":
          return '<title>Home</title><link rel="alternate" type="application/atom+xml" href="/named"><p>Home of herons.'
        case "/named":
          return {
            headers: { "content-type": "text/xml" },
            body: `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>urn:a</id><title>Named</title></entry></feed>`
          }
        case "/latin":
          return {
            headers: { "content-type": "application/xml" },
            body: iconv.encode(
              `<?xml version="1.0" encoding="windows-1252"?>${rss(`<item><title>Schleuse – 5 €</title></item>`)}`,
              "windows-1252"
            )
          }
        case "/page":
          return Local.page("A page")
        case "/odd":
          return { headers: { "content-type": "application/x-rss" }, body: rss(item(9)) }
        default:
          return undefined
      }
    })
    const urls = ["/", "/latin", "/page", "/gone", "/odd"].map((path) => `"${site.url}${path}"`).join(", ")
    const { rejects, rows } = yield* run(`  - feed: { urls: [${urls}] }
    onError: reject
  - select: { title: title, feed: feed }`)
    expect(rows).toEqual([
      { title: "Named", feed: `${site.url}/` },
      { title: "Schleuse – 5 €", feed: `${site.url}/latin` },
      { title: "Entry 9", feed: `${site.url}/odd` }
    ])
    expect(rejects.map(({ error, message }) => [error, message])).toEqual([
      [
        "NotAFeed",
        `${site.url}/page is neither RSS nor Atom nor JSON Feed: its first element is <html>, and no <link rel="alternate"> names a feed`
      ],
      ["HttpError", `${site.url}/gone: the site answered 404`]
    ])
  })

  scoped("gives as many rows as are wanted, and goes with a scrape of its entries", function* () {
    const run = yield* start
    const site = yield* Local.site((path) =>
      path.startsWith("/entries") ? Local.page(path) : { headers: xml, body: rss(item(1) + item(2) + item(3)) }
    )
    const steps = `  - feed: { urls: ["${site.url}/a", "${site.url}/b"] }
  - scrape: { formats: [markdown] }
    concurrency: 1
  - select: { title: metadata.title, of: $source.feed }`
    const { rows } = yield* run(steps, { wanted: 4 })
    expect(rows).toEqual([
      { title: "/entries/1", of: `${site.url}/a` },
      { title: "/entries/2", of: `${site.url}/a` },
      { title: "/entries/3", of: `${site.url}/a` },
      { title: "/entries/1", of: `${site.url}/b` }
    ])
  })

  scoped("says what is wrong with its fields", function* () {
    const both = { url: "https://a.example/", urls: ["https://b.example/"] }
    expect(yield* errorsOf("feed", {})).toContain("needs a url, or urls")
    expect((yield* errorsOf("feed", both)).join()).toContain("give either url or urls")
    expect((yield* errorsOf("feed", { urls: [] })).join()).toContain("urls")
  })
})
