/** Finds what an ODS file hides, which SheetJS does not read of this format: rows, columns and sheets. */
import { attribute, withoutSections } from "./Xml.ts"
import { entriesOf, readPart } from "./Zip.ts"

const maxPart = 256 * 1024 * 1024

/** The first row or column and the one after the last, from 0. */
export type Range = readonly [from: number, to: number]

/** Hidden parts of a sheet. */
export interface HiddenParts {
  readonly isHidden: boolean
  readonly rows: ReadonlyArray<Range>
  readonly columns: ReadonlyArray<Range>
}

const element = /<(\/?)(?:\w{1,20}:)?(style|table-properties|table|table-row|table-column)(?=[\s/>])[^<>]{0,4000}>/g

const isHidden = (tag: string): boolean =>
  tag.includes("visibility") && /^(?:collapse|filter)$/.test(attribute(tag, "(?:\\w+:)?visibility") ?? "")

/** Number of times that a row or column is repeated. */
const repeats = (tag: string): number =>
  tag.includes("-repeated") ? Math.max(1, Number(attribute(tag, "(?:\\w+:)?number-(?:rows|columns)-repeated")) || 1) : 1

/** The hidden parts of each sheet, in order. Rows are counted as SheetJS counts them: at their end tags. */
export const hiddenParts = (bytes: Buffer): ReadonlyArray<HiddenParts> => {
  const xml = withoutSections(readPart(bytes, entriesOf(bytes), "content.xml", maxPart) ?? "")
  const hiddenStyles = new Set<string>()
  const sheets: Array<HiddenParts> = []
  let style = ""
  let sheet = { isHidden: false, rows: [] as Array<Range>, columns: [] as Array<Range> }
  let [row, column, rows] = [0, 0, 1]
  for (const [tag, slash, name] of xml.matchAll(element)) {
    const isEnd = slash === "/"
    const isClosed = tag.endsWith("/>")
    switch (name) {
      case "style":
        style = isEnd || isClosed ? "" : (attribute(tag, "(?:\\w+:)?name") ?? "")
        break
      case "table-properties":
        if (style !== "" && attribute(tag, "(?:\\w+:)?display") === "false") hiddenStyles.add(style)
        break
      case "table":
        if (isEnd) sheets.push(sheet)
        else if (!isClosed) {
          const isOfHidden = hiddenStyles.has(attribute(tag, "(?:\\w+:)?style-name") ?? "")
          sheet = { isHidden: isOfHidden, rows: [], columns: [] }
          row = 0
          column = 0
        }
        break
      case "table-column":
        if (isEnd) break
        if (isHidden(tag)) sheet.columns.push([column, column + repeats(tag)])
        column += repeats(tag)
        break
      case "table-row":
        if (isEnd) row += rows
        else if (!isClosed) {
          rows = repeats(tag)
          if (isHidden(tag)) sheet.rows.push([row, row + rows])
        }
        break
    }
  }
  return sheets
}
