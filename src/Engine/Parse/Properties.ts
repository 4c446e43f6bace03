/** What a document says about itself: title, author, dates. */
import iconv from "iconv-lite"
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

/** Elements of OOXML's core.xml and OpenDocument's meta.xml, first named wins. */
const elements: ReadonlyArray<readonly [element: string, key: string]> = [
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

const ofXml = (xml: string): Properties => {
  const found: Properties = {}
  for (const [element, key] of elements) {
    if (found[key] !== undefined) continue
    const values = [...xml.matchAll(new RegExp(`<${element}(?:\\s[^>]{0,1000})?>([^]{0,4000}?)</${element}>`, "g"))]
      .map(([, value = ""]) => decodeEntities(value))
      .filter((value) => value !== "")
    if (values.length > 0) found[key] = key === "numPages" ? Number(values[0]) : values.join(", ")
  }
  return found
}

/** Of a ZIP container: OOXML or OpenDocument. */
export const ofPackage = (bytes: Buffer): Properties => {
  const entries = entriesOf(bytes)
  const parts = ["docProps/core.xml", "docProps/app.xml", "meta.xml"]
  return ofXml(parts.map((name) => readPart(bytes, entries, name) ?? "").join("\n"))
}

/** Of the information group of an RTF file, whose letters are bytes of its code page. */
export const ofRtf = (bytes: Buffer): Properties => {
  const head = bytes.toString("latin1", 0, 64 * 1024)
  const stated = `cp${/\\ansicpg(\d{1,5})/.exec(head)?.[1]}`
  const codePage = iconv.encodingExists(stated) ? stated : "cp1252"
  const found: Properties = {}
  for (const key of ["title", "author", "keywords", "subject"]) {
    const [, raw] = new RegExp(`\\{\\\\${key} ([^{}]{1,2000})\\}`).exec(head) ?? []
    const value = raw
      ?.replace(/\\u(-?\d{1,6})\s?(?:\\'[0-9a-f]{2}|\?)?/g, (_, code: string) =>
        String.fromCharCode(Number(code) & 0xffff)
      )
      .replace(/(?:\\'[0-9a-f]{2})+/gi, (run) => iconv.decode(Buffer.from(run.replace(/\\'/g, ""), "hex"), codePage))
      .replace(/\\[a-z]+-?\d* ?/g, "")
      .trim()
    if (value) found[key] = value
  }
  return found
}
