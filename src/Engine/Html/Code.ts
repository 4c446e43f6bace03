/** What stands in `<pre>`, with its lines, and the language it says it is in. */
import { type Element, isElement } from "./Element.ts"

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

/** The text as it stands, line by line. */
export const codeText = (element: Element): string => {
  const parts: Array<string> = []
  append(element, parts)
  return parts.join("")
}

const languageClass = /(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s*)([\w+#.-]+)/

/** By the class of the element, of the `<code>` in it, or of what is directly around it. */
export const codeLanguage = (element: Element): string => {
  const inner = element.children.find((child): child is Element => isElement(child) && child.name === "code")
  for (const candidate of [inner, element, element.parent, element.parent?.parent]) {
    const found = languageClass.exec(candidate?.attributes.class ?? "")?.[1]
    if (found !== undefined) return found
  }
  return ""
}
