import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Data, keyOf } from "../../src/Row.ts"
import { check } from "../../src/Step/Check.ts"
import { dedupe } from "../../src/Step/Dedupe.ts"
import { drop } from "../../src/Step/Drop.ts"
import { explode } from "../../src/Step/Explode.ts"
import { flatten } from "../../src/Step/Flatten.ts"
import { limit } from "../../src/Step/Limit.ts"
import { sample } from "../../src/Step/Sample.ts"
import { select } from "../../src/Step/Select.ts"
import { sort } from "../../src/Step/Sort.ts"
import { where } from "../../src/Step/Where.ts"
import type * as Step from "../../src/Step.ts"
import { type Around, configOf, contextOf, newWorld, pass, provided, rowsOf } from "./Machine.ts"

const of = (step: Step.Any, config: unknown, data: ReadonlyArray<Data>, around?: Around) =>
  Effect.map(pass(step, config, rowsOf(data), [], around), (result) => ({
    ...result,
    data: result.rows.map(([, each]) => each),
    keys: result.rows.map(([key]) => key)
  }))

const mistakesOf = (step: Step.Any, config: unknown) => Either.flip(configOf(step, config)).pipe(Either.getOrThrow)

describe("where and select", () => {
  it.effect("reject the row whose expression fails, and go on in order", () =>
    Effect.gen(function* () {
      const data = [{ n: 1 }, { n: "x" }, { n: 3 }]
      const kept = yield* of(where, "n + 0 > 0", data)
      expect(kept.data).toEqual([{ n: 1 }, { n: 3 }])
      expect(kept.rejects.map(([, reason]) => reason)).toEqual(["ExpressionFailed"])
      // The first is evaluated without a fiber, the second by JSONata.
      const made = yield* of(select, { twice: "n * 2", sum: "$sum([n, 1])" }, data)
      expect(made.data).toEqual([
        { twice: 2, sum: 2 },
        { twice: 6, sum: 4 }
      ])
      expect(made.rejects.length).toBe(1)
    })
  )

  it.effect("see the key and the source of each row, whichever way the expression is evaluated", () =>
    Effect.gen(function* () {
      const rows = [0, 1].map((n) => ({ data: { n }, key: `key ${n}`, source: { name: `source ${n}` } }))
      const { rows: made } = yield* pass(
        select,
        { key: "$key", name: "$source.name", all: "$map([$key], $uppercase)" },
        rows
      )
      expect(made.map(([, data]) => data)).toEqual([
        { key: "key 0", name: "source 0", all: "KEY 0" },
        { key: "key 1", name: "source 1", all: "KEY 1" }
      ])
    })
  )
})

describe("limit", () => {
  it.effect("cuts within a chunk and says that it is full", () =>
    provided(
      Effect.gen(function* () {
        const { make } = limit.behaviour as unknown as Extract<Step.Behaviour<number>, { kind: "transform" }>
        const machine = yield* make(3, contextOf({}, newWorld()), { value: 1, entries: [] })
        expect(machine.full?.()).toBe(false)
        expect((yield* machine.push(rowsOf([{ n: 1 }, { n: 2 }, { n: 3 }]))).length).toBe(2)
        expect(machine.full?.()).toBe(true)
        expect(yield* machine.save ?? Effect.succeed({})).toEqual({ value: 3 })
      }).pipe(Effect.scoped)
    )
  )
})

describe("explode", () => {
  it.effect("gives every item an identity of its own, also one within another", () =>
    Effect.gen(function* () {
      const data = [{ url: "https://x.example/", pages: [{ links: ["a", "b"] }, { links: ["c"] }] }]
      const first = yield* pass(explode, "pages", rowsOf(data))
      const again = first.rows.map(([key, each]) => ({ key, data: each }))
      const second = yield* pass(explode, { list: "pages.links", as: "link" }, again)
      expect(second.rows.map(([key]) => key)).toEqual([
        "https://x.example/#0#0",
        "https://x.example/#0#1",
        "https://x.example/#1#0"
      ])
      expect(second.rows.map(([, { link }]) => link)).toEqual(["a", "b", "c"])
    })
  )

  it.effect("takes what is no list for a list of one, and nothing for none", () =>
    Effect.gen(function* () {
      const { data } = yield* of(explode, "list", [{ list: { a: 1 } }, { list: null }, {}, { list: [] }, { list: "x" }])
      expect(data).toEqual([{ list: { a: 1 } }, { list: "x" }])
    })
  )
})

describe("dedupe across runs", () => {
  const page = (path: string, text = "same") => ({ url: `https://x.example/${path}`, text })
  const entry = (path: string, value: string | null) => ({
    key: `https://x.example/${path}`,
    value,
    firstSeen: 0,
    lastSeen: 86_400_000
  })
  const all = ["new", "changed", "unchanged", "gone"]
  const config = { key: "url", across: "runs", changedWhen: "text", emit: all }
  /** SHA-256 of "same". */
  const same = "0967115f2813a3541eaef77de9d9d5773f1c0c04314b0bbfe4ff3b3b1c55b5d5"

  it.effect("tells new, changed, unchanged and gone rows, and what to remember of each", () =>
    Effect.gen(function* () {
      const earlier = [entry("changed", "other"), entry("gone", same), entry("kept", same)]
      const { data, keys, puts } = yield* of(
        dedupe,
        config,
        [page("new"), page("kept"), page("changed"), page("kept", "twice")],
        { earlier }
      )
      expect(data).toEqual([
        { ...page("new"), change: "new" },
        { ...page("kept"), change: "unchanged" },
        { ...page("changed"), change: "changed" },
        {
          key: "https://x.example/gone",
          url: "https://x.example/gone",
          change: "gone",
          firstSeen: "1970-01-01T00:00:00.000Z",
          lastSeen: "1970-01-02T00:00:00.000Z"
        }
      ])
      expect(keys[3]).toBe("https://x.example/gone")
      expect(puts.map(({ key, value }) => [key.slice(18), value])).toEqual([
        ["new", same],
        ["kept", same],
        ["changed", same],
        ["gone", undefined]
      ])
      expect(puts.every(({ key, rowKey }) => key === rowKey)).toBe(true)
    })
  )

  it.effect("says of nothing that it is gone when not all was read, or the run has met it otherwise", () =>
    Effect.gen(function* () {
      const earlier = [entry("a", same), entry("b", same)]
      const unread = yield* of(dedupe, config, [], { earlier, complete: false })
      expect(unread.data).toEqual([])
      expect(unread.puts).toEqual([])
      expect(unread.warnings).toEqual([
        "step: not everything was read, so no row is reported as gone and no state is forgotten (read: it reached its limit)"
      ])
      const met = yield* of(dedupe, config, [], { earlier, met: ["https://x.example/a"] })
      expect(met.data.map(({ key }) => key)).toEqual(["https://x.example/b"])
    })
  )

  it.effect("leaves out none of what is gone when a resumed run has met more pages than before", () =>
    Effect.gen(function* () {
      const earlier = Array.from({ length: 1500 }, (_, index) => entry(String(10_000 + index), same))
      let lives = 0
      const around = {
        earlier,
        get met() {
          return lives++ === 0 ? [] : earlier.slice(0, 100).map(({ key }) => key)
        }
      }
      const { rows } = yield* pass(
        dedupe,
        config,
        [],
        [
          { rows: 0, after: "checkpoint" },
          { rows: 0, after: "crash" },
          { rows: 0, after: "nothing" }
        ],
        around
      )
      expect(lives).toBe(2)
      expect(rows.map(([key]) => key)).toEqual(earlier.map(({ key }) => key))
    })
  )

  it.effect("takes everything for new, and keeps nothing, in a run that has no state", () =>
    Effect.gen(function* () {
      const { data, puts } = yield* of(dedupe, { key: "url", across: "runs" }, [page("a"), page("a"), page("b")])
      expect(data.map(({ change }) => change)).toEqual(["new", "new"])
      expect(puts).toEqual([])
    })
  )

  it.effect("rejects a row whose field it would write over, and writes another one when told", () =>
    Effect.gen(function* () {
      const data = [{ url: "https://x.example/", change: "mine" }]
      const refused = yield* of(dedupe, { key: "url", across: "runs" }, data, { earlier: [] })
      expect(refused.rejects.map(([, reason]) => reason)).toEqual(["FieldExists"])
      expect(refused.puts).toEqual([])
      const named = yield* of(dedupe, { key: "url", across: "runs", as: "kind" }, data, { earlier: [] })
      expect(named.data).toEqual([{ ...data[0], kind: "new" }])
    })
  )

  it.effect("does not take a page for changed because changedWhen was added", () =>
    Effect.gen(function* () {
      const { data, puts } = yield* of(dedupe, config, [page("a")], { earlier: [entry("a", null)] })
      expect(data.map(({ change }) => change)).toEqual(["unchanged"])
      expect(puts.map(({ value }) => value)).toEqual([same])
    })
  )

  it("refuses fields that mean nothing", () => {
    expect(mistakesOf(dedupe, { emit: ["new"] })[0]).toContain("add across: runs")
    expect(mistakesOf(dedupe, { across: "runs", emit: ["changed"] })[0]).toContain("without changedWhen")
    expect(mistakesOf(dedupe, { across: "runs", as: "url" })[0]).toContain("a field url already")
  })
})

describe("drop", () => {
  it.effect("leaves out fields, paths, what lists hold, and names with a dot; the row stays the same row", () =>
    Effect.gen(function* () {
      const before = {
        url: "https://x.example/",
        html: "x",
        metadata: { a: 1, description: "d" },
        links: [{ t: 1, u: 2 }]
      }
      const { data, keys } = yield* of(
        drop,
        ["url", "metadata.description", "links.t", "a.b", "none.such"],
        [{ ...before, "a.b": 1, a: { b: 2 } }]
      )
      expect(data).toEqual([{ html: "x", metadata: { a: 1 }, links: [{ u: 2 }], a: { b: 2 } }])
      expect(keys).toEqual(["https://x.example/"])
    })
  )

  it.effect("leaves out a field named __proto__ and keeps one that is not meant", () =>
    Effect.gen(function* () {
      const hostile = JSON.parse('{"__proto__":{"x":1},"a":1}') as Data
      expect(JSON.stringify((yield* of(drop, "__proto__", [hostile])).data)).toBe('[{"a":1}]')
      expect(JSON.stringify((yield* of(drop, "a", [hostile])).data)).toBe('[{"__proto__":{"x":1}}]')
    })
  )
})

describe("flatten", () => {
  it.effect("names nested values by their path, as deep as it is told", () =>
    Effect.gen(function* () {
      const row = { a: { b: { c: 1 }, d: [1, { e: 2 }], f: {} }, g: null }
      expect((yield* of(flatten, {}, [row])).data).toEqual([{ "a.b.c": 1, "a.d": [1, { e: 2 }], "a.f": {}, g: null }])
      expect((yield* of(flatten, { separator: "_", depth: 1, lists: "json" }, [row])).data).toEqual([
        { a_b: { c: 1 }, a_d: '[1,{"e":2}]', a_f: {}, g: null }
      ])
    })
  )

  it.effect("rejects a row in which two values would have one name, and takes __proto__ for a name", () =>
    Effect.gen(function* () {
      const { data, rejects } = yield* of(flatten, {}, [
        { "a.b": 1, a: { b: 2 } },
        JSON.parse('{"__proto__":{"x":1}}') as Data
      ])
      expect(data).toEqual([{ "__proto__.x": 1 }])
      expect(rejects.map(([, reason]) => reason)).toEqual(["FieldTwice"])
    })
  )
})

describe("sample", () => {
  const data = Array.from({ length: 2000 }, (_, n) => ({ n }))

  it.effect("gives so many rows in their order, others in another run, and all when there are fewer", () =>
    Effect.gen(function* () {
      const one = (yield* of(sample, { rows: 50 }, data)).data.map(({ n }) => Number(n))
      expect(one.length).toBe(50)
      expect(one).toEqual(one.toSorted((a, b) => a - b))
      expect(new Set(one).size).toBe(50)
      expect((yield* of(sample, { rows: 50 }, data, { runId: "run-2" })).data.map(({ n }) => n)).not.toEqual(one)
      expect((yield* of(sample, { rows: 5000 }, data)).data).toEqual(data)
    })
  )

  it.effect("chooses fairly: a share comes near to what it says, and every place is as likely", () =>
    Effect.gen(function* () {
      const share = (yield* of(sample, { share: "25%" }, data)).data.length
      expect(Math.abs(share - 500)).toBeLessThan(100)
      expect((yield* of(sample, { share: "100%" }, data)).data).toEqual(data)
      const halves = [0, 0]
      for (let run = 0; run < 40; run++) {
        for (const { n } of (yield* of(sample, { rows: 20 }, data, { runId: `run-${run}` })).data) {
          halves[Number(n) < 1000 ? 0 : 1] = (halves[Number(n) < 1000 ? 0 : 1] ?? 0) + 1
        }
      }
      expect(Math.abs((halves[0] ?? 0) - 400)).toBeLessThan(80)
    })
  )
})

describe("sort", () => {
  const by = (by: unknown, values: ReadonlyArray<unknown>, more: object = {}) =>
    Effect.map(
      of(
        sort,
        { by, ...more },
        values.map((n, at) => (n === undefined ? { at } : { n, at }))
      ),
      (result) => ({ ...result, values: result.data.map(({ n }) => n), order: result.data.map(({ at }) => at) })
    )

  it.effect("orders numbers, texts, false and true; nothing comes last in either order", () =>
    Effect.gen(function* () {
      const values = [null, "b", 10, true, "B", undefined, 9, false, "ä", ""]
      const up = yield* by("n", values)
      expect(up.values).toEqual([9, 10, "", "B", "b", "ä", false, true, null, undefined])
      const down = yield* by([{ expr: "n", order: "desc" }], values)
      expect(down.values).toEqual([true, false, "ä", "b", "B", "", 10, 9, null, undefined])
    })
  )

  it.effect("keeps the order of equal rows, and lets later expressions decide", () =>
    Effect.gen(function* () {
      expect((yield* by("n", [1, 0, 1, 0, 1])).order).toEqual([1, 3, 0, 2, 4])
      expect(
        (yield* by(
          [
            { expr: "n", order: "desc" },
            { expr: "at", order: "desc" }
          ],
          [1, 0, 1]
        )).order
      ).toEqual([2, 0, 1])
    })
  )

  it.effect("holds no more rows than it is told, but gives the first of any number", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 5000 }, (_, index) => (index * 7919) % 5000)
      const failed = yield* Effect.flip(by("n", many, { maxRows: 4999 }))
      expect(failed.reason).toBe("TooManyRows")
      expect(failed.message).toContain("4,999 rows")
      expect((yield* by("n", many, { limit: 3, maxRows: 10 })).values).toEqual([0, 1, 2])
    })
  )

  it.effect("rejects a row that has no place in an order", () =>
    Effect.gen(function* () {
      const { rejects, values } = yield* by("n", [2, [1], 1])
      expect(values).toEqual([1, 2])
      expect(rejects.map(([, reason]) => reason)).toEqual(["NotSortable"])
    })
  )
})

describe("check", () => {
  const rules = [
    { rule: "words > 0", message: "empty document" },
    { rule: "$length(title) < 5", onFail: "warn" }
  ]

  it.effect("rejects by the first rule that is broken, and counts warnings for the end", () =>
    Effect.gen(function* () {
      const { data, rejects, warnings } = yield* of(check, rules, [
        { words: 1, title: "ok" },
        { words: 0, title: "much too long" },
        { words: 2, title: "too long" },
        { words: 3, title: 5 },
        { title: "no words" }
      ])
      expect(data.map(({ words }) => words)).toEqual([1, 2, 3])
      expect(rejects.map(([, reason]) => reason)).toEqual(["CheckFailed", "CheckFailed"])
      expect(warnings).toEqual(["step: 2 rows: does not hold: $length(title) < 5"])
    })
  )

  it.effect("stops the run where it is told to, with the row and the rule", () =>
    Effect.gen(function* () {
      const data = [{ url: "https://x.example/", n: 0 }]
      const failed = yield* Effect.flip(of(check, [{ rule: "n > 0", onFail: "fail", message: "n is 0" }], data))
      expect(failed).toMatchObject({ reason: "CheckFailed", message: "https://x.example/: n is 0" })
    })
  )
})

it("a row keeps its identity through steps that change its content", () => {
  const row = { data: { url: "https://x.example/A/" } }
  return Effect.runPromise(
    Effect.map(pass(select, { title: "url" }, [row]), ({ rows }) => expect(rows[0]?.[0]).toBe(keyOf(row)))
  )
})
