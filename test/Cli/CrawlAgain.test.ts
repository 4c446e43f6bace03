/** A crawl that is run again and again over a site that changes a little: what it asks for, costs, finds, and says. */
import * as Effect from "effect/Effect"
import { describe, expect, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { serve } from "./ChangingSite.ts"
import { sluice } from "./Console.ts"
import { kill, launch } from "./Launched.ts"
import { folderOf, readText } from "./Project.ts"

const env = { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }
const count = 40

const definition = (url: string, revisit: string) => `version: 1
name: herons
schedule: { cron: "0 3 * * *", timezone: UTC }
steps:
  - crawl: { url: "${url}", ${revisit}scrapeOptions: { formats: [markdown], onlyMainContent: false } }
  - where: metadata.statusCode = 200
  - dedupe: { across: runs, changedWhen: $sha256(markdown), emit: [new, changed, gone], key: metadata.sourceURL }
  - select: { page: "metadata.sourceURL ? metadata.sourceURL : $key", change: change }
  - write: { jsonl: herons.jsonl }
`

const project = (revisit = "") =>
  Effect.gen(function* () {
    const site = yield* serve(count)
    const root = yield* folderOf({ "herons.yaml": definition(site.url, revisit) })
    const places = ["--data", `${root}/data`, "--out", `${root}/out`]
    const act = (...words: ReadonlyArray<string>) => sluice([...words, "--data", `${root}/data`], { env })
    const run = (...words: ReadonlyArray<string>) =>
      Effect.map(
        sluice([...(words.length === 0 ? ["run"] : words), `${root}/herons.yaml`, ...places], { env }),
        (ended) => {
          expect(ended.code, ended.err).toBe(0)
          return ended
        }
      )
    /** Changes by kind, in the order of their paths. */
    const changes = Effect.map(readText(`${root}/out/herons.jsonl`), (text) => {
      const rows = text === "" ? [] : text.trimEnd().split("\n")
      return rows
        .map((row) => JSON.parse(row) as { readonly page: string; readonly change: string })
        .map(({ change, page }) => `${change} ${page.slice(site.url.length)}`)
        .toSorted()
    })
    const pages = Effect.map(act("show", "--pages"), ({ out }) =>
      out
        .trimEnd()
        .split("\n")
        .map(
          (line) => JSON.parse(line) as { readonly key: string; readonly unchanged?: string; readonly check?: string }
        )
        .map((page) => ({ ...page, path: new URL(page.key).pathname }))
    )
    return { act, changes, pages, places, root, run, site }
  })

describe("a crawl that compares with earlier runs", () => {
  scoped.skipIf(skipsLong)(
    "reads what has changed, finds new and removed pages, and pays for these alone; every n-th run finds what the others missed",
    function* () {
      const { act, changes, pages, root, run, site } = yield* project("revisit: { fullEvery: 3 }, ")
      const first = yield* run()
      expect(yield* changes).toHaveLength(count)
      expect(first.err).toContain(`herons: ${count} rows, ${count} new, ${count} credits in`)
      expect(first.err).not.toContain("had not changed")
      expect(site.asked()).toHaveLength(count)

      for (const path of ["/1", "/2", "/7"]) site.change(path)
      site.remove("/35")
      site.add("/new", "/29")
      const second = yield* run("schedule", "run")
      expect(yield* changes).toEqual(["changed /1", "changed /2", "changed /29", "changed /7", "gone /35", "new /new"])
      const asked = site.asked()
      const met = yield* pages
      const leftOut = met.filter(({ unchanged }) => unchanged === "sitemap").map(({ path }) => path)
      expect(leftOut.length).toBeGreaterThan(0)
      expect(asked.filter((path) => leftOut.includes(path))).toEqual([])
      const unchanged = 35
      // Five pages were sent, and the answer that one is not there any more.
      const saved = `${unchanged} of 41 pages were not sent again: ${leftOut.length} were not visited, because a change was unlikely (revisit: all visits them), ${unchanged - leftOut.length} had not changed (304)`
      expect(second.err).toContain("6 rows, 1 new, 4 changed, 35 unchanged, 1 gone, 6 credits in")
      expect(second.err).toContain(`  ${saved}\n`)
      expect((yield* act("show")).out).toContain(`  saved       ${saved}\n`)
      expect((yield* act("show", "--page", `${site.url}${leftOut[0]}`)).out).toContain(
        "unchanged according to its sitemap, not visited"
      )
      expect((yield* act("plan", `${root}/herons.yaml`)).out).toContain(
        "changes   crawl: about 6 of 41 pages, as in the last run; pages that have not changed cost nothing\n"
      )

      // The sitemap does not say so: a run in which all pages are visited finds it.
      site.change("/11", false)
      site.change("/12", false)
      const third = yield* run("run", "--json")
      expect(yield* changes).toEqual(["changed /11", "changed /12"])
      expect(new Set(site.asked()).size).toBe(41)
      expect(JSON.parse(third.out)).toMatchObject({
        credits: 3,
        saved: { pages: 41, unchanged: 38, leftOut: 0, missed: 2 }
      })
      expect((yield* act("show")).out).toMatch(
        / {2}checked {5}\d+ pages that could have been left out were visited: 2 had changed\n/
      )
      expect((yield* pages).filter(({ check }) => check === "missed").map(({ path }) => path)).toEqual(
        expect.arrayContaining(["/11", "/12"])
      )

      // The sitemap is not believed any more.
      site.change("/13", false)
      yield* run()
      expect(yield* changes).toEqual(["changed /13"])
      expect(new Set(site.asked()).size).toBe(41)
    }
  )

  scoped.skipIf(skipsLong)(
    "is resumed after it was killed: no row is lost or doubled, and the sitemap is read again",
    function* () {
      const { act, changes, places, root, run, site } = yield* project()
      yield* run()
      site.asked()
      for (const path of ["/1", "/2", "/7", "/38"]) site.change(path)
      site.remove("/35")
      site.add("/new", "/29")
      site.hold(3)
      const running = yield* launch(root, env, "run", `${root}/herons.yaml`, ...places)
      yield* Effect.raceFirst(
        Effect.repeat(
          Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5))),
          {
            until: () => site.isHolding()
          }
        ),
        running.ended
      )
      kill(running.child)
      yield* running.ended
      site.letGo()
      const resumed = yield* act("resume")
      expect(resumed.code, resumed.err).toBe(0)
      expect(yield* changes).toEqual([
        "changed /1",
        "changed /2",
        "changed /29",
        "changed /38",
        "changed /7",
        "gone /35",
        "new /new"
      ])
      expect(JSON.parse((yield* act("show", "--json")).out)).toMatchObject({
        status: "completed",
        credits: 7,
        steps: [{ step: "crawl", pages: 41, unchangedPages: 34 }]
      })
    }
  )

  scoped.skipIf(skipsLong)("visits every page without such a step, in trials, and where it says so", function* () {
    const { act, site } = yield* project()
    const crawl = `  - crawl: { url: "${site.url}", scrapeOptions: { formats: [markdown] } }\n`
    const dedupe = "  - dedupe: { across: runs, changedIn: markdown, key: metadata.sourceURL }\n"
    const leftOutBy = (name: string, steps: string, ...words: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const head = `version: 1\nname: ${name}\nsteps:\n`
        const folder = yield* folderOf({ "p.yaml": `${head}${steps}` })
        const { code, err } = yield* act("run", `${folder}/p.yaml`, "--out", `${folder}/out`, ...words)
        expect(code, err).toBe(0)
        return JSON.parse((yield* act("show", "--json")).out).steps[0].leftOutPages as number
      })
    expect(yield* leftOutBy("compares", crawl + dedupe)).toBe(0)
    // Once the sitemap has told of changes.
    site.change("/1")
    site.change("/2")
    expect(yield* leftOutBy("compares", crawl + dedupe)).toBeGreaterThan(0)
    expect(yield* leftOutBy("compares", crawl + dedupe, "--limit", "50")).toBe(0)
    expect(yield* leftOutBy("compares", crawl + dedupe, "--backfill")).toBe(0)
    expect(yield* leftOutBy("writes", `${crawl}  - write: { jsonl: p.jsonl }\n`)).toBe(0)
    expect(yield* leftOutBy("once", `${crawl}  - dedupe: { key: metadata.sourceURL }\n`)).toBe(0)
    expect(yield* leftOutBy("all", crawl.replace("scrapeOptions", "revisit: all, scrapeOptions") + dedupe)).toBe(0)
  })
})
