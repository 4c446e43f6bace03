/** What a sink is: one value that declares its key, its fields and how rows become files. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { Bindings } from "./Row/Expression.ts"
import type { Json, Row } from "./Row.ts"
import type { SinkError } from "./Sink/SinkErrors.ts"
import type { Sealed, Stdout, Trials } from "./Step/Output.ts"

/** A file as far as it is safe on disk; what a later run needs to go on behind it. Plain JSON. */
export interface Durable {
  /** The final path; until the run publishes, the bytes are in the partial file beside it. */
  readonly path: string
  readonly offset: number
  readonly rows: number
  /** What the sink knows of this file: its part's number, its columns. */
  readonly state?: Json | undefined
}

/** All that {@link Writer.commit} found safe; given back as `place.resume`. Plain JSON. */
export interface Commit {
  readonly files: ReadonlyArray<Durable>
  /** What the sink knows beside its files. */
  readonly state?: Json | undefined
  /** Rows that wait until it is known how they are written. They only become more, or none at once. */
  readonly held?: ReadonlyArray<Json> | undefined
}

/** An open sink. Its calls are made one after the other. */
export interface Writer {
  /** All rows or none: a row that cannot be written fails the call before a byte of it is written, and may be left out. */
  readonly write: (rows: ReadonlyArray<Row>) => Effect.Effect<void, SinkError>
  /** Everything written so far, flushed and fsynced. */
  readonly commit: Effect.Effect<Commit, SinkError>
  /** All that can go wrong before the files get their final names: the last rows, fsync. What is left to do, as data. */
  readonly seal: Effect.Effect<Sealed, SinkError>
  /** Removes what was written. Without it partial files stay, to be resumed. */
  readonly discard: Effect.Effect<void>
}

/** Where a sink writes. */
export interface Place {
  /** The folder that relative paths are under (`--out`). */
  readonly folder: string
  /** The folder that no file leaves: of a trial its own, else the one that a value of `${{ }}` may not lead out of. */
  readonly within?: string | undefined
  /** What `{runId}` and `{date}` stand for; `runId` also names the partial files. */
  readonly names: Readonly<Record<string, string>> & { readonly runId: string }
  /** `$key`, `$source`, `$run` and `$inputs` for expressions over a row (`partitionBy`). */
  readonly bindings: (row: Row) => Bindings
  /** What the interrupted run committed: its files are cut there and continued. */
  readonly resume?: Commit | undefined
  /** Without it the sink knows of no trials. */
  readonly trials?: Trials | undefined
  /** Where rows for `-` go; undefined where the run has no standard output. */
  readonly stdout?: Stdout | undefined
  /** A process that was taken for gone may still write into its files: the run goes on in files of its own. */
  readonly mayBeHeld?: boolean | undefined
}

/** A sink as it declares itself; its config is the whole value of `write`. */
export interface Sink<Key extends string = string, Config = unknown, Encoded = unknown> {
  readonly key: Key
  /** One sentence for the reference. */
  readonly summary: string
  /** A definition of the step as YAML; a test checks that it is valid. */
  readonly example: string
  readonly config: Schema.Schema<Config, Encoded>
  /** The partial files are kept when the scope closes; only their handles are closed. */
  readonly open: (config: Config, place: Place) => Effect.Effect<Writer, SinkError, FileSystem.FileSystem | Scope.Scope>
}

/** Declares a sink. */
export const make = <const Key extends string, Config, Encoded>(
  sink: Sink<Key, Config, Encoded>
): Sink<Key, Config, Encoded> => sink
