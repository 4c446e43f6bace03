import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { currentTimeMillis } from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as fc from "fast-check"
import { canonical, differences, isEqual, subsetDifferences } from "../../src/Row/Difference.ts"
import { seededRandom } from "../../src/Run/RunContext.ts"
import { align, type Deviation, judgeRows, match } from "../../src/Run/Test/Assertions.ts"
import * as PipelineTest from "../../src/Run/Test/PipelineTest.ts"
import * as TestClock from "../../src/Run/Test/TestClock.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { tempDir } from "../Local.ts"

const begin = new Date("2026-01-01T00:00:00Z")

const under = <A, E>(effect: Effect.Effect<A, E>) => Effect.withClock(effect, TestClock.make(begin))

const elapsed = Effect.map(currentTimeMillis, (now) => now - begin.getTime())

describe("the clock of a pipeline test", () => {
  it.live("wakes sleepers in order, each at its time", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.nat({ max: 1e9 }).map((quarters) => quarters / 4),
            { maxLength: 12 }
          ),
          async (naps) => {
            const woken = await Effect.runPromise(
              under(
                Effect.gen(function* () {
                  const woken: Array<readonly [nap: number, at: number]> = []
                  yield* Effect.forEach(
                    naps,
                    (nap) =>
                      Effect.sleep(Duration.millis(nap)).pipe(
                        Effect.zipRight(elapsed),
                        Effect.tap((at) => Effect.sync(() => woken.push([nap, at])))
                      ),
                    { concurrency: "unbounded" }
                  )
                  return woken
                })
              )
            )
            expect(woken.map(([nap]) => Math.ceil(nap))).toEqual(naps.map(Math.ceil).sort((a, b) => a - b))
            for (const [nap, at] of woken) expect(at).toBe(Math.ceil(nap))
          }
        ),
        { numRuns: 20 }
      )
    )
  )

  it.scopedLive("never lets a timeout overtake work in progress", function* () {
    const folder = yield* tempDir
    const file = join(folder, "big")
    yield* Effect.promise(() => writeFile(file, Buffer.alloc(8 * 1024 * 1024)))
    const read = Effect.timeoutOption(
      Effect.promise(() => readFile(file)),
      "1 millis"
    )
    const all = yield* under(Effect.all(Array.from({ length: 10 }, () => read)))
    expect(all.map(({ _tag }) => _tag)).toEqual(Array.from({ length: 10 }, () => "Some"))
  })

  it.live("lets timeouts fire and schedules repeat", function* () {
    expect(yield* under(Effect.timeoutOption(Effect.never, "6 minutes"))).toMatchObject({ _tag: "None" })
    const rounds = Effect.repeat(elapsed, Schedule.intersect(Schedule.spaced("10 seconds"), Schedule.recurs(20)))
    expect(yield* under(Effect.zipRight(rounds, elapsed))).toBe(200_000)
  })
})

type Row = Readonly<Record<string, number>>

/** Applies the deviations to the expected rows. */
const apply = (expected: ReadonlyArray<Row>, actual: ReadonlyArray<Row>, deviations: ReadonlyArray<Deviation>) => {
  const missing = new Set(deviations.flatMap((each) => (each.kind === "missing" ? [each.row - 1] : [])))
  const extra = new Set(deviations.flatMap((each) => (each.kind === "extra" ? [each.row - 1] : [])))
  const left = expected.filter((_, index) => !missing.has(index))
  const right = actual.filter((_, index) => !extra.has(index))
  const changed = deviations.filter(({ kind }) => kind === "changed").length
  return { left, right, changed }
}

describe("the fields of rows", () => {
  scoped("are named when they are missing or too many", function* () {
    const rows = [{ url: "a", extra: 1 }]
    const judged = { name: "rows of select", rows, shown: rows, bindings: () => ({ names: {} }) }
    const failures = yield* judgeRows({ fields: ["url", "title", "text"] }, judged, undefined)
    expect(failures.map(({ message }) => message)).toEqual(["row 1 lacks title, text and also has extra"])
  })

  scoped("are named once for all rows that have them", function* () {
    for (const [count, said] of [
      [2, "1 more of 3 rows has similar differences"],
      [3, "2 more of 4 rows have similar differences"]
    ] as const) {
      const rows = [{ url: "a" }, ...Array.from({ length: count }, () => ({ uri: "a" }))]
      const judged = { name: "rows of select", rows, shown: rows, bindings: () => ({ names: {} }) }
      const [failure] = yield* judgeRows({ fields: ["url"] }, judged, undefined)
      expect(failure?.message).toBe(`row 2 lacks url and also has uri; ${said}`)
    }
  })
})

describe("the comparison of two lists", () => {
  const row = fc.record({ id: fc.nat({ max: 5 }), n: fc.nat({ max: 2 }) })
  const rows = fc.array(row, { maxLength: 12 })

  it("finds no difference only for equal lists, and otherwise accounts for every row", () => {
    fc.assert(
      fc.property(rows, rows, (expected, actual) => {
        expect(align(expected, expected)).toEqual([])
        const deviations = align(expected, actual)
        expect(deviations.length === 0).toBe(canonical(expected) === canonical(actual))
        const { changed, left, right } = apply(expected, actual, deviations)
        expect(left.length).toBe(right.length)
        expect(left.filter((each, index) => !isEqual(each, right[index])).length).toBe(changed)
      })
    )
  })

  it("reports one extra or missing row as exactly that", () => {
    fc.assert(
      fc.property(rows, fc.nat({ max: 12 }), (expected, at) => {
        const index = Math.min(at, expected.length)
        const odd = { id: 99, n: 99 }
        const more = [...expected.slice(0, index), odd, ...expected.slice(index)]
        expect(align(expected, more)).toEqual([{ kind: "extra", row: index + 1, value: odd }])
        expect(align(more, expected)).toEqual([{ kind: "missing", row: index + 1, value: odd }])
      })
    )
  })

  it("ignores the order when that is allowed", () => {
    fc.assert(
      fc.property(rows, rows, (expected, actual) => {
        expect(match(expected, expected.toReversed())).toEqual([])
        const sorted = (list: ReadonlyArray<Row>) => list.map(canonical).sort()
        expect(match(expected, actual).length === 0).toBe(canonical(sorted(expected)) === canonical(sorted(actual)))
      })
    )
  })
})

describe("values", () => {
  it("differ at the right paths, whatever the order of their keys", () => {
    const expected = { a: 1, b: { c: [1, 2], "d e": null }, gone: 1 }
    const actual = { b: { "d e": undefined, c: [1, 3, 4] }, a: 1, more: true }
    expect(differences(expected, actual).map(({ path }) => path)).toEqual([
      "b.c[1]",
      "b.c[2]",
      'b."d e"',
      "gone",
      "more"
    ])
    expect(subsetDifferences({ b: { c: [1, 3, 4] } }, actual)).toEqual([])
    expect(subsetDifferences({ b: { c: [1] } }, actual).length).toBe(2)
    expect(isEqual({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true)
    expect(isEqual({ a: 0 }, { a: -0 })).toBe(true)
    expect(isEqual({ toString: 1 }, {})).toBe(false)
  })
})

describe("the files of a pipeline test", () => {
  scoped("can be read anywhere, and written only in its own folder", function* () {
    const files = yield* FileSystem.FileSystem
    const [own, other] = [yield* tempDir, yield* tempDir]
    yield* files.writeFileString(join(other, "a"), "a")
    yield* Effect.gen(function* () {
      const confined = yield* FileSystem.FileSystem
      yield* confined.writeFileString(join(own, "b"), "b")
      yield* confined.makeDirectory(join(own, "c", "d"), { recursive: true })
      yield* confined.makeDirectory(other, { recursive: true })
      expect(yield* confined.readFileString(join(other, "a"))).toBe("a")
      const refused = [
        confined.writeFileString(join(other, "x"), "x"),
        confined.writeFileString(join(own, "..", "x"), "x"),
        confined.writeFileString(`${own}-beside`, "x"),
        confined.remove(join(other, "a")),
        confined.rename(join(own, "b"), join(other, "b")),
        confined.makeDirectory(join(other, "c")),
        confined.truncate(join(other, "a")),
        Effect.scoped(confined.open(join(other, "a"), { flag: "a" })),
        Effect.scoped(confined.open(join(other, "a"), { flag: "r+" }))
      ]
      for (const each of refused) {
        expect((yield* Effect.flip(each as Effect.Effect<unknown, Error>)).message).toContain(
          "a test writes only below its own folder"
        )
      }
    }).pipe(Effect.provide(PipelineTest.layer(own)))
    expect(yield* files.readDirectory(other)).toEqual(["a"])
  })
})

describe("the random numbers of a step", () => {
  it("are evenly distributed, the same for the same run, and different for another run", () => {
    const thrown = (seed: string) => {
      const next = seededRandom(seed)
      return Array.from({ length: 10_000 }, () => next())
    }
    const numbers = thrown("run/step")
    expect(numbers).toEqual(thrown("run/step"))
    expect(numbers.slice(0, 5)).not.toEqual(thrown("run/other").slice(0, 5))
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true)
    for (let tenth = 0; tenth < 10; tenth++) {
      const share = numbers.filter((number) => Math.floor(number * 10) === tenth).length
      expect(Math.abs(share - 1000)).toBeLessThan(150)
    }
  })
})
