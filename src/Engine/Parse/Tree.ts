/** Document tree for all file formats except HTML: headings, paragraphs, lists, tables. Written as Markdown or HTML. */
import { imagePlaceholder } from "../../Html/PageUrls.ts"
import type { Heading, PlainText } from "../../Html/Serialize.ts"
import { withoutSoftHyphens } from "../../Values/Text.ts"

export interface Style {
  readonly bold?: boolean
  readonly italic?: boolean
  readonly strike?: boolean
  readonly code?: boolean
}

export type Inline =
  | { readonly kind: "text"; readonly text: string; readonly style: Style }
  | { readonly kind: "link"; readonly href: string; readonly content: ReadonlyArray<Inline> }
  | { readonly kind: "image"; readonly src: string; readonly alt: string }
  | { readonly kind: "break" }
  /** Formula as TeX between dollar signs. */
  | { readonly kind: "formula"; readonly tex: string }
  /** Reference to a footnote or endnote. */
  | { readonly kind: "call"; readonly note: number }

export interface Item {
  readonly blocks: ReadonlyArray<Block>
  /** Number or letter in the source, if it is not what counting from `start` gives. */
  readonly label?: string | undefined
  readonly checked?: boolean | undefined
}

/** Columns and rows that a cell covers. */
export interface Span {
  readonly colSpan: number
  readonly rowSpan: number
}

export interface Cell extends Span {
  readonly blocks: ReadonlyArray<Block>
}

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly content: ReadonlyArray<Inline> }
  | { readonly kind: "paragraph"; readonly content: ReadonlyArray<Inline> }
  | {
      readonly kind: "list"
      readonly ordered: boolean
      readonly start: number
      readonly items: ReadonlyArray<Item>
    }
  /** Positions covered by a span are undefined. */
  | {
      readonly kind: "table"
      readonly headerRows: number
      readonly rows: ReadonlyArray<ReadonlyArray<Cell | undefined>>
    }
  /** Table of plain strings, as in sheets; the first row is the header. Positions covered by a span are undefined. */
  | {
      readonly kind: "grid"
      readonly rows: ReadonlyArray<ReadonlyArray<string | undefined>>
      /** Cells that cover more than one position, by `row:column`. */
      readonly spans?: ReadonlyMap<string, Span> | undefined
    }
  | { readonly kind: "quote"; readonly blocks: ReadonlyArray<Block> }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "note"; readonly note: number; readonly blocks: ReadonlyArray<Block> }
  | { readonly kind: "rule" }
  /** HTML page that is inserted into a document, in the forms that the formats need. */
  | {
      readonly kind: "page"
      readonly markdown: string
      readonly html: string
      readonly text: string
      readonly links: ReadonlyArray<string>
      readonly images: ReadonlyArray<string>
    }

/** A rectangle in points, measured from the top left corner of the displayed page. y grows downwards. */
export interface Box {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

/** Part of a block on one page. A block has several parts if it continues in another column or on another page. */
export interface Place {
  /** Number of the page, from 1. */
  readonly page: number
  readonly box: Box
  /** The part as it appears on that page. */
  readonly block: Block
  /** Rows that the part adds to a table. */
  readonly rows?: number | undefined
}

/** Blocks, running lines and size of one page. */
export interface PageLayout {
  readonly number: number
  /** Width and height in points; undefined for a page that cannot be read. */
  readonly size: { readonly width: number; readonly height: number } | undefined
  /** True if the page is scanned, damaged, or has text that cannot be read. */
  readonly isUnreadable: boolean
  readonly blocks: ReadonlyArray<Block>
  /** Running headers and footers. They are not blocks of the document. */
  readonly running: ReadonlyArray<Place>
}

/** Pages of a document, and for each block of its tree the places where it appears on them. */
export interface Layout {
  readonly pages: ReadonlyArray<PageLayout>
  readonly places: ReadonlyArray<ReadonlyArray<Place>>
}

/** Document that a reader (one per file format) returns: its blocks, metadata and warnings. */
export interface Tree {
  readonly blocks: ReadonlyArray<Block>
  readonly metadata: Readonly<Record<string, string | number>>
  readonly warnings: ReadonlyArray<string>
  /** Present if the reader knows the pages and the request wants them. */
  readonly layout?: Layout | undefined
}

const noStyle: Style = {}

export const text = (content: string, style: Style = noStyle): Inline => ({ kind: "text", text: content, style })

export const paragraph = (content: string): Block => ({ kind: "paragraph", content: [text(content)] })

export const heading = (level: number, content: string): Block => ({ kind: "heading", level, content: [text(content)] })

/** Text without markup. */
const inlineText = (content: ReadonlyArray<Inline>): string => {
  let out = ""
  for (const inline of content) {
    if (inline.kind === "text") out += inline.text
    else if (inline.kind === "link") out += inlineText(inline.content)
    else if (inline.kind === "break") out += "\n"
    else if (inline.kind === "formula") out += inline.tex
  }
  return out
}

/** Text of blocks, one line per paragraph and table row. Sheets are truncated after about `limit` characters. */
export const blockText = (blocks: ReadonlyArray<Block>, limit = Number.POSITIVE_INFINITY): string => {
  const lines: Array<string> = []
  let left = limit
  for (const block of blocks) {
    switch (block.kind) {
      case "heading":
      case "paragraph":
        lines.push(inlineText(block.content))
        break
      case "list":
        for (const item of block.items) lines.push(blockText(item.blocks))
        break
      case "table":
        for (const row of block.rows) {
          lines.push(row.map((cell) => (cell === undefined ? "" : blockText(cell.blocks))).join("\t"))
        }
        break
      case "grid":
        for (const row of block.rows) {
          const line = row.join("\t")
          lines.push(line)
          left -= line.length
          if (left < 0) break
        }
        break
      case "quote":
      case "note":
        lines.push(blockText(block.blocks))
        break
      case "code":
      case "page":
        lines.push(block.text)
        break
      case "rule":
        break
    }
  }
  return lines.join("\n")
}

/** Text of blocks without soft hyphens, with the positions of their headings. Ends after the block in which it exceeds the limit. */
export const outlinedText = (blocks: ReadonlyArray<Block>, limit: number): PlainText => {
  const headings: Array<Heading> = []
  let text = ""
  for (const block of blocks) {
    if (text.length >= limit) break
    const lines = withoutSoftHyphens(blockText([block], limit - text.length))
    if (lines.trim() === "") continue
    // The text of a heading may start with white space, because readers do not trim it.
    if (block.kind === "heading") headings.push({ at: text.length + lines.search(/\S/), level: block.level })
    text += `${lines}\n`
  }
  return { text: text.trimEnd(), headings }
}

/** Text of the first heading, which becomes the title if the file has none. */
export const firstHeading = (blocks: ReadonlyArray<Block>): string | undefined => {
  for (const block of blocks) {
    if (block.kind !== "heading") continue
    const words = inlineText(block.content).replace(/\s+/g, " ").trim()
    if (words !== "") return words
  }
  return undefined
}

/** Returns the distinct URLs of links and of images, in document order. */
export const addresses = (blocks: ReadonlyArray<Block>) => {
  const links = new Set<string>()
  const images = new Set<string>()
  const walkInlines = (content: ReadonlyArray<Inline>): void => {
    for (const inline of content) {
      if (inline.kind === "image" && inline.src !== "" && inline.src !== imagePlaceholder) images.add(inline.src)
      if (inline.kind !== "link") continue
      if (inline.href !== "" && !inline.href.startsWith("#")) links.add(inline.href)
      walkInlines(inline.content)
    }
  }
  const walk = (list: ReadonlyArray<Block>): void => {
    for (const block of list) {
      if (block.kind === "heading" || block.kind === "paragraph") walkInlines(block.content)
      else if (block.kind === "quote" || block.kind === "note") walk(block.blocks)
      else if (block.kind === "page") {
        for (const href of block.links) links.add(href)
        for (const src of block.images) images.add(src)
      } else if (block.kind === "list") for (const item of block.items) walk(item.blocks)
      else if (block.kind === "table") for (const row of block.rows) for (const cell of row) walk(cell?.blocks ?? [])
    }
  }
  walk(blocks)
  return { links: [...links], images: [...images] }
}
