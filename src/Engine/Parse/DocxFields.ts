/** Text of DOCX elements that show more than their content: ruby and form fields. */
import { isOff } from "./DocxStyles.ts"
import { attribute, nodeText, parseFragment, tagsOf, type XmlNode } from "./Xml.ts"

const find = (node: XmlNode, name: string): XmlNode | undefined => {
  for (const child of node.children) {
    const found = child.name === name ? child : find(child, name)
    if (found !== undefined) return found
  }
  return undefined
}

export const rubyText = (xml: string): string => {
  const node = parseFragment(xml)
  const [base, reading] = [find(node, "w:rubyBase"), find(node, "w:rt")].map((part) => (part ? nodeText(part) : ""))
  return reading === "" || base === "" ? `${base}${reading}` : `${base}(${reading})`
}

/** Text for the state of a form field in the old format, from before content controls: a check box, or the chosen list entry. */
export const fieldText = (xml: string): string => {
  if (xml.includes("<w:checkBox")) {
    const tag = /<w:checked(?=[\s/>])[^<>]*>/.exec(xml)?.[0] ?? /<w:default(?=[\s/>])[^<>]*>/.exec(xml)?.[0]
    return tag === undefined || isOff(tag) ? "☐" : "☑"
  }
  if (!xml.includes("<w:ddList")) return ""
  const chosen = Number(
    /<w:result\s[^<>]*w:val="(\d+)"/.exec(xml)?.[1] ?? /<w:default\s[^<>]*w:val="(\d+)"/.exec(xml)?.[1] ?? 0
  )
  return attribute(tagsOf(xml, "listEntry")[chosen] ?? "", "w:val") ?? ""
}
