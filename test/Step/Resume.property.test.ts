/** Steps keep their results over crashes: a run that is killed and resumed gives what an undisturbed run gives. */
import { join } from "node:path"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as TestContext from "effect/TestContext"
import * as fc from "fast-check"
import { expect, it } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { type Ended, jsonLines, type Options, type Project, project, rowsIn, stepLine } from "../Project.ts"
import { repetitions } from "../Repetitions.ts"
import { type Event, killedAtCommits, live, pacer, play, until } from "../Run/Lives.ts"
import { page } from "./Odd.ts"

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
  { requiredKeys: ["list", "url"] }
)

const events = fc
  .array(
    fc.record({
      rows: fc.integer({ min: 1, max: 7 }),
      after: fc.constantFrom<Event["after"]>("nothing", "nothing", "commit", "kill")
    }),
    { minLength: 1, maxLength: 12 }
  )
  .map(
    (plan): ReadonlyArray<Event> =>
      plan.some(({ after }) => after === "kill") ? plan : [{ rows: 1, after: "kill" }, ...plan]
  )

/**
 * Killed for certain, as the last rows are not delivered before the kill. Between the two commits, `aggregate` with two groups in memory
 * moves its groups to disk twice.
 */
const killed: [rows: Array<typeof data extends fc.Arbitrary<infer Row> ? Row : never>, plan: ReadonlyArray<Event>] = [
  Array.from({ length: 10 }, (_, n) => ({
    url: `https://x.example/${n}`,
    n,
    nested: { a: n, b: { c: n } },
    list: [n]
  })),
  [
    { rows: 1, after: "commit" },
    { rows: 7, after: "commit" },
    { rows: 1, after: "kill" }
  ]
]

const measures = {
  rows: "count",
  sum: { sum: "$number(url ~> $substringAfter('example/'))" },
  least: { min: "n" },
  first: { first: "nested" },
  values: { list: "n", max: 4 },
  kinds: { countDistinct: "list" }
}

const steps: ReadonlyArray<readonly [key: string, fields: unknown]> = [
  ["where", "n > 2 or m = 1"],
  ["select", { k: "$key", n: "n", sum: "m + 1", both: "list[0] & n" }],
  ["explode", "list"],
  ["limit", 7],
  ["dedupe", {}],
  ["dedupe", { key: "n" }],
  ["dedupe", { key: "url", across: "runs", changedWhen: "n", emit: ["new", "changed", "unchanged", "gone"] }],
  ["dedupe", { key: "url", across: "runs" }],
  ["dedupe", { key: "url", across: "runs", changedWhen: "n", previous: ["m", "n"], emit: ["changed", "gone"] }],
  ["dedupe", { key: "url", across: "runs", changedIn: "nested", emit: ["new", "changed", "unchanged", "gone"] }],
  ["drop", ["nested.a", "list.a", "m"]],
  ["flatten", { lists: "json" }],
  ["sample", { rows: 5 }],
  ["sample", { share: "40%" }],
  ["sort", { by: [{ expr: "n", order: "desc" }, "m"] }],
  ["sort", { by: "n", limit: 3 }],
  ["sort", { by: ["n", { expr: "m", order: "desc" }], maxRows: 3 }],
  ["sort", { by: "n", limit: 9, maxRows: 2 }],
  ["join", { file: "right.jsonl", on: "n", fields: ["says"] }],
  ["join", { file: "right.jsonl", on: { left: "m", right: "n" }, many: "all", as: "other", type: "inner" }],
  ["aggregate", { by: "n", measures }],
  ["aggregate", { by: { m: "m", a: "nested.a" }, measures, maxGroups: 2 }],
  ["check", [{ rule: "n != 1" }, { rule: "m > 0", onFail: "warn" }]],
  ["use", { module: "./twice.mjs" }]
]

/** Every step in a branch of its own, so that one run tries all of them. */
const branches = steps
  .map(
    ([key, fields], index) => `  - id: ${key}-${index}
    from: rows
    ${stepLine(key, fields).slice(4)}  - select: { key: $key, data: $ }
  - write: { jsonl: ${index}.jsonl }
`
  )
  .join("")

/** All rows at once. */
const direct = `  - id: rows\n    read: in.jsonl\n${branches}`

/** Rows that arrive one by one: each is in the answer to the scrape of its address. */
const paced = `  - read: addresses.jsonl
  - scrape: {}
    concurrency: 1
  - id: rows
    use: { module: ./unwrap.mjs }
${branches}`

const files = {
  "unwrap.mjs": "export default ({ json }) => json\n",
  "right.jsonl": jsonLines([
    { n: 1, says: "one" },
    { n: 1, says: "uno" },
    { n: "10", says: "ten" },
    { n: "a", says: "letter" }
  ]),
  "twice.mjs": `export default (row) => {
  if (row.n === 3) throw new Error("three")
  return row.n === null ? undefined : [row, { n: row.n }]
}\n`
}

/** Addresses that earlier runs have seen, some of them with the fields of their rows. */
const earlier = [0, 1, 2, 3, 20, 21, 22].map((n) => {
  const url = `https://x.example/${n}`
  return [url, n % 2 === 0 ? null : { hash: "other", fields: { url, n, m: [n] } }] as const
})

/** Steps that compare with earlier runs. */
const stateful = steps.flatMap(([key, fields], index) =>
  JSON.stringify(fields).includes('"runs"') ? [`${key}-${index}`] : []
)

/** Leaves out the times of visits. */
const timeless = (name: string, value: unknown) => (name === "at" || name === "run" ? undefined : value)

/** Rows and state that one run of all branches leaves, with a state of its own. */
const resultOf = (
  here: Project,
  id: string,
  run: (options: Options) => Effect.Effect<{ readonly ended: Pick<Ended, "outcome" | "rejects" | "warnings"> }, unknown>
) =>
  Effect.gen(function* () {
    // The data of the runs have nothing in common, so a comparison with earlier runs would hold their outputs.
    const frame = `state: { key: "${id}" }\nhealth: off\n`
    for (const step of stateful) {
      for (const [key, value] of earlier) yield* here.ledger.states.set(id, step, key, value)
    }
    const out = join(here.folder, id)
    const { ended } = yield* run({ allowCode: true, frame, id, out, now: new Date("2026-01-01") })
    const state = yield* Stream.runCollect(here.ledger.states.entries(id))
    return {
      status: Either.isRight(ended.outcome) ? "completed" : ended.outcome.left.message,
      rows: steps.map((_, index) => rowsIn(join(out, `${index}.jsonl`))),
      rejects: ended.rejects.map(({ error, key, message, step }) => [step, key, error, message].join(" ")).sort(),
      warnings: ended.warnings.filter((warning) => warning.startsWith("check")).sort(),
      state: Chunk.toReadonlyArray(state)
        .map(({ key, step, value }) => [step, key, JSON.stringify(value, timeless)].join(" "))
        .sort()
    }
  })

it.scoped.skipIf(skipsLong)("every step gives the same after any kills, however its rows arrive", function* () {
  let list: ReadonlyArray<object> = []
  const pace = pacer({
    answer: (url) => ({ ...page(url), json: list[Number(new URL(url).searchParams.get("utm_source"))] })
  })
  // A project for undisturbed runs and one for killed runs: their runs have the same ids, which `sample` depends on.
  const calm = yield* project({ files, onTestClock: true })
  const stormy = yield* project({ files, onTestClock: true, service: pace.service })
  let number = 0
  let resumed = 0
  yield* Effect.promise(() =>
    fc.assert(
      fc.asyncProperty(fc.array(data, { minLength: 1, maxLength: 30, size: "max" }), events, async (rows, plan) => {
        list = rows
        const id = `run-${number++}`
        const expected = resultOf(calm, id, (options) =>
          Effect.suspend(() => {
            calm.write("in.jsonl", jsonLines(rows))
            return Effect.map(calm.run(direct, options), (ended) => ({ ended }))
          })
        )
        const actual = resultOf(stormy, id, (options) =>
          Effect.suspend(() => {
            const addresses = rows.map(({ url }, index) => ({ url: `${url}?utm_source=${index}` }))
            stormy.write("addresses.jsonl", jsonLines(addresses))
            return Effect.map(play(stormy, pace, paced, plan, options), (ended) => {
              if (ended.lives > 1) resumed++
              return { ended }
            })
          })
        )
        const run = <A, E>(effect: Effect.Effect<A, E>) =>
          Effect.runPromise(Effect.provide(effect, TestContext.TestContext))
        expect(await run(actual)).toEqual(await run(expected))
      }),
      { numRuns: repetitions(25, 2), examples: [killed], endOnFailure: true }
    )
  )
  expect(resumed).toBeGreaterThan(0)
})

it.scoped("sort with a limit keeps few rows in its checkpoints, also over kills", function* () {
  const rows = Array.from({ length: 10_000 }, (_, index) => ({ n: (index * 7919) % 10_000 }))
  const here = yield* project({ files: { "in.jsonl": jsonLines(rows) }, onTestClock: true })
  let most = 0
  const ended = yield* killedAtCommits(
    here,
    "  - read: in.jsonl\n  - sort: { by: n, limit: 3 }\n  - write: { jsonl: rows.jsonl }\n",
    {
      kills: 2,
      source: "read",
      looked: Effect.map(
        Effect.orDie(here.ledger.connection.sql<{ readonly count: number }>`SELECT count(*) AS count FROM entries`),
        ([entries]) => {
          most = Math.max(most, entries?.count ?? 0)
        }
      )
    }
  )
  expect(ended.rows.map(({ n }) => n)).toEqual([0, 1, 2])
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(2000)
})

it.scoped.each([["in memory", 100_000] as const, ["on disk", 400] as const])(
  "sort emits every row once when it is killed while it emits, %s",
  function* ([, maxRows]) {
    const rows = Array.from({ length: 2_100 }, (_, index) => ({ n: (index * 7919) % 2_100 }))
    const pace = pacer()
    const here = yield* project({
      files: { "in.jsonl": jsonLines(rows) },
      onTestClock: true,
      service: pace.service
    })
    // The scrape of some rows holds up the others: a thousand are emitted at a time.
    const definition = `  - read: in.jsonl
  - id: sorted
    sort: { by: n, maxRows: ${maxRows} }
  - write: { jsonl: rows.jsonl }
  - from: sorted
    where: n % 100 = 0
  - scrape: { url: { expr: "'http://x.example/' & n" } }
`
    const first = yield* live(here, pace, definition)
    yield* until(() => pace.waiting() > 0)
    yield* first.commit
    yield* first.kill
    const second = yield* live(here, pace, definition, {}, first.run.id)
    expect((yield* second.end)._tag).toBe("Right")
    expect(rowsIn(`${here.folder}/rows.jsonl`).map(({ n }) => n)).toEqual(rows.map((_, index) => index))
  }
)
