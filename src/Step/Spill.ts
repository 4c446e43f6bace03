/**
 * Spill of a step: keeps rows that do not fit into memory in sorted files, and a log of the rows that are still in memory.
 *
 * - `add` logs a row that is held in memory, so that checkpoints include it and a resumed run can read it back with `readLogs`.
 * - `seal` writes all rows that are held in memory as one sorted file, which replaces the log.
 * - `save` syncs the log and returns the names and lengths of all files. Files that are no longer needed are removed one checkpoint later:
 *   until then the last checkpoint may refer to them.
 * - After a crash `open` finds the files of the last checkpoint and removes all others.
 * - `compact` merges files as long as there are too many to merge at once.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { type LineOrder, Merge } from "./Merge.ts"
import { LineReader, ScratchFile, ScratchFolder, type ScratchWriter } from "./Scratch.ts"
import type { StepError } from "./StepError.ts"

export const SavedSpill = Schema.Struct({
  /** Sorted files, in the order of their rows. */
  runs: Schema.Array(ScratchFile),
  logs: Schema.Array(ScratchFile)
})
export type SavedSpill = typeof SavedSpill.Type

/** Maximum lines and characters to take from a merge at once. */
export const linesAtOnce = 1000
export const charactersAtOnce = 4_000_000

export class Spill {
  readonly folder: ScratchFolder
  #runs: ReadonlyArray<ScratchFile>
  /** Logs of earlier processes. */
  #logs: ReadonlyArray<ScratchFile>
  #log: ScratchWriter | undefined
  #waiting: Array<string> = []
  /** Files not needed since the last save, and since the one before it. */
  #unused: Array<string> = []
  #removable: ReadonlyArray<string> = []
  /** Runs one operation at a time: the end of a step seals on its own fiber while checkpoints are taken. */
  readonly #alone = Effect.unsafeMakeSemaphore(1).withPermits(1)

  private constructor(folder: ScratchFolder, { logs, runs }: SavedSpill) {
    this.folder = folder
    this.#runs = runs
    this.#logs = logs
  }

  static open(path: string, saved: SavedSpill = { runs: [], logs: [] }): Effect.Effect<Spill, StepError, Scope.Scope> {
    return Effect.gen(function* () {
      const folder = yield* ScratchFolder.open(path)
      yield* folder.keepOnly([...saved.runs, ...saved.logs])
      return new Spill(folder, saved)
    })
  }

  /** False as long as nothing is logged or on disk. */
  get isUsed(): boolean {
    return this.#runs.length + this.#logs.length > 0 || this.#log !== undefined || this.#waiting.length > 0
  }

  get runs(): ReadonlyArray<ScratchFile> {
    return this.#runs
  }

  /** After a resume, passes the logged rows to `use`, in order. */
  readLogs(use: (line: string) => void): Effect.Effect<void, StepError> {
    return Effect.forEach(
      this.#logs,
      (log) => Effect.flatMap(LineReader.open(this.folder, log), (reader) => reader.forEach(use)),
      { discard: true }
    )
  }

  /** Logs a row; `flush` and `save` write it. */
  add(line: string): void {
    this.#waiting.push(line)
  }

  /** Writes logged rows to the log, and to disk once they fill a block. */
  readonly flush: Effect.Effect<void, StepError> = Effect.suspend(() => this.#alone(this.#flush))

  readonly #flush: Effect.Effect<void, StepError> = Effect.suspend(() => {
    if (this.#waiting.length === 0) return Effect.void
    return Effect.gen(this, function* () {
      this.#log ??= yield* this.folder.create
      for (const line of this.#waiting) this.#log.add(line)
      this.#waiting = []
      if (this.#log.isDue) yield* this.#log.flush
    })
  })

  /** Writes the rows in memory as a sorted file. Calls `sealed` once their log is no longer needed. */
  seal(lines: Iterable<string>, sealed: () => void): Effect.Effect<void, StepError> {
    return this.#seal(this.folder.write(lines), sealed)
  }

  /** Like {@link seal}, but takes whole lines as bytes. */
  sealBlocks(blocks: Iterable<Uint8Array>, sealed: () => void): Effect.Effect<void, StepError> {
    return this.#seal(this.folder.writeBlocks(blocks), sealed)
  }

  #seal(write: Effect.Effect<ScratchFile, StepError>, sealed: () => void): Effect.Effect<void, StepError> {
    return this.#alone(
      Effect.gen(this, function* () {
        const run = yield* write
        if (this.#log !== undefined) yield* this.#log.close
        this.#unused.push(...[...this.#logs, ...(this.#log === undefined ? [] : [this.#log])].map(({ name }) => name))
        this.#runs = [...this.#runs, run]
        this.#logs = []
        this.#log = undefined
        this.#waiting = []
        sealed()
      })
    )
  }

  /** Merges neighbouring files until the rest can be merged at once. */
  compact<A>(order: LineOrder<A>): Effect.Effect<void, StepError> {
    return Effect.gen(this, function* () {
      const { fanIn } = this.folder.limits
      while (this.#runs.length > fanIn) {
        for (let at = 0; at < this.#runs.length; at++) {
          const files = this.#runs.slice(at, at + fanIn)
          if (files.length < 2) continue
          const merged = yield* this.#merge(files, order)
          this.#runs = this.#runs.toSpliced(at, files.length, merged)
          this.#unused.push(...files.map(({ name }) => name))
        }
      }
    })
  }

  #merge<A>(files: ReadonlyArray<ScratchFile>, order: LineOrder<A>): Effect.Effect<ScratchFile, StepError> {
    return Effect.gen(this, function* () {
      const merge = yield* Merge.open(this.folder, files, order)
      const writer = yield* this.folder.create
      for (;;) {
        const lines = yield* merge.take(linesAtOnce, charactersAtOnce)
        if (lines.length === 0) break
        for (const { line } of lines) writer.add(line)
        if (writer.isDue) yield* writer.flush
      }
      yield* merge.close
      return yield* writer.finish
    })
  }

  /** Makes all rows durable, and returns the files that contain them. */
  readonly save: Effect.Effect<SavedSpill, StepError> = Effect.suspend(() =>
    this.#alone(
      Effect.gen(this, function* () {
        yield* this.#flush
        if (this.#log !== undefined) yield* this.#log.sync
        yield* this.folder.remove(this.#removable)
        this.#removable = this.#unused
        this.#unused = []
        const logs = this.#log === undefined ? this.#logs : [...this.#logs, this.#log.written]
        return { runs: this.#runs, logs }
      })
    )
  )
}

/** Approximate memory of a JSON value in bytes. */
export const memoryOf = (value: unknown): number => {
  if (typeof value === "string") return 24 + value.length
  if (typeof value !== "object" || value === null) return 8
  let sum = 48
  if (Array.isArray(value)) for (const each of value) sum += memoryOf(each)
  else for (const name in value) sum += 16 + memoryOf((value as Readonly<Record<string, unknown>>)[name])
  return sum
}
