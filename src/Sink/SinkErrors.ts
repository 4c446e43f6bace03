/** Errors of sinks: an error of one row makes it a reject; an error of a file ends the run. */

import type * as PlatformError from "@effect/platform/Error"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { fileErrorReason } from "../Files/FileErrors.ts"
import { count } from "../Row/Count.ts"
import { TypedError } from "../TypedError.ts"

/** An output folder cannot be created or written to. */
export class FolderNotWritable extends TypedError("FolderNotWritable", { scope: "step" })<{
  readonly path: string
  readonly cause: unknown
}> {
  override get message() {
    return `Cannot write ${this.path}: ${fileErrorReason(this.cause)}. Give a folder that you may write to with --out, or change its permissions.`
  }
}

/** The disk is full. Committed rows are safe, and the run can be resumed. */
export class DiskFull extends TypedError("DiskFull", { scope: "step" })<{
  readonly path: string
  readonly committed: { readonly bytes: number; readonly rows: number }
  readonly cause: unknown
}> {
  override get message() {
    const { bytes, rows } = this.committed
    return `No space left on the device of ${this.path}: ${count(rows, "row")} (${bytes} bytes) are safe in the partial file. Free some space and resume the run.`
  }
}

/** The path of an output is a folder. */
export class IsDirectory extends TypedError("IsDirectory", { scope: "step" })<{ readonly path: string }> {
  override get message() {
    return `Cannot write ${this.path}: it is a folder. Give the path of a file.`
  }
}

/** A value leads an output out of the folder of its path, or the definition has no permission to write there. */
export class OutputRefused extends TypedError("OutputRefused", { scope: "step" })<{
  readonly path: string
  readonly reason: string
}> {
  override get message() {
    return `Cannot write ${this.path}: ${this.reason}`
  }
}

/** The path of an output is a device, a FIFO or a socket. */
export class NotRegularFile extends TypedError("NotRegularFile", { scope: "step" })<{
  readonly path: string
  readonly is: string
}> {
  override get message() {
    return `Cannot write ${this.path}: it is ${this.is}, and write replaces regular files only. Give the path of a file.`
  }
}

/** The path of an output is a symbolic link that has changed, or was created, since the run began. */
export class LinkChanged extends TypedError("LinkChanged", { scope: "step" })<{
  readonly path: string
  readonly partial: string
  readonly before: string
  readonly now: string
}> {
  override get message() {
    return `${this.path} led to ${this.before} when the run began, and leads to ${this.now} now: nothing was replaced. The rows are in ${this.partial}. Put the link back and resume the run, or start it again.`
  }
}

/** A trial would replace a file that a real run, or something other than Sluice, has written. */
export class TrialReplaces extends TypedError("TrialReplaces", { scope: "step" })<{ readonly path: string }> {
  override get message() {
    return `${this.path} already exists, and a trial (--limit) replaces only files that trials have written. Run without --out, choose another --out folder, or delete the file.`
  }
}

/** The manifest in the output folder belongs to another pipeline, or Sluice cannot read it. */
export class ManifestTaken extends TypedError("ManifestTaken", { scope: "step" })<{
  readonly path: string
  /** Clause that says why the manifest is refused: `is that of pipeline "docs"`. */
  readonly reason: string
}> {
  override get message() {
    return `Cannot replace ${this.path}: it ${this.reason}. Write the outputs to a folder of their own, or delete this manifest.`
  }
}

/** The partial file of a resumed run is missing or too short. */
export class PartialMissing extends TypedError("PartialMissing", { scope: "step" })<{
  readonly path: string
  readonly expected: number
  readonly found: number | undefined
}> {
  override get message() {
    const found = this.found === undefined ? "is gone" : `has ${count(this.found, "byte")}`
    return `Cannot continue ${this.path}: ${count(this.expected, "byte")} ${this.expected === 1 ? "was" : "were"} committed, and the partial file ${found}. Start the run again instead of resuming it.`
  }
}

/** State that a sink saved with a commit does not match its schema, for example because a custom sink has changed since. */
export class CommitUnreadable extends TypedError("CommitUnreadable", { scope: "step" })<{
  readonly path: string
  readonly cause: unknown
}> {
  override get message() {
    return `Cannot resume ${this.path}: the state that its sink has saved does not fit this version of the sink. Resume with the version that began the run, or start the run again.`
  }
}

/** A finished file is missing when it should be renamed. */
export class NotPublished extends TypedError("NotPublished", { scope: "step" })<{
  readonly path: string
  readonly partial: string
}> {
  override get message() {
    return `${this.path} cannot be published: its partial file ${this.partial} is gone. Start the run again.`
  }
}

/** Error of a write that the file system refused for a reason which no other error here describes. */
export class WriteFailed extends TypedError("WriteFailed", { scope: "step" })<{
  readonly path: string
  readonly cause: unknown
}> {
  override get message() {
    return `Writing ${this.path} failed: ${fileErrorReason(this.cause)}. Fix the cause, then resume the run or start it again.`
  }
}

/** A row has a field without a column, and the definition treats that as an error. */
export class NewField extends TypedError("NewField", { scope: "row" })<{
  readonly column: string
  /** Position of the row in the batch. */
  readonly index: number
}> {
  override get message() {
    return `Field "${this.column}" has no column: add it to columns, or set onNewField to drop.`
  }
}

/** A value does not fit its column's type. */
export class ColumnMismatch extends TypedError("ColumnMismatch", { scope: "row" })<{
  readonly column: string
  readonly expected: string
  readonly actual: string
  readonly index: number
}> {
  override get message() {
    return `Column "${this.column}" accepts ${this.expected}, got ${this.actual}: convert the value in a select step before, or choose another type in columns.`
  }
}

/** The file to append to has another header. */
export class HeaderMismatch extends TypedError("HeaderMismatch", { scope: "step" })<{
  readonly path: string
  readonly expected: string
  readonly found: string
}> {
  override get message() {
    return `Cannot append to ${this.path}: its first line is ${this.found}, but the columns of this run need ${this.expected}. Use the same columns, or mode: replace.`
  }
}

/** A row cannot be encoded: for example, it contains itself, or the codec of a custom sink threw an error. */
export class Unserializable extends TypedError("Unserializable", { scope: "row" })<{
  /** Format of the sink, for example `jsonl`. */
  readonly format: string
  readonly index: number
  readonly cause: unknown
}> {
  override get message() {
    return `A row cannot be written as ${this.format}: ${String(this.cause)}.`
  }
}

/** An expression of `partitionBy` fails for a row. */
export class PartitionFailed extends TypedError("PartitionFailed", { scope: "row" })<{
  readonly name: string
  readonly index: number
  readonly cause: Error
}> {
  override get message() {
    return `partitionBy.${this.name} has no value for a row: ${this.cause.message}.`
  }
}

/** The file to append to has changed during the run. */
export class OriginalChanged extends TypedError("OriginalChanged", { scope: "step" })<{
  readonly path: string
  readonly partial: string
}> {
  override get message() {
    return `${this.path} has changed since this run began to append to it: the file was left as it is. Its earlier content, followed by this run's rows, is in ${this.partial}. Start the run again.`
  }
}

/** The file to append to is not compressed, but the output is. */
export class NotGzip extends TypedError("NotGzip", { scope: "step" })<{ readonly path: string }> {
  override get message() {
    return `Cannot append to ${this.path}: it is not compressed with gzip. Use gzip: false or another path, or mode: replace.`
  }
}

/** Two steps of one run write the same file. */
export class PathTaken extends TypedError("PathTaken", { scope: "step" })<{ readonly path: string }> {
  override get message() {
    return `${this.path} is written by two steps of this pipeline at once: give one of them another path.`
  }
}

/** The path of an output is `-`, but the run has no standard output. */
export class NoStdout extends TypedError("NoStdout", { scope: "step" }) {
  override get message() {
    return 'Cannot write to "-": only sluice run, resume and replay on this machine, without --json, have a standard output for rows; schedules, workers, the dashboard and programs do not. Give the path of a file.'
  }
}

/** Two steps of one run write to standard output. */
export class StdoutTaken extends TypedError("StdoutTaken", { scope: "step" }) {
  override get message() {
    return 'Two steps of this pipeline write to standard output: keep "-" for one of them, and give the other one the path of a file.'
  }
}

/** The reader of standard output has closed it. */
export class StdoutClosed extends TypedError("StdoutClosed", { scope: "step" }) {
  override get message() {
    return "The reader of standard output has closed it: rows after the last commit will be written again on resume."
  }
}

/** Error of one row, at `index` in the batch. The other rows of the batch can still be written. */
export type RowError = NewField | ColumnMismatch | Unserializable | PartitionFailed

/** Error of a file, which ends the run. */
export type FileError =
  | CommitUnreadable
  | FolderNotWritable
  | DiskFull
  | IsDirectory
  | LinkChanged
  | ManifestTaken
  | NoStdout
  | NotRegularFile
  | PartialMissing
  | NotGzip
  | NotPublished
  | OriginalChanged
  | OutputRefused
  | PathTaken
  | StdoutClosed
  | StdoutTaken
  | TrialReplaces
  | WriteFailed
  | HeaderMismatch

/** All errors of `write`. */
export type SinkError = RowError | FileError

/** True for an error of one row, which becomes a reject; all other errors end the run. */
export const isRowError = (error: SinkError): error is RowError => error.scope === "row"

const codeOf = (error: PlatformError.PlatformError): string =>
  String((error as { readonly cause?: { readonly code?: unknown } }).cause?.code ?? "")

/** Turns an error of the file system into one that says what the user can do about it. */
export const fileError =
  (path: string, committed: DiskFull["committed"] = { bytes: 0, rows: 0 }) =>
  (cause: PlatformError.PlatformError): FileError => {
    const code = codeOf(cause)
    if (code === "ENOSPC" || code === "EDQUOT") return new DiskFull({ path, committed, cause })
    if (code === "EISDIR") return new IsDirectory({ path })
    if (["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST", "ENOENT", "ENAMETOOLONG", "ELOOP"].includes(code)) {
      return new FolderNotWritable({ path, cause })
    }
    return new WriteFailed({ path, cause })
  }

/**
 * Works on several files at once, as many as Node has threads. After a failure it starts no more files and waits for those already started:
 * `Effect.forEach` alone may return while one of its fibers is still running.
 */
export const onEach = <A, E>(
  files: Iterable<A>,
  work: (file: A) => Effect.Effect<unknown, E>
): Effect.Effect<void, E> =>
  Effect.suspend(() => {
    const all = [...files]
    const [first] = all
    if (first === undefined) return Effect.void
    if (all.length === 1) return Effect.asVoid(work(first))
    let failed: Cause.Cause<E> = Cause.empty
    const attempt = (file: A) =>
      Cause.isEmpty(failed)
        ? Effect.catchAllCause(work(file), (cause) =>
            Effect.sync(() => {
              if (Cause.isEmpty(failed)) failed = cause
            })
          )
        : Effect.void
    return Effect.zipRight(
      Effect.forEach(all, attempt, { concurrency: 4, discard: true }),
      Effect.suspend(() => (Cause.isEmpty(failed) ? Effect.void : Effect.failCause(failed)))
    )
  })

/** After the first failure, makes every call fail; failures of single rows do not count. */
export const makeGuard = () => {
  let failure: SinkError | undefined
  return <A>(effect: Effect.Effect<A, SinkError>): Effect.Effect<A, SinkError> =>
    Effect.suspend((): Effect.Effect<A, SinkError> => (failure === undefined ? effect : Effect.fail(failure))).pipe(
      Effect.tapError((error) =>
        Effect.sync(() => {
          if (!isRowError(error)) failure = error
        })
      )
    )
}
