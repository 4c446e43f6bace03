/** Writes JSON as bytes a slice at a time, so that an answer of tens of megabytes holds up nobody while it is written. */
import * as Effect from "effect/Effect"
import { nextTurn } from "../Callback/EventLoop.ts"
import { LargeBuffer } from "./LargeBuffer.ts"

/** Characters and items that are written without a pause: less than a millisecond. */
const sliceLength = 64 * 1024
const sliceItems = 1_000
/** Documents have their long strings and lists within this depth; what lies deeper is written at once. */
const maxDepth = 4
/** Milliseconds of a turn of the event loop. */
const share = 8

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00

function* partsOfString(text: string, length: number): Generator<string> {
  yield '"'
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(text.length, start + length)
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1
    yield JSON.stringify(text.slice(start, end)).slice(1, -1)
  }
  yield '"'
}

const isPlain = (value: unknown): boolean => typeof value !== "object" && typeof value !== "string"

function* partsOfArray(items: ReadonlyArray<unknown>, length: number, depth: number): Generator<string> {
  yield "["
  for (let start = 0; start < items.length; start += sliceItems) {
    const slice = items.slice(start, start + sliceItems)
    if (start > 0) yield ","
    if (slice.every((item) => isPlain(item) || (typeof item === "string" && item.length < length / 8))) {
      yield JSON.stringify(slice).slice(1, -1)
      continue
    }
    for (const [at, item] of slice.entries()) {
      if (at > 0) yield ","
      yield* partsOf(item ?? null, length, depth)
    }
  }
  yield "]"
}

function* partsOfObject(object: object, length: number, depth: number): Generator<string> {
  yield "{"
  let isFirst = true
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue
    yield `${isFirst ? "" : ","}${JSON.stringify(key)}:`
    isFirst = false
    yield* partsOf(value, length, depth)
  }
  yield "}"
}

/** `value` is data of JSON: without functions, symbols and methods `toJSON`. */
function* partsOf(value: unknown, length: number, depth = maxDepth): Generator<string> {
  if (typeof value === "string" && value.length > length) yield* partsOfString(value, length)
  else if (typeof value !== "object" || value === null || depth === 0) yield JSON.stringify(value)
  else if (Array.isArray(value)) yield* partsOfArray(value, length, depth - 1)
  else yield* partsOfObject(value, length, depth - 1)
}

/** The bytes of `JSON.stringify(value)`, for the data of JSON alone. */
export const write = (value: unknown, length = sliceLength): Effect.Effect<Buffer> =>
  Effect.gen(function* () {
    const written = new LargeBuffer()
    let text = ""
    let began = performance.now()
    for (const part of partsOf(value, length)) {
      text += part
      if (text.length < length) continue
      written.write(text)
      text = ""
      if (performance.now() - began < share) continue
      yield* nextTurn
      began = performance.now()
    }
    written.write(text)
    return written.take()
  })
