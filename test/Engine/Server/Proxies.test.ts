/** An engine all of whose pages go through a pool of proxies: the site can be reached in no other way. */

import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "../../It.ts"
import * as Local from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { session, withChromium } from "../Browser/Ground.ts"
import { proxy } from "../ProxyServers.ts"
import { isMissing } from "../Render/Installed.ts"

/** Nothing listens there, and browsers do not refuse the port. */
const address = "http://127.0.0.1:3"

const throughProxy = Effect.gen(function* () {
  const seen: Array<string> = []
  const site = yield* Local.site((path) => {
    seen.push(path)
    if (path === "/robots.txt") return `User-agent: *\nDisallow: /closed\nSitemap: ${address}/map.xml`
    if (path === "/map.xml") return `<urlset><url><loc>${address}/listed</loc></url></urlset>`
    return Local.page(path, ["/linked", "/closed"], `This is ${path}, and herons wait there.`)
  })
  const { asked, url } = yield* proxy(undefined, Number(new URL(site.url).port))
  const { baseUrl } = yield* withChromium({
    allowExecute: true,
    proxies: Redacted.make(url.replace("//", "//user:hush@"))
  })
  return { asked, call: Local.caller(baseUrl, Local.keys.first), seen, url }
})

describe("with a pool for all pages", () => {
  it.scoped("a crawl reads robots.txt and sitemaps through it, like its pages", function* () {
    const { asked, call, seen, url } = yield* throughProxy
    const { json } = yield* call.post("/v2/crawl", { url: `${address}/`, limit: 10 })
    const { data } = yield* Local.ended(call, `/v2/crawl/${json.id}`)
    const pages = data.map(({ metadata }: { metadata: Record<string, string> }) => [metadata.sourceURL, metadata.proxy])
    expect(pages.sort()).toEqual(["/", "/linked", "/listed"].map((path) => [`${address}${path}`, url]))
    expect(seen).toContain("/robots.txt")
    expect(seen).toContain("/map.xml")
    expect(seen).not.toContain("/closed")
    expect(new Set(asked.map((line) => line.split(" ").slice(0, 2).join(" ")))).toEqual(
      new Set(["CONNECT 127.0.0.1:3"])
    )
    expect(JSON.stringify(data)).not.toContain("hush")
  })

  it.scoped.skipIf(isMissing || skipsLong)("a browser loads pages through it, and a session too", function* () {
    const { asked, call, url } = yield* throughProxy
    const body = { url: `${address}/`, waitFor: 1, formats: ["markdown", "screenshot"] }
    const { json, status } = yield* call.post("/v2/scrape", body)
    expect([status, json.data?.metadata?.proxy]).toEqual([200, url])
    expect(json.data.markdown).toContain("herons wait there")
    expect(json.data.screenshot).toContain("data:image/png")
    expect(JSON.stringify(json)).not.toContain("hush")
    expect(asked.every((line) => line.startsWith("CONNECT 127.0.0.1:3 "))).toBe(true)
    const { id } = yield* session(call)
    const code = `await page.goto("${address}/linked"); return await page.textContent("body")`
    const ran = yield* call.post(`/v2/browser/${id}/execute`, { code, language: "node" })
    expect(ran.text).toContain("herons wait there")
  })

  it.scoped("a map reads the page, robots.txt and sitemaps through it", function* () {
    const { call } = yield* throughProxy
    const { json } = yield* call.post("/v2/map", { url: `${address}/` })
    const urls = json.links.map(({ url }: { url: string }) => url)
    expect(urls).toContain(`${address}/listed`)
    expect(urls).toContain(`${address}/linked`)
  })
})
