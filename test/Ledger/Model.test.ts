/** A resumed run finds what a simple model predicts, whatever the run has committed and wherever it was cut off. */
import { createHash } from "node:crypto"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import type { Checkpoint, Journal } from "../../src/Ledger/Model.ts"
import type { Json } from "../../src/Row.ts"
import { repetitions } from "../Repetitions.ts"
import { describeLedgers } from "./Both.ts"
import { checkpoint, ledgerIn, type Opened, reject, run, stateOf } from "./Ledgers.ts"

const long = Array.from({ length: 200 }, (_, n) => createHash("sha256").update(`${n}`).digest("base64")).join("")

/** Few keys, so that they meet again; among them what a database finds hard. */
const key = fc.constantFrom(
  "",
  "a",
  "b",
  "c",
  "é",
  "a\0b",
  "a\u001bb",
  "\ud800",
  "\ud800x",
  "😀",
  "A",
  "'; DROP TABLE runs; --",
  // Longer than an index of Postgres takes, however it is packed.
  long,
  `${long}x`
)
const step = fc.constantFrom("one", "two")
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as Json)
const entries = fc.array(fc.tuple(key, fc.option(json, { nil: undefined })), { maxLength: 8 })

const remember = fc.record({
  kind: fc.constant("remember" as const),
  calls: fc.uniqueArray(
    fc.record({
      step,
      mark: key,
      answer: json,
      credits: fc.constantFrom(undefined, null, 1, 2, 5),
      paged: fc.boolean()
    }),
    { minLength: 1, maxLength: 4, selector: (call) => `${call.step} ${call.mark}` }
  )
})
const commit = fc.record({
  kind: fc.constant("checkpoint" as const),
  changes: fc.uniqueArray(fc.record({ step, value: fc.option(json, { nil: undefined }), entries }), {
    maxLength: 2,
    selector: (change) => change.step
  }),
  credits: fc.nat(5),
  rejects: fc.array(key, { maxLength: 2 }),
  // Fewer keys and more removals than elsewhere: what counts is what comes after what.
  state: fc.array(
    fc.record({
      step,
      key: fc.constantFrom("a", "\0"),
      value: fc.constantFrom(undefined, null, 1, 2),
      rowKey: fc.constantFrom("a", "b", "c")
    }),
    { maxLength: 6 }
  ),
  settled: fc.array(fc.record({ step, mark: key }), { maxLength: 3 })
})
const commands = fc.array(
  fc.oneof(remember, commit, fc.constant({ kind: "crash" as const }), fc.constant({ kind: "completed" as const })),
  { minLength: 1, maxLength: 25 }
)

const byKey = (map: ReadonlyMap<string, Json>) =>
  [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [name, value] as const)

/** The expected content of the ledger. */
const make = () => {
  const steps = new Map<string, { value: Json | undefined; entries: Map<string, Json> }>()
  const of = (name: string) => {
    const known = steps.get(name) ?? { value: undefined, entries: new Map<string, Json>() }
    steps.set(name, known)
    return known
  }
  return {
    of,
    steps,
    answers: new Map<string, { step: string; mark: string; answer: Json }>(),
    booked: { credits: 0, unpriced: 0, pages: 0, calls: 0 },
    jobs: 0,
    spent: 0,
    rejects: [] as Array<string>,
    staged: [] as Array<{ step: string; key: string; value: Json | undefined; rowKey: string }>,
    state: { one: new Map<string, Json>(), two: new Map<string, Json>() }
  }
}

const same = (journal: Journal, ledger: Opened, id: string, model: ReturnType<typeof make>) =>
  Effect.gen(function* () {
    for (const name of ["one", "two"] as const) {
      const saved = yield* journal.savedState(name)
      expect(saved.value).toEqual(model.of(name).value)
      expect(byKey(new Map(saved.entries))).toEqual(byKey(model.of(name).entries))
      const state = yield* stateOf(journal, name)
      expect(byKey(new Map(state.map((entry) => [entry.key, entry.value])))).toEqual(byKey(model.state[name]))
    }
    const answers = [...(yield* journal.answers)].flatMap(([name, marks]) =>
      [...marks].map(([mark, answer]) => ({ step: name, mark, answer }))
    )
    const sorted = (all: ReadonlyArray<unknown>) => all.map((each) => JSON.stringify(each)).sort()
    expect(sorted(answers)).toEqual(sorted([...model.answers.values()]))
    expect(yield* journal.booked).toEqual(model.booked)
    expect((yield* ledger.find(id))?.credits).toBe(model.booked.credits + model.jobs)
    expect(yield* ledger.creditsSince("watch", 0)).toBe(model.spent)
    expect(yield* Stream.runCount(ledger.history.rejects(id, { which: "all" }))).toBe(model.rejects.length)
  })

describeLedgers("the ledger", (place) => {
  it.effect.prop(
    "has after any crash what was committed before it",
    [commands],
    ([all]) =>
      Effect.gen(function* () {
        const folder = yield* place
        let model = make()
        let runs = 1
        /** Keys whose last change in a checkpoint was staged as final, once for each run; later checkpoints change them all the same. */
        const finals = new Set<string>()
        let position = 0
        while (position < all.length) {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const ledger = yield* ledgerIn(folder)
              const id = `r${runs}`
              const journal = yield* ledger.open(run(id, { stateKey: "watch" }))
              yield* same(journal, ledger, id, model)
              while (position < all.length) {
                const command = all[position++]
                if (command === undefined || command.kind === "crash") return
                if (command.kind === "remember") {
                  yield* Effect.forEach(
                    command.calls,
                    ({ paged, ...call }) => {
                      const page = paged ? { key: call.mark, price: "known" as const } : undefined
                      return journal.recordCall({ ...call, page })
                    },
                    { concurrency: "unbounded" }
                  )
                  for (const { answer, credits, mark, paged, step } of command.calls) {
                    model.answers.set(JSON.stringify([step, mark]), { step, mark, answer })
                    model.booked.credits += credits ?? 0
                    model.spent += credits ?? 0
                    if (credits === null) model.booked.unpriced++
                    if (credits !== undefined) model.booked.calls++
                    if (paged) model.booked.pages++
                  }
                } else if (command.kind === "checkpoint") {
                  model.jobs += command.credits
                  model.spent += command.credits
                  const taken: Partial<Checkpoint> = {
                    jobCredits: model.jobs,
                    steps: command.changes.map(({ entries, step, value }) => ({ step, changes: { entries, value } })),
                    rejects: command.rejects.map((each) => reject(each)),
                    state: command.state.map(({ step, ...change }, index) => {
                      const name = `${id} ${step} ${change.key}`
                      const isSame = (other: typeof change & { readonly step: string }) =>
                        other.step === step && other.key === change.key
                      const isFinal = !finals.has(name) && !command.state.slice(index + 1).some(isSame)
                      if (isFinal) finals.add(name)
                      return { step, change: { ...change, isFinal } }
                    }),
                    resolvedCalls: command.settled
                  }
                  yield* journal.checkpoint(checkpoint(taken))
                  for (const { entries, step, value } of command.changes) {
                    const known = model.of(step)
                    if (value !== undefined) known.value = value
                    for (const [name, entry] of entries) {
                      if (entry === undefined) known.entries.delete(name)
                      else known.entries.set(name, entry)
                    }
                  }
                  model.rejects.push(...command.rejects)
                  model.staged.push(...command.state)
                  for (const { mark, step } of command.settled) model.answers.delete(JSON.stringify([step, mark]))
                } else {
                  yield* journal.complete({ done: true })
                  const { spent, staged, state, rejects } = model
                  for (const change of staged) {
                    if (rejects.includes(change.rowKey)) continue
                    const shelf = state[change.step as "one" | "two"]
                    if (change.value === undefined) shelf.delete(change.key)
                    else shelf.set(change.key, change.value)
                  }
                  expect(yield* ledger.find(id)).toMatchObject({ status: "completed", outputs: { done: true } })
                  expect((yield* journal.answers).size).toBe(0)
                  model = { ...make(), spent, state }
                  runs++
                  return
                }
              }
            })
          )
        }
      }).pipe(Effect.scoped),
    { fastCheck: { numRuns: repetitions(10, 4) } }
  )
})
