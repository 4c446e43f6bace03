/**
 * Codec of a file format: rows in, bytes out.
 *
 * - A codec knows neither files nor runs. Sluice decides which file the bytes go to, syncs them, truncates them after a crash and renames
 *   the file.
 * - A file is a header, rows and a footer; header and footer may be empty. `encode` writes the header with the first row; `finish` writes
 *   the footer once, when the run has succeeded. A resumed run truncates each file after its last committed row, so a footer is never
 *   followed by rows.
 * - `State` is what the codec needs to know about a file to write its next row. It is immutable: `encode` returns the next state, because
 *   the bytes of a batch are dropped when one of its rows is refused or belongs to the next part. Every commit saves it as JSON, by its
 *   schema.
 * - The bytes depend only on the rows and the state, never on the clock or the size of batches: a resumed run writes the same file.
 */
import * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { Data } from "../Row.ts"
import { type RowError, Unserializable } from "./SinkErrors.ts"

/** Rows of one write that belong to the same partition. */
export interface RowBatch<Item> {
  /** Path of the partition, with `{seq}` not filled in. */
  readonly partition: string
  readonly items: ReadonlyArray<Item>
  /** Positions of the items in the write; undefined if the write has no other rows. */
  readonly indexes: ReadonlyArray<number> | undefined
  /** Offset to add to these positions in errors. */
  readonly offset: number
}

/** Position of an item as errors name it. */
export const indexIn = (batch: RowBatch<unknown>, at: number): number => (batch.indexes?.[at] ?? at) + batch.offset

/** Transforms a file block by block; called in order. */
export type ByteTransform = (bytes: Uint8Array) => Uint8Array

/** Encodes batches. A format that encodes row by row implements {@link RowCodec} instead. */
export interface Codec<Item, State> {
  /** Name of the format in the list of outputs: `jsonl`. */
  readonly format: string
  /** State as JSON, saved with every commit; undefined if there is nothing to save. */
  readonly save: (state: State) => unknown
  readonly restore: (saved: unknown) => Either.Either<State, ParseResult.ParseError>
  /** State of a file without rows of this run. `continued`: the file begins with rows of an earlier run (mode append). */
  readonly begin: (continued: boolean) => State
  /** Encodes items from one position up to another. `isFirst`: they begin the file. If it fails, the bytes that it has put are dropped. */
  readonly encode: (
    batch: RowBatch<Item>,
    from: number,
    to: number,
    state: State,
    out: ByteBuffer,
    isFirst: boolean
  ) => Either.Either<State, RowError>
  /** Text after the last row; for an empty file, its whole text. */
  readonly finish: (state: State, isEmpty: boolean) => string
  /** Text that a file must begin with so that mode append can continue it. */
  readonly header: () => string
  /** Line end to add to the last line of a continued file if it has none. */
  readonly lineEnd: string
  /** Final pass over the finished file; undefined if the file needs none. */
  readonly rewrite: (state: State) => ByteTransform | undefined
}

/** Encodes one row at a time. A custom sink has to implement only this. */
export interface RowCodec<State> {
  /** Text at the beginning of every file. */
  readonly header?: string | undefined
  /** State of a file that has no rows yet. */
  readonly begin: State
  /** Encodes one row and returns the next state. A row for which it throws is rejected (`Unserializable`), and the run goes on. */
  readonly encode: (row: Data, state: State, out: ByteBuffer) => State
  /** Text after the last row. A format with such text cannot be appended to: `check` refuses `mode: append`. */
  readonly finish?: ((state: State) => string) | undefined
}

/** Makes a batch codec from a row codec. */
export const fromRowCodec = <State, Saved>(
  format: string,
  state: Schema.Schema<State, Saved>,
  { begin, encode, finish, header = "" }: RowCodec<State>
): Codec<Data, State> => ({
  format,
  save: Schema.encodeSync(state),
  restore: Schema.decodeUnknownEither(state),
  begin: () => begin,
  encode: (batch, from, to, before, out, isFirst) => {
    if (isFirst && header !== "") out.put(header)
    const { items } = batch
    let current = before
    let at = from
    return Either.try({
      try: () => {
        for (; at < to; at++) current = encode(items[at] as Data, current, out)
        return current
      },
      catch: (cause) => new Unserializable({ format, index: indexIn(batch, at), cause })
    })
  },
  finish: (last, isEmpty) => (isEmpty ? header : "") + (finish?.(last) ?? ""),
  header: () => header,
  lineEnd: "\n",
  rewrite: () => undefined
})

const initialSize = 1 << 16
/** Maximum size of a buffer to keep; a larger one is freed once a write no longer needs it. */
const maxIdleSize = 1 << 24
/** Maximum characters to collect before encoding them: each call of the encoder costs as much as encoding some hundred characters. */
const charactersAtOnce = 1 << 14

/**
 * Growing byte buffer that a sink reuses for all of its writes: allocating large strings and buffers for each write costs the garbage
 * collector more time than encoding.
 */
export class ByteBuffer {
  #bytes = Buffer.allocUnsafeSlow(initialSize)
  #end = 0
  /** Text to append after `#end`, not encoded yet. */
  #text = ""

  /** Number of bytes so far. */
  get end(): number {
    if (this.#text !== "") this.#encode()
    return this.#end
  }

  /** Appends text as UTF-8. */
  put(text: string): void {
    this.#text += text
    if (this.#text.length >= charactersAtOnce) this.#encode()
  }

  #encode(): void {
    const text = this.#text
    this.#text = ""
    // A UTF-16 unit takes at most three bytes in UTF-8; measuring is only worth it for long text.
    const needed = this.#end + (text.length < initialSize ? text.length * 3 : Buffer.byteLength(text))
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, this.#end)
      this.#bytes = larger
    }
    this.#end += this.#bytes.write(text, this.#end)
  }

  /** Drops the bytes after `end`. */
  rewind(end: number): void {
    this.#text = ""
    if (end === 0 && this.#bytes.length > maxIdleSize && this.#end < maxIdleSize) {
      this.#bytes = Buffer.allocUnsafeSlow(initialSize)
    }
    this.#end = end
  }

  /** View that is valid until the next `put`; `end` is an earlier value of the buffer's `end`. */
  view(start: number, end: number): Uint8Array {
    return this.#bytes.subarray(start, end)
  }
}

const bigIntToString = (_: string, value: unknown): unknown => (typeof value === "bigint" ? value.toString() : value)

/**
 * JSON text of a value: dates are ISO 8601, NaN and infinities null, undefined fields left out, and big integers strings, digit for digit.
 * Fails with the error of `JSON.stringify`, for example for a value that contains itself.
 */
export const jsonText = (value: unknown): Either.Either<string, unknown> => {
  const text = Either.try(() => JSON.stringify(value))
  return Either.isRight(text) ? text : Either.try(() => JSON.stringify(value, bigIntToString))
}
