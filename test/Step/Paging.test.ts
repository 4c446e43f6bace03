/** Lists of many pages: how `scrape` and `urls` follow them, and where they end. Cases that name a project are reports from its users. */

import { layer } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { rowOf } from "../../src/Cli/Run/OpenRejects.ts"
import type { Client } from "../../src/Client.ts"
import { prices } from "../../src/Engine.ts"
import { scopeBefore } from "../../src/Pipeline/Check.ts"
import { hosted, look } from "../../src/Pipeline/Requirements.ts"
import { local } from "../../src/Step/Cost.ts"
import { scrape } from "../../src/Step/Scrape.ts"
import { expect, scopedIn } from "../It.ts"
import * as Local from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { jsonLines, type Options, project, stepLine } from "../Project.ts"
import { withEngine } from "../Services.ts"
import { errorsOf } from "./OneStep.ts"

/** Three items a page, with links of their own. */
const items = (page: number, count = 3) =>
  Array.from({ length: count }, (_, index) => page * 10 + index)
    .map((n) => `<article><h2><a href="/item/${n}">Item ${n}</a></h2><p>Text about number ${n}.</p></article>`)
    .join("")

const shop = (content: string, pager = "", head = "") =>
  `<!doctype html><html lang="en"><head><title>Shop</title>${head}</head><body><nav><a href="/">Home</a> <a href="/help">Help</a></nav><main><h1>All there is to buy here</h1>${content}</main><footer>${pager}</footer></body></html>`

const pageIn = (path: string, name = "page"): number => Number(new URL(path, "http://x").searchParams.get(name) ?? 1)

interface Case {
  readonly name: string
  readonly site: (path: string, base: string) => Local.Answer | undefined
  readonly next: unknown
  readonly start?: string
  /** Paths of the rows. */
  readonly rows: ReadonlyArray<string>
  /** Paths that were asked for, if they are not those of the rows. */
  readonly asked?: ReadonlyArray<string>
  readonly warns?: RegExp
  readonly incomplete?: boolean
}

/** A list with these pages, each with a link to the next one as `link` writes it. */
const list =
  (last: number, link: (to: string, page: number) => string, beyond?: (page: number) => Local.Answer | undefined) =>
  (path: string): Local.Answer | undefined => {
    if (!path.startsWith("/list")) return undefined
    const page = pageIn(path)
    if (page > last) return beyond?.(page)
    return shop(items(page), page < last ? link(`/list?page=${page + 1}`, page) : "")
  }

const upTo = (last: number) => Array.from({ length: last }, (_, at) => (at === 0 ? "/list" : `/list?page=${at + 1}`))
const empty = () => shop("<p>No products found.</p>")

const cases: ReadonlyArray<Case> = [
  {
    name: "a selector of the link or of the element around it, up to the page without it",
    site: list(3, (to, page) =>
      page === 1 ? `<a class="next" href="${to}">›</a>` : `<ul><li class="next"><a href="${to}">Next</a></li></ul>`
    ),
    next: ".next",
    rows: upTo(3)
  },
  {
    name: "the relation: of a link in the head, of an anchor among others, in the header Link",
    site: (path, base) => {
      const page = pageIn(path)
      const to = `/list?page=${page + 1}`
      if (!path.startsWith("/list") || page > 4) return undefined
      if (page === 1) return shop(items(page), "", `<link rel="next" href="?page=2">`)
      if (page === 2) return shop(items(page), `<a rel="nofollow Next" href="${to}">older</a>`)
      const link = `<${base}/style.css>; rel=preload, <${base}${to}>; rel="next last"`
      return { body: shop(items(page)), headers: page === 3 ? { link } : {} }
    },
    next: { rel: "next" },
    rows: upTo(4)
  },
  {
    name: "a label: its text with a sign, in pieces, as aria-label, as title, as a sign alone, behind a sign, as alt",
    site: list(
      8,
      (to, page) =>
        `<a href="/next-article">Next article</a> ${[
          '<a href="TO">Next »</a>',
          '<a href="TO"><span>NEXT</span> <i>→</i></a>',
          '<a href="TO" aria-label="Nächste Seite"><svg></svg></a>',
          '<a href="TO" title="Suivant">3</a>',
          '<a href="TO">›</a>',
          '<a href="TO">← Older posts</a>',
          '<a href="TO"><img src="/w.png" alt="Weiter"></a>'
        ][page - 1]?.replace("TO", to)}`
    ),
    next: { label: ["Vorwärts", "Next", "Nächste Seite", "Suivant", "›", "Older posts", "Weiter"] },
    rows: upTo(8)
  },
  {
    name: "a number, up to a page that is not there",
    site: list(2, () => ""),
    next: { page: { param: "page" } },
    rows: upTo(2),
    asked: upTo(3)
  },
  {
    name: "a number, up to a page without items",
    site: list(2, () => "", empty),
    next: { page: { param: "page" } },
    rows: upTo(2),
    asked: upTo(3)
  },
  {
    name: "a number, where the site repeats its last page for ever",
    site: list(
      2,
      () => "",
      (page) => shop(items(2), `<p>Page ${page} of 2</p><a href="/list?page=${page + 1}">Next</a>`)
    ),
    next: { page: { param: "page" } },
    rows: upTo(2),
    asked: upTo(3)
  },
  {
    name: "a number, where the site shows the first page again",
    site: list(
      2,
      () => "",
      () => shop(items(1))
    ),
    next: { page: { param: "page" } },
    rows: upTo(2),
    asked: upTo(3)
  },
  {
    name: "a number, where the site redirects to the first page",
    site: list(
      2,
      () => "",
      () => ({ status: 302, headers: { location: "/list" } })
    ),
    next: { page: { param: "page" } },
    rows: upTo(2),
    asked: [...upTo(3), "/list"]
  },
  {
    name: "a number that the site does not know, with a warning",
    site: (path) => (path.startsWith("/list") ? shop(items(1)) : undefined),
    next: { page: { param: "seite" } },
    rows: ["/list"],
    asked: ["/list", "/list?seite=2"],
    warns: /\/list\?seite=2 shows the same as the first page.*does not know the parameter seite/
  },
  {
    name: "a number that begins at zero, beside other parameters",
    site: (path) => (pageIn(path, "p") < 3 ? shop(items(pageIn(path, "p") + 1)) : undefined),
    start: "/list?p=0&q=blue%20cup&f[]=a;b",
    next: { page: { param: "p", start: 0 } },
    rows: [0, 1, 2].map((p) => `/list?p=${p}&q=blue%20cup&f[]=a;b`),
    asked: [0, 1, 2, 3].map((p) => `/list?p=${p}&q=blue%20cup&f[]=a;b`)
  },
  {
    name: "an offset",
    site: (path) => {
      const from = Number(new URL(path, "http://x").searchParams.get("from") ?? 0)
      return from < 50 ? shop(items(from)) : shop("<p>Nothing here</p>")
    },
    next: { offset: { param: "from", by: 25 } },
    rows: ["/list", "/list?from=25"],
    asked: ["/list", "/list?from=25", "/list?from=50"]
  },
  {
    name: "rows of a table without links, the last page with one",
    site: (path) => {
      const page = pageIn(path)
      const rows = (page < 3 ? [1, 2, 3] : page === 3 ? [1] : []).map(
        (n) => `<tr><td>Row ${page}.${n}</td><td>${n} €</td></tr>`
      )
      return shop(`<table>${rows.join("") || "<tr><td colspan=2>No data available</td></tr>"}</table>`)
    },
    next: { page: { param: "page" } },
    rows: upTo(3),
    asked: upTo(4)
  },
  {
    name: "items named, on pages whose other links change with each visit",
    site: (path) => {
      const page = pageIn(path)
      const more = `<aside><a href="/ad/${page}a">Ad</a><a href="/ad/${page}b">Another one</a></aside>`
      return shop(`${page < 4 ? items(page) : "<p>Sorry</p>"}${more}`)
    },
    next: { page: { param: "page" }, items: "article" },
    rows: upTo(3),
    asked: upTo(4)
  },
  {
    name: "a cap, with a warning",
    site: list(9, (to) => `<a class="next" href="${to}">›</a>`),
    next: { css: "a.next", pages: 3 },
    rows: upTo(3),
    warns: /read up to page 3, and there are more pages \(.*\/list\?page=4\): raise next\.pages/,
    incomplete: true
  },
  {
    name: "x-ray#45: the link of the last page leads to itself",
    site: list(3, (to) => `<a class="next" href="${to}">›</a>`, undefined),
    next: "footer a",
    rows: upTo(3)
  },
  {
    name: "x-ray#45: the last page leads to itself",
    site: (path) => {
      const page = Math.min(3, pageIn(path))
      return shop(items(page), `<a class="next" href="/list?page=${Math.min(3, page + 1)}">›</a>`)
    },
    next: "a.next",
    rows: upTo(3),
    warns: /page 3 \(.*\/list\?page=3\) leads to itself/
  },
  {
    name: "x-ray#305: a selector that also matches the link back",
    site: (path) => {
      const page = pageIn(path)
      const links = [page - 1, page + 1].filter((each) => each > 0 && each < 5)
      return shop(items(page), links.map((each) => `<a class="pager" href="/list?page=${each}">${each}</a>`).join(" "))
    },
    next: "a.pager",
    rows: upTo(4),
    asked: ["/list", "/list?page=2", "/list?page=1", "/list?page=3", "/list?page=4"],
    warns: /page 4 \(.*\/list\?page=4\) leads to .*\/list\?page=3, which was read/,
    incomplete: true
  },
  {
    name: "green-db#45: the last page has only the link back",
    site: (path) => {
      const page = pageIn(path)
      return shop(items(page), `<a class="turn" href="/list?page=${page < 3 ? page + 1 : 2}">turn</a>`)
    },
    next: "a.turn",
    rows: upTo(3),
    warns: /page 3 \(.*\/list\?page=3\) leads to .*\/list\?page=2, which was read/,
    incomplete: true
  },
  {
    name: "cobweb#53: links to next pages that have no items, for ever",
    site: (path) => {
      const page = pageIn(path)
      return shop(page > 3 ? "<p>No courses.</p>" : items(page), "", `<link rel="next" href="?page=${page + 1}">`)
    },
    next: { rel: "next" },
    rows: upTo(4),
    asked: upTo(5),
    warns: /page 5 \(.*\/list\?page=5\) shows nothing new beside the first page/,
    incomplete: true
  },
  {
    name: "cobweb#53: the same with the number of the page in its text",
    site: (path) => {
      const page = pageIn(path)
      const none = `<p>There is no page ${page}.</p>`
      return shop(page > 2 ? none : items(page), "", `<link rel="next" href="?page=${page + 1}">`)
    },
    next: { rel: "next" },
    rows: upTo(5),
    warns: /the last 3 pages.*show hardly anything new/,
    incomplete: true
  },
  {
    name: "crawler#28: addresses that grow, with the same content",
    site: (path) => {
      const page = path.includes("2") ? 2 : 1
      return shop(items(page), `<a class="next" href="${path}${path.includes("?") ? "&" : "?"}amp%3Bp=2">›</a>`)
    },
    next: "a.next",
    rows: ["/list", "/list?amp%3Bp=2"],
    asked: ["/list", "/list?amp%3Bp=2", "/list?amp%3Bp=2&%3Bp=2"],
    warns: /shows nothing new beside the first page/,
    incomplete: true
  },
  {
    name: "a disabled link of Bootstrap, which is still there",
    site: (path) => {
      const page = pageIn(path)
      const link = (to: number) => `<a class="page-link" href="/list?page=${to}">Next</a>`
      return shop(items(page), `<ul><li class="page-item${page < 3 ? "" : " disabled"}">${link(page + 1)}</li></ul>`)
    },
    next: { label: "Next" },
    rows: upTo(3)
  },
  {
    name: "a link to another site",
    site: (path) => shop(items(pageIn(path)), '<a class="next" href="http://elsewhere.example/2">›</a>'),
    next: "a.next",
    rows: ["/list"],
    warns: /page 1 \(.*\) leads to another site \(http:\/\/elsewhere\.example\/2\)/,
    incomplete: true
  },
  {
    name: "a page that is missing behind a link is a row, as without `next`",
    site: (path) =>
      pageIn(path) < 3
        ? shop(items(pageIn(path)), `<a class="next" href="/list?page=${pageIn(path) + 1}">›</a>`)
        : undefined,
    next: "a.next",
    rows: upTo(3)
  }
]

const engine = local(prices)

/** Runs a step over one row with this address. */
const follow = (site: Case["site"], fields: object, start = "/list", more = "", options: Options = {}) =>
  Effect.gen(function* () {
    const client = yield* Effect.context<Client>()
    let base = ""
    const server = yield* Local.site((path) => site(path, base))
    base = server.url
    const here = yield* project({
      client,
      rate: engine,
      sharesLedger: true,
      files: { "in.jsonl": jsonLines([{ url: base + start, city: "Bern" }]) }
    })
    const steps = `  - read: in.jsonl\n  - id: pages\n    ${stepLine("scrape", fields).slice(4)}${more}`
    const ended = yield* here.run(steps, options)
    const asked = server.requests.filter((path) => path !== "/robots.txt")
    return { ...ended, asked, base, here, steps, data: ended.emitted("pages").map(({ data }) => data) }
  })

interface Document {
  readonly metadata: { readonly sourceURL: string; readonly page: number }
}

layer(withEngine)((it) => {
  const scoped = scopedIn(it)
  scoped.each(cases)("scrape follows $name", function* ({ asked, incomplete, next, rows, site, start, warns }) {
    const found = yield* follow(site, { formats: ["markdown"], next }, start)
    const documents = found.data as unknown as ReadonlyArray<Document>
    expect(documents.map(({ metadata }) => metadata.sourceURL.slice(found.base.length))).toEqual(rows)
    expect(documents.map(({ metadata }) => metadata.page)).toEqual(rows.map((_, index) => index + 1))
    expect(found.asked).toEqual(asked ?? rows)
    // The HTML was read for the links alone.
    expect(Object.keys(found.data[0] ?? {})).toEqual(["markdown", "metadata"])
    if (warns === undefined) expect(found.warnings).toEqual([])
    else expect(found.warnings.join("\n")).toMatch(warns)
    expect(found.incomplete).toEqual(incomplete === true ? ["pages"] : [])
  })

  scoped("extract sees every page, and each row knows the row that asked", function* () {
    const more =
      '  - extract: { rows: article, fields: { title: h2, url: { css: a, attr: href } }, keep: ["metadata"] }\n  - select: { title: title, page: metadata.page }\n  - write: { jsonl: rows.jsonl }\n'
    const { emitted, rows } = yield* follow(
      list(3, (to) => `<a class="next" href="${to}">›</a>`),
      { next: "a.next" },
      "/list",
      more
    )
    expect(rows).toEqual([1, 2, 3].flatMap((page) => [0, 1, 2].map((n) => ({ title: `Item ${page * 10 + n}`, page }))))
    expect(emitted("pages").map(({ source }) => source?.city)).toEqual(["Bern", "Bern", "Bern"])
  })

  scoped("a page that fails is rejected alone, and a replay goes on there", function* () {
    let isDown = true
    const site = (path: string): Local.Answer | undefined =>
      pageIn(path) === 3 && isDown ? { status: 500 } : list(4, (to) => `<a class="next" href="${to}">›</a>`)(path)
    const { asked, data, here, rejects, runId, steps, warnings } = yield* follow(
      site,
      { next: "a.next" },
      "/list",
      "  - select: { page: metadata.page, key: $key }\n  - write: { jsonl: rows.jsonl }\n"
    )
    expect(data.length).toBe(2)
    expect(warnings).toContainEqual(
      expect.stringMatching(/page 3 \(.*page=3\) failed, so the pages from there on are missing/)
    )
    expect(rejects.map(({ error, row }) => [error, row])).toEqual([
      [
        "HttpError",
        {
          url: expect.stringMatching(/\/list$/),
          city: "Bern",
          $page: { url: expect.stringMatching(/page=3$/), number: 3 }
        }
      ]
    ])
    expect(asked).toEqual(upTo(3))
    isDown = false
    const open = Chunk.toReadonlyArray(yield* Stream.runCollect(here.ledger.history.rejects(runId, { which: "open" })))
    const replay = {
      of: runId,
      rows: new Map([["pages", open.map((each) => rowOf(each, scrape))]]),
      numbers: open.map(({ number }) => number)
    }
    const again = yield* here.run(steps, { replay })
    expect(again.rejects).toEqual([])
    expect(again.rows).toEqual([1, 2, 3, 4].map((page) => ({ page, key: expect.stringContaining("/list") })))
  })

  scoped.skipIf(skipsLong)("retries each page by itself", function* () {
    const failures = new Map<string, number>()
    const site = (path: string): Local.Answer | undefined => {
      const before = failures.get(path) ?? 0
      failures.set(path, before + 1)
      return before < 1 ? { status: 503 } : list(3, (to) => `<a class="next" href="${to}">›</a>`)(path)
    }
    const more = "    retry: { on: [5xx], times: 1 }\n"
    const { asked, data, rejects } = yield* follow(site, { next: "a.next" }, "/list", more)
    expect(rejects).toEqual([])
    expect(data.length).toBe(3)
    expect(asked).toEqual(upTo(3).flatMap((path) => [path, path]))
  })

  scoped("urls gives the addresses of the pages, or of the links on them", function* () {
    const client = yield* Effect.context<Client>()
    const server = yield* Local.site(list(3, (to) => `<a class="next" href="${to}">›</a>`))
    const { run } = yield* project({ client, rate: engine })
    const urlsOf = (fields: object, options: Options = {}) =>
      Effect.map(
        run(`  - id: urls\n    ${stepLine("urls", { list: `${server.url}/list`, ...fields }).slice(4)}`, options),
        (ended) => ({
          ...ended,
          urls: ended.emitted("urls").map(({ data }) => String(data.url).slice(server.url.length))
        })
      )
    expect((yield* urlsOf({ next: "a.next" })).urls).toEqual(upTo(3))
    const links = yield* urlsOf({ next: "a.next", links: "article" })
    expect(links.urls).toEqual([1, 2, 3].flatMap((page) => [0, 1, 2].map((n) => `/item/${page * 10 + n}`)))
    expect(links.summary.credits).toBe(3)
    const none = yield* urlsOf({ next: "a.next", links: "li.product a" })
    expect(none.urls).toEqual([])
    expect(none.warnings.join()).toContain("has no links that match li.product a")
    const few = yield* urlsOf({ next: "a.next", links: "article" }, { wanted: 2 })
    expect(few.urls.length).toBe(2)
  })

  scoped.skipIf(skipsLong)(
    "crawl gives what the list leads to, warns of lists above the cap, and says that it needs the own engine",
    function* () {
      const client = yield* Effect.context<Client>()
      const server = yield* Local.site((path) =>
        path.startsWith("/item")
          ? shop(`<h2>${path}</h2>`)
          : list(4, (to) => `<a class="next" href="${to}">›</a>`)(path)
      )
      const { checked, run } = yield* project({ client, rate: engine })
      const fields = (more: object) => ({
        url: `${server.url}/list`,
        crawlEntireDomain: true,
        includePaths: ["^/item/"],
        maxDiscoveryDepth: 1,
        ...more
      })
      const crawled = (more: object) =>
        Effect.map(run(`  - id: pages\n    ${stepLine("crawl", fields(more)).slice(4)}`), (ended) => ({
          ...ended,
          count: ended.emitted("pages").length
        }))
      const whole = yield* crawled({ next: "a.next" })
      expect([whole.count, whole.warnings, whole.incomplete]).toEqual([12, [], []])
      const cut = yield* crawled({ next: { css: "a.next", pages: 2 } })
      expect(cut.count).toBe(6)
      expect(cut.warnings.join()).toContain("its lists have more pages than next follows: raise next.pages")
      expect((yield* errorsOf("crawl", fields({ next: { page: { param: "p" } } }))).join()).toContain("next")
      const definition = yield* checked(stepLine("crawl", fields({ next: "a.next", url: "https://shop.example/list" })))
      const scope = { env: {}, secrets: () => undefined }
      const { notes, refusal } = yield* look(
        definition,
        scopeBefore(definition, scope),
        hosted("https://api.example.com")
      )
      expect(refusal).toBeUndefined()
      expect(notes.map(({ message }) => message)).toContainEqual(
        expect.stringContaining("`next` works only with Sluice's own engine")
      )
      const elsewhere = yield* project({
        service: () => ({
          status: 400,
          body: { success: false, error: "Unrecognized key in body", code: "BAD_REQUEST" }
        })
      })
      const { outcome } = yield* elsewhere.run(stepLine("crawl", fields({ next: "a.next" })))
      expect(String(Either.isLeft(outcome) ? outcome.left.message : "")).toMatch(
        /Unrecognized key in body.*next works only with Sluice's own engine/
      )
    }
  )

  scoped("refuses selectors that are none, and more than one way", function* () {
    expect((yield* errorsOf("scrape", { next: "a[rel=next" })).join()).toContain('a "]" is missing')
    expect((yield* errorsOf("scrape", { next: { css: "a", rel: "next" } })).join()).toContain("not css and rel")
    expect((yield* errorsOf("scrape", { next: {} })).join()).toContain("needs one of css, rel, label, page and offset")
    expect((yield* errorsOf("scrape", { next: { css: "a", items: ">" } })).join()).toContain(
      '">" is not a CSS selector'
    )
    expect((yield* errorsOf("scrape", { next: "a", session: { cdpUrl: "ws://x" } })).join()).toContain(
      '"next" has no effect in a browser session'
    )
  })
})
