/** The steps of a definition as stations: made in order, and wired from the ends to the sources. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Checked } from "../Pipeline/Check.ts"
import type { DecodedNode, Node } from "../Pipeline/Node.ts"
import type { Row } from "../Row.ts"
import { counted } from "../Step/Batch.ts"
import { type Saved, type Services, StepError, type Transform } from "../Step.ts"
import { ledgerFailed } from "./Answers.ts"
import { definedAt, type Execution, makeContext, type Own } from "./Execution.ts"
import * as Intake from "./Intake.ts"
import * as Machine from "./Machine.ts"
import type { Settle } from "./OnError.ts"
import * as Outlet from "./Outlet.ts"
import * as Pool from "./Pool.ts"
import type { Station } from "./Station.ts"
import { awaitsValue, makeDecode } from "./Values.ts"
import * as Work from "./Work.ts"

/** A step that has been decoded. */
interface Part extends DecodedNode, Own {
  readonly transform?: Transform | undefined
}

export interface Assembled {
  readonly stations: ReadonlyArray<Station>
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

/** Gives a failure the place of the step that it happened in. */
export const inStep = ({ cause, message, reason, ...error }: StepError, checked: Checked, node: Node): StepError =>
  new StepError({
    reason,
    message,
    cause,
    status: error.status,
    attempts: error.attempts,
    step: error.step ?? node.id,
    definedAt: error.definedAt ?? definedAt(checked.source, node)
  })

/** Gives the failures of an operator its own place: it works while others push rows into it. */
const inPlace = (transform: Transform, checked: Checked, node: Node): Transform => {
  const place = (error: StepError) => inStep(error, checked, node)
  const { push, save, seal } = transform
  return {
    ...transform,
    push: (rows) => Effect.mapError(push(rows), place),
    save: save && Effect.mapError(save, place),
    seal: seal && Effect.mapError(seal, place)
  }
}

/** Makes every step: what cannot be made ends the run before its first request. */
export const assemble = (checked: Checked, execution: Execution) =>
  Effect.gen(function* () {
    const { nodes } = checked
    const { instead, journal } = execution
    const decode = yield* makeDecode(checked, execution)
    const flowing = nodes.filter((node) => node.step.behaviour.kind !== "value")
    const rules: Array<Settle> = []
    const savedOf = (node: Node): Effect.Effect<Saved, StepError> =>
      Effect.mapError(journal.saved(node.id), ledgerFailed)

    const prepare = (node: Node) =>
      Effect.gen(function* () {
        const { common, config, steps } = yield* decode(node)
        const own = makeContext(checked, execution, node, common, steps)
        rules.push(own.settle)
        const { behaviour } = node.step
        if (behaviour.kind !== "transform") return { common, config, ...own } satisfies Part
        const transform =
          common.when === false || instead?.has(node.id) === true
            ? passing
            : inPlace(yield* behaviour.make(config, own.context, Machine.ownSaved(yield* savedOf(node))), checked, node)
        return { common, config, transform, ...own } satisfies Part
      }).pipe(Effect.mapError((error) => (error._tag === "StepError" ? inStep(error, checked, node) : error)))

    const parts = new Map<string, Part>()
    const early = flowing.filter((node) => !awaitsValue(checked, node, instead))
    // What computes must be there when its first row comes: it asks for its value now, and what waits may ask later.
    const late = flowing.filter(
      (node) => awaitsValue(checked, node, instead) && node.step.behaviour.kind === "transform"
    )
    yield* Effect.forEach([...early, ...late], (node) =>
      Effect.map(prepare(node), (part) => parts.set(node.id, part))
    ).pipe(
      // What a fresh run has opened so far is empty.
      Effect.onError(() =>
        Effect.forEach(
          execution.resume === undefined ? parts.values() : [],
          ({ transform }) => transform?.discard ?? Effect.void
        )
      )
    )

    const ended = new Map<string, Deferred.Deferred<void>>()
    for (const node of nodes) ended.set(node.id, yield* Deferred.make<void>())
    const nowhere = yield* Deferred.make<void>()
    const signalOf = (id: string) => ended.get(id) ?? nowhere

    const stations = new Map<string, Station>()
    const merges = new Map<string, ReturnType<typeof Outlet.merge>>()
    const wantsOrder = (node: Node): boolean =>
      flowing.some(
        (reader) =>
          reader.inputs.includes(node.id) &&
          ((parts.get(reader.id)?.config as { readonly order?: unknown } | undefined)?.order === "input" ||
            wantsOrder(reader))
      )

    const { bytes, rows: mostRows } = checked.frame.budget ?? {}
    const isSink = ({ id, step }: Node) => step.key === "write" && !id.startsWith("~")
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
      inner: Parameters<typeof Intake.make>[0]["inner"],
      sizeOf?: Parameters<typeof Intake.make>[0]["sizeOf"]
    ) =>
      Effect.map(Effect.mapError(journal.saved(Intake.idOf(node.id)), ledgerFailed), (saved) => {
        const station = Intake.make({
          id: Intake.idOf(node.id),
          inner,
          saved,
          sizeOf,
          countsRows: isFirst(node),
          execution
        })
        stations.set(station.id, station)
        return station
      })

    for (const node of flowing.toReversed()) {
      const behind = flowing.flatMap(({ id, inputs }) => {
        const station = inputs.includes(node.id) ? (stations.get(Intake.idOf(id)) ?? stations.get(id)) : undefined
        if (station === undefined) return []
        if (inputs.length === 1) return [station]
        const merge = merges.get(id) ?? Outlet.merge(station, inputs)
        merges.set(id, merge)
        return [merge(node.id)]
      })
      const isEnd = behind.length === 0 && node.step.key !== "write"
      const readers = isEnd && isCapped(node) ? [yield* intake(node, Outlet.exit(execution))] : behind
      const outlet = Outlet.make(node.id, readers, signalOf(node.id), execution)
      const part = parts.get(node.id)
      const saved = yield* savedOf(node)
      const isSource = node.step.behaviour.kind === "source"
      const machine = (transform: Transform, { common, context, settle }: Part) =>
        Machine.make({ context, common, settle, transform, saved, outlet, execution })
      const skipped = part?.common.when === false
      if (skipped && isSource) execution.counters.leaveOut(node.id, "skipped")
      const isRoot = isSource && node.inputs.length === 0
      const rows = isRoot && execution.replay !== undefined ? [] : instead?.get(node.id)
      if (part !== undefined && rows !== undefined && !isRoot && !skipped) {
        stations.set(node.id, machine(giving(rows), part))
      } else if (part?.transform !== undefined) {
        const station = machine(part.transform, part)
        stations.set(node.id, station)
        if (isSink(node) && isCapped(node)) yield* intake(node, station, part.transform.sizeOf)
      } else if (part !== undefined && skipped && !isRoot) {
        stations.set(node.id, machine(isSource ? swallowing : passing, part))
      } else {
        const waits = node.after.map((id) => Deferred.await(signalOf(id)))
        const ready = part === undefined ? prepare(node) : Effect.succeed(part)
        const work = Effect.zipRight(
          Effect.forEach(waits, (wait) => wait, { discard: true }),
          Effect.flatMap(ready, (known: Part) => {
            // A source that waits for a value knows only now whether it is switched off.
            if (isSource && known.common.when === false) execution.counters.leaveOut(node.id, "skipped")
            return Work.make(
              known.common.when === false ? "nothing" : (rows ?? node.step.behaviour),
              known,
              outlet,
              execution
            )
          })
        )
        stations.set(
          node.id,
          yield* Pool.make({
            id: node.id,
            isRoot,
            ordered: wantsOrder(node),
            saved,
            work: Effect.mapError(work, (error) =>
              error._tag === "StepError"
                ? error
                : new StepError({ reason: error._tag, message: error.message, cause: error })
            ),
            outlet,
            execution
          })
        )
      }
    }
    const assembled: Assembled = {
      // Those who read first: nothing is pushed into a station that has not begun.
      stations: [...stations.values()],
      ended: Effect.forEach(
        flowing.map(({ id }) => Deferred.await(signalOf(id))),
        (end) => end,
        { discard: true }
      ),
      cutShort: Effect.gen(function* () {
        execution.publishing.isOn = true
        const left: Array<string> = []
        // A definition names the steps above a step before it.
        for (const node of flowing) {
          const own = [stations.get(Intake.idOf(node.id)), stations.get(node.id)]
          for (const station of [...own, own[0]]) {
            if (station?.abandon !== undefined) yield* execution.gate.move(station.abandon)
          }
          yield* Deferred.await(signalOf(node.id))
          if (own[0]?.abandon !== undefined) yield* execution.gate.move(own[0].abandon)
          for (const station of own) left.push(...(station?.left?.() ?? []))
        }
        return left
      }),
      judgeStart: Effect.suspend(() => Effect.forEach(rules, ({ started }) => started, { discard: true })),
      judge: Effect.suspend(() => Effect.forEach(rules, ({ ended }) => ended, { discard: true }))
    }
    return assembled
  })
