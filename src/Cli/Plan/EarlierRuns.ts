/** Facts about earlier runs that a plan uses, read from the ledger. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import type { LedgerError } from "../../Ledger/LedgerErrors.ts"
import { Ledger } from "../../Ledger.ts"
import type { Earlier } from "../../Pipeline/Plan.ts"
import type { Json } from "../../Row.ts"

/** Maximum keys of a list that are looked up in the ledger; a longer list is not checked. */
const maxKeys = 20_000

/** Maximum newest runs searched for the cost of a page. */
const maxRuns = 10

/** Number of newest runs from which the usual number of changed pages is estimated. */
const usualRuns = 5

const middleOf = (numbers: ReadonlyArray<number>): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** Reads the facts from the ledger in context. */
export const makeEarlier: Effect.Effect<Earlier<LedgerError>, never, Ledger> = Effect.map(Ledger, (ledger) => {
  const { creditsSince, history, states } = ledger

  /** Credits per page of a step. Calls have prices of their own; the rest of a run's credits belongs to its jobs. */
  const priceIn = (run: string, step: string) =>
    Effect.map(history.run(run), (detail) => {
      if (detail === undefined || detail.run.unpriced > 0) return undefined
      const own = detail.steps.find((each) => each.step === step)
      if (own === undefined || own.pages === 0) return undefined
      if (own.calls > 0) return own.credits / own.pages
      const jobs = detail.steps.filter(({ calls, pages }) => calls === 0 && pages > 0)
      const paid = detail.run.credits - detail.steps.reduce((sum, { credits }) => sum + credits, 0)
      return paid / jobs.reduce((sum, { pages }) => sum + pages, 0)
    })

  return {
    spentSince: creditsSince,
    lastRun: (pipeline) =>
      Effect.map(history.runs({ pipeline, limit: 1 }), ([run]) =>
        run === undefined
          ? undefined
          : Struct.pick(run, "id", "status", "startedAt", "endedAt", "rows", "rejects", "credits", "unpriced")
      ),
    state: (key) =>
      Effect.map(states.list, (shelves) => {
        const own = shelves.filter(({ stateKey }) => stateKey === key)
        const seen = own.flatMap(({ lastSeen }) => (lastSeen === undefined ? [] : [lastSeen]))
        return {
          entries: own.reduce((sum, { entries }) => sum + entries, 0),
          advanced: seen.length === 0 ? undefined : Math.max(...seen)
        }
      }),
    entries: (key, step) =>
      Stream.runFold(states.entries(key, step), new Map<string, Json>(), (all, entry) =>
        all.set(entry.key, entry.value)
      ),
    held: (keys) =>
      Effect.gen(function* () {
        const distinct = [...new Set(keys)]
        if (distinct.length > maxKeys) return undefined
        const met = (yield* Effect.forEach(distinct, history.sightings)).filter((each) => each !== undefined)
        const newest = met.reduce((latest, { lastSeen }) => Math.max(latest, lastSeen), 0)
        return { known: met.length, newest: met.length === 0 ? undefined : newest }
      }),
    usualPages: (pipeline, step, { changes }) =>
      Effect.gen(function* () {
        const found: Array<{ readonly pages: number; readonly fetched: number }> = []
        for (const { id, options } of yield* history.runs({ pipeline, status: ["completed"], limit: usualRuns })) {
          if (options.limit !== undefined) continue
          const own = (yield* history.run(id))?.steps.find((each) => each.step === step)
          if (own === undefined || own.pages === 0 || (changes && own.unchangedPages === 0)) continue
          found.push({ pages: own.pages, fetched: own.pages - own.unchangedPages })
        }
        if (found.length === 0) return undefined
        return {
          pages: middleOf(found.map(({ pages }) => pages)),
          fetched: middleOf(found.map(({ fetched }) => fetched)),
          runs: found.length
        }
      }),
    pagePrice: (pipeline, step) =>
      Effect.gen(function* () {
        for (const { id } of yield* history.runs({ pipeline, status: ["completed"], limit: maxRuns })) {
          const price = yield* priceIn(id, step)
          if (price !== undefined) return price
        }
        return undefined
      })
  }
})
