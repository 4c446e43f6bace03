/** Each rule, at its edges. */
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { Profile, type RunMetrics, type SinkMetrics } from "../../src/Health/Profile.ts"
import {
  describeVerdict,
  type Good,
  judgeRun,
  judgeSink,
  nameOf,
  type Rules,
  type Verdict
} from "../../src/Health/Verdict.ts"
import { fieldFigures, PipelineHealth, runFigures, sinkFigures } from "../../src/Sink/HealthRules.ts"

type Row = Readonly<Record<string, unknown>>

const day = 24 * 60 * 60_000
const now = Date.UTC(2026, 5, 10)

const many = (count: number, row: (n: number) => Row = (n) => ({ id: n, title: `Title ${n}`, price: n })) =>
  Array.from({ length: count }, (_, n) => row(n))

const metricsOf = (rows: ReadonlyArray<Row>): SinkMetrics => {
  const profile = new Profile()
  for (const row of rows) profile.add(row)
  return profile.metrics()
}

/** Good runs of the days before, newest first. */
const daysBefore = <Metrics>(all: ReadonlyArray<Metrics>): ReadonlyArray<Good<Metrics>> =>
  all.map((metrics, at) => ({ at: now - (at + 1) * day, metrics, broken: new Set<string>(), runId: "" }))

const days = (rows: ReadonlyArray<ReadonlyArray<Row>>) => daysBefore(rows.map(metricsOf))
const same = (rows: ReadonlyArray<Row>, runs = 8) => days(Array.from({ length: runs }, () => rows))

const brokenOf = (rows: ReadonlyArray<Row>, good: ReadonlyArray<Good<SinkMetrics>>, rules: Rules = {}) =>
  judgeSink("write", metricsOf(rows), good, { at: now, rules })
    .filter(({ level }) => level === "broken")
    .map(describeVerdict)

/** Errors of names under `ignore` of a pipeline. */
const issuesOf = (ignore: ReadonlyArray<string>): ReadonlyArray<string> =>
  Either.match(Schema.decodeUnknownEither(PipelineHealth)({ ignore }), {
    onLeft: ({ message }) => [message],
    onRight: () => []
  })

describe("a rule", () => {
  it("holds few rows only where each good run had many, or steady ones", () => {
    expect(brokenOf(many(23), same(many(60)))).toEqual(["write: rows: expected 60, got 23"])
    expect(brokenOf(many(24), same(many(60)))).toEqual([])
    expect(brokenOf([], same(many(60)))).toHaveLength(1)
    expect(brokenOf(many(4), same(many(20)))).toHaveLength(1)
    expect(brokenOf(many(4), same(many(19)))).toEqual([])
    expect(brokenOf(many(4), days([20, 31, 20, 20, 20, 20, 20].map((count) => many(count))))).toEqual([])
    expect(brokenOf(many(4), days([90, 49, 60, 60, 60, 60, 60].map((count) => many(count))))).toEqual([])
    // More are never broken.
    expect(brokenOf(many(900), same(many(60)))).toEqual([])
  })

  it("knows the rhythm of a source after a week, or within an hour", () => {
    expect(brokenOf(many(5), same(many(60), 6))).toEqual([])
    const minutes = same(many(60), 5).map((each, at) => ({ ...each, at: now - at * 60_000 }))
    expect(brokenOf(many(5), minutes)).toHaveLength(1)
    expect(brokenOf(many(5), minutes.slice(1))).toEqual([])
  })

  it("holds a field that was filled and is empty", () => {
    const empty = (share: number) => many(100, (n) => ({ id: n, price: n < share ? null : n }))
    expect(brokenOf(empty(51), same(empty(5)))).toEqual(["write: price filled: expected 95 %, got 49 %"])
    expect(brokenOf(empty(50), same(empty(5)))).toEqual([])
    expect(brokenOf(empty(100), same(empty(6)))).toEqual(["write: price filled: expected 94 %, got 0 %"])
    expect(brokenOf(empty(98), same(empty(6)))).toEqual([])
    expect(brokenOf(empty(100), same(empty(21)))).toEqual([])
    expect(
      brokenOf(
        many(100, (n) => ({ id: n })),
        same(empty(0))
      )
    ).toHaveLength(1)
  })

  it("holds a field that changed its type", () => {
    const typed = (strings: number) => many(100, (n) => ({ price: n < strings ? `${n}.50` : n }))
    expect(brokenOf(typed(51), same(typed(5)))).toEqual([
      "write: price type: expected number, got numeric 51 %, number 49 %"
    ])
    expect(brokenOf(typed(50), same(typed(5)))).toEqual([])
    expect(brokenOf(typed(100), same(typed(6)))).toEqual([])
  })

  it("holds repeated values in place of distinct ones, of strings only", () => {
    const walls = (share: number) =>
      many(100, (n) => ({ title: n < share ? "Just a moment..." : `Title ${n}`, price: n < share ? 9 : n }))
    expect(brokenOf(walls(41), same(walls(10)))).toEqual([
      "write: title repeated: expected 10 % of the values, got 41 %"
    ])
    expect(brokenOf(walls(40), same(walls(10)))).toEqual([])
    expect(brokenOf(walls(90), same(walls(11)))).toEqual([])
  })

  it("holds a single value where there were always five or more, also of numbers", () => {
    const prices = (kinds: number) => many(100, (n) => ({ price: 1 + (n % kinds) }))
    expect(brokenOf(prices(1), same(prices(5)))).toEqual([
      "write: price repeated: expected 5 different values or more, got 1 in all rows"
    ])
    expect(brokenOf(prices(1), same(prices(4)))).toEqual([])
    expect(brokenOf(prices(2), same(prices(50)))).toEqual([])
  })

  it("holds broken encodings, and numbers of another order of magnitude", () => {
    const good = same(many(100, (n) => ({ n: n + 100, name: `Café ${n}` })))
    const bad = (factor: number, broken: number) =>
      many(100, (n) => ({ n: (n + 100) * factor, name: `${n < broken ? "CafÃ©" : "Café"} ${n}` }))
    expect(brokenOf(bad(19, 29), good)).toEqual([])
    expect(brokenOf(bad(100, 30), good).map((text) => text.split(": ")[1])).toEqual(["n number", "name encoding"])
    expect(brokenOf(bad(0.01, 0), good)).toHaveLength(1)
  })

  it("holds no share that fell because rows were added, as by an import of rows of another kind", () => {
    const own = many(100, (n) => ({ title: `Title ${n}`, place: `Place ${n}`, price: n }))
    const added = many(300, (n) => ({ title: `Lamp ${n % 9}`, price: "on request" }))
    expect(brokenOf([...own, ...added], same(own))).toEqual([])
    // Ten of the places may go with their rows, eleven are too many.
    const left = (count: number) =>
      many(300, (n) => ({ title: `Title ${n}`, ...(n < count ? { place: `P ${n}` } : {}) }))
    expect(brokenOf(left(90), same(own)).filter((text) => text.includes("place"))).toEqual([])
    expect(brokenOf(left(89), same(own)).filter((text) => text.includes("place"))).toHaveLength(1)
    // A field that no row has is gone, however many rows there are.
    expect(brokenOf(left(0), same(own)).filter((text) => text.includes("place"))).toHaveLength(1)
    const matched = (asked: number, count: number): SinkMetrics => ({
      rows: 0,
      measured: 0,
      fields: {},
      matches: { price: { asked, matched: count } }
    })
    const judged = (count: number) =>
      judgeSink("extract", matched(300, count), daysBefore(Array.from({ length: 8 }, () => matched(100, 100))), {
        at: now
      })
    expect([judged(90), judged(89)].map(([verdict]) => verdict?.level)).toEqual(["unusual", "broken"])
  })

  it("holds what concerns each of five to nine rows", () => {
    const rates = (count: number, rate: (n: number) => unknown) => many(count, (n) => ({ id: n, rate: rate(n) }))
    const good = same(rates(8, (n) => n + 0.5))
    expect(
      brokenOf(
        rates(8, () => "n/a"),
        good
      )
    ).toEqual(["write: rate type: expected number, got text"])
    expect(
      brokenOf(
        rates(8, () => null),
        good
      )
    ).toHaveLength(1)
    expect(
      brokenOf(
        rates(8, (n) => (n < 7 ? "n/a" : n)),
        good
      )
    ).toEqual([])
    expect(
      brokenOf(
        rates(4, () => null),
        same(rates(4, (n) => n))
      )
    ).toEqual([])
  })

  it("holds nothing else: lengths, somewhat larger numbers and a few broken encodings are unusual", () => {
    const good = same(many(100, (n) => ({ n: n + 100, text: "word ".repeat(20) + n, name: `Name ${n}` })))
    const odd = many(100, (n) => ({ n: 1_000 + n, text: `w ${n}`, name: n < 20 ? `CafÃ© ${n}` : `Name ${n}` }))
    const found = judgeSink("write", metricsOf(odd), good, { at: now })
    expect(found.map(({ field, level, metric }) => [field, metric, level])).toEqual([
      ["n", "number", "unusual"],
      ["text", "length", "unusual"],
      ["name", "encoding", "unusual"]
    ])
  })

  it("holds rejects, failed and blocked pages that are many, and twice as many as ever", () => {
    const run = (failed: number, pages = 20): RunMetrics => ({
      steps: { read: 100 },
      rejected: 0,
      pages,
      statuses: { "4xx": failed / pages, "2xx": 1 - failed / pages }
    })
    const held = (one: RunMetrics, good: RunMetrics, rules: Rules = {}) =>
      judgeRun(one, daysBefore(Array.from({ length: 5 }, () => good)), { at: now, rules }).some(
        ({ level }) => level === "broken"
      )
    expect([held(run(6), run(3)), held(run(5), run(1)), held(run(6), run(4)), held(run(4, 8), run(0))]).toEqual([
      true,
      false,
      false,
      false
    ])
    expect(held(run(6), run(3), { ignore: ["failed pages"] })).toBe(false)
    expect(held({ ...run(0), rejected: 0.3 }, run(0))).toBe(true)
    expect(held({ ...run(0), statuses: { blocked: 0.5 } }, run(0))).toBe(true)
    expect(held({ ...run(0), statuses: { unread: 0.9 } }, run(0))).toBe(false)
  })

  const good60 = many(60, (n) => ({
    id: n + 100,
    title: `Café ${n}`,
    price: n + 10,
    text: `${"word ".repeat(20)}${n}`
  }))
  const runOf = (statuses: RunMetrics["statuses"], rejected = 0): RunMetrics => ({
    steps: { read: 100 },
    rejected,
    pages: 100,
    statuses
  })
  const matchesOf = (matched: number): SinkMetrics => ({
    rows: 0,
    measured: 0,
    fields: {},
    matches: { price: { asked: 60, matched } }
  })
  const ofRows = (rows: ReadonlyArray<Row>) => (rules: Rules) =>
    judgeSink("write", metricsOf(rows), same(good60), { at: now, rules })
  const eachRow = (change: (row: Row, n: number) => Row) =>
    ofRows(good60.map((row, n) => ({ ...row, ...change(row, n) })))
  const ofRun =
    (statuses: RunMetrics["statuses"], rejected = 0) =>
    (rules: Rules) =>
      judgeRun(runOf(statuses, rejected), daysBefore(Array.from({ length: 8 }, () => runOf({ "2xx": 1 }))), {
        at: now,
        rules
      })

  /** A run with this verdict for each name, with the name of a verdict on a field behind that of the field. */
  const verdicts: Readonly<Record<string, (rules: Rules) => ReadonlyArray<Verdict>>> = {
    rows: ofRows(good60.slice(0, 20)),
    "price filled": eachRow(() => ({ price: null })),
    "price type": eachRow((row) => ({ price: `about ${row.price}` })),
    "title repeated": eachRow(() => ({ title: "Just a moment..." })),
    "title encoding": eachRow((_, n) => ({ title: `CafÃ© ${n}` })),
    "text length": eachRow((_, n) => ({ text: `w ${n}` })),
    "price number": eachRow((_, n) => ({ price: 100 * (n + 10) })),
    "price matched": (rules) =>
      judgeSink("extract", matchesOf(0), daysBefore(Array.from({ length: 8 }, () => matchesOf(60))), {
        at: now,
        rules
      }),
    rejected: ofRun({ "2xx": 1 }, 0.6),
    "failed pages": ofRun({ "2xx": 0.4, "5xx": 0.6 }),
    "blocked pages": ofRun({ "2xx": 0.4, blocked: 0.6 }),
    "unread files": ofRun({ "2xx": 0.4, unread: 0.6 })
  }

  it("has a case for each name in the list of names", () => {
    const listed = [...runFigures, ...sinkFigures, ...fieldFigures]
    const tried = Object.keys(verdicts).map((name) => listed.find((each) => name === each || name.endsWith(` ${each}`)))
    expect(tried.toSorted()).toEqual(listed.toSorted())
  })

  it.each(Object.entries(verdicts))("%s is switched off by its name, and not by another one", (name, judge) => {
    const named = (ignore: ReadonlyArray<string>, rules: Rules = {}) => {
      expect(issuesOf(ignore), ignore.join()).toEqual([])
      return judge({ ...rules, ignore }).map(nameOf)
    }
    expect(named([])).toEqual([name])
    // The sentence shows the name between colons.
    expect(judge({}).map(describeVerdict)[0]).toMatch(new RegExp(`^(write: |extract: )?${name}: expected `))
    expect(named([name])).toEqual([])
    const [field, figure] = name.split(" ")
    const others = Object.keys(verdicts).filter((each) => each !== name && !each.startsWith(`${field} `))
    expect(named([...others, `other ${figure ?? ""}`].filter((each) => issuesOf([each]).length === 0))).toEqual([name])
    if (runFigures.some((each) => each === name) || field === undefined || figure === undefined) return
    expect(named([figure])).toEqual([])
    expect(named([], { fields: { [field]: { ignore: true } } })).toEqual([])
  })

  it("is switched off for one field or for all", () => {
    const good = same(many(60))
    const bad = many(20, (n) => ({ id: n, title: "x", price: "none" }))
    const names = (ignore: ReadonlyArray<string>) => brokenOf(bad, good, { ignore }).map((text) => text.split(": ")[1])
    expect(names([])).toEqual(["rows", "title repeated", "price type"])
    expect(names(["rows", "price type"])).toEqual(["title repeated"])
    expect(names(["repeated", "type"])).toEqual(["rows"])
    expect(brokenOf(bad, good, { fields: { title: { ignore: true }, price: { ignore: true } } })).toHaveLength(1)
    expect(brokenOf(bad, good, { rows: { min: 10 } })).toHaveLength(2)
    expect(brokenOf(bad, good, { hasChanges: true })).toHaveLength(2)
  })

  it("is only unusual before the fifth good run, and nothing before the third", () => {
    const levels = [2, 4, 5].map(
      (runs) => judgeSink("write", metricsOf(many(60, (n) => ({ id: n }))), same(many(60), runs), { at: now })[0]?.level
    )
    expect(levels).toEqual([undefined, "unusual", "broken"])
  })

  it("does not learn from a run that was published although it was broken, unless it was released", () => {
    const [newest, ...rest] = days([many(5), ...Array.from({ length: 7 }, () => many(60))])
    if (newest === undefined) throw new Error("no run")
    expect(brokenOf(many(5), [newest, ...rest])).toEqual([])
    expect(brokenOf(many(5), [{ ...newest, broken: new Set(["rows"]) }, ...rest])).toHaveLength(1)
  })
})
