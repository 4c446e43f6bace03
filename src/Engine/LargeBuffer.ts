/// <reference lib="es2024.arraybuffer" />
/**
 * Collects bytes of unknown number in one piece.
 *
 * Up to a megabyte they are kept as they come. More lie in a resizable `ArrayBuffer`, for which V8 maps pages of its own and unmaps them with
 * it. The C library would take as many megabytes from its heap and keep them after they were freed, since small blocks that are still in use
 * lie between them: hundreds of megabytes after a dozen large pages.
 */

/** Bytes from which an `ArrayBuffer` of its own is worth its system calls. */
const small = 1024 * 1024
/** Bytes by which it grows. */
const step = 1024 * 1024
/** Address space of the first one, in bytes; it takes no memory. */
const reserved = 64 * 1024 * 1024

export class LargeBuffer {
  #chunks: Array<Uint8Array> = []
  #size = 0
  #large: Buffer | undefined

  /** Bytes so far. */
  get size(): number {
    return this.#size
  }

  /** A view of memory for `bytes` more bytes, behind those that are there. */
  #room(bytes: number): Buffer {
    const needed = Math.ceil((this.#size + bytes) / step) * step
    const memory = this.#large?.buffer as ArrayBuffer | undefined
    if (memory === undefined || needed > memory.maxByteLength) {
      const maxByteLength = Math.max(reserved, needed * 2)
      const large = Buffer.from(new ArrayBuffer(needed, { maxByteLength }))
      let offset = 0
      for (const chunk of this.#large === undefined ? this.#chunks : [this.#large.subarray(0, this.#size)]) {
        large.set(chunk, offset)
        offset += chunk.byteLength
      }
      this.#chunks = []
      this.#large = large
      return large
    }
    if (needed > memory.byteLength) {
      memory.resize(needed)
      this.#large = Buffer.from(memory)
    }
    return this.#large as Buffer
  }

  /** Appends bytes, which must not change until `take`. */
  push(bytes: Uint8Array): void {
    if (this.#large === undefined && this.#size + bytes.byteLength <= small) this.#chunks.push(bytes)
    else this.#room(bytes.byteLength).set(bytes, this.#size)
    this.#size += bytes.byteLength
  }

  /** Appends a string as UTF-8. */
  write(text: string): void {
    if (this.#large === undefined && this.#size + text.length <= small) this.push(Buffer.from(text))
    // A unit of UTF-16 has three bytes of UTF-8 at most.
    else this.#size += this.#room(text.length * 3).write(text, this.#size)
  }

  /** All bytes. Nothing may be appended afterwards. */
  take(): Buffer {
    if (this.#large !== undefined) return this.#large.subarray(0, this.#size)
    return this.#chunks.length === 1 ? Buffer.from(this.#chunks[0] as Uint8Array) : Buffer.concat(this.#chunks)
  }
}
