/** Detects the charset of text from its bytes, for pages with no declaration or a wrong one. */
import { jschardet } from "../Packages.ts"

export interface DetectedCharset {
  /** Name of the charset in lower case. */
  readonly charset: string
  /** False for a guess: another charset might fit as well. */
  readonly isSure: boolean
}

/** Charsets used on the web, by the detector's names for them. */
const names: Readonly<Record<string, string>> = {
  Big5: "big5",
  CP932: "shift_jis",
  CP949: "euc-kr",
  "EUC-JP": "euc-jp",
  "EUC-KR": "euc-kr",
  GB18030: "gb18030",
  GB2312: "gb18030",
  IBM866: "ibm866",
  "ISO-8859-2": "iso-8859-2",
  "ISO-8859-5": "iso-8859-5",
  "ISO-8859-7": "iso-8859-7",
  "KOI8-R": "koi8-r",
  "KOI8-U": "koi8-u",
  SHIFT_JIS: "shift_jis",
  "TIS-620": "windows-874",
  "Windows-1250": "windows-1250",
  "Windows-1251": "windows-1251",
  "Windows-1252": "windows-1252",
  "Windows-1253": "windows-1253",
  "Windows-1254": "windows-1254",
  "Windows-1255": "windows-1255",
  "Windows-1256": "windows-1256",
  "Windows-1257": "windows-1257",
  "Windows-1258": "windows-1258",
  CP874: "windows-874"
}

const byName = new Map(Object.entries(names).map(([name, charset]) => [name.toLowerCase(), charset]))
const candidates = Object.keys(names)

const western: DetectedCharset = { charset: "windows-1252", isSure: true }

/** Bytes searched from the first non-ASCII byte on, and bytes of text given to the detector. */
const [maxSearched, maxSample] = [128 * 1024, 4 * 1024]

/**
 * Minimum confidence of the detector for a result to count as sure, and to be preferred to Windows-1252; measured by `bench/Charset.ts`.
 */
const [minConfidence, minAgainstWestern] = [0.05, 0.095]

const markup = /<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)|<[^>]*>/gi

/** Windows-1252 bytes for punctuation and symbols of Western pages, as Latin-1 characters; the last pattern adds the letters. */
const signs = "\x80\x82\x84\x85\x8b\x91-\x97\x99\x9b\xa0\xa7\xa9\xab\xad\xae\xb0\xb4\xb7\xbb"
const onlySigns = new RegExp(`^[\\0-\\x7f${signs}]*$`)
const onlyWestern = new RegExp(`^[\\0-\\x7f${signs}\\xa1\\xbf\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\xff]*$`)
/** Matches four non-ASCII bytes in a row, which mean another script: Western non-ASCII letters stand between ASCII letters. */
const otherScript = /[\x80-\xff]{4}/
const high = /[\x80-\xff]/

/** Sample of the page's text around its first non-ASCII bytes, as Latin-1. */
const sampleOf = (buffer: Buffer): string => {
  const first = buffer.findIndex((byte) => byte >= 0x80)
  const from = Math.max(0, first - 512)
  const text = buffer.toString("latin1", from, from + maxSearched).replace(markup, " ")
  const start = Math.max(0, text.search(high) - 64)
  return text.slice(start, start + maxSample)
}

/** Detects the charset of bytes that are not UTF-8. Takes some milliseconds; the first call also loads the detector's tables. */
export const detectCharset = (buffer: Buffer): DetectedCharset => {
  const sample = sampleOf(buffer)
  if (onlySigns.test(sample)) return western
  const { confidence, encoding } = jschardet().chardet.detect(Buffer.from(sample, "latin1"), {
    includeEncodings: candidates
  })
  const charset = byName.get((encoding ?? "").toLowerCase())
  if (charset === undefined) return { charset: western.charset, isSure: false }
  const isWestern = onlyWestern.test(sample) && !otherScript.test(sample)
  return isWestern && confidence < minAgainstWestern ? western : { charset, isSure: confidence >= minConfidence }
}
