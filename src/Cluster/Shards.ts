/**
 * Runs that an orchestrator divides: `runShard` executes one shard on this machine, `prepare` puts the shards of a set together for the
 * run that ends them. What is split, and how, is that of the cluster (`Partition.ts`, `ShardPlan.ts`).
 *
 * - Each part has a ledger of its own on the machine that executes it, and an attempt of its own in the folder of the set. What the ledger
 *   has counted travels as `ledger.jsonl`.
 * - The run itself exists only in the ledger of `merge`: state across runs, and `dedupe` across runs, are read and written there alone.
 * - No two shards know each other, so each has its part of the budget and of each `rate`.
 */
import { randomUUID } from "node:crypto"
import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Contract from "../Contract/Contract.ts"
import * as Files from "../Files.ts"
import { type Connection, writing } from "../Ledger/Connection.ts"
import * as Health from "../Ledger/Health.ts"
import * as Runs from "../Ledger/Runs.ts"
import * as Sqlite from "../Ledger.ts"
import { Ledger } from "../Ledger.ts"
import { type Checked, definitionHash, stateKey } from "../Pipeline/Check.ts"
import { DefinitionInvalid } from "../Pipeline/Issue.ts"
import { isEqual } from "../Row/Difference.ts"
import { decodeSaved } from "../Row/SavedValue.ts"
import type { Json } from "../Row.ts"
import * as Rejects from "../Run/Rejects.ts"
import { describeRun } from "../Run/RunContext.ts"
import { makeRunSpec, type RunOptions } from "../Run/RunSpec.ts"
import * as Run from "../Run.ts"
import { decodeOutputs } from "../Step/Output.ts"
import { operationOf } from "../Step.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { version } from "../Version.ts"
import type { InputSplit } from "./InputSplits.ts"
import * as Merge from "./Merge.ts"
import { partition, type Split } from "./Partition.ts"
import { checkRejects, countedOf, type Place, withIncomplete, withoutKept } from "./PartRun.ts"
import * as ShardPlan from "./ShardPlan.ts"
import * as ShardSet from "./ShardSet.ts"
import { checkedOf } from "./Task.ts"

/** Rows of a file of the source. */
const splitRows = 1000

/** What this process executes: shard 1 to `of`, or the source alone. */
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

/** The merged run has failed by what its shards have rejected. */
export class MergeFailed extends Data.TaggedError("MergeFailed")<{ readonly message: string }> {
  readonly exitCode = ExitCode.tooManyRejects
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
const splitOf = (checked: Checked) =>
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

/** Share `index` of `of` of a whole number: the shares of all are the number. */
const shareOf = (total: number, index: number, of: number): number =>
  Math.floor(((index + 1) * total) / of) - Math.floor((index * total) / of)

/** The definition with what is left of its budget, or one share of that. */
const withLimits = (
  checked: Checked,
  used: Used & { readonly rows?: number; readonly bytes?: number },
  share?: Share
) => {
  const { budget } = checked.frame
  const { of, shard } = share ?? { of: 1, shard: 1 }
  const index = shard === "source" ? 0 : shard - 1
  const whole = (limit: number | undefined, spent = 0) =>
    limit === undefined ? undefined : shareOf(Math.max(0, limit - spent), index, of)
  const limits = budget && {
    ...budget,
    credits: budget.credits === undefined ? undefined : Math.max(0, budget.credits - used.credits) / of,
    pages: whole(budget.pages, used.pages),
    rows: whole(budget.rows, used.rows),
    bytes: whole(budget.bytes, used.bytes)
  }
  return { ...checked, frame: { ...checked.frame, budget: limits } } satisfies Checked
}

const usedBy = (parts: ReadonlyArray<ShardSet.EndedPart>): Used => {
  const sum = (...columns: ReadonlyArray<string>) =>
    parts.reduce((total, { figures }) => total + columns.reduce((all, column) => all + (figures[column] ?? 0), 0), 0)
  return { credits: sum("call_credits", "job_credits"), pages: sum("call_pages", "job_pages") }
}

// One part

/** Tables of the ledger that a run takes over from its parts. */
const carried = ["rejects", "pages", "profiles"] as const
const figures = [
  "call_credits",
  "call_unpriced",
  "call_pages",
  "job_credits",
  "job_unpriced",
  "job_pages",
  "output_rows",
  "bytes"
] as const

const LedgerLine = Schema.Struct({
  table: Schema.Literal(...carried),
  row: Schema.Record({ key: Schema.String, value: Schema.Union(Schema.String, Schema.Number, Schema.Null) })
})
type LedgerLine = typeof LedgerLine.Type
const decodeLine = decodeSaved(Schema.parseJson(LedgerLine))

/** Rows that are read of a ledger at once. */
const rowsPerRead = 1000

const ledgerName = "ledger.jsonl"
const rejectsName = "rejects.jsonl"

const shareFailed = (file: string) => (cause: { readonly message: string }) =>
  new ShardSet.ShardsUnusable({ reason: `${file} cannot be written or read: ${cause.message}` })

const serviceFailed = ({ message }: { readonly message: string }) =>
  new ShardSet.ShardsUnusable({ reason: `the service of this machine: ${message}` })

/** Copies what the ledger of a part has into its attempt. */
const carryOut = (id: string, folder: string, rejectFile: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const { connection } = yield* Ledger
    const { sql } = connection
    const known = yield* Effect.flatMap(Ledger, (ledger) => ledger.find(id))
    const [row = {}] = yield* sql<
      Record<string, number>
    >`SELECT ${sql.literal(figures.join(", "))} FROM runs WHERE id = ${id}`
    yield* Effect.scoped(
      Effect.gen(function* () {
        const handle = yield* files.open(NodePath.join(folder, ledgerName), { flag: "w" })
        for (const table of carried) {
          // SQLite streams no rows.
          for (let last = -1; ; ) {
            const rows = yield* table === "profiles"
              ? sql<LedgerLine["row"]>`SELECT * FROM profiles WHERE run_id = ${id}`
              : sql<
                  LedgerLine["row"]
                >`SELECT * FROM ${sql(table)} WHERE run_id = ${id} AND seq > ${last} ORDER BY seq LIMIT ${rowsPerRead}`
            if (rows.length > 0) {
              yield* handle.writeAll(Buffer.from(rows.map((row) => `${JSON.stringify({ table, row })}\n`).join("")))
            }
            if (table === "profiles" || rows.length < rowsPerRead) break
            last = Number(rows.at(-1)?.seq)
          }
        }
        yield* handle.sync
      })
    )
    if (yield* files.exists(rejectFile)) yield* files.copyFile(rejectFile, NodePath.join(folder, rejectsName))
    yield* Files.syncFolder(files, folder)
    const outputs = yield* decodeOutputs(`The outputs of run ${id}`, known?.outputs ?? [])
    const within = (path: string) => NodePath.relative(folder, path)
    const result: Merge.PartResult = {
      outputs: outputs.map(({ manifest, path, ...output }) => ({
        ...output,
        path: within(path),
        ...(manifest === undefined ? {} : { manifest: within(manifest) })
      })),
      counted: known?.progress ?? null,
      runId: id,
      rejectFile: rejectsName,
      // With `onReached: publish` the run is completed, and the budget has cut it.
      budgetMessage: known?.error
    }
    return { result, figures: Object.fromEntries(figures.map((column) => [column, Number(row[column] ?? 0)])) }
  })

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
      yield* Effect.mapError(Files.makeFolder(files, scratch), shareFailed(scratch))
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
        carryOut(run.id, folder, yield* Rejects.pathIn(`${scratch}/runs/${run.id}`)),
        shareFailed(folder)
      )
      return {
        summary,
        ended: { run: run.parentRun ?? run.id, attempt, endedAt: yield* Clock.currentTimeMillis, ...carried }
      }
    }).pipe(
      Effect.provide(Sqlite.layer(scratch)),
      Effect.scoped,
      Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : ShardSet.giveUp(set, attempt, messageIn(exit)))),
      Effect.ensuring(Effect.ignore(files.remove(scratch, { recursive: true, force: true })))
    )
  })

const messageIn = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.match(exit, {
    onSuccess: () => "",
    onFailure: (cause) => {
      const [failure] = [...(cause._tag === "Fail" ? [cause.error] : [])]
      return failure instanceof Error ? failure.message : "it was stopped"
    }
  })

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
      { ...options, dataDir: options.dataDir, out: shared },
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
    const { version: _, ...source } = { version, ...ended }
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
      source: { ...source, version, host: "" },
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
    const differs =
      task.pipeline !== checked.frame.name
        ? `are of the pipeline ${task.pipeline}`
        : task.definitionHash !== definitionHash(checked)
          ? "began with another version of the definition, or of its code"
          : !isEqual(task.inputs as Json, checked.inputs as Json)
            ? "began with other inputs"
            : (task.contract ?? null) !== ((yield* contractOf(checked)) ?? null)
              ? "began with another contract"
              : (task.backfill ?? false) !== (backfill ?? false)
                ? `began ${task.backfill === true ? "with" : "without"} --backfill`
                : begun.shards !== share.of
                  ? `are ${begun.shards}, not ${share.of}`
                  : begun.version !== version
                    ? `are of sluice ${begun.version}, and this is ${version}`
                    : undefined
    if (differs === undefined) return
    return yield* new ShardSet.ShardsUnusable({
      reason: `the shards in ${set.shared} (run ${task.runId}, begun ${new Date(task.startedAt).toISOString()}) ${differs}. Merge them first (sluice merge ${set.shared}), remove ${set.folder} to drop them, or take another folder with --out`
    })
  })

/** Rows of the source that a shard has: a range, so that all shards in order have the order of the source. */
const slicesOf = (
  set: ShardSet.ShardSet,
  { shards, splits }: ShardSet.SetFile,
  shard: number
): ReadonlyArray<ShardPlan.Slice> => {
  const total = splits.reduce((sum, { rows }) => sum + rows, 0)
  const first = Math.floor(((shard - 1) * total) / shards)
  const last = Math.floor((shard * total) / shards)
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
    if (known !== undefined) yield* requireSame(checked, set, known, options)
    const own = known === undefined ? yield* beginSet(checked, parts, set, options) : undefined
    const begun = own?.begun ?? known
    if (begun === undefined) return yield* Effect.dieMessage("a set without its file")
    yield* requireSame(checked, set, begun, options)
    const { runId, startedAt } = begun.task
    const rows = begun.splits.reduce((sum, split) => sum + split.rows, 0)
    if (share.shard === "source") return { runId, rows, summary: own?.summary }
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

// Merge

/** Rows of one statement: databases limit the number of values. */
const rowsPerStatement = 50

/** Puts a line of the ledger of a part under the run. Profiles keep the id of the part until they are merged. */
const moved = ({ row, table }: LedgerLine, runId: string, offset: number): LedgerLine["row"] =>
  table === "profiles" ? row : { ...row, run_id: runId, seq: Number(row.seq) + offset }

/** Copies the ledgers of the parts into the run, with what they have spent, and sets its progress. Once: the run has none before. */
const adopt = (
  connection: Connection,
  runId: string,
  pipeline: string,
  parts: ReadonlyArray<{ readonly ended: ShardSet.EndedPart; readonly folder: string }>,
  progress: Json
) =>
  Effect.gen(function* () {
    const { sql } = connection
    const files = yield* FileSystem.FileSystem
    for (const [index, { folder }] of parts.entries()) {
      const file = NodePath.join(folder, ledgerName)
      const lines = files.stream(file).pipe(Stream.decodeText(), Stream.splitLines, Stream.grouped(rowsPerStatement))
      yield* Stream.runForEach(lines, (some) =>
        Effect.gen(function* () {
          const decoded = yield* Effect.forEach(some, (line) => decodeLine(`A line of ${file}`, line))
          for (const table of carried) {
            const rows = decoded.filter((line) => line.table === table)
            if (rows.length === 0) continue
            yield* sql`INSERT INTO ${sql(table)} ${sql.insert(rows.map((line) => moved(line, runId, Runs.offsetOfPart(index))))}`
          }
        })
      )
    }
    const shards = parts.slice(1).map(({ ended }) => ended.result.runId)
    yield* Health.putProfiles(sql, runId, yield* Health.mergedProfiles(sql, shards))
    yield* Effect.forEach(parts, ({ ended }) => sql`DELETE FROM profiles WHERE run_id = ${ended.result.runId}`)
    const sum = (column: (typeof figures)[number]) =>
      parts.reduce((total, { ended }) => total + (ended.figures[column] ?? 0), 0)
    const sums = Object.fromEntries(figures.map((column) => [column, sum(column)]))
    const { rejects = 0, rows = 0 } = progress as { readonly rejects?: number; readonly rows?: number }
    yield* sql`UPDATE runs SET ${sql.update({ ...sums, row_count: rows, reject_count: rejects, progress: JSON.stringify(progress) })}
      WHERE id = ${runId}`
    const now = yield* Clock.currentTimeMillis
    yield* Runs.addSpent(
      sql,
      pipeline,
      now,
      sum("call_credits") + sum("job_credits"),
      sum("call_unpriced") + sum("job_unpriced")
    )
  })

/** What `merge` has to do with the newest set of a folder. */
export const standing = (shared: string) =>
  Effect.gen(function* () {
    const set = yield* ShardSet.newest(shared)
    const start = `start them with sluice run FILE --shard 1/N --out ${shared}`
    if (set === undefined) return yield* new ShardSet.ShardsUnusable({ reason: `${shared} has no shards: ${start}` })
    const merged = yield* ShardSet.mergedAs(set)
    if (merged !== undefined) return { _tag: "Merged" as const, runId: merged.run }
    const begun = yield* ShardSet.read(set)
    if (begun === undefined) {
      return yield* new ShardSet.ShardsUnusable({
        reason: `no shard in ${shared} has read the source yet, or each was stopped before: ${start}`
      })
    }
    return { _tag: "Open" as const, set, begun }
  })

/**
 * Takes the results of all shards into the run, in the ledger of `merge`, and gives the run that ends it: the steps that need all rows, and
 * publication. May be repeated at any time.
 */
export const prepare = (
  set: ShardSet.ShardSet,
  begun: ShardSet.SetFile,
  { allowCode, dataDir, env }: { readonly allowCode: boolean; readonly dataDir: string; readonly env: Place["env"] }
) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const ledger = yield* Ledger
    const results = yield* ShardSet.take(set, begun)
    const isHere = yield* Effect.orElseSucceed(files.exists(begun.task.file), () => false)
    const file = isHere ? begun.task.file : NodePath.resolve(begun.place)
    const { runId } = begun.task
    const checked = yield* checkedOf({ ...begun.task, file, allowCode }, env)
    const parts = yield* splitOf(checked)
    const ended = [begun.source, ...results].map((each) => ({
      ended: each,
      folder: NodePath.join(set.folder, each.attempt)
    }))
    const shards = new Map(
      results.map(({ attempt, result }, index): readonly [number, Merge.PartResult] => [
        index,
        { ...result, outputs: result.outputs.map((output) => resolved(NodePath.join(set.folder, attempt), output)) }
      ])
    )
    const total = Merge.total([
      ...results.map(({ result }) => countedOf(result)),
      // Rows of the source are counted by the shards.
      { ...begun.source.result.counted, rows: 0, given: {} }
    ])
    const counted = withIncomplete(parts, checked, total)
    const budgetMessage = [begun.source, ...results].flatMap(({ result }) => result.budgetMessage ?? [])[0]
    const spec = makeRunSpec(
      checked,
      { out: set.shared, dataDir, backfill: begun.task.backfill },
      { id: runId, startedAt: begun.task.startedAt },
      { key: begun.task.stateKey }
    )
    // `sluice resume` leads back to this merge.
    const marked = { ...spec, options: { ...spec.options, shards: set.shared } }
    const known = yield* ledger.find(runId)
    if (known === undefined || known.progress === null) {
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* ledger.open(marked)
          const rejectFile = yield* Rejects.pathIn(marked.folder)
          const draft = `${rejectFile}.${randomUUID()}.partial`
          const rejectBytes = yield* Merge.gather(
            ended.map(({ folder }) => NodePath.join(folder, rejectsName)),
            draft
          )
          if (rejectBytes > 0) yield* files.rename(draft, rejectFile)
          const progress = {
            ...counted,
            given: withoutKept(parts, counted),
            over: false,
            rejectBytes,
            ...(budgetMessage === undefined ? {} : { budgetMessage })
          }
          yield* adopt(ledger.connection, runId, checked.frame.name, ended, progress as Json).pipe(
            writing(ledger.connection, `merging the shards of run ${runId}`)
          )
        })
      )
    }
    const published = yield* Effect.provideService(
      Merge.publishedBefore(checked.frame.name, runId),
      SqlClient.SqlClient,
      ledger.connection.sql
    )
    // After the rejects are in the ledger, so that they are found with the run.
    yield* checkRejects(parts, counted).pipe(
      Effect.tapError(({ message }) =>
        Effect.scoped(Effect.flatMap(ledger.open(marked), (journal) => journal.end("failed", message)))
      ),
      Effect.mapError(({ message }) => new MergeFailed({ message: `run ${runId}: ${message}` }))
    )
    const finish = ShardPlan.finishPlan(checked, parts, {
      results: shards,
      out: set.shared,
      folderOf: (part) => NodePath.join(set.folder, results[part]?.attempt ?? ""),
      before: published
    })
    const used = { ...usedBy([begun.source, ...results]), rows: counted.outputRows, bytes: counted.outputBytes }
    return { checked: withLimits(finish, used), record: yield* ledger.find(runId) }
  })

const resolved = (folder: string, { manifest, path, ...output }: Merge.PartResult["outputs"][number]) => ({
  ...output,
  path: NodePath.join(folder, path),
  ...(manifest === undefined ? {} : { manifest: NodePath.join(folder, manifest) })
})

export { end } from "./ShardSet.ts"
