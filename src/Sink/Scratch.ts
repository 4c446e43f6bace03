/** Bytes of one write, in memory that is used again for the next: large strings and buffers are what the collector minds. */

const small = 1 << 16
/** More than this is given back once it is not needed. */
const large = 1 << 24

export class Scratch {
  #bytes = Buffer.allocUnsafeSlow(small)
  #end = 0

  /** Bytes so far. */
  get end(): number {
    return this.#end
  }

  /** Puts text behind what is there. */
  put(text: string): void {
    // No UTF-16 unit takes more than three bytes; of a long text it is worth counting.
    const needed = this.#end + (text.length < small ? text.length * 3 : Buffer.byteLength(text))
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, this.#end)
      this.#bytes = larger
    }
    this.#end += this.#bytes.write(text, this.#end)
  }

  /** Forgets what is behind `end`. */
  rewind(end: number): void {
    if (end === 0 && this.#bytes.length > large && this.#end < large) this.#bytes = Buffer.allocUnsafeSlow(small)
    this.#end = end
  }

  /** Good until something is put again. */
  view(start: number, end: number): Uint8Array {
    return this.#bytes.subarray(start, end)
  }
}
