/**
 * The last changes that a `dedupe` step across runs has reported, each with its sentence and its word diff.
 *
 * They are entries of the state, in a shelf beside that of the step: they take effect with the state of the run that found them, so a
 * change is in the history exactly if later runs compare with the page after it. Keys are the start of the run and the key of the row: a
 * resumed run that finds a change again replaces it. The oldest are removed once there are more than the step keeps.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isEqual } from "../Row/Difference.ts"
import { JsonValue } from "../Row/SavedValue.ts"
import type { Data, Json } from "../Row.ts"
import type * as Step from "../Step.ts"
import type { StepError } from "./StepError.ts"

const Fields = Schema.Record({ key: Schema.String, value: JsonValue })

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
  diff: Schema.optional(Schema.String),
  /** The fields that `previous` names, as the run before found them, and as they are now; undefined without any. */
  before: Schema.optional(Fields),
  after: Schema.optional(Fields)
})
export interface ChangeRecord extends Schema.Schema.Type<typeof ChangeRecord> {}

const decodeChange = Schema.decodeUnknownOption(ChangeRecord)

const part = "history"

/** Name under which the state has the changes of a step. */
export const historyOf = (step: string): string => `${step}~${part}`

/** True for the name under which the state has the changes of some step. */
export const isHistory = (step: string): boolean => step.endsWith(`~${part}`)

/** The step whose changes the state has under this name. */
export const historyStep = (name: string): string => name.slice(0, name.lastIndexOf("~"))

/** Key of the entry that says which run has looked for changes last; it sorts before all changes. */
export const visitKey = "0"

const Visit = Schema.Struct({
  run: Schema.String,
  /** Changes of the run that are not kept, beyond the first ones. */
  more: Schema.optional(Schema.Int)
})

/** The last run that has looked for changes. */
export const visitIn = Schema.decodeUnknownOption(Visit)

/** Characters of a diff, of a key, and of the JSON of fields that are kept. */
const [maxDiff, maxKey, maxFields] = [8000, 2000, 2000]

/**
 * These fields of a row, cut where they do not fit; undefined without any. A field that was left out would look like one that is gone, and
 * one that is as it was would look changed if it was cut.
 */
const fitting = (
  row: Data | undefined,
  names: ReadonlyArray<string>,
  then: ChangeRecord["before"] = {}
): ChangeRecord["before"] => {
  let left = maxFields
  const kept = names.flatMap((name) => {
    const value = row !== undefined && Object.hasOwn(row, name) ? row[name] : undefined
    if (value === undefined) return []
    if (Object.hasOwn(then, name) && isEqual(then[name], value)) return [[name, value as Json] as const]
    const json = JSON.stringify(value) ?? ""
    const isLong = json.length > left
    const kept = isLong ? `${(typeof value === "string" ? value : json).slice(0, left)}…` : (value as Json)
    left = isLong ? 0 : left - json.length
    return [[name, kept] as const]
  })
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

/** A change to be kept, with the row before and the row now. */
export interface FoundChange extends Pick<ChangeRecord, "change" | "diff" | "key" | "summary"> {
  readonly before?: Data | undefined
  readonly after?: Data | undefined
}

export interface ChangeHistory {
  /** Adds a change of the row with this `$key`. */
  readonly add: (change: FoundChange, rowKey: string) => void
  /** Stages what was added. */
  readonly stage: Effect.Effect<void>
  /** Changes of this run so far, those that are not kept included; {@link makeChangeHistory} takes it after a resume. */
  readonly count: () => number
}

/**
 * Keeps the last `most` changes, or the first of a run that finds more, with these fields. `before`: changes of the run before it was
 * resumed.
 */
export const makeChangeHistory = (
  context: Step.Context,
  most: number,
  fields: ReadonlyArray<string>,
  before = 0
): Effect.Effect<ChangeHistory, StepError> =>
  Effect.gen(function* () {
    const state = context.state.part(part)
    const isActive = most > 0 && context.state.active
    const kept = isActive ? (yield* state.load).flatMap(({ key }) => (key === visitKey ? [] : key)) : []
    const clock = yield* Effect.clock
    const started = context.startedAt.toISOString()
    let count = before
    /** The same when the visit was last staged. */
    let saved = before
    const visit = (): Step.StateChange => {
      const value = { run: context.runId, ...(count > most ? { more: count - most } : {}) } satisfies typeof Visit.Type
      return { key: visitKey, value, rowKey: "" }
    }
    let changes: Array<Step.StateChange> = isActive ? [visit()] : []
    return {
      add: ({ after, before, diff, key, ...change }, rowKey) => {
        if (!isActive) return
        count++
        if (count > most) return
        const at = clock.unsafeCurrentTimeMillis()
        const short = key.slice(0, maxKey)
        const name = `${started} ${short}`
        const then = fitting(before, fields)
        const now = fitting(after, fields, then)
        const record: ChangeRecord = {
          ...change,
          ...(then === undefined ? {} : { before: then }),
          ...(now === undefined ? {} : { after: now }),
          at,
          run: context.runId,
          key: short,
          ...(diff === undefined ? {} : { diff: diff.length > maxDiff ? `${diff.slice(0, maxDiff)}…` : diff })
        }
        changes.push({ key: name, value: { ...record }, rowKey })
        while (kept.length + count > most && kept.length > 0) {
          changes.push({ key: kept.shift() ?? "", value: undefined, rowKey })
        }
      },
      stage: Effect.suspend(() => {
        const isMore = isActive && count > Math.max(most, saved)
        if (changes.length === 0 && !isMore) return Effect.void
        const staged = isMore ? [...changes, visit()] : changes
        saved = count
        changes = []
        return state.put(staged)
      }),
      count: () => count
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
