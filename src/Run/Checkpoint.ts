/**
 * Commit of a run: the lock that keeps rows still, the buffer of changes since the last commit, and the checkpoint
 * itself.
 *
 * Commit lock: rows move between operators only while it is held, so a checkpoint taken under it never sees a row in
 * flight.
 * - One holder at a time. `move` is uninterruptible: an interrupt waits until the current move has finished.
 * - A move that fails leaves rows half moved. From then on `isConsistent()` is false and every other move is refused:
 *   no row moves, no reject is added, no checkpoint is taken. The run ends, and a resume continues from the last
 *   checkpoint.
 *
 * Checkpoint buffer: everything that the next checkpoint records besides the state of the operators. It is in memory only: whatever
 * is in it when the process dies happens again after the resume. Page attempts and state changes may be added at any time,
 * everything else under the commit lock.
 *
 * Checkpoint: under the commit lock, operators sync their files and return their changes; one ledger transaction
 * records all of it. If that fails, or the process dies first, the previous checkpoint stands, and a resume cuts the
 * files back to its lengths.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { isGone } from "../Api/Document.ts"
import { ensuringWithin } from "../Callback/Lean.ts"
import * as Turns from "../Callback/Turns.ts"
import { holdingNothing } from "../Callback/Uninterruptible.ts"
import type { Checkpoint as CheckpointRecord, DeferredRows, Journal, ReplayClaim } from "../Ledger/Model.ts"
import type { Json } from "../Row.ts"
import { Stopped } from "../Step/StepError.ts"
import type { Batch, Changes, Page, StateChange, StepError } from "../Step.ts"
import type { Budget } from "./Budget.ts"
import type { Counters } from "./Progress.ts"
import type { Rejects } from "./Rejects.ts"
import { ledgerFailed } from "./RunErrors.ts"
import type { StepState } from "./Timeline.ts"

export interface CommitLock {
  /** Moves rows. Fails with {@link Stopped} once another move has failed. */
  readonly move: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StepError, R>
  /** False once a move has failed. */
  readonly isConsistent: () => boolean
}

/** True for a move that was refused because an earlier move had failed: the run ends with the error of that earlier move. */
export const isRefused = (lock: CommitLock, error: unknown): boolean => error instanceof Stopped && !lock.isConsistent()

/** Makes the lock. `mayMove` runs before each move, and fails once another process has taken the run over. */
export const makeCommitLock = (mayMove: Effect.Effect<void, StepError> = Effect.void): Effect.Effect<CommitLock> =>
  Effect.sync(() => {
    const turns = Turns.make()
    let consistent = true
    const refused = new Stopped({ message: "a part of the run has failed" })
    const inTurn = <A, E, R>(move: Effect.Effect<A, E, R>): Effect.Effect<A, E | StepError, R> =>
      ensuringWithin(consistent ? Effect.zipRight(mayMove, move) : Effect.fail(refused), (hasFailed) => {
        if (hasFailed) consistent = false
        turns.release()
      })
    const move = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      holdingNothing<A, E | StepError, R>(effect, (move) =>
        Effect.uninterruptibleMask((restore) => Effect.flatMap(turns.take(restore), () => inTurn(move)))
      )
    return { isConsistent: () => consistent, move }
  })

type Buffered = Pick<CheckpointRecord, "deferredRows" | "pages" | "replayClaim" | "resolvedCalls" | "state">

export interface CheckpointBuffer {
  /** Counts the costs, pages and expected rows that a batch reports. */
  readonly book: (step: string, batch: Batch) => void
  readonly addPages: (step: string, pages: ReadonlyArray<Page>) => void
  readonly addState: (step: string, changes: ReadonlyArray<StateChange>) => void
  /** Marks answers that the ledger may drop, because the next checkpoint contains their rows. */
  readonly resolveCalls: (step: string, marks: ReadonlyArray<string>) => void
  /** Marks rejects of another run as replayed by this run, with the next checkpoint. */
  readonly claim: (rejects: ReplayClaim) => void
  readonly claimStatus: () => "none" | "pending" | "committed"
  /**
   * Leaves rows to the next run: the next checkpoint drops their state changes and, even if the list is empty, the changes that hold only
   * if all rows of the run were processed.
   */
  readonly deferRows: (rows: ReadonlyArray<DeferredRows>) => void
  /** Keys of pages that were read since the last checkpoint, except those that no longer exist. */
  readonly recentPages: () => Iterable<string>
  readonly peek: () => Buffered
  /** Called after a checkpoint with these changes has been committed. */
  readonly committed: (changes: Buffered) => void
}

export const makeBuffer = (counters: Counters): CheckpointBuffer => {
  let pages: Array<Buffered["pages"][number]> = []
  let state: Array<Buffered["state"][number]> = []
  let resolvedCalls: Array<Buffered["resolvedCalls"][number]> = []
  let replayClaim: ReplayClaim | undefined
  let hasClaimed = false
  let deferredRows: ReadonlyArray<DeferredRows> | undefined
  const addPages: CheckpointBuffer["addPages"] = (step, more) => {
    for (const page of more) pages.push({ step, page })
  }
  return {
    book: (step, { credits, expected, isForeign = false, pages = [], unchanged }) => {
      if (credits === "unknown") counters.jobUnpriced++
      else if (credits !== undefined) counters.job(step, credits)
      addPages(step, pages)
      counters.expected += expected ?? 0
      counters.unchanged += unchanged ?? 0
      counters.jobPages += isForeign ? 0 : pages.length
    },
    addPages,
    addState: (step, changes) => {
      for (const change of changes) state.push({ step, change })
    },
    resolveCalls: (step, marks) => {
      for (const mark of marks) resolvedCalls.push({ step, mark })
    },
    claim: (rejects) => {
      replayClaim = rejects
      hasClaimed = true
    },
    claimStatus: () => (!hasClaimed ? "none" : replayClaim === undefined ? "committed" : "pending"),
    deferRows: (rows) => {
      deferredRows = rows
    },
    recentPages: () => pages.flatMap(({ page }) => (isGone(page.status) ? [] : [page.key])),
    // Copies, because pages and state added while the transaction runs belong to the next checkpoint.
    peek: () => ({ pages: pages.slice(), state: state.slice(), resolvedCalls, replayClaim, deferredRows }),
    committed: (changes) => {
      pages = pages.slice(changes.pages.length)
      state = state.slice(changes.state.length)
      resolvedCalls = []
      replayClaim = undefined
    }
  }
}

/** Load of an operator, shown for a run in progress. */
export interface Load {
  /** Rows that wait in the operator or are being processed. */
  readonly buffered: number
  /** From this many buffered rows on, upstream operators wait. */
  readonly capacity: number
  readonly busy: number
  /** Rows whose calls have failed so far and are being retried. */
  readonly retrying: number
  /** True if the downstream operators are full. */
  readonly blocked: boolean
}

/** The part of an operator that a checkpoint needs. */
export interface Checkpointed {
  readonly id: string
  /** Returns the changes since the last call. Requires the commit lock. */
  readonly save: Effect.Effect<Changes, StepError>
  /** Defined if the operator buffers rows. */
  readonly load?: (() => Load) | undefined
}

export interface CheckpointOptions {
  readonly operators: ReadonlyArray<Checkpointed>
  readonly lock: CommitLock
  readonly buffer: CheckpointBuffer
  readonly budget: Pick<Budget, "changes" | "saved">
  readonly counters: Counters
  readonly rejects: Pick<Rejects, "committed" | "flush" | "pending">
  readonly journal: Pick<Journal, "checkpoint">
  /** Waits until the reader of the rows has read all of them. False if the reader has left: then nothing is recorded. */
  readonly isRead: Effect.Effect<boolean> | undefined
}

/** Load by step; omits idle ones. */
const loadByOperator = (operators: ReadonlyArray<Checkpointed>): Readonly<{ [step: string]: Json }> => {
  const loads: { [step: string]: Json } = {}
  for (const { id, load } of operators) {
    const current = load?.()
    if (current === undefined || (current.buffered === 0 && !current.blocked)) continue
    loads[id] = [current.buffered, current.capacity, current.busy, current.blocked]
  }
  return loads
}

/** Takes a checkpoint, unless a failed move has left rows half moved. */
export const make = (options: CheckpointOptions): Effect.Effect<void, StepError> => {
  const { budget, buffer, counters, isRead, journal, lock, operators, rejects } = options
  const write = Effect.gen(function* () {
    const steps = yield* Effect.forEach(operators, ({ id, save }) =>
      Effect.map(save, (changes) => ({ step: id, changes }))
    )
    counters.rejectBytes = yield* rejects.flush
    const changes = buffer.peek()
    const reservations = budget.changes()
    yield* Effect.mapError(
      journal.checkpoint({
        progress: counters.save(loadByOperator(operators)),
        ...Struct.pick(counters, "rows", "jobCredits", "jobUnpriced", "jobPages", "outputRows"),
        rejectCount: counters.rejects,
        bytes: counters.outputBytes,
        reservations,
        steps: steps.filter(({ changes }) => changes.value !== undefined || (changes.entries ?? []).length > 0),
        rejects: rejects.pending(),
        ...changes
      }),
      ledgerFailed
    )
    budget.saved(reservations)
    rejects.committed()
    buffer.committed(changes)
    counters.uncommitted = 0
  })
  return lock
    .move(isRead === undefined ? write : Effect.flatMap(isRead, (isRead) => (isRead ? write : Effect.void)))
    .pipe(
      Effect.catchIf(
        (error) => isRefused(lock, error),
        () => Effect.void
      )
    )
}

/**
 * Takes a checkpoint at once, from outside the commit lock. Operators call it before they start something that must not start
 * twice for different rows, like a job. Provided to everything that runs during the run.
 */
export class Commit extends Context.Tag("sluice/Run/Commit")<Commit, Effect.Effect<void, StepError>>() {}

/** This many uncommitted rows trigger a checkpoint at once; fewer wait for {@link maxDelay}. */
const rowsPerCheckpoint = 1000
/** Milliseconds between two polls of the counters while rows move; `idlePollInterval` while none do. */
const pollInterval = 250
const idlePollInterval = 1000
/** Maximum milliseconds that a row waits for its checkpoint. */
const maxDelay = 2000

const stateOf = (load: Load | undefined, hasMoved: boolean): StepState => {
  if (load?.blocked === true && load.buffered > 0) return "blocked"
  if (hasMoved) return "working"
  if ((load?.retrying ?? 0) > 0) return "retrying"
  return (load?.busy ?? 0) > 0 ? "working" : "waiting"
}

/** Samples for the timeline what each operator is doing, by its load and by the rows moved since the last sample. */
const makeSample = (counters: Counters, operators: ReadonlyArray<Checkpointed>) => {
  const before = new Map<string, number>()
  return (now: number): void => {
    const states = operators
      .filter(({ id }) => !id.startsWith("~"))
      .map(({ id, load }) => {
        const moved = (counters.given.get(id) ?? 0) + (counters.rejected.get(id) ?? 0)
        const hasMoved = moved !== (before.get(id) ?? 0)
        before.set(id, moved)
        return [id, stateOf(load?.(), hasMoved)] as const
      })
    counters.timeline.add(now, states)
  }
}

/** Takes checkpoints until the run ends, and samples the operators for its timeline. */
export const repeat = (
  counters: Counters,
  checkpoint: Effect.Effect<void, StepError>,
  operators: ReadonlyArray<Checkpointed>
) =>
  Effect.suspend(() => {
    const sample = makeSample(counters, operators)
    let waited = 0
    let interval = pollInterval
    const look = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      sample(now)
      // Assume that the oldest row came right after the last poll.
      waited = counters.uncommitted === 0 ? 0 : waited + interval
      interval = counters.uncommitted === 0 ? idlePollInterval : pollInterval
      if (counters.uncommitted < rowsPerCheckpoint && waited < maxDelay) return Effect.void
      waited = 0
      return checkpoint
    })
    return Effect.forever(Effect.suspend(() => Effect.delay(look, interval)))
  })
