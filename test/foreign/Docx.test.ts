/** DOCX: elements that the reader does not know. Their text comes out, wherever they stand; only what Word hides stays away. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { needsRewriting, withUsualPrefix } from "../../src/Engine/Parse/DocxNames.ts"
import { textStylesOf } from "../../src/Engine/Parse/DocxStyles.ts"
import { rewritten } from "../../src/Engine/Parse/DocxXml.ts"
import { readOffice } from "../../src/Engine/Parse/Office.ts"
import { cpuMillis } from "../CpuTime.ts"
import { skipsLong } from "../Long.ts"
import { repetitions, seed } from "../Repetitions.ts"
import { check, type DocumentCase } from "./DocumentCase.ts"
import { docx, run } from "./MadeDocuments.ts"

const p = (text: string): string => `<w:p>${run(text)}</w:p>`

const table = (rows: string): string => `<w:tbl><w:tr><w:tc>${p("head")}</w:tc></w:tr>${rows}</w:tbl>`

/** The element in every place that can hold text. */
const everywhere = (name: string, attributes = ""): string => {
  const wrap = (inner: string): string => `<${name}${attributes}>${inner}</${name}>`
  return [
    `<w:p>${run("one ")}${wrap(run("INLINE"))}${run(" two")}</w:p>`,
    wrap(p("BLOCK") + p("SECOND")),
    `<w:p><w:r><w:t>in</w:t>${wrap("<w:t>RUN</w:t>")}<w:t>end</w:t></w:r></w:p>`,
    `<w:p><w:r>${wrap(run("NESTED"))}</w:r></w:p>`,
    `<w:p><w:hyperlink w:anchor="a">${wrap(run("LINK"))}</w:hyperlink></w:p>`,
    `<w:p>${run("outer")}${wrap(p("INNER"))}${run("after")}</w:p>`,
    wrap(run("LOOSE") + run("TOGETHER")),
    wrap("<w:t>BARE</w:t>"),
    `<w:p>${wrap(`<w:bookmarkStart w:id="1" w:name="b"/>${wrap("<w:t>DEEP</w:t>")}`)}</w:p>`,
    table(
      `${wrap(`<w:tr><w:tc>${p("ROW")}</w:tc></w:tr>`)}<w:tr>${wrap(`<w:tc>${p("CELL")}</w:tc>`)}</w:tr><w:tr><w:tc>${wrap(p("INCELL"))}</w:tc></w:tr><w:tr>${wrap(p("NOCELL"))}</w:tr>${wrap(p("NOROW"))}`
    ),
    p("last")
  ].join("")
}

const shown = [
  "one INLINE two",
  "BLOCK\n\nSECOND",
  "inRUNend",
  "NESTED",
  "LINK",
  "INNER",
  "after",
  "LOOSETOGETHER\n\nBARE",
  "DEEP",
  "| ROW |",
  "| CELL |",
  "| INCELL |",
  "| NOCELL |",
  "| NOROW |",
  "last"
]

/** `count` paragraphs without anything unusual. */
const plain = (count: number): string =>
  Array.from({ length: count }, (_, index) => p(`paragraph ${index} of a long document`)).join("")

const main = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

const text = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

const cases: ReadonlyArray<DocumentCase> = [
  ...(
    [
      ["of the main namespace", "w:foo", ""],
      ["of Word 2010", "w14:foo", ' xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'],
      ["of Word 2012", "w15:foo", ' xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"'],
      ["of Word 2018", "w16cex:foo", ' xmlns:w16cex="http://schemas.microsoft.com/office/word/2018/wordml/cex"'],
      ["of the namespace of shapes", "wps:foo", ""],
      [
        "of a Microsoft namespace with a new prefix",
        "w29:foo",
        ' xmlns:w29="http://schemas.microsoft.com/office/word/2029/wordml"'
      ],
      ["of a foreign namespace", "x:foo", ""],
      ["without a prefix", "foo", ' xmlns="urn:other"']
    ] as const
  ).map(
    ([what, name, attributes]): DocumentCase => ({
      name: `opens unknown elements ${what}`,
      source: "office_oxide#152",
      input: docx(everywhere(name, attributes)),
      has: shown
    })
  ),
  {
    name: "opens an unknown element whose namespace is declared late",
    source: "own",
    input: docx(`${plain(2000)}<w:p><q:foo xmlns:q="urn:late">${run("LATE")}</q:foo></w:p>`),
    has: ["paragraph 1999", "LATE"]
  },
  {
    name: "opens unknown elements in notes and text boxes",
    source: "own",
    input: docx(
      `<w:p>${run("note")}<w:r><w:footnoteReference w:id="2"/></w:r></w:p><w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox><w:txbxContent><w:foo>${p("BOXED")}</w:foo></w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`,
      {
        "word/footnotes.xml": `<w:footnotes ${main}><w:footnote w:id="2"><w:foo>${p("FOOT")}</w:foo></w:footnote></w:footnotes>`
      },
      `<Relationship Id="rId2" Type="${text}/footnotes" Target="footnotes.xml"/>`
    ),
    has: ["BOXED", "FOOT"]
  },
  {
    name: "opens elements that are known, where they do not belong",
    source: "own",
    input: docx(
      [
        ...["w:ins", "w:moveTo", "w:smartTag", "w:bdo", "w:hyperlink"].map(
          (name) => `<${name}>${p(`IN-${name.slice(2)}`)}</${name}>`
        ),
        table(`<w:customXml><w:tr><w:tc>${p("CUSTOMROW")}</w:tc></w:tr></w:customXml>`),
        `<mc:AlternateContent><mc:Choice Requires="wps">${p("CHOSEN")}</mc:Choice><mc:Fallback>${p("OTHER")}</mc:Fallback></mc:AlternateContent>`
      ].join("")
    ),
    has: ["IN-ins", "IN-moveTo", "IN-smartTag", "IN-bdo", "IN-hyperlink", "| CUSTOMROW |", "CHOSEN"],
    lacks: ["OTHER"]
  },
  {
    name: "opens no element that is deleted, hidden or an instruction",
    source: "own",
    input: docx(
      `<w:p><w:foo>${run("SEEN")}<w:del w:id="1"><w:foo><w:r><w:delText>GONE</w:delText></w:r>${run("GONE")}</w:foo></w:del><w:moveFrom w:id="2">${run("GONE")}</w:moveFrom>${run("GONE", "<w:vanish/>")}<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>GONE</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(" RESULT")}<w:r><w:fldChar w:fldCharType="end"/></w:r></w:foo><w:r><w:rPr><w:vanish/></w:rPr><w:foo><w:t>GONE</w:t></w:foo></w:r><w14:conflictDel xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" w:id="3">${run("GONE")}</w14:conflictDel><w14:conflictIns xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" w:id="4">${run(" KEPT")}</w14:conflictIns></w:p>`
    ),
    has: ["SEEN RESULT KEPT"],
    lacks: ["GONE"]
  },
  {
    name: "keeps formatting whose tags are not closed in themselves, and text effects",
    source: "own",
    input: docx(
      `<w:foo><w:p>${run("BOLD", '<w:b></w:b><w14:glow xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" w14:rad="1"><w14:schemeClr w14:val="accent1"><w14:alpha w14:val="1"/></w14:schemeClr></w14:glow>')}</w:p></w:foo><w:p><w:r><w:t>a</w:t><w:tab></w:tab><w:t>b</w:t><w:br></w:br><w:t>c</w:t></w:r></w:p>`
    ),
    has: ["**BOLD**", "a b  \nc"]
  },
  {
    name: "opens them when the main namespace has another prefix, and shows formulas",
    source: "own",
    input: docx("", {
      "word/document.xml": `<ns0:document ${main.replace("w=", "ns0=")} xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><ns0:body>${`${p("RENAMED")}<w:foo>${p("OPENED")}</w:foo><w:p><m:oMath><m:r><m:t>x</m:t></m:r></m:oMath></w:p>`.replaceAll("w:", "ns0:")}</ns0:body></ns0:document>`
    }),
    has: ["RENAMED", "OPENED", "$x$"]
  },
  ...["p", "w.x", "a-b"].map(
    (prefix): DocumentCase => ({
      name: `replaces the prefix ${prefix} in names only`,
      source: "own",
      input: docx("", {
        "word/document.xml": `<${prefix}:document ${main.replace("w=", `${prefix}=`)} xmlns:wp="http://wp:" xmlns:w='urn:other' xmlns:wax="urn:wax"><${prefix}:body><w:foo wp:p=">" ${prefix}:id='1'>${p(`RENAMED ${prefix}:x http://wp:`).replaceAll("w:", `${prefix}:`)}</w:foo>${p(" xmlns:p=").replaceAll("w:", `${prefix}:`)}<wax:foo>${p("OPENED").replaceAll("w:", `${prefix}:`)}</wax:foo></${prefix}:body></${prefix}:document>`
      }),
      has: [`RENAMED ${prefix}:x`, "xmlns:p=", "OPENED"]
    })
  ),
  {
    name: "is closed where it was opened, when a table that was missing ends in between",
    source: "own",
    input: docx(
      `<w:tr><w:tc>${p("CELL")}</w:tc></w:tr><w:ins w:id="1">${p("after")}</w:ins>${p("between")}<w:tc><w:sdt><w:sdtContent><w:t>BARE</w:t><w:tr><w:tc>${p("ROW")}</w:tc></w:tr></w:sdtContent></w:sdt></w:tc>${p("last")}`
    ),
    has: ["CELL", "\n\nafter\n\nbetween\n\n", "BARE", "ROW", "last"]
  },
  {
    name: "keeps its text next to tracked formatting, comments and names in other scripts",
    source: "own",
    input: docx(
      `<w:foo>${p("ONE")}<w:p><w:p><w:pPr><w:pPrChange w:id="1"><w:pPr><w:jc w:val="left"/></w:pPr></w:pPrChange></w:pPr>${run("TWO")}</w:p></w:p><!-- <w:p> > --></w:foo><w:ü xmlns:ü="urn:u"><ü:foo>${run("THREE")}</ü:foo></w:ü>${p("FOUR")}`
    ),
    has: ["ONE", "TWO", "THREE", "\n\nFOUR"]
  },
  {
    name: "is not opened when tags do not match, and the rest is read",
    source: "own",
    input: docx(`<w:p><w:r><w:t>MIXED</w:r></w:t></w:p><w:foo>${p("UNKNOWN")}</w:foo>${p("LAST")}`),
    has: ["MIXED", "LAST"],
    warns: /Start and end tags of the document do not match/
  },
  {
    name: "is opened when the document is cut off",
    source: "own",
    input: docx("", { "word/document.xml": `<w:document ${main}><w:body><w:foo>${p("OPENED")}<w:p><w:r><w:t>CUT` }),
    has: ["OPENED", "CUT"]
  },
  {
    name: "is read as before when the main namespace has no prefix",
    source: "own",
    input: docx("", {
      "word/document.xml": `<document ${main.replace(":w", "")}><body>${p("BARE").replaceAll("w:", "")}<foo/></body></document>`
    }),
    has: ["BARE"]
  }
]

interface Shape {
  readonly name: string
  readonly inner: ReadonlyArray<Shape>
}

const names =
  "w:p w:r w:t w:t w:tbl w:tr w:tc w:ins w:moveTo w:smartTag w:bdo w:dir w:fldSimple w:hyperlink w:customXml w:sdt w:sdtContent w:foo x:foo foo ü:foo".split(
    " "
  )

/** Names of places that Word fills with something else, and that hide text or change its place. */
const oddNames = "w:drawing w:pict w:txbxContent w:fldChar w:pPr w:rPr w:tblPr w:sdtPr mc:Choice".split(" ")

const textShape = fc.constant<Shape>({ name: "w:t", inner: [] })

/** Up to three elements beside each other, and `depth` levels of them. */
const shapes = (of: ReadonlyArray<string>, depth = 5): fc.Arbitrary<ReadonlyArray<Shape>> => {
  const shape =
    depth === 1
      ? textShape
      : fc.oneof(
          { arbitrary: textShape, weight: 1 },
          { arbitrary: fc.record({ name: fc.constantFrom(...of), inner: shapes(of, depth - 1) }), weight: 4 }
        )
  return fc.noBias(fc.array(shape, { maxLength: 3 }))
}

/** XML of elements, with numbered texts. If `usual`, rows are not in rows, and the content of content controls is in them. */
const written = (shapes: ReadonlyArray<Shape>, usual: boolean) => {
  let texts = 0
  const xmlOf = ({ inner, name }: Shape, isInRow: boolean): string => {
    if (name === "w:t") return `<w:t>T${++texts}.</w:t>`
    const isRow = name === "w:tr" || (isInRow && !/^w:(?:tc|p|tbl|r)$/.test(name))
    const content = inner.map((each) => xmlOf(each, isRow)).join("")
    if (!usual) return `<${name}>${content}</${name}>`
    if (name === "w:tr" && isInRow) return content
    return name.startsWith("w:sdt")
      ? `<w:sdt><w:sdtContent>${content}</w:sdtContent></w:sdt>`
      : `<${name}>${content}</${name}>`
  }
  const xml = shapes.map((each) => xmlOf(each, false)).join("")
  return {
    xml: `<w:document ${main} xmlns:x="urn:x" xmlns:ü="urn:u" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:body>${p("first")}<w:foo>${xml}</w:foo></w:body></w:document>`,
    texts: Array.from({ length: texts }, (_, index) => `T${index + 1}.`)
  }
}

const styles = textStylesOf("")

const isBalanced = (xml: string): boolean => {
  const open: Array<string> = []
  for (const [, slash, name = "", closed] of xml.matchAll(/<(\/?)([^\s/>]+)[^>]*?(\/?)>/g)) {
    if (slash === "") closed === "" && open.push(name)
    else if (open.pop() !== name) return false
  }
  return open.length === 0
}

const blocksOf = async (xml: string): Promise<string> => {
  const tree = await readOffice(docx("", { "word/document.xml": xml })[1], "docx", {
    formats: ["text"],
    onlyMainContent: true,
    onlyCleanContent: false,
    includeTags: [],
    excludeTags: [],
    removeBase64Images: true,
    blockAds: true,
    budgetMillis: 20_000
  })
  expect(tree.warnings).toEqual([])
  return JSON.stringify(tree.blocks)
}

/** Beginnings that are never closed, and other tags whose search must not go on to the end of the part each time. */
const hostile = [
  "<w:r>,<w:p>,<w:tr>,<w:tr><w:tc>,<w:tr></w:tr><w:ins>,<w:foo>,<w:ins>,<w:ins>   ,<w:sdt><w:sdtContent>",
  '<a:,<a:x ,<w:vertAlign ,<w:ins ,<zz ,<w:rFonts ,<w:x a=",<,<!--,<![CDATA[,<w:rPr ,<w:r><w:rPr><w:vanish ',
  "<w:p><w:r><w:rPr><w:rStyle ,<w:p><w:pPr><w:rPr><w:rPr>,<w:ffData><w:checkBox/><w:checked ,<w:t>x</w:t><w:ffData></w:ffData>",
  "<w:tr><w:trPr></w:trPr>,<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr></w:p><w:bookmarkStart ,<w:ruby><w:rubyBase>,<m:oMath>"
].flatMap((line) => line.split(","))

describe("An element of DOCX", () => {
  for (const each of cases) it.effect(`${each.name} (${each.source})`, () => Effect.scoped(check(each)))

  it.effect("never makes a document unreadable, in whatever it stands", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(shapes([...names, ...oddNames]), async (drawn) => {
          const { texts, xml } = written(drawn, false)
          const part = rewritten(xml, styles)
          expect(isBalanced(part.xml)).toBe(true)
          // Properties hold no text.
          if (!xml.includes("Pr>")) for (const text of texts) expect(part.xml).toContain(text)
          expect(await blocksOf(xml)).toContain("first")
        }),
        { numRuns: repetitions(5000, 300), seed }
      )
    )
  )

  it.effect("keeps its text wherever it stands, except for rows in rows", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(shapes(names), async (drawn) => {
          const { texts, xml } = written(drawn, true)
          const blocks = await blocksOf(xml)
          for (const text of texts) expect(blocks).toContain(text)
        }),
        { numRuns: repetitions(5000, 300), seed }
      )
    )
  )

  it.skipIf(skipsLong)("is found in linear time, even in hostile parts", () => {
    const size = 500_000
    const part = (unit: string) => `<w:document><w:body><w:noBreakHyphen/>${unit.repeat(Math.ceil(size / unit.length))}`
    const usual = cpuMillis(() => rewritten(part(`${p("plain words")}<w:foo>${p("x")}</w:foo>`), styles))
    for (const unit of hostile) {
      const xml = part(unit)
      const took = cpuMillis(() => {
        rewritten(xml, styles)
        needsRewriting(xml.replace("<w:noBreakHyphen/>", ""))
        withUsualPrefix(xml.replaceAll("w:", "n.s:"))
        textStylesOf(`<w:vanish/>${xml}`)
      })
      expect(took, unit).toBeLessThan(20 * usual)
    }
  })
})
