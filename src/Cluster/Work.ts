/** Carries out a part of a run, as a run of its own that goes on where another worker has left it. */
import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { isSqlError } from "../Database/Failure.ts"
import * as Runs from "../Ledger/Runs.ts"
import { Ledger } from "../Ledger.ts"
import { Permissions } from "../Permissions.ts"
import type { Checked } from "../Pipeline/Check.ts"
import { before } from "../Pipeline/Graph.ts"
import type { Json } from "../Row.ts"
import * as Rejects from "../Run/Rejects.ts"
import { isReached } from "../Run/Rejects.ts"
import { StepError } from "../Step.ts"
import * as Adopt from "./Adopt.ts"
import * as Before from "./Before.ts"
import type { Part } from "./Board/Part.ts"
import { Board } from "./Board.ts"
import { carryOut, failed, PartFailed, type Place, patiently } from "./CarryOut.ts"
import { cut, type Split, stopAfterOf } from "./Cut.ts"
import * as Portions from "./Portions.ts"
import * as Shares from "./Shares.ts"
import { checkedOf, dataDirOf, folderOf, type Task } from "./Task.ts"

const common = (task: Task, place: Place) => ({
  ...place.env,
  dataDir: dataDirOf(task),
  now: new Date(task.startedAt),
  scheduledFor: task.scheduledFor === undefined ? undefined : new Date(task.scheduledFor),
  allowCode: task.allowCode,
  // Rates and the budget are those of the run, whoever works on it.
  group: task.runId,
  budgetFrom: task.budgetFrom,
  stateKey: task.stateKey,
  // A run of only so many rows leaves no trace in what the pipeline remembers; its source alone counts them.
  backfill: task.backfill === true || task.limit !== undefined
})

const shardFolder = (task: Task, part: number): string => NodePath.join(folderOf(task), "shards", Runs.spell(part))

const announced = (error: { readonly message: string }) =>
  new StepError({ reason: "LedgerError", message: error.message, cause: error })

const split = (task: Task, checked: Checked, parts: Split, { hasWaited }: Part, place: Place) =>
  Effect.gen(function* () {
    const board = yield* Board
    const reading = Shares.reading(checked, parts, {
      folder: NodePath.join(folderOf(task), "portions"),
      shardRows: task.shardRows,
      announce: (portions) => Effect.mapError(Effect.asVoid(board.announce(task.runId, portions)), announced)
    })
    return yield* carryOut(
      reading,
      {
        ...common(task, place),
        id: Runs.splitOf(task.runId),
        parentRun: task.runId,
        out: NodePath.join(folderOf(task), "portions"),
        wanted: task.limit,
        // What it writes is the run's own.
        trial: false,
        hasWaited
      },
      place
    )
  })

const shard = (task: Task, checked: Checked, parts: Split, { hasWaited, part, source = "" }: Part, place: Place) =>
  Effect.gen(function* () {
    const rows = yield* Effect.mapError(Portions.read(source), failed("ShareUnusable"))
    return yield* carryOut(
      Shares.sharing(checked, parts),
      {
        ...common(task, place),
        id: Runs.shardOf(task.runId, part),
        parentRun: task.runId,
        out: shardFolder(task, part),
        instead: new Map([[parts.root.id, rows]]),
        hasWaited
      },
      place
    )
  })

/** Shares of rejects that steps allow, over all shards. */
const judge = (parts: Split, { given, rejected }: Adopt.Counted) => {
  for (const node of parts.shared) {
    const allowed = stopAfterOf(node)
    const count = rejected[node.id] ?? 0
    const seen = node.inputs.reduce((sum, id) => sum + (given[id] ?? 0), 0)
    if (allowed !== undefined && isReached(allowed, count, seen)) {
      const message = `${node.id}: rejected ${count} rows of all shards, and stopAfter: ${allowed} ends the run`
      return Effect.fail(new PartFailed({ status: "failed", reason: "TooManyRejects", message }))
    }
  }
  return Effect.void
}

/** A step whose rows the tail reads is as incomplete as the steps before it. */
const passedOn = ({ kept }: Split, checked: Checked, { incomplete, ...counted }: Adopt.Counted): Adopt.Counted => ({
  ...counted,
  incomplete: {
    ...incomplete,
    ...Object.fromEntries(
      kept.flatMap((step) => {
        const reasons = [...new Set([step, ...before(checked, step)].flatMap((each) => incomplete[each] ?? []))]
        return reasons.length === 0 ? [] : [[step, reasons]]
      })
    )
  }
})

/** What a shard has counted. Version 0.1 did not count bytes: they are those of its files. */
const countedOf = ({ counted, outputs }: Shares.Left): Partial<Adopt.Counted> => ({
  outputBytes: outputs.reduce((sum, output) => sum + (Shares.isKept(output) ? 0 : output.bytes), 0),
  ...(counted as Partial<Adopt.Counted>)
})

/** Rows that shards keep for the tail count when it reads them. */
const withoutKept = ({ kept }: Split, { given }: Adopt.Counted): Adopt.Counted["given"] =>
  Object.fromEntries(Object.entries(given).filter(([step]) => !kept.includes(step)))

/** Goes on as the run itself: with what its parts have left, if it was split. */
const finish = (task: Task, checked: Checked, { hasWaited }: Part, place: Place) =>
  Effect.gen(function* () {
    const board = yield* Board
    const files = yield* FileSystem.FileSystem
    const dataDir = dataDirOf(task)
    const options = {
      ...common(task, place),
      dataDir: NodePath.join(task.out, ".sluice"),
      id: task.runId,
      out: task.out,
      trial: task.limit !== undefined,
      hasWaited
    }
    const parts = cut(checked, { limited: task.limit !== undefined })
    const cleared = Effect.ignore(files.remove(folderOf(task), { recursive: true }))
    const ledger = yield* Ledger
    /** Of a run that has published what was paid for, although it ends with a failure, nothing is needed any more. */
    const clearedIfPublished = <A, R>(effect: Effect.Effect<A, PartFailed, R>) =>
      Effect.tapError(effect, ({ status }) =>
        status !== "budget"
          ? Effect.void
          : Effect.flatMap(
              Effect.orElseSucceed(ledger.find(task.runId), () => undefined),
              (known) => (known?.status === "completed" ? cleared : Effect.void)
            )
      )
    if (task.whole !== undefined || parts.kind === "whole") {
      const left = yield* carryOut(checked, { ...options, backfill: task.backfill, wanted: task.limit }, place).pipe(
        clearedIfPublished
      )
      yield* cleared
      return left
    }
    const shards = yield* patiently(Effect.mapError(board.shards(task.runId), failed("LedgerError")))
    const left = new Map(shards.map(({ part, result }) => [part, result as unknown as Shares.Left]))
    const reading = (yield* patiently(Effect.mapError(board.reading(task.runId), failed("LedgerError")))).map(
      (result) => result as unknown as Shares.Left
    )
    const budgetMessage = [...reading, ...left.values()].find((each) => each.budgetMessage !== undefined)?.budgetMessage
    const total = Adopt.total([
      ...[...left.values()].map(countedOf),
      // What the source gave, the shards have given again.
      ...reading.map(({ counted }) => ({
        ...(counted as Partial<Adopt.Counted>),
        rows: 0,
        given: {}
      }))
    ])
    const counted = passedOn(parts, checked, total)
    const splitId = Runs.splitOf(task.runId)
    yield* Adopt.adopt(
      task.runId,
      [
        { id: splitId, rejectFile: yield* Rejects.pathIn(`${dataDir}/runs/${splitId}`) },
        ...[...left.values()].map(({ rejectFile, runId }) => ({ id: runId, rejectFile }))
      ],
      { ...counted, given: withoutKept(parts, counted) },
      yield* Rejects.pathIn(`${options.dataDir}/runs/${task.runId}`)
    ).pipe(
      Effect.mapError((error) => failed(isSqlError(error) ? "LedgerError" : "ShareUnusable")(error)),
      patiently
    )
    // Whoever looks why so many were rejected finds them with the run.
    yield* judge(parts, counted)
    const published = yield* Before.outputsOf(task.pipeline, task.runId).pipe(
      Effect.mapError(failed("LedgerError")),
      patiently
    )
    const finished = yield* carryOut(
      Shares.finishing(checked, parts, {
        left,
        out: task.out,
        folderOf: (part) => shardFolder(task, part),
        before: published
      }),
      { ...options, budgetMessage },
      place
    ).pipe(clearedIfPublished)
    yield* cleared
    return finished
  })

/** Carries out a part; gives what the board keeps of it. */
export const carry = (part: Part, task: Task, place: Place) =>
  Effect.gen(function* () {
    const checked = yield* Effect.mapError(checkedOf(task, place.env), failed("DefinitionInvalid"))
    if (part.kind === "finish") return (yield* finish(task, checked, part, place)) as unknown as Json
    const parts = cut(checked, { limited: task.limit !== undefined })
    if (parts.kind === "whole") {
      const message = `this worker would not split the run: ${parts.why}. Give all workers the same version and environment.`
      return yield* new PartFailed({ status: "failed", reason: "DefinitionDiffers", message })
    }
    const left = yield* part.kind === "split"
      ? split(task, checked, parts, part, place)
      : shard(task, checked, parts, part, place)
    return left as unknown as Json
  }).pipe(
    Effect.provideServiceEffect(
      Permissions,
      Effect.map(Permissions, (permissions) => ({ ...permissions, isWorker: true }))
    )
  )
