/** Writes a tree as Markdown (CommonMark with GFM tables) in one walk. */
import { codeLanguage, codeLines, codeText, isCodeBox, isLineNumbers } from "./Code.ts"
import { type Element, isElement, squeeze, textOf } from "./Element.ts"
import type { MarkKind } from "./Emphasis.ts"
import { isPermalink } from "./Headings.ts"
import { ListNumbers, markerOf } from "./Lists.ts"
import { MarkdownWriter } from "./MarkdownWriter.ts"
import { drawsFormula, formulaOf, raisedText } from "./Math.ts"
import type { Addresses } from "./PageUrls.ts"
import { type Rows, readRows } from "./Table.ts"
import { noAttributes } from "./Tokenizer.ts"

interface Walk {
  readonly to: MarkdownWriter
  readonly addresses: Addresses
  /** Current depth of lists and quotations, up to `maxIndents`. */
  indents: number
  /** URL of the card (a link around blocks) that is being written; its headings become the link. */
  card: string | undefined
  inHeading: boolean
  /** The last list written: the position of its end, and its first marker. */
  lastList: { readonly position: number; readonly indents: number; readonly marker: string } | undefined
}

const maxIndents = 12

type Write = (walk: Walk, element: Element) => void

const children: Write = (walk, element) => {
  for (const child of element.children) {
    if (isElement(child)) write(walk, child)
    else walk.to.text(child)
  }
}

const write: Write = (walk, element) => {
  if (element.dropped || (element.attributes !== noAttributes && drawsFormula(element))) return
  if (walk.inHeading && isPermalink(element)) return
  const special = isCodeBox(element) ? codeBox : (writers.get(element.name) ?? headingByRole(element))
  if (special !== undefined) special(walk, element)
  else if (element.layout === "block") paragraph(walk, element)
  else if (element.layout === "inline") children(walk, element)
}

const block =
  (breaks: 1 | 2): Write =>
  (walk, element) => {
    walk.to.block(breaks)
    children(walk, element)
    walk.to.block(breaks)
  }

const paragraph = block(2)

const heading =
  (mark: string): Write =>
  (walk, element) => {
    const { card } = walk
    walk.inHeading = true
    if (card === undefined) walk.to.heading(mark, () => children(walk, element))
    else walk.to.heading(mark, () => walk.to.link(card, () => children(walk, element)))
    walk.inHeading = false
  }

const headingByRole = ({ attributes }: Element): Write | undefined => {
  if (attributes === noAttributes || attributes.role !== "heading") return undefined
  return writers.get(`h${attributes["aria-level"] ?? "2"}`)
}

const marked =
  (mark: MarkKind): Write =>
  (walk, element) =>
    walk.to.marked(mark, () => children(walk, element))

const around =
  (open: string, close: string): Write =>
  (walk, element) => {
    walk.to.text(open)
    children(walk, element)
    walk.to.text(close)
  }

const link: Write = (walk, element) => {
  const { href } = element.attributes
  const address = href === undefined ? undefined : walk.addresses.link(href)
  if (address === undefined) children(walk, element)
  else if (walk.card !== undefined) children(walk, element)
  else if (holdsHeading(element, cardDepth)) {
    walk.card = address
    children(walk, element)
    walk.card = undefined
  } else walk.to.link(address, () => children(walk, element))
}

/** Levels searched for a heading in a link: a link around a heading is a card, in which the whole block is one link. */
const cardDepth = 6

const holdsHeading = (element: Element, depth: number): boolean =>
  element.children.some(
    (child) =>
      isElement(child) && !child.dropped && (headings.has(child.name) || (depth > 0 && holdsHeading(child, depth - 1)))
  )

const image: Write = (walk, element) => {
  const address = walk.addresses.image(element)
  if (address === undefined) return
  walk.to.image(squeeze(element.attributes.alt ?? ""), address)
}

const formula: Write = (walk, element) => {
  const tex = formulaOf(element)
  const isAlone = tex.startsWith("$$")
  if (isAlone) walk.to.block(2)
  if (tex !== "") walk.to.raw(tex)
  if (isAlone) walk.to.block(2)
}

const lists = new Set(["ul", "ol", "menu", "dir"])

const list: Write = (walk, element) => {
  const breaks = walk.indents > 0 ? 1 : 2
  const numbers = new ListNumbers(element)
  const { lastList } = walk
  const follows = lastList?.position === walk.to.position && lastList.indents === walk.indents
  walk.to.block(breaks)
  let marker = ""
  for (const child of element.children) {
    if (!isElement(child)) walk.to.text(child)
    else if (child.name === "li" && !child.dropped) {
      // Use another marker if the list would otherwise continue the one before.
      marker = markerOf(numbers.next(child), follows ? lastList.marker : "")
      item(walk, child, marker)
    } else if (marker !== "" && lists.has(child.name)) item(walk, child, " ".repeat(marker.length), list)
    else write(walk, child)
  }
  walk.to.block(breaks)
  if (marker !== "") walk.lastList = { position: walk.to.position, indents: walk.indents, marker }
}

const item = (walk: Walk, element: Element, marker: string, content: Write = children): void => {
  walk.to.block(1)
  indented(walk, marker, " ".repeat(/^(?:[-*]|\d+[.)]) /.exec(marker)?.[0].length ?? marker.length), () =>
    content(walk, element)
  )
  walk.to.block(1)
}

const quotation: Write = (walk, element) => {
  walk.to.block(2)
  indented(walk, "> ", "> ", () => children(walk, element))
  walk.to.block(2)
}

const indented = (walk: Walk, first: string, rest: string, content: () => void): void => {
  if (walk.indents >= maxIndents) content()
  else {
    walk.indents++
    walk.to.indented(first, rest, content)
    walk.indents--
  }
}

const checkbox: Write = (walk, { attributes, parent }) => {
  const listed = parent?.name === "li" || parent?.parent?.name === "li"
  if (!listed || attributes.type !== "checkbox") return
  walk.to.raw(attributes.checked === undefined ? "[ ]" : "[x]")
  walk.to.text(" ")
}

const table: Write = (walk, element) => {
  const found = readRows(element, walk.to.isInline)
  if (found === undefined) paragraph(walk, element)
  else if (walk.to.isInline) tableInLine(walk, found)
  else {
    for (const child of found.outside) {
      walk.to.block(2)
      write(walk, child)
    }
    walk.to.table(
      found.rows.map((row) => row.map((cell) => (cell === undefined ? "" : cellText(walk, cell)))),
      found.alignments
    )
  }
}

/** Writes a table within a cell, link or heading: a line for each row. */
const tableInLine = (walk: Walk, { outside, rows }: Rows): void => {
  for (const row of [...outside.map((each) => [each]), ...rows]) {
    walk.to.block(1)
    for (const cell of row) {
      if (cell !== undefined) children(walk, cell)
      walk.to.text(" ")
    }
  }
  walk.to.block(1)
}

const cellText = ({ addresses, indents }: Walk, element: Element): string => {
  const to = new MarkdownWriter(true)
  children({ to, addresses, indents, card: undefined, inHeading: false, lastList: undefined }, element)
  return to.finish()
}

const code: Write = (walk, element) => {
  const lines = codeLines(element)
  const isBlock = lines.filter((line) => line.trim() !== "").length > 1
  if (isBlock) walk.to.codeBlock(withoutFirstBreak(lines.join("\n")), codeLanguage(element))
  else walk.to.code(lines.join(" "))
}

const withoutFirstBreak = (text: string): string => text.replace(/^\n/, "")

const preformatted: Write = (walk, element) => {
  const text = codeText(element)
  if (isLineNumbers(element, text)) return
  // The parser drops a line feed directly after `<pre>`, so one that is left here is a blank line.
  const [first] = element.children
  walk.to.codeBlock(typeof first === "string" ? text : withoutFirstBreak(text), codeLanguage(element))
}

const codeBox: Write = (walk, element) => walk.to.codeBlock(withoutFirstBreak(codeText(element)), codeLanguage(element))

const superscript: Write = (walk, element) => {
  const text = textOf(element).trim()
  const note = noteNumber(element, text)
  const power = raisedText(text)
  if (note !== undefined) walk.to.text(`[${note}]`)
  else if (power !== undefined) walk.to.text(power)
  else children(walk, element)
}

/** The number of a footnote in a superscript that only contains a link within the page. */
const noteNumber = ({ children: content }: Element, text: string): string | undefined => {
  const [link] = content.filter(isElement)
  const refers =
    link?.name === "a" && link.attributes.href?.includes("#") === true && content.filter(isElement).length === 1
  return refers && /^[\d*†‡a-z]{1,3}$/.test(text) ? text : undefined
}

const headings: ReadonlyMap<string, string> = new Map(
  [1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, "#".repeat(level)])
)

const writers: ReadonlyMap<string, Write> = new Map<string, Write>([
  ...[...headings].map(([name, mark]) => [name, heading(mark)] as const),
  ...["b", "strong"].map((name) => [name, marked("**")] as const),
  ...["i", "em", "cite", "var", "dfn"].map((name) => [name, marked("_")] as const),
  ...["del", "s", "strike"].map((name) => [name, marked("~~")] as const),
  ...["code", "kbd", "samp", "tt"].map((name) => [name, code] as const),
  ...["pre", "listing", "xmp"].map((name) => [name, preformatted] as const),
  ...["ul", "ol", "menu", "dir"].map((name) => [name, list] as const),
  ["li", (walk, element) => item(walk, element, "- ")],
  ["a", link],
  ["br", (walk) => walk.to.lineBreak()],
  ["hr", (walk) => walk.to.rule()],
  ["img", image],
  ["math", formula],
  ["sup", superscript],
  ["blockquote", quotation],
  ["table", table],
  ["tr", block(1)],
  ["q", around("“", "”")],
  ["input", checkbox]
])

/** Writes the elements one after another. */
export const toMarkdown = (roots: ReadonlyArray<Element>, addresses: Addresses): string => {
  const to = new MarkdownWriter(false)
  const walk: Walk = { to, addresses, indents: 0, card: undefined, inHeading: false, lastList: undefined }
  for (const root of roots) paragraph(walk, { ...root, children: [root] })
  return to.finish()
}
