/** Writes a tree as Markdown (CommonMark with GFM tables) in one walk. */
import { codeLanguage, codeText, isLineNumbers } from "./Code.ts"
import { escapeAddress, MarkdownWriter } from "./MarkdownWriter.ts"
import { drawsFormula, formulaOf, raisedText } from "./Math.ts"
import { type Addresses, imagePlaceholder } from "./PageUrls.ts"
import { readRows } from "./Table.ts"
import { noAttributes } from "./Tokenizer.ts"
import { type Element, isElement, textOf } from "./Tree.ts"

interface Walk {
  readonly to: MarkdownWriter
  readonly addresses: Addresses
  /** Depth of lists and quotations, up to `maxIndents`. */
  indents: number
  /** Address of the surrounding card; its headings carry the link. */
  card: string | undefined
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
  const special = writers.get(element.name) ?? headingByRole(element)
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
    if (card === undefined) walk.to.heading(mark, () => children(walk, element))
    else walk.to.heading(mark, () => walk.to.link(card, () => children(walk, element)))
  }

const headingByRole = ({ attributes }: Element): Write | undefined => {
  if (attributes === noAttributes || attributes.role !== "heading") return undefined
  return writers.get(`h${attributes["aria-level"] ?? "2"}`)
}

const marked =
  (mark: string): Write =>
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
    walk.card = escapeAddress(address)
    children(walk, element)
    walk.card = undefined
  } else walk.to.link(escapeAddress(address), () => children(walk, element))
}

/** A link around a heading is a card: the whole block is one link. */
const cardDepth = 6

const holdsHeading = (element: Element, depth: number): boolean =>
  element.children.some(
    (child) =>
      isElement(child) && !child.dropped && (headings.has(child.name) || (depth > 0 && holdsHeading(child, depth - 1)))
  )

const image: Write = (walk, element) => {
  const address = walk.addresses.image(element)
  if (address === undefined) return
  const alt = (element.attributes.alt ?? "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[[\]\\]/g, "\\$&")
  walk.to.raw(`![${alt}](${address === imagePlaceholder ? address : escapeAddress(address)})`)
}

const formula: Write = (walk, element) => {
  const tex = formulaOf(element)
  const isAlone = tex.startsWith("$$")
  if (isAlone) walk.to.block(2)
  if (tex !== "") walk.to.raw(tex)
  if (isAlone) walk.to.block(2)
}

/** Larger numbers do not start a list in Markdown. */
const longestNumber = 999_999_999

const list: Write = (walk, element) => {
  const start = Number.parseInt(element.attributes.start ?? "", 10)
  let number = start >= 0 && start <= longestNumber ? start : 1
  const breaks = walk.indents > 0 ? 1 : 2
  walk.to.block(breaks)
  for (const child of element.children) {
    if (!isElement(child)) walk.to.text(child)
    else if (child.name !== "li") write(walk, child)
    else if (!child.dropped) item(walk, child, element.name === "ol" ? `${number++}. ` : "- ")
  }
  walk.to.block(breaks)
}

const item = (walk: Walk, element: Element, marker: string): void => {
  walk.to.block(1)
  indented(walk, element, marker, " ".repeat(marker.length))
  walk.to.block(1)
}

const quotation: Write = (walk, element) => {
  walk.to.block(2)
  indented(walk, element, "> ", "> ")
  walk.to.block(2)
}

const indented = (walk: Walk, element: Element, first: string, rest: string): void => {
  if (walk.indents >= maxIndents) children(walk, element)
  else {
    walk.indents++
    walk.to.indented(first, rest, () => children(walk, element))
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
  const found = walk.to.isInline ? undefined : readRows(element)
  if (found === undefined) paragraph(walk, element)
  else {
    for (const child of found.outside) {
      walk.to.block(2)
      write(walk, child)
    }
    walk.to.table(found.rows.map((row) => row.map((cell) => (cell === undefined ? "" : cellText(walk, cell)))))
  }
}

const cellText = ({ addresses, indents }: Walk, element: Element): string => {
  const to = new MarkdownWriter(true)
  children({ to, addresses, indents, card: undefined }, element)
  return to.finish()
}

const code: Write = (walk, element) => walk.to.code(textOf(element))

const preformatted: Write = (walk, element) => {
  const text = codeText(element)
  if (!isLineNumbers(element, text)) walk.to.codeBlock(text, codeLanguage(element))
}

const superscript: Write = (walk, element) => {
  const text = textOf(element).trim()
  const note = noteNumber(element, text)
  const power = raisedText(text)
  if (note !== undefined) walk.to.text(`[${note}]`)
  else if (power !== undefined) walk.to.text(power)
  else children(walk, element)
}

/** The number of a footnote that is only told from the text by its position: a link inside the page. */
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
  const walk: Walk = { to, addresses, indents: 0, card: undefined }
  for (const root of roots) paragraph(walk, { ...root, children: [root] })
  return to.finish()
}
