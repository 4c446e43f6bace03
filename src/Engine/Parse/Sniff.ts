/** Detects the type of a file from its content. */
import { encrypted, type Kind } from "./Protocol.ts"
import { type Entry, entriesOf, localNames, readPart } from "./Zip.ts"

export const contentTypes: Record<Kind, string> = {
  html: "text/html",
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  doc: "application/msword",
  odt: "application/vnd.oasis.opendocument.text",
  rtf: "application/rtf",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xls: "application/vnd.ms-excel",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  sheetXml: "application/xml",
  delimited: "text/tab-separated-values",
  text: "text/plain"
}

/** Types by file extension. */
export const kindOfExtension: Record<string, Kind> = {
  ".html": "html",
  ".htm": "html",
  ".pdf": "pdf",
  ".docx": "docx",
  ".doc": "doc",
  ".odt": "odt",
  ".rtf": "rtf",
  ".xlsx": "xlsx",
  ".xls": "xls"
}

const compoundSignature = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
const streamName = (name: string): Buffer => Buffer.from(`${name}\0`, "utf16le")
const packageName = streamName("EncryptedPackage")
const wordName = streamName("WordDocument")
const bookNames = [streamName("Workbook"), streamName("Book")]

/** Type of an OLE2 container: Word or Excel before 2007, or encrypted OOXML. */
const sniffCompound = (bytes: Buffer, promised: Kind | undefined): Kind | undefined => {
  if (bytes.includes(packageName)) throw encrypted("The document")
  const word = bytes.includes(wordName)
  const book = bookNames.some((name) => bytes.includes(name))
  // A Word file may contain an Excel file or the reverse, so the file name decides.
  if (word && book) return promised === "xls" || promised === "xlsx" ? "xls" : "doc"
  return word ? "doc" : book ? "xls" : undefined
}

const sniffZip = (bytes: Buffer): Kind | undefined => {
  const entries: ReadonlyArray<Entry> = entriesOf(bytes)
  const names = entries.length > 0 ? entries.map(({ name }) => name) : localNames(bytes)
  const has = (name: string) => names.includes(name)
  if (has("mimetype") || has("content.xml")) {
    if (readPart(bytes, entries, "META-INF/manifest.xml")?.includes("encryption-data")) throw encrypted("The document")
    const mimetype = readPart(bytes, entries, "mimetype") ?? bytes.toString("latin1", 0, 200)
    return mimetype.includes("opendocument.spreadsheet") ? "ods" : "odt"
  }
  if (entries.some((entry) => entry.encrypted)) throw encrypted("The file")
  if (has("xl/workbook.xml") || has("xl/workbook.bin") || names.some((name) => name.startsWith("xl/"))) return "xlsx"
  if (has("word/document.xml") || names.some((name) => name.startsWith("word/"))) return "docx"
  return undefined
}

/** True if at most 1 % of the bytes are control characters, or if there is a UTF-16 byte order mark. */
const isText = (head: Buffer): boolean => {
  if (head.length >= 2 && (head.readUInt16LE(0) === 0xfeff || head.readUInt16LE(0) === 0xfffe)) return true
  let odd = 0
  for (const byte of head) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) odd += 1
  return odd * 100 <= head.length
}

const sniffText = (head: Buffer, promised: Kind | undefined): Kind | undefined => {
  if (!isText(head)) return undefined
  const start = head.toString("latin1").replace(/\0/g, "")
  if (start.includes("urn:schemas-microsoft-com:office:spreadsheet")) return "sheetXml"
  if (/<(?:!doctype\s+html|html|head|body|title|meta|div|table|p|h[1-6]|a|span|ul|ol)[\s>]/i.test(start)) return "html"
  if (promised === "html") return "html"
  if ((promised === "xls" || promised === "xlsx") && /[\t,;]/.test(start)) return "delimited"
  return "text"
}

/** Detects the type of the file; undefined if it cannot be read. */
export const sniff = (bytes: Buffer, promised: Kind | undefined): Kind | undefined => {
  const head = bytes.subarray(0, 4096)
  if (head.subarray(0, 8).equals(compoundSignature)) return sniffCompound(bytes, promised)
  if (head.length > 4 && head.readUInt32BE(0) === 0x504b0304) return sniffZip(bytes)
  if (head.subarray(0, 1024).includes("%PDF-")) return "pdf"
  if (/^\s*\{\\rtf/.test(head.toString("latin1", 0, 64).replace(/^\u00ef\u00bb\u00bf/, ""))) return "rtf"
  // Excel 2 to 4 files are not in a container.
  if (promised === "xls" && head.length > 4 && head[0] === 0x09 && [0x00, 0x02, 0x04].includes(head[1] ?? -1))
    return "xls"
  return sniffText(head, promised)
}
