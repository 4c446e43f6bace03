/** A one-page batch, a shown page and a browser session of a team beside a hostile team that takes all it can get. */
import * as Effect from "effect/Effect"
import { attackShares } from "../test/fuzz/Shares.ts"
import { chromium } from "./Measure/Browsers.ts"
import { atLeast, atMost, type Bench, noted, quantile } from "./Measure/Figures.ts"
import { bin } from "./Measure/Programs.ts"

const rounds = 20

export const bench: Bench = {
  name: "teams",
  run: async () => {
    const { alone, attempts, beside, sessions, shownAlone, shownBeside } = await Effect.runPromise(
      attackShares({ bin, chromium: chromium(), rounds })
    )
    /** Not a number where nothing was measured: no bound is kept then. */
    const p95 = (times: ReadonlyArray<number>) => (times.length === 0 ? Number.NaN : quantile(times, 0.95))
    const measured = (metric: string) => (shownBeside.length > 0 ? metric : `${metric} (not measured: no Chromium)`)
    return [
      noted("calls of the hostile team", attempts, ""),
      noted("one-page batch alone, p95", p95(alone), "ms"),
      atMost("… beside a hostile team, p95", p95(beside), "ms", 2 * p95(alone) + 1_000),
      noted("… the longest", Math.max(...beside), "ms"),
      noted(measured("a shown page alone, p95"), p95(shownAlone), "ms"),
      atMost(measured("… beside a hostile team, p95"), p95(shownBeside), "ms", 2 * p95(shownAlone) + 1_000),
      noted(measured("browser sessions of the hostile team"), sessions[0], ""),
      atLeast(measured("… that the other team can open beside them"), sessions[1], "", 1)
    ]
  }
}
