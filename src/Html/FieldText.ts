/** Reads the text of elements for fields, and the value beside a label. */

import { type Element, isElement, squeeze, textOf } from "./Element.ts"
import type { PageUrls } from "./PageUrls.ts"
import { spend } from "./Select.ts"

interface Parts {
  readonly texts: Array<string>
  /** Characters that may still be added. */
  left: number
  /** True if superscript digits become `⁹⁹`, so that they differ from the digits before them. */
  readonly raises: boolean
  /** Names of elements to leave out. */
  readonly without?: ReadonlySet<string> | undefined
  /** True if nothing but space followed the last element that was left out. */
  isAfterGap?: boolean
}

/** Converts digits in `sup`, and cents in `small`, after a digit to raised digits; undefined for other text. */
const raised = ({ name }: Element, text: string, before: string | undefined): string | undefined => {
  const isRaised = name === "sup" ? /^[\s\d()[\]*]+$/.test(text) : name === "small" && /^\s*\d\d\s*$/.test(text)
  if (!isRaised || before === undefined || !/\d\s*$/.test(before)) return undefined
  return text.replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)] ?? "")
}

const append = (element: Element, parts: Parts, depth: number): void => {
  for (const child of element.children) {
    if (parts.left <= 0) return
    if (!isElement(child)) {
      parts.texts.push(child)
      parts.left -= child.length
      if (/\S/.test(child)) parts.isAfterGap = false
    } else if (parts.without?.has(child.name)) {
      parts.texts.push(" ")
      parts.isAfterGap = true
    } else if (child.layout !== "unseen" || child.name === "svg") {
      const isApart = child.layout === "block" || child.name === "br"
      if (isApart) parts.texts.push(" ")
      const isSmall = parts.raises && (child.name === "sup" || child.name === "small")
      const instead = isSmall
        ? raised(child, textOf(child), parts.isAfterGap ? "0" : parts.texts.findLast((text) => text.trim() !== ""))
        : undefined
      // Raised digits after an element that is left out belong to it.
      if (instead !== undefined) parts.texts.push(parts.isAfterGap ? "" : instead)
      else if (depth > 0) append(child, parts, depth - 1)
      if (isApart) parts.texts.push(" ")
    }
  }
}

const maxDepth = 600

/** The first `most` or so characters of the text of {@link readText}; does not count towards the work limit. */
export const textStart = (element: Element, most: number): string => {
  const [only] = element.children
  if (element.children.length === 1 && typeof only === "string") return squeeze(only)
  const parts: Parts = { texts: [], left: most, raises: false }
  append(element, parts, maxDepth)
  return squeeze(parts.texts.join(""))
}

/** The visible text with single spaces; a space separates blocks and lines, and scripts and styles are left out. */
export const shownText = (element: Element): string => textStart(element, Number.POSITIVE_INFINITY)

/** Like {@link shownText}, but counts towards the work limit of a page, because each of many elements may contain the whole page. */
export const readText = (element: Element): string => {
  const text = shownText(element)
  if (element.children.length > 1) spend(text.length >> 3)
  return text
}

/** Like {@link readText}, but for reading a number: `12<sup>99</sup>` becomes `12⁹⁹`. Leaves out child elements with these names. */
export const readAmountText = (element: Element, without?: ReadonlySet<string>): string => {
  const parts: Parts = { texts: [], left: Number.POSITIVE_INFINITY, raises: true, without }
  append(element, parts, maxDepth)
  const text = squeeze(parts.texts.join(""))
  spend(text.length >> 3)
  return text
}

/** The element's own text, without the text of its child elements. */
export const readOwnText = (element: Element): string =>
  squeeze(element.children.map((child) => (isElement(child) ? " " : child)).join(""))

const addresses: Readonly<Record<string, string>> = {
  a: "href",
  area: "href",
  link: "href",
  img: "src",
  source: "src",
  audio: "src",
  video: "src",
  embed: "src",
  iframe: "src",
  track: "src",
  object: "data"
}

const written: Readonly<Record<string, string>> = {
  meta: "content",
  data: "value",
  meter: "value",
  input: "value",
  time: "datetime"
}

/** The absolute URL that an element links to or shows. */
export const readAddress = (element: Element, urls: PageUrls): string | undefined => {
  if (element.name === "img") return urls.image(element)
  const name = addresses[element.name]
  const address = name === undefined ? undefined : element.attributes[name]
  return address === undefined ? undefined : urls.resolve(address)
}

/** The machine-readable value of an element (`content`, `datetime`, `value`); undefined if only its text states the value. */
export const readMarked = ({ attributes, name }: Element): string | undefined => {
  const key = written[name]
  return attributes.content ?? (key === undefined ? undefined : attributes[key])
}

/** True for attributes that contain a URL. */
export const isAddressAttribute = (name: string): boolean => /^(?:href|src|action|poster|cite|data-src)$/i.test(name)

const titleOf = ({ children }: Element): string | undefined => {
  const title = children.filter(isElement).find(({ name }) => name === "title")
  return title === undefined ? undefined : textOf(title)
}

/** Alternative text of the first image that has one. */
export const altIn = (element: Element): string | undefined => {
  for (const child of element.children) {
    if (!isElement(child)) continue
    const { alt, "aria-label": label, title } = child.attributes
    const own = child.name === "img" ? alt || title : child.name === "svg" ? label || titleOf(child) : undefined
    const found = own ? squeeze(own) : altIn(child)
    if (found) return found
  }
  return undefined
}

/** Text for comparisons: without case, and with white space collapsed. */
export const fold = (text: string): string => squeeze(text).toLowerCase()

/** Maximum length of text that may begin with a label, in characters. */
const maxLabelled = 400

const isLabel = (text: string, label: string): boolean => fold(text).replace(/\s*[:：]$/, "") === label

const isCell = ({ name }: Element): boolean => name === "td" || name === "th"

/** Reads `2 kg` from `Weight: 2 kg`; undefined unless the text begins with the label. */
const afterLabel = (text: string, label: string): string | undefined => {
  const plain = squeeze(text)
  if (!plain.toLowerCase().startsWith(label)) return undefined
  const rest = /^\s*[:：]\s*(.+)$/s.exec(plain.slice(label.length))?.[1]
  return rest === undefined ? undefined : squeeze(rest)
}

const elementsOf = (element: Element): ReadonlyArray<Element> => element.children.filter(isElement)

/** The sibling nodes after an element, without blank texts. */
const behind = (element: Element): ReadonlyArray<Element | string> => {
  const siblings = element.parent?.children ?? []
  return siblings.slice(siblings.indexOf(element) + 1).filter((node) => isElement(node) || /\S/.test(node))
}

/** The cell below a header cell: in a row of headers, each one labels the cells below it. */
const belowHeader = (cell: Element): Element | undefined => {
  const row = cell.parent
  if (row === undefined || !elementsOf(row).every(({ name }) => name === "th")) return undefined
  const rows = row.parent === undefined ? [] : elementsOf(row.parent).filter(({ name }) => name === "tr")
  const group = row.parent?.parent
  const next =
    rows[rows.indexOf(row) + 1] ??
    (group === undefined
      ? undefined
      : elementsOf(group)
          .find(({ name }) => name === "tbody")
          ?.children.find(isElement))
  return next === undefined ? undefined : elementsOf(next)[elementsOf(row).indexOf(cell)]
}

const valueBeside = (labelled: Element): Element | string | undefined => {
  if (isCell(labelled)) {
    const below = labelled.name === "th" ? belowHeader(labelled) : undefined
    return below ?? behind(labelled).find((node): node is Element => isElement(node) && isCell(node))
  }
  if (labelled.name === "dt") {
    const found = behind(labelled).find((node) => isElement(node) && node.name !== "dt")
    if (found !== undefined) return found
  }
  for (const node of behind(labelled)) {
    const value = typeof node === "string" ? squeeze(node).replace(/^[:：]\s*/, "") : node
    // In `<b>Yield</b>: <span>4</span>` the text after the label is only a colon.
    if (value !== "") return value
  }
  return undefined
}

/** Maximum number of levels above a label that are searched. */
const maxAbove = 20

/** The outermost element below the scope whose only text is the label. */
const wholeLabel = (element: Element, scope: Element, label: string): Element => {
  let whole = element
  let above = element.parent
  for (let level = 0; level < maxAbove && above !== undefined && above !== scope; level++, above = above.parent) {
    if (isCell(whole) || whole.name === "dt" || textOf(above).length > maxLabelled) break
    if (!isLabel(readText(above), label)) break
    whole = above
  }
  return whole
}

/** Finds the values beside a label: `<th>Weight</th><td>2 kg</td>`, `dt` and `dd`, `<b>Weight:</b> 2 kg`, or the text `Weight: 2 kg`. */
export const readLabelled = (scope: Element, name: string, most: number): ReadonlyArray<Element | string> => {
  const label = fold(name).replace(/\s*[:：]$/, "")
  const found: Array<Element | string> = []
  const visit = (element: Element, depth: number): void => {
    spend(element.children.length)
    for (const child of element.children) {
      if (found.length >= most) return
      if (isElement(child)) {
        if (child.layout !== "unseen" && depth > 0) visit(child, depth - 1)
        continue
      }
      if (child.length > maxLabelled || !child.toLowerCase().includes(label.split(" ", 1)[0] ?? "")) continue
      const value = isLabel(child, label) ? valueOfLabel(element, child) : afterLabel(child, label)
      if (value !== undefined && value !== "") found.push(value)
    }
  }
  const valueOfLabel = (element: Element, text: string): Element | string | undefined => {
    if (isLabel(readText(element), label)) return valueBeside(wholeLabel(element, scope, label))
    // In `<p>Weight: <b>2 kg</b></p>` the value is an element.
    const siblings = element.children.slice(element.children.indexOf(text) + 1)
    return siblings.find((node): node is Element => isElement(node) && node.layout !== "unseen")
  }
  visit(scope, maxDepth)
  return found
}
