/** A page of results: which of the stored documents fit, and their bytes as they are (spec 2.7). */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { pageSize } from "../../Api/JobStatus.ts"
import { turn } from "../../Database/Turn.ts"
import { view } from "../Store/Blob.ts"

interface Entry {
  readonly position: number
  readonly bytes: number
}

/** How many of the entries fit: at least one, whatever its size. */
export const countFitting = (
  entries: ReadonlyArray<Pick<Entry, "bytes">>,
  maxBytes: number = pageSize.bytes
): number => {
  let sum = 0
  for (const [count, { bytes }] of entries.entries()) {
    sum += bytes
    if (sum > maxBytes) return Math.max(1, count)
  }
  return entries.length
}

/** Bytes read at once: the driver blocks while it reads, so it reads little and often. */
const sliceBytes = 1024 * 1024

/** Documents handed out one by one, of which so many are looked at together. */
const documentsAtOnce = 100

const comma = Buffer.from(",")

/** The slices that a range is read in. */
const slicesOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<readonly [number, number]> => {
  const slices: Array<readonly [number, number]> = []
  let from = 0
  while (from < entries.length) {
    const count = countFitting(entries.slice(from), sliceBytes)
    const first = entries[from]
    if (first !== undefined) slices.push([first.position, first.position + count])
    from += count
  }
  return slices
}

/** A page of results. */
export interface Page {
  readonly count: number
  /** Bytes of all slices together. */
  readonly length: number
  readonly slices: ReadonlyArray<Effect.Effect<Uint8Array, SqlError.SqlError>>
}

export class Results extends Effect.Service<Results>()("sluice/Engine/Jobs/Results", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const entriesOf = (jobId: string, skip: number, limit: number) =>
      sql<Entry>`SELECT position, bytes FROM job_results WHERE job_id = ${jobId} AND position >= ${skip}
        ORDER BY position LIMIT ${limit}`

    const bodies = (jobId: string, [from, end]: readonly [number, number]) =>
      Effect.map(
        sql<{ body: ArrayBuffer | Uint8Array }>`SELECT body FROM job_results
          WHERE job_id = ${jobId} AND position >= ${from} AND position < ${end} ORDER BY position`,
        (rows) => rows.map(({ body }) => view(body))
      )

    const read = (jobId: string, range: readonly [number, number]) =>
      Effect.map(bodies(jobId, range), (documents) =>
        documents.flatMap((body, at) => (at === 0 ? [body] : [comma, body]))
      )

    /**
     * What of the results fits into an answer, and the JSON array's inside in slices of stored bytes. Between two of
     * them everybody else has a turn: a reader that is fast enough would otherwise have the engine to itself.
     */
    const page = Effect.fn("Results.page")(function* (jobId: string, skip: number, limit: number) {
      const entries = yield* entriesOf(jobId, skip, limit)
      const fitting = entries.slice(0, countFitting(entries))
      const bytes = fitting.reduce((sum, entry) => sum + entry.bytes, 0)
      const slices = slicesOf(fitting).map((range, at) =>
        at === 0
          ? Effect.map(read(jobId, range), (parts) => Buffer.concat(parts))
          : Effect.map(Effect.zipRight(turn, read(jobId, range)), (parts) => Buffer.concat([comma, ...parts]))
      )
      return { count: fitting.length, length: bytes + Math.max(0, fitting.length - 1), slices } satisfies Page
    })

    /** The documents from a position on, as they are stored: a slice of them, at least one if there is one. */
    const some = Effect.fn("Results.some")(function* (jobId: string, from: number) {
      const entries = yield* entriesOf(jobId, from, documentsAtOnce)
      const [slice] = slicesOf(entries)
      return slice === undefined ? [] : yield* bodies(jobId, slice)
    })

    return { page, some }
  })
}) {}
