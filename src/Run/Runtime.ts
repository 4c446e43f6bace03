/** One run from its opening to its end: completed, with its files under their final names, or stopped in order and resumable. */

import * as NodePath from "node:path"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { makeState, RetryScope } from "../Client/Retry.ts"
import type { Journal } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import { forDefinition, Permissions, protectedIn } from "../Permissions.ts"
import type { Checked } from "../Pipeline/Check.ts"
import type { DefinitionInvalid } from "../Pipeline/Mistake.ts"
import type { DecodedNode, Node } from "../Pipeline/Node.ts"
import * as Pin from "../Pipeline/Pin.ts"
import { stateKey } from "../Pipeline/StateKey.ts"
import { growthOf, type Touches, touchesOf } from "../Pipeline/Touches.ts"
import type { Json, Row } from "../Row.ts"
import { publish } from "../Sink/Publish.ts"
import { counted } from "../Step/Batch.ts"
import { Tariff } from "../Step/Cost.ts"
import { incompleteWarning } from "../Step/Incomplete.ts"
import { mapping } from "../Step/Need.ts"
import type { Output, Sealed, Trials } from "../Step/Output.ts"
import { BudgetReached, Stopped } from "../Step/StepError.ts"
import { type OpenSink, type Saved, type Services, StepError, type Transform } from "../Step.ts"
import * as Budget from "./Budget.ts"
import * as CallCache from "./CallCache.ts"
import * as Checkpoint from "./Checkpoint.ts"
import * as CommitLock from "./CommitLock.ts"
import { isRefused } from "./CommitLock.ts"
import * as Metrics from "./Metrics.ts"
import { makeDownstream, makeExit, makeTransformOperator, mergeInputs, type Operator, stateOfStep } from "./Operator.ts"
import * as OutputLimit from "./OutputLimit.ts"
import type { Counters } from "./Progress.ts"
import * as Rejects from "./Rejects.ts"
import { type ErrorPolicy, isEveryRowRejected, manyRejectedWarning } from "./Rejects.ts"
import { describeRun, makeStepContext, type RunContext, type StepContext } from "./RunContext.ts"
import { inStep, ledgerFailed } from "./RunErrors.ts"
import { RunFailed, type Summary } from "./RunResult.ts"
import { isStateless, isTrial, makeRunSpec, type Replay, type ResolvedOptions, type RunOptions } from "./RunSpec.ts"
import * as SharedLimits from "./SharedLimits.ts"
import * as Shutdown from "./Shutdown.ts"
import * as State from "./State.ts"
import { awaitsValue, makeDecode } from "./Values.ts"
import * as WorkerPool from "./WorkerPool.ts"

/** Under the commit lock, before the sources begin, which give nothing in such a run. */
export const give = (
  { numbers, of, rows }: Replay,
  { nodes }: Checked,
  operators: ReadonlyArray<Operator>,
  { counters, pending }: RunContext
) =>
  Effect.gen(function* () {
    for (const operator of operators) {
      const again = rows.get(operator.id) ?? []
      const [input] = nodes.find(({ id }) => id === operator.id)?.inputs ?? []
      // Rows that a step was given are what its rejects are a share of.
      if (input !== undefined) counters.give(input, again.length)
      if (again.length > 0) yield* operator.push(again)
    }
    pending.takenUp = { of, numbers }
  })

/** A run that has been made, and what it may say of itself when it is over. */
export interface Made {
  readonly id: string
  readonly startedAt: number
  readonly counters: Counters
  begun: number
  outputs: ReadonlyArray<Output>
  rejectFile: string | undefined
  resumable: boolean
  /** True once its files have their names and the ledger knows. */
  isCompleted: boolean
  /** Why the budget ended the run, where it publishes what was paid for. */
  budgetMessage: string | undefined
}

/** What a resumed run has come to so far: as the last checkpoint has it, and what was paid for since. */
export const recount = (counters: Counters, resume: RunOptions["resume"], journal: Journal) =>
  Effect.gen(function* () {
    if (resume !== undefined) counters.restore(resume.progress, resume.bytes)
    const booked = yield* Effect.mapError(journal.booked, ledgerFailed)
    counters.callCredits = booked.credits
    counters.callUnpriced = booked.unpriced
    counters.callPages = booked.pages
  })

/** Facts about trials that sinks need; read from the ledger each time. */
export const trialsOf = (options: RunOptions) =>
  Effect.map(Ledger, ({ history }): Trials => ({ isTrial: isTrial(options), written: history.trialOutputs }))

/** Everything that the operators share. */
export const open = (
  checked: Checked,
  options: ResolvedOptions,
  { counters, id, startedAt }: Made,
  journal: Journal,
  stateKey: string | undefined
) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const { resume } = options
    yield* recount(counters, resume, journal)
    const lock = yield* CommitLock.makeCommitLock(Effect.mapError(journal.verifyLocks, ledgerFailed))
    const shutdown = yield* Shutdown.make
    const pending = Checkpoint.makeBuffer(counters)
    const budget = yield* Budget.make({
      limits: checked.frame.budget,
      counters,
      shutdown,
      rate: (yield* Tariff).rate,
      account: SharedLimits.sharedAccount(ledger, checked, options, id, journal),
      since: options.budgetFrom?.since
    })
    const answers = yield* CallCache.make(journal, counters, budget, shutdown)
    const rejects = yield* Rejects.make(`${options.dataDir}/runs/${id}`, counters.rejectBytes, {
      mayBeHeld: options.group !== undefined
    })
    const completeness = State.makeCompleteness(checked, counters, {
      shutdown,
      isReplay: options.replay !== undefined
    })
    const states = State.make({
      active: !isStateless(options),
      completeness,
      journal,
      historyKey: options.parentRun === undefined ? stateKey : options.stateKey,
      rejects,
      stage: pending.stage,
      recentPages: pending.metLately
    })
    const workers = yield* Effect.acquireRelease(Scope.make(), (scope, exit) => Scope.close(scope, exit))
    const outcome = yield* Deferred.make<void, StepError | DefinitionInvalid>()
    const run: RunContext = {
      ...options,
      id,
      startedAt: new Date(startedAt),
      counters,
      lock,
      shutdown,
      budget,
      publishing: { isOn: false },
      journal,
      callCache: answers,
      rejects,
      states,
      completeness,
      pending: pending.lists,
      commit: { now: Effect.void },
      trials: yield* trialsOf(options),
      awaitTurn: SharedLimits.makeAwaitTurn(ledger, options),
      book: pending.book,
      settle: (step, marks) => {
        pending.settle(step, marks)
        answers.release(step, marks)
      },
      fork: (step, work) =>
        work.pipe(
          Effect.catchIf(
            (error) => CommitLock.isRefused(lock, error),
            () => Effect.void
          ),
          Effect.mapError((error) => Checkpoint.placed(error, checked, step)),
          Effect.catchAllCause((cause) =>
            Cause.isInterruptedOnly(cause) ? Effect.void : Deferred.failCause(outcome, cause)
          ),
          Scope.extend(workers),
          // It may be begun under the commit lock, where nothing is interrupted.
          Effect.interruptible,
          Effect.forkIn(workers),
          Effect.asVoid
        )
    }
    return { run, outcome, workers }
  })

/** A step that has been decoded. */
interface Part extends DecodedNode, StepContext {
  readonly transform?: Transform | undefined
  /** Set for a sink that is not switched off; `transform` is the same object then. */
  readonly sink?: OpenSink | undefined
}

export interface Assembled {
  readonly operators: ReadonlyArray<Operator>
  /** Completes when every row has passed everything. */
  readonly ended: Effect.Effect<void>
  /** Lets paid work finish, and returns the keys of the rows that are left out. */
  readonly cutShort: Effect.Effect<ReadonlyArray<string>, StepError, Services>
  /** Fails when the rejects of a resumed run have reached a `stopAfter` already. */
  readonly judgeStart: Effect.Effect<void, StepError>
  /** Fails when the rejects reach a `stopAfter`, now that all rows have passed everything. */
  readonly judge: Effect.Effect<void, StepError>
}

const passing: Transform = { push: Effect.succeed }
/** What a source would have read is still read, for those who read beside it. */
const swallowing: Transform = { push: () => Effect.succeed([]) }

/** Rows that stand in for what a step would have made. */
const giving = (rows: ReadonlyArray<Row>): Transform => ({
  push: () => Effect.succeed([]),
  end: (from) => counted({ from })(Stream.fromIterable(rows))
})

/** Gives the failures of an operator its own place: it works while others push rows into it. */
const inPlace = (transform: Transform, checked: Checked, node: Node): Transform => {
  const place = (error: StepError) => inStep(error, checked, node)
  const { push, save } = transform
  return {
    ...transform,
    push: (rows) => Effect.mapError(push(rows), place),
    save: save && Effect.mapError(save, place)
  }
}

const sinkInPlace = (sink: OpenSink, checked: Checked, node: Node): OpenSink => {
  const place = (error: StepError) => inStep(error, checked, node)
  return {
    ...sink,
    push: (rows) => Effect.mapError(sink.push(rows), place),
    save: Effect.mapError(sink.save, place),
    seal: Effect.mapError(sink.seal, place)
  }
}

/** Makes every step: what cannot be made ends the run before its first request. */
export const assemble = (checked: Checked, run: RunContext) =>
  Effect.gen(function* () {
    const { nodes } = checked
    const { instead, journal } = run
    const decode = yield* makeDecode(checked, run)
    const flowing = nodes.filter((node) => node.step.behaviour.kind !== "value")
    const rules: Array<ErrorPolicy> = []
    const savedOf = (node: Node): Effect.Effect<Saved, StepError> =>
      Effect.mapError(journal.savedState(node.id), ledgerFailed)

    const prepare = (node: Node) =>
      Effect.gen(function* () {
        const { common, config, steps } = yield* decode(node)
        const own = makeStepContext(checked, run, node, common, steps)
        rules.push(own.errorPolicy)
        const { behaviour } = node.step
        if (behaviour.kind !== "transform" && behaviour.kind !== "sink") {
          return { common, config, ...own } satisfies Part
        }
        if (common.when === false || instead?.has(node.id) === true) {
          return { common, config, transform: passing, ...own } satisfies Part
        }
        const before = stateOfStep(yield* savedOf(node))
        if (behaviour.kind === "sink") {
          const sink = sinkInPlace(yield* behaviour.open(config, own.context, before), checked, node)
          return { common, config, transform: sink, sink, ...own } satisfies Part
        }
        const transform = inPlace(yield* behaviour.make(config, own.context, before), checked, node)
        return { common, config, transform, ...own } satisfies Part
      }).pipe(Effect.mapError((error) => (error._tag === "StepError" ? inStep(error, checked, node) : error)))

    const parts = new Map<string, Part>()
    const early = flowing.filter((node) => !awaitsValue(checked, node, instead))
    // What computes must be there when its first row comes: it asks for its value now, and what waits may ask later.
    const late = flowing.filter(
      (node) => awaitsValue(checked, node, instead) && ["transform", "sink"].includes(node.step.behaviour.kind)
    )
    yield* Effect.forEach([...early, ...late], (node) =>
      Effect.map(prepare(node), (part) => parts.set(node.id, part))
    ).pipe(
      // What a fresh run has opened so far is empty.
      Effect.onError(() =>
        Effect.forEach(run.resume === undefined ? parts.values() : [], ({ sink }) => sink?.discard ?? Effect.void)
      )
    )

    const ended = new Map<string, Deferred.Deferred<void>>()
    for (const node of nodes) ended.set(node.id, yield* Deferred.make<void>())
    const nowhere = yield* Deferred.make<void>()
    const signalOf = (id: string) => ended.get(id) ?? nowhere

    const operators = new Map<string, Operator>()
    const merges = new Map<string, ReturnType<typeof mergeInputs>>()
    const wantsOrder = (node: Node): boolean =>
      flowing.some(
        (reader) =>
          reader.inputs.includes(node.id) &&
          ((parts.get(reader.id)?.config as { readonly order?: unknown } | undefined)?.order === "input" ||
            wantsOrder(reader))
      )

    const { bytes, rows: mostRows } = checked.frame.budget ?? {}
    const isSink = ({ id, step }: Node) => step.behaviour.kind === "sink" && !id.startsWith("~")
    /** By the whole definition: shards of the run may have written what a part of it goes on with. */
    const everything = new Map([...nodes, ...(checked.all ?? [])].map((node) => [node.id, node]))
    const above = ({ id }: Node): ReadonlyArray<Node> =>
      (everything.get(id)?.inputs ?? []).flatMap((input) => {
        const node = everything.get(input)
        return node === undefined ? [] : [node, ...above(node)]
      })
    /** Rows are counted where they first reach a file, and at the end of branches that write none. */
    const isFirst = (node: Node): boolean => !above(node).some(isSink)
    /** Bytes are counted in every file. */
    const isCapped = (node: Node): boolean =>
      !node.id.startsWith("~") && (bytes !== undefined || (mostRows !== undefined && isFirst(node)))
    const intake = (
      node: Node,
      inner: Parameters<typeof OutputLimit.make>[0]["inner"],
      sizeOf?: Parameters<typeof OutputLimit.make>[0]["sizeOf"]
    ) =>
      Effect.map(Effect.mapError(journal.savedState(OutputLimit.idOf(node.id)), ledgerFailed), (saved) => {
        const operator = OutputLimit.make({
          id: OutputLimit.idOf(node.id),
          inner,
          saved,
          sizeOf,
          countsRows: isFirst(node),
          run
        })
        operators.set(operator.id, operator)
        return operator
      })

    for (const node of flowing.toReversed()) {
      const behind = flowing.flatMap(({ id, inputs }) => {
        const operator = inputs.includes(node.id)
          ? (operators.get(OutputLimit.idOf(id)) ?? operators.get(id))
          : undefined
        if (operator === undefined) return []
        if (inputs.length === 1) return [operator]
        const merge = merges.get(id) ?? mergeInputs(operator, inputs)
        merges.set(id, merge)
        return [merge(node.id)]
      })
      const isEnd = behind.length === 0 && node.step.behaviour.kind !== "sink"
      const readers = isEnd && isCapped(node) ? [yield* intake(node, makeExit(run))] : behind
      const downstream = makeDownstream(node.id, readers, signalOf(node.id), run)
      const part = parts.get(node.id)
      const saved = yield* savedOf(node)
      const isSource = node.step.behaviour.kind === "source"
      const machine = (transform: Transform, { common, context, errorPolicy, sink }: Part) =>
        makeTransformOperator({ context, common, errorPolicy, transform, sink, saved, downstream, run })
      const skipped = part?.common.when === false
      if (skipped && isSource) run.counters.markIncomplete(node.id, "skipped")
      const isRoot = isSource && node.inputs.length === 0
      const rows = isRoot && run.replay !== undefined ? [] : instead?.get(node.id)
      if (part !== undefined && rows !== undefined && !isRoot && !skipped) {
        operators.set(node.id, machine(giving(rows), part))
      } else if (part?.transform !== undefined) {
        const operator = machine(part.transform, part)
        operators.set(node.id, operator)
        if (isSink(node) && isCapped(node)) yield* intake(node, operator, part.sink?.sizeOf)
      } else if (part !== undefined && skipped && !isRoot) {
        operators.set(node.id, machine(isSource ? swallowing : passing, part))
      } else {
        const waits = node.after.map((id) => Deferred.await(signalOf(id)))
        const ready = part === undefined ? prepare(node) : Effect.succeed(part)
        const work = Effect.zipRight(
          Effect.forEach(waits, (wait) => wait, { discard: true }),
          Effect.flatMap(ready, (known: Part) => {
            // A source that waits for a value knows only now whether it is switched off.
            if (isSource && known.common.when === false) run.counters.markIncomplete(node.id, "skipped")
            return WorkerPool.makeWork(
              known.common.when === false ? "nothing" : (rows ?? node.step.behaviour),
              known,
              downstream,
              run
            )
          })
        )
        operators.set(
          node.id,
          yield* WorkerPool.makePool({
            id: node.id,
            isRoot,
            ordered: wantsOrder(node),
            saved,
            work: Effect.mapError(work, (error) => (error._tag === "StepError" ? error : StepError.of(error))),
            downstream,
            run
          })
        )
      }
    }
    const assembled: Assembled = {
      // Those who read first: nothing is pushed into a operator that has not begun.
      operators: [...operators.values()],
      ended: Effect.forEach(
        flowing.map(({ id }) => Deferred.await(signalOf(id))),
        (end) => end,
        { discard: true }
      ),
      cutShort: Effect.gen(function* () {
        run.publishing.isOn = true
        const left: Array<string> = []
        // A definition names the steps above a step before it.
        for (const node of flowing) {
          const own = [operators.get(OutputLimit.idOf(node.id)), operators.get(node.id)]
          for (const operator of [...own, own[0]]) {
            if (operator?.abandon !== undefined) yield* run.lock.move(operator.abandon)
          }
          yield* Deferred.await(signalOf(node.id))
          if (own[0]?.abandon !== undefined) yield* run.lock.move(own[0].abandon)
          for (const operator of own) left.push(...(operator?.leftOut?.() ?? []))
        }
        return left
      }),
      judgeStart: Effect.suspend(() => Effect.forEach(rules, ({ checkAtStart }) => checkAtStart, { discard: true })),
      judge: Effect.suspend(() => Effect.forEach(rules, ({ checkAtEnd }) => checkAtEnd, { discard: true }))
    }
    return assembled
  })

/** How long a stopped run waits for its calls in flight: their answers are paid for. */
const grace = "5 seconds"

/** What became of it, or what has become of it so far. */
export const summarise = (made: Made, status: Summary["status"]): Effect.Effect<Summary> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const { counters } = made
    return {
      runId: made.id,
      // Who interrupts it behind its end has a run that is completed.
      status: made.budgetMessage !== undefined && made.isCompleted ? "budget" : made.isCompleted ? "completed" : status,
      rows: counters.rows,
      rejects: counters.rejects,
      credits: counters.credits,
      unpricedCalls: counters.unpriced,
      durationMs: made.begun === 0 ? 0 : now - made.begun,
      outputs: made.outputs,
      rejectFile: counters.rejects > 0 ? made.rejectFile : undefined,
      resumable: made.resumable,
      ...(counters.runningJobs.size === 0 ? {} : { runningJobs: [...counters.runningJobs] })
    }
  })

/** Why it ended counts more than that it could not be written down. */
const warned = <R>(effect: Effect.Effect<unknown, { readonly message: string }, R>): Effect.Effect<void, never, R> =>
  Effect.catchAll(Effect.asVoid(effect), ({ message }) => Effect.logWarning(message))

/** Gives the files their names, and tells the ledger that the run is done; may be done again after a crash or a failure. */
const finish = (
  sealed: ReadonlyArray<Sealed>,
  checked: Checked,
  options: ResolvedOptions,
  made: Made,
  journal: Journal,
  completeness: State.Completeness
) =>
  Effect.gen(function* () {
    const { forgetAfter } = checked.frame.state ?? {}
    const outputs = yield* Effect.mapError(publish(sealed, yield* trialsOf(options)), StepError.of)
    yield* Effect.forEach(
      sealed.flatMap(({ warnings }) => warnings),
      (warning) => Effect.logWarning(warning),
      { discard: true }
    )
    yield* Effect.mapError(
      journal.complete(
        outputs as unknown as Json,
        forgetAfter && {
          after: Duration.toMillis(forgetAfter),
          steps: checked.remembering.filter((step) => completeness.mayForget(step))
        },
        made.budgetMessage
      ),
      ledgerFailed
    )
    if (forgetAfter !== undefined && options.replay === undefined && !isStateless(options)) {
      for (const step of checked.remembering.filter((each) => !completeness.mayForget(each))) {
        const why = completeness.warningOnce(step)
        if (why !== undefined) yield* Effect.logWarning(incompleteWarning(step, why))
      }
    }
    made.outputs = outputs
    made.isCompleted = true
    made.resumable = false
  }).pipe(
    Effect.tapError(({ message }) => {
      // Some files may have their names already, so that no step can go on: a resumed run gives the others theirs.
      made.resumable = true
      return warned(journal.end("failed", message))
    })
  )

/** How a run stands that ended for this reason. */
const statusOf = (reason: StepError | DefinitionInvalid) => (reason instanceof BudgetReached ? "budget" : "failed")

/** Said of a run that has published what was paid for. */
const publishedMore = "; what was paid for is published, the rest is left to the next run"

/** True when no checkpoint has anything of the run yet. */
const isFresh = ({ resume }: RunOptions): boolean => resume === undefined || resume.progress === null

/** All of it, once the journal is open. */
const carryOut = (
  checked: Checked,
  options: ResolvedOptions,
  made: Made,
  journal: Journal,
  stateKey: string | undefined
) =>
  Effect.gen(function* () {
    const { counters } = made
    made.resumable = options.resume !== undefined
    made.budgetMessage = options.budgetMessage
    const unfinished = yield* Effect.mapError(journal.sealed, ledgerFailed)
    if (unfinished !== undefined) {
      yield* recount(counters, options.resume, journal)
      made.budgetMessage ??= counters.budgetMessage
      made.rejectFile = yield* Rejects.pathIn(`${options.dataDir}/runs/${made.id}`)
      const isReplay = options.replay !== undefined
      return yield* finish(
        unfinished,
        checked,
        options,
        made,
        journal,
        State.makeCompleteness(checked, counters, { isReplay })
      )
    }
    const prepare = Effect.gen(function* () {
      const opened = yield* open(checked, options, made, journal, stateKey)
      made.budgetMessage ??= counters.budgetMessage
      made.rejectFile = opened.run.rejects.path
      return { ...opened, ...(yield* assemble(checked, opened.run)) }
    })
    const { cutShort, ended, run, judge, judgeStart, outcome, operators, workers } = yield* prepare.pipe(
      Effect.tapError((reason) => warned(journal.end(statusOf(reason), reason.message))),
      Effect.onInterrupt(() => warned(journal.end("stopped")))
    )
    const { budget, completeness, lock, shutdown, rejects } = run
    const checkpoint = Metrics.measureCommit(Checkpoint.make(run, operators), checked.frame.name, counters)
    run.commit.now = Effect.zipRight(
      checkpoint,
      Effect.suspend(() =>
        lock.isConsistent() && run.tap?.isHere() !== false
          ? Effect.void
          : new Stopped({ message: "a part of the run has failed, or nobody reads its rows" })
      )
    )

    /** Rejects of another run were given to the operators: with the next checkpoint they are this run's. */
    let tookUp = false
    /** Tells the ledger how it ended; what is worth nothing goes. */
    const conclude = (status: "stopped" | "budget" | "failed", why?: string) =>
      Effect.gen(function* () {
        const isDone = tookUp
          ? run.pending.takenUp === undefined
          : counters.answers +
              counters.bytes +
              counters.credits +
              counters.unpriced +
              counters.pages +
              counters.rejects >
            0
        made.resumable = !counters.spent && (options.resume !== undefined || isDone)
        if (!made.resumable) {
          yield* Effect.forEach(operators, ({ discard }) => discard ?? Effect.void, { discard: true })
        }
        yield* warned(journal.end(status, why))
      })

    /** True once the end of the run is recorded: stopping a run that is already failing does not change it. */
    let isTold = false
    /** Waits for calls in flight, and makes a last checkpoint. */
    const windDown = (status: "stopped" | "budget" | "failed", why?: string) =>
      Effect.gen(function* () {
        if (isTold) return
        if (status !== "budget") {
          yield* shutdown.request("stop")
          // On a fiber of its own: who interrupts now does not end the wait, and is not waited for a second time.
          yield* Effect.flatMap(Effect.fork(Effect.interruptible(Effect.timeout(shutdown.drained, grace))), Fiber.await)
        }
        yield* Scope.close(workers, Exit.void)
        yield* warned(lock.isConsistent() ? checkpoint : rejects.flush)
        yield* conclude(status, why)
        isTold = true
      }).pipe(Effect.uninterruptible)

    const flow = Effect.gen(function* () {
      yield* judgeStart
      if (options.replay !== undefined && isFresh(options)) {
        yield* lock.move(give(options.replay, checked, operators, run))
        tookUp = true
        yield* checkpoint
      }
      yield* Effect.forEach(operators, ({ start }) => start, { discard: true })
      yield* run.fork("", Effect.mapError(journal.lockLost, ledgerFailed))
      yield* run.fork("", Checkpoint.repeatCheckpoint(run, checkpoint))
      const done = Effect.as(ended, "ended" as const)
      const halted = Effect.as(shutdown.drained, "halted" as const)
      // Calls that have no answer a little after the time is over are left for a resume.
      const late = Effect.zipRight(budget.timeOver, Effect.delay(Effect.succeed("halted" as const), grace))
      const how = yield* Effect.raceFirst(
        Deferred.await(outcome),
        Effect.raceFirst(done, Effect.raceFirst(halted, late))
      )
      const isCut = counters.isCut || (shutdown.reason() === "budget" && how === "halted")
      if (isCut) {
        const limit = (yield* budget.reached) ?? "it was reached"
        const message = `the budget is used up: ${limit}`
        if (checked.frame.budget?.onReached !== "publish") return yield* new BudgetReached({ message })
        yield* shutdown.request("budget")
        run.pending.leftOut = yield* Effect.raceFirst(cutShort, Effect.zipRight(Deferred.await(outcome), Effect.never))
        made.budgetMessage = `${message}${publishedMore}`
        counters.budgetMessage = made.budgetMessage
      }
    }).pipe(
      Effect.catchIf(
        (error) => isRefused(lock, error),
        () => Deferred.await(outcome)
      )
    )

    const whole = flow.pipe(
      Effect.tap(() => {
        counters.over = true
        counters.spent = options.parentRun === undefined && isEveryRowRejected(checked, counters)
      }),
      Effect.zipRight(checkpoint),
      // Rows that were moved only half are never published, whatever ended first.
      Effect.zipRight(Effect.suspend(() => (lock.isConsistent() ? Effect.void : Deferred.await(outcome)))),
      Effect.zipRight(judge),
      Effect.zipRight(
        Effect.suspend(() => (counters.spent ? Rejects.allRejected(counters.rejects, rejects) : Effect.void))
      ),
      Effect.tapError((reason) => windDown(statusOf(reason), reason.message)),
      Effect.tapDefect((cause) => windDown("failed", `a fault of sluice: ${String(Cause.squash(cause))}`)),
      Effect.onInterrupt(() => Effect.ignoreLogged(windDown("stopped")))
    )
    const seal = Effect.forEach(
      operators.toReversed().flatMap(({ seal }) => (seal === undefined ? [] : [seal])),
      (seal) => seal
    ).pipe(
      Effect.tap((sealed) => Effect.mapError(journal.recordSealed(sealed), ledgerFailed)),
      // The last checkpoint has everything, and no sink goes on behind its seal.
      Effect.tapError(({ message }) => conclude("failed", message))
    )
    yield* Effect.uninterruptibleMask((restore) =>
      restore(whole).pipe(
        Effect.zipRight(Scope.close(workers, Exit.void)),
        Effect.zipRight(seal),
        Effect.flatMap((sealed) => finish(sealed, checked, options, made, journal, completeness)),
        Effect.zipRight(
          Effect.suspend(() => {
            const warning =
              options.parentRun === undefined && manyRejectedWarning(checked, counters, options.replay !== undefined)
            return warning ? Effect.logWarning(warning) : Effect.void
          })
        )
      )
    )
  })

/** Warns when the definition names more than in the pipeline's last run; values of inputs do not count. */
const tellGrowth = (pipeline: string, touches: Touches) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const [last] = yield* Effect.mapError(history.runs({ pipeline, limit: 1 }), ledgerFailed)
    const grown = last === undefined ? undefined : growthOf(touches, mapping(last.options).named)
    if (grown !== undefined)
      yield* Effect.logWarning(
        `${pipeline} names hosts, files or variables that its last run (${last?.id}) did not: ${grown}`
      )
  })

/** The permissions as they are for the definition, and with the run's own data folder among those that are never read. */
const permissionsOf = ({ source }: Checked, { dataDir }: ResolvedOptions) =>
  Effect.map(Permissions, (permissions) => ({
    ...forDefinition(permissions, NodePath.resolve(source.folder, NodePath.basename(source.file))),
    dataFolders: [...permissions.dataFolders, ...protectedIn(dataDir, source.folder)]
  }))

/** Runs to the end, or as far as it goes. */
export const execute = (
  checked: Checked,
  options: ResolvedOptions,
  made: Made
): Effect.Effect<Summary, RunFailed, Services | Ledger> =>
  Effect.gen(function* () {
    made.begun = yield* Clock.currentTimeMillis
    const ledger = yield* Ledger
    const scope = { env: options.env ?? {}, secrets: options.secrets ?? (() => undefined) }
    yield* Pin.require(checked, scope)
    const run = describeRun(checked, { ...options, id: made.id, startedAt: new Date(made.startedAt) })
    const settled = yield* stateKey(checked, { ...scope, run })
    const key = typeof settled === "string" ? settled : undefined
    const touches = yield* touchesOf(checked, undefined)
    // Parts of a run touch what the whole of it does.
    if (options.resume === undefined && options.group === undefined) yield* tellGrowth(checked.frame.name, touches)
    const beginning = makeRunSpec(checked, options, made, { key, touches })
    const journal = yield* Effect.mapError(ledger.open(beginning), ledgerFailed)
    yield* options.opened?.(made.id) ?? Effect.void
    // The retry budget and the circuit breakers are the run's: another run starts with its own.
    yield* Effect.provideService(carryOut(checked, options, made, journal, key), RetryScope, makeState())
    // Its files have their names, and they are a part. Where it is itself a part of a run, that run says so at its end.
    if (made.budgetMessage !== undefined && options.parentRun === undefined) {
      return yield* new BudgetReached({ message: made.budgetMessage })
    }
  }).pipe(
    Effect.scoped,
    Effect.provideServiceEffect(Permissions, permissionsOf(checked, options)),
    Effect.zipRight(Effect.suspend(() => summarise(made, "completed"))),
    Effect.catchAll((reason) =>
      Effect.flatMap(summarise(made, statusOf(reason)), (summary) => new RunFailed({ summary, reason }))
    )
  )
