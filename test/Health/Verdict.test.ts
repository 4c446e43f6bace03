/** Verdicts on runs of a shop that changes from day to day, and on runs in which something is broken. */
import { describe, expect, it } from "@effect/vitest"
import { runsToHold } from "../../src/Health/Baseline.ts"
import { Profile, type RunMetrics, type SinkMetrics } from "../../src/Health/Profile.ts"
import { describeVerdict, type Good, judgeRun, judgeSink, nameOf, type Rules } from "../../src/Health/Verdict.ts"

type Row = Readonly<Record<string, unknown>>

const day = 24 * 60 * 60_000
/** A Monday. */
const monday = Date.UTC(2026, 0, 5)

const randomOf = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const english = [
  "This is the one that you want for the kitchen, and it was made to last for years.",
  "The handle is not heavy, which is what most of the people in our test have asked for.",
  "It comes with a box that you can keep, and with all of the parts that are in the picture."
]
const german = [
  "Das ist genau die Pfanne, die man für den Alltag braucht, und sie ist nicht zu schwer für eine Hand.",
  "Der Griff wird nicht heiß, und die Beschichtung ist auch nach einem Jahr noch wie neu auf dem Herd."
]

/** Products of a shop on one day: one in ten is new each day, prices and texts vary. */
const shop = (today: number, count = 300): ReadonlyArray<Row> => {
  const random = randomOf(today + 1)
  return Array.from({ length: Math.round(count * (0.95 + 0.1 * random())) }, (_, n) => {
    const id = n % 10 === 0 ? n + today * 10_000 : n
    return {
      url: `https://shop.example/p/${id}`,
      title: `Product ${id} ${["red", "green", "blue"][id % 3]}`,
      price: Math.round(1_000 + 9_000 * random()) / 100,
      rating: random() < 0.7 ? 1 + Math.floor(5 * random()) : null,
      brand: ["Acme", "Bolt", "Cord", "Dyna", "Elan"][id % 5],
      text: `${english[id % 3]} `.repeat(1 + Math.floor(4 * random()))
    }
  })
}

const profileOf = (rows: ReadonlyArray<Row>) => {
  const profile = new Profile()
  for (const row of rows) profile.add(row)
  return profile
}

interface Past {
  readonly good: ReadonlyArray<Good<SinkMetrics>>
  readonly last: Profile | undefined
}

/** Good runs on consecutive days, newest first. */
const pastOf = (days: number, rowsOn: (today: number) => ReadonlyArray<Row> = shop): Past => {
  let past: Past = { good: [], last: undefined }
  for (let today = 0; today < days; today++) {
    const profile = profileOf(rowsOn(today))
    const one = { at: monday + today * day, metrics: profile.metrics(past.last), broken: new Set<string>() }
    past = { good: [one, ...past.good], last: profile }
  }
  return past
}

const judge = ({ good, last }: Past, rows: ReadonlyArray<Row>, rules?: Rules) =>
  judgeSink("write", profileOf(rows).metrics(last), good, { at: (good[0]?.at ?? monday) + day, rules })

const brokenOf = (verdicts: ReturnType<typeof judge>) => verdicts.filter(({ level }) => level === "broken").map(nameOf)

const learned = pastOf(12)
const today = shop(12)
const change = (edit: (row: Row, n: number) => Row) => today.map(edit)

const breakages: Readonly<Record<string, readonly [rows: ReadonlyArray<Row>, broken: string]>> = {
  "all rows are missing": [[], "rows"],
  "half of the rows are missing": [today.slice(0, today.length / 2), "rows"],
  "a field is empty": [change((row) => ({ ...row, price: null })), "price: fill"],
  "a field is empty in half of the rows": [
    change((row, n) => ({ ...row, title: n % 2 ? "" : row.title })),
    "title: fill"
  ],
  "a field is gone": [change(({ brand: _, ...row }) => row), "brand: fill"],
  "numbers have become text": [change((row) => ({ ...row, price: `$${row.price}` })), "price: types"],
  "two fields are swapped": [change((row) => ({ ...row, price: row.title, title: row.price })), "title: types"],
  "a key is constant": [change((row) => ({ ...row, title: "Shop" })), "title: repeated"],
  "a category is constant": [change((row) => ({ ...row, brand: "Acme" })), "brand: distinct"],
  "two of five categories are missing": [
    [...today, ...shop(13)].filter(({ brand }) => brand !== "Acme" && brand !== "Bolt"),
    "brand: values"
  ],
  "the encoding is broken": [change((row) => ({ ...row, text: `${row.text}fÃ¼r â‚¬ 5` })), "text: garbled"],
  "the language has changed": [change((row, n) => ({ ...row, text: german[n % 2] })), "text: languages"],
  "prices are in cents": [change((row) => ({ ...row, price: Number(row.price) * 100 })), "price: numbers"],
  "texts are cut off": [change((row) => ({ ...row, text: String(row.text).slice(0, 20) })), "text: lengths"],
  "rows come twice": [[...today.slice(0, 150), ...today.slice(0, 150)], "repeated"],
  "nothing has changed": [shop(11), "unchanged"]
}

describe("a run that is compared with the last good ones", () => {
  for (const [name, [rows, broken]] of Object.entries(breakages)) {
    it(`is broken when ${name}`, () => {
      expect(brokenOf(judge(learned, rows))).toContain(broken)
    })
  }

  it("may have fields and steps with the names of what every object inherits", () => {
    const names = ["constructor", "toString"]
    const withNames = (rows: ReadonlyArray<Row>) =>
      rows.map((row) => ({ ...row, ...Object.fromEntries(names.map((name) => [name, row.brand])) }))
    expect(brokenOf(judge(learned, withNames(today)))).toEqual([])
    expect(
      brokenOf(
        judge(
          pastOf(12, (on) => withNames(shop(on))),
          today
        )
      ).sort()
    ).toEqual(expect.arrayContaining(["constructor: fill", "toString: fill"]))
    const metrics = (step: string): RunMetrics => ({ steps: { [step]: 100 }, rejected: 0, pages: 0, statuses: {} })
    const good = Array.from({ length: 6 }, (_, n) => ({
      at: monday + n * day,
      metrics: metrics("read"),
      broken: new Set<string>()
    }))
    for (const { expected } of judgeRun(metrics("constructor"), good, monday + 7 * day)) {
      expect(expected).not.toContain("NaN")
    }
  })

  it("is fine when nothing but the usual has changed", () => {
    expect(judge(learned, today)).toEqual([])
  })

  it("is fine when a value that all rows share has changed, or one that few had is missing", () => {
    const editionOf = (month: string) => (row: Row, n: number) => ({
      ...row,
      edition: month,
      stock: n % 40 === 0 ? "few" : "many"
    })
    const past = pastOf(12, (today) => shop(today).map(editionOf("2026-03")))
    const now = shop(12).map((row, n) => ({ ...editionOf("2026-04")(row, n), stock: "many" }))
    expect(brokenOf(judge(past, now))).toEqual([])
  })

  it("gives at most one false alarm in 200 runs of shops that grow, shrink at weekends, and change", () => {
    let alarms = 0
    for (let each = 0; each < 10; each++) {
      const size = 40 + 60 * each
      const rowsOn = (at: number) => {
        const isWeekend = at % 7 >= 5
        return shop(at + 100 * each, size * (1 + 0.01 * at) * (isWeekend && each % 2 === 0 ? 0.4 : 1))
      }
      const { good } = pastOf(40, rowsOn)
      for (let run = 0; run < 20; run++) {
        const [now, ...before] = good.slice(run)
        if (now === undefined) continue
        if (judgeSink("write", now.metrics, before, { at: now.at }).some(({ level }) => level === "broken")) alarms++
      }
    }
    expect(alarms).toBeLessThanOrEqual(1)
  }, 120_000)

  it("learns before it judges: nothing of two runs, warnings up to the fifth, and broken figures from then on", () => {
    const levels = [2, 3, 4, 5].map((days) => judge(pastOf(days), today.slice(0, 50)).map(({ level }) => level)[0])
    expect(levels).toEqual([undefined, "unusual", "unusual", "broken"])
    expect(runsToHold).toBe(5)
  })

  it("warns when there are more rows than ever, and never calls it broken", () => {
    expect(judge(learned, shop(12, 900)).map((each) => [nameOf(each), each.level])).toContainEqual(["rows", "unusual"])
    expect(brokenOf(judge(learned, shop(12, 900)))).toEqual([])
  })

  it("knows a level that was released by hand, but not one that was published with a warning", () => {
    const half = shop(12).slice(0, 140)
    const next = shop(13).slice(0, 140)
    const profile = profileOf(half)
    const with_ = (broken: ReadonlySet<string>): Past => ({
      good: [{ at: monday + 12 * day, metrics: profile.metrics(learned.last), broken }, ...learned.good],
      last: profile
    })
    expect(brokenOf(judge(with_(new Set()), next))).toEqual([])
    expect(brokenOf(judge(with_(new Set(["rows"])), next))).toEqual(["rows"])
  })

  it("is judged by runs of the same weekday once there are four weeks", () => {
    const sundays = (at: number) => shop(at, at % 7 === 6 ? 30 : 300)
    const past = pastOf(34, sundays)
    // 34 days after a Monday is a Sunday.
    expect(judge(past, shop(34, 30))).toEqual([])
    expect(brokenOf(judge(past, shop(34, 5)))).toContain("rows")
    const before = pastOf(35, sundays)
    expect(brokenOf(judge(before, shop(35, 30)))).toContain("rows")
  })

  it("of pipelines that write only what is new is not broken when there is little or nothing", () => {
    const random = randomOf(7)
    const past = pastOf(20, (at) => shop(at, Math.floor(12 * random())))
    for (const count of [0, 1, 5, 14]) expect(brokenOf(judge(past, shop(30, count)))).toEqual([])
  })
})

describe("rules of a definition", () => {
  const none: Past = { good: [], last: undefined }

  it("hold from the first run on", () => {
    const rules = { rows: { min: 500, max: 900 }, fields: { rating: { filled: 0.95 } } }
    expect(judge(none, today, rules).map(describeVerdict)).toEqual([
      `write: expected at least 500 rows (health.rows.min), came ${today.length} rows`,
      expect.stringMatching(/^write, rating: expected filled in at least 95 % \(health\.fields\), came 7\d %$/)
    ])
    expect(judge(none, today, { rows: { max: 10 } }).map(({ expected }) => expected)).toEqual([
      "at most 10 rows (health.rows.max)"
    ])
  })

  it("replace the comparison of rows, and leave out fields", () => {
    expect(judge(learned, today.slice(0, 100), { rows: { min: 50 } }).map(nameOf)).toEqual([])
    const rows = change((row) => ({ ...row, price: null }))
    expect(judge(learned, rows, { fields: { price: { ignore: true } } })).toEqual([])
  })
})

describe("a run as a whole", () => {
  const metrics = (more: Partial<RunMetrics> = {}): RunMetrics => ({
    steps: { crawl: 200, select: 190 },
    rejected: 0.01,
    pages: 200,
    statuses: { "2xx": 0.97, "4xx": 0.03 },
    ...more
  })
  const good = Array.from(
    { length: 8 },
    (_, n): Good<RunMetrics> => ({
      at: monday + (7 - n) * day,
      metrics: metrics({ steps: { crawl: 200 + n, select: 190 - n } }),
      broken: new Set()
    })
  )
  const judged = (more: Partial<RunMetrics>) =>
    judgeRun(metrics(more), good, monday + 8 * day).map((each) => `${each.level} ${describeVerdict(each)}`)

  it("is fine as it always was", () => {
    expect(judged({})).toEqual([])
  })

  it("is broken when the first steps lose rows, even if the outputs are as they were", () => {
    expect(judged({ steps: { crawl: 40, select: 38 } })).toEqual([
      "broken crawl: expected 200 to 207 rows, came 40 rows"
    ])
  })

  it("is broken by rejects, failed pages, blocked pages and files without text", () => {
    expect(judged({ rejected: 0.5 })).toEqual(["broken expected rejected rows: 1 %, came 50 %"])
    expect(judged({ statuses: { "2xx": 0.4, "5xx": 0.5, error: 0.1 } })).toEqual([
      "broken expected pages that failed: 3 %, came 60 %"
    ])
    expect(judged({ statuses: { "2xx": 0.1, blocked: 0.9 } })).toEqual([
      "broken expected pages that the site blocked: 0 %, came 90 %"
    ])
    expect(judged({ statuses: { "2xx": 0.2, unread: 0.8 } })).toEqual([
      "broken expected files whose text could not be read: 0 %, came 80 %"
    ])
  })
})
