/**
 * Responses that are too large for memory: their bytes go to a scratch file and are read in pieces.
 *
 * - The file is durable before the response is in the ledger, and stays until the run has ended: a resumed run reads it again, and skips
 *   the values already returned.
 * - JSON is cut at the commas of its array of rows; each piece, and everything around the array, is then parsed as normal JSON. Lines, CSV
 *   and XML use the same readers as responses in memory.
 * - It must be possible to find the rows without evaluating an expression: at a path, as the elements of the root, or as lines.
 */
import { isUtf8 } from "node:buffer"
import { createHash } from "node:crypto"
import type { FileHandle } from "node:fs/promises"
import type { Readable } from "node:stream"
import { StringDecoder } from "node:string_decoder"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import { deepest, isDeepJson } from "../../Api/Depth.ts"
import * as Integers from "../../Row/Integers.ts"
import { LineSplitter, type Malformed } from "../Read/Decoder.ts"
import { type ScratchFile, ScratchFolder } from "../Scratch.ts"
import type { StepError } from "../StepError.ts"
import { type Format, hintOf, lineDecoderOf, maxSize, problemOf, xmlReaderOf } from "./Decode.ts"
import type { Received, Spool } from "./Exchange.ts"

/** Bytes to read at once. */
const blockSize = 64 * 1024

/** Opens a spool for large responses; creates nothing until there is one. */
export const openSpool = (
  path: string
): Effect.Effect<{ readonly folder: ScratchFolder; readonly spool: Spool }, never, Scope.Scope> =>
  Effect.map(ScratchFolder.open(path), (folder) => ({
    folder,
    spool: {
      // A parsed response takes several times its size, so only a quarter of the memory may hold one.
      size: Math.min(maxSize, folder.limits.memory / 4),
      write: <E>(bytes: Readable, failed: (cause: unknown) => E) =>
        Effect.gen(function* () {
          const writer = yield* folder.create
          const blocks = bytes[Symbol.asyncIterator]()
          for (;;) {
            const next = yield* Effect.tryPromise({
              try: (): Promise<IteratorResult<Buffer>> => blocks.next(),
              catch: failed
            })
            if (next.done === true) return yield* writer.finish
            yield* writer.append(next.value)
          }
        })
    }
  }))

/** Bytes of a file, or only the first ones. */
export const readFile = (folder: ScratchFolder, file: ScratchFile): Effect.Effect<Buffer, StepError> =>
  Effect.gen(function* () {
    const handle = yield* folder.handleOf(file)
    const bytes = Buffer.allocUnsafe(file.bytes)
    let done = 0
    while (done < bytes.length) {
      const { bytesRead } = yield* folder.attempt(() => handle.read(bytes, done, bytes.length - done))
      if (bytesRead === 0) break
      done += bytesRead
    }
    yield* folder.close(handle)
    return bytes.subarray(0, done)
  })

/** Piece of a response. */
export interface Piece {
  readonly values: ReadonlyArray<unknown>
  readonly malformed: ReadonlyArray<Malformed>
  /** A number that was too large and is kept as a string. */
  readonly kept?: string | undefined
  /** True if the piece has bytes that are invalid in its encoding. */
  readonly isStray?: boolean
}

/** End of a response. */
interface End {
  /** The response without its rows. */
  readonly body: unknown
  /** False if there are no rows at the path. */
  readonly isFound: boolean
  /** Says that a table seems to use another delimiter. */
  readonly hint?: string | undefined
}

/** Splits a response into pieces. Throws a {@link Cut} if it cannot be read. */
interface Cutter {
  readonly write: (block: Buffer) => Piece
  /** The last piece, and what is known at the end. */
  readonly end: () => End & { readonly last: Piece }
}

/** Thrown if a response cannot be read. Its message continues a sentence that begins with the response: `is not valid JSON: …`. */
class Cut {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

const none: Piece = { values: [], malformed: [] }

const tooMuch = `has more than ${maxSize / 1024 / 1024} MiB`

const parsed = (text: string): Integers.Parsed => {
  if (isDeepJson(text, deepest)) throw new Cut(`is nested more than ${deepest.toLocaleString("en")} levels deep`)
  const value = Either.try({ try: () => Integers.parse(text), catch: (cause) => cause as Error })
  if (Either.isRight(value)) return value.right
  throw new Cut(`is not valid JSON: ${value.left.message.replaceAll(/\p{Cc}/gu, "·")}`)
}

const [quote, backslash, comma, colon, openArray, closeArray, openObject, closeObject] = [
  0x22, 0x5c, 0x2c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d
]

const isMark = (bytes: Buffer): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

/** Splits JSON at the commas of the array at a path; an empty path means the root. */
class JsonCutter implements Cutter {
  readonly #path: ReadonlyArray<string>
  #place: "start" | "before" | "rows" | "behind" = "start"
  /** Number of open objects on the path, minus one. */
  #matched = 0
  /** Number of open arrays and objects; within the rows, counted inside a row. */
  #depth = 0
  #isString = false
  #isEscaped = false
  /** Bytes of a key at the current depth of the path, to compare with the next name of the path. */
  #key: Array<number> | undefined
  #mayBeKey = false
  /** True if the last key is the next name of the path. */
  #isNext = false
  /** Bytes around the rows (`around`), and those of an incomplete row (`held`). */
  readonly #around: Array<Buffer> = []
  #held: Array<Buffer> = []
  #sizeAround = 0
  #sizeHeld = 0
  #isAfterComma = false

  constructor(path: ReadonlyArray<string>) {
    this.#path = path
  }

  write(block: Buffer): Piece {
    let from = 0
    if (this.#place === "start") {
      if (isMark(block)) from = 3
      this.#place = "before"
    }
    const begin = this.#place === "before" ? this.#findRows(block, from) : from
    if (this.#place !== "rows") {
      this.#keepAround(block.subarray(from))
      return none
    }
    this.#keepAround(block.subarray(from, begin))
    return this.#cut(block, begin)
  }

  end() {
    if (this.#place === "rows") throw new Cut("ends before its rows do")
    const { kept, value } = parsed(Buffer.concat(this.#around).toString())
    return { last: { ...none, kept }, body: value, isFound: this.#place === "behind" }
  }

  #keepAround(bytes: Buffer): void {
    this.#sizeAround += bytes.length
    if (this.#sizeAround > maxSize) {
      throw new Cut(
        `${tooMuch} beside the array ${this.#path.join(".") || "of its root"}: say with rows where its rows are`
      )
    }
    if (bytes.length > 0) this.#around.push(Buffer.from(bytes))
  }

  /** Position after the bracket that opens the rows; the end of the block if they begin later. */
  #findRows(block: Buffer, from: number): number {
    const path = this.#path
    for (let at = from; at < block.length; at++) {
      const byte = block[at]
      if (this.#isString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === backslash) this.#isEscaped = true
        else if (byte === quote) {
          this.#isString = false
          if (this.#key !== undefined) {
            const key: unknown = parsed(`"${Buffer.from(this.#key).toString()}"`).value
            this.#isNext = key === path[this.#matched]
            this.#key = undefined
            continue
          }
        }
        this.#key?.push(byte ?? 0)
        continue
      }
      const isDirect = this.#depth === this.#matched + 1
      switch (byte) {
        case quote:
          this.#isString = true
          if (isDirect && this.#mayBeKey) this.#key = []
          break
        case colon:
          if (isDirect) this.#mayBeKey = false
          break
        case comma:
          if (isDirect) {
            this.#mayBeKey = true
            this.#isNext = false
          }
          break
        case openArray:
          if (path.length === 0 ? this.#depth === 0 : isDirect && this.#isNext && this.#matched + 1 === path.length) {
            this.#place = "rows"
            this.#depth = 0
            return at + 1
          }
          this.#depth++
          break
        case openObject:
          if (isDirect && this.#isNext) this.#matched++
          this.#depth++
          this.#mayBeKey = true
          this.#isNext = false
          break
        case closeArray:
        case closeObject:
          this.#depth--
          if (this.#matched > 0 && this.#depth < this.#matched + 1) this.#matched--
          break
      }
    }
    return block.length
  }

  /** Rows that end in a block, starting at a position within them. */
  #cut(block: Buffer, begin: number): Piece {
    let end = -1
    let at = begin
    for (; at < block.length; at++) {
      const byte = block[at]
      if (this.#isString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === backslash) this.#isEscaped = true
        else if (byte === quote) this.#isString = false
      } else if (byte === quote) this.#isString = true
      else if (byte === openObject || byte === openArray) this.#depth++
      else if (byte === comma && this.#depth === 0) end = at
      else if (byte === closeObject || byte === closeArray) {
        if (this.#depth-- > 0) continue
        this.#place = "behind"
        end = at
        break
      }
    }
    if (end === -1) {
      this.#hold(block.subarray(begin))
      return none
    }
    const bytes = Buffer.concat([...this.#held, block.subarray(begin, end)])
    this.#held = []
    this.#sizeHeld = 0
    const text = bytes.toString()
    const isEmpty = this.#place === "behind" && !this.#isAfterComma && text.trim() === ""
    this.#isAfterComma = this.#place === "rows"
    if (this.#place === "behind") this.#keepAround(block.subarray(at))
    else this.#hold(block.subarray(end + 1))
    if (isEmpty) return none
    const { kept, value } = parsed(`[${text}]`)
    return { values: value as ReadonlyArray<unknown>, malformed: [], kept, isStray: !isUtf8(bytes) }
  }

  #hold(bytes: Buffer): void {
    this.#sizeHeld += bytes.length
    if (this.#sizeHeld > maxSize) throw new Cut(`has a row that ${tooMuch}`)
    if (bytes.length > 0) this.#held.push(Buffer.from(bytes))
  }
}

const linesCutter = (format: Format, contentType: string, delimiter: string | undefined): Cutter => {
  const decoder = lineDecoderOf(format, contentType, delimiter)
  const lines = new LineSplitter()
  const pieceOf = ({ kept, malformed, rows }: ReturnType<typeof decoder.decode>): Piece => ({
    values: rows.map(({ data }) => data),
    malformed,
    kept
  })
  return {
    write: (block) => {
      // Record separators of a JSON text sequence (RFC 7464) become spaces.
      for (let at = block.indexOf(0x1e); at !== -1; at = block.indexOf(0x1e, at)) block[at] = 0x20
      return pieceOf(decoder.decode(lines.cut(block)))
    },
    end: () => {
      const first = pieceOf(decoder.decode(lines.end()))
      const last = pieceOf(decoder.end())
      return {
        last: {
          values: [...first.values, ...last.values],
          malformed: [...first.malformed, ...last.malformed],
          kept: first.kept ?? last.kept
        },
        body: [],
        isFound: true,
        hint: hintOf(decoder)
      }
    }
  }
}

const xmlCutter = (path: ReadonlyArray<string>): Cutter => {
  let values: Array<unknown> = []
  let hasTaken = false
  const take = (value: unknown) => {
    hasTaken = true
    values.push(value)
  }
  const reader = xmlReaderOf({ path, take })
  const decoder = new StringDecoder("utf8")
  const taken = (): Piece => {
    const some = values
    values = []
    return { values: some, malformed: [] }
  }
  return {
    write: (block) => {
      reader.write(decoder.write(block))
      return taken()
    },
    end: () => {
      reader.write(decoder.end())
      const decoded = reader.end()
      if (Either.isLeft(decoded)) throw new Cut(decoded.left)
      return { last: taken(), body: decoded.right.value, isFound: hasTaken }
    }
  }
}

/** Large response of a page while its rows are being read. */
export interface LargeAnswer {
  readonly received: Received
  /** Next piece with values or malformed lines; at the end of the response also `end`. */
  readonly next: Effect.Effect<Piece & { readonly end?: End | undefined }, StepError>
  /** Number of values and malformed lines returned so far. */
  readonly count: () => number
  /** Hash of the values returned so far; of nothing if `isHashed` is false. */
  readonly hash: () => string
}

const cutterOf = ({ delimiter, format, path }: LargeOptions, contentType: string): Cutter => {
  if (format === "json") return new JsonCutter(path)
  return format === "xml" ? xmlCutter(path) : linesCutter(format, contentType, delimiter)
}

interface LargeOptions {
  readonly format: Format
  /** Character between the cells of CSV, if the step names one. */
  readonly delimiter: string | undefined
  readonly path: ReadonlyArray<string>
  readonly given: number
  /** False if nothing needs the hash. */
  readonly isHashed: boolean
}

/** Reads a large response in pieces, and skips the first `given` values. */
export const readLarge = (
  folder: ScratchFolder,
  received: Received,
  options: LargeOptions,
  invalid: (problem: string) => StepError
): Effect.Effect<LargeAnswer, StepError> =>
  Effect.gen(function* () {
    const handle: FileHandle = yield* folder.handleOf(received.file ?? { name: "", bytes: 0 })
    const { given, isHashed } = options
    const cutter = cutterOf(options, received.headers["content-type"] ?? "")
    const digest = createHash("sha256")
    const block = Buffer.allocUnsafe(blockSize)
    let count = 0
    /** The part of a piece that was not given before; undefined if there is none. */
    const take = (piece: Piece): Piece | undefined => {
      const { malformed, values } = piece
      const size = values.length + malformed.length
      const skipped = given - count
      count += size
      // Hash value by value, because block boundaries are arbitrary.
      if (isHashed) for (const value of values) digest.update(`${JSON.stringify(value)}\n`)
      if (size === 0 || size <= skipped) return undefined
      if (skipped <= 0) return piece
      // The values given before came in other blocks, of an answer that was cut and asked for again.
      return {
        ...piece,
        values: values.slice(skipped),
        malformed: malformed.slice(Math.max(0, skipped - values.length))
      }
    }
    const guarded = <A>(work: () => A): Effect.Effect<A, StepError> =>
      Effect.try({
        try: work,
        catch: (cause) => invalid(cause instanceof Cut ? cause.message : problemOf(cause))
      })
    const next: LargeAnswer["next"] = Effect.gen(function* () {
      for (;;) {
        const { bytesRead } = yield* folder.attempt(() => handle.read(block, 0, blockSize))
        if (bytesRead > 0) {
          const piece = take(yield* guarded(() => cutter.write(block.subarray(0, bytesRead))))
          if (piece !== undefined) return piece
          continue
        }
        yield* folder.close(handle)
        const { last, ...end } = yield* guarded(() => cutter.end())
        return { ...(take(last) ?? none), end }
      }
    })
    return { received, next, count: () => count, hash: () => digest.copy().digest("hex") }
  })
