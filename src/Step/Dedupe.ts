/** `dedupe`: keeps the first row of every key, within a run or across runs; across runs it detects changes. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { characters } from "../Api/Field.ts"
import { re2js } from "../Packages.ts"
import { count } from "../Row/Count.ts"
import type { Expression } from "../Row/Expression.ts"
import { sha256 } from "../Row/Hash.ts"
import { keyOf, type Row, withData } from "../Row.ts"
import * as Step from "../Step.ts"
import { isPattern } from "../Values/LinearRegExp.ts"
import { type Change, type Content, type Difference, goneFields, makeChangeDetector } from "./ChangeDetector.ts"
import { cost as goalCost, isGoalCursor, isHeldEntry, type Judgement, makeChangeGoal } from "./ChangeGoal.ts"
import { makeChangeHistory } from "./ChangeHistory.ts"
import { flatMapValues } from "./Chunked.ts"
import * as Estimate from "./Estimate.ts"
import { ExpressionText } from "./Field.ts"
import { KeySet } from "./KeySet.ts"
import { watchFields } from "./MisspeltFields.ts"
import { list, mapping } from "./Requirements.ts"
import { ordinal } from "./SavedState.ts"

/** Maximum length of a stored key; longer ones are replaced by their hash, because a key only has to find its entry. */
const maxKeyLength = 2000

/** True for a key that identifies no row: CSV files have empty cells. */
const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ""

/** Key under which the state of a row is stored. */
const stateKey = (identity: string): string =>
  identity.length > maxKeyLength ? `sha256:${sha256(identity)}` : identity

const kinds = ["new", "changed", "unchanged", "gone"] as const satisfies ReadonlyArray<Change>

/** Compiles to a matcher that is linear in the length of the text, because the text comes from a page. */
const compilePattern = (source: string) => {
  const { RE2JS } = re2js()
  return RE2JS.compile(source, RE2JS.CASE_INSENSITIVE)
}

const Patterns = Schema.Array(
  Schema.NonEmptyString.pipe(Schema.filter(isPattern)).annotations({ description: "a regular expression (RE2)" })
).annotations({ description: "an array of regular expressions" })

const testOf = (patterns: ReadonlyArray<string>): ((text: string) => boolean) => {
  const compiled = patterns.map(compilePattern)
  return (text) => compiled.some((pattern) => pattern.matcher(text).find())
}

/** Maximum number of changes to keep: their keys are in memory during a run. */
const maxHistory = 20_000

/** Key of the saved entry with the number of changes in this run so far. */
const changesEntry = "changes"

/** Field that says what has changed, with `changedIn`. */
const differenceField = "difference"

/** Field with earlier values, with `previous`. */
const previousField = "previous"

const Config = Schema.Struct({
  key: Schema.optional(ExpressionText).annotations({
    description: "Rows with the same key are duplicates; `$key` where it is missing, null or empty."
  }),
  across: Schema.optionalWith(Schema.Literal("run", "runs"), { default: () => "run" }).annotations({
    description: "run: keeps the first row of every key in this run. runs: compares rows with those of earlier runs."
  }),
  changedWhen: Schema.optional(ExpressionText).annotations({
    description: "With across: runs, a row is changed when this value differs from the last run that saw it."
  }),
  changedIn: Schema.optional(ExpressionText).annotations({
    description:
      "With across: runs, a row is changed when this text, usually `markdown`, has changed in a way that matters: order, advertisements, counters and other parts that differ at every visit do not count. The field `difference` says what has changed."
  }),
  ignore: Schema.optional(Patterns).annotations({
    description:
      "With changedIn, blocks of the text that match one of these patterns are not compared; case is ignored."
  }),
  always: Schema.optional(Patterns).annotations({
    description:
      "With changedIn, a difference in a block of the text that matches one of these patterns always counts, even if the block differs at every visit."
  }),
  goal: Schema.optional(characters(1000, 1)).annotations({
    description:
      'With changedIn, the kind of change that you want to know of, such as "the price fell". The language model of the service is asked about each change, after the last row; a row whose change does not matter is unchanged. `difference.goal` has the answer. Changes without an answer count.'
  }),
  goalLimit: Schema.optional(Schema.Int.pipe(Schema.between(0, 10_000))).annotations({
    description:
      "Maximum number of questions to the language model in one run; further changes count without a question. 20 by default."
  }),
  previous: Schema.optional(
    Schema.Array(Schema.NonEmptyString)
      .pipe(Schema.minItems(1), Schema.maxItems(50))
      .annotations({ description: "an array of names of fields" })
  ).annotations({
    description:
      "Fields whose earlier values are stored and shown with a changed row: [price] gives `previous: { price: 12 }`. Values that earlier runs have not stored are missing."
  }),
  emit: Schema.optional(
    Schema.Array(Schema.Literal(...kinds).annotations({ description: "new, changed, unchanged or gone" }))
      .pipe(Schema.minItems(1))
      .annotations({ description: "an array of new, changed, unchanged, gone" })
  ).annotations({
    description:
      "With across: runs, the rows that are passed on; [new, changed] by default. With gone, the state keeps the fields of each row, up to 2,000 characters of JSON: a row that is gone has them as they were last."
  }),
  as: Schema.optional(Schema.NonEmptyString).annotations({
    description: "With across: runs, the name of the field with new, changed, unchanged or gone; `change` by default."
  }),
  history: Schema.optional(Schema.Int.pipe(Schema.between(1, maxHistory))).annotations({
    description:
      "With across: runs, keeps the last N changes among the emitted rows, with their diffs, for `sluice show`, the dashboard and `notify` on changed. Rows of the first run are not changes. By default, no changes are kept."
  })
}).pipe(
  Schema.filter(({ across, always, as, changedIn, changedWhen, emit, goal, goalLimit, history, ignore, previous }) => {
    if (across === "run") {
      const lone = Object.entries({ changedWhen, changedIn, emit, as, goal, history, previous }).find(
        ([, value]) => value !== undefined
      )?.[0]
      return lone === undefined || { path: [lone], message: `${lone} compares with earlier runs: add across: runs` }
    }
    if (changedIn !== undefined && changedWhen !== undefined) {
      return { path: ["changedIn"], message: "changedWhen compares the row already: leave one of them out" }
    }
    if (changedIn === undefined) {
      const lone = Object.entries({ always, ignore, goal }).find(([, value]) => value !== undefined)?.[0]
      if (lone !== undefined) return { path: [lone], message: `${lone} has no effect without changedIn` }
    }
    if (goalLimit !== undefined && goal === undefined) {
      return { path: ["goalLimit"], message: "goalLimit has no effect without goal" }
    }
    if (goal !== undefined && emit?.includes("changed") === false) {
      return {
        path: ["goal"],
        message: "the goal only concerns changed rows, which are not passed on: add changed to emit"
      }
    }
    if (previous !== undefined && changedWhen === undefined && changedIn === undefined) {
      return { path: ["previous"], message: "without changedWhen or changedIn no row is changed: add one" }
    }
    if (previous !== undefined && emit?.includes("changed") === false) {
      return {
        path: ["previous"],
        message: "only changed rows have earlier values, and emit leaves changed rows out: add changed to emit"
      }
    }
    if (as === previousField && previous !== undefined) {
      return { path: ["as"], message: `previous writes the earlier values into the field ${as}: choose another name` }
    }
    if (as === differenceField && changedIn !== undefined) {
      return { path: ["as"], message: `changedIn writes what has changed into the field ${as}: choose another name` }
    }
    if (emit?.includes("changed") === true && changedWhen === undefined && changedIn === undefined) {
      return {
        path: ["emit"],
        message: "without changedWhen or changedIn no row is changed: add one, or leave changed out"
      }
    }
    return (
      as === undefined ||
      !goneFields.includes(as) || {
        path: ["as"],
        message: `gone rows have a field ${as} of their own: choose another name`
      }
    )
  })
)

const withAnswer = (difference: Difference, answer: Judgement | undefined) =>
  answer === undefined ? difference : { ...difference, goal: { ...answer } }

/** With at least this many rows, a key shared by 90 % of them identifies nothing. */
const minShared = 10

/**
 * Warns at the end of a run if `key` does not identify rows (no row has it, or at least 90 % of the rows have the same value), or if no row
 * has what is compared. Also warns of misspelt fields.
 */
const watchRows = ({ changedIn, changedWhen, key, previous = [] }: typeof Config.Type, context: Step.Context) => {
  let [rows, without, compared, same, lead] = [0, 0, 0, 0, 0]
  let most: string | undefined
  const expressions = [key, changedIn, changedWhen].filter((each) => each !== undefined)
  const fields = watchFields(expressions, previous)
  const pathsOfKey = key?.paths ?? []
  const hintOf = ({ paths }: Expression) => paths.map(fields.hint).find((found) => found !== undefined)
  const warnOfMissing = (name: string, { source }: Expression, consequence: string) =>
    context.warnOnce(name, `none of ${count(rows, "row")} has a value of ${name}: ${source}; ${consequence}`)
  const warnOfKey = Effect.suspend(() => {
    if (key === undefined || rows === 0 || !context.seesAllRows) return Effect.void
    if (without === rows) {
      const hint = hintOf(key)
      return warnOfMissing("key", key, `$key was used instead${hint === undefined ? "" : `: ${hint}`}`)
    }
    if (rows < minShared || same < rows * 0.9) return Effect.void
    return context.warnOnce(
      "key",
      `${same} of ${rows} rows have the same key (key: ${key.source}): only the first is kept`
    )
  })
  const warnOfContent = Effect.suspend(() => {
    const content = changedWhen ?? changedIn
    return content === undefined || rows === 0 || compared > 0 || !context.seesAllRows || hintOf(content) !== undefined
      ? Effect.void
      : warnOfMissing(changedIn === undefined ? "changedWhen" : "changedIn", content, "no row is found to have changed")
  })
  return {
    /** Finds the key of most rows without listing all keys: a leading key is replaced once the others are as many (majority vote). */
    see: (value: unknown, identity: string, content?: unknown) => {
      rows++
      if (content !== undefined) compared++
      if (isEmpty(value)) without++
      if (lead === 0 && identity !== most) [most, same] = [identity, 0]
      if (identity === most) same++
      lead += identity === most ? 1 : -1
    },
    watching: <R>(transform: Step.Transform<R>): Step.Transform<R> => ({
      ...transform,
      push: (given) => {
        fields.see(given)
        return transform.push(given)
      },
      ended: Effect.suspend(() =>
        Effect.all([warnOfKey, warnOfContent, fields.warn(context, without === rows ? pathsOfKey : [])], {
          discard: true
        })
      )
    })
  }
}

const hasGoal = (fields: unknown): boolean => mapping(fields).goal !== undefined

const defaultGoalLimit = 20

const text = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))

export const dedupe = Step.make({
  key: "dedupe",
  summary:
    "Keeps the first row of each key, in the run or across runs; without `key`, `$key` is the key. Across runs, the field `change` says whether a row is new, changed, unchanged or gone; a row that has this field already is a failed row.",
  example: `dedupe:
  key: $canonicalUrl(metadata.sourceURL)
  across: runs
  changedWhen: $sha256(markdown)
  emit: [new, changed, gone]`,
  config: Config,
  needs: (fields) => (hasGoal(fields) ? [{ ability: "model", path: ["goal"], what: "a `goal` for changes" }] : []),
  cost: (fields) => (hasGoal(fields) ? goalCost : []),
  service: (fields) => (hasGoal(fields) ? { request: "POST /v2/parse", documented: true } : undefined),
  estimate: ({ config, cost, keys, remembered, rows }) => {
    const { across, emit, goalLimit, key } = mapping(config)
    if (across === "runs") {
      const gone = list(emit).includes("gone") ? remembered : 0
      const given = Estimate.upTo(rows.most === undefined ? undefined : rows.most + gone)
      if (!hasGoal(config)) return { ...Estimate.idle, rows: given }
      const requests = Estimate.atMost(Estimate.upTo(rows.most), Estimate.numberOf(goalLimit) ?? defaultGoalLimit)
      return { requests, pages: Estimate.none, rows: given, buys: Estimate.bought(cost, requests) }
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
    make: (config, context, saved) =>
      Effect.gen(function* () {
        const { across, as = "change", changedIn, changedWhen, emit = ["new", "changed"], key } = config
        const seen = new KeySet()
        const earlier = saved.entries.filter(([name]) => !isHeldEntry(name) && name !== changesEntry)
        for (const [, marks] of earlier) seen.restore(String(marks))
        let saves = earlier.length
        // One entry for all hashes of keys since the last commit: a million small entries would cost more than the rest of the run.
        const saveSeen = Effect.sync(() => {
          const marks = seen.taken()
          return marks === "" ? {} : { entries: [[ordinal(saves++), marks] as const] }
        })
        const identityOf = (row: Row, value: unknown) => stateKey(isEmpty(value) ? keyOf(row) : text(value))

        const watched = watchRows(config, context)
        if (across === "run") {
          const push = flatMapValues(key === undefined ? [] : [key], context, (row, value, made) => {
            const identity = identityOf(row, value(0))
            watched.see(value(0), identity)
            if (seen.add(identity)) made.push(row)
          })
          return watched.watching({ push, save: saveSeen })
        }

        let withholds = false
        const changesBefore = Number(saved.entries.find(([name]) => name === changesEntry)?.[1] ?? 0)
        const history = yield* makeChangeHistory(context, config.history ?? 0, config.previous ?? [], changesBefore)
        let savedChanges = changesBefore
        const save = Effect.map(saveSeen, ({ entries = [] }): Step.Changes => {
          const changes = history.count()
          if (changes === savedChanges) return { entries }
          savedChanges = changes
          return { entries: [...entries, [changesEntry, changes]] }
        })
        const memory = yield* makeChangeDetector(context, {
          seen,
          as,
          history,
          kept: { previous: config.previous ?? [], all: emit.includes("gone") },
          withholdsUnchanged: !emit.includes("unchanged")
        })
        const goal =
          config.goal === undefined
            ? undefined
            : yield* makeChangeGoal({ goal: config.goal, limit: config.goalLimit ?? defaultGoalLimit }, context, saved)
        const expressions = [key, changedWhen ?? changedIn].filter((each) => each !== undefined)
        const isIgnored = config.ignore && testOf(config.ignore)
        const isAlways = testOf(config.always ?? [])
        const contentOf = (value: unknown): Content => {
          if (changedIn !== undefined) return { form: "text", value, isIgnored, isAlways }
          return changedWhen === undefined ? { form: "none" } : { form: "value", text: text(value) }
        }
        const added = [
          as,
          ...(changedIn === undefined ? [] : [differenceField]),
          ...(config.previous === undefined ? [] : [previousField])
        ]
        const compare = flatMapValues(expressions, context, (row, value, made) => {
          const taken = added.find((field) => Object.hasOwn(row.data, field))
          if (taken !== undefined) {
            const otherwise = taken === as ? "name another one with as" : "rename it with select"
            return new Step.StepError({
              reason: "FieldExists",
              message: `the row has a field ${taken} already: ${otherwise}`
            })
          }
          const identity = identityOf(row, key === undefined ? undefined : value(0))
          const content = value(expressions.length - 1)
          watched.see(key === undefined ? undefined : value(0), identity, content)
          if (!seen.add(identity)) return undefined
          const { change, difference, previous } = memory.compare(row, identity, contentOf(content))
          // `identity` comes from the row without the added fields: a row without an address is identified by its content.
          if (!emit.includes(change)) {
            withholds = true
            context.withheld(change)
            return undefined
          }
          const isShown = change === "changed" && previous !== undefined
          const shown = isShown ? { ...row.data, [previousField]: previous } : row.data
          const isAsked = goal !== undefined && change === "changed" && difference !== undefined
          const answer = isAsked
            ? goal.hold({ row: { ...row, data: shown, origin: row.origin ?? row }, key: identity, difference })
            : undefined
          if (!isAsked || answer !== undefined) {
            const data = {
              ...shown,
              [as]: change,
              ...(difference === undefined ? {} : { [differenceField]: withAnswer(difference, answer) })
            }
            made.push(withData(row, data))
            if (change !== "unchanged" && memory.hasEarlier) {
              const { diff, summary } = difference ?? {}
              history.add({ change, key: identity, summary, diff, before: previous, after: row.data }, keyOf(row))
            }
          }
          return undefined
        })
        // A later step that compares with earlier runs must not take withheld rows for removed ones.
        const told = Effect.suspend(() => (withholds ? context.incomplete("seen") : Effect.void))
        const push = (rows: ReadonlyArray<Row>) =>
          compare(rows).pipe(Effect.zipLeft(memory.stage), Effect.zipLeft(history.stage), Effect.zipLeft(told))
        const removed = emit.includes("gone") ? memory.gone : undefined
        if (goal === undefined) return watched.watching({ push, end: removed, save })

        const judged = goal.judged(({ difference, key, row }, judgement) =>
          Effect.gen(function* () {
            const change = judgement.matters === false ? "unchanged" : "changed"
            if (!emit.includes(change)) {
              yield* context.incomplete("seen")
              return []
            }
            if (change === "changed") {
              const { diff, summary } = difference
              const before = mapping(row.data[previousField])
              history.add({ change, key, summary, diff, before, after: row.data }, keyOf(row))
              yield* history.stage
            }
            const data = { ...row.data, [as]: change, [differenceField]: withAnswer(difference, judgement) }
            return [{ ...row, data, origin: row.origin ?? row }]
          })
        )
        return watched.watching({
          push,
          end: (from) => {
            const begun = from === undefined || isGoalCursor(from)
            const rest = removed?.(begun ? undefined : from) ?? Stream.empty
            return begun ? Stream.concat(judged, rest) : rest
          },
          left: goal.rows,
          save: Effect.map(save, ({ entries = [] }) => ({ entries: [...entries, ...goal.save()] }))
        })
      })
  }
})
