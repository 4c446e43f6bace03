/** What has happened since the last checkpoint, beside what the stations keep themselves. */
/** Commit of a run: while no row moves, files are synced and one ledger transaction records lengths, cursors and state. */

import * as Effect from "effect/Effect"
import type { Checked } from "../Pipeline/Check.ts"
import type { DefinitionInvalid } from "../Pipeline/Mistake.ts"
import type { Json } from "../Row.ts"
import type { Batch, StateChange, StepError } from "../Step.ts"
import { isRefused } from "./CommitLock.ts"
import type { Load, Station } from "./Operator.ts"
import type { Counters } from "./Progress.ts"
import type { Execution } from "./RunContext.ts"
import { inStep, ledgerFailed } from "./RunErrors.ts"

/** The site says that it has no such page any more. */
const isGone = (status: number | undefined): boolean => status === 404 || status === 410

export const makeBuffer = (counters: Counters) => {
  const lists: Execution["pending"] = { pages: [], settled: [], state: [], takenUp: undefined, leftOut: [] }
  return {
    lists,
    book: (step: string, { credits, expected, isForeign = false, pages, unchanged }: Batch): void => {
      if (credits === "unknown") counters.jobUnpriced++
      else if (credits !== undefined) counters.job(step, credits)
      for (const page of pages ?? []) lists.pages.push({ step, page })
      counters.expected += expected ?? 0
      counters.unchanged += unchanged ?? 0
      counters.jobPages += isForeign ? 0 : (pages?.length ?? 0)
    },
    settle: (step: string, marks: ReadonlyArray<string>): void => {
      for (const mark of marks) lists.settled.push({ step, mark })
    },
    stage: (step: string, changes: ReadonlyArray<StateChange>): void => {
      for (const change of changes) lists.state.push({ step, change })
    },
    metLately: (): Iterable<string> => lists.pages.flatMap(({ page }) => (isGone(page.status) ? [] : [page.key]))
  }
}

/** The failure with the step that it happened in. */
export const placed = <E extends StepError | DefinitionInvalid>(error: E, checked: Checked, step: string) => {
  const node = checked.nodes.find(({ id }) => id === step)
  return error._tag === "StepError" && node !== undefined ? inStep(error, checked, node) : error
}

/** So many rows are worth a commit of their own; fewer wait for {@link patience}. */
const unit = 1000
/** Milliseconds between looks, while rows come and while none do, and how long a row may wait. */
const glance = 250
const rest = 1000
const patience = 2000

const empty: Load = { held: 0, room: 0, busy: 0, blocked: false }

/** How full they are, by step; those at rest with nothing in them are left out. */
const loadsOf = (stations: ReadonlyArray<Station>): Readonly<Record<string, Json>> => {
  const loads: Record<string, Json> = {}
  for (const { id, load } of stations) {
    const { blocked, busy, held, room } = load?.() ?? empty
    if (held > 0 || blocked) loads[id] = [held, room, busy, blocked]
  }
  return loads
}

/** Takes everything down, unless rows were moved only half. */
export const make = (execution: Execution, stations: ReadonlyArray<Station>): Effect.Effect<void, StepError> =>
  Effect.suspend(() => {
    const { budget, counters, gate, journal, pending, rejects, tap } = execution
    const write = Effect.gen(function* () {
      const steps = yield* Effect.forEach(stations, (station) =>
        Effect.map(station.save, (changes) => ({ step: station.id, changes }))
      )
      counters.rejectBytes = yield* rejects.flush
      // State and page attempts are put outside the gate, too: what comes from here on is for the next checkpoint.
      const state = pending.state.slice()
      const pages = pending.pages.slice()
      const reservations = budget.changes()
      yield* Effect.mapError(
        journal.checkpoint({
          progress: counters.save(loadsOf(stations)),
          rows: counters.rows,
          rejectCount: counters.rejects,
          jobCredits: counters.jobCredits,
          jobUnpriced: counters.jobUnpriced,
          jobPages: counters.jobPages,
          outputRows: counters.outputRows,
          bytes: counters.outputBytes,
          reservations,
          steps: steps.filter(({ changes }) => changes.value !== undefined || (changes.entries ?? []).length > 0),
          pages,
          rejects: rejects.pending(),
          state,
          resolvedCalls: pending.settled,
          replayClaim: pending.takenUp,
          deferredRows: pending.leftOut
        }),
        ledgerFailed
      )
      budget.saved(reservations)
      rejects.settled()
      pending.pages = pending.pages.slice(pages.length)
      pending.state = pending.state.slice(state.length)
      pending.settled = []
      pending.takenUp = undefined
      counters.fresh = 0
    })
    // What a reader has not had yet comes again after a crash, and what no commit has is what comes again.
    return gate
      .move(tap === undefined ? write : Effect.flatMap(tap.read, (isRead) => (isRead ? write : Effect.void)))
      .pipe(
        Effect.catchIf(
          (error) => isRefused(gate, error),
          () => Effect.void
        )
      )
  })

/** Makes checkpoints for as long as the run lasts. */
export const keepMaking = (execution: Execution, checkpoint: Effect.Effect<void, StepError>) =>
  Effect.suspend(() => {
    let waited = 0
    let nap = glance
    const { counters } = execution
    const look = Effect.suspend(() => {
      // As if it had come right after the last look.
      waited = counters.fresh === 0 ? 0 : waited + nap
      nap = counters.fresh === 0 ? rest : glance
      if (counters.fresh < unit && waited < patience) return Effect.void
      waited = 0
      return checkpoint
    })
    return Effect.forever(Effect.suspend(() => Effect.delay(look, nap)))
  })
