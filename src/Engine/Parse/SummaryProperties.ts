/** What Word and Excel wrote about a file before 2007: the property set "SummaryInformation". */
import iconv from "iconv-lite"
import { streamOf } from "./Compound.ts"

type Properties = Record<string, string | number>

/** Numbers of the properties, as the format fixes them. */
const keys: Record<number, string> = {
  2: "title",
  3: "subject",
  4: "author",
  5: "keywords",
  6: "description",
  12: "createdTime",
  13: "modifiedTime",
  14: "numPages"
}

const maxProperties = 100
const maxLength = 4000

/** 100-nanosecond steps since 1601. */
const timeOf = (low: number, high: number): string | undefined => {
  const millis = (high * 2 ** 32 + low) / 10_000 - 11_644_473_600_000
  return millis > 0 && millis < 8.64e15 ? new Date(millis).toISOString() : undefined
}

const textOf = (raw: Buffer, codePage: number): string => {
  const encoding = codePage === 1200 ? "utf16le" : codePage === 65001 ? "utf8" : `cp${codePage}`
  return iconv
    .decode(raw, iconv.encodingExists(encoding) ? encoding : "cp1252")
    .split("\0", 1)
    .join("")
    .trim()
}

const valueOf = (set: Buffer, at: number, codePage: number): string | number | undefined => {
  if (at + 8 > set.length) return undefined
  switch (set.readUInt32LE(at) & 0xffff) {
    case 2:
      return set.readUInt16LE(at + 4)
    case 3:
      return set.readInt32LE(at + 4)
    case 30:
      return textOf(set.subarray(at + 8, at + 8 + Math.min(set.readUInt32LE(at + 4), maxLength)), codePage)
    case 31:
      return textOf(set.subarray(at + 8, at + 8 + Math.min(2 * set.readUInt32LE(at + 4), maxLength)), 1200)
    case 64:
      return at + 12 > set.length ? undefined : timeOf(set.readUInt32LE(at + 4), set.readUInt32LE(at + 8))
    default:
      return undefined
  }
}

/** Of an OLE2 container; nothing when it says nothing. */
export const ofCompound = (bytes: Buffer): Properties => {
  const set = streamOf(bytes, "\u0005SummaryInformation")
  if (set === undefined || set.length < 56) return {}
  const section = set.readUInt32LE(44)
  if (section + 8 > set.length) return {}
  const count = Math.min(set.readUInt32LE(section + 4), maxProperties)
  const places = Array.from({ length: count }, (_, index) => section + 8 + 8 * index)
    .filter((at) => at + 8 <= set.length)
    .map((at) => ({ id: set.readUInt32LE(at), at: section + set.readUInt32LE(at + 4) }))
  const stated = places.find(({ id }) => id === 1)
  const codePage = Number((stated && valueOf(set, stated.at, 1252)) ?? 1252)
  const found: Properties = {}
  for (const { at, id } of places) {
    const key = keys[id]
    const value = key === undefined ? undefined : valueOf(set, at, codePage)
    if (key !== undefined && value !== undefined && value !== "" && value !== 0) found[key] = value
  }
  return found
}
