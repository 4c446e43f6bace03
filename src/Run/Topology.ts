/**
 * Topology of a run: an operator for each step, connected from the ends of the pipeline up to its sources.
 *
 * - All steps are decoded and opened before the first request, in the order of the definition. A source that names the output of another
 *   step is opened when that step has run.
 * - If a step cannot be opened, or the run is interrupted meanwhile, the sinks of a fresh run discard their files, which are still empty.
 *   Sinks of a resumed run keep theirs.
 * - The topology itself is not saved: a resume builds it again from the definition and gives each operator its saved state.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { mapError } from "../Callback/Lean.ts"
import type { DeferredRows } from "../Ledger/Model.ts"
import type { Checked } from "../Pipeline/Check.ts"
import { before } from "../Pipeline/Graph.ts"
import type { DefinitionInvalid } from "../Pipeline/Issue.ts"
import { type DecodedNode, isRoot, type Node } from "../Pipeline/Node.ts"
import type { Row } from "../Row.ts"
import { countedBatches } from "../Step/SavedState.ts"
import { type OpenSink, type Saved, type Services, StepError, type Transform } from "../Step.ts"
import {
  type Downstream,
  decodeOperator,
  makeDownstream,
  makeExit,
  makeTransformOperator,
  mergeInputs,
  type Operator,
  type Receiver,
  type RunServices
} from "./Operator.ts"
import * as OutputLimit from "./OutputLimit.ts"
import type { ErrorPolicy } from "./Rejects.ts"
import { isCompared, makeStepContext, type RunContext, type StepContext } from "./RunContext.ts"
import { inStep, ledgerFailed } from "./RunErrors.ts"
import { makeWork } from "./TaskWork.ts"
import { awaitsValue, makeDecode } from "./Values.ts"
import * as WorkerPool from "./WorkerPool.ts"

export interface Topology {
  /** In start order: an operator starts before the operators that push rows into it. */
  readonly operators: ReadonlyArray<Operator>
  /** Completes when all rows have passed all operators. */
  readonly ended: Effect.Effect<void>
  /** Lets paid work finish, ends every operator without its remaining work, and returns the rows that are left out. */
  readonly abandonRest: Effect.Effect<ReadonlyArray<DeferredRows>, StepError, RunServices>
  /** Fails if the rejects of a resumed run have already reached a `stopAfter`. */
  readonly checkRejectsAtStart: Effect.Effect<void, StepError>
  /** Called after the last row: fails if a step has reached its `stopAfter`, which may be a percentage of all rows. */
  readonly checkRejectsAtEnd: Effect.Effect<void, StepError>
}

/** A step that has been decoded, and opened if it is a transform or a sink. */
interface PreparedStep extends DecodedNode, StepContext {
  readonly transform?: Transform | undefined
  /** Set for a sink that is not switched off; then it is the same object as `transform`. */
  readonly sink?: OpenSink | undefined
}

type Prepare = (node: Node) => Effect.Effect<PreparedStep, StepError | DefinitionInvalid, Services | Scope.Scope>

const passRows: Transform = { push: Effect.succeed }
const dropRows: Transform = { push: () => Effect.succeed([]) }

/** Drops its input, and emits these rows at the end in place of the step's output. */
const emitInstead = (rows: ReadonlyArray<Row>): Transform => ({
  push: () => Effect.succeed([]),
  end: (from) => countedBatches({ from }, rows)
})

/** Makes failures of a transform name its own step: other steps run it when they push rows. */
const locateTransform = (transform: Transform, checked: Checked, node: Node): Transform => {
  const locate = (error: StepError) => inStep(error, checked, node)
  const { push, save } = transform
  return {
    ...transform,
    push: (rows) => mapError(push(rows), locate),
    save: save && Effect.mapError(save, locate)
  }
}

const locateSink = (sink: OpenSink, checked: Checked, node: Node): OpenSink => {
  const locate = (error: StepError) => inStep(error, checked, node)
  return {
    ...sink,
    push: (rows) => mapError(sink.push(rows), locate),
    save: Effect.mapError(sink.save, locate),
    seal: Effect.mapError(sink.seal, locate)
  }
}

/** State of an operator in the last checkpoint. */
const savedState = ({ journal }: Pick<RunContext, "journal">, id: string): Effect.Effect<Saved, StepError> =>
  Effect.mapError(journal.savedState(id), ledgerFailed)

/** Makes the function that decodes and opens a step. Calls `opened` with the error policy of each step. */
const makePrepare = (checked: Checked, run: RunContext, opened: (policy: ErrorPolicy) => void) =>
  Effect.map(
    makeDecode(checked, run),
    (decode): Prepare =>
      (node) =>
        Effect.gen(function* () {
          const { common, config, steps } = yield* decode(node)
          const own = makeStepContext(checked, run, node, common, steps)
          opened(own.errorPolicy)
          const prepared: PreparedStep = { common, config, ...own }
          const { behaviour } = node.step
          if (behaviour.kind !== "transform" && behaviour.kind !== "sink") return prepared
          if (common.when === false || run.instead?.has(node.id) === true) return { ...prepared, transform: passRows }
          const { entries, value } = yield* savedState(run, node.id)
          const saved: Saved = { entries, value: (yield* decodeOperator(node, value))?.own }
          if (behaviour.kind === "sink") {
            const opened = yield* behaviour.open(config, own.context, saved)
            const measured = run.health === undefined ? opened : run.health.measure(node.id, opened, saved)
            const sink = locateSink(measured, checked, node)
            return { ...prepared, transform: sink, sink }
          }
          const transform = yield* behaviour.make(config, own.context, saved)
          if (transform.matches !== undefined) run.health?.watch(node.id, transform.matches)
          return { ...prepared, transform: locateTransform(transform, checked, node) }
        }).pipe(Effect.mapError((error) => (error._tag === "StepError" ? inStep(error, checked, node) : error)))
  )

const isOpenedEarly = ({ step: { behaviour } }: Node) => behaviour.kind === "transform" || behaviour.kind === "sink"

/** Prepares every step that can be prepared before the run starts. */
const prepareAll = (checked: Checked, run: RunContext, steps: ReadonlyArray<Node>, prepare: Prepare) =>
  Effect.gen(function* () {
    const prepared = new Map<string, PreparedStep>()
    const waits = (node: Node) => awaitsValue(checked, node, run.instead)
    const early = steps.filter((node) => !waits(node))
    // Steps that are opened early must exist before their first row arrives, so they request the values that they wait for now; other steps
    // request them when they start.
    const late = steps.filter((node) => waits(node) && isOpenedEarly(node))
    yield* Effect.forEach([...early, ...late], (node) =>
      Effect.map(prepare(node), (step) => prepared.set(node.id, step))
    ).pipe(
      Effect.onError(() =>
        Effect.forEach(run.resume === undefined ? prepared.values() : [], ({ sink }) => sink?.discard ?? Effect.void)
      )
    )
    return prepared
  })

/** True when a sink downstream writes rows in the order in which they were read. */
const isOrdered = (node: Node, steps: ReadonlyArray<Node>, prepared: ReadonlyMap<string, PreparedStep>): boolean =>
  steps.some((reader) => {
    if (!reader.inputs.includes(node.id)) return false
    const { behaviour } = reader.step
    const isOrderedSink =
      behaviour.kind === "sink" && behaviour.destination(prepared.get(reader.id)?.config)?.isOrdered === true
    return isOrderedSink || isOrdered(reader, steps, prepared)
  })

const isSink = ({ id, step }: Node) => step.behaviour.kind === "sink" && !id.startsWith("~")

/** Decides which steps have an output limit in front of them, and which of those count rows. */
const outputLimitsOf = ({ all = [], frame, nodes }: Checked) => {
  const { bytes, rows } = frame.budget ?? {}
  // Looks at the whole definition: other shards of the run may write files upstream of this part.
  const byId = new Map([...nodes, ...all].map((node) => [node.id, node]))
  const above = ({ id }: Node): ReadonlyArray<Node> =>
    (byId.get(id)?.inputs ?? []).flatMap((input) => {
      const node = byId.get(input)
      return node === undefined ? [] : [node, ...above(node)]
    })
  /** True where rows count: where they first reach a file, and at the end of branches that write no file. */
  const countsRows = (node: Node): boolean => !above(node).some(isSink)
  return {
    countsRows,
    /** True where the budget applies. Bytes count in every file. */
    isLimited: (node: Node): boolean =>
      !node.id.startsWith("~") && (bytes !== undefined || (rows !== undefined && countsRows(node)))
  }
}

/** Inputs of the functions that build operators. */
interface Parts {
  readonly checked: Checked
  readonly run: RunContext
  /** All steps except value steps. */
  readonly steps: ReadonlyArray<Node>
  readonly prepare: Prepare
  readonly prepared: ReadonlyMap<string, PreparedStep>
  /** Completed when the last row of the step has passed. */
  readonly endOf: (step: string) => Deferred.Deferred<void>
}

/** Makes the operator of a source or a per-row step. A step that waits for a value is prepared when its pool starts. */
const makePool = (
  { endOf, prepare, prepared, run, steps }: Parts,
  node: Node,
  downstream: Downstream,
  rows: ReadonlyArray<Row> | undefined
) =>
  Effect.gen(function* () {
    const step = prepared.get(node.id)
    const { behaviour } = node.step
    const work = Effect.forEach(node.after, (id) => Deferred.await(endOf(id)), { discard: true }).pipe(
      Effect.zipRight(step === undefined ? prepare(node) : Effect.succeed(step)),
      Effect.flatMap((step) => {
        const isOff = step.common.when === false
        // Only now is it known whether a source that waited for a value is switched off.
        if (isOff && behaviour.kind === "source") run.counters.markIncomplete(node.id, "skipped")
        return makeWork(isOff ? "nothing" : (rows ?? behaviour), step, downstream, run)
      }),
      Effect.mapError((error) => (error._tag === "StepError" ? error : StepError.of(error)))
    )
    return yield* WorkerPool.makePool({
      id: node.id,
      isRoot: isRoot(node),
      ordered: isOrdered(node, steps, prepared),
      saved: yield* savedState(run, node.id),
      work,
      downstream,
      run
    })
  })

const makeOperator = (parts: Parts, node: Node, downstream: Downstream) =>
  Effect.gen(function* () {
    const { prepared, run } = parts
    const step = prepared.get(node.id)
    const isSource = node.step.behaviour.kind === "source"
    const isOff = step?.common.when === false
    if (isOff && isSource) run.counters.markIncomplete(node.id, "skipped")
    const rows = isRoot(node) && run.replay !== undefined ? [] : run.instead?.get(node.id)
    const replaced = rows === undefined || isRoot(node) || isOff ? undefined : emitInstead(rows)
    // Rows that reach a switched-off source end there; other readers of its input still get them.
    const whenOff = isOff && !isRoot(node) ? (isSource ? dropRows : passRows) : undefined
    const transform = replaced ?? step?.transform ?? whenOff
    if (step === undefined || transform === undefined) return yield* makePool(parts, node, downstream, rows)
    const { common, context, errorPolicy, sink } = step
    const saved = yield* decodeOperator(node, (yield* savedState(run, node.id)).value)
    return makeTransformOperator({ context, common, errorPolicy, transform, sink, saved, downstream, run })
  })

/** Connects the operators, starting at the ends of the pipeline: operators downstream of a step exist before it. */
const connect = (parts: Parts) =>
  Effect.gen(function* () {
    const { checked, endOf, prepared, run, steps } = parts
    const limits = outputLimitsOf(checked)
    const exit = makeExit(run.counters, run.tap)
    const operators = new Map<string, Operator>()
    const merges = new Map<string, ReturnType<typeof mergeInputs>>()
    const readersOf = (node: Node): ReadonlyArray<Receiver> =>
      steps.flatMap(({ id, inputs }) => {
        const reader = inputs.includes(node.id) ? (operators.get(OutputLimit.idOf(id)) ?? operators.get(id)) : undefined
        if (reader === undefined) return []
        if (inputs.length === 1) return [reader]
        const merge = merges.get(id) ?? mergeInputs(reader, inputs)
        merges.set(id, merge)
        return [merge(node.id)]
      })
    /** Puts an output limit in front of a receiver. A run that is resumed without the limit still has the rows that it buffered. */
    const limit = (node: Node, inner: Receiver, sizeOf?: OpenSink["sizeOf"]) =>
      Effect.gen(function* () {
        const id = OutputLimit.idOf(node.id)
        const saved = yield* OutputLimit.decodeBuffered({ id }, yield* savedState(run, id))
        if (saved.length === 0 && !limits.isLimited(node)) return inner
        const operator = OutputLimit.make({ id, inner, saved, sizeOf, countsRows: limits.countsRows(node), run })
        operators.set(id, operator)
        return operator
      })
    for (const node of steps.toReversed()) {
      const readers = readersOf(node)
      const receivers = readers.length > 0 ? readers : [isSink(node) ? exit : yield* limit(node, exit)]
      // Of several steps in a row that compare, the last one counts the rows.
      const changeField = isCompared(checked, node, true)
        ? undefined
        : node.step.state?.(prepared.get(node.id)?.config)?.changeField
      const downstream = makeDownstream(node.id, receivers, endOf(node.id), run, changeField)
      const operator = yield* makeOperator(parts, node, downstream)
      operators.set(node.id, operator)
      if (isSink(node) && run.instead?.has(node.id) !== true) {
        yield* limit(node, operator, prepared.get(node.id)?.sink?.sizeOf)
      }
    }
    return operators
  })

/** Ends the operators, sources first: a definition names a step before the steps that read it. */
const abandonRest = ({ checked, endOf, run, steps }: Parts, operators: ReadonlyMap<string, Operator>) =>
  Effect.gen(function* () {
    yield* run.shutdown.publishPaid
    const leftOut: Array<DeferredRows> = []
    const abandon = (operator: Operator | undefined) =>
      operator?.abandon === undefined ? Effect.void : run.lock.move(operator.abandon)
    for (const node of steps) {
      const limit = operators.get(OutputLimit.idOf(node.id))
      const operator = operators.get(node.id)
      // Calls the limit again after the operator, which may push rows into it, and once more when the operator has ended.
      yield* Effect.forEach([limit, operator, limit], abandon, { discard: true })
      yield* Deferred.await(endOf(node.id))
      yield* abandon(limit)
      const rows = [...(limit?.leftOut?.() ?? []), ...(operator?.leftOut?.() ?? [])]
      if (rows.length > 0) leftOut.push({ rows, steps: [...before(checked, node.id), node.id] })
    }
    return leftOut
  })

/** Builds the operators of a run. Fails before the first request when a step cannot be opened. */
export const build = (checked: Checked, run: RunContext) =>
  Effect.gen(function* () {
    const steps = checked.nodes.filter((node) => node.step.behaviour.kind !== "value")
    // Steps that wait for a value add their policies later, during the run.
    const policies: Array<ErrorPolicy> = []
    const prepare = yield* makePrepare(checked, run, (policy) => policies.push(policy))
    const prepared = yield* prepareAll(checked, run, steps, prepare)
    const ends = new Map<string, Deferred.Deferred<void>>()
    for (const node of checked.nodes) ends.set(node.id, yield* Deferred.make<void>())
    const never = yield* Deferred.make<void>()
    const endOf = (step: string) => ends.get(step) ?? never
    const parts: Parts = { checked, run, steps, prepare, prepared, endOf }
    const operators = yield* connect(parts)
    const topology: Topology = {
      operators: [...operators.values()],
      ended: Effect.forEach(steps, ({ id }) => Deferred.await(endOf(id)), { discard: true }),
      abandonRest: abandonRest(parts, operators),
      checkRejectsAtStart: Effect.suspend(() =>
        Effect.forEach(policies, ({ checkAtStart }) => checkAtStart, { discard: true })
      ),
      checkRejectsAtEnd: Effect.suspend(() =>
        Effect.forEach(policies, ({ checkAtEnd }) => checkAtEnd, { discard: true })
      )
    }
    return topology
  })
