/** A turn of the event loop, which the driver's calls hold up. */
import * as Effect from "effect/Effect"
import { safely } from "../Callback.ts"

/** Lets everything else that is ready go first. */
export const turn = Effect.async<void>((resume) => {
  setImmediate(safely(() => resume(Effect.void)))
})
