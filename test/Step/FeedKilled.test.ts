/** A run of feeds that is killed: no entry is lost or written twice, and entries count as seen once they are published. */

import * as Effect from "effect/Effect"
import type { Asked, Reply } from "../Client/Server.ts"
import { describe, expect, scoped } from "../It.ts"
import { behind } from "../Ledger/Ledgers.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { project } from "../Project.ts"
import { killed } from "../Run/Killed.ts"
import { killedAtCommits } from "../Run/Lives.ts"
import { page, run } from "./Odd.ts"

const at = (path: string | number): string => `http://x.example/${path}`

const rss = (entries: ReadonlyArray<number>): string =>
  `<rss><channel>${entries.map((entry) => `<item><guid>${entry}</guid><link>${at(entry)}</link></item>`).join("")}</channel></rss>`

const urlOf = ({ body }: Asked): string => (JSON.parse(body) as { readonly url: string }).url

/** A service over feeds with these entries, and a page for each of them. Pages that hang are never answered. */
const serviceOf =
  (feeds: Readonly<Record<string, ReadonlyArray<number>>>, hangs: ReadonlyArray<number> = []) =>
  (asked: Asked): Reply => {
    const url = urlOf(asked)
    const entries = feeds[url.replace("http://x.example/", "")]
    if (hangs.some((entry) => url === at(entry))) return { hangs: true }
    const data =
      entries === undefined
        ? page(url, { creditsUsed: 1 })
        : { rawHtml: rss(entries), metadata: { sourceURL: url, url, statusCode: 200, creditsUsed: 1 } }
    return { body: { success: true, data } }
  }

describe("a run of feeds that was killed", () => {
  const frame = "state: { key: news }\n"
  const steps = `  - feed: { urls: ["${at("a")}", "${at("b")}"] }
  - dedupe: { across: runs, emit: [new] }
  - scrape: {}
    concurrency: 1`
  const pagesIn = (rows: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
    rows.map(({ metadata }) => Number((metadata as { readonly sourceURL: string }).sourceURL.split("/").at(-1)))

  scoped.skipIf(skipsLong)(
    "writes each entry that it has read once, and counts none as seen before it is published",
    function* () {
      const dataDir = yield* tempDir
      const seen = behind(dataDir, (sql) => sql<{ key: string }>`SELECT key FROM state ORDER BY key`).pipe(
        Effect.map((rows) => rows.map(({ key }) => key))
      )
      const keysOf = (...entries: ReadonlyArray<string>) => entries.map((entry) => at(entry))
      const first = yield* run(serviceOf({ a: [2, 1], b: [3] }), steps, { dataDir }, frame)
      expect(pagesIn(first.rows)).toEqual([2, 1, 3])
      const { resume, runNext } = yield* killed({
        dataDir,
        frame,
        steps,
        reply: serviceOf({ a: [5, 4, 2], b: [6, 3] }, [6]),
        when: ({ progress }) => (progress?.given.scrape ?? 0) >= 2
      })
      expect(yield* seen).toEqual(keysOf("a#1", "a#2", "b#3"))
      // Meanwhile 7 has come, and 4 and 6 have left the feeds.
      const { asked, rows, summary } = yield* resume(serviceOf({ a: [7, 5], b: [3] }))
      expect(summary.status).toBe("completed")
      expect(pagesIn(rows)).toEqual([5, 4, 6])
      expect(asked.map(urlOf)).toEqual([at(6)])
      expect(yield* seen).toEqual(keysOf("a#1", "a#2", "a#4", "a#5", "b#3", "b#6"))
      expect(pagesIn((yield* runNext(steps)).rows)).toEqual([7])
    }
  )

  scoped("continues a long feed where it was, although the feed has changed", function* () {
    const entries = Array.from({ length: 2_500 }, (_, index) => 2_500 - index)
    let reads = 0
    const here = yield* project({
      onTestClock: true,
      service: (asked) => serviceOf({ a: reads++ === 0 ? entries : [2_501, ...entries.slice(1)] })(asked)
    })
    const written = `  - feed: { url: "${at("a")}" }\n  - select: { id: id }\n  - write: { jsonl: rows.jsonl }\n`
    const { lives, rows } = yield* killedAtCommits(here, written, { kills: 2, source: "feed" })
    expect(lives).toBe(3)
    expect(rows.map(({ id }) => Number(id))).toEqual(entries)
    expect(reads).toBe(1)
  })
})
