/** A tree as plain text: what the search index keeps and what a summary is made of. */
import { isBlock, unseen } from "./Tags.ts"
import { type Element, isElement } from "./Tree.ts"

/** One line for each block; white space within is single spaces. */
export const toText = (roots: ReadonlyArray<Element>): string => {
  let text = ""
  const visit = (element: Element): void => {
    if (element.dropped || unseen.has(element.name)) return
    const block = isBlock.has(element.name) || element.name === "br"
    if (block) text += "\n"
    for (const child of element.children) {
      if (isElement(child)) visit(child)
      else text += child
    }
    if (block) text += "\n"
  }
  for (const root of roots) visit(root)
  return text
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n[ \n]*/g, "\n")
    .trim()
}
