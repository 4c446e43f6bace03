import { fileURLToPath } from "node:url"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { Parser } from "htmlparser2"
import RobotsParser from "robots-parser"
import { serve } from "../../src/Run/LocalSite.ts"
import { describe, expect, scoped } from "../It.ts"

const folder = fileURLToPath(new URL("../../pipelines/site", import.meta.url))

/** The package exports the function itself; its types declare a `default` that only bundlers see. */
const robotsParser = RobotsParser as unknown as typeof RobotsParser.default

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

const elementsOf = (html: string): ReadonlyArray<Element> => {
  const elements: Array<Element> = []
  const parser = new Parser({ onopentag: (name, attributes) => void elements.push({ name, attributes }) })
  parser.end(html)
  return elements
}

const get = (url: string) =>
  Effect.promise(async () => {
    const answer = await fetch(url)
    return { status: answer.status, type: answer.headers.get("content-type") ?? "", text: await answer.text() }
  })

/** Every address that can be reached from the first page, as a browser would go. */
const walk = (site: string) =>
  Effect.gen(function* () {
    const seen = new Map<string, { readonly status: number; readonly type: string; readonly text: string }>()
    const queue = [`${site}/`]
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
      if (seen.has(url)) continue
      const answer = yield* get(url)
      seen.set(url, answer)
      if (!answer.type.startsWith("text/html")) continue
      for (const { attributes } of elementsOf(answer.text)) {
        const reference = attributes.href ?? attributes.src
        if (reference === undefined) continue
        const target = new URL(reference, url)
        target.hash = ""
        if (target.origin === site) queue.push(target.href)
      }
    }
    return seen
  })

const pathOf = (site: string) => (url: string) => url.slice(site.length)

describe("pipelines/site", () => {
  scoped(
    "resolves every link but the one that is broken on purpose and the gauge that is out of service",
    function* () {
      const site = yield* serve(folder)
      const seen = yield* walk(site)
      const bad = [...seen].filter(([, { status }]) => status !== 200)
      expect(Object.fromEntries(bad.map(([url, { status }]) => [pathOf(site)(url), status]))).toEqual({
        "/reports/flood-2013.html": 404,
        "/stations/old-mill.html": 500
      })
      // No address at all is no fault of the server's.
      expect((yield* get(`${site}/%zz`)).status).toBe(404)
      const types = [...seen.values()].map(({ type }) => type.split(";")[0])
      expect(types).toEqual(
        expect.arrayContaining([
          "application/pdf",
          "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        ])
      )
    }
  )

  scoped("is made of pages that say what they are", function* () {
    const site = yield* serve(folder)
    const pages = [...(yield* walk(site))].filter(([url, { status, type }]) => {
      return status !== 404 && type.startsWith("text/html") && !url.includes("?")
    })
    const canonical = new Set<string>()
    for (const [url, { text }] of pages) {
      const elements = elementsOf(text)
      const first = (name: string) => elements.find((element) => element.name === name)
      const meta = (key: string) =>
        elements.find(({ attributes }) => attributes.name === key || attributes.property === key)?.attributes.content
      expect(first("html")?.attributes.lang, url).toBe("en")
      for (const name of ["title", "header", "main", "h1", "footer"]) {
        expect(elements.filter((element) => element.name === name).length, `${name} of ${url}`).toBe(1)
      }
      expect(meta("description"), url).toMatch(/\.$/)
      expect(meta("og:title"), url).toBeTruthy()
      expect(meta("og:url"), url).toBe(
        elements.find(({ attributes }) => attributes.rel === "canonical")?.attributes.href
      )
      expect(
        elements.filter(({ name, attributes }) => name === "img" && attributes.alt === undefined),
        url
      ).toEqual([])
      canonical.add(meta("og:url") ?? "")
    }
    // The front page and the folders are linked under two spellings.
    expect(pages.length).toBeGreaterThan(canonical.size)
    expect(canonical.size).toBeGreaterThanOrEqual(20)
  })

  scoped("lists in its sitemap pages that exist, and all that robots.txt allows", function* () {
    const site = yield* serve(folder)
    const robots = robotsParser(`${site}/robots.txt`, (yield* get(`${site}/robots.txt`)).text)
    const [sitemap = ""] = robots.getSitemaps()
    expect(sitemap).toBe(`${site}/sitemap.xml`)
    const listed = [...(yield* get(sitemap)).text.matchAll(/<loc>([^<]+)<\/loc>/g)].map((match) => match[1] ?? "")
    for (const url of listed) {
      expect((yield* get(url)).status, url).toBe(200)
      expect(robots.isAllowed(url, "Sluice"), url).toBe(true)
    }
    const seen = yield* walk(site)
    const canonical = [...seen].flatMap(([url, { status, type, text }]) =>
      status === 200 && type.startsWith("text/html") && robots.isAllowed(url, "Sluice")
        ? elementsOf(text).flatMap(({ attributes }) => (attributes.rel === "canonical" ? [attributes.href ?? ""] : []))
        : []
    )
    expect([...new Set(canonical)].sort()).toEqual([...listed].sort())
    const forbidden = [...seen.keys()].filter((url) => robots.isAllowed(url, "Sluice") === false)
    expect(forbidden.map(pathOf(site))).toEqual(["/reports/drafts/spring-2026.html"])
  })

  scoped("stays small: every document is below 60 KB", function* () {
    const files = yield* FileSystem.FileSystem
    const names = (yield* files.readDirectory(`${folder}/files`)).sort()
    expect(names).toEqual(["field-notes-2026.docx", "gauging-manual.pdf", "levels-2025.xlsx"])
    for (const name of names) {
      const { size } = yield* files.stat(`${folder}/files/${name}`)
      expect(Number(size), name).toBeLessThan(60_000)
    }
  })
})
