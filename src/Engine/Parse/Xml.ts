/** Reads untrusted XML of documents with regular expressions. The length of matches is limited, so that broken XML takes linear time. */

export const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag)
  return found === null ? undefined : plainText(found[1] ?? found[2] ?? "")
}

export const isTrue = (tag: string, name: string): boolean => /^(?:1|true|on)$/.test(attribute(tag, name) ?? "")

/** Maximum tags of an element that are read. A sheet of Excel has at most 65,530 links. */
export const maxTags = 100_000

/** Finds the tags of an element, with any prefix: the first `maxTags`. */
export const tagsOf = (xml: string, name: string): ReadonlyArray<string> => {
  const tags: Array<string> = []
  for (const [tag] of xml.matchAll(new RegExp(`<(?:\\w{1,20}:)?${name}(?:\\s[^>]{0,4000})?>`, "g")))
    if (tags.push(tag) === maxTags) break
  return tags
}

/** Turns CDATA into text and removes comments, because the functions below do not recognise them. */
export const withoutSections = (xml: string): string =>
  xml.includes("<!")
    ? xml
        .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;"))
        .replace(/<!--[\s\S]*?-->/g, "")
    : xml

const named = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"]
])

const reference = /&(?:(amp|lt|gt|quot|apos)|#(x[\da-f]+|\d+));/gi
const escaped = /_x([\da-f]{4})_/gi

/** Character of a reference such as `x1F600` or `128512`. */
const character = (number: string): string => {
  const code = /^x/i.test(number) ? Number.parseInt(number.slice(1), 16) : Number(number)
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd"
}

/** Decodes the character references in text. */
export const decodeXml = (text: string): string =>
  text.includes("&")
    ? text.replace(reference, (whole, name: string | undefined, number: string | undefined) =>
        name === undefined ? character(number ?? "") : (named.get(name.toLowerCase()) ?? whole)
      )
    : text

/** Decodes text of a sheet, which can also contain escapes such as `_x000D_`. */
export const plainText = (text: string): string => {
  const decoded = decodeXml(text)
  return decoded.includes("_x")
    ? decoded.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : decoded
}

/** Element of a parsed fragment; text has the name "". */
export interface XmlNode {
  /** Name with its prefix. */
  readonly name: string
  readonly tag: string
  readonly text: string
  readonly children: ReadonlyArray<XmlNode>
}

const maxDepth = 200

/** Parses a fragment. Tolerates missing and superfluous end tags. */
export const parseFragment = (xml: string): XmlNode => {
  const root = { name: "", tag: "", text: "", children: [] as Array<XmlNode> }
  const open = [root]
  for (const [whole, end, name = "", rest = ""] of xml.matchAll(/<(\/?)([\w:.-]+)([^<>]*)>|[^<]+/g)) {
    const parent = open.at(-1) ?? root
    if (name === "") parent.children.push({ name: "", tag: "", text: decodeXml(whole), children: [] })
    else if (end === "/") {
      const at = open.findLastIndex((each) => each.name === name)
      if (at > 0) open.length = at
    } else {
      const node = { name, tag: whole, text: "", children: [] as Array<XmlNode> }
      parent.children.push(node)
      if (!rest.endsWith("/") && open.length < maxDepth) open.push(node)
    }
  }
  return root
}

/** All text of an element. */
export const nodeText = (node: XmlNode): string => node.text + node.children.map(nodeText).join("")

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? "")

/** Styles of a document that hide or raise the text of their runs and paragraphs. */
export interface TextStyles {
  readonly hidden: ReadonlySet<string>
  readonly raised: ReadonlySet<string>
}

/** Adds the styles that are based, directly or indirectly, on a style of the set. `bases`: base style of each style. */
export const addHeirs = (set: Set<string>, bases: ReadonlyMap<string, string>): void => {
  for (const style of bases.keys()) {
    let base = bases.get(style)
    for (let depth = 0; base !== undefined && depth < 20; depth += 1) {
      if (set.has(base)) set.add(style)
      base = bases.get(base)
    }
  }
}

/** Position after the end of the element whose start tag ends at `from`; the length of the text if the element is not closed. */
export const endOf = (xml: string, name: string, from: number): number => {
  const tags = new RegExp(`<(/?)${name}(?=[\\s/>])[^<>]*>`, "g")
  tags.lastIndex = from
  let depth = 1
  for (let found = tags.exec(xml); found !== null; found = tags.exec(xml)) {
    if (found[1] === "/") depth -= 1
    else if (!found[0].endsWith("/>")) depth += 1
    if (depth === 0) return tags.lastIndex
  }
  return xml.length
}
