import * as Xlsx from "@e965/xlsx"
import { describe, expect, it } from "@effect/vitest"
import { readWorkbook } from "../../../src/Engine/Parse/Sheet.ts"
import { makeFormats } from "../../../src/Engine/Parse/SheetFormat.ts"
import { SheetReader } from "../../../src/Engine/Parse/SheetReader.ts"
import { cpuMillis } from "../../CpuTime.ts"
import { xlsx } from "../../foreign/MadeDocuments.ts"

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

const lookups = { strings: ["zero", "one"], styles: [], formats: makeFormats(false) }
const readerOf = (xml: string) => new SheetReader(xml, lookups, new Map()).read()
const rowsOf = (inner: string) => readerOf(`<worksheet><sheetData>${inner}</sheetData></worksheet>`).rows

describe("a large sheet", () => {
  it("reads as by the library, next to a small sheet, and with four-digit years", () => {
    const bytes = large()
    const { blocks } = readWorkbook(bytes, "xlsx")
    expect(blocks.map(({ kind }) => kind)).toEqual(["heading", "grid", "heading", "grid"])
    const [, first, , second] = blocks
    expect(first).toEqual({ kind: "grid", rows: [["small", "1"]] })
    const rows = second?.kind === "grid" ? second.rows : []
    expect(rows[2]?.[2]).toMatch(/^1\/0\/1900 \d+:\d\d$/)
    const withoutDate = (all: ReadonlyArray<ReadonlyArray<string | undefined>>) => all.filter((_, row) => row !== 2)
    expect(withoutDate(rows)).toEqual(withoutDate(byLibrary(bytes)))
  })

  it("keeps its links", () => {
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
      { index: 0, columns: [0, 2], values: ["one", "2.5"] },
      { index: 2, columns: [1, 2], values: ["a & bA", "in line 🐠"] }
    ])
    expect(
      readerOf(
        '<x:worksheet><x:cols><x:col min="3" max="3" hidden="1"/></x:cols><x:sheetData><x:row r="1" hidden="1"><x:c r="A1"><x:v>1</x:v></x:c></x:row><x:row r="2"><x:c r="A2"><x:v>2</x:v></x:c><x:c r="C2"><x:v>3</x:v></x:c></x:row></x:sheetData></x:worksheet>'
      ).rows
    ).toEqual([{ index: 1, columns: [0], values: ["2"] }])
  })

  it.each([
    ["a cell without a place", "<row><c t='s'><v>1</v></c><c><v>7</v></c></row>", [[0, ["one", "7"]]]],
    ["cells in no order", '<row r="1"><c r="B1"><v>1</v></c><c r="A1"><v>2</v></c></row>', [[0, ["2", "1"]]]],
    [
      "rows in no order",
      '<row r="2"><c r="B2"><v>1</v></c></row><row r="1"><c r="A1"><v>2</v></c></row>',
      [
        [0, ["2"]],
        [1, ["1"]]
      ]
    ],
    [
      "text in several pieces",
      '<row r="1"><c r="A1" t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is></c></row>',
      [[0, ["ab"]]]
    ],
    ["a missing shared string", '<row r="1"><c r="A1" t="s"><v>7</v></c><c r="B1"><v>1</v></c></row>', [[0, ["1"]]]],
    ["a date in words", '<row r="1"><c r="A1" t="d"><v>2024-01-01</v></c></row>', [[0, ["2024-01-01"]]]],
    ["an end that is missing", '<row r="1"><c r="A1"><v>1</v>', [[0, ["1"]]]]
  ])("is read with %s", (_, inner, expected) => {
    expect(rowsOf(inner).map(({ index, values }) => [index, values])).toEqual(expected)
  })

  it("counts formulas without a stored result", () => {
    expect(readerOf('<worksheet><sheetData><row r="1"><c r="A1"><f>1+2</f></c></row></sheetData></worksheet>')).toEqual(
      {
        rows: [],
        uncalculated: 1
      }
    )
  })

  it("has merged cells as far as its values reach, and ignores those that overlap others", () => {
    const cells = (row: number) => ["A", "B", "C"].map((column) => `${column}${row}`)
    const xml = (row: number) =>
      `<x:row r="${row}">${cells(row).map((at) => `<x:c r="${at}" t="str"><x:v>${at}</x:v></x:c>`)}</x:row>`
    const gridOf = (merges: ReadonlyArray<string>, columns = "") => {
      const refs = merges.map((ref) => `<x:mergeCell ref="${ref}"/>`).join("")
      const sheet = `${columns}<x:sheetData>${[1, 2, 3].map(xml).join("")}</x:sheetData><x:mergeCells>${refs}</x:mergeCells>`
      return readWorkbook(xlsx(sheet), "xlsx").blocks.at(-1)
    }
    expect(gridOf(["A1:XFD1048576"])).toEqual({
      kind: "grid",
      rows: [["A1", undefined, undefined], Array(3).fill(undefined), Array(3).fill(undefined)],
      spans: new Map([["0:0", { colSpan: 3, rowSpan: 3 }]])
    })
    expect(gridOf(["A2:B2", "A1:A2", "B3:B2", "A3", "Z9:ZZ99", "none"])).toEqual({
      kind: "grid",
      rows: [cells(1), ["A2", undefined, "C2"], cells(3)],
      spans: new Map([["1:0", { colSpan: 2, rowSpan: 1 }]])
    })
    const hidden = '<x:cols><x:col min="1" max="1" hidden="1"/></x:cols>'
    expect(gridOf(["A1:B1"], hidden)).toEqual({
      kind: "grid",
      rows: [
        ["", "C1"],
        ["B2", "C2"],
        ["B3", "C3"]
      ]
    })
  })

  it("is not slower with many merged cells beside its values", () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => `<x:row r="${row + 1}"><x:c><x:v>1</x:v></x:c></x:row>`)
    const read = (merge: string) => {
      const merges = `<x:mergeCells>${merge.repeat(10_000)}</x:mergeCells>`
      const bytes = xlsx(`<x:sheetData>${rows.join("")}</x:sheetData>${merges}`)
      return cpuMillis(() => readWorkbook(bytes, "xlsx"))
    }
    read("")
    const plain = read('<x:mergeCell ref="A1"/>')
    expect(read('<x:mergeCell ref="B1:B1048576"/>')).toBeLessThan(5 * plain)
  })

  it("has a limited number of merged cells and links, and says so", () => {
    const cells = ["A1", "B1"].map((at) => `<x:c r="${at}"><x:v>1</x:v></x:c>`).join("")
    const read = (end: string) =>
      readWorkbook(xlsx(`<x:sheetData><x:row r="1">${cells}</x:row></x:sheetData>${end}`), "xlsx")
    const merge = (count: number) => read(`${'<x:mergeCell ref="A1"/>'.repeat(count)}<x:mergeCell ref="A1:B1"/>`)
    expect(merge(99_998)).toMatchObject({ blocks: [{}, { rows: [["1", undefined]] }], warnings: [] })
    const warning =
      "Sheet Made has 100000 or more merged cells or links: those from there on are left out. Split the sheet to keep them."
    expect(merge(100_000)).toMatchObject({ blocks: [{}, { rows: [["1", "1"]] }], warnings: [warning] })
    const link = (count: number) => read(`${'<x:hyperlink ref="A1"/>'.repeat(count)}`)
    expect(link(99_999).warnings).toEqual([])
    expect(link(100_000).warnings).toEqual([warning])
  })
})
