/** Writes the pages of a document: Markdown page by page, blocks with their positions, and page markers in the Markdown. */
import type { PdfBlock, PdfPage, PdfPageBlocks } from "../../Api/Document.ts"
import { markdownOfBlocks } from "./Markdown.ts"
import type { PageOptions } from "./Protocol.ts"
import type { Block, Box, Layout, PageLayout, Place, Tree } from "./Tree.ts"

type Span = readonly [start: number, end: number]

/**
 * Part of a block's Markdown that comes from one place. `span` is its range in the block's Markdown, undefined if joining changed the text.
 */
interface Fragment {
  readonly content: string
  readonly span: Span | undefined
}

const ownMarkdown = ({ block }: Place): string => markdownOfBlocks([block])[0] ?? ""

/** Divides the Markdown lines of a table among its places: one line per row, and the line below the header for the first place. */
const tableFragments = (markdown: string, places: ReadonlyArray<Place>): ReadonlyArray<Fragment> => {
  const lines = markdown.split("\n")
  let line = 0
  let start = 0
  return places.map((place, index): Fragment => {
    const count = (place.rows ?? 0) + (index === 0 ? 1 : 0)
    if (count === 0) return { content: ownMarkdown(place), span: undefined }
    const content = lines.slice(line, line + count).join("\n")
    const span = [start, start + content.length] as const
    line += count
    start = span[1] + 1
    return { content, span }
  })
}

/** Maximum characters between two parts of a paragraph, which may only be white space and Markdown emphasis. */
const maxDistance = 20
const isBetween = (text: string): boolean => /^[\s*_~`]*$/u.test(text)

/** Minimum characters of a part to be found by its text alone. A shorter text may also occur elsewhere. */
const minAlone = 20

/**
 * Finds the fragments of a paragraph. Each part begins where the previous one ends. After a part that joining changed, the position is
 * unknown; there a part must be unique in the rest of the paragraph.
 */
const paragraphFragments = (markdown: string, places: ReadonlyArray<Place>): ReadonlyArray<Fragment> => {
  let end = 0
  let isKnown = true
  const startOf = (content: string): number => {
    if (isKnown) {
      const near = markdown.slice(end, end + maxDistance + content.length)
      const found = near.indexOf(content)
      return found >= 0 && isBetween(near.slice(0, found)) ? end + found : -1
    }
    const found = content.length < minAlone ? -1 : markdown.indexOf(content, end)
    return found >= 0 && markdown.indexOf(content, found + 1) === -1 ? found : -1
  }
  return places.map((place): Fragment => {
    const own = ownMarkdown(place)
    // Joining removes the hyphen of a divided word.
    for (const content of [own, own.replace(/[-\u2010\u00ad]$/u, "")]) {
      const start = content === "" ? -1 : startOf(content)
      if (start < 0) continue
      isKnown = true
      end = start + content.length
      return { content, span: [start, end] }
    }
    isKnown = false
    return { content: own, span: undefined }
  })
}

const fragmentsOf = (block: Block, markdown: string, places: ReadonlyArray<Place>): ReadonlyArray<Fragment> => {
  if (places.length < 2) return [{ content: markdown, span: [0, markdown.length] }]
  return block.kind === "table" ? tableFragments(markdown, places) : paragraphFragments(markdown, places)
}

const shifted = (span: Span | undefined, by: number): Span | undefined => span && [span[0] + by, span[1] + by]

const markerOf = (page: number): string => `\n\n---\n\n<!-- page ${page} -->\n\n`

type PlacedFragment = Fragment & Pick<PdfBlock, "label" | "type"> & Pick<Place, "page" | "box">

const kindOf = (block: Block): Pick<PdfBlock, "label" | "type"> => {
  if (block.kind === "heading")
    return { type: block.level === 1 ? "title" : "section_header", label: `H${block.level}` }
  return block.kind === "table"
    ? { type: "table", label: null }
    : { type: "text", label: block.kind === "list" ? "list" : null }
}

/** Writes the Markdown of the document with page markers, and returns the fragments of its blocks with their spans. */
const writeMarked = ({ blocks }: Tree, { places }: Layout, pageMarkers: boolean) => {
  const out: Array<string> = []
  const fragments: Array<PlacedFragment> = []
  let length = 0
  let page: number | undefined
  const write = (text: string) => {
    out.push(text)
    length += text.length
  }
  markdownOfBlocks(blocks).forEach((markdown, index) => {
    const block = blocks[index]
    const [first, ...others] = places[index] ?? []
    if (block === undefined || first === undefined || markdown === "") return
    if (page !== undefined) write(pageMarkers && page !== first.page ? markerOf(first.page) : "\n\n")
    page = first.page
    const own = [first, ...others]
    fragmentsOf(block, markdown, own).forEach(({ content, span }, at) => {
      const { box, page } = own[at] ?? first
      fragments.push({ ...kindOf(block), content, span: shifted(span, length), box, page })
    })
    write(markdown)
  })
  return { markdown: out.join(""), fragments }
}

/** Returns the share of a page's width or height, with four decimals. */
const shareOf = (value: number, whole: number): number =>
  Math.round(Math.min(1, Math.max(0, value / whole)) * 10_000) / 10_000

const boxOf = ({ x0, x1, y0, y1 }: Box, size: PageLayout["size"]): PdfBlock["bbox"] => {
  if (size === undefined || !(size.width > 0 && size.height > 0)) return null
  const { height, width } = size
  return [shareOf(x0, width), shareOf(y0, height), shareOf(x1, width), shareOf(y1, height)]
}

const runningOf = ({ running, size }: PageLayout): ReadonlyArray<PlacedFragment> =>
  running.map((place) => {
    const isHeader = place.box.y0 < (size?.height ?? 0) / 2
    return {
      type: isHeader ? "page_header" : "page_footer",
      label: null,
      content: ownMarkdown(place),
      span: undefined,
      box: place.box,
      page: place.page
    }
  })

const blocksOfPage = (page: PageLayout, fragments: ReadonlyArray<PlacedFragment>): PdfPageBlocks => {
  const running = runningOf(page)
  const ordered = [
    ...running.filter(({ type }) => type === "page_header"),
    ...fragments,
    ...running.filter(({ type }) => type === "page_footer")
  ]
  return {
    pageNumber: page.number,
    width: page.size?.width ?? null,
    height: page.size?.height ?? null,
    status: page.isUnreadable ? "failed" : "ok",
    items: ordered.map(({ box, content, label, span, type }, index) => ({
      id: `p${page.number}.b${index}`,
      type,
      label,
      bbox: boxOf(box, page.size),
      content,
      markdownSpan: span ?? null,
      readingOrder: index,
      source: "native_text",
      confidence: { layout: null, ocr: null }
    }))
  }
}

export interface WrittenPages {
  readonly markdown: string
  readonly pages: ReadonlyArray<PdfPage> | undefined
  readonly blocks: ReadonlyArray<PdfPageBlocks> | undefined
}

export const writePages = (tree: Tree, layout: Layout, options: PageOptions): WrittenPages => {
  const { fragments, markdown } = writeMarked(tree, layout, options.pageMarkers)
  const byPage = new Map<number, Array<PlacedFragment>>()
  for (const fragment of fragments) {
    const own = byPage.get(fragment.page)
    if (own === undefined) byPage.set(fragment.page, [fragment])
    else own.push(fragment)
  }
  return {
    markdown,
    pages: options.pages
      ? layout.pages.map(({ blocks, number }) => ({
          pageNumber: number,
          markdown: markdownOfBlocks(blocks)
            .filter((part) => part !== "")
            .join("\n\n")
        }))
      : undefined,
    blocks: options.blocks ? layout.pages.map((page) => blocksOfPage(page, byPage.get(page.number) ?? [])) : undefined
  }
}

/** Removes the positions of blocks in the Markdown, which are wrong if selectors change the Markdown. */
export const withoutSpans = (pages: ReadonlyArray<PdfPageBlocks>): ReadonlyArray<PdfPageBlocks> =>
  pages.map((page) => ({ ...page, items: page.items.map((item) => ({ ...item, markdownSpan: null })) }))
