/** A tree as HTML again: cleaned, with absolute addresses. */
import { type Element, isElement } from "./Element.ts"
import type { Addresses } from "./Markdown.ts"
import { voids } from "./Tags.ts"

/** Kept in cleaned HTML although markdown has no form for them. */
const kept = new Set(["svg", "math", "iframe", "video", "audio", "canvas", "input", "textarea"])

export const escapeText = (text: string): string =>
  text.replace(/[&<>]/g, (character) => entities[character] ?? character)

const escapeAttribute = (text: string): string => text.replace(/[&"]/g, (character) => entities[character] ?? character)

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

const attributeText = (element: Element, addresses: Addresses): string => {
  let text = ""
  for (const [name, value] of Object.entries(element.attributes)) {
    if (name.startsWith("on") || name === "style" || name === "srcset") continue
    const written =
      name === "href"
        ? (addresses.link(value) ?? value)
        : name === "src"
          ? (source(element, addresses) ?? value)
          : value
    if (!/^javascript:/i.test(written.trim()))
      text += value === "" ? ` ${name}` : ` ${name}="${escapeAttribute(written)}"`
  }
  return text
}

const source = (element: Element, addresses: Addresses): string | undefined =>
  element.name === "img" ? addresses.image(element) : addresses.link(element.attributes.src ?? "")

const append = (element: Element, addresses: Addresses, parts: Array<string>): void => {
  const { name } = element
  if (element.dropped || (element.layout === "unseen" && !kept.has(name))) return
  parts.push("<", name, attributeText(element, addresses), ">")
  if (voids.has(name)) return
  for (const child of element.children) {
    if (isElement(child)) append(child, addresses, parts)
    else parts.push(escapeText(child))
  }
  parts.push("</", name, ">")
}

/** The elements one after another. */
export const toHtml = (roots: ReadonlyArray<Element>, addresses: Addresses): string => {
  const parts: Array<string> = []
  for (const root of roots) append(root, addresses, parts)
  return parts.join("")
}
