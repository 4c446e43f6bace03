/// <reference lib="es2024.arraybuffer" />
/**
 * Growing buffer for bytes of unknown length.
 *
 * Up to a megabyte, the chunks are kept unchanged. Above that, they are copied into a resizable `ArrayBuffer`, whose memory V8 maps and
 * unmaps separately. Freed large blocks on the C library's heap would stay allocated because of small blocks between them: hundreds of
 * megabytes after a dozen large pages.
 */

/** Bytes above which a resizable `ArrayBuffer` is worth its system calls. */
const small = 1024 * 1024
/** Step in bytes by which the buffer grows. */
const step = 1024 * 1024
/** Bytes of address space reserved for the first `ArrayBuffer`. Unused address space takes no memory. */
const reserved = 64 * 1024 * 1024

export class LargeBuffer {
  #chunks: Array<Uint8Array> = []
  #size = 0
  #large: Buffer | undefined

  /** Number of bytes that were appended so far. */
  get size(): number {
    return this.#size
  }

  /** Makes room for `bytes` more bytes, and returns the memory from the beginning. */
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

  /** Appends bytes. They must not change until `take`. */
  push(bytes: Uint8Array): void {
    if (this.#large === undefined && this.#size + bytes.byteLength <= small) this.#chunks.push(bytes)
    else this.#room(bytes.byteLength).set(bytes, this.#size)
    this.#size += bytes.byteLength
  }

  /** Appends a string as UTF-8. */
  write(text: string): void {
    if (this.#large === undefined && this.#size + text.length <= small) this.push(Buffer.from(text))
    // A UTF-16 code unit takes at most three bytes in UTF-8.
    else this.#size += this.#room(text.length * 3).write(text, this.#size)
  }

  /** Returns all bytes. Nothing may be appended afterwards. */
  take(): Buffer {
    if (this.#large !== undefined) return this.#large.subarray(0, this.#size)
    return this.#chunks.length === 1 ? Buffer.from(this.#chunks[0] as Uint8Array) : Buffer.concat(this.#chunks)
  }
}
