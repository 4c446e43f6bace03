/** Lists that are killed while they are read: no page is lost or written twice, or asked for again but the one in flight. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as TestContext from "effect/TestContext"
import type { Asked } from "../Client/Server.ts"
import { skipsLong } from "../Long.ts"
import { jsonLines, stepLine } from "../Project.ts"
import { repetitions, seed } from "../Repetitions.ts"
import * as Killed from "./Killed.ts"

interface Case {
  /** Pages of each list. */
  readonly lists: ReadonlyArray<number>
  readonly step: "scrape" | "urls"
  readonly way: "css" | "page"
  readonly happenings: ReadonlyArray<Killed.Happening>
}

const ways = { css: "a.next", page: { page: { param: "page" } } }

const addressOf = ({ body }: Asked): string => JSON.parse(body).url

const play = ({ happenings, lists, step, way }: Case) =>
  Killed.play({
    happenings,
    files: { "in.jsonl": jsonLines(lists.map((_, list) => ({ url: `https://x.example/${list}` }))) },
    steps: () =>
      step === "urls"
        ? `${stepLine("urls", { list: "https://x.example/0", next: ways[way], links: "li a" })}  - select: { page: "$number($split(url, '/')[4])" }\n  - write: { jsonl: rows.jsonl }\n`
        : `  - read: in.jsonl\n${stepLine("scrape", { next: ways[way] })}    concurrency: 1\n  - select: { list: metadata.sourceURL, page: metadata.page }\n  - write: { jsonl: rows.jsonl }\n`,
    reply: (asked) => {
      const url = new URL(addressOf(asked))
      const page = Number(url.searchParams.get("page") ?? 1)
      const last = lists[Number(url.pathname.slice(1))] ?? 0
      const next = page < last ? `<a class="next" href="?page=${page + 1}">next</a>` : ""
      const rawHtml = `<ul><li><a href="${url.pathname}/${page}">Item ${page}</a></li></ul>${next}`
      const metadata = { sourceURL: url.href, url: url.href, statusCode: page > last ? 404 : 200 }
      return { body: { success: true, data: { markdown: "text", rawHtml, metadata } } }
    },
    pageOf: addressOf
  })

const cases: FastCheck.Arbitrary<Case> = FastCheck.record({
  lists: FastCheck.array(FastCheck.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 2 }),
  step: FastCheck.constantFrom("scrape", "urls"),
  way: FastCheck.constantFrom("css", "page"),
  happenings: Killed.lives
})

it.skipIf(skipsLong)(
  "gives each page once and asks for none again but the one in flight, wherever it is killed",
  { timeout: 600_000 },
  () =>
    FastCheck.assert(
      FastCheck.asyncProperty(cases, async (given) => {
        const { again, failure, inFlight, rows } = await Effect.runPromise(
          Effect.provide(play(given), TestContext.TestContext)
        )
        expect(failure).toBeUndefined()
        const pages = (list: number) => Array.from({ length: given.lists[list] ?? 0 }, (_, at) => at + 1)
        const address = (list: number, page: number) => `https://x.example/${list}${page === 1 ? "" : `?page=${page}`}`
        expect(rows).toEqual(
          given.step === "urls"
            ? pages(0).map((page) => ({ page }))
            : given.lists.flatMap((_, list) => pages(list).map((page) => ({ list: address(list, page), page })))
        )
        const left = [...inFlight]
        for (const page of again) {
          expect(left).toContain(page)
          left.splice(left.indexOf(page), 1)
        }
      }),
      { numRuns: repetitions(100, 8), seed }
    )
)
