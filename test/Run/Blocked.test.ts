/** Change detection on sites whose robots.txt forbids pages: only a page that an earlier run has read makes a crawl incomplete. */

import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { skipsLong } from "../Long.ts"
import { addressOf, type Day, project } from "./Cuts.ts"

const all = [0, 1, 2, 3, 4, 5]

/** A crawl of a site whose robots.txt forbids these addresses. */
const crawl = (blocked: ReadonlyArray<string>, more: Partial<Day> & { readonly behind?: string } = {}): Day => ({
  steps: `  - crawl: { url: "http://x.example" }\n${more.behind ?? ""}`,
  service: { errors: { robotsBlocked: blocked } },
  ...more
})

const search = ["http://x.example/search", "http://x.example/search?q=1"]

const gone = (pages: ReadonlyArray<number>) => pages.map((page) => ({ url: addressOf(page), change: "gone" }))

const goneOf = (changes: ReadonlyArray<{ readonly url: string; readonly change: string }>) =>
  changes.filter(({ change }) => change === "gone")

const why =
  "dedupe: not everything was read, so no row is reported as gone and no state is forgotten (crawl: robots.txt forbids pages that earlier runs have read: exclude them with excludePaths, otherwise removed pages cannot be detected)"

describe("pages that robots.txt forbids", () => {
  it.live("do not matter when no run has ever read them: removed pages are reported as gone", () =>
    Effect.gen(function* () {
      const { run } = yield* project
      yield* run(all, crawl(search))
      const second = yield* run([0, 1, 2], crawl(search))
      expect(goneOf(second.changes)).toEqual(gone([3, 4, 5]))
      expect(second.warnings).toEqual([])
      // One that the site links to for the first time was never read, either.
      const third = yield* run([0, 1], crawl([...search, "http://x.example/login"]))
      expect(goneOf(third.changes)).toEqual(gone([2]))
      expect(third.warnings).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(skipsLong)(
    "make the run incomplete when an earlier run has read one: no page is reported as gone, and no state is removed",
    () =>
      Effect.gen(function* () {
        const { run } = yield* project
        const frame = "state: { forgetAfter: 1ms }\n"
        yield* run(all, crawl(search, { frame }))
        for (const blocked of [addressOf(5), `${addressOf(5)}/?utm_source=x`, "https://www.x.example/5"]) {
          const cut = yield* run([0, 1, 2], crawl([...search, blocked], { frame }))
          expect(goneOf(cut.changes)).toEqual([])
          expect(cut.warnings).toEqual([why])
        }
        const last = yield* run(all, crawl(search, { frame }))
        expect(last.changes.map(({ change }) => change)).toEqual(all.map(() => "unchanged"))
        expect(last.warnings).toEqual([])
      }).pipe(Effect.scoped)
  )

  it.live("make the run incomplete also when the rows of such a page were filtered out", () =>
    Effect.gen(function* () {
      const { run } = yield* project
      // The list leads to the other pages.
      const behind = `  - where: metadata.sourceURL != "${addressOf(0)}"\n`
      yield* run(all, crawl(search, { behind }))
      const second = yield* run([1], crawl([addressOf(0)], { behind }))
      expect(goneOf(second.changes)).toEqual([])
      expect(second.warnings).toEqual([why])
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(skipsLong)(
    "make the run incomplete after the pages of earlier runs were pruned, until a run has seen every row",
    () =>
      Effect.gen(function* () {
        const { ledger, run } = yield* project
        yield* run(all, crawl(search))
        expect(yield* ledger.retention.pages(Date.now() + 60_000)).toBe(all.length)
        const second = yield* run([0, 1, 2], crawl(search))
        expect(goneOf(second.changes)).toEqual([])
        expect(second.warnings).toEqual([why])
        const third = yield* run(all, crawl(search))
        expect(goneOf(third.changes)).toEqual([])
        const fourth = yield* run([0, 1, 2], crawl(search))
        expect(goneOf(fourth.changes)).toEqual(gone([3, 4, 5]))
      }).pipe(Effect.scoped)
  )

  it.live.skipIf(skipsLong)("are named as the cause where a crawl gives fewer rows than before", () =>
    Effect.gen(function* () {
      const { run } = yield* project
      const many = Array.from({ length: 30 }, (_, page) => page)
      // An output with all pages: behind `dedupe` there are only those that have changed.
      const behind = "  - write: { jsonl: pages.jsonl }\n"
      for (let day = 0; day < 5; day++) yield* run(many, crawl(search, { behind }))
      const cut = yield* run([0], crawl([...search, ...many.slice(1).map(addressOf)], { behind }))
      expect(cut.broken).toContainEqual(
        expect.stringMatching(
          /: rows: expected .*30.*, got 1 .*\(robots\.txt forbids pages that earlier runs have read\)$/
        )
      )
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(skipsLong)("are not compared with runs of another pipeline, trials or backfills", () =>
    Effect.gen(function* () {
      const { run } = yield* project
      yield* run(all, crawl(search, { frame: "state: { key: other }\n" }))
      yield* run(all, crawl(search, { options: { backfill: true } }))
      yield* run(all, crawl(search, { options: { wanted: 6 } }))
      yield* run([0, 1, 2], crawl([addressOf(5)]))
      const last = yield* run([0, 1], crawl([addressOf(5)]))
      expect(goneOf(last.changes)).toEqual(gone([2]))
      expect(last.warnings).toEqual([])
    }).pipe(Effect.scoped)
  )
})
