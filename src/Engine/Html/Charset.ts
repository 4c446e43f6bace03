/** Decodes the bytes of a page: by byte order mark, then HTTP header, then the page's own declaration, then the bytes themselves. */
import { isAscii, isUtf8, transcode } from "node:buffer"
import { iconv } from "../../Packages.ts"

export interface Decoded {
  readonly text: string
  /** In lower case. */
  readonly charset: string
}

const byteOrderMark = (bytes: Uint8Array): string | undefined => {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8"
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be"
  return undefined
}

/** Detects UTF-16 markup without a byte order mark by its zero bytes. */
const zeroBytes = (bytes: Uint8Array): string | undefined => {
  if (bytes[0] === 0x3c && bytes[1] === 0 && bytes[3] === 0) return "utf-16le"
  if (bytes[0] === 0 && bytes[1] === 0x3c && bytes[2] === 0) return "utf-16be"
  return undefined
}

/** Labels that browsers treat as a superset of the named charset. */
const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "iso-8859-1": "windows-1252",
    latin1: "windows-1252",
    "us-ascii": "windows-1252",
    ascii: "windows-1252",
    gb2312: "gbk",
    gb_2312: "gbk",
    "gb_2312-80": "gbk",
    "iso-8859-9": "windows-1254",
    "ks_c_5601-1987": "euc-kr",
    csiso2022jp: "iso-2022-jp",
    "x-sjis": "shift_jis",
    utf8: "utf-8"
  })
)

/** Encodings that the decoder supports and no browser accepts as a charset: notations for bytes, and UTF-7, which can hide tags. */
const notations = new Set(["base64", "hex", "binary", "internal", "utf7", "unicode11utf7", "utf7imap"])

const known = (label: string | undefined): string | undefined => {
  if (label === undefined) return undefined
  const name = label.trim().toLowerCase()
  const charset = aliases.get(name) ?? name
  if (charset === "utf-8") return charset
  // The decoder ignores everything but letters and digits.
  const bare = charset.replace(/:\d{4}$|[^0-9a-z]/g, "")
  return charset === japanese || (!notations.has(bare) && iconv().encodingExists(charset)) ? charset : undefined
}

/** Used by old Japanese pages. iconv-lite does not support it; `TextDecoder` does. */
const japanese = "iso-2022-jp"

const decodeBy = (buffer: Buffer, charset: string): string =>
  charset === japanese ? new TextDecoder(japanese).decode(buffer) : iconv().decode(buffer, charset)

const charsetParameter = /charset\s*=[\s"']*([^\s"';/>]+)/i

const declared = (bytes: Uint8Array): string | undefined => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4096)).toString("latin1")
  const xml = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)/i.exec(head)?.[1]
  const meta = known(/<meta\b[^>]*?\bcharset\s*=[\s"']*([^\s"';/>]+)/i.exec(head)?.[1] ?? xml)
  // A declaration that is readable as single bytes cannot be UTF-16.
  return meta?.startsWith("utf-16") === true ? "utf-8" : meta
}

/** Maximum bytes for the faster decoder, which needs two more copies in memory. */
const maxTwice = 4_000_000

/** Decodes bytes known to be UTF-8: by way of UTF-16 it takes half the time. */
const fromUtf8 = (buffer: Buffer): string =>
  buffer.length === 0 || buffer.length > maxTwice
    ? buffer.toString("utf8")
    : transcode(buffer, "utf8", "utf16le").toString("utf16le")

/** Never fails: bytes that fit no charset become replacement characters. */
export const decodeText = (bytes: Uint8Array, contentType: string | undefined): Decoded => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const marked = byteOrderMark(bytes)
  const charset =
    marked ??
    known(contentType === undefined ? undefined : charsetParameter.exec(contentType)?.[1]) ??
    zeroBytes(bytes) ??
    declared(bytes)
  if (charset === undefined) {
    return isUtf8(buffer)
      ? { text: isAscii(buffer) ? buffer.toString("latin1") : fromUtf8(buffer), charset: "utf-8" }
      : { text: iconv().decode(buffer, "windows-1252"), charset: "windows-1252" }
  }
  // Despite the declaration, bytes that are valid UTF-8 are UTF-8: text in other charsets is practically never valid UTF-8.
  if (marked === undefined && !charset.startsWith("utf-16") && !isAscii(buffer)) {
    if (isUtf8(buffer)) return { text: fromUtf8(buffer), charset: "utf-8" }
    const utf8 = buffer.toString("utf8")
    if (brokenShare(buffer, utf8) < (charset === "utf-8" ? 0.5 : 0.01)) {
      return { text: utf8, charset: "utf-8" }
    }
    return charset === "utf-8"
      ? { text: iconv().decode(buffer, "windows-1252"), charset: "windows-1252" }
      : { text: decodeBy(buffer, charset), charset }
  }
  // ASCII is the same in latin1, which decodes faster.
  const text = charset === "utf-8" && marked === undefined ? buffer.toString("latin1") : decodeBy(buffer, charset)
  return { text, charset }
}

/** Share of the non-ASCII bytes that are not valid UTF-8. */
const brokenShare = (buffer: Buffer, utf8: string): number => {
  let high = 0
  for (const byte of buffer) if (byte >= 0x80) high++
  return (utf8.length - utf8.replaceAll("\ufffd", "").length) / Math.max(high, 1)
}
