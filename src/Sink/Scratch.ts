/** Bytes of one write, in memory that is used again for the next: large strings and buffers are what the collector minds. */
export class Scratch {
  #bytes = Buffer.allocUnsafeSlow(1 << 16)
  #end = 0

  /** Puts text behind what is there. */
  put(text: string): void {
    // No UTF-16 unit takes more than three bytes.
    const needed = this.#end + text.length * 3
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, this.#end)
      this.#bytes = larger
    }
    this.#end += this.#bytes.write(text, this.#end)
  }

  /** What was put since the last time; good until something is put again. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#end)
    this.#end = 0
    return taken
  }
}
