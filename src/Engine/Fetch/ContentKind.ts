/** Detects the type of a response by its content type, then by its file name and first bytes. */
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

/** Types that servers send for files they don't know. */
const genericTypes = new Set([
  "",
  "application/octet-stream",
  "binary/octet-stream",
  "application/download",
  "application/zip"
])

const startsWith = (bytes: Uint8Array, signature: string): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, signature.length)).toString("latin1") ===
  signature

const headOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024)).toString("latin1")

const detect = (bytes: Uint8Array, path: string, contentType: string): ContentKind => {
  if (startsWith(bytes, "%PDF-")) return file(".pdf")
  const named = documentName.exec(path)?.[1]?.toLowerCase()
  if (named !== undefined) return file(`.${named}` as Extension)
  const head = headOf(bytes)
  if (/^\s*(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html|head|body|!--)/i.test(head) || /\.html?$/i.test(path))
    return html
  if (head.includes("\0")) return { _tag: "Other", contentType: contentType === "" ? "unknown bytes" : contentType }
  return contentType === "" ? html : text()
}

/** `path` is the path of the URL, without the query. */
export const kindOf = (contentType: string | undefined, path: string, bytes: Uint8Array): ContentKind => {
  const type = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""
  if (genericTypes.has(type)) return detect(bytes, path, type)
  const known = Object.hasOwn(byType, type) ? byType[type] : undefined
  if (known !== undefined) return known
  if (type.endsWith("+json")) return text("json")
  if (type.endsWith("+xml")) return text("xml")
  // Servers without a type for Word and Excel files often send them as plain text.
  if (type === "text/plain" && (startsWith(bytes, "%PDF-") || startsWith(bytes, "PK\x03\x04")))
    return detect(bytes, path, type)
  if (type.startsWith("text/")) return text()
  // Feeds have types such as `application/rss`.
  const isMarkup =
    type.startsWith("application/") && /^(?:\xef\xbb\xbf)?\s*<(?:\?xml|rss|feed|rdf)\b/i.test(headOf(bytes))
  return isMarkup ? text("xml") : { _tag: "Other", contentType: type }
}
