/** Executes a part of a run as a run of its own, which continues where another worker left it. */
import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Client } from "../Client.ts"
import { isSqlError } from "../Database/Failure.ts"
import * as Runs from "../Ledger/Runs.ts"
import { Ledger } from "../Ledger.ts"
import { Permissions } from "../Permissions.ts"
import type { Checked } from "../Pipeline/Check.ts"
import { before } from "../Pipeline/Graph.ts"
import type { Json } from "../Row.ts"
import * as Rejects from "../Run/Rejects.ts"
import { isReached } from "../Run/Rejects.ts"
import { optionsOf } from "../Run/RunSpec.ts"
import * as Run from "../Run.ts"
import type { Output } from "../Step/Output.ts"
import { StepError } from "../Step.ts"
import type { Part } from "./Board/Part.ts"
import { Board } from "./Board.ts"
import * as InputSplits from "./InputSplits.ts"
import * as Merge from "./Merge.ts"
import { cut, type Split, stopAfterOf } from "./Partition.ts"
import * as ShardPlan from "./ShardPlan.ts"
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

const shardFolder = (task: Task, part: number): string => NodePath.join(folderOf(task), "shards", Runs.padShard(part))

const announced = (error: { readonly message: string }) =>
  new StepError({ reason: "LedgerError", message: error.message, cause: error })

const split = (task: Task, checked: Checked, parts: Split, { hasWaited }: Part, place: Place) =>
  Effect.gen(function* () {
    const board = yield* Board
    const reading = ShardPlan.reading(checked, parts, {
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
    const rows = yield* Effect.mapError(InputSplits.read(source), failed("ShareUnusable"))
    return yield* carryOut(
      ShardPlan.sharing(checked, parts),
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
const judge = (parts: Split, { given, rejected }: Merge.Counted) => {
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
const passedOn = ({ kept }: Split, checked: Checked, { incomplete, ...counted }: Merge.Counted): Merge.Counted => ({
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
const countedOf = ({ counted, outputs }: ShardPlan.Left): Partial<Merge.Counted> => ({
  outputBytes: outputs.reduce((sum, output) => sum + (ShardPlan.isKept(output) ? 0 : output.bytes), 0),
  ...(counted as Partial<Merge.Counted>)
})

/** Rows that shards keep for the tail count when it reads them. */
const withoutKept = ({ kept }: Split, { given }: Merge.Counted): Merge.Counted["given"] =>
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
    const left = new Map(shards.map(({ part, result }) => [part, result as unknown as ShardPlan.Left]))
    const reading = (yield* patiently(Effect.mapError(board.reading(task.runId), failed("LedgerError")))).map(
      (result) => result as unknown as ShardPlan.Left
    )
    const budgetMessage = [...reading, ...left.values()].find((each) => each.budgetMessage !== undefined)?.budgetMessage
    const total = Merge.total([
      ...[...left.values()].map(countedOf),
      // What the source gave, the shards have given again.
      ...reading.map(({ counted }) => ({
        ...(counted as Partial<Merge.Counted>),
        rows: 0,
        given: {}
      }))
    ])
    const counted = passedOn(parts, checked, total)
    const splitId = Runs.splitOf(task.runId)
    yield* Merge.adopt(
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
    const published = yield* Merge.publishedBefore(task.pipeline, task.runId).pipe(
      Effect.mapError(failed("LedgerError")),
      patiently
    )
    const finished = yield* carryOut(
      ShardPlan.finishing(checked, parts, {
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

/** What a worker brings to every run: its environment, and who answers the calls of a pipeline. */
export interface Place {
  readonly env: Required<Pick<Run.RunOptions, "env" | "secrets">>
  readonly serve: (
    checked: Checked
  ) => Effect.Effect<
    { readonly client: Layer.Layer<Client, unknown>; readonly site?: string | undefined },
    { readonly message: string },
    Scope.Scope
  >
}

/** The run, or a part of it, ended before its end; whoever looks into it may go on. `waiting`: somebody has what it needs. */
export class PartFailed extends Data.TaggedError("PartFailed")<{
  readonly status: "failed" | "budget" | "waiting"
  readonly reason: string
  readonly message: string
}> {}

export const failed = (reason: string) => (error: { readonly message: string }) =>
  new PartFailed({ status: "failed", reason, message: error.message })

/**
 * Reasons that pass: the database was away, or somebody who was declared gone still holds the run, or its files in this
 * very process.
 */
const passing: ReadonlySet<string> = new Set(["LedgerError", "Locked", "PathTaken"])

const retryInterval = "500 millis"

/** Ten minutes. */
const maxAttempts = 1200

/**
 * Eight seconds: what a worker that is gone had locked is free by then, and who has it still is alive and may have it for
 * hours, as another run with the same state.
 */
const lockedAttempts = 16

/** Does it again while what it fails of passes. */
export const patiently = <A, R>(effect: Effect.Effect<A, PartFailed, R>): Effect.Effect<A, PartFailed, R> =>
  Effect.retry(effect, {
    while: ({ reason }) => passing.has(reason),
    schedule: Schedule.intersect(Schedule.spaced(retryInterval), Schedule.recurs(maxAttempts))
  })

const nobody = "the service of this worker"

/** Carries a run out to its end, or goes on with it; gives what it has left. */
export const carryOut = (
  checked: Checked,
  options: Run.RunOptions & { readonly id: string; readonly hasWaited?: boolean | undefined },
  place: Place
): Effect.Effect<ShardPlan.Left, PartFailed, Ledger | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const rejectFile = yield* Rejects.pathIn(`${options.dataDir}/runs/${options.id}`)
    const once = Effect.gen(function* () {
      const known = yield* Effect.mapError(ledger.find(options.id), failed("LedgerError"))
      if (known?.status === "completed") {
        const { error: budgetMessage, outputs, progress } = known
        // The run has published what was paid for, and ends like one that has reached its budget.
        if (budgetMessage !== undefined && options.parentRun === undefined) {
          return yield* new PartFailed({ status: "budget", reason: "BudgetReached", message: budgetMessage })
        }
        return {
          budgetMessage,
          outputs: (outputs ?? []) as unknown as ReadonlyArray<Output>,
          counted: progress,
          runId: known.id,
          rejectFile
        }
      }
      const resume =
        known === undefined
          ? undefined
          : { ...optionsOf(known), out: options.out, backfill: options.backfill, wanted: options.wanted }
      const { client, site } = yield* Effect.mapError(place.serve(checked), failed("ServiceUnusable"))
      const run = yield* Run.make(checked, { ...options, site, ...resume })
      yield* Effect.mapError(Effect.provide(run.execute, client), (error) =>
        error instanceof Run.RunFailed
          ? new PartFailed({
              status: error.summary.status === "budget" ? "budget" : "failed",
              reason: error.reason._tag === "StepError" ? error.reason.reason : error.reason._tag,
              message: error.message
            })
          : failed("ServiceUnusable")({
              message: `${nobody}: ${error instanceof Error ? error.message : String(error)}`
            })
      )
      return undefined
    }).pipe(Effect.scoped)
    for (let attempt = 0; ; attempt++) {
      const left = yield* once.pipe(
        Effect.catchIf(
          ({ reason }) =>
            passing.has(reason) &&
            attempt < (reason === "Locked" ? (options.hasWaited ? 0 : lockedAttempts) : maxAttempts),
          () => Effect.as(Effect.sleep(retryInterval), undefined)
        ),
        Effect.mapError((error) =>
          error.reason === "Locked" ? new PartFailed({ ...error, message: error.message, status: "waiting" }) : error
        )
      )
      if (left !== undefined) return left
    }
  })
