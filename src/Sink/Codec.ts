/**
 * What a file format provides: rows to bytes.
 *
 * The bytes of one write lie in memory that is used again for the next, since large strings and buffers cost the garbage collector most.
 */
import * as Either from "effect/Either"
import type { Json } from "../Row.ts"
import type { Change } from "./PartFile.ts"
import type { RowError } from "./SinkErrors.ts"

/** Rows of one call that go to the same partition. */
export interface Group<Item> {
  /** The path but for `{seq}`. */
  readonly of: string
  readonly items: ReadonlyArray<Item>
  /** Where the items stand in the call; undefined when all of them are here. */
  readonly indexes: ReadonlyArray<number> | undefined
  /** What to add to that, for errors. */
  readonly shift: number
}

/** The index that an error says. */
export const indexOf = (group: Group<unknown>, at: number): number => (group.indexes?.[at] ?? at) + group.shift

/** `State` is what has to be known of one file. It is never changed, only replaced. */
export interface Format<Item, State> {
  readonly name: string
  readonly lineEnd: string
  /** With what a file has to begin that is continued. */
  readonly header: () => string
  /** All of a file without rows. */
  readonly empty: () => string
  readonly begin: (continued: boolean) => State
  readonly keep: (state: State) => Json | undefined
  readonly restore: (kept: Json | undefined) => State
  /** Puts the items from one position up to another. After a failure what was put is of no worth. */
  readonly encode: (
    group: Group<Item>,
    from: number,
    to: number,
    state: State,
    out: Scratch
  ) => Either.Either<State, RowError>
  /** What has to be done to a file once all its rows are known. */
  readonly change: (state: State) => Change | undefined
}

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

/** JSON has no big integers: they are written as text, digit for digit. */
const spellBigInt = (_: string, value: unknown): unknown => (typeof value === "bigint" ? value.toString() : value)

/**
 * Dates become ISO 8601, NaN and infinities null, undefined fields are left out, as JSON.stringify does it; big
 * integers become text. Left: what JSON.stringify had against it, like a value that contains itself.
 */
export const spellJson = (value: unknown): Either.Either<string, unknown> =>
  Either.orElse(
    Either.try(() => JSON.stringify(value)),
    () => Either.try(() => JSON.stringify(value, spellBigInt))
  )
