/**
 * Decodes the bytes of a page: by byte order mark; as UTF-8 if the bytes are valid UTF-8; by the HTTP header or the page's own declaration
 * if the bytes fit it; otherwise by detecting the charset from the bytes.
 */
import { isAscii, isUtf8, transcode } from "node:buffer"
import { iconv } from "../Packages.ts"
import { detectCharset } from "./CharsetDetector.ts"
import type { Element } from "./Element.ts"

export interface Decoded {
  readonly text: string
  /** Name of the charset in lower case. */
  readonly charset: string
  /** Present if the charset is a guess that may be wrong. */
  readonly warning?: string | undefined
}

const byteOrderMark = (bytes: Uint8Array): string | undefined => {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8"
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be"
  return undefined
}

/** Detects UTF-16 without a byte order mark: the first characters are ASCII, so every second byte is zero. */
const zeroBytes = (bytes: Uint8Array): string | undefined => {
  if (bytes.length < 4 || (bytes[0] === 0) === (bytes[1] === 0)) return undefined
  const zero = bytes[0] === 0 ? 0 : 1
  for (let at = 0; at < 4; at++) if ((bytes[at] === 0) !== (at % 2 === zero)) return undefined
  return zero === 0 ? "utf-16be" : "utf-16le"
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

/** Encodings that the decoder supports but browsers reject as charsets: byte notations, and UTF-7, which can hide tags. */
const notations = new Set(["base64", "hex", "binary", "internal", "utf7", "unicode11utf7", "utf7imap"])

const known = (label: string | undefined): string | undefined => {
  if (label === undefined) return undefined
  const name = label.trim().toLowerCase()
  const charset = aliases.get(name) ?? name
  if (charset === "utf-8") return charset
  // Compare without other characters than letters and digits, as iconv-lite does.
  const bare = charset.replace(/:\d{4}$|[^0-9a-z]/g, "")
  return charset === japanese || (!notations.has(bare) && iconv().encodingExists(charset)) ? charset : undefined
}

/** Charset of old Japanese pages. iconv-lite does not support it; `TextDecoder` does. */
const japanese = "iso-2022-jp"

const decodeBy = (buffer: Buffer, charset: string): string =>
  charset === japanese ? new TextDecoder(japanese).decode(buffer) : iconv().decode(buffer, charset)

const charsetParameter = /charset\s*=[\s"']*([^\s"';/>]+)/i

/** Charset of a media type; undefined if it has none that is known. */
export const charsetIn = (contentType: string | undefined): string | undefined =>
  contentType === undefined ? undefined : known(charsetParameter.exec(contentType)?.[1])

const declared = (bytes: Uint8Array): string | undefined => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4096)).toString("latin1")
  const xml = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)/i.exec(head)?.[1]
  const meta = known(/<meta\b[^>]*?\bcharset\s*=[\s"']*([^\s"';/>]+)/i.exec(head)?.[1] ?? xml)
  // If the declaration can be read as single bytes, the page is not UTF-16.
  return meta?.startsWith("utf-16") === true ? "utf-8" : meta
}

/** Charset that the markup of a page declares. */
const charsetOf = (metas: ReadonlyArray<Element>): string | undefined => {
  for (const { attributes } of metas) {
    const isType = attributes["http-equiv"]?.trim().toLowerCase() === "content-type"
    const found = known(attributes.charset) ?? (isType ? charsetIn(attributes.content) : undefined)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Charset for the links of a decoded page; undefined if its markup has to say. A byte order mark does not count: pages from a browser begin
 * with one, whatever their charset was.
 */
export const linkCharset = (
  bytes: Uint8Array,
  contentType: string | undefined,
  { charset }: Decoded
): string | undefined => (byteOrderMark(bytes) === "utf-8" ? charsetIn(contentType) : charset)

/** Charsets whose pages have queries in UTF-8. Browsers have an encoder for ISO-2022-JP, which is not among these of `iconv`. */
const queriesInUtf8 = /^(?:utf|ucs|unicode|cesu|iso-2022-jp)/

/**
 * Returns the function that percent-encodes a character in the query of a link, as browsers do: in the charset of the page, by default the
 * one that its markup declares. Undefined if the queries are in UTF-8.
 */
export const queryEncoder = (
  charset: string | undefined,
  metas: ReadonlyArray<Element>
): ((character: string) => string) | undefined => {
  const name = charset ?? charsetOf(metas) ?? "utf-8"
  if (queriesInUtf8.test(name)) return undefined
  return (character) => {
    const bytes = iconv().encode(character, name)
    // Question marks stand for a character that the charset lacks.
    if (bytes[0] === 0x3f) return encodeURIComponent(`&#${character.codePointAt(0)};`)
    // Bytes that are letters or digits stay, as in browsers; other ASCII bytes would be read as markup or as parts of the URL.
    return bytes.toString("latin1").replace(/[^\w~]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  }
}

/** Maximum bytes for the faster decoder, which needs two additional copies in memory. */
const maxTwice = 4_000_000

/** Decodes bytes known to be UTF-8, in half the time by converting to UTF-16 first. */
const fromUtf8 = (buffer: Buffer): string =>
  buffer.length === 0 || buffer.length > maxTwice
    ? buffer.toString("utf8")
    : transcode(buffer, "utf8", "utf16le").toString("utf16le")

/** True if the bytes contain escape sequences of ISO-2022-JP, an encoding that uses only ASCII bytes. */
const hasEscapes = (buffer: Buffer): boolean => buffer.includes("\x1b$B") || buffer.includes("\x1b$@")

/** Decodes a page. Never fails: bytes that fit no charset become replacement characters. */
export const decodeText = (bytes: Uint8Array, contentType: string | undefined): Decoded => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const marked = byteOrderMark(bytes)
  if (marked !== undefined) return { text: decodeBy(buffer, marked), charset: marked }
  const header = charsetIn(contentType)
  const charset =
    (header?.startsWith("utf-16") === true ? header : undefined) ?? zeroBytes(bytes) ?? header ?? declared(bytes)
  if (charset?.startsWith("utf-16") === true) return { text: decodeBy(buffer, charset), charset }
  if (isAscii(buffer)) {
    if (charset === japanese || hasEscapes(buffer)) return { text: decodeBy(buffer, japanese), charset: japanese }
    // ASCII is the same in latin1, which decodes faster, and in all remaining charsets apart from UTF-7.
    return { text: buffer.toString("latin1"), charset: charset ?? "utf-8" }
  }
  // Bytes that are valid UTF-8 are UTF-8, whatever is declared: text in other charsets is practically never valid UTF-8.
  if (isUtf8(buffer)) return { text: fromUtf8(buffer), charset: "utf-8" }
  const utf8 = buffer.toString("utf8")
  if (brokenShare(buffer, utf8) < maxBroken(charset)) return { text: utf8, charset: "utf-8" }
  return decodeLegacy(buffer, charset, charset === header ? declared(bytes) : undefined)
}

/** Share of invalid bytes below which text counts as UTF-8 with errors, such as text that is cut within a character. */
const maxBroken = (charset: string | undefined): number =>
  charset === "utf-8" ? 0.25 : charset === undefined ? 0.1 : 0.01

/** Decodes bytes that are not UTF-8, by the charset of the header or the page if the bytes fit it; otherwise detects one. */
const decodeLegacy = (buffer: Buffer, first: string | undefined, second: string | undefined): Decoded => {
  const stated = [...new Set([first, second])].filter((charset) => charset !== undefined && charset !== "utf-8")
  const fitting = stated.flatMap((charset) => {
    const text = charset === undefined ? "" : decodeBy(buffer, charset)
    return charset !== undefined && fits(text, charset) ? [{ text, charset }] : []
  })
  const [only, other] = fitting
  if (only !== undefined && other === undefined) return only
  const { charset, isSure } = detectCharset(buffer)
  // If header and page contradict each other, the bytes decide between them.
  const agreed = fitting.find((found) => found.charset === charset) ?? only
  if (agreed !== undefined) return agreed
  const reason = first === undefined ? "declares no charset" : `is not in the charset that it declares (${first})`
  return {
    text: decodeBy(buffer, charset),
    charset,
    ...(isSure
      ? {}
      : { warning: `The page ${reason}, and is not UTF-8: it was read as ${charset}, which may be wrong.` })
  }
}

const western = /^(?:windows-125[0247]|iso-?8859-(?:[1-4]|9|1[03456])|macintosh)$/
/** Four or more non-ASCII letters in a row, which Western text does not have. */
const otherScript = /(?:[^\0-\x7f\P{L}]|[÷×¸]){4,}/gu

const replacement = 0xfffd

/** Counts the matching characters without building an array, because a page may have ten million. */
const countCodes = (text: string, counts: (code: number) => boolean): number => {
  let found = 0
  for (let at = 0; at < text.length; at++) if (counts(text.charCodeAt(at))) found++
  return found
}

/** True for a non-ASCII character other than white space. */
const isHigh = (code: number): boolean =>
  code >= 0x80 && code !== 0xa0 && (code < 0x1680 || !/\s/.test(String.fromCharCode(code)))
const isUnassigned = (code: number): boolean => code === replacement || (code >= 0x80 && code <= 0x9f)

const lengthInOtherScript = (text: string): number => {
  let found = 0
  for (const [letters] of text.matchAll(otherScript)) found += letters.length
  return found
}

/** True if the decoded text looks like text: headers and meta tags often declare only the server's default charset. */
const fits = (text: string, charset: string): boolean => {
  const high = countCodes(text, isHigh)
  if (high === 0) return true
  if (countCodes(text, isUnassigned) > high * 0.05) return false
  return !western.test(charset) || high < 10 || lengthInOtherScript(text) < high * 0.5
}

/** Share of the non-ASCII bytes that are not valid UTF-8. */
const brokenShare = (buffer: Buffer, utf8: string): number => {
  let high = 0
  for (let at = 0; at < buffer.length; at++) if ((buffer[at] ?? 0) >= 0x80) high++
  return countCodes(utf8, (code) => code === replacement) / Math.max(high, 1)
}
