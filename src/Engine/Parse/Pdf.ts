/**
 * Reads PDF: glyph positions become headings, paragraphs, lists and tables in reading order, with the links of the pages.
 */
import { getDocumentProxy } from "unpdf"
import { withActualText } from "./Pdf/ActualText.ts"
import { type AnnotationReader, annotationsIn } from "./Pdf/Annotations.ts"
import { blocksOf, joinRegions, type Typography, typographyOf } from "./Pdf/Blocks.ts"
import type { Font } from "./Pdf/Fonts.ts"
import { asMatrix } from "./Pdf/Geometry.ts"
import { type Ink, inkOf } from "./Pdf/Interpreter.ts"
import {
  type JoinedPart,
  linesOf,
  type Part,
  partsOf,
  type TablePart,
  withoutRunningLines,
  withTablesJoined
} from "./Pdf/Layout.ts"
import { readPage } from "./Pdf/PdfPage.ts"
import { boxOfPieces, type Placed, placeIn } from "./Pdf/Places.ts"
import { repaired } from "./Pdf/Repair.ts"
import { outlineOf, tagsOf } from "./Pdf/Structure.ts"
import { corrupt, encrypted, type ReadOptions } from "./Protocol.ts"
import type { Block, PageLayout, Tree } from "./Tree.ts"

type Document = Awaited<ReturnType<typeof getDocumentProxy>>
type PageProxy = Awaited<ReturnType<Document["getPage"]>>

// Polyfill of a method that pdf.js calls and that Node lacks before version 21.
const prototype = ArrayBuffer.prototype as { transferToFixedLength?: (length?: number) => ArrayBuffer }
prototype.transferToFixedLength ??= function (this: ArrayBuffer, length = this.byteLength) {
  const moved = new ArrayBuffer(length)
  new Uint8Array(moved).set(new Uint8Array(this, 0, Math.min(length, this.byteLength)))
  return moved
}

// With a font registry, pdf.js does not convert glyphs to outlines. This one does nothing.
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
  // Makes pdf.js keep glyph names and the map to Unicode, which is needed for characters that it shows as spaces.
  fontExtraProperties: true,
  ownerDocument: { fonts } as never
}

const documentOf = (bytes: Buffer): Promise<Document> => getDocumentProxy(new Uint8Array(bytes), settings)

interface OpenDocument {
  readonly document: Document
  /** True if the file is truncated: its objects were found without its cross-reference table. */
  readonly isRepaired: boolean
}

const open = (bytes: Buffer): Promise<OpenDocument> =>
  documentOf(withActualText(bytes))
    .then((document) => ({ document, isRepaired: false }))
    .catch((error: Error) => {
      if (error.name === "PasswordException") throw encrypted("The PDF")
      const whole = repaired(bytes)
      const refusal = corrupt(`The PDF cannot be read (${error.message})`)
      if (whole === undefined) throw refusal
      return documentOf(whole).then(
        (document) => ({ document, isRepaired: true }),
        (second: Error) => Promise.reject(second.name === "PasswordException" ? encrypted("The PDF") : refusal)
      )
    })

/** A page with the lines, tables and drawings found on it. */
interface ReadPage {
  readonly number: number
  readonly size: { readonly width: number; readonly height: number }
  readonly parts: ReadonlyArray<Part>
  readonly ink: Ink
  /** True if the page has readable text, even if that text is not returned. */
  readonly hasText: boolean
}

/** Facts that all pages of a file share. */
interface FileFacts {
  readonly annotations: AnnotationReader
  readonly isTagged: boolean
  readonly isShown: (content: unknown) => boolean
}

const factsOf = async (document: Document): Promise<FileFacts> => {
  const marks: { readonly Marked?: boolean } | null = await document.getMarkInfo().catch(() => null)
  const layers: { readonly isVisible: (content: unknown) => boolean } | null = await document
    .getOptionalContentConfig()
    .catch(() => null)
  return {
    annotations: annotationsIn(document),
    isTagged: marks?.Marked === true,
    isShown: (content) => layers?.isVisible(content) !== false
  }
}

const pageOf = async (page: PageProxy, { annotations, isShown, isTagged }: FileFacts): Promise<ReadPage> => {
  const { height, transform, width } = page.getViewport({ scale: 1 })
  const base = asMatrix(transform)
  const operators = await page.getOperatorList()
  const fonts = (id: string): Font => (page.commonObjs.has(id) ? (page.commonObjs.get(id) as Font) : {})
  const tags = isTagged ? await tagsOf(page) : new Map()
  const area = { x0: 0, y0: 0, x1: width, y1: height }
  const { views, withholds } = readPage(operators, { base, area, fonts, tags, isShown }, await annotations(page, base))
  return {
    number: page.pageNumber,
    size: { width, height },
    parts: views.flatMap((view) => partsOf(view, page.pageNumber)),
    ink: inkOf(operators),
    hasText: withholds || views.some(({ pieces }) => pieces.length > 0)
  }
}

/** True if the file has images. Image dictionaries are never compressed, so a search in the bytes finds them. */
const hasImages = (bytes: Buffer): boolean => /\/Subtype\s*\/Image\b/.test(bytes.toString("latin1"))

/** Explains why no text was found. */
const emptyWarning = (bytes: Buffer, pages: ReadonlyArray<ReadPage>): string => {
  if (pages.some(({ hasText }) => hasText))
    return "The pages have no text besides headers, footers, watermarks and hidden text."
  if (pages.some(({ ink }) => ink.letters)) {
    return "The text of the pages cannot be read: their fonts do not map glyphs to characters."
  }
  if (hasImages(bytes)) return "The pages contain only images, no text."
  return pages.some(({ ink }) => ink.drawings) ? "The pages contain only drawings, no text." : "The pages are empty."
}

/** Maximum pages named in a warning; the others are counted. */
const maxNamedPages = 20

const named = (pages: ReadonlyArray<number>): string =>
  pages.length <= maxNamedPages
    ? pages.join(", ")
    : `${pages.slice(0, maxNamedPages).join(", ")} and ${pages.length - maxNamedPages} more`

/** Pages that should have readable text but have none: scanned pages, and pages whose text cannot be decoded. Empty pages do not count. */
const unreadable = (bytes: Buffer, pages: ReadonlyArray<ReadPage>) => {
  const withoutText = pages.filter(({ hasText }) => !hasText)
  const unmapped = withoutText.filter(({ ink }) => ink.letters).map(({ number }) => number)
  const pictures = withoutText.filter(({ ink }) => !ink.letters && ink.picture).map(({ number }) => number)
  return { unmapped, scanned: pictures.length > 0 && hasImages(bytes) ? pictures : [] }
}

/** Warnings that name the pages without readable text in a file whose other pages have text. */
const unreadableWarnings = ({ scanned, unmapped }: ReturnType<typeof unreadable>): ReadonlyArray<string> => [
  ...(scanned.length > 0 ? [`These pages are scanned, so their text cannot be read: ${named(scanned)}.`] : []),
  ...(unmapped.length > 0
    ? [
        `The text of these pages cannot be read, because their fonts do not map glyphs to characters: ${named(unmapped)}.`
      ]
    : [])
]

const placedOf = ({ continued = [], ...part }: JoinedPart, looks: Typography): ReadonlyArray<Placed> => {
  if ("lines" in part) {
    return blocksOf(part.lines, looks).map(({ block, from, to }) => ({
      block,
      places: [{ ...placeIn(part.view, boxOfPieces(part.lines.slice(from, to))), block }]
    }))
  }
  const added = continued.reduce((sum, { rows }) => sum + rows, 0)
  const places = [{ part, rows: part.table.rows.length - added }, ...continued].map(
    ({ part: { table, view }, rows }) => ({
      ...placeIn(view, table.box),
      block: blockOfTable(table),
      rows
    })
  )
  return [{ block: blockOfTable(part.table), places }]
}

const blockOfTable = ({ rows }: TablePart): Block => ({ kind: "table", headerRows: 1, rows })

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
  return Object.fromEntries(stated)
}

/** Returns the pages that were read, the numbers of damaged pages, and the last page within the time limit. */
const readPages = async (document: Document, last: number, budgetMillis: number) => {
  const started = performance.now()
  const facts = await factsOf(document)
  const pages: Array<ReadPage> = []
  const broken: Array<number> = []
  for (let number = 1; number <= last; number += 1) {
    if (performance.now() - started > budgetMillis) return { pages, broken, end: number - 1 }
    try {
      const page = await document.getPage(number)
      pages.push(await pageOf(page, facts))
      page.cleanup()
    } catch {
      broken.push(number)
    }
  }
  return { pages, broken, end: last }
}

/** Returns the layout that the request asks for, of pages without their running headers and footers. */
const layoutOf = (
  read: ReadonlyArray<ReadPage>,
  { pages: texts, running }: ReturnType<typeof withoutRunningLines>,
  looks: Typography,
  unread: ReadonlySet<number>
): ReadonlyArray<PageLayout> =>
  read.map(({ number, parts, size }, index) => ({
    number,
    size,
    isUnreadable: unread.has(number),
    blocks: joinRegions(
      (texts[index] ?? []).map((part) => placedOf(part, looks)),
      looks
    ).map(({ block }) => block),
    running: parts.flatMap((part) =>
      "lines" in part
        ? part.lines
            .filter((line) => running[index]?.has(line))
            .map((line) => ({
              ...placeIn(part.view, boxOfPieces([line])),
              block: { kind: "paragraph" as const, content: line.content }
            }))
        : []
    )
  }))

const damagedPage = (number: number): PageLayout => ({
  number,
  size: undefined,
  isUnreadable: true,
  blocks: [],
  running: []
})

/** Reads the document. Unreadable pages are skipped and counted; when the time budget ends, the remaining pages are skipped. */
export const readPdf = async (bytes: Buffer, options: ReadOptions): Promise<Tree> => {
  const { document, isRepaired } = await open(bytes)
  const { numPages } = document
  const last = Math.min(numPages, options.maxPages ?? numPages)
  const { broken, end, pages } = await readPages(document, last, options.budgetMillis)
  if (broken.length > 0 && broken.length === last) throw corrupt("None of the pages of the PDF can be read")
  const texts = withoutRunningLines(pages.map(({ parts }) => parts))
  const looks = typographyOf(texts.pages.flatMap(linesOf), await outlineOf(document))
  const placed = joinRegions(
    withTablesJoined(texts.pages).map((part) => placedOf(part, looks)),
    looks
  )
  const unread = unreadable(bytes, pages)
  const missing =
    pages.length === 0 ? [] : placed.length === 0 ? [emptyWarning(bytes, pages)] : unreadableWarnings(unread)
  return {
    blocks: placed.map(({ block }) => block),
    metadata: {
      ...(await metadataOf(document)),
      numPages: end,
      totalPages: numPages,
      ...(missing.length > 0 && { warning: missing.join(" ") })
    },
    warnings: [
      ...(isRepaired ? ["The PDF is damaged or cut off before its end: only the readable parts were read."] : []),
      ...(end < last ? [`Only the first ${end} of ${numPages} pages could be read in the time allowed.`] : []),
      ...(broken.length > 0
        ? [
            `${broken.length} of ${numPages === 1 ? "one page" : `${numPages} pages`} cannot be read and ${broken.length === 1 ? "is" : "are"} left out.`
          ]
        : []),
      ...missing
    ],
    layout: options.pages && {
      places: placed.map(({ places }) => places),
      pages: [
        ...layoutOf(pages, texts, looks, new Set([...unread.scanned, ...unread.unmapped])),
        ...broken.map(damagedPage)
      ].sort((one, other) => one.number - other.number)
    }
  }
}
