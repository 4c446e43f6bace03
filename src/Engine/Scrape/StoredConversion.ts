/**
 * Bytes of a stored conversion: a line with the sizes of its parts, the head (metadata, links and directives), and the content as the JSON
 * of API responses. Each part is compressed separately, so the content of an unchanged page can be copied into a result as stored. This is
 * a separate module, because the threads that convert pages also write these bytes.
 */
import type { Document } from "../../Api/Document.ts"
import { type Packed, type PackedText, packNow, unpackNow } from "../PageCache/Packing.ts"
import type { Converted } from "../PageCache/PageSource.ts"

/** Parts of a page that the page cache stores: the hash of its body, its body and its conversion. */
export interface StoredPage {
  /** Hash of the body. */
  readonly hash: string
  /** Compressed body; undefined if the site compressed the body itself. */
  readonly body: Packed | undefined
  /** Compressed conversion; undefined if there is none yet. */
  readonly conversion: Packed | undefined
}

type Head = Omit<Converted, "content">

/** Sizes of a part in bytes, uncompressed and stored, and its compression; "" means uncompressed. */
type Part = readonly [size: number, coding: "" | "br", stored: number]

/** Maximum uncompressed bytes of a stored conversion. */
export const maxBytes = 2 * 1024 * 1024

const newline = 0x0a

const encoder = new TextEncoder()

/** JSON of the document without its metadata. */
export const contentOf = ({ metadata: _, ...content }: Document): Uint8Array => encoder.encode(JSON.stringify(content))

const lengthOf = (value: unknown): number => {
  if (typeof value === "string") return value.length
  return Array.isArray(value) ? value.reduce((sum: number, item) => sum + lengthOf(item), 0) : 0
}

/** True if the strings of a document alone exceed the limit. Its JSON, which takes long to write, would be at least as long. */
export const isTooLong = ({ metadata: _, ...content }: Document): boolean =>
  Object.values(content).reduce((sum: number, value) => sum + lengthOf(value), 0) > maxBytes

const partOf = ({ body, coding, size }: PackedText): Part => [size, coding, body.byteLength]

/** Writes a conversion; undefined if it is too long. */
export const write = ({ content, directives, links, metadata }: Converted): Packed | undefined => {
  const head: Head = { metadata, links, directives }
  const text = encoder.encode(JSON.stringify(head))
  if (text.byteLength + content.size > maxBytes) return undefined
  const packed = packNow(text)
  const line = encoder.encode(`${JSON.stringify([partOf(packed), partOf(content)])}\n`)
  return { body: Buffer.concat([line, packed.body, content.body]), coding: "" }
}

/** Reads a conversion. Throws if the bytes are not one. */
export const read = (bytes: Uint8Array): Converted => {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = all.indexOf(newline) + 1
  const [head, content] = JSON.parse(all.toString("utf8", 0, end)) as readonly [Part, Part]
  const part = ([size, coding, stored]: Part, from: number): PackedText => ({
    body: all.subarray(from, from + stored),
    coding,
    size: Math.min(size, maxBytes)
  })
  const { body, ...rest } = part(content, end + head[2])
  return {
    ...(JSON.parse(Buffer.from(unpackNow(part(head, end))).toString()) as Head),
    // Copied, because the buffer holds the bytes of many pages.
    content: { body: new Uint8Array(body), ...rest }
  }
}
