/**
 * Run context: the parts that the operators of one run share, and the step context made from them.
 *
 * It is plain data: made once, when all parts exist, and never changed. Each part states in its own module who may use
 * it and when.
 */
import * as NodePath from "node:path"
import * as Effect from "effect/Effect"
import * as NotFollowed from "../Api/NotFollowed.ts"
import type { AttemptLog } from "../Client/RetryLoop.ts"
import { type Contract, outputOf } from "../Contract/Contract.ts"
import type { Journal } from "../Ledger/Model.ts"
import type { Checked } from "../Pipeline/Check.ts"
import { type Common, defaultFailOn, includesStatus } from "../Pipeline/Definition.ts"
import type { Node } from "../Pipeline/Node.ts"
import { secretsIn } from "../Pipeline/PermissionCheck.ts"
import { scheduledValues } from "../Pipeline/Schedule.ts"
import { sha256 } from "../Row/Hash.ts"
import { keyOf, type Row } from "../Row.ts"
import type { RunLogin } from "../Step/Context.ts"
import { warnOfPrice } from "../Step/Cost.ts"
import type { Context, StepError } from "../Step.ts"
import type { Budget } from "./Budget.ts"
import type { CallCache } from "./CallCache.ts"
import type { CheckpointBuffer, CommitLock } from "./Checkpoint.ts"
import type { HealthCheck } from "./HealthCheck.ts"
import type { Fork } from "./Operator.ts"
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

/** Waits for a turn of a rate limit shared with other runs. */
export type AwaitTurn = (step: string, rate: NonNullable<Common["rate"]>) => Effect.Effect<void, StepError>

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
  readonly heldRuns: Context["heldRuns"]
  readonly aliveRuns: Context["aliveRuns"]
  /** Contract of the pipeline's outputs; undefined without one. */
  readonly contract: Contract | undefined
  /** Undefined if the run shares no rate limits. */
  readonly awaitTurn: AwaitTurn | undefined
  readonly fork: Fork
  /** Undefined if the run is not measured. */
  readonly health: HealthCheck | undefined
  /** Undefined if the definition has no `login`. */
  readonly login: RunLogin | undefined
}

/** Default of a step's `concurrency`: number of rows processed at once. */
const defaultConcurrency = 4

/** Values of `${{ run.… }}` and `$run`; the scheduled time is in the time zone of the schedule. */
export const describeRun = (
  { frame }: Checked,
  {
    id,
    parentRun,
    scheduledFor,
    site,
    startedAt
  }: Pick<RunContext, "id" | "parentRun" | "scheduledFor" | "site" | "startedAt">
) => ({
  id: parentRun ?? id,
  site,
  startedAt: startedAt.toISOString(),
  date: startedAt.toISOString().slice(0, 10),
  ...scheduledValues((scheduledFor ?? startedAt).getTime(), frame.schedule?.timezone ?? "UTC")
})

/** The service calls of one task: how they are named in the call cache, and where they are recorded. */
export interface TaskCalls {
  /** Part of the cache key of the task's calls. */
  readonly mark: string
  /** Called with the mark of each answer that the task receives. */
  readonly answered: (mark: string) => void
  /** Log of the calls made for the task; a cached answer counts like its original call. */
  readonly attempts?: AttemptLog | undefined
  readonly retryPage?: Context["retryPage"] | undefined
  /** Jobs left running when the task failed: by id, with the effect that ends each job. */
  readonly unfinishedJobs?: Map<string, Effect.Effect<void>> | undefined
}

/** Context of a step, with its error policy. */
export interface StepContext {
  readonly context: Context
  readonly errorPolicy: ErrorPolicy
  /** Context of one task of the step. */
  readonly forTask: (asking: TaskCalls) => Context
}

/** Outputs of the value steps that a step uses, in the form of `$steps`. */
export type StepValues = Readonly<Record<string, { readonly output: unknown }>>

/** Makes the context of a step. */
export const makeStepContext = (
  checked: Checked,
  run: RunContext,
  node: Node,
  common: Common,
  steps: StepValues
): StepContext => {
  const errorPolicy = makeErrorPolicy({
    step: node.id,
    definedAt: definedAt(checked.source, node),
    onError: common.onError,
    rejects: run.rejects,
    counters: run.counters,
    inputs: isSource(node) ? [] : node.inputs
  })
  const base = {
    ...describeStep(checked, run, node, common),
    ...reportToRun(run, node.id),
    failed: errorPolicy.resolveInChunk,
    bindings: makeBindings(checked, run, node.id, steps)
  }
  const forTask = (task: TaskCalls): Context => ({ ...base, ...makeCalls(run, node.id, task, base.warnOnce) })
  return { context: forTask({ mark: "", answered: () => {} }), errorPolicy, forTask }
}

const isSource = ({ step }: Node): boolean => step.behaviour.kind === "source"

/** Folder for files that steps need until the run has ended. */
export const scratchOf = ({ dataDir, id }: Pick<RunContext, "dataDir" | "id">): string =>
  NodePath.resolve(dataDir, "runs", id, "scratch")

/** Settings of a step, and constant facts about its run. */
const describeStep = (checked: Checked, run: RunContext, node: Node, common: Common) => {
  const { frame, source } = checked
  const failOn = common.failOn ?? defaultFailOn
  return {
    written: node.config,
    secrets: secretsIn(node),
    id: node.id,
    runId: run.parentRun ?? run.id,
    startedAt: run.startedAt,
    folder: source.folder,
    out: run.out,
    scratch: NodePath.join(scratchOf(run), `${encodeURIComponent(node.id)}.rows`),
    adds: run.replay !== undefined,
    pipeline: frame.name,
    contract: outputOf(run.contract, node.id),
    trials: run.trials,
    heldRuns: run.heldRuns,
    aliveRuns: run.aliveRuns,
    stdout: run.stdout,
    // A shard may continue on another machine while this process still has its files open.
    mayBeHeld: run.group !== undefined,
    allowCode: run.allowCode ?? false,
    login: run.login,
    concurrency: common.concurrency ?? defaultConcurrency,
    timeout: common.timeout,
    wanted: isSource(node) ? run.wanted : undefined,
    seesAllRows: [run.group, run.parentRun, run.resume, run.replay].every((other) => other === undefined),
    isCompared: isCompared(checked, node),
    state: run.states.of(node.id),
    matchesBefore: run.health?.matchesBefore(node.id) ?? Effect.succeed(undefined),
    failsOn: (status: number | "blocked") => includesStatus(failOn, status)
  } satisfies Partial<Context>
}

/** True if a later step, in this or another part of the run, compares rows with those of earlier runs; `emits`: and emits their changes. */
export const isCompared = ({ all = [], nodes }: Checked, { id }: Node, emits = false): boolean => {
  const every = [...new Map([...nodes, ...all].map((node) => [node.id, node])).values()]
  const above = new Set([id])
  for (const next of above) {
    for (const reader of every) if (reader.inputs.includes(next)) above.add(reader.id)
  }
  return every.some((node) => {
    const state = node.id !== id && above.has(node.id) ? node.step.state?.(node.config) : undefined
    return state !== undefined && (!emits || state.changeField !== undefined)
  })
}

/** Makes the names available to a step's expressions. */
const makeBindings = (checked: Checked, run: RunContext, id: string, steps: StepValues): Context["bindings"] => {
  const random = seededRandom(`${run.id}/${id}`)
  const runValues = describeRun(checked, run)
  return (row: Row) => ({
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
  })
}

/** Functions by which a step reports to its run and queries it; the same for all of its tasks. */
const reportToRun = ({ buffer, counters, journal, lock, shutdown }: RunContext, id: string) => {
  const warned = new Set<string>()
  return {
    tried: (pages) => Effect.sync(() => buffer.addPages(id, pages)),
    spend: (credits) =>
      credits === 0
        ? Effect.void
        : lock.move(
            Effect.sync(() => {
              counters.job(id, credits)
              counters.uncommitted++
            })
          ),
    failedPages: (jobId) => Effect.mapError(journal.failedPages(jobId), ledgerFailed),
    cut: Effect.sync(() => {
      counters.isCut = true
      counters.markIncomplete(id, "budget")
    }),
    incomplete: (reason) => Effect.sync(() => counters.markIncomplete(id, reason)),
    withheld: (change) => counters.withhold(change),
    notFollowed: (links) =>
      Effect.sync(() => {
        counters.notFollowed = NotFollowed.add(counters.notFollowed, links)
      }),
    warnOnce: (matter, message) =>
      Effect.suspend(() => {
        if (warned.has(matter)) return Effect.void
        warned.add(matter)
        return Effect.logWarning(`${id}: ${message}`)
      }),
    stopping: shutdown.budgetReached,
    usedUp: shutdown.request("budget"),
    isStopped: shutdown.isStopping,
    stopRequested: shutdown.stopRequested
  } satisfies Partial<Context>
}

/** Functions for the calls of one task: each call is cached and reserved under the task's mark and the call's own name. */
const makeCalls = (
  { budget, callCache, counters, id: runId }: RunContext,
  step: string,
  { answered, attempts, mark, retryPage, unfinishedJobs }: TaskCalls,
  warnOnce: Context["warnOnce"]
): Pick<Context, "leaveRunning" | "once" | "reserve" | "retryPage"> => {
  const markOf = (name: string) => (mark === "" ? name : `${mark}/${name}`)
  return {
    once: ({ book, buys, name = "call" }, ask) => {
      const own = markOf(name)
      answered(own)
      const onHit = () => {
        if (attempts !== undefined) attempts.made++
      }
      const key = `${runId}/${step}/${own}`
      return callCache.once({ step, mark: own, book, buys, onHit, whenUnpriced: warnOfPrice(warnOnce) }, (units) =>
        ask(key, units)
      )
    },
    reserve: (name, buying, isRunning = false) => {
      const call = { step, mark: markOf(name) }
      return isRunning ? budget.takeOver(call, buying) : budget.reserve(call, buying)
    },
    leaveRunning: (jobId, giveUp) => {
      counters.runningJobs.add(jobId)
      unfinishedJobs?.set(jobId, giveUp)
    },
    retryPage: retryPage ?? (() => Effect.succeed(false))
  }
}
