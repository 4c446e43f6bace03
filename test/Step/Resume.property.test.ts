import { writeFileSync } from "node:fs"
import { join as joinPath } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { check } from "../../src/Step/Check.ts"
import { dedupe } from "../../src/Step/Dedupe.ts"
import { drop } from "../../src/Step/Drop.ts"
import { explode } from "../../src/Step/Explode.ts"
import { flatten } from "../../src/Step/Flatten.ts"
import { join } from "../../src/Step/Join.ts"
import { limit } from "../../src/Step/Limit.ts"
import { sample } from "../../src/Step/Sample.ts"
import { select } from "../../src/Step/Select.ts"
import { sort } from "../../src/Step/Sort.ts"
import { use } from "../../src/Step/Use.ts"
import { where } from "../../src/Step/Where.ts"
import type * as Step from "../../src/Step.ts"
import { tempDir } from "../Local.ts"
import { repetitions } from "../Repetitions.ts"
import { type Around, type Event, pass, rowsOf } from "./Machine.ts"

const value = fc.oneof(
  fc.integer({ min: -3, max: 9 }),
  fc.constantFrom("", "a", "b", "B", "ä", "10"),
  fc.constant(null),
  fc.boolean()
)

const data = fc.record(
  {
    url: fc.integer({ min: 0, max: 12 }).map((number) => `https://x.example/${number}`),
    n: value,
    m: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant([1])),
    list: fc.array(fc.oneof(value, fc.record({ a: value })), { maxLength: 3 }),
    nested: fc.record({ a: value, b: fc.record({ c: value }) }),
    "nested.a": value
  },
  { requiredKeys: ["list"] }
)

const events = fc.array(
  fc.record({
    rows: fc.integer({ min: 1, max: 7 }),
    after: fc.constantFrom<Event["after"]>("nothing", "nothing", "checkpoint", "crash")
  }),
  { minLength: 1, maxLength: 12 }
)

const earlier = [0, 1, 2, 3, 20, 21, 22].map((number) => ({
  key: `https://x.example/${number}`,
  value: null,
  firstSeen: 1,
  lastSeen: 2
}))

const cases: ReadonlyArray<readonly [step: Step.Any, config: unknown, around?: Around]> = [
  [where, "n > 2 or m = 1"],
  [select, { k: "$key", n: "n", sum: "m + 1", both: "list[0] & n" }],
  [explode, "list"],
  [limit, 7],
  [dedupe, {}],
  [dedupe, { key: "n" }],
  [
    dedupe,
    { key: "url", across: "runs", changedWhen: "n", emit: ["new", "changed", "unchanged", "gone"] },
    { earlier }
  ],
  [dedupe, { key: "url", across: "runs" }, {}],
  [drop, ["nested.a", "list.a", "m"]],
  [flatten, { lists: "json" }],
  [sample, { rows: 5 }],
  [sample, { share: "40%" }],
  [sort, { by: [{ expr: "n", order: "desc" }, "m"] }],
  [sort, { by: "n", limit: 3 }],
  [join, { file: "right.jsonl", on: "n", fields: ["says"] }],
  [join, { file: "right.jsonl", on: { left: "m", right: "n" }, many: "all", as: "other", type: "inner" }],
  [check, [{ rule: "n != 1" }, { rule: "m > 0", onFail: "warn" }]],
  [use, { module: "./twice.mjs" }]
]

const right = [
  { n: 1, says: "one" },
  { n: 1, says: "uno" },
  { n: "10", says: "ten" },
  { n: "a", says: "letter" }
]

it.scoped.each(cases.map((each) => [`${each[0].key} ${JSON.stringify(each[1])}`, ...each] as const))(
  "%s gives the same after any crashes, and however the rows come",
  ([, step, config, around]) =>
    Effect.gen(function* () {
      const folder = yield* tempDir
      writeFileSync(joinPath(folder, "right.jsonl"), right.map((row) => JSON.stringify(row)).join("\n"))
      writeFileSync(
        joinPath(folder, "twice.mjs"),
        `export default (row) => { if (row.n === 3) throw new Error("three"); return row.n === null ? undefined : [row, { n: row.n }] }`
      )
      const all = { ...around, folder, allowCode: true }
      let crashed = 0
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(data, { maxLength: 40, size: "max" }), events, async (list, plan) => {
            const rows = rowsOf(list)
            const { kept: _, ...expected } = await Effect.runPromise(pass(step, config, rows, [], all))
            const { kept: __, ...actual } = await Effect.runPromise(pass(step, config, rows, plan, all))
            expect(actual).toEqual(expected)
            if (plan.some(({ after }) => after === "crash")) crashed++
          }),
          // Loading code takes its time.
          { numRuns: step === use ? repetitions(10, 5) : repetitions(25, 12) }
        )
      )
      expect(crashed).toBeGreaterThan(repetitions(3, 0))
    })
)

it.effect("sort with a limit keeps no more than it may still need, over crashes too", () =>
  Effect.gen(function* () {
    const rows = rowsOf(Array.from({ length: 20_000 }, (_, index) => ({ n: (index * 7919) % 20_000 })))
    const plan = Array.from(
      { length: 200 },
      (_, index): Event => ({
        rows: 300,
        after: index % 7 === 5 ? "crash" : index % 2 === 0 ? "checkpoint" : "nothing"
      })
    )
    for (const events of [plan, plan.map((event): Event => ({ ...event, after: "checkpoint" }))]) {
      const { kept, rows: first } = yield* pass(sort, { by: "n", limit: 3 }, rows, events)
      expect(first.map(([, { n }]) => n)).toEqual([0, 1, 2])
      expect(kept).toBeLessThan(2000)
    }
  })
)

it.effect("sort gives rows of its end once, when it falls among them", () =>
  Effect.gen(function* () {
    const rows = rowsOf(Array.from({ length: 3500 }, (_, index) => ({ n: (index * 7919) % 3500 })))
    const plan: ReadonlyArray<Event> = [
      { rows: 3500, after: "checkpoint" },
      { rows: 0, after: "checkpoint" },
      { rows: 0, after: "crash" },
      { rows: 0, after: "nothing" }
    ]
    const { rows: sorted } = yield* pass(sort, { by: "n" }, rows, plan)
    expect(sorted.map(([, { n }]) => n)).toEqual(Array.from({ length: 3500 }, (_, index) => index))
  })
)
