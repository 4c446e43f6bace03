/** A turn of the event loop, which the driver's calls hold up. */
import * as Effect from "effect/Effect"

/** Lets everything else that is ready go first. */
export const turn = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})
