/** Decodes lines of JSON with one object each. */

import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import { deepest, isDeepJson, parseShallow } from "../../Api/Depth.ts"
import { mayMove, namesInText } from "../../Row/FieldOrder.ts"
import * as Large from "../../Row/Integers.ts"
import type { Data, Row } from "../../Row.ts"
import {
  type Decoded,
  type Decoder,
  type Integers,
  isTooLong,
  type Lines,
  type Malformed,
  malformed,
  type Position,
  tooLarge,
  tooLongLine,
  withoutMark
} from "./Decoder.ts"

/** Thrown by the fast path if a line is not an object, or contains something that must be refused. */
const strange = new Error("not an object")

const rowOf = (data: Data, text: string, position: number): Row =>
  mayMove(text) ? { data, position, fields: namesInText(text) } : { data, position }

/** Decodes lines if all are objects; returns a number that was kept as a string. */
const decodeFast = (
  { bytes, ends, starts }: Lines,
  line: number,
  rows: Array<Row>,
  integers: Integers
): string | undefined => {
  let kept: string | undefined
  // One string for all lines: substrings of it are not copied.
  const whole = bytes.toString("utf8", starts[0], ends.at(-1))
  const isLarge = Large.mayHold(bytes, starts[0] ?? 0, ends.at(-1) ?? 0) || Large.mayOverflow(whole)
  const lines = whole.split("\n")
  if (lines.length !== starts.length || ends.some((end, index) => isTooLong(starts[index] ?? 0, end))) throw strange
  for (let index = 0; index < lines.length; index++) {
    const text = lines[index]
    if (text === undefined || text === "" || text === "\r") continue
    const data = isLarge ? parseLarge(text, (integer) => (kept ??= integer)) : parseShallow(text)
    if (!Predicate.isReadonlyRecord(data)) throw strange
    rows.push(rowOf(data, text, line + index))
  }
  if (kept !== undefined && integers === "strict") throw strange
  return kept
}

/** Like {@link parseShallow}, with numbers that are too large as strings. */
const parseLarge = (text: string, keep: (integer: string) => void): unknown => {
  if (isDeepJson(text, deepest)) return undefined
  const { kept, value } = Large.parse(text)
  if (kept !== undefined) keep(kept)
  return value
}

const describe = (data: unknown): string =>
  data === null ? "null" : Array.isArray(data) ? "an array" : typeof data === "string" ? "a string" : `a ${typeof data}`

const decodeLine = (
  text: string,
  integers: Integers,
  keep: (integer: string) => void
): Either.Either<Data | undefined, string> => {
  if (text.trim() === "") return Either.right(undefined)
  let kept: string | undefined
  const parsed = Either.try(() => parseLarge(text, (integer) => (kept = integer)))
  if (Either.isLeft(parsed)) {
    const hint = text.includes("\u0000") ? "it holds zero bytes" : String((parsed.left as Error).message)
    return Either.left(`is not JSON: ${hint.replaceAll(/\p{Cc}/gu, "·")}`)
  }
  if (parsed.right === undefined) return Either.left(`is nested more than ${deepest.toLocaleString("en")} levels deep`)
  if (kept !== undefined && integers === "strict") return Either.left(tooLarge(kept))
  if (kept !== undefined) keep(kept)
  return Predicate.isReadonlyRecord(parsed.right)
    ? Either.right(parsed.right)
    : Either.left(`is ${describe(parsed.right)}, but a row must be an object`)
}

const decodeCarefully = (
  lines: Lines,
  line: number,
  rows: Array<Row>,
  failures: Array<Malformed>,
  integers: Integers
): string | undefined => {
  let kept: string | undefined
  for (const [index, start] of lines.starts.entries()) {
    const end = lines.ends[index] ?? 0
    if (isTooLong(start, end)) {
      failures.push(malformed(line + index, tooLongLine, ""))
      continue
    }
    const text = withoutMark(lines.bytes.toString("utf8", start, end), line + index)
    const data = decodeLine(text, integers, (integer) => (kept ??= integer))
    if (Either.isLeft(data)) failures.push(malformed(line + index, data.left, text))
    else if (data.right !== undefined) rows.push(rowOf(data.right, text, line + index))
  }
  return kept
}

/** Makes a decoder of JSON Lines. */
export const jsonDecoder = ({ line: before }: Position, integers: Integers = "string"): Decoder => {
  let line = before
  return {
    decode: (parts): Decoded => {
      const rows: Array<Row> = []
      const failures: Array<Malformed> = []
      let kept: string | undefined
      for (const part of parts) {
        const done = rows.length
        // Malformed lines are rare: a block is decoded as a whole first, and line by line only if that fails.
        const fast = Either.try(() => decodeFast(part, line + 1, rows, integers))
        if (Either.isLeft(fast)) {
          rows.length = done
          const careful = decodeCarefully(part, line + 1, rows, failures, integers)
          kept ??= careful
        } else kept ??= fast.right
        line += part.starts.length
      }
      return { rows, malformed: failures, kept }
    },
    end: () => ({ rows: [], malformed: [] }),
    state: () => ({ line }),
    held: () => 0
  }
}
