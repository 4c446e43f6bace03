/** `sluice watch` from its first visit to a change, for each kind of what it watches. */
import * as Redacted from "effect/Redacted"
import { drawn } from "../Engine/Parse/PdfDocuments.ts"
import { serve } from "../Engine/Scrape/Site.ts"
import { fakeProvider } from "../Engine/Search/FakeProvider.ts"
import { describe, expect, live } from "../It.ts"
import { engine } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { sluice } from "./Console.ts"
import { folderOf, readText } from "./Project.ts"

interface World {
  hasChanged: boolean
  /** Differs at each request. */
  count: number
}

const page = (title: string, text: string, { count }: World, links: ReadonlyArray<string> = []) =>
  `<html><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p>
   <p>This page was opened ${count * 7} times by people who came here on their way.</p>
   <ul>${links.map((link) => `<li><a href="/docs/${link}">Chapter ${link}</a></li>`).join("")}</ul></main></body></html>`

const pdf = ({ count, hasChanged }: World) =>
  drawn(({ write }) => {
    write(40, 60, "Terms of the harbour", 20)
    write(40, 110, `A night at the pier costs ${hasChanged ? 40 : 30} euros for every boat.`)
    write(40, 140, `This copy was printed as number ${count * 13} for one reader alone.`)
  })

const answerOf = (path: string, world: World): string | undefined => {
  const { hasChanged } = world
  switch (path) {
    case "/docs/":
      return page("Manual", "All about boats.", world, hasChanged ? ["a", "c"] : ["a", "b"])
    case "/docs/a":
      return page("Knots", `Tie the rope ${hasChanged ? "three times" : "twice"} around the post.`, world)
    case "/docs/b":
      return hasChanged ? undefined : page("Sails", "Take the sail down before the storm.", world)
    case "/docs/c":
      return hasChanged ? page("Anchors", "Let the anchor go where the ground is sand.", world) : undefined
    default:
      return undefined
  }
}

const results = ({ count, hasChanged }: World) => {
  const all = ["tides", "moon", "pilots", ...(hasChanged ? ["storms"] : [])].map((name) => ({
    title: `About ${name}, read ${count} times`,
    link: `https://${name}.example/`,
    snippet: `Seen ${count} times.`
  }))
  return { organic: count % 2 === 0 ? all : all.toReversed() }
}

describe("a watch", () => {
  live.skipIf(skipsLong)(
    "of a section, a search or a PDF says nothing of noise, ends with a change, and is a file",
    function* () {
      const world: World = { hasChanged: false, count: 0 }
      const origin = yield* serve((request, response) => {
        world.count++
        const path = request.url ?? ""
        if (path === "/terms.pdf") {
          void pdf(world).then((bytes) => response.writeHead(200, { "content-type": "application/pdf" }).end(bytes))
          return
        }
        const html = answerOf(path, world)
        response.writeHead(html === undefined ? 404 : 200, { "content-type": "text/html" }).end(html)
      })
      const provider = yield* fakeProvider(() => {
        world.count++
        return { json: results(world) }
      })
      const { baseUrl, key } = yield* engine({
        browserSessions: 0,
        searchProviders: Redacted.make(`serper=k@${provider.origin}`)
      })
      const folder = yield* folderOf()
      const env = { SLUICE_BASE_URL: baseUrl, SLUICE_API_KEY: Redacted.value(key) }
      const call = (...words: ReadonlyArray<string>) => sluice(words, { env, cwd: folder })
      const noise = "by people who came here on their way"
      const cases: ReadonlyArray<{
        readonly words: ReadonlyArray<string>
        readonly first: string
        readonly ignored?: string
        readonly changes: ReadonlyArray<readonly [change: string, key: string, summary: string | null]>
      }> = [
        {
          words: [`${origin}/docs/`, "--section"],
          first: "first visit: 3 pages",
          ignored: noise,
          changes: [
            ["changed", `${origin}/docs`, "“b” became “c” in a list item under “Manual”."],
            ["changed", `${origin}/docs/a`, "“twice” became “three times” in a paragraph under “Knots”."],
            ["gone", `${origin}/docs/b`, null],
            ["new", `${origin}/docs/c`, null]
          ]
        },
        {
          words: ["--search", "boats"],
          first: "first visit: 3 results",
          changes: [["new", "https://storms.example/", null]]
        },
        {
          words: [`${origin}/terms.pdf`],
          first: "first visit: 1 page",
          ignored: "This copy was printed as number … for one reader alone",
          changes: [["changed", `${origin}/terms.pdf`, "“30” became “40” in a paragraph under “Terms of the harbour”."]]
        }
      ]
      const data = ["--data", `${folder}/data`]
      for (const [number, { changes, first, ignored, words }] of cases.entries()) {
        world.hasChanged = false
        const watch = (...more: ReadonlyArray<string>) => call("watch", ...words, ...data, ...more)
        const begun = yield* watch("--once", "--show-ignored")
        expect(begun, begun.err).toMatchObject({ code: 0, out: "" })
        expect(begun.err).toContain(first)
        if (ignored !== undefined) expect(begun.err.toLowerCase()).toContain(ignored.toLowerCase())
        const quiet = yield* watch("--once", "--json", "--until", "changed")
        expect(quiet, quiet.err).toMatchObject({ code: 0, out: "" })
        expect(quiet.err).toContain("nothing has changed")
        world.hasChanged = true
        const ended = yield* watch("--once", "--json", "--until", "changed")
        expect(ended.err).toContain("the watch is over: it has changed")
        const found = ended.out
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
        expect(
          found.map(({ change, key, summary }) => [change, key, summary]).toSorted((a, b) => (a[1] < b[1] ? -1 : 1))
        ).toEqual(changes)
        const file = `${folder}/pipelines/${number}.yaml`
        expect(yield* watch("--write", file)).toMatchObject({ code: 0 })
        expect(yield* call("check", file)).toMatchObject({ code: 0 })
        expect(yield* call("fmt", "--check", file)).toMatchObject({ code: 0 })
        // The file is the same pipeline: what the watch has reported is no change of its.
        const name = /^name: (.+)$/m.exec(yield* readText(file))?.[1]
        expect(begun.err).toContain(`(${name})`)
        expect((yield* call("run", file, ...data)).code).toBe(0)
        expect((yield* watch("--once", "--json")).out).toBe("")
      }
    }
  )
})
