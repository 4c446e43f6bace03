/**
 * Compares the rows of a run with those of earlier runs, for `dedupe` across runs: finds new, changed, unchanged and gone rows.
 *
 * - The state has one entry for each key: null, the SHA-256 of a value (`changedWhen`), or a `Snapshot` (`changedIn`): the text blocks of
 *   the page at the last visit, and the values that were learned to change at every visit. If fields of the row are kept, it is `{ hash,
 *   fields }`, or the snapshot with `fields`. Their keys and values are in memory during a run; of entries with null, only hashes.
 * - A row whose entry has a form that the step no longer uses, or that this version cannot read, counts as unchanged; the entry is replaced.
 * - Rows are compared with what the last published run left. A row that waits like this in a held run counts as unchanged: it comes with
 *   that run. If only a held run has changed or removed an entry, it stays with that run, so that the state is right whether the held run
 *   is published or discarded.
 * - Changes are recorded as rows are compared, and staged with their batch; `gone` may be called once all rows were compared.
 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { contentOf } from "../Change/Blocks.ts"
import { type Comparison, compare, Snapshot } from "../Change/Compare.ts"
import { sentence, wordDiff } from "../Change/Describe.ts"
import { isEqual } from "../Row/Difference.ts"
import { sha256 } from "../Row/Hash.ts"
import { canonicalUrl } from "../Row/Url.ts"
import { type Data, type Json, keyOf, type Row } from "../Row.ts"
import type * as Step from "../Step.ts"
import type { ChangeHistory } from "./ChangeHistory.ts"
import { incompleteWarning } from "./Incomplete.ts"
import { KeySet } from "./KeySet.ts"
import { mapping } from "./Requirements.ts"
import { decodeState } from "./SavedState.ts"
import type { StepError } from "./StepError.ts"

/** Kind of change of a row since earlier runs. */
export type Change = "new" | "changed" | "unchanged" | "gone"

/** Fields of a gone row, besides its last known fields and the one that marks it as gone. */
export const goneFields: ReadonlyArray<string> = ["key", "url", "firstSeen", "lastSeen"]

/** Maximum gone rows in a batch. */
const rowsPerBatch = 1000

/** Cursor of the gone rows. Plain JSON. */
const GoneCursor = Schema.Struct({ key: Schema.String, given: Schema.Number })

const decodeGoneCursor = decodeState(GoneCursor)

/** What is compared: nothing, a value that must be equal, or text in which only some differences matter. */
export type Content =
  | { readonly form: "none" }
  | { readonly form: "value"; readonly text: string }
  | { readonly form: "text"; readonly value: unknown; readonly isIgnored: Test | undefined; readonly isAlways: Test }

type Test = (text: string) => boolean

/** Difference from the last run that saw the text, as the output row has it. */
export const Difference = Schema.Struct({
  summary: Schema.String,
  /** Word diff. */
  diff: Schema.String,
  /** Differences that were ignored. */
  ignored: Schema.Array(Schema.String),
  /** Values to ignore from now on. */
  learned: Schema.Array(Schema.String)
})
export type Difference = typeof Difference.Type

export interface Compared {
  readonly change: Exclude<Change, "gone">
  readonly difference?: Difference | undefined
  /** The `previous` fields of the row, as an earlier run last saw them. */
  readonly previous?: Data | undefined
}

/** Fields of a row to keep in the state. */
export interface KeptFields {
  /** Fields whose earlier values changed rows show: kept before all others. */
  readonly previous: ReadonlyArray<string>
  /** True if gone rows get all of their last known fields. */
  readonly all: boolean
}

/** Maximum characters of JSON for the kept fields of one row. A field that does not fit is not kept. */
const maxKeptFields = 2000

/** Maximum characters of fields kept for rows that may be gone later: the next run has all of them in memory. */
const maxKeptInAll = 100_000_000

/** Compares the rows of this run with those that earlier runs have seen. */
export interface ChangeDetector {
  /** False if no earlier run has left anything to compare with. */
  readonly hasEarlier: boolean
  /** Compares a row that this run has not seen yet, and records it. */
  readonly compare: (row: Row, key: string, content: Content) => Compared
  /** Stages the recorded changes. */
  readonly stage: Effect.Effect<void>
  /** Rows that earlier runs have seen and this run has not, ordered by key; the cursor has the last one. */
  readonly gone: (from: Json | undefined) => Stream.Stream<Step.Batch, StepError>
}

/**
 * Milliseconds after the end of the first run that saw a page. Differences found by a run that starts within this time are learned as
 * values that change at every visit.
 */
const learnWithin = 10 * 60_000

const maxIgnoredLength = 200

const decodeSnapshot = Schema.decodeUnknownOption(Snapshot)
const decodeVisit = Schema.decodeUnknownOption(Schema.Struct({ at: Schema.Number, run: Schema.Number }))

const isPage = (value: Json | undefined): boolean => typeof value === "object" && value !== null && !("hash" in value)

const hashIn = (value: Json | undefined): string | undefined => {
  const hash = typeof value === "string" ? value : mapping(value).hash
  return typeof hash === "string" ? hash : undefined
}

const fieldsIn = (value: Json | undefined): Data | undefined => {
  const { fields } = mapping(value)
  return fields === undefined ? undefined : mapping(fields)
}

const previousIn = (value: Json | undefined, { previous }: KeptFields): Data | undefined => {
  const fields = previous.length === 0 ? undefined : fieldsIn(value)
  return fields && Object.fromEntries(Object.entries(fields).filter(([name]) => previous.includes(name)))
}

/** Notes the time of the last visit of an earlier run, by the run's start. */
const noteVisit = (ends: Map<number, number>, value: Json): void => {
  const visit = isPage(value) ? decodeVisit(value) : Option.none()
  if (Option.isSome(visit)) ends.set(visit.value.run, Math.max(ends.get(visit.value.run) ?? 0, visit.value.at))
}

/** Fields of a row to keep; undefined if there are none. */
const fieldsToKeep = (
  data: Data,
  { all, previous }: KeptFields
): { readonly fields: Data; readonly size: number } | undefined => {
  if (!all && previous.length === 0) return undefined
  const kept = new Set<string>()
  let left = maxKeptFields
  for (const name of new Set(all ? [...previous, ...Object.keys(data)] : previous)) {
    const value = Object.hasOwn(data, name) ? data[name] : undefined
    // Most fields that do not fit are page texts; their length shows that without encoding them as JSON.
    const text = typeof value === "string" && value.length > left ? undefined : JSON.stringify(value)
    if (text === undefined || name.length + text.length > left) continue
    left -= name.length + text.length
    kept.add(name)
  }
  const fields = Object.fromEntries(Object.entries(data).filter(([name]) => kept.has(name)))
  return { fields, size: maxKeptFields - left }
}

const short = (text: string): string =>
  text.length > maxIgnoredLength ? `${text.slice(0, maxIgnoredLength - 1)}…` : text

const same = "Nothing that matters has changed."

const unchanged = {
  same,
  learned: same,
  first: "There was no earlier text to compare with.",
  doubtful:
    "Almost all of the last text is missing. If the next run finds the same as this one, the row counts as changed."
}

const describeDifference = ({ differences, ignored, newlyLearned, result }: Comparison): Difference => {
  const isChanged = result === "changed"
  return {
    summary: isChanged ? sentence(differences) : unchanged[result],
    diff: isChanged ? wordDiff(differences) : "",
    ignored: ignored.map(short),
    learned: newlyLearned
  }
}

const goneRow = (
  { firstSeen, key, lastSeen, value }: Step.StateEntry,
  as: string,
  kept: KeptFields,
  position: number
): Row => {
  const url = canonicalUrl(key)
  const times = { firstSeen: new Date(firstSeen).toISOString(), lastSeen: new Date(lastSeen).toISOString() }
  const last = kept.all ? fieldsIn(value) : undefined
  const address = url === undefined || last?.url !== undefined ? {} : { url: key }
  return { data: { ...last, key, ...address, [as]: "gone", ...times }, key: url ?? key, position }
}

/** Result of comparing a row with an entry. */
interface Judged {
  readonly compared: Compared
  /** True if nothing has changed; false for a new row and after a doubtful visit. */
  readonly isSame: boolean
  /** Makes the entry that replaces the other one. */
  readonly entry: () => Json
}

/** What a comparison needs to know of the run. */
interface Judging {
  readonly now: () => number
  /** Start of the run. */
  readonly run: number
  readonly teaches: (first: Snapshot) => boolean
  readonly kept: KeptFields
  /** Fields of a row to keep in its entry. */
  readonly keptOf: (row: Row, key: string) => { readonly fields: Json } | undefined
  /** Called for an entry that this version cannot read. */
  readonly onOtherForm: () => void
}

/** Compares a row with an entry. */
const judge = (
  { kept, keptOf, now, onOtherForm, run, teaches }: Judging,
  row: Row,
  key: string,
  content: Content,
  before: Json | undefined
): Judged => {
  if (content.form === "text") {
    const saved = decodeSnapshot(before)
    if (isPage(before) && Option.isNone(saved)) onOtherForm()
    const { isAlways, isIgnored, value } = content
    const last = Option.getOrUndefined(saved)
    const { blocks, isCut } = contentOf(value, isIgnored)
    const rules = { ignore: isIgnored ?? (() => false), always: isAlways, teaches }
    const comparison = compare(last, blocks, now(), rules)
    const isDoubtful = comparison.result === "doubtful"
    const entry = () => {
      const { isCut: _, ...next } = comparison.next
      // After a doubtful visit, which found hardly anything of the page as last seen, keep the data of the visit before it.
      const visit = isDoubtful ? { isCut: last?.isCut, run: last?.run } : { isCut, run }
      const fields = isDoubtful ? fieldsIn(before) : keptOf(row, key)?.fields
      return {
        ...next,
        ...(visit.isCut === true ? { isCut: true } : {}),
        run: visit.run,
        ...(fields === undefined ? {} : { fields: fields as Json })
      }
    }
    if (before === undefined) return { compared: { change: "new" }, isSame: false, entry }
    const change = comparison.result === "changed" ? "changed" : "unchanged"
    const difference = describeDifference(comparison)
    return {
      compared: { change, difference, previous: previousIn(before, kept) },
      isSame: change === "unchanged" && !isDoubtful,
      entry
    }
  }
  const hash = content.form === "none" ? null : sha256(content.text)
  const entry = () => {
    const fields = keptOf(row, key)
    return fields === undefined ? hash : { hash, ...fields }
  }
  if (before === undefined) return { compared: { change: "new" }, isSame: false, entry }
  // An entry saved in another form cannot show a change.
  const last = hashIn(before)
  const isChanged = last !== undefined && hash !== null && last !== hash
  return isChanged
    ? { compared: { change: "changed", previous: previousIn(before, kept) }, isSame: false, entry }
    : { compared: { change: "unchanged" }, isSame: true, entry }
}

/** Values that earlier runs left. A key without a value, which most have, takes as much as in a {@link KeySet}. */
class EarlierValues {
  readonly #keys = new KeySet()
  readonly #values = new Map<string, Json>()

  get size(): number {
    return this.#keys.size + this.#values.size
  }

  set(key: string, value: Json): void {
    if (value === null) this.#keys.include(key)
    else this.#values.set(key, value)
  }

  get(key: string): Json | undefined {
    return this.#values.get(key) ?? (this.#keys.has(key) ? null : undefined)
  }
}

/** What published runs left of an entry. */
const publishedIn = (entry: Step.StateEntry): Step.StateEntry | undefined =>
  entry.isHeld === true ? entry.published : entry

export interface DetectorOptions {
  /** Keys of the rows of this run. */
  readonly seen: KeySet
  /** Field of gone rows that marks them. */
  readonly as: string
  readonly history: ChangeHistory
  readonly kept: KeptFields
  /** True if the step passes no unchanged row on. */
  readonly withholdsUnchanged: boolean
}

/** Makes a detector from the entries that earlier runs left. */
export const makeChangeDetector = (
  context: Step.Context,
  { as, history, kept, seen, withholdsUnchanged }: DetectorOptions
): Effect.Effect<ChangeDetector, StepError> =>
  Effect.gen(function* () {
    const { state } = context
    const earlier = new EarlierValues()
    const held = new Map<string, Step.StateEntry>()
    const ends = new Map<number, number>()
    yield* state.each((entry) => {
      const published = publishedIn(entry)
      if (entry.isHeld === true) {
        held.set(entry.key, entry)
        noteVisit(ends, entry.value)
      }
      if (published === undefined) return
      earlier.set(published.key, published.value)
      noteVisit(ends, published.value)
    })
    let changes: Array<Step.StateChange> = []
    const clock = yield* Effect.clock
    const run = context.startedAt.getTime()

    const teaches = (first: Snapshot): boolean =>
      first.run !== undefined && run - (ends.get(first.run) ?? first.at) <= learnWithin
    let hasOtherForm = false
    const onOtherForm = () => {
      hasOtherForm = true
    }
    /** A `previous` field that is too long to keep, and the key of its row. */
    let tooLong: { readonly name: string; readonly key: string } | undefined
    const warned = Effect.suspend(() => {
      const other = context.warnOnce(
        "state",
        "some entries of the state have a format that this version cannot read: their rows count as unchanged once, and are compared from now on"
      )
      const long = context.warnOnce(
        "previous",
        `the field ${tooLong?.name} of ${tooLong?.key} is not stored: previous stores at most ${maxKeptFields} characters of JSON for a row`
      )
      const full = context.warnOnce(
        "gone",
        `the fields stored for rows that may be gone later have reached ${maxKeptInAll / 1_000_000} MB: further rows will have only their key once they are gone. Keep fewer fields with select before this step`
      )
      return Effect.zipRight(
        hasOtherForm ? other : Effect.void,
        Effect.zipRight(tooLong === undefined ? Effect.void : long, roomInAll > 0 || !kept.all ? Effect.void : full)
      )
    })

    let roomInAll = maxKeptInAll
    const keptOf = (row: Row, key: string): { readonly fields: Json } | undefined => {
      const own = fieldsToKeep(row.data, { ...kept, all: kept.all && roomInAll > 0 })
      if (own === undefined) return undefined
      const { fields, size } = own
      roomInAll -= size
      const lost = kept.previous.find((name) => row.data[name] !== undefined && !Object.hasOwn(fields, name))
      if (lost !== undefined) tooLong ??= { name: lost, key }
      return { fields: fields as Json }
    }

    /** Finds the gone rows after `last` by key, because the run may have seen more keys since then. */
    const goneBehind = (last: string | undefined) =>
      Effect.flatMap(state.met, (met) => {
        const gone: Array<Step.StateEntry> = []
        const collect = (entry: Step.StateEntry) => {
          const published = publishedIn(entry)
          // A held run that has removed the entry has its gone row already.
          if (published === undefined || entry.isRemoved === true) return
          const { key } = published
          if ((last === undefined || key > last) && !seen.has(key) && !met.has(canonicalUrl(key) ?? key))
            gone.push(published)
        }
        // The cursor compares keys like strings; databases have other orders.
        return Effect.map(state.each(collect), () => gone.sort((a, b) => (a.key < b.key ? -1 : 1)))
      })

    const judging: Judging = { now: () => clock.unsafeCurrentTimeMillis(), run, teaches, kept, keptOf, onOtherForm }

    return {
      hasEarlier: earlier.size > 0,
      compare: (row, key, content) => {
        const waiting = held.get(key)
        if (waiting !== undefined && waiting.isRemoved !== true) {
          const judged = judge(judging, row, key, content, waiting.value)
          if (judged.isSame) return judged.compared
        }
        const { compared, entry, isSame } = judge(judging, row, key, content, earlier.get(key))
        if (state.active && !(isSame && waiting !== undefined)) {
          const value = entry()
          // An entry with text has the time of each visit, and is large.
          const isFinal = content.form !== "text"
          const isSeenAgain = withholdsUnchanged && isSame && isFinal && isEqual(value, earlier.get(key))
          changes.push({ key, value, rowKey: keyOf(row), isFinal, isSeenAgain })
        }
        return compared
      },
      stage: Effect.suspend(() => {
        if (changes.length === 0) return Effect.void
        const staged = changes
        changes = []
        return Effect.zipRight(warned, state.put(staged))
      }),
      gone: (from) =>
        Stream.unwrap(
          Effect.gen(function* () {
            if (earlier.size === 0) return Stream.empty
            const why = yield* state.whyIncomplete
            if (why !== undefined) {
              yield* Effect.logWarning(incompleteWarning(context.id, why))
              return Stream.empty
            }
            const { given = 0, key: last } = (yield* decodeGoneCursor(context, from)) ?? {}
            const gone = yield* goneBehind(last)
            return Stream.mapEffect(
              Stream.fromIterable(Arr.chunksOf(gone, rowsPerBatch).entries()),
              ([batch, some]) => {
                const start = batch * rowsPerBatch
                const rows = some.map((entry, index) => goneRow(entry, as, kept, given + start + index))
                const removed = some.map(({ key }, index) => ({
                  key,
                  value: undefined,
                  rowKey: rows[index]?.key ?? key
                }))
                const place = {
                  key: some.at(-1)?.key ?? "",
                  given: given + start + rows.length
                } satisfies typeof GoneCursor.Type
                for (const [index, entry] of some.entries()) {
                  const row = rows[index]
                  if (row !== undefined) history.add({ change: "gone", key: entry.key, before: row.data }, keyOf(row))
                }
                return Effect.as(Effect.zipRight(history.stage, state.put(removed)), { rows, cursor: place })
              }
            )
          })
        )
    }
  })
