import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { partition } from "../../src/Cluster/Partition.ts"
import { progressOf } from "../../src/Dashboard/RunView.ts"
import { Ledger } from "../../src/Ledger.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { diagramOf } from "../../src/Pipeline/Diagram.ts"
import { before } from "../../src/Pipeline/Graph.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import * as TestClock from "../../src/Run/Test/TestClock.ts"
import * as Run from "../../src/Run.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { layer } from "../Ledger/Fresh.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { repetitions } from "../Repetitions.ts"
import { offline } from "../Services.ts"

/** These pipelines ask no service; port 9 of loopback would refuse them. */
const scope = { env: {}, secrets: () => undefined }

const checked = (folder: string, body: string) =>
  Effect.flatMap(parseText("p.yaml", folder, `version: 1\nname: t\nsteps:\n${body}`), (source) =>
    check(source, { ...scope, inputs: {}, complete: true })
  )

const issuesIn = (body: string) =>
  Effect.map(Effect.flip(checked("/tmp", body)), ({ issues }) =>
    issues.map(({ column, line, message }) => `${line}:${column} ${message}`)
  ).pipe(Effect.provide(offline))

const write = (file: string, count: number) =>
  writeFileSync(file, Array.from({ length: count }, (_, n) => `${JSON.stringify({ n })}\n`).join(""))

const read = (file: string): ReadonlyArray<Record<string, unknown>> =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** Runs to the end; gives the summary, and the rows of a file. */
const run = (folder: string, body: string, options: Partial<Run.RunOptions> = {}) =>
  Effect.gen(function* () {
    const definition = yield* checked(folder, body)
    const made = yield* Run.make(definition, { ...scope, out: `${folder}/out`, dataDir: `${folder}/data`, ...options })
    const summary = yield* Effect.provide(made.execute, layer(`${folder}/data`))
    return { summary, rows: (file: string) => read(`${folder}/out/${file}`) }
  }).pipe(Effect.provide(offline), Effect.withClock(TestClock.make(new Date("2026-01-01"))))

/** Two sources, and branches of one of them that are quick, slow and empty. */
const diamond = `  - id: left
    read: left.jsonl
  - id: quick
    select: { n: n, of: '"quick"' }
  - id: slow
    from: left
    concurrency: 3
    each: true
    urls: ["https://a.example/1", "https://a.example/2"]
  - id: slow-rows
    select: { of: '"slow"', url: url }
  - id: none
    from: left
    where: n < 0
  - id: right
    after: quick
    read: right.jsonl
  - id: all
    from: [quick, slow-rows, none, right]
    select: { n: n, of: "of ? of : 'right'", url: url }
`

const expected = (left: number, right: number): ReadonlyArray<string> =>
  [
    ...Array.from({ length: left }, (_, n) => [
      { n, of: "quick" },
      { of: "slow", url: "https://a.example/1" },
      { of: "slow", url: "https://a.example/2" }
    ]).flat(),
    ...Array.from({ length: right }, (_, n) => ({ n, of: "right" }))
  ]
    .map((row) => JSON.stringify(row))
    .sort()

const sorted = (rows: ReadonlyArray<unknown>): ReadonlyArray<string> => rows.map((row) => JSON.stringify(row)).sort()

describe("branches that merge", () => {
  it.scopedLive(
    "emit every row of each branch once, in order within each branch, and end when all have ended",
    function* () {
      const folder = yield* tempDir
      write(`${folder}/left.jsonl`, 40)
      write(`${folder}/right.jsonl`, 7)
      const { rows, summary } = yield* run(
        folder,
        `${diamond}  - write: { jsonl: all.jsonl, order: input }
  - sort: { by: n, limit: 3 }
  - write: { jsonl: least.jsonl }
`
      )
      expect(summary).toMatchObject({ status: "completed", rows: 3, rejects: 0 })
      expect(sorted(rows("all.jsonl"))).toEqual(expected(40, 7))
      for (const branch of ["quick", "right"]) {
        const numbers = rows("all.jsonl").flatMap(({ n, of }) => (of === branch ? [n] : []))
        expect(numbers).toEqual(Array.from({ length: branch === "quick" ? 40 : 7 }, (_, n) => n))
      }
      const slow = rows("all.jsonl").flatMap(({ of, url }) => (of === "slow" ? [url] : []))
      expect(slow).toEqual(slow.map((_, at) => `https://a.example/${(at % 2) + 1}`))
      expect(rows("least.jsonl").map(({ n }) => n)).toEqual([0, 0, 1])
    }
  )

  it.scopedLive("work with a limit, a skipped step and a skipped branch", function* () {
    const folder = yield* tempDir
    write(`${folder}/rows.jsonl`, 20)
    const { rows } = yield* run(
      folder,
      `  - id: all
    read: rows.jsonl
  - id: even
    where: n % 2 = 0
  - id: odd
    from: all
    where: n % 2 = 1
    when: false
  - id: both
    from: [even, odd, all]
    where: n < 0
    when: false
  - write: { jsonl: both.jsonl }
  - from: both
    limit: 12
  - write: { jsonl: some.jsonl }
`
    )
    // A step that is left out passes its rows on: 10 even ones, and all of them twice.
    expect(rows("both.jsonl")).toHaveLength(50)
    expect(rows("some.jsonl")).toHaveLength(12)
  })

  it.scopedLive("count together when a share of their rows may be rejected", function* () {
    const folder = yield* tempDir
    write(`${folder}/rows.jsonl`, 100)
    const body = (share: string) => `  - id: all
    read: rows.jsonl
  - id: half
    where: n < 50
  - from: [all, half]
    check: [{ rule: "n >= 10", onFail: reject }]
    onError: { reject: true, stopAfter: ${share} }
  - write: { jsonl: rest.jsonl }
`
    // 20 of 150 are rejected.
    const { summary } = yield* run(folder, body("14%"))
    expect(summary).toMatchObject({ status: "completed", rejects: 20, rows: 130 })
    expect((yield* Effect.flip(run(folder, body("13%")))).message).toContain("stopAfter: 13%")
  })

  it.scopedLive.skipIf(skipsLong)(
    "neither lose nor duplicate a row, whenever and however often the run is killed",
    function* () {
      const runtime = yield* Effect.runtime<never>()
      const body = `${diamond}  - write: { jsonl: all.jsonl }
  - id: again
    from: [all, quick]
    each: true
    urls: ["https://b.example/"]
  - id: merged
    from: [again, all]
    dedupe: { key: "$key & url & of" }
  - from: [again, write]
    select: { n: n, url: url }
  - write: { jsonl: "parts/{part}-{seq}.jsonl.gz", partitionBy: { part: "$exists(n) ? n % 2 : 2" }, roll: { rows: 50 } }
`
      /** Runs the pipeline, killed after so many chunks and resumed, again and again. A kill keeps a copy of its files. */
      const trial = (kills: ReadonlyArray<number>, left: number, right: number) =>
        Effect.gen(function* () {
          const folder = yield* tempDir
          write(`${folder}/left.jsonl`, left)
          write(`${folder}/right.jsonl`, right)
          const definition = yield* checked(folder, body)
          const options = { ...scope, out: `${folder}/out`, dataDir: `${folder}/data` }
          const life = (more: Partial<Run.RunOptions>, at: number | undefined) =>
            Effect.gen(function* () {
              let seen = 0
              const made = yield* Run.make(definition, {
                ...options,
                ...more,
                observe: () =>
                  Effect.sync(() => {
                    if (++seen !== at) return
                    rmSync(`${folder}/killed`, { recursive: true, force: true })
                    for (const part of ["out", "data"]) {
                      if (existsSync(`${folder}/${part}`)) {
                        cpSync(`${folder}/${part}`, `${folder}/killed/${part}`, { recursive: true })
                      }
                    }
                  })
              })
              yield* Effect.provide(made.execute, layer(`${folder}/data`))
              return made.id
            })
          let id = yield* life({}, kills[0])
          for (const [index] of kills.entries()) {
            if (!existsSync(`${folder}/killed`)) break
            for (const part of ["out", "data"]) {
              rmSync(`${folder}/${part}`, { recursive: true, force: true })
              mkdirSync(`${folder}/killed/${part}`, { recursive: true })
              cpSync(`${folder}/killed/${part}`, `${folder}/${part}`, { recursive: true })
            }
            rmSync(`${folder}/killed`, { recursive: true })
            const resumed = yield* Effect.either(Effect.provide(Run.resuming(id, definition), layer(`${folder}/data`)))
            id = yield* life(resumed._tag === "Right" ? resumed.right : {}, kills[index + 1])
          }
          const record = yield* Effect.provide(
            Effect.flatMap(Ledger, ({ find }) => find(id)),
            layer(`${folder}/data`)
          )
          expect(record).toMatchObject({ status: "completed", rejects: 0 })
          expect(sorted(read(`${folder}/out/all.jsonl`))).toEqual(expected(left, right))
          const { gunzipSync } = yield* Effect.promise(() => import("node:zlib"))
          const parts = readdirSync(`${folder}/out/parts`).flatMap((name) =>
            gunzipSync(readFileSync(`${folder}/out/parts/${name}`))
              .toString()
              .trim()
              .split("\n")
          )
          const all = expected(left, right).map((line) => JSON.parse(line) as { n?: number; url?: string })
          const asked = Array.from({ length: all.length + left }, () => ({ url: "https://b.example/" }))
          expect([...parts].sort()).toEqual(sorted([...all.map(({ n, url }) => ({ n, url })), ...asked]))
        }).pipe(
          Effect.scoped,
          Effect.provide(offline),
          Effect.withClock(TestClock.make(new Date("2026-01-01"))),
          Effect.provide(runtime)
        )
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(
            fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 2 }),
            fc.integer({ min: 1, max: 14 }),
            fc.integer({ min: 0, max: 6 }),
            (kills, left, right) => Effect.runPromise(trial(kills, left, right))
          ),
          { numRuns: repetitions(6, 3), endOnFailure: true }
        )
      )
    }
  )

  it.effect("appear in graph, counts, plan and cluster split", offline, function* () {
    const definition = yield* checked("/tmp", `${diamond}  - write: { jsonl: all.jsonl }\n`)
    const { nodes } = definition
    expect(nodes.find(({ id }) => id === "all")?.inputs).toEqual(["quick", "slow-rows", "none", "right"])
    const drawing = diagramOf(definition)
    expect(drawing.edges.filter(({ to }) => to === "all").map(({ from, kind }) => [from, kind])).toEqual([
      ["quick", "rows"],
      ["slow-rows", "rows"],
      ["none", "rows"],
      ["right", "rows"]
    ])
    const given = { quick: 2, "slow-rows": 3, none: 5, right: 7, all: 17 }
    const counted = progressOf({ progress: { given }, updatedAt: 0 }, drawing, undefined)
    expect(counted.steps.find(({ step }) => step === "all")).toMatchObject({ in: 17, out: 17 })
    // Nearest first, and the source that two branches begin with once, behind them.
    expect(before(definition, "all")).toEqual(["quick", "slow-rows", "none", "right", "slow", "left"])
    const split = yield* checked(
      "/tmp",
      `  - id: all
    read: a.jsonl
  - id: one
    where: n > 1
  - id: two
    from: all
    where: n < 2
  - id: both
    from: [one, two]
    select: { n: n }
  - write: { jsonl: both.jsonl }
  - id: few
    from: two
    limit: 3
  - id: rest
    from: [few, both]
    select: { n: n }
`
    )
    const parts = partition(split, { limited: false })
    if (parts.kind !== "split") throw new Error(parts.why)
    expect(parts.shared.map(({ id }) => id)).toEqual(["one", "two", "both", "write"])
    expect(parts.tail.map(({ id }) => id)).toEqual(["few", "rest"])
    expect(parts.kept).toEqual(["two", "both"])
  })

  scoped("are refused when `from` names a step that cannot be read, each item at its place", function* () {
    expect(
      yield* issuesIn(`  - id: a
    read: a.jsonl
  - id: b
    from: [a, a]
    where: n
  - id: c
    from: [b, c, d, e]
    where: n
  - id: d
    where: n
  - id: v
    browser: {}
  - id: f
    from: [v, a, bb]
    where: n
  - from: []
    where: n
  - from: [3]
    where: n
  - from: g
    id: g
    where: n
  - from: [a, b]
    urls: [https://a.example/]
`)
    ).toEqual([
      '7:15 "a" is listed twice in from: remove one',
      '10:15 "c" is this step: it cannot read its own rows',
      '10:18 "d" is below this step: move "d" above it, because a step reads only steps above it',
      '10:21 there is no step "e" before this one, did you mean "a"?',
      '17:12 "v" gives a value and no rows: use ${{ steps.v.output }}',
      '17:18 there is no step "bb" before this one, did you mean "b"?',
      "19:11 expected the id of a step or an array of at least one id, got an array",
      "21:12 expected a name of letters, digits, - and _, beginning with a letter, got 3",
      '23:11 "g" is this step: it cannot read its own rows',
      "27:11 urls ignores its input: write `each: true` to run it for every row, or `after: a` to start a branch"
    ])
  })
})
