/** Reads XLSX workbooks from their XML: the sheets in order, shared strings, number formats and links. */
import type { Formats } from "./SheetFormat.ts"
import { isWebLink, itemText, maxColumns, SheetReader, type SheetRows } from "./SheetReader.ts"
import { attribute, isTrue, maxTags, tagsOf, withoutSections } from "./Xml.ts"
import { type Entry, entriesOf, readPart } from "./Zip.ts"

const maxPart = 256 * 1024 * 1024

/** A range of cells, from 0; the ends belong to it. */
export interface CellRange {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

export interface SheetContent extends SheetRows {
  /** Ranges of cells that are shown as one. */
  readonly merges: ReadonlyArray<CellRange>
  /** True if the sheet may have more merged cells or links than those that were read. */
  readonly isPartial: boolean
}

export interface XmlSheet {
  readonly name: string
  readonly isHidden: boolean
  readonly read: () => SheetContent
}

export interface XmlBook {
  readonly date1904: boolean
  /** Worksheets, without chart sheets. `formats` must use the date system of the workbook. */
  readonly sheets: (formats: Formats) => ReadonlyArray<XmlSheet>
}

/** Relation targets of a part, by id. */
const relationsOf = (bytes: Buffer, entries: ReadonlyArray<Entry>, part: string): ReadonlyMap<string, string> => {
  const at = part.lastIndexOf("/") + 1
  const xml = readPart(bytes, entries, `${part.slice(0, at)}_rels/${part.slice(at)}.rels`, maxPart) ?? ""
  return new Map(tagsOf(xml, "Relationship").map((tag) => [attribute(tag, "Id") ?? "", attribute(tag, "Target") ?? ""]))
}

/** Part name for the target of another part's relation. */
const partName = (target: string, from: string): string =>
  target.startsWith("/") ? target.slice(1) : new URL(target, `file:///${from}`).pathname.slice(1)

const stringsOf = (xml: string): ReadonlyArray<string> =>
  Array.from(
    withoutSections(xml).matchAll(/<(?:\w{1,20}:)?si(?:\s[^<>]*)?(?:\/>|>([\s\S]*?)<\/(?:\w{1,20}:)?si>)/g),
    ([, item = ""]) => itemText(item)
  )

/** Built-in formats. Other built-in numbers depend on the language of the program. */
const builtIn: Readonly<Record<number, string>> = {
  ...Object.fromEntries(
    [
      "0",
      "0.00",
      "#,##0",
      "#,##0.00",
      '"$"#,##0_);\\("$"#,##0\\)',
      '"$"#,##0_);[Red]\\("$"#,##0\\)',
      '"$"#,##0.00_);\\("$"#,##0.00\\)',
      '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)',
      "0%",
      "0.00%",
      "0.00E+00",
      "# ?/?",
      "# ??/??",
      // The short date depends on the reader's region, but its year always has four digits.
      "m/d/yyyy",
      "d-mmm-yy",
      "d-mmm",
      "mmm-yy",
      "h:mm AM/PM",
      "h:mm:ss AM/PM",
      "h:mm",
      "h:mm:ss",
      "m/d/yyyy h:mm"
    ].map((format, index) => [index + 1, format])
  ),
  30: "m/d/yy",
  37: "#,##0_);(#,##0)",
  38: "#,##0_);[Red](#,##0)",
  39: "#,##0.00_);(#,##0.00)",
  40: "#,##0.00_);[Red](#,##0.00)",
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mmss.0",
  48: "##0.0E+0",
  49: "@"
}

/** True for the built-in date formats of East Asian languages, which differ by language. */
const isRegionalDate = (id: number): boolean => (id >= 27 && id <= 36) || (id >= 50 && id <= 58)

/** Number formats by style number. */
const stylesOf = (xml: string): ReadonlyArray<string> => {
  const own = new Map(
    tagsOf(xml, "numFmt").map((tag) => [Number(attribute(tag, "numFmtId")), attribute(tag, "formatCode") ?? "General"])
  )
  const cells = /<(\w{1,20}:)?cellXfs[\s>][\s\S]*?<\/\1?cellXfs>/.exec(xml)?.[0] ?? ""
  return tagsOf(cells, "xf").map((tag) => {
    const id = Number(attribute(tag, "numFmtId") ?? 0)
    return own.get(id) ?? builtIn[id] ?? (isRegionalDate(id) ? "m/d/yyyy" : "General")
  })
}

/** Opens the workbook; undefined if the file has no workbook in XML. */
export const openXml = (bytes: Buffer): XmlBook | undefined => {
  const entries = entriesOf(bytes)
  const root = readPart(bytes, entries, "_rels/.rels") ?? ""
  const main = tagsOf(root, "Relationship").find((tag) => /\/officeDocument$/.test(attribute(tag, "Type") ?? ""))
  const path = partName(attribute(main ?? "", "Target") ?? "xl/workbook.xml", "")
  const book = readPart(bytes, entries, path, maxPart)
  if (book === undefined || !/<(?:\w{1,20}:)?workbook[\s>]/.test(book)) return undefined
  const targets = relationsOf(bytes, entries, path)
  const part = (name: string): string => {
    const target = [...targets.values()].find((each) => each.endsWith(`${name}.xml`)) ?? `${name}.xml`
    return readPart(bytes, entries, partName(target, path), maxPart) ?? ""
  }
  return {
    date1904: tagsOf(book, "workbookPr").some((tag) => isTrue(tag, "date1904")),
    sheets: (formats) => {
      const strings = stringsOf(part("sharedStrings"))
      const styles = stylesOf(part("styles"))
      return tagsOf(book, "sheet").flatMap((tag) => {
        const target = targets.get(attribute(tag, "(?:\\w+:)?id") ?? "")
        const name = partName(target ?? "", path)
        if (target === undefined || /chartsheets?\//i.test(name)) return []
        const read = () => {
          const xml = withoutSections(readPart(bytes, entries, name, maxPart) ?? "")
          const end = xml.slice(Math.max(0, xml.lastIndexOf("sheetData>")))
          const [merged, linked] = [tagsOf(end, "mergeCell"), tagsOf(end, "hyperlink")]
          const links = linksOf(linked, bytes, entries, name)
          return {
            ...new SheetReader(xml, { strings, styles, formats }, links).read(),
            merges: merged.flatMap((merge) => rangeOf(attribute(merge, "ref")) ?? []),
            isPartial: Math.max(merged.length, linked.length) === maxTags
          }
        }
        return [{ name: attribute(tag, "name") ?? "", isHidden: /[hH]idden/.test(attribute(tag, "state") ?? ""), read }]
      })
    }
  }
}

const columnOf = (letters: string): number => {
  let column = 0
  for (const letter of letters.toUpperCase()) column = 26 * column + letter.charCodeAt(0) - 0x40
  return column - 1
}

/** Range of a reference such as `A1:C3`; undefined if it is none. */
const rangeOf = (reference: string | undefined): CellRange | undefined => {
  const [, left, top, right = left, bottom = top] =
    /^\$?([A-Z]+)\$?(\d+)(?::\$?([A-Z]+)\$?(\d+))?$/i.exec(reference ?? "") ?? []
  if (left === undefined || right === undefined) return undefined
  const [rows, columns] = [[Number(top) - 1, Number(bottom) - 1], [left, right].map(columnOf)]
  return {
    top: Math.min(...rows),
    left: Math.min(...columns),
    bottom: Math.max(...rows),
    right: Math.max(...columns)
  }
}

/** Maximum cells of a range with one link, and of all ranges of a sheet. Other cells of larger ranges have no link. */
const maxLinked = 10_000
const maxAllLinked = 1_000_000

/** Web and mail links by row and column. */
const linksOf = (
  tags: ReadonlyArray<string>,
  bytes: Buffer,
  entries: ReadonlyArray<Entry>,
  name: string
): ReadonlyMap<number, ReadonlyMap<number, string>> => {
  const links = new Map<number, Map<number, string>>()
  if (tags.length === 0) return links
  const targets = relationsOf(bytes, entries, name)
  let budget = maxAllLinked
  for (const tag of tags) {
    const target = targets.get(attribute(tag, "(?:\\w+:)?id") ?? "")
    if (target === undefined || !isWebLink(target)) continue
    const place = attribute(tag, "location")
    const href = place === undefined || target.includes("#") ? target : `${target}#${place}`
    const range = rangeOf(attribute(tag, "ref"))
    if (range === undefined || range.left >= maxColumns) continue
    const [from, to] = [range.left, Math.min(range.right, maxColumns)]
    const most = Math.min(maxLinked, budget)
    let left = most
    for (let row = range.top; row <= range.bottom && left > 0; row += 1) {
      const line = links.get(row) ?? new Map<number, string>()
      links.set(row, line)
      for (let column = from; column <= to && left > 0; column += 1, left -= 1) line.set(column, href)
    }
    budget -= most - left
  }
  return links
}
