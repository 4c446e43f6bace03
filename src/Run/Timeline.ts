/**
 * Timeline of a run: what each step was doing over time, in bounded size, for progress displays.
 *
 * - Samples are added while the run is active. A time slot shows the most urgent state among its samples.
 * - At most {@link maxSlots} slots: when all are used, neighbouring slots are merged in pairs, and slots become twice as long.
 * - Checkpoints save it. A resumed run continues it after a gap of one slot, no matter how long it was stopped.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Most urgent first: `retrying` repeats failed calls and emits nothing, `blocked` waits for steps downstream, `waiting` has no rows. */
export type StepState = "retrying" | "blocked" | "working" | "waiting"

const letters: Readonly<Record<StepState, string>> = { retrying: "r", blocked: "b", working: "w", waiting: "." }
/** Letters of slots, the most urgent first; a blank is a slot without samples. */
const urgency = "rbw. "

const maxSlots = 64
/** Initial length of a slot in milliseconds. */
const firstSlot = 250

/** `every`: length of a slot in milliseconds. Each step has one letter per slot. */
export const SavedTimeline = Schema.Struct({
  every: Schema.Number.pipe(Schema.greaterThan(0)),
  steps: Schema.Record({ key: Schema.String, value: Schema.String })
})
export type SavedTimeline = typeof SavedTimeline.Type

/** Decodes a saved timeline; undefined for a run of an earlier version. */
export const decode = (saved: unknown): SavedTimeline | undefined =>
  Option.getOrUndefined(Schema.decodeUnknownOption(SavedTimeline)(saved))

const moreUrgent = (one: string, other: string): string =>
  urgency.indexOf(one) <= urgency.indexOf(other) ? one : other

const halved = (states: string): string => {
  let text = ""
  for (let slot = 0; slot < states.length; slot += 2) text += moreUrgent(states[slot] ?? " ", states[slot + 1] ?? " ")
  return text
}

export class Timeline {
  #every = firstSlot
  #steps = new Map<string, string>()
  /** Time of the first slot; undefined before the first sample. */
  #origin: number | undefined
  #restored = 0

  restore(saved: unknown): void {
    const timeline = decode(saved)
    if (timeline === undefined) return
    this.#every = timeline.every
    this.#steps = new Map(Object.entries(timeline.steps))
    this.#restored = Math.max(0, ...Object.values(timeline.steps).map(({ length }) => length))
  }

  add(now: number, states: Iterable<readonly [step: string, state: StepState]>): void {
    if (this.#origin === undefined) {
      // Continues after the slots from before the stop, and a gap.
      const slots = this.#restored === 0 ? 0 : this.#restored + 1
      this.#origin = now - slots * this.#every
    }
    const origin = this.#origin
    while (now - origin >= maxSlots * this.#every) {
      this.#every *= 2
      for (const [step, known] of this.#steps) this.#steps.set(step, halved(known))
    }
    const slot = Math.max(0, Math.floor((now - origin) / this.#every))
    for (const [step, state] of states) {
      const known = (this.#steps.get(step) ?? "").padEnd(slot, " ")
      const merged = moreUrgent(letters[state], known[slot] ?? " ")
      // The clock may have been set back: keep later slots.
      this.#steps.set(step, known.slice(0, slot) + merged + known.slice(slot + 1))
    }
  }

  save(): SavedTimeline | undefined {
    return this.#steps.size === 0 ? undefined : { every: this.#every, steps: Object.fromEntries(this.#steps) }
  }
}
