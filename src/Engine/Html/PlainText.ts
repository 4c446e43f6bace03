/** A tree as plain text: what the search index keeps and what a summary is made of. */
import { type Element, isElement } from "./Element.ts"
import { collapse } from "./Whitespace.ts"

/** One line for each block; white space within is single spaces. */
export const toText = (roots: ReadonlyArray<Element>): string => {
  const lines: Array<string> = []
  let line = ""
  const endLine = (): void => {
    if (line === "") return
    const text = collapse(line).trim()
    if (text !== "") lines.push(text)
    line = ""
  }
  const visit = (element: Element): void => {
    if (element.dropped || element.layout === "unseen") return
    const block = element.layout === "block" || element.name === "br"
    if (block) endLine()
    for (const child of element.children) {
      if (isElement(child)) visit(child)
      else line += child
    }
    if (block) endLine()
  }
  for (const root of roots) visit(root)
  endLine()
  return lines.join("\n")
}
