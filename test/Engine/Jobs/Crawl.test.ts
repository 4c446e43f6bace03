/** A crawl over HTTP, against a real site. */

import * as Effect from "effect/Effect"
import { expect, layer } from "../../It.ts"
import { type Answer, caller, drain, engine, keys, Local, layer as local, page, type Site, site } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { chromium, chromiumSandbox, isMissing } from "../Render/Installed.ts"

/** Twelve pages: a start, a chapter for each of three, a broken link, one that fails, and one that robots.txt forbids. */
const book = (path: string) => {
  if (path === "/robots.txt")
    return { headers: { "content-type": "text/plain" }, body: "User-agent: *\nDisallow: /private\n" }
  if (path === "/")
    return page("Start", ["/a", "/b/", "/a#part", "/private/x", "/gone", "/broken", "https://elsewhere.example/"])
  if (path === "/a") return page("A", ["/a/1", "/a/2", "/", "/logo.png"])
  if (path === "/b/" || path === "/b") return page("B", ["/a/1", "/b/index.html", "/b/deep/er/page"])
  if (path === "/broken") return { status: 500, body: "Oops" }
  return /^\/(a\/[12]|b\/deep\/er\/page)$/.test(path) ? page(path) : undefined
}

const paths = (data: ReadonlyArray<{ metadata: { sourceURL: string } }>) =>
  data.map(({ metadata }) => new URL(metadata.sourceURL).pathname).sort()

const crawl = (body: (site: Site) => object, answer: (path: string) => Answer | undefined = book) =>
  Effect.gen(function* () {
    const there = yield* site(answer)
    const { baseUrl, call } = yield* Local
    const started = yield* call.post("/v2/crawl", { url: there.url, ...body(there) })
    expect(started.json).toMatchObject({ success: true, url: `${baseUrl}/v2/crawl/${started.json.id}` })
    const { last, data } = yield* drain(call, `/v2/crawl/${started.json.id}`)
    return { there, call, id: started.json.id as string, last, data }
  })

layer(local, { excludeTestServices: true })("a crawl", (it) => {
  it.scoped("visits every page once, and lists failed pages and those that robots.txt forbids", function* () {
    const { call, data, id, last, there } = yield* crawl(() => ({}))
    expect(paths(data)).toEqual(["/", "/a", "/a/1", "/a/2", "/b/", "/b/deep/er/page", "/broken", "/gone"])
    expect(last).toMatchObject({ status: "completed", success: true, total: 8, completed: 6, creditsUsed: 8 })
    expect(last).not.toHaveProperty("next")
    const broken = data.find(({ metadata }) => metadata.sourceURL.endsWith("/broken"))
    expect(broken?.metadata).toMatchObject({ statusCode: 500, error: "Internal Server Error" })
    const errors = yield* call.get(`/v2/crawl/${id}/errors`)
    expect(errors.json.errors.map(({ url }: { url: string }) => new URL(url).pathname).sort()).toEqual([
      "/broken",
      "/gone"
    ])
    expect(errors.json.robotsBlocked).toEqual([`${there.url}/private/x`])
    const asked = there.requests.filter((path) => path !== "/robots.txt" && path !== "/sitemap.xml")
    expect(asked.length).toBe(new Set(asked).size)
    expect(asked.some((path) => path.startsWith("/private"))).toBe(false)
  })

  it.scoped.each([
    { name: "nothing", body: {}, leftOut: [] },
    { name: "nothing, with bounds that it does not reach", body: { limit: 9, maxDiscoveryDepth: 5 }, leftOut: [] },
    { name: "pages beyond its limit", body: { limit: 3 }, leftOut: ["limit"] },
    { name: "links that are too many clicks away", body: { maxDiscoveryDepth: 1 }, leftOut: ["depth"] },
    { name: "addresses that are too deep", body: { maxDepth: 2 }, leftOut: ["depth"] },
    {
      name: "addresses that are too deep, but excluded anyhow",
      body: { maxDepth: 2, excludePaths: ["^/b/deep"] },
      leftOut: []
    },
    { name: "pages of a sitemap that it cannot read", body: {}, sitemap: 503, leftOut: ["sitemap"] },
    { name: "no pages of a sitemap that is not there", body: {}, sitemap: 404, leftOut: [] }
  ])("says that it has left out $name", function* ({ body, leftOut, sitemap = 404 }) {
    const { call, id } = yield* crawl(
      () => body,
      (path) => (path === "/sitemap.xml" ? { status: sitemap, body: "" } : book(path))
    )
    expect((yield* call.get(`/v2/crawl/${id}/errors`)).json.leftOut).toEqual(leftOut)
  })

  const items = (list: number) => [1, 2].map((n) => `/item/${list}${n}`)

  /** A list of pages with two items each; `next` gives the page behind a page, as its link says. */
  const lists =
    (next: (page: number) => number | undefined, write = (to: string) => `<a class="fwd" href="${to}">Next</a>`) =>
    (path: string): Answer | undefined => {
      const url = new URL(path, "http://x")
      const number = Number(url.searchParams.get("page") ?? 1)
      if (url.pathname.startsWith("/shop/item/")) return page(path, ["/shop/", "/shop/?page=1"])
      if (url.pathname !== "/shop/") return undefined
      const to = next(number)
      const link = to === undefined ? "" : write(`/shop/?page=${to}`)
      return page(
        `Page ${number}`,
        items(number).map((item) => `/shop${item}`)
      ).replace("</main>", `${link}</main>`)
    }
  const upTo = (last: number) => (page: number) => (page < last ? page + 1 : undefined)
  const listed = (...numbers: ReadonlyArray<number>) => numbers.flatMap(items).map((path) => `/shop${path}`)

  it.scoped.each([
    {
      name: "to its end, with its items as results",
      body: { next: "a.fwd", includePaths: ["/item/"], maxDiscoveryDepth: 1, maxDepth: 3 },
      rows: listed(1, 2, 3, 4),
      // The pages of the list were read, too.
      credits: 12,
      // Items lead to pages of the list that are not the next one.
      notFollowed: { includePaths: 2 }
    },
    {
      name: "by the header Link",
      body: { next: { rel: "next" }, includePaths: ["/item/"], maxDiscoveryDepth: 1 },
      header: true,
      rows: listed(1, 2, 3, 4),
      credits: 12,
      // Items lead to pages of the list that are not the next one.
      notFollowed: { includePaths: 2 }
    },
    {
      name: "by its label, with its pages as results",
      body: { next: { label: "next" }, maxDiscoveryDepth: 1, excludePaths: ["/item/"] },
      rows: ["/shop/", "/shop/", "/shop/", "/shop/"],
      credits: 4,
      notFollowed: { excludePaths: 8 }
    },
    {
      name: "unless excludePaths has its pages",
      body: { next: "a.fwd", includePaths: ["/item/"], excludePaths: ["page="], regexOnFullURL: true },
      rows: listed(1),
      credits: 3,
      notFollowed: { excludePaths: 2, includePaths: 1 }
    },
    {
      name: "up to a cap, and counts what it has left",
      body: { next: { css: "a.fwd", pages: 2 }, includePaths: ["/item/"] },
      rows: listed(1, 2),
      credits: 6,
      notFollowed: { includePaths: 2, nextPages: 1 }
    },
    {
      name: "that leads back to a page of its own",
      body: { next: "a.fwd", includePaths: ["/item/"], maxDiscoveryDepth: 1 },
      next: (page: number) => (page < 3 ? page + 1 : 2),
      rows: listed(1, 2, 3),
      credits: 9,
      // Items lead to pages of the list that are not the next one.
      notFollowed: { includePaths: 2 }
    }
  ])("follows a list $name", function* ({ body, credits, header = false, next = upTo(4), notFollowed = {}, rows }) {
    const site = (path: string): Answer | undefined => {
      const number = Number(new URL(path, "http://x").searchParams.get("page") ?? 1)
      const html = lists(next, header ? () => "" : undefined)(path)
      return header && typeof html === "string" && path.startsWith("/shop/?") === number > 1 && number < 4
        ? { body: html, headers: { link: `</shop/?page=${number + 1}>; rel="next"` } }
        : html
    }
    const { call, data, id, last } = yield* crawl((there) => ({ ...body, url: `${there.url}/shop/` }), site)
    expect(paths(data)).toEqual([...rows].sort())
    expect(last).toMatchObject({ status: "completed", creditsUsed: credits })
    const errors = yield* call.get(`/v2/crawl/${id}/errors`)
    expect(errors.json.notFollowed ?? {}).toEqual(notFollowed)
  })

  it.scoped("lists a page of a list that has failed, and refuses ways that are none", function* () {
    const answer = (path: string): Answer | undefined =>
      path.includes("page=3") ? { status: 500 } : lists(upTo(4))(path)
    const { call, data, there } = yield* crawl(
      ({ url }) => ({ url: `${url}/shop/`, next: "a.fwd", includePaths: ["/item/"], maxDiscoveryDepth: 1 }),
      answer
    )
    expect(paths(data)).toEqual(["/shop/", ...listed(1, 2)].sort())
    for (const next of ["a[", { css: "a", rel: "next" }, {}]) {
      const { json, status } = yield* call.post("/v2/crawl", { url: there.url, next })
      expect([status, json.error]).toEqual([400, expect.stringMatching(/next/)])
    }
  })

  it.scoped("says of a crawl without a page which setting has left out its links", function* () {
    let own = ""
    const { last } = yield* crawl(
      ({ url }) => {
        own = url
        return { url: `${url}/shop/`, sitemap: "only" }
      },
      (path) =>
        path === "/sitemap.xml"
          ? `<urlset>${[1, 2].map((n) => `<url><loc>${own}/item/${n}</loc></url>`).join("")}</urlset>`
          : "<p>item</p>"
    )
    expect(last).toMatchObject({
      status: "failed",
      error: expect.stringMatching(
        /^No page was found for \S+; 2 links not followed: 2 not below the start \(crawlEntireDomain: true follows them\)$/
      )
    })
  })

  it.scoped(
    "counts the links that it does not follow by reason, each once, however many pages have them",
    function* () {
      const menu =
        '<a href="/in/1">1</a><a href="/in/2">2</a><a href="/out/1">x</a><a href="/out/2">x</a><a href="/in/not">n</a>' +
        '<a href="https://other.example/">o</a><a href="/in/sold" rel="nofollow">s</a><a href="/logo.png">l</a>'
      const { call, id } = yield* crawl(
        () => ({ sitemap: "skip", includePaths: ["^/in/"], excludePaths: ["not$"], respectNofollow: true }),
        (path) =>
          path === "/" || path.startsWith("/in/") ? { headers: { "content-type": "text/html" }, body: menu } : undefined
      )
      expect((yield* call.get(`/v2/crawl/${id}/errors`)).json).toMatchObject({
        leftOut: [],
        notFollowed: { includePaths: 2, excludePaths: 1, anotherSite: 1, nofollow: 1 }
      })
    }
  )

  it.scoped("stops at its limit exactly, also while pages are being fetched", function* () {
    const links = Array.from({ length: 60 }, (_, n) => `/p${n}`)
    const { data, last, there } = yield* crawl(
      () => ({ limit: 7, sitemap: "skip", ignoreRobotsTxt: true }),
      (path) => page(path, links)
    )
    expect(data).toHaveLength(7)
    expect(last).toMatchObject({ status: "completed", total: 7, completed: 7, creditsUsed: 7 })
    expect(there.requests).toHaveLength(7)
  })

  it.scoped("visits the pages of the sitemap too, or only those", function* () {
    const withMap = (origin: () => string) => (path: string) =>
      path === "/sitemap.xml"
        ? {
            headers: { "content-type": "application/xml" },
            body: `<urlset><url><loc>${origin()}/hidden</loc></url><url><loc>${origin()}/blog/x</loc></url></urlset>`
          }
        : path === "/" || path === "/hidden" || path === "/linked" || path === "/blog/x"
          ? page(path, ["/linked"])
          : undefined
    const run = (sitemap: string) =>
      Effect.gen(function* () {
        let origin = ""
        return yield* crawl(
          (there) => {
            origin = there.url
            return { sitemap, excludePaths: ["^/blog"] }
          },
          withMap(() => origin)
        )
      })
    expect(paths((yield* run("include")).data)).toEqual(["/", "/hidden", "/linked"])
    expect(paths((yield* run("only")).data)).toEqual(["/hidden", "/linked"])
    expect(paths((yield* run("skip")).data)).toEqual(["/", "/linked"])
  })

  it.scoped("stores duplicates once, also duplicates by redirect", function* () {
    const { data, last } = yield* crawl(
      () => ({ sitemap: "skip" }),
      (path) => {
        if (path === "/old" || path === "/older") return { status: 301, headers: { location: "/new" } }
        return page(path, ["/x", "/x/", "/x/index.html", "/old", "/older", "/new"])
      }
    )
    expect(last).toMatchObject({ status: "completed", total: 3, completed: 3 })
    expect(new Set(data.map(({ metadata }) => new URL(metadata.url).pathname))).toEqual(new Set(["/", "/x", "/new"]))
  })

  it.scoped.each([
    {
      name: "nofollow, noindex and canonical addresses, unless it is told to",
      body: {},
      visited: ["/", "/circle", "/hidden", "/inner", "/marked", "/none", "/print", "/round", "/self", "/late", "/hint"],
      robotsBlocked: []
    },
    {
      name: "nothing of noindex, and follows the links of its pages",
      body: { respectNoindex: true },
      visited: ["/", "/circle", "/inner", "/marked", "/print", "/round", "/self", "/hint"],
      robotsBlocked: ["/hidden", "/late", "/none"]
    },
    {
      name: "no links with nofollow, of the link or of the page",
      body: { respectNofollow: true },
      visited: ["/", "/circle", "/hidden", "/inner", "/none", "/print", "/round", "/self", "/late"],
      robotsBlocked: []
    },
    {
      name: "canonical addresses of pages, once each, and not in a circle",
      body: { respectCanonical: true },
      visited: ["/", "/canonical", "/circle", "/hidden", "/inner", "/marked", "/none", "/self", "/late", "/hint"],
      robotsBlocked: []
    }
  ])("reads $name", function* ({ body, robotsBlocked, visited }) {
    const head = (html: string, more: string) => html.replace("<head>", `<head>${more}`)
    const { call, data, id, last } = yield* crawl(
      () => ({ ...body, sitemap: "skip" }),
      (path) => {
        if (path === "/") {
          const links = ["/hidden", "/none", "/late", "/print?b", "/print?a", "/self", "/round"]
          return page("Start", links).replace("</ul>", '</ul><a rel="nofollow" href="/marked">Marked</a>')
        }
        if (path === "/hidden") return head(page(path, ["/inner"]), '<meta name="robots" content="noindex">')
        if (path === "/none")
          return { headers: { "content-type": "text/html", "x-robots-tag": "none" }, body: page(path, ["/hint"]) }
        if (path === "/late") return head(page(path), '<meta name="sluice" content="unavailable_after: 2020-01-01">')
        if (path.startsWith("/print")) return head(page(path), '<link rel="canonical" href="/canonical">')
        if (path === "/self") return head(page(path), '<link rel="canonical" href="/self/#top">')
        if (path === "/round") return head(page(path, ["/circle"]), '<link rel="canonical" href="/circle">')
        if (path === "/circle") return head(page(path), '<link rel="canonical" href="/round">')
        if (path === "/canonical")
          return { headers: { "content-type": "text/html", link: '</canonical>; rel="canonical"' }, body: page(path) }
        return ["/inner", "/marked", "/hint"].includes(path) ? page(path) : undefined
      }
    )
    expect([...new Set(paths(data))]).toEqual([...visited].sort())
    expect(last).toMatchObject({ status: "completed", creditsUsed: data.length })
    const errors = yield* call.get(`/v2/crawl/${id}/errors`)
    expect(errors.json.robotsBlocked.map((url: string) => new URL(url).pathname).sort()).toEqual(robotsBlocked)
  })

  it.scoped(
    "applies its rules for links to the targets of redirects, and requests none that it must not",
    function* () {
      let own = ""
      const elsewhere = yield* site((path) => {
        if (path === "/robots.txt") return book(path)
        return path === "/back" ? { status: 302, headers: { location: `${own}/in?signed` } } : page("elsewhere")
      })
      const away: Record<string, string> = {
        "/out": elsewhere.url,
        "/out/robots": `${elsewhere.url}/private/x`,
        "/signed": `${elsewhere.url}/back`,
        "/ex": "/excluded/x",
        "/file": "/logo.png",
        "/robots": "/private/x",
        "/hop": "/robots",
        "/ok": "/in"
      }
      const fresh: Record<string, string> = { "/fresh/ex": "/excluded/y", "/fresh/robots": "/private/y" }
      const { data, last, call, id, there } = yield* crawl(
        ({ url }) => {
          own = url
          return { sitemap: "skip", excludePaths: ["^/excluded"] }
        },
        (path) => {
          if (path === "/robots.txt") return book(path)
          const location = away[path]
          if (location !== undefined) return { status: 302, headers: { location } }
          const refresh = fresh[path]
          const html = page(path, [...Object.keys(away), ...Object.keys(fresh)])
          return refresh === undefined
            ? html
            : { headers: { "content-type": "text/html", refresh: `0; url=${refresh}` }, body: html }
        }
      )
      expect(data.map(({ metadata }) => metadata.url.slice(own.length)).sort()).toEqual(["/", "/in", "/in?signed"])
      expect(last).toMatchObject({ status: "completed", total: 3, completed: 3, creditsUsed: 3 })
      const { json } = yield* call.get(`/v2/crawl/${id}/errors`)
      expect(json.errors).toEqual([])
      expect(json.robotsBlocked.map((url: string) => url.slice(own.length)).sort()).toEqual([
        "/fresh/robots",
        "/hop",
        "/out/robots",
        "/robots"
      ])
      const sent = [...there.requests, ...elsewhere.requests]
      expect(sent.filter((path) => /^\/(?:excluded|private|logo)/.test(path))).toEqual([])
    }
  )

  it.scoped("fails with the reason when its start cannot be fetched", function* () {
    const { call, last, id } = yield* crawl(
      () => ({ url: "http://127.0.0.1:1/" }),
      () => undefined
    )
    expect(last).toMatchObject({ success: true, status: "failed", code: "JOB_FAILED", total: 1, completed: 0 })
    expect(last.error).toContain("127.0.0.1")
    const errors = yield* call.get(`/v1/crawl/${id}/errors`)
    expect(errors.json.errors).toHaveLength(1)
  })

  it.scoped("fails when robots.txt forbids its start, and fetches nothing", function* () {
    const { last, there } = yield* crawl(
      () => ({ sitemap: "skip" }),
      (path) =>
        path === "/robots.txt"
          ? { headers: { "content-type": "text/plain" }, body: "User-agent: *\nDisallow: /" }
          : page(path)
    )
    expect(last).toMatchObject({
      status: "failed",
      total: 0,
      completed: 0,
      error: expect.stringContaining("robots.txt")
    })
    expect(there.requests).toEqual(["/robots.txt"])
  })

  it.scoped("waits for its delay between two requests", function* () {
    const at: Array<number> = []
    const { data } = yield* crawl(
      () => ({ sitemap: "skip", ignoreRobotsTxt: true, delay: 0.12 }),
      (path) => {
        at.push(Date.now())
        return page(path, ["/1", "/2", "/3"])
      }
    )
    expect(data).toHaveLength(4)
    // When a request arrives is for the machine to say as well: three waits together tell more than each alone.
    expect((at.at(-1) ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(220)
  })

  it.scoped("can be cancelled once; it keeps its results and sends no more requests", function* () {
    const there = yield* site((path) => ({ body: page(path, [`${path}a`, `${path}b`]), delay: 15 }))
    const { call } = yield* Local
    const { json } = yield* call.post("/v2/crawl", { url: there.url, sitemap: "skip", ignoreRobotsTxt: true })
    const path = `/v2/crawl/${json.id}`
    yield* call.get(`${path}?skip=3`)
    const active = yield* call.get("/v2/crawl/active")
    expect(active.json.crawls).toMatchObject([
      {
        id: json.id,
        teamId: "default",
        url: `${there.url}/`,
        options: { sitemap: "skip", scrapeOptions: { formats: ["markdown"] } }
      }
    ])
    expect((yield* call.get("/v1/crawl/active")).json.crawls[0].options.scrapeOptions).toMatchObject({
      formats: ["markdown"],
      parsePDF: true
    })
    const cancelled = yield* call.del(path)
    expect(cancelled).toMatchObject({ status: 200, json: { status: "cancelled" } })
    expect(yield* call.del(path)).toMatchObject({ status: 409, json: { success: false } })
    const { last, data } = yield* drain(call, path)
    expect(last).toMatchObject({ success: true, status: "cancelled", total: data.length })
    expect((yield* call.get("/v2/crawl/active")).json.crawls).toEqual([])
    const before = there.requests.length
    yield* call.get(`${path}?skip=100000`)
    yield* Effect.sleep("150 millis")
    expect(there.requests.length - before).toBeLessThanOrEqual(8)
  })

  it.scoped.skipIf(isMissing)("is listed while it runs, with masked text and scripts of its actions", function* () {
    const there = yield* site(() => ({ body: "slow", delay: 10_000 }))
    const call = caller((yield* engine({ chromium, chromiumSandbox })).baseUrl, keys.first)
    const actions = [
      { type: "click", selector: "#name" },
      { type: "write", text: "s3cret" },
      { type: "executeJavascript", script: "login('s3cret')" }
    ]
    const { json } = yield* call.post("/v2/crawl", { url: there.url, scrapeOptions: { actions } })
    const active = yield* call.get("/v2/crawl/active")
    expect(active.json.crawls[0].options.scrapeOptions.actions).toEqual([
      { type: "click", selector: "#name" },
      { type: "write", text: "***" },
      { type: "executeJavascript", script: "***" }
    ])
    expect((yield* call.get("/v1/crawl/active")).text).not.toContain("s3cret")
    yield* call.del(`/v2/crawl/${json.id}`)
  })

  it.scoped.skipIf(skipsLong)("takes parameters from its prompt that the request does not set", function* () {
    const answer = (path: string) => page(path, ["/blog/a", "/docs/a", "/docs/b", "/docs/c"])
    const asked = { sitemap: "skip", ignoreRobotsTxt: true }
    const prompted = yield* crawl(() => ({ ...asked, prompt: "Only /docs, at most 3 pages" }), answer)
    expect(paths(prompted.data)).toEqual(["/", "/docs/a", "/docs/b"])
    const explicit = yield* crawl(() => ({ ...asked, prompt: "Only /docs, at most 3 pages", limit: 2 }), answer)
    expect(explicit.data).toHaveLength(2)
  })

  it.scoped("continues at the target of a redirected start, also on another host", function* () {
    const moved = yield* site((path) => page(path, ["/docs/a", "/blog"]))
    const { data, last } = yield* crawl(
      () => ({ sitemap: "skip", ignoreRobotsTxt: true }),
      (path) => (path === "/" ? { status: 302, headers: { location: `${moved.url}/docs` } } : undefined)
    )
    expect(last).toMatchObject({ status: "completed", total: 2, completed: 2 })
    expect(data.map(({ metadata }) => metadata.url).sort()).toEqual([`${moved.url}/docs`, `${moved.url}/docs/a`])
  })

  it.scoped("sends no request to a site whose robots.txt cannot be read, and reports it", function* () {
    const { call, id, last, there } = yield* crawl(
      () => ({ sitemap: "skip" }),
      (path) => (path === "/robots.txt" ? { status: 503 } : page(path))
    )
    expect(last).toMatchObject({ status: "failed", error: expect.stringContaining("robots.txt answered 503") })
    expect(there.requests).toEqual(["/robots.txt"])
    expect((yield* call.get(`/v2/crawl/${id}/errors`)).json.errors).toMatchObject([{ code: "ROBOTS_UNREADABLE" }])
  })

  it.scoped("waits for the crawl delay of robots.txt", function* () {
    const at: Array<number> = []
    yield* crawl(
      () => ({ sitemap: "skip" }),
      (path) => {
        if (path === "/robots.txt") {
          return { headers: { "content-type": "text/plain" }, body: "User-agent: *\nCrawl-delay: 0.2" }
        }
        at.push(Date.now())
        return page(path, ["/1", "/2", "/3"])
      }
    )
    // The first answer brings the wish; from the second page on it is kept.
    // One arrival may be late on a busy machine; together they tell.
    expect((at.at(-1) ?? 0) - (at[1] ?? 0)).toBeGreaterThanOrEqual(200 * (at.length - 2) - 150)
  })

  it.scoped("is refused for an invalid sitemap mode or pattern", function* () {
    const { call } = yield* Local
    const refused = { status: 400, json: { success: false, code: "BAD_REQUEST" } }
    const sitemap = yield* call.post("/v2/crawl", { url: "https://a.example/", sitemap: "both" })
    expect(sitemap).toMatchObject({ ...refused, json: { details: [{ path: ["sitemap"] }] } })
    const pattern = yield* call.post("/v1/crawl", { url: "https://a.example/", includePaths: ["ok", "["] })
    expect(pattern).toMatchObject(refused)
    expect(pattern.json.error).toContain('includePaths: "["')
  })

  it.scoped("follows links up to maxDiscoveryDepth", function* () {
    const chain = (path: string) => page(path, [`/${Number(path.slice(1)) + 1}`])
    const { data } = yield* crawl(() => ({ sitemap: "skip", maxDiscoveryDepth: 3 }), chain)
    expect(paths(data)).toEqual(["/", "/1", "/2", "/3"])
  })
})
