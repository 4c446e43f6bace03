/** The common keys that do nothing on a step: refused by `check`, left out of its types and of its reference. */
import type * as Step from "../Step.ts"

type Behaviour = Step.Any["behaviour"]

/** By the kind of the step. A key that is not named here is carried out by all. */
export const idleByKind = {
  source: ["rate", "timeout", "pin"],
  item: ["each", "after", "pin"],
  transform: ["each", "after", "concurrency", "rate", "timeout", "pin"],
  value: ["from", "each", "after", "concurrency", "rate", "timeout", "onError"]
} as const satisfies Readonly<Record<Behaviour["kind"], ReadonlyArray<string>>>

/** Keys that do nothing on a step, whatever the keys beside them say. */
export const idleOn = (behaviour: Behaviour): ReadonlyArray<string> => [
  ...idleByKind[behaviour.kind],
  ...(behaviour.kind === "transform" && behaviour.calls !== true ? ["retry"] : [])
]
