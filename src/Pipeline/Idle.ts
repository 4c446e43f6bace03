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

/** What a transform that works on each row by itself carries out all the same. */
export const forApart = ["concurrency", "timeout"] as const

const isForApart = (key: string): boolean => forApart.some((each) => each === key)

/** What a step that gives no pages does not carry out. */
export const forPages = ["failOn"] as const

/** Keys that do nothing on a step, whatever the keys beside them say. */
export const idleOn = (behaviour: Behaviour): ReadonlyArray<string> => {
  const hasPages = behaviour.kind !== "value" && behaviour.pages === true
  const idle: ReadonlyArray<string> = [...idleByKind[behaviour.kind], ...(hasPages ? [] : forPages)]
  if (behaviour.kind !== "transform") return idle
  const { apart, calls } = behaviour
  const own: ReadonlyArray<string> = apart === true ? idle.filter((key) => !isForApart(key)) : idle
  return calls === true ? own : [...own, "retry"]
}
