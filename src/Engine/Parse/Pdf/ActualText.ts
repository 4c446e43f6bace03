/**
 * Makes the replacement text of marked content (`/ActualText`) readable. The library pdf.js returns only `/MCID`, so a copy of the file has
 * the text there: `<< /MCID 3 /ActualText (x) >>` becomes `<< /MCID [3 (x)] … >>`, in new versions of the streams at the end of the file.
 *
 * Replacement texts that are in the resources of a page, and not in its content, are not found.
 */
import { decoded, type FileObject, maxDecoded, objectsIn } from "./Objects.ts"

/** Streams without page content: images, fonts, colours, packed objects. */
const otherStream = /\/Subtype\s*\/(?!Form\b)|\/Length1\b|\/FunctionType\b|\/Alternate\b|\/Type\s*\/(?!XObject\b)/

const key = "/ActualText"
/** Maximum decoded bytes per file that are searched for replacement texts, because a small file may have any number of huge streams. */
const maxSearched = 128 * 1024 * 1024

/** Maximum bytes of a replacement text in its escaped form. */
const maxString = 20_000

/** Returns the string that begins at `from`, in hexadecimal digits or in parentheses, in its escaped form. */
const stringAt = (text: string, from: number): string | undefined => {
  if (text[from] === "<") return /^<[\dA-Fa-f\s]*>/.exec(text.slice(from, from + maxString))?.[0]
  if (text[from] !== "(") return undefined
  let depth = 0
  for (let at = from; at < Math.min(text.length, from + maxString); at += 1) {
    if (text[at] === "\\") at += 1
    else if (text[at] === "(") depth += 1
    else if (text[at] === ")") depth -= 1
    if (depth === 0) return text.slice(from, at + 1)
  }
  return undefined
}

/** Maximum characters between the start of a dictionary and the `/ActualText` in it. */
const maxEntries = 500

/** Maximum replacement texts without an end per stream; after that the rest of the stream stays unchanged. */
const maxFailures = 100

/** Returns the content with replacement texts added to the ids of marked content. */
const rewritten = (content: string): string => {
  const parts: Array<string> = []
  let done = 0
  let failures = 0
  for (let at = content.indexOf(key); at >= 0; at = content.indexOf(key, at + 1)) {
    const from = at + key.length + (/^\s*/.exec(content.slice(at + key.length, at + key.length + 20))?.[0].length ?? 0)
    const text = stringAt(content, from)
    const start = Math.max(0, at - maxEntries) + content.slice(Math.max(0, at - maxEntries), at).lastIndexOf("<<")
    if (text === undefined) failures += 1
    if (failures > maxFailures) break
    if (text === undefined || start < Math.max(done, at - maxEntries)) continue
    const before = content.slice(start + 2, at)
    const [rest] = /^[^>]{0,500}>>/.exec(content.slice(from + text.length, from + text.length + 502)) ?? []
    if (rest === undefined) continue
    const id = /\/MCID\s+(\d+)/.exec(before + rest)?.[1] ?? "-1"
    const others = (entries: string): string => entries.replace(/\/MCID\s+\d+/, "")
    parts.push(content.slice(done, start), `<</MCID[${id} ${text}]${others(before)}${others(rest)}`)
    done = from + text.length + rest.length
  }
  return parts.join("") + content.slice(done)
}

/** Trailer entries that a new cross-reference section takes over from the last one; undefined if the file is damaged. */
const lastSection = (text: string): string | undefined => {
  const [, offset] = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(text.slice(-1024)) ?? []
  const at = Number(offset ?? Number.NaN)
  if (Number.isNaN(at) || at >= text.length) return undefined
  const start = text.startsWith("xref", at) ? text.indexOf("trailer", at) : at
  const dictionary = text.slice(start, start + 4096).split(/\bstream\b|\bstartxref\b/, 1)[0] ?? ""
  const entries = [/\/Root\s+\d+\s+\d+\s+R/, /\/Info\s+\d+\s+\d+\s+R/, /\/Size\s+\d+/].map(
    (entry) => entry.exec(dictionary)?.[0]
  )
  if (start < 0 || entries[0] === undefined || entries[2] === undefined) return undefined
  return `<< ${entries.join(" ")} /Prev ${at} >>`
}

const newVersion = ({ generation, head, number }: FileObject, content: string): string => {
  const entries = head.replace(/\/Length\s+\d+(?:\s+\d+\s+R)?/, "").replace(/\/Filter\s*(?:\[[^\]]*\]|\/\w+)/, "")
  return `${number} ${generation} obj\n${entries.replace(/>>\s*$/, "")} /Length ${content.length} >>\nstream\n${content}\nendstream\nendobj\n`
}

/** Returns the file with its replacement texts where pdf.js can read them. Returns the same bytes if it has none or is encrypted. */
export const withActualText = (bytes: Buffer): Buffer => {
  const text = bytes.toString("latin1")
  if (!text.startsWith("%PDF-") || /\/Encrypt\s+\d+\s+\d+\s+R/.test(text)) return bytes
  const added: Array<string> = []
  const places: Array<string> = []
  let length = bytes.length + 1
  let searched = 0
  for (const object of objectsIn(text)) {
    if (object.stream === undefined || otherStream.test(object.head)) continue
    if (searched > maxSearched) break
    const stream = decoded(bytes, text, object)
    searched += stream?.length ?? maxDecoded
    if (stream?.includes(key) !== true) continue
    const version = newVersion(object, rewritten(stream.toString("latin1")))
    const place = `${String(length).padStart(10, "0")} ${String(object.generation).padStart(5, "0")} n`
    places.push(`${object.number} 1\n${place} \n`)
    added.push(version)
    length += version.length
  }
  const section = added.length === 0 ? undefined : lastSection(text)
  if (section === undefined) return bytes
  const end = `xref\n${places.join("")}trailer\n${section}\nstartxref\n${length}\n%%EOF\n`
  return Buffer.concat([bytes, Buffer.from(`\n${added.join("")}${end}`, "latin1")])
}

/** Decodes a string from pdf.js: UTF-16 or UTF-8 if it has a byte order mark, otherwise one byte per letter. */
export const textOfString = (value: string): string => {
  const bytes = Buffer.from(value, "latin1")
  if (value.startsWith("\u00fe\u00ff"))
    return bytes
      .subarray(2, 2 + 2 * Math.floor((bytes.length - 2) / 2))
      .swap16()
      .toString("utf16le")
  return value.startsWith("\u00ef\u00bb\u00bf") ? bytes.subarray(3).toString("utf8") : value
}
