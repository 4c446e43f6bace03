/** Writes a tree as Markdown (CommonMark with GFM tables) in one walk. */
import { escapeAddress, MarkdownWriter } from "./MarkdownWriter.ts"
import type { Addresses } from "./PageUrls.ts"
import { readRows } from "./Table.ts"
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
  if (element.dropped) return
  const special = writers.get(element.name)
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
  walk.to.raw(`![${alt}](${escapeAddress(address)})`)
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

const preformatted: Write = (walk, element) => walk.to.codeBlock(codeText(element), codeLanguage(element))

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

const languageClass = /(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s*)([\w+#.-]+)/

/** Language of a code block, by the class of the element, of the `<code>` in it, or of the elements directly around it. */
export const codeLanguage = (element: Element): string => {
  const inner = element.children.find((child): child is Element => isElement(child) && child.name === "code")
  for (const candidate of [inner, element, element.parent, element.parent?.parent]) {
    const found = languageClass.exec(candidate?.attributes.class ?? "")?.[1]
    if (found !== undefined) return found
  }
  return ""
}
