/**
 * The last changes that a `dedupe` step across runs has reported, each with its summary and word diff.
 *
 * They are entries of the state, under their own name beside the step's: they take effect together with the state of the run that found
 * them, so the history has a change exactly if later runs compare with the page as it was after that change. An entry's key is the start of
 * the run and the key of the row, so a resumed run that finds a change again replaces it. The oldest are removed once there are more than
 * the step keeps.
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

/** A change as stored in the history. */
export const ChangeRecord = Schema.Struct({
  /** Time of the change, in milliseconds since 1970. */
  at: Schema.Number,
  run: Schema.String,
  change: Schema.Literal("new", "changed", "gone"),
  key: Schema.String,
  /** Summary in one sentence; undefined without `changedIn`. */
  summary: Schema.optional(Schema.String),
  /** Word diff, as `git diff --word-diff` writes it. */
  diff: Schema.optional(Schema.String),
  /** Fields named in `previous`: as an earlier run last saw them, and as they are now. Undefined if the row has none of them. */
  before: Schema.optional(Fields),
  after: Schema.optional(Fields)
})
export interface ChangeRecord extends Schema.Schema.Type<typeof ChangeRecord> {}

const decodeChange = Schema.decodeUnknownOption(ChangeRecord)

const part = "history"

/** Name under which the state stores the changes of a step. */
export const historyOf = (step: string): string => `${step}~${part}`

/** True for a name under which the state stores the changes of some step. */
export const isHistory = (step: string): boolean => step.endsWith(`~${part}`)

/** Step whose changes the state stores under this name. */
export const historyStep = (name: string): string => name.slice(0, name.lastIndexOf("~"))

/** Key of the entry that names the last run that looked for changes; sorts before all changes. */
export const visitKey = "0"

const Visit = Schema.Struct({
  run: Schema.String,
  /** Number of changes of the run that are not kept, beyond the first ones. */
  more: Schema.optional(Schema.Int)
})

/** Decodes the entry of the last run that looked for changes. */
export const visitIn = Schema.decodeUnknownOption(Visit)

/** Maximum characters of a diff, of a key, and of the kept fields as JSON. */
const [maxDiff, maxKey, maxFields] = [8000, 2000, 2000]

/**
 * Takes these fields of a row, truncated where they do not fit; undefined if there are none. A missing field would look like a removed one,
 * so none is left out; an unchanged field would look changed if it was truncated, so it is kept whole.
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

/** Change to keep, with the row before and after it. */
export interface FoundChange extends Pick<ChangeRecord, "change" | "diff" | "key" | "summary"> {
  readonly before?: Data | undefined
  readonly after?: Data | undefined
}

export interface ChangeHistory {
  /** Adds a change of the row that has this `$key`. */
  readonly add: (change: FoundChange, rowKey: string) => void
  /** Stages the added changes. */
  readonly stage: Effect.Effect<void>
  /** Number of changes of this run so far, including those that are not kept. Pass it to {@link makeChangeHistory} after a resume. */
  readonly count: () => number
}

/**
 * Keeps the last `most` changes with these fields; of a run that finds more than `most`, the first ones. `before`: number of changes that
 * the run had found before a resume.
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
    /** Value of `count` when the entry under {@link visitKey} was last staged. */
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

/** Change that an entry of the state stands for. */
export const changeIn = ({
  step,
  value
}: {
  readonly step: string
  readonly value: unknown
}): Option.Option<ChangeRecord> => (isHistory(step) ? decodeChange(value) : Option.none())
