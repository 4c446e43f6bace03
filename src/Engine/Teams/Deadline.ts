/** Time limits of pages. They cost a tenth of the operations of `Effect.timeoutFail`, which races two fibers. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Runtime from "effect/Runtime"
import { safely } from "../../Callback.ts"

/** Maximum milliseconds of a timer of Node, 25 days: a longer one would end at once. */
const maxTimer = 2 ** 31 - 1

/**
 * Interrupts the effect after `millis` and fails with `onTimeout`, once its finalizers have run. An uninterruptible effect is not cut
 * short: its own result counts, also when it is late. Changes of its fiber references are lost.
 */
export const failAfter =
  <E2>(millis: number, onTimeout: () => E2) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R> =>
    Effect.flatMap(Effect.runtime<R>(), (runtime) =>
      Effect.async<A, E | E2>((resume) => {
        let isLate = false
        const fiber = Runtime.runFork(runtime, effect)
        const timer = setTimeout(
          safely(() => {
            isLate = true
            fiber.unsafeInterruptAsFork(FiberId.none)
          }),
          Math.min(millis, maxTimer)
        )
        fiber.addObserver((exit) => {
          clearTimeout(timer)
          resume(isLate && Exit.isInterrupted(exit) ? Effect.suspend(() => Effect.fail(onTimeout())) : exit)
        })
        return Fiber.interrupt(fiber)
      })
    )
