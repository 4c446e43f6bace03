/** Reads the directory and single entries of an untrusted ZIP file. */
import { inflateRawSync } from "node:zlib"
import { tooComplex } from "./Protocol.ts"

export interface Entry {
  readonly name: string
  readonly method: number
  readonly encrypted: boolean
  readonly compressed: number
  readonly size: number
  /** Offset of the local header. */
  readonly offset: number
}

const maxEntries = 10_000
const maxDeclared = 512 * 1024 * 1024

const endSignature = Buffer.from([0x50, 0x4b, 0x05, 0x06])
const localSignature = Buffer.from([0x50, 0x4b, 0x03, 0x04])

/** Entries of the central directory; empty when there is none, as in a truncated file. */
export const entriesOf = (bytes: Buffer): ReadonlyArray<Entry> => {
  const end = bytes.lastIndexOf(endSignature)
  if (end < 0 || end + 22 > bytes.length) return []
  if (bytes.readUInt16LE(end + 10) > maxEntries) throw tooComplex(`The container holds over ${maxEntries} parts`)
  const entries: Array<Entry> = []
  let at = bytes.readUInt32LE(end + 16)
  let declared = 0
  while (at + 46 <= bytes.length && bytes.readUInt32LE(at) === 0x02014b50) {
    const nameLength = bytes.readUInt16LE(at + 28)
    const entry: Entry = {
      name: bytes.toString("utf8", at + 46, at + 46 + nameLength),
      method: bytes.readUInt16LE(at + 10),
      encrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      compressed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42)
    }
    entries.push(entry)
    declared += entry.size
    if (entries.length > maxEntries) throw tooComplex(`The container holds over ${maxEntries} parts`)
    if (declared > maxDeclared) throw tooComplex("Unpacked, the container is larger than 512 MB")
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return entries
}

/** Entry names from local headers, for files without a central directory. */
export const localNames = (bytes: Buffer): ReadonlyArray<string> => {
  const names: Array<string> = []
  for (let at = bytes.indexOf(localSignature); at >= 0 && names.length < 100; ) {
    if (at + 30 > bytes.length) break
    names.push(bytes.toString("utf8", at + 30, at + 30 + bytes.readUInt16LE(at + 26)))
    at = bytes.indexOf(localSignature, at + 30)
  }
  return names
}

/** Text of an entry; undefined when it is missing, broken or longer than `limit` bytes. */
export const readPart = (
  bytes: Buffer,
  entries: ReadonlyArray<Entry>,
  name: string,
  limit = 1024 * 1024
): string | undefined => {
  const entry = entries.find((each) => each.name === name)
  if (entry === undefined || entry.encrypted || entry.offset + 30 > bytes.length) return undefined
  const start = entry.offset + 30 + bytes.readUInt16LE(entry.offset + 26) + bytes.readUInt16LE(entry.offset + 28)
  const raw = bytes.subarray(start, start + entry.compressed)
  if (entry.method === 0) return raw.length <= limit ? raw.toString("utf8") : undefined
  try {
    return inflateRawSync(raw, { maxOutputLength: limit }).toString("utf8")
  } catch {
    return undefined
  }
}
