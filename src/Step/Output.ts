/** Files of a run as data: where a sink writes, what a file contains, and what publishing has to do. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Reader } from "../Contract/Reader.ts"
import { decodeSaved, JsonValue, withGot } from "../Row/SavedValue.ts"

/** Schema of files: its id and columns. */
const FileSchema = Schema.Struct({ id: Schema.String, columns: JsonValue })

/** Difference from the contract because of which an output is held. */
const HeldDrift = withGot(
  Schema.Struct({ step: Schema.String, column: Schema.String, expected: Schema.String, got: Schema.String })
)

/** File written by a run. */
export const Output = Schema.Struct({
  path: Schema.String,
  format: Schema.String,
  rows: Schema.Number,
  /** Size on disk. */
  bytes: Schema.Number,
  /** For a trial: modification time in milliseconds since 1970. */
  modified: Schema.optional(Schema.Number),
  /** Path of the manifest that lists the file; undefined without one. */
  manifest: Schema.optional(Schema.String),
  /** SHA-256, for a file that a manifest lists. */
  sha256: Schema.optional(Schema.String),
  /** Values of the partition as they appear in the path, for a file that a manifest lists. */
  partition: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })),
  /** For a file of a shard: the parts of its contract that the publishing run needs. */
  contract: Schema.optional(
    Schema.Struct({ schema: FileSchema, hasEvolved: Schema.Boolean, drift: Schema.Array(HeldDrift) })
  )
})
export interface Output extends Schema.Schema.Type<typeof Output> {}

/** Decodes the files of a completed run from its record. */
export const decodeOutputs = decodeSaved(Schema.Array(Output))

/** Files that a sink writes, derived from its settings. */
export interface Destination {
  /** Format, for example `jsonl`; also the name of the field with the path. */
  readonly format: string
  /** May contain `{name}` and, before the run, `${{ }}`. `-` is standard output. */
  readonly path: string
  readonly mode: string
  /** Names in the path that are filled from rows. */
  readonly partitions: ReadonlyArray<string>
  /** True if the files have the rows in the order in which they were read. */
  readonly isOrdered?: boolean | undefined
  /** Reads the files back; undefined if the sink declares no reader. */
  readonly reader?: Reader | undefined
}

/** Writes bytes to standard output. Completes when the stream has accepted them; fails with the system's error. */
export type Stdout = (bytes: Uint8Array) => Effect.Effect<void, Error>

/** Identity of a file that a run appends to. */
export const Original = Schema.Struct({
  size: Schema.Number,
  /** Milliseconds since 1970. */
  modified: Schema.Number,
  inode: Schema.Number,
  /** True if a trial wrote its rows: a real run that appends then replaces the file. */
  isOfTrial: Schema.optional(Schema.Boolean)
})
export type Original = typeof Original.Type

/** Size and modification time of a file as a trial (`--limit`) wrote it. */
export interface TrialFile {
  readonly bytes: number
  readonly modified: number
  /** True if a real run has sealed a file for the same path and is about to publish it. */
  readonly isClaimed: boolean
}

/** Files of trials, which sinks treat differently from those of real runs. */
export interface Trials {
  /** True if this run is a trial. */
  readonly isTrial: boolean
  /** Files last written by a trial, by path. Reads the ledger each time. */
  readonly written: Effect.Effect<ReadonlyMap<string, ReadonlyArray<TrialFile>>, Error>
}

/** A finished file under its partial name. */
export const Ready = Schema.Struct({
  ...Output.fields,
  partial: Schema.String,
  /** File that `path` leads to, if it is a symbolic link. */
  target: Schema.optional(Schema.String),
  /**
   * Real path of the target when it was opened: a check before publishing finds folders replaced by links. Missing in runs of earlier
   * versions.
   */
  real: Schema.optional(Schema.String),
  /** Existing file that the rows are appended to, which must not change. Null: there was no file; undefined: any file there is replaced. */
  original: Schema.optional(Schema.NullOr(Original)),
  /** True for a manifest: the old one is removed before the first file of the run is renamed, and this one is renamed last. */
  isManifest: Schema.optional(Schema.Boolean)
})
export type Ready = typeof Ready.Type

/** Path of the file that is replaced: where a symbolic link leads to. */
export const targetOf = ({ path, target = path }: Ready): string => target

/** Instructions for publishing the files of a sink. Saved in the ledger as JSON; safe to repeat. */
export const Sealed = Schema.Struct({
  files: Schema.Array(Ready),
  /** Standard output, if the sink wrote to it. */
  streams: Schema.optional(Schema.Array(Output)),
  /** Files of an earlier run to remove, although no new file replaces them. */
  stale: Schema.Array(Schema.String),
  /** Files of this run to delete once the others have their final names. */
  scraps: Schema.Array(Schema.String),
  /** Schema of the files, if the output has a contract. */
  schema: Schema.optional(FileSchema),
  /** True once rows have changed the columns of the contract. */
  hasEvolved: Schema.optional(Schema.Boolean),
  /** Drift because of which the contract holds the files. */
  drift: Schema.optional(Schema.Array(HeldDrift)),
  /** Path of the manifest, which is written even if the run has no files. */
  manifest: Schema.optional(Schema.String),
  warnings: Schema.Array(Schema.String)
})
export type Sealed = typeof Sealed.Type
