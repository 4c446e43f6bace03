/** Pauses until the next turn of the event loop. Separate from `Callback.ts`, which the executable loads before Effect. */
import * as Effect from "effect/Effect"
import { safely } from "../Callback.ts"

/** Suspends the fiber until the next turn of the event loop, so that timers and I/O are served between long synchronous calls. */
export const nextTurn = Effect.async<void>((resume) => {
  setImmediate(safely(() => resume(Effect.void)))
})

/** Like {@link nextTurn}, for code without Effect. */
export const turnOfLoop = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(safely(() => resolve()))
  })
