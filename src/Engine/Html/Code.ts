/** Blocks of code: their lines, their language, and the columns of line numbers beside them. */
import { noAttributes } from "./Tokenizer.ts"
import { type Element, isElement } from "./Tree.ts"

const append = (element: Element, parts: Array<string>): void => {
  for (const child of element.children) {
    if (!isElement(child)) parts.push(child)
    else if (child.name === "br") parts.push("\n")
    else if (!child.dropped && child.layout !== "unseen") {
      if (child.layout === "block" && parts.at(-1)?.endsWith("\n") === false) parts.push("\n")
      append(child, parts)
    }
  }
}

/** Text of a code block, with its lines. */
export const codeText = (element: Element): string => {
  const parts: Array<string> = []
  append(element, parts)
  return parts.join("")
}

const languageClass =
  /(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush:\s*|hljs\s+(?:language-)?|sourceCode\s+)([\w+#.-]+)/

/** Words that such classes have in place of a language. */
const noLanguage = new Set(["default", "none", "text", "plain", "plaintext", "source", "block", "wrapper", "container"])

const named = ({ attributes }: Element): string | undefined => {
  if (attributes === noAttributes) return undefined
  const name = attributes["data-lang"] ?? attributes["data-language"] ?? languageClass.exec(attributes.class ?? "")?.[1]
  return name === undefined || !/^[\w+#.-]+$/.test(name) ? undefined : name
}

/** Language of a code block, by the attributes of the element, of the `<code>` in it, or of the elements directly around it. */
export const codeLanguage = (element: Element): string => {
  const inner = element.children.find((child): child is Element => isElement(child) && child.name === "code")
  for (const candidate of [inner, element, element.parent, element.parent?.parent]) {
    const found = candidate === undefined ? undefined : named(candidate)
    if (found !== undefined)
      return noLanguage.has(found) && candidate !== inner ? "" : found.replace(/^python3$/, "python")
  }
  return ""
}

/** True for numbers of lines, in a cell beside the one with the code. */
export const isLineNumbers = (element: Element, text: string): boolean => {
  let cell: Element | undefined = element.parent
  while (cell !== undefined && cell.name !== "td" && cell.layout !== "block") cell = cell.parent
  if (cell?.name !== "td" || cell.parent === undefined) return false
  const numbers = text.trim().split(/\s+/)
  if (!numbers.every((number, at) => Number(number) === Number(numbers[0]) + at)) return false
  return cell.parent.children.some((other) => isElement(other) && other !== cell && holdsCode(other, 4))
}

const holdsCode = (element: Element, depth: number): boolean =>
  element.name === "pre" ||
  (depth > 0 && element.children.some((child) => isElement(child) && holdsCode(child, depth - 1)))
