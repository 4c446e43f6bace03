/** Calls the function that starts pages: after a change, when it says that the next page is due, and again after a failure. */
import * as Effect from "effect/Effect"
import { safely } from "../../Callback.ts"
import { turnsOf } from "../Teams/TeamScheduler.ts"
import { maxTimer } from "../Teams/Work.ts"

/** Milliseconds until pages are started again after a failure. */
const restartDelay = 1_000

/**
 * Returns a function that calls `startPages` in the engine's next event-loop turn, once for all calls made until then, and again after the
 * milliseconds that `startPages` returns. It uses no fiber, because every finished page calls it. Nothing is started once the scope is
 * closed.
 */
export const makeDispatch = Effect.fnUntraced(function* (startPages: () => number) {
  const turns = yield* turnsOf("")
  let isOpen = true
  /** True from a call until pages are started, and after a failure until the next attempt. */
  let isDue = false
  let timer: NodeJS.Timeout | undefined
  const later = (millis: number) => {
    if (!isOpen || !Number.isFinite(millis)) return
    clearTimeout(timer)
    const again = () => {
      isDue = false
      dispatch()
    }
    timer = setTimeout(safely(again), Math.min(Math.max(1, millis), maxTimer))
  }
  const run = safely(
    () => {
      const millis = isOpen ? startPages() : Number.POSITIVE_INFINITY
      isDue = false
      later(millis)
    },
    () => later(restartDelay)
  )
  const dispatch = () => {
    if (isDue || !isOpen) return
    isDue = true
    turns(run)
  }
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      isOpen = false
      clearTimeout(timer)
    })
  )
  return dispatch
})
