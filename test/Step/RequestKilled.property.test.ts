/** A paged read that is killed: no row is lost or written twice, and no page is asked for again but the one in flight. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { optionsOf } from "../../src/Run/RunSpec.ts"
import { type Reply, serve } from "../Client/Server.ts"
import { jsonLines, project, rowsIn, stepLine } from "../Project.ts"
import { repetitions, seed } from "../Repetitions.ts"
import { breath, mortal, until } from "../Run/Lives.ts"
import { here } from "./OneApi.ts"

type Happening = "answer" | "commit" | "kill"

interface Case {
  /** Rows of each page. */
  readonly pages: ReadonlyArray<number>
  readonly way: "cursor" | "page" | "offset" | "link"
  /** Read once for each of two rows. */
  readonly each: boolean
  readonly happenings: ReadonlyArray<Happening>
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

const play = (given: Case) =>
  Effect.gen(function* () {
    const { each, happenings, way } = given
    const api = apiOf(given)
    const held: Array<() => void> = []
    const asked: Array<string> = []
    const server = yield* serve(({ path }) => {
      asked.push(path)
      return { ...api(path), behind: new Promise<void>((resume) => held.push(resume)) }
    })
    const own = yield* project({ onTestClock: true, files: { "in.jsonl": jsonLines([{ l: "a" }, { l: "b" }]) } })
    const url = each ? { expr: `'${server.url}/' & l` } : `${server.url}/a`
    const step = stepLine("request", { url, rows: "rows", next: ways[way] })
    const steps = `${each ? "  - read: in.jsonl\n" : ""}${step}${each ? "    each: true\n    concurrency: 1\n" : ""}  - write: { jsonl: rows.jsonl }\n`
    const definition = yield* own.checked(steps)
    const ahead = [...happenings]
    const again: Array<string> = []
    /** Pages that were in flight when a process was killed. */
    const inFlight: Array<string> = []
    for (;;) {
      const record = yield* own.ledger.find("killed")
      const { ledger, life } = mortal(own.ledger)
      const before = asked.length
      held.length = 0
      const fiber = yield* own
        .execute(definition, { id: "killed", ...(record === undefined ? {} : optionsOf(record)) }, ledger)
        .pipe(Effect.provide(here), Effect.fork)
      const isOver = () => fiber.unsafePoll() !== null
      while (!isOver() && !life.isOver) {
        const next = ahead.shift() ?? "answer"
        if (next === "answer") {
          yield* until(() => held.length > 0 || isOver(), 300)
          held.shift()?.()
          yield* breath
          if (held.length === 0 && !isOver()) yield* TestClock.adjust("1 second")
        } else if (next === "commit") {
          const { commits } = life
          for (let looks = 0; looks < 15 && life.commits === commits && !isOver(); looks++) {
            yield* Effect.zipRight(TestClock.adjust("1 second"), breath)
          }
        } else {
          life.isOver = true
          yield* Effect.zipRight(Fiber.interruptFork(fiber), TestClock.adjust("10 seconds"))
          yield* until(isOver)
        }
      }
      again.push(...asked.slice(before).filter((path) => asked.slice(0, before).includes(path)))
      const ended = yield* Fiber.await(fiber)
      if (!life.isOver && ended._tag === "Success") {
        const { outcome } = ended.value
        return {
          rows: rowsIn(`${own.folder}/rows.jsonl`),
          again,
          inFlight,
          failure: Either.isLeft(outcome) ? outcome.left.message : undefined
        }
      }
      const last = asked.slice(before).at(-1)
      if (last !== undefined) inFlight.push(last)
      if ((yield* own.ledger.find("killed"))?.status === "completed") {
        return { rows: rowsIn(`${own.folder}/rows.jsonl`), again, inFlight, failure: undefined }
      }
    }
  }).pipe(Effect.scoped, Logger.withMinimumLogLevel(LogLevel.None))

const cases = FastCheck.record({
  sizes: FastCheck.array(FastCheck.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 6 }),
  way: FastCheck.constantFrom<Case["way"]>("cursor", "page", "offset", "link"),
  each: FastCheck.boolean(),
  happenings: FastCheck.array(
    FastCheck.array(FastCheck.constantFrom<Happening>("answer", "answer", "answer", "commit"), { maxLength: 6 }).map(
      (before): ReadonlyArray<Happening> => [...before, "kill"]
    ),
    { minLength: 1, maxLength: 4 }
  ).map((lives) => lives.flat())
}).map(({ sizes, ...rest }): Case => ({ ...rest, pages: sizes }))

it(
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
      { numRuns: repetitions(100, 20), seed }
    )
)
