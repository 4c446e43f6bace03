/**
 * Stores values by key on disk: a scratch file has one line for each value, and an index in memory takes up to 44 bytes for each.
 *
 * - Values are added first, and can be looked up once `close` has been called. The values of one key keep their order.
 * - The keys themselves are compared: equal hashes only cost another read.
 */
import { hash } from "node:crypto"
import { readSync } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import * as Effect from "effect/Effect"
import type { ScratchFolder, ScratchWriter } from "./Scratch.ts"
import type { StepError } from "./StepError.ts"

/** Initial space, in values; a power of two. */
const initialSize = 1 << 16

export class KeyedFile {
  readonly #folder: ScratchFolder
  readonly #writer: ScratchWriter
  /** Offset of each line, and of the end of the file. */
  #offsets = new Float64Array(initialSize)
  /** Two words of each key's hash. */
  #hashes = new Uint32Array(initialSize * 2)
  #size = 0
  #bytes = 0
  /** First value for each hash slot, and next value for each value; -1 for none. */
  #heads = new Int32Array(0)
  #next = new Int32Array(0)
  #reader: FileHandle | undefined
  #buffer = Buffer.allocUnsafe(1 << 16)

  private constructor(folder: ScratchFolder, writer: ScratchWriter) {
    this.#folder = folder
    this.#writer = writer
  }

  static make(folder: ScratchFolder): Effect.Effect<KeyedFile, StepError> {
    return Effect.map(folder.create, (writer) => new KeyedFile(folder, writer))
  }

  /** Adds a value to a key; {@link flush} writes it. */
  add(key: string, value: unknown): void {
    const line = `${JSON.stringify(key)}\t${JSON.stringify(value)}`
    if (this.#size === this.#offsets.length) this.#grow()
    const digest = hash("sha256", key, "buffer")
    this.#hashes[this.#size * 2] = digest.readUInt32LE(0)
    this.#hashes[this.#size * 2 + 1] = digest.readUInt32LE(4)
    this.#offsets[this.#size++] = this.#bytes
    this.#bytes += Buffer.byteLength(line) + 1
    this.#writer.add(line)
  }

  /** Writes the waiting values, once they fill a block. */
  readonly flush: Effect.Effect<void, StepError> = Effect.suspend(() =>
    this.#writer.isDue ? this.#writer.flush : Effect.void
  )

  /** Writes the last values and builds the index; nothing can be added any more. */
  readonly close: Effect.Effect<void, StepError> = Effect.suspend(() =>
    this.#writer.flush.pipe(
      Effect.zipRight(this.#writer.close),
      Effect.zipRight(this.#folder.handleOf(this.#writer.written)),
      Effect.flatMap((handle) =>
        Effect.sync(() => {
          this.#reader = handle
          this.#link()
        })
      )
    )
  )

  /** First values of a key, at most `most`. Reads the file synchronously; throws errors of the file system. */
  find(key: string, most: number): ReadonlyArray<unknown> {
    const digest = hash("sha256", key, "buffer")
    const check = digest.readUInt32LE(4)
    const found: Array<unknown> = []
    let at = this.#heads[this.#slot(digest.readUInt32LE(0))] ?? -1
    const keyText = JSON.stringify(key)
    while (at >= 0 && found.length < most) {
      if (this.#hashes[at * 2 + 1] === check) {
        const line = this.#read(at)
        if (line.startsWith(`${keyText}\t`)) found.push(JSON.parse(line.slice(keyText.length + 1)))
      }
      at = this.#next[at] ?? -1
    }
    return found
  }

  #read(index: number): string {
    const offset = this.#offsets[index] ?? 0
    const end = index + 1 < this.#size ? (this.#offsets[index + 1] ?? 0) : this.#bytes
    const length = end - offset - 1
    if (length > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(length * 2)
    let done = 0
    while (done < length) {
      const read = readSync(this.#reader?.fd ?? -1, this.#buffer, done, length - done, offset + done)
      if (read === 0) throw new Error("the file is shorter than it was")
      done += read
    }
    return this.#buffer.toString("utf8", 0, length)
  }

  #slot(word: number): number {
    return word & (this.#heads.length - 1)
  }

  /** Links the values from last to first, so that lookups find the first value of a key first. */
  #link(): void {
    let slots = initialSize
    while (slots < this.#size) slots *= 2
    this.#heads = new Int32Array(slots).fill(-1)
    this.#next = new Int32Array(this.#size).fill(-1)
    for (let index = this.#size - 1; index >= 0; index--) {
      const slot = this.#slot(this.#hashes[index * 2] ?? 0)
      this.#next[index] = this.#heads[slot] ?? -1
      this.#heads[slot] = index
    }
  }

  #grow(): void {
    const offsets = new Float64Array(this.#size * 2)
    offsets.set(this.#offsets)
    this.#offsets = offsets
    const hashes = new Uint32Array(this.#size * 4)
    hashes.set(this.#hashes)
    this.#hashes = hashes
  }
}
