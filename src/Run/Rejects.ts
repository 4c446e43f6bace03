/** Rows that could not go on: one line each, with the reason and the place, never lost, never silent. */
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
  /** What the site answered, of a page that failed for its status. */
  readonly status?: number | undefined
  /** Calls that were made for the row, with their retries; 0 in steps that make none. Version 0.1 did not count them. */
  readonly attempts?: number | undefined
  readonly at: string
  readonly jobId?: string | undefined
  /** The trace in which it was turned away, with the span where somebody looked at them; logs have the same ids. */
  readonly traceId?: string | undefined
  readonly spanId?: string | undefined
  /** The request that failed, as the service calls it in its log. */
  readonly requestId?: string | undefined
  readonly row: Json
  /** What `$source` was for it. */
  readonly source?: Json | undefined
}

/** No row is to blame for connections that the service cut: such a run has failed like one that did not reach it at all. Exit code 1. */
const reasonOf = (last: string | undefined): string => (last === "NetworkError" ? last : "TooManyRejects")

/** A step has rejected as many rows as its `stopAfter` says. Exit code 3. */
export const tooManyRejects = (told: {
  readonly step: string
  readonly definedAt: string
  readonly rejects: number
  readonly allowed: number | string
  readonly file: string
  /** Undefined when it was in an earlier process. */
  readonly last: StepError | undefined
}): StepError =>
  new StepError({
    reason: reasonOf(told.last?.reason),
    message: `rejected ${told.rejects} ${told.rejects === 1 ? "row" : "rows"}, and stopAfter: ${told.allowed} ends the run there${told.last === undefined ? "" : `; the last: ${told.last.message}`} (${told.rejects === 1 ? "it is" : "all of them are"} in ${told.file}). Fix what rejects them, or raise stopAfter, and run the pipeline again`,
    cause: told.last,
    step: told.step,
    definedAt: told.definedAt
  })

/** A run of which nothing is left: an older output is worth more than an empty one. Exit code 3. */
export const allRejected = (rejects: number, { last, path }: Rejects): StepError => {
  const rows = rejects === 1 ? "the only row was" : `all ${rejects} rows were`
  const reject = last()
  const why = reject === undefined ? "" : `; the last, by ${reject.step}: ${reject.message}`
  return new StepError({
    reason: reasonOf(reject?.error),
    message: `${rows} rejected, so no output was replaced${why} (${rejects === 1 ? "it is" : "all of them are"} in ${path})`
  })
}

/** Of a call that was answered. */
const requestOf = ({ cause }: StepError): string | undefined =>
  typeof cause === "object" && cause !== null && "requestId" in cause && typeof cause.requestId === "string"
    ? cause.requestId
    : undefined

export interface Rejects {
  readonly path: string
  /** Adds a reject; the next checkpoint records it. */
  readonly add: (step: string, definedAt: string, row: Row, error: StepError) => Effect.Effect<void>
  /** Those that no checkpoint has yet. */
  readonly pending: () => ReadonlyArray<Reject>
  /** Appends them to the file, flushed, and gives its length. */
  readonly flush: Effect.Effect<number, StepError>
  /** They are part of a checkpoint now. */
  readonly settled: () => void
  /** The newest reject. */
  readonly last: () => Reject | undefined
}

/** Where the rejects of a run are, when there are any. */
export const pathIn = (folder: string): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, (paths) => paths.join(folder, "rejects.jsonl"))

/**
 * The reject file of a run: it comes into being with its first line, and is cut to `length` bytes when the run goes on.
 * Where a process that was taken for gone may still hold it, the run goes on in another file under its name.
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
    // Lines behind the last checkpoint will be written again.
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
