/** The sheets of an XLSX file as their parts have them: what is hidden, and the XML of the large ones. */
import { isPlain } from "./PlainSheet.ts"
import { entriesOf, readPart } from "./Zip.ts"

export interface Hidden {
  readonly row: (index: number) => boolean
  readonly column: (index: number) => boolean
}

export const nothing: Hidden = { row: () => false, column: () => false }

/** One sheet. */
export interface Part {
  readonly hidden: Hidden
  /** Where it is large and plain. */
  readonly xml: string | undefined
}

const maxPart = 256 * 1024 * 1024
/** Of a sheet. */
const maxColumns = 16_384
/** Characters of XML that wait for their reader at the same time. */
const maxKept = 128 * 1024 * 1024

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1]

const isHidden = (tag: string): boolean => /^(?:1|true)$/.test(attribute(tag, "hidden") ?? "")

const ofSheet = (xml: string): Hidden => {
  if (!xml.includes("hidden=")) return nothing
  const rows = new Set<number>()
  for (const [tag] of xml.matchAll(/<(?:\w{1,20}:)?row\s[^>]{0,500}?\shidden=[^>]{0,500}>/g)) {
    if (isHidden(tag)) rows.add(Number(attribute(tag, "r")) - 1)
  }
  const columns = new Uint8Array(maxColumns)
  for (const [tag] of xml.matchAll(/<(?:\w{1,20}:)?col\s[^>]{0,500}>/g)) {
    const from = Number(attribute(tag, "min"))
    if (from >= 1 && isHidden(tag)) columns.fill(1, from - 1, Number(attribute(tag, "max")))
  }
  return { row: (index) => rows.has(index), column: (index) => columns[index] === 1 }
}

/** By sheet name, in their order. */
export const partsOf = (bytes: Buffer): ReadonlyMap<string, Part> => {
  const entries = entriesOf(bytes)
  const book = readPart(bytes, entries, "xl/workbook.xml") ?? ""
  const relations = readPart(bytes, entries, "xl/_rels/workbook.xml.rels") ?? ""
  const targets = new Map<string, string>()
  for (const [tag] of relations.matchAll(/<(?:\w+:)?Relationship\s[^>]{0,2000}>/g)) {
    const target = attribute(tag, "Target") ?? ""
    targets.set(attribute(tag, "Id") ?? "", target.startsWith("/") ? target.slice(1) : `xl/${target}`)
  }
  const found = new Map<string, Part>()
  let kept = 0
  for (const [tag] of book.matchAll(/<(?:\w+:)?sheet\s[^>]{0,2000}>/g)) {
    const part = targets.get(attribute(tag, "(?:\\w+:)?id") ?? "")
    const xml = part === undefined ? undefined : readPart(bytes, entries, part, maxPart)
    const isKept = xml !== undefined && kept + xml.length <= maxKept && isPlain(xml)
    if (isKept) kept += xml.length
    const hidden = xml === undefined ? nothing : ofSheet(xml)
    found.set(unescape(attribute(tag, "name") ?? ""), { hidden, xml: isKept ? xml : undefined })
  }
  return found
}

const unescape = (text: string): string =>
  text
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, "&")
