/** Latency of an innocent team's work while another team attacks. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { Caller } from "../Local.ts"

/** Milliseconds. A longer wait is a fault; a job that takes longer counts as one that never ends. */
export const maxWait = 120_000

/** Milliseconds until a batch of one page is completed; Infinity when it is not. */
export const oneBatch = (call: Caller, url: string) =>
  Effect.gen(function* () {
    const begun = performance.now()
    const { json } = yield* call.post("/v2/batch/scrape", { urls: [url] })
    while (true) {
      const { status, completed } = (yield* call.get(`/v2/batch/scrape/${json.id}`)).json
      if (status === "completed" && completed === 1) return performance.now() - begun
      if (status === "failed" || performance.now() - begun > maxWait) return Number.POSITIVE_INFINITY
      yield* Effect.sleep("10 millis")
    }
  })

/** Turns a failure or a defect into a value; an interrupt stays one. */
const caught = <A, E, R, B>(effect: Effect.Effect<A, E, R>, onCause: (cause: Cause.Cause<E>) => B) =>
  Effect.catchAllCause(effect, (cause) =>
    Cause.isInterruptedOnly(cause) ? Effect.interrupt : Effect.sync(() => onCause(cause))
  )

/**
 * Runs batches of one page, one after another, until `attack` ends. Never fails: calls fail when the engine has died, and the report of that
 * must not be lost.
 *
 * - `wait`: milliseconds of the longest batch; Infinity when one failed, which goes to stderr.
 * - `faults`: why the attack failed, if it did.
 */
export const beside = <A, E, R>(attack: Effect.Effect<A, E, R>, call: Caller, urlOf: (n: number) => string) =>
  Effect.gen(function* () {
    let wait = 0
    let begun: number | undefined
    let n = 0
    const one = Effect.gen(function* () {
      begun = performance.now()
      wait = Math.max(wait, yield* oneBatch(call, urlOf(n++)))
      begun = undefined
      yield* Effect.sleep("100 millis")
    })
    const innocent = caught(Effect.forever(one), (cause) => {
      wait = Number.POSITIVE_INFINITY
      console.error(`a one-page batch of the innocent team failed: ${Cause.pretty(cause)}`)
    })
    const faults: Array<string> = []
    // Connections of an engine that dies close before Node reports its exit.
    const attacking = caught(attack, (cause) => faults.push(`the attack was cut short: ${Cause.pretty(cause)}`)).pipe(
      Effect.tap(() => (faults.length > 0 ? Effect.sleep("1 second") : Effect.void))
    )
    // Only the attack ends the race.
    yield* Effect.raceFirst(attacking, Effect.zipRight(innocent, Effect.never))
    // A batch that still waits at the end has waited as long as this.
    if (begun !== undefined) wait = Math.max(wait, performance.now() - begun)
    return { faults, wait }
  })
