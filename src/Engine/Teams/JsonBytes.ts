/** Writes JSON as bytes in slices and yields between them, so that a response of tens of megabytes does not block the event loop. */
import * as Effect from "effect/Effect"
import { nextTurn } from "../../Callback/EventLoop.ts"
import { isHighSurrogate } from "../../Values/Text.ts"
import { LargeBuffer } from "./LargeBuffer.ts"

/** Characters and array items written without yielding: less than a millisecond. */
const sliceLength = 64 * 1024
const sliceItems = 1_000
/** Depth down to which values are written in slices; deeper values are written at once. The long strings of documents are not deeper. */
const maxDepth = 4
/** Milliseconds of writing before the fiber yields. */
const maxTurn = 8

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

/** Yields the parts of the JSON. `value` must be plain JSON data: no functions, no symbols, no `toJSON`. */
function* partsOf(value: unknown, length: number, depth = maxDepth): Generator<string> {
  if (typeof value === "string" && value.length > length) yield* partsOfString(value, length)
  else if (typeof value !== "object" || value === null || depth === 0) yield JSON.stringify(value)
  else if (Array.isArray(value)) yield* partsOfArray(value, length, depth - 1)
  else yield* partsOfObject(value, length, depth - 1)
}

/** Returns the bytes of `JSON.stringify(value)`. `value` must be plain JSON data. */
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
      if (performance.now() - began < maxTurn) continue
      yield* nextTurn
      began = performance.now()
    }
    written.write(text)
    return written.take()
  })
