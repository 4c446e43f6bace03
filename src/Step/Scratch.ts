/**
 * Scratch files: a step's lines on disk, for rows that do not fit into memory.
 *
 * - The folder belongs to one step of one run. It is created with the first file, and the run removes it at its end.
 * - Each file has a unique name and is written once. A process that lost its run may keep writing to its files: the process that resumed
 *   the run never appends to them, so it reads nothing of that.
 * - The free space is checked before each block, so that a step never fills the disk of the machine.
 * - Closing the scope of the step closes open files.
 */
import { randomUUID } from "node:crypto"
import { type FileHandle, mkdir, open, readdir, rm, statfs } from "node:fs/promises"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { fileErrorReason } from "../Files/FileErrors.ts"
import { StepError } from "./StepError.ts"

/** Limits for the memory that steps use and the disk space that they leave free. */
export interface Limits {
  /** Approximate bytes of rows that a step may hold in memory. */
  readonly memory: number
  /** Bytes of disk space to leave free. */
  readonly reserve: number
  /** Maximum files to merge at once. */
  readonly fanIn: number
  /** Bytes that this process may still write under a folder; undefined if the system does not say. */
  readonly free: (folder: string) => Effect.Effect<number | undefined>
}

const freeBytes: Limits["free"] = (folder) =>
  Effect.tryPromise(() => statfs(folder)).pipe(
    Effect.map(({ bavail, bsize }) => bavail * bsize),
    Effect.orElseSucceed(() => undefined)
  )

const defaultLimits: Limits = { memory: 64_000_000, reserve: 256_000_000, fanIn: 64, free: freeBytes }

/** Limits of a run; tests set smaller ones. */
export class ScratchLimits extends Context.Reference<ScratchLimits>()("sluice/Step/ScratchLimits", {
  defaultValue: (): Limits => defaultLimits
}) {}

/** A finished file, or the part of a file that is in a checkpoint. */
export const ScratchFile = Schema.Struct({ name: Schema.String, bytes: Schema.Number })
export type ScratchFile = typeof ScratchFile.Type

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6).toLocaleString("en")} MB`

const diskFull = (folder: string, why: string) =>
  new StepError({
    reason: "DiskFull",
    scope: "step",
    message: `the rows do not fit into memory, and ${folder} has no space for them: ${why}. Free some space, or name another folder with --data`
  })

const codeOf = (cause: unknown): unknown =>
  typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined

const failed =
  (folder: string) =>
  (cause: unknown): StepError => {
    const reason = fileErrorReason(cause)
    return ["ENOSPC", "EDQUOT", "EFBIG"].includes(String(codeOf(cause)))
      ? diskFull(folder, reason)
      : new StepError({
          reason: "ScratchUnusable",
          scope: "step",
          message: `the rows do not fit into memory, and ${folder} cannot hold them: ${reason}`,
          cause
        })
  }

const lost = (path: string): StepError =>
  new StepError({
    reason: "ScratchLost",
    scope: "step",
    message: `rows that the run had put on disk are gone: ${path}. Start the run again instead of resuming it`
  })

/** Bytes to write or read at once. */
const blockSize = 1 << 18

const newline = 0x0a

export class ScratchFolder {
  readonly path: string
  readonly limits: Limits
  readonly #handles = new Set<FileHandle>()
  #exists = false
  /** Bytes that may be written before the free space is checked again. */
  #allowance = 0

  private constructor(path: string, limits: Limits) {
    this.path = path
    this.limits = limits
  }

  /** Opens the folder of a step; creates nothing yet. */
  static open(path: string): Effect.Effect<ScratchFolder, never, Scope.Scope> {
    return Effect.flatMap(ScratchLimits, (limits) =>
      Effect.acquireRelease(
        Effect.sync(() => new ScratchFolder(path, limits)),
        (folder) => Effect.promise(() => Promise.allSettled([...folder.#handles].map((handle) => handle.close())))
      )
    )
  }

  attempt<A>(work: () => Promise<A>): Effect.Effect<A, StepError> {
    return Effect.tryPromise({ try: work, catch: failed(this.path) })
  }

  /** Removes all files except these, which must exist. */
  keepOnly(files: ReadonlyArray<ScratchFile>): Effect.Effect<void, StepError> {
    return Effect.gen(this, function* () {
      const names = yield* Effect.orElseSucceed(
        Effect.tryPromise(() => readdir(this.path)),
        (): ReadonlyArray<string> => []
      )
      const kept = new Set(files.map(({ name }) => name))
      const missing = files.find(({ name }) => !names.includes(name))
      if (missing !== undefined) return yield* lost(join(this.path, missing.name))
      yield* this.remove(names.filter((name) => !kept.has(name)))
    })
  }

  /** Removes files. Files that cannot be removed now are removed with the folder. */
  remove(names: ReadonlyArray<string>): Effect.Effect<void> {
    return Effect.forEach(names, (name) => Effect.ignore(Effect.tryPromise(() => rm(join(this.path, name)))), {
      discard: true
    })
  }

  /** Fails if writing this many bytes would leave too little free space. */
  admit(bytes: number): Effect.Effect<void, StepError> {
    return Effect.suspend(() => {
      this.#allowance -= bytes
      if (this.#allowance >= 0) return Effect.void
      return Effect.flatMap(this.limits.free(this.path), (free) => {
        const { reserve } = this.limits
        if (free !== undefined && free < bytes + reserve)
          return diskFull(this.path, `${megabytes(free)} are free, and ${megabytes(reserve)} of them must stay free`)
        this.#allowance = Math.min(64_000_000, ((free ?? Number.POSITIVE_INFINITY) - reserve - bytes) / 2)
        return Effect.void
      })
    })
  }

  /** Creates a new file. */
  readonly create: Effect.Effect<ScratchWriter, StepError> = Effect.suspend(() => {
    const name = randomUUID().slice(0, 13)
    return this.attempt(async () => {
      if (!this.#exists) await mkdir(this.path, { recursive: true })
      this.#exists = true
      return await open(join(this.path, name), "wx")
    }).pipe(
      Effect.map((handle) => {
        this.#handles.add(handle)
        return new ScratchWriter(this, name, handle)
      })
    )
  })

  /** Opens a file for reading. Fails if it is shorter than its recorded length. */
  handleOf({ bytes, name }: ScratchFile): Effect.Effect<FileHandle, StepError> {
    const path = join(this.path, name)
    return this.attempt(() => open(path, "r")).pipe(
      Effect.tap((handle) => Effect.sync(() => this.#handles.add(handle))),
      Effect.tap((handle) =>
        Effect.flatMap(
          this.attempt(() => handle.stat()),
          ({ size }) => (size < bytes ? lost(path) : Effect.void)
        )
      )
    )
  }

  close(handle: FileHandle): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.#handles.delete(handle)
      return Effect.ignore(Effect.tryPromise(() => handle.close()))
    })
  }

  /** Writes whole lines to a new file, block by block, then syncs and closes it. Each block is written before the next one is requested. */
  writeBlocks(blocks: Iterable<Uint8Array>): Effect.Effect<ScratchFile, StepError> {
    return Effect.gen(this, function* () {
      const writer = yield* this.create
      for (const block of blocks) yield* writer.append(block)
      return yield* writer.finish
    })
  }

  /** Writes lines to a new file, then syncs and closes it. */
  write(lines: Iterable<string>): Effect.Effect<ScratchFile, StepError> {
    return Effect.gen(this, function* () {
      const writer = yield* this.create
      for (const line of lines) {
        writer.add(line)
        if (writer.isDue) yield* writer.flush
      }
      return yield* writer.finish
    })
  }
}

/** Maximum bytes that an empty {@link LineStore} keeps allocated. */
const maxIdleSize = 128 * 2 ** 20

/** Lines in one buffer. A hundred thousand lines as strings would cost as much garbage collection as sorting them. */
export class LineStore {
  #bytes = Buffer.allocUnsafeSlow(blockSize)
  /** Offset after each line and its line end. */
  #ends: Array<number> = []

  /** Number of lines. */
  get size(): number {
    return this.#ends.length
  }

  /** Adds a line, without line end. Returns its size in bytes. */
  add(line: string): number {
    const start = this.#ends.at(-1) ?? 0
    // A UTF-16 unit takes at most three bytes in UTF-8.
    const needed = start + line.length * 3 + 1
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, start)
      this.#bytes = larger
    }
    const end = start + this.#bytes.write(line, start)
    this.#bytes[end] = newline
    this.#ends.push(end + 1)
    return end + 1 - start
  }

  /** Removes all lines. Keeps the memory for the next ones, unless long lines have made it large. */
  clear(): void {
    this.#ends = []
    if (this.#bytes.length > maxIdleSize) this.#bytes = Buffer.allocUnsafeSlow(blockSize)
  }

  /** The lines with these indices, in that order. Each block is valid until the next one is requested. */
  *blocks(indices: Iterable<number>): Iterable<Uint8Array> {
    let block = Buffer.allocUnsafeSlow(blockSize)
    let filled = 0
    for (const index of indices) {
      const start = this.#ends[index - 1] ?? 0
      const end = this.#ends[index] ?? start
      if (filled > 0 && filled + end - start > block.length) {
        yield block.subarray(0, filled)
        filled = 0
      }
      if (end - start > block.length) block = Buffer.allocUnsafeSlow(end - start)
      filled += this.#bytes.copy(block, filled, start, end)
    }
    if (filled > 0) yield block.subarray(0, filled)
  }
}

/** A file being written. */
export class ScratchWriter {
  readonly name: string
  readonly handle: FileHandle
  readonly #folder: ScratchFolder
  #bytes = 0
  #lines: Array<string> = []
  #waiting = 0

  constructor(folder: ScratchFolder, name: string, handle: FileHandle) {
    this.#folder = folder
    this.name = name
    this.handle = handle
  }

  /** The file with the bytes written so far, without buffered lines. */
  get written(): ScratchFile {
    return { name: this.name, bytes: this.#bytes }
  }

  /** Adds a line, without line end. */
  add(line: string): void {
    this.#lines.push(line)
    this.#waiting += line.length + 1
  }

  /** True if a whole block of lines is buffered. */
  get isDue(): boolean {
    return this.#waiting >= blockSize
  }

  /** Appends bytes to the bytes written so far. */
  append(bytes: Uint8Array): Effect.Effect<void, StepError> {
    return Effect.zipRight(
      this.#folder.admit(bytes.length),
      this.#folder.attempt(async () => {
        let done = 0
        while (done < bytes.length) done += (await this.handle.write(bytes, done)).bytesWritten
        this.#bytes += bytes.length
      })
    )
  }

  readonly flush: Effect.Effect<void, StepError> = Effect.suspend(() => {
    if (this.#lines.length === 0) return Effect.void
    this.#lines.push("")
    const bytes = Buffer.from(this.#lines.join("\n"))
    this.#lines = []
    this.#waiting = 0
    return this.append(bytes)
  })

  /** Makes all lines durable. */
  readonly sync: Effect.Effect<void, StepError> = Effect.suspend(() =>
    Effect.zipRight(
      this.flush,
      this.#folder.attempt(() => this.handle.datasync())
    )
  )

  readonly close: Effect.Effect<void> = Effect.suspend(() => this.#folder.close(this.handle))

  /** Makes all lines durable and closes the file. */
  readonly finish: Effect.Effect<ScratchFile, StepError> = Effect.suspend(() =>
    this.sync.pipe(
      Effect.zipRight(this.close),
      Effect.map(() => this.written)
    )
  )
}

/** Reads the lines of a file, starting at an offset. */
export class LineReader {
  readonly #folder: ScratchFolder
  readonly #handle: FileHandle
  readonly #bytes: number
  #buffer = Buffer.allocUnsafe(blockSize)
  #start = 0
  #end = 0
  /** Offset in the file after the buffered bytes. */
  #position: number

  private constructor(folder: ScratchFolder, handle: FileHandle, bytes: number, from: number) {
    this.#folder = folder
    this.#handle = handle
    this.#bytes = bytes
    this.#position = from
  }

  static open(folder: ScratchFolder, file: ScratchFile, from = 0): Effect.Effect<LineReader, StepError> {
    return Effect.map(folder.handleOf(file), (handle) => new LineReader(folder, handle, file.bytes, from))
  }

  /** Offset of the next line in the file. */
  get offset(): number {
    return this.#position - (this.#end - this.#start)
  }

  get isAtEnd(): boolean {
    return this.offset >= this.#bytes
  }

  /** Next line; undefined if {@link fill} has to be called first or the file has ended. */
  next(): string | undefined {
    if (this.#start >= this.#end) return undefined
    const at = this.#buffer.subarray(0, this.#end).indexOf(newline, this.#start)
    if (at < 0) return undefined
    const line = this.#buffer.toString("utf8", this.#start, at)
    this.#start = at + 1
    return line
  }

  /** Reads more bytes. Call it if {@link next} returned nothing and the file has not ended. */
  readonly fill: Effect.Effect<void, StepError> = Effect.suspend(() => {
    this.#buffer.copyWithin(0, this.#start, this.#end)
    this.#end -= this.#start
    this.#start = 0
    if (this.#end === this.#buffer.length) {
      const larger = Buffer.allocUnsafe(this.#buffer.length * 2)
      this.#buffer.copy(larger, 0, 0, this.#end)
      this.#buffer = larger
    }
    const wanted = Math.min(this.#buffer.length - this.#end, this.#bytes - this.#position)
    return Effect.flatMap(
      this.#folder.attempt(() => this.#handle.read(this.#buffer, this.#end, wanted, this.#position)),
      ({ bytesRead }) => {
        if (bytesRead === 0) return lost(this.#folder.path)
        this.#end += bytesRead
        this.#position += bytesRead
        return Effect.void
      }
    )
  })

  readonly close: Effect.Effect<void> = Effect.suspend(() => this.#folder.close(this.#handle))

  /** Passes each line to `use`, and closes the file. */
  forEach(use: (line: string) => void): Effect.Effect<void, StepError> {
    return Effect.gen(this, function* () {
      while (!this.isAtEnd) {
        const line = this.next()
        if (line === undefined) yield* this.fill
        else use(line)
      }
      yield* this.close
    })
  }
}
