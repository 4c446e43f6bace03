/** Scheduled times around changes of the clocks. */
import { join } from "node:path"
import { sluice } from "../Cli/Console.ts"
import { describe, expect, it } from "../It.ts"
import { copyOf } from "./Case.ts"

/** In Berlin, 02:00 to 03:00 is skipped on 2026-03-29, and comes twice on 2026-10-25. */
const cases = [
  // netresearch/go-cron#41, rundeck/rundeck#3234
  { name: "a time that the clocks skip is the first moment after the gap", at: "2026-03-29T02:30", time: "01:00" },
  { name: "the first moment after the gap may be named itself", at: "2026-03-29T03:00", time: "01:00" },
  { name: "a time in the gap that is not scheduled is refused", at: "2026-03-29T02:45", time: undefined },
  { name: "the first of two equal times is the scheduled one", at: "2026-10-25T02:30", time: "00:30" },
  { name: "the second of two equal times is refused", at: "2026-10-25T02:30+01:00", time: undefined },
  { name: "a time that is not in the cron is refused", at: "2026-06-01T17:11", time: undefined },
  { name: "midnight of a day is refused when it is not scheduled", at: "2026-03-30", time: undefined },
  { name: "a scheduled time in UTC is taken", at: "2026-06-01T00:30Z", time: "00:30" }
]

describe("schedule run --at", () => {
  it.scoped.each(cases)("$name", function* ({ at, time }) {
    const folder = yield* copyOf("jobs/31-at-dst")
    const words = ["--folder", join(folder, "pipelines"), "--data", join(folder, "data"), "--out", folder]
    const ended = yield* sluice(["schedule", "run", "nightly", "--at", at, ...words])
    if (time === undefined) {
      expect(ended.code).not.toBe(0)
      expect(ended.err).toMatch(/is not a scheduled time of nightly .*The nearest: \d{4}-/)
      return
    }
    expect(ended.code, ended.err).toBe(0)
    const history = yield* sluice(["schedule", "history", "nightly", "--json", "--data", join(folder, "data")])
    expect(history.out).toContain(`T${time}:00.000Z`)
  })
})
