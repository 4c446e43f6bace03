/**
 * Runtime of one run: open → build → drive → checkpoint → wind down → publish.
 *
 * 1. `openJournal`, `open`: the ledger records the run and locks what no other run may touch; a resumed run restores its counters and the
 *    answers it has paid for.
 * 2. `build`: every step becomes an operator. A step that cannot be opened ends the run before its first request.
 * 3. `drive`: rows flow, and a checkpoint is committed every 1,000 rows or 2 seconds, until all rows have passed, an operator fails, the
 *    budget is used up, or the run is interrupted.
 * 4. `commitAll`: takes the last checkpoint, after all rows; runs with too many rejects fail here.
 * 5. `windDown`, if 3 or 4 did not succeed, replaces the rest: lets calls in flight finish, takes a last checkpoint, and records in the
 *    ledger how the run ended. The run is resumable if it has a checkpoint or a paid answer worth keeping; otherwise its files are removed.
 * 6. `seal`, `publish`: the ledger records the files before the first one gets its final name, so after a crash from here on, a resume only
 *    publishes again. Outputs that fail their checks are held instead: the run ends here, and they wait to be published or discarded.
 *
 * A failure or an interrupt in 1 or 2 is recorded as `failed` or `stopped`; one in 3 or 4 leads to 5. From 6 on the run cannot be
 * interrupted. A crash at any moment leaves the last checkpoint: the ledger still says `running`, and a resume continues from there.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Ref from "effect/Ref"
import type * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { mapError } from "../Callback/Lean.ts"
import { makeRetryState, RetryScope } from "../Client/RetryLoop.ts"
import { type Contract, load as loadContract, render as renderContract } from "../Contract/Contract.ts"
import { describeVerdict, type Verdict } from "../Health/Verdict.ts"
import type { Journal } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import { Permissions, protectedIn } from "../Permissions.ts"
import { type Checked, permissionsOf as definitionPermissions, stateKey } from "../Pipeline/Check.ts"
import { namedIn, open as notKnown } from "../Pipeline/Interpolate.ts"
import { DefinitionInvalid } from "../Pipeline/Issue.ts"
import { decodePart } from "../Pipeline/Node.ts"
import { forService, withStoredPages } from "../Pipeline/PageFormats.ts"
import * as Pin from "../Pipeline/Pin.ts"
import { addedResources, type Resources, resourcesOf } from "../Pipeline/Resources.ts"
import { ofShard } from "../Sink/Conform.ts"
import * as Manifest from "../Sink/Manifest.ts"
import * as Publish from "../Sink/Publish.ts"
import * as Rebase from "../Sink/Rebase.ts"
import { isOwnEngine, Tariff } from "../Step/Cost.ts"
import { withPage } from "../Step/Extract/StoredPage.ts"
import { incompleteWarning } from "../Step/Incomplete.ts"
import * as Login from "../Step/Login.ts"
import type { Sealed, Trials } from "../Step/Output.ts"
import { mapping } from "../Step/Requirements.ts"
import { BudgetReached, OutputsHeld, RunStopped, Stopped } from "../Step/StepError.ts"
import { type Services, StepError } from "../Step.ts"
import * as Budget from "./Budget.ts"
import * as CallCache from "./CallCache.ts"
import * as Checkpoint from "./Checkpoint.ts"
import { isRefused } from "./Checkpoint.ts"
import * as HealthCheck from "./HealthCheck.ts"
import * as Metrics from "./Metrics.ts"
import type { Counters } from "./Progress.ts"
import * as Rejects from "./Rejects.ts"
import { accountOf } from "./Reservations.ts"
import { describeRun, type RunContext, scratchOf } from "./RunContext.ts"
import { inStepNamed, ledgerFailed } from "./RunErrors.ts"
import { RunFailed, type RunHandle, type Summary, summarize } from "./RunResult.ts"
import { isStateless, isTrial, makeRunSpec, type Replay, type ResolvedOptions, type RunOptions } from "./RunSpec.ts"
import * as Shutdown from "./Shutdown.ts"
import * as State from "./State.ts"
import { makeAwaitTurn } from "./TaskWork.ts"
import * as Topology from "./Topology.ts"

/** A run whose journal is open. */
interface JournaledRun {
  readonly checked: Checked
  readonly options: ResolvedOptions
  readonly handle: RunHandle
  readonly journal: Journal
  /** Key of the state across runs, if the pipeline keeps any. */
  readonly stateKey: string | undefined
  readonly contract: Contract | undefined
}

/** A run that is ready to have its operators built. */
interface OpenRun extends JournaledRun {
  /** The definition as written, without the page formats that later steps request. Runs are compared by it. */
  readonly asWritten: Checked
  readonly run: RunContext
  /** Fails with the first failure of background work. */
  readonly failure: Deferred.Deferred<never, StepError | DefinitionInvalid>
  /** Scope of all background work. Closing it interrupts the work. */
  readonly workers: Scope.CloseableScope
}

/** A run whose operators are built. */
interface BuiltRun extends OpenRun {
  readonly topology: Topology.Topology
  readonly checkpoint: Effect.Effect<void, StepError>
}

// 1. Open

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
 * Creates the run in the ledger, or reopens it for a resume, and holds its locks until the scope is closed. Fails with `Locked` when
 * another process has one of them. A failure before the ledger has recorded the run leaves nothing behind.
 */
const openJournal = (checked: Checked, options: ResolvedOptions, handle: RunHandle) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const scope = { env: options.env ?? {}, secrets: options.secrets ?? (() => undefined) }
    yield* Pin.require(checked, scope)
    const contract = yield* Effect.mapError(loadContract(checked.source), StepError.of)
    const run = describeRun(checked, { ...options, id: handle.id, startedAt: new Date(handle.startedAt) })
    const key = yield* stateKey(checked, { ...scope, run })
    const touches = yield* resourcesOf(checked, undefined)
    // A shard touches the same resources as the whole run.
    if (options.resume === undefined && options.group === undefined) yield* warnAboutGrowth(checked.frame.name, touches)
    const known = typeof key === "string" ? key : undefined
    const spec = makeRunSpec(checked, options, handle, { key: known, touches })
    const journal = yield* Effect.mapError(ledger.open(spec), ledgerFailed)
    yield* options.opened?.(handle.id) ?? Effect.void
    if (contract !== undefined && options.group === undefined && options.resume === undefined) {
      const first = { run: handle.id, text: renderContract(contract) }
      yield* orWarn(ledger.contracts.record(checked.frame.name, first))
    }
    const opened: JournaledRun = { checked, options, handle, journal, stateKey: known, contract }
    return opened
  })

/** Restores the counters of a resumed run from the last checkpoint, and adds what was paid for since. */
const restoreCounters = (counters: Counters, resume: RunOptions["resume"], journal: Journal) =>
  Effect.gen(function* () {
    if (resume !== undefined) counters.restore(resume.progress, resume.bytes)
    const booked = yield* Effect.mapError(journal.booked, ledgerFailed)
    counters.callCredits = booked.credits
    counters.callUnpriced = booked.unpriced
    counters.callPages = booked.pages
    counters.calls = booked.calls
  })

/** Facts about trials that sinks need; read from the ledger each time. */
const trialsOf = (options: RunOptions) =>
  Effect.map(Ledger, ({ history }): Trials => ({ isTrial: isTrial(options), written: history.trialOutputs }))

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
const open = (journaled: JournaledRun) =>
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
      contract,
      awaitTurn: makeAwaitTurn(ledger, options.group),
      fork: makeFork(checked, lock, failure, workers),
      health: HealthCheck.make(journaled.checked, options, { ledger, startedAt: new Date(startedAt) }),
      login: yield* loginOf(journaled)
    }
    const opened: OpenRun = { ...journaled, asWritten: journaled.checked, checked, run, failure, workers }
    return opened
  })

/** Login of the definition. Its profile is deleted when the run has ended, but stays for a resume and for jobs that go on. */
const loginOf = ({ checked, handle, journal, options }: JournaledRun) =>
  Effect.gen(function* () {
    const { source } = checked
    const written = mapping(source.value).login
    if (written === undefined) return undefined
    // Secrets may have other values in the run than they had in the check before it.
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

// 2. Build

/** Builds the operators and a checkpoint that covers all of them. A fresh run that fails here leaves no file behind. */
const build = (opened: OpenRun) =>
  Effect.map(Topology.build(opened.checked, opened.run), (topology): BuiltRun => {
    const { checked, run } = opened
    const { budget, buffer, counters, journal, lock, rejects, tap } = run
    const { operators } = topology
    const options = { budget, buffer, counters, journal, lock, operators, rejects, isRead: tap?.read }
    const checkpoint = Metrics.measureCommit(Checkpoint.make(options), checked.frame.name, counters)
    return { ...opened, topology, checkpoint }
  })

/** Status of a run that ended for a certain reason. */
const statusOf = (reason: StepError | DefinitionInvalid): EndStatus =>
  reason instanceof BudgetReached ? "budget" : reason instanceof RunStopped ? "stopped" : "failed"

/** Only logs a failure to record something: it must not hide the reason why the run ends. */
const orWarn = <R>(effect: Effect.Effect<unknown, { readonly message: string }, R>): Effect.Effect<void, never, R> =>
  Effect.catchAll(Effect.asVoid(effect), ({ message }) => Effect.logWarning(message))

/** Records in the ledger how a run ended before it started. */
const recordEnd =
  (journal: Journal) =>
  <A, R>(effect: Effect.Effect<A, StepError | DefinitionInvalid, R>) =>
    effect.pipe(
      Effect.tapError((reason) => orWarn(journal.end(statusOf(reason), reason.message))),
      Effect.onInterrupt(() => orWarn(journal.end("stopped")))
    )

// 3. Drive

/** True when the run has no checkpoint yet. */
const isFresh = ({ resume }: RunOptions): boolean => resume === undefined || resume.progress === null

/**
 * Maximum age of a stored page, in milliseconds, that rejected rows are extracted from again: 30 days. A stored page is the one that the
 * run has read.
 */
const maxStored = 30 * 86_400_000

/** Pushes rejects of an earlier run into the steps that rejected them, before any source starts. Under the commit lock. */
const pushReplay = ({ numbers, of, rows }: Replay, { checked, run, topology }: BuiltRun) =>
  Effect.gen(function* () {
    for (const operator of topology.operators) {
      const node = checked.nodes.find(({ id }) => id === operator.id)
      const rejected = rows.get(operator.id) ?? []
      const again =
        node?.step.key === "extract"
          ? yield* Effect.forEach(rejected, (row) => withPage(row, node.config, maxStored))
          : rejected
      const [input] = node?.inputs ?? []
      // Counts the rows as given to the step: the allowed share of rejects is relative to them.
      if (input !== undefined) run.counters.give(input, again.length)
      if (again.length > 0) yield* operator.push(again)
    }
    run.buffer.claim({ of, numbers })
  })

/** Waits until all rows have passed, or the run has drained after a shutdown. Fails as soon as background work does. */
const awaitRows = ({ failure, run: { budget, shutdown }, topology }: BuiltRun) => {
  const ended = Effect.as(topology.ended, "ended" as const)
  const drained = Effect.as(shutdown.drained, "drained" as const)
  // Calls still unanswered shortly after the time limit are left for a resume.
  const timedOut = Effect.zipRight(
    budget.timeOver,
    Effect.delay(Effect.succeed("drained" as const), Shutdown.gracePeriod)
  )
  return Effect.raceFirst(Deferred.await(failure), Effect.raceFirst(ended, Effect.raceFirst(drained, timedOut)))
}

/**
 * Ends a run whose budget is used up. With `onReached: publish`, paid work finishes, the rest is left to the next run, and the returned
 * message says so; otherwise fails with `BudgetReached`, and the run can be resumed.
 */
const cut = ({ checked, failure, run, topology }: BuiltRun) =>
  Effect.gen(function* () {
    const { budget, buffer, counters, shutdown } = run
    const message = `the budget is used up: ${(yield* budget.reached) ?? "it was reached"}`
    if (checked.frame.budget?.onReached !== "publish") return yield* new BudgetReached({ message })
    yield* shutdown.request("budget")
    buffer.deferRows(yield* Effect.raceFirst(topology.abandonRest, Deferred.await(failure)))
    // Saved with the last checkpoint, so that a run that crashes while it publishes still reports it.
    counters.budgetMessage = `${message}; what was paid for is published, the rest is left to the next run`
    return counters.budgetMessage
  })

const stoppedByCommand = (id: string) => new RunStopped({ message: `run ${id} was stopped from another process` })

/**
 * Starts the operators and waits until all rows have passed. Returns why the budget cut the run short, if it did. Fails with the first
 * failure of any operator; background work goes on until its scope is closed.
 */
const drive = (built: BuiltRun) => {
  const { checkpoint, failure, journal, options, run, topology } = built
  const { counters, lock, shutdown, tap } = run
  const commit = Effect.zipRight(
    checkpoint,
    Effect.suspend(() =>
      lock.isConsistent() && tap?.isHere() !== false
        ? Effect.void
        : new Stopped({ message: "a part of the run has failed, or nothing reads its rows" })
    )
  )
  return Effect.gen(function* () {
    yield* topology.checkRejectsAtStart
    if (options.replay !== undefined && isFresh(options)) {
      yield* lock.move(pushReplay(options.replay, built))
      yield* checkpoint
    }
    yield* Effect.forEach(topology.operators, ({ start }) => start, { discard: true })
    yield* run.fork("", Effect.mapError(journal.lockLost, ledgerFailed))
    yield* run.fork("", Effect.zipRight(journal.stopRequested, stoppedByCommand(run.id)))
    yield* run.fork("", Checkpoint.repeat(counters, checkpoint, topology.operators))
    const how = yield* awaitRows(built)
    const isCut = counters.isCut || (shutdown.reason() === "budget" && how === "drained")
    return isCut ? yield* cut(built) : undefined
  }).pipe(
    Effect.catchIf(
      (error) => isRefused(lock, error),
      () => Deferred.await(failure)
    ),
    Effect.provideService(Checkpoint.Commit, commit)
  )
}

// 4. Checkpoint

/**
 * Takes the last checkpoint, after all rows, and checks the number of rejects. After a crash, a resume continues from here without reading
 * any row again. Half-moved rows are never published, whatever ended first.
 */
const commitAll = ({ checked, checkpoint, failure, options, run, topology }: BuiltRun) =>
  Effect.gen(function* () {
    const { counters, lock, rejects } = run
    counters.over = true
    counters.spent = options.parentRun === undefined && Rejects.isEveryRowRejected(checked, counters)
    yield* checkpoint
    if (!lock.isConsistent()) return yield* Deferred.await(failure)
    yield* topology.checkRejectsAtEnd
    if (counters.spent) return yield* Rejects.allRejected(counters.rejects, rejects)
  })

// 5. Wind down

type EndStatus = "stopped" | "budget" | "failed"

/** True if a resume has something to continue from. */
const isWorthResuming = ({ options, run: { buffer, counters } }: OpenRun): boolean => {
  if (counters.spent) return false
  if (options.resume !== undefined) return true
  const claim = buffer.claimStatus()
  if (claim !== "none") return claim === "committed"
  const { answers, bytes, credits, pages, rejects, unpriced } = counters
  return answers + bytes + credits + unpriced + pages + rejects > 0
}

/** Records how the run ended. Files of a run that cannot be resumed are removed first. */
const conclude = (built: BuiltRun, status: EndStatus, why?: string) =>
  Effect.gen(function* () {
    const { handle, journal, topology } = built
    const resumable = isWorthResuming(built)
    yield* setResumable(handle, resumable)
    if (!resumable) {
      yield* Effect.forEach(topology.operators, ({ discard }) => discard ?? Effect.void, { discard: true })
    }
    yield* orWarn(journal.end(status, why))
  })

const setResumable = ({ phase }: RunHandle, resumable: boolean) =>
  Ref.update(phase, (now) => (now._tag === "Running" || now._tag === "Ended" ? { ...now, resumable } : now))

/**
 * Ends a run in order: waits for calls in flight, at most for the grace period, stops all background work, takes a last checkpoint, and
 * records the end. Uninterruptible, and runs only once: stopping a run that already fails does not change how it ended. Never fails; if
 * something cannot be recorded, that is logged, and the run then counts as crashed.
 */
const windDown = (built: BuiltRun, status: EndStatus, why?: string) =>
  Effect.gen(function* () {
    const { checkpoint, handle, run, workers } = built
    if ((yield* Ref.get(handle.phase))._tag === "Ended") return
    // After `budget` the run has drained already.
    if (status !== "budget") yield* run.shutdown.stopAndDrain
    yield* Scope.close(workers, Exit.void)
    yield* orWarn(run.lock.isConsistent() ? checkpoint : run.rejects.flush)
    yield* conclude(built, status, why)
    yield* Ref.update(handle.phase, (now) => (now._tag === "Running" ? { ...now, _tag: "Ended" as const } : now))
  }).pipe(Effect.uninterruptible)

// 6. Publish

/** Adds the manifests. Files of a shard are listed in the manifest of its run. */
const withManifests = (
  { checked, handle, options }: BuiltRun,
  sealed: ReadonlyArray<Sealed>,
  verdicts: ReadonlyArray<Verdict>
) =>
  options.parentRun !== undefined
    ? Effect.succeed(sealed)
    : Manifest.sealAll(sealed, {
        pipeline: checked.frame.name,
        runId: handle.id,
        startedAt: new Date(handle.startedAt).toISOString(),
        ...(handle.counters.changes.size === 0 ? {} : { changes: Object.fromEntries(handle.counters.changes) }),
        ...(verdicts.length === 0
          ? {}
          : { health: verdicts.map((each) => ({ level: each.level, message: describeVerdict(each) })) })
      }).pipe(Effect.mapBoth({ onFailure: StepError.of, onSuccess: (manifests) => [...sealed, ...manifests] }))

/**
 * Compares the run with earlier ones. If the comparison fails for any reason, the finished run survives: only its contracts can still hold
 * its outputs.
 */
const assess = (run: Parameters<typeof HealthCheck.assess>[0]) =>
  Effect.catchAllCause(HealthCheck.assess(run), (cause) => {
    if (Cause.isInterrupted(cause)) return Effect.failCause(cause)
    const reason = Cause.prettyErrors(cause)[0]?.message ?? "the reason is unknown"
    const warning = Effect.logWarning(`the run was not compared with earlier ones: ${reason}`)
    return Effect.as(warning, HealthCheck.onlyDrift(run))
  })

/**
 * Leaves older outputs in place if all sources were empty: an empty file, list or standard input is more often a failed export than news
 * that everything is gone.
 */
const withoutBlank = ({ checked, handle: { counters }, options }: BuiltRun, sealed: ReadonlyArray<Sealed>) => {
  const blank = (checked.all ?? checked.nodes).filter(({ id }) => counters.incomplete.get(id)?.has("blank") === true)
  const isBlank = blank.length > 0 && counters.rows + counters.rejects === 0 && options.replay === undefined
  return isBlank ? Publish.keepOlder(sealed, blank.map(({ id }) => id).join(", ")) : Effect.succeed(sealed)
}

/**
 * Seals all files, compares the run with the last good ones, seals the manifests that list the files, and records all of this in the
 * ledger. If it fails the run has failed: no sink can write after its seal. Returns why the outputs are held, if they are.
 */
const seal = (built: BuiltRun, isCut: boolean) =>
  Effect.gen(function* () {
    const { asWritten, journal, options, run, topology } = built
    const seals = topology.operators.toReversed().flatMap(({ seal }) => (seal === undefined ? [] : [seal]))
    const all = yield* Effect.forEach(seals, (seal) => seal)
    const files = options.parentRun === undefined ? yield* withoutBlank(built, all) : all.map(ofShard)
    const { rate } = yield* Tariff
    const own = { checked: asWritten, options, check: run.health, isCut, isOwnEngine: isOwnEngine(rate), sealed: files }
    const health = yield* assess({ ...run, ...own })
    const sealed = yield* withManifests(built, files, health?.verdicts ?? [])
    yield* Effect.mapError(journal.recordSealed(sealed, health), ledgerFailed)
    if (health !== undefined) yield* HealthCheck.warn(health, sealed)
    return { sealed, held: health?.held }
  }).pipe(Effect.tapError(({ message }) => conclude(built, "failed", message)))

/**
 * Gives the files their final names and completes the run in the ledger; state across runs takes effect in the same transaction. Can be
 * repeated after a crash or a failure: some files may then have their final names already, and a resume publishes the others.
 */
const publish = (
  { checked, handle, journal, options }: JournaledRun,
  sealed: ReadonlyArray<Sealed>,
  completeness: State.Completeness,
  budgetMessage: string | undefined
) =>
  Effect.gen(function* () {
    const { forgetAfter } = checked.frame.state ?? {}
    const written = yield* Effect.mapError(Publish.publish(sealed, yield* trialsOf(options)), StepError.of)
    const outputs = options.parentRun === undefined ? written.map(({ contract: _, ...output }) => output) : written
    yield* Effect.forEach(
      sealed.flatMap(({ warnings }) => warnings),
      (warning) => Effect.logWarning(warning),
      { discard: true }
    )
    const expiry = forgetAfter && {
      after: Duration.toMillis(forgetAfter),
      steps: checked.remembering.filter((step) => completeness.mayForget(step))
    }
    yield* Effect.mapError(journal.complete(outputs, expiry, budgetMessage), ledgerFailed)
    if (forgetAfter !== undefined && options.replay === undefined && !isStateless(options)) {
      for (const step of checked.remembering.filter((each) => !completeness.mayForget(each))) {
        const why = completeness.warningOnce(step)
        if (why !== undefined) yield* Effect.logWarning(incompleteWarning(step, why))
      }
    }
    const status = budgetMessage === undefined ? ("completed" as const) : ("budget" as const)
    yield* Ref.update(handle.phase, (now) =>
      now._tag === "Running" ? { _tag: "Published" as const, begun: now.begun, status, outputs } : now
    )
  }).pipe(
    Effect.tapError(({ message }) =>
      Effect.zipRight(setResumable(handle, true), orWarn(journal.end("failed", message)))
    )
  )

/** Publishes a run that was sealed before it crashed or failed. */
const publishAgain = (journaled: JournaledRun, sealed: ReadonlyArray<Sealed>) =>
  Effect.gen(function* () {
    const { checked, handle, journal, options } = journaled
    const { counters } = handle
    yield* restoreCounters(counters, options.resume, journal)
    const completeness = State.makeCompleteness(checked, counters, { isReplay: options.replay !== undefined })
    const budgetMessage = options.budgetMessage ?? counters.budgetMessage
    yield* publish(journaled, yield* fitted(journaled, sealed), completeness, budgetMessage)
    return budgetMessage
  })

/** Files of a held run, rebased onto what other runs have published since. */
const fitted = ({ handle: { id }, journal }: JournaledRun, sealed: ReadonlyArray<Sealed>) =>
  Effect.gen(function* () {
    const { held } = yield* Ledger
    if (!(yield* Effect.mapError(held.isReleased(id), ledgerFailed))) return sealed
    const written = yield* Effect.mapError(held.writtenSince(id), ledgerFailed)
    const fs = yield* FileSystem.FileSystem
    const rebased = yield* Effect.mapError(Rebase.rebase(fs, sealed, { runId: id, written }), StepError.of)
    yield* Effect.mapError(journal.recordSealed(rebased), ledgerFailed)
    return rebased
  })

// The whole run

/** Removes the files that steps used while they ran. A file that cannot be removed is deleted together with the run. */
const removeScratch = (run: Pick<RunContext, "dataDir" | "id">) =>
  Effect.flatMap(FileSystem.FileSystem, (files) =>
    Effect.ignore(files.remove(scratchOf(run), { recursive: true, force: true }))
  )

const isResumable = ({ phase }: RunHandle) =>
  Effect.map(Ref.get(phase), (now) => (now._tag === "Running" || now._tag === "Ended") && now.resumable)

/**
 * Removes the scratch files at the end of a run that cannot be resumed. Never after another process has taken the run over: the files then
 * belong to that process.
 */
const removeScratchAtEnd = ({ handle, journal, options }: JournaledRun) =>
  Effect.gen(function* () {
    if ((yield* isResumable(handle)) || Exit.isFailure(yield* Effect.exit(journal.verifyLocks))) return
    yield* removeScratch({ dataDir: options.dataDir, id: handle.id })
  })

/** Runs a run whose journal is open. Returns why the budget cut it short, if it did and the run has published. */
const carryOut = (journaled: JournaledRun) =>
  Effect.gen(function* () {
    const { checked, handle, journal, options } = journaled
    const { counters } = handle
    yield* setResumable(handle, options.resume !== undefined)
    const sealedBefore = yield* Effect.mapError(journal.sealed, ledgerFailed)
    if (sealedBefore !== undefined) return yield* publishAgain(journaled, sealedBefore)
    const built = yield* open(journaled).pipe(Effect.flatMap(build), recordEnd(journal))
    const cutBefore = options.budgetMessage ?? counters.budgetMessage
    const flow = drive(built).pipe(
      Effect.tap(() => commitAll(built)),
      Effect.tapError((reason) =>
        windDown(built, statusOf(reason), reason instanceof RunStopped ? undefined : reason.message)
      ),
      Effect.tapDefect((cause) =>
        windDown(built, "failed", `internal error of sluice: ${String(Cause.squash(cause))}`)
      ),
      Effect.onInterrupt(() => Effect.ignoreLogged(windDown(built, "stopped")))
    )
    return yield* Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const budgetMessage = (yield* restore(flow)) ?? cutBefore
        yield* Scope.close(built.workers, Exit.void)
        const { held, sealed } = yield* seal(built, budgetMessage !== undefined)
        if (held !== undefined) {
          yield* setResumable(handle, false)
          return yield* new OutputsHeld({ message: held })
        }
        yield* removeScratch(built.run)
        yield* publish(built, sealed, built.run.completeness, budgetMessage)
        const isReplay = options.replay !== undefined
        const warning = options.parentRun === undefined && Rejects.manyRejectedWarning(checked, counters, isReplay)
        if (warning) yield* Effect.logWarning(warning)
        return budgetMessage
      })
    )
  })

/** Permissions of the definition; the run's own data folder is added to the paths that are never read. */
const permissionsOf = ({ source }: Checked, { dataDir }: ResolvedOptions) =>
  Effect.map(definitionPermissions(source), (permissions) => ({
    ...permissions,
    dataFolders: [...permissions.dataFolders, ...protectedIn(dataDir, source.folder)]
  }))

/**
 * Runs to the end, or as far as possible. A failure carries the summary, which says whether the run can be resumed. With `onReached:
 * publish`, a run that the budget cut short publishes, and then fails with `BudgetReached`; a shard succeeds instead, and its parent run
 * reports it.
 */
export const execute = (
  checked: Checked,
  options: ResolvedOptions,
  handle: RunHandle
): Effect.Effect<Summary, RunFailed, Services | Ledger> =>
  Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    yield* Ref.set(handle.phase, { _tag: "Running", begun, resumable: false })
    const journaled = yield* openJournal(checked, options, handle)
    // Each run has its own retry budget and circuit breakers.
    const message = yield* carryOut(journaled).pipe(
      Effect.provideService(RetryScope, makeRetryState()),
      Effect.ensuring(removeScratchAtEnd(journaled))
    )
    if (message !== undefined && options.parentRun === undefined) return yield* new BudgetReached({ message })
  }).pipe(
    Effect.scoped,
    Effect.provideServiceEffect(Permissions, permissionsOf(checked, options)),
    Effect.zipRight(summarize(handle, "completed")),
    Effect.catchAll((reason) =>
      Effect.flatMap(
        summarize(handle, reason instanceof OutputsHeld ? "held" : statusOf(reason)),
        (summary) => new RunFailed({ summary, reason })
      )
    )
  )
