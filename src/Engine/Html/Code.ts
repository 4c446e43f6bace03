/** What stands in `<pre>`, with its lines, and the language it says it is in. */

import { type Element, isElement } from "./Element.ts"

/** The text as it stands, line by line. */
export const codeText = (element: Element): string => {
  let text = ""
  for (const child of element.children) {
    if (!isElement(child)) text += child
    else if (child.name === "br") text += "\n"
    else if (!child.dropped && child.layout !== "unseen") {
      const inner = codeText(child)
      text += child.layout === "block" && text !== "" && !text.endsWith("\n") ? `\n${inner}` : inner
    }
  }
  return text
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
