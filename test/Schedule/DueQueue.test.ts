/** Queue of the next due times, which change. */
import { expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as DueQueue from "../../src/Schedule/DueQueue.ts"

it("the heap gives the result of a sorted list", () => {
  const key = FastCheck.integer({ min: 0, max: 30 }).map(String)
  const time = FastCheck.integer({ min: 0, max: 100 })
  const action = FastCheck.oneof(
    FastCheck.record({ set: key, at: time }),
    FastCheck.record({ remove: key }),
    FastCheck.record({ take: time })
  )
  FastCheck.assert(
    FastCheck.property(FastCheck.array(action, { maxLength: 300 }), (actions) => {
      const heap = DueQueue.make()
      const model = new Map<string, number>()
      for (const each of actions) {
        if ("set" in each) {
          heap.set(each.set, each.at)
          model.set(each.set, each.at)
        } else if ("remove" in each) {
          heap.remove(each.remove)
          model.delete(each.remove)
        } else {
          const due = [...model].filter(([, at]) => at <= each.take)
          const taken = heap.takeUntil(each.take)
          expect([...taken].sort()).toEqual(due.map(([one]) => one).sort())
          expect(taken.map((one) => model.get(one))).toEqual(due.map(([, at]) => at).sort((one, other) => one - other))
          for (const [one] of due) model.delete(one)
        }
        expect(heap.first()).toBe(model.size === 0 ? undefined : Math.min(...model.values()))
      }
    }),
    { numRuns: 100 }
  )
})
