import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { changesOfRun, changesUnder } from "../../src/Schedule/Changes.ts"
import { describe, expect, it } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { type Project, project } from "../Project.ts"
import { errorsOf, runStep } from "./OneStep.ts"

const minute = 60_000
const day = 86_400_000
const all = { key: "url", across: "runs", changedIn: "markdown", emit: ["new", "changed", "unchanged", "gone"] }

const page = (path: string, views: number, price: number, more = "") => ({
  url: `https://x.example/${path}`,
  markdown: `# ${path}\n\nOpened ${views} times this week.\n\nA day costs ${price} euros.${more}`
})

const changes = ({ ledger }: Project) => changesUnder(ledger, "t")

const runAt = (here: Project, at: number, rows: ReadonlyArray<object>, config: object = all) =>
  Effect.zipRight(TestClock.setTime(at), runStep(here, "dedupe", config, rows))

describe("dedupe with changedIn", () => {
  it.scoped(
    "learns from a second run soon after the first, and then reports what matters, with a sentence and a word diff",
    function* () {
      const here = yield* project({ onTestClock: true })
      const first = yield* runAt(here, 0, [page("a", 10, 5), page("b", 10, 5)])
      expect(first.data.map(({ change, difference }) => [change, difference])).toEqual([
        ["new", undefined],
        ["new", undefined]
      ])
      yield* runAt(here, minute, [page("a", 11, 5), page("b", 11, 5)])
      const quiet = yield* runAt(here, day, [page("a", 12, 5), page("b", 13, 5)])
      expect(quiet.data.map(({ change, difference }) => [change, difference])).toEqual(
        [12, 13].map((views) => [
          "unchanged",
          {
            summary: "Nothing that matters has changed.",
            diff: "",
            ignored: [`Opened ${views} times this week.`],
            learned: []
          }
        ])
      )
      const { data } = yield* runAt(here, 2 * day, [page("a", 14, 7)])
      expect(data.map(({ change }) => change)).toEqual(["changed", "gone"])
      expect(data[0]?.difference).toEqual({
        summary: "“5” became “7” in a paragraph under “a”.",
        diff: "# a\nA day costs [-5-]{+7+} euros.",
        ignored: ["Opened 14 times this week."],
        learned: []
      })
      expect(data[1]).toMatchObject({ key: "https://x.example/b", change: "gone" })
    }
  )

  it.scoped("counts what `always` names, and does not compare what `ignore` names", function* () {
    const here = yield* project({ onTestClock: true })
    const config = { ...all, always: ["^opened \\d+ times"], ignore: ["EUROS"], emit: ["changed"] }
    yield* runAt(here, 0, [page("a", 10, 5)], config)
    const { data } = yield* runAt(here, minute, [page("a", 10, 6)], config)
    expect(data).toEqual([])
    const { data: later } = yield* runAt(here, day, [page("a", 11, 7)], config)
    expect(later.map(({ difference }) => difference)).toMatchObject([
      { diff: "# a\nOpened [-10-]{+11+} times this week." }
    ])
  })

  it.scoped.skipIf(skipsLong)(
    "ignores blocks as a whole before it cuts a long page, so that their length moves nothing",
    function* () {
      const here = yield* project({ onTestClock: true })
      const config = { ...all, ignore: ["visitors today"], emit: ["changed"] }
      const prose = Array.from(
        { length: 400 },
        (_, at) => `Paragraph ${at} says ${"what it has said for years ".repeat(22)}.`
      )
      const row = (visitors: number) => ({
        url: "https://x.example/a",
        // The match is at the end of a block that is longer than the pieces that are compared.
        markdown: `# Harbour\n\n${"guest ".repeat(visitors)} were the visitors today.\n\n${prose.join("\n\n")}`
      })
      yield* runAt(here, 0, [row(3000)], config)
      expect((yield* runAt(here, day, [row(1500)], config)).data).toEqual([])
      expect((yield* runAt(here, 2 * day, [row(900)], config)).data).toEqual([])
      const { data } = yield* runAt(
        here,
        3 * day,
        [{ ...row(2000), markdown: row(2000).markdown.replace("Paragraph 9 says", "Paragraph 9 asks") }],
        config
      )
      expect(data.map(({ difference }) => difference)).toMatchObject([
        { summary: expect.stringContaining("“says” became “asks”") }
      ])
    }
  )

  it.scoped("keeps the last changes that it reports, with their diffs, and nothing of the first run", function* () {
    const here = yield* project({ onTestClock: true })
    const config = { ...all, history: 3 }
    yield* runAt(here, 0, [page("a", 10, 5), page("b", 10, 5)], config)
    expect(yield* changes(here)).toEqual([])
    yield* runAt(here, day, [page("a", 10, 7), page("c", 1, 1)], config)
    expect(yield* changes(here)).toMatchObject([
      {
        at: day,
        change: "changed",
        key: "https://x.example/a",
        summary: "“5” became “7” in a paragraph under “a”.",
        diff: "# a\nA day costs [-5-]{+7+} euros."
      },
      { change: "gone", key: "https://x.example/b" },
      { change: "new", key: "https://x.example/c" }
    ])
    yield* runAt(here, 2 * day, [page("a", 10, 8), page("c", 1, 1)], config)
    expect((yield* changes(here)).map(({ change, key }) => `${change} ${key.slice(-1)}`)).toEqual([
      "gone b",
      "new c",
      "changed a"
    ])
  })

  it.scoped("says how many changes of a run it had no room to keep", function* () {
    const here = yield* project({ onTestClock: true })
    const config = { ...all, history: 2 }
    const pages = (price: number) => ["a", "b", "c", "d", "e"].map((path) => page(path, 10, price))
    yield* runAt(here, 0, pages(5), config)
    const { runId } = yield* runAt(here, day, pages(7), config)
    const { changes: kept, more } = yield* changesOfRun(here.ledger, runId)
    expect([kept.map(({ key }) => key.slice(-1)), more]).toEqual([["a", "b"], 3])
    const { runId: next } = yield* runAt(here, 2 * day, [page("a", 10, 8), ...pages(7).slice(1)], config)
    expect(yield* changesOfRun(here.ledger, next)).toMatchObject({ changes: [{ change: "changed" }], more: 0 })
  })

  it.scoped("reports no page as changed because changedIn took the place of changedWhen", function* () {
    const here = yield* project({ onTestClock: true })
    const { changedIn: _, ...fields } = all
    yield* runAt(here, 0, [page("a", 10, 5)], { ...fields, changedWhen: "markdown" })
    const { data } = yield* runAt(here, day, [page("a", 10, 6)])
    expect(data.map(({ change }) => change)).toEqual(["unchanged"])
    const { data: later } = yield* runAt(here, 2 * day, [page("a", 10, 7)])
    expect(later.map(({ change }) => change)).toEqual(["changed"])
  })

  it.scoped("rejects a row that has a field `difference` already", function* () {
    const here = yield* project({ onTestClock: true })
    const { reasons } = yield* runAt(here, 0, [{ ...page("a", 1, 1), difference: "mine" }])
    expect(reasons).toEqual(["FieldExists"])
  })

  it.scoped("reads a state of another form as one to begin anew with", function* () {
    const here = yield* project({ onTestClock: true })
    yield* runAt(here, 0, [page("b", 1, 1)])
    yield* here.ledger.states.set("t", "step", "https://x.example/b", { visits: "many" })
    const other = yield* runAt(here, day, [page("b", 1, 1)])
    expect(other.data.map(({ change }) => change)).toEqual(["unchanged"])
    expect(other.reasons).toEqual([])
    const later = yield* runAt(here, 2 * day, [page("b", 1, 2)])
    expect(later.data.map(({ change }) => change)).toEqual(["changed"])
  })

  it.scoped("reports a page that is empty in two runs, and one that is empty in one run as unchanged", function* () {
    const here = yield* project({ onTestClock: true })
    const empty = { ...page("a", 1, 1), markdown: "" }
    const changes: Array<unknown> = []
    for (const [index, row] of [page("a", 1, 1), empty, page("a", 1, 1), empty, empty, page("a", 1, 2)].entries()) {
      const { data } = yield* runAt(here, index * day, [row])
      changes.push(data[0]?.change)
    }
    expect(changes).toEqual(["new", "unchanged", "unchanged", "unchanged", "changed", "changed"])
  })

  it.scoped("refuses fields that have no effect", function* () {
    const refused = (config: object) => Effect.map(errorsOf("dedupe", config), ([first]) => first)
    expect(yield* refused({ changedIn: "markdown" })).toContain("add across: runs")
    expect(yield* refused({ ...all, changedWhen: "url" })).toContain("leave one of them out")
    expect(yield* refused({ across: "runs", ignore: ["x"] })).toContain("without changedIn")
    expect(yield* refused({ ...all, as: "difference" })).toContain("choose another name")
    expect(yield* refused({ ...all, always: ["("] })).toContain("not a regular expression")
  })
})
