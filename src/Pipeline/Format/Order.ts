/** The order of keys: what a reader asks first stands first. */
import { commonKeys } from "../Definition.ts"
import { steps } from "../Steps.ts"

const frameOrder: ReadonlyArray<string> = [
  "version",
  "name",
  "description",
  "inputs",
  "site",
  "state",
  "schedule",
  "budget",
  "notify",
  "steps"
]

const before: ReadonlyArray<string> = ["id", "from", "after"]
const stepKeys: ReadonlySet<string> = new Set(steps.map(({ key }) => key))

/** What it is and what it reads, then what it does, then how. Unknown keys are where the step's own would be. */
const stepRank = (key: string): number => {
  if (before.includes(key)) return before.indexOf(key)
  if (stepKeys.has(key) || !commonKeys.includes(key)) return before.length
  return before.length + 1 + commonKeys.indexOf(key)
}

/** `steps` stand last; unknown keys before them. */
const frameRank = (key: string): number =>
  frameOrder.includes(key) ? frameOrder.indexOf(key) : frameOrder.length - 1.5

/** Where in a definition a mapping stands whose keys have an order. */
export type Place = "frame" | "step"

/** Negative when the first key stands before the second. */
export const compareKeys = (place: Place, one: string, other: string): number => {
  const rank = place === "frame" ? frameRank : stepRank
  return rank(one) - rank(other)
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const sorted = (place: Place, value: unknown): unknown =>
  isMapping(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => compareKeys(place, one, other)))
    : value

/** The same value with its keys in order. */
export const ordered = (value: unknown): unknown => {
  const frame = sorted("frame", value)
  return isMapping(frame) && Array.isArray(frame.steps)
    ? { ...frame, steps: frame.steps.map((step) => sorted("step", step)) }
    : frame
}
