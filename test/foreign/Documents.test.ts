/** Documents: XLSX, DOCX, ODT, RTF. A line has the file, and what its Markdown must or must not have. */
import * as Xlsx from "@e965/xlsx"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { check, type DocumentCase } from "./DocumentCase.ts"
import * as Made from "./MadeDocuments.ts"

/** A sheet with the formats and values of the pairs, one below the other. */
const formatted = (cells: ReadonlyArray<readonly [format: string, value: number]>, date1904 = false) => {
  const sheet = Xlsx.utils.aoa_to_sheet([["Format", "Shown"], ...cells.map((_, row) => [`row ${row}`, 0])])
  for (const [row, [z, v]] of cells.entries()) sheet[`B${row + 2}`] = { t: "n", v, z }
  const book = { ...Xlsx.utils.book_new(), Workbook: { WBProps: { date1904 } } }
  Xlsx.utils.book_append_sheet(book, sheet, "Shown")
  return ["formats.xlsx", Xlsx.write(book, { type: "buffer", bookType: "xlsx" }) as Buffer] as const
}

const shown = (
  name: string,
  source: string,
  pairs: ReadonlyArray<readonly [string, number, string]>
): DocumentCase => ({
  name,
  source,
  input: formatted(pairs.map(([format, value]) => [format, value])),
  has: pairs.map(([, , text], row) => `| row ${row} | ${text} |`)
})

/** A sheet of EAN numbers with `rows` rows. */
const eans = (rows: number) => {
  const sheet = Xlsx.utils.aoa_to_sheet(Array.from({ length: rows }, (_, row) => [4006381333931 + row, `note ${row}`]))
  const book = Xlsx.utils.book_new()
  Xlsx.utils.book_append_sheet(book, sheet, "E")
  return ["eans.xlsx", Xlsx.write(book, { type: "buffer", bookType: "xlsx" }) as Buffer] as const
}

/** A workbook with a comment, a hidden column, a hidden sheet and one that is hidden from the user interface too. */
const hidden = (rows: number) => {
  const cells = Array.from({ length: rows }, (_, row) => [`row ${row}`, `SECRET ${row}`, row])
  const sheet = Xlsx.utils.aoa_to_sheet([["item", "SECRET", "price"], ...cells])
  sheet["!cols"] = [{}, { hidden: true }, {}]
  Xlsx.utils.cell_add_comment(sheet.A2, "COMMENT", "AUTHOR")
  const other = () => Xlsx.utils.aoa_to_sheet([["SECRET"], ["SECRET SHEET"]])
  const book = {
    ...Xlsx.utils.book_new(),
    Workbook: { Sheets: [{ Hidden: 0 as const }, { Hidden: 1 as const }, { Hidden: 2 as const }] }
  }
  for (const [name, content] of [
    ["Shown", sheet],
    ["SECRETHID", other()],
    ["SECRETVERY", other()]
  ] as const)
    Xlsx.utils.book_append_sheet(book, content, name)
  return ["hidden.xlsx", Xlsx.write(book, { type: "buffer", bookType: "xlsx" }) as Buffer] as const
}

const sheets: ReadonlyArray<DocumentCase> = [
  {
    name: "shows dates with dots, spaces, names of months and an unquoted T",
    source: "SheetJS/ssf#97, SheetJS/ssf#96, SheetJS/sheetjs#718",
    input: "18-xlsx/dotted-dates.xlsx",
    has: [
      "| dd.mm.yyyy | 01.05.2026 |",
      "| dd.mm.yyyy;@ | 01.05.2026 |",
      "| d.m.yy | 1.5.26 |",
      "| [$-407]dd.mm.yyyy | 01.05.2026 |",
      "| d. mmmm yyyy | 1. May 2026 |",
      "| yyyy.mm.dd | 2026.05.01 |",
      "| dd. mm. yyyy | 01. 05. 2026 |",
      "| mm.yyyy | 05.2026 |",
      "| hh.mm | 00.00 |"
    ],
    lacks: ["46143"]
  },
  {
    name: "shows dates in the language of their format",
    source: "SheetJS/sheetjs#718",
    input: "18-xlsx/locale-dates.xlsx",
    has: ["1. Mai 2026", "令和8年5月1日", "2026-05-01T12:00:00", "May 1, 2026", "Friday, May 01, 2026", "46143.50 days"]
  },
  {
    name: "shows the formats of the library as before, and rounds as Excel",
    source: "SheetJS/ssf#97",
    input: "18-xlsx/formats.xlsx",
    has: ["| 3 pcs |", "| -2.6 |", "| 1. Mai 2026 |", "| 36:00:00 |", "| 1 1/4 |", "| 5/1/26 |", "| 1,234.50 zł |"]
  },
  {
    name: "knows the days around the leap day of 1900",
    source: "own",
    input: "18-xlsx/leap.xlsx",
    has: ["1900-02-29", "1900-03-01", "1900-01-00", "9999-12-31"]
  },
  {
    name: "knows the date system of 1904",
    source: "own",
    input: "18-xlsx/d1904.xlsx",
    has: ["2026-05-01", "36:00:00"]
  },
  {
    name: "shows rich text, errors and dates in words, and says that a formula has no result",
    source: "own",
    input: "18-xlsx/cells.xlsx",
    has: ["Rich bold tail", "#DIV/0!", "| 2026-05-01 |", "| 123456789012 |"],
    lacks: ["かんじ", "HIDDENROW"],
    warns: /formulas whose results are not stored \(1\)/
  },
  {
    name: "keeps links of cells and of formulas",
    source: "own",
    input: "18-xlsx/links.xlsx",
    has: ["[site](http://mill.example/x)", "[formula link](http://mill.example/f)"]
  },
  {
    name: "keeps the digits of long whole numbers in a small sheet",
    source: "ExcelDataReader#39, UgnisSoftware/react-spreadsheet-import#136",
    input: "18-xlsx/ean-small.xlsx",
    has: ["| 4006381333931 |", "| 4006381333932 |", "| 4006381333933 |"],
    lacks: ["E+12"]
  },
  {
    name: "keeps them in a large one too",
    source: "own",
    input: eans(6000),
    has: ["| 4006381339930 |"],
    lacks: ["E+12"]
  },
  shown("keeps the digits of numbers with a fraction", "own", [
    ["General", 123456789012.55, "123456789012.55"],
    ["General", 99999999999.5, "99999999999.5"],
    ["General", 0.1 + 0.2, "0.3"],
    ["@", 4006381333931, "4006381333931"]
  ]),
  shown("rounds the decimal number, as Excel does", "own", [
    ["0.00", 1.005, "1.01"],
    ["0.00", -1.005, "-1.01"],
    ["0.0%", 0.1255, "12.6%"],
    ["#,##0.00", 2.675, "2.68"],
    ["0.00", 1e21, "1000000000000000000000.00"],
    ["#,##0", 123456789012345680000, "123,456,789,012,346,000,000"]
  ]),
  shown("shows units that are not quoted", "own", [
    ['General" pcs"', 3, "3 pcs"],
    ["#,##0 Kč", 1234.5, "1,235 Kč"],
    ["0.00 ₽", 5.5, "5.50 ₽"],
    ["0 m²", 12, "12 m²"],
    ["[$CHF] #,##0.00", 5, "CHF 5.00"],
    ['"€" #,##0.00', -5, "-€ 5.00"]
  ]),
  shown("shows times, fractions and sections", "own", [
    ["[h]:mm", -0.5, "-12:00"],
    ["[mm]:ss", 0.1, "144:00"],
    ["[h]:mm:ss", 1.5, "36:00:00"],
    ["# ??/??", 0.333, "1/3"],
    ['[>1000]#,##0," k";0', 25000, "25 k"],
    ['[<0]"minus "0;0', -5, "minus 5"],
    ["#,##0;(#,##0);-", -1234, "(1,234)"],
    ["yyyy-mm-dd", -1, "1899-12-29"]
  ]),
  {
    name: "says that a number is no date",
    source: "own",
    input: formatted([["dd.mm.yyyy", 3_000_000]]),
    has: ["| row 0 | 3000000 |"],
    warns: /shown as plain numbers: dd\.mm\.yyyy/
  },
  {
    name: "reads prefixed elements, powers in rich text and comments in the XML",
    source: "own",
    input: [
      "x.xlsx",
      Made.xlsx(
        '<x:sheetData><!-- --><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:r><x:t>10</x:t></x:r><x:r><x:rPr><x:vertAlign val="superscript"/></x:rPr><x:t>3</x:t></x:r></x:is></x:c><x:c r="B1" t="str"><x:v><![CDATA[a < b]]></x:v></x:c></x:row></x:sheetData>'
      )
    ],
    has: ["| 10³ | a < b |"]
  },
  {
    name: "of OpenDocument leaves hidden and filtered rows, hidden columns and hidden sheets out",
    source: "own",
    input: Made.ods(
      [
        '<!-- <table:table table:name="none"></table:table> --><table:table table:name="Shown" table:style-name="ta1">',
        '<table:table-column/><table:table-columns><table:table-column table:visibility="collapse" table:number-columns-repeated="2"/></table:table-columns><table:table-column/>',
        Made.odsRow(["item", "GONE", "GONE", "price"]),
        Made.odsRow(["GONE", "GONE", "GONE", "GONE"], ' table:visibility="filter" table:number-rows-repeated="3"'),
        Made.odsRow(["boots", "GONE", "GONE", "5"]),
        '<table:table-row-group><table:table-row table:number-rows-repeated="2"><table:table-cell/></table:table-row>',
        `${Made.odsRow(["GONE"], ' table:visibility="collapse"')}</table:table-row-group>`,
        Made.odsRow(["rope", "GONE", "GONE", "7"]),
        '<table:table-row table:visibility="collapse" table:number-rows-repeated="1048560"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>',
        `<table:table table:name="Away" table:style-name="ta2">${Made.odsRow(["GONE"])}</table:table>`,
        `<table:table table:name="Last" table:style-name="ta1">${Made.odsRow(["end"])}</table:table>`
      ].join(""),
      '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/></style:style><style:style style:name="ta2" style:family="table"><style:table-properties table:display="false" style:writing-mode="lr-tb"/></style:style>'
    ),
    has: ["## Shown\n\n| item | price |\n| --- | --- |\n| boots | 5 |\n| rope | 7 |\n\n## Last\n\n| end |"],
    lacks: ["GONE", "Away"]
  },
  ...[3, 6000].map(
    (rows): DocumentCase => ({
      name: `leaves comments, hidden columns and hidden sheets out, with ${rows} rows`,
      source: "own",
      input: hidden(rows),
      has: ["| item | price |", "| row 2 | 2 |"],
      lacks: ["COMMENT", "AUTHOR", "SECRET"]
    })
  )
]

const { docx, run } = Made

const texts: ReadonlyArray<DocumentCase> = [
  {
    name: "keeps non-breaking hyphens",
    source: "office_oxide#152, docling.rs#400, officer#573, ECHR-OD_process#177",
    input: "17-docx/nobreakhyphen.docx",
    has: ["See section 1-24, the e-mail of 2019-2020 and Inspector-General."]
  },
  {
    name: "shows symbols",
    source: "office_oxide#152, python-docx#948, pandoc#9220",
    input: "17-docx/sym.docx",
    has: ["x ≥ 5, angle α, done ✓, box ☑, box □, 20 °C"]
  },
  { name: "shows text in a symbol font", source: "own", input: "17-docx/sym-run.docx", has: ["x ≥ 5"] },
  {
    name: "shows ruby with its base",
    source: "typora-issues#5657, python-mammoth#76",
    input: "17-docx/ruby.docx",
    has: ["日本語(にほんご)の本を読(よ)む。"]
  },
  {
    name: "shows inserted HTML",
    source: "mammoth.js#424, office_oxide#155, pandoc#7890",
    input: "17-docx/altchunk-html.docx",
    has: ["# Offer", "All of the text is in the chunk."]
  },
  {
    name: "leaves a deleted row out",
    source: "own",
    input: "17-docx/ins-row.docx",
    has: ["| Item | Price |\n| --- | --- |\n| Oil | 20 |"]
  },
  {
    name: "has the header of a table",
    source: "own",
    input: "17-docx/header-row.docx",
    has: ["| Item | Price |\n| --- | --- |"]
  },
  { name: "is read in the strict form", source: "own", input: "17-docx/strict.docx", has: ["| Wax | 10 |"] },
  {
    name: "keeps every element of a document that has them all",
    source: "office_oxide#152",
    input: "17-docx/a.docx",
    has: [
      "INS: The quick crimson fox.",
      "WHOLE paragraph inserted.",
      "MOVE: moved-here end.",
      "MERGED one merged two.",
      "SMART: static void Main() end.",
      "CXML: a INSIDE b",
      "SDTRUN: before CONTROLLED after.",
      "\n\nSDTBLOCK paragraph.\n\n",
      "| SDTROW | SDTCELL |",
      "✓ tick α alpha",
      "nextline-hyphen",
      "[field link](http://mill.example/x)1 May 2026",
      "[rel link](http://mill.example/y) note[^1] end[^2] commented",
      "BDO textDIR text",
      "BOX before\n\nINSIDE BOX\n\nafter.",
      "[^1]: FOOTNOTE body.",
      "[^2]: ENDNOTE body.",
      "HIDDEN: visible caps~~struck~~²",
      "MATH: $\\frac{a}{b}$ end",
      "漢(かん)",
      "ALTCHUNK text"
    ],
    lacks: ["vanished", "moved-away", "deleted", "brown", "COMMENT", "HYPERLINK", "DATE"],
    warns: /is in another file/
  },
  {
    name: "opens elements that it does not know, in text, tables and links",
    source: "own",
    input: docx(
      `<w:p>${run("one ")}<x:foo>${run("INLINE")}</x:foo></w:p><x:bar><w:p>${run("BLOCK")}</w:p></x:bar><w:p><w:r><w:t>x</w:t><x:q><w:t>INRUN</w:t></x:q></w:r></w:p><w:tbl><w:tr><w:tc><w:p>${run("h")}</w:p></w:tc></w:tr><x:z><w:tr><w:tc><w:p>${run("ROW")}</w:p></w:tc></w:tr></x:z></w:tbl>`
    ),
    has: ["one INLINE", "BLOCK", "xINRUN", "| ROW |"]
  },
  {
    name: "shows powers, also by a style, and leaves hidden text out, also by a style",
    source: "own",
    input: docx(
      `<w:p>${run("10")}${run("-3", '<w:vertAlign w:val="superscript"/>')}${run(" m")}${run("2", '<w:rStyle w:val="Up"/>')}${run("secret", '<w:rStyle w:val="Gone"/>')}${run("SEEN", '<w:vanish w:val="0"/>')}</w:p>`,
      {
        "word/styles.xml":
          '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="character" w:styleId="Base"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style><w:style w:type="character" w:styleId="Up"><w:basedOn w:val="Base"/></w:style><w:style w:type="character" w:styleId="Gone"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>'
      }
    ),
    has: ["10⁻³ m²SEEN"],
    lacks: ["secret"]
  },
  {
    name: "takes one branch of alternate content, and shows the boxes and choices of old form fields",
    source: "own",
    input: docx(
      `<w:p><mc:AlternateContent><mc:Choice Requires="wps">${run("CHOICE")}</mc:Choice><mc:Fallback>${run("FALLBACK")}</mc:Fallback></mc:AlternateContent></w:p><w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="1"/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>${run(" paid ")}<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="GRAZ"/><w:listEntry w:val="LINZ"/></w:ddList></w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`
    ),
    has: ["CHOICE", "☑ paid LINZ"],
    lacks: ["FALLBACK", "GRAZ"]
  },
  {
    name: "shows formulas of every kind",
    source: "own",
    input: docx(
      '<w:p><m:oMath><m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub><m:r><m:t>i=1</m:t></m:r></m:sub><m:sup><m:r><m:t>n</m:t></m:r></m:sup><m:e><m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e><m:r><m:t>x</m:t></m:r></m:e></m:rad></m:e></m:nary><m:strange><m:r><m:t>KEPT</m:t></m:r></m:strange></m:oMath></w:p><m:oMathPara><m:oMath><m:sSup><m:e><m:r><m:t>y</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></m:oMathPara>'
    ),
    has: ["$∑_{i=1}^n \\sqrt{x} KEPT$", "$$y^2$$"]
  },
  ...(
    [
      [
        "a web archive",
        "chunk.mht",
        'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="--b"\r\n\r\n----b\r\nContent-Type: text/html; charset="utf-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<html><body><h1>Caf=C3=A9</h1></body></html>\r\n----b--',
        "# Café"
      ],
      ["plain text", "chunk.txt", "PLAIN one\n\nPLAIN two", "PLAIN one\n\nPLAIN two"],
      ["RTF", "chunk.rtf", "{\\rtf1\\ansi RTFTEXT\\par}", "RTFTEXT"],
      ["a document", "chunk.docx", docx(`<w:p>${run("INNER")}</w:p>`)[1], "INNER"]
    ] as const
  ).map(
    ([what, file, content, expected]): DocumentCase => ({
      name: `shows ${what} that is inserted`,
      source: "own",
      input: Made.docxWithChunk(file, content),
      has: ["before", expected, "after"]
    })
  ),
  {
    name: "says that an inserted file is missing",
    source: "own",
    input: docx(`<w:p>${run("text")}</w:p><w:altChunk r:id="none"/>`),
    has: ["text"],
    warns: /which is inserted into the document, is left out/
  },
  {
    name: "says how deep files may be inserted into each other",
    source: "own",
    input: Array.from({ length: 4 }).reduce<readonly [string, Buffer]>(
      ([, inner]) => Made.docxWithChunk("chunk.docx", inner),
      docx(`<w:p>${run("TOODEEP")}</w:p>`)
    ),
    has: ["before", "after"],
    lacks: ["TOODEEP"],
    warns: /is left out: files are inserted into each other more than 3 levels deep\./
  },
  {
    name: "of OpenDocument shows ruby, powers and formulas, and leaves comments and hidden text out",
    source: "own",
    input: Made.odt(
      '<text:p>ruby <text:ruby><text:ruby-base>漢字</text:ruby-base><text:ruby-text>かんじ</text:ruby-text></text:ruby></text:p><text:p>comm<office:annotation><dc:creator>Bob</dc:creator><text:p>COMMENT</text:p></office:annotation>ent</text:p><text:p>10<text:span text:style-name="S">3</text:span> <text:span text:style-name="H">HIDDEN</text:span><text:hidden-text text:is-hidden="true">HIDDEN</text:hidden-text></text:p><text:section text:display="none"><text:p>HIDDEN</text:p></text:section><text:p><text:hidden-paragraph text:is-hidden="true"/>HIDDEN</text:p><text:p>form <draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p><text:p><draw:frame><draw:image xlink:href="Pictures/a.png"/><svg:title>TITLE</svg:title><svg:desc>A grey mill</svg:desc></draw:frame></text:p>',
      '<style:style style:name="H" style:family="text"><style:text-properties text:display="none"/></style:style><style:style style:name="S" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>',
      {
        "Object 1/content.xml":
          '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mfrac><mi>a</mi><mi>b</mi></mfrac><annotation encoding="StarMath 5.0">{a} over {b}</annotation></semantics></math>',
        "Pictures/a.png": "\u0089PNG"
      }
    ),
    has: ["漢字(かんじ)", "comment", "10³", "form $\\frac{a}{b}$", "![A grey mill]("],
    lacks: ["HIDDEN", "COMMENT", "Bob", "TITLE"]
  },
  {
    name: "of RTF has its code pages, symbols and powers, one marker for an item, and no hidden or deleted text",
    source: "own",
    input: "20-rtf/codepages.rtf",
    has: ["Küche € 5", "Мастер", "職人", "α≥ greek", "²~~st~~", "1. item one\n\n- item bullet", "no-hy"],
    lacks: ["hidden", "gone", "1. 1.", "- 1."]
  },
  {
    name: "of RTF shows powers, symbol fonts, formulas and check boxes",
    source: "own",
    input: [
      "a.rtf",
      Buffer.from(
        String.raw`{\rtf1\ansi{\fonttbl{\f0 Arial;}{\f4\fnil\fcharset2 Symbol;}}10{\super 3} 10\super -6\nosupersub  H{\sub 2}O {\v HIDDEN}\v HIDDEN\v0 {\f4 a\'b3}\par {\mmath{\*\moMath{\mf{\mnum{\mr a}}{\mden{\mr b}}}}} {\field{\*\fldinst FORMCHECKBOX {\*\formfield{\fftype1\ffres1}}}{\fldrslt }} paid\par}`,
        "latin1"
      )
    ],
    has: ["10³ 10⁻⁶ H2O α≥", "$\\frac{a}{b}$ ☑ paid"],
    lacks: ["HIDDEN"]
  },
  {
    name: "of RTF leaves comments and their authors out",
    source: "own",
    input: [
      "a.rtf",
      Buffer.from(
        String.raw`{\rtf1\ansi before {\*\atrfstart 1}comm{\*\atrfend 1}{\*\atnid AB}{\*\atnauthor AUTHOR}\chatn{\*\annotation{\*\atnref 1}{\*\atndate 1}\pard COMMENT {\b BOLD}\par}ented after\par}`,
        "latin1"
      )
    ],
    has: ["before commented after"],
    lacks: ["COMMENT", "BOLD", "AUTHOR", "AB"]
  }
]

describe.each([
  ["A sheet", sheets],
  ["A text document", texts]
])("%s", (_, cases) => {
  for (const each of cases) it.effect(`${each.name} (${each.source})`, () => Effect.scoped(check(each)))
})
