/** A slice of a page of results: stored documents with commas between them, in the shape of the version that is asked. */
import type { Version } from "./JobRecord.ts"

/** Positions of a job from one to before another. */
export interface Range {
  readonly version: Version
  readonly jobId: string
  readonly from: number
  readonly end: number
  /** The page begins with it: no comma goes before it. */
  readonly first: boolean
}

/** The documents of a range; its parameters are the job, the first position and that behind the last. */
export const selectBodies =
  "SELECT body FROM job_results WHERE job_id = ? AND position >= ? AND position < ? ORDER BY position"

const url = Buffer.from(',"url":"')
/** What follows the URL in a stored document, up to its end. */
const ending = /^","concurrencyLimited":(?:true|false)(?:,"concurrencyQueueDurationMs":\d+)?\}\}$/
const longestEnding = 128
const closing = Buffer.from("}}")
const [quote, backslash] = [0x22, 0x5c]

/** A stored document as a version shows it. Documents of older engines end otherwise: they stay as they are. */
export const show = (body: Uint8Array, version: Version): Uint8Array => {
  if (version === 2) return body
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  // Quotes within strings are escaped, so this is a key.
  const at = bytes.lastIndexOf(url)
  if (at < 0) return body
  let end = at + url.length
  while (end < bytes.length && bytes[end] !== quote) end += bytes[end] === backslash ? 2 : 1
  const rest = bytes.length - end > longestEnding ? "" : bytes.toString("latin1", end)
  return ending.test(rest) ? Buffer.concat([bytes.subarray(0, at), closing]) : body
}

const comma = 0x2c

/** In memory of its own, so that it may be given away; empty when some of the documents are gone. */
export const join = (
  stored: ReadonlyArray<Uint8Array>,
  { end, first, from, version }: Range
): Uint8Array<ArrayBuffer> => {
  if (stored.length !== end - from) return new Uint8Array()
  const bodies = stored.map((body) => show(body, version))
  const commas = Math.max(0, bodies.length - (first ? 1 : 0))
  const slice = new Uint8Array(bodies.reduce((sum, { byteLength }) => sum + byteLength, commas))
  let at = 0
  for (const [index, body] of bodies.entries()) {
    if (index > 0 || !first) slice[at++] = comma
    slice.set(body, at)
    at += body.byteLength
  }
  return slice
}
