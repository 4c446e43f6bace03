/**
 * Properties of a document (title, author, dates), from OOXML, ODF, RTF, or the property set of Word and Excel before 2007.
 */

import { iconv } from "../../Packages.ts"
import { streamOf } from "./Compound.ts"
import { entriesOf, readPart } from "./Zip.ts"

type Properties = Record<string, string | number>

const decodeEntities = (text: string): string =>
  text
    .replace(/<[^<>]*>/g, " ")
    .replace(/&#x([0-9a-f]{1,6});/gi, (_, hex: string) =>
      String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff))
    )
    .replace(/&#(\d{1,7});/g, (_, code: string) => String.fromCodePoint(Math.min(Number(code), 0x10ffff)))
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ")
    .trim()

/** Elements of OOXML's core.xml and OpenDocument's meta.xml. The first element found wins. */
const propertyElements: ReadonlyArray<readonly [element: string, key: string]> = [
  ["dc:title", "title"],
  ["dc:description", "description"],
  ["dc:subject", "subject"],
  ["meta:initial-creator", "author"],
  ["dc:creator", "author"],
  ["cp:keywords", "keywords"],
  ["meta:keyword", "keywords"],
  ["dc:language", "language"],
  ["dcterms:created", "createdTime"],
  ["meta:creation-date", "createdTime"],
  ["dcterms:modified", "modifiedTime"],
  ["dc:date", "modifiedTime"],
  ["Pages", "numPages"]
]

const fromXml = (xml: string): Properties => {
  const found: Properties = {}
  for (const [element, key] of propertyElements) {
    if (found[key] !== undefined) continue
    const values = [...xml.matchAll(new RegExp(`<${element}(?:\\s[^>]{0,1000})?>([^]{0,4000}?)</${element}>`, "g"))]
      .map(([, value = ""]) => decodeEntities(value))
      .filter((value) => value !== "")
    if (values.length > 0) found[key] = key === "numPages" ? Number(values[0]) : values.join(", ")
  }
  return found
}

/** Reads the properties of an OOXML or OpenDocument file. */
export const packageProperties = (bytes: Buffer): Properties => {
  const entries = entriesOf(bytes)
  const parts = ["docProps/core.xml", "docProps/app.xml", "meta.xml"]
  return fromXml(parts.map((name) => readPart(bytes, entries, name) ?? "").join("\n"))
}

/** Properties from the information group of an RTF file, decoded from its code page. */
export const rtfProperties = (bytes: Buffer): Properties => {
  const head = bytes.toString("latin1", 0, 64 * 1024)
  const stated = `cp${/\\ansicpg(\d{1,5})/.exec(head)?.[1]}`
  const codePage = iconv().encodingExists(stated) ? stated : "cp1252"
  const found: Properties = {}
  for (const key of ["title", "author", "keywords", "subject"]) {
    const [, raw] = new RegExp(`\\{\\\\${key} ([^{}]{1,2000})\\}`).exec(head) ?? []
    const value = raw
      ?.replace(/\\u(-?\d{1,6})\s?(?:\\'[0-9a-f]{2}|\?)?/g, (_, code: string) =>
        String.fromCharCode(Number(code) & 0xffff)
      )
      .replace(/(?:\\'[0-9a-f]{2})+/gi, (run) => iconv().decode(Buffer.from(run.replace(/\\'/g, ""), "hex"), codePage))
      .replace(/\\[a-z]+-?\d* ?/g, "")
      .trim()
    if (value) found[key] = value
  }
  return found
}

/** Property numbers in the property set. */
const propertyKeys: Record<number, string> = {
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

/** Converts a time in 100-nanosecond steps since 1601. */
const timeOf = (low: number, high: number): string | undefined => {
  const millis = (high * 2 ** 32 + low) / 10_000 - 11_644_473_600_000
  return millis > 0 && millis < 8.64e15 ? new Date(millis).toISOString() : undefined
}

const textOf = (raw: Buffer, codePage: number): string => {
  const encoding = codePage === 1200 ? "utf16le" : codePage === 65001 ? "utf8" : `cp${codePage}`
  return iconv()
    .decode(raw, iconv().encodingExists(encoding) ? encoding : "cp1252")
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

/** Reads the properties of an OLE2 container; empty if it has none. */
export const compoundProperties = (bytes: Buffer): Properties => {
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
    const key = propertyKeys[id]
    const value = key === undefined ? undefined : valueOf(set, at, codePage)
    if (key !== undefined && value !== undefined && value !== "" && value !== 0) found[key] = value
  }
  return found
}
