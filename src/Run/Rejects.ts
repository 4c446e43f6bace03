/** Rows that could not go on: one line each, with the reason and the place, never lost, never silent. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { keyOf, type Row } from "../Row.ts"
import { StepError } from "../Step.ts"

/** A line of the reject file. */
export interface Reject {
  readonly key: string
  readonly step: string
  /** Where the step is defined: `file:line:column`. */
  readonly definedAt: string
  readonly error: string
  readonly message: string
  readonly attempts: number
  readonly at: string
  readonly jobId?: string | undefined
  readonly row: unknown
}

/** A step turned away more rows than its `stopAfter` allows. Exit code 3. */
export const tooManyRejects = (
  step: string,
  rejects: number,
  allowed: string,
  file: string,
  last: StepError
): StepError =>
  new StepError({
    reason: "TooManyRejects",
    message: `${step} rejected ${rejects} rows, more than stopAfter: ${allowed} allows; the last: ${last.message} (all of them are in ${file})`,
    cause: last
  })

/** A run of which nothing is left: an older output is worth more than an empty one. Exit code 3. */
export const allRejected = (rejects: number, file: string): StepError =>
  new StepError({
    reason: "TooManyRejects",
    message: `all ${rejects} rows were rejected, so no output was replaced; the reasons are in ${file}`
  })

export interface RejectFile {
  readonly path: string
  readonly write: (step: string, definedAt: string, row: Row, error: StepError) => Effect.Effect<void, StepError>
}

/** The reject file of a run; it comes into being with its first line. */
export const make = (folder: string): Effect.Effect<RejectFile, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = (yield* Path.Path).join(folder, "rejects.jsonl")
    const one = yield* Effect.makeSemaphore(1)
    const write: RejectFile["write"] = (step, definedAt, row, error) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const reject: Reject = {
          key: keyOf(row),
          step,
          definedAt,
          error: error.reason,
          message: error.message,
          attempts: error.attempts ?? 1,
          at: new Date(now).toISOString(),
          jobId: row.jobId,
          row: row.data
        }
        yield* files.makeDirectory(folder, { recursive: true })
        yield* files.writeFileString(path, `${JSON.stringify(reject)}\n`, { flag: "a" })
      }).pipe(
        one.withPermits(1),
        Effect.mapError(
          (cause) =>
            new StepError({
              reason: "RejectsUnwritable",
              message: `a rejected row cannot be recorded in ${path}: ${cause.message}`,
              cause
            })
        )
      )
    return { path, write }
  })
