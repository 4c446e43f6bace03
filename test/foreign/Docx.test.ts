/** DOCX: elements that the reader does not know. Their text comes out, wherever they stand; only what Word hides stays away. */
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
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
  {
    name: "is read as before when the main namespace has no prefix",
    source: "own",
    input: docx("", {
      "word/document.xml": `<document ${main.replace(":w", "")}><body>${p("BARE").replaceAll("w:", "")}<foo/></body></document>`
    }),
    has: ["BARE"]
  }
]

describe("An element of DOCX", () => {
  for (const each of cases) it.effect(`${each.name} (${each.source})`, () => Effect.scoped(check(each)))
})
