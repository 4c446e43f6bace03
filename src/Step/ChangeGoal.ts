/**
 * Asks a language model whether changes of pages matter for a goal, for `dedupe` with `goal`.
 *
 * - Changed rows are held until the input has ended, up to the maximum number of questions, because transforms never wait for a service.
 *   Checkpoints save them. Rows beyond the maximum pass at once, so that memory use stays bounded.
 * - A question sends a file with the summary and the word diff of a change to the service, as a paid call: its answer is durable before it
 *   is used. The page itself is not sent.
 * - A change counts unless the model says that it does not matter: it also counts without an answer, or once all questions are used up.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Parse } from "../Client/Parse.ts"
import { SavedRow } from "../Row/SavedValue.ts"
import { type Json, type Row, toJson } from "../Row.ts"
import type * as Step from "../Step.ts"
import { escapeContent } from "../Values/Text.ts"
import { call } from "./Call.ts"
import { Difference } from "./ChangeDetector.ts"
import * as Cost from "./Cost.ts"
import { decodeEntries, ordinal } from "./SavedState.ts"
import type { StepError } from "./StepError.ts"

/** Maximum questions at the same time. */
const concurrency = 4

/** Maximum characters of a diff to send, and of a reason to keep. */
const [maxDiff, maxReason] = [20_000, 500]

/** Answer of the model; `matters` is null if it gave none. */
export interface Judgement {
  readonly matters: boolean | null
  readonly reason: string
}

/** Changed row that waits for its question, with its key in the state. */
const HeldChange = Schema.Struct({ row: SavedRow, key: Schema.String, difference: Difference })
type HeldChange = typeof HeldChange.Type

const decodeHeld = decodeEntries(HeldChange)

export interface ChangeGoal {
  /** Holds a change, under the commit lock. Beyond the limit it does not hold the change, and returns a judgement instead. */
  readonly hold: (change: HeldChange) => Judgement | undefined
  /** Changed entries since the last call, for the saved state. */
  readonly save: () => ReadonlyArray<readonly [key: string, value: Json | undefined]>
  readonly rows: () => ReadonlyArray<Row>
  /** Asks about the held rows, in order. The rows of a batch are released once the batch has been taken. */
  readonly judged: <R>(
    settle: (change: HeldChange, judgement: Judgement) => Effect.Effect<ReadonlyArray<Row>, StepError, R>
  ) => Stream.Stream<Step.Batch, StepError, R | Step.Services>
}

/** Cursor of the batches. It needs no position, because the rows left are those still held. */
const cursor: Json = { goal: true }

/** True for a cursor of these batches. */
export const isGoalCursor = (from: Json | undefined): boolean => JSON.stringify(from) === JSON.stringify(cursor)

/** Key prefix of held rows among the saved entries of the step. */
const prefix = "held-"

export const isHeldEntry = (key: string): boolean => key.startsWith(prefix)

/** Upper bound of the cost of one question. */
export const cost: Cost.Cost = Cost.page("parse", { formats: [{ type: "json" }] })

const fileOf = ({ difference, key }: HeldChange): Uint8Array =>
  new TextEncoder().encode(
    `<!doctype html><meta charset="utf-8"><title>Change</title><h1>Change of ${escapeContent(key)}</h1><p>${escapeContent(difference.summary)}</p><pre>${escapeContent(difference.diff.slice(0, maxDiff))}</pre>`
  )

const promptOf = (goal: string): string =>
  `A person watches a page for this goal: ${goal}

The document describes how the page has changed: as a sentence, and as a word diff, in which [-text-] was removed and {+text+} was added. "matters" is true if this change is what the goal asks for, or may be; it is false if the change has nothing to do with the goal, or is its opposite. "reason" says why in one short sentence.`

const answerSchema = {
  type: "object",
  properties: { matters: { type: "boolean" }, reason: { type: "string" } },
  required: ["matters", "reason"],
  additionalProperties: false
}

const decodeAnswer = Schema.decodeUnknownOption(Schema.Struct({ matters: Schema.Boolean, reason: Schema.String }))

const unjudged = (why: string): Judgement => ({ matters: null, reason: why.slice(0, maxReason) })

/** Restores the rows that were held before a resume. */
export const makeChangeGoal = (
  { goal, limit }: { readonly goal: string; readonly limit: number },
  context: Step.Context,
  saved: Step.Saved
): Effect.Effect<ChangeGoal, StepError> =>
  Effect.gen(function* () {
    const held = new Map<number, HeldChange>()
    let entries: Array<readonly [string, Json | undefined]> = []
    let count = 0
    const unasked = unjudged(`not asked: this run has asked its maximum of ${limit} questions (goalLimit)`)
    const before = saved.entries.filter(([name]) => isHeldEntry(name))
    for (const [name, change] of yield* decodeHeld(context, { value: undefined, entries: before })) {
      held.set(Number(name.slice(prefix.length)), change)
      count = Number(name.slice(prefix.length)) + 1
    }

    const ask = (change: HeldChange, number: number) =>
      context
        .once(
          {
            name: `goal-${number}`,
            buys: { cost: () => cost },
            book: ({ credits }: { readonly credits?: number | undefined }) => ({ credits })
          },
          (idempotencyKey) =>
            Effect.gen(function* () {
              const { data } = yield* call(
                Effect.flatMap(Parse, (client) =>
                  client.parse(
                    { file: fileOf(change), name: "change.html" },
                    {
                      formats: [{ type: "json", prompt: promptOf(goal), schema: answerSchema }],
                      onlyMainContent: false,
                      // The file with the question must not be found in the search index.
                      storeInCache: false
                    },
                    { idempotencyKey }
                  )
                )
              )
              return { answer: data.json ?? null, credits: data.metadata?.creditsUsed ?? undefined }
            })
        )
        .pipe(
          Effect.map(({ answer }) =>
            Option.match(decodeAnswer(answer), {
              onNone: () => unjudged("no answer: the answer of the model cannot be read"),
              onSome: ({ matters, reason }): Judgement => ({ matters, reason: reason.slice(0, maxReason) })
            })
          ),
          Effect.catchIf(
            ({ scope }) => scope === "row",
            ({ message }) =>
              Effect.as(
                context.warnOnce(
                  "goal",
                  `the language model could not say whether changes matter, so they count: ${message}`
                ),
                unjudged(`no answer: ${message}`)
              )
          )
        )

    return {
      hold: (change) => {
        if (count >= limit) return unasked
        const { difference, key, row } = change
        held.set(count, change)
        entries.push([`${prefix}${ordinal(count)}`, { row: toJson(row), key, difference: { ...difference } }])
        count++
        return undefined
      },
      save: () => {
        const changed = entries
        entries = []
        return changed
      },
      rows: () => [...held.values()].map(({ row }) => row),
      judged: (settle) =>
        Stream.suspend(() =>
          Stream.fromIterable([...held]).pipe(
            Stream.mapEffect(
              ([number, change]) =>
                // A run of an earlier version, or with another limit, may have held more rows.
                Effect.map(number < limit ? ask(change, number) : Effect.succeed(unasked), (judgement) => ({
                  number,
                  change,
                  judgement
                })),
              { concurrency }
            ),
            Stream.mapEffect(({ change, judgement, number }) =>
              Effect.map(settle(change, judgement), (rows) => ({
                rows,
                cursor,
                taken: () => {
                  // The goal made it unchanged, and `emit` leaves unchanged rows out.
                  if (rows.length === 0) context.withheld("unchanged")
                  held.delete(number)
                  entries.push([`${prefix}${ordinal(number)}`, undefined])
                }
              }))
            )
          )
        )
    }
  })
