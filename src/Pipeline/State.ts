/** State across runs: the steps that keep some, and the settings of its key. */
import * as Schema from "effect/Schema"
import { DurationText } from "./Amount.ts"

/** Keys stand in messages and file names of exports: one printable line. */
const StateKey = Schema.String.pipe(
  Schema.filter((text) => text.trim() === text && text !== "" && text.length <= 500 && !/\p{Cc}/u.test(text))
).annotations({
  description: "one line of 1 to 500 characters without space around them, like docs-watch/${{ inputs.site }}"
})

export const State = Schema.Struct({
  /** Default: the pipeline's name. */
  key: Schema.optional(StateKey),
  /** Entries that no run has met for so long are let go. */
  forgetAfter: Schema.optional(DurationText)
})
export type State = typeof State.Type

/** The field of a step that makes it keep something from run to run, and the values with which it does not. */
const memories: Readonly<Record<string, { readonly field: string; readonly without: ReadonlyArray<unknown> }>> = {
  dedupe: { field: "across", without: [undefined, "run"] },
  files: { field: "skipSeen", without: [undefined, "never"] }
}

/** True when a step with these fields keeps something from run to run. */
export const remembers = (key: string, fields: unknown): boolean => {
  const memory = memories[key]
  if (memory === undefined || typeof fields !== "object" || fields === null) return false
  return !memory.without.includes((fields as Readonly<Record<string, unknown>>)[memory.field])
}
