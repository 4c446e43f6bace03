/**
 * Converts a text file to UTF-8 with line feeds.
 *
 * - {@link toUtf8}, {@link Transcoder}: transcode a file whose encoding the definition names.
 * - {@link LineEnds}: if the first line ends with a lone carriage return (old Mac, Excel's "CSV (Macintosh)"), converts all line ends.
 */
import { isUtf8 } from "node:buffer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { iconv } from "../../Packages.ts"
import { isTooLong, type Lines } from "./Decoder.ts"

/** True for encodings that iconv-lite does not support but `TextDecoder` does. */
const isJapaneseMail = (encoding: string): boolean => /^(iso-2022-jp|csiso2022jp)$/i.test(encoding)

export const Encoding = Schema.String.pipe(
  Schema.filter(
    (name) =>
      isJapaneseMail(name) ||
      iconv().encodingExists(name) ||
      `${JSON.stringify(name)} is not an encoding that Sluice knows: write a name like windows-1252, iso-8859-15, utf-16le or shift_jis`
  )
).annotations({ description: "an encoding like windows-1252" })

/** True for UTF-8, which needs no transcoding. */
export const isPlain = (encoding: string | undefined): boolean =>
  encoding === undefined || /^(utf-?8|us-ascii|ascii)$/i.test(encoding)

interface TextDecoding {
  readonly write: (bytes: Buffer) => string
  readonly end: () => string
}

const decodingOf = (encoding: string): TextDecoding => {
  if (isJapaneseMail(encoding)) {
    const decoder = new TextDecoder(encoding)
    return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() }
  }
  const decoder = iconv().getDecoder(encoding)
  return { write: (bytes) => decoder.write(bytes), end: () => decoder.end() ?? "" }
}

/** Bytes of a unit of the encodings whose decoders drop an incomplete unit at the end without a word. */
const unitOf = (encoding: string): number => {
  const name = encoding.replaceAll(/[^a-z\d]/gi, "")
  return /^(utf16|ucs2)/i.test(name) ? 2 : /^(utf32|ucs4)/i.test(name) ? 4 : 1
}

/** Transcodes one file to UTF-8; takes its blocks one after the other. Calls `note` if a block seems to have bytes that are invalid. */
export class Transcoder {
  readonly #decoding: TextDecoding
  readonly #unit: number
  readonly #note: () => void
  #size = 0
  #rest = ""

  constructor(encoding: string, note: () => void) {
    this.#decoding = decodingOf(encoding)
    this.#unit = unitOf(encoding)
    this.#note = note
  }

  write(block: Uint8Array): Uint8Array {
    this.#size += block.length
    return this.#utf8(this.#decoding.write(Buffer.from(block.buffer, block.byteOffset, block.byteLength)))
  }

  /** Ends the text, and returns true if its last block ends within a character. More blocks may only follow to be dropped. */
  isSplit(): boolean {
    this.#rest += this.#decoding.end()
    return this.#rest !== "" || this.#size % this.#unit !== 0
  }

  /** What stands for the last character if the file ends within it. */
  end(): Uint8Array {
    // The decoder drops an incomplete unit.
    const half = this.#size % this.#unit === 0 ? "" : "\ufffd"
    return this.#utf8(this.#rest + this.#decoding.end() + half)
  }

  #utf8(text: string): Uint8Array {
    if (text.includes("\ufffd")) this.#note()
    return Buffer.from(text)
  }
}

/** Transcodes the blocks of a file to UTF-8. */
export const toUtf8 =
  (transcoder: Transcoder) =>
  <E, R>(blocks: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E, R> =>
    Stream.map(blocks, (block) => transcoder.write(block)).pipe(
      Stream.concat(Stream.sync(() => transcoder.end())),
      Stream.filter((block) => block.length > 0)
    )

const replacement = Buffer.from("\ufffd")

/** True if the lines have a replacement character, which stands for invalid bytes. */
export const hasReplacement = ({ bytes, ends, starts }: Lines): boolean => {
  const [first = 0, last = 0] = [starts[0], ends.at(-1)]
  return bytes.subarray(first, Math.max(first, last)).includes(replacement)
}

/** Number of the first line that is not valid UTF-8; `before` is the number of earlier lines. */
export const notUtf8In = ({ bytes, ends, starts }: Lines, before: number): Option.Option<number> => {
  const [first] = starts
  const last = ends.at(-1)
  if (first === undefined || last === undefined || isUtf8(bytes.subarray(first, Math.max(first, last)))) {
    return Option.none()
  }
  const index = starts.findIndex((start, index) => {
    const end = ends[index] ?? start
    return !isTooLong(start, end) && !isUtf8(bytes.subarray(start, end))
  })
  return index < 0 ? Option.none() : Option.some(before + index + 1)
}

const [lineFeed, carriageReturn] = [0x0a, 0x0d]

/**
 * Converts line ends to line feeds if the first line ends with a lone carriage return outside of quotes. Other files pass unchanged. The
 * number of bytes stays the same: carriage returns are replaced in the memory of the block.
 */
export class LineEnds {
  readonly #quote: number
  #isOld: boolean | undefined
  #isQuoted = false
  /** True if a block ended with a carriage return whose next byte is not known yet. */
  #held = false

  constructor(quote: string, isOld?: boolean) {
    this.#quote = quote.charCodeAt(0)
    this.#isOld = isOld
  }

  /** True once it is certain that carriage returns end the lines of the file. */
  get isOld(): boolean {
    return this.#isOld === true
  }

  /** Number of bytes received but not yet returned. */
  get held(): number {
    return this.#held ? 1 : 0
  }

  convert(block: Uint8Array): Uint8Array {
    if (this.#isOld === false || block.length === 0) return block
    let bytes = block
    if (this.#held) {
      this.#held = false
      bytes = Buffer.concat([Buffer.of(carriageReturn), block])
    }
    if (this.#isOld === undefined) this.#look(bytes)
    if (this.#isOld !== true) {
      if (this.#isOld === false || !this.#endsOpen(bytes)) return bytes
      this.#held = true
      return bytes.subarray(0, -1)
    }
    for (let at = bytes.indexOf(carriageReturn); at >= 0; at = bytes.indexOf(carriageReturn, at + 1)) {
      if (at === bytes.length - 1) {
        this.#held = true
        return bytes.subarray(0, -1)
      }
      if (bytes[at + 1] !== lineFeed) bytes[at] = lineFeed
    }
    return bytes
  }

  /** The byte held back, if the file ends with it. */
  end(): Uint8Array {
    if (!this.#held) return new Uint8Array()
    this.#held = false
    this.#isOld ??= true
    return Buffer.of(lineFeed)
  }

  #endsOpen(bytes: Uint8Array): boolean {
    return !this.#isQuoted && bytes.at(-1) === carriageReturn
  }

  /** Looks for the end of the first line. */
  #look(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte === this.#quote) this.#isQuoted = !this.#isQuoted
      else if (this.#isQuoted) continue
      else if (byte === lineFeed) {
        this.#isOld = false
        return
      } else if (byte === carriageReturn) {
        if (at + 1 < bytes.length) this.#isOld = bytes[at + 1] !== lineFeed
        return
      }
    }
  }
}
