/**
 * Converts a file to a document: detects the type, reads the file, writes the requested formats. A truncated file is read and gets a
 * warning.
 */
import { readFile } from "node:fs/promises"
import * as Either from "effect/Either"
import type { Document, Metadata } from "../../Api/Document.ts"
import { decodeText } from "../../Html/Charset.ts"
import {
  type DataFound,
  type DataQuery,
  type Extracted,
  extract,
  extractData,
  nothingIncluded,
  type Wanted
} from "../../Html/Extract.ts"
import { publishedOf } from "../../Html/Metadata.ts"
import { parseSelector } from "../../Html/Select.ts"
import type { Heading } from "../../Html/Serialize.ts"
import { detectLanguage, summarize } from "../../Html/TextAnalysis.ts"
import { queryOf } from "../ScrapeOptions.ts"
import { makeEntry } from "../Search/Entry.ts"
import { toMarkdown } from "./Markdown.ts"
import { toHtml } from "./Markup.ts"
import { type WrittenPages, withoutSpans, writePages } from "./PageOutput.ts"
import { type Job, type Kind, type ParsedFile, type ReadOptions, tooComplex, unsupportedContent } from "./Protocol.ts"
import { contentTypes, sniff } from "./Sniff.ts"
import { addresses, firstHeading, outlinedText, paragraph, type Tree } from "./Tree.ts"

const truncatedWarning = "The file is truncated: its end is missing."

const noMarkersWarning = "pageMarkers has no effect with onlyCleanContent, includeTags and excludeTags."

/** Maximum characters of a file's plain text. */
const maxPlainText = 2_000_000

/** Text, markup, links and metadata of a file, from which all requested formats are written. */
interface Content {
  readonly markdown: string
  readonly html: string
  readonly rawHtml: string
  readonly links: ReadonlyArray<string>
  readonly images: ReadonlyArray<string>
  readonly text: string
  readonly headings: ReadonlyArray<Heading>
  readonly metadata: Metadata
  readonly warnings: ReadonlyArray<string>
  readonly data?: DataFound | undefined
  readonly pages?: Pick<WrittenPages, "blocks" | "pages"> | undefined
}

/** Reads a file as a tree. Readers are loaded on first use. */
const read = async (bytes: Buffer, kind: Exclude<Kind, "html">, options: ReadOptions): Promise<Tree> => {
  switch (kind) {
    case "docx":
    case "doc":
    case "odt":
    case "rtf":
      return (await import("./Office.ts")).readOffice(bytes, kind, options)
    case "pdf":
      return (await import("./Pdf.ts")).readPdf(bytes, options)
    case "xlsx":
    case "xls":
    case "ods":
    case "sheetXml":
    case "delimited":
      return (await import("./Sheet.ts")).readWorkbook(bytes, kind)
    case "text":
      return readText(bytes)
  }
}

const readText = (bytes: Buffer): Tree => {
  const { text, warning } = decodeText(bytes, undefined)
  return {
    blocks: text.split(/\r?\n\s*\r?\n/).map((part) => paragraph(part.trim())),
    metadata: {},
    warnings: warning === undefined ? [] : [warning]
  }
}

const testsOf = (selectors: ReadonlyArray<string>) =>
  selectors.flatMap((selector) =>
    Either.match(parseSelector(selector), { onLeft: () => [], onRight: (test) => [test] })
  )

const extractFrom = (html: string, options: ReadOptions, onlyMainContent: boolean, data?: DataQuery): Extracted => {
  const wanted = options.formats.filter((name): name is Wanted => ["markdown", "html", "images"].includes(name))
  return extract(html, {
    data,
    wanted: new Set<Wanted>([...wanted, "text"]),
    onlyMainContent,
    onlyCleanContent: options.onlyCleanContent,
    removeBase64Images: options.removeBase64Images,
    blockAds: options.blockAds,
    include: testsOf(options.includeTags),
    exclude: testsOf(options.excludeTags)
  })
}

const contentOfPage = (page: Extracted, rawHtml: string, { includeTags }: ReadOptions): Content => ({
  markdown: page.markdown ?? "",
  html: page.html ?? "",
  rawHtml,
  links: page.links,
  images: page.images ?? [],
  text: page.text ?? "",
  headings: page.headings ?? [],
  metadata: page.metadata,
  data: page.data,
  warnings: page.includesNothing ? [nothingIncluded(includeTags)] : []
})

/** Content of a tree. Only selectors and HTML formats need the tree as HTML. */
const contentOfTree = (tree: Tree, options: ReadOptions): Content => {
  const { formats } = options
  const bySelector = options.onlyCleanContent || options.includeTags.length > 0 || options.excludeTags.length > 0
  const asHtml = bySelector || options.data !== undefined || formats.includes("html") || formats.includes("rawHtml")
  const html = asHtml ? toHtml(tree) : ""
  const data = extractData(html, queryOf(options.data), options.url)
  const title = tree.metadata.title ?? firstHeading(tree.blocks)
  const metadata = { ...tree.metadata, ...(title !== undefined && { title: String(title) }) } as Metadata
  const written =
    tree.layout === undefined || options.pages === undefined ? undefined : writePages(tree, tree.layout, options.pages)
  if (bySelector) {
    const pages = written && { ...written, blocks: written.blocks && withoutSpans(written.blocks) }
    const content = contentOfPage(extractFrom(html, options, false), html, options)
    const ofMarkers = options.pages?.pageMarkers && tree.layout ? [noMarkersWarning] : []
    return { ...content, metadata, data, warnings: [...tree.warnings, ...ofMarkers, ...content.warnings], pages }
  }
  return {
    markdown: written?.markdown ?? (formats.includes("markdown") ? toMarkdown(tree) : ""),
    pages: written,
    html,
    rawHtml: html,
    ...addresses(tree.blocks),
    ...outlinedText(tree.blocks, maxPlainText),
    metadata,
    data,
    warnings: tree.warnings
  }
}

/** Warning if the file name indicates another type. */
const mislabelledWarning = (promised: Kind | undefined, kind: Kind): ReadonlyArray<string> =>
  promised === undefined || promised === kind
    ? []
    : [
        `The file name indicates ${promised}, but the content is ${contentTypes[kind]}, so the file was read as ${contentTypes[kind]}.`
      ]

const plain = (value: Metadata["title"]): string | undefined =>
  typeof value === "string" ? value : (value?.[0] ?? undefined)

/** Maximum characters of all formats together; a small file can expand to gigabytes. */
const maxCharacters = 64 * 1024 * 1024

/** Approximate characters that a number, a boolean or null takes in JSON. */
const plainLength = 8

const lengthOf = (value: unknown): number => {
  if (typeof value === "string") return value.length
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + lengthOf(each), 0)
  return typeof value === "object" && value !== null
    ? Object.entries(value).reduce((sum, [key, each]) => sum + key.length + lengthOf(each), 0)
    : plainLength
}

const checkLength = (document: Document): void => {
  const length = Object.values(document).reduce<number>((sum, format) => sum + lengthOf(format), 0)
  if (length > maxCharacters)
    throw tooComplex(`Its content has ${length} characters in the requested formats; the limit is 64 million`)
}

const write = async (content: Content, kind: Kind, { name, options, promised }: Job): Promise<ParsedFile> => {
  const wants = (format: string) => options.formats.includes(format)
  const language = content.metadata.language ?? (await detectLanguage(content.text))
  const { data } = content
  const ofData = data?.warning === undefined ? [] : [data.warning]
  const warnings = [...mislabelledWarning(promised, kind), ...content.warnings, ...ofData]
  const document: Document = {
    ...(wants("markdown") && { markdown: content.markdown }),
    ...(wants("summary") && { summary: summarize(content.text) }),
    ...(wants("html") && { html: content.html }),
    ...((wants("rawHtml") || data?.needsHtml === true) && { rawHtml: content.rawHtml }),
    ...(wants("links") && { links: content.links }),
    ...(wants("images") && { images: content.images }),
    ...data?.formats,
    ...(content.pages?.pages !== undefined && { pages: content.pages.pages }),
    ...(content.pages?.blocks !== undefined && { blocks: content.pages.blocks }),
    metadata: {
      ...content.metadata,
      ...(language !== undefined && { language }),
      sourceURL: name,
      statusCode: 200,
      contentType: contentTypes[kind]
    },
    ...(warnings.length > 0 && { warning: warnings.join(" ") })
  }
  checkLength(document)
  const entry = makeEntry({
    title: plain(content.metadata.title) ?? name,
    description: plain(content.metadata.description) ?? "",
    text: content.text,
    headings: content.headings
  })
  const indexed = { ...entry, published: publishedOf({ ...content.metadata }) }
  return { document, indexed }
}

/** Converts a file. Throws a `Refusal` if the file cannot be read; other errors of a reader pass through. */
export const convert = async (job: Job): Promise<ParsedFile> => {
  const { options, path, promised } = job
  const bytes = await readFile(path)
  const kind = sniff(bytes, promised)
  if (kind === undefined) throw unsupportedContent()
  if (kind === "html") {
    const { text: html, warning } = decodeText(bytes, undefined)
    const content = contentOfPage(
      extractFrom(html, options, options.onlyMainContent, queryOf(options.data)),
      html,
      options
    )
    return write(warning === undefined ? content : { ...content, warnings: [...content.warnings, warning] }, kind, job)
  }
  const content = contentOfTree(await read(bytes, kind, options), options)
  const warnings = isTruncated(bytes, kind) ? [truncatedWarning, ...content.warnings] : content.warnings
  return write({ ...content, warnings }, kind, job)
}

const braceOpen = 0x7b
const braceClose = 0x7d
const backslash = 0x5c

/** True if a group `{…}` is not closed. False for a file with binary pictures, whose bytes may be braces. */
const isRtfTruncated = (bytes: Buffer): boolean => {
  let depth = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === backslash) at += 1
    else if (byte === braceOpen) depth += 1
    else if (byte === braceClose) depth -= 1
  }
  return depth > 0 && !bytes.includes("\\bin")
}

/** True if the end marker is missing. It may be anywhere, because updates are appended after it. */
const isPdfTruncated = (bytes: Buffer): boolean => bytes.lastIndexOf("%%EOF") < 0

/** True if an entry of the allocation table marks a free sector: some programs write a marker, others 0. */
const isUnused = (next: number): boolean => next >= 0xfffffffa || next === 0

/** True if a used sector lies beyond the end of the file. The last sector may be incomplete. */
const isCompoundTruncated = (bytes: Buffer): boolean => {
  if (bytes.length < 512) return true
  const size = 1 << bytes.readUInt16LE(30)
  if (size !== 512 && size !== 4096) return false
  const within = Math.ceil(bytes.length / size) - 1
  // The header lists the first 109 sectors of the table, enough for 7 MB.
  const tables = Math.min(109, bytes.readUInt32LE(44))
  for (let table = 0; table < tables; table += 1) {
    const start = (bytes.readUInt32LE(76 + table * 4) + 1) * size
    if (start + size > bytes.length) return true
    const first = (table * size) / 4
    for (let entry = Math.max(0, within - first); entry < size / 4; entry += 1) {
      if (!isUnused(bytes.readUInt32LE(start + entry * 4))) return true
    }
  }
  return false
}

/** Detects truncation for formats that can be read without their end. */
export const isTruncated = (bytes: Buffer, kind: Kind): boolean => {
  switch (kind) {
    case "rtf":
      return isRtfTruncated(bytes)
    case "pdf":
      return isPdfTruncated(bytes)
    case "doc":
    case "xls":
      return bytes.readUInt32BE(0) === 0xd0cf11e0 && isCompoundTruncated(bytes)
    default:
      return false
  }
}
