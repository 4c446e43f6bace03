/** Names of the elements of a DOCX part, and the test whether a part has any that `DocxXml.ts` must rewrite. */

/** Elements with content that anydoc reads where Word writes them. */
const readByLibrary =
  "document body background footnotes footnote endnotes endnote p r t tbl tr tc hyperlink ins del moveFrom moveTo smartTag customXml sdt sdtContent fldSimple bdo dir instrText delText delInstrText drawing pict object ruby fldChar fldData txbxContent".split(
    " "
  )

const readNames = new Set(
  readByLibrary.map((name) => `w:${name}`).concat("mc:AlternateContent", "mc:Choice", "mc:Fallback")
)

/** Elements with children inside properties of runs, paragraphs, tables and sections. */
const inProperties =
  "\\w+(?:Pr|PrEx|Change)|tblGrid|tabs|pBdr|\\w+Borders|tblCellMar|tcMar|cols|ffData|checkBox|ddList|textInput|docPartObj|placeholder"

/** Properties; they are copied as they are. */
export const isProperties = (name: string): boolean => /^w:(?:\w+Pr|tblPrEx|tblGrid)$/.test(name)

/** True if anydoc drops the element together with the text in it. Not for elements inside of drawings and properties. */
export const isUnknown = (name: string): boolean =>
  !readNames.has(name) && !name.startsWith("m:") && !isProperties(name)

/** Prefixes of drawings and of the extensions of Word, whose elements hold no text runs, except for text boxes. */
const extensions = "a\\d*|ap|c\\d*|cx\\d*|dgm|lc|o|pic|v|wp\\d*|w10|w1[456]\\w*|wne|wp[cgis]|am3d|aink|oel|p14|r|sl|dsp"

/** The most frequent tags. They are skipped first, which makes the test twice as fast. */
const frequent =
  "/w:|w:(?:r|t|p|rPr|pPr|tc|tcPr|tr|trPr|b|i|sz|szCs|bCs|iCs|u|color|lang|rStyle|pStyle|spacing|ind|jc|tcW|tab|br|proofErr)[\\s/>]"

/** Elements that make the pass necessary; most documents have none. No tag goes on beyond the next `<`: the test takes linear time. */
const triggers = new RegExp(
  [
    `<(?!${frequent})(?:w:(?:noBreakHyphen|sym|ruby|altChunk|subDoc|vanish|ffData|sdt|customXml|del|moveFrom)(?=[\\s/>])`,
    'm:oMath|w:vertAlign\\s[^<>]*"superscript"|w:rFonts\\s[^<>]*w:ascii="(?:Symbol|Wingdings|Webdings)',
    // Elements that anydoc reads inside of paragraphs only.
    "w:(?:ins|moveTo|smartTag|bdo|dir|fldSimple|hyperlink)(?:\\s[^<>]*)?>\\s*<w:(?:p|tbl|tr|tc)[\\s>]",
    `/?(?:${extensions}):[^<>]*>\\s*<w:(?!txbxContent[\\s>])`,
    `(?![/?!]|w:(?:${readByLibrary.join("|")}|${inProperties})[\\s/>]|mc:(?:AlternateContent|Choice|Fallback)[\\s>]|(?:m|${extensions}):)[^<>]*[^/<>]>[^<]*<(?!/))`
  ].join("|")
)

/** True if the part has elements that anydoc drops or does not show as Word does. */
export const needsRewriting = (xml: string): boolean => triggers.test(xml)

/** A tag; values in quotes may have `>`. */
const tagPattern = /<[^<>"']*(?:(?:"[^<"]*"|'[^<']*')[^<>"']*)*>/g

/**
 * Gives the main namespace its usual prefix, `w`; undefined if it has none. A namespace with the prefix `w` gets that of the main one, so
 * that all names stay different. Replaces the prefixes of elements and attributes and their declarations, but nothing in values.
 */
export const withUsualPrefix = (xml: string): string | undefined => {
  const root = /<(?:([\w.-]{1,40}):)?(?:document|footnotes|endnotes)[\s>]/.exec(xml.slice(0, 20_000))
  const prefix = root === null ? "w" : root[1]
  if (prefix === undefined || prefix === "w") return prefix && xml
  const either = `(${prefix.replace(/[.-]/g, "\\$&")}|w)`
  const names = new RegExp(`"[^"]*"|'[^']*'|(^</?|\\s)${either}(?=:)|(\\sxmlns:)${either}(?=[\\s=])`, "g")
  return xml.replace(tagPattern, (tag) =>
    tag.replace(names, (whole, before?: string, name?: string, declared?: string, declaredName?: string) => {
      const old = name ?? declaredName
      return old === undefined ? whole : `${before ?? declared ?? ""}${old === "w" ? prefix : "w"}`
    })
  )
}

/** True for elements with only rows or cells as children. In these anydoc ignores other elements. */
export const isTablePart = (name: string | undefined): boolean => name === "w:tbl" || name === "w:tr"

export const tableParts = new Set(["w:tbl", "w:tr", "w:tc"])

/** Elements around which `#place` opens what is missing. */
export const placed = new Set([...tableParts, "w:p", "w:r", "w:t"])

export const containers = new Set([
  "w:tbl",
  "w:tr",
  "w:tc",
  "w:p",
  "w:r",
  "w:txbxContent",
  "w:drawing",
  "w:pict",
  "w:object"
])

export const isDrawing = (name: string | undefined): boolean =>
  name === "w:drawing" || name === "w:pict" || name === "w:object"

/** True where paragraphs and tables stand: in the body, in cells, notes and text boxes. */
export const isBlockPart = (name: string | undefined): boolean =>
  name === undefined || name === "w:tc" || name === "w:txbxContent"

export const isText = (name: string | undefined): boolean => name === "w:p" || name === "w:r"

/** Elements that anydoc reads inside of paragraphs only. */
export const inlineWrappers = new Set([
  "w:ins",
  "w:moveTo",
  "w:smartTag",
  "w:bdo",
  "w:dir",
  "w:fldSimple",
  "w:hyperlink"
])

/** Elements that wrap rows and cells; only their content is read. */
export const wrappers = new Set([...inlineWrappers, "w:sdt", "w:sdtContent", "w:customXml"])

/** Elements that end a paragraph, table, row or cell which `#imply` has opened. */
export const ends: Readonly<Record<string, ReadonlySet<string>>> = {
  "w:p": new Set(["w:p", "w:tbl", "w:sectPr", "w:altChunk", "w:tc", "w:tr"]),
  "w:tbl": new Set(["w:p", "w:tbl", "w:sectPr", "w:altChunk", "w:r", "w:sdt"]),
  "w:tc": new Set(["w:tc", "w:tr"]),
  "w:tr": new Set(["w:tr"])
}

export const dropped = new Set(["w:sdtPr", "w:sdtEndPr", "w:customXmlPr", "w:smartTagPr"])
