/** A page of results: the stored documents that fit, as bytes. Reads on a worker thread when the store is a file. */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { pageSize } from "../../Api/JobStatus.ts"
import { nextTurn } from "../../Callback/EventLoop.ts"
import { Owner } from "../Shares.ts"
import { view } from "../Store/Blob.ts"
import * as Worker from "../Worker.ts"
import { ChangeSignal, removed } from "./ChangeSignal.ts"
import type { Version } from "./JobRecord.ts"
import { join, type Range, selectBodies, show } from "./Slice.ts"

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

/** Bytes read at once, and held for a client who is slow to take them. */
const sliceBytes = 1024 * 1024

/** Documents handed out one by one, of which so many are looked at together. */
const documentsAtOnce = 100

interface Portion {
  /** The first position. */
  readonly from: number
  readonly count: number
  /** Of its documents. */
  readonly bytes: number
}

/** The slices that a range is read in. */
const slicesOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<Portion> => {
  const slices: Array<Portion> = []
  let at = 0
  while (at < entries.length) {
    const count = countFitting(entries.slice(at), sliceBytes)
    const portion = entries.slice(at, at + count)
    const [first] = portion
    if (first !== undefined) {
      slices.push({ from: first.position, count, bytes: portion.reduce((sum, { bytes }) => sum + bytes, 0) })
    }
    at += count
  }
  return slices
}

/** A page of results. */
export interface Page {
  readonly count: number
  /** Bytes of all slices together; undefined where that is known only once they are read, as what v1 does not show is left out then. */
  readonly length: number | undefined
  readonly slices: ReadonlyArray<Effect.Effect<Uint8Array, SqlError.SqlError>>
}

export class Results extends Effect.Service<Results>()("sluice/Engine/Jobs/Results", {
  scoped: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const reader = yield* make
    const bell = yield* ChangeSignal

    const entriesOf = (jobId: string, skip: number, limit: number) =>
      sql<Entry>`SELECT position, bytes FROM job_results WHERE job_id = ${jobId} AND position >= ${skip}
        ORDER BY position LIMIT ${limit}`

    const bodies = (jobId: string, { count, from }: Portion, version: Version) =>
      Effect.map(sql.unsafe<{ body: ArrayBuffer | Uint8Array }>(selectBodies, [jobId, from, from + count]), (rows) =>
        rows.map(({ body }) => show(view(body), version))
      )

    /** What was promised to a client is sent in full or visibly not at all. */
    const whole = (bytes: number | undefined, slice: Effect.Effect<Uint8Array, SqlError.SqlError>) =>
      Effect.filterOrDie(
        slice,
        ({ byteLength }) => (bytes === undefined ? byteLength > 0 : byteLength === bytes),
        () => new Error("Results were removed while they were sent")
      )

    /**
     * What of the results fits into an answer, and the JSON array's inside in slices of stored bytes. A page of several
     * is read beside the server, and a slice only when the one before it is on its way.
     */
    const page = Effect.fn("Results.page")(function* (jobId: string, skip: number, limit: number, version: Version) {
      const team = yield* Owner
      const entries = yield* entriesOf(jobId, skip, limit)
      const fitting = entries.slice(0, countFitting(entries))
      const bytes = fitting.reduce((sum, entry) => sum + entry.bytes, 0)
      const ranges = slicesOf(fitting)
      const read = ranges.length > 1 ? reader.beside : reader.here
      const slices = ranges.map(({ bytes, count, from }, at) =>
        whole(
          version === 2 ? bytes + count - (at === 0 ? 1 : 0) : undefined,
          read({ jobId, version, from, end: from + count, first: at === 0 }, team)
        )
      )
      const length = version === 2 ? bytes + Math.max(0, fitting.length - 1) : undefined
      return { count: fitting.length, length, slices } satisfies Page
    })

    /** The documents from a position on, one by one: a slice of them, at least one if there is one. */
    const some = Effect.fn("Results.some")(function* (jobId: string, from: number, version: Version) {
      const entries = yield* entriesOf(jobId, from, documentsAtOnce)
      const [slice] = slicesOf(entries)
      return slice === undefined ? [] : yield* bodies(jobId, slice, version)
    })

    const readers = new Map<string, number>()
    /** Jobs that were to be removed while somebody read them. */
    const postponed = new Set<string>()
    const count = (jobId: string, by: 1 | -1) =>
      Effect.suspend(() => {
        const left = (readers.get(jobId) ?? 0) + by
        if (left > 0) return Effect.sync(() => readers.set(jobId, left))
        readers.delete(jobId)
        return postponed.delete(jobId) ? bell.ring(removed) : Effect.void
      })
    /**
     * Keeps the results of a job that its team removes until the scope closes. Readers that come after the removal was postponed
     * find no job, and do not postpone it again: a client that polls would do so for ever.
     */
    const reading = (jobId: string): Effect.Effect<void, never, Scope.Scope> =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.suspend(() =>
            postponed.has(jobId) ? Effect.succeed(Effect.void) : Effect.as(count(jobId, 1), count(jobId, -1))
          ),
          (leave) => leave
        )
      )
    /** Asked by whoever is about to remove the results: they are gone soon after the last reader. */
    const isRead = (jobId: string): boolean => {
      if (readers.has(jobId)) postponed.add(jobId)
      return readers.has(jobId)
    }

    return { page, some, reading, isRead }
  })
}) {}

const heapMegabytes = 128

const program = (file: string): Worker.Program => ({
  source: new URL("./ReadThread.ts", import.meta.url),
  built: "read-thread.js",
  options: { env: {}, workerData: file, resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } }
})

/** Path of the store's file; undefined for a store in memory or on a database server. */
const fileOf = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    sqlite: () =>
      Effect.map(
        sql<{ name: string; file: string | null }>`PRAGMA database_list`,
        (rows) => rows.find(({ name }) => name === "main")?.file || undefined
      ),
    orElse: () => Effect.succeed(undefined)
  })

/** Returns two readers of a slice: `here` uses the server's own connection, `beside` the worker thread. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const file = yield* Effect.orElseSucceed(fileOf(sql), () => undefined)

  const here = (range: Range): Effect.Effect<Uint8Array, SqlError.SqlError> => {
    const { end, from, jobId } = range
    return Effect.map(sql.unsafe<{ body: ArrayBuffer | Uint8Array }>(selectBodies, [jobId, from, end]), (rows) =>
      join(
        rows.map(({ body }) => view(body)),
        range
      )
    )
  }
  /** Yields to the event loop before each slice; otherwise a fast reader would starve all other requests. */
  const inTurn = (range: Range, _team: string) => Effect.zipRight(nextTurn, here(range))
  if (file === undefined) return { here, beside: inTurn }

  const ask = yield* Worker.pool(program(file), { size: 1, idle: "1 minute" })
  let isTold = false
  const tell = (reason: string) =>
    Effect.suspend(() => {
      if (isTold) return Effect.void
      isTold = true
      return Effect.logWarning(`Large pages of results are read by the server itself, which others wait for: ${reason}`)
    })
  const beside = (range: Range, team: string) =>
    ask(team, range, (reason) => reason).pipe(
      Effect.map((slice) => slice as Uint8Array),
      Effect.catchAll((reason) => Effect.zipRight(tell(reason), inTurn(range, team)))
    )
  return { here, beside }
})
