/** A team that attacks nobody: how long it waits for its own work while another attacks. */
import * as Effect from "effect/Effect"
import type { Caller } from "../Local.ts"

/** A job that takes longer counts as one that never ends. */
const patience = 120_000

/** Milliseconds until a batch of one page is completed. */
export const oneBatch = (call: Caller, url: string) =>
  Effect.gen(function* () {
    const begun = performance.now()
    const { json } = yield* call.post("/v2/batch/scrape", { urls: [url] })
    while (true) {
      const { status, completed } = (yield* call.get(`/v2/batch/scrape/${json.id}`)).json
      if (status === "completed" && completed === 1) return performance.now() - begun
      if (status === "failed" || performance.now() - begun > patience) return Number.POSITIVE_INFINITY
      yield* Effect.sleep("10 millis")
    }
  })

/** Runs batches of one page, one after another, beside `attack`; gives what it gave and the milliseconds of the longest wait. */
export const beside = <A, E, R>(attack: Effect.Effect<A, E, R>, call: Caller, urlOf: (n: number) => string) =>
  Effect.gen(function* () {
    let worst = 0
    let begun: number | undefined
    let n = 0
    const one = Effect.gen(function* () {
      begun = performance.now()
      worst = Math.max(worst, yield* oneBatch(call, urlOf(n++)))
      begun = undefined
      yield* Effect.sleep("100 millis")
    })
    const result = yield* Effect.raceFirst(attack, Effect.forever(one))
    // A batch that still waits at the end has waited as long as this.
    if (begun !== undefined) worst = Math.max(worst, performance.now() - begun)
    return [result, worst] as const
  })
