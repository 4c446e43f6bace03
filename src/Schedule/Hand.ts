/** One instant carried out by hand, whatever the schedule says. */

import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { LedgerError, Locked } from "../Ledger/LedgerErrors.ts"
import type { Ledger } from "../Ledger.ts"
import type { Checked } from "../Pipeline/Check.ts"
import type { News } from "../Schedule.ts"
import { carryOut } from "./CarryOut.ts"
import * as Job from "./Job.ts"
import { keep } from "./Keep.ts"
import type { InstantRecord, Schedules } from "./Model.ts"
import type { Runner } from "./Runner.ts"

export const runAt = (
  ledger: typeof Ledger.Service,
  schedules: Schedules,
  {
    checked,
    instant,
    runner,
    tell = () => undefined
  }: {
    readonly checked: Checked
    readonly instant: number
    readonly runner: Runner
    readonly tell?: ((news: News) => void) | undefined
  }
): Effect.Effect<InstantRecord, LedgerError | Locked> =>
  Effect.gen(function* () {
    const pipeline = checked.frame.name
    const which = { pipeline, instant }
    const carrier = yield* schedules.carry
    const claim = { ...which, due: instant, cause: "hand", status: "waiting", overlap: "allow", notices: [] } as const
    const [mine] = yield* carrier.claim([claim])
    const again = mine ?? (yield* carrier.again(which))
    // It may have been left half-way: by a run that was stopped, or by a process that is gone.
    const left =
      again === undefined
        ? yield* carrier.takeOver((each) => each.pipeline === pipeline && each.instant === instant)
        : []
    const claimed = again ?? left[0]
    if (claimed !== undefined) {
      // Who asks for it by hand does not wait until it would be tried again.
      const record: InstantRecord = { ...claimed, nextAt: undefined }
      const shop: Job.Workshop = {
        ledger,
        schedules,
        carrier,
        runner,
        permits: yield* Effect.makeSemaphore(1),
        tell,
        earlier: () => []
      }
      const orders: Job.Orders = {
        checked,
        file: checked.source.file,
        schedule: { overlap: "skip", retry: undefined }
      }
      const job = yield* Job.make(record)
      yield* Effect.forkDaemon(Effect.interruptible(carryOut(job, () => orders, shop)))
      yield* Deferred.await(job.done).pipe(
        Effect.onInterrupt(() => Effect.zipRight(Job.stop(job, "left"), Deferred.await(job.done)))
      )
    }
    // Where another scheduler does the work, nobody else tidies up.
    yield* schedules.forget((yield* Clock.currentTimeMillis) - Duration.toMillis(keep))
    return (yield* schedules.find(which)) ?? (claimed as InstantRecord)
  }).pipe(Effect.scoped)
