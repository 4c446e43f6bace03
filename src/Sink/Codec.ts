/**
 * Codec of a file format: rows in, bytes out.
 *
 * - A codec knows no file and no run. Sluice decides which file the bytes go to, syncs them, cuts them after a crash and renames the file.
 * - A file is a header, rows and a footer, of which header and footer may be empty. `encode` writes the header with the first row; `finish`
 *   writes the footer once, when the run has ended well. A resumed run cuts each file behind its last committed row, so a footer is never
 *   followed by rows.
 * - `State` is what has to be known of one file to write its next row. It is immutable: `encode` returns the next state, because the bytes
 *   of a batch are dropped when one of its rows is refused or belongs to the next part. Every commit saves it as JSON, by its schema.
 * - The bytes follow from the rows and the state alone, never from the clock or from the size of batches: a resumed run writes the same file.
 */
import * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { Data } from "../Row.ts"
import { type RowError, Unserializable } from "./SinkErrors.ts"

/** Rows of one write that go to the same partition. */
export interface RowBatch<Item> {
  /** Path of the partition, with `{seq}` unfilled. */
  readonly partition: string
  readonly items: ReadonlyArray<Item>
  /** Positions of the items in the write; undefined when the write has no other rows. */
  readonly indexes: ReadonlyArray<number> | undefined
  /** Offset of these positions, for errors. */
  readonly offset: number
}

/** The position that an error names. */
export const indexIn = (batch: RowBatch<unknown>, at: number): number => (batch.indexes?.[at] ?? at) + batch.offset

/** Changes the bytes of a file as they pass through. */
export type ByteTransform = (bytes: Uint8Array) => Uint8Array

/** Encodes batches. A format that encodes row by row implements {@link RowCodec} instead. */
export interface Codec<Item, State> {
  /** Name of the format in the list of outputs: `jsonl`. */
  readonly format: string
  /** The state as JSON, saved with every commit; undefined when there is nothing to save. */
  readonly save: (state: State) => unknown
  readonly restore: (saved: unknown) => Either.Either<State, ParseResult.ParseError>
  /** State of a file without rows of this run; `continued` when rows of an earlier run are in front (mode append). */
  readonly begin: (continued: boolean) => State
  /**
   * Encodes items from one position up to another; `isFirst` when they begin the file. After a failure the bytes it has put are dropped.
   */
  readonly encode: (
    batch: RowBatch<Item>,
    from: number,
    to: number,
    state: State,
    out: ByteBuffer,
    isFirst: boolean
  ) => Either.Either<State, RowError>
  /** Text behind the last row; of an empty file all of its text. */
  readonly finish: (state: State, isEmpty: boolean) => string
  /** Text that a file must begin with to be continued by mode append. */
  readonly header: () => string
  /** Put behind the last line of a continued file if that line has no end. */
  readonly lineEnd: string
  /** A last pass over the finished file; undefined when it stays as it is. */
  readonly rewrite: (state: State) => ByteTransform | undefined
}

/** Encodes one row at a time: all that a sink of your own has to implement. */
export interface RowCodec<State> {
  /** Text that begins every file. */
  readonly header?: string | undefined
  /** State of a file without rows. */
  readonly begin: State
  /** Puts one row and returns the next state. A row that makes it throw is rejected (`Unserializable`), and the run goes on. */
  readonly encode: (row: Data, state: State, out: ByteBuffer) => State
  /** Text behind the last row. A format that has it cannot be appended to: `mode: append` is refused by `check`. */
  readonly finish?: ((state: State) => string) | undefined
}

/** The batch codec of a row codec. */
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
/** A larger buffer is freed once a write no longer needs it. */
const maxIdleSize = 1 << 24
/** Characters that are encoded at once: each call of the encoder costs as much as some hundred of them. */
const charactersAtOnce = 1 << 14

/**
 * Growing byte buffer that one sink reuses for all of its writes: allocating large strings and buffers for each of them costs the garbage
 * collector more than encoding.
 */
export class ByteBuffer {
  #bytes = Buffer.allocUnsafeSlow(initialSize)
  #end = 0
  /** Text behind `#end` that is not encoded yet. */
  #text = ""

  /** Bytes so far. */
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
    // A UTF-16 unit takes at most three bytes; only long text is worth measuring.
    const needed = this.#end + (text.length < initialSize ? text.length * 3 : Buffer.byteLength(text))
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, this.#end)
      this.#bytes = larger
    }
    this.#end += this.#bytes.write(text, this.#end)
  }

  /** Drops the bytes behind `end`. */
  rewind(end: number): void {
    this.#text = ""
    if (end === 0 && this.#bytes.length > maxIdleSize && this.#end < maxIdleSize) {
      this.#bytes = Buffer.allocUnsafeSlow(initialSize)
    }
    this.#end = end
  }

  /** A view that is valid until the next `put`; `end` is that of the buffer at some time. */
  view(start: number, end: number): Uint8Array {
    return this.#bytes.subarray(start, end)
  }
}

const bigIntToString = (_: string, value: unknown): unknown => (typeof value === "bigint" ? value.toString() : value)

/**
 * JSON text of a value: dates are ISO 8601, NaN and infinities null, undefined fields left out, and big integers strings, digit for digit.
 * The failure is that of `JSON.stringify`, for example for a value that contains itself.
 */
export const jsonText = (value: unknown): Either.Either<string, unknown> => {
  const text = Either.try(() => JSON.stringify(value))
  return Either.isRight(text) ? text : Either.try(() => JSON.stringify(value, bigIntToString))
}
