/** A paged read that is killed: no row is lost or written twice, and no page is asked for again but the one in flight. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as TestContext from "effect/TestContext"
import type { Reply } from "../Client/Server.ts"
import { skipsLong } from "../Long.ts"
import { jsonLines, stepLine } from "../Project.ts"
import { repetitions, seed } from "../Repetitions.ts"
import * as Killed from "./Killed.ts"

interface Case {
  /** Rows of each page. */
  readonly pages: ReadonlyArray<number>
  readonly way: "cursor" | "page" | "offset" | "link"
  /** Read once for each of two rows. */
  readonly each: boolean
  readonly happenings: ReadonlyArray<Killed.Happening>
}

const ways = {
  cursor: { cursor: { param: "at", from: "next" } },
  page: { page: { param: "at", start: 0 } },
  offset: { offset: { param: "at", start: 0 } },
  link: { link: "next" }
}

/** An API with these pages; the rows of a list are numbered through. */
const apiOf =
  ({ pages, way }: Case) =>
  (path: string): Reply => {
    const url = new URL(path, "http://x")
    const at = Number(url.searchParams.get("at") ?? 0)
    const starts = pages.map((_, index) => pages.slice(0, index).reduce((sum, size) => sum + size, 0))
    const page = way === "offset" ? starts.indexOf(at) : at
    const size = pages[page] ?? 0
    const rows = Array.from({ length: size }, (_, index) => ({ list: url.pathname, n: (starts[page] ?? 0) + index }))
    const next = page + 1 < pages.length ? page + 1 : null
    const headers = way === "link" && next !== null ? { link: `<${url.pathname}?at=${next}>; rel="next"` } : {}
    return { body: { rows, next }, headers }
  }

const play = (given: Case) => {
  const { each, happenings, way } = given
  const api = apiOf(given)
  return Killed.play({
    happenings,
    files: { "in.jsonl": jsonLines([{ l: "a" }, { l: "b" }]) },
    steps: (server) => {
      const url = each ? { expr: `'${server}/' & l` } : `${server}/a`
      const step = stepLine("request", { url, rows: "rows", next: ways[way] })
      return `${each ? "  - read: in.jsonl\n" : ""}${step}${each ? "    each: true\n    concurrency: 1\n" : ""}  - write: { jsonl: rows.jsonl }\n`
    },
    reply: ({ path }) => api(path),
    pageOf: ({ path }) => path
  })
}

const cases = FastCheck.record({
  sizes: FastCheck.array(FastCheck.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 6 }),
  way: FastCheck.constantFrom<Case["way"]>("cursor", "page", "offset", "link"),
  each: FastCheck.boolean(),
  happenings: Killed.lives
}).map(({ sizes, ...rest }): Case => ({ ...rest, pages: sizes }))

it.skipIf(skipsLong)(
  "gives each row once and asks for no page again but the one in flight, wherever it is killed",
  { timeout: 600_000 },
  () =>
    FastCheck.assert(
      FastCheck.asyncProperty(cases, async (given) => {
        const { again, failure, inFlight, rows } = await Effect.runPromise(
          Effect.provide(play(given), TestContext.TestContext)
        )
        expect(failure).toBeUndefined()
        const count = given.pages.reduce((sum, size) => sum + size, 0)
        const expected = (given.each ? ["/a", "/b"] : ["/a"]).flatMap((list) =>
          Array.from({ length: count }, (_, n) => ({ list, n }))
        )
        expect(rows).toEqual(expected)
        const left = [...inFlight]
        for (const path of again) {
          expect(left).toContain(path)
          left.splice(left.indexOf(path), 1)
        }
      }),
      { numRuns: repetitions(100, 8), seed }
    )
)
