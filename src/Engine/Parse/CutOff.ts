/** Detects truncated files: what is left is parsed, and the response says so. */
import type { Kind } from "./Sniff.ts"

const braceOpen = 0x7b
const braceClose = 0x7d
const backslash = 0x5c

/** A group that is opened is closed. Pictures in binary may hold anything: of those nothing can be said. */
const rtfIsOpen = (bytes: Buffer): boolean => {
  let depth = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === backslash) at += 1
    else if (byte === braceOpen) depth += 1
    else if (byte === braceClose) depth -= 1
  }
  return depth > 0 && !bytes.includes("\\bin")
}

/** Its mark of the end may be followed by what somebody has added. */
const pdfIsOpen = (bytes: Buffer): boolean => bytes.lastIndexOf("%%EOF") < 0

/** Not every writer marks what is not used in the same way, and nothing goes on in the first sector. */
const isUnused = (next: number): boolean => next >= 0xfffffffa || next === 0

/** A sector in use lies behind the end. The last one need not be whole. */
const compoundIsOpen = (bytes: Buffer): boolean => {
  if (bytes.length < 512) return true
  const size = 1 << bytes.readUInt16LE(30)
  if (size !== 512 && size !== 4096) return false
  const within = Math.ceil(bytes.length / size) - 1
  // The header lists the first 109 sectors of the table, which is enough for the table of 7 MB.
  const tables = Math.min(109, bytes.readUInt32LE(44))
  for (let table = 0; table < tables; table += 1) {
    const start = (bytes.readUInt32LE(76 + table * 4) + 1) * size
    if (start + size > bytes.length) return true
    const first = (table * size) / 4
    for (let entry = Math.max(0, within - first); entry < size / 4; entry += 1) {
      if (!isUnused(bytes.readUInt32LE(start + entry * 4))) return true
    }
  }
  return false
}

/** The kinds that can be read without their end. */
export const isCutOff = (bytes: Buffer, kind: Kind): boolean => {
  switch (kind) {
    case "rtf":
      return rtfIsOpen(bytes)
    case "pdf":
      return pdfIsOpen(bytes)
    case "doc":
    case "xls":
      return bytes.readUInt32BE(0) === 0xd0cf11e0 && compoundIsOpen(bytes)
    default:
      return false
  }
}
