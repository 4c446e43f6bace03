/** A site of linked pages with tags and a sitemap, which changes when a test says so, with or without a word in its sitemap. */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"

interface Content {
  text: string
  /** `lastmod` of the sitemap. */
  lastmod: string
  links: ReadonlyArray<string>
}

export interface ChangingSite {
  readonly url: string
  readonly pages: Map<string, Content>
  /** Paths of pages asked for since the last call, in order. */
  readonly asked: () => ReadonlyArray<string>
  /** Changes a page. `isListed`: the sitemap says so. */
  readonly change: (path: string, isListed?: boolean) => void
  readonly remove: (path: string) => void
  readonly add: (path: string, parent: string) => void
  /** Holds back the answers from this number of requests on, until they are let go. */
  readonly hold: (from: number) => void
  readonly letGo: () => void
  /** True while answers are held back. */
  readonly isHolding: () => boolean
}

const long = "2024-03-14T09:00:00Z"
const birds = ["heron", "teal", "rail", "swift", "crane"]

/** Serves `/` and `/1` to `/(count - 1)`, a tree in which each page links to three others, until the scope closes. */
export const serve = (count: number) =>
  Effect.acquireRelease(
    Effect.async<{ readonly site: ChangingSite; readonly close: () => void }>((resume) => {
      const pages = new Map<string, Content>()
      const pathOf = (page: number) => (page === 0 ? "/" : `/${page}`)
      for (let page = 0; page < count; page++) {
        pages.set(pathOf(page), {
          text: `Page ${page} is about the ${birds[page % birds.length]} and its ${page} nests.`,
          lastmod: long,
          links: [1, 2, 3].map((child) => 3 * page + child).flatMap((child) => (child < count ? [pathOf(child)] : []))
        })
      }
      let asked: Array<string> = []
      let held: Array<() => void> = []
      let from = Number.POSITIVE_INFINITY
      const answer = (path: string, tag: string | undefined, response: ServerResponse) => {
        const page = pages.get(path)
        if (page === undefined) return void response.writeHead(404).end("No.")
        const links = page.links.map((link) => `<li><a href="${link}">${link}</a></li>`).join("")
        const body = `<!doctype html><html lang="en"><title>${path}</title><main><h1>${path}</h1><p>${page.text}</p><ul>${links}</ul></main></html>`
        const etag = `"${Buffer.from(body).toString("base64url").slice(-40)}-${page.text.length}"`
        if (tag === etag) return void response.writeHead(304, { etag }).end()
        response.writeHead(200, { "content-type": "text/html", etag }).end(body)
      }
      const server = createServer((request, response) => {
        const path = request.url ?? "/"
        if (path === "/robots.txt") return void response.writeHead(404).end()
        if (path === "/sitemap.xml") {
          const entries = [...pages].map(
            ([path, { lastmod }]) => `<url><loc>${path}</loc><lastmod>${lastmod}</lastmod></url>`
          )
          return void response
            .writeHead(200, { "content-type": "application/xml" })
            .end(`<?xml version="1.0"?><urlset>${entries.join("")}</urlset>`)
        }
        asked.push(path)
        const send = () => answer(path, request.headers["if-none-match"], response)
        if (asked.length > from) held.push(send)
        else send()
      })
      const change = (path: string, isListed = true) => {
        const page = pages.get(path)
        if (page === undefined) return
        page.text = `${page.text} Since the flood, there are ${page.text.length} more of them on this page.`
        if (isListed) page.lastmod = new Date().toISOString()
      }
      server.listen(0, "127.0.0.1", () => {
        const site: ChangingSite = {
          url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
          pages,
          asked: () => {
            const all = asked
            asked = []
            return all
          },
          change,
          remove: (path) => void pages.delete(path),
          add: (path, parent) => {
            pages.set(path, { text: `${path} is new.`, lastmod: new Date().toISOString(), links: [] })
            const above = pages.get(parent)
            if (above !== undefined) pages.set(parent, { ...above, links: [...above.links, path] })
            change(parent)
          },
          hold: (requests) => {
            from = requests
          },
          letGo: () => {
            from = Number.POSITIVE_INFINITY
            for (const send of held) send()
            held = []
          },
          isHolding: () => held.length > 0
        }
        resume(
          Effect.succeed({
            site,
            close: () => {
              server.close()
              server.closeAllConnections()
            }
          })
        )
      })
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ site }) => site))
