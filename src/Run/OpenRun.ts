/**
 * A run until its first row: opens its journal in the ledger, makes the services that its operators share, and builds the operators.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Ref from "effect/Ref"
import type * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { mapError } from "../Callback/Lean.ts"
import { type Contract, load as loadContract, render as renderContract } from "../Contract/Contract.ts"
import type { Journal, RunRecord } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import { type Checked, stateKey } from "../Pipeline/Check.ts"
import { namedIn, open as notKnown } from "../Pipeline/Interpolate.ts"
import { DefinitionInvalid } from "../Pipeline/Issue.ts"
import { decodePart } from "../Pipeline/Node.ts"
import { forService, withStoredPages } from "../Pipeline/PageFormats.ts"
import * as Pin from "../Pipeline/Pin.ts"
import { addedResources, type Resources, resourcesOf } from "../Pipeline/Resources.ts"
import { isOwnEngine, Tariff } from "../Step/Cost.ts"
import * as Login from "../Step/Login.ts"
import type { Trials } from "../Step/Output.ts"
import { mapping } from "../Step/Requirements.ts"
import { StepError } from "../Step.ts"
import * as Budget from "./Budget.ts"
import * as CallCache from "./CallCache.ts"
import * as Checkpoint from "./Checkpoint.ts"
import { isRefused } from "./Checkpoint.ts"
import * as HealthCheck from "./HealthCheck.ts"
import * as Metrics from "./Metrics.ts"
import type { Counters } from "./Progress.ts"
import * as Rejects from "./Rejects.ts"
import { accountOf } from "./Reservations.ts"
import { describeRun, type RunContext } from "./RunContext.ts"
import { inStepNamed, ledgerFailed } from "./RunErrors.ts"
import type { RunHandle } from "./RunResult.ts"
import { isStateless, isTrial, makeRunSpec, type ResolvedOptions, type RunOptions } from "./RunSpec.ts"
import * as Shutdown from "./Shutdown.ts"
import * as State from "./State.ts"
import { makeAwaitTurn } from "./TaskWork.ts"
import * as Topology from "./Topology.ts"

/** A run whose journal is open. */
export interface JournaledRun {
  readonly checked: Checked
  readonly options: ResolvedOptions
  readonly handle: RunHandle
  readonly journal: Journal
  /** Key of the state across runs, if the pipeline keeps any. */
  readonly stateKey: string | undefined
  readonly contract: Contract | undefined
}

/** A run that is ready to have its operators built. */
export interface OpenRun extends JournaledRun {
  /** The definition as written, without the page formats that later steps request. The health check compares runs by it. */
  readonly asWritten: Checked
  readonly run: RunContext
  /** Fails with the first failure of background work. */
  readonly failure: Deferred.Deferred<never, StepError | DefinitionInvalid>
  /** Scope of all background work. Closing it interrupts the work. */
  readonly workers: Scope.CloseableScope
}

/** A run whose operators are built. */
export interface BuiltRun extends OpenRun {
  readonly topology: Topology.Topology
  readonly checkpoint: Effect.Effect<void, StepError>
}

/** Warns when the definition names more resources than the pipeline's last run did; values of inputs do not count. Never fails the run. */
const warnAboutGrowth = (pipeline: string, touches: Resources) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const [last] = yield* history.runs({ pipeline, limit: 1 })
    const grown = last === undefined ? undefined : addedResources(touches, mapping(last.options).named)
    if (grown !== undefined)
      yield* Effect.logWarning(
        `${pipeline} names hosts, files or variables that its last run (${last?.id}) did not: ${grown}`
      )
  }).pipe(
    Effect.catchAll(({ message }) =>
      Effect.logWarning(
        `the hosts, files and variables of ${pipeline} were not compared with those of its last run: ${message}`
      )
    )
  )

/**
 * Options of a resume as of the run's last checkpoint. The record that it was begun with may be older: another process may have worked on
 * the run until this one got the lock.
 */
const asOf = (options: ResolvedOptions, { bytes, progress }: RunRecord): ResolvedOptions => {
  const { replay, resume } = options
  return {
    ...options,
    resume: resume && { ...resume, bytes, progress },
    // With its first checkpoint the run has taken over the rejects.
    replay: replay === undefined || progress === null ? replay : { ...replay, rows: new Map(), numbers: [] }
  }
}

/**
 * Creates the run in the ledger, or reopens it for a resume, and holds its locks until the scope is closed. Fails with `Locked` when
 * another process has one of them. A failure before the ledger has recorded the run leaves nothing behind.
 */
export const openJournal = (checked: Checked, options: ResolvedOptions, handle: RunHandle) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const scope = { env: options.env ?? {}, secrets: options.secrets ?? (() => undefined) }
    yield* Pin.require(checked, scope)
    const contract = yield* Effect.mapError(loadContract(checked.source), StepError.of)
    const run = describeRun(checked, { ...options, id: handle.id, startedAt: new Date(handle.startedAt) })
    const key = yield* stateKey(checked, { ...scope, run })
    const touches = yield* resourcesOf(checked, undefined)
    // A shard touches the same resources as the whole run, so only the run itself is checked.
    if (options.resume === undefined && options.group === undefined) yield* warnAboutGrowth(checked.frame.name, touches)
    const known = typeof key === "string" ? key : undefined
    const spec = makeRunSpec(checked, options, handle, { key: known, touches })
    const { resume } = options
    const journal = yield* Effect.mapError(ledger.open(spec, resume !== undefined), ledgerFailed)
    const current = resume && (yield* Effect.mapError(ledger.find(handle.id), ledgerFailed))
    yield* options.opened?.(handle.id) ?? Effect.void
    if (contract !== undefined && options.group === undefined && options.resume === undefined) {
      const first = { run: handle.id, text: renderContract(contract) }
      yield* orWarn(ledger.contracts.record(checked.frame.name, first))
    }
    const own = current === undefined ? options : asOf(options, current)
    const opened: JournaledRun = { checked, options: own, handle, journal, stateKey: known, contract }
    return opened
  })

/** Restores the counters of a resumed run from the last checkpoint, and adds what was paid for since. */
export const restoreCounters = (counters: Counters, resume: RunOptions["resume"], journal: Journal) =>
  Effect.gen(function* () {
    if (resume !== undefined) counters.restore(resume.progress, resume.bytes)
    const booked = yield* Effect.mapError(journal.booked, ledgerFailed)
    counters.callCredits = booked.credits
    counters.callUnpriced = booked.unpriced
    counters.callPages = booked.pages
    counters.calls = booked.calls
  })

/** Whether the run is a trial, and which files trials have written; read from the ledger each time. */
export const trialsOf = (options: RunOptions) =>
  Effect.map(Ledger, ({ history }): Trials => ({ isTrial: isTrial(options), written: history.trialOutputs }))

/** Held runs of the pipeline that wait for a decision; those that are released do not. */
const heldRunsOf = ({ frame }: Checked, { held }: typeof Ledger.Service) =>
  Effect.flatMap(
    held.list(frame.name),
    Effect.filter((id) => Effect.map(held.isReleased(id), (is) => !is))
  )

/** Makes `fork` of the run context. A refused move is not reported as a failure: it is refused because something else has failed before. */
const makeFork =
  (
    checked: Checked,
    lock: Checkpoint.CommitLock,
    failure: OpenRun["failure"],
    workers: OpenRun["workers"]
  ): RunContext["fork"] =>
  (step, work) =>
    work.pipe(
      Effect.catchIf(
        (error) => isRefused(lock, error),
        () => Effect.void
      ),
      Effect.mapError((error) => inStepNamed(error, checked, step)),
      Effect.catchAllCause((cause) =>
        Cause.isInterruptedOnly(cause) ? Effect.void : Deferred.failCause(failure, cause)
      ),
      Scope.extend(workers),
      // The fork may start under the commit lock, where interrupts are disabled.
      Effect.interruptible,
      Effect.forkIn(workers),
      Effect.asVoid
    )

/**
 * Makes the services that operators share. A failure or an interrupt here ends the run as `failed` or `stopped` (see `recordEnd`); the
 * reject file is truncated to the last checkpoint.
 */
export const open = (journaled: JournaledRun) =>
  Effect.gen(function* () {
    const { contract, handle, journal, options, stateKey } = journaled
    const { rate } = yield* Tariff
    const forItself = forService(journaled.checked.nodes, isOwnEngine(rate))
    const { pagesSince } = options
    const nodes =
      pagesSince === undefined ? forItself : withStoredPages(forItself, (yield* Clock.currentTimeMillis) - pagesSince)
    const checked = { ...journaled.checked, nodes }
    const { counters, id, startedAt } = handle
    const ledger = yield* Ledger
    yield* restoreCounters(counters, options.resume, journal)
    const lock = yield* Checkpoint.makeCommitLock(mapError(journal.verifyLocks, ledgerFailed))
    const shutdown = yield* Shutdown.make
    const buffer = Checkpoint.makeBuffer(counters)
    const limits = Budget.bounded(checked.frame.budget, options.maxCredits)
    const budget = yield* Budget.make({
      limits,
      counters,
      shutdown,
      rate,
      account: accountOf({
        ledger,
        journal,
        limits,
        pipeline: checked.frame.name,
        runId: id,
        group: options.group,
        from: options.budgetFrom
      }),
      since: options.budgetFrom?.since
    })
    const callCache = yield* CallCache.make({ journal, counters, budget, shutdown, buffer })
    const rejects = yield* Rejects.make(`${options.dataDir}/runs/${id}`, counters.rejectBytes, {
      mayBeHeld: options.group !== undefined
    })
    const isReplay = options.replay !== undefined
    const completeness = State.makeCompleteness(checked, counters, { shutdown, isReplay })
    const states = State.make({
      active: !isStateless(options),
      buffer,
      completeness,
      journal,
      historyKey: options.parentRun === undefined ? stateKey : options.stateKey,
      rejects
    })
    const workers = yield* Effect.acquireRelease(Scope.make(), (scope, exit) => Scope.close(scope, exit))
    const failure = yield* Deferred.make<never, StepError | DefinitionInvalid>()
    const run: RunContext = {
      ...options,
      id,
      startedAt: new Date(startedAt),
      counters,
      lock,
      shutdown,
      budget,
      journal,
      callCache,
      buffer,
      rejects,
      states,
      completeness,
      trials: yield* trialsOf(options),
      heldRuns: heldRunsOf(journaled.checked, ledger),
      aliveRuns: ledger.history.alive,
      contract,
      awaitTurn: makeAwaitTurn(ledger, options.group),
      fork: makeFork(checked, lock, failure, workers),
      health: HealthCheck.make(journaled.checked, options, { ledger, startedAt: new Date(startedAt) }),
      login: yield* loginOf(journaled)
    }
    const opened: OpenRun = { ...journaled, asWritten: journaled.checked, checked, run, failure, workers }
    return opened
  })

/** Login of the definition. Its browser profile is deleted when the run has ended, but stays for a resume and for jobs that continue. */
const loginOf = ({ checked, handle, journal, options }: JournaledRun) =>
  Effect.gen(function* () {
    const { source } = checked
    const written = mapping(source.value).login
    if (written === undefined) return undefined
    // Secrets may have other values in the run than they had in the check before it, so the login is decoded again.
    const { env = {}, secrets = () => undefined } = options
    const scope = { inputs: checked.inputs, env, secrets, run: {}, steps: {} }
    const part = yield* decodePart(Login.Login as Schema.Schema<Login.Login, unknown>, written, ["login"], scope)
    if (Either.isLeft(part)) {
      const issues = part.left.map((issue) => ({ ...issue, ...source.locate(issue.path) }))
      return yield* new DefinitionInvalid({ file: source.file, issues })
    }
    if (part.right === notKnown) return undefined
    const login = part.right
    const made = yield* Login.make({
      login,
      secrets: namedIn(written).flatMap(({ kind, name }) => (kind === "secrets" ? [name] : [])),
      allowCode: options.allowCode ?? false,
      folder: source.folder,
      runId: handle.id
    })
    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        if (!(yield* isResumable(handle)) && Exit.isSuccess(yield* Effect.exit(journal.verifyLocks))) yield* made.close
      })
    )
    return made
  })

/** Builds the operators and a checkpoint that covers all of them. A fresh run that fails here leaves no file behind. */
export const build = (opened: OpenRun) =>
  Effect.map(Topology.build(opened.checked, opened.run), (topology): BuiltRun => {
    const { checked, run } = opened
    const { budget, buffer, counters, journal, lock, rejects, tap } = run
    const { operators } = topology
    const options = { budget, buffer, counters, journal, lock, operators, rejects, isRead: tap?.read }
    const checkpoint = Metrics.measureCommit(Checkpoint.make(options), checked.frame.name, counters)
    return { ...opened, topology, checkpoint }
  })

/** Only logs a failure to record something: it must not hide the reason why the run ends. */
export const orWarn = <R>(
  effect: Effect.Effect<unknown, { readonly message: string }, R>
): Effect.Effect<void, never, R> => Effect.catchAll(Effect.asVoid(effect), ({ message }) => Effect.logWarning(message))

/** True if a run that has not published can be resumed. */
export const isResumable = ({ phase }: RunHandle) =>
  Effect.map(Ref.get(phase), (now) => (now._tag === "Running" || now._tag === "Ended") && now.resumable)
