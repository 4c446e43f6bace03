/**
 * Finds the objects of a PDF file by searching its text, without the cross-reference table. Streams in encrypted files are not readable.
 */
import { constants, inflateSync } from "node:zlib"

/** Object that is directly in the file, not in an object stream. */
export interface FileObject {
  readonly number: number
  readonly generation: number
  /** Text of the object before its stream or its end, such as `<< /Type /Page … >>`. */
  readonly head: string
  /** Offset of the first byte of the stream. */
  readonly stream: number | undefined
}

/** Maximum characters of `head`. Only objects without a stream have more. */
const maxHead = 8192

/** Yields the objects of a file, ordered by offset. `text` has one character per byte. */
export function* objectsIn(text: string): Generator<FileObject> {
  for (const match of text.matchAll(/(\d{1,10})[ \t\r\n]{1,4}(\d{1,5})[ \t\r\n]{1,4}obj\b/g)) {
    const start = match.index + match[0].length
    const after = text.slice(start, start + maxHead)
    const end = /\bstream\r?\n|\bendobj\b|\d[ \t\r\n]{1,4}obj\b/.exec(after)
    const isStream = end?.[0].startsWith("stream") === true
    yield {
      number: Number(match[1]),
      generation: Number(match[2]),
      head: after.slice(0, end?.index),
      stream: isStream ? start + (end?.index ?? 0) + (end?.[0].length ?? 0) : undefined
    }
  }
}

/** Maximum decoded bytes of a stream. */
export const maxDecoded = 32 * 1024 * 1024

/** Decodes a stream without filters or with FlateDecode. Returns the available part of a truncated one. */
export const decoded = (bytes: Buffer, text: string, { head, stream }: FileObject): Buffer | undefined => {
  if (stream === undefined) return undefined
  const stated = Number(/\/Length\s+(\d+)(?!\s+\d+\s+R)/.exec(head)?.[1] ?? Number.NaN)
  const marked = text.indexOf("endstream", stream)
  const isRight = /^\s{0,2}endstream/.test(text.slice(stream + stated, stream + stated + 11))
  const end = isRight ? stream + stated : marked < 0 ? bytes.length : marked
  const raw = bytes.subarray(stream, end)
  if (!/\/Filter\b/.test(head)) return raw
  if (
    !/\/Filter\s{0,8}\[?\s{0,8}\/(?:FlateDecode|Fl)\s*(?:\]|\/(?!\w+Decode)|>>)/.test(head) ||
    /\/Predictor\b/.test(head)
  )
    return undefined
  try {
    return inflateSync(raw, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxDecoded })
  } catch {
    return undefined
  }
}
