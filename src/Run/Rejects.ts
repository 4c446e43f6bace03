/** Rows that could not go on: one line each, with the reason and the place, never lost, never silent. */
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { keyOf, type Row } from "../Row.ts"
import * as Folder from "../Sink/Folder.ts"
import { StepError } from "../Step.ts"

/** A line of the reject file. */
export interface Reject {
  readonly key: string
  readonly step: string
  /** Where the step is defined: `file:line:column`. */
  readonly definedAt: string
  readonly error: string
  readonly message: string
  readonly at: string
  readonly jobId?: string | undefined
  readonly row: unknown
}

/** A step turned away more rows than its `stopAfter` allows. Exit code 3. */
export const tooManyRejects = (told: {
  readonly step: string
  readonly definedAt: string
  readonly rejects: number
  readonly allowed: number | string
  readonly file: string
  readonly last: StepError
}): StepError =>
  new StepError({
    reason: "TooManyRejects",
    message: `rejected ${told.rejects} rows, more than stopAfter: ${told.allowed} allows; the last: ${told.last.message} (all of them are in ${told.file})`,
    cause: told.last,
    step: told.step,
    definedAt: told.definedAt
  })

/** A run of which nothing is left: an older output is worth more than an empty one. Exit code 3. */
export const allRejected = (rejects: number, { last, path }: RejectFile): Effect.Effect<never, StepError> =>
  Effect.flatMap(last, (reject) => {
    const rows = rejects === 1 ? "the only row was" : `all ${rejects} rows were`
    const why = reject === undefined ? "" : `; the last, by ${reject.step}: ${reject.message}`
    return new StepError({
      reason: "TooManyRejects",
      message: `${rows} rejected, so no output was replaced${why} (${rejects === 1 ? "it is" : "all of them are"} in ${path})`
    })
  })

export interface RejectFile {
  readonly path: string
  /** Makes its folder: before anything is paid for, so that no reject is lost for want of one. */
  readonly prepare: Effect.Effect<void, StepError>
  /** The newest reject. */
  readonly last: Effect.Effect<Reject | undefined>
  readonly write: (step: string, definedAt: string, row: Row, error: StepError) => Effect.Effect<void, StepError>
}

/** The reject file of a run; it comes into being with its first line, its folder when {@link RejectFile.prepare} is run. */
export const make = (folder: string): Effect.Effect<RejectFile, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = (yield* Path.Path).join(folder, "rejects.jsonl")
    const one = yield* Effect.makeSemaphore(1)
    const last = yield* Ref.make<Reject | undefined>(undefined)
    const unwritable = (cause: PlatformError.PlatformError) =>
      new StepError({
        reason: "RejectsUnwritable",
        message: `rejected rows cannot be recorded in ${path}: ${cause.message}`,
        cause
      })
    const prepare = yield* Effect.cached(Effect.mapError(Folder.make(files, folder), unwritable))
    const write: RejectFile["write"] = (step, definedAt, row, error) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const reject: Reject = {
          key: keyOf(row),
          step,
          definedAt,
          error: error.reason,
          message: error.message,
          at: new Date(now).toISOString(),
          jobId: row.jobId,
          row: row.data
        }
        yield* files.writeFileString(path, `${JSON.stringify(reject)}\n`, { flag: "a" })
        yield* Ref.set(last, reject)
      }).pipe(one.withPermits(1), Effect.mapError(unwritable))
    return { path, prepare, last: Ref.get(last), write }
  })
