/** Converts formulas of office documents to TeX: OMML by way of MathML, so that pages and documents share one TeX writer. */

import { type Element, isElement } from "../../Html/Element.ts"
import { formulaOf } from "../../Html/Math.ts"
import { parseTree } from "../../Html/Tree.ts"
import { attribute, escapeXml, nodeText, parseFragment, type XmlNode } from "./Xml.ts"

const local = (name: string): string => name.slice(name.indexOf(":") + 1)

const child = (node: XmlNode, name: string): XmlNode | undefined =>
  node.children.find((each) => local(each.name) === name)

const propertiesOf = (node: XmlNode): XmlNode | undefined => child(node, `${local(node.name)}Pr`)

/** Value of a property such as `begChr`; "" means that the character is hidden. */
const property = (node: XmlNode, name: string): string | undefined => {
  const found = propertiesOf(node)?.children.find((each) => local(each.name) === name)
  return found === undefined ? undefined : (attribute(found.tag, "(?:\\w+:)?val") ?? "")
}

const row = (nodes: ReadonlyArray<XmlNode>): string => `<mrow>${nodes.map(mathOf).join("")}</mrow>`

const part = (node: XmlNode, name: string): string => row(child(node, name)?.children ?? [])

const sign = (character: string): string => (character === "" ? "" : `<mo>${escapeXml(character)}</mo>`)

const all = (node: XmlNode, name: string): ReadonlyArray<XmlNode> =>
  node.children.filter((each) => local(each.name) === name)

const isShown = (value: string | undefined): boolean => value === undefined || !/^(?:1|true|on|)$/.test(value)

/** MathML of an element. Unknown elements return their content. */
const mathOf = (node: XmlNode): string => {
  const name = local(node.name)
  switch (name) {
    case "":
      return node.text.trim() === "" ? "" : `<mi>${escapeXml(node.text)}</mi>`
    case "t":
      return `<mi>${escapeXml(nodeText(node))}</mi>`
    case "f":
      return property(node, "type") === "lin"
        ? `${part(node, "num")}${sign("/")}${part(node, "den")}`
        : `<mfrac>${part(node, "num")}${part(node, "den")}</mfrac>`
    case "sSup":
      return `<msup>${part(node, "e")}${part(node, "sup")}</msup>`
    case "sSub":
      return `<msub>${part(node, "e")}${part(node, "sub")}</msub>`
    case "sSubSup":
      return `<msubsup>${part(node, "e")}${part(node, "sub")}${part(node, "sup")}</msubsup>`
    case "sPre":
      return `<msubsup><mrow></mrow>${part(node, "sub")}${part(node, "sup")}</msubsup>${part(node, "e")}`
    case "rad":
      return isShown(property(node, "degHide")) && nodeText(child(node, "deg") ?? node) !== "" && child(node, "deg")
        ? `<mroot>${part(node, "e")}${part(node, "deg")}</mroot>`
        : `<msqrt>${part(node, "e")}</msqrt>`
    case "nary":
      return nary(node)
    case "d": {
      const items = all(node, "e").map((each) => row(each.children))
      const separator = sign(property(node, "sepChr") ?? "|")
      return `<mrow>${sign(property(node, "begChr") ?? "(")}${items.join(separator)}${sign(property(node, "endChr") ?? ")")}</mrow>`
    }
    case "limLow":
      return `<munder>${part(node, "e")}${part(node, "lim")}</munder>`
    case "limUpp":
      return `<mover>${part(node, "e")}${part(node, "lim")}</mover>`
    case "acc":
      return `<mover>${part(node, "e")}${sign(property(node, "chr") ?? "̂")}</mover>`
    case "m":
      return `<mtable>${all(node, "mr")
        .map(
          (line) =>
            `<mtr>${all(line, "e")
              .map((each) => `<mtd>${row(each.children)}</mtd>`)
              .join("")}</mtr>`
        )
        .join("")}</mtable>`
    case "eqArr":
      return `<mtable>${all(node, "e")
        .map((each) => `<mtr><mtd>${row(each.children)}</mtd></mtr>`)
        .join("")}</mtable>`
    default:
      // Elements for properties, such as `fPr`, have no content.
      return name.endsWith("Pr") ? "" : node.children.map(mathOf).join("")
  }
}

/** MathML of a sum, product or integral, without its hidden limits. */
const nary = (node: XmlNode): string => {
  const below = isShown(property(node, "subHide")) && nodeText(child(node, "sub") ?? node) !== "" && child(node, "sub")
  const above = isShown(property(node, "supHide")) && nodeText(child(node, "sup") ?? node) !== "" && child(node, "sup")
  const operator = sign(property(node, "chr") ?? "∫")
  const limits =
    below && above
      ? `<munderover>${operator}${part(node, "sub")}${part(node, "sup")}</munderover>`
      : below
        ? `<munder>${operator}${part(node, "sub")}</munder>`
        : above
          ? `<mover>${operator}${part(node, "sup")}</mover>`
          : operator
  return limits + part(node, "e")
}

const mathIn = (elements: ReadonlyArray<Element>): Element | undefined => {
  for (const element of elements) {
    const found = element.name === "math" ? element : mathIn(element.children.filter(isElement))
    if (found !== undefined) return found
  }
  return undefined
}

/** TeX between dollar signs for MathML. Prefixes of the elements are ignored. */
export const texOfMathml = (xml: string, isBlock: boolean): string => {
  const plain = xml.replace(/<(\/?)\w{1,20}:/g, "<$1").replace(/<\/?semantics\b[^<>]*>/g, "")
  const body = plain.slice(Math.max(0, plain.indexOf("<math")))
  const math = mathIn(parseTree(body).root.children.filter(isElement))
  if (math === undefined) return ""
  const tex = formulaOf(math).replace(/^\$+|\$+$/g, "")
  const mark = isBlock ? "$$" : "$"
  return tex === "" ? "" : `${mark}${tex}${mark}`
}

/** TeX between dollar signs for an OMML formula, with double dollar signs if it is its own paragraph. */
export const texOfOmml = (xml: string): string => {
  const root = parseFragment(xml)
  return texOfMathml(`<math>${root.children.map(mathOf).join("")}</math>`, xml.startsWith("<m:oMathPara"))
}
