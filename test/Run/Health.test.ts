/** What runs record of their health, and how they are compared with the last good ones. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { brokenIn, type Ended, jsonLines, type Options, project } from "../Project.ts"
import { page } from "../Step/Odd.ts"
import { mortal } from "./Lives.ts"

const product = (n: number) => ({ id: n, title: `Product ${n}`, price: 10 + (n % 7) })

const products = (count: number, edit: (row: ReturnType<typeof product>) => object = (row) => row) =>
  jsonLines(Array.from({ length: count }, (_, n) => edit(product(n))))

const steps = "  - read: in.jsonl\n  - write: { jsonl: rows.jsonl }\n"

/** A pipeline that has run a few times, with the same number of rows each time. */
const learned = (runs: number, options: Options = {}, definition = steps) =>
  Effect.gen(function* () {
    const pipeline = yield* project({ files: { "in.jsonl": products(60) } })
    for (let n = 0; n < runs; n++) yield* pipeline.run(definition, options)
    return pipeline
  })

describe("the health of a run", () => {
  it.live("is recorded for each sink, and for the run as a whole", () =>
    Effect.gen(function* () {
      const { ledger, run } = yield* learned(1)
      const { runId, warnings } = yield* run(steps)
      const [sink] = yield* ledger.health.sinksOf(runId)
      expect(sink).toMatchObject({ sink: "write", published: true, released: false, verdicts: [] })
      expect(sink?.metrics).toMatchObject({ rows: 60, measured: 60 })
      expect(sink?.metrics.fields.price).toMatchObject({ fill: 1, types: { number: 1 } })
      expect((yield* ledger.health.of(runId))?.metrics).toEqual({
        steps: { read: 60, write: 60 },
        rejected: 0,
        pages: 0,
        statuses: {}
      })
      expect(warnings).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live("warns of what is not as in the last good runs, and says since when", () =>
    Effect.gen(function* () {
      const { ledger, run, write } = yield* learned(5)
      write("in.jsonl", products(12))
      const frame = "health: { onBroken: warn }\n"
      const first = yield* run(steps, { frame })
      expect(first.summary.status).toBe("completed")
      expect(first.warnings).toContain("broken: rows.jsonl: rows: expected 60, got 12")
      const second = yield* run(steps, { frame })
      expect(second.warnings).toContain(`broken: rows.jsonl: rows: expected 60, got 12, since run ${first.runId}`)
      const [record] = yield* ledger.health.sinksOf(second.runId)
      expect(record?.verdicts).toMatchObject([{ metric: "rows", level: "broken", since: first.runId }])
    }).pipe(Effect.scoped)
  )

  it.live("is only unusual before the fifth good run, and nothing before the third", () =>
    Effect.gen(function* () {
      for (const [runs, level] of [
        [2, undefined],
        [4, "unusual"]
      ] as const) {
        const { run, write } = yield* learned(runs)
        write("in.jsonl", products(12))
        const { warnings } = yield* run(steps)
        expect(warnings[0]?.split(":")[0]).toBe(level)
      }
    }).pipe(Effect.scoped)
  )

  it.live("is compared with runs of the same steps before the sink, and learned anew for what a change touches", () =>
    Effect.gen(function* () {
      const branches = (filter: string) =>
        `  - read: in.jsonl\n  - id: few\n    where: ${filter}\n  - id: fewer\n    write: { jsonl: few.jsonl }\n  - id: all\n    from: read\n    write: { jsonl: rows.jsonl }\n`
      const { run, write } = yield* learned(5, {}, branches("id < 40"))
      write("in.jsonl", products(12))
      const changed = yield* run(branches("id < 50"))
      expect(changed.warnings.filter((warning) => warning.includes("few.jsonl"))).toEqual([])
      expect(brokenIn(changed)).toContain("rows.jsonl: rows: expected 60, got 12")
    }).pipe(Effect.scoped)
  )

  it.live("is the same for a run that was killed and resumed as for one that was not", () =>
    Effect.gen(function* () {
      const { checked, execute, ledger, resume, run } = yield* project({ files: { "in.jsonl": products(3_500) } })
      const whole = yield* run(steps)
      const definition = yield* checked(steps)
      const killed = mortal(ledger, ({ rows }) => {
        killed.life.isOver = rows >= 1_000
      })
      const cut = yield* execute(definition, {}, killed.ledger)
      expect(Either.isLeft(cut.outcome)).toBe(true)
      const resumed = yield* resume(cut.runId, steps)
      expect(resumed.summary.status).toBe("completed")
      const metricsOf = (id: string) => Effect.map(ledger.health.sinksOf(id), ([record]) => record?.metrics)
      const [one, other] = [yield* metricsOf(cut.runId), yield* metricsOf(whole.runId)]
      expect([one?.rows, one?.measured, one?.fields.price?.fill]).toEqual([other?.rows, other?.measured, 1])
      expect(one?.fields.title?.distinct).toBe(other?.fields.title?.distinct)
      expect(resumed.warnings).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live("counts every row of a long run that was killed between two saved profiles", () =>
    Effect.gen(function* () {
      const { checked, execute, ledger, resume } = yield* project({ files: { "in.jsonl": products(6_000) } })
      const definition = yield* checked(steps)
      const killed = mortal(ledger, ({ rows }) => {
        killed.life.isOver = rows >= 5_000
      })
      const cut = yield* execute(definition, {}, killed.ledger)
      const resumed = yield* resume(cut.runId, steps)
      expect(resumed.summary.status).toBe("completed")
      const [record] = yield* ledger.health.sinksOf(cut.runId)
      expect(record?.metrics).toMatchObject({ rows: 6_000, fields: { price: { fill: 1 } } })
    }).pipe(Effect.scoped)
  )

  it.live("counts pages by status, and those that the site blocked", () =>
    Effect.gen(function* () {
      const answer = (n: number) =>
        n < 4
          ? page(`http://x.example/${n}`)
          : {
              ...page(`http://x.example/${n}`),
              metadata: { statusCode: 200, blocked: { kind: "captcha", evidence: "e" } }
            }
      const { ledger, run } = yield* project({
        service: ({ body }) => ({
          body: { success: true, data: answer(Number((JSON.parse(body) as { url: string }).url.at(-1))) }
        })
      })
      const urls = [0, 1, 2, 3, 4].map((n) => `"http://x.example/${n}"`).join(", ")
      const { runId } = yield* run(
        `  - urls: [${urls}]\n  - scrape: { formats: [markdown] }\n    onError: reject\n  - write: { jsonl: rows.jsonl }\n`
      )
      expect((yield* ledger.health.of(runId))?.metrics).toMatchObject({
        pages: 5,
        rejected: 0.2,
        statuses: { "2xx": 0.8, blocked: 0.2 }
      })
      expect((yield* ledger.history.pagesOf(runId, { limit: 10 })).map(({ blocked }) => blocked)).toContain("captcha")
    }).pipe(Effect.scoped)
  )

  it.live("is not measured for trials, backfills, and pipelines with health: off", () =>
    Effect.gen(function* () {
      const { ledger, run } = yield* learned(0)
      for (const options of [{ wanted: 5 }, { backfill: true }, { frame: "health: off\n" }] satisfies Array<Options>) {
        const { runId } = yield* run(steps, options)
        expect(yield* ledger.health.of(runId)).toBeUndefined()
        expect(yield* ledger.health.profiles(runId)).toEqual(new Map())
      }
    }).pipe(Effect.scoped)
  )

  it.live("follows the rules of the definition from the first run on, and says nothing with onBroken: off", () =>
    Effect.gen(function* () {
      const { ledger, run, write } = yield* learned(0)
      write(
        "in.jsonl",
        products(20, ({ title: _, ...row }) => row)
      )
      const rules = "rows: { min: 50 }, fields: { title: { filled: 90% } }"
      expect((yield* run(steps, { frame: `health: { onBroken: warn, ${rules} }\n` })).warnings).toEqual([
        "broken: rows.jsonl: rows: expected at least 50 (health.rows.min), got 20",
        "broken: rows.jsonl: title filled: expected at least 90 % (health.fields), got 0 %"
      ])
      const silent = yield* run(steps, { frame: `health: { onBroken: off, ${rules} }\n` })
      expect(silent.warnings).toEqual([])
      expect((yield* ledger.health.sinksOf(silent.runId))[0]?.verdicts).toHaveLength(2)
    }).pipe(Effect.scoped)
  )

  it.live("follows the rule of a field behind hundreds of others", () =>
    Effect.gen(function* () {
      const { run, write } = yield* learned(0)
      const wide = Object.fromEntries(Array.from({ length: 260 }, (_, at) => [`c${at}`, at]))
      write(
        "in.jsonl",
        products(20, (row) => ({ ...row, ...wide }))
      )
      const frame = "health: { onBroken: warn, fields: { c250: { filled: 90% } } }\n"
      expect((yield* run(steps, { frame })).warnings).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live("takes the minimum of rows as a share of those of the last good run, once there is one", () =>
    Effect.gen(function* () {
      const frame = "health: { onBroken: warn, rows: { min: 75% } }\n"
      const { run, write } = yield* learned(1, { frame })
      write("in.jsonl", products(46))
      expect((yield* run(steps, { frame })).warnings).toEqual([])
      write("in.jsonl", products(34))
      // The smallest good run has 46 rows by now.
      expect((yield* run(steps, { frame })).warnings).toEqual([
        "broken: rows.jsonl: rows: expected at least 35, 75% of 46 (health.rows.min), got 34"
      ])
    }).pipe(Effect.scoped)
  )

  it.live.each([
    ["`dedupe` across runs", "completed", "  - dedupe: { key: id, across: runs, changedWhen: price }\n"],
    [
      "a filter on the `change` of `dedupe`",
      "completed",
      "  - dedupe: { key: id, across: runs, changedWhen: price, emit: [new, changed, gone] }\n  - where: change in ['new', 'changed']\n"
    ],
    [
      "a join with an output of the run before",
      "completed",
      "  - join: { file: all.jsonl, on: id, as: before, type: inner }\n  - where: before.price != price\n"
    ],
    [
      "nothing that knows earlier runs",
      "held",
      "  - join: { file: base.jsonl, on: id, as: base, type: inner }\n  - where: price - base.price = day\n"
    ]
  ] as const)("with few rows behind %s is %s", ([what, status, between]) =>
    Effect.gen(function* () {
      const definition = `  - id: in\n    read: in.jsonl\n${between}  - write: { jsonl: rows.jsonl }\n  - from: in\n    write: { jsonl: all.jsonl }\n`
      /** Sixty products, of which so many have a price of the day. */
      const of = (day: number, changed: number) =>
        jsonLines(Array.from({ length: 60 }, (_, id) => ({ id, day, price: 100 + id + (id < changed ? day : 0) })))
      const { ledger, run, write } = yield* project({ files: { "all.jsonl": of(0, 60), "base.jsonl": of(0, 60) } })
      for (let day = 1; day <= 6; day++) {
        write("in.jsonl", of(day, 60))
        const { rows, summary } = yield* run(definition)
        expect([what, day, summary.status, rows.length]).toEqual([what, day, "completed", 60])
      }
      // Prices are those of the day before, but for three.
      write(
        "in.jsonl",
        jsonLines(Array.from({ length: 60 }, (_, id) => ({ id, day: 7, price: 106 + id + (id < 3 ? 1 : 0) })))
      )
      const few = yield* run(definition)
      expect(few.summary.status, few.warnings.join("\n")).toBe(status)
      const records = yield* ledger.health.sinksOf(few.runId)
      expect(records.map(({ metrics }) => metrics.rows).toSorted()).toEqual([3, 60])
      const about = brokenIn(few).filter((sentence) => sentence.includes(" rows: "))
      expect(about).toEqual(status === "held" ? ["rows.jsonl: rows: expected 60, got 3"] : [])
    }).pipe(Effect.scoped)
  )

  it.live("ignores the verdicts that a `write` names, for this output only", () =>
    Effect.gen(function* () {
      const names = ["rows", "price filled", "type"]
      const definition = (ignore: ReadonlyArray<string>) =>
        `  - id: in\n    read: in.jsonl\n  - write: { jsonl: rows.jsonl, health: { ignore: ${JSON.stringify(ignore)} } }\n  - from: in\n    write: { jsonl: other.jsonl, health: { onBroken: warn } }\n`
      const { run, write } = yield* learned(5, {}, definition([]))
      write(
        "in.jsonl",
        products(12, ({ id }) => ({ id: `no ${id}`, title: `Product ${id}`, price: null }))
      )
      const broken = (file: string, ended: Ended) =>
        brokenIn(ended)
          .filter((sentence) => sentence.startsWith(`${file}: `))
          .map((text) => text.split(": ")[1])
      const all = ["id type", "price filled", "rows"]
      for (const [ignore, left] of [
        [[], all],
        [["rows"], ["id type", "price filled"]],
        [["title filled", "filled", "type"], ["rows"]],
        [names, []]
      ] as const) {
        const ended = yield* run(definition(ignore))
        expect(ended.summary.status).toBe(left.length === 0 ? "completed" : "held")
        expect(broken("rows.jsonl", ended).toSorted()).toEqual(left)
        expect(broken("other.jsonl", ended).toSorted()).toEqual(all)
      }
    }).pipe(Effect.scoped)
  )

  it.live("has rules for a field in those outputs that have its column, also where each value is empty", () =>
    Effect.gen(function* () {
      const frame = "health: { onBroken: warn, fields: { price: { filled: 90% }, size: { filled: 10% } } }\n"
      const definition = `  - id: in
    read: in.jsonl
  - select: { id: id }
  - write: { jsonl: ids.jsonl }
  - from: in
    write: { jsonl: rows.jsonl }
  - from: in
    select: { id: id, price: "id < 0 ? 1 : null" }
  - write: { jsonl: empty.jsonl }
`
      const { run } = yield* learned(0)
      const broken = ({ warnings }: Ended) => warnings.filter((warning) => warning.startsWith("broken: ")).toSorted()
      // No output has a size: the rule counts for each.
      const size = ["empty", "ids", "rows"].map(
        (file) => `broken: ${file}.jsonl: size filled: expected at least 10 % (health.fields), got 0 %`
      )
      const price = "broken: empty.jsonl: price filled: expected at least 90 % (health.fields), got 0 %"
      for (let each = 0; each < 2; each++)
        expect(broken(yield* run(definition, { frame })).map((text) => text.split(", since")[0])).toEqual(
          [price, ...size].toSorted()
        )
      // A column of an earlier run counts as well.
      expect(
        broken(
          yield* run(definition.replace("write: { jsonl: rows", "select: { id: id }\n  - write: { jsonl: rows"), {
            frame
          })
        )
      ).toHaveLength(4)
    }).pipe(Effect.scoped)
  )

  it.live("reports a field that an `extract` finds no more: by a verdict, or by a warning of the step", () =>
    Effect.gen(function* () {
      const definition =
        "  - read: in.jsonl\n  - extract: { fields: { title: h1, price: .price } }\n  - write: { jsonl: out.jsonl }\n"
      const pages = (count: number, name: string) =>
        jsonLines(
          Array.from({ length: count }, (_, id) => ({
            url: `https://a.example/${id}`,
            html: `<h1>T${id}</h1><b class="${name}">${id + 1}</b>`
          }))
        )
      const ofStep = (rows: number) => `no value of "price" in ${rows} rows: sluice extract PAGE shows what a page has`
      for (const [rows, ignore, expected] of [
        // Runs of fewer than five rows are not judged.
        [4, "[]", [ofStep(6)]],
        [6, "[matched, filled]", [ofStep(6)]],
        [6, "[]", []]
      ] as const) {
        const { run, write } = yield* project()
        const frame = `health: { ignore: ${ignore} }\n`
        write("in.jsonl", pages(rows, "price"))
        for (let n = 0; n < 5; n++) yield* run(definition, { frame })
        write("in.jsonl", pages(6, "cost"))
        const lost = yield* run(definition, { frame })
        expect(
          lost.warnings.filter((text) => text.includes("no value of")).map((text) => text.replace(/^.*?: /, ""))
        ).toEqual(expected)
        if (expected.length === 0) expect(brokenIn(lost).join()).toContain("extract: price matched: expected 100 %")
      }
    }).pipe(Effect.scoped)
  )

  it.live("names each verdict once, also for files whose names end alike, and for the user's own rules", () =>
    Effect.gen(function* () {
      const definition = `  - id: in
    read: in.jsonl
  - write: { jsonl: big-out.jsonl, health: { rows: { min: 10 } } }
  - from: in
    write: { jsonl: out.jsonl, health: { rows: { min: 10 }, onBroken: warn } }
  - from: in
    extract: { fields: { price: .price } }
  - write: { jsonl: page.jsonl }
  - from: in
    select: { id: id, price: "id < 0 ? 1 : null" }
  - write: { jsonl: empty.jsonl, health: { fields: { price: { filled: 50% } } } }
`
      const pages = (name: string) =>
        jsonLines(
          Array.from({ length: 9 }, (_, id) => ({
            id,
            url: `https://a.example/${id}`,
            html: `<b class="${name}">${id}</b>`
          }))
        )
      const { run, write } = yield* project()
      write("in.jsonl", pages("price"))
      for (let n = 0; n < 5; n++) yield* run(definition, { frame: "health: { onBroken: off }\n" })
      write("in.jsonl", pages("cost"))
      const broken = brokenIn(yield* run(definition)).map((text) => text.split(": expected")[0])
      expect(broken.toSorted()).toEqual([
        "big-out.jsonl: rows",
        "empty.jsonl: price filled",
        "extract: price matched",
        "out.jsonl: rows"
      ])
    }).pipe(Effect.scoped)
  )

  it.live("goes with the run when it is deleted", () =>
    Effect.gen(function* () {
      const { ledger, run } = yield* learned(0)
      const { runId } = yield* run(steps)
      yield* ledger.retention.runs({ before: Date.now() + 1_000, keepLast: 0 })
      expect(yield* ledger.health.of(runId)).toBeUndefined()
      expect(yield* ledger.health.profiles(runId)).toEqual(new Map())
    }).pipe(Effect.scoped)
  )
})
