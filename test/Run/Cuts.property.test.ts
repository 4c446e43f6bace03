/** Change detection over sources that are cut: no row is `gone` that is at the source, and none is `new` twice. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { skipsLong } from "../Long.ts"
import { repetitions } from "../Repetitions.ts"
import { addressOf, type Day, project, type Told, ways } from "./Cuts.ts"

const all = [0, 1, 2, 3, 4, 5]

/** Checks each run against the runs before it. `isExact`: a run that is cut has something to leave out, so that it warns. */
const follow = () => {
  const known = new Set<string>()
  return (
    pages: ReadonlyArray<number>,
    { isWhole = false, options }: Day,
    { changes, isCompleted, warnings }: Told,
    isExact = false
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

describe("a source that is cut: ", () => {
  it.live.skipIf(skipsLong)("in none of all ways makes a row gone, and the next whole run knows every row", () =>
    Effect.gen(function* () {
      const { run } = yield* project
      const whole: Day = { steps: "  - read: rows.jsonl\n", isWhole: true }
      const judge = follow()
      const look = (day: Day, isExact = true) =>
        Effect.map(run(all, day), (told) => {
          judge(all, day, told, isExact)
          if (day.isWhole) expect(told.isCompleted).toBe(true)
          return told.changes.map(({ change }) => change)
        })
      yield* look(whole)
      for (const [at, [name, way]] of Object.entries(ways).entries()) {
        // A share of the rows may be all of them.
        expect(yield* look(way(all, [1, 4]), !name.endsWith("a share")), name).not.toContain("gone")
        if (at % repetitions(1, 5) === 0)
          expect(yield* look(whole), `after ${name}`).toEqual(all.map(() => "unchanged"))
      }
      expect(yield* look(whole)).toEqual(all.map(() => "unchanged"))
    }).pipe(Effect.scoped)
  )

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
              Effect.gen(function* () {
                const { run } = yield* project
                const judge = follow()
                for (const { cut, pages, way } of days) {
                  const here = cut.filter((page) => pages.includes(page))
                  const day = way(pages, here.length === 0 ? pages.slice(0, 1) : here)
                  judge(pages, day, yield* run(pages, day))
                }
              }).pipe(Effect.scoped)
            )
        ),
        { numRuns: repetitions(5, 2) }
      )
    )
  )
})
