/** Path readers with JSONata's rules: arrays are mapped and flattened, and a mapped result with one value becomes that value. */

/** Array made by a path step, as opposed to an array in the data. */
export class Sequence extends Array<unknown> {}

export interface Step {
  readonly key: string
  /** Indexes applied to the value one after another: `a[0]`. */
  readonly picks: ReadonlyArray<number>
}

const collapse = (sequence: Sequence): unknown => {
  if (sequence.length === 0) return undefined
  return sequence.length === 1 ? sequence[0] : sequence
}

const gather = (list: ReadonlyArray<unknown>, key: string, into: Sequence): Sequence => {
  for (const item of list) {
    if (Array.isArray(item)) gather(item, key, into)
    else {
      const value = own(item, key)
      if (Array.isArray(value)) for (const each of value) into.push(each)
      else if (value !== undefined) into.push(value)
    }
  }
  return into
}

/** Reads only own fields, never those of a prototype. */
const own = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined

const pick = (value: unknown, position: number): ReadonlyArray<unknown> => {
  const list: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
  const index = Math.floor(position)
  const item = list[index < 0 ? list.length + index : index]
  if (Array.isArray(item)) return item
  return item === undefined ? new Sequence() : Sequence.of(item)
}

const take = (item: unknown, step: Step): unknown =>
  step.picks.reduce<unknown>(
    pick,
    Array.isArray(item) ? collapse(gather(item, step.key, new Sequence())) : own(item, step.key)
  )

/** Reads the remaining steps of a path for several items. */
const readEach = (start: ReadonlyArray<unknown>, steps: ReadonlyArray<Step>, from: number): unknown => {
  let items = start
  for (let at = from; at < steps.length; at++) {
    const step = steps[at]
    if (step === undefined) break
    const taken: Array<unknown> = []
    for (const item of items) {
      const value = take(item, step)
      if (value !== undefined) taken.push(value)
    }
    const [only] = taken
    if (at === steps.length - 1 && taken.length === 1 && Array.isArray(only) && !(only instanceof Sequence)) return only
    const next = new Sequence()
    for (const value of taken) {
      if (Array.isArray(value)) for (const each of value) next.push(each)
      else next.push(value)
    }
    if (next.length === 0) return undefined
    items = next
  }
  return items.length === 1 ? items[0] : items
}

/** Makes a reader of a path below a row or a variable. */
export const makeReader = (steps: ReadonlyArray<Step>): ((start: unknown) => unknown) => {
  const plain = steps.every((step) => step.picks.length === 0)
  const keys = steps.map((step) => step.key)
  const [first, second] = keys
  if (!plain) {
    return (start) => (start === undefined ? undefined : readEach(Array.isArray(start) ? start : [start], steps, 0))
  }
  if (keys.length === 1 && first !== undefined) {
    return (start) => (Array.isArray(start) ? readEach(start, steps, 0) : own(start, first))
  }
  if (keys.length === 2 && first !== undefined && second !== undefined) {
    return (start) => {
      if (Array.isArray(start)) return readEach(start, steps, 0)
      const value = own(start, first)
      return Array.isArray(value) ? readEach(value, steps, 1) : own(value, second)
    }
  }
  return (start) => {
    let value = start
    let at = 0
    for (const key of keys) {
      if (Array.isArray(value)) return readEach(value, steps, at)
      value = own(value, key)
      if (value === undefined) return undefined
      at++
    }
    return value
  }
}
