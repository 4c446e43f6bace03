/**
 * Executes a part as a separate run: the split, a shard, or the finish, which is the run itself.
 *
 * - A part continues from its run in the ledger, whichever worker had it before. A completed run is not repeated.
 * - Transient failures are retried: the database was unreachable, or a lost worker still holds the run's lock.
 * - An interrupt stops the run at its next commit, as on a single machine.
 */
import { hostname } from "node:os"
import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Client } from "../Client.ts"
import { LedgerError, Locked } from "../Ledger/LedgerErrors.ts"
import * as Runs from "../Ledger/Runs.ts"
import { Ledger } from "../Ledger.ts"
import { Permissions } from "../Permissions.ts"
import type { Checked } from "../Pipeline/Check.ts"
import { SavedValueInvalid } from "../Row/SavedValue.ts"
import * as Rejects from "../Run/Rejects.ts"
import { optionsOf } from "../Run/RunSpec.ts"
import * as Run from "../Run.ts"
import { PathTaken } from "../Sink/SinkErrors.ts"
import { decodeOutputs } from "../Step/Output.ts"
import { BudgetReached, OutputsHeld, TooManyRejects } from "../Step/StepError.ts"
import { StepError } from "../Step.ts"
import * as InputSplits from "./InputSplits.ts"
import * as Merge from "./Merge.ts"
import { partition, type Split } from "./Partition.ts"
import * as PartResult from "./PartResult.ts"
import type { Part } from "./Parts.ts"
import * as ShardPlan from "./ShardPlan.ts"
import { Submissions } from "./Submissions.ts"
import { checkedOf, dataDirOf, folderOf, type Task } from "./Task.ts"

/** Environment that a worker gives to every run, and the service that answers a pipeline's calls. */
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

/**
 * A part ended early. `failed` and `budget` end the run, which can be resumed; `waiting` means that another run holds what the part needs.
 */
export class PartFailed extends Data.TaggedError("PartFailed")<{
  readonly status: "failed" | "budget" | "waiting"
  readonly reason: string
  readonly message: string
  readonly cause: unknown
}> {}

const failed = (reason: string) => (cause: { readonly message: string }) =>
  new PartFailed({ status: "failed", reason, message: cause.message, cause })

/** Failure of a query: the database was unreachable, or contains a value that this version cannot read. */
const queryFailed = (error: LedgerError | SavedValueInvalid) => failed(error._tag)(error)

const retryInterval = "500 millis"

/** Retries for 10 minutes: the database was unreachable, or an earlier attempt in this process is still writing the files. */
const maxRetries = 1200

/**
 * Retries for 8 seconds. By then the locks of a lost worker have expired. If the lock is still held, its owner is alive and may hold it for
 * hours, for example another run with the same state.
 */
const maxLockedRetries = 16

/** Maximum retries after a failure; 0 if it is permanent, for example a saved value that this version cannot read. */
export const retriesAfter = ({ cause }: PartFailed): number =>
  cause instanceof Locked
    ? maxLockedRetries
    : cause instanceof LedgerError
      ? cause.cause instanceof SavedValueInvalid
        ? 0
        : maxRetries
      : cause instanceof PathTaken
        ? maxRetries
        : 0

/** Retries while the failure is transient. */
const retryTransient = <A, R>(effect: Effect.Effect<A, PartFailed, R>): Effect.Effect<A, PartFailed, R> =>
  Effect.retry(effect, {
    while: (error) => retriesAfter(error) > 0,
    schedule: Schedule.intersect(Schedule.spaced(retryInterval), Schedule.recurs(maxRetries))
  })

/** Converts a failed run into the failure of its part. */
export const runFailed = ({ message, reason, summary: { status } }: Run.RunFailed) =>
  new PartFailed({
    status: status === "budget" ? "budget" : "failed",
    ...(reason instanceof StepError
      ? { reason: reason.reason, cause: reason.cause }
      : { reason: reason._tag, cause: reason }),
    message
  })

/** Executes a run to its end, or resumes it; returns its result. */
const executeRun = (
  checked: Checked,
  options: Run.RunOptions & { readonly id: string; readonly hasWaited?: boolean | undefined },
  place: Place
): Effect.Effect<PartResult.PartResult, PartFailed, Ledger | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const rejectFile = yield* Rejects.pathIn(`${options.dataDir}/runs/${options.id}`)
    const once = Effect.gen(function* () {
      const known = yield* Effect.mapError(ledger.find(options.id), queryFailed)
      if (known?.status === "completed") {
        const { error: budgetMessage, outputs, progress } = known
        // With `onReached: publish` the run is completed, but ends like a run that reached its budget.
        if (budgetMessage !== undefined && options.parentRun === undefined) {
          return yield* new PartFailed({
            status: "budget",
            reason: BudgetReached.reason,
            message: budgetMessage,
            cause: undefined
          })
        }
        return {
          budgetMessage,
          outputs: yield* Effect.mapError(decodeOutputs(`The outputs of run ${known.id}`, outputs ?? []), queryFailed),
          counted: progress,
          runId: known.id,
          rejectFile
        }
      }
      // An earlier attempt held the outputs, and was lost before it could report that.
      if (known?.status === "held") {
        const message = known.error ?? "the outputs are held"
        return yield* new PartFailed({ status: "failed", reason: OutputsHeld.reason, message, cause: undefined })
      }
      const resume =
        known === undefined
          ? undefined
          : { ...optionsOf(known), out: options.out, backfill: options.backfill, wanted: options.wanted }
      const { client, site } = yield* Effect.mapError(place.serve(checked), failed("ServiceUnusable"))
      const run = yield* Run.make(checked, { ...options, site, ...resume })
      yield* Effect.mapError(Effect.provide(run.execute, client), (error) =>
        error instanceof Run.RunFailed
          ? runFailed(error)
          : failed("ServiceUnusable")({
              message: `the service of this worker: ${error instanceof Error ? error.message : String(error)}`
            })
      )
      return undefined
    }).pipe(Effect.scoped)
    for (let attempt = 0; ; attempt++) {
      const left = yield* once.pipe(
        Effect.catchIf(
          (error) => attempt < (options.hasWaited && error.cause instanceof Locked ? 0 : retriesAfter(error)),
          () => Effect.as(Effect.sleep(retryInterval), undefined)
        ),
        Effect.mapError((error) =>
          error.cause instanceof Locked
            ? new PartFailed({ ...error, message: error.message, status: "waiting" })
            : error
        )
      )
      if (left !== undefined) return left
    }
  })

const common = (task: Task, place: Place) => ({
  ...place.env,
  dataDir: dataDirOf(task),
  now: new Date(task.startedAt),
  scheduledFor: task.scheduledFor === undefined ? undefined : new Date(task.scheduledFor),
  allowCode: task.allowCode,
  // All parts of the run share its rate limits and its budget.
  group: task.runId,
  budgetFrom: task.budgetFrom,
  stateKey: task.stateKey,
  // A run with a row limit does not change the state across runs. Only its source applies the limit.
  backfill: task.backfill === true || task.limit !== undefined
})

const shardFolder = (task: Task, part: number): string => NodePath.join(folderOf(task), "shards", Runs.padShard(part))

const split = (task: Task, checked: Checked, parts: Split, { hasWaited }: Part, place: Place) =>
  Effect.gen(function* () {
    const submissions = yield* Submissions
    const reading = ShardPlan.splitPlan(checked, parts, {
      folder: NodePath.join(folderOf(task), "portions"),
      shardRows: task.shardRows,
      announce: (splits) => Effect.mapError(submissions.addShards(task.runId, splits), StepError.of)
    })
    return yield* executeRun(
      reading,
      {
        ...common(task, place),
        id: Runs.splitOf(task.runId),
        parentRun: task.runId,
        out: NodePath.join(folderOf(task), "portions"),
        wanted: task.limit,
        // Not a trial, because this part writes only to the folder of the run; the row limit still applies.
        trial: false,
        hasWaited
      },
      place
    )
  })

const shard = (task: Task, checked: Checked, parts: Split, { hasWaited, part, source = "" }: Part, place: Place) =>
  Effect.gen(function* () {
    const rows = yield* Effect.mapError(InputSplits.read(source), failed("ShareUnusable"))
    return yield* executeRun(
      ShardPlan.shardPlan(checked, parts),
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

/** Executes the finish as the run itself. If the run was split, first merges its parts into it. */
const finish = (task: Task, checked: Checked, { hasWaited }: Part, place: Place) =>
  Effect.gen(function* () {
    const submissions = yield* Submissions
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
    const parts = partition(checked, { limited: task.limit !== undefined })
    const cleared = Effect.ignore(files.remove(folderOf(task), { recursive: true }))
    const ledger = yield* Ledger
    /**
     * With `onReached: publish`, a run that its budget ends fails although its outputs are published. The files of its parts are then
     * removed.
     */
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
      const left = yield* executeRun(checked, { ...options, backfill: task.backfill, wanted: task.limit }, place).pipe(
        clearedIfPublished
      )
      yield* cleared
      return left
    }
    const left = yield* retryTransient(Effect.mapError(submissions.shardResults(task.runId), queryFailed))
    const reading = yield* retryTransient(Effect.mapError(submissions.splitResult(task.runId), queryFailed))
    const budgetMessage =
      reading?.budgetMessage ?? [...left.values()].find((each) => each.budgetMessage !== undefined)?.budgetMessage
    const counted = PartResult.merged(parts, checked, [...left.values()], reading?.counted)
    const splitId = Runs.splitOf(task.runId)
    yield* Merge.merge(
      task.runId,
      [
        { id: splitId, rejectFile: yield* Rejects.pathIn(`${dataDir}/runs/${splitId}`) },
        ...[...left.values()].map(({ rejectFile, runId }) => ({ id: runId, rejectFile }))
      ],
      { ...counted, given: PartResult.withoutKept(parts, counted) },
      yield* Rejects.pathIn(`${options.dataDir}/runs/${task.runId}`)
    ).pipe(
      Effect.mapError((error) => (error._tag === "LedgerError" ? queryFailed(error) : failed("ShareUnusable")(error))),
      retryTransient
    )
    // Judged after the merge, so that the rejects can be found under the run's id.
    const message = PartResult.rejectsReached(parts, counted)
    if (message !== undefined) return yield* failed(TooManyRejects.reason)({ message })
    const published = yield* Merge.publishedBefore(task.pipeline, task.runId).pipe(
      Effect.mapError(queryFailed),
      retryTransient
    )
    const finished = yield* executeRun(
      ShardPlan.finishPlan(checked, parts, {
        results: left,
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

/** Executes a part; returns its result, which is stored for the finish. */
export const execute = (part: Part, task: Task, place: Place) =>
  Effect.gen(function* () {
    const checked = yield* Effect.mapError(checkedOf(task, place.env), ({ message }) =>
      failed("DefinitionInvalid")({ message: `the worker on ${hostname()} cannot load the definition: ${message}` })
    )
    if (part.kind === "finish") return yield* finish(task, checked, part, place)
    const parts = partition(checked, { limited: task.limit !== undefined })
    if (parts.kind === "whole") {
      const message = `this worker would not split the run in the same way: ${parts.why}. Give all workers the same version and environment.`
      return yield* failed("DefinitionDiffers")({ message })
    }
    return yield* part.kind === "split"
      ? split(task, checked, parts, part, place)
      : shard(task, checked, parts, part, place)
  }).pipe(
    Effect.provideServiceEffect(
      Permissions,
      Effect.map(Permissions, (permissions) => ({ ...permissions, isWorker: true }))
    )
  )
