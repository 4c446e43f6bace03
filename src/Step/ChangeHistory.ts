/**
 * The last changes that a `dedupe` step across runs has reported, each with its sentence and its word diff.
 *
 * They are entries of the state, in a shelf beside that of the step: they take effect with the state of the run that found them, so a
 * change is in the history exactly if later runs compare with the page after it. Keys begin with the time and a number, so that their order
 * is that of the changes. The oldest are removed once there are more than the step keeps.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Step from "../Step.ts"
import type { StepError } from "./StepError.ts"

/** A change as it is kept. */
export const ChangeRecord = Schema.Struct({
  /** Milliseconds since 1970. */
  at: Schema.Number,
  run: Schema.String,
  change: Schema.Literal("new", "changed", "gone"),
  key: Schema.String,
  /** One sentence; undefined without `changedIn`. */
  summary: Schema.optional(Schema.String),
  /** Word diff, as `git diff --word-diff` writes it. */
  diff: Schema.optional(Schema.String)
})
export interface ChangeRecord extends Schema.Schema.Type<typeof ChangeRecord> {}

const decodeChange = Schema.decodeUnknownOption(ChangeRecord)

const part = "history"

/** Name under which the state has the changes of a step. */
export const historyOf = (step: string): string => `${step}~${part}`

/** True for the name under which the state has the changes of some step. */
export const isHistory = (step: string): boolean => step.endsWith(`~${part}`)

/** Characters of a diff, and of a key, that are kept. */
const [maxDiff, maxKey] = [8000, 2000]

export interface ChangeHistory {
  /** Adds a change of the row with this `$key`. */
  readonly add: (change: Omit<ChangeRecord, "at" | "run">, rowKey: string) => void
  /** Stages what was added. */
  readonly stage: Effect.Effect<void>
}

/** Keeps the last `most` changes. */
export const makeChangeHistory = (context: Step.Context, most: number): Effect.Effect<ChangeHistory, StepError> =>
  Effect.gen(function* () {
    const state = context.state.part(part)
    const isActive = most > 0 && context.state.active
    const kept = isActive ? (yield* state.load).map(({ key }) => key) : []
    const clock = yield* Effect.clock
    const added: Array<string> = []
    let changes: Array<Step.StateChange> = []
    return {
      add: ({ diff, key, ...change }, rowKey) => {
        // A run with more changes than are kept shows its first ones.
        if (!isActive || added.length >= most) return
        const at = clock.unsafeCurrentTimeMillis()
        const short = key.slice(0, maxKey)
        const name = `${new Date(at).toISOString()} ${String(added.length).padStart(4, "0")} ${short}`
        added.push(name)
        const record: ChangeRecord = {
          ...change,
          at,
          run: context.runId,
          key: short,
          ...(diff === undefined ? {} : { diff: diff.length > maxDiff ? `${diff.slice(0, maxDiff)}…` : diff })
        }
        changes.push({ key: name, value: { ...record }, rowKey })
        const oldest = kept.length + added.length > most ? kept.shift() : undefined
        if (oldest !== undefined) changes.push({ key: oldest, value: undefined, rowKey })
      },
      stage: Effect.suspend(() => {
        if (changes.length === 0) return Effect.void
        const staged = changes
        changes = []
        return state.put(staged)
      })
    }
  })

/** The change that an entry of the state is. */
export const changeIn = ({
  step,
  value
}: {
  readonly step: string
  readonly value: unknown
}): Option.Option<ChangeRecord> => (isHistory(step) ? decodeChange(value) : Option.none())
