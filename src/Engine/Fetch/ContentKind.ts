/** Detects the kind of a response by its first bytes, its content type and its file name. */
import type { Extension } from "../../Api/Upload.ts"

export type ContentKind =
  | { readonly _tag: "Html" }
  /** Document for the parser. */
  | { readonly _tag: "File"; readonly extension: Extension }
  /** Text, shown unchanged or as a code block in `language`. */
  | { readonly _tag: "Text"; readonly language: string | undefined }
  | { readonly _tag: "Other"; readonly contentType: string }

const html: ContentKind = { _tag: "Html" }
const file = (extension: Extension): ContentKind => ({ _tag: "File", extension })
const text = (language?: string): ContentKind => ({ _tag: "Text", language })
const other = (contentType: string): ContentKind => ({ _tag: "Other", contentType })

const office = "application/vnd.openxmlformats-officedocument"

const byType: Readonly<Record<string, ContentKind>> = {
  "text/html": html,
  "application/xhtml+xml": html,
  "application/pdf": file(".pdf"),
  "application/x-pdf": file(".pdf"),
  [`${office}.wordprocessingml.document`]: file(".docx"),
  "application/msword": file(".doc"),
  "application/vnd.oasis.opendocument.text": file(".odt"),
  "application/rtf": file(".rtf"),
  "text/rtf": file(".rtf"),
  [`${office}.spreadsheetml.sheet`]: file(".xlsx"),
  "application/vnd.ms-excel": file(".xls"),
  "application/json": text("json"),
  "application/ld+json": text("json"),
  "application/xml": text("xml"),
  "text/xml": text("xml"),
  "text/css": text("css"),
  "text/javascript": text("javascript"),
  "application/javascript": text("javascript"),
  "application/yaml": text("yaml"),
  "application/x-yaml": text("yaml"),
  "text/csv": text("csv")
}

const documentName = /\.(pdf|docx|doc|odt|rtf|xlsx|xls)$/i

/** Types that servers send for files of unknown type. */
const genericTypes = new Set([
  "",
  "application/octet-stream",
  "binary/octet-stream",
  "application/download",
  "application/zip"
])

/** Types whose files contain no text, whatever their name is. */
const media = /^(?:image(?!\/svg)|audio|video|font|model)\//

const headOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024)).toString("latin1")

/** Names inside a ZIP container that identify its kind. */
const containers: ReadonlyArray<readonly [string, ContentKind]> = [
  ["word/document", file(".docx")],
  ["xl/workbook", file(".xlsx")],
  ["application/vnd.oasis.opendocument.text", file(".odt")],
  ["application/vnd.oasis.opendocument.spreadsheet", file(".xlsx")],
  ["ppt/presentation", other(`${office}.presentationml.presentation`)],
  ["application/epub+zip", other("application/epub+zip")]
]

/** Stream names in an OLE2 container that identify its kind. */
const streams: ReadonlyArray<readonly [Buffer, ContentKind]> = [
  [Buffer.from("WordDocument\0", "utf16le"), file(".doc")],
  [Buffer.from("Workbook\0", "utf16le"), file(".xls")],
  [Buffer.from("Book\0", "utf16le"), file(".xls")]
]

const firstIn = <Name extends string | Buffer>(
  bytes: Uint8Array,
  kinds: ReadonlyArray<readonly [Name, ContentKind]>
): ContentKind | undefined => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return kinds.find(([name]) => buffer.includes(name))?.[1]
}

/** First bytes of files without text, in Latin-1; a dot is any byte. */
const signatures: ReadonlyArray<readonly [string, string]> = [
  ["\x89PNG\r\n", "image/png"],
  ["\xff\xd8\xff", "image/jpeg"],
  ["RIFF....WEBP", "image/webp"],
  ["\0\0\0\x0cjP  ", "image/jp2"],
  ["\0\0..ftypavif", "image/avif"],
  ["\0\0..ftyphei", "image/heic"],
  ["\0\0..ftyp", "video/mp4"],
  ["II*\0", "image/tiff"],
  ["MM\0*", "image/tiff"],
  ["\x1f\x8b\x08", "application/gzip"],
  ["7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"],
  ["Rar!\x1a\x07", "application/vnd.rar"],
  ["\xfd7zXZ\0", "application/x-xz"],
  ["\x28\xb5\x2f\xfd", "application/zstd"]
]

const beginsWith = (head: string, signature: string): boolean => {
  for (let at = 0; at < signature.length; at++) {
    if (signature[at] !== "." && signature[at] !== head[at]) return false
  }
  return head.length >= signature.length
}

const isGif = /^GIF8[79]a/

/** Returns the kind that the first bytes of a file prove, regardless of its declared type. Markup and other text prove nothing. */
const provenBy = (bytes: Uint8Array, head: string): ContentKind | undefined => {
  if (/^(?:\xef\xbb\xbf)?\s*%PDF-/.test(head)) return file(".pdf")
  if (/^(?:\xef\xbb\xbf)?\s*\{\\rtf/.test(head)) return file(".rtf")
  if (head.startsWith("PK\x03\x04")) return firstIn(bytes, containers)
  if (head.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return firstIn(bytes, streams)
  if (isGif.test(head) && head.includes("\0")) return other("image/gif")
  const type = signatures.find(([signature]) => beginsWith(head, signature))?.[1]
  return type === undefined ? undefined : other(type)
}

const document =
  /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype\s+html|html)\b/i
const fragment = /^(?:\xef\xbb\xbf)?\s*<(?:head|body|!--)/i
const feed =
  /^(?:\xef\xbb\xbf)?\s*(?:<\?[^>]*\?>\s*|<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:rss|feed|rdf:rdf|urlset|sitemapindex)\b/i
const xmlDocument = /^(?:\xef\xbb\xbf)?\s*<(?:\?xml|rss|feed|rdf)\b/i

/**
 * True for `.xls` and `.doc`: such a file may contain HTML, which other programs export under these names and Excel and Word open. It is
 * parsed as a document.
 */
const mayBeMarkup = (kind: ContentKind): boolean =>
  kind._tag === "File" && (kind.extension === ".xls" || kind.extension === ".doc")

const isContainer = (head: string): boolean =>
  head.startsWith("PK\x03\x04") || head.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")

/** Detects the kind of a file whose type is generic. */
const detect = (head: string, path: string, contentType: string): ContentKind => {
  // The PDF standard allows 1,024 bytes before the signature.
  if (head.includes("%PDF-")) return file(".pdf")
  const named = documentName.exec(path)?.[1]?.toLowerCase()
  const fileKind = named === undefined ? undefined : file(`.${named}` as Extension)
  if (fileKind !== undefined && mayBeMarkup(fileKind)) return fileKind
  if (document.test(head) || fragment.test(head)) return html
  if (fileKind !== undefined) return fileKind
  if (/\.html?$/i.test(path)) return html
  if (head.includes("\0") || isContainer(head)) {
    return other(contentType === "" ? "unknown bytes" : contentType)
  }
  if (xmlDocument.test(head)) return text("xml")
  return contentType === "" ? html : text()
}

/** Returns the kind for a declared type; undefined for an unknown type. */
const declaredBy = (type: string): ContentKind | undefined => {
  const known = Object.hasOwn(byType, type) ? byType[type] : undefined
  if (known !== undefined) return known
  if (type.endsWith("+json")) return text("json")
  if (type.endsWith("+xml")) return text("xml")
  if (type.startsWith("text/")) return text()
  return media.test(type) ? other(type) : undefined
}

/**
 * `path` is the path of the URL, without the query. Bytes that prove a kind take precedence, then the type; path and other bytes decide if
 * the type is generic. Without bytes (before a body was read), an unknown type is `Other`.
 */
export const kindOf = (contentType: string | undefined, path: string, bytes: Uint8Array): ContentKind => {
  const type = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""
  const head = headOf(bytes)
  const proven = provenBy(bytes, head)
  if (proven !== undefined) return proven
  if (genericTypes.has(type)) return detect(head, path, type)
  const declared = declaredBy(type)
  if (declared?._tag === "File" && mayBeMarkup(declared)) return declared
  if (declared === undefined) return head === "" ? other(type) : detect(head, path, type)
  if (isContainer(head) && declared._tag !== "File") return detect(head, path, "application/zip")
  if (declared._tag === "Html") return feed.test(head) ? text("xml") : html
  // A page under another type, such as a login page in place of a PDF, is what a person would see. XHTML has a type of its own.
  return document.test(head) ? html : declared
}
