/** Prepares a DOCX file for anydoc, the library that reads office files, and reads the files that are inserted into the document. */
import { decodeText } from "../../Html/Charset.ts"
import { extract, type Wanted } from "../../Html/Extract.ts"
import { textStylesOf } from "./DocxStyles.ts"
import { rewritten } from "./DocxXml.ts"
import type { ReadOptions } from "./Protocol.ts"
import { sniff } from "./Sniff.ts"
import { type Block, paragraph, type Tree } from "./Tree.ts"
import { attribute, tagsOf } from "./Xml.ts"
import { type Entry, entriesOf, readBytes, readPart, withTexts } from "./Zip.ts"

const maxPart = 64 * 1024 * 1024

export interface Prepared {
  readonly bytes: Buffer
  /** Blocks of the inserted files. The index is the number in the file's mark; see `Marks.ts`. */
  readonly contents: ReadonlyArray<ReadonlyArray<Block>>
  readonly warnings: ReadonlyArray<string>
}

type ReadOffice = (bytes: Buffer, kind: "docx" | "rtf", options: ReadOptions) => Promise<Tree>

/** Rewrites the XML parts that contain text. `read` reads the office files that are inserted into the document. */
export const prepareDocx = async (bytes: Buffer, options: ReadOptions, read: ReadOffice): Promise<Prepared> => {
  const entries = entriesOf(bytes)
  const styles = textStylesOf(readPart(bytes, entries, "word/styles.xml", maxPart) ?? "")
  const texts = new Map<string, string>()
  const warnings = new Set<string>()
  let chunks: ReadonlyArray<string> = []
  for (const name of ["document", "footnotes", "endnotes"]) {
    const xml = readPart(bytes, entries, `word/${name}.xml`, maxPart)
    if (xml === undefined) continue
    const part = rewritten(xml, styles)
    if (part.xml !== xml) texts.set(`word/${name}.xml`, part.xml)
    if (name === "document") chunks = part.chunks
    for (const warning of part.warnings) warnings.add(warning)
  }
  if (texts.size === 0) return { bytes, contents: [], warnings: [...warnings] }
  const contents: Array<ReadonlyArray<Block>> = []
  for (const id of chunks) {
    const tree = await insertedTree(bytes, entries, id, options, read)
    contents.push(tree.blocks)
    for (const warning of tree.warnings) warnings.add(warning)
  }
  return { bytes: withTexts(bytes, entries, texts), contents, warnings: [...warnings] }
}

const unread = (name: string, reason: string): Tree => ({
  blocks: [],
  metadata: {},
  warnings: [`The file ${name}, which is inserted into the document, is left out: ${reason}.`]
})

/** Converts the target of a relation of the document to the name of a ZIP entry. */
const nameOf = (target: string): string =>
  decodeURI(target.startsWith("/") ? target.slice(1) : new URL(target, "file:///word/").pathname.slice(1))

/** Maximum depth of files inserted into inserted files. */
const maxDepth = 3

const insertedTree = async (
  bytes: Buffer,
  entries: ReadonlyArray<Entry>,
  id: string,
  options: ReadOptions,
  read: ReadOffice
): Promise<Tree> => {
  const relations = readPart(bytes, entries, "word/_rels/document.xml.rels", maxPart) ?? ""
  const relation = tagsOf(relations, "Relationship").find((tag) => attribute(tag, "Id") === id)
  const target = attribute(relation ?? "", "Target") ?? ""
  const name = target === "" ? id : nameOf(target)
  const content = readBytes(bytes, entries, name, maxPart)
  if (content === undefined) return unread(name, "it is missing or damaged")
  const depth = (options.insertedDepth ?? 0) + 1
  if (depth > maxDepth) return unread(name, `files are inserted into each other more than ${maxDepth} levels deep`)
  const kind = sniff(content, undefined)
  if (kind === "docx" || kind === "rtf")
    return read(content, kind, { ...options, insertedDepth: depth }).catch((error: unknown) =>
      unread(name, `it cannot be read (${error instanceof Error ? error.message : String(error)})`)
    )
  const mail = mailPage(content)
  if (mail !== undefined) return { blocks: [pageBlock(mail, options)], metadata: {}, warnings: [] }
  const text = decodeText(content, undefined).text
  if (kind === "html" || /<(?:html|body|p|div|table|h[1-6])\b/i.test(text.slice(0, 5000)))
    return { blocks: [pageBlock(text, options)], metadata: {}, warnings: [] }
  if (kind === "text" || /\.txt$/i.test(name))
    return { blocks: text.split(/(?:\r?\n){2,}/).map((part) => paragraph(part.trim())), metadata: {}, warnings: [] }
  return unread(name, "its format is not supported in documents")
}

const pageBlock = (html: string, options: ReadOptions): Block => {
  const page = extract(html, {
    wanted: new Set<Wanted>(["markdown", "html", "text", "images"]),
    onlyMainContent: false,
    onlyCleanContent: false,
    removeBase64Images: options.removeBase64Images,
    blockAds: options.blockAds,
    include: [],
    exclude: []
  })
  const body = /<body\b[^>]*>([\s\S]*?)(?:<\/body>|$)/i.exec(page.html ?? "")?.[1] ?? page.html ?? ""
  return {
    kind: "page",
    markdown: page.markdown ?? "",
    html: body.trim(),
    text: page.text ?? "",
    links: page.links,
    images: page.images ?? []
  }
}

/** Returns the HTML page of a web archive (MHTML), the form in which HTML converters insert a page. */
const mailPage = (content: Buffer): string | undefined => {
  const source = content.toString("latin1")
  if (!/^(?:[\w-]+:[^\n]*\r?\n(?:[ \t][^\n]*\r?\n)*){1,30}\r?\n/.test(source.slice(0, 5000).trimStart()))
    return undefined
  const start = source.search(/^Content-Type:\s*text\/html/im)
  const head = start === -1 ? -1 : Math.max(source.lastIndexOf("\n\n", start), source.lastIndexOf("\r\n\r\n", start))
  const blank = /\r?\n\r?\n/.exec(source.slice(Math.max(0, start)))
  if (start === -1 || blank === null) return undefined
  const from = start + blank.index
  const headers = source.slice(Math.max(0, head), from)
  const boundary = /boundary="?([^"\s;]+)/i.exec(source)?.[1]
  const end = boundary === undefined ? -1 : source.indexOf(`\n--${boundary}`, from)
  const body = source.slice(from + blank[0].length, end === -1 ? undefined : end)
  const encoding = /^Content-Transfer-Encoding:\s*([\w-]+)/im.exec(headers)?.[1]?.toLowerCase()
  const bytes =
    encoding === "base64"
      ? Buffer.from(body, "base64")
      : Buffer.from(encoding === "quoted-printable" ? quotedPrintable(body) : body, "latin1")
  return decodeText(bytes, /charset="?([\w-]+)/i.exec(headers)?.[1]).text
}

const quotedPrintable = (text: string): string =>
  text
    .replace(/=[ \t]*\r?\n/g, "")
    .replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
