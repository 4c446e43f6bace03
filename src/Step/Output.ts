/** The files that a run makes, as data: what is in them, and which name each of them gets at a good end. */
import type * as Effect from "effect/Effect"

/** A file that a run made. */
export interface Output {
  readonly path: string
  readonly format: string
  readonly rows: number
  /** On disk. */
  readonly bytes: number
  /** Of a trial: when the file was last modified, in milliseconds since 1970. */
  readonly modified?: number | undefined
}

/** Where a sink writes, as its fields say. */
export interface Destination {
  /** The format, which is also the field that holds the path: `jsonl`. */
  readonly format: string
  /** May hold `{name}`s and, before the run, `${{ }}`. `-` is standard output. */
  readonly path: string
  readonly mode: string
  /** Names in the path whose values come from rows. */
  readonly partitions: ReadonlyArray<string>
}

/** Standard output: takes bytes, and is done when they were handed over. Fails with the system's error. */
export type Stdout = (bytes: Uint8Array) => Effect.Effect<void, Error>

/** How a file was found. Plain JSON. */
export interface Original {
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  readonly inode: number
  /** Its rows are those of a trial: a real run that appends replaces the file. */
  readonly isOfTrial?: boolean | undefined
}

/** A file as a trial (`--limit`) has left it. */
export interface TrialFile {
  readonly bytes: number
  readonly modified: number
  /** A real run is about to publish under the same path. */
  readonly isClaimed: boolean
}

/** The files of trials, which sinks tell from those of real runs. */
export interface Trials {
  /** Whether the run at hand is a trial. */
  readonly isTrial: boolean
  /** By path, files whose last writer was a trial. Asks the ledger each time. */
  readonly written: Effect.Effect<ReadonlyMap<string, ReadonlyArray<TrialFile>>, Error>
}

/** A whole file under another name. */
export interface Ready extends Output {
  readonly partial: string
  /** The file behind `path` where that is a symbolic link. */
  readonly target?: string | undefined
  /** What it was appended to, and must still be there. Null: nothing; undefined: whatever is there is replaced. */
  readonly original?: Original | null | undefined
}

/** Files that are whole and safe under other names; carrying this out may be repeated. Plain JSON. */
export interface Sealed {
  readonly files: ReadonlyArray<Ready>
  /** What has gone to standard output. */
  readonly streams?: ReadonlyArray<Output> | undefined
  /** Files of an earlier run that the new ones replace without having their names. */
  readonly stale: ReadonlyArray<string>
  /** Files of this run that are of no use once the others have their names. */
  readonly scraps: ReadonlyArray<string>
  /** Worth a warning: fields that had no column. */
  readonly warnings: ReadonlyArray<string>
}
