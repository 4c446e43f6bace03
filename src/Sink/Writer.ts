/**
 * Writer: an open sink, used by the step `write`.
 *
 * - Calls never overlap: any number of `write` and `commit`, then `seal` once, or `discard`.
 * - Everything in a {@link Commit} is synced to disk. A resumed run gets the last commit in the ledger, truncates the partial files there,
 *   and writes the rows after it again.
 * - Nothing appears under a final name before `seal` has succeeded and its result has been published (`Publish.ts`).
 * - Closing the scope closes file handles and keeps the partial files.
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Bindings } from "../Row/Expression.ts"
import type { Row } from "../Row.ts"
import type { Context } from "../Step/Context.ts"
import type { Sealed } from "../Step/Output.ts"
import type { SinkError } from "./SinkErrors.ts"

/** A file up to its last synced row, with everything that a resumed run needs to continue it. Saved in the ledger as JSON. */
export const CommittedFile = Schema.Struct({
  /** Final path; until the run publishes, the bytes are in the partial file beside it. */
  path: Schema.String,
  offset: Schema.Number,
  rows: Schema.Number,
  /** Saved by the sink, for example the part's number and its columns. */
  state: Schema.optional(Schema.Unknown)
})
export type CommittedFile = typeof CommittedFile.Type

/** Result of `commit`; a resumed run passes it back as {@link SinkContext.resume}. */
export interface Commit {
  readonly files: ReadonlyArray<CommittedFile>
  /** State of the sink that does not belong to a single file. */
  readonly state?: unknown
  /** Rows held in memory until their columns are known. The list only grows, until it is emptied as a whole. */
  readonly buffered?: ReadonlyArray<unknown> | undefined
}

/** Output files of one run, from the first row until they are ready to be published. */
export interface Writer {
  /** Writes all rows or none. A row that cannot be written fails the call before any byte is written; write the others without it. */
  readonly write: (rows: ReadonlyArray<Row>) => Effect.Effect<void, SinkError>
  /** Flushes and syncs everything written so far. */
  readonly commit: Effect.Effect<Commit, SinkError>
  /** Does everything that can fail before the files get their final names; returns what is left to publish. */
  readonly seal: Effect.Effect<Sealed, SinkError>
  /** Removes what was written. */
  readonly discard: Effect.Effect<void>
}

/** Writes the items of a codec to the parts of their partitions. Same contract as {@link Writer}. */
export interface PartWriter<Item> extends Pick<Writer, "discard" | "seal"> {
  /** Writes all items or none, each to its partition; `offset` is added to positions in errors. */
  readonly write: (
    items: ReadonlyArray<Item>,
    partitions: ReadonlyArray<string> | string,
    offset?: number
  ) => Effect.Effect<void, SinkError>
  readonly commit: Effect.Effect<Commit["files"], SinkError>
}

/** Upper bounds for the bytes that rows add to the files, before compression. Rows are measured once each, in write order. */
export type RowSizes = (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<number>>

/** Settings and services that a run passes to a sink. */
export interface SinkContext
  extends Pick<Context, "aliveRuns" | "heldRuns" | "mayBeHeld" | "pipeline" | "stdout" | "trials"> {
  /** Folder of relative paths (`--out`). */
  readonly folder: string
  /** Folder that no file may lie outside of, not even through links: that of a trial, or the one that a value of `${{ }}` may not leave. */
  readonly boundary?: string | undefined
  /** Values of `{runId}` and `{date}`; `runId` also names the partial files. */
  readonly names: Readonly<Record<string, string>> & { readonly runId: string }
  /** Values of `$key`, `$source`, `$run` and `$inputs` for expressions over a row (`partitionBy`). */
  readonly bindings: (row: Row) => Bindings
  /** Last commit of the interrupted run. */
  readonly resume?: Commit | undefined
  /** Fields of the sink as the definition has them; undefined outside a definition. */
  readonly written?: unknown
}
