/** Detects the type of a response by its content type, then by its file name and first bytes. */
import type { Extension } from "../../Api/Parse.ts"

export type Kind =
  | { readonly _tag: "Html" }
  /** Read by the parser. */
  | { readonly _tag: "File"; readonly extension: Extension }
  /** Shown as it is, or as code in this language. */
  | { readonly _tag: "Text"; readonly language: string | undefined }
  | { readonly _tag: "Other"; readonly contentType: string }

const html: Kind = { _tag: "Html" }
const file = (extension: Extension): Kind => ({ _tag: "File", extension })
const text = (language?: string): Kind => ({ _tag: "Text", language })

const office = "application/vnd.openxmlformats-officedocument"

const byType: Readonly<Record<string, Kind>> = {
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

const fileName = /\.(pdf|docx|doc|odt|rtf|xlsx|xls)$/i

/** Types that servers send for files they don't know. */
const vague = new Set([
  "",
  "application/octet-stream",
  "binary/octet-stream",
  "application/download",
  "application/zip"
])

const startsWith = (bytes: Uint8Array, signature: string): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, signature.length)).toString("latin1") ===
  signature

const guess = (bytes: Uint8Array, path: string, contentType: string): Kind => {
  if (startsWith(bytes, "%PDF-")) return file(".pdf")
  const named = fileName.exec(path)?.[1]?.toLowerCase()
  if (named !== undefined) return file(`.${named}` as Extension)
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024)).toString("latin1")
  if (/^\s*(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html|head|body|!--)/i.test(head) || /\.html?$/i.test(path))
    return html
  if (head.includes("\0")) return { _tag: "Other", contentType: contentType === "" ? "unknown bytes" : contentType }
  return contentType === "" ? html : text()
}

/** `path` is that of the address, without the query. */
export const kindOf = (contentType: string | undefined, path: string, bytes: Uint8Array): Kind => {
  const type = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""
  if (vague.has(type)) return guess(bytes, path, type)
  const known = Object.hasOwn(byType, type) ? byType[type] : undefined
  if (known !== undefined) return known
  if (type.endsWith("+json")) return text("json")
  if (type.endsWith("+xml")) return text("xml")
  // Word and Excel files often travel as plain text, because the server has no type for them.
  if (type === "text/plain" && (startsWith(bytes, "%PDF-") || startsWith(bytes, "PK\x03\x04")))
    return guess(bytes, path, type)
  return type.startsWith("text/") ? text() : { _tag: "Other", contentType: type }
}
