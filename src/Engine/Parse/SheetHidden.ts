/** Which rows and columns of an XLSX file are hidden: read from its parts, since the library is slow at it (spec 4.2). */
import { entriesOf, readPart } from "./Zip.ts"

export interface Hidden {
  readonly row: (index: number) => boolean
  readonly column: (index: number) => boolean
}

export const nothing: Hidden = { row: () => false, column: () => false }

const maxPart = 256 * 1024 * 1024

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1]

const isHidden = (tag: string): boolean => /^(?:1|true)$/.test(attribute(tag, "hidden") ?? "")

const ofSheet = (xml: string): Hidden => {
  if (!xml.includes("hidden=")) return nothing
  const rows = new Set<number>()
  for (const [tag] of xml.matchAll(/<(?:\w+:)?row\s[^>]{0,500}?\shidden=[^>]*>/g)) {
    if (isHidden(tag)) rows.add(Number(attribute(tag, "r")) - 1)
  }
  const columns: Array<readonly [from: number, to: number]> = []
  for (const [tag] of xml.matchAll(/<(?:\w+:)?col\s[^>]{0,500}>/g)) {
    if (isHidden(tag)) columns.push([Number(attribute(tag, "min")) - 1, Number(attribute(tag, "max")) - 1])
  }
  return {
    row: (index) => rows.has(index),
    column: (index) => columns.some(([from, to]) => index >= from && index <= to)
  }
}

/** By sheet name. */
export const hiddenOf = (bytes: Buffer): ReadonlyMap<string, Hidden> => {
  const entries = entriesOf(bytes)
  const book = readPart(bytes, entries, "xl/workbook.xml") ?? ""
  const relations = readPart(bytes, entries, "xl/_rels/workbook.xml.rels") ?? ""
  const targets = new Map<string, string>()
  for (const [tag] of relations.matchAll(/<(?:\w+:)?Relationship\s[^>]{0,2000}>/g)) {
    const target = attribute(tag, "Target") ?? ""
    targets.set(attribute(tag, "Id") ?? "", target.startsWith("/") ? target.slice(1) : `xl/${target}`)
  }
  const found = new Map<string, Hidden>()
  for (const [tag] of book.matchAll(/<(?:\w+:)?sheet\s[^>]{0,2000}>/g)) {
    const part = targets.get(attribute(tag, "(?:\\w+:)?id") ?? "")
    const xml = part === undefined ? undefined : readPart(bytes, entries, part, maxPart)
    if (xml !== undefined) found.set(unescape(attribute(tag, "name") ?? ""), ofSheet(xml))
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
