/** `dedupe`: the first row of every key, in a run or across runs; across runs it detects changes. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { sha256 } from "../Row/Hash.ts"
import { canonicalUrl } from "../Row/Url.ts"
import { type Json, keyOf, type Row } from "../Row.ts"
import * as Step from "../Step.ts"
import { flatMapValues } from "./Chunked.ts"
import * as Estimate from "./Estimate.ts"
import { ExpressionText } from "./Field.ts"
import { incompleteWarning } from "./Incomplete.ts"
import { KeySet } from "./KeySet.ts"
import { list, mapping } from "./Requirements.ts"
import { decodeState, ordinal } from "./SavedState.ts"

/** Change of a row since earlier runs. */
type Change = "new" | "changed" | "unchanged" | "gone"

/** The fields of a row that is gone, beside the one that says so. */
const goneFields: ReadonlyArray<string> = ["key", "url", "firstSeen", "lastSeen"]

/** Longer keys are kept as their hash: a key is to find an entry with, and not for content. */
const maxKeyLength = 2000

/** The key that state is kept under. */
const stateKey = (identity: string): string =>
  identity.length > maxKeyLength ? `sha256:${sha256(identity)}` : identity

/** Rows that are gone, given together. */
const rowsPerBatch = 1000

/** Cursor of the removed rows. Plain JSON. */
const GoneCursor = Schema.Struct({ key: Schema.String, given: Schema.Number })

const decodeGoneCursor = decodeState(GoneCursor)

/** Compares the rows of this run with those that earlier runs have seen. */
interface ChangeDetector {
  /** Compares a row that this run has not seen yet, and records it. `content` is undefined where changes are not detected. */
  readonly compare: (row: Row, key: string, content: string | undefined) => Exclude<Change, "gone">
  /** Stages what was recorded. */
  readonly stage: Effect.Effect<void>
  /** Rows that earlier runs have seen and this run has not, in the order of keys; the cursor says which came last. */
  readonly gone: (from: Json | undefined) => Stream.Stream<Step.Batch, Step.StepError>
}

/** Reads what earlier runs left. */
const makeChangeDetector = (
  context: Step.Context,
  seen: KeySet,
  as: string
): Effect.Effect<ChangeDetector, Step.StepError> =>
  Effect.gen(function* () {
    const { state } = context
    const entries = state.active ? yield* state.load : []
    const earlier = new Map(entries.map(({ key, value }) => [key, value]))
    let changes: Array<Step.StateChange> = []

    const goneRow = ({ firstSeen, key, lastSeen }: Step.StateEntry, position: number): Row => {
      const url = canonicalUrl(key)
      const times = { firstSeen: new Date(firstSeen).toISOString(), lastSeen: new Date(lastSeen).toISOString() }
      return {
        data: { key, ...(url === undefined ? {} : { url: key }), [as]: "gone", ...times },
        key: url ?? key,
        position
      }
    }

    /** The run may have met more keys since the last of these rows was given: finds the rest by its keys. */
    const goneBehind = (last: string | undefined) =>
      Effect.map(state.met, (met) =>
        entries
          .filter(
            ({ key }) => (last === undefined || key > last) && !seen.has(key) && !met.has(canonicalUrl(key) ?? key)
          )
          .sort((a, b) => (a.key < b.key ? -1 : 1))
      )

    return {
      compare: (row, key, content) => {
        const before = earlier.get(key)
        const now = content === undefined ? null : sha256(content)
        if (state.active) changes.push({ key, value: now, rowKey: keyOf(row) })
        if (before === undefined) return "new"
        // An entry that was saved without changedWhen cannot show a change.
        return before === null || now === null || before === now ? "unchanged" : "changed"
      },
      stage: Effect.suspend(() => {
        if (changes.length === 0) return Effect.void
        const staged = changes
        changes = []
        return state.put(staged)
      }),
      gone: (from) =>
        Stream.unwrap(
          Effect.gen(function* () {
            if (entries.length === 0) return Stream.empty
            const why = yield* state.whyIncomplete
            if (why !== undefined) {
              yield* Effect.logWarning(incompleteWarning(context.id, why))
              return Stream.empty
            }
            const { given = 0, key: last } = (yield* decodeGoneCursor(context, from)) ?? {}
            const gone = yield* goneBehind(last)
            const starts = Array.from(
              { length: Math.ceil(gone.length / rowsPerBatch) },
              (_, index) => index * rowsPerBatch
            )
            return Stream.mapEffect(Stream.fromIterable(starts), (start) => {
              const some = gone.slice(start, start + rowsPerBatch)
              const rows = some.map((entry, index) => goneRow(entry, given + start + index))
              const removed = some.map(({ key }, index) => ({ key, value: undefined, rowKey: rows[index]?.key ?? key }))
              const place = {
                key: some.at(-1)?.key ?? "",
                given: given + start + rows.length
              } satisfies typeof GoneCursor.Type
              return Effect.as(state.put(removed), { rows, cursor: place })
            })
          })
        )
    }
  })

const kinds = ["new", "changed", "unchanged", "gone"] as const satisfies ReadonlyArray<Change>

const Config = Schema.Struct({
  key: Schema.optional(ExpressionText).annotations({
    description: "Rows with the same key are duplicates; `$key` where it is missing or null."
  }),
  across: Schema.optionalWith(Schema.Literal("run", "runs"), { default: () => "run" }).annotations({
    description: "run: keeps the first row of every key in this run. runs: compares rows with those of earlier runs."
  }),
  changedWhen: Schema.optional(ExpressionText).annotations({
    description: "With across: runs, a row is changed when this value differs from the last run that saw it."
  }),
  emit: Schema.optional(
    Schema.Array(Schema.Literal(...kinds).annotations({ description: "new, changed, unchanged or gone" }))
      .pipe(Schema.minItems(1))
      .annotations({ description: "an array of new, changed, unchanged, gone" })
  ).annotations({ description: "With across: runs, the rows that are passed on; [new, changed] by default." }),
  as: Schema.optional(Schema.NonEmptyString).annotations({
    description: "With across: runs, the field that says new, changed, unchanged or gone; `change` by default."
  })
}).pipe(
  Schema.filter(({ across, as, changedWhen, emit }) => {
    if (across === "run") {
      const lone = Object.entries({ changedWhen, emit, as }).find(([, value]) => value !== undefined)?.[0]
      return lone === undefined || { path: [lone], message: `${lone} compares with earlier runs: add across: runs` }
    }
    if (emit?.includes("changed") === true && changedWhen === undefined) {
      return { path: ["emit"], message: "without changedWhen no row is changed: add it, or leave changed out" }
    }
    return (
      as === undefined ||
      !goneFields.includes(as) || { path: ["as"], message: `a row that is gone has a field ${as} already` }
    )
  })
)

const text = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))

export const dedupe = Step.make({
  key: "dedupe",
  summary:
    "Keeps the first row of every key, in the run or across runs; without a key, rows are told apart by `$key`. Across runs it says in the field `change` what is new, changed, unchanged or gone; a row that has this field already is a failed row.",
  example: `dedupe:
  key: $canonicalUrl(metadata.sourceURL)
  across: runs
  changedWhen: $sha256(markdown)
  emit: [new, changed, gone]`,
  config: Config,
  estimate: ({ config, keys, remembered, rows }) => {
    const { across, emit, key } = mapping(config)
    if (across === "runs") {
      const gone = list(emit).includes("gone") ? remembered : 0
      return { ...Estimate.idle, rows: Estimate.upTo(rows.most === undefined ? undefined : rows.most + gone) }
    }
    const known = keys === undefined || key !== undefined ? undefined : [...new Set(keys)]
    const kept = known === undefined ? Estimate.some(rows) : Estimate.exactly(known.length)
    return { ...Estimate.idle, rows: kept, keys: known }
  },
  state: (fields) => {
    const { across, as = "change", emit } = mapping(fields)
    if (across === undefined || across === "run") return undefined
    const skipsSeen = across === "runs" && !list(emit).includes("unchanged")
    return { skipsSeen, otherwise: "add unchanged to its emit", changeField: String(as) }
  },
  behaviour: {
    kind: "transform",
    make: ({ across, as = "change", changedWhen, emit = ["new", "changed"], key }, context, saved) =>
      Effect.gen(function* () {
        const seen = new KeySet()
        for (const [, marks] of saved.entries) seen.restore(String(marks))
        let saves = saved.entries.length
        // One entry for all marks of a commit: a million small ones would cost more than the rest of the run.
        const save = Effect.sync(() => {
          const marks = seen.taken()
          return marks === "" ? {} : { entries: [[ordinal(saves++), marks] as const] }
        })
        const identityOf = (row: Row, value: unknown) =>
          stateKey(value === undefined || value === null ? keyOf(row) : text(value))

        if (across === "run") {
          const push = flatMapValues(key === undefined ? [] : [key], context, (row, value, made) => {
            if (seen.add(identityOf(row, value(0)))) made.push(row)
          })
          return { push, save }
        }

        let withholds = false
        const memory = yield* makeChangeDetector(context, seen, as)
        const expressions = [key, changedWhen].filter((each) => each !== undefined)
        const compare = flatMapValues(expressions, context, (row, value, made) => {
          if (Object.hasOwn(row.data, as)) {
            return new Step.StepError({
              reason: "FieldExists",
              message: `the row has a field ${as} already: name another one with as`
            })
          }
          const identity = identityOf(row, key === undefined ? undefined : value(0))
          if (!seen.add(identity)) return undefined
          const kind = memory.compare(
            row,
            identity,
            changedWhen === undefined ? undefined : text(value(expressions.length - 1))
          )
          // The identity is that of the row before the field was added: a row without an address is identified by its content.
          if (!emit.includes(kind)) withholds = true
          else made.push({ ...row, data: { ...row.data, [as]: kind }, origin: row.origin ?? row })
          return undefined
        })
        // A later step that compares with earlier runs, too, must not take these rows for removed.
        const told = Effect.suspend(() => (withholds ? context.incomplete("seen") : Effect.void))
        return {
          push: (rows) => compare(rows).pipe(Effect.zipLeft(memory.stage), Effect.zipLeft(told)),
          end: emit.includes("gone") ? memory.gone : undefined,
          save
        }
      })
  }
})
