/** Bytes of a page become text: byte order mark, then HTTP, then the page itself, then what the bytes look like. */
import { isAscii, isUtf8 } from "node:buffer"
import iconv from "iconv-lite"

export interface Decoded {
  readonly text: string
  /** The name it was decoded by, in lower case. */
  readonly charset: string
}

const byteOrderMark = (bytes: Uint8Array): string | undefined => {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8"
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be"
  return undefined
}

/** Without a mark, markup in UTF-16 still shows by its zero bytes. */
const zeroBytes = (bytes: Uint8Array): string | undefined => {
  if (bytes[0] === 0x3c && bytes[1] === 0 && bytes[3] === 0) return "utf-16le"
  if (bytes[0] === 0 && bytes[1] === 0x3c && bytes[2] === 0) return "utf-16be"
  return undefined
}

/** Labels that browsers read as a larger relative. */
const aliases: Readonly<Record<string, string>> = {
  "iso-8859-1": "windows-1252",
  latin1: "windows-1252",
  "us-ascii": "windows-1252",
  ascii: "windows-1252",
  gb2312: "gbk",
  gb_2312: "gbk",
  "gb_2312-80": "gbk",
  "iso-8859-9": "windows-1254",
  "ks_c_5601-1987": "euc-kr",
  "x-sjis": "shift_jis",
  utf8: "utf-8"
}

const known = (label: string | undefined): string | undefined => {
  if (label === undefined) return undefined
  const name = label.trim().toLowerCase()
  const charset = aliases[name] ?? name
  return iconv.encodingExists(charset) ? charset : undefined
}

const charsetParameter = /charset\s*=\s*["']?\s*([^\s"';/>]+)/i

const declared = (bytes: Uint8Array): string | undefined => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4096)).toString("latin1")
  const xml = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)/i.exec(head)?.[1]
  const meta = known(/<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([^\s"';/>]+)/i.exec(head)?.[1] ?? xml)
  // A page that can be read this far as single bytes is not UTF-16, whatever it says.
  return meta?.startsWith("utf-16") === true ? "utf-8" : meta
}

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
      ? { text: buffer.toString("utf8"), charset: "utf-8" }
      : { text: iconv.decode(buffer, "windows-1252"), charset: "windows-1252" }
  }
  // Declared one thing, sent another: text that is valid UTF-8 and not plain ASCII is UTF-8 in practice.
  if (marked === undefined && charset.startsWith("windows-125") && !isAscii(buffer) && isUtf8(buffer)) {
    return { text: buffer.toString("utf8"), charset: "utf-8" }
  }
  if (charset === "utf-8") {
    if (marked === undefined && !isUtf8(buffer)) return decodeBroken(buffer)
    return { text: buffer.toString("utf8", marked === undefined ? 0 : 3), charset }
  }
  return { text: iconv.decode(buffer, charset), charset }
}

/** Says UTF-8 and is not: a few broken bytes stay UTF-8, a text full of them is an old single-byte page. */
const decodeBroken = (buffer: Buffer): Decoded => {
  const text = buffer.toString("utf8")
  const broken = text.length - text.replaceAll("\ufffd", "").length
  const high = buffer.reduce((count, byte) => count + (byte >= 0x80 ? 1 : 0), 0)
  return broken * 2 > high
    ? { text: iconv.decode(buffer, "windows-1252"), charset: "windows-1252" }
    : { text, charset: "utf-8" }
}
