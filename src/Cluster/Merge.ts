/**
 * Merges the runs of the parts into the run itself: counters, rejects, pages, calls and their cost.
 *
 * - Everything in the ledger moves in one transaction, together with the rename of the reject file. A merge happens once, even if two
 *   workers attempt it at the same time.
 * - After a crash before the transaction, only a draft of the reject file is left; the next attempt writes its own.
 */
import { randomUUID } from "node:crypto"
import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Dialect from "../Database/Dialect.ts"
import * as Files from "../Files.ts"
import * as Health from "../Ledger/Health.ts"
import * as RejectLine from "../Ledger/RejectLine.ts"
import * as Runs from "../Ledger/Runs.ts"
import { inLedger, ledgerSql } from "../Ledger/Service.ts"
import { shardRows } from "../Permissions.ts"
import { decodeSaved } from "../Row/SavedValue.ts"
import { Output } from "../Step/Output.ts"
import type { Counters } from "./PartResult.ts"

/**
 * Adds the rows and bytes of shards to the outputs of a run that was merged by a worker of version 0.1, which did not count them. Has no
 * effect on other runs, or when repeated.
 */
export const countBytes = (sql: SqlClient.SqlClient, runId: string) =>
  sql`UPDATE runs SET bytes = runs.bytes + s.bytes, progress = (progress::jsonb ||
      jsonb_build_object('outputRows', row_count, 'outputBytes', runs.bytes + s.bytes))::text, output_rows = row_count
    FROM (SELECT coalesce(sum((output ->> 'bytes')::bigint), 0)::bigint AS bytes FROM parts,
        json_array_elements(result::json -> 'outputs') AS output
      WHERE run_id = ${runId} AND part >= 0 AND status = 'completed' AND output ->> 'path' !~ ${`/[.]${shardRows.slice(1)}/[^/]+$`}) AS s
    WHERE id = ${runId} AND EXISTS (SELECT 1 FROM submissions WHERE run_id = ${runId} AND adopted)
      AND progress::json ->> 'outputBytes' IS NULL`

/** A part's reject file has a line that this version does not know: a worker with a newer version wrote it. */
class RejectsUnreadable extends Data.TaggedError("RejectsUnreadable")<{
  readonly file: string
  readonly line: number
}> {
  override get message() {
    return `Line ${this.line} of ${this.file} is not a reject that this version of Sluice can read. Run all workers of the cluster with the newest version that any of them has`
  }
}

/** Concatenates the reject files of parts in this version's format; returns the number of bytes. */
export const gather = (parts: ReadonlyArray<string>, draft: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    let handle: FileSystem.File | undefined
    let bytes = 0
    for (const part of parts) {
      // A part without rejects has no file. Any other read failure fails the merge.
      if (!(yield* files.exists(part))) continue
      let number = 0
      const lines = files.stream(part).pipe(Stream.decodeText(), Stream.splitLines)
      yield* Stream.runForEachChunk(lines, (chunk) =>
        Effect.gen(function* () {
          let text = ""
          for (const line of chunk) {
            number++
            const upgraded = line === "" ? "" : RejectLine.upgrade(line)
            if (upgraded === undefined) return yield* new RejectsUnreadable({ file: part, line: number })
            text += upgraded
          }
          if (text === "") return
          if (handle === undefined) {
            yield* Files.makeFolder(files, NodePath.dirname(draft))
            handle = yield* files.open(draft, { flag: "w" })
          }
          const some = Buffer.from(text)
          yield* handle.writeAll(some)
          bytes += some.length
        })
      )
    }
    if (handle !== undefined) yield* handle.sync
    return bytes
  }).pipe(Effect.scoped)

/** Merges `runs` (first the run that read the source, then the shards) into `runId`, in order, and sets its progress to `counted`. */
export const merge = (
  runId: string,
  runs: ReadonlyArray<{ readonly id: string; readonly rejectFile: string }>,
  counted: Counters,
  rejectFile: string
) =>
  Effect.gen(function* () {
    const sql = yield* ledgerSql
    const [row] = yield* sql<{ adopted: boolean }>`SELECT adopted FROM submissions WHERE run_id = ${runId}`
    if (row?.adopted === true) return yield* Effect.asVoid(countBytes(sql, runId))
    const files = yield* FileSystem.FileSystem
    const draft = `${rejectFile}.${randomUUID()}.partial`
    const rejectBytes = yield* gather(
      runs.map(({ rejectFile }) => rejectFile),
      draft
    )
    let isNamed = rejectBytes === 0
    const progress = { ...counted, over: false, rejectBytes }
    const profiles = yield* Health.mergedProfiles(
      sql,
      runs.slice(1).map(({ id }) => id)
    )
    const group = Dialect.encodeText(runId)
    yield* Effect.gen(function* () {
      const [still] = yield* sql<{ adopted: boolean }>`SELECT adopted FROM submissions
        WHERE run_id = ${runId} FOR UPDATE`
      // Another worker has merged the parts in the meantime.
      if (still?.adopted !== false) return
      if (!isNamed) yield* files.rename(draft, rejectFile)
      isNamed = true
      const offsets = JSON.stringify(runs.map(({ id }, index) => ({ id, index, start: Runs.offsetOfPart(index) })))
      const of = sql`FROM json_to_recordset(${offsets}::json) AS o (id text, index bigint, start bigint)`
      yield* sql`UPDATE rejects SET run_id = ${runId}, seq = rejects.seq + o.start ${of} WHERE run_id = o.id`
      yield* sql`UPDATE pages SET run_id = ${runId}, seq = pages.seq + o.start ${of} WHERE run_id = o.id`
      yield* sql`UPDATE calls SET run_id = ${runId}, mark = o.index || '/' || calls.mark, answer = NULL ${of}
        WHERE run_id = o.id`
      // A subquery, because a list of ids could exceed the maximum length of a statement.
      const parts = sql`SELECT id FROM runs WHERE group_id = ${group} AND id <> ${runId}`
      yield* Health.putProfiles(sql, runId, profiles)
      yield* sql`DELETE FROM profiles WHERE run_id IN (${parts})`
      yield* sql`UPDATE runs SET
        call_credits = runs.call_credits + s.call_credits, call_unpriced = runs.call_unpriced + s.call_unpriced,
        call_pages = runs.call_pages + s.call_pages, call_count = runs.call_count + s.call_count, job_credits = runs.job_credits + s.job_credits,
        job_unpriced = runs.job_unpriced + s.job_unpriced, job_pages = runs.job_pages + s.job_pages,
        output_rows = runs.output_rows + s.output_rows, bytes = runs.bytes + s.bytes, row_count = ${counted.rows},
        reject_count = ${counted.rejects}, progress = ${JSON.stringify(progress)}
        FROM (SELECT coalesce(sum(call_credits), 0) AS call_credits, coalesce(sum(call_unpriced), 0) AS call_unpriced,
          coalesce(sum(call_pages), 0) AS call_pages, coalesce(sum(call_count), 0) AS call_count, coalesce(sum(job_credits), 0) AS job_credits,
          coalesce(sum(job_unpriced), 0) AS job_unpriced, coalesce(sum(job_pages), 0) AS job_pages,
          coalesce(sum(output_rows), 0) AS output_rows, coalesce(sum(bytes), 0) AS bytes FROM runs WHERE id IN (${parts})) AS s
        WHERE runs.id = ${runId}`
      yield* sql`DELETE FROM entries WHERE station IN (SELECT id FROM stations WHERE run_id IN (${parts}))`
      yield* sql`DELETE FROM stations WHERE run_id IN (${parts})`
      yield* sql`DELETE FROM run_texts WHERE run_id IN (${parts})`
      yield* sql`DELETE FROM runs WHERE group_id = ${group} AND id <> ${runId}`
      yield* sql`UPDATE submissions SET adopted = TRUE WHERE run_id = ${runId}`
    }).pipe(
      sql.withTransaction,
      Effect.ensuring(Effect.suspend(() => (isNamed ? Effect.void : Effect.ignore(files.remove(draft)))))
    )
  }).pipe(inLedger(`merging the parts of run ${runId}`))

/** Maximum earlier runs whose files are looked up. These runs have already removed the files of the runs before them. */
const maxEarlierRuns = 20

const decodeOutputs = decodeSaved(Schema.parseJson(Schema.Array(Output)))

/** Paths of the files that the pipeline's last runs published, from the ledger. */
export const publishedBefore = (pipeline: string, except: string) =>
  Effect.gen(function* () {
    const sql = yield* ledgerSql
    const rows = yield* sql<{ id: string; outputs: string }>`SELECT r.id, t.outputs
      FROM runs r JOIN run_texts t ON t.run_id = r.id
      WHERE r.pipeline = ${Dialect.encodeText(pipeline)} AND r.status = 'completed' AND r.id <> ${except}
        AND t.outputs IS NOT NULL
      ORDER BY r.started_at DESC, r.id DESC LIMIT ${maxEarlierRuns}`
    const outputs = yield* Either.all(rows.map(({ id, outputs }) => decodeOutputs(`The outputs of run ${id}`, outputs)))
    return new Set(outputs.flat().map(({ path }) => path))
  }).pipe(inLedger(`reading what ${pipeline} published before`))
