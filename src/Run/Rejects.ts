/** Rejected rows: one line each in the reject file, with the reason and the step. */
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as Folder from "../Database/Folder.ts"
import { refusal } from "../Database/Refusal.ts"
import { type Json, keyOf, type Row } from "../Row.ts"
import { takeOver } from "../Sink/File.ts"
import { StepError } from "../Step.ts"
import * as Trace from "../Telemetry/Trace.ts"

/** A line of the reject file, and a row of the ledger. */
export interface Reject {
  readonly key: string
  /** True when the key was derived from the row's first content: a page that is fetched for the row has another one. */
  readonly isDerived?: boolean | undefined
  readonly step: string
  /** Where the step is defined: `file:line:column`. */
  readonly definedAt: string
  readonly error: string
  readonly message: string
  /** Status of the page, when the row failed for it. */
  readonly status?: number | undefined
  /** Calls that were made for the row, with their retries; 0 in steps that make none. Version 0.1 did not count them. */
  readonly attempts?: number | undefined
  readonly at: string
  readonly jobId?: string | undefined
  /** Trace and span in which the row was rejected. Logs have the same ids. */
  readonly traceId?: string | undefined
  readonly spanId?: string | undefined
  /** Id of the failed request in the log of the service. */
  readonly requestId?: string | undefined
  readonly row: Json
  /** The value of `$source`. */
  readonly source?: Json | undefined
}

/** All rows were rejected because the service cut the connections, so the run fails as unreachable. Exit code 1. */
const reasonOf = (last: string | undefined): string => (last === "NetworkError" ? last : "TooManyRejects")

/** A step has reached its `stopAfter`. Exit code 3. */
export const tooManyRejects = (told: {
  readonly step: string
  readonly definedAt: string
  readonly rejects: number
  readonly allowed: number | string
  readonly file: string
  /** Undefined after a resume. */
  readonly last: StepError | undefined
}): StepError =>
  new StepError({
    reason: reasonOf(told.last?.reason),
    message: `rejected ${told.rejects} ${told.rejects === 1 ? "row" : "rows"}, and stopAfter: ${told.allowed} ends the run there${told.last === undefined ? "" : `; the last: ${told.last.message}`} (${told.rejects === 1 ? "it is" : "all of them are"} in ${told.file}). Fix what rejects them, or raise stopAfter, and run the pipeline again`,
    cause: told.last,
    step: told.step,
    definedAt: told.definedAt
  })

/** Every delivered row was rejected. Keeps older outputs instead of replacing them by empty ones. Exit code 3. */
export const allRejected = (rejects: number, { last, path }: Rejects): StepError => {
  const rows = rejects === 1 ? "the only row was" : `all ${rejects} rows were`
  const reject = last()
  const why = reject === undefined ? "" : `; the last, by ${reject.step}: ${reject.message}`
  return new StepError({
    reason: reasonOf(reject?.error),
    message: `${rows} rejected, so no output was replaced${why} (${rejects === 1 ? "it is" : "all of them are"} in ${path})`
  })
}

/** Fields of an answered call. */
const requestOf = ({ cause }: StepError): string | undefined =>
  typeof cause === "object" && cause !== null && "requestId" in cause && typeof cause.requestId === "string"
    ? cause.requestId
    : undefined

export interface Rejects {
  readonly path: string
  /** Adds a reject; the next checkpoint records it. */
  readonly add: (step: string, definedAt: string, row: Row, error: StepError) => Effect.Effect<void>
  /** Rejects since the last checkpoint. */
  readonly pending: () => ReadonlyArray<Reject>
  /** Appends them to the file, syncs it, and returns its length. */
  readonly flush: Effect.Effect<number, StepError>
  /** Called after the checkpoint with them has been committed. */
  readonly settled: () => void
  /** The newest reject. */
  readonly last: () => Reject | undefined
}

/** Path of the reject file of a run. */
export const pathIn = (folder: string): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, (paths) => paths.join(folder, "rejects.jsonl"))

/**
 * The reject file of a run. It is created with its first line, and truncated to `length` bytes on resume. Where a process
 * that lost its lock may still write to it, the resumed run continues in a copy that takes its name.
 */
export const make = (
  folder: string,
  length: number,
  { mayBeHeld = false }: { readonly mayBeHeld?: boolean } = {}
): Effect.Effect<Rejects, StepError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = yield* pathIn(folder)
    const unwritable = (cause: PlatformError.PlatformError) =>
      new StepError({
        reason: "RejectsUnwritable",
        message: `rejected rows cannot be recorded in ${path}: ${refusal(cause)}`,
        cause
      })
    const scope = yield* Effect.scope
    let pending: Array<Reject> = []
    let unwritten: Array<Reject> = []
    let last: Reject | undefined
    let size = length
    const open = yield* Effect.cached(
      Effect.gen(function* () {
        yield* Folder.make(files, folder)
        if (mayBeHeld && (yield* files.exists(path))) yield* takeOver(files, path, length)
        const handle = yield* files.open(path, { flag: (yield* files.exists(path)) ? "r+" : "w" })
        yield* handle.truncate(length)
        yield* handle.seek(length, "start")
        return handle
      }).pipe(Scope.extend(scope), Effect.mapError(unwritable))
    )
    // Lines after the last checkpoint will be written again.
    if (yield* Effect.orElseSucceed(files.exists(path), () => false)) yield* open
    return {
      path,
      add: (step, definedAt, row, error) =>
        Effect.zipWith(Clock.currentTimeMillis, Trace.here, (now, ids) => {
          last = {
            key: keyOf(row),
            isDerived: row.key === undefined,
            step,
            definedAt,
            error: error.reason,
            message: error.message,
            status: error.status,
            attempts: error.attempts ?? 0,
            at: new Date(now).toISOString(),
            jobId: row.jobId,
            ...ids,
            requestId: requestOf(error),
            row: row.data as Json,
            source: row.source as Json | undefined
          }
          pending.push(last)
          unwritten.push(last)
        }).pipe(Effect.zipLeft(Trace.note({ "error.type": error.reason }))),
      pending: () => pending,
      flush: Effect.suspend(() => {
        if (unwritten.length === 0) return Effect.succeed(size)
        const bytes = Buffer.from(
          unwritten.map((reject) => `${JSON.stringify({ ...reject, isDerived: undefined })}\n`).join("")
        )
        return Effect.flatMap(open, (handle) =>
          Effect.mapError(Effect.zipRight(handle.writeAll(bytes), handle.sync), unwritable)
        ).pipe(
          Effect.map(() => {
            unwritten = []
            size += bytes.length
            return size
          })
        )
      }),
      settled: () => {
        pending = []
      },
      last: () => last
    }
  })
