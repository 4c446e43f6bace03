/**
 * Writer: an open sink, as the step `write` drives it.
 *
 * - Calls come one after the other: `write` and `commit` in any number, then `seal` once, or `discard`.
 * - What a {@link Commit} names is synced to disk. A resumed run gets the last commit that the ledger has, cuts the partial files there and
 *   writes the rows behind it again.
 * - Nothing appears under a final name before `seal` has succeeded and its result has been published (`Publish.ts`).
 * - Closing the scope closes file handles and keeps the partial files.
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Bindings } from "../Row/Expression.ts"
import type { Row } from "../Row.ts"
import type { Sealed, Stdout, Trials } from "../Step/Output.ts"
import type { SinkError } from "./SinkErrors.ts"

/** A file up to its last synced row, with all that a resumed run needs to continue it. Saved in the ledger as JSON. */
export const CommittedFile = Schema.Struct({
  /** The final path; until the run publishes, the bytes are in the partial file beside it. */
  path: Schema.String,
  offset: Schema.Number,
  rows: Schema.Number,
  /** Saved by the sink: the part's number, its columns. */
  state: Schema.optional(Schema.Unknown)
})
export type CommittedFile = typeof CommittedFile.Type

/** Result of `commit`; a resumed run gives it back as {@link SinkContext.resume}. */
export interface Commit {
  readonly files: ReadonlyArray<CommittedFile>
  /** State of the sink that belongs to no single file. */
  readonly state?: unknown
  /** Rows that wait in memory until their columns are known. The list only grows, until it is emptied at once. */
  readonly buffered?: ReadonlyArray<unknown> | undefined
}

/** Output files of one run, from the first row until they are ready to be published. */
export interface Writer {
  /** Writes all rows or none. A row that cannot be written fails the call before any byte is written; write the others without it. */
  readonly write: (rows: ReadonlyArray<Row>) => Effect.Effect<void, SinkError>
  /** Flushes and syncs everything written so far. */
  readonly commit: Effect.Effect<Commit, SinkError>
  /** Does everything that can fail before the files get their final names; returns what is left to do. */
  readonly seal: Effect.Effect<Sealed, SinkError>
  /** Removes what was written. */
  readonly discard: Effect.Effect<void>
}

/** Writes the items of a codec to the parts of their partitions. Contract as for {@link Writer}. */
export interface PartWriter<Item> extends Pick<Writer, "discard" | "seal"> {
  /** Writes all items or none, each to its partition; `offset` is added to the position that an error names. */
  readonly write: (
    items: ReadonlyArray<Item>,
    partitions: ReadonlyArray<string> | string,
    offset?: number
  ) => Effect.Effect<void, SinkError>
  readonly commit: Effect.Effect<Commit["files"], SinkError>
}

/** Upper bound of the bytes that each row adds to the files, before compression. Each row is measured once, in the order of writing. */
export type RowSizes = (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<number>>

/** Settings and services that the run gives to a sink. */
export interface SinkContext {
  /** The folder that relative paths are under (`--out`). */
  readonly folder: string
  /** No file may lie outside this folder, also through links: that of a trial, or the one that a value of `${{ }}` may not leave. */
  readonly boundary?: string | undefined
  /** Values of `{runId}` and `{date}`; `runId` also names the partial files. */
  readonly names: Readonly<Record<string, string>> & { readonly runId: string }
  /** `$key`, `$source`, `$run` and `$inputs` for expressions over a row (`partitionBy`). */
  readonly bindings: (row: Row) => Bindings
  /** Last commit of the interrupted run. */
  readonly resume?: Commit | undefined
  /** The sink's fields as the definition has them; undefined outside of a definition. */
  readonly written?: unknown
  /** Name of the pipeline, which a manifest in the folder must have. */
  readonly pipeline?: string | undefined
  /** Undefined where the ledger knows no trials. */
  readonly trials?: Trials | undefined
  /** Destination of `-`; undefined where the run has no standard output. */
  readonly stdout?: Stdout | undefined
  /** True when another process may still write into the partial files: the run continues in copies of them. */
  readonly mayBeHeld?: boolean | undefined
}
