/**
 * Executes one shard of a run that an orchestrator divides (`run --shard`). Splits it like the cluster does (`Partition.ts`,
 * `ShardPlan.ts`).
 *
 * - A shard has its own ledger on the machine that executes it, and its own attempt in the folder of the set (`ShardAttempt.ts`).
 * - It neither reads nor changes the state across runs: `merge` does (`ShardMerge.ts`).
 * - Shards do not know each other, so each gets its share of the budget and of each `rate`.
 */
import { hostname } from "node:os"
import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type Checked, definitionHash } from "../Pipeline/Check.ts"
import { isEqual } from "../Row/Difference.ts"
import { decodeSaved } from "../Row/SavedValue.ts"
import type { Json } from "../Row.ts"
import * as Run from "../Run.ts"
import { operationOf, StepError } from "../Step.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { version } from "../Version.ts"
import { InputSplit } from "./InputSplits.ts"
import { partition, type Split } from "./Partition.ts"
import type { Options, Share } from "./ShardAttempt.ts"
import * as ShardAttempt from "./ShardAttempt.ts"
import * as ShardLedger from "./ShardLedger.ts"
import * as ShardPlan from "./ShardPlan.ts"
import * as ShardSet from "./ShardSet.ts"
import { contractOf, makeTask } from "./Task.ts"

/** Rows per file into which the rows of the source are written. */
const splitRows = 1000

/** The pipeline cannot be divided without a ledger that all shards share. */
export class NotShardable extends Data.TaggedError("NotShardable")<{
  readonly pipeline: string
  readonly reason: string
}> {
  readonly exitCode = ExitCode.invalid
  override get message() {
    return `${this.pipeline} cannot run in shards: ${this.reason}`
  }
}

/** Splits the pipeline like the cluster does. */
export const splitOf = (checked: Checked) =>
  Effect.gen(function* () {
    const pipeline = checked.frame.name
    const refused = (reason: string) => new NotShardable({ pipeline, reason })
    const parts = partition(checked, { limited: false })
    if (parts.kind === "whole") return yield* refused(`${parts.why}. Run it on one machine, without --shard`)
    if (checked.frame.budget?.per === "day") {
      return yield* refused(
        "its budget counts the credits of a day, which shards without a shared ledger cannot know. Set a budget per run, or use --on cluster"
      )
    }
    return parts
  })

/** Amounts of a budget that are already used. */
interface Used {
  readonly credits: number
  readonly pages: number
  readonly calls: number
}

/** The range of 0 to `total` that share `index` of `of` gets. The ranges of all shares are disjoint and cover everything. */
const rangeOf = (total: number, index: number, of: number): readonly [first: number, last: number] => [
  Math.floor((index * total) / of),
  Math.floor(((index + 1) * total) / of)
]

/** The definition with the remaining budget, or with one share of it. */
export const withLimits = (
  checked: Checked,
  used: Used & { readonly rows?: number; readonly bytes?: number },
  share?: Share
) => {
  const { budget } = checked.frame
  const { of, shard } = share ?? { of: 1, shard: 1 }
  const index = shard === "source" ? 0 : shard - 1
  const whole = (limit: number | undefined, spent = 0) => {
    if (limit === undefined) return undefined
    const [first, last] = rangeOf(Math.max(0, limit - spent), index, of)
    return last - first
  }
  const limits = budget && {
    ...budget,
    credits: budget.credits === undefined ? undefined : Math.max(0, budget.credits - used.credits) / of,
    pages: whole(budget.pages, used.pages),
    calls: whole(budget.calls, used.calls),
    rows: whole(budget.rows, used.rows),
    bytes: whole(budget.bytes, used.bytes)
  }
  return { ...checked, frame: { ...checked.frame, budget: limits } } satisfies Checked
}

export const usedBy = (parts: ReadonlyArray<Pick<ShardSet.EndedPart, "figures">>): Used => ({
  credits: ShardLedger.sumOf(parts, "call_credits", "job_credits"),
  pages: ShardLedger.sumOf(parts, "call_pages", "job_pages"),
  calls: ShardLedger.sumOf(parts, "call_count")
})

/** The definition with the remaining limits of a continued part: a restarted process gets no new budget. */
const withoutUsed = (checked: Checked, used: ReadonlyArray<Pick<ShardSet.EndedPart, "figures">>) =>
  withLimits(checked, {
    ...usedBy(used),
    rows: ShardLedger.sumOf(used, "output_rows"),
    bytes: ShardLedger.sumOf(used, "bytes")
  })

/** File of the announced splits, next to the ledger of the attempt that reads the source. */
const splitsName = "splits.jsonl"

const decodeSplit = decodeSaved(Schema.parseJson(InputSplit))

/** Appends splits to the file. A line that was cut off by a kill is ignored, and its split is announced again. */
const announceIn = (files: FileSystem.FileSystem, file: string) => (splits: ReadonlyArray<InputSplit>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const handle = yield* files.open(file, { flag: "a" })
      // `writeAll` refuses an empty buffer.
      if (splits.length === 0) return
      yield* handle.writeAll(Buffer.from(splits.map((split) => `\n${JSON.stringify(split)}`).join("")))
      yield* handle.sync
    })
  ).pipe(
    Effect.mapError(
      (cause) =>
        new StepError({ reason: "FolderUnusable", message: `${file} cannot be written: ${cause.message}`, cause })
    )
  )

/** The announced splits, in their order. */
const announcedIn = (file: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const text = yield* Effect.mapError(files.readFileString(file), ShardLedger.shareFailed(file))
    const splits: Array<InputSplit> = []
    for (const line of text.split("\n")) {
      const split = decodeSplit(file, line)
      if (Either.isRight(split)) splits[split.right.part] = split.right
    }
    return splits
  })

/** Reads the source into the set. The first process to finish provides the rows for all. */
const beginSet = (checked: Checked, parts: Split, set: ShardSet.ShardSet, options: Options) =>
  Effect.gen(function* () {
    const { backfill, place, share, shared } = options
    const paid = parts.reading.find(({ config, step }) => operationOf(step, config) !== undefined)
    if (paid !== undefined && share.shard !== "source") {
      return yield* new NotShardable({
        pipeline: checked.frame.name,
        reason: `"${paid.id}" calls a service, and each shard would call it again. Read the source once, before the shards: sluice run FILE --shard source/${share.of} --out ${shared}`
      })
    }
    const left = yield* ShardAttempt.left(set, "source", checked, options)
    const startedAt = left?.record.startedAt ?? (yield* Clock.currentTimeMillis)
    const runId = left?.run ?? (yield* Run.newId(startedAt))
    const { spec, task } = yield* makeTask(
      checked,
      { id: runId, startedAt },
      { ...place.env, out: shared, dataDir: options.dataDir, backfill, shardRows: splitRows }
    )
    const files = yield* FileSystem.FileSystem
    const attempt = left ?? (yield* ShardSet.attempt(set, "source", runId))
    const splitsFile = NodePath.join(ShardAttempt.dataOf(options, attempt), splitsName)
    const { recorded: begun, summary } = yield* ShardAttempt.execute(
      set,
      "source",
      attempt,
      startedAt,
      (folder, used) => {
        const announce = announceIn(files, splitsFile)
        return withoutUsed(ShardPlan.splitPlan(checked, parts, { folder, shardRows: splitRows, announce }), used)
      },
      (ended) =>
        Effect.gen(function* () {
          const splits = yield* announcedIn(splitsFile)
          const begun = yield* ShardSet.begin(set, {
            shards: share.of,
            task: { ...task, out: "" },
            place: NodePath.relative("", spec.file),
            source: { ...ended, version, host: hostname() },
            splits: splits.map(({ file, rows }) => ({ file: NodePath.relative(set.folder, file), rows }))
          })
          if (begun.task.runId !== runId) yield* ShardSet.giveUp(set, attempt, undefined)
          return begun
        }),
      options
    )
    return { begun, summary }
  })

/** Refuses a shard that does not belong to the set. */
const requireSame = (checked: Checked, set: ShardSet.ShardSet, begun: ShardSet.SetFile, { backfill, share }: Options) =>
  Effect.gen(function* () {
    const { task } = begun
    const contract = yield* contractOf(checked)
    const differences: ReadonlyArray<readonly [differs: boolean, how: string]> = [
      [task.pipeline !== checked.frame.name, `are of the pipeline ${task.pipeline}`],
      [task.definitionHash !== definitionHash(checked), "began with another version of the definition, or of its code"],
      [!isEqual(task.inputs as Json, checked.inputs as Json), "began with other inputs"],
      [(task.contract ?? null) !== (contract ?? null), "began with another contract"],
      [task.backfill !== backfill, `began ${task.backfill === true ? "with" : "without"} --backfill`],
      [begun.shards !== share.of, `are ${begun.shards}, not ${share.of}`],
      [begun.version !== version, `were made by sluice ${begun.version}, and this is sluice ${version}`]
    ]
    const differs = differences.find(([is]) => is)?.[1]
    if (differs === undefined) return
    return yield* new ShardSet.ShardsUnusable({
      message: `the shards in ${set.shared} (run ${task.runId}, begun ${new Date(task.startedAt).toISOString()}) ${differs}. Merge them first (sluice merge ${set.shared}), remove ${set.folder} to discard them, or use another folder with --out`
    })
  })

const rowsOf = (splits: ShardSet.SetFile["splits"]): number => splits.reduce((sum, { rows }) => sum + rows, 0)

/** Source rows of a shard: a consecutive range, so that all shards in order have the order of the source. */
const slicesOf = (
  set: ShardSet.ShardSet,
  { shards, splits }: ShardSet.SetFile,
  shard: number
): ReadonlyArray<ShardPlan.Slice> => {
  const [first, last] = rangeOf(rowsOf(splits), shard - 1, shards)
  let begin = 0
  return splits.flatMap(({ file, rows }) => {
    const [from, to] = [Math.max(0, first - begin), Math.min(rows, last - begin)]
    begin += rows
    return from < to ? [{ file: NodePath.join(set.folder, file), from, to }] : []
  })
}

/** Executes one shard, and first reads the source unless another shard has. Returns the id of the run, and the summary of this part. */
export const runShard = (checked: Checked, options: Options) =>
  Effect.gen(function* () {
    const { share, shared } = options
    const parts = yield* splitOf(checked)
    const set = yield* ShardSet.current(shared)
    yield* ShardSet.requireOpen(set)
    const known = yield* ShardSet.read(set)
    const { begun, summary: reading } =
      known === undefined ? yield* beginSet(checked, parts, set, options) : { begun: known, summary: undefined }
    yield* requireSame(checked, set, begun, options)
    const { runId, startedAt } = begun.task
    if (share.shard === "source") return { runId, rows: rowsOf(begun.splits), summary: reading }
    const { shard } = share
    const slices = slicesOf(set, begun, shard)
    const rows = slices.reduce((sum, { from = 0, to = 0 }) => sum + to - from, 0)
    const left = yield* ShardAttempt.left(set, shard, checked, options)
    // The process was killed after its result was in the set, so the result stays.
    if (left !== undefined && (yield* ShardSet.resultOf(set, shard))?.attempt === left.name) {
      yield* ShardAttempt.clear(left.name, options)
      return { runId, rows, summary: undefined }
    }
    const { summary } = yield* ShardAttempt.execute(
      set,
      shard,
      left ?? (yield* ShardSet.attempt(set, shard, runId)),
      startedAt,
      (_, used) =>
        withoutUsed(withLimits(ShardPlan.shardPlan(checked, parts, slices), usedBy([begun.source]), share), used),
      (ended) => ShardSet.put(set, shard, ended),
      options
    )
    return { runId, rows, summary }
  })
