/** What has happened since the last checkpoint, beside what the operators keep themselves. */
/** Commit of a run: while no row moves, files are synced and one ledger transaction records lengths, cursors and state. */

import * as Effect from "effect/Effect"
import type { Checked } from "../Pipeline/Check.ts"
import type { DefinitionInvalid } from "../Pipeline/Mistake.ts"
import type { Json } from "../Row.ts"
import type { Batch, StateChange, StepError } from "../Step.ts"
import { isRefused } from "./CommitLock.ts"
import type { Load, Operator } from "./Operator.ts"
import type { Counters } from "./Progress.ts"
import type { RunContext } from "./RunContext.ts"
import { inStep, ledgerFailed } from "./RunErrors.ts"

/** The site says that it has no such page any more. */
const isGone = (status: number | undefined): boolean => status === 404 || status === 410

export const makeBuffer = (counters: Counters) => {
  const lists: RunContext["pending"] = { pages: [], settled: [], state: [], takenUp: undefined, leftOut: [] }
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

/** So many rows are worth a commit of their own; fewer wait for {@link maxDelay}. */
const rowsPerCheckpoint = 1000
/** Milliseconds between looks, while rows come and while none do, and how long a row may wait. */
const pollInterval = 250
const idlePollInterval = 1000
const maxDelay = 2000

const empty: Load = { buffered: 0, capacity: 0, busy: 0, blocked: false }

/** How full they are, by step; those at rest with nothing in them are left out. */
const loadByOperator = (operators: ReadonlyArray<Operator>): Readonly<Record<string, Json>> => {
  const loads: Record<string, Json> = {}
  for (const { id, load } of operators) {
    const { blocked, busy, buffered, capacity } = load?.() ?? empty
    if (buffered > 0 || blocked) loads[id] = [buffered, capacity, busy, blocked]
  }
  return loads
}

/** Takes everything down, unless rows were moved only half. */
export const make = (run: RunContext, operators: ReadonlyArray<Operator>): Effect.Effect<void, StepError> =>
  Effect.suspend(() => {
    const { budget, counters, lock, journal, pending, rejects, tap } = run
    const write = Effect.gen(function* () {
      const steps = yield* Effect.forEach(operators, (operator) =>
        Effect.map(operator.save, (changes) => ({ step: operator.id, changes }))
      )
      counters.rejectBytes = yield* rejects.flush
      // State and page attempts are put outside the commit lock, too: what comes from here on is for the next checkpoint.
      const state = pending.state.slice()
      const pages = pending.pages.slice()
      const reservations = budget.changes()
      yield* Effect.mapError(
        journal.checkpoint({
          progress: counters.save(loadByOperator(operators)),
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
      rejects.committed()
      pending.pages = pending.pages.slice(pages.length)
      pending.state = pending.state.slice(state.length)
      pending.settled = []
      pending.takenUp = undefined
      counters.uncommitted = 0
    })
    // What a reader has not had yet comes again after a crash, and what no commit has is what comes again.
    return lock
      .move(tap === undefined ? write : Effect.flatMap(tap.read, (isRead) => (isRead ? write : Effect.void)))
      .pipe(
        Effect.catchIf(
          (error) => isRefused(lock, error),
          () => Effect.void
        )
      )
  })

/** Makes checkpoints for as long as the run lasts. */
export const repeatCheckpoint = (run: RunContext, checkpoint: Effect.Effect<void, StepError>) =>
  Effect.suspend(() => {
    let waited = 0
    let nap = pollInterval
    const { counters } = run
    const look = Effect.suspend(() => {
      // As if it had come right after the last look.
      waited = counters.uncommitted === 0 ? 0 : waited + nap
      nap = counters.uncommitted === 0 ? idlePollInterval : pollInterval
      if (counters.uncommitted < rowsPerCheckpoint && waited < maxDelay) return Effect.void
      waited = 0
      return checkpoint
    })
    return Effect.forever(Effect.suspend(() => Effect.delay(look, nap)))
  })
