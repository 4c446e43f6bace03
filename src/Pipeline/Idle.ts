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

/** Statuses from 400 on that a service, or a proxy in front of it, may answer a poll with. */
const ofServices: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 429])

/**
 * Causes of `retry.on` that never match on a step whose pages come from a job: its calls read a job's status, and the job
 * asks for its pages itself. Only statuses that no poll is answered with count.
 */
export const idleCauses = (behaviour: Behaviour, on: ReadonlyArray<unknown>): ReadonlyArray<number> =>
  behaviour.kind === "item" || behaviour.kind === "value" || behaviour.pages !== true
    ? []
    : on.filter((cause) => typeof cause === "number").filter((cause) => cause < 500 && !ofServices.has(cause))

/** Keys that do nothing on a step, whatever the keys beside them say. */
export const idleOn = (behaviour: Behaviour): ReadonlyArray<string> => {
  const hasPages = behaviour.kind !== "value" && behaviour.pages === true
  const idle: ReadonlyArray<string> = [...idleByKind[behaviour.kind], ...(hasPages ? [] : forPages)]
  if (behaviour.kind !== "transform") return idle
  const { apart, calls } = behaviour
  const own: ReadonlyArray<string> = apart === true ? idle.filter((key) => !isForApart(key)) : idle
  return calls === true ? own : [...own, "retry"]
}
