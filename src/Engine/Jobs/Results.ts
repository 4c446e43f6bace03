/** Reads stored results in pages of limited size, as bytes. If the store is a file, a worker thread reads pages of several slices. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { pageSize } from "../../Api/JobStatus.ts"
import { nextTurn } from "../../Callback/EventLoop.ts"
import type { Program } from "../../Callback/Threads.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { failing, Sql } from "../Store/Sql.ts"
import { Owner } from "../Teams/FairQueue.ts"
import * as Worker from "../Teams/WorkerThread.ts"
import { ChangeSignal, removed } from "./ChangeSignal.ts"
import type { Version } from "./JobRecord.ts"
import { documentOf, join, type Range, type StoredDocument, selectDocuments } from "./ResultSlice.ts"

interface Entry {
  readonly position: number
  readonly bytes: number
}

/** Number of leading entries that fit: at least one, even if it is too large. */
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

/** Bytes read at once and held in memory for a slow client. */
const sliceBytes = 1024 * 1024

/** Maximum entries that `some` looks up. */
const documentsAtOnce = 100

interface SliceRange {
  readonly from: number
  readonly count: number
  readonly bytes: number
}

/** Divides entries into slices. */
const slicesOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<SliceRange> => {
  const slices: Array<SliceRange> = []
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

export interface Page {
  readonly count: number
  /** Bytes of all slices; undefined for v1, whose documents are shortened when they are read. */
  readonly length: number | undefined
  readonly slices: ReadonlyArray<Effect.Effect<Uint8Array>>
}

export class Results extends Effect.Service<Results>()("sluice/Engine/Jobs/Results", {
  scoped: Effect.gen(function* () {
    const sql = yield* Sql
    const reader = yield* make
    const changes = yield* ChangeSignal

    const entriesOf = (jobId: string, skip: number, limit: number) =>
      sql<Entry>`SELECT position, bytes FROM job_results WHERE job_id = ${jobId} AND position >= ${skip}
        ORDER BY position LIMIT ${limit}`

    const bodies = (jobId: string, { count, from }: SliceRange, version: Version) =>
      Effect.map(sql.unsafe<StoredDocument>(selectDocuments, [jobId, from, from + count]), (rows) =>
        rows.map((row) => documentOf(row, version))
      )

    /** Dies if a slice is incomplete, so that the client does not mistake a truncated response for a whole one. */
    const whole = (bytes: number | undefined, slice: Effect.Effect<Uint8Array>) =>
      Effect.filterOrDie(
        slice,
        ({ byteLength }) => (bytes === undefined ? byteLength > 0 : byteLength === bytes),
        () => new Error("Results were removed while they were sent")
      )

    /**
     * Returns the results that fit into one response, as elements of a JSON array, in slices of stored bytes. Each slice is read when the
     * previous one has been sent.
     */
    const page = Trace.fn("Results.page")(function* (jobId: string, skip: number, limit: number, version: Version) {
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

    /** Returns the next documents from a position on, up to one slice. */
    const some = Trace.fn("Results.some")(function* (jobId: string, from: number, version: Version) {
      const entries = yield* entriesOf(jobId, from, documentsAtOnce)
      const [slice] = slicesOf(entries)
      return slice === undefined ? [] : yield* bodies(jobId, slice, version)
    })

    const readers = new Map<string, number>()
    /** Jobs whose removal waits for readers. */
    const postponed = new Set<string>()
    const count = (jobId: string, by: 1 | -1) =>
      Effect.suspend(() => {
        const left = (readers.get(jobId) ?? 0) + by
        if (left > 0) return Effect.sync(() => readers.set(jobId, left))
        readers.delete(jobId)
        return postponed.delete(jobId) ? changes.notify(removed) : Effect.void
      })
    /**
     * Keeps the results readable until the scope closes, even if the team removes the job. Readers that arrive after the removal was
     * postponed do not postpone it again: a polling client would postpone it forever, and the job can no longer be found anyway.
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
    /**
     * True while the job's results are being read. Call it before deleting them: if they are, the last reader signals `removed` when it is
     * done.
     */
    const isRead = (jobId: string): boolean => {
      if (readers.has(jobId)) postponed.add(jobId)
      return readers.has(jobId)
    }

    return { page, some, reading, isRead }
  })
}) {}

const heapMegabytes = 128

const program = (file: string): Program => ({
  source: new URL("./ReadThread.ts", import.meta.url),
  built: "read-thread.js",
  options: { env: {}, workerData: file, resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } }
})

/** Path of the store's file; undefined for a store in memory or on a database server. */
const fileOf = (sql: Sql) =>
  sql.onDialectOrElse({
    sqlite: () =>
      Effect.map(
        sql<{ name: string; file: string | null }>`PRAGMA database_list`,
        (rows) => rows.find(({ name }) => name === "main")?.file || undefined
      ),
    orElse: () => Effect.succeed(undefined)
  })

/** Two ways to read a slice: `here` uses the server's connection, `beside` the worker thread. */
export const make = Effect.gen(function* () {
  const sql = yield* Sql
  const file = yield* Effect.orElseSucceed(failing(fileOf(sql)), () => undefined)

  const here = (range: Range): Effect.Effect<Uint8Array> => {
    const { end, from, jobId } = range
    return Effect.map(sql.unsafe<StoredDocument>(selectDocuments, [jobId, from, end]), (rows) => join(rows, range))
  }
  /** Yields to the event loop before each slice; otherwise a fast reader would starve all other requests. */
  const inTurn = (range: Range, _team: string) => Effect.zipRight(nextTurn, here(range))
  if (file === undefined) return { here, beside: inTurn }

  const threads = yield* Worker.pool(program(file), { size: 1, idle: "1 minute" })
  let hasWarned = false
  const warn = (reason: string) =>
    Effect.suspend(() => {
      if (hasWarned) return Effect.void
      hasWarned = true
      return Effect.logWarning(
        `The worker thread for large results failed, so the main thread reads them and cannot do other work meanwhile: ${reason}`
      )
    })
  const beside = (range: Range, team: string) =>
    threads
      .ask(team, range, (reason) => reason)
      .pipe(
        Effect.map((slice) => slice as Uint8Array),
        Effect.catchAll((reason) => Effect.zipRight(warn(reason), inTurn(range, team)))
      )
  return { here, beside }
})
