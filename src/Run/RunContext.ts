/**
 * Run context: what the operators of one run share, and the step context made from it.
 *
 * It is data: made once, when all parts exist, and never changed. Each operator asks for the part that it needs. Each
 * part says in its own module who may use it and when.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { AttemptLog } from "../Client/RetryLoop.ts"
import type { Journal } from "../Ledger/Model.ts"
import type { Checked } from "../Pipeline/Check.ts"
import { type Common, defaultFailOn, includesStatus } from "../Pipeline/Definition.ts"
import type { Node } from "../Pipeline/Node.ts"
import { scheduledFor } from "../Pipeline/Schedule.ts"
import { secretsIn } from "../Pipeline/Trust.ts"
import { sha256 } from "../Row/Hash.ts"
import { keyOf, type Row } from "../Row.ts"
import type { Booking, Buying, Context, Services, StepError } from "../Step.ts"
import type { Budget } from "./Budget.ts"
import type { CallCache } from "./CallCache.ts"
import type { CheckpointBuffer, Commit, CommitLock } from "./Checkpoint.ts"
import type { Counters } from "./Progress.ts"
import { type ErrorPolicy, makeErrorPolicy, type Rejects } from "./Rejects.ts"
import { definedAt, ledgerFailed } from "./RunErrors.ts"
import type { ResolvedOptions } from "./RunSpec.ts"
import type { ShutdownSignal } from "./Shutdown.ts"
import type { Completeness, StepStates } from "./State.ts"
/**
 * Random numbers from 0 to below 1 (mulberry32). The same seed gives the same numbers, so a resumed run repeats them.
 */
export const seededRandom = (seed: string): (() => number) => {
  let state = Number.parseInt(sha256(seed).slice(0, 8), 16) | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Services of everything that runs while a run is driven. */
export type RunServices = Services | Commit

export interface RunContext extends ResolvedOptions {
  readonly id: string
  readonly startedAt: Date
  readonly counters: Counters
  readonly lock: CommitLock
  readonly shutdown: ShutdownSignal
  readonly budget: Budget
  readonly journal: Journal
  readonly callCache: CallCache
  readonly rejects: Rejects
  readonly states: StepStates
  readonly completeness: Completeness
  readonly buffer: CheckpointBuffer
  readonly trials: Context["trials"]
  /** Waits for a turn at a rate that other runs share; undefined when the run is alone. */
  readonly awaitTurn: ((step: string, rate: NonNullable<Common["rate"]>) => Effect.Effect<void, StepError>) | undefined
  /** Runs work of a step in the background until the run ends. A failure of the work ends the run. */
  readonly fork: (
    step: string,
    work: Effect.Effect<void, StepError, RunServices | Scope.Scope>
  ) => Effect.Effect<void, never, RunServices>
}

/** Default of a step's `concurrency`: rows at once. */
const defaultConcurrency = 4

/** Values of `${{ run.… }}` and `$run`; the scheduled time is in the time zone of the schedule. */
export const describeRun = (
  { frame }: Checked,
  {
    id,
    parentRun,
    scheduledFor: due,
    site,
    startedAt
  }: Pick<RunContext, "id" | "parentRun" | "scheduledFor" | "site" | "startedAt">
) => ({
  id: parentRun ?? id,
  site,
  startedAt: startedAt.toISOString(),
  date: startedAt.toISOString().slice(0, 10),
  scheduledFor: scheduledFor((due ?? startedAt).getTime(), frame.schedule?.timezone ?? "UTC")
})

/** Identity and bookkeeping of the calls of one task. */
export interface TaskCalls {
  /** Part of the key of its calls. */
  readonly mark: string
  /** Called with the mark of each answer that the task gets. */
  readonly answered: (mark: string) => void
  /** Calls that were made for the task; a cached answer counts as the call that it was. */
  readonly attempts?: AttemptLog | undefined
  readonly retryPage?: Context["retryPage"] | undefined
  /** Jobs that a failure of the task left running, by id, and how to end each of them. */
  readonly unfinishedJobs?: Map<string, Effect.Effect<void>> | undefined
}

/** Context of a step, with its policy for failed rows. */
export interface StepContext {
  readonly context: Context
  readonly errorPolicy: ErrorPolicy
  /** Context of one task of the step. */
  readonly forTask: (asking: TaskCalls) => Context
}

/** Outputs of the value steps that a step names, as `$steps` has them. */
export type StepValues = Readonly<Record<string, { readonly output: unknown }>>

/** Makes the context of a step. */
export const makeStepContext = (
  checked: Checked,
  run: RunContext,
  node: Node,
  common: Common,
  steps: StepValues
): StepContext => {
  const { counters, shutdown } = run
  const { source } = checked
  const runValues = describeRun(checked, run)
  const isSource = node.step.behaviour.kind === "source"
  const errorPolicy = makeErrorPolicy({
    step: node.id,
    definedAt: definedAt(source, node),
    onError: common.onError,
    rejects: run.rejects,
    counters,
    inputs: isSource ? [] : node.inputs
  })
  const once = ({ answered, attempts, mark }: TaskCalls): Context["once"] => {
    return <A, R>(
      {
        book,
        buys,
        name = "call"
      }: {
        readonly name?: string | undefined
        readonly book?: ((answer: A) => Booking) | undefined
        readonly buys?: Buying | undefined
      },
      ask: (key: string, units: number) => Effect.Effect<A, StepError, R>
    ) => {
      const own = mark === "" ? name : `${mark}/${name}`
      answered(own)
      const onHit = () => {
        if (attempts !== undefined) attempts.made++
      }
      const key = `${run.id}/${node.id}/${own}`
      return run.callCache.once({ step: node.id, mark: own, book, buys, onHit }, (units) => ask(key, units))
    }
  }
  const warned = new Set<string>()
  const random = seededRandom(`${run.id}/${node.id}`)
  const failOn = common.failOn ?? defaultFailOn
  const reserve =
    ({ mark }: TaskCalls): Context["reserve"] =>
    (name, buying, goesOn = false) => {
      const call = { step: node.id, mark: mark === "" ? name : `${mark}/${name}` }
      return goesOn ? run.budget.takeOver(call, buying) : run.budget.reserve(call, buying)
    }
  const base: Omit<Context, "once" | "reserve" | "retryPage"> = {
    written: node.config,
    secrets: secretsIn(node),
    id: node.id,
    runId: run.parentRun ?? run.id,
    startedAt: run.startedAt,
    folder: source.folder,
    out: run.out,
    adds: run.replay !== undefined,
    trials: run.trials,
    stdout: run.stdout,
    // A shard may continue on another machine while this one still has its files open.
    mayBeHeld: run.group !== undefined,
    allowCode: run.allowCode ?? false,
    concurrency: common.concurrency ?? defaultConcurrency,
    timeout: common.timeout,
    wanted: isSource ? run.wanted : undefined,
    failed: errorPolicy.resolveInChunk,
    bindings: (row: Row) => ({
      now: run.startedAt,
      random,
      names: {
        run: runValues,
        inputs: checked.inputs,
        steps,
        source: row.source,
        get key() {
          return keyOf(row)
        }
      }
    }),
    failsOn: (status) => includesStatus(failOn, status),
    tried: (pages) =>
      Effect.sync(() => {
        run.buffer.addPages(node.id, pages)
      }),
    spend: (credits) =>
      credits === 0
        ? Effect.void
        : run.lock.move(
            Effect.sync(() => {
              counters.job(node.id, credits)
              counters.uncommitted++
            })
          ),
    failedPages: (jobId) => Effect.mapError(run.journal.failedPages(jobId), ledgerFailed),
    cut: Effect.sync(() => {
      counters.isCut = true
      counters.markIncomplete(node.id, "budget")
    }),
    incomplete: (reason) => Effect.sync(() => counters.markIncomplete(node.id, reason)),
    warnOnce: (matter, message) =>
      Effect.suspend(() => {
        if (warned.has(matter)) return Effect.void
        warned.add(matter)
        return Effect.logWarning(`${node.id}: ${message}`)
      }),
    stopping: shutdown.budgetReached,
    leaveRunning: (jobId: string) => void counters.runningJobs.add(jobId),
    usedUp: shutdown.request("budget"),
    isStopped: () => shutdown.reason() === "stop",
    state: run.states.of(node.id)
  }
  const forTask = (asking: TaskCalls): Context => ({
    ...base,
    once: once(asking),
    reserve: reserve(asking),
    leaveRunning: (jobId, giveUp) => {
      counters.runningJobs.add(jobId)
      asking.unfinishedJobs?.set(jobId, giveUp)
    },
    retryPage: asking.retryPage ?? (() => Effect.succeed(false))
  })
  return { context: forTask({ mark: "", answered: () => {} }), errorPolicy, forTask }
}
