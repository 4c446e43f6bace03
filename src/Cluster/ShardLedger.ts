/**
 * Ledger of a part as files: each shard of an orchestrator has its own ledger, and `merge` imports their rows.
 *
 * `rejects.jsonl` is the reject file. `ledger.jsonl` has rejects, pages, calls and profiles as rows of their tables, so all parts and
 * `merge` must have the same version.
 */
import { randomUUID } from "node:crypto"
import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Files from "../Files.ts"
import type { Connection } from "../Ledger/Connection.ts"
import * as Health from "../Ledger/Health.ts"
import * as Runs from "../Ledger/Runs.ts"
import { inLedger, Ledger } from "../Ledger/Service.ts"
import { decodeSaved } from "../Row/SavedValue.ts"
import type { Json } from "../Row.ts"
import { decodeOutputs } from "../Step/Output.ts"
import type * as PartResult from "./PartResult.ts"
import * as ShardSet from "./ShardSet.ts"

/** Tables of the ledger that a run imports from its parts. */
const carried = ["rejects", "pages", "calls", "profiles"] as const
const figures = [
  "call_credits",
  "call_unpriced",
  "call_pages",
  "call_count",
  "job_credits",
  "job_unpriced",
  "job_pages",
  "output_rows",
  "bytes"
] as const

/** Sums of these columns over all parts. */
export const sumOf = (
  parts: ReadonlyArray<Pick<ShardSet.EndedPart, "figures">>,
  ...columns: ReadonlyArray<(typeof figures)[number]>
): number =>
  parts.reduce((total, { figures }) => columns.reduce((sum, column) => sum + (figures[column] ?? 0), total), 0)

const LedgerLine = Schema.Struct({
  table: Schema.Literal(...carried),
  row: Schema.Record({ key: Schema.String, value: Schema.Union(Schema.String, Schema.Number, Schema.Null) })
})
type LedgerLine = typeof LedgerLine.Type
const decodeLine = decodeSaved(Schema.parseJson(LedgerLine))

/** Rows read from a ledger at once. */
const rowsPerRead = 1000

/** Files of a part in the folder of its attempt. */
const ledgerName = "ledger.jsonl"
export const rejectsName = "rejects.jsonl"

export const shareFailed = (file: string) => (cause: { readonly message: string }) =>
  new ShardSet.ShardsUnusable({ message: `${file} cannot be written or read: ${cause.message}` })

/**
 * The next rows of a table in key order, because SQLite does not stream rows. Leaves out the responses of calls: only a resume of the part
 * needs them.
 */
const following = (sql: Connection["sql"], table: LedgerLine["table"], id: string, last: LedgerLine["row"] = {}) => {
  switch (table) {
    case "calls":
      return sql<LedgerLine["row"]>`SELECT run_id, step, mark, credits, price, page_key, at FROM calls
        WHERE run_id = ${id} AND (step, mark) > (${last.step ?? ""}, ${last.mark ?? ""}) ORDER BY step, mark LIMIT ${rowsPerRead}`
    case "profiles":
      return sql<LedgerLine["row"]>`SELECT * FROM profiles
        WHERE run_id = ${id} AND sink > ${last.sink ?? ""} ORDER BY sink LIMIT ${rowsPerRead}`
    default:
      return sql<LedgerLine["row"]>`SELECT * FROM ${sql(table)}
        WHERE run_id = ${id} AND seq > ${last.seq ?? -1} ORDER BY seq LIMIT ${rowsPerRead}`
  }
}

/** Totals of a run from its ledger, by column. */
export const figuresOf = (id: string) =>
  Effect.gen(function* () {
    const { sql } = (yield* Ledger).connection
    const [row = {}] = yield* sql<
      Record<string, number>
    >`SELECT ${sql.literal(figures.join(", "))} FROM runs WHERE id = ${id}`
    return Object.fromEntries(figures.map((column) => [column, Number(row[column] ?? 0)]))
  }).pipe(inLedger(`reading the totals of run ${id}`))

/** The attempt's ledger is empty: another process has put the result into the set, and removed the ledger. */
export const removedMeanwhile = (id: string) =>
  new ShardSet.ShardsUnusable({
    message: `another process has already finished ${id}, and the result of that process is kept. Start the shard again if sluice merge reports it as missing`
  })

/** Copies the ledger of a part into the folder of its attempt. */
export const carryOut = (id: string, folder: string, rejectFile: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const { connection, find } = yield* Ledger
    const { sql } = connection
    const known = yield* find(id)
    if (known === undefined) return yield* removedMeanwhile(id)
    /** Writes a file atomically, because a result in the shard set may refer to the older file that it replaces. */
    const whole = <E>(name: string, fill: (draft: string) => Effect.Effect<void, E>) => {
      const draft = NodePath.join(folder, `${name}.${randomUUID()}.partial`)
      return Effect.zipRight(fill(draft), files.rename(draft, NodePath.join(folder, name)))
    }
    yield* whole(ledgerName, (draft) =>
      Effect.gen(function* () {
        const handle = yield* files.open(draft, { flag: "w" })
        for (const table of carried) {
          for (let last: LedgerLine["row"] | undefined; ; ) {
            const rows = yield* following(sql, table, id, last)
            if (rows.length === 0) break
            yield* handle.writeAll(Buffer.from(rows.map((row) => `${JSON.stringify({ table, row })}\n`).join("")))
            last = rows.at(-1)
          }
        }
        yield* handle.sync
      }).pipe(Effect.scoped)
    )
    if (yield* files.exists(rejectFile)) {
      yield* whole(rejectsName, (draft) =>
        Effect.zipRight(
          files.copyFile(rejectFile, draft),
          Effect.scoped(Effect.flatMap(files.open(draft, { flag: "r+" }), ({ sync }) => sync))
        )
      )
    }
    yield* Files.syncFolder(files, folder)
    const outputs = yield* decodeOutputs(`The outputs of run ${id}`, known.outputs ?? [])
    const within = (path: string) => NodePath.relative(folder, path)
    const result: PartResult.PartResult = {
      outputs: outputs.map(({ manifest, path, ...output }) => ({
        ...output,
        path: within(path),
        ...(manifest === undefined ? {} : { manifest: within(manifest) })
      })),
      counted: known.progress,
      runId: id,
      rejectFile: rejectsName,
      // A completed run has an error only if its budget cut it short (`onReached: publish`).
      budgetMessage: known.error
    }
    return { result, figures: yield* figuresOf(id) }
  }).pipe(inLedger(`copying the ledger of ${id}`))

/** An output of a part, with its paths resolved. */
export const resolved = (folder: string, { manifest, path, ...output }: PartResult.PartResult["outputs"][number]) => ({
  ...output,
  path: NodePath.join(folder, path),
  ...(manifest === undefined ? {} : { manifest: NodePath.join(folder, manifest) })
})

/** Rows per statement: databases limit the number of values. */
const rowsPerStatement = 50

/** Assigns an imported row of part `index` to the run. Profiles keep the id of their part until they are merged. */
const moved = ({ row, table }: LedgerLine, runId: string, index: number): LedgerLine["row"] => {
  if (table === "profiles") return row
  return table === "calls"
    ? { ...row, run_id: runId, mark: `${index}/${row.mark}` }
    : { ...row, run_id: runId, seq: Number(row.seq) + Runs.offsetOfPart(index) }
}

/**
 * Imports the ledgers of the parts into the run, adds up what they have spent, and sets its progress. Only once, when the run has no
 * progress yet.
 */
export const adopt = (
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
            yield* sql`INSERT INTO ${sql(table)} ${sql.insert(rows.map((line) => moved(line, runId, index)))}`
          }
        })
      )
    }
    const shards = parts.slice(1).map(({ ended }) => ended.result.runId)
    yield* Health.putProfiles(sql, runId, yield* Health.mergedProfiles(sql, shards))
    yield* Effect.forEach(parts, ({ ended }) => sql`DELETE FROM profiles WHERE run_id = ${ended.result.runId}`)
    const ended = parts.map((part) => part.ended)
    const sums = Object.fromEntries(figures.map((column) => [column, sumOf(ended, column)]))
    const { rejects = 0, rows = 0 } = progress as { readonly rejects?: number; readonly rows?: number }
    yield* sql`UPDATE runs SET ${sql.update({ ...sums, row_count: rows, reject_count: rejects, progress: JSON.stringify(progress) })}
      WHERE id = ${runId}`
    const now = yield* Clock.currentTimeMillis
    yield* Runs.addSpent(
      sql,
      pipeline,
      now,
      sumOf(ended, "call_credits", "job_credits"),
      sumOf(ended, "call_unpriced", "job_unpriced")
    )
  })
