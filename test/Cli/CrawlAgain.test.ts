/** A crawl that is run again and again over a site that changes a little: what it asks for, costs, finds, and says. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { count, project } from "./Herons.ts"
import { folderOf, platform } from "./Project.ts"

describe("a crawl that compares with earlier runs", () => {
  it.scoped(
    "reads what has changed, finds new and removed pages, and pays for these alone; every n-th run finds what the others missed",
    () =>
      Effect.gen(function* () {
        const { act, changes, pages, root, run, site } = yield* project("revisit: { fullEvery: 3 }, ")
        const first = yield* run()
        expect(yield* changes).toHaveLength(count)
        expect(first.err).toContain(`herons: ${count} rows, ${count} credits in`)
        expect(first.err).not.toContain("had not changed")
        expect(site.asked()).toHaveLength(count)

        for (const path of ["/1", "/2", "/7"]) site.change(path)
        site.remove("/15")
        site.add("/new", "/9")
        const second = yield* run("schedule", "run")
        expect(yield* changes).toEqual(["changed /1", "changed /2", "changed /7", "changed /9", "gone /15", "new /new"])
        const asked = site.asked()
        const met = yield* pages
        const leftOut = met.filter(({ unchanged }) => unchanged === "sitemap").map(({ path }) => path)
        expect(leftOut.length).toBeGreaterThan(0)
        expect(asked.filter((path) => leftOut.includes(path))).toEqual([])
        const unchanged = 11
        // Five pages were sent, and the answer that one is not there any more.
        const saved = `${unchanged} of 17 pages were not sent again: ${leftOut.length} were not visited, as a change was unlikely (revisit: all asks for them), ${unchanged - leftOut.length} are 304`
        expect(second.err).toContain("6 rows, 6 credits in")
        expect(second.err).toContain(`  ${saved}\n`)
        expect((yield* act("show")).out).toContain(`  saved       ${saved}\n`)
        expect((yield* act("show", "--page", `${site.url}${leftOut[0]}`)).out).toContain(
          "unchanged by its sitemap, not visited"
        )
        expect((yield* act("plan", `${root}/herons.yaml`)).out).toContain(
          "changes   crawl: about 6 of 17 pages, as in the last run; pages that have not changed cost nothing\n"
        )

        // The sitemap does not say so: a run in which all pages are visited finds it.
        site.change("/11", false)
        site.change("/12", false)
        const third = yield* run("run", "--json")
        expect(yield* changes).toEqual(["changed /11", "changed /12"])
        expect(new Set(site.asked()).size).toBe(17)
        expect(JSON.parse(third.out)).toMatchObject({
          credits: 3,
          saved: { pages: 17, unchanged: 14, leftOut: 0, missed: 2 }
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
        expect(new Set(site.asked()).size).toBe(17)
      }).pipe(Effect.provide(platform))
  )

  it.scoped("visits every page without such a step, in trials, and where it says so", () =>
    Effect.gen(function* () {
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
    }).pipe(Effect.provide(platform))
  )
})
