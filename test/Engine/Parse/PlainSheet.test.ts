import * as Xlsx from "@e965/xlsx"
import { describe, expect, it } from "@effect/vitest"
import { readWorkbook } from "../../../src/Engine/Parse/Sheet.ts"
import { isPlain, readPlain } from "../../../src/Engine/Parse/SheetXml.ts"

const rowsPlain = 2000

/** A large sheet with every kind of cell. */
const large = (change: (sheet: Xlsx.WorkSheet) => void = () => undefined, date1904 = false): Buffer => {
  const sheet = Xlsx.utils.aoa_to_sheet(
    Array.from({ length: rowsPlain }, (_, row) => [
      `Harbour & <quay> ${row}`,
      row,
      row / 7,
      row % 2 === 0,
      undefined,
      `  spaced _x0041_ ${row} `
    ])
  )
  for (const [at, format] of ["0.00%", "m/d/yy", "m/d/yy h:mm", "#,##0.00 €", "@", '"no. "0'].entries()) {
    sheet[`C${at + 1}`].z = format
  }
  sheet.G1 = { t: "e", v: 42 }
  sheet.G2 = { t: "n", v: 12, f: "SUM(B1:B2)", z: "0.0" }
  change(sheet)
  const book = { ...Xlsx.utils.book_new(), Workbook: { WBProps: { date1904 } } }
  Xlsx.utils.book_append_sheet(book, Xlsx.utils.aoa_to_sheet([["small", 1]]), "First")
  Xlsx.utils.book_append_sheet(book, sheet, "Tides & more")
  return Xlsx.write(book, { type: "buffer", bookType: "xlsx" }) as Buffer
}

/** Rows as the library formats them, without empty columns. */
const byLibrary = (bytes: Buffer): ReadonlyArray<ReadonlyArray<string>> => {
  const sheet = Xlsx.read(bytes, { dateNF: "m/d/yyyy" }).Sheets["Tides & more"] as Xlsx.WorkSheet
  const rows = Xlsx.utils.sheet_to_json<Array<string>>(sheet, { header: 1, raw: false, defval: "" })
  return rows.map((row) => row.filter((_, column) => column !== 4).map((value) => value.trim()))
}

const none = { row: () => false, column: () => false }
const cells = {
  show: (value: number | boolean) => String(value),
  text: (text: string) => text,
  shared: (index: number) => ["zero", "one"][index]
}
const rowsOf = (inner: string) => readPlain(`<worksheet><sheetData>${inner}</sheetData></worksheet>`, cells, none)

describe("a large sheet", () => {
  it("reads as by the library, next to a small sheet, and with four-digit years", () => {
    const bytes = large()
    const { blocks } = readWorkbook(bytes, "xlsx")
    expect(blocks.map(({ kind }) => kind)).toEqual(["heading", "grid", "heading", "grid"])
    const [, first, , second] = blocks
    expect(first).toEqual({ kind: "grid", rows: [["small", "1"]] })
    const rows = second?.kind === "grid" ? second.rows : []
    expect(rows[2]?.[2]).toMatch(/^1\/0\/1900 \d+:\d\d$/)
    const withoutDate = (all: ReadonlyArray<ReadonlyArray<string>>) => all.filter((_, row) => row !== 2)
    expect(withoutDate(rows)).toEqual(withoutDate(byLibrary(bytes)))
  })

  it("keeps its links, which the fast path does not read", () => {
    const bytes = large((sheet) => {
      sheet.A2.l = { Target: "https://example.com/quay" }
    })
    expect(JSON.stringify(readWorkbook(bytes, "xlsx").blocks[3])).toContain('"href":"https://example.com/quay"')
  })

  it("uses the 1904 date system where the workbook does", () => {
    const bytes = large((sheet) => {
      sheet.C1.z = "m/d/yy"
    }, true)
    const grid = readWorkbook(bytes, "xlsx").blocks[3]
    expect(grid?.kind === "grid" && grid.rows.length).toBe(rowsPlain)
    expect(grid?.kind === "grid" && grid.rows[0]?.[2]).toBe("1/1/1904")
  })

  it("is read cell by cell, without hidden rows", () => {
    expect(
      rowsOf(
        '<row r="1"><c r="A1" t="s"><v>1</v></c><c r="C1" s="4"><f>A1+1</f><v>2.5</v></c></row>\n<row r="3" spans="1:2"><c r="B3" t="str"><f/><v>a &amp; b&#x41;</v></c><c r="C3" t="inlineStr"><is><t>in line &#128032;</t></is></c><c r="D3"/></row>'
      )
    ).toEqual([
      { columns: [0, 2], values: ["one", "2.5"] },
      { columns: [1, 2], values: ["a & bA", "in line 🐠"] }
    ])
    const hidden = { row: (index: number) => index === 0, column: (index: number) => index === 2 }
    expect(
      readPlain(
        '<sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="A2"><v>2</v></c><c r="C2"><v>3</v></c></row></sheetData>',
        cells,
        hidden
      )
    ).toEqual([{ columns: [0], values: ["2"] }])
  })

  it.each([
    ["a cell without a place", "<row><c t='s'><v>1</v></c></row>"],
    ["cells in no order", '<row r="1"><c r="B1"><v>1</v></c><c r="A1"><v>1</v></c></row>'],
    ["rows in no order", '<row r="2"><c r="B2"><v>1</v></c></row><row r="1"><c r="A1"><v>1</v></c></row>'],
    ["text in several pieces", '<row r="1"><c r="A1" t="inlineStr"><is><r><t>a</t></r></is></c></row>'],
    ["a missing shared string", '<row r="1"><c r="A1" t="s"><v>7</v></c></row>'],
    ["a date in words", '<row r="1"><c r="A1" t="d"><v>2024-01-01</v></c></row>'],
    ["a comment", '<row r="1"><!-- --><c r="A1"><v>1</v></c></row>'],
    ["an end that is missing", '<row r="1"><c r="A1"><v>1</v>']
  ])("leaves %s to the library", (_, inner) => {
    expect(rowsOf(inner)).toBeUndefined()
  })

  it("is recognised by its length and by the elements after its rows", () => {
    const xml = (tail: string) => `<sheetData>${"<row/>".repeat(100_000)}</sheetData>${tail}`
    expect(isPlain(xml(""))).toBe(true)
    expect(isPlain(xml("<hyperlinks><hyperlink/></hyperlinks>"))).toBe(false)
    expect(isPlain("<sheetData></sheetData>")).toBe(false)
  })
})
