/** Latency of a team beside a hostile team that takes all it can get of an engine, against its latency alone. */
import * as Effect from "effect/Effect"
import { chromium } from "./Measure/Browsers.ts"
import { atLeast, atMost, type Bench, median, noted, quantile } from "./Measure/Figures.ts"
import { bin } from "./Measure/Programs.ts"
import { attackTeams } from "./Teams/Attacks.ts"

/** For all measurements; setting up the attacks takes as long again on a busy machine. */
const seconds = 80

export const bench: Bench = {
  name: "teams",
  run: async () => {
    const { attempts, faults, sessions, waits } = await Effect.runPromise(
      attackTeams({ bin, chromium: chromium(), seconds, only: process.env.BENCH_ATTACK, told: console.error })
    )
    return [
      noted("calls and connections of the hostile team a", attempts, ""),
      ...waits.flatMap(({ alone, attack, beside, what }) => {
        const bound = 2 * quantile(alone, 0.95) + 1_000
        return [
          noted(`a ${attack}: ${what} of b alone, p50`, median(alone), "ms"),
          noted("… alone, p95", quantile(alone, 0.95), "ms"),
          noted("… beside a, p50", median(beside), "ms"),
          atMost("… beside a, p95", quantile(beside, 0.95), "ms", bound)
        ]
      }),
      noted("browser sessions that a held", sessions.held, ""),
      atLeast("browser sessions of b beside them and alone", sessions.opened, "", sessions.asked),
      atMost("calls of b that failed", faults.length, "", 0)
    ]
  }
}
