/** Change detection over sources that are cut: no row is `gone` that is at the source, and none is `new` twice. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { repetitions } from "../Repetitions.ts"
import { addressOf, type Day, project, type Told, ways } from "./Cuts.ts"

const all = [0, 1, 2, 3, 4, 5]

/** Checks each run against the runs before it. `isExact`: each run that is cut has something to leave out, so that it warns. */
const follow = (isExact: boolean) => {
  const known = new Set<string>()
  return (
    pages: ReadonlyArray<number>,
    { isWhole = false, options }: Day,
    { changes, isCompleted, warnings }: Told
  ) => {
    const here = new Set(pages.map(addressOf))
    const gone = changes.flatMap(({ change, url }) => (change === "gone" ? [url] : []))
    const fresh = changes.flatMap(({ change, url }) => (change === "new" ? [url] : []))
    expect(gone.filter((url) => here.has(url))).toEqual([])
    // A trial and a backfill take every row for new, and leave the state alone.
    if (options !== undefined) return expect(gone).toEqual([])
    if (!isCompleted) return
    expect(fresh.filter((url) => known.has(url))).toEqual([])
    if (isWhole) expect(gone.toSorted()).toEqual([...known].filter((url) => !here.has(url)).sort())
    const told = warnings.filter((warning) => warning.includes("no row is reported as gone"))
    if (isWhole || known.size === 0) expect(told).toEqual([])
    else expect(told.length).toBeLessThanOrEqual(1)
    if (isExact && !isWhole) expect(told.length).toBe(1)
    for (const url of fresh) known.add(url)
    for (const url of gone) known.delete(url)
  }
}

const runAll = (days: ReadonlyArray<{ readonly pages: ReadonlyArray<number>; readonly day: Day }>, isExact: boolean) =>
  Effect.gen(function* () {
    const { run } = yield* project
    const judge = follow(isExact)
    const told: Array<Told> = []
    for (const { day, pages } of days) {
      const one = yield* run(pages, day)
      judge(pages, day, one)
      told.push(one)
    }
    return told
  }).pipe(Effect.scoped)

describe("a source that is cut: ", () => {
  for (const [name, way] of Object.entries(ways)) {
    it.live(name, () =>
      Effect.gen(function* () {
        const whole: Day = { steps: "  - read: rows.jsonl\n", isWhole: true }
        const [, second, third] = yield* runAll(
          [
            { pages: all, day: whole },
            { pages: all, day: way(all, [1, 4]) },
            { pages: all, day: whole },
            ...[
              { pages: [0, 1, 2, 3], day: way([0, 1, 2, 3], [1]) },
              { pages: [0, 1, 2], day: whole }
            ].slice(0, repetitions(2, 0))
          ],
          !name.endsWith("a share")
        )
        const { isWhole = false } = way(all, [1, 4])
        expect(second?.changes.filter(({ change }) => change === "gone")).toEqual([])
        if (isWhole) expect(second?.isCompleted).toBe(true)
        expect(third?.changes.map(({ change }) => change)).toEqual(all.map(() => "unchanged"))
      })
    )
  }

  it.live("by failed rows, with state that is removed at once: nothing is removed, and one warning is logged", () =>
    Effect.gen(function* () {
      const { run } = yield* project
      const frame = "state: { forgetAfter: 1ms }\n"
      const emit = "new, unchanged"
      const whole: Day = { steps: "  - read: rows.jsonl\n", frame, emit }
      const cut: Day = { ...whole, steps: "  - read: rows.jsonl\n  - check: [{ rule: n < 4 }]\n" }
      yield* run(all, whole)
      const second = yield* run(all, cut)
      expect(second.warnings.filter((each) => each.includes("no state is forgotten"))).toEqual([
        "dedupe: not everything was read, so no row is reported as gone and no state is forgotten (check: some of its rows or pages failed)"
      ])
      const third = yield* run(all, whole)
      expect(third.changes.map(({ change }) => change)).toEqual(all.map(() => "unchanged"))
      expect(third.warnings).toEqual([])
      // A whole run forgets what is not there.
      yield* run([0], whole)
      const last = yield* run(all, whole)
      expect(last.changes.map(({ change }) => change)).toEqual(["unchanged", "new", "new", "new", "new", "new"])
    }).pipe(Effect.scoped)
  )

  it.live("in any order of days", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              pages: fc.subarray(all, { minLength: 1 }),
              cut: fc.subarray(all, { minLength: 1 }),
              way: fc.constantFrom(...Object.values(ways))
            }),
            { minLength: 2, maxLength: 4 }
          ),
          (days) =>
            Effect.runPromise(
              runAll(
                days.map(({ cut, pages, way }) => {
                  const here = cut.filter((page) => pages.includes(page))
                  return { pages, day: way(pages, here.length === 0 ? pages.slice(0, 1) : here) }
                }),
                false
              ).pipe(Effect.asVoid)
            )
        ),
        { numRuns: repetitions(5, 2) }
      )
    )
  )
})
