/** Blocks of bytes cut into lines, however long the lines and wherever the blocks end. */

/** Longer lines are not kept: they are no rows. */
export const longestLine = 64 * 1024 * 1024

const newline = 0x0a

/** Lines within one piece of memory: from `starts[i]` up to the newline at `ends[i]`, with a carriage return where there is one. */
export interface Lines {
  readonly bytes: Buffer
  readonly starts: ReadonlyArray<number>
  readonly ends: ReadonlyArray<number>
}

/** A line that was too long stands in as one with an end before its start. */
export const isTooLong = (start: number, end: number): boolean => end < start

const none = Buffer.alloc(0)
const tooLong: Lines = { bytes: none, starts: [0], ends: [-1] }

/** Cuts one file; its blocks are given one after the other. */
export class Cutter {
  #held: Array<Uint8Array> = []
  #size = 0
  readonly #limit: number

  constructor(limit = longestLine) {
    this.#limit = limit
  }

  /** Bytes of the line that is not complete yet. */
  get open(): number {
    return this.#size
  }

  cut(block: Uint8Array): ReadonlyArray<Lines> {
    const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength)
    const parts: Array<Lines> = []
    let at = 0
    if (this.#size > 0) {
      const end = bytes.indexOf(newline)
      this.#hold(end < 0 ? bytes : bytes.subarray(0, end))
      if (end < 0) return parts
      parts.push(this.#release())
      at = end + 1
    }
    const starts: Array<number> = []
    const ends: Array<number> = []
    for (let end = bytes.indexOf(newline, at); end >= 0; end = bytes.indexOf(newline, at)) {
      starts.push(at)
      ends.push(end - at > this.#limit ? at - 1 : end)
      at = end + 1
    }
    if (starts.length > 0) parts.push({ bytes, starts, ends })
    if (at < bytes.length) this.#hold(bytes.subarray(at))
    return parts
  }

  /** The last line, where no newline ends it. */
  end(): ReadonlyArray<Lines> {
    return this.#size > 0 ? [this.#release()] : []
  }

  #hold(bytes: Uint8Array): void {
    this.#size += bytes.length
    if (this.#size > this.#limit) this.#held = []
    // The block's memory is read into again.
    else this.#held.push(Uint8Array.prototype.slice.call(bytes))
  }

  #release(): Lines {
    const size = this.#size
    const held = this.#held
    this.#held = []
    this.#size = 0
    return size > this.#limit ? tooLong : { bytes: Buffer.concat(held), starts: [0], ends: [size] }
  }
}
