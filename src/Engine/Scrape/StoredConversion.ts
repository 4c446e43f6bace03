/**
 * Bytes of a stored conversion: a line with the sizes of its parts, the head (metadata, links and directives), and the content as the JSON
 * that answers consist of. Each part is compressed by itself, so the content of a page that has not changed goes into a result as it is
 * stored. A module of its own, because threads that convert pages write it, too.
 */
import type { Document } from "../../Api/Document.ts"
import { type Packed, type PackedText, packNow, unpackNow } from "../PageCache/Packing.ts"
import type { Converted } from "../PageCache/PageSource.ts"

/** A page as the page cache stores it. */
export interface StoredPage {
  /** Of the body. */
  readonly hash: string
  /** Compressed body; undefined if the site has compressed it. */
  readonly body: Packed | undefined
  /** Compressed conversion; undefined if there is none yet. */
  readonly conversion: Packed | undefined
}

type Head = Omit<Converted, "content">

/** Size and coding of a part, and the bytes that it is stored in. */
type Part = readonly [size: number, coding: "" | "br", stored: number]

/** Maximum bytes of a stored conversion, unpacked. */
export const maxBytes = 2 * 1024 * 1024

const newline = 0x0a

const encoder = new TextEncoder()

/** JSON of the document without its metadata. */
export const contentOf = ({ metadata: _, ...content }: Document): Uint8Array => encoder.encode(JSON.stringify(content))

const lengthOf = (value: unknown): number => {
  if (typeof value === "string") return value.length
  return Array.isArray(value) ? value.reduce((sum: number, item) => sum + lengthOf(item), 0) : 0
}

/** True if a document is too long to be stored by its strings alone. Its JSON would have at least as many bytes, and takes long to write. */
export const isTooLong = ({ metadata: _, ...content }: Document): boolean =>
  Object.values(content).reduce((sum: number, value) => sum + lengthOf(value), 0) > maxBytes

const partOf = ({ body, coding, size }: PackedText): Part => [size, coding, body.byteLength]

/** Undefined for a conversion that is too long. */
export const write = ({ content, directives, links, metadata }: Converted): Packed | undefined => {
  const head: Head = { metadata, links, directives }
  const text = encoder.encode(JSON.stringify(head))
  if (text.byteLength + content.size > maxBytes) return undefined
  const packed = packNow(text)
  const line = encoder.encode(`${JSON.stringify([partOf(packed), partOf(content)])}\n`)
  return { body: Buffer.concat([line, packed.body, content.body]), coding: "" }
}

/** Throws for bytes that are no conversion. */
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
    // A copy: the bytes are those of many pages.
    content: { body: new Uint8Array(body), ...rest }
  }
}
