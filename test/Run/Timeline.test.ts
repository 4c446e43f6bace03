import { describe, expect, it } from "@effect/vitest"
import { type StepState, Timeline } from "../../src/Run/Timeline.ts"

const fill = (timeline: Timeline, from: number, samples: number, state: StepState) => {
  for (let sample = 0; sample < samples; sample++) timeline.add(from + sample * 250, [["crawl", state]])
}

describe("The timeline of a run", () => {
  it("has a letter per slot for each step, and shows a step that comes later from its first sample on", () => {
    const timeline = new Timeline()
    expect(timeline.save()).toBeUndefined()
    fill(timeline, 1_000, 2, "working")
    timeline.add(1_500, [
      ["crawl", "blocked"],
      ["write", "waiting"]
    ])
    expect(timeline.save()).toEqual({ every: 250, steps: { crawl: "wwb", write: "  ." } })
  })

  it("stays small, and keeps the most urgent state of the slots that become one", () => {
    const timeline = new Timeline()
    fill(timeline, 0, 63, "working")
    timeline.add(63 * 250, [["crawl", "retrying"]])
    fill(timeline, 64 * 250, 1_000, "waiting")
    const { every, steps } = timeline.save() ?? { every: 0, steps: {} }
    expect(steps.crawl?.length).toBeLessThanOrEqual(64)
    expect(every).toBe(8_000)
    expect(steps.crawl).toMatch(/^wr\.+$/)
  })

  it("keeps later slots when the clock steps back", () => {
    const timeline = new Timeline()
    fill(timeline, 1_000, 4, "working")
    timeline.add(1_250, [["crawl", "retrying"]])
    timeline.add(0, [["crawl", "blocked"]])
    expect(timeline.save()?.steps).toEqual({ crawl: "brww" })
  })

  it("continues after a gap of one slot when the run is resumed, however long it was stopped", () => {
    const before = new Timeline()
    fill(before, 0, 3, "working")
    const timeline = new Timeline()
    timeline.restore(before.save())
    fill(timeline, 86_400_000, 2, "retrying")
    expect(timeline.save()).toEqual({ every: 250, steps: { crawl: "www rr" } })
    const damaged = new Timeline()
    for (const saved of [undefined, 7, { every: 0, steps: {} }, { every: 250, steps: { crawl: 1 } }])
      damaged.restore(saved)
    expect(damaged.save()).toBeUndefined()
  })
})
