/**
 * Rewrites the content of an ODT file before the library `anydoc` reads it: ruby, powers and formulas become text. Comments and hidden text
 * are removed, as when LibreOffice prints the document. Pictures are named after their description.
 */
import { raisedText } from "../../Html/Math.ts"
import { texOfMathml } from "./Formula.ts"
import { markedFormula } from "./Marks.ts"
import {
  addHeirs,
  attribute,
  decodeXml,
  endOf,
  escapeXml,
  nodeText,
  parseFragment,
  type TextStyles,
  type XmlNode
} from "./Xml.ts"
import { type Entry, entriesOf, readPart, withTexts } from "./Zip.ts"

const maxPart = 64 * 1024 * 1024

/** Returns the styles that hide or raise text, by themselves or through their parent styles. */
const stylesOf = (xml: string): TextStyles => {
  const hidden = new Set<string>()
  const raised = new Set<string>()
  const parents = new Map<string, string>()
  for (const piece of xml.split("</style:style>")) {
    const style = piece.slice(Math.max(0, piece.lastIndexOf("<style:style ")))
    const tag = style.slice(0, style.indexOf(">") + 1)
    const name = attribute(tag, "style:name")
    if (name === undefined) continue
    if (/<style:text-properties\s[^>]*text:display="none"/.test(style)) hidden.add(name)
    if (/<style:text-properties\s[^>]*style:text-position="(?:super|[1-9])/.test(style)) raised.add(name)
    const parent = attribute(tag, "style:parent-style-name")
    if (parent !== undefined) parents.set(name, parent)
  }
  for (const set of [hidden, raised]) addHeirs(set, parents)
  return { hidden, raised }
}

const textIn = (node: XmlNode, name: string): string =>
  node.children.map((child) => (child.name === name ? nodeText(child) : textIn(child, name))).join("")

const rubyText = (xml: string): string => {
  const node = parseFragment(xml)
  const [base, reading] = [textIn(node, "text:ruby-base"), textIn(node, "text:ruby-text")]
  return reading === "" || base === "" ? `${base}${reading}` : `${base}(${reading})`
}

const triggers =
  /<(?:text:ruby|office:annotation|text:hidden-(?:text|paragraph)|draw:object|svg:desc)[\s>]|(?:text:display|table:visibility)="(?!true|value|visible)|text:is-hidden="true"|style:text-position="/

/** True for elements to leave out, decided by the start tag: comments, and hidden text, sections and table rows. */
const isLeftOut = (name: string, tag: string, { hidden }: TextStyles): boolean => {
  switch (name) {
    case "office:annotation":
      return true
    case "text:hidden-text":
      return !/text:is-hidden="false"/.test(tag)
    case "text:section":
      return /text:display="none"|text:is-hidden="true"/.test(tag)
    case "table:table-row":
      return /table:visibility="(?:collapse|filter)"/.test(tag)
    case "text:span":
    case "text:p":
    case "text:h":
      return hidden.has(attribute(tag, "text:style-name") ?? "")
    default:
      return false
  }
}

/** TeX of a frame with a formula; undefined for other frames. */
const formulaIn = (frame: string, bytes: Buffer, entries: ReadonlyArray<Entry>): string | undefined => {
  const inline = /<math:math[\s>][\s\S]*?<\/math:math>/.exec(frame)?.[0]
  const folder = /<draw:object\s[^>]*xlink:href="(?:\.\/)?([^"]{1,500})"/.exec(frame)?.[1]
  const xml = inline ?? (folder === undefined ? undefined : readPart(bytes, entries, `${folder}/content.xml`, maxPart))
  return xml === undefined || !/<(?:\w+:)?math[\s>]/.test(xml.slice(0, 5000)) ? undefined : texOfMathml(xml, false)
}

const rewrite = (xml: string, styles: TextStyles, bytes: Buffer, entries: ReadonlyArray<Entry>): string => {
  const out: Array<string> = []
  /** For each open `text:span`, whether its text is raised. */
  const spans: Array<boolean> = []
  let at = 0
  for (;;) {
    const start = xml.indexOf("<", at)
    const end = start === -1 ? -1 : xml.indexOf(">", start)
    if (end === -1) break
    const raw = xml.slice(at, start)
    out.push(spans.at(-1) === true ? escapeXml(raisedText(decodeXml(raw)) ?? decodeXml(raw)) : raw)
    const tag = xml.slice(start, end + 1)
    at = end + 1
    const [, slash = "", name = ""] = /^<(\/?)([\w:.-]+)/.exec(tag) ?? []
    const isClosed = tag.endsWith("/>")
    if (slash === "/") {
      if (name === "text:span") spans.pop()
      out.push(tag)
      continue
    }
    if (isLeftOut(name, tag, styles)) {
      if (!isClosed) at = endOf(xml, name, at)
      continue
    }
    if (name === "text:ruby" && !isClosed) {
      const close = endOf(xml, name, at)
      out.push(escapeXml(rubyText(xml.slice(start, close))))
      at = close
      continue
    }
    if (name === "draw:frame" && !isClosed) {
      const close = xml.indexOf("</draw:frame>", at) + "</draw:frame>".length
      const frame = close > at ? xml.slice(at, close) : ""
      const tex = frame.includes("<draw:object") ? formulaIn(frame, bytes, entries) : undefined
      if (tex !== undefined) {
        out.push(escapeXml(markedFormula(tex)))
        at = close
        continue
      }
      // The title is the name of the picture; the description is its alternative text.
      if (/<svg:desc>[^<]*\S[^<]*<\/svg:desc>/.test(frame) && frame.includes("<svg:title>")) {
        out.push(tag, frame.replace(/<svg:title>[^<]*<\/svg:title>/g, ""))
        at = close
        continue
      }
    }
    if ((name === "text:p" || name === "text:h") && !isClosed) {
      const close = xml.indexOf(`</${name}>`, at)
      if (
        close !== -1 &&
        /<text:hidden-paragraph\s[^>]*text:is-hidden="true"/.test(xml.slice(at, Math.min(close, at + 2000)))
      ) {
        at = close + name.length + 3
        continue
      }
    }
    if (name === "text:span" && !isClosed)
      spans.push(styles.raised.has(attribute(tag, "text:style-name") ?? "") || spans.at(-1) === true)
    out.push(tag)
  }
  out.push(xml.slice(at))
  return out.join("")
}

/** Rewrites the file for anydoc. */
export const prepareOdt = (bytes: Buffer): Buffer => {
  const entries = entriesOf(bytes)
  const xml = readPart(bytes, entries, "content.xml", maxPart)
  if (xml === undefined) return bytes
  const common = readPart(bytes, entries, "styles.xml", maxPart) ?? ""
  const styles = stylesOf(common + xml)
  if (styles.hidden.size + styles.raised.size === 0 && !triggers.test(xml)) return bytes
  return withTexts(bytes, entries, new Map([["content.xml", rewrite(xml, styles, bytes, entries)]]))
}
