/** Lists that load more in a browser: what comes, and where it ends. Cases that name a project are reports from its users. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Connection from "../../src/Client/Connection.ts"
import * as Clients from "../../src/Client.ts"
import { prices } from "../../src/Engine.ts"
import { local } from "../../src/Step/Cost.ts"
import * as Installed from "../Engine/Render/Installed.ts"
import { describe, expect, scoped } from "../It.ts"
import * as Local from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { project, stepLine } from "../Project.ts"
import { errorsOf } from "./OneStep.ts"

/** A page whose script has `add(count)`: more items, after 30 ms. */
const page = (
  body: string,
  script: string
) => `<!doctype html><html lang="en"><title>List</title><style>article { height: 200px }</style><body><h1>All there is</h1><div id="list"></div>${body}<script>
let n = 0
const make = () => { const item = document.createElement("article"); n++; item.innerHTML = '<a href="/item/' + n + '">Item ' + n + '</a>'; return item }
const addNow = (count) => { for (let i = 0; i < count; i++) list.append(make()) }
const add = (count, then = () => {}) => setTimeout(() => { addNow(count); then() }, 30)
${script}
</script></body></html>`

const pages: Readonly<Record<string, string>> = {
  "/button": page(
    `<button class="more">Load more</button>`,
    `addNow(5); const more = document.querySelector(".more"); more.onclick = () => add(5, () => { if (n >= 20) more.remove() })`
  ),
  "/stays": page(
    `<button class="more">Load more</button>`,
    `addNow(5); document.querySelector(".more").onclick = () => { if (n < 15) add(5) }`
  ),
  "/disabled": page(
    `<button class="more">Load more</button>`,
    `addNow(5); const more = document.querySelector(".more"); more.onclick = () => { more.disabled = true; more.textContent = "Loading"; add(5, () => { more.textContent = "Load more"; more.disabled = n >= 15 }) }`
  ),
  "/again": page(
    `<div id="place"><button class="more">More</button></div>`,
    `addNow(5); const load = () => { place.innerHTML = "<p>Loading</p>"; setTimeout(() => { addNow(5); if (n < 20) { place.innerHTML = '<button class="more">More</button>'; place.firstChild.onclick = load } else place.innerHTML = "" }, 300) }; place.firstChild.onclick = load`
  ),
  "/endless": page(
    `<button class="more">Load more</button>`,
    `addNow(5); document.querySelector(".more").onclick = () => add(5)`
  ),
  "/leads": page(`<a class="more" href="/button?page=2">Load more</a>`, `addNow(5)`),
  "/none": page("", `addNow(5)`),
  "/form": page(
    `<form action="/button"><button class="more">Load more</button></form>`,
    `addNow(5); document.querySelector("form").onsubmit = (event) => { event.preventDefault(); if (n < 15) add(5) }`
  ),
  "/scroll": page(
    "",
    `addNow(8); let busy = false; onscroll = () => { if (!busy && n < 40 && innerHeight + scrollY >= document.documentElement.scrollHeight - 50) { busy = true; add(8, () => { busy = false }) } }`
  ),
  "/observed": page(
    `<div id="sentinel" style="height: 1px"></div><footer style="height: 2500px">Long footer</footer>`,
    `addNow(8); new IntersectionObserver(([entry]) => { if (entry.isIntersecting && n < 40) add(8) }, {}).observe(sentinel)`
  ),
  "/from-above": page(
    "",
    `addNow(8); let before = 0; onscroll = () => { if (before > 0 && scrollY > before && innerHeight + scrollY >= document.documentElement.scrollHeight - 50 && n < 24) add(8); before = scrollY }`
  ),
  "/box": page(
    "",
    `list.style = "height: 400px; overflow-y: auto"; addNow(4); list.onscroll = () => { if (n < 20 && list.scrollTop + list.clientHeight >= list.scrollHeight - 20) add(4) }`
  ),
  "/endless-scroll": page("", `addNow(8); onscroll = () => add(1)`),
  "/virtual": page(
    "",
    `list.style = "height: 20000px; position: relative"; const show = () => { const from = Math.max(0, Math.floor(scrollY / 200) - 2); list.innerHTML = ""; for (let i = from; i < Math.min(100, from + 12); i++) list.insertAdjacentHTML("beforeend", '<article style="position: absolute; top: ' + i * 200 + 'px"><a href="/item/' + (i + 1) + '">Item ' + (i + 1) + "</a></article>") }; show(); onscroll = show`
  ),
  "/recycled": page(
    "",
    `list.style = "height: 8000px; position: relative"; list.innerHTML = "<article style='position:absolute'><a></a></article>".repeat(12); const show = () => { const from = Math.min(28, Math.floor(scrollY / 200)); [...list.children].forEach((item, i) => { item.style.top = (from + i) * 200 + "px"; item.firstChild.href = "/item/" + (from + i + 1); item.firstChild.textContent = "Item " + (from + i + 1) }) }; show(); onscroll = show`
  )
}

interface Case {
  readonly path: string
  readonly name: string
  readonly fields: object
  readonly items: number
  readonly loaded: object
  readonly warns?: RegExp
}

const quick = { wait: 0.6 }

const cases: ReadonlyArray<Case> = [
  {
    path: "/button",
    name: "clicks until the button is gone",
    fields: { loadMore: { css: "button.more", ...quick } },
    items: 20,
    loaded: { loads: 3, ended: "button gone" }
  },
  {
    path: "/stays",
    name: "ends where the button stays and does nothing",
    fields: { loadMore: { css: "button.more", items: "article", ...quick } },
    items: 15,
    loaded: { loads: 2, ended: "nothing new", items: 15 }
  },
  {
    path: "/disabled",
    name: "waits for a button that is disabled while it loads",
    fields: { loadMore: { css: "button.more", items: "article", ...quick } },
    items: 15,
    loaded: { loads: 2, ended: "button gone", items: 15 }
  },
  {
    path: "/again",
    name: "waits for a button that comes back",
    fields: { loadMore: { css: "button.more", items: "article", ...quick } },
    items: 20,
    loaded: { loads: 3, ended: "button gone", items: 20 }
  },
  {
    path: "/endless",
    name: "web-scraper#130: ends an endless list after its times, with a warning",
    fields: { loadMore: { css: "button.more", times: 4, ...quick } },
    items: 25,
    loaded: { loads: 4, ended: "times" },
    warns: /more content was loaded 4 times, the maximum, and there may be more: raise "times"/
  },
  {
    path: "/leads",
    name: "does not leave the page",
    fields: { loadMore: { css: "a.more", ...quick } },
    items: 5,
    loaded: { loads: 0, ended: "leads away", to: expect.stringContaining("/button?page=2") },
    warns: /the button leads to another page \(.*\/button\?page=2\): use next/
  },
  {
    path: "/none",
    name: "warns of a button that is not there",
    fields: { loadMore: { css: "button.more", ...quick } },
    items: 5,
    loaded: { loads: 0, ended: "button gone" },
    warns: /the page has no button for loadMore/
  },
  {
    path: "/form",
    name: "clicks the button of a form that scripts send",
    fields: { loadMore: { css: "button.more", items: "article", ...quick } },
    items: 15,
    loaded: { loads: 2, ended: "nothing new", items: 15 }
  },
  {
    path: "/scroll",
    name: "scrolls to the end",
    fields: { scroll: { ...quick } },
    items: 40,
    loaded: { loads: expect.any(Number), ended: "nothing new" }
  },
  {
    path: "/observed",
    name: "web-scraper#132: scrolls to the last item where the page goes on behind the list",
    fields: { scroll: { items: "article", ...quick } },
    items: 40,
    loaded: { loads: 4, ended: "nothing new", items: 40 }
  },
  {
    path: "/from-above",
    name: "crawlee#704: scrolls up and down again",
    fields: { scroll: { items: "article", wait: 1.5 } },
    items: 24,
    loaded: { loads: 2, ended: "nothing new", items: 24 }
  },
  {
    path: "/box",
    name: "scrolls the part that scrolls",
    fields: { scroll: { items: "article", ...quick } },
    items: 20,
    loaded: { loads: 4, ended: "nothing new", items: 20 }
  },
  {
    path: "/endless-scroll",
    name: "ends an endless page after its seconds, with a warning",
    fields: { scroll: { seconds: 1 } },
    items: expect.any(Number) as unknown as number,
    loaded: { loads: expect.any(Number), ended: "seconds" },
    warns: /the time ran out before the end, and there may be more: raise "seconds"/
  },
  {
    path: "/virtual",
    name: "puts back the items that a virtual list has removed",
    fields: { scroll: { items: "article", ...quick } },
    items: 100,
    loaded: { loads: expect.any(Number), ended: "nothing new", items: 100, restored: expect.any(Number) }
  },
  {
    path: "/recycled",
    name: "and those whose elements it uses again",
    fields: { scroll: { items: "article", ...quick } },
    items: 40,
    loaded: { loads: expect.any(Number), ended: "nothing new", items: 40, restored: expect.any(Number) }
  }
]

describe.skipIf(Installed.isMissing)("in a browser", () => {
  scoped.skipIf(skipsLong)("loads lists to their end", function* () {
    const { chromium, chromiumSandbox } = Installed
    const engine = yield* Local.engine({ ...(chromium === undefined ? {} : { chromium }), chromiumSandbox })
    const client = yield* Layer.build(
      Layer.provide(
        Clients.layer,
        Layer.orDie(Connection.layer({ baseUrl: engine.baseUrl, apiKey: Redacted.make(Local.keys.first) }))
      )
    )
    const site = yield* Local.site((path) => pages[path.split("?", 1)[0] ?? ""])
    const { run } = yield* project({ client, rate: local(prices) })
    const found = yield* Effect.forEach(
      cases,
      ({ fields, path }) =>
        Effect.map(
          run(
            `  - urls: ["${site.url}${path}"]\n  - id: page\n    ${stepLine("scrape", { ...fields, formats: ["rawHtml"] }).slice(4)}`
          ),
          ({ emitted, rejects, warnings }) => {
            const { actions, metadata, rawHtml } = emitted("page")[0]?.data ?? {}
            return {
              actions,
              items: String(rawHtml).match(/href="\/item\/\d+"/g)?.length,
              loaded: (metadata as { readonly loaded?: object } | undefined)?.loaded,
              rejects: rejects.map(({ message }) => message),
              warnings
            }
          }
        ),
      { concurrency: 3 }
    )
    for (const [index, { items, loaded, name, warns }] of cases.entries()) {
      const { warnings = [], ...one } = found[index] ?? {}
      expect.soft({ name, ...one }).toEqual({ name, actions: undefined, items, loaded, rejects: [] })
      if (warns === undefined) expect.soft(warnings).toEqual([])
      else expect.soft(warnings.join()).toMatch(warns)
    }
    // Beside actions of one's own, as a job, and page by page.
    const url = `${site.url}/button`
    const loadMore = { css: "button.more", ...quick }
    const own = yield* run(
      `${stepLine("urls", [url])}  - id: page\n    ${stepLine("scrape", { loadMore, next: "a.next", actions: [{ type: "executeJavascript", script: "document.title" }] }).slice(4)}`
    )
    expect(own.emitted("page").map(({ data }) => data)).toMatchObject([
      { actions: { javascriptReturns: [{ value: "List" }] }, metadata: { page: 1, loaded: { loads: 3 } } }
    ])
    const batch = yield* run(
      `${stepLine("urls", [url])}  - id: page\n    ${stepLine("batchScrape", { loadMore }).slice(4)}`
    )
    const crawl = yield* run(
      `  - id: page\n    ${stepLine("crawl", { url, limit: 1, scrapeOptions: { loadMore } }).slice(4)}`
    )
    for (const { emitted } of [batch, crawl])
      expect(emitted("page").map(({ data }) => data)).toMatchObject([
        { metadata: { loaded: { loads: 3, ended: "button gone" } } }
      ])
  })
})

scoped("refuses what cannot be loaded", function* () {
  expect((yield* errorsOf("scrape", { loadMore: "button[" })).join()).toContain("is not a CSS selector")
  expect((yield* errorsOf("scrape", { scroll: { items: "a:" } })).join()).toContain("is not a CSS selector")
  expect((yield* errorsOf("scrape", { loadMore: "button", scroll: true })).join()).toContain("cannot work on one page")
  expect((yield* errorsOf("scrape", { scroll: { seconds: 900 } })).join()).toContain("1 to 270")
})
