/**
 * Bytes of a stored conversion: a line with metadata, links and directives, then the content as the JSON that answers consist of. So a page
 * that has not changed becomes a result without being parsed. A module of its own, because threads that convert pages write it, too.
 */
import type { Document } from "../../Api/Document.ts"
import type { Converted } from "../PageSource.ts"

/** The first line. */
type Head = Omit<Converted, "content">

const newline = 0x0a

const encoder = new TextEncoder()

/** JSON of the document without its metadata. */
export const contentOf = ({ metadata: _, ...content }: Document): Uint8Array => encoder.encode(JSON.stringify(content))

export const write = ({ content, directives, links, metadata }: Converted): Uint8Array => {
  const head: Head = { metadata, links, directives }
  return Buffer.concat([encoder.encode(`${JSON.stringify(head)}\n`), content])
}

/** Undefined for bytes that are no conversion. */
export const read = (bytes: Uint8Array): Converted | undefined => {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = all.indexOf(newline)
  return end === -1
    ? undefined
    : { ...(JSON.parse(all.toString("utf8", 0, end)) as Head), content: all.subarray(end + 1) }
}
