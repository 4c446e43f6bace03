/** Reads the directory and single entries of an untrusted ZIP file. */
import { crc32, inflateRawSync } from "node:zlib"
import { tooComplex } from "./Protocol.ts"

export interface Entry {
  readonly name: string
  readonly method: number
  readonly encrypted: boolean
  readonly crc: number
  readonly compressed: number
  readonly size: number
  /** Offset of the local header. */
  readonly offset: number
}

const maxEntries = 10_000
const maxDeclared = 512 * 1024 * 1024

const endSignature = Buffer.from([0x50, 0x4b, 0x05, 0x06])
const localSignature = Buffer.from([0x50, 0x4b, 0x03, 0x04])

/** Reads the entries of the central directory; empty if there is none, as in a truncated file. */
export const entriesOf = (bytes: Buffer): ReadonlyArray<Entry> => {
  const end = bytes.lastIndexOf(endSignature)
  if (end < 0 || end + 22 > bytes.length) return []
  if (bytes.readUInt16LE(end + 10) > maxEntries) throw tooComplex(`The file contains more than ${maxEntries} entries`)
  const entries: Array<Entry> = []
  let at = bytes.readUInt32LE(end + 16)
  let declared = 0
  while (at + 46 <= bytes.length && bytes.readUInt32LE(at) === 0x02014b50) {
    const nameLength = bytes.readUInt16LE(at + 28)
    const entry: Entry = {
      name: bytes.toString("utf8", at + 46, at + 46 + nameLength),
      method: bytes.readUInt16LE(at + 10),
      encrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      crc: bytes.readUInt32LE(at + 16),
      compressed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42)
    }
    entries.push(entry)
    declared += entry.size
    if (entries.length > maxEntries) throw tooComplex(`The file contains more than ${maxEntries} entries`)
    if (declared > maxDeclared) throw tooComplex("Unpacked, the file is larger than 512 MB")
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

/** Reads an entry, decompressed; undefined if it is missing, broken or longer than `limit` bytes. */
export const readBytes = (
  bytes: Buffer,
  entries: ReadonlyArray<Entry>,
  name: string,
  limit: number
): Buffer | undefined => {
  const entry = entries.find((each) => each.name === name)
  if (entry === undefined || entry.encrypted || entry.offset + 30 > bytes.length) return undefined
  const raw = packed(bytes, entry)
  if (entry.method === 0) return raw.length <= limit ? raw : undefined
  try {
    return inflateRawSync(raw, { maxOutputLength: limit })
  } catch {
    return undefined
  }
}

const packed = (bytes: Buffer, { compressed, offset }: Entry): Buffer => {
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  return bytes.subarray(start, start + compressed)
}

/** Text of an entry; undefined when it is missing, broken or longer than `limit` bytes. */
export const readPart = (
  bytes: Buffer,
  entries: ReadonlyArray<Entry>,
  name: string,
  limit = 1024 * 1024
): string | undefined => readBytes(bytes, entries, name, limit)?.toString("utf8")

/** Copies the file and replaces the text of some entries, which are stored uncompressed. */
export const withTexts = (bytes: Buffer, entries: ReadonlyArray<Entry>, texts: ReadonlyMap<string, string>): Buffer => {
  const parts: Array<Buffer> = []
  const directory: Array<Buffer> = []
  let offset = 0
  for (const entry of entries) {
    if (entry.encrypted || entry.offset + 30 > bytes.length) continue
    const text = texts.get(entry.name)
    const content = text === undefined ? packed(bytes, entry) : Buffer.from(text)
    const name = Buffer.from(entry.name)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    // The flag says that names are UTF-8.
    head.writeUInt16LE(0x800, 2)
    head.writeUInt16LE(text === undefined ? entry.method : 0, 4)
    head.writeUInt32LE(text === undefined ? entry.crc : crc32(content), 10)
    head.writeUInt32LE(content.length, 14)
    head.writeUInt32LE(text === undefined ? entry.size : content.length, 18)
    head.writeUInt16LE(name.length, 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    const version = Buffer.from([20, 0])
    parts.push(localSignature, head, name, content)
    directory.push(Buffer.from([0x50, 0x4b, 0x01, 0x02]), version, head, tail, name)
    offset += localSignature.length + head.length + name.length + content.length
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0)
  const count = directory.length / 5
  const end = Buffer.alloc(22)
  endSignature.copy(end)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}
