/**
 * Reads PDF: glyph positions become headings, paragraphs, lists and tables in reading order, with the links of the pages.
 */
import { getDocumentProxy } from "unpdf"
import { blocksOf, joinRegions, type Typography, typographyOf } from "./Pdf/Blocks.ts"
import type { Font } from "./Pdf/Fonts.ts"
import { asMatrix, type Ink, inkOf, type LinkArea, type Matrix } from "./Pdf/Interpreter.ts"
import { linesOf, type Part, partsOf, withoutRunningLines, withTablesJoined } from "./Pdf/Layout.ts"
import { type Page, readPage } from "./Pdf/PdfPage.ts"
import { levelsOf, outlineOf } from "./Pdf/Structure.ts"
import { corrupt, encrypted, type ReadOptions } from "./Protocol.ts"
import type { Block, Tree } from "./Tree.ts"

type Document = Awaited<ReturnType<typeof getDocumentProxy>>
type PageProxy = Awaited<ReturnType<Document["getPage"]>>

// Required by the library; Node lacks it before version 21.
const prototype = ArrayBuffer.prototype as { transferToFixedLength?: (length?: number) => ArrayBuffer }
prototype.transferToFixedLength ??= function (this: ArrayBuffer, length = this.byteLength) {
  const moved = new ArrayBuffer(length)
  new Uint8Array(moved).set(new Uint8Array(this, 0, Math.min(length, this.byteLength)))
  return moved
}

// With a font registry the library does not render glyph outlines.
const screen: typeof globalThis & { FontFace?: unknown } = globalThis
screen.FontFace ??= class {
  readonly status = "loaded"
}
const fonts = { add: () => undefined, delete: () => undefined }

const settings = {
  verbosity: 0,
  maxImageSize: 1,
  isEvalSupported: false,
  disableFontFace: false,
  ownerDocument: { fonts } as never
}

const open = (bytes: Buffer): Promise<Document> =>
  getDocumentProxy(new Uint8Array(bytes), settings).catch((error: Error) => {
    throw error.name === "PasswordException"
      ? encrypted("The PDF")
      : corrupt(`The PDF cannot be read (${error.message})`)
  })

const viewsOf = async (
  page: PageProxy,
  links: LinkReader,
  tagged: boolean
): Promise<{ readonly views: ReadonlyArray<Page>; readonly ink: Ink }> => {
  const base = asMatrix(page.getViewport({ scale: 1 }).transform)
  const operators = await page.getOperatorList()
  const fonts = (id: string): Font => (page.commonObjs.has(id) ? (page.commonObjs.get(id) as Font) : {})
  const levels = tagged ? await levelsOf(page) : new Map()
  return { views: readPage(operators, base, fonts, await links(page, base), levels), ink: inkOf(operators) }
}

/** The file has images. Image dictionaries are never compressed, so a search in the bytes finds them. */
const hasImages = (bytes: Buffer): boolean => /\/Subtype\s*\/Image\b/.test(bytes.toString("latin1"))

/** Explains why no text was found. */
const emptyWarning = (bytes: Buffer, inks: ReadonlyArray<Ink>, hasText: boolean): string => {
  if (hasText) return "The pages have no text besides headers, footers and watermarks."
  if (inks.some(({ letters }) => letters)) {
    return "The text of the pages cannot be read: their fonts do not map glyphs to characters."
  }
  if (hasImages(bytes)) return "The pages contain only images, no text."
  return inks.some(({ drawings }) => drawings) ? "The pages contain only drawings, no text." : "The pages are empty."
}

/** Pages named in a warning; more are counted. */
const maxNamedPages = 20

const named = (pages: ReadonlyArray<number>): string =>
  pages.length <= maxNamedPages
    ? pages.join(", ")
    : `${pages.slice(0, maxNamedPages).join(", ")} and ${pages.length - maxNamedPages} more`

interface Unread {
  readonly page: number
  readonly ink: Ink
}

/** Names pages without readable text in a file whose other pages have text. Empty pages are fine. */
const unreadWarnings = (bytes: Buffer, unread: ReadonlyArray<Unread>): ReadonlyArray<string> => {
  const unmapped = unread.filter(({ ink }) => ink.letters).map(({ page }) => page)
  const pictures = unread.filter(({ ink }) => !ink.letters && ink.picture).map(({ page }) => page)
  const isScanned = pictures.length > 0 && hasImages(bytes)
  return [
    ...(isScanned ? [`These pages are scanned, their text cannot be read: ${named(pictures)}.`] : []),
    ...(unmapped.length > 0
      ? [`The text of these pages cannot be read, their fonts do not map glyphs to characters: ${named(unmapped)}.`]
      : [])
  ]
}

const blocksOfPart = (part: Part, looks: Typography): ReadonlyArray<Block> =>
  "table" in part ? [{ kind: "table", headerRows: 1, rows: part.table.rows }] : blocksOf(part.lines, looks)

const dateOf = (value: unknown): string | undefined => {
  const [, year, month = "01", day = "01", hour = "00", minute = "00", second = "00", sign, hours, minutes = "00"] =
    /^D:(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(?:([+-])(\d{2})'?(\d{2})?)?/.exec(String(value ?? "")) ?? []
  const zone = sign === undefined ? "Z" : `${sign}${hours}:${minutes}`
  return year === undefined ? undefined : `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`
}

const metadataOf = async (document: Document): Promise<Tree["metadata"]> => {
  const info: Record<string, unknown> = await document.getMetadata().then(
    (metadata: { readonly info: object }) => ({ ...metadata.info }),
    () => ({})
  )
  const known = {
    title: info.Title,
    description: info.Subject,
    author: info.Author,
    keywords: info.Keywords,
    language: info.Language,
    createdTime: dateOf(info.CreationDate),
    modifiedTime: dateOf(info.ModDate)
  }
  const stated = Object.entries(known).flatMap(([key, value]) =>
    typeof value === "string" && value.trim() !== "" ? [[key, value.trim()] as const] : []
  )
  return { ...Object.fromEntries(stated), numPages: document.numPages }
}

/** Reads the document. Unreadable pages are skipped and counted; when the time budget ends, the remaining pages are skipped. */
export const readPdf = async (bytes: Buffer, { budgetMillis, maxPages }: ReadOptions): Promise<Tree> => {
  const started = performance.now()
  const document = await open(bytes)
  const pages: Array<ReadonlyArray<Part>> = []
  const warnings: Array<string> = []
  const inks: Array<Ink> = []
  const unread: Array<Unread> = []
  let hasPieces = false
  let broken = 0
  const marks: { readonly Marked?: boolean } | null = await document.getMarkInfo().catch(() => null)
  const tagged = marks?.Marked === true
  const links = linksIn(document)
  const last = Math.min(document.numPages, maxPages ?? document.numPages)
  for (let index = 1; index <= last; index += 1) {
    if (performance.now() - started > budgetMillis) {
      warnings.push(`Only the first ${index - 1} of ${document.numPages} pages were read in the time allowed.`)
      break
    }
    try {
      const page = await document.getPage(index)
      const { ink, views } = await viewsOf(page, links, tagged)
      inks.push(ink)
      if (views.some(({ pieces }) => pieces.length > 0)) hasPieces = true
      else unread.push({ page: index, ink })
      pages.push(views.flatMap(partsOf))
      page.cleanup()
    } catch {
      broken += 1
    }
  }
  if (broken > 0) {
    if (broken === last) throw corrupt("None of the pages of the PDF can be read")
    warnings.push(`${broken} of ${document.numPages} pages cannot be read and are left out.`)
  }
  const kept = withoutRunningLines(pages)
  const looks = typographyOf(kept.flatMap(linesOf), await outlineOf(document))
  const blocks = joinRegions(withTablesJoined(kept).map((part) => blocksOfPart(part, looks)))
  const missing =
    inks.length === 0
      ? []
      : blocks.length === 0
        ? [emptyWarning(bytes, inks, hasPieces)]
        : unreadWarnings(bytes, unread)
  const metadata = { ...(await metadataOf(document)), ...(missing.length > 0 && { warning: missing.join(" ") }) }
  return { blocks, metadata, warnings: [...warnings, ...missing] }
}

interface Annotation {
  readonly subtype?: string
  readonly url?: string
  readonly rect?: ReadonlyArray<number>
  readonly pageIndex?: number
}

/** Annotation type of the library. */
const linkAnnotation = 2
/** Pages read at once, because each call of the library visits the list of all pages. */
const pagesPerRead = 64

const areasOf = (annotations: ReadonlyArray<Annotation>, [a, b, c, d, e, f]: Matrix): ReadonlyArray<LinkArea> =>
  annotations.flatMap(({ rect: [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = [], subtype, url }) => {
    if (subtype !== "Link" || url === undefined) return []
    const xs = [a * x0 + c * y0 + e, a * x1 + c * y1 + e]
    const ys = [b * x0 + d * y0 + f, b * x1 + d * y1 + f]
    return [{ x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys), href: url }]
  })

/** Link annotations of the pages from `from` on; undefined when one of the pages is broken. */
const readMany = (document: Document, from: number): Promise<ReadonlyArray<Annotation> | undefined> => {
  const others = new Set(
    Array.from({ length: document.numPages }, (_, index) => index).filter(
      (index) => index < from || index >= from + pagesPerRead
    )
  )
  return document.getAnnotationsByType(new Set([linkAnnotation]), others).then(
    (found: ReadonlyArray<Annotation> | null) => found ?? [],
    () => undefined
  )
}

export type LinkReader = (page: PageProxy, base: Matrix) => Promise<ReadonlyArray<LinkArea>>

/**
 * Reads the links of pages, which must be requested in order. Reads them in batches: for a single page the library
 * would read its text again to find the text of each link.
 */
export const linksIn = (document: Document): LinkReader => {
  let start = -1
  let batch: ReadonlyArray<Annotation> | undefined
  return async (page, base) => {
    const index = page.pageNumber - 1
    const first = index - (index % pagesPerRead)
    if (first !== start) {
      start = first
      batch = await readMany(document, first)
    }
    return batch === undefined
      ? areasOf(await page.getAnnotations(), base)
      : areasOf(
          batch.filter(({ pageIndex }) => pageIndex === index),
          base
        )
  }
}
