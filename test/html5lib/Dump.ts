/** Trees as lines, as the standard's tests write them. Comments and document types are left out: they are no nodes of our tree. */
import { type Element, isElement } from "../../src/Html/Element.ts"
import type { Tree } from "../../src/Html/Tree.ts"

/** Attributes of other namespaces, which the tests write with a space in place of the colon. */
const isPrefixed = new Set([
  ...["actuate", "arcrole", "href", "role", "show", "title", "type"].map((name) => `xlink:${name}`),
  ...["xml:lang", "xml:space", "xmlns:xlink"]
])

const nameOf = ({ name, tag }: Element): string =>
  tag.rules.namespace === "html" ? name : `${tag.rules.namespace} ${name}`

const attributeLines = ({ attributes, tag }: Element): ReadonlyArray<string> =>
  Object.entries(attributes)
    .map(([name, value]) => {
      const written = tag.rules.isForeign && isPrefixed.has(name) ? name.replace(":", " ") : name
      return `${written}="${value}"`
    })
    .sort()

const linesOf = (node: Element | string, depth: number): ReadonlyArray<string> => {
  const indent = `| ${"  ".repeat(depth)}`
  if (!isElement(node)) return [`${indent}"${node}"`]
  const isTemplate = node.name === "template" && !node.tag.rules.isForeign
  return [
    `${indent}<${nameOf(node)}>`,
    ...attributeLines(node).map((line) => `${indent}  ${line}`),
    ...(isTemplate ? [`${indent}  content`] : []),
    // The standard reads it as text; its markup is checked elsewhere.
    ...(node.name === "noscript" ? [] : childLines(node, depth + (isTemplate ? 2 : 1)))
  ]
}

const childLines = ({ children }: Element, depth: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let text = ""
  const flush = () => {
    if (text !== "") lines.push(...linesOf(text, depth))
    text = ""
  }
  for (const child of children) {
    if (!isElement(child)) text += child
    else {
      flush()
      lines.push(...linesOf(child, depth))
    }
  }
  flush()
  return lines
}

export const dump = ({ root }: Tree): string => childLines(root, 0).join("\n")

/** The expected lines without comments, document types and the text of `<noscript>`; texts on both sides of a comment are one. */
export const expected = (document: string): string => {
  const nodes: Array<string> = []
  let noscript = -1
  let isText = false
  for (const node of document.split(/\n(?=\| )/)) {
    const [, spaces = "", rest = ""] = /^\| ( *)([\s\S]*)$/.exec(node) ?? []
    if (noscript >= 0 && spaces.length > noscript && !/^[^<" ][^"]*=/.test(rest)) continue
    noscript = rest === "<noscript>" ? spaces.length : -1
    if (rest.startsWith("<!")) continue
    const last = nodes.at(-1)
    if (rest.startsWith('"') && isText && last?.startsWith(`| ${spaces}"`))
      nodes[nodes.length - 1] = `${last.slice(0, -1)}${rest.slice(1)}`
    else nodes.push(node)
    isText = rest.startsWith('"')
  }
  return nodes.join("\n")
}
