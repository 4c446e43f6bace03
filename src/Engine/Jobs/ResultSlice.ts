/** Slice of a page of results: stored documents separated by commas, in the format of an API version. */
import { unpackNow } from "../PageCache/Packing.ts"
import { view } from "../Store/Blob.ts"
import type { Version } from "./JobRecord.ts"

/** Range of result positions of a job; `end` is exclusive. */
export interface Range {
  readonly version: Version
  readonly jobId: string
  readonly from: number
  readonly end: number
  /** True at the start of the page, where no comma is written. */
  readonly first: boolean
}

/** A row of results. */
export interface StoredDocument {
  readonly body: ArrayBuffer | Uint8Array
  readonly bytes: number
  readonly content: ArrayBuffer | Uint8Array | null
}

/** Query for the documents of a range. Parameters: job, first position, position after the last. */
export const selectDocuments = `SELECT body, bytes, content FROM job_results
  WHERE job_id = ? AND position >= ? AND position < ? ORDER BY position`

const url = Buffer.from(',"url":"')
/** Matches the end of a stored document, after the value of `url`. */
const ending = /^","concurrencyLimited":(?:true|false)(?:,"concurrencyQueueDurationMs":\d+)?\}\}$/
const longestEnding = 128
const closing = Buffer.from("}}")
const [quote, backslash] = [0x22, 0x5c]

/** Removes the fields that v1 does not have. Documents stored by older engines stay unchanged. */
export const show = (body: Uint8Array, version: Version): Uint8Array => {
  if (version === 2) return body
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  // Quotes inside strings are escaped, so this match is a key.
  const at = bytes.lastIndexOf(url)
  if (at < 0) return body
  let end = at + url.length
  while (end < bytes.length && bytes[end] !== quote) end += bytes[end] === backslash ? 2 : 1
  const rest = bytes.length - end > longestEnding ? "" : bytes.toString("latin1", end)
  return ending.test(rest) ? Buffer.concat([bytes.subarray(0, at), closing]) : body
}

/** Returns the document in the format of an API version. */
export const documentOf = ({ body, bytes, content }: StoredDocument, version: Version): Uint8Array => {
  const end = show(view(body), version)
  if (content === null) return end
  const size = bytes - body.byteLength + 1
  return Buffer.concat([unpackNow({ body: view(content), coding: "br", size }).subarray(0, -1), end])
}

const comma = 0x2c

/** Returns bytes in a buffer of their own, which can be transferred; empty when a document of the range is missing. */
export const join = (
  stored: ReadonlyArray<StoredDocument>,
  { end, first, from, version }: Range
): Uint8Array<ArrayBuffer> => {
  if (stored.length !== end - from) return new Uint8Array()
  const bodies = stored.map((document) => documentOf(document, version))
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
