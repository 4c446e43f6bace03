/** Files of a run as data: where a sink writes, what a file holds, and what publishing has to do. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Reader } from "../Contract/Reader.ts"
import { decodeSaved, JsonValue } from "../Row/SavedValue.ts"

/** Columns of files. */
const FileSchema = Schema.Struct({ id: Schema.String, columns: JsonValue })

/** A difference from the contract for which an output is held. */
const HeldDrift = Schema.Struct({
  step: Schema.String,
  column: Schema.String,
  expected: Schema.String,
  came: Schema.String
})

/** A file that a run has written. */
export const Output = Schema.Struct({
  path: Schema.String,
  format: Schema.String,
  rows: Schema.Number,
  /** On disk. */
  bytes: Schema.Number,
  /** Of a trial: modification time in milliseconds since 1970. */
  modified: Schema.optional(Schema.Number),
  /** Path of the manifest that lists the file; undefined without one. */
  manifest: Schema.optional(Schema.String),
  /** SHA-256 of a file that a manifest lists. */
  sha256: Schema.optional(Schema.String),
  /** Values of its partition as they stand in the path, of a file that a manifest lists. */
  partition: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })),
  /** Of a file of a shard: what its contract says to the run that publishes it. */
  contract: Schema.optional(
    Schema.Struct({ schema: FileSchema, hasEvolved: Schema.Boolean, drift: Schema.Array(HeldDrift) })
  )
})
export interface Output extends Schema.Schema.Type<typeof Output> {}

/** The files of a completed run, as its record holds them. */
export const decodeOutputs = decodeSaved(Schema.Array(Output))

/** Files of a sink, by its fields. */
export interface Destination {
  /** The format, which is also the field that holds the path: `jsonl`. */
  readonly format: string
  /** May hold `{name}`s and, before the run, `${{ }}`. `-` is standard output. */
  readonly path: string
  readonly mode: string
  /** Names in the path whose values come from rows. */
  readonly partitions: ReadonlyArray<string>
  /** True when the files have the rows in the order in which they were read. */
  readonly isOrdered?: boolean | undefined
  /** Reads the files back; undefined where the sink declares nothing. */
  readonly reader?: Reader | undefined
}

/** Writes bytes to standard output; completes when the stream has accepted them, and fails with the system's error. */
export type Stdout = (bytes: Uint8Array) => Effect.Effect<void, Error>

/** Identity of a file that a run appends to. */
export const Original = Schema.Struct({
  size: Schema.Number,
  /** Milliseconds since 1970. */
  modified: Schema.Number,
  inode: Schema.Number,
  /** True when its rows are those of a trial: a real run that appends replaces the file. */
  isOfTrial: Schema.optional(Schema.Boolean)
})
export type Original = typeof Original.Type

/** A file as a trial (`--limit`) has written it. */
export interface TrialFile {
  readonly bytes: number
  readonly modified: number
  /** True when a real run has sealed a file for the same path and is about to publish it. */
  readonly isClaimed: boolean
}

/** Files of trials, which sinks treat differently from those of real runs. */
export interface Trials {
  /** True when this run is a trial. */
  readonly isTrial: boolean
  /** By path, files whose last writer was a trial. Reads the ledger each time. */
  readonly written: Effect.Effect<ReadonlyMap<string, ReadonlyArray<TrialFile>>, Error>
}

/** A finished file under its partial name. */
export const Ready = Schema.Struct({
  ...Output.fields,
  partial: Schema.String,
  /** The file behind `path` where that is a symbolic link. */
  target: Schema.optional(Schema.String),
  /** Real path of the target when it was opened: its folders may have become links. Runs of earlier versions have none. */
  real: Schema.optional(Schema.String),
  /** The file that it was appended to, which must be unchanged. Null: there was none; undefined: any file there is replaced. */
  original: Schema.optional(Schema.NullOr(Original)),
  /** True for a manifest: the one under its name goes before the first file of the run appears, and this one comes after the last. */
  isManifest: Schema.optional(Schema.Boolean)
})
export type Ready = typeof Ready.Type

/** Instructions for publishing the files of a sink. Saved in the ledger as JSON; safe to repeat. */
export const Sealed = Schema.Struct({
  files: Schema.Array(Ready),
  /** Standard output, where the sink wrote there. */
  streams: Schema.optional(Schema.Array(Output)),
  /** Files of an earlier run that go, although no new file has their name. */
  stale: Schema.Array(Schema.String),
  /** Files of this run that go once the others have their names. */
  scraps: Schema.Array(Schema.String),
  /** The schema of the files, where the output has a contract. */
  schema: Schema.optional(FileSchema),
  /** True once the rows have changed the columns of the contract. */
  hasEvolved: Schema.optional(Schema.Boolean),
  /** Drift for which the contract holds the files. */
  drift: Schema.optional(Schema.Array(HeldDrift)),
  /** Path of the manifest, which is written also when the run has no files. */
  manifest: Schema.optional(Schema.String),
  warnings: Schema.Array(Schema.String)
})
export type Sealed = typeof Sealed.Type
