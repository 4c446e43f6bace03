/**
 * Stored logs of runs: whole lines in chunks, in order of arrival, readable on every machine that opens the ledger.
 *
 * - Append only. Several writers, such as the shards of a run, may add to one log. Chunks are numbered in the order of their commits, so a
 *   reader that continues after a number misses nothing.
 * - At most {@link maxBytes} per run. A full log gets one line that says so; later, only the `last` line of an `append` is stored.
 * - Deleted with the run (`Retention`).
 */
import { Buffer } from "node:buffer"
import * as Effect from "effect/Effect"
import * as Dialect from "../Database/Dialect.ts"
import { type Connection, reading, writing } from "./Connection.ts"
import type { LedgerError } from "./LedgerErrors.ts"

/** Maximum bytes of a run's log. */
export const maxBytes = 1024 * 1024
/** Maximum characters of a chunk, unless a single line is longer, and of a part that `read` returns. */
const maxChunk = 32 * 1024
const maxPart = 64 * 1024
/** Chunks read by one query; a chunk may be as short as one line. */
const batch = 1_000

const fullLine = "The log is full: later messages are not stored.\n"

/** Part of a log. */
export interface LogPart {
  readonly text: string
  /** Number of the last chunk in this part; continue after it. */
  readonly next: number
  /** True if the log has more chunks after this part. */
  readonly isMore: boolean
}

export interface Logs {
  /** Appends lines, each ending with a line feed. `last` is stored even if the log is full. */
  readonly append: (run: string, lines: ReadonlyArray<string>, last?: string) => Effect.Effect<void, LedgerError>
  /** The part after a chunk; without `after`, the end of the log, about 64 KB. */
  readonly read: (run: string, after?: number) => Effect.Effect<LogPart, LedgerError>
  readonly exists: (run: string) => Effect.Effect<boolean, LedgerError>
}

/** Chunks of the lines that still fit into a log of this many `bytes`, and of the last line. */
const chunksOf = (bytes: number, lines: ReadonlyArray<string>, last: string | undefined) => {
  const chunks: Array<{ text: string; bytes: number }> = []
  let total = bytes
  const add = (line: string) => {
    const size = Buffer.byteLength(line)
    total += size
    const open = chunks.at(-1)
    if (open === undefined || open.text.length + line.length > maxChunk) chunks.push({ text: line, bytes: total })
    else Object.assign(open, { text: open.text + line, bytes: total })
  }
  for (const line of lines) {
    if (total >= maxBytes) break
    if (total + Buffer.byteLength(line) <= maxBytes) add(line)
    else {
      // The log now counts as full, even if the next line would fit.
      total = Math.max(total, maxBytes)
      add(fullLine)
    }
  }
  if (last !== undefined) add(last)
  return chunks
}

export const make = (connection: Connection): Logs => {
  const { sql } = connection

  const append: Logs["append"] = (run, lines, last) =>
    Effect.gen(function* () {
      const [end] = yield* sql<{ seq: number; bytes: number }>`SELECT seq, bytes FROM run_logs WHERE run_id = ${run}
        ORDER BY seq DESC LIMIT 1`
      const first = Number(end?.seq ?? 0) + 1
      const [row, ...more] = chunksOf(Number(end?.bytes ?? 0), lines, last).map(({ bytes, text }, index) => ({
        run_id: run,
        seq: first + index,
        bytes,
        content: Dialect.encodeText(text)
      }))
      if (row === undefined) return true
      // Inserts nothing if another writer took the first number.
      const inserted = yield* sql`INSERT INTO run_logs ${sql.insert(row)} ON CONFLICT DO NOTHING RETURNING seq`
      if (inserted.length === 0) return false
      if (more.length > 0) yield* sql`INSERT INTO run_logs ${sql.insert(more)}`
      return true
    }).pipe(writing(connection, `storing the log of run ${run}`), Effect.repeat({ until: (isDone) => isDone }))

  return {
    append: (run, lines, last) => Effect.asVoid(append(run, lines, last)),
    read: (run, after) =>
      Effect.map(
        sql<{ seq: number; content: string }>`SELECT seq, content FROM run_logs
          WHERE run_id = ${run} AND seq > ${after ?? 0}
          ORDER BY seq ${sql.literal(after === undefined ? "DESC" : "ASC")} LIMIT ${batch}`,
        (rows) => {
          let size = 0
          const taken = rows.filter(({ content }, index) => {
            size += content.length
            return index === 0 || size <= maxPart
          })
          const shown = after === undefined ? taken.toReversed() : taken
          return {
            text: shown.map(({ content }) => Dialect.decodeText(content)).join(""),
            next: Number(shown.at(-1)?.seq ?? after ?? 0),
            isMore: after !== undefined && (taken.length < rows.length || rows.length === batch)
          }
        }
      ).pipe(reading(connection, `reading the log of run ${run}`)),
    exists: (run) =>
      Effect.map(sql`SELECT 1 FROM run_logs WHERE run_id = ${run} LIMIT 1`, (rows) => rows.length > 0).pipe(
        reading(connection, `looking for the log of run ${run}`)
      )
  }
}
