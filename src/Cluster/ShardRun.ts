/**
 * One shard of a run that an orchestrator divides (`run --shard`). What is split, and how, is that of the cluster (`Partition.ts`,
 * `ShardPlan.ts`).
 *
 * - A shard has a ledger of its own on the machine that executes it, and an attempt of its own in the folder of the set.
 * - It neither reads nor changes the state across runs: `merge` does (`ShardMerge.ts`).
 * - No two shards know each other, so each has its part of the budget and of each `rate`.
 */
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Contract from "../Contract/Contract.ts"
import * as Files from "../Files.ts"
import * as Runs from "../Ledger/Runs.ts"
import * as Sqlite from "../Ledger.ts"
import { type Checked, definitionHash, stateKey } from "../Pipeline/Check.ts"
import { DefinitionInvalid } from "../Pipeline/Issue.ts"
import { isEqual } from "../Row/Difference.ts"
import type { Json } from "../Row.ts"
import * as Rejects from "../Run/Rejects.ts"
import { describeRun } from "../Run/RunContext.ts"
import { makeRunSpec, type RunOptions } from "../Run/RunSpec.ts"
import * as Run from "../Run.ts"
import { operationOf } from "../Step.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { version } from "../Version.ts"
import type { InputSplit } from "./InputSplits.ts"
import { partition, type Split } from "./Partition.ts"
import type { Place } from "./PartRun.ts"
import * as ShardLedger from "./ShardLedger.ts"
import * as ShardPlan from "./ShardPlan.ts"
import * as ShardSet from "./ShardSet.ts"

/** Rows of a file of the source. */
const splitRows = 1000

/** The part that this process executes: shard 1 to `of`, or the source alone. */
export interface Share {
  readonly shard: number | "source"
  readonly of: number
}

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

export interface Options extends Pick<RunOptions, "backfill" | "allowCode"> {
  /** Absolute. */
  readonly shared: string
  readonly share: Share
  /** Data folder of this machine, for the ledger of the part. */
  readonly dataDir: string
  readonly place: Place
  /** Called with each run that begins. */
  readonly began: (run: Run.Run, checked: Checked) => Effect.Effect<void, never, Scope.Scope>
}

/** The split, as the cluster makes it. */
export const splitOf = (checked: Checked) =>
  Effect.gen(function* () {
    const pipeline = checked.frame.name
    const refused = (reason: string) => new NotShardable({ pipeline, reason })
    const parts = partition(checked, { limited: false })
    if (parts.kind === "whole") return yield* refused(`${parts.why}. Run it on one machine, without --shard`)
    if (checked.frame.budget?.per === "day") {
      return yield* refused(
        "its budget counts the credits of a day, which shards that share no ledger cannot know. Name a budget per run, or use --on cluster"
      )
    }
    return parts
  })

/** Numbers that a budget has used before. */
interface Used {
  readonly credits: number
  readonly pages: number
}

/** The range of 0 to `total` that share `index` of `of` has. All ranges together are the whole. */
const rangeOf = (total: number, index: number, of: number): readonly [first: number, last: number] => [
  Math.floor((index * total) / of),
  Math.floor(((index + 1) * total) / of)
]

/** The definition with what is left of its budget, or one share of that. */
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
    rows: whole(budget.rows, used.rows),
    bytes: whole(budget.bytes, used.bytes)
  }
  return { ...checked, frame: { ...checked.frame, budget: limits } } satisfies Checked
}

export const usedBy = (parts: ReadonlyArray<ShardSet.EndedPart>): Used => ({
  credits: ShardLedger.sumOf(parts, "call_credits", "job_credits"),
  pages: ShardLedger.sumOf(parts, "call_pages", "job_pages")
})

const serviceFailed = ({ message }: { readonly message: string }) =>
  new ShardSet.ShardsUnusable({ reason: `the service of this machine: ${message}` })

/** Executes a part as a run of its own, in a new attempt. An attempt that does not end is removed, unless this process is killed. */
const executePart = (
  set: ShardSet.ShardSet,
  part: number | "source",
  planned: (folder: string) => Checked,
  run: Pick<RunOptions, "id" | "now" | "parentRun" | "backfill" | "allowCode"> & { readonly id: string },
  { began, dataDir, place, share }: Options
) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const attempt = yield* ShardSet.attempt(set, part)
    const folder = NodePath.join(set.folder, attempt)
    const scratch = NodePath.join(dataDir, "shards", `${run.id}.${randomUUID().slice(0, 8)}`)
    return yield* Effect.gen(function* () {
      yield* Effect.mapError(Files.makeFolder(files, scratch), ShardLedger.shareFailed(scratch))
      const checked = planned(folder)
      const { client, site } = yield* Effect.mapError(place.serve(checked), serviceFailed)
      const made = yield* Run.make(checked, {
        ...place.env,
        ...run,
        site,
        out: folder,
        dataDir: scratch,
        rateShare: part === "source" ? 1 : share.of,
        log: false
      })
      yield* began(made, checked)
      const summary = yield* Effect.mapError(Effect.provide(made.execute, client), (error) =>
        error instanceof Run.RunFailed
          ? error
          : serviceFailed(error instanceof Error ? error : { message: String(error) })
      )
      const carried = yield* Effect.mapError(
        ShardLedger.carryOut(run.id, folder, yield* Rejects.pathIn(`${scratch}/runs/${run.id}`)),
        ShardLedger.shareFailed(folder)
      )
      return {
        summary,
        ended: { run: run.parentRun ?? run.id, attempt, endedAt: yield* Clock.currentTimeMillis, ...carried }
      }
    }).pipe(
      Effect.provide(Sqlite.layer(scratch)),
      Effect.scoped,
      Effect.onError((cause) => ShardSet.giveUp(set, attempt, messageIn(cause))),
      Effect.ensuring(Effect.ignore(files.remove(scratch, { recursive: true, force: true })))
    )
  })

const messageIn = (cause: Cause.Cause<{ readonly message: string }>): string =>
  Option.match(Cause.failureOption(cause), { onNone: () => "it was stopped", onSome: ({ message }) => message })

/** Reads the source into the set; the first process to end gives the rows to all. */
const beginSet = (checked: Checked, parts: Split, set: ShardSet.ShardSet, options: Options) =>
  Effect.gen(function* () {
    const { allowCode, backfill, place, share, shared } = options
    const paid = parts.reading.find(({ config, step }) => operationOf(step, config) !== undefined)
    if (paid !== undefined && share.shard !== "source") {
      return yield* new NotShardable({
        pipeline: checked.frame.name,
        reason: `"${paid.id}" calls a service, and each shard would call it again. Read the source once, before the shards: sluice run FILE --shard source/${share.of} --out ${shared}`
      })
    }
    const startedAt = yield* Clock.currentTimeMillis
    const runId = yield* Run.newId(startedAt)
    const { env = {}, secrets = () => undefined } = place.env
    const run = describeRun(checked, {
      id: runId,
      parentRun: undefined,
      scheduledFor: undefined,
      site: undefined,
      startedAt: new Date(startedAt)
    })
    const key = yield* stateKey(checked, { env, secrets, run })
    const contract = yield* contractOf(checked)
    const spec = makeRunSpec(
      checked,
      { ...options, out: shared },
      { id: runId, startedAt },
      { key: typeof key === "string" ? key : undefined }
    )
    const splits: Array<InputSplit> = []
    const announce = (some: ReadonlyArray<InputSplit>) =>
      Effect.sync(() => {
        for (const split of some) splits[split.part] = split
      })
    const { ended, summary } = yield* executePart(
      set,
      "source",
      (folder) =>
        withLimits(ShardPlan.splitPlan(checked, parts, { folder, shardRows: splitRows, announce }), {
          credits: 0,
          pages: 0
        }),
      { id: Runs.splitOf(runId), parentRun: runId, now: new Date(startedAt), backfill, allowCode },
      options
    )
    const begun = yield* ShardSet.begin(set, {
      shards: share.of,
      task: {
        runId,
        pipeline: checked.frame.name,
        file: spec.file,
        definition: spec.definition,
        definitionHash: spec.definitionHash,
        contract,
        inputs: checked.inputs,
        out: "",
        startedAt,
        backfill,
        stateKey: spec.stateKey,
        shardRows: splitRows
      },
      place: NodePath.relative("", spec.file),
      source: { ...ended, version, host: hostname() },
      splits: splits.map(({ file, rows }) => ({ file: NodePath.relative(set.folder, file), rows }))
    })
    if (begun.task.runId !== runId) yield* ShardSet.giveUp(set, ended.attempt, undefined)
    return { begun, summary }
  })

const contractOf = ({ source }: Checked) =>
  Contract.load(source).pipe(
    Effect.zipRight(Contract.readText(source)),
    Effect.mapError(
      ({ path, reason: message }) => new DefinitionInvalid({ file: path, issues: [{ path: [], message }] })
    )
  )

/** Refuses a shard that is not one of the set. */
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
      [begun.version !== version, `are of sluice ${begun.version}, and this is ${version}`]
    ]
    const differs = differences.find(([is]) => is)?.[1]
    if (differs === undefined) return
    return yield* new ShardSet.ShardsUnusable({
      reason: `the shards in ${set.shared} (run ${task.runId}, begun ${new Date(task.startedAt).toISOString()}) ${differs}. Merge them first (sluice merge ${set.shared}), remove ${set.folder} to drop them, or take another folder with --out`
    })
  })

const rowsOf = (splits: ShardSet.SetFile["splits"]): number => splits.reduce((sum, { rows }) => sum + rows, 0)

/** Rows of the source that a shard has: a range, so that all shards in order have the order of the source. */
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

/** Executes one shard, and reads the source before it if no other one has. Gives the id of the run, and the summary of this part. */
export const runShard = (checked: Checked, options: Options) =>
  Effect.gen(function* () {
    const { allowCode, backfill, share, shared } = options
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
    const { ended, summary } = yield* executePart(
      set,
      shard,
      () => withLimits(ShardPlan.shardPlan(checked, parts, slices), usedBy([begun.source]), share),
      { id: Runs.shardOf(runId, shard - 1), parentRun: runId, now: new Date(startedAt), backfill, allowCode },
      options
    )
    yield* ShardSet.put(set, shard, ended).pipe(
      Effect.tapError(({ message }) => ShardSet.giveUp(set, ended.attempt, message))
    )
    return { runId, rows: slices.reduce((sum, { from = 0, to = 0 }) => sum + to - from, 0), summary }
  })
